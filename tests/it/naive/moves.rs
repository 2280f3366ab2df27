//! Generates all legal moves: all capture paths, filtered by the rules of precedence; quiet moves only without a
//! capture.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Cell, Colour, Piece, Rank};
use super::rules::{KingLands, KingWorth, KingsEarly, LastRow, ManCaptures, Moves, Precedence, Rules};

/// A direction: columns and rows from one square of a line to the next.
type Direction = (i32, i32);

const FORWARD_DIAGONALS: [Direction; 2] = [(-1, 1), (1, 1)];
const DIAGONALS: [Direction; 4] = [(-1, 1), (1, 1), (-1, -1), (1, -1)];
const FORWARD_AND_SIDEWAYS: [Direction; 3] = [(0, 1), (-1, 0), (1, 0)];
const ORTHOGONALS: [Direction; 4] = [(0, 1), (-1, 0), (1, 0), (0, -1)];
const EIGHT_WAYS: [Direction; 8] = [(-1, 1), (1, 1), (-1, -1), (1, -1), (0, 2), (-2, 0), (2, 0), (0, -2)];

/// A legal move, defined by from, to, the set of captured squares and promotion.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Move {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    pub(crate) captured: BTreeSet<Cell>,
    pub(crate) promotes: bool,
    /// All paths of the move. A piece that goes straight on is said to land on the first square after the captured
    /// piece.
    pub(crate) paths: BTreeSet<Path>,
}

/// One path of a move.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Path {
    /// The squares that the piece stands on, from the first to the last.
    pub(crate) squares: Vec<Cell>,
    /// The captured squares in the order of capture.
    pub(crate) captured: Vec<Cell>,
}

/// Returns the legal moves in ascending order.
pub(crate) fn legal_moves(rules: &Rules, board: &Board) -> Vec<Move> {
    let captures = with_precedence(rules, all_captures(rules, board));
    if captures.is_empty() { quiet_moves(rules, board) } else { merge_paths(captures) }
}

/// Returns the position after a move.
pub(crate) fn play(board: &Board, mv: &Move) -> Board {
    let mut after = board.clone();
    let mut piece = board.at(mv.from).expect("a piece to move");
    after.put(mv.from, None);
    for &jumped in &mv.captured {
        after.put(jumped, None);
    }

    let quiet_king_move = mv.captured.is_empty() && piece.rank == Rank::King;
    let mine = &mut after.king_streaks[piece.colour as usize];
    *mine = match *mine {
        _ if !quiet_king_move => None,
        Some((king, moves)) if king == mv.from => Some((mv.to, moves + 1)),
        _ => Some((mv.to, 1)),
    };
    let theirs = &mut after.king_streaks[piece.colour.other() as usize];
    if theirs.is_some_and(|(king, _)| mv.captured.contains(&king)) {
        *theirs = None;
    }

    if mv.promotes {
        piece.rank = Rank::King;
    }
    after.put(mv.to, Some(piece));
    after.turn = board.turn.other();
    after
}

/// Counts leaves; moves at the last ply are counted, not made.
pub(crate) fn perft(rules: &Rules, board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = legal_moves(rules, board);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| perft(rules, &play(board, mv), depth - 1)).sum()
}

fn quiet_moves(rules: &Rules, board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    for (from, rank) in board.pieces(board.turn) {
        if rank == Rank::King && is_at_king_limit(rules, board, from) {
            continue;
        }
        for direction in quiet_directions(rules, board.turn, rank) {
            let mut to = from.step(direction);
            while board.is_free(to) {
                let promotes = rank == Rank::Man && is_last_row(rules, board.turn, to);
                let path = Path { squares: vec![from, to], captured: Vec::new() };
                let paths = BTreeSet::from([path]);
                moves.push(Move { from, to, captured: BTreeSet::new(), promotes, paths });
                if rank == Rank::Man || !rules.king_flies {
                    break;
                }
                to = to.step(direction);
            }
        }
    }
    moves.sort();
    moves
}

/// Returns `true` if this king has made the allowed number of quiet moves in a row and its side still has a man.
fn is_at_king_limit(rules: &Rules, board: &Board, king: Cell) -> bool {
    match (rules.king_moves_in_a_row, board.king_streaks[board.turn as usize]) {
        (Some(limit), Some((cell, moves))) => cell == king && moves >= limit && board.has_man(board.turn),
        _ => false,
    }
}

/// A complete capture.
#[derive(Clone, Debug)]
struct Capture {
    from: Cell,
    by: Rank,
    jumps: Vec<Jump>,
    promotes: bool,
}

/// One jump of a capture.
#[derive(Clone, Copy, Debug)]
struct Jump {
    direction: Direction,
    jumped: Cell,
    jumped_rank: Rank,
    landing: Cell,
}

