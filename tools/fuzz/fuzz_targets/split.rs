//! Records join to the input, however it arrives, and are those of the naive splitter.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::split(data));
