//! Chunks of a buffer give the records of the whole buffer, in any order and on any number of threads.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::pieces(data));
