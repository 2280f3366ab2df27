//! Why a file cannot be changed in place: its bytes are not those of its text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use pdn::internal::source::{Carrier, HEAD_BYTES, TextForm};

/// Number of bytes at the start of a file that tell what it is.
pub const HEAD: u64 = HEAD_BYTES as u64;

/// Returns why a file that begins with `head` is not changed; `None` if its bytes are text.
pub fn container(head: &[u8]) -> Option<&'static str> {
    const CONTAINERS: [(&[u8], &str); 7] = [
        (b"\x1F\x8B", "is compressed with gzip; unpack it first"),
        (b"\x28\xB5\x2F\xFD", "is compressed with zstd; unpack it first"),
        (b"BZh", "is compressed with bzip2; unpack it first"),
        (b"PK\x03\x04", "is a zip archive; unpack it first"),
        (b"\xFD7zXZ\0", "is compressed with xz; unpack it first"),
        (b"7z\xBC\xAF\x27\x1C", "is a 7-Zip archive; unpack it first"),
        (b"Rar!", "is a RAR archive; unpack it first"),
    ];
    CONTAINERS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, reason)| *reason)
}

/// Returns why a text of this form is not changed.
pub fn form(form: TextForm) -> &'static str {
    match form {
        TextForm::Utf16(_) => "is in UTF-16; `pdn fmt --utf8` turns it into UTF-8 first",
        TextForm::Positions => "is a list of positions; `pdn convert` writes it as PDN",
        TextForm::Carrier(Carrier::Json) => "is JSON; `pdn convert` writes its games as PDN",
        TextForm::Carrier(Carrier::Html { .. }) => "is HTML; `pdn convert` writes its games as PDN",
        TextForm::Carrier(Carrier::Forum) => {
            "is a text with marks of a forum; `pdn convert` writes its games as PDN"
        }
    }
}

/// Returns why the input `name` is not changed in place: a compressed file, a file in UTF-16, a list of positions, a text that carries
/// games such as JSON, or an entry of a zip. `None` if it can be, or cannot be read.
pub fn refusal(name: &Path) -> Option<&'static str> {
    let is_entry = !name.exists() && name.ancestors().skip(1).any(Path::is_file);
    if is_entry {
        return Some("is in a zip archive; unpack it first");
    }
    // Reading a pipe would take its first bytes away.
    if !name.is_file() {
        return None;
    }
    let mut head = Vec::new();
    File::open(name).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    container(&head).or_else(|| TextForm::of(&head, None).map(form))
}
