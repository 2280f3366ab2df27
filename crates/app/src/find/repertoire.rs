//! The opening tree of several plies as one game: the commonest moves are its main line, the others are variations.

use std::collections::{HashMap, VecDeque};

use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::{Colour, GameResult};
use pdn::write::{GameWriter, WriteError, WriteOptions};
use pdn_index::Index;
use pdn_index::query::{GameTally, OpeningTree, TreeMove, TreeOptions};

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::numbers::{count, plies};
use crate::find::tree::{ChosenGames, FoundTree, TreeRequest};

/// How much of an opening tree is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepertoireSize {
    /// The length of its lines in plies.
    pub plies: u32,
    /// The number of games from which a move is written.
    pub min_games: u64,
    /// The greatest number of positions. It bounds the work, which grows with this number and with that of games.
    pub max_positions: usize,
}

impl Default for RepertoireSize {
    fn default() -> Self {
        Self { plies: 10, min_games: 2, max_positions: 10_000 }
    }
}

/// A position of the tree with the moves that are written.
struct Node {
    turn: Colour,
    moves: Vec<Branch>,
    /// The moves that lead to it from the first position.
    path: Vec<String>,
}

/// A move of a node.
struct Branch {
    played: TreeMove,
    next: Next,
}

/// What is written after a move.
enum Next {
    Nothing,
    Node(usize),
    /// The moves of the position stand at another node.
    Elsewhere(usize),
}

/// The positions of a tree, the first one first. Each has its moves once, at the shortest way to it.
struct Nodes(Vec<Node>);

impl TreeRequest {
    /// Returns the tree below a position that was [found](Self::tree) as a game in PDN. The number of games of each move and the score of
    /// the side that plays it, in percent, are comments: those that [`TreeAnswer`](super::tree::TreeAnswer) has. A position that several
    /// orders of moves reach has its moves once; the others name the moves that lead to them.
    ///
    /// Takes the time of a tree for each position that is written.
    ///
    /// # Errors
    ///
    /// If no move has as many games as are asked for, the tree has too many positions, the index is damaged, or the work was stopped.
    pub fn repertoire(
        &self,
        index: &Index,
        chosen: &ChosenGames,
        found: &FoundTree,
        size: RepertoireSize,
        options: &TreeOptions<'_>,
    ) -> Result<String> {
        let nodes = Nodes::of(&found.tree, size, |position| self.moves_at(index, chosen, position, options))?;
        if nodes.0[0].moves.is_empty() {
            let message = format!("no move was played here in {}", count(size.min_games, "game"));
            return Err(AppError::plain(ErrorCode::NoMatch, message).in_field("min_games"));
        }
        let moves = self.place.moves.as_deref().filter(|_| self.place.fen.is_none());
        let mut writer = begin(found.variant, &found.tree.position, moves.unwrap_or_default());
        let intro = format!(
            "{} here; moves of {} or more, up to {} deep; each with its games, and the score of its side",
            count(found.tree.all.games, "game"),
            count(size.min_games, "game"),
            plies(u64::from(size.plies)),
        );
        let written = writer
            .tag("Event", "Opening tree")
            .and_then(|writer| writer.comment(&intro))
            .and_then(|writer| nodes.write(0, writer));
        match written {
            Ok(()) => Ok(writer.finish(GameResult::Unfinished)),
            Err(error) => Err(AppError::plain(ErrorCode::Unwritable, error.to_string())),
        }
    }
}

/// Begins a game with the moves that lead to a position, if these are given and lead there; else in the position.
fn begin(variant: Variant, position: &Position, moves: &str) -> GameWriter {
    let mut writer = GameWriter::new(variant);
    // A number may be joined to its move: `1.32-28`, `3...19-23`.
    let texts = moves.split_whitespace().filter_map(|word| word.rsplit('.').next());
    let is_played = texts.filter(|text| !text.is_empty()).all(|text| writer.play(text).is_ok());
    if is_played && writer.position().state() == position.state() {
        return writer;
    }
    GameWriter::from_position(*position, &WriteOptions::new())
}

