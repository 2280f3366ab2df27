//! The report of a player: results by colour, year, opponent, opening, length and rating, each with the query that finds its games.

mod openings;

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use pdn::internal::value::{Score, Tally};
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn::value::{Colour, Date, Outcome};
use pdn_index::internal::TextColumn;
use pdn_index::internal::query::{Field, RatedPlayer, RowTable};
use pdn_index::query::Query;
use pdn_index::{GameRow, Index};
use pdn_names::{NameKind, NameMap, NamePattern};
use serde::Serialize;

use self::openings::FirstMoves;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::filter::{Filter, asked_name};
use crate::ask::options::options;
use crate::ask::values::{colour_name, winner_name};
use crate::report::people::{FoundName, KeyNumbers, NamedGames, Scope, is_event, year_query};
use crate::report::same_names::SameNames;
use crate::report::score::ScoreAnswer;
use crate::write::name_map;

/// Width of a range of ratings.
const RATINGS: u16 = 100;
/// Width of a range of lengths, in plies.
const PLIES: u32 = 20;

/// Asks for the results of a player.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerRequest {
    /// The name, as in `player : NAME`. Of several persons whose name matches, the one with the most games is meant.
    pub name: NamePattern,
    /// The name of the other player, for head-to-head.
    pub against: Option<NamePattern>,
    /// Conditions on games.
    pub filter: Filter,
    /// The names that spellings become.
    pub names: Option<Arc<NameMap>>,
    /// The greatest number of opponents, of openings with each colour, by name and by moves, and of events; 0 for no limit.
    pub limit: usize,
}

/// Results with what they are of.
macro_rules! rows {
    ($($(#[$doc:meta])* $Row:ident { $($(#[$field_doc:meta])* $field:ident: $Type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $Row {
            $($(#[$field_doc])* pub $field: $Type,)*
            /// The results.
            #[serde(flatten)]
            pub score: ScoreAnswer,
            /// The query for the games.
            pub query: String,
        }
    )*};
}

rows! {
    /// Results with a colour.
    ColourRow {
        /// `white` or `black`.
        colour: &'static str,
    }
    /// Results of a year.
    YearRow {
        /// The year; null for games without one.
        year: Option<u16>,
        /// The highest rating of the player in that year.
        rating: Option<u16>,
    }
    /// Results in a variant.
    VariantRow {
        /// The variant.
        variant: &'static str,
    }
    /// Results against an opponent.
    OpponentRow {
        /// The name.
        name: String,
        /// The year of the first game.
        first_year: Option<u16>,
        /// The year of the last game.
        last_year: Option<u16>,
        /// The highest rating of the opponent in these games.
        rating: Option<u16>,
    }
    /// Results by the rating of the opponent, or by the length of games.
    RangeRow {
        /// The least value; null for games without a rating.
        from: Option<u32>,
        /// The greatest value; null for games without a rating.
        to: Option<u32>,
    }
    /// Results in games whose moves show an opening of one name.
    NamedOpeningRow {
        /// The colour of the player.
        colour: &'static str,
        /// The variant.
        variant: &'static str,
        /// The name.
        opening_played: String,
    }
    /// Results in an opening.
    OpeningRow {
        /// The colour of the player.
        colour: &'static str,
        /// The variant.
        variant: &'static str,
        /// The moves of the first of the games.
        moves: String,
        /// The names of the opening that these moves show; null without one.
        opening_played: Option<String>,
    }
    /// Results in an event.
    EventRow {
        /// The name.
        event: String,
        /// The year of the first game.
        first_year: Option<u16>,
        /// The year of the last game.
        last_year: Option<u16>,
    }
}

/// A game between two players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetGame {
    /// The number of the game in the index, from 1.
    pub game: u64,
    /// The date, with `??` for unknown parts.
    pub date: String,
    /// The event as written.
    pub event: String,
    /// The round as written.
    pub round: String,
    /// The colour of the player.
    pub colour: &'static str,
    /// The result as written.
    pub result: String,
    /// `white`, `black`, `draw` or null.
    pub winner: Option<&'static str>,
    /// The number of plies.
    pub plies: u32,
}

/// The other player of a head-to-head report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeadToHead {
    /// The name.
    pub name: String,
    /// Others whose name matches too, those with the most games first. Their games are not counted.
    pub also: Vec<NamedGames>,
    /// The games in the order of their dates.
    pub meetings: Vec<MetGame>,
}

/// Conditions to add to any query of the report, for the games with one result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultQueries {
    /// Games that the player won.
    pub won: String,
    /// Drawn games.
    pub drawn: String,
    /// Games that the player lost.
    pub lost: String,
    /// Games that were declared lost for both sides.
    pub both_lost: String,
    /// Games without a known result.
    pub unknown: String,
}

