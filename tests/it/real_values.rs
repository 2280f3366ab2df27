//! Every tag value of the shared real files is read by its type. Rejected values are listed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pdn::internal::value::{TagKind, TimeOfDay};
use pdn::value::{ClockTime, Date, Fen, GameResult, GameType, Rating, Round, TagName, TimeControl};

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test must be visible")]
fn tag_values_of_real_files_are_read() {
    let folder = crate::common::root().join("../shared/corpora");
    if !folder.is_dir() {
        eprintln!("skipped: no real files at {}", folder.display());
        return;
    }
    let mut read = BTreeMap::<&str, u32>::new();
    let mut rejected = BTreeMap::<String, u32>::new();
    for file in files_in(&folder) {
        let text = fs::read(&file).unwrap();
        for (name, value) in tag_pairs(&text) {
            let Some(recognised) = TagName::find(name) else { continue };
            let is_readable = match recognised.tag.kind() {
                TagKind::Fen => Fen::parse(value).is_ok(),
                TagKind::GameType => GameType::parse(value).is_ok(),
                TagKind::Date => Date::read(value).is_ok(),
                TagKind::Round => Round::parse(value).is_ok(),
                TagKind::Rating => Rating::read(value).is_ok(),
                TagKind::Result => !matches!(GameResult::parse(value), GameResult::Text(_)),
                TagKind::TimeControl => TimeControl::parse(value).is_ok(),
                TagKind::Clock => value.is_empty() || ClockTime::parse(value).is_ok(),
                TagKind::TimeOfDay => TimeOfDay::parse(value).is_ok(),
                _ => continue,
            };
            if is_readable {
                *read.entry(recognised.tag.name()).or_default() += 1;
            } else {
                *rejected.entry(format!("{} {}", recognised.tag, value.escape_ascii())).or_default() += 1;
            }
        }
    }
    assert!(read["FEN"] > 2_500, "{read:?}");
    assert!(read["Result"] > 5_000, "{read:?}");
    assert!(read["Date"] > 1_000, "{read:?}");
    // Rounds of a knock-out stage, `A12`, are not numbers.
    rejected.retain(|value, _| !value.starts_with("Round A"));
    assert!(rejected.is_empty(), "{rejected:?}");
}

/// Iterates over `[Name "value"]` pairs, found without the parser under test.
fn tag_pairs(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    text.split(|&byte| byte == b'[').filter_map(|part| {
        let quote = part.iter().position(|&byte| byte == b'"')?;
        let name = part[..quote].trim_ascii();
        let value = &part[quote + 1..];
        let end = value.iter().position(|&byte| byte == b'"')?;
        name.iter().all(u8::is_ascii_alphanumeric).then_some((name, &value[..end]))
    })
}

/// Lists the PDN files in a folder and its subfolders.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_in(&path));
        } else if path.extension().is_some_and(|extension| extension == "pdn") {
            files.push(path);
        }
    }
    files
}
