//! Enforces the architecture: a module names only modules declared above it in `lib.rs`, a file only siblings declared above it in
//! its `mod.rs`; the text side and the rules side do not know each other; the crate of the rules uses no standard library;
//! `unsafe` occurs in listed files only; no file has more than 800 lines; every fast path has a twin and a test; the guide names
//! existing files and tests.

use crate::common;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The only files that may contain `unsafe`; each block states why it is sound.
const UNSAFE: &[&str] = &[
    "benches/source.rs",
    "crates/app/src/read/inputs/open_options.rs",
    "crates/endgame/src/source.rs",
    "crates/tables/src/arrow/text_array.rs",
    "crates/tables/src/plain_ascii.rs",
    "src/simd/avx2.rs",
    "src/simd/avx512.rs",
    "src/simd/avx512_numbers.rs",
    "src/simd/neon.rs",
    "src/simd/simd128.rs",
    "src/simd/sse2.rs",
    "src/source/map.rs",
    "tools/cli/src/output/ignored_signals.rs",
    "tools/cli/src/output/out_of_memory.rs",
    "tools/cli/src/output/shortened_file.rs",
    "tools/cli/tests/it/trials/tracer.rs",
    "tools/explorer/module/src/host.rs",
    "tools/wasm/src/lib.rs",
];
/// Maximum number of lines of a source file.
const MAX_LINES: usize = 800;

/// The folders of source that declare their modules in order in a `lib.rs`.
const LIBRARIES: &[&str] = &[
    "crates/app/src",
    "crates/dedup/src",
    "crates/endgame/src",
    "crates/index/src",
    "crates/names/src",
    "crates/rules/src",
    "crates/solve/src",
    "crates/tables/src",
    "src",
    "tools/cli/src",
    "tools/explorer/src",
    "tools/gen/src",
    "tools/python/src",
];

/// A crate: its folder, the crates of this workspace that it may depend on, and the most lines of product code that it may have. A
/// budget is raised in the commit that needs it, with the reason.
struct Crate {
    folder: &'static str,
    name: &'static str,
    uses: &'static [&'static str],
    budget: usize,
}

/// The crates, each below those that it uses.
const CRATES: &[Crate] = &[
    Crate { folder: "crates/rules", name: "pdn-rules", uses: &[], budget: 11_100 },
    Crate { folder: "crates/endgame", name: "pdn-endgame", uses: &["pdn-rules"], budget: 1_950 },
    Crate { folder: "crates/names", name: "pdn-names", uses: &["pdn-rules"], budget: 5_000 },
    Crate { folder: ".", name: "pdn", uses: &["pdn-rules"], budget: 45_750 },
    Crate {
        folder: "crates/index",
        name: "pdn-index",
        uses: &["pdn", "pdn-names", "pdn-rules"],
        budget: 36_000,
    },
    Crate {
        folder: "crates/dedup",
        name: "pdn-dedup",
        uses: &["pdn", "pdn-index", "pdn-names", "pdn-rules"],
        budget: 4_000,
    },
    Crate {
        folder: "crates/tables",
        name: "pdn-tables",
        uses: &["pdn", "pdn-index", "pdn-names", "pdn-rules"],
        budget: 10_000,
    },
    Crate { folder: "crates/solve", name: "pdn-solve", uses: &["pdn", "pdn-rules"], budget: 1_000 },
    Crate {
        folder: "crates/app",
        name: "pdn-app",
        uses: &[
            "pdn",
            "pdn-dedup",
            "pdn-endgame",
            "pdn-index",
            "pdn-names",
            "pdn-rules",
            "pdn-solve",
            "pdn-tables",
        ],
        // Options are declared here for every front end. Tables of endings judge queries, results, rows, moves, games that are shown and
        // problems.
        budget: 22_250,
    },
];

/// A module of a crate as `lib.rs` declares it: its position in the order, and its section.
struct Declared {
    place: usize,
    section: String,
}

