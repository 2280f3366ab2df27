//! Sequences of moves and positions of other games, looked for one by one.

use super::game::{Board, CELLS, Game, preferred, squares};

/// A part of a sequence of moves.
#[derive(Clone, Debug)]
pub(crate) enum NaivePart {
    /// The squares on which the move may start and end, any without one, and whether it captures.
    Move(Vec<String>, Vec<String>, bool),
    One,
    Any,
}

/// Moves that are played from a position on.
#[derive(Clone, Debug)]
pub(crate) struct NaivePlayed(pub(crate) Vec<NaivePart>);

impl NaivePlayed {
    pub(crate) fn text(&self) -> String {
        let part = |part: &NaivePart| match part {
            NaivePart::Move(from, to, captures) => {
                format!("{}{}{}", from.join(","), if *captures { "x" } else { "-" }, to.join(","))
            }
            NaivePart::One => ".".to_owned(),
            NaivePart::Any => "..".to_owned(),
        };
        format!("played \"{}\"", self.0.iter().map(part).collect::<Vec<_>>().join(" "))
    }

    pub(crate) fn holds(&self, game: &Game, at: usize) -> bool {
        are_played(&self.0, game, at)
    }
}

fn are_played(parts: &[NaivePart], game: &Game, at: usize) -> bool {
    let Some((part, rest)) = parts.split_first() else { return true };
    match part {
        NaivePart::Any => (at..=game.moves.len()).any(|at| are_played(rest, game, at)),
        NaivePart::One => at < game.moves.len() && are_played(rest, game, at + 1),
        NaivePart::Move(from, to, captures) => {
            let is_one_of = |names: &[String], square: &String| {
                names.is_empty() || names.iter().any(|name| preferred(game.variant, name) == Some(square))
            };
            game.moves.get(at).is_some_and(|made| {
                is_one_of(from, &made.from)
                    && is_one_of(to, &made.to)
                    && made.captured.is_empty() != *captures
            }) && are_played(rest, game, at + 1)
        }
    }
}

/// Returns a sequence of moves like those that were played from a position on.
pub(crate) fn random_played(game: &Game, at: usize, choose: &mut dyn FnMut(usize) -> usize) -> NaivePlayed {
    let all = squares(game.variant);
    let mut parts = Vec::new();
    let count = 1 + choose(5);
    for made in game.moves[at..].iter().take(count) {
        let mut list = |square: &String| match choose(6) {
            0 => Vec::new(),
            1 => vec![all[choose(all.len())].0.clone(), square.clone()],
            _ => vec![square.clone()],
        };
        let mv = NaivePart::Move(list(&made.from), list(&made.to), !made.captured.is_empty());
        match choose(8) {
            0 => parts.push(NaivePart::One),
            1 => parts.extend([NaivePart::Any, mv]),
            2 if !parts.is_empty() => parts.push(NaivePart::Any),
            _ => parts.push(mv),
        }
    }
    if !parts.iter().any(|part| matches!(part, NaivePart::Move(..))) {
        parts.push(NaivePart::Move(Vec::new(), Vec::new(), choose(2) == 0));
    }
    NaivePlayed(parts)
}

/// The positions of a game, numbered from 1: one of them, or all from a ply on.
#[derive(Clone, Debug)]
pub(crate) struct NaiveInGame {
    pub(crate) game: usize,
    pub(crate) first: usize,
    pub(crate) is_single: bool,
    /// The variant and the positions.
    pub(crate) of: Game,
}

impl NaiveInGame {
    pub(crate) fn text(&self) -> String {
        let Self { game, first, is_single, .. } = self;
        if *is_single { format!("fen of {game} at {first}") } else { format!("meets {game} from {first}") }
    }

    pub(crate) fn holds(&self, game: &Game, at: usize) -> bool {
        let cells = |game: &Game, board: &Board| {
            let cells = board.pieces.iter().map(|(square, piece)| (CELLS[&game.variant][square], *piece));
            let mut cells: Vec<_> = cells.collect();
            cells.sort_unstable();
            (cells, board.white, game.variant.board())
        };
        let wanted = if self.is_single {
            &self.of.boards[self.first..=self.first]
        } else {
            &self.of.boards[self.first..]
        };
        let own = &game.boards[at];
        let may_equal = |board: &&Board| board.pieces.len() == own.pieces.len() && board.white == own.white;
        wanted.iter().filter(may_equal).any(|board| cells(&self.of, board) == cells(game, own))
    }
}

/// Returns the condition on some positions of one of the games.
pub(crate) fn random_in_game(games: &[Game], choose: &mut dyn FnMut(usize) -> usize) -> NaiveInGame {
    let number = choose(games.len());
    let of = games[number].clone();
    NaiveInGame { game: number + 1, first: choose(of.boards.len()), is_single: choose(2) == 0, of }
}