/// The results of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerReport {
    /// The name: that of the file of names, or the spelling of most games.
    pub name: String,
    /// All spellings in these games.
    pub spellings: Vec<NamedGames>,
    /// Other persons whose name matches too, those with the most games first. Their games are not counted.
    pub also: Vec<NamedGames>,
    /// The other player, if one was asked for. Then all numbers are those of their games.
    pub against: Option<HeadToHead>,
    /// The results of all games.
    #[serde(flatten)]
    pub score: ScoreAnswer,
    /// The query for all games. That of each row begins with it.
    pub query: String,
    /// What to add to a query for one of its results.
    pub results: ResultQueries,
    /// Whether the queries find these games and no others. They find more if the file of names parts spellings that differ in case, accents
    /// and punctuation only.
    pub exact: bool,
    /// The year of the first game.
    pub first_year: Option<u16>,
    /// The year of the last game.
    pub last_year: Option<u16>,
    /// The highest rating.
    pub rating: Option<u16>,
    /// The mean rating of the opponents that have one.
    pub opponents_rating: Option<f64>,
    /// Games in which both sides have the name. They are not counted.
    pub self_games: u64,
    /// By colour.
    pub colours: Vec<ColourRow>,
    /// By variant, the commonest first.
    pub variants: Vec<VariantRow>,
    /// By year, games without one last.
    pub years: Vec<YearRow>,
    /// By the rating of the opponent, games without one last.
    pub ratings: Vec<RangeRow>,
    /// By the number of plies.
    pub lengths: Vec<RangeRow>,
    /// The number of opponents.
    pub opponent_count: usize,
    /// By opponent, those with the most games first.
    pub opponents: Vec<OpponentRow>,
    /// Games against opponents without a name. They are in no row of `opponents`.
    pub unnamed_opponents: u64,
    /// The number of names of openings with each colour.
    pub named_opening_counts: [usize; 2],
    /// By the name of the opening that the moves show, first as White, then as Black, the commonest first. A game has the name of a
    /// position, that of a structure, both, or none.
    pub named_openings: Vec<NamedOpeningRow>,
    /// The number of openings with each colour: positions after four plies that games from the start position reach.
    pub opening_counts: [usize; 2],
    /// By opening, first as White, then as Black, the commonest first.
    pub openings: Vec<OpeningRow>,
    /// The number of events.
    pub event_count: usize,
    /// By event, those with the most games first.
    pub events: Vec<EventRow>,
}

/// A game of the player, for its opening.
struct OwnGame {
    number: u64,
    colour: Colour,
    variant: Variant,
    score: Score,
}

/// All counts.
struct Counts<'a> {
    total: Tally,
    colours: [Score; 2],
    variants: BTreeMap<&'static str, Score>,
    years: BTreeMap<Option<u16>, Tally>,
    ratings: BTreeMap<Option<u16>, Score>,
    lengths: BTreeMap<u32, Score>,
    persons: KeyNumbers<'a>,
    /// By number of the person.
    opponents: HashMap<usize, Tally>,
    event_names: KeyNumbers<'a>,
    events: HashMap<usize, Tally>,
    /// The sum and the number of ratings of opponents.
    rated: (u64, u64),
    self_games: u64,
    games: Vec<OwnGame>,
    meetings: Vec<(Date, MetGame)>,
}

options! {
    /// What is counted and shown of a player.
    pub struct PlayerOptions in "" {
        /// Count only the games against this player, and list them
        against: Option<String>, value "NAME";
        /// Take the spellings that this file lists for one name, which `pdn names` wrote and you have read
        names: Option<PathBuf>, value "FILE";
        /// Print at most this many opponents, events, and openings with each colour, 0 for no limit
        limit: Option<usize>, value "N";
    }
}

impl PlayerRequest {
    /// Asks for what these options say, and without a limit for `limit` rows.
    ///
    /// # Errors
    ///
    /// If a name has no letter and no digit, or the file of names cannot be read.
    pub fn with(name: &str, filter: Filter, options: &PlayerOptions, limit: usize) -> Result<Self> {
        let names = name_map::read_shared(options.names.as_deref())?;
        let limit = options.limit.unwrap_or(limit);
        Ok(Self { filter, names, limit, ..Self::new(name, options.against.as_deref())? })
    }

