//! Written games: read again they say the same, written again they are the same bytes, and they have the form that the
//! standard demands.

mod meaning;
mod strict_grammar;

use std::collections::BTreeMap;
use std::path::Path;

use pdn::board::SquareNaming;
use pdn::check::{CheckOptions, Checker};
use pdn::diag::Code;
use pdn::internal::replay::FilePrior;
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position};
use pdn::replay::{ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::source::Encoding;
use pdn::value::{GameResult, MoveStrength, Nag};
use pdn::write::{
    AddedTags, GameWriter, LineEnd, Profile, RecordWriter, Strip, Unwritten, WriteError, WriteOptions,
};

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
    Code::MisreadText,
    Code::UnreadableText,
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
    Code::BadPlyCount,
    Code::PlyCountMismatch,
    Code::SetUpMismatch,
    Code::UnknownResult,
    Code::UnknownGameType,
    Code::GameTypeBoard,
    Code::VariantMismatch,
    Code::BadGameType,
    Code::ResultForGameType,
    Code::FenForm,
    Code::OddPosition,
    Code::OtherSideMoves,
    Code::MoveNotation,
];

/// Writes every record of a file that can be written, and checks it.
fn check_file(path: &Path, text: &[u8], tally: &mut Tally) {
    let records: Vec<_> = pdn::split::records(text).collect();
    let prior = FilePrior::of(records.iter().map(|record| record.bytes), &ReplayOptions::default());
    let replay = ReplayOptions::new().prior(prior);
    let mut writer = RecordWriter::with_replay(&WriteOptions::new(), &replay);
    let mut replayer = Replayer::new(&replay);
    let mut checker = Checker::new(&CheckOptions::new().style(true));
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
            // A remark in the Result tag would be lost in the usual form.
            let has_remark = diagnostic.code == Code::ResultForm
                && diagnostic.span.of(&written).iter().any(u8::is_ascii_alphabetic);
            if !VALUES.contains(&diagnostic.code) && !has_remark {
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
    let count = pdn::split::records(&output).count();
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
        RecordWriter::new(&WriteOptions::new()).write(text.as_bytes(), &mut Vec::new()).unwrap_err()
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
        ("1. 32-28 (1. 33-28)! *", Unwritten::Strength),
        ("*", Unwritten::Empty),
    ] {
        assert_eq!(reason(text), expected, "{text}");
    }
    let variation = reason("1. 32-28 19-23 (19-24 32-27) *");
    assert!(matches!(variation, Unwritten::Variation(_)), "{variation:?}");
    let setup = RecordWriter::new(&WriteOptions::of(Profile::Plain))
        .write(b"1. 32-28 /FEN \"W:::\"/ 28-23 *", &mut Vec::new());
    assert_eq!(setup.unwrap_err(), Unwritten::Setup);
}

/// Writes a record and returns the text.
fn written(options: WriteOptions, record: &str) -> String {
    let mut text = Vec::new();
    let result = RecordWriter::new(&options).write(record.as_bytes(), &mut text);
    assert!(result.is_ok(), "{result:?}: {record}");
    String::from_utf8(text).expect("UTF-8")
}

#[test]
fn tag_that_counts_is_the_one_that_gets_the_name_of_the_standard() {
    for (record, expected) in [
        ("[Wit \"Jan\"][White \"Piet\"] *", "[White \"Piet\"]\n[Wit \"Jan\"]\n\n*\n"),
        ("[event \"Low\"][Event \"High\"] *", "[Event \"High\"]\n[Event \"Low\"]\n\n*\n"),
        ("[Wit \"Jan\"][White \"\"] *", "[White \"Jan\"]\n[White \"\"]\n\n*\n"),
        ("[Wit \"Jan\"][P1 \"Piet\"] *", "[White \"Jan\"]\n[P1 \"Piet\"]\n\n*\n"),
    ] {
        let text = written(WriteOptions::new(), record);
        assert_eq!(text, expected);
        let tags = |text: &str| {
            let view = pdn::view::RecordView::new(text.as_bytes());
            let values = pdn::internal::view::TagValues::of(&view);
            [pdn::value::TagName::White, pdn::value::TagName::Event].map(|tag| values.get(tag).to_vec())
        };
        assert_eq!(tags(&text), tags(record), "{record}");
    }
}

