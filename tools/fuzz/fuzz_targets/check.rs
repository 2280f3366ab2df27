//! Findings lie within their game, are counted, and can be told in words.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::check(data));
