//! The report of an event: its standings by each scoring system, who scored what against whom, and its games round by round.

mod scoring;
mod standings;
mod same_game;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use pdn::internal::value::round_parts;
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn::value::{Colour, Date, GameResult, GameType, Outcome, ScoreOrder};
use pdn_index::internal::TextColumn;
use pdn_index::internal::query::{Field, RowTable, round_number};
use pdn_index::query::Query;
use pdn_index::{GameRow, Index};
use pdn_names::{NameKind, NameMap, NamePattern};
use serde::Serialize;

pub use scoring::Scoring;
pub use standings::{TIE_BREAKS, TieBreak};

use crate::ask::error::Result;
use crate::ask::filter::{Filter, asked_name};
use crate::ask::options::options;
use crate::ask::values::{colour_name, winner_name};
use crate::report::people::{FoundName, KeyNumbers, NamedGames, Scope, sort_names, year_query};
use crate::report::same_names::SameNames;
use crate::report::score::ScoreAnswer;
use crate::write::name_map;
use same_game::same_games;
use standings::{CountedGame, places};

/// Asks for the standings and games of an event.
#[derive(Clone, PartialEq, Debug)]
pub struct EventRequest {
    /// The name, as in `event : NAME`. Of several events whose name matches, the one with the most games is meant.
    pub name: NamePattern,
    /// Conditions on games.
    pub filter: Filter,
    /// The names that spellings of events and players become.
    pub names: Option<Arc<NameMap>>,
    /// What decides between equal points, in this order.
    pub tie_breaks: Vec<TieBreak>,
    /// The greatest number of players in each table, 0 for no limit.
    pub limit: usize,
    /// The games of an event with more games are not listed, neither by round nor for each player; `None` for no limit.
    pub most_listed: Option<u64>,
}

/// A year of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventYear {
    /// The year; null for games without one.
    pub year: Option<u16>,
    /// The number of games.
    pub games: u64,
    /// The query for the games.
    pub query: String,
}

/// A variant of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventVariant {
    /// The variant.
    pub variant: &'static str,
    /// The number of games.
    pub games: u64,
    /// The query for the games.
    pub query: String,
}

/// A game of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventGame {
    /// The number of the game in the index, from 1.
    pub game: u64,
    /// The round as written.
    pub round: String,
    /// The date, with `??` for unknown parts.
    pub date: String,
    /// White.
    pub white: String,
    /// Black.
    pub black: String,
    /// The result as written.
    pub result: String,
    /// `white`, `black`, `draw` or null.
    pub winner: Option<&'static str>,
    /// The number of plies; 0 for a game that was not played.
    pub plies: u32,
}

/// The games of a round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventRound {
    /// The number of the round, or its text if it has no number; null for games without a known round.
    pub round: Option<String>,
    /// The games in the order of their rounds and numbers.
    pub games: Vec<EventGame>,
}

/// A game that is given twice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepeatedGame {
    /// The number of the game that is not counted, from 1.
    pub game: u64,
    /// The number of the game that is counted in its place.
    pub same_as: u64,
    /// Whether both have a known result, and not the same.
    pub contradicts: bool,
}

/// A result of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingResult {
    /// The opponent.
    pub opponent: String,
    /// The colour of the player.
    pub colour: &'static str,
    /// The points; null without a known result.
    pub points: Option<f64>,
    /// The number of the game, from 1.
    pub game: u64,
    /// The number of plies; 0 for a game that was not played.
    pub plies: u32,
}

