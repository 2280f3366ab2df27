//! Numbers of games by variant, year, result and length, and the players of an index.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pdn::error::ErrorKind;
use pdn::names::{NamePattern, fold};
use pdn::query::{Hit, RowTable};
use pdn::replay::GameStatus;
use pdn::stop::Stop;
use pdn::value::{Colour, Outcome};
use pdn_explorer::{Params, Problem};
use serde_json::{Map, Value, json};

use super::archive::OpenArchive;
use super::request::failure;
use crate::commands::stats::lengths::Lengths;
use pdn_app::words::winner_name;

/// Number of games after which the flag that stops the work is looked at.
const GAMES_PER_LOOK: u64 = 4096;
/// Number of players and events in the overview.
const MOST: usize = 30;

/// Games of a player, or of a pair of a player and a colour.
#[derive(Clone, Copy, Default, Debug)]
struct Score {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Score {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }

    /// Returns the points in percent of the possible ones; `None` without a result.
    fn percent(&self) -> Option<f64> {
        let decided = self.won + self.drawn + self.lost;
        (decided > 0).then(|| (self.won as f64 + self.drawn as f64 / 2.0) * 100.0 / decided as f64)
    }
}

/// A player with all spellings of the name that differ in case, accents and punctuation only.
#[derive(Clone, Default, Debug)]
pub(super) struct Player {
    /// The spelling of most games.
    name: String,
    spellings: Vec<(String, u64)>,
    score: Score,
    years: Years,
    rating: u16,
}

impl Player {
    fn json(&self) -> Value {
        let spellings: Vec<Value> =
            self.spellings.iter().map(|(name, games)| json!({ "name": name, "games": games })).collect();
        json!({
            "name": self.name,
            "spellings": spellings,
            "games": self.score.games,
            "won": self.score.won,
            "drawn": self.score.drawn,
            "lost": self.score.lost,
            "score": self.score.percent(),
            "first_year": self.years.map(|years| years.0),
            "last_year": self.years.map(|years| years.1),
            "rating": (self.rating > 0).then_some(self.rating),
        })
    }
}

/// What is known of one spelling.
#[derive(Clone, Copy, Default)]
struct Spelling {
    score: Score,
    years: Years,
    rating: u16,
}

impl Spelling {
    fn add(&mut self, outcome: Option<bool>, is_draw: bool, year: Option<u16>, rating: u16) {
        self.score.games += 1;
        self.score.won += u64::from(outcome == Some(true));
        self.score.lost += u64::from(outcome == Some(false));
        self.score.drawn += u64::from(is_draw);
        self.years = join(self.years, year.map(|year| (year, year)));
        self.rating = self.rating.max(rating);
    }
}

/// The first and the last year of some games; `None` if no year is known.
type Years = Option<(u16, u16)>;

/// Returns the years from the first to the last of two ranges.
fn join(one: Years, other: Years) -> Years {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}

/// Counts the players of some games by the spelling of their names.
#[derive(Default)]
struct PlayerCounts<'a>(HashMap<&'a str, Spelling>);

