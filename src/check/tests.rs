use super::*;
use crate::internal::check::TextKind;
use crate::internal::check::{PartCounts, RecordStatus};
use crate::split;

/// Compares the diagnostics of `text` with `expected`: code, bytes and detail as `T005 0-1 (detail)`, joined by ` | `.
#[track_caller]
fn check_with(style: bool, text: &str, expected: &str) {
    let mut checker = Checker::new(&CheckOptions::new().style(style));
    let mut shown = Vec::new();
    for game in split::records(text.as_bytes()) {
        let report = checker.check(game);
        for diagnostic in report.diagnostics {
            let detail = detail(game.bytes, diagnostic).map_or(String::new(), |text| format!(" ({text})"));
            let bytes = String::from_utf8_lossy(diagnostic.span.of(game.bytes)).into_owned();
            shown.push(format!("{} {bytes}{detail}", diagnostic.code).trim_end().to_owned());
        }
        assert_eq!(report.not_kept(), 0);
    }
    assert_eq!(shown.join(" | "), expected, "{text:?}");
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_with(false, text, expected);
}

/// Compares the diagnostics, those of severity `style` included, of a record with the seven required tags and a terminator.
#[track_caller]
fn check_style(tags: &str, moves: &str, expected: &str) {
    let seven =
        "[Event \"\"]\n[Site \"\"]\n[Date \"\"]\n[Round \"\"]\n[White \"\"]\n[Black \"\"]\n[Result \"*\"]\n";
    // A tag of `tags` replaces the empty one.
    let name = tags.trim_start_matches('[').split(' ').next().unwrap_or("");
    let kept: String = seven
        .lines()
        .filter(|line| !line.starts_with(&format!("[{name} ")))
        .map(|l| format!("{l}\n"))
        .collect();
    check_with(true, &format!("{kept}{tags}\n{moves} *"), expected);
}

#[test]
fn sound_records_have_no_diagnostics() {
    check("", "");
    check("[White \"a\"]\n[Result \"1-0\"]\n1. 32-28 19-23 1-0", "");
    check(
        "[Date \"\"]\n[Round \"-\"]\n[WhiteElo \"\"]\n[TimeControl \"?\"]\n[WhiteTime \"\"]\n[FEN \"\"]\n[PlyCount \"\"] *",
        "",
    );
    check("[Date \"09.07.2007\"] [GameType \"20\"] [Setup \"1\"] [FEN \"W:W31-50:B1-20.\"] 32-28 1-1", "");
    check("1. 32-28 {[%clk 1:55:21] [%eval 12]} 19-23 {[%clock w0:10:00 B0:10:00]} *", "");
    check_style("", "1. 32-28 19-23", "");
    check_style("[GameType \"25\"]", "1. c3-d4 b6-a5 2. d4:b6", "");
    check_style("[Round \"4.1.2\"]", "", "");
}

#[test]
fn contradictory_clocks_dates_and_boards_are_reported() {
    check(
        "1. 32-28 {[%mct 0:10:00]} 19-23 {[%mct 0:01:00]} 2. 28x19 {[%mct 0:09:00]} 14x23 {[%mct 0:01:00]} *",
        "T026 [%mct 0:09:00] (`[%mct 0:10:00]` came before it)",
    );
    check(
        "1. 32-28 {[%egt 0:10:00]} 19-23 {[%egt 0:09:59]} *",
        "T026 [%egt 0:09:59] (`[%egt 0:10:00]` came before it)",
    );
    check(
        "1. 32-28 {[%clock w0:10:00 B0:10:00]} 19-23 {[%mct w0:02:00 b0:01:00]} (19-24 {[%mct w0:01:00]}) *",
        "",
    );
    check("1. 32-28 {[%clk 0:10:00]} 19-23 2. 28x19 {[%clk 1:10:00]} *", "");
    let clocks = |control: &str, expected: &str| {
        let moves = "1. 32-28 {[%clk 0:10:00]} 19-23 2. 28x19 14x23 3. 37-32 {[%clk 0:10:22]} *";
        check(&format!("[TimeControl \"{control}\"]\n{moves}"), expected);
    };
    let backwards = "T026 [%clk 0:10:22] (`[%clk 0:10:00]` came before it)";
    clocks("600", backwards);
    clocks("600+5", backwards);
    clocks("600+10", "");
    clocks("40/3600:600", "");
    clocks("*600", "");
    check_style("[WhiteRating \"99\"]", "", "T027 99 (`99` is not between 100 and 3500)");
    check_style("[WhiteRating \"2400?\"]", "", "");
    check("[WhiteRating \"9\"] *", "");
    check(
        "[Date \"1996.12.28\"]\n[EndDate \"1996.12.27\"] *",
        "T028 1996.12.27 (`1996.12.27` is before `1996.12.28`)",
    );
    check("[EventDate \"1997\"]\n[Date \"1996.12.28\"] *", "T028 1996.12.28 (`1996.12.28` is before `1997`)");
    check("[Date \"1996.??.??\"]\n[EventDate \"1996.12.27\"]\n[PublicationDate \"2001\"] *", "");
    let board = "T029 20,W,8,8,N2,0 (International draughts is played on 10 by 10 squares)";
    check_style("[GameType \"20,W,8,8,N2,0\"]", "", board);
    check_style("[GameType \"20,W,10,10,N2,0\"]", "", "");
    check_style("[GameType \"20,W,0,0,N2,0\"]", "", "");
    check("[GameType \"20,W,8,8,N2,0\"] *", "");
}

