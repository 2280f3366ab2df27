use super::*;
use crate::archive::{self, Archive};
use crate::limits::Limits;
use crate::movegen::MoveError;
use crate::notation::{MoveStyle, move_text};
use crate::parse::{Flow, Visitor, WrittenMove};
use crate::position::{Move, State};
use crate::rules::{BitsOf, Ruleset, Variant};
use crate::source::OpenOptions;
use crate::value::Colour;

/// Replays a game and describes the result: status, variant, plies, stop reason, diagnostics of moves.
fn describe(text: &str) -> String {
    let mut replayer = Replayer::new(&ReplayOptions::default());
    let mut moves: Vec<Move> = Vec::new();
    let summary = replayer.replay(text.as_bytes(), &mut moves);
    assert_eq!(moves.len(), summary.plies as usize, "the sink receives every ply: {text}");
    let stop = summary.stop.map_or(String::new(), |stop| {
        let reason = match stop.reason {
            StopReason::Move(reason) => format!("{reason:?}"),
            reason => format!("{reason:?}"),
        };
        format!(" {reason} at `{}`", String::from_utf8_lossy(stop.span.of(text.as_bytes())))
    });
    let codes: Vec<_> = replayer.move_diagnostics().iter().map(|diagnostic| diagnostic.code.id()).collect();
    let codes = if codes.is_empty() { String::new() } else { format!(" {}", codes.join(" ")) };
    format!("{} {} {}{stop}{codes}", summary.status, summary.variant, summary.plies)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(describe(text), expected, "{text}");
}

/// Returns the moves of the main line in the shortest form that PDN 3.0 allows.
fn moves_of(text: &str) -> String {
    let game = annotate(text.as_bytes(), &ReplayOptions::default());
    let texts: Vec<_> = game
        .main
        .plies
        .iter()
        .map(|ply| move_text(&ply.position, &ply.mv, MoveStyle::Shortest).expect("captures within the limit"))
        .collect();
    texts.join(" ")
}

#[test]
fn replay_resolves_moves_of_every_dialect() {
    let same = |texts: &[&str], expected: &str| {
        for text in texts {
            assert_eq!(moves_of(text), expected, "{text}");
        }
    };
    same(
        &[
            "1. 32-28 19-23 2. 28x19 14x23 *",
            "1.32x28 19x23 2.28-19 14-23 *",
            "3228 1923 2819 1423 *",
            "32:28 19:23 28:19 14:23 *",
            "32 - 28 19 - 23 28 x 19 14 x 23 *",
            "32\u{2013}28 19\u{2013}23 28\u{d7}19 14\u{d7}23 *",
            "1. 32-28 19-23 2. 28x23x19 14x19x23 *",
            "1. 32-28 {x} 19-23 (19-24) 2. 28x19! 14X23 $3 *",
        ],
        "32-28 19-23 28x19 14x23",
    );
    same(&["1. 31-26 17-21 2. 26x17 *", "1. 31-26 17-21 2. 2617 *"], "31-26 17-21 26x17");
    same(&["1. 31-26 1-07 *", "1. 31-26 01-07 *", "1. 31-26 1- 7 *"], "31-26");
    same(&["1. 31-26 20-25 2. 34-30 05-10 *"], "31-26 20-25 34-30");
    same(&["1. 34-30 20-25 2. 40-34 15-20 3. 45-40 05-15 *"], "34-30 20-25 40-34 15-20 45-40");
    same(&["1. 34-30 20-25 2. 40-34 14-20 3. 45-40 09-14 *"], "34-30 20-25 40-34 14-20 45-40 9-14");
    let russian = "[GameType \"25\"]";
    for text in [
        "1. c3-d4 b6-c5 2. d4:b6 a7:c5 *",
        "c3d4 b6c5 d4b6 a7c5",
        "C3-D4 B6-C5 D4xB6 A7xC5",
        "c3-d4 b6-c5 d4:c5:b6 a7:c5",
    ] {
        same(&[&format!("{russian} {text}")], "c3-d4 b6-c5 d4:b6 a7:c5");
    }
    // Square numbers in an algebraic variant, square names of letters in a numeric one.
    same(&[&format!("{russian} 22-18 9-13 *"), &format!("{russian} c3-d4 b6-a5 *")], "c3-d4 b6-a5");
    same(&["[GameType \"20\"] f4-g5 g7-h6 *", "[GameType \"20\"] f4g5 G7H6 *"], "33-29 19-24");
    // The first square is given by its file alone.
    same(&[&format!("{russian} ab4 *"), &format!("{russian} a:b4 *")], "a3-b4");
    // Three digits: 91-4 names a square off the board, 9-14 does not.
    same(&["32-28 19-23 28x19 14x23 37-32 914 *"], "32-28 19-23 28x19 14x23 37-32 9-14");
}

#[test]
fn replay_joins_captures_written_in_several_texts() {
    let start = "[GameType \"21\"] [FEN \"B:W15,22:B11\"]";
    check(&format!("{start} 1. 11x18 18x25 *"), "legal english 1 N003");
    check(&format!("{start} 1. 11x25 *"), "legal english 1");
    check(&format!("{start} 1. 11x18x25 *"), "legal english 1");
    check(&format!("{start} 1. 11-18 18-25 *"), "legal english 1 N003");
    check(&format!("{start} 1118 1825 *"), "legal english 1 N003");
    check(&format!("{start} 1. 11x18 *"), "illegal english 0 Unfinished at `11x18` R005");
    check(&format!("{start} 1. 11x18 19x26 *"), "illegal english 0 Unfinished at `11x18` R005");
}

