//! What a typed value is written as is read as the same value.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::values(data));
