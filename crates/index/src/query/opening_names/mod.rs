//! Names the opening that the moves of a game show, whatever its Opening tag says.
//!
//! The folder `openings` of the repository has a file for each variant whose openings have names. A query defines a name:
//!
//! - `line "11-15 23-19"` defines a *named position*, to which any order of moves may lead.
//! - `ply 8..40 and pattern "w27,28,32 b19,23,24"` defines a *structure*: contents of squares that a game has at some ply of
//!   the range.
//!
//! An opening has up to two names: that of the last named position of the game within its first 24 plies, and that of its
//! structure, of several the first in the file. Structures count in games that begin with the start position.
//!
//! Naming a game takes some hundred nanoseconds, because only its first plies are played.
//!
//! Not here: the Opening tag; and the `openings` of an index, which are beginnings that its games have in common.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::OnceLock;

use super::conditions::MoveSequence;
use super::eval::{BoardTest, CompiledQuery, Frame, PlyFromStart};
use super::language::{Condition, Query};
use crate::pack::game::PlayableGame;
use crate::pack::{CorruptMoves, MoveCodec};
use crate::{GameKind, IndexedGame};
use pdn::error::Result;
use pdn::position::{Move, Position};
use pdn::replay::{GameStatus, ReplayOptions, Replayer, VariantBasis};
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_names::NamePattern;
use pdn_rules::internal::board::{Bits, Geometry, WithBoard};
use pdn_rules::internal::position::State;

/// The number of plies after which no named position counts. The longest definition has less than half of them.
const LAST_POSITION_PLY: u32 = 24;

/// The named openings of a variant.
///
/// ```
/// use pdn_index::internal::query::OpeningNames;
/// use pdn::rules::Variant;
///
/// let names = OpeningNames::of(Variant::English).expect("English openings have names");
/// let name = |moves| names.of_moves(moves).map(|played| names.text(played));
/// assert_eq!(name("11-15 23-19 9-14 27-23").as_deref(), Some("Defiance"));
/// // By another order of moves, and with a move after it that leads to no other name.
/// assert_eq!(name("11-15 22-17 8-11 23-19 4-8 25-22").as_deref(), Some("Old Fourteenth"));
/// assert_eq!(name("11-15 23-23"), None);
/// assert!(OpeningNames::of(Variant::Frisian).is_none());
/// ```
#[derive(Debug)]
pub struct OpeningNames {
    variant: Variant,
    /// The names, in the order of the file.
    names: Vec<&'static str>,
    /// The query that defines each name.
    definitions: Vec<Query>,
    positions: NamedPositions,
    /// The structures, in the order of the file.
    structures: Vec<Structure>,
    /// The start position.
    start: State<u64>,
    /// The last ply that can give a name.
    last_ply: u32,
}

/// What names the opening of a game or a position: numbers of the names of [`OpeningNames`]. Without either, it has no name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct PlayedOpening {
    /// The last named position of the game.
    position: Option<u16>,
    /// The structure of the game: of those that it has, the first in the file.
    structure: Option<u16>,
}

/// The contents of squares that name the games which have them.
#[derive(Debug)]
struct Structure {
    plies: RangeInclusive<u32>,
    /// One of these has to pass.
    tests: Vec<BoardTest<u64>>,
    name: u16,
}

impl Structure {
    #[inline]
    fn matches(&self, state: &State<u64>) -> bool {
        self.tests.iter().any(|test| test.matches(state))
    }
}

