//! The fixtures in `corpora/` are read as their snapshots record, and every diagnostic code has a fixture.
//!
//! A snapshot is the trace of a file: its records, and the calls of a visitor for each, with spans. A change of
//! behaviour appears as a difference; `PDN_BLESS=1` writes the new traces.

use crate::common;
use crate::snapshot;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use encoding_rs::Encoding;
use pdn::diag::{Code, Diagnostic};
use pdn::limits::Limits;
use pdn::parse::{
    Comment, Flow, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove, walk_with,
};
use pdn::span::Span;
use pdn::split::Records;
use pdn::value::Nag;

/// Writes down every call, one line each.
struct Trace {
    out: String,
    codes: BTreeSet<Code>,
    encoding: &'static Encoding,
    spans: bool,
}

impl Trace {
    fn line(&mut self, what: &str, span: Span, text: &str) {
        let place = if self.spans { format!("{:4}..{:<4}", span.start, span.end) } else { String::new() };
        let line = format!("{place} {what:9} {text}");
        writeln!(self.out, "{}", line.trim_end()).unwrap();
    }

    fn record(&mut self, what: &str, span: Span, text: &[u8]) -> Flow {
        let text = format!("{:?}", self.encoding.decode_without_bom_handling(text).0);
        self.line(what, span, &text[1..text.len() - 1]);
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for Trace {
    const STYLE: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let what = if tag.in_moves { "tag among" } else { "tag" };
        self.record(what, tag.span, &[tag.name, b" = ", tag.value].concat())
    }
    fn end_tags(&mut self) -> Flow {
        self.out.push_str("--\n");
        Flow::Continue(())
    }
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        let dots = if number.second { "..." } else { "." };
        self.record("number", number.span, format!("{}{dots}", number.number).as_bytes())
    }
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.record("move", mv.span, mv.text)
    }
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.record("captures", list.span, list.text)
    }
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.record("missing", missing.span, format!("{:?}", missing.kind).as_bytes())
    }
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.record("strength", strength.span, strength.text)
    }
    fn nag(&mut self, nag: Nag, span: Span) -> Flow {
        self.record("nag", span, nag.0.to_string().as_bytes())
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.record("comment", comment.span, comment.text)
    }
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.record("setup", setup.span, setup.fen)
    }
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        let _ = self.record("(", variation.span, variation.depth.to_string().as_bytes());
        VariationAction::Enter
    }
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.record(")", variation.span, variation.depth.to_string().as_bytes())
    }
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.record("end", terminator.span, terminator.text)
    }
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        self.record("text", span, text)
    }
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.codes.insert(diagnostic.code);
        let text = format!("{} {}", diagnostic.code, diagnostic.code.title());
        self.record("!", diagnostic.span, text.as_bytes())
    }
}

/// Returns the limits for a fixture. Fixtures about limits are read with small ones, so that the files are small too.
fn limits_for(path: &Path) -> Limits {
    let mut limits = Limits::DEFAULT;
    match path.file_stem().and_then(|s| s.to_str()) {
        Some("L009") => limits.record_bytes = 64,
        Some("P012") => limits.variation_depth = 2,
        _ => {}
    }
    limits
}

/// Returns the encoding of a fixture, by its file name; UTF-8 for most.
fn encoding_of(path: &Path) -> &'static Encoding {
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    let label = match stem.trim_end_matches("-bom") {
        "cp1251" => "windows-1251",
        "cp866" => "ibm866",
        "latin-1" | "T014" => "iso-8859-1",
        name @ ("koi8-r" | "utf-16le" | "utf-16be") => name,
        _ => "utf-8",
    };
    Encoding::for_label(label.as_bytes()).unwrap()
}

