//! The form of the lichess opening explorer, so that its clients work with draughts.
//!
//! The archive knows neither speeds nor modes: these parameters are accepted, and the member `ignored` names them.

use std::collections::HashMap;

use pdn_app::ask::filter::Filter;
use pdn_app::ask::position::PlaceRequest;
use pdn_app::ask::rows::{FieldValue, FoundGame};
use pdn_app::ask::sort::SortField;
use pdn_app::find::games::{FindOrder, FindRequest};
use pdn_app::find::tree::{MoveAnswer, TreeAnswer, TreeRequest, TreeShown};
use pdn_tables::GameField;
use schemars::JsonSchema;
use serde::Serialize;

use crate::params::Params;
use crate::problem::Problem;

/// Number of moves unless the client asks for another.
const MOVES: u64 = 12;
/// Upper bound of a rating of the highest group.
const HIGHEST_RATING: u64 = 65_535;
/// Lower bounds of the groups of ratings that clients send.
const RATING_GROUPS: [u64; 12] = [0, 1000, 1200, 1400, 1500, 1600, 1800, 2000, 2200, 2300, 2400, 2500];

/// The fields of the rows from which an answer is made.
pub(crate) const FIELDS: [GameField; 8] = [
    GameField::Game,
    GameField::White,
    GameField::Black,
    GameField::WhiteRating,
    GameField::BlackRating,
    GameField::Winner,
    GameField::Year,
    GameField::Month,
];

/// A request in terms of the native interface.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Request {
    /// The question for the tree.
    pub(crate) tree: TreeRequest,
    /// The greatest number of example games of each move.
    pub(crate) examples: usize,
    /// The search for the latest games.
    pub(crate) recent: Option<FindRequest>,
    /// The greatest number of these games.
    pub(crate) recent_games: usize,
    top_games: usize,
    ignored: Vec<&'static str>,
}

/// Returns all values of a parameter, with or without brackets after its name, separated at commas.
fn values<'p>(params: &'p Params, name: &str) -> Vec<&'p str> {
    let is_it = |other: &str| other.strip_suffix("[]").unwrap_or(other) == name;
    let all = params.pairs().iter().filter(|(other, _)| is_it(other));
    all.flat_map(|(_, value)| value.split(',')).filter(|value| !value.is_empty()).collect()
}

/// Returns a year from `1990` or `1990-12`, as a date of the query language.
fn date(params: &Params, name: &str) -> Result<String, Problem> {
    let Some(text) = params.get(name) else { return Ok(String::new()) };
    let is_date = |text: &str| {
        let mut parts = text.split('-');
        let year =
            parts.next().is_some_and(|year| year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit()));
        let month =
            parts.next().is_none_or(|month| month.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month)));
        year && month && parts.next().is_none()
    };
    if !is_date(text) {
        return Err(Problem::parameter(
            name,
            message!(
                "expected_examples",
                "expected a year such as 1990 or a month such as 1990-12",
                examples = &["1990", "1990-12"][..]
            ),
        ));
    }
    Ok(text.replace('-', "."))
}

/// Returns the moves of `play` as text: `32-28,19-23`, and also without separators as `3228,1923`.
fn moves(play: &str) -> Result<String, Problem> {
    let mut all = Vec::new();
    for word in play.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        if word.contains(['-', 'x', ':']) {
            all.push(word.to_owned());
            continue;
        }
        if word.len() < 4 || word.len() % 2 != 0 || !word.is_ascii() {
            let message = message!(
                "expected_such",
                "{found} is no move such as 3228 or 32-28",
                examples = &["3228", "32-28"][..],
                found = word
            );
            return Err(Problem::parameter("play", message));
        }
        let squares: Vec<&str> = (0..word.len() / 2).map(|place| &word[2 * place..2 * place + 2]).collect();
        let squares: Vec<&str> = squares.iter().map(|square| square.trim_start_matches('0')).collect();
        all.push(squares.join(if squares.len() > 2 { "x" } else { "-" }));
    }
    Ok(all.join(" "))
}