fn declared(library: &str) -> HashMap<String, Declared> {
    let text = std::fs::read_to_string(common::root().join(library).join("lib.rs")).unwrap();
    let mut section = String::new();
    let mut modules = HashMap::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("// -- ") {
            section = name.split(':').next().unwrap().to_owned();
        }
        let item = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        // A module in braces re-exports the one of another crate.
        let Some(name) = item.strip_prefix("mod ") else { continue };
        let name = name.trim_end_matches([';', '{', ' ']).to_owned();
        let place = modules.len();
        modules.entry(name).or_insert_with(|| Declared { place, section: section.clone() });
    }
    assert!(modules.len() >= 3, "lib.rs declares its modules one a line");
    modules
}

/// Returns the names of the crates of this workspace that a section of a manifest lists, and of all others.
fn dependencies(folder: &str, section: &str) -> Vec<String> {
    let manifest = std::fs::read_to_string(common::root().join(folder).join("Cargo.toml")).unwrap();
    let Some((_, listed)) = manifest.split_once(&format!("\n[{section}]\n")) else { return Vec::new() };
    let (listed, _) = listed.split_once("\n[").unwrap_or((listed, ""));
    let names = listed.lines().filter_map(|line| line.split([' ', '=', '.']).next());
    names.filter(|name| !name.is_empty() && !name.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn crates_depend_only_on_crates_above_them() {
    for (place, one) in CRATES.iter().enumerate() {
        for used in one.uses {
            assert!(CRATES[..place].iter().any(|above| above.name == *used), "{} uses {used}", one.name);
        }
        for section in ["dependencies", "dev-dependencies"] {
            let names = dependencies(one.folder, section);
            for name in names.iter().filter(|name| name.as_str() == "pdn" || name.starts_with("pdn-")) {
                assert!(one.uses.contains(&name.as_str()), "{} lists {name} in [{section}]", one.name);
            }
        }
        let manifest = std::fs::read_to_string(common::root().join(one.folder).join("Cargo.toml")).unwrap();
        assert!(!manifest.contains("\nunstable = "), "{}: one hidden module instead of a feature", one.name);
    }
}

/// Counts the lines of a crate without its tests.
fn product_lines(folder: &str) -> usize {
    let mut lines = 0;
    for (path, text) in sources(&format!("{folder}/src")) {
        let is_test = |part: std::path::Component<'_>| {
            ["tests", "tests.rs"].iter().any(|name| part.as_os_str() == *name)
        };
        if path.components().any(is_test) {
            continue;
        }
        let tests = text.find("#[cfg(test)]\nmod ").filter(|&at| text[at..].contains("mod tests {"));
        lines += text[..tests.unwrap_or(text.len())].lines().count();
    }
    lines
}

#[test]
fn crates_keep_to_their_budgets_of_lines() {
    let mut over = Vec::new();
    for one in CRATES {
        let lines = product_lines(one.folder);
        assert!(lines > one.budget / 2, "{}: {lines} lines; lower the budget", one.name);
        if lines > one.budget {
            over.push(format!("{}: {lines} lines of {}", one.name, one.budget));
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}

/// Returns every source file below `folder` with its path relative to the package and its text.
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

/// Returns the top-level module that a file of a library belongs to; `None` for `lib.rs` itself, and for the program over it.
fn module_of(library: &str, path: &Path) -> Option<String> {
    let first = path.strip_prefix(library).ok()?.components().next()?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (!["lib", "main"].contains(&name)).then(|| name.to_owned())
}

/// Iterates over the lines of code with their numbers from 1, without comments. Code after `#[cfg(test)] mod` at the end of a
/// file is test code and left out.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let tests = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    text[..tests]
        .lines()
        .enumerate()
        .map(|(n, line)| (n + 1, line.split("//").next().unwrap()))
        .filter(|(_, line)| !line.trim().is_empty())
}

/// Every path that the code of `text` names, with its line. A tree such as `use a::{b, c::{d, e}};` gives `a::b`, `a::c::d`
/// and `a::c::e`; a group may go over several lines.
fn paths(text: &str) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    // Paths before the braces that are open, and the path being read.
    let mut groups: Vec<Option<Vec<String>>> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    for (line, code) in code(text) {
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            if first.is_alphabetic() || first == '_' {
                let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                path.push(rest[..len].to_owned());
                rest = &rest[len..];
                match rest.strip_prefix("::") {
                    Some(after) => rest = after,
                    None => {
                        let prefix = groups.iter().flatten().flatten().cloned();
                        found.push((line, prefix.chain(path.drain(..)).collect()));
                    }
                }
                continue;
            }
            match first {
                // A brace after `::` opens a group of a tree; any other one opens a block.
                '{' => groups.push((!path.is_empty()).then(|| std::mem::take(&mut path))),
                '}' => {
                    groups.pop();
                    path.clear();
                }
                _ => path.clear(),
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    found
}

/// The modules of the crate that `text` names, with their lines. In `pdn` modules of the crate of the rules count too, except its
/// values, which every module may use; `internal` only lists what other crates use.
fn named<'t>(library: &'t str, text: &str) -> impl Iterator<Item = (usize, String)> + use<'t> {
    let is_rules = move |path: &[String]| {
        library == "src" && path[0] == "pdn_rules" && path.get(1).is_some_and(|name| name != "value")
    };
    let named = paths(text).into_iter();
    named
        .filter(move |(_, path)| path[0] == "crate" || is_rules(path))
        .filter_map(|(line, mut path)| (path.len() > 1).then(|| (line, path.swap_remove(1))))
        .filter(|(_, name)| name != "internal" && name != "tests")
}

#[test]
fn paths_are_found_however_they_are_written() {
    let text = "use crate::span::Span;\nuse crate::{\n    diag::{Code, Severity}, lex,\n    syntax::tag,\n};\n\
        fn f() { crate::split::records(b\"\"); super::view::RecordView } // crate::ast\n\
        #[cfg(test)]\nmod tests { use crate::archive; }";
    let names: Vec<_> = named("src", text).map(|(_, name)| name).collect();
    assert_eq!(names, ["span", "diag", "diag", "lex", "syntax", "split"]);
    let paths: Vec<_> = paths(text).into_iter().map(|(line, path)| (line, path.join("::"))).collect();
    assert!(paths.contains(&(3, "crate::diag::Severity".to_owned())), "{paths:?}");
    assert!(paths.contains(&(6, "super::view::RecordView".to_owned())), "{paths:?}");
}

#[test]
fn module_names_only_modules_above_it() {
    let mut wrong = Vec::new();
    for library in LIBRARIES {
        check_modules(library, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that each module of a library names only modules that its `lib.rs` declares above it.
fn check_modules(library: &str, wrong: &mut Vec<String>) {
    let modules = declared(library);
    for (path, text) in sources(library) {
        let Some(this) = module_of(library, &path) else { continue };
        let Some(here) = modules.get(&this) else {
            wrong.push(format!("{}: `{this}` is not declared in lib.rs", path.display()));
            continue;
        };
        for (line, name) in named(library, &text) {
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
}

/// They use items of each other that no version promises, so that another release may lack what they need.
#[test]
fn crates_of_a_release_need_each_other_exactly() {
    let manifest = std::fs::read_to_string(common::root().join("Cargo.toml")).unwrap();
    let section =
        |name: &str| manifest.split_once(&format!("\n[{name}]\n")).unwrap().1.split("\n[").next().unwrap();
    let version = section("workspace.package").lines().find(|line| line.starts_with("version = ")).unwrap();
    let exactly = version.replace("\"", "").replace("version = ", "version = \"=") + "\"";
    let ours: Vec<_> =
        section("workspace.dependencies").lines().filter(|line| line.contains("path = ")).collect();
    assert!(ours.len() >= CRATES.len(), "{ours:?}");
    for line in ours {
        assert!(line.contains(&exactly), "{line} lacks {exactly}");
    }
    for member in CRATES.iter().map(|one| one.folder).chain(["tools/cli", "tools/explorer", "tools/gen"]) {
        let manifest = std::fs::read_to_string(common::root().join(member).join("Cargo.toml")).unwrap();
        let [dependencies, build] = ["dependencies", "build-dependencies"].map(|name| {
            manifest
                .split_once(&format!("\n[{name}]\n"))
                .map_or("", |(_, rest)| rest.split("\n[").next().unwrap())
        });
        for line in dependencies.lines().chain(build.lines()) {
            assert!(!line.contains("path = "), "{member}: {line} names no version of the workspace");
        }
    }
}

/// A front end gets typed requests and answers: what parses command lines stays in the command, what prints stays in front ends.
#[test]
fn questions_know_no_front_end() {
    let front_ends = ["clap", "axum", "hyper", "pyo3", "indicatif", "anstream", "pdn-cli", "pdn-explorer"];
    for (member, others) in [
        ("crates/app", &front_ends[..]),
        ("tools/explorer", &["clap", "indicatif", "anstream", "pdn-cli"]),
        ("crates/tables", &front_ends),
    ] {
        let listed = dependencies(member, "dependencies");
        assert!(listed.iter().any(|name| name == "pdn"), "{member}: {listed:?}");
        for other in others {
            assert!(!listed.iter().any(|name| name == other), "{member} depends on {other}");
        }
    }
    // Nobody but the command itself reads its options.
    let mut wrong = Vec::new();
    for (path, text) in sources("tools") {
        let is_start = path.ends_with("tools/cli/src/lib.rs")
            || path.components().any(|part| part.as_os_str() == "tests");
        for (line, code) in code(&text).filter(|(_, code)| code.contains("try_parse_from") && !is_start) {
            wrong.push(format!("{}:{line}: {}", path.display(), code.trim()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_use_no_standard_library() {
    let read = |file: &str| std::fs::read_to_string(common::root().join("crates/rules").join(file)).unwrap();
    assert!(read("src/lib.rs").contains("\n#![no_std]\n"));
    let manifest = read("Cargo.toml");
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    for line in dependencies.lines().take_while(|line| !line.starts_with('[')) {
        assert!(line.is_empty() || line.contains("optional = true"), "{line}");
    }
    let mut wrong = Vec::new();
    for (path, text) in sources("crates/rules/src") {
        // Steps are counted for the tests of pdn, with the feature `steps`.
        if ["lib.rs", "steps.rs", "tests.rs"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        for (line, named) in paths(&text).into_iter().filter(|(_, named)| named[0] == "std") {
            wrong.push(format!("{}:{line}: `{}`", path.display(), named.join("::")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the `mod.rs` of a folder says of its files.
struct Folder {
    /// The modules that it declares, in order, without tests.
    modules: Vec<String>,
    /// The module that each re-exported or imported item comes from.
    items: HashMap<String, String>,
}

impl Folder {
    fn read(text: &str) -> Self {
        let modules: Vec<String> = code(text)
            .filter_map(|(_, line)| {
                let item = line.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
                let item = item.trim_start_matches("pub ");
                item.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
            })
            .filter(|name| name != "tests")
            .collect();
        let mut items = HashMap::new();
        for (_, path) in paths(text) {
            let path: Vec<_> = path.into_iter().skip_while(|part| part == "self").collect();
            if let [module, .., item] = &path[..]
                && modules.contains(module)
            {
                items.insert(item.clone(), module.clone());
            }
        }
        Self { modules, items }
    }

    /// The place of the module that `name` is or comes from.
    fn place(&self, name: &str) -> Option<usize> {
        let module = self.items.get(name).map_or(name, String::as_str);
        self.modules.iter().position(|declared| declared == module)
    }
}

/// Checks that below `folder` (a module of the crate, by its path there) each file names only siblings that `mod.rs` declares
/// above it, directly or through what `mod.rs` re-exports.
fn check_order(folder: &Path, module: &[String], wrong: &mut Vec<String>) {
    let Ok(text) = std::fs::read_to_string(folder.join("mod.rs")) else { return };
    let contents = Folder::read(&text);
    for (place, name) in contents.modules.iter().enumerate() {
        let file = folder.join(name).with_extension("rs");
        let files: Vec<PathBuf> = if file.exists() {
            vec![file]
        } else {
            let entries = walkdir::WalkDir::new(folder.join(name)).sort_by_file_name().into_iter();
            entries.filter_map(Result::ok).map(walkdir::DirEntry::into_path).collect()
        };
        for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
            if path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs") {
                continue;
            }
            // How often `super` leads from this file to the folder.
            let below = path.strip_prefix(folder).unwrap();
            let ups = below.components().count() - usize::from(below.file_name().unwrap() == "mod.rs");
            for (line, named) in paths(&std::fs::read_to_string(path).unwrap()) {
                let supers = named.iter().take_while(|part| *part == "super").count();
                let absolute = named[0] == "crate" && named[1..].starts_with(module);
                let sibling = match absolute {
                    true => named.get(1 + module.len()),
                    false if supers > 0 && supers == ups => named.get(supers),
                    false => None,
                };
                let Some(sibling) = sibling else { continue };
                if contents.place(sibling).is_some_and(|there| there > place) {
                    let shown = path.strip_prefix(common::root()).unwrap().display();
                    wrong.push(format!(
                        "{shown}:{line}: `{name}` names `{sibling}`, which is declared below it"
                    ));
                }
            }
        }
        let mut inner = module.to_vec();
        inner.push(name.clone());
        check_order(&folder.join(name), &inner, wrong);
    }
}

#[test]
fn file_names_only_siblings_above_it() {
    let mut wrong = Vec::new();
    for library in LIBRARIES {
        for name in declared(library).into_keys() {
            check_order(&common::root().join(library).join(&name), &[name], &mut wrong);
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lib_declares_every_section() {
    let sections: Vec<_> = declared("src").into_values().map(|module| module.section).collect();
    for section in ["vocabulary", "text side", "rules side", "where they meet"] {
        assert!(sections.iter().any(|s| s == section), "lib.rs has no `// -- {section}`");
    }
}

#[test]
fn unsafe_occurs_in_listed_files_only() {
    let mut wrong = Vec::new();
    for folder in ["src", "crates", "tools", "examples", "benches"] {
        for (path, text) in sources(folder) {
            let allowed = UNSAFE.iter().any(|name| path == Path::new(name));
            for (n, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap();
                // What stands between quotes is text, and `r#unsafe` is a name.
                let code = code.split('"').step_by(2).collect::<Vec<_>>().join(" ").replace("r#unsafe", "");
                let found =
                    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe");
                if found && !allowed {
                    wrong.push(format!("{}:{}: {line}", path.display(), n + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "`unsafe` outside of the list:\n{}", wrong.join("\n"));
}

#[test]
fn files_have_at_most_800_lines() {
    for folder in ["src", "crates", "tools", "tests", "examples", "benches"] {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
        }
    }
}

/// A row of the tables in the guide page on proofs.
struct FastPath {
    /// The names in code font of the first column.
    names: Vec<String>,
    files: Vec<String>,
    /// The tests, with their files.
    tests: Vec<(String, String)>,
}

/// Returns the words in code font of a cell.
fn code_words(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Returns the rows of the guide page on proofs.
fn fast_paths() -> Vec<FastPath> {
    let text = std::fs::read_to_string(common::root().join("crates/app/src/guide/proofs.md")).unwrap();
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| fast path |")) {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").collect();
        let [names, files, _, tests] = cells[..] else { panic!("four columns: {line}") };
        let mut file = "";
        let mut named = Vec::new();
        for word in code_words(tests) {
            match word.contains('/') {
                true => file = word,
                false => named.push((file.to_owned(), word.to_owned())),
            }
        }
        rows.push(FastPath {
            names: code_words(names).map(str::to_owned).collect(),
            files: code_words(files).map(str::to_owned).collect(),
            tests: named,
        });
    }
    rows
}

/// Returns the text of each comment of `text` that names a twin, on one line.
fn twin_comments(text: &str) -> Vec<String> {
    let mut comments: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines().map(str::trim_start) {
        let comment = line.strip_prefix("// ");
        is_open = match comment {
            Some(first) if first.starts_with("Twin") => {
                comments.push(String::new());
                true
            }
            other => is_open && other.is_some(),
        };
        if let (true, Some(last)) = (is_open, comments.last_mut()) {
            last.push_str(comment.unwrap_or_default());
            last.push(' ');
        }
    }
    comments
}

/// Returns the tests that a comment on a twin names: the words of at least three parts after `test:` or `tests:`.
fn tests_of(comment: &str) -> Vec<&str> {
    let after = comment.split_once("test: ").or_else(|| comment.split_once("tests: "));
    let words = after.map_or("", |(_, names)| names).split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.matches('_').count() >= 2).collect()
}

#[test]
fn every_fast_path_has_twin_and_test() {
    let rows = fast_paths();
    let read = |file: &str| std::fs::read_to_string(common::root().join(file)).ok();
    let mut wrong = Vec::new();
    for FastPath { names, files, tests } in &rows {
        let texts: Vec<_> = files.iter().map(|file| read(file)).collect();
        for (file, _) in files.iter().zip(&texts).filter(|(_, text)| text.is_none()) {
            wrong.push(format!("guide: there is no file {file}"));
        }
        let texts: Vec<_> = texts.into_iter().flatten().collect();
        for name in names.iter().filter(|name| !texts.iter().any(|text| text.contains(*name))) {
            // Words of the query language are in code font too.
            if !["then", "for", "ever"].contains(&name.as_str()) {
                wrong.push(format!("guide: {name} does not occur in {files:?}"));
            }
        }
        if texts.iter().all(|text| twin_comments(text).is_empty()) {
            wrong.push(format!("guide: no comment in {files:?} names a twin"));
        }
        if tests.is_empty() {
            wrong.push(format!("guide: the row of {names:?} names no test"));
        }
        for (file, test) in tests {
            if !read(file).is_some_and(|text| text.contains(&format!("fn {test}("))) {
                wrong.push(format!("guide: {file} has no test {test}"));
            }
        }
    }
    for (path, text) in LIBRARIES.iter().copied().flat_map(sources) {
        for comment in twin_comments(&text) {
            let shown = path.display();
            let named = tests_of(&comment);
            if named.is_empty() {
                wrong.push(format!("{shown}: no test in {comment:?}"));
            }
            let here: Vec<_> =
                rows.iter().filter(|row| row.files.iter().any(|f| Path::new(f) == path)).collect();
            for test in named {
                if !here.iter().any(|row| row.tests.iter().any(|(_, name)| name == test)) {
                    wrong.push(format!(
                        "{shown}: no row of guide/proofs.md has this file and the test {test}"
                    ));
                }
            }
        }
    }
    assert!(rows.len() > 40, "the page has tables");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn architecture_page_names_existing_files_and_tests() {
    let page = std::fs::read_to_string(common::root().join("crates/app/src/guide/architecture.md")).unwrap();
    let tests: Vec<_> = ["src", "crates", "tests", "tools"].into_iter().flat_map(sources).collect();
    let mut wrong = Vec::new();
    let prose = page.split("\n```").step_by(2);
    for word in prose.flat_map(code_words) {
        let is_path =
            ["src/", "crates/", "tests/", "tools/", "corpora/"].iter().any(|root| word.starts_with(root));
        if is_path && !common::root().join(word).exists() {
            wrong.push(format!("there is no {word}"));
        }
        let is_name =
            word.matches('_').count() >= 3 && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        if is_name && !tests.iter().any(|(_, text)| text.contains(&format!("fn {word}("))) {
            wrong.push(format!("there is no function {word}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