#[test]
fn replay_decides_ambiguous_moves_by_path_then_by_later_moves() {
    let ambiguous = "[GameType \"22\"][FEN \"B:W6,7,14,15,32:B3\"]";
    check(&format!("{ambiguous} 1... 3x19 *"), "ambiguous italian 0 Ambiguous at `3x19` R002");
    check(&format!("{ambiguous} 1... 3x10x19 *"), "legal italian 1");
    check(&format!("{ambiguous} 1... 3x12x19 *"), "legal italian 1");
    check(&format!("{ambiguous} 1... 3x19 <6,14> *"), "legal italian 1");
    check(&format!("{ambiguous} 1... 3x6x14x19 *"), "legal italian 1");
    // A list of other pieces decides nothing.
    check(&format!("{ambiguous} 1... 3x19 <5,9> 2. 7-3 *"), "legal italian 2 N004");
    // The man that moves next was not captured.
    check(&format!("{ambiguous} 1... 3x19 2. 7-3 *"), "legal italian 2 N004");
    check(&format!("{ambiguous} 1... 3x19 2. 6-2 *"), "legal italian 2 N004");
    check(&format!("{ambiguous} 1... 3x19 2. 32-28 *"), "ambiguous italian 0 Ambiguous at `3x19` R002");
    // Two squares describe the single jump between them completely, unless later moves prove a longer capture.
    let single = "[GameType \"25\"][FEN \"B:Wd2,d4,d6,f6,h2:BKe3\"]";
    check(&format!("{single} 1... e3:c1 *"), "legal russian 1");
    check(&format!("{single} 1... e3:c1 2. h2-g3 *"), "legal russian 2");
    check(&format!("{single} 1... e3:c1 2. d4-c5 *"), "legal russian 2");
    check(&format!("{single} 1... e3:c1 2. h2-g3 c1-e3 3. g3-h4 e3-c5 *"), "legal russian 5 N004");
    // 1-05 and 10-5 could both be meant; only one king is still on its square afterwards.
    let digits = "[GameType \"20\"][FEN \"W:WK1,K10:B36\"]";
    check(&format!("{digits} 1. 105 *"), "legal international 1");
}

#[test]
fn replay_gives_the_reason_of_illegal_moves() {
    check("1. 32-28 19-23 2. 33-29 *", "illegal international 2 MustCapture at `33-29` R003");
    check("1. 32-28 19-23 2. 28-19 16-21 *", "illegal international 3 MustCapture at `16-21` R003");
    check("[GameType \"20\"] 1. 32-27 32-28 *", "illegal international 1 NoPiece at `32-28` R001");
    check("[GameType \"20\"] 1. 32-28 33-29 *", "illegal international 1 OtherSide at `33-29` R001");
    check("[GameType \"20\"] 1. 32-28 19-32 *", "illegal international 1 Impossible at `19-32` R001");
    check("[GameType \"20\"] 1. 32-28 19-51 *", "illegal international 1 NoSuchSquare at `19-51` R001");
    check(
        "[GameType \"20\"][FEN \"W:W28,37:B23,13,12,31\"] 1. 37x26 *",
        "illegal international 0 Precedence at `37x26` R004",
    );
    check(
        "[GameType \"20\"][FEN \"W:W28:B23,13,12\"] 1. 28x19 *",
        "illegal international 0 Unfinished at `28x19` R005",
    );
    check(
        "[GameType \"40\"][FEN \"W:WK50,46:B3\"] 1. 50-45 3-8 2. 45-50 8-13 3. 50-45 13-19 4. 45-50 *",
        "illegal frisian 6 KingStreak at `45-50` R001",
    );
}

#[test]
fn replay_stops_at_missing_moves_that_matter() {
    check("32. 38-33 14-20 *", "damaged international 0 MissingMove at `38-33` R006");
    check("032. 30-35 *", "damaged international 0 MissingMove at `30-35` R006");
    check("2. 32-28 19-23 *", "legal international 2");
    check("1. ... 18-23 *", "damaged international 0 MissingMove at `...` R006");
    check("[FEN \"B:W31-50:B1-20\"] 1... 18-23 2. 32-28 *", "legal international 2");
    check("[FEN \"B:W31-50:B1-20\"] 1. ... 18-23 2. 32-28 *", "legal international 2");
    check("1. 32-28 {x} 1. ... 18-23 2. 38-32 *", "legal international 3");
    check("1. 32-28 - 2. 38-32 *", "damaged international 1 MissingMove at `-` R006");
    check("1. 32-28 18-23 2. - - 2-0", "legal international 2");
    // The side to move is not known either.
    check(
        "1. 32-28 ... /FEN \"W:W31-50:B1-20\"/ 18-23 *",
        "damaged international 1 MissingMove at `18-23` R006",
    );
    // A quiet move passes no square on its way.
    check("1. 32-30-28 *", "legal international 1 N002");
    let king = "[GameType \"20\"] [FEN \"W:WK47:B1,20,29,38\"] 1. ";
    check(&[king, "24x15x29x47 *"].concat(), "legal international 1 N110");
    check(&[king, "30x15x29x47 *"].concat(), "illegal international 0 NoPiece at `30x15x29x47` R001");
    // Dashes stand for an unknown move, even if the next move fits without it.
    check("1. 32-28 -- 19-23 *", "damaged international 1 MissingMove at `--` R006");
    check("1. 32-28 - /FEN \"W:W31-50:B1-20\"/ 2. 32-28 *", "legal international 2");
    check("1. 32-28 /FEN \"W:::\"/ 1. 37-32 *", "legal international 2");
    check("1. 32-28 lost words 38-32 *", "damaged international 1 LostText at `38-32` R001");
    check("1. 32-28 lost words 18-23 *", "legal international 2");
    check("1. 32-28 18-23 { never closed", "damaged international 2 UnclosedComment at `{ never closed`");
}

