//! Numbers of games by variant, year, result and length, and the players of an index.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use pdn::internal::value::Tally;
use pdn::replay::GameStatus;
use pdn::stop::Stop;
use pdn::value::Colour;
use pdn_index::Index;
use pdn_index::internal::TextColumn;
use pdn_index::internal::query::RowTable;
use pdn_index::query::Hit;
use pdn_names::{NameKind, NameMatch, NamePattern, fold};
use serde::{Serialize, Serializer};

use crate::ask::error::Result;
use crate::ask::named::named;
use crate::ask::options::options;
use crate::ask::values::winner_name;
use crate::check::lengths::{Lengths, LengthsAnswer};
use crate::report::people::{KeyNumbers, NamedGames, is_event};
use crate::report::same_names::{SameNames, SameNamesOfKinds};

/// Number of games after which the flag that stops the work is looked at.
const GAMES_PER_LOOK: u64 = 4096;
/// Number of players and events in the overview.
const MOST: usize = 30;

named! {
    /// What players are sorted by.
    pub enum PlayerField {
        /// Number of games, most first
        Games = "games",
        /// Name
        Name = "name",
        /// Points in percent of the possible ones, most first
        Score = "score",
        /// Highest rating, highest first
        Rating = "rating",
    }
}

options! {
    /// The order of players. Those of equal value are sorted by their numbers of games, most first.
    #[derive(Copy, Eq)]
    pub struct PlayerOrder in "" {
        /// Order of the players
        sort: PlayerField, value "KEY";
        /// Reverse the order; players whose value is unknown stay last
        reverse: bool;
    }
}

impl PlayerOrder {
    /// Sorts players that are sorted by their numbers of games, most first.
    fn sort(self, players: &mut [&Player]) {
        let direct = |order: Ordering| if self.reverse { order.reverse() } else { order };
        let value = |player: &Player| match self.sort {
            PlayerField::Score => player.tally.score.percent(),
            PlayerField::Rating => (player.tally.rating > 0).then_some(f64::from(player.tally.rating)),
            _ => Some(player.tally.score.games as f64),
        };
        if self.sort == PlayerField::Name {
            let mut folded: Vec<(String, &Player)> =
                players.iter().map(|player| (fold(&player.name), *player)).collect();
            folded.sort_by(|(a, _), (b, _)| direct(a.cmp(b)));
            players.iter_mut().zip(folded).for_each(|(place, (_, player))| *place = player);
        } else {
            players.sort_by(|a, b| match (value(a), value(b)) {
                (Some(a), Some(b)) => direct(b.total_cmp(&a)),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
        }
    }
}

/// A player with all spellings of the name, by the rule of [`SameNames`].
#[derive(Clone, Default, Debug)]
struct Player {
    /// The name that the file of names gives, or the spelling of most games.
    name: String,
    spellings: Vec<NamedGames>,
    tally: Tally,
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
    /// The players in the order that was asked for.
    pub players: Vec<PlayerAnswer>,
}

impl Player {
    fn answer(&self) -> PlayerAnswer {
        let Tally { score, first_year, last_year, rating } = self.tally;
        PlayerAnswer {
            name: self.name.clone(),
            spellings: self.spellings.clone(),
            games: score.games,
            won: score.won,
            drawn: score.drawn,
            lost: score.lost,
            score: score.percent(),
            first_year,
            last_year,
            rating: (rating > 0).then_some(rating),
        }
    }
}

/// Adds up the tallies of persons or events.
struct NameCounts<'a> {
    names: KeyNumbers<'a>,
    /// By number of the person or event.
    tallies: Vec<Tally>,
}

impl<'a> NameCounts<'a> {
    fn new(same: &'a SameNames) -> Self {
        Self { names: KeyNumbers::new(same), tallies: Vec::new() }
    }

    /// Counts the names of a kind in all games of an index.
    fn of_index(index: &'a Index, kind: NameKind, same: &'a SameNames, stop: &Stop) -> Result<Self> {
        let mut counts = Self::new(same);
        let of_file = same.of_file();
        let key = of_file.as_ref().map(|key| key as &dyn Fn(&str) -> String);
        index.each_name(kind, key, stop, |name, tally| {
            if kind != NameKind::Event || is_event(name) {
                counts.add(name, tally);
            }
        })?;
        Ok(counts)
    }

    fn add(&mut self, name: &'a str, tally: Tally) {
        let number = self.names.number_of_games(name, tally.score.games);
        if number >= self.tallies.len() {
            self.tallies.resize(number + 1, Tally::default());
        }
        self.tallies[number] += tally;
    }

    /// Returns the players, the most active first. Names without a letter or digit, such as `?`, are left out.
    fn players(self) -> Vec<Player> {
        let Self { names, tallies } = self;
        // Who only played against oneself has no games.
        let is_listed =
            |(number, tally): &(usize, Tally)| !names.key(*number).is_empty() && tally.score.games > 0;
        let named = tallies.into_iter().enumerate().filter(is_listed);
        let player =
            |(number, tally)| Player { name: names.name(number), spellings: names.spellings(number), tally };
        let mut players: Vec<Player> = named.map(player).collect();
        players
            .sort_by(|a, b| b.tally.score.games.cmp(&a.tally.score.games).then_with(|| a.name.cmp(&b.name)));
        players
    }

