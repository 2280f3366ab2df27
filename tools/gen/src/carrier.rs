//! Carries games in texts of another kind: JSON, pages of HTML, and posts of forums.

use std::fmt::Write;

use pdn::rules::Variant;
use pdn::value::Date;
use serde_json::{Map, Value, json};

use crate::Dialect;
use crate::random::Random;

/// The text that carries the games of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Carrier {
    /// An object on each line, with the game as a string.
    Strings {
        /// Letters beyond ASCII are escaped.
        escaped: bool,
    },
    /// An object on each line, with the tags as keys and the moves as a string.
    Objects,
    /// An object on each line, as lidraughts exports games.
    Server,
    /// An element of a page.
    Element(&'static str),
    /// A string of a script.
    Script,
    /// Marks of a forum, with words around them.
    Marks(&'static str),
}

impl Carrier {
    /// Chooses the carrier of an event; `None` for dialects of PDN itself.
    pub(crate) fn of(dialect: Dialect, variant: Variant, random: &mut Random) -> Option<Self> {
        Some(match dialect {
            Dialect::Json if variant == Variant::International && random.permille(500) => Self::Server,
            Dialect::Json => *random.pick(&[
                Self::Strings { escaped: false },
                Self::Strings { escaped: true },
                Self::Objects,
            ]),
            Dialect::Html => *random.pick(&[
                Self::Element("pre"),
                Self::Element("textarea"),
                Self::Element("code"),
                Self::Script,
            ]),
            Dialect::Forum => *random.pick(&[Self::Marks("pdn"), Self::Marks("PDN"), Self::Marks("code")]),
            _ => return None,
        })
    }

    /// Returns the text that carries a clean record, the first of its event or another.
    pub(crate) fn carry(self, record: &str, is_first: bool) -> String {
        let parts = Parts::of(record);
        match self {
            Self::Strings { escaped } => {
                let line = json!({ "id": parts.tag("Round"), "pdn": record }).to_string();
                if escaped { escape(&line) + "\n" } else { line + "\n" }
            }
            Self::Objects => {
                let mut object = Map::new();
                for (name, value) in &parts.tags {
                    let (first, rest) = name.split_at(1);
                    object.insert(first.to_lowercase() + rest, unescaped(value).into());
                }
                object.insert("moves".into(), parts.moves.trim_end().into());
                Value::from(object).to_string() + "\n"
            }
            Self::Server => parts.of_server().map_or_else(
                || Self::Strings { escaped: false }.carry(record, is_first),
                |object| object.to_string() + "\n",
            ),
            Self::Element(name) => {
                let text = record.trim_end();
                format!("{}<{name} class=\"game\">\n{}\n</{name}>\n", page(&parts, is_first), entities(text))
            }
            Self::Script => {
                let text = Value::from(record.trim_end()).to_string().replace("</", "<\\/");
                format!(
                    "{}<script>\nvar game = {text};\nshow(game, 'board');\n</script>\n",
                    page(&parts, is_first)
                )
            }
            Self::Marks(mark) => {
                let (white, black) = (parts.tag("White"), parts.tag("Black"));
                let text = record.trim_end();
                format!(
                    "[quote=\"{white}\"]Did you see this one?[/quote]\nYes, {black} played it well:\n\
                     [{mark}]{text}[/{mark}]\nWhat do you think of move 12?\n\n"
                )
            }
        }
    }
}

/// The tags of a record, with the escapes of their values, and its moves.
struct Parts<'r> {
    tags: Vec<(&'r str, &'r str)>,
    moves: &'r str,
}

impl<'r> Parts<'r> {
    fn of(record: &'r str) -> Self {
        let (head, moves) = record.split_once("\n\n").unwrap_or((record, ""));
        let tag = |line: &'r str| line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"");
        Self { tags: head.lines().filter_map(tag).collect(), moves }
    }

    fn tag(&self, name: &str) -> &'r str {
        self.tags.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| *value)
    }

    /// Returns the game as lidraughts exports it; `None` if more than moves stands in it.
    fn of_server(&self) -> Option<Value> {
        if self.moves.contains(['{', '(', '$', '!', '?']) {
            return None;
        }
        let is_move = |word: &&str| word.contains(['-', 'x']) && *word != self.tag("Result");
        let moves: Vec<&str> = self.moves.split_whitespace().filter(is_move).collect();
        let date: Date = self.tag("Date").parse().ok()?;
        let player = |name: &str, rating: &str| {
            let mut player =
                json!({ "user": { "id": self.tag(name).to_lowercase(), "name": unescaped(self.tag(name)) } });
            if let Ok(rating) = self.tag(rating).parse::<u16>() {
                player["rating"] = rating.into();
            }
            player
        };
        let milliseconds = i64::from(date.days()?) * 86_400_000 + 43_200_000;
        let (status, winner) = match self.tag("Result") {
            "2-0" => ("resign", Some("white")),
            "0-2" => ("outoftime", Some("black")),
            "1-1" => ("draw", None),
            _ => ("started", None),
        };
        let mut game = json!({
            "id": "a1B2c3D4", "rated": true, "variant": "standard", "speed": "blitz", "perf": "blitz",
            "createdAt": milliseconds, "status": status,
            "players": { "white": player("White", "WhiteRating"), "black": player("Black", "BlackRating") },
            "moves": moves.join(" "), "clock": { "initial": 300, "increment": 3, "totalTime": 420 },
        });
        if let Some(winner) = winner {
            game["winner"] = winner.into();
        }
        if !self.tag("FEN").is_empty() {
            game["initialFen"] = self.tag("FEN").into();
        }
        Some(game)
    }
}

/// Returns the value of a tag without its escapes.
fn unescaped(value: &str) -> String {
    value.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// Writes letters beyond ASCII as escapes of JSON.
fn escape(json: &str) -> String {
    let mut escaped = String::new();
    for c in json.chars() {
        if c.is_ascii() {
            escaped.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                // Writing to memory cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
    }
    escaped
}

/// Writes text as that of a page: signs and letters beyond ASCII as entities.
fn entities(text: &str) -> String {
    let mut page = String::new();
    for c in text.chars() {
        match c {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '"' => page.push_str("&quot;"),
            _ if c.is_ascii() => page.push(c),
            // Writing to memory cannot fail.
            _ => drop(write!(page, "&#{};", u32::from(c))),
        }
    }
    page
}

/// Returns the beginning of a page before its first game, and a heading before others.
fn page(parts: &Parts<'_>, is_first: bool) -> String {
    let title = entities(&unescaped(parts.tag("Event")));
    if is_first {
        return format!(
            "<!DOCTYPE html>\n<html lang=\"nl\">\n<head><meta charset=\"utf-8\"><title>{title}</title>\n\
             <style>pre {{ color: #333; }}</style></head>\n<body>\n<h1>{title}</h1>\n<!-- <pre>no game</pre> -->\n"
        );
    }
    format!(
        "<h2>{} &ndash; {}</h2>\n",
        entities(&unescaped(parts.tag("White"))),
        entities(&unescaped(parts.tag("Black")))
    )
}