/// The place of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standing {
    /// The place, from 1. Players whom no tie-break decides between share it.
    pub rank: usize,
    /// The name.
    pub player: String,
    /// The points.
    pub points: f64,
    /// Draws with an advantage less those with a disadvantage; 0 unless the system has them besides points.
    pub advantages: i64,
    /// Points in the games between those with equal points; null if they have not all met, or nobody has as many.
    pub head_to_head: Option<f64>,
    /// Sonneborn-Berger: the points of the opponents, each in the share of the points that was taken from them.
    pub sonneborn_berger: f64,
    /// Buchholz, also called Solkoff: the points of the opponents, once for each game.
    pub buchholz: f64,
    /// The results. `unknown` counts the games without a known result.
    #[serde(flatten)]
    pub score: ScoreAnswer,
    /// The points after each round, in the order of `rounds`.
    pub progress: Vec<f64>,
    /// All games in the order of `rounds`.
    pub results: Vec<StandingResult>,
    /// The query for the games.
    pub query: String,
}

/// The standings by a scoring system.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standings {
    /// The system: `default`, `international`, `plus-draw`, `delfts`, `goes` or `ten-point`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub scoring: Scoring,
    /// The number of results that are written in it; the others have the value of a win, a draw or a loss.
    pub written: u64,
    /// The points of a win.
    pub win: f64,
    /// The players in the order of their places.
    pub players: Vec<Standing>,
}

/// The standings and games of an event.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventReport {
    /// The name: that of the file of names, or the spelling of most games.
    pub event: String,
    /// All spellings.
    pub spellings: Vec<NamedGames>,
    /// Other events whose name matches too, those with the most games first. Their games are not counted.
    pub also: Vec<NamedGames>,
    /// The number of games.
    pub games: u64,
    /// The query for all games.
    pub query: String,
    /// Whether the queries find these games and no others. They find more if the file of names parts spellings that differ in case, accents
    /// and punctuation only; and those of players also find the copies of games that are given twice.
    pub exact: bool,
    /// The first date, with `??` for unknown parts; null without any.
    pub first_date: Option<String>,
    /// The last date.
    pub last_date: Option<String>,
    /// The years, games without one last.
    pub years: Vec<EventYear>,
    /// The variants, the commonest first.
    pub variants: Vec<EventVariant>,
    /// The sites as written, the commonest first.
    pub sites: Vec<NamedGames>,
    /// The number of players.
    pub player_count: usize,
    /// The number of games in the tables: all but those that are left out or given twice.
    pub counted: u64,
    /// The number of these without a known result.
    pub unfinished: u64,
    /// The number of these with a result and without moves, such as forfeits.
    pub unplayed: u64,
    /// Games that are left out because a player has no name, or both have the same.
    pub left_out: u64,
    /// Games that are given twice.
    pub repeated: Vec<RepeatedGame>,
    /// What decides between equal points, in this order: `head-to-head`, `sonneborn-berger`, `buchholz` or
    /// `wins`.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub tie_breaks: Vec<TieBreak>,
    /// The standings by each scoring system that the results use, the most used first. If they use none, that of the game type.
    pub standings: Vec<Standings>,
    /// Whether the games are listed, in `rounds` and for each player.
    pub listed: bool,
    /// The rounds in their order, games without a known round last.
    pub rounds: Vec<EventRound>,
}

/// A game in the tables.
#[derive(Clone, Copy, Debug)]
struct TableGame<'a> {
    /// From 0.
    number: u64,
    /// White and Black, by their numbers.
    players: [usize; 2],
    round: &'a str,
    date: Date,
    /// The result as written.
    result: &'a str,
    /// The side that its first number belongs to.
    scores: ScoreOrder,
    start: Colour,
    plies: u32,
    variant: Variant,
}

impl<'a> TableGame<'a> {
    fn parsed(&self) -> GameResult<'a> {
        let written = GameResult::parse(self.result.as_bytes());
        let scores = match self.scores {
            ScoreOrder::First => written,
            ScoreOrder::White => written.swapped(),
        };
        scores.for_start(self.start)
    }

    fn outcome(&self) -> Outcome {
        self.parsed().outcome()
    }

    fn counted(&self) -> CountedGame<'a> {
        CountedGame { players: self.players, result: self.parsed(), start: self.start }
    }
}