impl OpeningNames {
    /// Returns the named openings of a variant; `None` if none of its openings has a name here. The first call reads all files.
    pub fn of(variant: Variant) -> Option<&'static Self> {
        static ALL: OnceLock<Vec<OpeningNames>> = OnceLock::new();
        let read = |(variant, file)| OpeningNames::new(variant, &read(file));
        let all = ALL.get_or_init(|| FILES.into_iter().map(read).collect());
        all.iter().find(|names| names.variant == variant)
    }

    /// Compiles the definitions of a variant.
    fn new(variant: Variant, openings: &[NamedOpening]) -> Self {
        let (mut positions, mut structures) = (Vec::new(), Vec::new());
        for (name, opening) in (0..).zip(openings) {
            match opening.definition() {
                Definition::Positions(lines) => positions.extend(lines.into_iter().map(|line| {
                    let position =
                        line.play(&variant.game()).expect("the moves of every definition are legal");
                    let State { pieces: men, turn, .. } = position.state().resized();
                    NamedPosition { men, turn, name }
                })),
                Definition::Structure(plies, pattern) => {
                    let tests = variant.board().with(CompilePattern { variant, pattern });
                    structures.push(Structure { plies: plies.clone(), tests, name });
                }
            }
        }
        let last_structure = structures.iter().map(|structure| *structure.plies.end()).max();
        Self {
            variant,
            names: openings.iter().map(|opening| opening.name).collect(),
            definitions: openings.iter().map(|opening| opening.definition.clone()).collect(),
            positions: NamedPositions::new(&positions),
            structures,
            start: Position::start(variant).state().resized(),
            last_ply: last_structure.unwrap_or(0).max(LAST_POSITION_PLY),
        }
    }

    /// Returns all names, in the order of the file.
    pub fn all(&self) -> &[&'static str] {
        &self.names
    }

    /// Returns each name, in the order of the file, with the query for the games that have it. Their hits are at the ply at which the
    /// position or the structure that defines the name first stands.
    pub fn queries(&self) -> impl Iterator<Item = (&'static str, Query)> {
        let query =
            |name, definition: &Query| Query::opening_played(&format!("={name}")) & definition.clone();
        self.names
            .iter()
            .zip(&self.definitions)
            .map(move |(&name, definition)| (name, query(name, definition)))
    }

    /// Returns the names of an opening as text: that of its position, then that of its structure, with `; ` between them. Empty
    /// without a name.
    pub fn text(&self, opening: PlayedOpening) -> String {
        self.names_of(opening).collect::<Vec<_>>().join("; ")
    }

    /// Returns the names of an opening: that of its position, then that of its structure.
    pub fn names_of(&self, opening: PlayedOpening) -> impl Iterator<Item = &'static str> {
        [opening.position, opening.structure]
            .into_iter()
            .flatten()
            .map(|number| self.names[usize::from(number)])
    }

    /// Names the opening of a game with these moves, such as `1. 32-28 19-23`, from the start position; `None` if they cannot
    /// be played.
    pub fn of_moves(&self, moves: &str) -> Option<PlayedOpening> {
        let mut played: Vec<Move> = Vec::new();
        let summary =
            Replayer::new(&ReplayOptions::new().variant(self.variant)).replay(moves.as_bytes(), &mut played);
        if !matches!(summary.status, GameStatus::Legal | GameStatus::Empty) {
            return None;
        }
        let mut positions = vec![summary.start_position()];
        for mv in &played {
            positions.extend(positions.last().map(|position| position.after_unchecked(mv)));
        }
        Some(self.of_positions(positions.iter().map(Position::state)))
    }

    /// Names the opening of a game by its first positions.
    pub fn of_positions<'s>(&self, positions: impl Iterator<Item = &'s State<u128>>) -> PlayedOpening {
        let mut walk = Walk::new(self);
        for (ply, state) in (0..).zip(positions) {
            if walk.pass(state, ply).is_break() {
                break;
            }
        }
        walk.found
    }

    /// Names the opening of a game of an index.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    pub fn of_game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
    ) -> std::result::Result<PlayedOpening, CorruptMoves> {
        self.of_packed(game.codec, game.start, game.bytes)
    }

    /// Names the opening of a packed game. It begins in `start` unless its moves begin with a setup.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[inline]
    pub(crate) fn of_packed<G: Geometry>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<G::Bits>,
        bytes: &[u8],
    ) -> std::result::Result<PlayedOpening, CorruptMoves> {
        let mut walk = Walk::new(self);
        codec.positions(start, bytes, |state, _, ply| walk.pass(state, ply))?;
        Ok(walk.found)
    }

    /// Names a position of which it is not known how a game reached it. Its structure counts if the men tell a ply of the
    /// range, or if some were captured and at least two thirds of all are left.
    pub fn of_position(&self, position: &Position) -> PlayedOpening {
        if *position.rules() != self.variant.rules() {
            return PlayedOpening::default();
        }
        let state = position.state().resized::<u64>();
        let (men, has_kings) = (state.occupied().count(), state.kings.any());
        let ply = PlyFromStart::new(position.rules(), &self.start, state.pieces, has_kings);
        let is_in_opening = |plies: &RangeInclusive<u32>| match ply {
            PlyFromStart::Only { ply, .. } => plies.contains(&ply),
            PlyFromStart::Any => !has_kings && 3 * men >= 2 * self.start.occupied().count(),
            PlyFromStart::Never => false,
        };
        let mut structures = self.structures.iter().filter(|structure| is_in_opening(&structure.plies));
        PlayedOpening {
            position: self.positions.name(&state),
            structure: structures.find(|structure| structure.matches(&state)).map(|found| found.name),
        }
    }
}

