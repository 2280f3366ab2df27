//! Counts how an archive uses the names of players, events and sites.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::fold;
use super::name_use::{Meeting, NameKind, NameUse};
use super::person::without_remarks;

/// Maximum number of events, of companions and of games that are kept for a name. If there are more, those with the smallest
/// hashes are kept, so that two names keep the same ones of those that they share.
const MAX_KEPT: usize = 64;

/// The tags of a game that a census uses. Unknown values are empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CensusGame<'a> {
    /// The player of White.
    pub white: &'a str,
    /// The player of Black.
    pub black: &'a str,
    /// The event.
    pub event: &'a str,
    /// The site.
    pub site: &'a str,
    /// The round.
    pub round: &'a str,
    /// The date as written.
    pub date: &'a str,
    /// The year, if it is known.
    pub year: Option<i16>,
    /// Whether the date has a day.
    pub has_day: bool,
}

/// Counts the names of games, one after the other. Memory is bounded by the number of different names.
///
/// ```
/// use pdn_names::{CensusGame, NameCensus, NameKind, group_names};
///
/// let mut census = NameCensus::new();
/// for white in ["Sijbrands, T.", "T. Sijbrands"] {
///     let mut game = CensusGame::default();
///     game.white = white;
///     census.add(&game);
/// }
/// let found = group_names(NameKind::Player, census.uses(NameKind::Player));
/// assert_eq!(found.groups[0].spellings.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NameCensus {
    players: NameTable,
    events: NameTable,
    sites: NameTable,
    games: u64,
}

impl NameCensus {
    /// Creates a census without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a game. Values without letters and digits, such as `?`, are unknown.
    pub fn add(&mut self, game: &CensusGame<'_>) {
        self.games += 1;
        let white = self.players.number(game.white);
        let black = self.players.number(game.black);
        let event = self.events.number(game.event);
        let site = self.sites.number(game.site);
        let [white_id, black_id] =
            [white, black].map(|number| number.map(|number| self.players.uses[number].id));
        let event_key = event.map(|event| hash((self.events.keys[event], game.year)));
        let site_key = site.map(|site| self.sites.keys[site]);
        // Odd keys stand for rounds, even ones for dates; see `Meeting::occasion`.
        let round = game.round.trim();
        let has_round = round.bytes().any(|byte| byte.is_ascii_digit());
        let round_key = (has_round && event_key.is_some()).then(|| hash((event_key, round)) | 1);
        let date_key = game.has_day.then(|| hash((game.date, "date")) & !1);
        let occasions = || round_key.into_iter().chain(date_key);
        for (own, other) in [(white, black_id), (black, white_id)] {
            let Some(own) = own else { continue };
            let used = &mut self.players.uses[own];
            count(used, game.year);
            keep(&mut used.events, event_key);
            keep(&mut used.companions, other);
            for occasion in occasions() {
                keep(&mut used.meetings, other.map(|companion| Meeting { occasion, companion }));
            }
        }
        let pair = white_id.zip(black_id).map(|(white, black)| hash((white, black)));
        if let Some(event) = event {
            let used = &mut self.events.uses[event];
            count(used, game.year);
            keep(&mut used.events, site_key);
            keep(&mut used.companions, white_id);
            keep(&mut used.companions, black_id);
            if has_round || game.has_day {
                let occasion = hash((has_round.then_some(round), game.has_day.then_some(game.date)));
                keep(&mut used.meetings, pair.map(|companion| Meeting { occasion, companion }));
            }
        }
        if let Some(site) = site {
            let used = &mut self.sites.uses[site];
            count(used, game.year);
            keep(&mut used.events, event_key);
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the names of a kind, in the order of their first games.
    pub fn uses(&self, kind: NameKind) -> &[NameUse] {
        match kind {
            NameKind::Player => &self.players.uses,
            NameKind::Event => &self.events.uses,
            NameKind::Site => &self.sites.uses,
        }
    }
}

/// The names of a kind.
#[derive(Clone, Debug, Default)]
struct NameTable {
    /// The number of each name; `None` for one that is unknown.
    numbers: HashMap<String, Option<usize>>,
    uses: Vec<NameUse>,
    /// The hash of each folded name.
    keys: Vec<u64>,
}

impl NameTable {
    /// Returns the number of a name, which is added if it is new; `None` if it is unknown.
    fn number(&mut self, name: &str) -> Option<usize> {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let folded = fold(name);
        let number = (!folded.is_empty()).then_some(self.uses.len());
        if number.is_some() {
            // The same for spellings with the same words, so that a game is known under other spellings of its players.
            let person = fold(without_remarks(name));
            let words: BTreeSet<&str> = person.split(' ').collect();
            self.uses.push(NameUse::new(name, 0).id(hash(words)));
            self.keys.push(hash(folded));
        }
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// Counts a game of a name.
fn count(used: &mut NameUse, year: Option<i16>) {
    used.games += 1;
    if let Some(year) = year {
        let (first, last) = used.years.unwrap_or((year, year));
        used.years = Some((first.min(year), last.max(year)));
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Inserts an item into a sorted list that keeps the least ones.
fn keep<T: Ord>(items: &mut Vec<T>, item: Option<T>) {
    let Some(item) = item else { return };
    let Err(at) = items.binary_search(&item) else { return };
    if at < MAX_KEPT {
        // Most names occur once or twice.
        if items.len() < 4 {
            items.reserve_exact(1);
        }
        items.truncate(MAX_KEPT - 1);
        items.insert(at, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn census_counts_games_years_and_companions() {
        let mut census = NameCensus::new();
        for (white, black, year) in [("A", "B", Some(1970)), ("B", "A", None), ("A", "?", Some(1950))] {
            census.add(&CensusGame { white, black, event: "Cup", year, ..CensusGame::default() });
        }
        let uses = census.uses(NameKind::Player);
        assert_eq!(uses.len(), 2);
        assert_eq!((uses[0].games, uses[0].years), (3, Some((1950, 1970))));
        assert_eq!(uses[0].companions, [uses[1].id]);
        assert_eq!(uses[0].events.len(), 3);
        let events = census.uses(NameKind::Event);
        assert_eq!((events[0].games, events[0].companions.len()), (3, 2));
        assert!(census.uses(NameKind::Site).is_empty());
    }

    #[test]
    fn lists_of_a_name_are_bounded_and_keep_what_two_names_share() {
        let mut census = NameCensus::new();
        for n in 0..1000 {
            let opponent = format!("Opponent {n}");
            for white in ["A", "B"] {
                census.add(&CensusGame {
                    white,
                    black: &opponent,
                    event: &opponent,
                    ..CensusGame::default()
                });
            }
        }
        let uses = census.uses(NameKind::Player);
        assert_eq!(uses[0].companions.len(), MAX_KEPT);
        assert_eq!((&uses[0].companions, &uses[0].events), (&uses[2].companions, &uses[2].events));
    }
}