/// The place of a round among the rounds: those with a number first, those without a known round last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum RoundPlace {
    Number(u16),
    Text(String),
    Unknown,
}

impl RoundPlace {
    fn of(text: &str) -> Self {
        match round_number(text) {
            Some(number) if !is_part_of_final(text) => Self::Number(number),
            None if same_game::known_round(text).is_none() => Self::Unknown,
            _ => Self::Text(text.trim().to_owned()),
        }
    }

    fn label(&self) -> Option<String> {
        match self {
            Self::Number(number) => Some(number.to_string()),
            Self::Text(text) => Some(text.clone()),
            Self::Unknown => None,
        }
    }
}

/// Returns `true` for a round such as `1/8 final`, whose first number is none of a round.
fn is_part_of_final(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("1/").unwrap_or_default();
    let words = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let parts: Option<u16> = rest[..rest.len() - words.len()].parse().ok();
    parts.is_some_and(|parts| parts > 1 && parts.is_power_of_two()) && words.contains(char::is_alphabetic)
}

/// Returns the order of games by their rounds: number by number, letters behind all numbers.
fn order_in_round(text: &str) -> Vec<(u64, String)> {
    round_parts(text).map(|part| (part.parse().unwrap_or(u64::MAX), part.to_lowercase())).collect()
}

options! {
    /// What is shown of an event.
    pub struct EventOptions in "" {
        /// What decides between equal points, in this order, separated by commas
        tie_breaks: Vec<TieBreak> = TIE_BREAKS.to_vec(), value "LIST";
        /// Take the spellings that this file lists for one name, which `pdn names` wrote and you have read
        names: Option<PathBuf>, value "FILE";
        /// Print at most this many players, 0 for no limit
        limit: usize, value "N";
    }
}

impl EventRequest {
    /// Asks for what these options say.
    ///
    /// # Errors
    ///
    /// If the name has no letter and no digit, or the file of names cannot be read.
    pub fn with(name: &str, filter: Filter, options: EventOptions) -> Result<Self> {
        let names = name_map::read_shared(options.names.as_deref())?;
        let EventOptions { tie_breaks, limit, .. } = options;
        Ok(Self { filter, names, tie_breaks, limit, ..Self::new(name)? })
    }

    /// Creates the question for an event from a text, as options and parameters have it.
    ///
    /// # Errors
    ///
    /// If the name has no letter and no digit.
    pub fn new(name: &str) -> Result<Self> {
        Ok(Self {
            name: asked_name("name", name)?,
            filter: Filter::default(),
            names: None,
            tie_breaks: TIE_BREAKS.to_vec(),
            limit: 0,
            most_listed: None,
        })
    }

