//! Containers and encodings: any bytes are games or errors, however they arrive.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::source(data));