#[test]
fn sign_that_judges_a_position_is_written_as_a_nag() {
    for (sign, nag) in
        [("=", "$10"), ("∞", "$13"), ("+/=", "$14"), ("=+", "$15"), ("±", "$16"), ("∓", "$17"), ("+-", "$18")]
    {
        let text = written(WriteOptions::new(), &format!("1. 32-28 19-23 {sign} 2. 28x19 14x23 *"));
        assert!(text.ends_with(&format!("1. 32-28 19-23 {nag} 2. 28x19 14x23 *\n")), "{text}");
    }
}

#[test]
fn game_type_that_names_no_game_gives_way_to_the_one_that_moves_prove() {
    let record = "[GameType \"777\"][Result \"1-0\"] 1. 35-30 19-23 2. 30-24 20x29 3. 33x24 23-28 4. 32x23 18x20 5. 34-29 14-19 \
        6. 40-35 12-18 7. 31-27 18-22 8. 27x18 13x22 9. 36-31 9-13 10. 31-26 20-24 11. 29x20 15x24 12. 45-40 24-30 13. 35x24 19x30 \
        14. 39-34 30x39 15. 44x33 13-19 16. 33-28 22x33 17. 38x29 10-15 18. 43-38 19-24 19. 29x20 15x24 *";
    let mut written = Vec::new();
    RecordWriter::new(&WriteOptions::new()).write(record.as_bytes(), &mut written).unwrap();
    let text = String::from_utf8(written).unwrap();
    assert!(text.starts_with("[Result \"2-0\"]\n[GameType \"20,W,10,10,N2,0\"]\n\n1. 35-30"), "{text}");
}

#[test]
fn forms_of_real_files_become_canonical() {
    let canonical = |record| written(WriteOptions::new(), record);
    for (record, expected) in [
        // Tags: order, names, quotes, dates, FEN, results.
        ("[Round \"1\"][event \"a\"] *", "[Event \"a\"]\n[Round \"1\"]\n\n*\n"),
        ("[P1 \"a \"b\" c\"]\n1-0", "[White \"a \\\"b\\\" c\"]\n[Result \"1-0\"]\n\n*\n"),
        (
            "[Date \"17 april 2009\"][EventDate \"3/4/2009\"] *",
            "[Date \"2009.04.17\"]\n[EventDate \"3/4/2009\"]\n\n*\n",
        ),
        ("[FEN \"w:w31, k46:b1.\"] 1. 31-26 *", "[FEN \"W:W31,K46:B1\"]\n\n1. 31-26 *\n"),
        // A GameType value that names no game gives way to the number that the moves prove, or that its name means.
        ("[GameType \"Russian\"] 1. c3-d4 *", "[GameType \"25,W,8,8,A0,0\"]\n\n1. c3-d4 *\n"),
        ("[GameType \"777\"] 1. 32-28 *", "[GameType \"777\"]\n\n1. 32-28 *\n"),
        // Two letters for the side to move stay unless they agree or the moves show which is right.
        ("[FEN \"W:B:W31:B1.\"] *", "[FEN \"W:B:W31:B1.\"]\n\n*\n"),
        ("[FEN \"B:B:W31:B1.\"] *", "[FEN \"B:W31:B1\"]\n\n*\n"),
        ("[FEN \"W:B:W31:B1\"] 1-7 *", "[FEN \"B:W31:B1\"]\n\n1... 1-7 *\n"),
        (
            "[GameType \"20\"][FEN \"W:W31:B1:H0:F1\"] 1. 31-26 *",
            "[GameType \"20\"]\n[FEN \"W:W31:B1:H0:F1\"]\n\n1. 31-26 *\n",
        ),
        (
            "[GameType \"20\"][Result \"1/2-1/2\"] 1. 32-28 1/2-1/2",
            "[Result \"1-1\"]\n[GameType \"20\"]\n\n1. 32-28 *\n",
        ),
        ("1. 32-28 \u{bd}-\u{bd}", "[Result \"1/2-1/2\"]\n\n1. 32-28 *\n"),
        // Moves: numbers, separators, blanks, strengths, comments.
        (
            "01. 32 - 28! 19x23 (?) 2. 28:19 14-23 3. 37-32*\n",
            "1. 32-28! 19-23(?) 2. 28x19 14x23 3. 37-32 $7 *\n",
        ),
        ("1.32-28;to the end\n1...19-23", "1. 32-28 {to the end} 1... 19-23 *\n"),
        (
            "[GameType \"20\"][FEN \"B:W32:B18\"] 31. ... 18-22 32. 32-27",
            "[GameType \"20\"]\n[FEN \"B:W32:B18\"]\n\n31... 18-22 32. 32-27 *\n",
        ),
        ("3228 1923 2819", "1. 32-28 19-23 2. 28x19 *\n"),
        // Captures: short unless ambiguous, one capture written as two.
        (
            "[GameType \"21\"][FEN \"B:W15,22:B11\"] 1. 11x18 18x25",
            "[GameType \"21\"]\n[FEN \"B:W15,22:B11\"]\n\n1. 11x25 *\n",
        ),
        (
            "[GameType \"20\"][FEN \"W:W26:B21,12,22\"] 26x17x8 *",
            "[GameType \"20\"]\n[FEN \"W:W26:B21,12,22\"]\n\n1. 26x8 *\n",
        ),
        (
            "[GameType \"22\"][FEN \"B:W6,7,14,15,32:B3\"] 1... 3x19 <6,14> *",
            "[GameType \"22\"]\n[FEN \"B:W6,7,14,15,32:B3\"]\n\n1... 3x10x19 *\n",
        ),
        // Variations: their numbers, their comments; null moves and setups.
        (
            "1. 32-28 19-23 ({or} 18-23 (17-22 28x17) 2. 38-32) 2. 28x19",
            "1. 32-28 19-23 ({or} 1... 18-23 (1... 17-22 2. 28x17) 2. 38-32) 2. 28x19 *\n",
        ),
        ("1. 32-28 () /FEN \"W::.\"/ 28-23", "1. 32-28 /FEN \"W:::\"/ 2. 28-23 *\n"),
        ("[Event \"x\"] {a} 1. 32-28 * {b} ; c\n", "[Event \"x\"]\n\n{a} 1. 32-28 {b} { c} *\n"),
    ] {
        assert_eq!(canonical(record), expected, "{record}");
    }
}

