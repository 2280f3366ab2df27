//! The public API of the library and of the crate of the rules, as a list in git: a change of the API shows as a change of
//! `public-api.txt`.
//!
//! `PDN_BLESS=1 cargo test --manifest-path tools/api/Cargo.toml` accepts the API as it is now. Hidden items and implementations
//! that the compiler derives for every type are left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Format of rustdoc's JSON that the crate `public-api` reads.
const FORMAT: u64 = 57;

/// Builds the documentation of a library as JSON with all features; `None` if this compiler writes another format.
fn rustdoc_json(package: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = root.join("target/api");
    let status = Command::new(env!("CARGO"))
        .current_dir(&root)
        .args(["rustdoc", "--quiet", "--package", package, "--lib", "--all-features", "--target-dir"])
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
    for package in ["pdn", "pdn-rules"] {
        let Some(json) = rustdoc_json(package) else { return };
        let api = public_api::Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .expect("readable");
        lines.extend(api.items().map(ToString::to_string));
    }
    lines.sort();
    check_names(&lines);
    let now = lines.join("\n") + "\n";
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("public-api.txt");
    if std::env::var_os("PDN_BLESS").is_some() {
        std::fs::write(&recorded, now).expect("written");
        return;
    }
    let expected = std::fs::read_to_string(&recorded).expect("public-api.txt is in the repository");
    similar_asserts::assert_eq!(expected, now, "the public API has changed; PDN_BLESS=1 accepts it");
}

/// Checks that every public type, trait and alias has a name of its own.
fn check_names(lines: &[String]) {
    let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in lines {
        let line = line.trim_start_matches("#[non_exhaustive] ");
        let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type ", "pub union "];
        let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else { continue };
        let path = rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').next().unwrap_or(rest);
        let path = path.trim_end_matches(':');
        // An associated type belongs to its trait or implementation.
        let mut parts = path.rsplit("::");
        let (Some(name), Some(parent)) = (parts.next(), parts.next()) else { continue };
        if parent.starts_with(|c: char| c.is_uppercase()) || rest.starts_with('<') {
            continue;
        }
        let known = paths.entry(name).or_default();
        if !known.contains(&path) {
            known.push(path);
        }
    }
    assert!(paths.len() > 50, "the list of items was not understood");
    // The crate re-exports its most used types at its root.
    let in_modules = |paths: &[&str]| paths.iter().filter(|path| path.matches("::").count() > 1).count();
    let twice: Vec<_> = paths.iter().filter(|(_, paths)| in_modules(paths) > 1).collect();
    assert!(twice.is_empty(), "public type names that occur twice: {twice:?}");
}
