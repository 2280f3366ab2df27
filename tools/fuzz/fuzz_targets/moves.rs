//! Legal moves of any position: found, written, read, played and taken back.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::moves(data));
