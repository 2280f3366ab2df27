//! The type of a question, and how to build one.

use std::ops::{BitAnd, BitOr, Not, RangeInclusive};

use super::dates::DateRange;
use super::line::MoveSequence;
use super::manoeuvre::{MoveCondition, Sacrifice};
use super::material::PieceCountCondition;
use super::pattern::Pattern;
use crate::names::{NameMatch, NamePattern};
use crate::replay::GameStatus;
use crate::rules::Variant;
use crate::value::{Colour, Outcome};

/// A question: true or false at a position of a game; see the [module](super).
///
/// Built from the functions below with `&`, `|` and `!`, or read from text; both give the same type.
///
/// ```
/// use pdn::query::Query;
/// use pdn::value::Colour;
///
/// let lost_as_white = Query::white("tinsley") & Query::winner(Some(Colour::Black));
/// let decided = !Query::winner(None) & Query::plies(40..=80);
/// assert_ne!(lost_as_white, decided);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Query {
    /// A condition on the game or on the position.
    Is(Condition),
    /// The question is false.
    Not(Box<Query>),
    /// All of them are true; with none, true.
    And(Vec<Query>),
    /// At least one of them is true; with none, false.
    Or(Vec<Query>),
    /// True at some position of the same game.
    Ever(Box<Query>),
    /// True where the first is true, if the second is at a later position.
    Then {
        /// Here.
        first: Box<Query>,
        /// There.
        second: Box<Query>,
        /// At most so many plies later, at least one.
        within: u32,
    },
    /// True here and after each of the next so many plies.
    For {
        /// What has to last.
        query: Box<Query>,
        /// How long.
        plies: u32,
    },
}

/// What a question consists of.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// About the game: the same at all its positions.
    Game(GameCondition),
    /// What stands on the board.
    Board(Pattern),
    /// The position that these moves lead to from the start, by whatever moves it came about.
    Line(MoveSequence),
    /// How many pieces there are.
    Material(PieceCountCondition),
    /// Who is to move.
    Turn(Colour),
    /// How many plies have been played.
    Ply(RangeInclusive<u32>),
    /// The last position of the game.
    Last,
    /// The next move.
    Move(MoveCondition),
    /// The next moves.
    Sacrifice(Sacrifice),
}

/// A condition on a game as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum GameCondition {
    /// A tag has a value like this.
    Tag(Field, NamePattern),
    /// It was surely played in this time.
    Date(DateRange),
    /// A rating lies in a range. A player without a rating lies in none.
    Rating(RatedPlayer, RangeInclusive<u16>),
    /// The first number of the round lies in a range.
    Round(RangeInclusive<u16>),
    /// Legal plies of the main line.
    Plies(RangeInclusive<u32>),
    /// The result in terms of the side that starts.
    Result(Outcome),
    /// This colour won; `None` for nobody: a draw, lost for both, or unknown.
    Winner(Option<Colour>),
    /// How far it could be replayed.
    Status(GameStatus),
    /// It was played by the rules of this variant.
    Variant(Variant),
}

/// A tag that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Field {
    /// White's name.
    White,
    /// Black's name.
    Black,
    /// The name of either player.
    Player,
    /// The name of the player who won.
    Winner,
    /// The name of the player who lost.
    Loser,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The round, as written.
    Round,
    /// The result, as written.
    Result,
}

/// Whose rating is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum RatedPlayer {
    /// White's.
    White,
    /// Black's.
    Black,
    /// That of each of both.
    Both,
    /// That of at least one.
    Either,
}

impl From<Condition> for Query {
    fn from(condition: Condition) -> Self {
        Self::Is(condition)
    }
}

impl From<GameCondition> for Query {
    fn from(condition: GameCondition) -> Self {
        Self::Is(Condition::Game(condition))
    }
}

impl Default for Query {
    /// The question that every position answers.
    fn default() -> Self {
        Self::And(Vec::new())
    }
}

impl Query {
    /// True at every position.
    pub fn all() -> Self {
        Self::default()
    }

    /// White's name; read as [`NamePattern::parse`] does.
    pub fn white(name: &str) -> Self {
        Self::tag(Field::White, NamePattern::parse(name))
    }

    /// Black's name; read as [`NamePattern::parse`] does.
    pub fn black(name: &str) -> Self {
        Self::tag(Field::Black, NamePattern::parse(name))
    }

    /// The name of either player; read as [`NamePattern::parse`] does.
    pub fn player(name: &str) -> Self {
        Self::tag(Field::Player, NamePattern::parse(name))
    }

    /// The event; read as [`NamePattern::parse`] does.
    pub fn event(name: &str) -> Self {
        Self::tag(Field::Event, NamePattern::parse(name))
    }

