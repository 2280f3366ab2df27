//! Written games: read again they say the same, written again they are the same bytes, and they have the form that the
//! standard demands.

mod meaning;
mod strict_grammar;

use std::collections::BTreeMap;
use std::path::Path;

use pdn::check::{CheckOptions, Checker};
use pdn::diag::{Code, Severity};
use pdn::replay::{FilePrior, ReplayOptions, Replayer};
use pdn::write::{Profile, RecordWriter, Unwritten, WriteOptions};

use crate::common;
use meaning::Meaning;

/// What became of the records of a file.
#[derive(Default, Debug)]
struct Tally {
    written: usize,
    kept: BTreeMap<String, usize>,
    /// Codes that `check --strict` reports of written records.
    codes: BTreeMap<&'static str, usize>,
    /// What is wrong, at most a few of each kind.
    faults: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn fault(&mut self, kind: impl Into<String>, text: String) {
        let texts = self.faults.entry(kind.into()).or_default();
        if texts.len() < 3 {
            texts.push(text);
        }
    }

    fn assert_sound(&self) {
        let faults: Vec<_> =
            self.faults.iter().map(|(kind, texts)| format!("{kind}:\n{}", texts.join("\n"))).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    }
}

/// Codes of values and of what only the author of a game can know. A writer leaves these as they are.
const VALUES: &[Code] = &[
    Code::MissingTag,
    Code::BadDate,
    Code::DateForm,
    Code::BadRound,
    Code::NotUtf8,
    Code::HtmlEntity,
    Code::BadNag,
    Code::DuplicateTag,
    Code::RatingRange,
    Code::BadRating,
    Code::BadTime,
    Code::BadTimeControl,
    Code::BadCommand,
    Code::ControlBytes,
    Code::DateOrder,
    Code::ClockBackwards,
    Code::PlyCountMismatch,
    Code::SetUpMismatch,
    Code::UnknownResult,
    Code::UnknownGameType,
    Code::GameTypeBoard,
    Code::BadGameType,
    Code::ResultForGameType,
    Code::FenForm,
    Code::OddPosition,
    Code::OtherSideMoves,
    Code::MoveNotation,
];

/// Writes every record of a file that can be written, and checks it.
fn check_file(path: &Path, text: &[u8], tally: &mut Tally) {
    let records: Vec<_> = pdn::split::games(text).collect();
    let prior = FilePrior::of(records.iter().map(|record| record.bytes), &ReplayOptions::default());
    let mut writer = RecordWriter::new(WriteOptions::new());
    writer.set_prior(prior.clone());
    let mut replayer = Replayer::new(ReplayOptions::new().prior(prior));
    let mut checker = Checker::new(CheckOptions::new().style(true));
    let (mut output, mut written_count) = (Vec::new(), 0);
    for (number, record) in records.iter().enumerate() {
        let place = format!("{} record {}", path.display(), number + 1);
        let mut written = Vec::new();
        match writer.write(record.bytes, &mut written) {
            Err(reason) => {
                assert!(written.is_empty(), "{place}");
                *tally.kept.entry(reason.to_string()).or_default() += 1;
                continue;
            }
            Ok(_) => (tally.written, written_count) = (tally.written + 1, written_count + 1),
        }
        let shown =
            || format!("{place}\n{}\n->\n{}", record.bytes.escape_ascii(), String::from_utf8_lossy(&written));
        let (before, after) =
            (Meaning::of(record.bytes, &mut replayer), Meaning::of(&written, &mut replayer));
        if before != after {
            tally.fault("another meaning", format!("{}\n{before:#?}\n{after:#?}", shown()));
        }
        let mut again = Vec::new();
        if writer.write(&written, &mut again).is_err() || again != written {
            tally.fault("written twice", format!("{}\n{}", shown(), String::from_utf8_lossy(&again)));
        }
        if let Err(problem) = strict_grammar::check_file(&written) {
            tally.fault("not strict", format!("{problem} {}", shown()));
        }
        let moves = replayer.replay_annotated(&written[..]).diagnostics;
        for diagnostic in checker.check(&written[..]).diagnostics.iter().chain(&moves) {
            if !VALUES.contains(&diagnostic.code) {
                tally.fault(diagnostic.to_string(), shown());
            }
            *tally.codes.entry(diagnostic.code.id()).or_default() += 1;
        }
        if !output.is_empty() {
            output.push(b'\n');
        }
        output.extend_from_slice(&written);
    }
    // Together they are as many records, and one strict file.
    let count = pdn::split::games(&output).count();
    if count != written_count {
        tally.fault("records", format!("{}: {count} instead of {written_count}", path.display()));
    }
    if !output.is_empty()
        && let Err(problem) = strict_grammar::check_file(&output)
    {
        tally.fault("not one strict file", format!("{}: {problem}", path.display()));
    }
}

#[test]
fn written_fixtures_say_the_same() {
    let mut tally = Tally::default();
    for (path, text) in common::fixtures() {
        check_file(path, text, &mut tally);
    }
    tally.assert_sound();
    assert!(tally.written > 100, "{tally:?}");
}

#[test]
#[expect(clippy::print_stderr, reason = "the counts are of interest")]
fn written_real_games_say_the_same() {
    let mut tally = Tally::default();
    for (path, text) in common::real_files() {
        check_file(&path, &text, &mut tally);
    }
    tally.assert_sound();
    if tally.written > 0 {
        eprintln!("{tally:#?}");
        assert!(tally.written > 4000);
    }
}

#[test]
fn every_reason_not_to_write_is_given() {
    let reason = |text: &str| {
        RecordWriter::new(WriteOptions::new()).write(text.as_bytes(), &mut Vec::new()).unwrap_err()
    };
    for (text, expected) in [
        ("1. 32-28 {open", Unwritten::Defect(Code::UnclosedComment)),
        ("1. 32-28 19-23 words *", Unwritten::Defect(Code::UnexpectedText)),
        ("1. 32-28 32-27 *", Unwritten::NotLegal(pdn::replay::GameStatus::Illegal)),
        ("[Result \"1-0\"] 1. 32-28 0-1", Unwritten::ResultsDiffer),
        ("[R\u{e9}sum\u{e9} \"x\"] 1. 32-28 *", Unwritten::TagName),
        ("[Event \"a\nb\"] 1. 32-28 *", Unwritten::TagValue),
        ("1. 32-28 ; a } b\n *", Unwritten::Comment),
        ("1. 32-28! ? *", Unwritten::Strength),
        ("*", Unwritten::Empty),
    ] {
        assert_eq!(reason(text), expected, "{text}");
    }
    let variation = reason("1. 32-28 19-23 (19-24 32-27) *");
    assert!(matches!(variation, Unwritten::Variation(_)), "{variation:?}");
    let setup = RecordWriter::new(WriteOptions::of(Profile::Plain))
        .write(b"1. 32-28 /FEN \"W:::\"/ 28-23 *", &mut Vec::new());
    assert_eq!(setup.unwrap_err(), Unwritten::Setup);
}