/// Returns the range of ratings of some groups, `None` for all groups.
fn ratings(groups: &[&str]) -> Result<Option<String>, Problem> {
    let mut lowest = None;
    let mut highest = 0;
    for group in groups {
        let place = group
            .parse::<u64>()
            .ok()
            .and_then(|group| RATING_GROUPS.iter().position(|other| *other == group));
        let Some(place) = place else {
            let groups = RATING_GROUPS.map(|group| group.to_string());
            return Err(Problem::parameter(
                "ratings",
                message!(
                    "one_of",
                    "`{group}` is no group of ratings; there are {RATING_GROUPS:?}",
                    expected = &groups[..]
                ),
            ));
        };
        let end = RATING_GROUPS.get(place + 1).map_or(HIGHEST_RATING, |next| next - 1);
        lowest = Some(lowest.unwrap_or(u64::MAX).min(RATING_GROUPS[place]));
        highest = highest.max(end);
    }
    let Some(lowest) = lowest else { return Ok(None) };
    // Clients send all of their groups unless people choose some; then games without ratings count too.
    Ok((lowest > 1600 || highest < HIGHEST_RATING).then(|| format!("{lowest}..{highest}")))
}

/// Returns the name of a variant here.
fn variant(name: &str) -> &str {
    match name {
        "standard" | "chess" | "fromPosition" => "international",
        other => other,
    }
}

impl Request {
    /// Reads the parameters of a route.
    ///
    /// # Errors
    /// If a value cannot be read, or the player is missing.
    pub(crate) fn new(route: &str, given: &Params) -> Result<Self, Problem> {
        let is_masters = route.starts_with("/master");
        let is_player = matches!(route, "/player" | "/personal");
        let mut filter = Filter::default();
        filter.set("variant", variant(given.get("variant").unwrap_or("standard")))?;
        let fen = given.get("fen").filter(|fen| !fen.is_empty());
        let played = moves(given.get("play").unwrap_or_default())?;
        if is_player {
            let missing = || Problem::parameter("player", message!("missing", "a name is needed here"));
            let player = given.get("player").ok_or_else(missing)?;
            let colour = match given.get("color") {
                None => "player",
                Some(colour @ ("white" | "black")) => colour,
                Some(_) => {
                    let colours = &["white", "black"][..];
                    let message = message!("one_of", "expected {expected}", expected = colours);
                    return Err(Problem::parameter("color", message));
                }
            };
            filter.set(colour, player)?;
        } else if given.get("player").is_some() {
            let message = message!("no_parameter", "only /player has this parameter");
            return Err(Problem::parameter("player", message));
        }
        let (since, until) = (date(given, "since")?, date(given, "until")?);
        if !since.is_empty() || !until.is_empty() {
            filter.set("date", &format!("{since}..{until}"))?;
        }
        if !is_masters && let Some(range) = ratings(&values(given, "ratings"))? {
            filter.set("rating", &range)?;
        }
        let mut ignored = Vec::new();
        for name in ["speeds", "modes", "source", "history"] {
            if !values(given, name).is_empty() {
                ignored.push(name);
            }
        }
        let [most_top, most_recent] = if is_masters { [15, 0] } else { [4, if is_player { 8 } else { 4 }] };
        let number = |name: &str, default| given.number(name, 1000).map(|number| number.unwrap_or(default));
        let top_games = number("topGames", most_top)?.min(most_top) as usize;
        let recent_games = number("recentGames", most_recent)?.min(most_recent) as usize;
        let limit = number("moves", MOVES)?.max(1) as usize;
        let moves = Some(played.as_str()).filter(|played| !played.is_empty());
        let tree = TreeRequest {
            place: PlaceRequest::new(fen, moves),
            filter: filter.clone(),
            shown: TreeShown { limit, ..TreeShown::default() },
        };
        // Of a position after moves, the games are not looked for: the interface searches positions by FEN alone.
        let mut recent = None;
        if recent_games > 0 && played.is_empty() {
            fen.map_or(Ok(()), |fen| filter.set("fen", fen))?;
            let order = FindOrder { sort: SortField::Date, reverse: true };
            recent = Some(FindRequest { filter, order, ..FindRequest::default() });
        }
        Ok(Self { tree, examples: most_top as usize, recent, recent_games, top_games, ignored })
    }