#[test]
fn replay_reports_empty_unsupported_and_damaged_games_and_problems() {
    check("", "empty international 0");
    check("1. 2-0", "empty international 0");
    check("[FEN \"W:W31-50:B1-20\"] *", "problem international 0");
    check("[FEN \"B:W15,22:B11\"] *", "problem english 0");
    check("/FEN \"W:W31:B1\"/ *", "problem international 0");
    check("[FEN \"?\"] *", "empty international 0");
    check("[FEN \"?\"] 1. 32-28 *", "legal international 1");
    check("1. e4 e5 2. Nf3 *", "damaged international 0 Unreadable at `e4 e5`");
    check("[GameType \"1\"] 1. e2-e4 *", "unsupported international 0 NotDraughts at `1`");
    // The moves of another game are not plies, even if they are legal in draughts.
    check("[GameType \"1\"] 1. 32-28 19-23 *", "unsupported international 0 NotDraughts at `1`");
    check("[FEN \"W:W99:B1\"] 1. 32-28 *", "damaged international 0 BadPosition at `W:W99:B1` R007");
    check("[FEN \"W:Wx:B1\"] 1. 32-28 *", "damaged international 0 BadPosition at `W:Wx:B1` R007");
    check("[FEN \"?:W32:B1\"] 1. 1-7 *", "legal international 1 R011");
    check("[FEN \"?:W48:B1\"] 1. 48-42 *", "legal international 1 R011");
    check("[FEN \"?:W48:B1\"] 1. 47-42 *", "illegal international 0 NoPiece at `47-42` R001");
    // Of two letters for the side to move the second one counts, unless only the first fits the moves.
    check("[FEN \"W:B:W48:B1\"] 1. 1-7 *", "legal international 1 R011");
    check("[FEN \"W:B:W48:B1\"] 1. 48-42 *", "legal international 1 R011");
    check("[FEN \"W:W:W48:B1\"] 1. 48-42 *", "legal international 1");
    check("[FEN \"W:B:W48:B1\"] *", "problem international 0");
}

#[test]
fn replay_infers_variants() {
    let basis = |text: &str, expected: &str| {
        let summary = Replayer::new(&ReplayOptions::default()).summary(text.as_bytes());
        assert_eq!(format!("{} {:?}", summary.variant, summary.basis), expected, "{text}");
    };
    basis("1. 32-28 19-23 *", "international Game");
    basis("1. 11-15 23-18 *", "english Game");
    basis("1. 22-18 10-13 *", "italian Game");
    basis("1. c3-d4 f6-g5 *", "russian Game");
    basis("1. 10-14 24-20 *", "english Game");
    basis("[GameType \"26\"] 1. c3-d4 f6-g5 *", "brazilian Tag");
    basis("[GameType \"23\"] 1. c3-d4 f6-g5 *", "unified-pool Tag");
    basis("[GameType \"23\"] 1. 11-15 *", "pool Tag");
    basis("[GameType \"23,W,8,8,A1,1\"] 1. b3-c4 *", "jamaican Tag");
    basis("[GameType \"20,W,10,10,N1,0\"] 1. 32-28 *", "international Tag");
    basis("[GameType \"20,W,0,0,N,0\"] 1. 32-28 *", "international Tag");
    basis("[GameType \"99\"] [FEN \"W:W31-50:B1-20\"] 1. 32-28 *", "international Game");
    basis("[GameType \"97\"] 1. 46-41 *", "frysk Tag");
    basis("[GameType \"777\"] 1. 32-28 *", "international Game");
    basis("", "international Guess");
    // A wrong tag, under which hardly a move is legal.
    basis("[GameType \"20\"] 1. 11-15 23-18 2. 8-11 27-23 *", "english Moves");
    basis("[GameType \"25\"] 1. 32-28 19-23 2. 28x19 14x23 *", "international Moves");
    let options = ReplayOptions::new().variant(Variant::Brazilian);
    let summary = Replayer::new(&options).summary(b"1. c3-d4 f6-g5 *");
    assert_eq!((summary.variant, summary.basis), (Variant::Brazilian, VariantBasis::Caller));
}

#[test]
fn variant_tag_names_the_game_where_game_type_does_not() {
    let replayed = |text: &str| {
        let summary = Replayer::default().summary(text.as_bytes());
        let start = summary.numbering.start;
        format!("{} {} {start:?} {} {}", summary.variant, summary.basis, summary.status, summary.plies)
    };
    for (tags, moves, expected) in [
        ("[Variant \"American/English\"]", "1. c3-d4 b6-c5 2. d4xb6 a7xc5 *", "english tag White legal 4"),
        ("[Variant \"English\"]", "1. 11-15 22-18 2. 15x22 25x18 *", "english tag Black legal 4"),
        ("[Variant \"Standard\"]", "1. 32-28 19-23 2. 28x19 14x23 *", "international tag White legal 4"),
        ("[Variant \"Antidraughts\"]", "1. 32-28 19-23 *", "antidraughts tag White legal 2"),
        ("[Variant \"Frysk!\"]", "1. 46-41 1-7 *", "frysk tag White legal 2"),
        ("[Variant \"Pool\"]", "1. c3-d4 b6-a5 *", "unified-pool tag White legal 2"),
        ("[Variant \"Jamaican\"]", "*", "jamaican tag White empty 0"),
        ("[Variant \"25\"]", "1. c3-d4 b6-a5 *", "russian tag White legal 2"),
        ("[GameType \"Russian draughts\"]", "1. c3-d4 b6-a5 *", "russian tag White legal 2"),
        // The number comes first, unless it has no meaning or the moves contradict it.
        ("[GameType \"25\"] [Variant \"Brazilian\"]", "1. c3-d4 b6-a5 *", "russian tag White legal 2"),
        ("[GameType \"99\"] [Variant \"Brazilian\"]", "1. c3-d4 b6-a5 *", "brazilian tag White legal 2"),
        ("[GameType \"27\"] [Variant \"Pool\"]", "1. c3-d4 b6-a5 *", "unified-pool tag White legal 2"),
        // A name that says more than the number comes before it.
        (
            "[GameType \"20\"] [Variant \"Antidraughts\"]",
            "1. 32-28 19-23 *",
            "antidraughts tag White legal 2",
        ),
        ("[GameType \"20\"] [Variant \"Breakthrough\"]", "*", "breakthrough tag White empty 0"),
        ("[GameType \"40\"] [Variant \"Frysk!\"]", "1. 46-41 1-7 *", "frysk tag White legal 2"),
        ("[GameType \"40\"] [Variant \"Frysk!\"]", "1. 31-27 19-23 *", "frisian tag White legal 2"),
        (
            "[GameType \"23\"] [Variant \"Zimbabwean pool\"]",
            "1. c3-d4 *",
            "zimbabwean-pool tag White legal 1",
        ),
        (
            "[GameType \"20,W,10,10,A0,0\"] [Variant \"Antidraughts\"]",
            "1. b4-c5 *",
            "antidraughts tag White legal 1",
        ),
        ("[GameType \"98\"] [Variant \"Standard\"]", "1. 32-28 19-23 *", "antidraughts tag White legal 2"),
        // These decide nothing.
        ("[Variant \"From Position\"]", "1. c3-d4 b6-a5 *", "russian game White legal 2"),
        ("[Variant \"dama\"]", "1. c3-d4 b6-a5 *", "russian game White legal 2"),
        ("[Variant \"Standard\"]", "1. 11-15 23-18 2. 8-11 27-23 *", "english moves Black legal 4"),
    ] {
        assert_eq!(replayed(&format!("{tags} {moves}")), expected, "{tags}");
    }
}