    /// Counts the results. Reads columns of the index, some milliseconds for each million games; and the moves of two games of the same
    /// players with the same colours that may be one.
    ///
    /// # Errors
    ///
    /// If no event has the name, the index is damaged, or the work was stopped.
    pub fn run(&self, index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<EventReport> {
        let filter = self.filter.whole_games();
        self.filter.check(&filter, index)?;
        let columns = [
            TextColumn::White,
            TextColumn::Black,
            TextColumn::Event,
            TextColumn::Site,
            TextColumn::Round,
            TextColumn::Result,
        ];
        let table = RowTable::with_texts(index, &columns, 0, threads)?;
        let scope = Scope { index, table: &table, filter: &filter, threads, stop };
        let same = SameNames::new(self.names.as_deref(), NameKind::Player);
        let same_events = SameNames::new(self.names.as_deref(), NameKind::Event);
        let mut event = scope.find(&same_events, Field::Event, &self.name)?;
        let query = event.query(&same_events, Field::Event);
        let hits = std::mem::take(&mut event.hits);
        let mut found = Found::new(&same, &same_events);
        scope.each_row(&hits, |number, row| found.add(number, row, &event.key))?;
        let repeated = found.drop_repeated(index)?;
        let query = query & filter.clone();
        Ok(self.answer(event, &query, found, repeated))
    }

    fn answer(
        &self,
        event: FoundName,
        query: &Query,
        mut found: Found<'_>,
        repeated: Vec<RepeatedGame>,
    ) -> EventReport {
        found.games.sort_by_cached_key(|game| {
            (RoundPlace::of(game.round), order_in_round(game.round), game.date, game.number)
        });
        let names = found.player_names();
        let mut exact = found.events.is_told_apart(&event.key);
        exact &= found.places.iter().all(|&number| found.same.is_told_apart(found.persons.key(number)));
        exact &= repeated.is_empty();
        let results: Vec<GameResult<'_>> = found.games.iter().map(TableGame::parsed).collect();
        let mut used = Scoring::used(results.iter());
        if used.is_empty() {
            let number = found.games.first().map(|game| game.variant.number());
            let format = number.and_then(|number| GameType::of_number(number).result_system());
            used.push((format.and_then(Scoring::of_format).unwrap_or_default(), 0));
        }
        let standings = |(scoring, written)| self.standings(query, &found, &names, scoring, written);
        let listed = self.lists(&found);
        let of_year = |(year, games): (&Option<u16>, &u64)| EventYear {
            year: *year,
            games: *games,
            query: (query.clone() & year_query(*year)).to_string(),
        };
        let mut years: Vec<EventYear> = found.years.iter().map(of_year).collect();
        years.sort_by_key(|year| year.year.is_none());
        let of_variant = |(name, games): (&&'static str, &u64)| {
            let query = (query.clone() & Query::variant(Variant::from_name(name)?)).to_string();
            Some(EventVariant { variant: name, games: *games, query })
        };
        let mut variants: Vec<EventVariant> = found.variants.iter().filter_map(of_variant).collect();
        variants.sort_by_key(|variant| std::cmp::Reverse(variant.games));
        let mut sites: Vec<NamedGames> = found
            .sites
            .iter()
            .map(|(name, games)| NamedGames { name: (*name).to_owned(), games: *games })
            .collect();
        sort_names(&mut sites);
        let count =
            |test: fn(&TableGame<'_>) -> bool| found.games.iter().filter(|game| test(game)).count() as u64;
        let spellings = found.names.of_key(&event.key);
        EventReport {
            spellings: spellings.map_or_else(Vec::new, |number| found.names.spellings(number)),
            event: event.name,
            also: event.others,
            games: found.all,
            query: query.to_joinable_text(),
            exact,
            first_date: found.dates.map(|dates| dates.0.to_string()),
            last_date: found.dates.map(|dates| dates.1.to_string()),
            years,
            variants,
            sites,
            player_count: found.places.len(),
            counted: found.games.len() as u64,
            unfinished: count(|game| game.outcome() == Outcome::Unknown),
            unplayed: count(|game| game.outcome() != Outcome::Unknown && game.plies == 0),
            left_out: found.left_out,
            repeated,
            tie_breaks: self.tie_breaks.clone(),
            standings: used.into_iter().map(standings).collect(),
            listed,
            rounds: if listed { rounds(&found, &names) } else { Vec::new() },
        }
    }

    /// Returns `true` if the games are listed.
    fn lists(&self, found: &Found<'_>) -> bool {
        self.most_listed.is_none_or(|most| found.all <= most)
    }

    fn standings(
        &self,
        query: &Query,
        found: &Found<'_>,
        names: &[String],
        scoring: Scoring,
        written: u64,
    ) -> Standings {
        let counted: Vec<CountedGame<'_>> = found.games.iter().map(TableGame::counted).collect();
        let by_name = |one: usize, other: usize| names[one].cmp(&names[other]);
        let mut places = places(&counted, names.len(), scoring, &self.tie_breaks, by_name);
        if self.limit > 0 {
            places.truncate(self.limit);
        }
        let points = |hundredths: u64| hundredths as f64 / 100.0;
        let mut results: Vec<Vec<StandingResult>> = vec![Vec::new(); names.len()];
        let (mut progress, mut totals) = (vec![Vec::new(); names.len()], vec![0; names.len()]);
        let mut counted = found.games.iter().zip(&counted).peekable();
        while let Some((game, of_game)) = counted.next() {
            let of_game = of_game.points(scoring);
            for (side, &player) in game.players.iter().enumerate() {
                let of_side = of_game.map(|points| u64::from(points[side]));
                totals[player] += of_side.unwrap_or(0);
                results[player].push(StandingResult {
                    opponent: names[game.players[1 - side]].clone(),
                    colour: colour_name(Colour::ALL[side]),
                    points: of_side.map(points),
                    game: game.number + 1,
                    plies: game.plies,
                });
            }
            if counted.peek().is_none_or(|(next, _)| !is_same_round(game, next)) {
                progress.iter_mut().zip(&totals).for_each(|(progress, &total)| progress.push(points(total)));
            }
        }
        let players = places.into_iter().map(|place| {
            let mut results = std::mem::take(&mut results[place.player]);
            let unknown = results.iter().filter(|result| result.points.is_none()).count() as u64;
            if !self.lists(found) {
                results.clear();
            }
            let player = query.clone() & found.query(found.places[place.player]);
            Standing {
                rank: place.rank,
                player: names[place.player].clone(),
                points: points(place.points),
                advantages: place.advantages,
                head_to_head: place.head_to_head.map(points),
                sonneborn_berger: points(place.sonneborn_berger) / f64::from(scoring.win()),
                buchholz: points(place.buchholz),
                score: ScoreAnswer {
                    games: place.score.games + unknown,
                    unknown,
                    ..ScoreAnswer::of(&place.score)
                },
                progress: std::mem::take(&mut progress[place.player]),
                results,
                query: player.to_string(),
            }
        });
        Standings { scoring, written, win: points(scoring.win().into()), players: players.collect() }
    }
}

/// The games of an event.
struct Found<'a> {
    same: &'a SameNames,
    events: &'a SameNames,
    /// Spellings of the event.
    names: KeyNumbers<'a>,
    persons: KeyNumbers<'a>,
    /// The numbers of those persons who play, in the order in which they are met. Games name players by their places here.
    places: Vec<usize>,
    /// The place of each of these numbers.
    by_number: HashMap<usize, usize>,
    all: u64,
    left_out: u64,
    /// The numbers of persons with games against oneself.
    against_themselves: HashSet<usize>,
    /// The numbers of persons with games against players without a name.
    against_nobody: HashSet<usize>,
    dates: Option<(Date, Date)>,
    years: BTreeMap<Option<u16>, u64>,
    variants: BTreeMap<&'static str, u64>,
    sites: BTreeMap<&'a str, u64>,
    games: Vec<TableGame<'a>>,
}

impl<'a> Found<'a> {
    fn new(same: &'a SameNames, events: &'a SameNames) -> Self {
        Self {
            same,
            events,
            names: KeyNumbers::new(events),
            persons: KeyNumbers::new(same),
            places: Vec::new(),
            by_number: HashMap::new(),
            all: 0,
            left_out: 0,
            against_themselves: HashSet::new(),
            against_nobody: HashSet::new(),
            dates: None,
            years: BTreeMap::new(),
            variants: BTreeMap::new(),
            sites: BTreeMap::new(),
            games: Vec::new(),
        }
    }

