//! Packed moves: any bytes are a game of legal shape or refused, alike by all readers.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::packed(data));
