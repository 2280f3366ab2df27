//! Numbers of games by variant, year, result and length, and the players of an index.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use pdn::index::{GameRow, Index, TextColumn};
use pdn::names::{NameMatch, NamePattern, fold};
use pdn::query::{Hit, RowTable};
use pdn::replay::GameStatus;
use pdn::stop::Stop;
use pdn::value::Colour;
use serde::{Serialize, Serializer};

use crate::error::Result;
use crate::lengths::{Lengths, LengthsAnswer};
use crate::people::{KeyNumbers, NamedGames, is_event};
use crate::same_names::{SameNames, SameNamesOfKinds};
use crate::score::{Score, Years, join_years, year_alone};
use crate::words::winner_name;

/// Number of games after which the flag that stops the work is looked at.
const GAMES_PER_LOOK: u64 = 4096;
/// Number of players and events in the overview.
const MOST: usize = 30;

/// A player with all spellings of the name, by the rule of [`SameNames`].
#[derive(Clone, Default, Debug)]
struct Player {
    /// The name that the file of names gives, or the spelling of most games.
    name: String,
    spellings: Vec<NamedGames>,
    score: Score,
    years: Years,
    rating: u16,
}

/// A player with the results of the games.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerAnswer {
    /// The name that the file of names gives, or the spelling of most games.
    pub name: String,
    /// All spellings.
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
        PlayerAnswer {
            name: self.name.clone(),
            spellings: self.spellings.clone(),
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

/// What is known of a player.
#[derive(Clone, Copy, Default)]
struct PlayerTally {
    score: Score,
    years: Years,
    rating: u16,
}

/// Counts the players of some games.
struct PlayerCounts<'a> {
    names: KeyNumbers<'a>,
    /// By number of the player.
    tallies: Vec<PlayerTally>,
}

impl<'a> PlayerCounts<'a> {
    fn new(same: &'a SameNames) -> Self {
        Self { names: KeyNumbers::new(same), tallies: Vec::new() }
    }

    fn add(&mut self, row: &GameRow<'a>) {
        for (colour, name, rating) in
            [(Colour::White, row.white, row.ratings[0]), (Colour::Black, row.black, row.ratings[1])]
        {
            let number = self.names.number(name);
            if number >= self.tallies.len() {
                self.tallies.resize(number + 1, PlayerTally::default());
            }
            let tally = &mut self.tallies[number];
            tally.score.add_game(row.outcome, row.kind.numbering.start, colour);
            tally.years = join_years(tally.years, year_alone(row.date.year()));
            tally.rating = tally.rating.max(rating);
        }
    }

    /// Returns the players, the most active first. Names without a letter or digit, such as `?`, are left out.
    fn players(self) -> Vec<Player> {
        let Self { names, tallies } = self;
        let named = tallies.into_iter().enumerate().filter(|(number, _)| !names.key(*number).is_empty());
        let mut players: Vec<Player> = named
            .map(|(number, PlayerTally { score, years, rating })| Player {
                name: names.name(number),
                spellings: names.spellings(number),
                score,
                years,
                rating,
            })
            .collect();
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
    /// Finds the players of an index, with the spellings that `same` joins. O(n) in the number of games.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub fn of(index: &Index, same: &SameNames, stop: &Stop) -> Result<Self> {
        let names = [TextColumn::White, TextColumn::Black];
        let table = RowTable::with_texts(index, &names, index.len(), NonZeroUsize::MIN)?;
        let mut counts = PlayerCounts::new(same);
        each_game(index, &table, stop, |row| counts.add(row))?;
        Ok(Self(counts.players()))
    }

    /// Returns the names of all players.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|player| player.name.clone()).collect()
    }

    /// Returns `limit` players after the first `offset` whose name somebody who types `name` may mean: it matches as in
    /// [`Filter`](crate::filter::Filter), or each word of `name` begins a word of it.
    pub fn page(&self, name: Option<&str>, offset: u64, limit: usize) -> PlayersAnswer {
        let (total, page) = page_of(&self.0, |player| &player.spellings, name, offset, limit);
        PlayersAnswer { total, offset, players: page.into_iter().map(Player::answer).collect() }
    }
}

/// What somebody who types a name may mean.
struct TypedName {
    pattern: NamePattern,
    /// The folded words; none if only whole names match.
    words: Vec<String>,
}

impl TypedName {
    fn parse(text: &str) -> Self {
        let pattern = NamePattern::parse(text);
        let is_words = pattern.match_kind() == NameMatch::Words;
        let words = pattern.folded().split(' ').filter(|word| is_words && !word.is_empty());
        Self { words: words.map(str::to_owned).collect(), pattern }
    }

    fn matches(&self, name: &str) -> bool {
        let begins = |folded: &str| {
            self.words.iter().all(|word| folded.split(' ').any(|of_name| of_name.starts_with(word)))
        };
        self.pattern.matches(name) || (!self.words.is_empty() && begins(&fold(name)))
    }
}