#[test]
fn game_type_value_may_be_the_variant_of_the_caller() {
    let options = ReplayOptions { variant: "21,W,8,8,A0,0".parse().ok(), ..ReplayOptions::default() };
    let summary = Replayer::new(&options).summary(b"1. c3-d4 b6-c5 2. d4xb6 a7xc5 1-0");
    assert_eq!((summary.variant, summary.basis, summary.plies), (Variant::English, VariantBasis::Caller, 4));
    assert_eq!(summary.winner(), Some(Colour::White));
}

#[test]
fn summary_keeps_terminator_and_result_tag_apart() {
    let results = |text: &str| {
        let summary = Replayer::new(&ReplayOptions::default()).summary(text.as_bytes());
        format!("{:?} {:?} {}", summary.outcome(), summary.winner(), summary.results_differ())
    };
    assert_eq!(results("1. 32-28 2-0"), "FirstWins Some(White) false");
    assert_eq!(results("[Result \"0-2\"] 1. 32-28 2-0"), "SecondWins Some(Black) true");
    assert_eq!(results("[Result \"*\"] 1. 32-28 2-0"), "FirstWins Some(White) false");
    assert_eq!(results("[Result \"0-2\"] 1. 32-28 *"), "SecondWins Some(Black) false");
    assert_eq!(results("1. 11-15 1-0"), "FirstWins Some(Black) false");
    assert_eq!(results("1. 32-28"), "Unknown None false");
}

#[test]
fn file_prior_is_the_vote_of_the_first_records() {
    // Legal in every algebraic variant on 8x8, so the likeliest of them wins.
    let untagged = "1. c3-d4 b6-a5 *";
    // A record with a tag votes for its variant alone.
    let tagged = "[GameType \"26\"] 1. c3-d4 b6-a5 *";
    let vote = |games: &[&str]| {
        let prior = FilePrior::of(games.iter().map(|game| game.as_bytes()), &ReplayOptions::default());
        (prior.variant(), prior.is_firm())
    };
    assert_eq!(vote(&[untagged; 6]), (Some(Variant::Russian), true));
    assert_eq!(vote(&[untagged; 2]), (Some(Variant::Russian), false));
    assert_eq!(vote(&[untagged, untagged, tagged, untagged]), (Some(Variant::Brazilian), false));
    assert_eq!(FilePrior::of([], &ReplayOptions::default()), FilePrior::default());
    assert_eq!(FilePrior::of([&b"[Event \"x\"] *"[..]], &ReplayOptions::default()), FilePrior::default());
}

#[test]
fn file_of_a_square_name_tells_the_board() {
    // The ninth file is that of a board of ten columns; of several, the likeliest fits.
    check("[FEN \"W:Wi3,g3:Bb8\"] 1. i3-h4 *", "legal spantsiretti 1");
    check("[FEN \"W:Wg3,a1:Bb8\"] 1. g3-h4 *", "legal russian 1");
}

#[test]
fn file_prior_is_firm_from_85_percent_of_the_votes() {
    let prior = |legal: usize, illegal: usize| {
        let games =
            [vec!["1. 32-28 19-23 2. 28x19 14x23 *"; legal], vec!["1. 32-28 28-32 *"; illegal]].concat();
        let prior = FilePrior::of(games.iter().map(|game| game.as_bytes()), &ReplayOptions::default());
        (prior.variant(), prior.is_firm())
    };
    assert_eq!(prior(17, 3), (Some(Variant::International), true), "85 %");
    assert_eq!(prior(21, 4), (Some(Variant::International), false), "84 %");
}

#[test]
fn record_without_moves_has_the_variant_that_its_file_shows() {
    let kinds = |games: &[&str], record: &str| {
        let prior = FilePrior::of(games.iter().map(|game| game.as_bytes()), &ReplayOptions::default());
        assert_eq!(prior.to_string().parse(), Ok(prior.clone()));
        let summary = Replayer::new(&ReplayOptions::default().prior(prior)).summary(record.as_bytes());
        (summary.variant, summary.basis)
    };
    let problem = "[FEN \"W:W26:B18\"] *";
    let forfeit = "[White \"Ames\"] 2-0";
    let italian = "[GameType \"22\"] 1. 22-18 10-13 *";
    let english = "[GameType \"21\"] 1. 11-15 22-18 *";
    // Squares up to 32 are no evidence, however many positions have them.
    assert_eq!(kinds(&[problem; 40], problem).1, VariantBasis::Guess);
    assert_eq!(kinds(&[], problem).1, VariantBasis::Guess);
    assert_eq!(kinds(&[], "[FEN \"W:Wc3:Bf6\"] *").1, VariantBasis::Guess);
    for record in [problem, forfeit] {
        assert_eq!(kinds(&[italian, problem], record), (Variant::Italian, VariantBasis::File));
        assert_eq!(kinds(&[italian, english], record).1, VariantBasis::Guess, "two variants");
        let damaged = "1. c3-d4 c3-d4 *";
        assert_eq!(kinds(&["1. c3-d4 b6-a5 *", damaged], record), (Variant::Russian, VariantBasis::File));
        assert_eq!(kinds(&[damaged], record).1, VariantBasis::Guess);
    }
    assert_eq!(kinds(&[italian; 9], "[FEN \"W:W46:B18\"] *").1, VariantBasis::Guess, "no such square");
    // Moves are evidence by themselves.
    assert_eq!(kinds(&[], "[FEN \"W:W46:B18\"] 1. 46-41 *").1, VariantBasis::Game);
}

