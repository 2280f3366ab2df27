//! Edits of a record are read back, and other bytes are copied.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::edit(data));
