//! The files of the page, which are part of the program.

use std::borrow::Cow;

/// A file of the page.
pub(crate) struct PageFile {
    /// Path in the address, without the first slash.
    pub(crate) path: &'static str,
    pub(crate) media_type: &'static str,
    bytes: &'static [u8],
}

/// Declares the files: a list instead of a folder, so that nothing else is served by accident.
macro_rules! page_files {
    ($($path:literal: $media_type:expr,)*) => {
        /// All files of the page.
        const FILES: &[PageFile] = &[
            $(PageFile { path: $path, media_type: $media_type, bytes: include_bytes!(concat!("../page/", $path)) },)*
        ];
    };
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

page_files! {
    "index.html": HTML,
    "icon.svg": PICTURE,
    "style.css": STYLE,
    "annotation.js": SCRIPT,
    "app.js": SCRIPT,
    "api.js": SCRIPT,
    "board.js": SCRIPT,
    "check.js": SCRIPT,
    "connection.js": SCRIPT,
    "discover.js": SCRIPT,
    "dom.js": SCRIPT,
    "embed.html": HTML,
    "embed.js": SCRIPT,
    "evaluation.js": SCRIPT,
    "event.js": SCRIPT,
    "filters.js": SCRIPT,
    "game.js": SCRIPT,
    "i18n.js": SCRIPT,
    "missing.html": HTML,
    "messages.js": SCRIPT,
    "messages/fr.js": SCRIPT,
    "messages/nl.js": SCRIPT,
    "messages/pl.js": SCRIPT,
    "messages/ru.js": SCRIPT,
    "missing.js": SCRIPT,
    "moves.js": SCRIPT,
    "overview.js": SCRIPT,
    "picture.js": SCRIPT,
    "players.js": SCRIPT,
    "position.js": SCRIPT,
    "remote.js": SCRIPT,
    "search.js": SCRIPT,
    "site.js": SCRIPT,
    "state.js": SCRIPT,
    "tree.js": SCRIPT,
    "lang/en.js": SCRIPT,
    "lang/fr.js": SCRIPT,
    "lang/nl.js": SCRIPT,
    "lang/pl.js": SCRIPT,
    "lang/ru.js": SCRIPT,
}

impl PageFile {
    /// Returns the file at a path without the first slash; the empty path is the page itself.
    pub(crate) fn find(path: &str) -> Option<&'static Self> {
        let path = match path {
            "" => "index.html",
            "embed" => "embed.html",
            path => path,
        };
        FILES.iter().find(|file| file.path == path)
    }

    /// Returns the contents as they are sent. A debug build reads the file from the source tree, so that a change needs no build.
    pub(crate) fn bytes(&self) -> Cow<'static, [u8]> {
        if cfg!(debug_assertions) {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/page/").to_owned() + self.path;
            if let Ok(bytes) = std::fs::read(path) {
                return self.sent(&bytes).into();
            }
        }
        self.sent(self.bytes).into()
    }

    /// Returns the minified contents: without indentation, blank lines, lines of comment, and blanks next to punctuation. They are a sixth
    /// of the page.
    fn sent(&self, bytes: &[u8]) -> Vec<u8> {
        let is_script = self.media_type == SCRIPT;
        let comment: &[u8] = if is_script { b"//" } else { b"/*" };
        let is_read = |line: &&[u8]| !line.is_empty() && !line.starts_with(comment);
        let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(is_read);
        // Blanks after a byte of `after` and before a byte of `before` have no meaning.
        let (after, before): (&[u8], &[u8]) = match self.media_type {
            SCRIPT => (b",;{}()[]=<>?:&|!", b",;{}()[]=<>?:&|!"),
            STYLE => (b"{:;,", b"{}"),
            _ => (b"", b""),
        };
        let is_beside = |other: Option<&u8>, of: &[u8]| other.is_some_and(|other| of.contains(other));
        let mut sent = Vec::with_capacity(bytes.len());
        for line in lines {
            // In scripts, blanks of a text count, and so do those behind a template, a regular expression or a comment.
            let (mut quote, mut is_escaped, mut is_copied) = (None, false, false);
            for (at, &byte) in line.iter().enumerate() {
                if is_script && !is_copied {
                    match (quote, byte) {
                        (None, b'`' | b'/') => is_copied = true,
                        (None, b'\'' | b'"') => quote = Some(byte),
                        (Some(open), _) if byte == open && !is_escaped => quote = None,
                        _ => {}
                    }
                    is_escaped = byte == b'\\' && !is_escaped;
                }
                let is_needless = byte == b' '
                    && quote.is_none()
                    && !is_copied
                    && (is_beside(line[..at].last(), after) || is_beside(line.get(at + 1), before));
                if !is_needless {
                    sent.push(byte);
                }
            }
            sent.push(b'\n');
        }
        sent
    }
}

/// Returns the path and the contents of each file of the page, for a site of files. `site.js` is not among them: that of a site
/// says where its index is. Nor is the page for addresses that do not exist, which the host of a site has.
pub fn page_files() -> impl Iterator<Item = (&'static str, Cow<'static, [u8]>)> {
    let is_of_server = |file: &PageFile| matches!(file.path, "site.js" | "missing.html" | "missing.js");
    FILES.iter().filter(move |file| !is_of_server(file)).map(|file| (file.path, file.bytes()))
}

