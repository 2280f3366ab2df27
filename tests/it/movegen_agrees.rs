//! Compares the library's generator with its naive twin, on positions from random play and random placements.
//!
//! Compared are the complete legal moves (from, to, captured squares, promotion), each once, and the leaf count of
//! one ply. Compared are also whether there is a move at all, the FEN there and back, the position after one of the
//! moves, and its undo. On every eighth position come all paths, the result of `find` for every pair of squares and
//! for every written path, and the leaf count of two plies. The variants' rows are compared as the library has
//! them; disputed readings and mixed rules are set up in both.

use crate::naive;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use pdn::board::Square;
use pdn::movegen;
use pdn::movegen::MoveList;
use pdn::position::{Move, Position};
use pdn::rules::{GameRules, Variant};
use pdn::value::{Colour as Side, Fen};
use pdn_rules::internal::board::Directions;
use pdn_rules::internal::movegen::FindError;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules as library;
use pdn_rules::internal::rules::Movement;

use crate::naive::board::{Board, Cell, Colour, Rank};
use crate::naive::fen;
use crate::naive::moves::{Path, legal_moves, perft, play};
use crate::naive::random::{Random, placement, with_kings};
use crate::naive::rules::{
    KingLands, KingWorth, KingsEarly, LastRow, ManCaptures, Moves, Precedence, Rules, rules, variants,
};

/// The positions per variant or per set of rules in the everyday test and in the release test.
const EVERYDAY_POSITIONS: usize = 4_000;
const RELEASE_POSITIONS: usize = 100_000;

#[test]
fn generator_equals_naive_twin_in_every_variant() {
    in_parallel(variants().map(Twins::of), EVERYDAY_POSITIONS);
}

#[test]
#[ignore = "minutes; run in release mode"]
fn generator_equals_naive_twin_on_many_positions() {
    in_parallel(variants().map(Twins::of), RELEASE_POSITIONS);
}

#[test]
fn generator_equals_naive_twin_in_disputed_readings() {
    in_parallel(disputed_readings(), EVERYDAY_POSITIONS / 2);
}

#[test]
#[ignore = "minutes; run in release mode"]
fn generator_equals_naive_twin_on_many_disputed_positions() {
    in_parallel(disputed_readings(), RELEASE_POSITIONS);
}

/// Fields of the rules mean the same in combinations that no game has.
#[test]
fn generator_equals_naive_twin_in_mixed_rules() {
    let mut random = Random::new(crate::common::seed(17));
    in_parallel((0..40).map(|_| mixed_rules(&mut random)), 100);
}

#[test]
#[ignore = "minutes; run in release mode"]
fn generator_equals_naive_twin_in_many_mixed_rules() {
    let mut random = Random::new(crate::common::seed(18));
    in_parallel((0..1_000).map(|_| mixed_rules(&mut random)), 1_000);
}

/// Small positions on which generators have failed, with the moves that the text of the rules demands.
#[test]
fn generators_return_the_moves_of_small_traps() {
    let turkish = |last_row| Rules { last_row, ..rules("turkish") };
    let mixed = Rules {
        man_takes_king: true,
        king_flies: true,
        removed_at_once: true,
        precedence: Precedence::Free,
        ..rules("italian")
    };
    for (rules, fen, expected) in [
        // n kings are worth less than 2n men. A king and two men are worth more than two kings, because a king
        // cancels out.
        (rules("frisian"), "W:W25,46:B8,9,K20,K32,K41", &["25-12 takes 8,9,20"][..]),
        // Two kings are worth more than three men.
        (rules("frisian"), "W:W25,46:B8,9,20,K32,K41", &["46-28 takes 32,41"]),
        // If a king is worth a man and a half, both captures are worth three, and either may be made.
        (
            Rules { precedence: Precedence::Value(KingWorth::AManAndAHalf), ..rules("frisian") },
            "W:W25,46:B8,9,20,K32,K41",
            &["25-12 takes 8,9,20", "46-28 takes 32,41"],
        ),
        // Promoted on e1, it may not turn back up the file, although the first captured piece no longer blocks the
        // way.
        (turkish(LastRow::GoesOnAsKing), "B:We2,e4:Be3", &["e3-e1 takes e2 K"]),
        (turkish(LastRow::PassesAsMan), "B:We2,d1:Be3", &["e3-c1 takes e2,d1 K"]),
        (turkish(LastRow::Stops), "B:We2,d1:Be3", &["e3-e1 takes e2 K"]),
        // It may turn back from any square after the first captured piece. That is still one move to each square
        // after the other piece.
        (
            mixed,
            "W:WK14:B10,19",
            &[
                "14-1 takes 10,19",
                "14-23 takes 10,19",
                "14-28 takes 10,19",
                "14-32 takes 10,19",
                "14-5 takes 10,19",
            ],
        ),
    ] {
        let twins = Twins::with_fields(rules);
        let board = fen::read(&twins.rules, fen);
        let moves = twins.compare_position(&board, &twins.position(&board), true);
        let keys: BTreeSet<Key> = moves.iter().map(|mv| twins.key(mv)).collect();
        let mut names = twins.names(keys.iter());
        names.sort();
        assert_eq!(names, expected, "{} {fen}", twins.rules.name);
    }
}