    /// Creates the question for a player from texts, as options and parameters have them.
    ///
    /// # Errors
    ///
    /// If a name has no letter and no digit.
    pub fn new(name: &str, against: Option<&str>) -> Result<Self> {
        Ok(Self {
            name: asked_name("name", name)?,
            against: against.map(|name| asked_name("against", name)).transpose()?,
            filter: Filter::default(),
            names: None,
            limit: 0,
        })
    }

    /// Counts the results. Reads columns of the index, and the first moves of the games of the player: some milliseconds for each
    /// million games of the index, and about two microseconds for each game of the player.
    ///
    /// # Errors
    ///
    /// If nobody has the name, the index is damaged, or the work was stopped.
    pub fn run(&self, index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<PlayerReport> {
        let filter = self.filter.whole_games();
        self.filter.check(&filter, index)?;
        let mut columns = vec![TextColumn::White, TextColumn::Black, TextColumn::Event];
        if self.against.is_some() {
            columns.extend([TextColumn::Round, TextColumn::Result]);
        }
        let table = RowTable::with_texts(index, &columns, 0, threads)?;
        let scope = Scope { index, table: &table, filter: &filter, threads, stop };
        let same = SameNames::new(self.names.as_deref(), NameKind::Player);
        let same_events = SameNames::new(self.names.as_deref(), NameKind::Event);
        let mut person = scope.find(&same, Field::Player, &self.name)?;
        let own = person.query(&same, Field::Player);
        let against = match &self.against {
            None => None,
            Some(name) => {
                // Among the opponents of the person.
                let filter = own.clone() & filter.clone();
                let scope = Scope { filter: &filter, ..scope };
                Some(self.opponent(&scope, &same, &person, name)?)
            }
        };
        let mut all = own;
        let hits = match &against {
            None => std::mem::take(&mut person.hits),
            Some(against) => {
                all = all & against.query(&same, Field::Player);
                scope.search(all.clone())?
            }
        };
        let mut counts = Counts::new(&same, &same_events);
        let other = against.as_ref().map(|against| against.key.as_str());
        scope.each_row(&hits, |number, row| counts.add(number, row, &person.key, other))?;
        let [white, black] = [Field::White, Field::Black].map(|field| person.query(&same, field));
        if counts.self_games > 0 {
            all = all & !(white.clone() & black.clone());
        }
        let sides = [white, black];
        let report = Report { request: self, scope: &scope, all: all & filter.clone(), sides, counts };
        report.answer(&same, person, against)
    }

    /// Finds the other player of a head-to-head report.
    fn opponent(
        &self,
        scope: &Scope<'_>,
        same: &SameNames,
        person: &FoundName,
        name: &NamePattern,
    ) -> Result<FoundName> {
        // The person's own name may match as well, in all of these games.
        let mut found = scope.find(same, Field::Player, name)?;
        if found.key != person.key {
            found.others.retain(|other| other.name != person.name);
            return Ok(found);
        }
        if found.others.is_empty() {
            let message = message!(
                "same_person",
                "{name} is the same person; name an opponent",
                name = person.name.as_str()
            );
            return Err(AppError::new(ErrorCode::NoMatch, message).in_field("against"));
        }
        let next = found.others.remove(0);
        let mut other = scope.find(same, Field::Player, &NamePattern::parse(&format!("={}", next.name)))?;
        other.others = found.others;
        Ok(other)
    }
}

impl<'a> Counts<'a> {
    fn new(same: &'a SameNames, same_events: &'a SameNames) -> Self {
        Self {
            total: Tally::default(),
            colours: [Score::default(); 2],
            variants: BTreeMap::new(),
            years: BTreeMap::new(),
            ratings: BTreeMap::new(),
            lengths: BTreeMap::new(),
            persons: KeyNumbers::new(same),
            opponents: HashMap::new(),
            event_names: KeyNumbers::new(same_events),
            events: HashMap::new(),
            rated: (0, 0),
            self_games: 0,
            games: Vec::new(),
            meetings: Vec::new(),
        }
    }