/// Without a tag before it, a comment belongs to the record before.
#[test]
fn comment_at_the_start_of_a_record_needs_a_tag() {
    for record in ["{a} 1. 32-28 *", "1. {a} 32-28 *", "; a\n1. 32-28 *"] {
        let reason = RecordWriter::new(&WriteOptions::new()).write(record.as_bytes(), &mut Vec::new());
        assert_eq!(reason.unwrap_err(), Unwritten::ReadsDifferently, "{record}");
    }
}

#[test]
fn options_change_what_is_written() {
    let record = "[Event \"E\"][GameType \"25\"][Result \"1-0\"] 1. c3-d4! {[%clk 1:00] a} d6-c5 $1 (1... b6-c5) 2. b2-c3 {b} 1-0";
    let options = WriteOptions::new();
    let body = |options| {
        let text = written(options, record);
        text[text.find("\n\n").unwrap() + 2..].to_owned()
    };
    assert_eq!(body(options), "1. c3-d4! {[%clk 1:00] a} 1... d6-c5 $1 (1... b6-c5) 2. b2-c3 {b} *\n");
    assert_eq!(body(options.strip(Strip::COMMENTS)), "1. c3-d4! d6-c5 $1 (1... b6-c5) 2. b2-c3 *\n");
    assert_eq!(
        body(options.strip(Strip::CLOCKS)),
        "1. c3-d4! {a} 1... d6-c5 $1 (1... b6-c5) 2. b2-c3 {b} *\n"
    );
    assert_eq!(
        body(options.strip(Strip::NAGS)),
        "1. c3-d4 {[%clk 1:00] a} 1... d6-c5 (1... b6-c5) 2. b2-c3 {b} *\n"
    );
    assert_eq!(
        body(options.strip(Strip::VARIATIONS)),
        "1. c3-d4! {[%clk 1:00] a} 1... d6-c5 $1 2. b2-c3 {b} *\n"
    );
    assert_eq!(
        body(options.width(12).strip(Strip::COMMENTS)),
        "1. c3-d4!\nd6-c5 $1\n(1... b6-c5)\n2. b2-c3 *\n"
    );
    let lines = |text: &str| Meaning::of(text.as_bytes(), &mut Replayer::default()).lines;
    let numeric = written(options.notation(SquareNaming::Numeric).strip(Strip::COMMENTS), record);
    assert!(numeric.contains("[GameType \"25,W,8,8,N2,0\"]\n\n1. 22-18! 10-14 $1 (1... 9-14)"), "{numeric}");
    assert_eq!(lines(&numeric), lines(&written(options.strip(Strip::COMMENTS), record)));
    let crlf = written(options.line_end(LineEnd::CrLf), record);
    assert_eq!(crlf.replace("\r\n", "\n"), written(options, record));
    let mut added = AddedTags::default();
    (added.game_type, added.ply_count) = (true, true);
    let text = written(options.added(added), "1. 11-15 23-18 2. 8-11 27-23 *");
    assert!(text.contains("[GameType \"21,B,8,8,N1,0\"]\n[PlyCount \"4\"]\n"), "{text}");
    let fen = "[GameType \"20\"][FEN \"W:W26,31:B21,12,22\"] 1. 26x8 *";
    let style = |captures| written(options.captures(captures), fen).lines().last().unwrap().to_owned();
    assert_eq!(
        (style(MoveStyle::Shortest), style(MoveStyle::Chain)),
        ("1. 26x8 *".into(), "1. 26x17x8 *".into())
    );
    let ambiguous = "[GameType \"22\"][FEN \"B:W6,7,14,15,32:B3\"] 1... 3x10x19 *";
    let text = written(options.captures(MoveStyle::Captured), ambiguous);
    assert!(text.ends_with("1... 3x19 <6,14> *\n"), "{text}");
}