/// Returns a tag of the contents of a file, for caches: FNV-1a of its bytes.
pub(crate) fn entity_tag(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("\"{hash:016x}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_needs_no_inline_code_and_no_other_server() {
        for file in FILES {
            let text = std::str::from_utf8(file.bytes).expect("all files are text");
            for foreign in ["https://", "//cdn", "@import"] {
                assert!(!text.contains(foreign), "{} contains {foreign}", file.path);
            }
            if file.media_type == HTML {
                for inline in [" style=", " onclick=", "<style", "<script>"] {
                    assert!(!text.contains(inline), "{} contains {inline}", file.path);
                }
            }
        }
    }

    #[test]
    fn page_with_its_largest_language_is_smaller_than_150_kilobytes() {
        // Messages are loaded with the first of them, the check and events with their views, and `remote.js`
        // by a site of files in place of what needs a server. The pages for addresses that do not exist and
        // for other sites are others.
        let others = ["messages/", "missing.", "embed.", "remote.js", "check.js", "event.js"];
        let is_loaded = |file: &&PageFile| !others.iter().any(|other| file.path.starts_with(other));
        let (languages, others): (Vec<_>, Vec<_>) =
            FILES.iter().filter(is_loaded).partition(|file| file.path.starts_with("lang/"));
        let largest = languages.iter().map(|file| file.bytes().len()).max().unwrap_or(0);
        let total = largest + others.iter().map(|file| file.bytes().len()).sum::<usize>();
        assert!(total < 150_000, "{total} bytes");
    }

    #[test]
    fn page_names_all_its_modules_so_that_they_load_at_once() {
        let source = |path: &str| {
            let file = FILES.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}"));
            String::from_utf8_lossy(file.bytes).into_owned()
        };
        let html = source("index.html");
        let (mut modules, mut at) = (vec!["app.js".to_owned()], 0);
        while at < modules.len() {
            let text = source(&modules[at]);
            for part in text.split(" from './").skip(1) {
                let name = part.split('\'').next().unwrap_or_default().to_owned();
                if !modules.contains(&name) {
                    modules.push(name);
                }
            }
            at += 1;
        }
        for module in &modules {
            assert!(html.contains(&format!("\"{module}\"")), "{module} is found late");
        }
        for preloaded in html.split("rel=\"modulepreload\" href=\"").skip(1) {
            let name = preloaded.split('"').next().unwrap_or_default();
            assert!(modules.iter().any(|module| module == name), "{name} is not needed at first");
        }
    }

    #[test]
    fn every_language_has_a_message_for_every_code() {
        use pdn::diag::Code;
        use pdn::movegen::MoveError;
        use pdn::replay::StopReason;
        use pdn_app::ErrorCode;
        use pdn_app::ask::values::cause_name;

        use crate::problem::status_of;

        let files: Vec<_> = FILES.iter().filter(|file| file.path.starts_with("messages/")).collect();
        assert_eq!(files.len(), 4, "English messages come from the server");
        let causes =
            [MoveError::NoPiece, MoveError::MustCapture, MoveError::Impossible, MoveError::KingStreak];
        let causes = causes
            .map(StopReason::Move)
            .into_iter()
            .chain([StopReason::LostText, StopReason::UnclosedComment]);
        let codes = Code::ALL.iter().map(|code| code.id());
        // A fault of the server may have no reason but its code.
        let faults = ErrorCode::ALL.into_iter().filter(|code| status_of(*code, false) == 500);
        let keys: Vec<&str> =
            codes.chain(causes.map(cause_name)).chain(faults.map(|code| code.name())).collect();
        assert!(keys.len() > 100);
        for file in files {
            let text = std::str::from_utf8(file.bytes).expect("all files are text");
            for key in &keys {
                assert!(text.contains(&format!("\n    {key}: '")), "{}: {key}", file.path);
            }
            assert!(text.len() < 20_500, "{}: {} bytes", file.path, text.len());
        }
    }

    #[test]
    fn page_is_sent_without_comments_and_indentation() {
        let script = PageFile { path: "", media_type: SCRIPT, bytes: b"" };
        let text = b"// About.\n\nif (a) {\n  // Why.\n  b('// no comment');\n}\n";
        assert_eq!(script.sent(text), b"if(a){\nb('// no comment');\n}\n");
        let text = br#"const f = (a, b) => a ? 'it\'s { a }' : "\\" , [b];"#;
        assert_eq!(script.sent(text), [&br#"const f=(a,b)=>a?'it\'s { a }':"\\",[b];"#[..], b"\n"].concat());
        for (text, sent) in [
            ("f(a, `b { ${c} }`, d);", "f(a,`b { ${c} }`, d);"),
            ("a = b . c(/x , y/, z);", "a=b . c(/x , y/, z);"),
        ] {
            assert_eq!(script.sent(text.as_bytes()), format!("{sent}\n").into_bytes());
        }
        let style = PageFile { media_type: STYLE, ..script };
        let text = b"/* About. */\n.a :is(b, i) > c { width: calc(1em - 2px); }\n";
        assert_eq!(style.sent(text), b".a :is(b,i) > c{width:calc(1em - 2px);}\n");
        for file in FILES.iter().filter(|file| file.media_type == SCRIPT) {
            for line in std::str::from_utf8(file.bytes).expect("all files are text").lines() {
                assert!(
                    line.matches('`').count() % 2 == 0,
                    "{}: a text over several lines: {line}",
                    file.path
                );
            }
        }
    }

    #[test]
    fn every_module_of_the_page_is_listed() {
        for file in FILES.iter().filter(|file| file.media_type == SCRIPT) {
            let text = std::str::from_utf8(file.bytes).expect("all files are text");
            for part in text.split(" from './").skip(1).chain(text.split(" from '../").skip(1)) {
                let name = part.split('\'').next().unwrap_or_default();
                let is_known = FILES.iter().any(|other| other.path.ends_with(name));
                assert!(is_known, "{} imports {name}, which is not listed", file.path);
            }
        }
    }
}