/// The naive start positions equal those of the library.
#[test]
fn start_positions_equal_those_of_naive_twin() {
    for variant in variants() {
        let twins = Twins::of(variant);
        let start = Board::start(&twins.rules);
        assert_eq!(twins.position(&start), Position::start(twins.game), "{variant}");
    }
}

/// Returns the disputed readings of the rules that are not the default of the tables.
fn disputed_readings() -> Vec<Twins> {
    let turkish = || rules("turkish");
    let spantsiretti = || rules("spantsiretti");
    [
        Rules { last_row: LastRow::Stops, ..turkish() },
        Rules { last_row: LastRow::GoesOnAsKing, ..turkish() },
        Rules { king_lands: KingLands::RightBehind, ..turkish() },
        Rules { precedence: Precedence::Value(KingWorth::AManAndAHalf), ..rules("frisian") },
        Rules { precedence: Precedence::Italian(KingsEarly::FirstOnly), ..rules("italian") },
        Rules { precedence: Precedence::MostPieces, last_row: LastRow::PassesAsMan, ..spantsiretti() },
        Rules { rows_of_men: 3, ..rules("thai") },
    ]
    .map(Twins::with_fields)
    .into()
}

/// Returns a variant with several of its fields changed at random.
fn mixed_rules(random: &mut Random) -> Twins {
    let names: Vec<_> = variants().collect();
    let base = rules(names[random.below(names.len())]);
    let captures = match base.moves {
        Moves::Diagonally => &[ManCaptures::AsItMoves, ManCaptures::Diagonally, ManCaptures::EightWays][..],
        Moves::Orthogonally => &[ManCaptures::AsItMoves],
    };
    let precedences = [
        Precedence::Free,
        Precedence::MostPieces,
        Precedence::MostPiecesThenMostKings,
        Precedence::ByKing,
        Precedence::Italian(KingsEarly::Every),
        Precedence::Italian(KingsEarly::FirstOnly),
        Precedence::Value(KingWorth::NearlyTwoMen),
        Precedence::Value(KingWorth::AManAndAHalf),
    ];
    let last_rows = [LastRow::Stops, LastRow::PassesAsMan, LastRow::GoesOnAsKing];
    let mut coin = || random.below(2) == 0;
    let mixed = Rules {
        man_takes_king: coin(),
        king_flies: coin(),
        king_lands: if coin() { KingLands::Anywhere } else { KingLands::RightBehind },
        removed_at_once: coin(),
        no_half_turn: coin(),
        king_moves_in_a_row: coin().then_some(3),
        ..base
    };
    Twins::with_fields(Rules {
        man_captures: captures[random.below(captures.len())],
        precedence: precedences[random.below(precedences.len())],
        last_row: last_rows[random.below(last_rows.len())],
        ..mixed
    })
}

/// Compares each set of rules on this number of positions, on one thread per processor.
fn in_parallel(all: impl IntoIterator<Item = Twins>, positions: usize) {
    let all: Vec<Twins> = all.into_iter().collect();
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let share = all.iter().skip(thread).step_by(threads);
            scope.spawn(move || share.for_each(|twins| twins.compare(positions)));
        }
    });
}

/// The same rules in both generators, and the squares of one for those of the other.
struct Twins {
    rules: Rules,
    game: GameRules,
    squares: HashMap<Cell, Square>,
}

/// From, to, captured squares and promotion; squares as bits.
type Key = (u8, u8, Vec<u8>, bool);

impl Twins {
    /// Creates the twins of a variant with its own rules in both.
    fn of(variant: &str) -> Twins {
        Twins::new(rules(variant), Variant::from_name(variant).expect("a variant").game())
    }

