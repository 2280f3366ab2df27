//! Tests properties of every position in every variant, on seeded random play.

use std::collections::BTreeSet;

use fastrand::Rng;
use pdn::board::{Square, SquareNaming};
use pdn::game::Game;
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::rules::Variant;
use pdn::value::{Colour, Fen};
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::movegen::{FindError, advance, count_moves, find, find_via, legal_moves};
use pdn_rules::internal::rules::{Ruleset, WithRules, rows};

/// Calls `visit` with every position of `games` random games and its legal moves.
fn random_play(variant: Variant, games: u64, mut visit: impl FnMut(&Position, &[Move], &mut Rng)) {
    let mut list = MoveList::new();
    for seed in 0..games {
        let mut random = Rng::with_seed(crate::common::seed(seed << 16 | u64::from(variant.number())));
        let mut position = Position::start(variant);
        for _ in 0..150 {
            position.legal_moves(&mut list).expect("few captures");
            visit(&position, &list, &mut random);
            if list.is_empty() {
                break;
            }
            position = position.after_unchecked(&list[random.usize(..list.len())]);
        }
    }
}

fn read(position: &Position, fen: &str) -> Position {
    Position::from_fen(*position.game(), &Fen::parse(fen.as_bytes()).expect("a FEN written by the library"))
        .expect("a FEN written by the library")
}

/// Returns the position without its king counters, which FEN does not contain.
fn without_streaks(position: &Position) -> Position {
    Colour::ALL.into_iter().fold(*position, |position, side| position.with_streak(side, Default::default()))
}

#[test]
fn undo_restores_the_position() {
    for &variant in Variant::ALL {
        random_play(variant, 6, |position, moves, _| {
            for mv in moves {
                let mut game = Game::from_position(*position);
                assert_eq!(game.play_move(mv), Ok(()));
                assert_eq!(*game.position(), position.after_unchecked(mv));
                assert_ne!(game.position(), position);
                assert_eq!(game.position().turn(), !position.turn());
                assert_eq!(game.undo(), Some(*mv));
                assert_eq!(game.position(), position);
            }
        });
    }
}

#[test]
fn fen_round_trips_in_every_numbering() {
    for &variant in Variant::ALL {
        random_play(variant, 6, |position, _, _| {
            let bare = without_streaks(position);
            for fen in [
                position.fen_in(SquareNaming::Numeric),
                position.fen_in(SquareNaming::Algebraic),
                position.fen_with_ranges(),
            ] {
                assert_eq!(read(position, &fen), bare, "{fen}");
            }
        });
    }
}

#[test]
fn find_returns_exactly_the_legal_moves() {
    for &variant in Variant::ALL {
        let board = variant.board();
        let squares: Vec<Square> = (0..board.height())
            .flat_map(|row| (0..board.width()).filter_map(move |column| board.square(row, column)))
            .collect();
        random_play(variant, 12, |position, moves, random| {
            for mv in moves {
                assert_eq!(position.is_legal(mv), Ok(true), "{variant} {} {mv:?}", position.fen());
                let flipped = Move::new(mv.from, mv.to, mv.captured, !mv.promotes);
                assert_eq!(position.is_legal(&flipped), Ok(false));
            }
            // Every target of a few squares, and every origin for a few squares.
            for _ in 0..3 {
                let fixed = squares[random.usize(..squares.len())];
                for &other in &squares {
                    for (from, to) in [(fixed, other), (other, fixed)] {
                        let candidates: BTreeSet<&Move> =
                            moves.iter().filter(|mv| mv.from == from && mv.to == to).collect();
                        let expected = match candidates.len() {
                            0 => Err(FindError::Illegal),
                            1 => Ok(**candidates.first().expect("one")),
                            _ => Err(FindError::Ambiguous),
                        };
                        assert_eq!(position.find(from, to, &[]), expected, "{variant} {}", position.fen());
                    }
                }
            }
        });
    }
}

/// Compares `find` with the list of moves for every pair of an own square and another one.
struct FindAll<'a>(&'a Position, &'a [Move], &'a [Square]);