#[test]
fn profiles_write_what_their_programs_read() {
    let record = "[White \"a \\\"b\\\"\"][GameType \"20,W,10,10,N2,0\"][Result \"2-0\"] 1. 32-28! {c} 19-23 $1 (1... 18-23 (1... 17-22)) 2. 28x19 2-0";
    for (profile, tag, movetext) in [
        (
            Profile::Pdn3,
            "[White \"a \\\"b\\\"\"]",
            "1. 32-28! {c} 1... 19-23 $1 (1... 18-23 (1... 17-22)) 2. 28x19 *\n",
        ),
        (
            Profile::Lidraughts,
            "[Site \"?\"]",
            "1. 32-28! {c} 1... 19-23 $1 (1... 18-23 (1... 17-22)) 2. 28x19 2-0\n",
        ),
        (Profile::TurboDambase, "[GameType \"20\"]", "$1 (1... 18-23 (1... 17-22)) 2. 28x19 2-0\r\n"),
        (
            Profile::CheckerBoard,
            "[White \"a 'b'\"]",
            "1. 32-28! {c} 1... 19-23 $1 (1... 18-23) 2. 28x19 2-0\r\n",
        ),
        (Profile::Dam, "[Date \"????.??.??\"]", "1. 32-28 {c} 1... 19-23 2. 28x19 2-0\r\n"),
        (Profile::Plain, "[White \"a 'b'\"]", "1. 32-28 19-23 2. 28x19 *\n"),
    ] {
        let text = written(WriteOptions::of(profile), record);
        assert!(text.contains(tag) && text.ends_with(movetext), "{profile}: {text}");
    }
    let russian = "[GameType \"25\"] 1. c3-d4 b6-c5 2. d4:b6 a7:c5 *";
    assert!(written(WriteOptions::of(Profile::Pdn3), russian).contains("d4:b6"));
    assert!(written(WriteOptions::of(Profile::Lidraughts), russian).contains("d4xb6"));
}

#[test]
fn text_is_turned_into_utf8_or_kept() {
    let record = Encoding::CP866.encode("[White \"Иванов\"] 1. c3-d4 {ход} *").unwrap();
    let mut writer = RecordWriter::new(&WriteOptions::new());
    let (mut kept, mut utf8) = (Vec::new(), Vec::new());
    writer.write(&record[..], &mut kept).unwrap();
    writer.write_utf8(&record[..], Encoding::CP866, &mut utf8).unwrap();
    let expected = "[White \"Иванов\"]\n\n1. c3-d4 {ход} *\n";
    assert_eq!(String::from_utf8(utf8).unwrap(), expected);
    assert_eq!(Encoding::CP866.decode(&kept), expected);
    let lost = writer.write_utf8(b"[White \"\xFF\"] *", Encoding::UTF_8, &mut Vec::new());
    assert_eq!(lost.unwrap_err(), Unwritten::Encoding);
}