/// Returns the number of those with a spelling that `name` may mean, and `limit` of them after the first `offset`.
fn page_of<'a, T>(
    all: &'a [T],
    spellings: impl Fn(&T) -> &[NamedGames],
    name: Option<&str>,
    offset: u64,
    limit: usize,
) -> (usize, Vec<&'a T>) {
    let typed = name.map(TypedName::parse);
    let is_wanted = |one: &&'a T| {
        let mut spellings = spellings(one).iter();
        typed.as_ref().is_none_or(|typed| spellings.any(|spelling| typed.matches(&spelling.name)))
    };
    let wanted: Vec<&'a T> = all.iter().filter(is_wanted).collect();
    let page = wanted.iter().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(limit);
    (wanted.len(), page.copied().collect())
}

/// An event with all spellings of its name, by the rule of [`SameNames`].
#[derive(Debug)]
struct Event {
    answer: EventAnswer,
    spellings: Vec<NamedGames>,
}

/// The events of an index, those with the most games first.
#[derive(Debug)]
pub struct EventList(Vec<Event>);

impl EventList {
    /// Finds the events of an index, with the spellings that `same` joins. O(n) in the number of games.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub fn of(index: &Index, same: &SameNames, stop: &Stop) -> Result<Self> {
        let table = RowTable::with_texts(index, &[TextColumn::Event], index.len(), NonZeroUsize::MIN)?;
        let mut counts = EventCounts::new(same);
        each_game(index, &table, stop, |row| counts.add(row))?;
        Ok(Self(counts.events()))
    }

    /// Returns the names of all events with their numbers of games.
    pub fn names(&self) -> Vec<NamedGames> {
        let named =
            |Event { answer, .. }: &Event| NamedGames { name: answer.event.clone(), games: answer.games };
        self.0.iter().map(named).collect()
    }

    /// Returns `limit` events after the first `offset` whose name somebody who types `name` may mean, as [`Players::page`] does.
    pub fn page(&self, name: Option<&str>, offset: u64, limit: usize) -> EventsAnswer {
        let (total, page) = page_of(&self.0, |event| &event.spellings, name, offset, limit);
        EventsAnswer { total, offset, events: page.into_iter().map(|event| event.answer.clone()).collect() }
    }
}

/// Counts the events of some games.
struct EventCounts<'a> {
    names: KeyNumbers<'a>,
    /// The games and years by number of the event.
    tallies: Vec<(u64, Years)>,
}

impl<'a> EventCounts<'a> {
    fn new(same: &'a SameNames) -> Self {
        Self { names: KeyNumbers::new(same), tallies: Vec::new() }
    }

    fn add(&mut self, row: &GameRow<'a>) {
        if is_event(row.event) {
            let number = self.names.number(row.event);
            if number >= self.tallies.len() {
                self.tallies.resize(number + 1, (0, None));
            }
            let tally = &mut self.tallies[number];
            tally.0 += 1;
            tally.1 = join_years(tally.1, year_alone(row.date.year()));
        }
    }

    /// Returns the events, those with the most games first.
    fn events(self) -> Vec<Event> {
        let tallies = self.tallies.iter().enumerate();
        let mut events: Vec<Event> = tallies
            .map(|(number, (games, years))| Event {
                answer: EventAnswer {
                    event: self.names.name(number),
                    games: *games,
                    first_year: years.map(|years| years.0),
                    last_year: years.map(|years| years.1),
                },
                spellings: self.names.spellings(number),
            })
            .collect();
        events.sort_by(|Event { answer: a, .. }, Event { answer: b, .. }| {
            b.games.cmp(&a.games).then_with(|| a.event.cmp(&b.event))
        });
        events
    }
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

/// A page of events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventsAnswer {
    /// The number of all events that match.
    pub total: usize,
    /// The number of events before the page.
    pub offset: u64,
    /// The events, those with the most games first.
    pub events: Vec<EventAnswer>,
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

/// Counts some games. `same` says which spellings are one player, and one event.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
pub fn overview(index: &Index, hits: &[Hit], same: &SameNamesOfKinds, stop: &Stop) -> Result<OverviewAnswer> {
    let texts = [TextColumn::White, TextColumn::Black, TextColumn::Event];
    let table = RowTable::with_texts(index, &texts, hits.len() as u64, NonZeroUsize::MIN)?;
    let mut counts = PlayerCounts::new(&same.players);
    let (mut variants, mut winners, mut statuses) = (BTreeMap::new(), [0u64; 4], BTreeMap::new());
    let (mut years, mut events) = (BTreeMap::<u16, [u64; 4]>::new(), EventCounts::new(&same.events));
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
        events.add(&row);
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
    let (players, mut events) = (counts.players(), events.events());
    let event_count = events.len();
    events.truncate(MOST);
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
        event_count,
        events: events.into_iter().map(|event| event.answer).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_of_words_find_names() {
        for (typed, name, expected) in [
            ("Schot", "Schothuis, W.", true),
            ("ndjo", "Ndjofang, Jean Marc", true),
            ("jan wal", "Van der Wal, Jannes", true),
            ("wi har", "Wiersma, Harm", true),
            ("ersma", "Wiersma, Harm", false),
            ("jan x", "Van der Wal, Jannes", false),
            ("=Schot", "Schothuis, W.", false),
            ("шутил", "Шутилкин Н.", true),
            ("shutilkin", "Шутилкин Н.", true),
            ("", "Anybody", false),
        ] {
            assert_eq!(TypedName::parse(typed).matches(name), expected, "{typed} / {name}");
        }
    }
}