#[test]
fn unreadable_tag_values_are_reported() {
    check("[Date \"12 Brumaire\"] *", "T002 Brumaire (expected a date such as `1996.12.28`, found `B`)");
    check(
        "[Date \"3/4/1965\"] *",
        "T025 3/4/1965 (`1965.04.03` or `1965.03.04`: no date of the file shows the order)",
    );
    check("[FEN \"W:W31:X1\"] *", "T003 X (expected the colour of the pieces, `W` or `B`, found `X`)");
    check("/FEN \"W:W31:X1\"/ 32-28 *", "T003 X (expected the colour of the pieces, `W` or `B`, found `X`)");
    check("[GameType \"20,X\"] *", "T004 X (expected the side that starts, `W` or `B`, found `X`)");
    check("[GameType \"0\"] *", "T012 0 (0 stands for Chess)");
    check("[GameType \"50\"] *", "T012 50 (50 stands for Othello)");
    check("[GameType \"33\"] *", "T023 33 (33 stands for future draughts expansion)");
    check("[GameType \"77\"] *", "T023 77 (77 stands for nothing)");
    check("[Variant \"Three-check\"] *", "T023 Three-check (no game has this name)");
    check("[Variant \"American/English\"] *", "");
    check("[Variant \"dama\"] *", "");
    check("[Variant \"From Position\"] *", "");
    check(
        "[GameType \"Russian\"] *",
        "T004 Russian (expected a number such as `20`, found `R`; the number of this game is 25)",
    );
    check("[Result \"adjourned\"] *", "T006 adjourned");
    check("[Result \"adjourned\"] [ResultFormat \"own\"] *", "");
    check(
        "[TimeControl \"30'\"] *",
        "T007 ' (expected a time control such as `40/7200:3600` or `4800+60`, in seconds, found `'`)",
    );
    check("[WhiteTime \"soon\"] *", "T017 s (expected a time such as `1:59:20`, found `s`)");
    check("[WhiteRating \"strong\"] *", "T018 s (expected a rating such as `2400`, found `s`)");
    check("[PlyCount \"many\"] *", "T024 many");
}

#[test]
fn contradictory_tags_are_reported() {
    check("[White \"a\"] [Black \"b\"] [white \"c\"] *", "T001 white (the first `white` counts)");
    check("[Result \"1-0\"] 32-28 0-1", "T005 0-1 (the Result tag says `1-0`, the game ends with `0-1`)");
    check("[Result \"*\"] 32-28 0-1", "T005 0-1 (the Result tag says `*`, the game ends with `0-1`)");
    check("[Result \"1-0\"] 32-28 2-0", "");
    check("[Result \"?\"] 32-28 2-0", "");
    check("[Result \"1-0\"] 32-28 *", "");
    check(
        "[Result \"1+ - 1-\"] 32-28 1- - 1+",
        "T005 1- - 1+ (the Result tag says `1+ - 1-`, the game ends with `1- - 1+`)",
    );
    check("[SetUp \"1\"] *", "T013 1 (SetUp says that a position follows, and there is none)");
    check(
        "[SetUp \"0\"] [FEN \"W:W1:B2\"] *",
        "T013 0 (SetUp says that there is no position, FEN gives one)",
    );
    check("[PlyCount \"3\"] 32-28 (33-28) 19-23 *", "T022 3 (PlyCount says 3, the game has 2)");
    check("[PlyCount \"2\"] 1. ... 19-23 2. 32-28 *", "");
}

