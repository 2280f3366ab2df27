//! The games that match a filter by group: by the next move, by player, or by a field of games, such as the year.
//!
//! Each group has the query that finds its games and no others, so that every number can be looked up.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use pdn::board::Square;
use pdn::internal::message::Message;
use pdn::internal::pool;
use pdn::internal::value::Score;
use pdn::notation::MoveStyle;
use pdn::replay::GameStatus;
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn::value::{Colour, FenStyle, Outcome};
use pdn_index::internal::pack::UnpackedPly;
use pdn_index::internal::query::{
    Condition, Field, GameCondition, MoveCondition, RatedPlayer, RowTable, SquareRef, TagCondition,
};
use pdn_index::internal::{TextColumn, TextReader};
use pdn_index::query::{Hit, Query, Search};
use pdn_index::{GameRow, Index, IndexedGame};
use pdn_names::{NameKind, NameMap, NameMatch, NamePattern, fold};
use pdn_rules::internal::board::Numbering;
use pdn_tables::GameField;
use serde::Serialize;

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::fields::{FoundField, parse_field};
use crate::ask::filter::Filter;
use crate::ask::options::{Form, Given, OptionValue, parsed};
use crate::ask::rows::{FieldValue, RowReader};
use crate::find::no_match::no_match;
use crate::report::people::year_query;
use crate::report::same_names::{SameNames, is_against_oneself};
use crate::report::score::ScoreAnswer;

/// The number of games that a thread looks at before their groups are joined with those of others.
const CHUNK: usize = 256;

/// What the games of a group have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroupField {
    /// The next move at a matching position.
    Move,
    /// The name of either player.
    Player,
    /// A field of games, one of those that [`find`](crate::find) lists.
    Field(FoundField),
}

/// The names of the groups that are no fields of a game.
const MOVE: &str = "move";
const PLAYER: &str = "player";

/// The fields of games, besides the texts of an index, that a query can ask for by their values.
const GAME_FIELDS: &[GameField] = &[
    GameField::OpeningPlayed,
    GameField::Year,
    GameField::Winner,
    GameField::Variant,
    GameField::Plies,
    GameField::Ply,
    GameField::Status,
    GameField::WhiteRating,
    GameField::BlackRating,
];

impl OptionValue for GroupField {
    const FORM: Form = Form::Text;

    fn read(given: Given) -> Result<Self> {
        parsed(given, |text| Self::parse(text).map_err(|wrong| AppError::new(ErrorCode::InvalidValue, wrong)))
    }
}

/// Iterates over the fields of games that a query can ask for by their values.
fn game_fields() -> impl Iterator<Item = GameField> {
    let texts = GameField::OF_MATCHES.iter().filter(|field| field.text_column().is_some());
    texts.chain(GAME_FIELDS).copied()
}

impl GroupField {
    /// Returns the names of all groups, without those of tags.
    pub fn names() -> Vec<&'static str> {
        [MOVE, PLAYER].into_iter().chain(game_fields().map(GameField::name)).collect()
    }

    /// Parses the name of a group: `move`, `player`, a field of games, or a tag such as `Opening` or `tag:eco`.
    ///
    /// # Errors
    ///
    /// A message with all names.
    pub fn parse(text: &str) -> std::result::Result<Self, Message> {
        match text {
            MOVE => return Ok(Self::Move),
            PLAYER => return Ok(Self::Player),
            _ => {}
        }
        match parse_field(text) {
            Ok(field @ FoundField::Tag(_)) => Ok(Self::Field(field)),
            Ok(FoundField::Game(field)) if game_fields().any(|known| known == field) => {
                Ok(Self::Field(FoundField::Game(field)))
            }
            _ => Err(message!(
                "one_of",
                "games are grouped by {expected}, or by any tag such as Opening or tag:eco",
                expected = Self::names().as_slice(),
            )),
        }
    }

    /// Returns the name, as [`parse`](Self::parse) reads it.
    pub fn name(&self) -> String {
        match self {
            Self::Move => MOVE.to_owned(),
            Self::Player => PLAYER.to_owned(),
            Self::Field(field) => field.to_string(),
        }
    }

    /// Returns `true` if a game may be in several groups, one for each of its matching positions.
    fn is_of_positions(&self) -> bool {
        matches!(self, Self::Move | Self::Field(FoundField::Game(GameField::Ply)))
    }

    /// Returns the field of a query for names that several spellings may stand for, with their kind.
    fn named(&self) -> Option<(Field, NameKind)> {
        match self {
            Self::Player => Some((Field::Player, NameKind::Player)),
            Self::Field(FoundField::Game(GameField::White)) => Some((Field::White, NameKind::Player)),
            Self::Field(FoundField::Game(GameField::Black)) => Some((Field::Black, NameKind::Player)),
            Self::Field(FoundField::Game(GameField::Event)) => Some((Field::Event, NameKind::Event)),
            _ => None,
        }
    }

    /// Returns `true` for texts, which are compared without case, accents and punctuation, as queries compare them.
    fn is_text(&self) -> bool {
        match self {
            Self::Player | Self::Field(FoundField::Tag(_)) => true,
            Self::Field(FoundField::Game(field)) => field.text_column().is_some(),
            _ => false,
        }
    }
}