#[test]
fn record_with_an_odd_position_votes() {
    let odd = "[FEN \"W:W45,45,46:B1,2\"] 1. 45-40 *";
    let prior = FilePrior::of([odd.as_bytes(); 6], &ReplayOptions::default());
    assert_eq!((prior.variant(), prior.is_firm()), (Some(Variant::International), true));
}

#[test]
fn position_without_side_to_move_belongs_to_the_side_that_starts() {
    // Both sides have a man that reaches b4 from the a-file.
    let text = |fen: &str| moves_of(&format!("[GameType \"25\"] [FEN \"{fen}\"] 1. ab4 *"));
    assert_eq!(text("?:Wa3:Ba5"), "a3-b4");
    assert_eq!(text("B:Wa3:Ba5"), "a5-b4");
}

#[test]
fn replies_in_parentheses_are_played_where_the_game_goes_on_only_with_them() {
    check(
        "[GameType \"21\"] 1. 11-15 (23-19) 2. 8-11 (22-17) 3. 11-16 (24-20) *",
        "legal english 6 N111 N111 N111",
    );
    check("[GameType \"25\"] c3-d4 (b6-a5) d4-c5 (d6:b4) a3:c5 *", "legal russian 5 N111 N111");
    check("[GameType \"20\"] 32-28 (33-28) 19-23 (18-23) 28x19 14x23 *", "legal international 4");
    check(
        "[GameType \"20\"] 32-28 (18-23) 33-29 (23x32) 37x28 (38x27 19-23) *",
        "legal international 5 N111 N111",
    );
    // Nothing follows that decides.
    check("[GameType \"20\"] 1. 32-28 (19-23) *", "legal international 1");
    assert_eq!(moves_of("[GameType \"21\"] 11-15! (23-19) 8-11 *"), "11-15 23-19 8-11");
    let game = annotate(b"[GameType \"20\"] 32-28 (18-23) 33-29 (35-30) 23x32 *", &ReplayOptions::default());
    assert_eq!(game.main.plies.iter().map(|ply| ply.variations.len()).collect::<Vec<_>>(), [0, 0, 1, 0]);
}

#[test]
fn pairs_behind_semicolons_are_played_where_the_game_goes_on_only_with_them() {
    let tag = "[GameType \"20\"] ";
    check(
        &[tag, "33-29 20-25; 39-33 17-22;\n44-39 11-17; 50-44 6-11;\n*"].concat(),
        "legal international 8 P117 P117",
    );
    check(&[tag, "33-29 20-25; 39-33 17-22\n31-26 17-22 *"].concat(), "legal international 4");
}

#[test]
fn words_after_the_last_move_give_the_result() {
    let outcome = |text: &str| Replayer::default().summary(text.as_bytes()).outcome();
    use crate::value::Outcome::*;
    assert_eq!(outcome("1. 32-28 19-23 White resigns"), SecondWins);
    assert_eq!(outcome("[GameType \"21\"] 1. 11-15 23-19 White resigns."), FirstWins);
    assert_eq!(outcome("1. 32-28 19-23 Drawn."), Draw);
    assert_eq!(outcome("[Result \"2-0\"] 1. 32-28 19-23 Drawn."), FirstWins);
    assert_eq!(outcome("1. 32-28 19-23 Black resigns 1-1"), Draw);
    assert_eq!(outcome("1. 32-28 19-23 well"), Unknown);
}

#[test]
fn variations_replace_the_ply_before_them() {
    let text = b"{before} 1. 32-28 {a} 19-23 ({in} 1... 18-23 2. 38-32 (2. 37-32 12-18) 12-18) (1... 18-50) 2. 28x19 14x23! $1 {[%clk 0:01:00]} *";
    let game = annotate(text, &ReplayOptions::default());
    let main = &game.main;
    assert_eq!(game.summary.status, GameStatus::Legal);
    assert_eq!(main.comments.len(), 1);
    assert_eq!(
        main.plies.iter().map(|ply| ply.text).collect::<Vec<_>>(),
        [&b"32-28"[..], b"19-23", b"28x19", b"14x23"]
    );
    let [first, second] = &main.plies[1].variations[..] else { panic!("expected two variations") };
    assert_eq!(first.comments[0].text, b"in");
    assert_eq!(
        first.plies.iter().map(|ply| ply.text).collect::<Vec<_>>(),
        [&b"18-23"[..], b"38-32", b"12-18"]
    );
    assert_eq!(first.plies[1].variations[0].plies.len(), 2);
    assert_eq!(first.plies[0].position, main.plies[1].position);
    assert_eq!(second.stop.map(|stop| stop.reason), Some(StopReason::Move(MoveError::Impossible)));
    assert_eq!(second.rest[0].text, b"18-50");
    assert_eq!(
        (main.plies[3].strength, &main.plies[3].nags[..]),
        (Some(&b"!"[..]), &[crate::value::Nag(1)][..])
    );
    assert_eq!(main.plies[3].times().count(), 1);
    assert_eq!(main.last, game.summary.last_position());
    let diagnostics: Vec<_> =
        game.diagnostics.iter().map(|diagnostic| (diagnostic.code.id(), diagnostic.severity)).collect();
    assert_eq!(diagnostics, [("R001", crate::diag::Severity::Warning)]);
}