    /// Creates the twins of naive rules and library rules with the same fields.
    fn with_fields(rules: Rules) -> Twins {
        let mut game = Variant::from_name(rules.name).expect("a variant").game();
        game.rules.movement = movement(&rules);
        let setup = game.rules.setup;
        game.rules.setup = library::StartSetup::new(game.rules.board, setup.free(), rules.rows_of_men as u8)
            .expect("half a board");
        Twins::new(rules, game)
    }

    /// Creates the twins of these rules; squares are matched by their names.
    fn new(rules: Rules, game: GameRules) -> Twins {
        let (board, names) = (game.rules.board, game.names());
        let by_name: HashMap<String, Square> = (0..board.height())
            .flat_map(|row| (0..board.width()).filter_map(move |column| board.square(row, column)))
            .map(|square| (names.name(square).to_string(), square))
            .collect();
        let squares: HashMap<Cell, Square> =
            rules.squares().into_iter().map(|cell| (cell, by_name[&rules.name(cell)])).collect();
        assert_eq!(squares.len(), by_name.len(), "{}", rules.name);
        Twins { rules, game, squares }
    }

    /// Compares at least this number of positions: games from the start position, games from random placements,
    /// random placements, and positions of games with some men promoted to kings.
    fn compare(&self, positions: usize) {
        let mut random = Random::new(crate::common::seed(positions as u64));
        let max_pieces = self.rules.squares().len() * 2 / 5;
        let start = Board::start(&self.rules);
        let mut compared = 0;
        while compared < positions {
            compared += self.compare_game(&start, 100, &mut random);
            let endgame = placement(&self.rules, &mut random, 4, 4, 30);
            compared += self.compare_game(&endgame, 30, &mut random);
            for _ in 0..25 {
                let kings = [0, 5, 40, 100][random.below(4)];
                let pieces = if kings < 10 { max_pieces } else { 9 };
                let (white, black) = (1 + random.below(pieces), 1 + random.below(pieces));
                let board = placement(&self.rules, &mut random, white, black, kings);
                self.compare_position(&board, &self.position(&board), compared % 8 == 0);
                compared += 1;
            }
            let mut board = start.clone();
            for _ in 0..60 {
                let moves = legal_moves(&self.rules, &board);
                if moves.is_empty() {
                    break;
                }
                board = play(&board, &moves[random.below(moves.len())]);
                if random.below(3) == 0 {
                    let kinged = with_kings(&board, &mut random, 12);
                    self.compare_position(&kinged, &self.position(&kinged), compared % 8 == 0);
                    compared += 1;
                }
            }
        }
    }

    /// Plays random moves in both and compares every position on the way; returns the number of positions.
    fn compare_game(&self, start: &Board, plies: usize, random: &mut Random) -> usize {
        let mut board = start.clone();
        let mut position = self.position(start);
        for ply in 0..plies {
            let moves = self.compare_position(&board, &position, ply % 8 == 3);
            if moves.is_empty() {
                return ply + 1;
            }
            let chosen = random.below(moves.len());
            let mv = self.library_move(&moves[chosen]);

            let mut played = position;
            assert_eq!(played.play(&mv), Ok(()), "{}: {mv:?}", self.describe(&board));
            assert_eq!(played, position.after_unchecked(&mv));
            position = played;

            board = play(&board, &moves[chosen]);
            let (expected, got) = (*self.position(&board).state(), *position.state());
            assert_eq!(
                (got.pieces, got.kings, got.turn),
                (expected.pieces, expected.kings, expected.turn),
                "{}: after {mv:?}",
                self.describe(&board)
            );
        }
        plies
    }

