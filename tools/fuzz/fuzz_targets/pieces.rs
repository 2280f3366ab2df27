//! Pieces of a buffer have the records of the whole, whoever asks for them in whatever order.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::pieces(data));