fn all_captures(rules: &Rules, board: &Board) -> Vec<Capture> {
    let mut captures = Vec::new();
    for (from, by) in board.pieces(board.turn) {
        let piece = Piece { colour: board.turn, rank: by };
        let mut without_piece = board.clone();
        without_piece.put(from, None);
        let mut search = Search { rules, from, by, jumps: Vec::new(), captures: &mut captures };
        search.continue_from(&without_piece, from, piece);
    }
    captures
}

struct Search<'a> {
    rules: &'a Rules,
    from: Cell,
    by: Rank,
    jumps: Vec<Jump>,
    captures: &'a mut Vec<Capture>,
}

impl Search<'_> {
    /// Follows every jump from this cell; a capture that cannot continue is complete.
    fn continue_from(&mut self, board: &Board, at: Cell, piece: Piece) {
        let jumps = self.jumps_from(board, at, piece);
        if jumps.is_empty() {
            self.finish(at, piece);
            return;
        }
        // After one jumped piece, squares from which the capture continues exclude squares from which it does not.
        let continues: Vec<bool> =
            jumps.iter().map(|&jump| self.continues_after(board, jump, piece)).collect();
        for (index, &jump) in jumps.iter().enumerate() {
            let another_does = jumps
                .iter()
                .zip(&continues)
                .any(|(other, &continues)| continues && other.jumped == jump.jumped);
            if another_does && !continues[index] {
                continue;
            }
            let (board, piece) = self.after(board, jump, piece);
            self.jumps.push(jump);
            if self.stops_at(jump.landing, piece) {
                self.finish(jump.landing, piece);
            } else {
                self.continue_from(&board, jump.landing, piece);
            }
            self.jumps.pop();
        }
    }

    fn continues_after(&mut self, board: &Board, jump: Jump, piece: Piece) -> bool {
        let (board, piece) = self.after(board, jump, piece);
        if self.stops_at(jump.landing, piece) {
            return false;
        }
        self.jumps.push(jump);
        let continues = !self.jumps_from(&board, jump.landing, piece).is_empty();
        self.jumps.pop();
        continues
    }

    /// Returns the board and the jumping piece after a jump; the piece itself stays off the board.
    fn after(&self, board: &Board, jump: Jump, mut piece: Piece) -> (Board, Piece) {
        let mut board = board.clone();
        if self.rules.removed_at_once {
            board.put(jump.jumped, None);
        }
        if self.rules.last_row == LastRow::GoesOnAsKing && is_last_row(self.rules, piece.colour, jump.landing)
        {
            piece.rank = Rank::King;
        }
        (board, piece)
    }

    fn stops_at(&self, landing: Cell, piece: Piece) -> bool {
        piece.rank == Rank::Man
            && self.rules.last_row == LastRow::Stops
            && is_last_row(self.rules, piece.colour, landing)
    }

    fn finish(&mut self, at: Cell, piece: Piece) {
        if self.jumps.is_empty() {
            return;
        }
        let ends_on_last_row = is_last_row(self.rules, piece.colour, at);
        let promotes = self.by == Rank::Man && (piece.rank == Rank::King || ends_on_last_row);
        self.captures.push(Capture { from: self.from, by: self.by, jumps: self.jumps.clone(), promotes });
    }

    /// Returns every single jump from this cell, one for each landing square.
    fn jumps_from(&self, board: &Board, at: Cell, piece: Piece) -> Vec<Jump> {
        let flies = piece.rank == Rank::King && self.rules.king_flies;
        let mut jumps = Vec::new();
        for direction in capture_directions(self.rules, piece) {
            if self.rules.no_half_turn
                && self.jumps.last().is_some_and(|last| last.direction == (-direction.0, -direction.1))
            {
                continue;
            }
            let mut jumped = at.step(direction);
            while flies && board.is_free(jumped) {
                jumped = jumped.step(direction);
            }
            let Some(other) = board.at(jumped) else { continue };
            let already_captured = self.jumps.iter().any(|jump| jump.jumped == jumped);
            let protected = piece.rank == Rank::Man && other.rank == Rank::King && !self.rules.man_takes_king;
            if other.colour == piece.colour || already_captured || protected {
                continue;
            }
            let mut landing = jumped.step(direction);
            while board.is_free(landing) {
                jumps.push(Jump { direction, jumped, jumped_rank: other.rank, landing });
                if !flies || self.rules.king_lands == KingLands::RightBehind {
                    break;
                }
                landing = landing.step(direction);
            }
        }
        jumps
    }
}

impl Capture {
    fn pieces(&self) -> usize {
        self.jumps.len()
    }

    fn kings(&self) -> usize {
        self.jumps.iter().filter(|jump| jump.jumped_rank == Rank::King).count()
    }