    /// The site; read as [`NamePattern::parse`] does.
    pub fn site(name: &str) -> Self {
        Self::tag(Field::Site, NamePattern::parse(name))
    }

    /// A tag has a value like this.
    pub fn tag(field: Field, names: NamePattern) -> Self {
        GameCondition::Tag(field, names).into()
    }

    /// A tag has this value, apart from case, accents and punctuation.
    pub fn exactly(field: Field, value: &str) -> Self {
        Self::tag(field, NamePattern::new(value, NameMatch::Exact))
    }

    /// Surely played in this time.
    pub fn date(range: DateRange) -> Self {
        GameCondition::Date(range).into()
    }

    /// A rating in this range.
    pub fn rating(whose: RatedPlayer, range: RangeInclusive<u16>) -> Self {
        GameCondition::Rating(whose, range).into()
    }

    /// The first number of the round in this range.
    pub fn round(range: RangeInclusive<u16>) -> Self {
        GameCondition::Round(range).into()
    }

    /// So many legal plies.
    pub fn plies(range: RangeInclusive<u32>) -> Self {
        GameCondition::Plies(range).into()
    }

    /// The result in terms of the side that starts.
    pub fn result(outcome: Outcome) -> Self {
        GameCondition::Result(outcome).into()
    }

    /// This colour won, or nobody.
    pub fn winner(colour: Option<Colour>) -> Self {
        GameCondition::Winner(colour).into()
    }

    /// How far it could be replayed.
    pub fn status(status: GameStatus) -> Self {
        GameCondition::Status(status).into()
    }

    /// Played by the rules of this variant.
    pub fn variant(variant: Variant) -> Self {
        GameCondition::Variant(variant).into()
    }

    /// What stands on the board.
    pub fn board(pattern: Pattern) -> Self {
        Condition::Board(pattern).into()
    }

    /// How many pieces there are.
    pub fn material(material: PieceCountCondition) -> Self {
        Condition::Material(material).into()
    }

    /// Who is to move.
    pub fn turn(colour: Colour) -> Self {
        Condition::Turn(colour).into()
    }

    /// How many plies have been played.
    pub fn ply(range: RangeInclusive<u32>) -> Self {
        Condition::Ply(range).into()
    }

    /// The last position of the game.
    pub fn last() -> Self {
        Condition::Last.into()
    }

    /// The next move.
    pub fn next_move(manoeuvre: MoveCondition) -> Self {
        Condition::Move(manoeuvre).into()
    }

    /// The next moves give pieces.
    pub fn sacrifice(sacrifice: Sacrifice) -> Self {
        Condition::Sacrifice(sacrifice).into()
    }

    /// True where this is, if `second` is at a position at most so many plies later.
    #[must_use]
    pub fn then(self, second: Self, within: u32) -> Self {
        Self::Then { first: Box::new(self), second: Box::new(second), within }
    }

    /// True where this is true and stays so for the next so many plies.
    #[must_use]
    pub fn lasting(self, plies: u32) -> Self {
        Self::For { query: Box::new(self), plies }
    }

    /// The lines of moves in it.
    pub fn lines(&self) -> Vec<&MoveSequence> {
        match self {
            Self::Is(Condition::Line(line)) => vec![line],
            Self::Is(_) => Vec::new(),
            Self::Not(inner) | Self::Ever(inner) | Self::For { query: inner, .. } => inner.lines(),
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::lines).collect(),
            Self::Then { first, second, .. } => [first.lines(), second.lines()].concat(),
        }
    }

    /// True at all positions of a game that has it at some position.
    #[must_use]
    pub fn ever(self) -> Self {
        Self::Ever(Box::new(self))
    }

    /// True at all positions of a game that has it at no position.
    #[must_use]
    pub fn never(self) -> Self {
        !self.ever()
    }
}

impl BitAnd for Query {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        match (self, other) {
            (Self::And(mut parts), Self::And(more)) => {
                parts.extend(more);
                Self::And(parts)
            }
            (Self::And(mut parts), other) => {
                parts.push(other);
                Self::And(parts)
            }
            (one, Self::And(mut parts)) => {
                parts.insert(0, one);
                Self::And(parts)
            }
            (one, other) => Self::And(vec![one, other]),
        }
    }
}

impl BitOr for Query {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        match (self, other) {
            (Self::Or(mut parts), Self::Or(more)) => {
                parts.extend(more);
                Self::Or(parts)
            }
            (Self::Or(mut parts), other) => {
                parts.push(other);
                Self::Or(parts)
            }
            (one, Self::Or(mut parts)) => {
                parts.insert(0, one);
                Self::Or(parts)
            }
            (one, other) => Self::Or(vec![one, other]),
        }
    }
}

impl Not for Query {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }
}
