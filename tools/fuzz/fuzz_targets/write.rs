//! A written record is read back and written again as the same bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::write(data));