#[test]
fn annotate_checks_writing_restrictions_8_and_9() {
    let codes = |text: &str| {
        let game = annotate(text.as_bytes(), &ReplayOptions::default());
        game.diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect::<Vec<_>>().join(" ")
    };
    let ambiguous = "[GameType \"22\"][FEN \"B:W6,7,14,15,32:B3\"]";
    assert_eq!(codes(&format!("{ambiguous} 1... 3x10x19 *")), "");
    assert_eq!(codes(&format!("{ambiguous} 1... 3x6x14x19 *")), "N109");
    assert_eq!(codes(&format!("{ambiguous} 1... 3x19 2. 7-3 *")), "N004 N108");
    assert_eq!(codes("[GameType \"21\"][FEN \"B:W15,22:B11\"] 11x18x25 *"), "N108");
}

/// Writes down the calls that it receives.
#[derive(Default)]
struct CallLog(String);

impl PlySink for CallLog {
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, _: &Move<BitsOf<R>>) {
        self.0 += "ply ";
    }
    fn null<R: Ruleset>(&mut self, _: R, before: &State<BitsOf<R>>) {
        self.0 += &format!("null by {:?} ", before.turn);
    }
    fn setup<R: Ruleset>(&mut self, _: R, position: &State<BitsOf<R>>) {
        self.0 += &format!("setup for {:?} ", position.turn);
    }
}

#[test]
fn sink_receives_null_moves_and_setups() {
    let check = |text: &str, expected: &str| {
        let mut calls = CallLog::default();
        let summary = Replayer::new(&ReplayOptions::default()).replay_into(text.as_bytes(), &mut calls);
        assert_eq!((summary.status, calls.0.trim_end()), (GameStatus::Legal, expected), "{text}");
        assert!(summary.has_setups);
    };
    check("1. 32-28 /FEN \"W:::\"/ 2. 37-32 19-23 *", "ply null by Black ply ply");
    check("1. 32-28 19-23 /FEN \"B:::\"/ 2. ... 23x32 *", "ply ply null by White ply");
    // A null move that names the side already to move is a setup of the same position.
    check("1. 32-28 /FEN \"B:::\"/ 19-23 *", "ply setup for Black ply");
    check("1. 32-28 /FEN \"B:W28:B19\"/ 19-23 *", "ply setup for Black ply");
}

#[test]
fn replay_stops_when_the_search_budget_is_used_up() {
    // A king among thirty men in rows: the search for its capture is long, and the move is legal.
    let men: Vec<String> = (0..30).map(|n| (12 * (n / 6) + 7 + n % 6).to_string()).collect();
    let fen = format!("W:WK72:B{}", men.join(","));
    let start = format!("[GameType \"27\"][FEN \"{fen}\"] 72x25 ");
    let within = |nodes: u32, text: &str| {
        let options = ReplayOptions::new().limits(Limits { capture_nodes: nodes, ..Limits::DEFAULT });
        let summary = Replayer::new(&options).summary(text.as_bytes());
        (summary.status, summary.plies)
    };
    // The lowest power of two that suffices for one search. Unlike time, it is the same on every machine.
    let enough = (0..20).map(|power| 1 << power).find(|&nodes| within(nodes, &start).0 == GameStatus::Legal);
    let enough = enough.expect("some limit suffices");
    assert!(enough > 4_000, "the search is too short: {enough} nodes");
    let many = start + &format!("/FEN \"{fen}\"/ 72x25 ").repeat(100);
    let (status, plies) = within(enough, &many);
    assert_eq!(status, GameStatus::Unsupported);
    assert!((2..10).contains(&plies), "{plies} plies");
}

#[test]
fn replay_does_not_panic_on_damaged_games() {
    let game = "[FEN \"W:W31-50:B1-20\"] 1. 32-28 (1. 33-29 ab4 718 /FEN \"B:::\"/) 19-23 28x19x23 <23> - ... 1. 14x23 {x} 3x4x5 1-0";
    let mut replayer = Replayer::new(&ReplayOptions::default());
    for cut in 0..game.len() {
        for piece in [&game[..cut], &game[cut..]] {
            replayer.summary(piece.as_bytes());
            replayer.replay_annotated(piece.as_bytes());
        }
        let mut bytes = game.as_bytes().to_vec();
        for byte in [0, b'(', b'{', b'x', 0xFF, b'9', b'"'] {
            bytes[cut] = byte;
            replayer.summary(&bytes);
            replayer.replay_annotated(&bytes);
        }
    }
}

/// A caller may keep the polled records, which may be very long.
#[test]
fn poll_ends_after_its_byte_limit() {
    let mut poll = FilePriorPoll::new(&ReplayOptions::default());
    let long = [b"1. 11-15 23-18 *".to_vec(), vec![b' '; FilePriorPoll::BYTES / 2]].concat();
    assert!(poll.add(&long).is_continue());
    assert!(poll.add(&long).is_break());
    assert!(poll.add(b"1. 32-28 19-23 *").is_break(), "the poll stays complete");
    assert_eq!(poll.finish().variant(), Some(Variant::English));
}

/// The time of a move must not depend on the number of moves before it.
#[test]
fn replay_is_linear_in_missing_move_marks() {
    let moves = "50-45 ... 6-1 ... 45-50 ... 1-6 ... ".repeat(5_000);
    let text = format!("[GameType \"20\"]\n[FEN \"W:WK50:BK6\"]\n\n{moves}*\n");
    let mut plies: Vec<Move> = Vec::new();
    let start = std::time::Instant::now();
    let summary = Replayer::new(&ReplayOptions::default()).replay(text.as_bytes(), &mut plies);
    assert_eq!((summary.plies, plies.len()), (20_000, 20_000));
    // Linear, this takes some ten milliseconds. Visiting all earlier moves for each would take a quarter of a minute.
    assert!(start.elapsed() < std::time::Duration::from_secs(4), "{:?}", start.elapsed());
}