    /// Returns the events, those with the most games first.
    fn events(self) -> Vec<Event> {
        let Self { names, tallies } = self;
        let event = |(number, tally): (usize, Tally)| Event {
            answer: EventAnswer {
                event: names.name(number),
                games: tally.score.games,
                first_year: tally.first_year,
                last_year: tally.last_year,
            },
            spellings: names.spellings(number),
        };
        let mut events: Vec<Event> = tallies.into_iter().enumerate().map(event).collect();
        events.sort_by(|Event { answer: a, .. }, Event { answer: b, .. }| {
            b.games.cmp(&a.games).then_with(|| a.event.cmp(&b.event))
        });
        events
    }
}

/// The players of an index, the most active first.
#[derive(Debug)]
pub struct Players(Vec<Player>);

impl Players {
    /// Finds the players of an index, with the spellings that `same` joins. O(n) in the number of games, or of names where an extract has
    /// their tallies.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub fn of(index: &Index, same: &SameNames, stop: &Stop) -> Result<Self> {
        Ok(Self(NameCounts::of_index(index, NameKind::Player, same, stop)?.players()))
    }

    /// Returns `limit` players after the first `offset` whose name somebody who types `name` may mean: it matches as in
    /// [`Filter`](crate::ask::filter::Filter), or each word of `name` begins a word of it. All of them are sorted. O(n log n) in their
    /// number.
    pub fn page(&self, name: Option<&str>, order: PlayerOrder, offset: u64, limit: usize) -> PlayersAnswer {
        let sort = |players: &mut [&Player]| order.sort(players);
        let (total, page) = page_of(&self.0, |player| &player.spellings, name, sort, offset, limit);
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

/// Returns the number of those with a spelling that `name` may mean, and, when they are sorted, `limit` of them after the first `offset`.
fn page_of<'a, T>(
    all: &'a [T],
    spellings: impl Fn(&T) -> &[NamedGames],
    name: Option<&str>,
    sort: impl FnOnce(&mut [&'a T]),
    offset: u64,
    limit: usize,
) -> (usize, Vec<&'a T>) {
    let typed = name.map(TypedName::parse);
    let is_wanted = |one: &&'a T| {
        let mut spellings = spellings(one).iter();
        typed.as_ref().is_none_or(|typed| spellings.any(|spelling| typed.matches(&spelling.name)))
    };
    let mut wanted: Vec<&'a T> = all.iter().filter(is_wanted).collect();
    sort(&mut wanted);
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
    /// Finds the events of an index, as [`Players::of`] finds the players.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub fn of(index: &Index, same: &SameNames, stop: &Stop) -> Result<Self> {
        Ok(Self(NameCounts::of_index(index, NameKind::Event, same, stop)?.events()))
    }

    /// Returns `limit` events after the first `offset` whose name somebody who types `name` may mean, as [`Players::page`] does.
    pub fn page(&self, name: Option<&str>, offset: u64, limit: usize) -> EventsAnswer {
        let (total, page) = page_of(&self.0, |event| &event.spellings, name, |_| {}, offset, limit);
        EventsAnswer { total, offset, events: page.into_iter().map(|event| event.answer.clone()).collect() }
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
    let (mut players, mut events) = (NameCounts::new(&same.players), NameCounts::new(&same.events));
    let (mut variants, mut winners, mut statuses) = (BTreeMap::new(), [0u64; 4], BTreeMap::new());
    let mut years = BTreeMap::<u16, [u64; 4]>::new();
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
        lengths.add(row.plies, 1);
        let persons = players.names.players(&row);
        if !players.names.is_against_oneself(persons) {
            for (name, colour) in [row.white, row.black].into_iter().zip(Colour::ALL) {
                players.add(name, row.tally(colour));
            }
        }
        if is_event(row.event) {
            events.add(row.event, row.event_tally());
        }
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
    let (players, mut events) = (players.players(), events.events());
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
    fn players_are_sorted_before_they_are_cut_into_pages() {
        let player = |name: &str, games, won, lost, rating| {
            let mut tally = Tally { rating, ..Tally::default() };
            (tally.score.games, tally.score.won, tally.score.lost) = (games, won, lost);
            Player { name: name.to_owned(), spellings: Vec::new(), tally }
        };
        // The results of Dahl's game and the rating of Berg are unknown.
        let players = Players(vec![
            player("Berg", 4, 2, 2, 0),
            player("anker", 3, 3, 0, 2100),
            player("Cole", 3, 0, 3, 1900),
            player("Dahl", 1, 0, 0, 2000),
        ]);
        for (sort, reverse, expected) in [
            (PlayerField::Games, false, ["Berg", "anker", "Cole", "Dahl"]),
            (PlayerField::Games, true, ["Dahl", "anker", "Cole", "Berg"]),
            (PlayerField::Name, false, ["anker", "Berg", "Cole", "Dahl"]),
            (PlayerField::Name, true, ["Dahl", "Cole", "Berg", "anker"]),
            (PlayerField::Score, false, ["anker", "Berg", "Cole", "Dahl"]),
            (PlayerField::Score, true, ["Cole", "Berg", "anker", "Dahl"]),
            (PlayerField::Rating, false, ["anker", "Dahl", "Cole", "Berg"]),
            (PlayerField::Rating, true, ["Cole", "Dahl", "anker", "Berg"]),
        ] {
            let order = PlayerOrder { sort, reverse };
            let pages = [0, 2].map(|offset| players.page(None, order, offset, 2).players);
            let names: Vec<String> = pages.into_iter().flatten().map(|player| player.name).collect();
            assert_eq!(names, expected, "{sort:?} {reverse}");
        }
    }

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