    /// Adds a game, if it is one of the event.
    fn add(&mut self, number: u64, row: &GameRow<'a>, event: &str) {
        let name = self.names.number(row.event);
        if self.names.key(name) != event {
            return;
        }
        self.all += 1;
        if row.date.year().is_some() {
            let (first, last) = self.dates.unwrap_or((row.date, row.date));
            self.dates = Some((first.min(row.date), last.max(row.date)));
        }
        *self.years.entry(row.date.year()).or_default() += 1;
        *self.variants.entry(row.kind.variant.name()).or_default() += 1;
        if !pdn_names::fold(row.site).is_empty() {
            *self.sites.entry(row.site).or_default() += 1;
        }
        let persons = self.persons.players(row);
        let is_unnamed = persons.map(|person| self.persons.key(person).is_empty());
        if self.persons.is_against_oneself(persons) {
            self.against_themselves.insert(persons[0]);
        } else if is_unnamed != [false, false] {
            let named = persons.into_iter().zip(is_unnamed).filter(|(_, is_unnamed)| !is_unnamed);
            self.against_nobody.extend(named.map(|(person, _)| person));
        } else {
            self.persons.count_players(row);
            self.add_counted(number, row, persons);
            return;
        }
        self.left_out += 1;
    }

    /// Adds a game that is in the tables.
    fn add_counted(&mut self, number: u64, row: &GameRow<'a>, persons: [usize; 2]) {
        let players = persons.map(|person| {
            *self.by_number.entry(person).or_insert_with(|| {
                self.places.push(person);
                self.places.len() - 1
            })
        });
        self.games.push(TableGame {
            number,
            players,
            round: row.round,
            date: row.date,
            result: row.result,
            scores: row.scores(),
            start: row.kind.numbering.start,
            plies: row.plies,
            variant: row.kind.variant,
        });
    }

