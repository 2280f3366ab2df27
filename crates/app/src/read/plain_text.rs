//! Why a file cannot be changed in place: its bytes are not those of its text.

use std::path::Path;

use pdn::archive::Batch;
use pdn::internal::source::{Carrier, Container, HEAD_BYTES, TextForm};

/// Number of bytes at the start of a file that tell what it is.
pub const HEAD: u64 = HEAD_BYTES as u64;

/// Returns why a file that begins with `head` is not changed; `None` if its bytes are text.
pub fn container(head: &[u8]) -> Option<&'static str> {
    // Those that cannot be read either.
    const OTHERS: [(&[u8], &str); 3] = [
        (b"\xFD7zXZ\0", "is compressed with xz; unpack it first"),
        (b"7z\xBC\xAF\x27\x1C", "is a 7-Zip archive; unpack it first"),
        (b"Rar!", "is a RAR archive; unpack it first"),
    ];
    match Container::of(head) {
        Err(_) => OTHERS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, reason)| *reason),
        Ok(container) => packed(container),
    }
}

/// Returns why a file in this container is not changed; `None` if its bytes are text.
fn packed(container: Container) -> Option<&'static str> {
    match container {
        Container::Plain => None,
        Container::Gzip => Some("is compressed with gzip; unpack it first"),
        Container::Zstd => Some("is compressed with zstd; unpack it first"),
        Container::Bzip2 => Some("is compressed with bzip2; unpack it first"),
        Container::Zip => Some("is a zip archive; unpack it first"),
    }
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

/// Returns why the input `name`, whose first batch is `first`, is not changed in place: a compressed file, a file in UTF-16, a list of
/// positions, a text that carries games such as JSON, or an entry of a zip. `None` if it can be, is empty, or is no file at all.
pub fn refusal(name: &Path, first: Option<&Batch>) -> Option<&'static str> {
    let is_entry = !name.exists() && name.ancestors().skip(1).any(Path::is_file);
    if is_entry {
        return Some("is in a zip archive; unpack it first");
    }
    let first = first.filter(|_| name.is_file())?;
    // An encoding that was forced hides the form of a text, whose bytes are as they are then.
    let text_form = || first.form().or_else(|| TextForm::of(first.start_of_input(), None));
    packed(first.container()).or_else(|| text_form().map(form))
}