/// Asks for the games that match by group.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupRequest {
    /// The conditions.
    pub filter: Filter,
    /// What the games of a group have in common.
    pub by: GroupField,
    /// The names that spellings of players and events become.
    pub names: Option<Arc<NameMap>>,
    /// The greatest number of groups, 0 for no limit.
    pub limit: usize,
    /// The greatest number of matching positions that are grouped, 0 for no limit.
    pub max_positions: usize,
}

/// A group of games.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameGroup {
    /// The name of what the games have in common.
    pub by: String,
    /// Its value; null where it is unknown, and for a matching position without a next move. A text is written as in most games, or as
    /// the file of names gives it.
    #[cfg_attr(feature = "schema", schemars(schema_with = "value_schema"))]
    pub value: FieldValue,
    /// The results from the side of the player, of the side that makes the move, or of Black if the games have the same Black or his
    /// rating; else from that of White.
    #[serde(flatten)]
    pub score: ScoreAnswer,
    /// The query that finds these games, and no others unless the file of names parts spellings that differ in case, accents and
    /// punctuation only.
    pub query: String,
    /// Games in which both sides have the name of the player. They are not counted.
    pub self_games: u64,
}

/// The schema of the value of a group.
#[cfg(feature = "schema")]
fn value_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": ["string", "integer", "null"] })
}

/// The games that match by group.
#[derive(Clone, PartialEq, Debug)]
pub struct GameGroups {
    /// The groups, those with the most games first; of equally many in the order of their values.
    pub groups: Vec<GameGroup>,
    /// The number of groups before the limit.
    pub group_count: usize,
    /// The number of games that match. A game may be in several groups.
    pub games: u64,
    /// The number of these in which both sides have the name of one player; they are in no group of players.
    pub self_games: u64,
    /// The query of all games.
    pub query: Query,
}

/// The key of a group: the value as text, for names and other texts what [`SameNames`] makes of it, and for a move the variant, because
/// squares of several boards have the same names. `None` where the value is unknown.
type Key = Option<(String, Option<Variant>)>;

/// A group on its way to an answer.
#[derive(Default)]
struct Group {
    score: Score,
    /// Games of a player against oneself, which do not count.
    self_games: u64,
    /// The values of the games with their numbers of games: several spellings of one text.
    values: HashMap<String, (FieldValue, u64)>,
    /// The condition on a move.
    condition: Option<Query>,
}

type Groups = HashMap<Key, Group>;

/// What a thread keeps from game to game.
struct Kept<'a> {
    texts: TextReader<'a>,
    /// The keys of the texts that were met, so that each is made once.
    keys: HashMap<String, String>,
    moves: KnownMoves,
}

/// The moves that were met with their members, so that each is written once: names of squares and texts of moves take most of the time.
type KnownMoves = HashMap<(Variant, Numbering, NextMove), Member>;

