//! The type of a query, and the functions that build one.

use std::ops::{BitAnd, BitOr, Not, RangeInclusive};

use crate::query::conditions::{
    DateRange, FileCondition, GameNumber, GamePositions, MoveCondition, MoveSequence, NoteCondition, Pattern,
    PieceCountCondition, PlayedMoves, Sacrifice, SumCondition, Tables, TagCondition, Transforms,
};
use crate::{TextColumn, game_columns};
use pdn::replay::GameStatus;
use pdn::rules::Variant;
use pdn::value::{Colour, Outcome};
use pdn_names::{NameMatch, NamePattern};

/// A query: a boolean expression that is true or false at each position of a game; see [`pdn_index::query`](crate::query).
///
/// It is built from the functions below with `&`, `|` and `!`, or [parsed](Self::parse) from text. The
/// guide describes the language with examples. `Display` writes a text that parses to an equal
/// query, unless two parts of it [exclude each other](Self::contradiction).
///
/// ```
/// use pdn_index::query::Query;
/// use pdn::value::Colour;
///
/// let lost_as_white = Query::white("tinsley") & Query::winner(Some(Colour::Black));
/// assert_eq!(lost_as_white.to_string(), "white : \"tinsley\" and winner black");
/// let decided = !Query::winner(None) & Query::plies(40..=80);
/// assert_eq!(decided, "not winner nobody and plies 40..80".parse::<Query>().unwrap());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Query {
    /// A single condition on the game or on the position.
    #[doc(hidden)]
    Is(Condition),
    /// True where the query is false.
    Not(Box<Query>),
    /// True where all queries are true; always true without any.
    And(Vec<Query>),
    /// True where at least one query is true; never true without any.
    Or(Vec<Query>),
    /// True at all positions of a game in which the query is true at some position.
    Ever(Box<Query>),
    /// True where a variation begins in which the query is true at some position, or in a variation of which it is.
    Aside(Box<Query>),
    /// True where `first` is true, if `second` is true at a later position.
    Then {
        /// The query at the position in question.
        first: Box<Query>,
        /// The query at a later position.
        second: Box<Query>,
        /// The distances of the later position, in plies from 1.
        within: RangeInclusive<u32>,
    },
    /// True where `later` is true, if `earlier` is true at an earlier position.
    After {
        /// The query at the position in question.
        later: Box<Query>,
        /// The query at an earlier position.
        earlier: Box<Query>,
        /// The distances of the earlier position, in plies from 1.
        within: RangeInclusive<u32>,
    },
    /// True where the query is true and stays true for a number of plies.
    For {
        /// The query that has to stay true.
        query: Box<Query>,
        /// The number of further positions, one ply apart; all of them must exist.
        plies: u32,
    },
    /// True at all positions of a game that has such a number of positions at which the query is true.
    Times {
        /// The query whose positions are counted.
        query: Box<Query>,
        /// The numbers of positions that match.
        count: RangeInclusive<u32>,
    },
    /// True at the first position of a game at which the query is true.
    First(Box<Query>),
    /// True where one of the forms is true that transforms give the query.
    #[doc(hidden)]
    Transformed {
        /// The query that has the forms.
        query: Box<Query>,
        /// The transforms.
        by: Transforms,
    },
}

/// A single condition of a query.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// A condition on the game as a whole, which is the same at all its positions.
    Game(GameCondition),
    /// The contents of squares.
    Board(Pattern),
    /// A position of a game of the index.
    InGame(GamePositions),
    /// The position that these moves lead to from the start position, by any move order.
    Line(MoveSequence),
    /// The piece counts.
    Material(PieceCountCondition),
    /// A sum of numbers of the position.
    Sum(SumCondition),
    /// The side to move.
    Turn(Colour),
    /// The number of plies played before the position.
    Ply(RangeInclusive<u32>),
    /// True at the last position of the game only.
    Last,
    /// The next move.
    Move(MoveCondition),
    /// The moves from the position on.
    Played(PlayedMoves),
    /// A sacrifice in the next plies.
    Sacrifice(Sacrifice),
    /// The number of times that the position has stood in the game, this time included. The side to move counts, king
    /// counters do not.
    Repeats(RangeInclusive<u32>),
    /// What is written about the move before or after the position.
    Note(NoteCondition),
}

