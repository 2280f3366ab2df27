//! A damaged index is an error or another index, never a panic.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::index_damage(data));