/// What is played in a position, as far as groups tell moves apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NextMove {
    /// The game ends.
    None,
    /// A null move of this side.
    Null(Colour),
    Squares {
        from: Square,
        to: Square,
        is_capture: bool,
        side: Colour,
    },
}

/// A value of a game, and the side whose results count.
#[derive(Clone)]
struct Member {
    value: FieldValue,
    variant: Option<Variant>,
    side: Colour,
    condition: Option<Query>,
}

impl GroupRequest {
    /// Returns the query of all conditions.
    pub fn query(&self) -> Query {
        match self.filter.query() {
            // So that conditions are added without brackets.
            Query::And(mut parts) if parts.len() == 1 => parts.remove(0),
            query => query,
        }
    }

    /// Returns `true` if the texts of games are read.
    pub fn needs_text(&self) -> bool {
        matches!(&self.by, GroupField::Field(field) if field.needs_text()) || self.query().reads_text()
    }

    /// Groups the games.
    ///
    /// # Errors
    ///
    /// If no game of this index can match, whatever it is, squares are ambiguous, the index is damaged, a text cannot be read, or the
    /// work was stopped, or more positions match than are grouped. The next moves of variations are not looked up, so that `move` and a query for variations contradict each other.
    pub fn run(&self, index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<GameGroups> {
        let query = self.query();
        self.filter.check(&query, index)?;
        if self.by.is_of_positions() && query.enters_variations() {
            let message = message!(
                "main_lines",
                "{by} groups positions of main lines, and the query asks for variations",
                by = self.by.name(),
            );
            return Err(AppError::contradiction(message).in_field("by"));
        }
        let search = Search::new(index, &query, threads)?.stop(stop);
        let hits = if self.by.is_of_positions() {
            let most = if self.max_positions == 0 { usize::MAX } else { self.max_positions };
            let (hits, _) = search.all_hits(most.saturating_add(1))?;
            if hits.len() > most {
                let message = message!(
                    "too_many_positions",
                    "more than {most} positions match, which are too many to group",
                    most = most as u64,
                );
                let error = AppError::new(ErrorCode::TooMuch, message).in_field("by");
                return Err(error.help("ask for fewer games, or add a condition on positions"));
            }
            hits
        } else {
            search.hits(usize::MAX)?.0
        };
        let games: Vec<&[Hit]> = hits.chunk_by(|one, other| one.game == other.game).collect();
        let table = RowTable::new(index)?;
        let numbers = index.record_numbers()?;
        let fields: &[FoundField] = match &self.by {
            GroupField::Field(field) => std::slice::from_ref(field),
            _ => &[],
        };
        let reader = RowReader {
            index,
            table: &table,
            numbers: &numbers,
            fields,
            distances: None,
            fen_style: FenStyle::Pdn,
        };
        // Texts that are no names differ as names of events do, and no file of names is about them.
        let same = match self.by.named() {
            Some((_, kind)) => SameNames::new(self.names.as_deref(), kind),
            None => SameNames::new(None, NameKind::Event),
        };
        let mut groups = Groups::new();
        let mut is_stopped = false;
        pool::try_ordered(
            games.chunks(CHUNK),
            threads,
            || Kept { texts: TextReader::new(index), keys: HashMap::new(), moves: HashMap::new() },
            |kept, games| {
                let mut part = Groups::new();
                games.iter().try_for_each(|hits| self.add_game(hits, &reader, &same, kept, &mut part))?;
                Ok::<_, AppError>(part)
            },
            |part| {
                part.into_iter().for_each(|(key, group)| groups.entry(key).or_default().add(group));
                is_stopped = stop.is_requested();
                if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )?;
        if is_stopped {
            return Err(pdn::Error::from(pdn::error::ErrorKind::Stopped).into());
        }
        Ok(self.answer(groups, query, games.len() as u64, &same))
    }

    /// Adds a game to its groups.
    fn add_game(
        &self,
        hits: &[Hit],
        reader: &RowReader<'_>,
        same: &SameNames,
        kept: &mut Kept<'_>,
        groups: &mut Groups,
    ) -> Result<()> {
        let Some(first) = hits.first() else { return Ok(()) };
        let (Some(row), Some(game)) = (reader.table.row(first.game), reader.index.game(first.game)) else {
            return Ok(());
        };
        let members = match &self.by {
            GroupField::Move => next_moves(hits, &game, &mut kept.moves)?,
            GroupField::Player => players(&row),
            GroupField::Field(FoundField::Game(GameField::Ply)) => {
                hits.iter().map(|hit| Member::of(u64::from(hit.ply).into(), Colour::White)).collect()
            }
            GroupField::Field(field) => {
                let is_of_black =
                    matches!(field, FoundField::Game(GameField::Black | GameField::BlackRating));
                let side = if is_of_black { Colour::Black } else { Colour::White };
                let found = reader.row_with(first, &mut kept.texts)?;
                let value =
                    found.and_then(|found| found.values.into_iter().next()).unwrap_or(FieldValue::Null);
                match value {
                    // A game has the names of its position and of its structure.
                    FieldValue::Text(names) if *field == FoundField::Game(GameField::OpeningPlayed) => {
                        names.split("; ").map(|name| Member::of(name.into(), side)).collect()
                    }
                    value => vec![Member::of(value, side)],
                }
            }
        };
        if self.by == GroupField::Player
            && let [white, black] = members.as_slice()
            && let [Some((white_key, _)), Some((black_key, _))] =
                [white, black].map(|member| self.key(member, same, &mut kept.keys))
            && is_against_oneself([&white_key, &black_key])
        {
            let group = groups.entry(Some((white_key, None))).or_default();
            group.self_games += 1;
            for member in members {
                group.values.entry(member.value.cell()).or_insert((member.value, 0));
            }
            return Ok(());
        }
        let mut seen: Vec<Key> = Vec::with_capacity(members.len());
        for member in members {
            let key = self.key(&member, same, &mut kept.keys);
            if seen.contains(&key) {
                continue;
            }
            let group = groups.entry(key.clone()).or_default();
            group.score.add_game(row.outcome, row.kind.numbering.start, member.side);
            let cell = member.value.cell();
            group.values.entry(cell).or_insert((member.value, 0)).1 += 1;
            if group.condition.is_none() {
                group.condition = member.condition;
            }
            seen.push(key);
        }
        Ok(())
    }

    fn key(&self, member: &Member, same: &SameNames, keys: &mut HashMap<String, String>) -> Key {
        match &member.value {
            FieldValue::Null => None,
            value if self.by.is_text() => {
                let text = value.cell();
                if let Some(key) = keys.get(&text) {
                    return Some((key.clone(), None));
                }
                let key = same.key(&text);
                keys.insert(text, key.clone());
                Some((key, None))
            }
            value => Some((value.cell(), member.variant)),
        }
    }

    /// Returns the answer: the groups in their order, each with its query.
    fn answer(&self, groups: Groups, query: Query, games: u64, same: &SameNames) -> GameGroups {
        let mut variants: Vec<Variant> =
            groups.keys().flatten().filter_map(|(_, variant)| *variant).collect();
        variants.sort_unstable();
        variants.dedup();
        let mut groups: Vec<(Key, Group)> = groups.into_iter().collect();
        groups.sort_unstable_by(|(one_key, one), (other_key, other)| {
            let by_value = match (one.number(), other.number()) {
                (Some(one), Some(other)) => one.cmp(&other),
                _ => one_key.is_none().cmp(&other_key.is_none()).then_with(|| one_key.cmp(other_key)),
            };
            other.score.games.cmp(&one.score.games).then(by_value)
        });
        let group_count = groups.len();
        let self_games = groups.iter().map(|(_, group)| group.self_games).sum();
        groups.truncate(if self.limit == 0 { usize::MAX } else { self.limit });
        let groups = groups.into_iter().map(|(key, group)| {
            let mut value = group.value();
            let condition = match (&group.condition, self.by.named(), &key) {
                (Some(condition), ..) => condition.clone(),
                (None, Some((field, _)), Some((key, _))) if !key.is_empty() => {
                    if let Some(name) = same.name(key) {
                        value = name.into();
                    }
                    let spellings = group.spellings();
                    let query = same.query(field, key, &spellings);
                    if group.self_games > 0 {
                        query & same.not_against_oneself(key, &spellings)
                    } else {
                        query
                    }
                }
                _ => self.condition(&value),
            };
            // The squares of several boards have the same names.
            let variant = key.and_then(|(_, variant)| variant).filter(|_| variants.len() > 1);
            let all = variant.map_or(query.clone(), |variant| query.clone() & Query::variant(variant));
            GameGroup {
                by: self.by.name(),
                value,
                score: ScoreAnswer::of(&group.score),
                query: (all & condition).to_joinable_text(),
                self_games: group.self_games,
            }
        });
        GameGroups { groups: groups.collect(), group_count, games, self_games, query }
    }

    /// Returns the condition that the games of a group match, and no others of the query.
    fn condition(&self, value: &FieldValue) -> Query {
        let text = value.cell();
        let number = if let FieldValue::Number(number) = value { Some(*number) } else { None };
        let exactly = |text: &str| NamePattern::new(text, NameMatch::Exact);
        // Names without a letter or a digit are all the same to a query.
        let text = if self.by.is_text() && fold(&text).is_empty() { "" } else { text.as_str() };
        let field = match &self.by {
            // A position without a move is the last one.
            GroupField::Move => return Condition::Last.into(),
            GroupField::Player => return Query::exactly(Field::Player, text),
            GroupField::Field(FoundField::Tag(name)) if *value == FieldValue::Null => {
                return !Query::text_tag(TagCondition::new(name, None));
            }
            GroupField::Field(FoundField::Tag(name)) => {
                return Query::text_tag(TagCondition::new(name, Some(exactly(text))));
            }
            GroupField::Field(FoundField::Game(field)) => *field,
            GroupField::Field(_) => return Query::all(),
        };
        // Unknown ratings match no range.
        let rating = |player| match number {
            Some(rating) => Query::rating(player, rating as u16..=rating as u16),
            None => !Query::rating(player, 0..=u16::MAX),
        };
        let of_plies = || number.map_or(0..=u32::MAX, |number| number as u32..=number as u32);
        match field {
            GameField::OpeningPlayed => GameCondition::OpeningPlayed(exactly(text)).into(),
            GameField::Year => year_query(number.map(|year| year as u16)),
            GameField::Winner => match text {
                "white" => Query::winner(Some(Colour::White)),
                "black" => Query::winner(Some(Colour::Black)),
                "draw" => Query::result(Outcome::Draw),
                _ => Query::winner(None) & !Query::result(Outcome::Draw),
            },
            GameField::Variant => {
                let variant = Variant::ALL.iter().find(|variant| variant.name() == text);
                variant.map_or_else(Query::all, |&variant| Query::variant(variant))
            }
            GameField::Status => {
                let status = GameStatus::ALL.iter().find(|status| status.name() == text);
                status.map_or_else(Query::all, |&status| Query::status(status))
            }
            GameField::Plies => Query::plies(of_plies()),
            GameField::Ply => Query::ply(of_plies()),
            GameField::WhiteRating => rating(RatedPlayer::White),
            GameField::BlackRating => rating(RatedPlayer::Black),
            field => match field.text_column().and_then(field_of) {
                Some(field) => Query::exactly(field, text),
                None => Query::all(),
            },
        }
    }
}

impl GameGroups {
    /// Returns why no game matches.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn no_match(&self, index: &Index, threads: NonZeroUsize) -> Result<AppError> {
        no_match(index, &self.query, threads)
    }
}

impl Member {
    fn of(value: FieldValue, side: Colour) -> Self {
        Self { value, variant: None, side, condition: None }
    }
}

impl Group {
    fn add(&mut self, other: Self) {
        self.score.add(&other.score);
        self.self_games += other.self_games;
        for (cell, (value, games)) in other.values {
            self.values.entry(cell).or_insert((value, 0)).1 += games;
        }
        if self.condition.is_none() {
            self.condition = other.condition;
        }
    }

