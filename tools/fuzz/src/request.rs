//! Properties of requests to the explorer.

use pdn_explorer::probe;

/// Any bytes that a client sends are answered, with a status that the client can have caused and a description of the problem.
pub fn request(data: &[u8]) {
    let is_import = data.starts_with(b"PUT ");
    if let Err(wrong) = probe::check_response(&probe::respond(data, is_import)) {
        panic!("{wrong}");
    }
}
