//! Properties that hold for any bytes, one function per fuzz target. A property returns, or panics with the reason.
//!
//! The targets in `fuzz_targets` only pass bytes on, so that the properties run without a fuzzer too: the tests run each on
//! its [`seeds`] and on the inputs that fuzzers found before.

mod index;
mod moves;
mod query;
mod replay;
pub mod seeds;
mod source;
mod text;
mod values;
mod write;

#[path = "../../../tests/it/naive_split/mod.rs"]
mod naive_split;
#[path = "../../../tests/it/properties/mod.rs"]
mod properties;

pub use index::{index, index_damage, packed};
pub use moves::moves;
pub use query::query;
pub use replay::replay;
pub use source::source;
pub use text::{check, pieces, split, tree, walk};
pub use values::values;
pub use write::{edit, fix, write};

/// A property of any bytes.
pub type Target = fn(&[u8]);

/// All targets with their names.
pub const TARGETS: &[(&str, Target)] = &[
    ("check", check),
    ("edit", edit),
    ("fix", fix),
    ("index", index),
    ("index_damage", index_damage),
    ("moves", moves),
    ("packed", packed),
    ("pieces", pieces),
    ("query", query),
    ("replay", replay),
    ("source", source),
    ("split", split),
    ("tree", tree),
    ("values", values),
    ("walk", walk),
    ("write", write),
];

/// Selects one of `items` by a byte. Bytes that fuzzers change stay text this way.
fn pick<'a, T>(items: &'a [T], data: &[u8]) -> &'a T {
    let sum = data.iter().fold(0usize, |sum, &byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    &items[sum % items.len()]
}

/// Panics with the reason.
#[track_caller]
fn holds(answer: Result<(), String>) {
    if let Err(wrong) = answer {
        panic!("{wrong}");
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    #[expect(clippy::print_stdout, reason = "shown if the test fails: which seed it was")]
    fn every_property_holds_for_its_seeds() {
        for &(name, target) in TARGETS {
            let seeds = seeds::of(name);
            assert!(!seeds.is_empty(), "{name} has no seeds");
            for seed in seeds {
                println!("{name} {}", seed.name);
                target(&seed.bytes);
            }
        }
    }

    #[test]
    fn what_fuzzers_found_does_not_come_back() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
        for entry in fs::read_dir(folder).expect("part of the package").map(|entry| entry.expect("readable"))
        {
            let name = entry.file_name().into_string().expect("a plain name");
            let known = |&&(target, _): &&(&str, Target)| name.split('.').next() == Some(target);
            let (_, target) = TARGETS.iter().find(known).unwrap_or_else(|| panic!("{name}: no such target"));
            target(&fs::read(entry.path()).expect("readable"));
        }
    }

    #[test]
    fn every_target_has_a_program() {
        let manifest = include_str!("../Cargo.toml");
        for (name, _) in TARGETS {
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
        }
        assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
    }
}
