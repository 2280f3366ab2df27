//! Every byte is reported once, in order; tokens equal those of the automaton; a walk can be stopped anywhere.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::walk(data));