    /// Returns the value of most games; of several, the first in their order as texts.
    fn value(&self) -> FieldValue {
        let most = self.values.iter().max_by(|(one, (_, games)), (other, (_, games_of_other))| {
            games.cmp(games_of_other).then_with(|| other.cmp(one))
        });
        most.map_or(FieldValue::Null, |(_, (value, _))| value.clone())
    }

    /// Returns for each folded text the spelling of most games.
    fn spellings(&self) -> HashMap<String, String> {
        let mut spellings: Vec<(&String, u64)> =
            self.values.iter().map(|(cell, (_, games))| (cell, *games)).collect();
        spellings.sort_unstable_by(|(one, games), (other, of_other)| {
            games.cmp(of_other).then_with(|| other.cmp(one))
        });
        spellings.into_iter().map(|(text, _)| (fold(text), text.clone())).collect()
    }

    /// Returns the value if it is a number.
    fn number(&self) -> Option<u64> {
        match self.values.values().next() {
            Some((FieldValue::Number(number), _)) => Some(*number),
            _ => None,
        }
    }
}

/// Returns both players of a game, or the one who has both colours by name.
fn players(row: &GameRow<'_>) -> Vec<Member> {
    vec![Member::of(row.white.into(), Colour::White), Member::of(row.black.into(), Colour::Black)]
}

/// Returns the next moves of the matching positions of a game. Captures with the same ends are one, whatever they take.
fn next_moves(hits: &[Hit], game: &IndexedGame<'_>, known: &mut KnownMoves) -> Result<Vec<Member>> {
    let kind = game.kind()?;
    let (plies, _) = game.plies()?;
    let mut moves: Vec<NextMove> = Vec::with_capacity(hits.len());
    let mut members = Vec::with_capacity(hits.len());
    for hit in hits {
        let ply = plies.get(hit.ply as usize);
        let next = ply.map_or(NextMove::None, NextMove::of);
        if !moves.contains(&next) {
            moves.push(next);
            let member = known
                .entry((kind.variant, kind.numbering, next))
                .or_insert_with(|| member_of_move(ply, kind.variant));
            members.push(member.clone());
        }
    }
    Ok(members)
}

impl NextMove {
    fn of(ply: &UnpackedPly) -> Self {
        let side = ply.before.turn();
        match &ply.mv {
            Some(mv) => Self::Squares { from: mv.from, to: mv.to, is_capture: mv.captured != 0, side },
            None => Self::Null(side),
        }
    }
}

/// Returns the member of the group of the move of a ply, or of games that end.
fn member_of_move(ply: Option<&UnpackedPly>, variant: Variant) -> Member {
    let variant = Some(variant);
    let Some(ply) = ply else {
        return Member::of(FieldValue::Null, Colour::White);
    };
    let side = ply.before.turn();
    let Some(mv) = &ply.mv else {
        let is_other = !Query::next_move(MoveCondition::any()) & !Query::from(Condition::Last);
        return Member { value: "--".into(), variant, side, condition: Some(is_other) };
    };
    let names = ply.before.names();
    let [from, to] = [mv.from, mv.to].map(|square| names.name(square).to_string());
    let is_capture = mv.captured != 0;
    let mut condition = MoveCondition::any().taking(if is_capture { 1..=u8::MAX } else { 0..=0 });
    condition.from = SquareRef::parse(&from).into_iter().collect();
    condition.to = SquareRef::parse(&to).into_iter().collect();
    // The sign between the squares is that of the notation.
    let written = ply.before.move_text(mv, MoveStyle::Shortest);
    let sign = written.strip_prefix(&from).and_then(|rest| rest.chars().next()).unwrap_or('-');
    let value = format!("{from}{sign}{to}");
    Member { value: value.into(), variant, side, condition: Some(Query::next_move(condition)) }
}

/// Returns the field of a query for a column of texts.
fn field_of(column: TextColumn) -> Option<Field> {
    Field::ALL.iter().copied().find(|field| field.name() == column.name())
}

#[cfg(test)]
mod tests;
