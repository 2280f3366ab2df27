//! Paths as text, for tables and JSON, whose texts are Unicode.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The beginning of a URL of a file of this machine.
const FILE_URL: &str = "file://";

/// Returns a text that names the same file as a path, so that a reader of the text finds the file again: the path itself, or for a
/// path that is not Unicode the URL of the absolute path, such as `file:///games/caf%E9.pdn`.
pub fn path_text(path: &Path) -> Cow<'_, str> {
    match path.to_str() {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(url(path)),
    }
}

/// Returns the path that a text names: that of a URL which begins with `file://`, else the text itself. For a path from
/// [`path_text`], this is the absolute path.
pub fn path_of_text(text: &Path) -> Cow<'_, Path> {
    match text.to_str().and_then(|text| text.strip_prefix(FILE_URL)) {
        Some(rest) => Cow::Owned(unescaped(rest.strip_prefix("localhost").unwrap_or(rest))),
        None => Cow::Borrowed(text),
    }
}

#[cfg(unix)]
fn url(path: &Path) -> String {
    use std::fmt::Write;
    use std::os::unix::ffi::OsStrExt;

    // Without a folder to start from, the path stays relative.
    let absolute = std::path::absolute(path);
    let path = absolute.as_deref().unwrap_or(path);
    let mut url = FILE_URL.to_owned();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                url.push(byte.into())
            }
            // Writing into a string does not fail.
            byte => _ = write!(url, "%{byte:02X}"),
        }
    }
    url
}

#[cfg(unix)]
fn unescaped(text: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;

    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [first, after @ ..] = rest {
        let escaped = match (first, after.split_first_chunk::<2>()) {
            (b'%', Some((digits, after))) => {
                let digits = str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'));
                digits.and_then(|digits| Some((u8::from_str_radix(digits, 16).ok()?, after)))
            }
            _ => None,
        };
        let (byte, after) = escaped.unwrap_or((*first, after));
        bytes.push(byte);
        rest = after;
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

// Names of other systems are Unicode, but for names that hardly any program can make.
#[cfg(not(unix))]
fn url(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn unescaped(text: &str) -> PathBuf {
    PathBuf::from(text)
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn text_of_a_path_names_the_same_file() {
        for path in ["games.pdn", "/games/a b%20.pdn", "Dämmen.pdn", "-"] {
            assert_eq!(path_text(Path::new(path)), path);
            assert_eq!(path_of_text(Path::new(path)), Path::new(path));
        }
        let path = Path::new(OsStr::from_bytes(b"/games/caf\xE9 %41+?#.pdn"));
        let text = path_text(path);
        assert_eq!(text, "file:///games/caf%E9%20%2541%2B%3F%23.pdn");
        assert_eq!(path_of_text(Path::new(&*text)), path);
        let relative = Path::new(OsStr::from_bytes(b"caf\xE9.pdn"));
        let found = path_of_text(Path::new(&*path_text(relative))).into_owned();
        assert_eq!(found, std::path::absolute(relative).unwrap());
        for (url, path) in
            [("file://localhost/a%2Fb", "/a/b"), ("file:///100%", "/100%"), ("file:///%+1%zz%4", "/%+1%zz%4")]
        {
            assert_eq!(path_of_text(Path::new(url)), Path::new(path));
        }
    }
}
