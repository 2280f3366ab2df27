//! Writes a game that an object of JSON holds in parts: its moves, and what else is known about it.
//!
//! Keys are the names of tags, in any of their spellings, and those with which lidraughts exports games.

use std::ops::Range;

use super::excerpts::{Excerpts, Pieces, begins_with_first_move, begins_with_move, ends_game, is_result};
use crate::value::{Date, TagName};

/// A value of an object, or of an object in it, with its keys joined by dots.
pub(super) struct Fact {
    pub(super) path: Vec<u8>,
    pub(super) value: Pieces,
}

/// Keys that are no names of tags and say something about a game.
const KEYS: [&str; 19] = [
    "aiLevel",
    "createdAt",
    "elo",
    "id",
    "increment",
    "initial",
    "initialFen",
    "key",
    "name",
    "perf",
    "rated",
    "rating",
    "speed",
    "startFen",
    "start_fen",
    "status",
    "title",
    "tournament",
    "username",
];

/// Greatest number of tags of a game.
const MAX_TAGS: usize = 100;

/// How a game of lidraughts ended: its status, the value of its Termination tag, and whether it has a result.
const STATUSES: [(&str, &str, bool); 13] = [
    ("created", "Unterminated", false),
    ("started", "Unterminated", false),
    ("aborted", "Abandoned", false),
    ("noStart", "Abandoned", true),
    ("mate", "Normal", true),
    ("resign", "Normal", true),
    ("stalemate", "Normal", true),
    ("draw", "Normal", true),
    ("variantEnd", "Normal", true),
    ("timeout", "Time forfeit", true),
    ("outoftime", "Time forfeit", true),
    ("cheat", "Rules infraction", true),
    ("unknownFinish", "Unknown", true),
];

impl Fact {
    /// Returns the memory that it takes, in bytes.
    pub(super) fn cost(&self) -> usize {
        size_of::<Self>() + self.path.len() + self.value.cost()
    }

    fn path(&self) -> &str {
        std::str::from_utf8(&self.path).unwrap_or_default()
    }
}

/// Returns `true` if a key is one of moves that need no number.
pub(super) fn is_moves_key(key: &[u8]) -> bool {
    key.eq_ignore_ascii_case(b"moves") || key.eq_ignore_ascii_case(b"movetext")
}

/// Returns `true` if a value may say something about a game. `parent` is the key of its object.
pub(super) fn is_wanted(parent: &[u8], key: &[u8]) -> bool {
    is_moves_key(key)
        || is_list_of_tags(parent)
        || matches!(key, b"winner")
        || KEYS.iter().any(|known| known.as_bytes() == key)
        || tag_of_key(key).is_some()
}

/// Returns `true` if the keys of an object are names of tags.
fn is_list_of_tags(key: &[u8]) -> bool {
    key == b"tags" || key == b"headers"
}

/// Returns the tag that a key names: `white`, `GameType`, `game_type`, `Wit`.
fn tag_of_key(key: &[u8]) -> Option<TagName> {
    let name: Vec<u8> = key.iter().copied().filter(|&byte| byte != b'_').collect();
    TagName::find(&name).map(|found| found.tag)
}

/// Returns the tag for a fact.
fn tag_of(path: &str) -> Option<TagName> {
    let path = path.strip_prefix("players.").unwrap_or(path);
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    if first == "white" || first == "black" {
        let of_side = |white, black| Some(if first == "white" { white } else { black });
        return match rest {
            "" | "name" | "username" | "user.name" => of_side(TagName::White, TagName::Black),
            "rating" | "elo" => of_side(TagName::WhiteRating, TagName::BlackRating),
            "title" | "user.title" => of_side(TagName::WhiteTitle, TagName::BlackTitle),
            _ => None,
        };
    }
    match (first, rest) {
        ("initialFen" | "startFen" | "start_fen", "") => Some(TagName::FEN),
        ("variant", "" | "key") => Some(TagName::Variant),
        ("opening", "" | "name") => Some(TagName::Opening),
        (_, "") => tag_of_key(first.as_bytes()),
        _ if is_list_of_tags(first.as_bytes()) => tag_of_key(rest.as_bytes()),
        _ => None,
    }
}

