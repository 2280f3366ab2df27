//! The public API of the library, the index and the rules, as a list in git: a change of the API shows as a change of
//! `public-api.txt`.
//!
//! The list is the promise. Hidden items, which crates of this workspace use, and implementations that the compiler
//! derives for every type are left out. `PDN_BLESS=1 cargo test --manifest-path tools/api/Cargo.toml --target-dir target/api`
//! accepts the API as it is now.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Format of rustdoc's JSON that the crate `public-api` reads.
const FORMAT: u64 = 57;
/// The crates, their features that belong to the promise, and the largest number of public types, traits and aliases that each may
/// define. Lower it when some go; raise it for a reason only.
const CRATES: [(&str, &str, usize); 3] =
    [("pdn", "compression,serde", 120), ("pdn-index", "compression", 60), ("pdn-rules", "serde", 40)];

/// Builds the documentation of a library as JSON; `None` if this compiler writes another format.
fn rustdoc_json(package: &str, features: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = root.join("target/api");
    let status = Command::new(env!("CARGO"))
        .current_dir(&root)
        .args(["rustdoc", "--quiet", "--package", package, "--lib", "--no-default-features"])
        .args(["--features", features, "--target-dir"])
        .arg(&target)
        .args(["--", "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"])
        // The output format is unstable; this lets a stable compiler write it.
        .env("RUSTC_BOOTSTRAP", "1")
        .status()
        .expect("cargo starts");
    assert!(status.success(), "cargo rustdoc failed");
    let path = target.join("doc").join(package.replace('-', "_")).with_extension("json");
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).expect("written")).expect("JSON");
    let format = json["format_version"].as_u64();
    if format != Some(FORMAT) {
        eprintln!("SKIPPED: rustdoc writes JSON of format {format:?}, this test reads {FORMAT}");
        return None;
    }
    Some(path)
}

#[test]
fn public_api_equals_the_recorded_list() {
    let mut lines = Vec::new();
    for (package, features, _) in CRATES {
        let Some(json) = rustdoc_json(package, features) else { return };
        let api = public_api::Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .expect("readable");
        lines.extend(api.items().map(ToString::to_string));
    }
    lines.sort();
    let types = public_types(&lines);
    check_names(&types);
    check_signatures(&lines, &types);
    check_reexports(&lines, &types);
    for (package, _, most) in CRATES {
        let start = package.replace('-', "_") + "::";
        let count = types.values().filter(|paths| paths.iter().any(|path| path.starts_with(&start))).count();
        assert!(
            count <= most,
            "{package}: {count} public types, traits and aliases instead of at most {most}"
        );
    }
    let now = lines.join("\n") + "\n";
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("public-api.txt");
    if std::env::var_os("PDN_BLESS").is_some() {
        std::fs::write(&recorded, now).expect("written");
        return;
    }
    let expected = std::fs::read_to_string(&recorded).expect("public-api.txt is in the repository");
    similar_asserts::assert_eq!(expected, now, "the public API has changed; PDN_BLESS=1 accepts it");
}

/// The public types, traits and aliases by name, each with the paths that lead to it.
type Types<'l> = BTreeMap<&'l str, BTreeSet<&'l str>>;

/// Returns the public types, traits and aliases that the crates define.
fn public_types(lines: &[String]) -> Types<'_> {
    let mut types = Types::new();
    for line in lines {
        let item = line.rsplit_once("] pub ").map_or(line.as_str(), |(_, item)| item);
        let item = item.strip_prefix("pub ").unwrap_or(item);
        let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
        let Some(rest) = kinds.iter().find_map(|kind| item.strip_prefix(kind)) else { continue };
        let Some(path) = paths(rest).next().filter(|path| rest.starts_with(path)) else { continue };
        // An associated type belongs to its trait or implementation.
        if path.split("::").filter(|name| name.starts_with(char::is_uppercase)).count() != 1 {
            continue;
        }
        let name = path.rsplit("::").next().unwrap_or(path);
        types.entry(name).or_default().insert(path);
    }
    assert!(types.len() > 50, "the list of items was not understood");
    types
}

/// Iterates over the paths of a line, such as `pdn::archive::Batch::games`.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
        .map(|path| path.trim_matches(':'))
        .filter(|path| path.contains("::"))
}

/// Checks that every public type, trait and alias has a name of its own.
fn check_names(types: &Types<'_>) {
    // The crates re-export their most used types at their roots.
    let in_modules =
        |paths: &BTreeSet<&str>| paths.iter().filter(|path| path.matches("::").count() > 1).count();
    let twice: Vec<_> = types.iter().filter(|(_, paths)| in_modules(paths) > 1).collect();
    assert!(twice.is_empty(), "public type names that occur twice: {twice:?}");
}

/// Checks that every type which a public item names is public itself.
fn check_signatures(lines: &[String], types: &Types<'_>) {
    let mut wrong = BTreeSet::new();
    for line in lines {
        for path in paths(line) {
            let ours = ["pdn::", "pdn_rules::", "crate::"].iter().any(|start| path.starts_with(start));
            let name = path.split("::").find(|name| name.starts_with(char::is_uppercase));
            // `Sealed` keeps other crates from implementing a trait; nobody can name it, nor has to.
            if ours
                && name.is_some_and(|name| !types.contains_key(name) && name != "Sealed" && !is_const(name))
            {
                wrong.insert(format!("{}: {line}", name.unwrap_or_default()));
            }
        }
    }
    let wrong: Vec<_> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "public items that name types which are not public:\n{}", wrong.join("\n"));
}

/// Whether a name is that of a constant: `DEFAULT_CAPTURE_NODES`.
fn is_const(name: &str) -> bool {
    name.len() > 1 && !name.contains(char::is_lowercase)
}

/// Checks that the library re-exports the types of the crate of the rules, and no others, in the modules of the same names.
fn check_reexports(lines: &[String], types: &Types<'_>) {
    let reexported: BTreeSet<_> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("pub use pdn::"))
        .filter(|path| path.contains("::"))
        .filter(|path| path.rsplit("::").next().is_some_and(|name| name.contains(char::is_lowercase)))
        .filter(|path| path.rsplit("::").next().is_some_and(|name| name.starts_with(char::is_uppercase)))
        .collect();
    // Two modules of the library alone hold values of the rules that every module uses.
    let elsewhere = [("value::Span", "span::Span"), ("value::UnknownName", "error::UnknownName")];
    let defined: BTreeSet<_> = types
        .values()
        .flatten()
        .filter_map(|path| path.strip_prefix("pdn_rules::"))
        .filter(|path| path.contains("::"))
        .map(|path| elsewhere.iter().find(|(there, _)| *there == path).map_or(path, |(_, here)| here))
        .collect();
    let missing: Vec<_> = defined.difference(&reexported).collect();
    let surplus: Vec<_> = reexported.difference(&defined).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "not re-exported: {missing:?}; unstable: {surplus:?}");
}
