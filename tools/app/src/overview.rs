//! Numbers of games by variant, year, result and length, and the players of an index.

use std::collections::{BTreeMap, HashMap};

use pdn::index::{GameRow, Index};
use pdn::names::{NamePattern, fold};
use pdn::query::{Hit, RowTable};
use pdn::replay::GameStatus;
use pdn::stop::Stop;
use pdn::value::Colour;
use serde::{Serialize, Serializer};

use crate::error::Result;
use crate::lengths::{Lengths, LengthsAnswer};
use crate::people::NamedGames;
use crate::score::{Score, Years, join_years, year_alone};
use crate::words::winner_name;

/// Number of games after which the flag that stops the work is looked at.
const GAMES_PER_LOOK: u64 = 4096;
/// Number of players and events in the overview.
const MOST: usize = 30;

/// A player with all spellings of the name that differ in case, accents and punctuation only.
#[derive(Clone, Default, Debug)]
struct Player {
    /// The spelling of most games.
    name: String,
    spellings: Vec<(String, u64)>,
    score: Score,
    years: Years,
    rating: u16,
}

/// A player with the results of the games.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerAnswer {
    /// The spelling of most games.
    pub name: String,
    /// All spellings that differ in case, accents and punctuation only.
    pub spellings: Vec<NamedGames>,
    /// The number of games.
    pub games: u64,
    /// Games that the player won.
    pub won: u64,
    /// Drawn games.
    pub drawn: u64,
    /// Games that the player lost.
    pub lost: u64,
    /// The points in percent of the possible ones; null without a result.
    pub score: Option<f64>,
    /// The year of the first game.
    pub first_year: Option<u16>,
    /// The year of the last game.
    pub last_year: Option<u16>,
    /// The highest rating.
    pub rating: Option<u16>,
}

/// A page of players.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayersAnswer {
    /// The number of all players that match.
    pub total: usize,
    /// The number of players before the page.
    pub offset: u64,
    /// The players, the most active first.
    pub players: Vec<PlayerAnswer>,
}

impl Player {
    fn answer(&self) -> PlayerAnswer {
        let spellings = self.spellings.iter();
        PlayerAnswer {
            name: self.name.clone(),
            spellings: spellings
                .map(|(name, games)| NamedGames { name: name.clone(), games: *games })
                .collect(),
            games: self.score.games,
            won: self.score.won,
            drawn: self.score.drawn,
            lost: self.score.lost,
            score: self.score.percent(),
            first_year: self.years.map(|years| years.0),
            last_year: self.years.map(|years| years.1),
            rating: (self.rating > 0).then_some(self.rating),
        }
    }
}

/// What is known of one spelling.
#[derive(Clone, Copy, Default)]
struct Spelling {
    score: Score,
    years: Years,
    rating: u16,
}

/// Counts the players of some games by the spelling of their names.
#[derive(Default)]
struct PlayerCounts<'a>(HashMap<&'a str, Spelling>);

impl<'a> PlayerCounts<'a> {
    fn add(&mut self, row: &GameRow<'a>) {
        for (colour, name, rating) in
            [(Colour::White, row.white, row.ratings[0]), (Colour::Black, row.black, row.ratings[1])]
        {
            let spelling = self.0.entry(name).or_default();
            spelling.score.add_game(row.outcome, row.kind.numbering.start, colour);
            spelling.years = join_years(spelling.years, year_alone(row.date.year()));
            spelling.rating = spelling.rating.max(rating);
        }
    }

    /// Returns the players, the most active first. Names without a letter or digit, such as `?`, are left out.
    fn players(self) -> Vec<Player> {
        let mut by_name: HashMap<String, Player> = HashMap::new();
        for (name, spelling) in self.0 {
            let folded = fold(name);
            if folded.is_empty() {
                continue;
            }
            let player = by_name.entry(folded).or_default();
            player.score.add(&spelling.score);
            player.years = join_years(player.years, spelling.years);
            player.rating = player.rating.max(spelling.rating);
            player.spellings.push((name.to_owned(), spelling.score.games));
        }
        let mut players: Vec<Player> = by_name.into_values().collect();
        for player in &mut players {
            player.spellings.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            player.name.clone_from(&player.spellings[0].0);
        }
        players.sort_by(|a, b| b.score.games.cmp(&a.score.games).then_with(|| a.name.cmp(&b.name)));
        players
    }
}

/// Passes the rows of all games of an index to `add`.
fn each_game<'a>(
    index: &Index,
    table: &'a RowTable<'a>,
    stop: &Stop,
    mut add: impl FnMut(&GameRow<'a>),
) -> Result<()> {
    for game in index.games() {
        if game.number() % GAMES_PER_LOOK == 0 {
            stop.check()?;
        }
        if !game.is_retired()
            && let Some(row) = table.row(game.number())
        {
            add(&row);
        }
    }
    Ok(())
}

/// The players of an index, the most active first.
#[derive(Debug)]
pub struct Players(Vec<Player>);

