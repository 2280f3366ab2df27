//! Carries games in texts of another kind: JSON, pages of HTML, and posts of forums; and writes them as books, newspapers and
//! people who know chess do.

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
    /// A book with notes of this kind.
    Book(Notes),
    /// A column of a newspaper.
    Column {
        /// Stands between pairs of moves.
        separator: &'static str,
        /// Stands after the number of a pair.
        number: &'static str,
    },
    /// The habits of chess.
    Chess {
        /// The clock after each move.
        clocks: bool,
    },
}

/// The notes of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notes {
    /// The moves of the other side stand in brackets.
    Replies,
    /// Letters behind moves.
    Letters,
    /// Paragraphs between moves.
    Paragraphs,
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
            Dialect::Books => Self::Book(*random.pick(&[Notes::Replies, Notes::Letters, Notes::Paragraphs])),
            Dialect::Newspaper => {
                let separator = *random.pick(&[";", ",", ";"]);
                let number = *random.pick(&[")", ".", ":"]);
                Self::Column { separator, number }
            }
            Dialect::ChessHabits => Self::Chess { clocks: random.permille(500) },
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
            Self::Book(notes) => parts.of_book(notes),
            Self::Column { separator, number } => parts.of_column(separator, number),
            Self::Chess { clocks } => parts.of_chess(clocks),
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

    /// Returns the moves, each with its number and whether the second side makes it, and the terminator.
    fn plies(&self) -> (Vec<WrittenPly<'r>>, &'r str) {
        let mut words: Vec<&str> = self.moves.split_whitespace().collect();
        let end = words.pop().unwrap_or("*");
        let (mut plies, mut next) = (Vec::new(), (1, false));
        for word in words {
            let digits = word.trim_end_matches('.');
            if let (true, Ok(number)) = (digits.len() < word.len(), digits.parse()) {
                next = (number, word.ends_with("..."));
                continue;
            }
            let (number, second) = next;
            plies.push(WrittenPly { number, second, text: word });
            next = (number + u32::from(second), !second);
        }
        (plies, end)
    }

    /// Returns the side that starts and the other one, by the rules of the game type.
    fn sides(&self) -> [&'static str; 2] {
        match self.tag("GameType").contains(",B,") {
            true => ["Black", "White"],
            false => ["White", "Black"],
        }
    }

    /// Writes the tags but those named so.
    fn tags_without(&self, names: &[&str]) -> String {
        let mut text = String::new();
        for (name, value) in self.tags.iter().filter(|(name, _)| !names.contains(name)) {
            // Writing to memory cannot fail.
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
        text
    }

    /// Returns the game as books have it.
    fn of_book(&self, notes: Notes) -> String {
        const PARAGRAPHS: [&str; 3] = [
            "White has played the opening quickly, and now takes his time. In the tournament book 31-27 is given as an \
             improvement, but after 17-21 Black stands well.",
            "A mistake that is hard to see. Better was to strengthen the centre first.",
            "Here many would exchange. The champion prefers to wait, because every exchange helps the defender.",
        ];
        let (plies, end) = self.plies();
        let [first, second] = self.sides();
        let mut text = self.tags_without(&["Result"]);
        let _ = write!(text, "\nGame {}. A lesson in patience\n\n", self.tag("Round"));
        for (index, ply) in plies.iter().enumerate() {
            let is_noted = index % 14 == 9 && index + 1 < plies.len();
            let (number, mv) = (ply.number, ply.text);
            let _ = match (ply.second, index, notes) {
                (true, 1.., Notes::Replies) => write!(text, "({mv}) "),
                (true, 0, _) => write!(text, "{number}... {mv} "),
                (true, ..) => write!(text, "{mv} "),
                (false, ..) => write!(text, "{number}. {mv} "),
            };
            let letter = char::from(b'a' + (index / 14 % 26) as u8);
            let _ = match notes {
                Notes::Letters if is_noted && index % 28 < 14 => write!(text, "({letter}) "),
                Notes::Letters if is_noted => {
                    text.pop();
                    write!(text, "-{} ", letter.to_ascii_uppercase())
                }
                Notes::Paragraphs if is_noted => {
                    write!(text, "\n\n{}\n\n", PARAGRAPHS[index / 14 % PARAGRAPHS.len()])
                }
                _ => Ok(()),
            };
        }
        match (end, plies.len() % 2) {
            ("2-0" | "1-0", 0) => text + second + " resigns.\n\n",
            ("2-0" | "1-0", _) => text + first + " wins\n\n",
            ("0-2" | "0-1", 0) => text + second + " wins.\n\n",
            ("0-2" | "0-1", _) => text + first + " resigns\n\n",
            ("*", _) => text + "*\n\n",
            _ => text + "Drawn.\n\n",
        }
    }

    /// Returns the game as newspapers have it.
    fn of_column(&self, separator: &str, number: &str) -> String {
        let (plies, end) = self.plies();
        let mut text = self.tags_without(&["Date"]);
        let date: Option<Date> = self.tag("Date").parse().ok();
        let written = date.and_then(|date| Some((date.day()?, date.month()?, date.year()?)));
        const MONTHS: [&str; 12] = [
            "januari",
            "februari",
            "maart",
            "april",
            "mei",
            "juni",
            "juli",
            "augustus",
            "september",
            "oktober",
            "november",
            "december",
        ];
        let date = match written {
            Some((day, month, year)) => format!("{day} {} {year}", MONTHS[usize::from(month - 1) % 12]),
            None => self.tag("Date").to_owned(),
        };
        let _ = write!(text, "[Date \"{date}\"]\n\nDamrubriek: partij uit ronde {}\n\n", self.tag("Round"));
        for (index, ply) in plies.iter().enumerate() {
            let (count, mv) = (ply.number, ply.text);
            let _ = match (ply.second, index) {
                (false, _) => write!(text, "{count}{number} {mv} "),
                (true, 0) => write!(text, "{count}... {mv}{separator} "),
                (true, _) if index + 1 == plies.len() => write!(text, "{mv} "),
                (true, _) => write!(text, "{mv}{separator} "),
            };
            if index % 10 == 9 && index + 1 < plies.len() {
                text.truncate(text.trim_end().len());
                text.push('\n');
            }
        }
        text + end + "\n\n"
    }

    /// Returns the game as people write it who know chess.
    fn of_chess(&self, clocks: bool) -> String {
        let score = |text: &str| {
            match text {
                "2-0" => "1-0",
                "1-1" => "1/2-1/2",
                "0-2" => "0-1",
                other => other,
            }
            .to_owned()
        };
        let mut text = String::new();
        for (name, value) in &self.tags {
            let name = name.replace("Rating", "Elo");
            let value = if name == "Result" { score(value) } else { (*value).to_owned() };
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
        text += "[ECO \"A00\"]\n[Termination \"Normal\"]\n\n";
        let (plies, end) = self.plies();
        for (index, ply) in plies.iter().enumerate() {
            let (number, is_last) = (ply.number, index + 1 == plies.len());
            let is_apart = clocks || index == 0;
            let _ = match (ply.second, is_apart) {
                (true, true) => write!(text, "{number}... "),
                (true, false) => Ok(()),
                (false, _) => write!(text, "{number}. "),
            };
            text += ply.text;
            if ply.text.contains(['x', ':']) && (is_last || index % 3 == 0) {
                text.push(if is_last { '#' } else { '+' });
            }
            text.push(' ');
            if clocks {
                let left = 5_400_u32.saturating_sub(47 * index as u32);
                let _ = write!(text, "{{[%clk {}:{:02}:{:02}]}} ", left / 3600, left / 60 % 60, left % 60);
            }
        }
        text + &score(end) + "\n\n"
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

/// A move as it is written in a clean record.
struct WrittenPly<'r> {
    number: u32,
    second: bool,
    text: &'r str,
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