/// A condition on a game as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum GameCondition {
    /// The value of a tag matches a pattern.
    Tag(Field, NamePattern),
    /// All days that the date allows lie in a range.
    Date(DateRange),
    /// A rating lies in a range; a missing rating lies in none.
    Rating(RatedPlayer, RangeInclusive<u16>),
    /// The first number of the round lies in a range.
    Round(RangeInclusive<u16>),
    /// The number of legal plies of the main line lies in a range.
    Plies(RangeInclusive<u32>),
    /// A sum of numbers of the game lies in a range.
    Sum(SumCondition<GameNumber>),
    /// The result, in terms of the side that starts.
    Result(Outcome),
    /// The side that won; `None` for a draw, a loss for both or an unknown result.
    Winner(Option<Colour>),
    /// The result of replaying the record.
    Status(GameStatus),
    /// The variant by whose rules it was played.
    Variant(Variant),
    /// The value of any tag, read from the text of the game.
    TextTag(TagCondition),
    /// The name of the input that the game came from.
    File(FileCondition),
    /// A name of the opening that the moves show.
    OpeningPlayed(NamePattern),
}

macro_rules! fields {
    (
        []
        texts { $($(#[$doc:meta])* $text:ident $field:ident $name:literal = $number:literal in $of:ident $(, since $flag:literal)?;)* }
        $($rest:tt)*
    ) => {
        /// A text of a game, or a value derived from texts, that a query can ask for.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        pub enum Field {
            $($(#[$doc])* $text,)*
            /// The name of either player.
            Player,
            /// The name of the player who won.
            Winner,
            /// The name of the player who lost.
            Loser,
        }

        impl Field {
            /// All fields.
            pub const ALL: &[Self] = &[$(Self::$text,)* Self::Player, Self::Winner, Self::Loser];

            /// Returns the word for the field in the query language.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$text => TextColumn::$text.name(),)*
                    Self::Player => "player",
                    Self::Winner => "winner",
                    Self::Loser => "loser",
                }
            }

            /// Returns the columns of texts that the field is about, which share a dictionary.
            pub(crate) const fn columns(self) -> &'static [TextColumn] {
                match self {
                    $(Self::$text => &[TextColumn::$text],)*
                    Self::Player | Self::Winner | Self::Loser => &[TextColumn::White, TextColumn::Black],
                }
            }
        }
    };
}

game_columns!(fields);

/// The player, or players, whose rating is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum RatedPlayer {
    /// White.
    White,
    /// Black.
    Black,
    /// Both players; both ratings must match.
    Both,
    /// Either player; one rating must match.
    Either,
}

