//! The named openings of a variant, and the naming of games and positions.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::OnceLock;

use super::definitions::{self, Definition, NamedOpening};
use super::named_positions::{NamedPosition, NamedPositions};
use crate::GameKind;
use crate::pack::{CorruptMoves, MoveCodec};
use crate::query::eval::{BoardTest, CompiledQuery, Frame, PlyFromStart};
use crate::query::language::Query;
use crate::query::playable_game::PlayableGame;
use pdn::board::Bits;
use pdn::position::{Move, Position};
use pdn::replay::{GameStatus, ReplayOptions, Replayer, VariantBasis};
use pdn::rules::Variant;
use pdn_rules::internal::board::{Geometry, WithBoard};
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
    pub(super) position: Option<u16>,
    /// The structure of the game: of those that it has, the first in the file.
    pub(super) structure: Option<u16>,
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
        let read = |(variant, file)| OpeningNames::new(variant, &definitions::read(file));
        let all = ALL.get_or_init(|| definitions::FILES.into_iter().map(read).collect());
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
    pub fn of_game<G: Geometry>(&self, game: &PlayableGame<'_, G>) -> Result<PlayedOpening, CorruptMoves> {
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
    ) -> Result<PlayedOpening, CorruptMoves> {
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