impl Nodes {
    /// Collects the positions breadth first, so that each stands where the fewest moves lead to it. `tree_at` returns the tree of a position.
    fn of(
        first: &OpeningTree,
        size: RepertoireSize,
        mut tree_at: impl FnMut(&Position) -> Result<OpeningTree>,
    ) -> Result<Self> {
        let mut nodes = vec![Node::of(first, size.min_games, Vec::new())];
        let mut known: HashMap<String, usize> = HashMap::from([(first.position.fen(), 0)]);
        let mut queue = VecDeque::from([(0, 1)]);
        while let Some((node, plies)) = queue.pop_front() {
            if plies >= size.plies {
                continue;
            }
            for number in 0..nodes[node].moves.len() {
                let after = nodes[node].moves[number].played.after;
                let fen = after.fen();
                let next = if let Some(&other) = known.get(&fen) {
                    if nodes[other].moves.is_empty() { Next::Nothing } else { Next::Elsewhere(other) }
                } else {
                    if nodes.len() >= size.max_positions {
                        return Err(too_many(size));
                    }
                    let mut path = nodes[node].path.clone();
                    path.push(nodes[node].moves[number].played.text.clone());
                    known.insert(fen, nodes.len());
                    let new = Node::of(&tree_at(&after)?, size.min_games, path);
                    queue.push_back((nodes.len(), plies + 1));
                    nodes.push(new);
                    Next::Node(nodes.len() - 1)
                };
                nodes[node].moves[number].next = next;
            }
        }
        Ok(Self(nodes))
    }

    /// Writes the moves of a node: the first one, the others as its variations, and then the moves after the first one. Calls itself
    /// as often as the lines have plies.
    fn write(&self, node: usize, writer: &mut GameWriter) -> std::result::Result<(), WriteError> {
        let Node { turn, moves, .. } = &self.0[node];
        let Some((main, others)) = moves.split_first() else { return Ok(()) };
        self.write_move(main, *turn, writer)?;
        for other in others {
            writer.begin_variation()?;
            self.write_move(other, *turn, writer)?;
            self.write_next(other, writer)?;
            writer.end_variation()?;
        }
        self.write_next(main, writer)
    }

    fn write_move(
        &self,
        Branch { played, next }: &Branch,
        turn: Colour,
        writer: &mut GameWriter,
    ) -> std::result::Result<(), WriteError> {
        // Null moves are left out of a node.
        if let Some(mv) = &played.mv {
            writer.mv(mv)?;
        }
        let mut text = figures(&played.tally, turn);
        if let Next::Elsewhere(other) = next {
            text += &match self.0[*other].path.as_slice() {
                [] => ", the first position again".to_owned(),
                path => format!(", as after {}", path.join(" ")),
            };
        }
        writer.comment(&text)?;
        Ok(())
    }

    fn write_next(&self, branch: &Branch, writer: &mut GameWriter) -> std::result::Result<(), WriteError> {
        match branch.next {
            Next::Node(node) => self.write(node, writer),
            Next::Nothing | Next::Elsewhere(_) => Ok(()),
        }
    }
}

impl Node {
    fn of(tree: &OpeningTree, min_games: u64, path: Vec<String>) -> Self {
        let is_written = |played: &&TreeMove| played.mv.is_some() && played.tally.games >= min_games;
        let moves = tree.moves.iter().filter(is_written).cloned();
        Self {
            turn: tree.position.turn(),
            moves: moves.map(|played| Branch { played, next: Next::Nothing }).collect(),
            path,
        }
    }
}

/// Returns the error of a tree with too many positions.
fn too_many(size: RepertoireSize) -> AppError {
    let (positions, games) = (count(size.max_positions as u64, "position"), count(size.min_games, "game"));
    let message = format!(
        "lines of {} whose moves have {games} lead to more than {positions}",
        plies(u64::from(size.plies))
    );
    AppError::plain(ErrorCode::TooMuch, message).help("write shorter lines, or moves of more games")
}

/// Returns the numbers of a move: `120 games, 53.2 %`.
fn figures(tally: &GameTally, turn: Colour) -> String {
    let games = count(tally.games, "game");
    tally.score(turn).map_or_else(|| games.clone(), |score| format!("{games}, {score:.1} %"))
}
