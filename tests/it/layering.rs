//! The architecture, enforced: a module names only modules declared above it in `lib.rs`, the text side and the rules
//! side do not know each other, `unsafe` stands in named files only, and no file grows beyond 600 lines.

use crate::common;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Files that may hold `unsafe`; each block says why it is sound.
const UNSAFE: &[&str] = &[
    "src/simd/avx2.rs",
    "src/simd/avx512.rs",
    "src/simd/avx512_numbers.rs",
    "src/simd/sse2.rs",
    "src/source/map.rs",
];
/// Most lines of a source file.
const LINES: usize = 600;

/// A module of the crate as `lib.rs` declares it: its place in the order and the section it stands in.
struct Declared {
    place: usize,
    section: String,
}

fn declared() -> HashMap<String, Declared> {
    let text = std::fs::read_to_string(common::root().join("src/lib.rs")).unwrap();
    let mut section = String::new();
    let mut modules = HashMap::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("// -- ") {
            section = name.split(':').next().unwrap().to_owned();
        }
        let item = line.trim_start_matches("pub ");
        if let Some(name) = item.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
            let place = modules.len();
            modules.insert(name.to_owned(), Declared { place, section: section.clone() });
        }
    }
    assert!(modules.len() >= 15, "lib.rs declares its modules one a line");
    modules
}

/// Every source file below `folder` with its path relative to the package and its text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    walkdir::WalkDir::new(common::root().join(folder))
        .into_iter()
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| {
            path.extension().is_some_and(|e| e == "rs")
                && !path.components().any(|c| c.as_os_str() == "target")
        })
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path.strip_prefix(common::root()).unwrap().to_owned(), text)
        })
        .collect()
}

/// The top module a file of `src` belongs to; none for `lib.rs` itself.
fn module_of(path: &Path) -> Option<String> {
    let first = path.components().nth(1)?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib").then(|| name.to_owned())
}

/// The lines of code without comments; what follows `#[cfg(test)] mod` at the end of a file is test code.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let tests = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    text[..tests]
        .lines()
        .enumerate()
        .map(|(n, line)| (n + 1, line.split("//").next().unwrap()))
        .filter(|(_, line)| !line.trim().is_empty())
}

/// The modules that `text` names as `crate::name` or inside `crate::{...}`, with their lines.
fn named(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let joined: Vec<_> = code(text).collect();
    let mut open = 0;
    for (n, line) in joined {
        let mut rest = line;
        if open > 0 {
            // Further lines of `use crate::{`: the first word at depth one of each part.
            for part in split_top(rest, &mut open) {
                found.push((n, part));
            }
            continue;
        }
        while let Some(at) = rest.find("crate::") {
            rest = &rest[at + "crate::".len()..];
            if let Some(inner) = rest.strip_prefix('{') {
                open = 1;
                for part in split_top(inner, &mut open) {
                    found.push((n, part));
                }
                break;
            }
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.push((n, name));
        }
    }
    found
}

/// First words of the comma-separated parts of `text` at brace depth one; `open` is the depth before and after.
fn split_top(text: &str, open: &mut usize) -> Vec<String> {
    let mut parts = Vec::new();
    let mut word = String::new();
    let mut ended = false;
    for c in text.chars() {
        match c {
            '{' => *open += 1,
            '}' => *open = open.saturating_sub(1),
            ',' if *open == 1 => {
                parts.push(std::mem::take(&mut word));
                ended = false;
            }
            _ if *open == 1 && !ended && (c.is_alphanumeric() || c == '_') => word.push(c),
            ':' => ended = true,
            _ => {}
        }
        if *open == 0 {
            break;
        }
    }
    parts.push(word);
    parts.retain(|word| !word.is_empty());
    parts
}

#[test]
fn names_are_found_however_they_are_written() {
    let text = "use crate::span::Span;\nuse crate::{\n    diag::{Code, Severity}, lex,\n    syntax::tag,\n};\nfn f() { crate::split::games(b\"\") } // crate::ast\n#[cfg(test)]\nmod tests { use crate::archive; }";
    let names: Vec<_> = named(text).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["span", "diag", "lex", "syntax", "split"]);
}

#[test]
fn a_module_names_only_modules_above_it() {
    let modules = declared();
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let Some(this) = module_of(&path) else { continue };
        let Some(here) = modules.get(&this) else {
            wrong.push(format!("{}: `{this}` is not declared in lib.rs", path.display()));
            continue;
        };
        for (line, name) in named(&text) {
            // Other names are items that lib.rs re-exports.
            let Some(there) = modules.get(&name) else { continue };
            let apart = |a: &str, b: &str| here.section.starts_with(a) && there.section.starts_with(b);
            if there.place > here.place {
                wrong.push(format!(
                    "{}:{line}: `{this}` names `{name}`, which is declared below it",
                    path.display()
                ));
            }
            if apart("text side", "rules side") || apart("rules side", "text side") {
                wrong
                    .push(format!("{}:{line}: `{this}` and `{name}` are on different sides", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_sections_are_there() {
    let sections: Vec<_> = declared().into_values().map(|module| module.section).collect();
    for section in ["vocabulary", "text side", "rules side", "where they meet"] {
        assert!(sections.iter().any(|s| s == section), "lib.rs has no `// -- {section}`");
    }
}

#[test]
fn unsafe_stands_in_named_files_only() {
    let mut wrong = Vec::new();
    for folder in ["src", "tools", "examples", "benches"] {
        for (path, text) in sources(folder) {
            let allowed = UNSAFE.iter().any(|name| path == Path::new(name));
            for (n, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap();
                let found =
                    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe");
                if found && !allowed {
                    wrong.push(format!("{}:{}: {line}", path.display(), n + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "unsafe outside of the list:\n{}", wrong.join("\n"));
}

#[test]
fn no_file_is_longer_than_can_be_read() {
    for folder in ["src", "tools", "tests", "examples", "benches"] {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(lines <= LINES, "{} has {lines} lines", path.display());
        }
    }
}