/// Returns the trace of a file and the diagnostic codes in it. UTF-16 is decoded to UTF-8 first.
fn trace(path: &Path, bytes: &[u8], spans: bool) -> (String, BTreeSet<Code>) {
    let mut encoding = encoding_of(path);
    let decoded;
    let mut bytes = bytes;
    if encoding == encoding_rs::UTF_16LE || encoding == encoding_rs::UTF_16BE {
        decoded = encoding.decode_with_bom_removal(bytes).0.into_owned();
        bytes = decoded.as_bytes();
        encoding = encoding_rs::UTF_8;
    }
    let limits = limits_for(path);
    let mut trace = Trace { out: String::new(), codes: BTreeSet::new(), encoding, spans };
    for (n, game) in Records::new(bytes, limits).enumerate() {
        if game.cut {
            trace.codes.insert(Code::GameTooLong);
        }
        let place =
            if spans { format!(" at {}, {} bytes", game.offset, game.bytes.len()) } else { String::new() };
        writeln!(trace.out, "== record {}{place}{}", n + 1, if game.cut { ", cut" } else { "" }).unwrap();
        let _ = walk_with(game.bytes, &limits, &mut trace);
    }
    (trace.out, trace.codes)
}

#[test]
fn every_fixture_matches_its_snapshot() {
    let folder = common::root().join("corpora/snapshots");
    let mut wrong = Vec::new();
    let mut expected = BTreeSet::new();
    for (path, bytes) in common::fixtures() {
        let group = path.parent().and_then(|p| p.file_name()).unwrap().to_string_lossy();
        let name = format!("{group}-{}.txt", path.file_stem().unwrap().to_string_lossy());
        let (got, _) = trace(path, bytes, true);
        wrong.extend(snapshot::compare(&folder.join(&name), &got).err());
        expected.insert(name);
    }
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        if !expected.contains(&name) {
            wrong.push(format!("{name} belongs to no fixture"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_has_fixture() {
    for &code in Code::ALL {
        let path = common::root().join(format!("corpora/codes/{code}.pdn"));
        match code.id().as_bytes()[0] {
            b'L' | b'P' | b'T' => {}
            // The tests of the command check that replaying reports them.
            b'N' | b'R' => {
                assert!(path.is_file(), "{code} has no fixture");
                continue;
            }
            _ => continue,
        }
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let codes: Vec<Code> = match code.id().as_bytes()[0] {
            b'L' | b'P' => trace(&path, &bytes, true).1.into_iter().collect(),
            _ => checked_codes(&bytes),
        };
        assert!(codes.contains(&code), "the fixture of {code} has only {codes:?}");
    }
}

/// Returns the codes of the diagnostics that [`Checker`](pdn::check::Checker) reports for an archive.
fn checked_codes(bytes: &[u8]) -> Vec<Code> {
    let mut checker = pdn::check::Checker::new(&pdn::check::CheckOptions::new().style(true));
    let games = pdn::split::records(bytes);
    games
        .flat_map(|game| {
            checker.check(game).diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn trace_is_same_in_every_encoding() {
    let read = |name: &str| {
        let path = common::root().join("corpora/encodings").join(name);
        trace(&path, &std::fs::read(&path).unwrap(), false).0
    };
    let expected = read("utf-8.pdn");
    assert!(expected.contains("Камень, А."));
    for name in
        ["utf-8-bom", "utf-16le", "utf-16le-bom", "utf-16be", "utf-16be-bom", "cp1251", "koi8-r", "cp866"]
    {
        assert_eq!(read(&format!("{name}.pdn")), expected, "{name}");
    }
}

/// The games printed in the standard have no diagnostics except of style.
#[test]
fn games_of_standard_are_sound() {
    for name in ["introduction", "english", "international", "clocks", "line-comment", "positions"] {
        let path = common::root().join(format!("corpora/specs/pdn-3.0-{name}.pdn"));
        let (_, codes) = trace(&path, &std::fs::read(&path).unwrap(), true);
        let bad: Vec<_> = codes.iter().filter(|c| c.severity() > pdn::diag::Severity::Style).collect();
        assert!(bad.is_empty(), "{name}: {bad:?}");
    }
}