impl Players {
    /// Finds the players of an index. O(n) in the number of games.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub fn of(index: &Index, stop: &Stop) -> Result<Self> {
        let table = RowTable::new(index)?;
        let mut counts = PlayerCounts::default();
        each_game(index, &table, stop, |row| counts.add(row))?;
        Ok(Self(counts.players()))
    }

    /// Returns the names of all players.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|player| player.name.clone()).collect()
    }

    /// Returns `limit` players after the first `offset` whose name matches the pattern, as in [`Filter`](crate::filter::Filter).
    pub fn page(&self, name: Option<&str>, offset: u64, limit: usize) -> PlayersAnswer {
        let pattern = name.map(NamePattern::parse);
        let is_wanted = |player: &&Player| {
            pattern
                .as_ref()
                .is_none_or(|pattern| player.spellings.iter().any(|(name, _)| pattern.matches(name)))
        };
        let wanted: Vec<&Player> = self.0.iter().filter(is_wanted).collect();
        let page = wanted.iter().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(limit);
        PlayersAnswer { total: wanted.len(), offset, players: page.map(|player| player.answer()).collect() }
    }
}

/// Returns the names of all events with their numbers of games, those with the most games first.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
pub fn event_names(index: &Index, stop: &Stop) -> Result<Vec<(String, u64)>> {
    let table = RowTable::new(index)?;
    let mut events = HashMap::<&str, u64>::new();
    each_game(index, &table, stop, |row| {
        if is_event(row.event) {
            *events.entry(row.event).or_default() += 1;
        }
    })?;
    let mut events: Vec<_> = events.into_iter().map(|(name, games)| (name.to_owned(), games)).collect();
    events.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(events)
}

/// Returns `true` if the value of an Event tag names an event, which `?` and `-` do not.
pub(crate) fn is_event(name: &str) -> bool {
    fold(name).len() > 1
}

/// The games of a year.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct YearAnswer {
    /// The year.
    pub year: u16,
    /// The number of games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

/// An event with its games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventAnswer {
    /// The name.
    pub event: String,
    /// The number of games.
    pub games: u64,
    /// The year of the first game.
    pub first_year: Option<u16>,
    /// The year of the last game.
    pub last_year: Option<u16>,
}

/// Numbers of games by variant, year, result and length.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewAnswer {
    /// The number of games.
    pub games: u64,
    /// The number of plies.
    pub plies: u64,
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games without a known winner.
    pub unknown: u64,
    /// Games that are legal to their end.
    pub legal: u64,
    /// Numbers of games by status, most first.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, u64>"))]
    pub statuses: Vec<(&'static str, u64)>,
    /// Numbers of games by variant, most first.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, u64>"))]
    pub variants: Vec<(&'static str, u64)>,
    /// The years.
    pub years: Vec<YearAnswer>,
    /// The lengths.
    pub lengths: LengthsAnswer,
    /// The number of players.
    pub player_count: usize,
    /// The most active players.
    pub players: Vec<PlayerAnswer>,
    /// The number of events.
    pub event_count: usize,
    /// The events with the most games.
    pub events: Vec<EventAnswer>,
}

/// Serialises pairs as an object.
fn as_map<S: Serializer>(
    pairs: &[(&'static str, u64)],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().copied())
}

/// Counts some games.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
pub fn overview(index: &Index, hits: &[Hit], stop: &Stop) -> Result<OverviewAnswer> {
    let table = RowTable::new(index)?;
    let mut counts = PlayerCounts::default();
    let (mut variants, mut winners, mut statuses) = (BTreeMap::new(), [0u64; 4], BTreeMap::new());
    let (mut years, mut events) = (BTreeMap::<u16, [u64; 4]>::new(), HashMap::<&str, (u64, Years)>::new());
    let (mut lengths, mut plies, mut games) = (Lengths::default(), 0u64, 0u64);
    for hit in hits {
        if games % GAMES_PER_LOOK == 0 {
            stop.check()?;
        }
        let Some(row) = table.row(hit.game) else { continue };
        games += 1;
        plies += u64::from(row.plies);
        *variants.entry(row.kind.variant.name()).or_insert(0u64) += 1;
        *statuses.entry(row.status.name()).or_insert(0u64) += 1;
        let winner = match winner_name(row.outcome, row.kind.numbering.start) {
            Some("white") => 0,
            Some("draw") => 1,
            Some("black") => 2,
            _ => 3,
        };
        winners[winner] += 1;
        if let Some(year) = row.date.year() {
            years.entry(year).or_default()[winner] += 1;
        }
        if is_event(row.event) {
            let event = events.entry(row.event).or_default();
            event.0 += 1;
            event.1 = join_years(event.1, year_alone(row.date.year()));
        }
        lengths.add(row.plies, 1);
        counts.add(&row);
    }
    let by_count = |counts: BTreeMap<&'static str, u64>| {
        let mut counts: Vec<(&'static str, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts
    };
    let year = |(year, [white, draws, black, unknown]): (u16, [u64; 4])| YearAnswer {
        year,
        games: white + draws + black + unknown,
        white,
        draws,
        black,
    };
    let mut events: Vec<_> = events.into_iter().collect();
    events.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(b.0)));
    let event = |(event, (games, years)): &(&str, (u64, Years))| EventAnswer {
        event: (*event).to_owned(),
        games: *games,
        first_year: years.map(|years| years.0),
        last_year: years.map(|years| years.1),
    };
    let players = counts.players();
    Ok(OverviewAnswer {
        games,
        plies,
        white: winners[0],
        draws: winners[1],
        black: winners[2],
        unknown: winners[3],
        legal: statuses.get(GameStatus::Legal.name()).copied().unwrap_or(0),
        statuses: by_count(statuses),
        variants: by_count(variants),
        years: years.into_iter().map(year).collect(),
        lengths: LengthsAnswer::of(&lengths),
        player_count: players.len(),
        players: players.iter().take(MOST).map(Player::answer).collect(),
        event_count: events.len(),
        events: events.iter().take(MOST).map(event).collect(),
    })
}
