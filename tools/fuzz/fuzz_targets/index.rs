//! An index of any bytes is sound and gives them back, on any number of threads.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::index(data));
