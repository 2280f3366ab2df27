//! Safe repairs keep the moves, and repairs can be undone.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::fix(data));