/// The positions of a game that were passed, as far as they name its opening.
struct Walk<'n> {
    names: &'n OpeningNames,
    found: PlayedOpening,
    /// What was found before the last position.
    before: PlayedOpening,
    /// The ply of the last position.
    ply: u32,
    /// Whether the game begins with the start position of the variant.
    from_start: bool,
}

impl<'n> Walk<'n> {
    #[inline]
    fn new(names: &'n OpeningNames) -> Self {
        let found = PlayedOpening::default();
        Self { names, found, before: found, ply: u32::MAX, from_start: false }
    }

    /// Passes the next position. It replaces one of the same ply: a setup does.
    #[inline]
    fn pass<B: Bits>(&mut self, state: &State<B>, ply: u32) -> ControlFlow<()> {
        let [white, black] = state.pieces.map(|pieces| pieces.widen() as u64);
        let state =
            State { pieces: [white, black], kings: state.kings.widen() as u64, ..State::empty(state.turn) };
        if ply == self.ply {
            self.found = self.before;
        }
        (self.before, self.ply) = (self.found, ply);
        if ply == 0 {
            self.from_start = (state.pieces, state.kings) == (self.names.start.pieces, 0);
        }
        if ply <= LAST_POSITION_PLY {
            self.found.position = self.names.positions.name(&state).or(self.found.position);
        }
        if self.from_start {
            for structure in &self.names.structures {
                if self.found.structure == Some(structure.name) {
                    break;
                }
                if structure.plies.contains(&ply) && structure.matches(&state) {
                    self.found.structure = Some(structure.name);
                    break;
                }
            }
        }
        if ply >= self.names.last_ply { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A pattern that is compiled for the board of a variant.
struct CompilePattern<'a> {
    variant: Variant,
    pattern: &'a Query,
}

impl WithBoard for CompilePattern<'_> {
    type Output = Vec<BoardTest<u64>>;

    fn run<G: Geometry>(self) -> Self::Output {
        let kind = GameKind {
            variant: self.variant,
            numbering: self.variant.game().numbering,
            basis: VariantBasis::Tag,
        };
        match CompiledQuery::new::<G>(self.pattern, &kind, Frame::default(), &mut |_| Ok(0)) {
            Ok(CompiledQuery::Board(tests)) => tests.iter().map(BoardTest::resized).collect(),
            _ => panic!("a definition names contents of squares"),
        }
    }
}

/// Whether the names of an opening match a pattern, for games of one variant.
#[derive(Clone, Debug)]
pub(in crate::query) struct OpeningTest {
    names: Option<&'static OpeningNames>,
    /// For each name whether it matches.
    matching: Vec<bool>,
    /// Whether games without a name match.
    unnamed: bool,
}

impl OpeningTest {
    /// Compares a pattern with the names of a variant.
    pub(in crate::query) fn new(variant: Variant, pattern: &NamePattern) -> Self {
        let names = OpeningNames::of(variant);
        let matches = |name: &&str| pattern.matches(name);
        let matching = names.map_or_else(Vec::new, |names| names.all().iter().map(matches).collect());
        Self { names, matching, unnamed: pattern.matches("") }
    }

    /// Returns `false` if no game of the variant matches.
    pub(in crate::query) fn may_match(&self) -> bool {
        self.unnamed || self.matching.contains(&true)
    }

    /// Returns `true` if a packed game matches that begins in `start` unless it begins with a setup.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[inline]
    pub(in crate::query) fn matches<G: Geometry>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<G::Bits>,
        bytes: &[u8],
    ) -> std::result::Result<bool, CorruptMoves> {
        if !self.may_match() {
            return Ok(false);
        }
        let Some(names) = self.names else { return Ok(self.unnamed) };
        let PlayedOpening { position, structure } = names.of_packed(codec, start, bytes)?;
        let is_matching = |name: Option<u16>| name.is_some_and(|name| self.matching[usize::from(name)]);
        let is_unnamed = position.is_none() && structure.is_none();
        Ok(is_matching(position) || is_matching(structure) || is_unnamed && self.unnamed)
    }
}

/// Returns the names of the opening of an indexed game, as [`OpeningNames::text`] writes them; empty without a name.
///
/// # Errors
/// If a section of the index is damaged.
pub fn played_opening(game: &IndexedGame<'_>) -> Result<String> {
    let kind = game.kind()?;
    let Some(names) = OpeningNames::of(kind.variant) else { return Ok(String::new()) };
    let start = Position::start(kind.game());
    match kind.variant.board().with(NamePacked { names, start, bytes: game.moves()? }) {
        Ok(opening) => Ok(names.text(opening)),
        // Unpacking says which section is damaged.
        Err(CorruptMoves) => game.plies().map(|_| String::new()),
    }
}

