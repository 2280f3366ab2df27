//! The fixtures in `corpora/` are read as their snapshots say, and every diagnostic code has one.
//!
//! A snapshot is the trace of a file: its records, and in each what a visitor hears, with spans. They are kept so that
//! a change of behaviour shows as a difference; `UPDATE_SNAPSHOTS=1 cargo test --test fixtures` writes them anew.

use crate::common;
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

/// Writes down what it hears.
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

    fn say(&mut self, what: &str, span: Span, text: &[u8]) -> Flow {
        let text = format!("{:?}", self.encoding.decode_without_bom_handling(text).0);
        self.line(what, span, &text[1..text.len() - 1]);
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for Trace {
    const STYLE: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let what = if tag.in_moves { "tag among" } else { "tag" };
        self.say(what, tag.span, &[tag.name, b" = ", tag.value].concat())
    }
    fn end_tags(&mut self) -> Flow {
        self.out.push_str("--\n");
        Flow::Continue(())
    }
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        let dots = if number.second { "..." } else { "." };
        self.say("number", number.span, format!("{}{dots}", number.number).as_bytes())
    }
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.say("move", mv.span, mv.text)
    }
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.say("captures", list.span, list.text)
    }
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.say("missing", missing.span, format!("{:?}", missing.kind).as_bytes())
    }
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.say("strength", strength.span, strength.text)
    }
    fn nag(&mut self, nag: u32, span: Span) -> Flow {
        self.say("nag", span, nag.to_string().as_bytes())
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.say("comment", comment.span, comment.text)
    }
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.say("setup", setup.span, setup.fen)
    }
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        let _ = self.say("(", variation.span, variation.depth.to_string().as_bytes());
        VariationAction::Enter
    }
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.say(")", variation.span, variation.depth.to_string().as_bytes())
    }
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.say("end", terminator.span, terminator.text)
    }
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        self.say("text", span, text)
    }
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.codes.insert(diagnostic.code);
        let text = format!("{} {}", diagnostic.code, diagnostic.code.title());
        self.say("!", diagnostic.span, text.as_bytes())
    }
}

/// The fixtures about limits are read with small ones, so that they can be small themselves.
fn limits_for(path: &Path) -> Limits {
    let mut limits = Limits::DEFAULT;
    match path.file_stem().and_then(|s| s.to_str()) {
        Some("L009") => limits.game_bytes = 64,
        Some("P012") => limits.variation_depth = 2,
        _ => {}
    }
    limits
}

/// The encoding a fixture is named after, UTF-8 for most.
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

/// The trace of a file, and the codes found in it. UTF-16 is turned into UTF-8 before anything is looked at.
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
fn every_fixture_is_read_as_its_snapshot_says() {
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    let folder = common::root().join("corpora/snapshots");
    let mut wrong = Vec::new();
    let mut expected = BTreeSet::new();
    for (path, bytes) in common::fixtures() {
        let group = path.parent().and_then(|p| p.file_name()).unwrap().to_string_lossy();
        let name = format!("{group}-{}.txt", path.file_stem().unwrap().to_string_lossy());
        let snapshot = folder.join(&name);
        let (got, _) = trace(path, bytes, true);
        if update {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&snapshot, &got).unwrap();
        }
        let kept = std::fs::read_to_string(&snapshot).unwrap_or_default();
        if let Some(line) = difference(&kept, &got) {
            wrong.push(format!("{}: {line}", path.display()));
        }
        expected.insert(name);
    }
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        if !expected.contains(&name) {
            wrong.push(format!("{name} belongs to no fixture"));
        }
    }
    assert!(wrong.is_empty(), "UPDATE_SNAPSHOTS=1 accepts these:\n{}", wrong.join("\n"));
}

/// The first line that differs.
fn difference(kept: &str, got: &str) -> Option<String> {
    if kept == got {
        return None;
    }
    let at = kept.lines().zip(got.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(at).unwrap_or("nothing").to_owned();
    Some(format!("line {}: expected {:?}, got {:?}", at + 1, line(kept), line(got)))
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    for &code in Code::ALL {
        let path = common::root().join(format!("corpora/codes/{code}.pdn"));
        match code.id().as_bytes()[0] {
            b'L' | b'P' | b'T' => {}
            // That they are found there is shown by the tests of the command.
            b'N' | b'R' => {
                assert!(path.is_file(), "{code} has no fixture");
                continue;
            }
            _ => continue,
        }
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let codes: Vec<Code> = match code.id().as_bytes()[0] {
            b'L' | b'P' => trace(&path, &bytes, true).1.into_iter().collect(),
            b'T' => checked(&bytes),
            // What replaying finds is shown by the tests of the command.
            _ => checked(&bytes),
        };
        assert!(codes.contains(&code), "{code} is not found in its fixture: {codes:?}");
    }
}

/// The codes that checking finds in an archive.
fn checked(bytes: &[u8]) -> Vec<Code> {
    let mut checker = pdn::check::Checker::new(pdn::check::CheckOptions::new().style(true));
    let games = pdn::split::games(bytes);
    games
        .flat_map(|game| {
            checker.check(game).diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn a_game_reads_the_same_in_every_encoding() {
    let read = |name: &str| {
        let path = common::root().join("corpora/encodings").join(name);
        trace(&path, &std::fs::read(&path).unwrap(), false).0
    };
    let plain = read("utf-8.pdn");
    assert!(plain.contains("Камень, А."));
    for name in
        ["utf-8-bom", "utf-16le", "utf-16le-bom", "utf-16be", "utf-16be-bom", "cp1251", "koi8-r", "cp866"]
    {
        assert_eq!(read(&format!("{name}.pdn")), plain, "{name}");
    }
}

/// What the standard writes has nothing wrong with it, whatever its style.
#[test]
fn the_standards_own_games_are_sound() {
    for name in ["introduction", "english", "international", "clocks", "line-comment", "positions"] {
        let path = common::root().join(format!("corpora/specs/pdn-3.0-{name}.pdn"));
        let (_, codes) = trace(&path, &std::fs::read(&path).unwrap(), true);
        let bad: Vec<_> = codes.iter().filter(|c| c.severity() > pdn::diag::Severity::Style).collect();
        assert!(bad.is_empty(), "{name}: {bad:?}");
    }
}
