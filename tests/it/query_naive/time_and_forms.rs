//! Operators on the course of a game, repetitions, and forms of queries, in games made for them.

use super::archive::archive;
use super::naive_query::NaiveQuery;
use super::{Case, case};
use pdn::rules::Variant;
use pdn_index::query::{Hit, Query, Search};
use std::num::NonZeroUsize;

impl Case {
    /// Returns all hits of a query, as pairs of the number of the game from 0 and the ply; they are the same in every index.
    fn all_hits(&self, text: &str) -> Vec<(u64, u32)> {
        let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = self.indexes.iter().map(|(_, index)| {
            let (hits, _) = Search::new(index, &query, NonZeroUsize::MIN)?.all_hits(usize::MAX)?;
            Ok(hits.into_iter().map(|Hit { game, ply, .. }| (game, ply)).collect::<Vec<_>>())
        });
        let found: Vec<_> = found.collect::<pdn::Result<_>>().expect("sound");
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
        found.into_iter().next().expect("an index")
    }

    /// Returns the first ply of each game at which a query is true.
    fn first_hits(&self, text: &str) -> Vec<(u64, u32)> {
        let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let search = Search::new(&self.indexes[0].1, &query, NonZeroUsize::MIN).expect("sound");
        let (hits, _) = search.hits(usize::MAX).expect("sound");
        hits.into_iter().map(|Hit { game, ply, .. }| (game, ply)).collect()
    }
}

/// Two kings that move to and fro, 200 plies.
fn shuffle() -> String {
    let moves = ["1-6", "46-41", "6-1", "41-46"].repeat(50).join(" ");
    format!("[GameType \"20\"]\n[FEN \"W:WK1:BK46\"]\n{moves} *\n\n")
}

#[test]
fn positions_that_come_back_are_counted_across_batches() {
    let turkish = "[GameType \"30\"]\n1. a3-a4 a6-a5 2. b3-b4 b6-b5 *\n\n";
    let case = case(&[(shuffle() + turkish).as_bytes()], 1 << 20);
    assert_eq!(case.all_hits("repeats 3 and ply 0..199"), [(0, 8), (0, 9), (0, 10), (0, 11)]);
    assert_eq!(case.all_hits("repeats >= 51"), [(0, 200)]);
    assert_eq!(case.first_hits("repeats >= 17"), [(0, 64)]);
    assert_eq!(case.first_hits("ever repeats 50 and not repeats >= 2"), [(0, 0)]);
    for (from, to) in [(1, 1), (2, 2), (3, 99), (17, 17), (51, 51), (52, 99)] {
        case.check(&NaiveQuery::Repeats(from, to));
    }
}

#[test]
fn men_that_step_sideways_repeat_positions() {
    // Men of Turkish draughts step sideways, so that positions come back without any king.
    let text = "[GameType \"30\"]\n[FEN \"W:Wa3:Bh6\"]\n1. a3-b3 h6-g6 2. b3-a3 g6-h6 3. a3-b3 h6-g6 *\n\n";
    let case = case(&[text.as_bytes()], 1 << 20);
    assert_eq!(case.games[0].moves.len(), 6);
    assert_eq!(case.all_hits("repeats 2"), [(0, 4), (0, 5), (0, 6)]);
    case.check(&NaiveQuery::Repeats(2, 9));
}

/// The facts of a game tell whether anyone promoted.
#[test]
fn games_without_kings_are_not_played_for_repetitions() {
    let played = |text: String, query: &str| {
        let case = case(&[text.as_bytes()], 1 << 20);
        let query = Query::parse(query).expect("a query");
        let search = Search::new(&case.indexes[0].1, &query, NonZeroUsize::MIN).expect("sound");
        search.plan().played
    };
    let men = |variant: &str, moves: &str| format!("[GameType \"{variant}\"]\n{moves} *\n\n");
    assert_eq!(played(men("20", "1. 32-28 19-23 2. 28x19 14x23"), "repeats 2"), 0);
    assert_eq!(
        played(men("20", "1. 32-28 19-23 2. 28x19 14x23"), "repeats 1"),
        1,
        "every position stands once"
    );
    assert_eq!(played(shuffle(), "repeats 2"), 1, "a setup may have kings");
    assert_eq!(played(men("30", "1. a3-a4 a6-a5"), "repeats 2"), 1, "men step sideways");
}

#[test]
fn null_moves_and_setups_repeat_positions_without_kings() {
    let text = "[GameType \"20\"]\n1. 32-28 /FEN \"W:::\"/ 2. /FEN \"B:::\"/ 19-23 *\n\n\
                [GameType \"20\"]\n1. 32-28 19-23 /FEN \"W:W31-50:B1-20\"/ 2. 32-28 19-23 *\n\n";
    let case = case(&[text.as_bytes()], 1 << 20);
    // After two null moves, Black is to move again; the setup brings the start position back.
    assert_eq!(case.all_hits("repeats 2"), [(0, 3), (1, 2), (1, 3)]);
    assert_eq!(
        case.all_hits("repeats 1 and last"),
        [(0, 4), (1, 4)],
        "the position before the setup was replaced"
    );
}