/// What a query says of a game as a whole.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum QueryOfGame<'q> {
    /// That a condition holds.
    Condition(&'q GameCondition),
    /// That a query is false.
    Not(&'q Query),
    /// What another query says.
    Same(&'q Query),
    /// That a query is true as it is written or with the colours exchanged.
    Flipped(&'q Query),
    /// That all queries are true.
    All(&'q [Query]),
    /// That one query is true.
    Any(&'q [Query]),
    /// Nothing: it is about positions.
    Positions,
}

impl GameCondition {
    /// Returns `true` if the text of a game has to be read to decide the condition.
    pub fn reads_text(&self) -> bool {
        matches!(self, Self::TextTag(_))
    }

    /// Returns `true` if only an index has the answer: for a tag without a column, the name of an input, or that of an opening.
    #[doc(hidden)]
    pub fn needs_index(&self) -> bool {
        match self {
            Self::TextTag(_) | Self::File(_) | Self::OpeningPlayed(_) => true,
            Self::Tag(..)
            | Self::Date(_)
            | Self::Rating(..)
            | Self::Round(_)
            | Self::Plies(_)
            | Self::Sum(_)
            | Self::Result(_)
            | Self::Winner(_)
            | Self::Status(_)
            | Self::Variant(_) => false,
        }
    }
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
    /// Creates the query that is true at every position.
    fn default() -> Self {
        Self::And(Vec::new())
    }
}

impl Query {
    /// Creates the query that is true at every position.
    pub fn all() -> Self {
        Self::default()
    }

    /// Returns the queries that the operator of the query joins or changes, in the order of the text; none for a condition.
    pub(in crate::query) fn operands(&self) -> Vec<&Self> {
        match self {
            Self::Is(_) => Vec::new(),
            Self::And(parts) | Self::Or(parts) => parts.iter().collect(),
            Self::Not(inner) | Self::Ever(inner) | Self::First(inner) | Self::Aside(inner) => vec![inner],
            Self::For { query, .. } | Self::Times { query, .. } | Self::Transformed { query, .. } => {
                vec![query]
            }
            Self::Then { first, second, .. } => vec![first, second],
            Self::After { later, earlier, .. } => vec![later, earlier],
        }
    }

    /// Returns `true` if some condition reads the text of a game.
    pub fn reads_text(&self) -> bool {
        match self {
            Self::Is(Condition::Game(condition)) => condition.reads_text(),
            Self::Is(Condition::Note(note)) => note.reads_text(),
            operator => operator.operands().into_iter().any(Self::reads_text),
        }
    }

    /// Returns `true` if the query asks for variations, or for what is written about moves.
    pub(crate) fn needs_annotations(&self) -> bool {
        match self {
            Self::Is(condition) => matches!(condition, Condition::Note(_)),
            Self::Aside(_) => true,
            operator => operator.operands().into_iter().any(Self::needs_annotations),
        }
    }

    /// Returns `true` if some condition counts the games of an earlier date that have a position.
    pub(in crate::query) fn counts_earlier_games(&self) -> bool {
        match self {
            Self::Is(condition) => matches!(condition, Condition::Sum(sum) if sum.counts_earlier_games()),
            operator => operator.operands().into_iter().any(Self::counts_earlier_games),
        }
    }

    /// Returns the tables of endings of each condition that asks some; `None` for one that has none yet, with its text.
    pub(in crate::query) fn tables(&self) -> Vec<std::result::Result<&Tables, String>> {
        match self {
            Self::Is(condition @ Condition::Sum(sum)) => {
                sum.tables().map(|tables| tables.ok_or_else(|| condition.to_string())).collect()
            }
            operator => operator.operands().into_iter().flat_map(Self::tables).collect(),
        }
    }

    /// Returns `true` if some condition asks tables of endings.
    pub fn asks_tables(&self) -> bool {
        !self.tables().is_empty()
    }

    /// Returns the query whose conditions ask these tables of endings.
    #[doc(hidden)]
    #[must_use]
    pub fn with_tables(&self, tables: &Tables) -> Self {
        let Ok(replaced) = self.with_replaced::<std::convert::Infallible>(&mut |condition| {
            let Condition::Sum(sum) = condition else { return Ok(None) };
            Ok(Some(Condition::Sum(sum.with_tables(tables)).into()))
        });
        replaced
    }

    /// Returns `true` if some condition counts the games of an earlier date that have a position of a variation.
    pub(in crate::query) fn counts_earlier_games_aside(&self) -> bool {
        match self {
            Self::Aside(inner) => inner.counts_earlier_games(),
            operator => operator.operands().into_iter().any(Self::counts_earlier_games_aside),
        }
    }

    /// Returns `true` if a hit of the query may lie in a variation.
    #[doc(hidden)]
    pub fn enters_variations(&self) -> bool {
        match self {
            Self::Aside(_) => true,
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::enters_variations),
            Self::Ever(inner)
            | Self::First(inner)
            | Self::For { query: inner, .. }
            | Self::Then { first: inner, .. }
            | Self::After { later: inner, .. }
            | Self::Transformed { query: inner, .. } => inner.enters_variations(),
            Self::Is(_) | Self::Not(_) | Self::Times { .. } => false,
        }
    }

    /// Returns what the query says of a game as a whole.
    #[doc(hidden)]
    pub fn of_game(&self) -> QueryOfGame<'_> {
        match self {
            Self::Is(Condition::Game(condition)) => QueryOfGame::Condition(condition),
            Self::Not(inner) => QueryOfGame::Not(inner),
            Self::Ever(inner) => QueryOfGame::Same(inner),
            Self::And(parts) => QueryOfGame::All(parts),
            Self::Or(parts) => QueryOfGame::Any(parts),
            // The other transforms are about positions.
            Self::Transformed { query, by } if by.flipped => QueryOfGame::Flipped(query),
            Self::Transformed { query, .. } => QueryOfGame::Same(query),
            Self::Is(_)
            | Self::Aside(_)
            | Self::Then { .. }
            | Self::After { .. }
            | Self::For { .. }
            | Self::Times { .. }
            | Self::First(_) => QueryOfGame::Positions,
        }
    }

    /// Returns `true` if the query has the same value at all positions of a game.
    fn is_about_whole_games(&self) -> bool {
        match self {
            Self::Is(condition) => matches!(condition, Condition::Game(_)),
            Self::Ever(_) | Self::Times { .. } => true,
            Self::Not(_) | Self::And(_) | Self::Or(_) | Self::Transformed { .. } => {
                self.operands().into_iter().all(Self::is_about_whole_games)
            }
            _ => false,
        }
    }

    /// Returns the query for the games that match: it is true at all of their positions. Conditions on positions stand in `ever`, so that
    /// others, which are added with `and`, may be true at other positions.
    #[doc(hidden)]
    #[must_use]
    pub fn of_whole_games(self) -> Self {
        fn collect(query: Query, games: &mut Vec<Query>, positions: &mut Vec<Query>) {
            match query {
                Query::And(parts) => parts.into_iter().for_each(|part| collect(part, games, positions)),
                part if part.is_about_whole_games() => games.push(part),
                part => positions.push(part),
            }
        }
        let (mut games, mut positions) = (Vec::new(), Vec::new());
        collect(self, &mut games, &mut positions);
        match positions.len() {
            0 => {}
            1 => games.push(positions.remove(0).ever()),
            _ => games.push(Self::And(positions).ever()),
        }
        Self::And(games)
    }

    /// Requires that White's name matches `name`, read as `NamePattern::parse` does.
    pub fn white(name: &str) -> Self {
        Self::tag(Field::White, NamePattern::parse(name))
    }

    /// Requires that Black's name matches `name`, read as `NamePattern::parse` does.
    pub fn black(name: &str) -> Self {
        Self::tag(Field::Black, NamePattern::parse(name))
    }

    /// Requires that the name of either player matches `name`, read as `NamePattern::parse` does.
    pub fn player(name: &str) -> Self {
        Self::tag(Field::Player, NamePattern::parse(name))
    }

    /// Requires that the event matches `name`, read as `NamePattern::parse` does.
    pub fn event(name: &str) -> Self {
        Self::tag(Field::Event, NamePattern::parse(name))
    }

    /// Requires that the site matches `name`, read as `NamePattern::parse` does.
    pub fn site(name: &str) -> Self {
        Self::tag(Field::Site, NamePattern::parse(name))
    }

    /// Requires that a name of the opening that the moves show matches
    /// `name`, read as `NamePattern::parse` does.
    pub fn opening_played(name: &str) -> Self {
        GameCondition::OpeningPlayed(NamePattern::parse(name)).into()
    }

    /// Requires that the value of a tag matches a pattern.
    #[doc(hidden)]
    pub fn tag(field: Field, names: NamePattern) -> Self {
        GameCondition::Tag(field, names).into()
    }

    /// Requires that a tag has this value, apart from case, accents and punctuation.
    #[doc(hidden)]
    pub fn exactly(field: Field, value: &str) -> Self {
        Self::tag(field, NamePattern::new(value, NameMatch::Exact))
    }

    /// Requires that all days that the date of the game allows lie in `range`.
    #[doc(hidden)]
    pub fn date(range: DateRange) -> Self {
        GameCondition::Date(range).into()
    }

    /// Requires a rating in `range`; a missing rating does not match.
    #[doc(hidden)]
    pub fn rating(whose: RatedPlayer, range: RangeInclusive<u16>) -> Self {
        GameCondition::Rating(whose, range).into()
    }

    /// Requires that the first number of the round lies in `range`.
    pub fn round(range: RangeInclusive<u16>) -> Self {
        GameCondition::Round(range).into()
    }

    /// Requires that the number of legal plies of the main line lies in `range`.
    pub fn plies(range: RangeInclusive<u32>) -> Self {
        GameCondition::Plies(range).into()
    }

    /// Requires this result, in terms of the side that starts.
    pub fn result(outcome: Outcome) -> Self {
        GameCondition::Result(outcome).into()
    }

    /// Requires that this side won; `None` for a draw, a loss for both or an unknown result.
    pub fn winner(colour: Option<Colour>) -> Self {
        GameCondition::Winner(colour).into()
    }

    /// Requires this result of replaying the record.
    pub fn status(status: GameStatus) -> Self {
        GameCondition::Status(status).into()
    }

    /// Requires that the game was played by the rules of this variant.
    pub fn variant(variant: Variant) -> Self {
        GameCondition::Variant(variant).into()
    }

    /// Requires that a tag of the record, which the index need not store, matches a condition.
    #[doc(hidden)]
    pub fn text_tag(condition: TagCondition) -> Self {
        GameCondition::TextTag(condition).into()
    }

    /// Requires that the game came from an input with such a name.
    #[doc(hidden)]
    pub fn file(condition: FileCondition) -> Self {
        GameCondition::File(condition).into()
    }

    /// Requires that the position matches a pattern.
    #[doc(hidden)]
    pub fn board(pattern: Pattern) -> Self {
        Condition::Board(pattern).into()
    }

    /// Requires that the position is one of those of a game of the index. A [`Search`](crate::query::Search) reads
    /// them.
    #[doc(hidden)]
    pub fn in_game(positions: GamePositions) -> Self {
        Condition::InGame(positions).into()
    }

    /// Requires that the piece counts match a condition.
    #[doc(hidden)]
    pub fn material(material: PieceCountCondition) -> Self {
        Condition::Material(material).into()
    }

    /// Requires that a sum of numbers matches a condition. The numbers must be all of the position or all of the
    /// game; a number of the other kind counts as unknown.
    #[doc(hidden)]
    pub fn sum(sum: SumCondition) -> Self {
        match sum.of_game() {
            Some(of_game) => GameCondition::Sum(of_game).into(),
            None => Condition::Sum(sum).into(),
        }
    }

    /// Requires that this side is to move.
    pub fn turn(colour: Colour) -> Self {
        Condition::Turn(colour).into()
    }

    /// Requires that the number of plies played before the position lies in `range`.
    pub fn ply(range: RangeInclusive<u32>) -> Self {
        Condition::Ply(range).into()
    }

    /// Requires the last position of the game.
    pub fn last() -> Self {
        Condition::Last.into()
    }

    /// Requires that the next move matches a condition.
    #[doc(hidden)]
    pub fn next_move(condition: MoveCondition) -> Self {
        Condition::Move(condition).into()
    }

    /// Requires that these moves are played from the position on.
    #[doc(hidden)]
    pub fn played(moves: PlayedMoves) -> Self {
        Condition::Played(moves).into()
    }

    /// Requires that a sacrifice begins at the position.
    #[doc(hidden)]
    pub fn sacrifice(sacrifice: Sacrifice) -> Self {
        Condition::Sacrifice(sacrifice).into()
    }

    /// Requires that something is written about the move before or after the position.
    #[doc(hidden)]
    pub fn note(condition: NoteCondition) -> Self {
        Condition::Note(condition).into()
    }

    /// Requires that a variation begins at the position in which the query is true somewhere.
    #[must_use]
    pub fn aside(self) -> Self {
        Self::Aside(Box::new(self))
    }

    /// Requires that the position stands for such a number of times in the game, counted up to this position.
    pub fn repeats(times: RangeInclusive<u32>) -> Self {
        Condition::Repeats(times).into()
    }

    /// Requires that `second` is true at a later position, at one of these distances in plies.
    ///
    /// ```
    /// use pdn_index::query::Query;
    ///
    /// let query = Query::parse("wk = 1")?.then(Query::last(), 3..=5);
    /// assert_eq!(query, Query::parse("wk = 1 then last within 3..5")?);
    /// # Ok::<(), pdn_index::query::QueryError>(())
    /// ```
    #[must_use]
    pub fn then(self, second: Self, within: RangeInclusive<u32>) -> Self {
        Self::Then { first: Box::new(self), second: Box::new(second), within }
    }

    /// Requires that `earlier` is true at an earlier position, at one of these distances in plies.
    ///
    /// ```
    /// use pdn_index::query::Query;
    ///
    /// let query = Query::last().after(Query::parse("move promotes")?, 1..=6);
    /// assert_eq!(query, Query::parse("last after move promotes within 6")?);
    /// # Ok::<(), pdn_index::query::QueryError>(())
    /// ```
    #[must_use]
    pub fn after(self, earlier: Self, within: RangeInclusive<u32>) -> Self {
        Self::After { later: Box::new(self), earlier: Box::new(earlier), within }
    }

    /// Requires that the query stays true for the next `plies` plies.
    #[must_use]
    pub fn lasting(self, plies: u32) -> Self {
        Self::For { query: Box::new(self), plies }
    }

    /// Returns the move sequences of the query, in the order of its text.
    #[doc(hidden)]
    pub fn lines(&self) -> Vec<&MoveSequence> {
        match self {
            Self::Is(Condition::Line(line)) => vec![line],
            operator => operator.operands().into_iter().flat_map(Self::lines).collect(),
        }
    }

    /// Returns the query with other queries in place of the conditions for which `replace` returns one.
    ///
    /// # Errors
    /// The first of `replace`.
    pub(in crate::query) fn with_replaced<E>(
        &self,
        replace: &mut dyn FnMut(&Condition) -> Result<Option<Self>, E>,
    ) -> Result<Self, E> {
        let mut inner = |query: &Self| query.with_replaced(replace);
        Ok(match self {
            Self::Is(condition) => replace(condition)?.unwrap_or_else(|| self.clone()),
            Self::Not(query) => Self::Not(Box::new(inner(query)?)),
            Self::Ever(query) => Self::Ever(Box::new(inner(query)?)),
            Self::Aside(query) => Self::Aside(Box::new(inner(query)?)),
            Self::And(parts) => Self::And(parts.iter().map(inner).collect::<Result<_, E>>()?),
            Self::Or(parts) => Self::Or(parts.iter().map(inner).collect::<Result<_, E>>()?),
            Self::Then { first, second, within } => Self::Then {
                first: Box::new(inner(first)?),
                second: Box::new(inner(second)?),
                within: within.clone(),
            },
            Self::After { later, earlier, within } => Self::After {
                later: Box::new(inner(later)?),
                earlier: Box::new(inner(earlier)?),
                within: within.clone(),
            },
            Self::For { query, plies } => Self::For { query: Box::new(inner(query)?), plies: *plies },
            Self::Times { query, count } => {
                Self::Times { query: Box::new(inner(query)?), count: count.clone() }
            }
            Self::First(query) => Self::First(Box::new(inner(query)?)),
            Self::Transformed { query, by } => Self::Transformed { query: Box::new(inner(query)?), by: *by },
        })
    }

    /// Makes the query true at all positions of a game in which it is true at some position.
    #[must_use]
    pub fn ever(self) -> Self {
        Self::Ever(Box::new(self))
    }

    /// Makes the query true at all positions of a game in which it is true at no position.
    #[must_use]
    pub fn never(self) -> Self {
        !self.ever()
    }

    /// Makes the query true at all positions of a game in which it is true at such a number of positions.
    #[must_use]
    pub fn times(self, count: RangeInclusive<u32>) -> Self {
        Self::Times { query: Box::new(self), count }
    }

    /// Leaves only the first position of a game at which the query is true.
    #[must_use]
    pub fn first(self) -> Self {
        Self::First(Box::new(self))
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