/// Writes the game that an object at `place` holds; returns `false` if it holds none.
pub(super) fn write_game(facts: &[Fact], place: Range<u64>, out: &mut Excerpts) -> bool {
    let is_moves = |fact: &&Fact| is_moves_key(&fact.path);
    let first = facts.iter().find(is_moves).map(|fact| &fact.value.text);
    let has_moves = first.is_some_and(|text| begins_with_move(text) || begins_with_first_move(text));
    let mut games: Vec<Vec<&Fact>> = Vec::new();
    if has_moves {
        games.push(facts.iter().filter(is_moves).collect());
    }
    let is_other_game = |fact: &&Fact| !is_moves_key(&fact.path) && begins_with_first_move(&fact.value.text);
    games.extend(facts.iter().filter(is_other_game).map(|fact| vec![fact]));
    let has_games = !games.is_empty();
    for (number, moves) in games.iter().enumerate() {
        let about = if number == 0 { About::new(facts) } else { About::default() };
        about.write(moves, &place, out);
    }
    has_games
}

/// What is known about a game.
#[derive(Default)]
struct About<'f> {
    /// The tags whose values are in the original.
    tags: Vec<(&'f str, &'f Pieces)>,
    /// Tags whose values follow from others.
    made: Vec<(&'static str, String)>,
    /// The result; `None` if nothing is known about it.
    result: Option<String>,
}

impl<'f> About<'f> {
    fn new(facts: &'f [Fact]) -> Self {
        let mut about = Self::default();
        for fact in facts.iter().filter(|fact| !fact.value.text.trim_ascii().is_empty()) {
            let name = match tag_of(fact.path()) {
                Some(TagName::Variant) if fact.value.text == b"fromPosition" => {
                    // On lidraughts, it has the rules of International draughts.
                    about.made.push((TagName::Variant.name(), "Standard".into()));
                    continue;
                }
                Some(tag) => tag.name(),
                None => match fact.path().split_once('.') {
                    Some((list, name)) if is_list_of_tags(list.as_bytes()) && is_tag_name(name) => name,
                    _ => continue,
                },
            };
            if about.tags.len() < MAX_TAGS && !about.has(name) {
                about.tags.push((name, &fact.value));
            }
        }
        let is_of_server = facts.iter().any(|fact| fact.path.starts_with(b"players."));
        if is_of_server {
            about.add_of_server(facts);
        }
        let result = about.tags.iter().find(|(name, _)| *name == TagName::Result.name());
        if let Some((_, result)) = result {
            about.result = std::str::from_utf8(&result.text).ok().map(str::to_owned);
        }
        about
    }

    /// Adds what the other keys of lidraughts say. White begins in all of its variants.
    fn add_of_server(&mut self, facts: &[Fact]) {
        let value = |path: &str| value_of(facts, path);
        let mut add = |name: &'static str, text: Option<String>| {
            if let Some(text) = text.filter(|_| !self.has(name)) {
                self.made.push((name, text));
            }
        };
        let level = |path: &str| value(path).map(|level| format!("Lidraughts AI level {level}"));
        add("White", level("players.white.aiLevel"));
        add("Black", level("players.black.aiLevel"));
        let kind = match value("rated") {
            Some("true") => Some("Rated"),
            Some("false") => Some("Casual"),
            _ => None,
        };
        let speed = value("perf").or_else(|| value("speed"));
        add(
            "Event",
            kind.zip(speed).map(|(kind, speed)| match value("tournament") {
                Some(id) => format!("{kind} {speed} tournament {id}"),
                None => format!("{kind} {speed} game"),
            }),
        );
        add("Date", value("createdAt").and_then(day_of));
        add("GameId", value("id").map(str::to_owned));
        let time = value("clock.initial").zip(value("clock.increment"));
        add("TimeControl", time.map(|(initial, increment)| format!("{initial}+{increment}")));
        let status = value("status").or_else(|| value("status.name"));
        let status = STATUSES.iter().find(|(name, ..)| Some(*name) == status);
        add("Termination", status.map(|(_, termination, _)| (*termination).to_owned()));
        let result = match (value("winner"), status) {
            (Some("white"), _) => Some("2-0"),
            (Some("black"), _) => Some("0-2"),
            (_, Some((.., true))) => Some("1-1"),
            _ => Some("*"),
        };
        add("Result", result.map(str::to_owned));
        let made = self.made.iter().find(|(name, _)| *name == "Result");
        self.result = made.map(|(_, result)| result.clone());
    }

    fn has(&self, name: &str) -> bool {
        self.tags.iter().any(|(known, _)| *known == name) || self.made.iter().any(|(known, _)| *known == name)
    }

    /// Writes the game of an object at `place`.
    fn write(&self, moves: &[&Fact], place: &Range<u64>, out: &mut Excerpts) {
        out.begin(place.start, !self.tags.is_empty() || !self.made.is_empty());
        for (name, text) in &self.made {
            out.insert(format!("[{name} \"").as_bytes());
            insert_escaped(text, out);
            out.insert(b"\"]\n");
        }
        for (name, value) in &self.tags {
            out.insert(format!("[{name} \"").as_bytes());
            value.iter().for_each(|(bytes, place)| put_escaped(bytes, place, out));
            out.insert(b"\"]\n");
        }
        out.insert(b"\n");
        for part in moves {
            part.value.iter().for_each(|(bytes, place)| out.put(bytes, place));
            out.insert(b" ");
        }
        if !moves.last().is_some_and(|last| ends_game(&last.value.text)) {
            let result = self.result.as_deref().filter(|result| is_result(result.as_bytes()));
            out.insert(result.unwrap_or("*").as_bytes());
        }
        out.move_to(place.end);
        out.insert(b"\n\n");
    }
}

