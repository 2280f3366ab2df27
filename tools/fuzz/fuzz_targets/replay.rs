//! Whatever a game says, its replay plays legal moves only, and says the same to everybody.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::replay(data));