#[test]
fn commands_and_control_characters_are_reported() {
    check(
        "32-28 {good [%clk soon] [%emt 0:00:05]} *",
        "T016 s (expected a time such as `1:59:20`, found `s`)",
    );
    // Times that are read although the standard has no such form.
    check("32-28 {[%emt 12]} 19-23 {[%clk 1:20]} *", "");
    check_style("", "32-28 {[%emt 12]}", "T016 12 (read as `[%emt 0:00:12]`)");
    check("32-28 \u{1b}19-23 *", "L008 \u{1b} (the byte 0x1B)");
    check("32-28 *\r\n\u{1a}", "");
    check_style("", "32-28 {é}", "");
    check_with(
        true,
        "[Event \"\"] [Site \"\"] [Date \"\"] [Round \"\"] [White \"\"] [Black \"\"] [Result \"\"] *\n\u{1a}",
        "L008 \u{1a} (the byte 0x1A)",
    );
    let mut checker = Checker::new(&CheckOptions::new().style(true));
    let game = split::records(b"[White \"Ren\xE9\"] 32-28 *").next().unwrap();
    let report = checker.check(game);
    assert_eq!(report.diagnostics.iter().filter(|f| f.code == Code::NotUtf8).count(), 1);
    assert_eq!(report.summary.text, TextKind::Other);
}

#[test]
fn deviations_from_the_standard_are_reported_as_style() {
    check_with(
        true,
        "[Result \"*\"] [White \"a\"] *",
        "T011 Result (no Event, no Site, no Date, no Round, no Black)",
    );
    check_style("[Date \"1969-05-29\"]", "", "T025 1969-05-29 (read as `1969.05.29`)");
    check_style("[Round \"A88\"]", "", "T008 A (expected a round such as `3` or `3.1`, found `A`)");
    check_style(
        "[event \"x\"]",
        "",
        "T001 event (the first `event` counts) | T009 event | T010 event (PDN 3.0 calls it `Event`)",
    );
    check_style(
        "[Setup \"1\"] [FEN \"W:W31:B1.\"]",
        "",
        "T010 Setup (PDN 3.0 calls it `SetUp`) | T021 . (a dot at the end)",
    );
    check_style("[SetUp \"1\"] [FEN \"W:W:W31:B1\"]", "", "T021 W (the side to move named twice)");
    check("[FEN \"W:B:W31:B1\"] *", "T021 B (`W` and then `B` name the side to move)");
    check("32-28 /FEN \"B:W:W31:B1\"/ *", "T021 W (`B` and then `W` name the side to move)");
    check_style("[WhiteElo \"1500\"]", "", "T010 WhiteElo (PDN 3.0 calls it `WhiteRating`)");
    check_style("[Bianco \"x\"]", "", "T010 Bianco (PDN 3.0 calls it `White`)");
    check_style("[Opening \"AT&T R&eacute;my\"]", "", "T015 &eacute;");
    check_style(
        "[GameType \"25\"] [Comment \"\"]",
        "c3-d4 22x31 18x9",
        "N106 22x31 (Russian draughts uses A0) | N107 22x31 (Russian draughts uses `:`)",
    );
    check_style("", "32-28 $3 $999", "T020 $999");
}

#[test]
fn game_type_and_variant_that_contradict_each_other_are_reported() {
    let tags = |number: &str, name: &str| format!("[GameType \"{number}\"] [Variant \"{name}\"] *");
    check(
        &tags("23", "American checkers"),
        "T033 American checkers (`23` is American pool checkers, `American checkers` is English draughts)",
    );
    check(&tags("25", "26"), "T033 26 (`25` is Russian draughts, `26` is Brazilian draughts)");
    for (number, name) in [
        ("20", "Antidraughts"),
        ("20", "Breakthrough"),
        ("40", "Frysk!"),
        ("98", "Standard"),
        ("20", "Standard (international) checkers"),
        ("23", "Jamaican"),
        ("99", "Russian"),
        ("22", "dama"),
    ] {
        check(&tags(number, name), "");
    }
}