    /// Compares one position and returns its moves.
    fn compare_position(
        &self,
        board: &Board,
        position: &Position,
        thorough: bool,
    ) -> Vec<naive::moves::Move> {
        let moves = legal_moves(&self.rules, board);
        let expected: BTreeMap<Key, &naive::moves::Move> =
            moves.iter().map(|mv| (self.key(mv), mv)).collect();

        let mut list = MoveList::new();
        position.legal_moves(&mut list).expect("far from the limit");
        let got: BTreeSet<Key> = list.iter().map(key).collect();
        assert!(
            got.iter().eq(expected.keys()),
            "{}\n missing {:?}\n wrong {:?}",
            self.describe(board),
            self.names(expected.keys().filter(|key| !got.contains(key))),
            self.names(got.iter().filter(|key| !expected.contains_key(key))),
        );
        assert_eq!(list.iter().count(), got.len(), "{}: a move twice", self.describe(board));
        assert_eq!(position.has_move(), !moves.is_empty(), "{}", self.describe(board));
        for mv in list.iter() {
            assert_eq!(position.is_legal(mv), Ok(true), "{} {mv:?}", self.describe(board));
        }

        let text = fen::print(&self.rules, board);
        let parsed = Fen::parse(text.as_bytes()).expect("a good FEN");
        let read = Position::from_fen_lenient(self.game, &parsed, |_| {}).expect("a good position");
        assert_eq!(read, self.position(board), "{text}");
        assert_eq!(read.fen(), text);

        let unlimited = Rules { king_moves_in_a_row: None, ..self.rules.clone() };
        let depth = if thorough && moves.len() < 20 { 2 } else { 1 };
        assert_eq!(
            movegen::perft(position, depth, movegen::DEFAULT_CAPTURE_NODES),
            Ok(perft(&unlimited, board, depth)),
            "{}: perft {depth}",
            self.describe(board)
        );
        if thorough {
            self.compare_paths(board, position, &expected);
            self.compare_pairs(board, position, &moves);
        }
        moves
    }

    /// Compares all paths of every move, and checks that each written path is resolved to its move.
    fn compare_paths(&self, board: &Board, position: &Position, moves: &BTreeMap<Key, &naive::moves::Move>) {
        let bits = |squares: &[Square]| -> Vec<u8> { squares.iter().map(|square| square.bit()).collect() };
        for naive_move in moves.values() {
            let mv = self.library_move(naive_move);
            let expected: BTreeSet<(Vec<u8>, Vec<u8>)> = naive_move
                .paths
                .iter()
                .map(|Path { squares, captured }| (bits(&self.all(squares)), bits(&self.all(captured))))
                .collect();
            let paths = position.paths(&mv).expect("far from the limit");
            let got: BTreeSet<(Vec<u8>, Vec<u8>)> =
                paths.iter().map(|path| (bits(&path.squares), bits(&path.captured))).collect();
            assert_eq!(got, expected, "{}: paths of {mv:?}", self.describe(board));
            assert_eq!(paths.len(), got.len(), "{}: a path twice", self.describe(board));
            for path in &naive_move.paths {
                let squares = self.all(&path.squares);
                match position.find(mv.from, mv.to, &squares[1..squares.len() - 1]) {
                    // Written paths are matched liberally, so another capture may match this path too.
                    Ok(found) => assert_eq!(found, mv, "{}: {path:?}", self.describe(board)),
                    Err(error) => {
                        assert_eq!(error, FindError::Ambiguous, "{}: {path:?}", self.describe(board))
                    }
                }
            }
        }
    }

    /// Compares, for every pair of squares, the only move between them, or whether there is none or more than one.
    fn compare_pairs(&self, board: &Board, position: &Position, moves: &[naive::moves::Move]) {
        for (&from_cell, &from) in &self.squares {
            for (&to_cell, &to) in &self.squares {
                let mut matching = moves.iter().filter(|mv| mv.from == from_cell && mv.to == to_cell);
                let expected = match (matching.next(), matching.next()) {
                    (None, _) => Err(FindError::Illegal),
                    (Some(mv), None) => Ok(self.library_move(mv)),
                    (Some(_), Some(_)) => Err(FindError::Ambiguous),
                };
                let found = position.find(from, to, &[]);
                assert_eq!(
                    found,
                    expected,
                    "{}: {} to {}",
                    self.describe(board),
                    self.rules.name(from_cell),
                    self.rules.name(to_cell)
                );
                if expected == Err(FindError::Illegal) {
                    let quiet = Move::quiet(from.bit(), to.bit(), false);
                    assert_eq!(position.is_legal(&quiet), Ok(false), "{}", self.describe(board));
                }
            }
        }
    }

    fn position(&self, board: &Board) -> Position {
        let side = |colour| if colour == Colour::White { Side::White } else { Side::Black };
        let mut state = State::<u128>::empty(side(board.turn));
        for colour in [Colour::White, Colour::Black] {
            for (cell, rank) in board.pieces(colour) {
                let bit = 1 << self.squares[&cell].bit();
                state.pieces[colour as usize] |= bit;
                if rank == Rank::King {
                    state.kings |= bit;
                }
            }
        }
        Position::from_state(self.game, state)
    }