/// Trials of other variants must not replace the diagnostics of the moves that were played.
#[test]
fn move_diagnostics_are_those_of_the_chosen_variant() {
    // N002: other squares than those of the capture.
    check(
        "[GameType \"20\"] 1. 31-26 17-21 2. 26x22x17 1-50 *",
        "illegal international 3 Impossible at `1-50` N002 R001",
    );
    // N003: a capture in two texts.
    check(
        "[GameType \"21\"] [FEN \"B:W15,22,32:B11,1\"] 1. 11x18 18x25 32-28 2. 1-30 *",
        "illegal english 2 Impossible at `1-30` N003 R001",
    );
    // N004: an ambiguous move that those after it decide.
    check(
        "[GameType \"22\"] [FEN \"B:W6,7,14,15,32:B3\"] 1... 3x19 2. 7-3 19-14 3. 32-1 *",
        "illegal italian 2 Impossible at `19-14` N004 R001",
    );
    // Without a tag the other variants are tried too.
    check("1. 31-26 17-21 2. 26x22x17 1-50 *", "illegal international 3 Impossible at `1-50` N002 R001");
}

/// The limit counts the diagnostics of moves in the order of play, before that of the stop.
#[test]
fn move_diagnostics_are_limited() {
    let options = ReplayOptions::new().limits(crate::limits::Limits { diagnostics: 1, ..Default::default() });
    let mut replayer = Replayer::new(&options);
    replayer.summary(b"[GameType \"20\"] 1. 31-26 17-21 2. 26x22x17 1-50 *");
    let codes: Vec<_> = replayer.move_diagnostics().iter().map(|diagnostic| diagnostic.code.id()).collect();
    assert_eq!(codes, ["N002"]);
}

#[test]
fn status_and_basis_display_their_names() {
    for status in GameStatus::ALL {
        assert_eq!(status.to_string().parse(), Ok(status));
    }
    let error = "sound".parse::<GameStatus>().expect_err("not a status");
    assert!(error.to_string().starts_with("expected one of `legal`, `illegal`"), "{error}");
    assert_eq!(format!("{:>6}", VariantBasis::Tag), "   tag");
}

#[test]
fn games_of_an_archive_have_the_prior_of_their_input() {
    // The last game is legal in many variants.
    let text = format!("{}1. 9-13 24-20 *\n", "1. 11-15 23-18 2. 8-11 27-23 *\n".repeat(400));
    let alone = Replayer::default().summary(b"1. 9-13 24-20 *");
    assert_ne!((alone.variant, alone.basis), (Variant::English, VariantBasis::File));
    for batch_bytes in [1, 1_000, 1 << 20] {
        let options = OpenOptions::new();
        let streamed = Archive::from_reader(std::io::Cursor::new(text.clone()), "x", &options).unwrap();
        let whole = Archive::from_bytes(text.clone().into_bytes().into(), "x", &options).unwrap();
        for archive in [streamed, whole] {
            let games: Vec<_> = archive.batch_bytes(batch_bytes).games().map(Result::unwrap).collect();
            assert_eq!(games.len(), 401);
            // The order in which they are replayed does not matter.
            let last = Replayer::default().summary(&games[400]);
            assert_eq!((last.variant, last.basis), (Variant::English, VariantBasis::File));
            let mut replayer = Replayer::default();
            for game in &games {
                assert_eq!(replayer.summary(game).variant, Variant::English);
            }
            // A record on its own has no input, whatever was replayed before.
            assert_eq!(replayer.summary(games[400].view()).basis, alone.basis);
        }
        let archive = Archive::from_reader(std::io::Cursor::new(text.clone()), "x", &options).unwrap();
        let threads = std::num::NonZeroUsize::new(3).unwrap();
        let work = |replayer: &mut Replayer, game: archive::GameRef<'_>| replayer.summary(game).variant;
        let variants = archive.batch_bytes(batch_bytes).par_games(threads, Replayer::default, work);
        assert!(variants.map(Result::unwrap).all(|variant| variant == Variant::English));
    }
}

#[test]
fn replayers_with_other_limits_poll_for_themselves() {
    let text = "1. 11-15 23-18 2. 8-11 27-23 *\n".repeat(8);
    let archive = Archive::from_reader(std::io::Cursor::new(text), "x", &OpenOptions::new()).unwrap();
    let game = archive.games().next().unwrap().unwrap();
    let limits = Limits { comment_bytes: 7, ..Limits::DEFAULT };
    let mut other = Replayer::new(&ReplayOptions::new().limits(limits));
    assert_eq!(other.summary(&game).basis, VariantBasis::File);
    assert_eq!(Replayer::default().summary(&game).basis, VariantBasis::File);
}

#[test]
fn prior_of_one_input_is_not_that_of_the_next() {
    let open = |text: &str| {
        Archive::from_reader(std::io::Cursor::new(text.to_owned()), "x", &OpenOptions::new()).unwrap().games()
    };
    let english = open(&"1. 11-15 23-18 2. 8-11 27-23 *\n".repeat(8)).next().unwrap().unwrap();
    let doubtful = open("1. 9-13 24-20 *\n").next().unwrap().unwrap();
    let alone = Replayer::default().summary(&doubtful);
    let mut replayer = Replayer::default();
    assert_eq!(replayer.summary(&english).variant, Variant::English);
    assert_eq!(replayer.summary(&doubtful).variant, alone.variant);
}

/// No second place has to be told the limits of an archive.
#[test]
fn limits_of_an_archive_reach_replayers_and_checkers() {
    use crate::check::{CheckOptions, Checker};

    // A king among men in rows: the search for its capture is long.
    let men: Vec<String> = (0..24).map(|n| (12 * (n / 6) + 7 + n % 6).to_string()).collect();
    let text = format!(
        "[GameType \"27\"][Date \"soon\"][Date \"then\"][FEN \"W:WK72:B{}\"] 1. 72x2 *\n",
        men.join(",")
    );
    let game = |limits: Limits| {
        let archive = Archive::from_reader(std::io::Cursor::new(text.clone()), "x", &OpenOptions::new());
        archive.unwrap().limits(limits).games().next().unwrap().unwrap()
    };
    let limited = game(Limits::new().capture_nodes(10).diagnostics(1));
    let (mut replayer, mut checker) = (Replayer::default(), Checker::new(&CheckOptions::new()));
    assert_eq!(replayer.summary(&limited).status, GameStatus::Unsupported);
    assert_eq!(checker.check(&limited).diagnostics.len(), 1);
    // Those of the options count more, and a game without limits is not limited by the game before it.
    let mut chosen = Replayer::new(&ReplayOptions::new().limits(Limits::DEFAULT));
    assert_eq!(chosen.summary(&limited).status, GameStatus::Legal);
    assert_eq!(replayer.summary(&game(Limits::DEFAULT)).status, GameStatus::Legal);
    assert!(checker.check(&game(Limits::DEFAULT)).diagnostics.len() > 1);
    assert_eq!(replayer.summary(&limited).status, GameStatus::Unsupported);
    assert_eq!(replayer.summary(limited.view()).status, GameStatus::Legal);
}