    /// Adds a game, if one of its sides is the person, and the other one the person asked for.
    fn add(&mut self, number: u64, row: &GameRow<'a>, person: &str, other: Option<&str>) {
        let sides = self.persons.players(row);
        if self.persons.is_against_oneself(sides) {
            self.self_games += u64::from(self.persons.key(sides[0]) == person);
            return;
        }
        let is_person = sides.map(|side| self.persons.key(side) == person);
        let place = match is_person {
            [true, _] => 0,
            [_, true] => 1,
            _ => return,
        };
        let opponent = sides[1 - place];
        if other.is_some_and(|other| self.persons.key(opponent) != other) {
            return;
        }
        self.persons.count_players(row);
        let (start, colour) = (row.kind.numbering.start, Colour::ALL[place]);
        let own = row.tally(colour);
        let (score, rating) = (own.score, row.ratings[1 - place]);
        self.total += own;
        self.colours[place].add(&score);
        self.variants.entry(row.kind.variant.name()).or_default().add(&score);
        *self.years.entry(row.date.year()).or_default() += own;
        self.ratings.entry((rating > 0).then_some(rating / RATINGS)).or_default().add(&score);
        self.lengths.entry(row.plies / PLIES).or_default().add(&score);
        *self.opponents.entry(opponent).or_default() += Tally { rating, ..own };
        if rating > 0 {
            self.rated.0 += u64::from(rating);
            self.rated.1 += 1;
        }
        if is_event(row.event) {
            let event = self.event_names.number(row.event);
            *self.events.entry(event).or_default() += Tally { rating: 0, ..own };
        }
        self.games.push(OwnGame { number, colour, variant: row.kind.variant, score });
        if other.is_some() {
            let met = MetGame {
                game: number + 1,
                date: row.date.to_string(),
                event: row.event.to_owned(),
                round: row.round.to_owned(),
                colour: colour_name(colour),
                result: row.result.to_owned(),
                winner: winner_name(row.outcome, start),
                plies: row.plies,
            };
            self.meetings.push((row.date, met));
        }
    }
}

/// What a report is made of.
struct Report<'a> {
    request: &'a PlayerRequest,
    scope: &'a Scope<'a>,
    /// The query for all games.
    all: Query,
    /// The queries for the games with White and with Black.
    sides: [Query; 2],
    counts: Counts<'a>,
}