#[test]
fn results_of_another_system_are_reported() {
    let text = |result: &str, extra: &str| {
        format!(
            "[Event \"\"] [Site \"\"] [Date \"\"] [Round \"\"] [White \"\"] [Black \"\"] [Result \"{result}\"] {extra} *"
        )
    };
    check_with(
        true,
        &text("1-0", "[GameType \"20\"]"),
        "T019 1-0 (International draughts uses the system International, `1-0` is of another)",
    );
    check_with(true, &text("2-0", "[GameType \"20\"]"), "");
    check_with(
        true,
        &text("1 1/2 - 1/2", "[ResultFormat \"Plus draw\"]"),
        "T019 1 1/2 - 1/2 (ResultFormat says Plus draw, `1 1/2 - 1/2` is of another system)",
    );
    check_with(true, &text("1+ - 1-", "[GameType \"20\"] [ResultFormat \"Plus draw\"]"), "");
}

#[test]
fn summary_counts_parts_and_gives_the_status() {
    let mut checker = Checker::new(&CheckOptions::new());
    let mut status =
        |text: &'static str| checker.check(split::records(text.as_bytes()).next().unwrap()).summary.status;
    assert_eq!(status("1. 32-28 *"), RecordStatus::Sound);
    assert_eq!(status("[FEN \"W:W31:B1\"] *"), RecordStatus::Problem);
    assert_eq!(status("/FEN \"W:W31:B1\"/ *"), RecordStatus::Problem);
    assert_eq!(status("[FEN \"W:W31:B1\"] 1. 31-27 *"), RecordStatus::Sound);
    assert_eq!(status("[FEN \"?\"] *"), RecordStatus::Empty);
    assert_eq!(status("[Date \"1.2.3.4\"] *"), RecordStatus::Empty);
    assert_eq!(status("[White \"a\"] 1. 2-0"), RecordStatus::Empty);
    assert_eq!(status("1. 32-28 {"), RecordStatus::Damaged);
    assert_eq!(status("[GameType \"0\"] 1. e4 e5 *"), RecordStatus::Unsupported);
    assert_eq!(status("1. 32-28 *").to_string(), "sound");
    let game = split::records(b"[White \"a\"] 1. 32-28 $1 {x} (33-28 (34-29)) 19-23 /FEN \"B:::\"/ 1-0")
        .next()
        .unwrap();
    let report = checker.check(game);
    let expected =
        PartCounts { tags: 1, plies: 2, variation_plies: 2, comments: 1, variations: 2, setups: 1, nags: 1 };
    assert_eq!(report.summary.counts, expected);
    assert_eq!(report.summary.outcome_text().unwrap().to_string(), "1-0");
}

#[test]
fn many_tags_and_diagnostics_stay_bounded() {
    let tags: String = (0..2_000).map(|i| format!("[Tag{} \"\"]\n", i % 1_990)).collect();
    let game = split::records(tags.as_bytes()).next().unwrap();
    let mut limits = Limits::DEFAULT;
    limits.diagnostics = 4;
    let mut checker = Checker::new(&CheckOptions::new().limits(limits));
    let report = checker.check(game);
    assert_eq!(
        (report.diagnostics.len(), report.not_kept(), report.count(crate::diag::Severity::Warning)),
        (4, 6, 10)
    );
}

#[test]
fn cut_record_is_reported() {
    let mut limits = Limits::DEFAULT;
    limits.record_bytes = 8;
    let mut checker = Checker::new(&CheckOptions::new());
    let first = split::Records::new(b"32-28 19-23 28x19 14x23 *", limits).next().unwrap();
    assert_eq!(checker.check(first).diagnostics[0].code, Code::GameTooLong);
    // However many others there are.
    (limits.record_bytes, limits.diagnostics) = (32, 1);
    let mut checker = Checker::new(&CheckOptions::new().limits(limits));
    let text = b"[Date \"soon\"] [Date \"later\"] 1. 32-28 19-23 28x19 14x23 *";
    let report = checker.check(split::Records::new(text, limits).next().unwrap());
    assert_eq!((report.diagnostics[0].code, report.diagnostics.len()), (Code::GameTooLong, 1));
    assert!(report.not_kept() > 0);
}

mod properties {
    use proptest::prelude::*;

    use super::*;
    use crate::diag::Severity;