impl WithRules for FindAll<'_> {
    type Output = ();

    fn run<R: Ruleset>(self, rules: R) {
        let Self(position, moves, squares) = self;
        let state = position.state().resized();
        for &from in squares.iter().filter(|from| position.state().side(position.turn()) >> from.0 & 1 != 0) {
            for &to in squares {
                let mut candidates = moves.iter().filter(|mv| mv.from == from && mv.to == to);
                let expected = match (candidates.next(), candidates.next()) {
                    (None, _) => Err(FindError::Illegal),
                    (Some(mv), None) => Ok(mv.resized()),
                    _ => Err(FindError::Ambiguous),
                };
                let found = find(rules, &state, from, to, 1_000_000);
                assert_eq!(found, expected, "{:?} {} {from:?} {to:?}", position.game(), position.fen());
            }
        }
    }
}

#[test]
fn find_returns_exactly_the_legal_captures_of_crowded_boards() {
    let mut list = MoveList::new();
    for &variant in Variant::ALL {
        let board = variant.board();
        let squares: Vec<Square> = (0..board.height())
            .flat_map(|row| (0..board.width()).filter_map(move |column| board.square(row, column)))
            .collect();
        let mut random = Rng::with_seed(crate::common::seed(variant.number().into()));
        let mut captures = [0; 4];
        for _ in 0..3_000 {
            let (men, kings) = (random.u32(1..20), random.u32(0..5));
            let piece = |random: &mut Rng| match random.u32(..50) {
                n if n < men => ["", "K"][usize::from(random.u32(..12) < kings)].to_owned(),
                _ => "-".to_owned(),
            };
            let mut sides = [String::from("W"), String::from("B")];
            for number in 1..=squares.len() {
                let sign = piece(&mut random);
                if sign != "-" {
                    let side = &mut sides[random.usize(..2)];
                    let comma = if side.len() > 1 { "," } else { "" };
                    *side += &format!("{comma}{sign}{number}");
                }
            }
            let fen = format!("{}:{}:{}", ["W", "B"][random.usize(..2)], sides[0], sides[1]);
            let Ok(position) = Position::parse_fen(variant, &fen) else { continue };
            if position.legal_moves(&mut list).is_err() {
                continue;
            }
            list.iter().for_each(|mv| captures[mv.captured_squares().count().min(3)] += 1);
            position.rules().with(FindAll(&position, &list, &squares));
        }
        assert!(captures[1] > 100 && captures[2] > 20, "{variant} {captures:?}");
    }
}

#[test]
fn captures_of_other_pieces_cost_no_search_where_captures_are_not_compared() {
    let english = Variant::English;
    let position = Position::parse_fen(english, "W:W29,K18:B25,14,15,23,7,6").expect("a position");
    let square = |number| english.names().of_number(number).expect("a square");
    let state = position.state().resized();
    let find = |from, to, via| find_via(rows::English, &state, square(from), square(to), &[square(via)], 2);
    assert!(find(29, 22, 25).is_ok());
    // The king has a ring of captures before it.
    assert_eq!(find(18, 9, 14), Err(FindError::Limit));
}

#[test]
fn move_counts_equal_the_lists_of_moves() {
    struct Count<'a>(&'a Position);
    impl WithRules for Count<'_> {
        type Output = (usize, bool);
        fn run<R: Ruleset>(self, rules: R) -> (usize, bool) {
            let mut list = MoveList::<u128>::new();
            let count =
                count_moves(rules, &self.0.state().resized(), 1_000_000, &mut list).expect("few captures");
            (count.moves as usize, count.captures)
        }
    }
    for &variant in Variant::ALL {
        random_play(variant, 12, |position, moves, _| {
            let captures = moves.iter().any(|mv| mv.is_capture());
            assert_eq!(
                position.rules().with(Count(position)),
                (moves.len(), captures),
                "{variant} {}",
                position.fen()
            );
        });
    }
}