impl Report<'_> {
    /// Returns the text of the query for those games that match one more.
    fn query(&self, more: Query) -> String {
        (self.all.clone() & more).to_string()
    }

    /// Returns the query for games in which the opponent has a rating in a range.
    fn rated(&self, range: std::ops::RangeInclusive<u16>) -> Query {
        let [white, black] = &self.sides;
        let of = |whose| Query::rating(whose, range.clone());
        (white.clone() & of(RatedPlayer::Black)) | (black.clone() & of(RatedPlayer::White))
    }

    fn answer(
        mut self,
        same: &SameNames,
        person: FoundName,
        against: Option<FoundName>,
    ) -> Result<PlayerReport> {
        let of_result = |outcome: Outcome| Query::result(outcome).to_string();
        let results = ResultQueries {
            won: person.query(same, Field::Winner).to_joinable_text(),
            drawn: of_result(Outcome::Draw),
            lost: person.query(same, Field::Loser).to_joinable_text(),
            both_lost: of_result(Outcome::BothLose),
            unknown: of_result(Outcome::Unknown),
        };
        let meetings = std::mem::take(&mut self.counts.meetings);
        let first_moves = FirstMoves::play(self.scope, &self.counts.games)?;
        let (named_opening_counts, named_openings) = self.named_openings(&first_moves);
        let (opening_counts, openings) = self.openings(&first_moves)?;
        let (opponent_count, opponents) = self.opponents();
        let (event_count, events) = self.events();
        let (counts, total) = (&self.counts, self.counts.total);
        let unnamed = counts.persons.of_key("").and_then(|number| counts.opponents.get(&number));
        let number = counts.persons.of_key(&person.key);
        Ok(PlayerReport {
            spellings: number.map_or_else(Vec::new, |number| counts.persons.spellings(number)),
            also: person.others,
            exact: same.is_told_apart(&person.key)
                && against.as_ref().is_none_or(|other| same.is_told_apart(&other.key)),
            against: against.map(|other| head_to_head(other, meetings)),
            name: person.name,
            score: ScoreAnswer::of(&total.score),
            query: self.all.to_joinable_text(),
            results,
            first_year: total.first_year,
            last_year: total.last_year,
            rating: (total.rating > 0).then_some(total.rating),
            opponents_rating: (counts.rated.1 > 0).then(|| counts.rated.0 as f64 / counts.rated.1 as f64),
            self_games: counts.self_games,
            colours: (Colour::ALL.iter().zip(&self.sides).zip(&counts.colours))
                .map(|((&colour, side), score)| ColourRow {
                    colour: colour_name(colour),
                    score: ScoreAnswer::of(score),
                    query: self.query(side.clone()),
                })
                .collect(),
            variants: self.variants(),
            years: self.years(),
            ratings: self.ratings(),
            lengths: self.lengths(),
            opponent_count,
            opponents,
            unnamed_opponents: unnamed.map_or(0, |tally| tally.score.games),
            named_opening_counts,
            named_openings,
            opening_counts,
            openings,
            event_count,
            events,
        })
    }

    /// Keeps as many rows as were asked for.
    fn limit<T>(&self, rows: &mut Vec<T>) {
        if self.request.limit > 0 {
            rows.truncate(self.request.limit);
        }
    }

    /// Returns the tallies by number with their names, those with the most games first, and how many there are before the limit.
    fn most(
        &self,
        tallies: &HashMap<usize, Tally>,
        names: &KeyNumbers<'_>,
    ) -> (usize, Vec<(String, usize, Tally)>) {
        let named = tallies.iter().filter(|(number, _)| !names.key(**number).is_empty());
        let mut rows: Vec<(String, usize, Tally)> =
            named.map(|(&number, &tally)| (names.name(number), number, tally)).collect();
        rows.sort_by(|a, b| b.2.score.games.cmp(&a.2.score.games).then_with(|| a.0.cmp(&b.0)));
        let count = rows.len();
        self.limit(&mut rows);
        (count, rows)
    }

    fn years(&self) -> Vec<YearRow> {
        let row = |(&year, tally): (&Option<u16>, &Tally)| YearRow {
            year,
            rating: (tally.rating > 0).then_some(tally.rating),
            score: ScoreAnswer::of(&tally.score),
            query: self.query(year_query(year)),
        };
        let mut rows: Vec<YearRow> = self.counts.years.iter().map(row).collect();
        // Games without a year come last.
        rows.sort_by_key(|row| row.year.is_none());
        rows
    }

    fn ratings(&self) -> Vec<RangeRow> {
        let row = |(&step, score): (&Option<u16>, &Score)| {
            let Some(step) = step else {
                let unrated = Query::Not(Box::new(self.rated(1..=u16::MAX)));
                return self.range(None, score, unrated);
            };
            let (from, to) = (step * RATINGS, (step * RATINGS).saturating_add(RATINGS - 1));
            // A rating of 0 is none.
            self.range(Some((from.into(), to.into())), score, self.rated(from.max(1)..=to))
        };
        let mut rows: Vec<RangeRow> = self.counts.ratings.iter().map(row).collect();
        // Games without a rating come last.
        rows.sort_by_key(|row| row.from.is_none());
        rows
    }

    fn lengths(&self) -> Vec<RangeRow> {
        let row = |(&step, score): (&u32, &Score)| {
            let (from, to) = (step * PLIES, (step * PLIES).saturating_add(PLIES - 1));
            self.range(Some((from, to)), score, Query::plies(from..=to))
        };
        self.counts.lengths.iter().map(row).collect()
    }

    fn range(&self, range: Option<(u32, u32)>, score: &Score, query: Query) -> RangeRow {
        let (from, to) = range.unzip();
        RangeRow { from, to, score: ScoreAnswer::of(score), query: self.query(query) }
    }

    fn variants(&self) -> Vec<VariantRow> {
        let row = |(&variant, score): (&&'static str, &Score)| {
            let query = self.query(Query::variant(Variant::from_name(variant)?));
            Some(VariantRow { variant, score: ScoreAnswer::of(score), query })
        };
        let mut rows: Vec<VariantRow> = self.counts.variants.iter().filter_map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.score.games));
        rows
    }

    fn opponents(&self) -> (usize, Vec<OpponentRow>) {
        let (count, rows) = self.most(&self.counts.opponents, &self.counts.persons);
        let row = |(name, number, tally): (String, usize, Tally)| OpponentRow {
            name,
            first_year: tally.first_year,
            last_year: tally.last_year,
            rating: (tally.rating > 0).then_some(tally.rating),
            score: ScoreAnswer::of(&tally.score),
            query: self.query(self.counts.persons.query(number, Field::Player)),
        };
        (count, rows.into_iter().map(row).collect())
    }

    fn events(&self) -> (usize, Vec<EventRow>) {
        let (count, rows) = self.most(&self.counts.events, &self.counts.event_names);
        let row = |(event, number, tally): (String, usize, Tally)| EventRow {
            event,
            first_year: tally.first_year,
            last_year: tally.last_year,
            score: ScoreAnswer::of(&tally.score),
            query: self.query(self.counts.event_names.query(number, Field::Event)),
        };
        (count, rows.into_iter().map(row).collect())
    }
}

fn head_to_head(other: FoundName, mut meetings: Vec<(Date, MetGame)>) -> HeadToHead {
    meetings.sort_by_key(|(date, met)| (*date, met.game));
    let meetings = meetings.into_iter().map(|(_, met)| met).collect();
    HeadToHead { name: other.name, also: other.others, meetings }
}