    /// For each captured piece in order, whether it is a king; the greater list has its kings earlier.
    fn kings_in_order(&self) -> Vec<bool> {
        self.jumps.iter().map(|jump| jump.jumped_rank == Rank::King).collect()
    }

    /// Returns the number of men captured before the first king, negated so that more is better.
    fn first_king(&self) -> i64 {
        let men = self.jumps.iter().take_while(|jump| jump.jumped_rank == Rank::Man).count();
        -(men as i64)
    }

    /// Returns the value in hundredths of a man. With 1.99 men a king, n kings stay between 2n-1 and 2n men up to n
    /// = 99.
    fn value(&self, king: KingWorth) -> usize {
        let worth = match king {
            KingWorth::NearlyTwoMen => 199,
            KingWorth::AManAndAHalf => 150,
        };
        let kings = self.kings();
        kings * worth + (self.pieces() - kings) * 100
    }
}

/// Keeps only the captures that the rules of precedence allow.
fn with_precedence(rules: &Rules, captures: Vec<Capture>) -> Vec<Capture> {
    match rules.precedence {
        Precedence::Free => captures,
        Precedence::MostPieces => greatest(captures, Capture::pieces),
        Precedence::MostPiecesThenMostKings => greatest(greatest(captures, Capture::pieces), Capture::kings),
        Precedence::ByKing => greatest(captures, |capture| capture.by),
        Precedence::Italian(early) => {
            let captures = greatest(captures, Capture::pieces);
            let captures = greatest(captures, |capture| capture.by);
            let captures = greatest(captures, Capture::kings);
            match early {
                KingsEarly::Every => greatest(captures, Capture::kings_in_order),
                KingsEarly::FirstOnly => greatest(captures, Capture::first_king),
            }
        }
        Precedence::Value(king) => {
            greatest(greatest(captures, |capture| capture.value(king)), |capture| capture.by)
        }
    }
}

fn greatest<K: Ord>(mut captures: Vec<Capture>, key: impl Fn(&Capture) -> K) -> Vec<Capture> {
    if let Some(best) = captures.iter().map(&key).max() {
        captures.retain(|capture| key(capture) == best);
    }
    captures
}

/// Merges all paths with the same from, to, captured set and promotion into one move.
fn merge_paths(captures: Vec<Capture>) -> Vec<Move> {
    let mut moves: BTreeMap<(Cell, Cell, BTreeSet<Cell>, bool), BTreeSet<Path>> = BTreeMap::new();
    for capture in captures {
        let to = capture.jumps[capture.jumps.len() - 1].landing;
        let captured: Vec<Cell> = capture.jumps.iter().map(|jump| jump.jumped).collect();
        let set: BTreeSet<Cell> = captured.iter().copied().collect();

        let mut squares = vec![capture.from];
        for pair in capture.jumps.windows(2) {
            let straight_on = pair[0].direction == pair[1].direction;
            let first_after = pair[0].jumped.step(pair[0].direction);
            squares.push(if straight_on { first_after } else { pair[0].landing });
        }
        squares.push(to);

        let key = (capture.from, to, set, capture.promotes);
        moves.entry(key).or_default().insert(Path { squares, captured });
    }
    moves
        .into_iter()
        .map(|((from, to, captured, promotes), paths)| Move { from, to, captured, promotes, paths })
        .collect()
}

fn is_last_row(rules: &Rules, colour: Colour, cell: Cell) -> bool {
    match colour {
        Colour::White => cell.y == rules.height - 1,
        Colour::Black => cell.y == 0,
    }
}

fn quiet_directions(rules: &Rules, colour: Colour, rank: Rank) -> Vec<Direction> {
    match (rules.moves, rank) {
        (Moves::Diagonally, Rank::Man) => seen_by(colour, &FORWARD_DIAGONALS),
        (Moves::Diagonally, Rank::King) => DIAGONALS.to_vec(),
        (Moves::Orthogonally, Rank::Man) => seen_by(colour, &FORWARD_AND_SIDEWAYS),
        (Moves::Orthogonally, Rank::King) => ORTHOGONALS.to_vec(),
    }
}

fn capture_directions(rules: &Rules, piece: Piece) -> Vec<Direction> {
    match (rules.man_captures, piece.rank) {
        (ManCaptures::EightWays, _) => EIGHT_WAYS.to_vec(),
        (ManCaptures::Diagonally, Rank::Man) => DIAGONALS.to_vec(),
        (ManCaptures::AsItMoves, _) | (ManCaptures::Diagonally, Rank::King) => {
            quiet_directions(rules, piece.colour, piece.rank)
        }
    }
}

fn seen_by(colour: Colour, directions: &[Direction]) -> Vec<Direction> {
    directions.iter().map(|&(dx, dy)| (dx, dy * colour.forward())).collect()
}