/// A packed game whose opening is named.
struct NamePacked<'a> {
    names: &'a OpeningNames,
    start: Position,
    bytes: &'a [u8],
}

impl WithBoard for NamePacked<'_> {
    type Output = std::result::Result<PlayedOpening, CorruptMoves>;

    fn run<G: Geometry>(self) -> Self::Output {
        self.names.of_packed(&MoveCodec::<G>::new(), &self.start.state().resized(), self.bytes)
    }
}

/// The file of each variant whose openings have names. Brazilian draughts has the board and the drawn openings of Russian draughts, and
/// so the names of their positions.
const FILES: [(Variant, &str); 4] = [
    (Variant::International, include_str!("../../../openings/international.tsv")),
    (Variant::English, include_str!("../../../openings/english.tsv")),
    (Variant::Russian, RUSSIAN),
    (Variant::Brazilian, RUSSIAN),
];

const RUSSIAN: &str = include_str!("../../../openings/russian.tsv");

/// An opening with a name.
#[derive(Clone, Debug)]
struct NamedOpening {
    name: &'static str,
    definition: Query,
}

/// What defines an opening.
#[derive(Debug)]
enum Definition<'q> {
    /// One of the positions after these moves.
    Positions(Vec<&'q MoveSequence>),
    /// Contents of squares at a ply of a range.
    Structure(&'q RangeInclusive<u32>, &'q Query),
}

/// Reads a file: after the header, a line for each opening with its name, a tab, and the query that defines it.
///
/// # Panics
/// If a line is not of this form; a test reads all files.
fn read(file: &'static str) -> Vec<NamedOpening> {
    let read = |line: &'static str| {
        let (name, definition) = line.split_once('\t').expect("a name, a tab and a definition");
        NamedOpening { name, definition: Query::parse(definition).expect("a query") }
    };
    file.lines().skip(1).map(read).collect()
}

impl NamedOpening {
    /// Returns what the query says.
    ///
    /// # Panics
    /// If it is of neither form; a test reads all files.
    fn definition(&self) -> Definition<'_> {
        match &self.definition {
            Query::And(parts) => match parts.as_slice() {
                [Query::Is(Condition::Ply(plies)), pattern] => Some(Definition::Structure(plies, pattern)),
                _ => None,
            },
            Query::Or(parts) => parts.iter().map(line).collect::<Option<_>>().map(Definition::Positions),
            query => line(query).map(|line| Definition::Positions(vec![line])),
        }
        .expect("moves, or a range of plies and a pattern")
    }
}

/// Returns the moves of a query that asks for the position after them.
fn line(query: &Query) -> Option<&MoveSequence> {
    match query {
        Query::Is(Condition::Line(line)) => Some(line),
        _ => None,
    }
}

/// A position of men, with the number of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct NamedPosition {
    men: [u64; 2],
    turn: Colour,
    name: u16,
}

/// Positions by their squares. At least half of the places are free.
// Twin: boards compared one by one, in tests/it/query_naive; test: any_query_matches_as_the_naive_evaluation.
#[derive(Debug, Default)]
struct NamedPositions {
    places: Vec<Option<NamedPosition>>,
}

impl NamedPositions {
    /// Makes a table of different positions.
    fn new(positions: &[NamedPosition]) -> Self {
        let mut table = Self { places: vec![None; (2 * positions.len()).next_power_of_two()] };
        for position in positions {
            let mut place = table.first_place(position.men);
            while table.places[place].is_some() {
                place = table.next_place(place);
            }
            table.places[place] = Some(*position);
        }
        table
    }

    /// Returns the number of the name of a position; `None` if it has none.
    #[inline]
    fn name(&self, state: &State<u64>) -> Option<u16> {
        if state.kings.any() {
            return None;
        }
        let mut place = self.first_place(state.pieces);
        while let Some(named) = self.places.get(place)? {
            if named.men == state.pieces && named.turn == state.turn {
                return Some(named.name);
            }
            place = self.next_place(place);
        }
        None
    }

    /// Returns where the search for a position begins.
    #[inline]
    fn first_place(&self, [white, black]: [u64; 2]) -> usize {
        // The upper half of a product depends on all bits of a factor.
        let mixed = (white ^ black.rotated(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        mixed as usize & self.places.len().wrapping_sub(1)
    }

    #[inline]
    fn next_place(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }
}

#[cfg(test)]
mod tests;