#[test]
fn move_texts_resolve_to_their_moves() {
    for &variant in Variant::ALL {
        let names = variant.names();
        random_play(variant, 6, |position, moves, _| {
            let mut texts = BTreeSet::new();
            for mv in moves {
                let text = move_text(position, mv, MoveStyle::Shortest).expect("few captures");
                let squares: Vec<Square> = text
                    .split(['-', 'x', ':'])
                    .map(|name| match name.parse() {
                        Ok(number) => names.of_number(number).expect("a square"),
                        Err(_) => names
                            .of_algebraic(name.as_bytes()[0] - b'a', name[1..].parse().expect("a rank"))
                            .expect("a square"),
                    })
                    .collect();
                let [from, via @ .., to] = &squares[..] else { panic!("two squares in {text}") };
                // Several captures may have the same first and last square. The text names the single jump among them, which `find` does not choose.
                let finds = |via: &[Square]| match position.find(*from, *to, via) {
                    Err(FindError::Ambiguous) => via.is_empty() && mv.is_single_jump(),
                    found => found == Ok(*mv),
                };
                assert!(finds(via), "{variant} {} {text}", position.fen());
                assert_eq!(position.parse_move(&text), Ok(*mv), "{variant} {} {text}", position.fen());
                assert!(texts.insert(text), "two moves have one text");
                for path in position.paths(mv).expect("few captures") {
                    let via = &path.squares[1..path.squares.len() - 1];
                    assert!(finds(via), "{variant} {}", position.fen());
                    if mv.is_capture() {
                        let captured = position.find(mv.from, mv.to, &path.captured);
                        assert_eq!(captured, Ok(*mv), "captured squares name the move too");
                    }
                }
            }
        });
    }
}

#[test]
fn row_types_equal_rules_read_at_run_time() {
    for &variant in Variant::ALL {
        let mut custom = variant.game();
        // No game reaches this limit. The rules are then no row of the table, and nothing else changes.
        if custom.rules.movement.king_streak == 0 {
            custom.rules.movement.king_streak = 255;
        } else {
            continue;
        }
        let mut list = MoveList::new();
        random_play(variant, 8, |position, moves, _| {
            let twin = Position::from_state(custom, *position.state());
            twin.legal_moves(&mut list).expect("few captures");
            assert_eq!(
                list.iter().collect::<BTreeSet<_>>(),
                moves.iter().collect::<BTreeSet<_>>(),
                "{variant} {}",
                position.fen()
            );
        });
    }
}

/// The typed core agrees with `Position`, keys follow moves, and both sides are treated alike.
#[test]
fn typed_core_agrees_with_position() {
    struct Check<'a>(&'a Position, &'a [Move]);
    impl WithRules for Check<'_> {
        type Output = ();
        fn run<R: Ruleset>(self, rules: R) {
            let Self(position, moves) = self;
            let state = position.state().resized::<<R::Geometry as Geometry>::Bits>();
            let key = state.key_on(R::Geometry::BOARD);
            assert_eq!(key, position.key());
            for mv in moves {
                let mut played = state;
                played.play(rules, &mv.resized());
                let after = position.after_unchecked(mv);
                assert_eq!(played.resized(), *after.state());
                assert_eq!(state.key_after::<R::Geometry>(key, &mv.resized()), after.key());
                let mut advanced = state;
                match advance(rules, &mut advanced, mv.from, mv.to, 1_000) {
                    Ok(found) => assert_eq!((found, advanced), (mv.resized(), played)),
                    Err(error) => assert_eq!((error, advanced), (FindError::Ambiguous, state)),
                }
                for found in [
                    find(rules, &state, mv.from, mv.to, 1_000),
                    find_via(rules, &state, mv.from, mv.to, &[], 1_000),
                ] {
                    assert!(found == Ok(mv.resized()) || found == Err(FindError::Ambiguous));
                }
            }
            let mut list = MoveList::new();
            let turned = state.turned::<R::Geometry>();
            assert_eq!(turned.turned::<R::Geometry>(), state);
            legal_moves::<R, u128>(rules, &turned, 1_000, &mut list).expect("few captures");
            assert_eq!(list.len(), moves.len(), "both sides play by the same rules");
        }
    }
    for &variant in Variant::ALL {
        random_play(variant, 4, |position, moves, _| position.rules().with(Check(position, moves)));
    }
}