    /// Fragments with a meaning, in any order, between arbitrary bytes.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let fragment = prop_oneof![
            prop::sample::select(vec![
                "[Event \"x\"]",
                "[Result \"1-0\"]",
                "[Date \"1.2.3\"]",
                "[FEN \"W:W1:B2.\"]",
                "[SetUp \"1\"]",
                "[GameType \"25\"]",
                "[GameType \"0,X\"]",
                "[PlyCount \"3\"]",
                "[WhiteTime \"x\"]",
                "[Round \"A\"]",
                "[&#233; \"&amp;\"]",
                "[White \"",
                "\n",
                "\n\n",
                "32-28 ",
                "c3:d4 ",
                "1. ",
                "...",
                "{[%clk 1]}",
                "{",
                "}",
                "(",
                ")",
                "1-0 ",
                "*",
                "/FEN \"W:X\"/",
                "/",
                "$300 ",
                "[",
                "]",
                "\"",
                ";",
                "%",
                "\x1b",
            ])
            .prop_map(|fragment| fragment.as_bytes().to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
        ];
        prop::collection::vec(fragment, 0..40).prop_map(|fragments| fragments.concat())
    }

    proptest! {
        #[test]
        fn diagnostics_are_sorted_inside_their_record_and_have_details(text in text()) {
            let options = CheckOptions::new().style(true);
            let mut used = Checker::new(&options);
            for game in split::records(&text) {
                let report = used.check(game);
                let fresh = Checker::new(&options).check(game).diagnostics.to_vec();
                prop_assert_eq!(report.diagnostics, &fresh[..], "earlier records have no influence");
                prop_assert!(report.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span));
                for diagnostic in report.diagnostics {
                    let len = game.bytes.len() as u32;
                    for span in [Some(diagnostic.span), diagnostic.related].into_iter().flatten() {
                        prop_assert!(span.start <= span.end && span.end <= len, "{:?} of {}", diagnostic, len);
                    }
                    let _ = detail(game.bytes, diagnostic);
                }
                let (errors, status) = (report.count(Severity::Error), report.summary.status);
                prop_assert!(errors == 0 || status != RecordStatus::Sound);
                prop_assert!(status != RecordStatus::Damaged || !report.diagnostics.is_empty());
            }
        }

        #[test]
        fn style_option_only_adds_diagnostics_of_style(text in text()) {
            for game in split::records(&text) {
                let all = Checker::new(&CheckOptions::new().style(true)).check(game).diagnostics.to_vec();
                let mut without_style: Vec<_> = all.into_iter().filter(|diagnostic| diagnostic.severity > Severity::Style).collect();
                let mut plain = Checker::new(&CheckOptions::new()).check(game).diagnostics.to_vec();
                let key = |diagnostic: &Diagnostic| (diagnostic.span, diagnostic.code, diagnostic.related);
                without_style.sort_unstable_by_key(key);
                plain.sort_unstable_by_key(key);
                prop_assert_eq!(without_style, plain);
            }
        }
    }
}

#[test]
fn checker_takes_bytes_records_and_views() {
    let text = b"[Date \"soon\"] *";
    let mut checker = Checker::new(&CheckOptions::new());
    let count = checker.check(text).diagnostics.len();
    assert_eq!(count, 1);
    assert_eq!(checker.check(&text[..]).diagnostics.len(), count);
    assert_eq!(checker.check(split::records(text).next().unwrap()).diagnostics.len(), count);
    assert_eq!(checker.check(text).diagnostics.len(), count);
}