impl<'a> PlayerCounts<'a> {
    fn add(&mut self, row: &pdn::index::GameRow<'a>) {
        let winner = row.winner();
        let is_draw = row.outcome == Outcome::Draw;
        for (colour, name, rating) in
            [(Colour::White, row.white, row.ratings[0]), (Colour::Black, row.black, row.ratings[1])]
        {
            let outcome = winner.map(|winner| winner == colour);
            self.0.entry(name).or_default().add(outcome, is_draw, row.date.year(), rating);
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
            player.years = join(player.years, spelling.years);
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

/// Returns the players of an index, the most active first. Computed once for an index.
fn all_players(archive: &OpenArchive, stop: &Stop) -> pdn::Result<Arc<Vec<Player>>> {
    if let Some(players) = archive.players.get() {
        return Ok(Arc::clone(players));
    }
    let table = RowTable::new(&archive.index)?;
    let mut counts = PlayerCounts::default();
    for game in archive.index.games() {
        if game.number() % GAMES_PER_LOOK == 0 && stop.is_requested() {
            return Err(ErrorKind::Stopped.into());
        }
        if !game.is_retired()
            && let Some(row) = table.row(game.number())
        {
            counts.add(&row);
        }
    }
    Ok(Arc::clone(archive.players.get_or_init(|| Arc::new(counts.players()))))
}

/// Returns the names of all players, the most active first.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
pub(super) fn player_names(archive: &OpenArchive, stop: &Stop) -> pdn::Result<Vec<String>> {
    Ok(all_players(archive, stop)?.iter().map(|player| player.name.clone()).collect())
}

/// Returns the names of all events with their numbers of games, those with the most games first.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
pub(super) fn event_names(archive: &OpenArchive, stop: &Stop) -> pdn::Result<Vec<(String, u64)>> {
    let table = RowTable::new(&archive.index)?;
    let mut events = HashMap::<&str, u64>::new();
    for game in archive.index.games() {
        if game.number() % GAMES_PER_LOOK == 0 && stop.is_requested() {
            return Err(ErrorKind::Stopped.into());
        }
        if !game.is_retired()
            && let Some(row) = table.row(game.number())
            && is_event(row.event)
        {
            *events.entry(row.event).or_default() += 1;
        }
    }
    let mut events: Vec<_> = events.into_iter().map(|(name, games)| (name.to_owned(), games)).collect();
    events.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(events)
}

/// Returns `true` if the value of an Event tag names an event, which `?` and `-` do not.
fn is_event(name: &str) -> bool {
    fold(name).len() > 1
}

/// Answers `/players`.
///
/// # Errors
///
/// If a parameter is invalid, the index is damaged, or the work was stopped.
pub(super) fn players(archive: &OpenArchive, params: &Params, stop: &Stop) -> Result<Value, Problem> {
    let offset = params.number("offset", u64::MAX)?.unwrap_or(0);
    let limit = params.number("limit", 1000)?.unwrap_or(100);
    let players = all_players(archive, stop).map_err(|error| failure(&error))?;
    let pattern = params.get("name").map(NamePattern::parse);
    let is_wanted = |player: &&Player| {
        pattern.as_ref().is_none_or(|pattern| player.spellings.iter().any(|(name, _)| pattern.matches(name)))
    };
    let wanted: Vec<&Player> = players.iter().filter(is_wanted).collect();
    let page = wanted.iter().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(limit as usize);
    Ok(
        json!({ "total": wanted.len(), "offset": offset, "players": page.map(|player| player.json()).collect::<Vec<_>>() }),
    )
}

/// Answers `/stats` for some games.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
pub(super) fn stats(archive: &OpenArchive, hits: &[Hit], stop: &Stop) -> pdn::Result<Value> {
    let table = RowTable::new(&archive.index)?;
    let mut counts = PlayerCounts::default();
    let (mut variants, mut winners, mut statuses) = (BTreeMap::new(), [0u64; 4], BTreeMap::new());
    let (mut years, mut events) = (BTreeMap::<u16, [u64; 4]>::new(), HashMap::<&str, (u64, Years)>::new());
    let (mut lengths, mut plies, mut games) = (Lengths::default(), 0u64, 0u64);
    for hit in hits {
        if games % GAMES_PER_LOOK == 0 && stop.is_requested() {
            return Err(ErrorKind::Stopped.into());
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
            event.1 = join(event.1, row.date.year().map(|year| (year, year)));
        }
        lengths.add(row.plies, 1);
        counts.add(&row);
    }
    let by_count = |counts: BTreeMap<&str, u64>| {
        let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        Value::Object(
            counts.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect::<Map<_, _>>(),
        )
    };
    let year = |(year, [white, draws, black, unknown]): (u16, [u64; 4])| {
        json!({
            "year": year, "games": white + draws + black + unknown, "white": white, "draws": draws, "black": black,
        })
    };
    let mut events: Vec<_> = events.into_iter().collect();
    events.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(b.0)));
    let event = |(event, (games, years)): &(&str, (u64, Years))| {
        json!({
            "event": event, "games": games, "first_year": years.map(|y| y.0), "last_year": years.map(|y| y.1),
        })
    };
    let extremes = lengths.extremes();
    let histogram = lengths.histogram().into_iter();
    let histogram: Vec<Value> =
        histogram.map(|(from, to, games)| json!({ "from": from, "to": to, "games": games })).collect();
    let players = counts.players();
    let complete = statuses.get(GameStatus::Legal.name()).copied().unwrap_or(0);
    Ok(json!({
        "games": games,
        "plies": plies,
        "white": winners[0],
        "draws": winners[1],
        "black": winners[2],
        "unknown": winners[3],
        "legal": complete,
        "statuses": by_count(statuses),
        "variants": by_count(variants),
        "years": years.into_iter().map(year).collect::<Vec<_>>(),
        "lengths": {
            "shortest": extremes.map(|e| e.0), "median": extremes.map(|e| e.1), "longest": extremes.map(|e| e.2),
            "histogram": histogram,
        },
        "player_count": players.len(),
        "players": players.iter().take(MOST).map(Player::json).collect::<Vec<_>>(),
        "event_count": events.len(),
        "events": events.iter().take(MOST).map(event).collect::<Vec<_>>(),
    }))
}
