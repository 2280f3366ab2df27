//! Every byte is told of once, in order; tokens are those of the automaton; a walk can be left anywhere.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::walk(data));
