//! A question is read or refused at a place of its text; what is read is written, and read the same again.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::query(data));