#[test]
fn game_writer_refuses_what_cannot_be_read() {
    let mut game = GameWriter::new(Variant::International);
    assert_eq!(game.tag("white", "a").unwrap_err(), WriteError::TagName);
    assert_eq!(game.tag("White", "a\nb").unwrap_err(), WriteError::TagValue);
    assert_eq!(game.comment("a } b").unwrap_err(), WriteError::Comment);
    assert_eq!(game.strength(MoveStrength::Good).unwrap_err(), WriteError::NoMove);
    assert_eq!(game.begin_variation().unwrap_err(), WriteError::NoMove);
    assert_eq!(game.end_variation().unwrap_err(), WriteError::NoVariation);
    let illegal = Position::start(Variant::International).parse_move("32-28").unwrap();
    game.play("33-28").unwrap();
    assert_eq!(game.mv(&illegal).unwrap_err(), WriteError::IllegalMove);
    assert!(matches!(game.play("32-28").unwrap_err(), WriteError::MoveText(_)));
}

#[test]
fn games_written_move_by_move_are_read_back() {
    let mut moves: Vec<Move> = Vec::new();
    for &variant in Variant::ALL {
        let mut game = GameWriter::new(variant);
        game.tag("White", "a \"b\"").unwrap().comment("start").unwrap();
        let mut expected = Vec::new();
        // Any legal moves: the one in the middle of the list.
        for ply in 0..60u16 {
            let legal = game.position().moves().expect("few captures");
            if legal.is_empty() {
                break;
            }
            let mv = legal.get(legal.len() / 2).copied().unwrap();
            expected.push(mv);
            game.mv(&mv).unwrap();
            match ply % 7 {
                1 => _ = game.strength(MoveStrength::Interesting).unwrap().nag(Nag(3)),
                3 => _ = game.comment("[%clk 1:00:00]").unwrap(),
                5 => {
                    let first = *game.begin_variation().unwrap().position().moves().unwrap().first().unwrap();
                    game.mv(&first).unwrap().comment("or").unwrap().end_variation().unwrap();
                }
                _ => {}
            }
        }
        let text = game.finish(GameResult::Unfinished);
        let summary = Replayer::default().replay(text.as_bytes(), &mut moves);
        assert_eq!(
            (summary.status, summary.variant.rules()),
            (pdn::replay::GameStatus::Legal, variant.rules()),
            "{text}"
        );
        assert_eq!(moves, expected, "{text}");
        assert_eq!(strict_grammar::check_file(text.as_bytes()), Ok(()), "{text}");
        // It is in canonical form already.
        assert_eq!(written(WriteOptions::new(), &text), text);
        let annotated = Replayer::default().replay_annotated(text.as_bytes());
        let again = GameWriter::from_annotated(&annotated, &WriteOptions::new())
            .unwrap()
            .finish(GameResult::Unfinished);
        assert_eq!(again[again.find("\n\n").unwrap()..], text[text.find("\n\n").unwrap()..]);
    }
}

proptest::proptest! {
    #![proptest_config(common::cases(400))]

    /// Whatever the bytes: no panic, and a record that is written is one record that says the same and stays as it is.
    #[test]
    fn any_bytes_are_written_soundly_or_kept(text in common::pdn_like()) {
        let mut writer = RecordWriter::new(&WriteOptions::new());
        let mut replayer = Replayer::default();
        for record in pdn::split::records(&text) {
            let mut written = Vec::new();
            if writer.write(record.bytes, &mut written).is_err() {
                proptest::prop_assert!(written.is_empty());
                continue;
            }
            let shown = format!("{} -> {}", record.bytes.escape_ascii(), written.escape_ascii());
            proptest::prop_assert_eq!(pdn::split::records(&written).count(), 1, "{}", shown);
            let (before, after) = (Meaning::of(record.bytes, &mut replayer), Meaning::of(&written, &mut replayer));
            proptest::prop_assert_eq!(before, after, "{}", shown);
            let mut again = Vec::new();
            proptest::prop_assert!(writer.write(&written, &mut again).is_ok(), "{}", shown);
            proptest::prop_assert_eq!(again.escape_ascii().to_string(), written.escape_ascii().to_string(), "{}", shown);
        }
    }
}