    /// Returns the answer in the form of the lichess explorer, made of a tree, the rows of its example games,
    /// and those of the latest games.
    pub(crate) fn answer(
        &self,
        tree: &TreeAnswer,
        examples: &[FoundGame<'_>],
        recent: Option<&[FoundGame<'_>]>,
    ) -> ExplorerAnswer {
        let games = examples.iter().map(game).map(|game| (game.id.clone(), game)).collect();
        let top = tree.tally.examples.iter().take(self.top_games);
        ExplorerAnswer {
            white: tree.tally.white,
            draws: tree.tally.draws,
            black: tree.tally.black,
            moves: tree.moves.iter().map(|entry| tree_move(entry, &games)).collect(),
            top_games: top.filter_map(|number| games.get(&number.to_string()).cloned()).collect(),
            opening: opening(tree.opening_played.as_ref()),
            recent_games: recent.map(|rows| rows.iter().map(game).collect()),
            exact: (!tree.exact).then_some(false),
            ignored: self.ignored.clone(),
        }
    }
}

/// The answer in the form of the lichess explorer.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExplorerAnswer {
    /// Games that White won.
    white: u64,
    /// Drawn games.
    draws: u64,
    /// Games that Black won.
    black: u64,
    /// The moves played in the position.
    moves: Vec<ExplorerMove>,
    /// Games of the highest rated players.
    top_games: Vec<ExplorerGame>,
    /// The opening that the moves, or the position, show.
    opening: Option<ExplorerOpening>,
    /// The latest games.
    #[serde(skip_serializing_if = "Option::is_none")]
    recent_games: Option<Vec<ExplorerGame>>,
    /// False if not all games were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
    /// Parameters that were given and mean nothing here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<&'static str>,
}

/// A move in the form of the lichess explorer.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExplorerMove {
    /// The squares without separators, each of two characters.
    uci: String,
    /// The move as text.
    san: String,
    /// The average rating.
    average_rating: Option<u64>,
    /// Games that White won.
    white: u64,
    /// Drawn games.
    draws: u64,
    /// Games that Black won.
    black: u64,
    /// The game, if there is only one.
    game: Option<ExplorerGame>,
    /// The opening that the position after the move shows.
    opening: Option<ExplorerOpening>,
}

/// An opening in the form of the lichess explorer.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
struct ExplorerOpening {
    /// Always empty: only openings of chess have codes.
    eco: &'static str,
    /// The names.
    name: String,
}

/// A game in the form of the lichess explorer.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
struct ExplorerGame {
    /// The number of the game in the index.
    id: String,
    /// `white`, `black`, or null.
    winner: Option<String>,
    /// White.
    white: ExplorerPlayer,
    /// Black.
    black: ExplorerPlayer,
    /// The year.
    year: Option<u64>,
    /// The year and the month: `1999-03`.
    #[serde(skip_serializing_if = "Option::is_none")]
    month: Option<String>,
}

/// A player in the form of the lichess explorer.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
struct ExplorerPlayer {
    /// The name.
    name: Option<String>,
    /// The rating.
    rating: Option<u64>,
}

/// Returns the squares of a move without separators, each of two characters: `32x23` is `3223`.
fn uci(text: &str) -> String {
    let squares = text.split(['-', 'x', ':']);
    squares.map(|square| if square.len() == 1 { format!("0{square}") } else { square.to_owned() }).collect()
}

/// Returns a move of the tree.
fn tree_move(entry: &MoveAnswer, games: &HashMap<String, ExplorerGame>) -> ExplorerMove {
    let tally = &entry.tally;
    let only = tally.examples.first().filter(|_| tally.games == 1);
    ExplorerMove {
        uci: uci(&entry.text),
        san: entry.text.clone(),
        average_rating: tally.rating.map(|rating| rating.round() as u64),
        white: tally.white,
        draws: tally.draws,
        black: tally.black,
        game: only.and_then(|number| games.get(&number.to_string()).cloned()),
        opening: opening(entry.opening_played.as_ref()),
    }
}