    /// Removes games that are given twice, and returns them. If the result of the first one is unknown, that of the other counts.
    fn drop_repeated(&mut self, index: &Index) -> Result<Vec<RepeatedGame>> {
        let same = same_games(index, &self.games)?;
        let mut repeated = Vec::new();
        for (place, first) in same.iter().enumerate() {
            let Some(first) = *first else { continue };
            let (game, kept) = (self.games[place], self.games[first]);
            let [own, known] = [game.outcome(), kept.outcome()];
            let contradicts = ![own, known].contains(&Outcome::Unknown) && own != known;
            repeated.push(RepeatedGame { game: game.number + 1, same_as: kept.number + 1, contradicts });
            if known == Outcome::Unknown {
                (self.games[first].result, self.games[first].scores) = (game.result, game.scores);
            }
            if kept.plies == 0 {
                self.games[first].plies = game.plies;
            }
        }
        let mut same = same.iter();
        self.games.retain(|_| same.next().is_some_and(Option::is_none));
        Ok(repeated)
    }

    /// Returns the query for the games of a person that are in the tables, and for copies of them.
    fn query(&self, person: usize) -> Query {
        let of = |field| self.persons.query(person, field);
        let mut query = of(Field::Player);
        if self.against_themselves.contains(&person) {
            query = query & !(of(Field::White) & of(Field::Black));
        }
        if self.against_nobody.contains(&person) {
            query = query & !Query::exactly(Field::Player, "");
        }
        query
    }

    fn player_names(&self) -> Vec<String> {
        self.places.iter().map(|&number| self.persons.name(number)).collect()
    }
}

/// Returns the rounds of games that are sorted by them.
fn rounds(found: &Found<'_>, names: &[String]) -> Vec<EventRound> {
    let row = |game: &TableGame<'_>| EventGame {
        game: game.number + 1,
        round: game.round.to_owned(),
        date: game.date.to_string(),
        white: names[game.players[0]].clone(),
        black: names[game.players[1]].clone(),
        result: game.result.to_owned(),
        winner: winner_name(game.outcome(), game.start),
        plies: game.plies,
    };
    let of_round = |games: &[TableGame<'_>]| EventRound {
        round: games.first().and_then(|game| RoundPlace::of(game.round).label()),
        games: games.iter().map(row).collect(),
    };
    found.games.chunk_by(is_same_round).map(of_round).collect()
}

fn is_same_round(one: &TableGame<'_>, other: &TableGame<'_>) -> bool {
    RoundPlace::of(one.round) == RoundPlace::of(other.round)
}