#[test]
fn piece_that_has_just_moved_is_retaken() {
    let text = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *\n\n\
                [GameType \"20\"]\n1. 32-28 19-23 2. 28x19 /FEN \"B:W19,31-50:B1-18,20\"/ 14x23 *\n\n";
    let case = case(&[text.as_bytes()], 1 << 20);
    assert_eq!(
        case.all_hits("move retakes"),
        [(0, 2), (0, 3), (1, 2)],
        "a setup replaces the piece that moved"
    );
    assert_eq!(case.all_hits("move retakes by black"), [(0, 3)]);
    assert_eq!(case.all_hits("move takes 1 and not move retakes"), [(1, 3)]);
}

#[test]
fn moves_retake_across_batch_borders() {
    let case = case(&[archive(&[Variant::International, Variant::Canadian], 60).as_bytes()], 1 << 20);
    let retakes = || {
        Box::new(NaiveQuery::Move {
            from: None,
            to: None,
            king: None,
            white: None,
            promotes: None,
            takes: None,
            over: Vec::new(),
            retakes: true,
        })
    };
    let mut games = 0;
    for at in [0, 1, 62, 63, 64, 65, 127, 128, 129] {
        games += case.check(&NaiveQuery::And(Box::new(NaiveQuery::Ply(at, at)), retakes()));
        let later = Box::new(NaiveQuery::Ply(at + 65, at + 65));
        for within in [1..=1, 1..=64, 1..=65, 64..=64, 65..=65, 66..=99, 2..=3] {
            case.check(&NaiveQuery::After(later.clone(), retakes(), within.clone()));
            case.check(&NaiveQuery::Then(retakes(), later.clone(), within));
        }
    }
    assert!(games > 0);
    for count in [0..=0, 1..=1, 2..=9999] {
        let games = case.check(&NaiveQuery::Times(retakes(), count));
        // Games with one retaking move are rare.
        assert!(games > 0 || crate::common::outside_seed() != 0);
    }
}

#[test]
fn time_is_seen_from_the_position_in_question() {
    let text = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *\n";
    let case = case(&[text.as_bytes()], 1 << 20);
    let hits = |text: &str| case.all_hits(text).into_iter().map(|(_, ply)| ply).collect::<Vec<_>>();
    // The captures are played at plies 2 and 3.
    assert_eq!(hits("ply 0..1 then move takes 1 within 1"), [1]);
    assert_eq!(hits("move takes 1 after ply 0 within 2"), [2]);
    assert_eq!(hits("move takes 1 after ply 0 within 3..4"), [3]);
    assert_eq!(hits("move takes 1 after ply 0"), [2, 3]);
    assert_eq!(hits("ply 0 then move takes 1 within 3"), [0]);
    assert_eq!(hits("ply 0 then move takes 1 within 4..9"), [0; 0]);
    assert_eq!(hits("fen \"W:W31-50:B1-20\" after move"), [0; 0], "nothing is before the first position");
    // Counted over the whole game, the last position included.
    assert_eq!(hits("move takes 1 times 2 and ply 0..1"), [0, 1]);
    assert_eq!(hits("all times 7 and last"), [6]);
    assert_eq!(hits("move takes 1 times 3.."), [0; 0]);
    assert_eq!(hits("nothing times 0 and last"), [6]);
    assert_eq!(hits("first move takes 1"), [2]);
    assert_eq!(hits("first (move takes 1 after move takes 1)"), [3]);
    assert_eq!(hits("ever move takes 1"), hits("move takes 1 times >= 1"));
}

#[test]
fn colour_blind_questions_find_both_colours() {
    let text = "[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteElo \"2100\"]\n[WhiteTeam \"Red\"]\n[GameType \"20\"]\n\
                1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 2-0\n\n\
                [White \"Bob\"]\n[Black \"Ann\"]\n[BlackElo \"2100\"]\n[BlackTeam \"Red\"]\n[GameType \"20\"]\n\
                1. 32-28 19-24 2. 28-22 18x27 3. 31x22 17x28 0-2\n\n\
                [White \"Cid\"]\n[Black \"Dan\"]\n[GameType \"20\"]\n1. 32-28 1-1\n\n";
    let case = case(&[text.as_bytes()], 1 << 20);
    let games = |text: &str| case.first_hits(text).into_iter().map(|(game, _)| game).collect::<Vec<_>>();
    for query in [
        "white : ann",
        "white : ann and winner white",
        "white : ann and result win",
        "rating white 2100",
        "tag WhiteTeam : red",
        "white : ann and tag WhiteTeam = red",
        "white = ann and not white = bob",
    ] {
        assert_eq!(games(query), [0], "{query}");
        assert_eq!(games(&format!("({query}) flipped")), [0, 1], "{query}");
    }
    // Squares are turned too: Black has not moved 19-23 in the second game.
    assert_eq!(games("(white : ann and move 32-28) flipped"), [0]);
    assert_eq!(games("(white : ann and move 32-28 by white) flipped"), [0]);
    assert_eq!(games("(black : ann and move 19-24 by black) flipped"), [1]);
    // Ann is a piece ahead as Black, and behind as White.
    assert_eq!(games("(white : ann and last and w-b >= 1) flipped"), [1]);
    assert_eq!(games("(white : ann and last and b-w >= 1) flipped"), [0]);
    assert_eq!(games("white : ann and (last and w-b >= 1) flipped"), [0]);
    assert_eq!(games("(white : ann and (move 19-23 then w-b = 1)) flipped"), [0, 1]);
}

#[test]
fn other_side_to_move_is_looked_at() {
    let text = "[GameType \"20\"]\n1. 32-28 19-23 *\n";
    let case = case(&[text.as_bytes()], 1 << 20);
    let hits = |text: &str| case.all_hits(text).into_iter().map(|(_, ply)| ply).collect::<Vec<_>>();
    assert_eq!(hits("white to move"), [0, 2]);
    assert_eq!(hits("white to move passed"), [1]);
    assert_eq!(hits("fen \"B:W31-50:B1-20\" passed"), [0]);
    assert_eq!(hits("line \"32-28\" passed"), [0; 0]);
    assert_eq!(hits("(fen \"W:W28,31,33-50:B1-20\") passed"), [1]);
    assert_eq!(hits("(white to move then black to move within 1) passed"), [1]);
    assert_eq!(hits("(white to move flipped) passed"), [0, 1, 2]);
    assert_eq!(hits("((white to move passed) and ply 1) passed"), [0; 0]);
    assert_eq!(hits("((white to move passed) and ply 2) passed"), [2]);
}

#[test]
fn shifted_squares_stay_on_the_board_within_other_forms() {
    let text = "[GameType \"20\"]\n[FEN \"W:W28,32:B23\"]\n1. 28x19 *\n\n[GameType \"20\"]\n[FEN \"W:W6,46:B1\"]\n1. 46-41 *\n";
    let case = case(&[text.as_bytes()], 1 << 20);
    let at_start = |text: &str| {
        case.all_hits(&format!("{text} and ply 0")).into_iter().map(|(game, _)| game).collect::<Vec<_>>()
    };
    let none: [u64; 0] = [];
    // Two white men on a line that rises to the right: 32 and 28, or any such squares.
    assert_eq!(at_start("pattern \"w33,38\" shifted"), [0]);
    assert_eq!(at_start("pattern \"w33,38\""), none);
    assert_eq!(at_start("pattern \"w33,39\" shifted"), none);
    assert_eq!(at_start("pattern \"w38,33 b28\" shifted"), none);
    assert_eq!(at_start("pattern \"w32,28 b23\" shifted"), [0]);
    assert_eq!(at_start("pattern \"b24 w28\" shifted"), none);
    // The square before a white man is empty; there is none to the left of 6 and 46.
    assert_eq!(at_start("pattern \".37 w41\" shifted"), [1]);
    assert_eq!(at_start("pattern \"w32 .27\" shifted"), [0]);
    assert_eq!(at_start("pattern \"w32 .37\" shifted"), [0]);
    assert_eq!(at_start("pattern \"w32 .38\" shifted"), [0, 1]);
    // Two black men before a white one. Seen by Black and moved, they are the white men and the black one of the first game.
    assert_eq!(at_start("pattern \"b24,29 w33\" shifted"), none);
    assert_eq!(at_start("(pattern \"b24,29 w33\" flipped and wm=2) shifted"), [0]);
    assert_eq!(at_start("pattern \"b24,29 w33\" flipped"), none);
    // Areas are moved, pieces on the whole board are counted as they are.
    assert_eq!(at_start("w on 33,38 = 2 shifted"), [0]);
    assert_eq!(at_start("w on 33,39 = 2 shifted"), none);
    assert_eq!(at_start("(w on 33,38 = 2 and w = 2) shifted"), [0]);
    assert_eq!(at_start("(w on 33,38 - w = 0 and b on 28 = 0) shifted"), [0]);
    assert_eq!(at_start("(played \"33x24\" and w on 38 = 1) shifted"), [0]);
    // A named area is that of the pieces: their own back row goes up, and the other one stays out of it.
    assert_eq!(at_start("wm on back = 2 shifted"), at_start("wm on 46-50 = 2 shifted"));
    assert_eq!(at_start("wm on back = 2 shifted"), none);
    assert_eq!(
        at_start("(wm on back = 0 and p = 3) shifted"),
        at_start("(wm on 46-50 = 0 and p = 3) shifted")
    );
    assert_eq!(at_start("(wm on back = 1 and wm = 2) shifted"), [0, 1]);
    assert_eq!(at_start("(wm on back + bm on back = 2 and p = 3) shifted"), [1]);
    // The moves of a query go together with its patterns.
    assert_eq!(at_start("(move 33x24 and pattern \"w38\") shifted"), [0]);
    assert_eq!(at_start("(move 33x24 and pattern \"w37\") shifted"), none);
}