/// Returns the value with a path.
fn value_of<'f>(facts: &'f [Fact], path: &str) -> Option<&'f str> {
    let fact = facts.iter().find(|fact| fact.path() == path)?;
    std::str::from_utf8(&fact.value.text).ok()
}

/// Returns `true` if a name can be that of a tag.
fn is_tag_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the day of a number of milliseconds since 1970, in UTC, or of a date in the form of ISO 8601.
fn day_of(time: &str) -> Option<String> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let Ok(milliseconds) = time.parse::<i64>() else {
        let date = Date::read(time.get(..10)?.as_bytes()).ok()?.date;
        return date.days().map(|_| date.to_string());
    };
    let day = i32::try_from(milliseconds.div_euclid(DAY)).ok()?;
    // The year is this one or a later one.
    let year = u16::try_from(1970 + day.div_euclid(if day < 0 { 365 } else { 366 })).ok()?;
    let first = |year| Date::new(Some(year), Some(1), Some(1)).and_then(Date::days);
    let year = (year..).take_while(|&year| first(year).is_some_and(|first| first <= day)).last()?;
    let of_month = |month| Date::new(Some(year), Some(month), Some(1)).and_then(Date::days);
    let month = (1..=12).take_while(|&month| of_month(month).is_some_and(|first| first <= day)).last()?;
    let day = u8::try_from(day - of_month(month)? + 1).ok()?;
    Date::new(Some(year), Some(month), Some(day)).map(|date| date.to_string())
}

/// Puts a part of a value between the quotes of a tag.
fn put_escaped(bytes: &[u8], place: Range<u64>, out: &mut Excerpts) {
    let mut put = |bytes: &[u8], place: Range<u64>| match bytes {
        b"\"" | b"\\" => {
            out.insert(b"\\");
            out.put(bytes, place);
        }
        [0..b' '] => out.put(b" ", place),
        _ => out.put(bytes, place),
    };
    if bytes.len() as u64 != place.end - place.start {
        return put(bytes, place);
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..b' ');
    let (mut rest, mut at) = (bytes, place.start);
    while !rest.is_empty() {
        let plain = rest.iter().take_while(|byte| !is_special(byte)).count().max(1);
        put(&rest[..plain], at..at + plain as u64);
        (rest, at) = (&rest[plain..], at + plain as u64);
    }
}

/// Puts a value between the quotes of a tag.
fn insert_escaped(text: &str, out: &mut Excerpts) {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let escaped: String = text.chars().map(shown).collect();
    out.insert(escaped.replace('\\', "\\\\").replace('"', "\\\"").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_their_days() {
        for (time, day) in [
            ("1572047951353", Some("2019.10.25")),
            ("0", Some("1970.01.01")),
            ("-1", Some("1969.12.31")),
            ("-631152000000", Some("1950.01.01")),
            ("951782400000", Some("2000.02.29")),
            ("1735689599999", Some("2024.12.31")),
            ("2024-03-05T10:00:00Z", Some("2024.03.05")),
            ("9999999999999999", None),
            ("soon", None),
        ] {
            assert_eq!(day_of(time).as_deref(), day, "{time}");
        }
    }
}