    fn library_move(&self, mv: &naive::moves::Move) -> Move {
        let captured = mv.captured.iter().fold(0, |set, cell| set | 1 << self.squares[cell].bit());
        Move::new(self.squares[&mv.from], self.squares[&mv.to], captured, mv.promotes)
    }

    fn key(&self, mv: &naive::moves::Move) -> Key {
        key(&self.library_move(mv))
    }

    fn all(&self, cells: &[Cell]) -> Vec<Square> {
        cells.iter().map(|cell| self.squares[cell]).collect()
    }

    /// Describes a position so that a failing test can be repeated.
    fn describe(&self, board: &Board) -> String {
        format!(
            "{}\n in {:?}\n king runs {:?}",
            fen::print(&self.rules, board),
            self.rules,
            board.king_streaks
        )
    }

    fn names<'a>(&self, keys: impl Iterator<Item = &'a Key>) -> Vec<String> {
        let name = |bit: u8| {
            let found = self.squares.iter().find(|(_, square)| square.bit() == bit);
            found.map_or("?".to_owned(), |(&cell, _)| self.rules.name(cell))
        };
        keys.map(|(from, to, captured, promotes)| {
            let captured: Vec<String> = captured.iter().map(|&bit| name(bit)).collect();
            let promotion = if *promotes { " K" } else { "" };
            format!("{}-{} takes {}{promotion}", name(*from), name(*to), captured.join(","))
        })
        .collect()
    }
}

fn key(mv: &Move) -> Key {
    let captured = mv.captured_squares().map(|square| square.bit()).collect();
    (mv.from.bit(), mv.to.bit(), captured, mv.promotes)
}

/// Returns the fields of the library for the naive rules.
fn movement(rules: &Rules) -> Movement {
    let (man_steps, king_moves) = match rules.moves {
        Moves::Diagonally => (Directions::FORWARD, Directions::DIAGONAL),
        Moves::Orthogonally => (Directions::FORWARD_AND_SIDEWAYS, Directions::ORTHOGONAL),
    };
    let (man_captures, king_captures) = match rules.man_captures {
        ManCaptures::AsItMoves => (man_steps, king_moves),
        ManCaptures::Diagonally => (Directions::DIAGONAL, king_moves),
        ManCaptures::EightWays => (Directions::EIGHT, Directions::EIGHT),
    };
    let mut movement = Variant::International.rules().movement;
    movement.man_steps = man_steps;
    movement.man_captures = man_captures;
    movement.king_moves = king_moves;
    movement.king_captures = king_captures;
    movement.flying = rules.king_flies;
    movement.king_landing = match rules.king_lands {
        KingLands::Anywhere => library::KingLanding::Anywhere,
        KingLands::RightBehind => library::KingLanding::RightBehind,
    };
    movement.removal = if rules.removed_at_once { library::Removal::AtOnce } else { library::Removal::AtEnd };
    movement.reversal = !rules.no_half_turn;
    movement.mid_promotion = match rules.last_row {
        LastRow::Stops => library::MidPromotion::Stops,
        LastRow::PassesAsMan => library::MidPromotion::GoesOnAsMan,
        LastRow::GoesOnAsKing => library::MidPromotion::GoesOnAsKing,
    };
    movement.man_takes_king = rules.man_takes_king;
    movement.precedence = match rules.precedence {
        Precedence::Free => library::Precedence::Free,
        Precedence::MostPieces => library::Precedence::MostPieces,
        Precedence::MostPiecesThenMostKings => library::Precedence::MostPiecesThenKings,
        Precedence::ByKing => library::Precedence::WithKing,
        Precedence::Italian(KingsEarly::Every) => {
            library::Precedence::Italian(library::ItalianOrder::EveryKing)
        }
        Precedence::Italian(KingsEarly::FirstOnly) => {
            library::Precedence::Italian(library::ItalianOrder::FirstKing)
        }
        Precedence::Value(KingWorth::NearlyTwoMen) => {
            library::Precedence::Value(library::KingValue::AlmostTwoMen)
        }
        Precedence::Value(KingWorth::AManAndAHalf) => {
            library::Precedence::Value(library::KingValue::ManAndHalf)
        }
    };
    movement.king_streak = rules.king_moves_in_a_row.map_or(0, |moves| moves as u8);
    movement
}