/// Each text alone, and each beginning of them, may be a capture on another path.
#[test]
fn captures_written_jump_by_jump_are_joined_as_far_as_they_lead() {
    let start = "[GameType \"40\"] \
        [FEN \"B:W24,28,34,35,36,39,43,44,46,47,48:B2,5,6,8,9,10,11,12,13,16,27\"] 1. ... ";
    check(&[start, "27x29 29x49 49x40 40x29 29x20 *"].concat(), "legal frisian 1 N003");
    check(&[start, "27x29 29x49 49x40 40x29 29x20 2. 36-31 *"].concat(), "legal frisian 2 N003");
    // `30x23 23x32` and `30x32` are captures, too.
    let thai = "[GameType \"31\"] 1. 27-23 8-11 2. 25-21 6-9 3. 32-27 9-14 4. 29-25 1-6 5. 25-22 3-8 \
        6. 28-24 5-9 7. 30-25 6-10 8. 21-17 14-30 9. 23-18 ";
    check(&[thai, "30x23 23x32 32x14 10. 24-20 9-13 *"].concat(), "legal thai 20 N003");
}

/// The second text would complete the capture of the first, but begins on another square.
#[test]
fn second_text_of_a_split_capture_begins_where_the_first_ends() {
    let start = "[GameType \"20\"] [FEN \"W:W32:B28,19,1\"] 1. ";
    check(&[start, "32x23 23x14 *"].concat(), "legal international 1 N003");
    check(&[start, "32x23 1x14 *"].concat(), "illegal international 0 Unfinished at `32x23` R005");
}

/// The first number says nothing about a position that a FEN gives.
#[test]
fn game_from_a_fen_is_no_fragment() {
    let fen = "[GameType \"20\"] [FEN \"W:W32,33:B1,2\"] 30. ";
    check(&[fen, "32-28 1-6 31. 33-28 *"].concat(), "illegal international 2 Impossible at `33-28` R001");
    check("[GameType \"20\"] 30. 32-28 1-6 *", "damaged international 0 MissingMove at `32-28` R006");
}

#[test]
fn replayer_reads_each_game_by_its_own_numbering() {
    // Squares counted from the other corners, and then from the usual one.
    let records: Vec<String> =
        ["W,10,10,N0,0", "W,10,10,N1,0", "W,10,10,N3,0", "W,10,10,N2,0", "W,10,10,N0,0"]
            .iter()
            .flat_map(|game| {
                ["32-28", "19-23", "20-25", "31-27"].map(|mv| format!("[GameType \"20,{game}\"] 1. {mv} *"))
            })
            .collect();
    let mut shared = Replayer::new(&ReplayOptions::default());
    let mut plies = Vec::new();
    for record in &records {
        let alone = Replayer::new(&ReplayOptions::default()).replay(record.as_bytes(), &mut ());
        let summary = shared.replay(record.as_bytes(), &mut ());
        assert_eq!((summary.plies, summary.numbering), (alone.plies, alone.numbering), "{record}");
        plies.push(alone.plies);
    }
    assert!(plies.chunks(4).any(|game| *game != plies[..4]), "the numberings differ: {plies:?}");
}

#[test]
fn rest_of_a_line_has_moves_only() {
    let text = "[GameType \"20\"] 1. 32-28 19-24 2. 28-24 ... - /FEN \"W:W31:B1\"/ 31-27 1-6 *";
    let game = annotate(text.as_bytes(), &ReplayOptions::default());
    let rest: Vec<_> = game.main.rest.iter().map(|mv| String::from_utf8_lossy(mv.text)).collect();
    assert_eq!(rest, ["28-24", "31-27", "1-6"]);
}

/// A visitor that breaks off, or enters variations, changes nothing of the replay.
#[test]
fn replay_with_a_visitor_is_the_replay() {
    /// Breaks off at the first move.
    struct FirstMove(u32);
    impl<'g> Visitor<'g> for FirstMove {
        fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
            self.0 += 1;
            Flow::Break(())
        }
    }
    /// Counts the moves of all lines.
    struct AllMoves(u32);
    impl<'g> Visitor<'g> for AllMoves {
        fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
            self.0 += 1;
            Flow::Continue(())
        }
    }
    let records = [
        (&b"[Event \"x\"]\n1. 32-28 {long} 19-23 2. 28x19 14x23 3. 37-32 (3. 33-28 23x32) 10-14 1-0"[..], 8),
        (b"1. 32-28 *", 1),
        (b"[FEN \"W:W31:B1\"]\n31-27 {(} 2. 1-6 ( *", 2),
        (b"", 0),
    ];
    let mut replayer = Replayer::default();
    for (record, all) in records {
        let (mut first, mut every) = (FirstMove(0), AllMoves(0));
        let (mut moves, mut expected) = (Vec::new(), Vec::new());
        let plain = Replayer::default().replay(record, &mut expected);
        assert_eq!(replayer.replay_with(record, &mut first, &mut moves), plain);
        assert_eq!((first.0, &moves), (all.min(1), &expected));
        assert_eq!(replayer.replay_with(record, &mut every, &mut ()), plain);
        assert_eq!(every.0, all, "{}", record.escape_ascii());
    }
}