/// Returns the codes of a record, those of severity `style` included.
fn codes(text: &str) -> Vec<Code> {
    let mut checker = Checker::new(&CheckOptions::new().style(true));
    checker.check(text.as_bytes()).diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn missing_moves_of_variations_are_no_plies_of_the_game() {
    assert!(!codes("1. 32-28 19-23 (1... - 2. -) 2. 28x19 *").contains(&Code::MoveNumber));
    // A number that is repeated before the second side's move.
    for text in [
        "1. 32-28 1. ... 19-23 2. 28x19 {x} 2. {y} ...\n14x23 3. 37-32 3. ... 10-14 4. 41-37 *",
        "7. ... 19-23 8. 28x19 8. ... 14x23 9. 37-32 9. ... 10-14 10. 41-37 *",
    ] {
        assert!(!codes(text).contains(&Code::MoveNumber), "{text}");
    }
    assert!(codes("1. 32-28 1. ... 19-23 3. 28x19 *").contains(&Code::MoveNumber));
    let text = "[PlyCount \"5\"] 1. 32-28 19-23 (1... - 2. -) 2. 28x19 *";
    let mut checker = Checker::new(&CheckOptions::new());
    let diagnostics = checker.check(text.as_bytes()).diagnostics;
    let count = diagnostics.iter().find(|found| found.code == Code::PlyCountMismatch).expect("reported");
    assert_eq!(detail(text.as_bytes(), count).as_deref(), Some("PlyCount says 5, the game has 3"));
}

#[test]
fn tag_name_with_whitespace_inside_is_reported() {
    for name in ["My Tag", "My\tTag"] {
        assert!(codes(&format!("[{name} \"x\"]\n*")).contains(&Code::TagForm), "{name:?}");
    }
    assert!(!codes("[MyTag \"x\"]\n*").contains(&Code::TagForm));
}

#[test]
fn percent_sign_after_a_tag_begins_no_comment() {
    let mut checker = Checker::default();
    let count = |checker: &mut Checker, text: &str| checker.check(text.as_bytes()).summary.counts.comments;
    assert_eq!(count(&mut checker, "[White \"a\"] % note\n1. 32-28 *"), 0);
    assert_eq!(count(&mut checker, "[White \"a\"]\n% note\n1. 32-28 *"), 1);
}

#[test]
fn first_of_several_dates_is_compared() {
    let text = |dates: [&str; 2]| {
        let [first, second] = dates.map(|date| format!("[Date \"{date}\"] "));
        format!("[EventDate \"2000.01.01\"] {first}{second}*")
    };
    assert!(codes(&text(["1999.01.01", "2001.01.01"])).contains(&Code::DateOrder));
    assert!(!codes(&text(["2001.01.01", "1999.01.01"])).contains(&Code::DateOrder));
}

#[test]
fn repeated_tag_refers_to_the_first_of_its_name_among_many() {
    let others: String = (0..30).map(|n| format!("[Tag{n} \"\"]\n")).collect();
    let text = format!("[White \"a\"]\n{others}[White \"b\"]\n[White \"c\"]\n*");
    let mut checker = Checker::default();
    let spans: Vec<_> = checker
        .check(text.as_bytes())
        .diagnostics
        .iter()
        .map(|found| (found.code, found.span.start, found.related.map(|span| span.start)))
        .collect();
    let second = text.rfind("White \"b").expect("there") as u32;
    let third = text.rfind("White \"c").expect("there") as u32;
    assert_eq!(spans, [(Code::DuplicateTag, second, Some(1)), (Code::DuplicateTag, third, Some(1))]);
}

#[test]
fn capital_separator_is_the_separator_of_the_variant() {
    let found = codes("[GameType \"20\"] 1. 32-28 19-23 2. 28X19 *");
    assert!(found.contains(&Code::CapitalInMove) && !found.contains(&Code::CaptureSeparator), "{found:?}");
    assert!(codes("[GameType \"20\"] 1. 32-28 19-23 2. 28:19 *").contains(&Code::CaptureSeparator));
}

#[test]
fn terminator_counts_where_the_result_tag_says_nothing() {
    let mut checker = Checker::default();
    for (text, expected) in [
        ("[Result \"*\"] 1. 32-28 2-0", "2-0"),
        ("[Result \"0-2\"] 1. 32-28 2-0", "0-2"),
        ("[Result \"1-1\"] 1. 32-28 *", "1-1"),
    ] {
        let report = checker.check(text.as_bytes());
        let result = report.summary.outcome_text().map(|result| result.to_string());
        assert_eq!(result.as_deref(), Some(expected), "{text}");
    }
}

/// In Windows-1252, five bytes stand for nothing.
#[test]
fn control_characters_above_ascii_are_unreadable() {
    let mut checker = Checker::new(&CheckOptions::new());
    for (byte, expected) in [(b'\x81', 1), (b'\xE9', 0)] {
        let names = b"[White \"Ren\xE9 Fran\xE7ois\"] [Black \"L\xE9on B\xE8gue\"] [Event \"\xC9t\xE9 ";
        let text = [&names[..], &[byte], b"\"] 32-28 *"].concat();
        assert_eq!(crate::source::detect_encoding(&text).encoding, crate::source::Encoding::WINDOWS_1252);
        let report = checker.check(split::records(&text).next().unwrap());
        let found = report.diagnostics.iter().filter(|found| found.code == Code::UnreadableText).count();
        assert_eq!(found, expected, "{byte:#x}");
    }
}
