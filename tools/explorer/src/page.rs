//! The files of the page, which are part of the program.
//!
//! The modules that every visit needs are sent as one file. All files but those of HTML are in a folder that is named after their contents:
//! a browser keeps them until the program changes, and never mixes those of two programs.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::hash::Hash;

/// A source file of the page.
struct SourceFile {
    /// Path below the folder of the page.
    path: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
}

/// Declares the files: a list instead of a folder, so that nothing else is served by accident.
macro_rules! page_files {
    ($($path:literal: $media_type:expr,)*) => {
        /// All files of the page.
        const FILES: &[SourceFile] = &[
            $(SourceFile { path: $path, media_type: $media_type, bytes: include_bytes!(concat!("../page/", $path)) },)*
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
    "bar.js": SCRIPT,
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
    "look.js": SCRIPT,
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
    "seek.js": SCRIPT,
    "site.js": SCRIPT,
    "state.js": SCRIPT,
    "tree.js": SCRIPT,
    "lang/en.js": SCRIPT,
    "lang/fr.js": SCRIPT,
    "lang/nl.js": SCRIPT,
    "lang/pl.js": SCRIPT,
    "lang/ru.js": SCRIPT,
}

/// The modules that are sent as one file, each after those that it imports. They share one scope, so that no two have a name in common.
const PARTS: &[&str] = &[
    "dom.js",
    "connection.js",
    "messages.js",
    "api.js",
    "annotation.js",
    "position.js",
    "look.js",
    "picture.js",
    "bar.js",
    "board.js",
    "evaluation.js",
    "state.js",
    "game.js",
    "discover.js",
    "filters.js",
    "moves.js",
    "seek.js",
    "tree.js",
    "overview.js",
    "search.js",
];
/// The file that has them.
const PARTS_FILE: &str = "parts.js";

/// What stands in HTML for the folder of the other files.
const FOLDER_MARK: &str = "{page}";

impl SourceFile {
    /// Returns the contents. A debug build reads the file from the source tree, so that a change needs no build.
    fn text(&self) -> String {
        let read =
            folder_of_sources().and_then(|folder| std::fs::read_to_string(folder.join(self.path)).ok());
        read.unwrap_or_else(|| String::from_utf8_lossy(self.bytes).into_owned())
    }
}

/// Returns the folder from which the files are read while the program runs; `None` in a release, which contains them.
fn folder_of_sources() -> Option<&'static Path> {
    cfg!(debug_assertions).then(|| Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page")))
}

/// A file as it is sent.
pub(crate) struct SentFile {
    /// Path below the folder of the page.
    pub(crate) path: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Bytes,
    /// The bytes, packed with gzip.
    pub(crate) packed: Bytes,
}

/// The page as it is sent.
pub(crate) struct Page {
    /// The folder of all files but those of HTML, with a slash at its end.
    folder: String,
    files: Vec<SentFile>,
}

impl Page {
    /// Returns the page of a server, which is made once. A debug build makes it again after each change of its sources.
    pub(crate) fn of_server() -> Arc<Self> {
        static MADE: Mutex<Option<(Option<SystemTime>, Arc<Page>)>> = Mutex::new(None);

        let changed = folder_of_sources().and_then(|folder| {
            let time = |file: &SourceFile| std::fs::metadata(folder.join(file.path)).ok()?.modified().ok();
            FILES.iter().filter_map(time).max()
        });
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        match &*made {
            Some((time, page)) if *time == changed => Arc::clone(page),
            _ => Arc::clone(&made.insert((changed, Arc::new(Self::new(None)))).1),
        }
    }

    /// Returns the page of a site of files, with the module `site.js` that says where its index is. The page for addresses that do
    /// not exist is not part of it, because the host of a site has its own.
    pub(crate) fn of_site(site: &str) -> Self {
        let mut page = Self::new(Some(site));
        page.files.retain(|file| !file.path.starts_with("missing."));
        page
    }

    /// Makes the page. Without `site` it is that of a server.
    fn new(site: Option<&str>) -> Self {
        let mut sent: Vec<(&'static str, &'static str, String)> = Vec::new();
        for file in FILES.iter().filter(|file| !PARTS.contains(&file.path)) {
            // What a site is made of stays as it is: it has texts of the archive.
            let text = match site.filter(|_| file.path == "site.js") {
                Some(site) => site.to_owned(),
                None if file.media_type == SCRIPT => minified(&importing_parts(&file.text()), SCRIPT),
                None => minified(&file.text(), file.media_type),
            };
            sent.push((file.path, file.media_type, text));
        }
        sent.push((PARTS_FILE, SCRIPT, minified(&parts(), SCRIPT)));
        let mut hash = Hash::default();
        for (path, _, text) in sent.iter().filter(|(_, media_type, _)| *media_type != HTML) {
            hash.add(path.as_bytes());
            hash.add(text.as_bytes());
        }
        let folder = format!("page-{hash}/");
        let files = sent.into_iter().map(|(path, media_type, text)| {
            let text = if media_type == HTML { text.replace(FOLDER_MARK, &folder) } else { text };
            SentFile {
                path,
                media_type,
                packed: packed(text.as_bytes()).into(),
                bytes: text.into_bytes().into(),
            }
        });
        Self { files: files.collect(), folder }
    }

    /// Returns the file at a path without the first slash, and whether the path names its contents, so that they never change. The empty
    /// path is the page itself.
    pub(crate) fn find(&self, path: &str) -> Option<(&SentFile, bool)> {
        let (path, is_lasting) = match path {
            "" => ("index.html", false),
            "embed" => ("embed.html", false),
            "index.html" | "embed.html" | "missing.html" => (path, false),
            // A page that was loaded from an earlier program gets the file as it is now.
            path => {
                let (folder, path) =
                    path.split_once('/').filter(|(folder, _)| folder.starts_with("page-"))?;
                (path, self.folder.strip_suffix('/') == Some(folder))
            }
        };
        self.files.iter().find(|file| file.path == path).map(|file| (file, is_lasting))
    }

    /// Iterates over the files of a site, each with its path.
    pub(crate) fn files(&self) -> impl Iterator<Item = (String, &Bytes)> {
        self.files.iter().map(|file| {
            let folder = if file.media_type == HTML { "" } else { &self.folder };
            (format!("{folder}{}", file.path), &file.bytes)
        })
    }
}

/// Returns the name of a module that a line imports from, and the line up to it.
fn imported(line: &str) -> Option<(&str, &str)> {
    let (before, name) = line.strip_suffix("';")?.rsplit_once(" from './")?;
    before.starts_with("import ").then_some((before, name))
}

/// Returns a module that imports what parts export from the file that has all of them.
fn importing_parts(text: &str) -> String {
    let lines = text.lines().map(|line| match imported(line) {
        Some((before, name)) if PARTS.contains(&name) => format!("{before} from './{PARTS_FILE}';\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// Returns the modules that every visit needs as one module, which exports what they export.
fn parts() -> String {
    let (mut text, mut exported, mut imports) = (String::new(), Vec::new(), BTreeSet::new());
    let mut of_texts = BTreeSet::new();
    for file in PARTS.iter().filter_map(|part| FILES.iter().find(|file| file.path == *part)) {
        for line in file.text().lines() {
            match imported(line) {
                Some((_, name)) if PARTS.contains(&name) => {}
                // Several parts import from it, each other names.
                Some((before, "i18n.js")) => {
                    let names = before.trim_start_matches("import {").trim_end_matches('}').split(',');
                    of_texts.extend(names.map(|name| name.trim().to_owned()));
                }
                Some(_) => {
                    imports.insert(line.to_owned());
                }
                None => {
                    let declared = line.strip_prefix("export ");
                    exported.extend(declared.and_then(declared_name).map(str::to_owned));
                    text += declared.unwrap_or(line);
                    text.push('\n');
                }
            }
        }
    }
    let join = |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>().join(", ");
    let imports: String = imports.into_iter().map(|line| line + "\n").collect();
    let of_texts = join(&mut of_texts.into_iter());
    let exported = join(&mut exported.into_iter());
    format!("import {{ {of_texts} }} from './i18n.js';\n{imports}{text}export {{ {exported} }};\n")
}

/// Returns the name that a line declares, such as `const NAME = ...`.
fn declared_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = ["const ", "let ", "function ", "class "].iter().find_map(|word| line.strip_prefix(word))?;
    rest.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next()
}

/// Returns a text without indentation, blank lines, lines of comment, and blanks and ends of lines next to punctuation. They are a sixth of
/// the page.
fn minified(text: &str, media_type: &str) -> String {
    let is_script = media_type == SCRIPT;
    // A comment of several lines begins a line and ends another; one that stands before code stays.
    let mut is_comment = false;
    let is_read = |line: &&str| {
        let begins = line.starts_with("/*") && (line.ends_with("*/") || !line.contains("*/"));
        let is_dropped = is_comment || begins || line.is_empty() || is_script && line.starts_with("//");
        is_comment = (is_comment || begins) && !line.ends_with("*/");
        !is_dropped
    };
    // Blanks after a byte of `after` and before a byte of `before` have no meaning.
    let (after, before): (&[u8], &[u8]) = match media_type {
        SCRIPT => (b",;{}()[]=<>?:&|!", b",;{}()[]=<>?:&|!"),
        STYLE => (b"{:;,", b"{}"),
        _ => (b"", b""),
    };
    let is_beside = |other: Option<&u8>, of: &[u8]| other.is_some_and(|other| of.contains(other));
    let mut sent = Vec::with_capacity(text.len());
    for line in text.split('\n').map(str::trim_ascii).filter(is_read) {
        // In scripts, blanks of a text count, and so do those behind a template, a regular expression or a comment.
        let (mut quote, mut is_escaped, mut is_copied) = (None, false, false);
        let line = line.as_bytes();
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
        // What follows these goes on in the same line, unless a comment may end it.
        let goes_on = is_script && !is_copied && sent.last().is_some_and(|last| b";{,([".contains(last));
        if !goes_on {
            sent.push(b'\n');
        }
    }
    String::from_utf8_lossy(&sent).into_owned()
}

/// Packs bytes with gzip.
pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes);
    written.and_then(|()| encoder.finish()).expect("a vector takes all bytes")
}

/// Returns a tag of the contents of an answer, for caches.
pub(crate) fn entity_tag(bytes: &[u8]) -> String {
    let mut hash = Hash::default();
    hash.add(bytes);
    format!("\"{hash}\"")
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

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
    fn first_visit_loads_at_most_53_kilobytes() {
        // Messages are loaded with the first of them, the check, events and players with their views, and `remote.js`
        // by a site of files in place of what needs a server. The pages for addresses that do not exist and
        // for other sites are others.
        let others = ["messages/", "missing.", "embed.", "remote.js", "check.js", "event.js", "players.js"];
        let page = Page::new(None);
        let is_loaded = |file: &&SentFile| !others.iter().any(|other| file.path.starts_with(other));
        let (languages, others): (Vec<_>, Vec<_>) =
            page.files.iter().filter(is_loaded).partition(|file| file.path.starts_with("lang/"));
        let largest = languages.iter().map(|file| file.packed.len()).max().unwrap_or(0);
        let total = largest + others.iter().map(|file| file.packed.len()).sum::<usize>();
        assert!(total < 53_100, "{total} bytes, packed");
        assert!(others.len() <= 7, "{} files besides the language", others.len());
    }

    #[test]
    fn html_names_all_modules_of_a_visit_so_that_they_load_at_once() {
        let page = Page::new(None);
        let source = |path: &str| {
            let file = page.files.iter().find(|file| file.path == path);
            String::from_utf8_lossy(&file.unwrap_or_else(|| panic!("{path}")).bytes).into_owned()
        };
        for (html, entry) in [("index.html", "app.js"), ("embed.html", "embed.js")] {
            let (text, mut modules, mut at) = (source(html), vec![entry.to_owned()], 0);
            while at < modules.len() {
                for part in source(&modules[at]).split(" './").skip(1) {
                    let name = part.split('\'').next().unwrap_or_default().to_owned();
                    if name.ends_with(".js") && !part.contains("import(") && !modules.contains(&name) {
                        modules.push(name);
                    }
                }
                at += 1;
            }
            let is_of_visit =
                |module: &&String| !["check.js", "event.js", "players.js"].contains(&module.as_str());
            for module in modules.iter().filter(is_of_visit) {
                assert!(text.contains(&format!("/{module}\"")), "{html}: {module} is found late");
            }
        }
    }

    #[test]
    fn parts_share_a_scope_and_follow_those_that_they_import() {
        let (mut names, mut before) = (HashMap::new(), vec!["i18n.js", "site.js"]);
        for part in PARTS {
            let file = FILES.iter().find(|file| file.path == *part).unwrap_or_else(|| panic!("{part}"));
            let text = std::str::from_utf8(file.bytes).expect("all files are text");
            for line in text.lines() {
                if let Some((_, name)) = imported(line) {
                    assert!(before.contains(&name), "{part} imports {name}, which follows it");
                    continue;
                }
                assert!(!line.starts_with("import "), "{part}: an import of another form: {line}");
                let declared = line.strip_prefix("export ");
                assert!(declared.is_none_or(|line| declared_name(line).is_some()), "{part}: {line}");
                if let Some(name) = declared_name(declared.unwrap_or(line)) {
                    assert!(!name.is_empty(), "{part}: a declaration of another form: {line}");
                    let other = names.insert(name, part);
                    assert_eq!(other, None, "{part}: {name} is also declared elsewhere");
                }
            }
            before.push(part);
        }
        assert!(names.len() > 100);
        let text = parts();
        assert!(text.contains("\nexport { h") || text.contains("export { svgNamespace"), "{text}");
        assert_eq!(
            importing_parts("import { h } from './dom.js';\nh();\n"),
            "import { h } from './parts.js';\nh();\n"
        );
    }

    #[test]
    fn files_are_in_a_folder_that_changes_with_them() {
        let (server, site) = (Page::new(None), Page::of_site("export default {};"));
        assert_ne!(server.folder, site.folder);
        assert_eq!(server.folder, Page::new(None).folder);
        let path = format!("{}app.js", server.folder);
        assert!(matches!(server.find(&path), Some((file, true)) if file.path == "app.js"));
        assert!(matches!(server.find("page-0/app.js"), Some((file, false)) if file.path == "app.js"));
        for nothing in ["app.js", "page-0/nothing.js", "pages/app.js"] {
            assert!(server.find(nothing).is_none(), "{nothing}");
        }
        let html = String::from_utf8_lossy(&server.find("").unwrap().0.bytes).into_owned();
        assert!(html.contains(&path) && !html.contains(FOLDER_MARK));
        let paths: Vec<String> = site.files().map(|(path, _)| path).collect();
        assert!(
            paths.contains(&"index.html".to_owned()) && paths.contains(&format!("{}site.js", site.folder))
        );
        assert!(!paths.iter().any(|path| path.contains("missing")), "{paths:?}");
    }

    #[test]
    fn every_language_names_every_variant() {
        for file in FILES.iter().filter(|file| file.path.starts_with("lang/")) {
            let text = std::str::from_utf8(file.bytes).expect("all files are text");
            for variant in pdn::rules::Variant::ALL {
                let keys = [format!("  variant_{variant}:"), format!("  'variant_{variant}':")];
                assert!(keys.iter().any(|key| text.contains(key)), "{}: {variant}", file.path);
            }
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
        let script = |text: &str| minified(text, SCRIPT);
        let text = "// About.\n\nif (a) {\n  // Why.\n  b('// no comment');\n}\n";
        assert_eq!(script(text), "if(a){b('// no comment');}\n");
        let text = "/** @type {A} */\na = 1;\n/**\n * Why.\n * @type {B}\n */\nb = 2;\n/* c */ c = 3;\n";
        assert_eq!(script(text), "a=1;b=2;/* c */ c = 3;\n");
        let text = r#"const f = (a, b) => a ? 'it\'s { a }' : "\\" , [b];"#;
        assert_eq!(script(text), r#"const f=(a,b)=>a?'it\'s { a }':"\\",[b];"#);
        for (text, sent) in [
            ("f(a, `b { ${c} }`, d);", "f(a,`b { ${c} }`, d);"),
            ("a = b . c(/x , y/, z);", "a=b . c(/x , y/, z);"),
        ] {
            assert_eq!(script(text), format!("{sent}\n"));
        }
        let text = "/* About. */\n.a :is(b, i) > c { width: calc(1em - 2px); }\n";
        assert_eq!(minified(text, STYLE), ".a :is(b,i) > c{width:calc(1em - 2px);}\n");
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