/// Returns the opening of a tree or of a move.
fn opening(played: Option<&String>) -> Option<ExplorerOpening> {
    played.map(|name| ExplorerOpening { eco: "", name: name.clone() })
}

/// Returns a game of a list, from its row of [`FIELDS`].
fn game(row: &FoundGame<'_>) -> ExplorerGame {
    let value = |field| FIELDS.iter().position(|of| *of == field).and_then(|at| row.values.get(at));
    let text = |field| match value(field) {
        Some(FieldValue::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let number = |field| match value(field) {
        Some(FieldValue::Number(number)) => Some(*number),
        _ => None,
    };
    let player = |name, rating| ExplorerPlayer { name: text(name), rating: number(rating) };
    let year = number(GameField::Year);
    ExplorerGame {
        id: number(GameField::Game).unwrap_or_default().to_string(),
        winner: text(GameField::Winner).filter(|winner| winner != "draw"),
        white: player(GameField::White, GameField::WhiteRating),
        black: player(GameField::Black, GameField::BlackRating),
        year,
        month: year.zip(number(GameField::Month)).map(|(year, month)| format!("{year:04}-{month:02}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(route: &str, query: &str) -> Result<Request, Problem> {
        Request::new(route, &Params::parse(query).unwrap())
    }

    #[test]
    fn moves_are_read_with_and_without_separators() {
        assert_eq!(moves("3228,1923,28x19").unwrap(), "32-28 19-23 28x19");
        assert_eq!(moves("0611,322314").unwrap(), "6-11 32x23x14");
        assert_eq!(moves("").unwrap(), "");
        assert_eq!(moves("322").unwrap_err().parameter.as_deref(), Some("play"));
        assert_eq!(moves("\u{e9}\u{e9}").unwrap_err().parameter.as_deref(), Some("play"));
    }

    #[test]
    fn request_of_a_lidraughts_client_is_understood() {
        let query = "fen=W%3AW31%2C32%3AB1%2C2%3AH0%3AF1&moves=12&variant=standard&speeds%5B%5D=blitz&speeds%5B%5D=rapid\
                     &ratings%5B%5D=2000&ratings%5B%5D=2200&recentGames=0";
        let request = request("/lidraughts", query).unwrap();
        let mut filter = Filter::default();
        filter.set_all([("variant", "international"), ("rating", "2000..2299")]).unwrap();
        assert_eq!((request.tree.filter, request.tree.shown.limit), (filter, 12));
        assert_eq!(request.tree.place.fen.as_deref(), Some("W:W31,32:B1,2:H0:F1"));
        assert_eq!(request.ignored, ["speeds"]);
        assert!(request.recent.is_none());
    }

    #[test]
    fn all_groups_of_ratings_are_no_filter() {
        let groups = ["1600", "1800", "2000", "2200", "2500"];
        assert_eq!(ratings(&groups).unwrap(), None);
        assert_eq!(ratings(&["2500"]).unwrap().as_deref(), Some("2500..65535"));
        assert_eq!(ratings(&["1"]).unwrap_err().parameter.as_deref(), Some("ratings"));
    }

    #[test]
    fn player_is_needed_for_games_of_a_player() {
        assert_eq!(request("/player", "").unwrap_err().parameter.as_deref(), Some("player"));
        let request = request("/player", "player=Wiersma&color=white&since=1980-06").unwrap();
        let mut filter = Filter::default();
        filter.set_all([("variant", "international"), ("white", "Wiersma"), ("date", "1980.06..")]).unwrap();
        assert_eq!(request.tree.filter, filter);
    }

    #[test]
    fn squares_of_a_move_have_two_characters_each() {
        assert_eq!(uci("32-28"), "3228");
        assert_eq!(uci("5x14"), "0514");
        assert_eq!(uci("5x14x23"), "051423");
    }
}
