//! Any request to the explorer is answered, and no answer is a fault of the server.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pdn_fuzz::request(data));
