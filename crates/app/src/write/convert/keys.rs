//! The keys by which games are sorted and divided, read from the text that is written; and the comments that mark novelties.

use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::ask::numbers::{parse_number, parse_size};
use crate::ask::options::texts;
use crate::ask::rows::{date_text, ply_text};
use crate::ask::sort::{SortField, SortKey};
use pdn::convert::MoveComment;
use pdn::internal::value::is_unknown;
use pdn::parse::unescape;
use pdn::replay::ReplaySummary;
use pdn::stop::Stop;
use pdn::value::{Date, Rating, Round, TagName, decode_entities};
use pdn::view::RecordView;
use pdn_index::internal::pack::UnpackedPly;
use pdn_index::internal::query::{Novelties, RowTable, novelties};
use pdn_index::{GameRow, Index};

/// What decides which file a game is written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitKey {
    /// The event.
    Event,
    /// The year.
    Year,
    /// The variant.
    Variant,
    /// Both players: a game is written to two files.
    Player,
    /// What the replay found.
    Status,
    /// The next file begins after this many games.
    Games(u64),
    /// The next file begins before it would have more than this many bytes.
    Size(u64),
}

impl FromStr for SplitKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.trim().split_once(':') {
            Some(("games", count)) => Self::Games(parse_number(count, &(1..=u64::MAX))?),
            Some(("size", size)) => Self::Size(parse_size(size)?),
            None if text == "event" => Self::Event,
            None if text == "year" => Self::Year,
            None if text == "variant" => Self::Variant,
            None if text == "player" => Self::Player,
            None if text == "status" => Self::Status,
            _ => {
                return Err("expected event, year, variant, player, status, games:N or size:N".to_owned());
            }
        })
    }
}

texts! { SortKey SplitKey }

/// Separates the parts of a group; no value contains it.
pub(super) const GROUP_SEPARATOR: char = '\u{1F}';

/// A written game: its text is in canonical form and UTF-8.
pub(super) struct WrittenGame<'t> {
    tags: Vec<(TagName, &'t [u8])>,
    summary: &'t ReplaySummary,
}

impl<'t> WrittenGame<'t> {
    pub(super) fn new(text: &'t [u8], summary: &'t ReplaySummary) -> Self {
        let tags = RecordView::new(text).tags();
        Self { tags: tags.filter_map(|tag| Some((tag.recognised()?.tag, tag.value))).collect(), summary }
    }

    /// Returns the value of a tag; `None` if it is missing or unknown.
    fn value(&self, tag: TagName) -> Option<String> {
        let (_, raw) =
            self.tags.iter().find(|(name, value)| *name == tag && !value.trim_ascii().is_empty())?;
        let unescaped = unescape(raw);
        let text = String::from_utf8_lossy(&unescaped);
        let text = decode_entities(&text).trim().replace(GROUP_SEPARATOR, " ");
        (!text.chars().all(|c| matches!(c, '?' | '-' | ' '))).then_some(text)
    }

    fn date(&self) -> Option<Date> {
        let (_, raw) = self.tags.iter().find(|(name, _)| *name == TagName::Date)?;
        Date::read(raw).ok().map(|read| read.date).filter(|date| date.year().is_some())
    }

    /// Appends a key that orders games as `keys` demand when it is compared byte by byte. Unknown values come last in both
    /// directions.
    pub(super) fn sort_key(&self, keys: &[SortKey], out: &mut Vec<u8>) {
        for key in keys {
            let start = out.len();
            // In place of the flag.
            out.push(0);
            let is_known = self.push_value(key.field, out).is_some();
            if !is_known {
                out.truncate(start);
                out.push(1);
            } else if key.descending {
                out[start + 1..].iter_mut().for_each(|byte| *byte = !*byte);
            }
        }
    }

    /// Appends a value; may append a part of it and return `None` if it is unknown.
    fn push_value(&self, field: SortField, out: &mut Vec<u8>) -> Option<()> {
        let mut name = |tag| {
            let folded = pdn_names::fold(&self.value(tag)?);
            out.extend_from_slice(folded.as_bytes());
            // A name comes before longer ones that begin with it; no folded name contains a zero.
            out.push(0);
            (!folded.is_empty()).then_some(())
        };
        match field {
            SortField::Event => return name(TagName::Event),
            SortField::Site => return name(TagName::Site),
            SortField::White => return name(TagName::White),
            SortField::Black => return name(TagName::Black),
            SortField::Date => {
                let date = self.date()?;
                out.extend(date.year()?.to_be_bytes());
                // An unknown part comes before known ones.
                out.extend([date.month().unwrap_or(0), date.day().unwrap_or(0)]);
            }
            SortField::Round => {
                let round = Round::parse(self.value(TagName::Round)?.as_bytes()).ok()?;
                let mut is_empty = true;
                for number in round.numbers() {
                    out.push(1);
                    out.extend(number.to_be_bytes());
                    is_empty = false;
                }
                out.push(0);
                return (!is_empty).then_some(());
            }
            SortField::Rating => {
                let rating = |tag| {
                    let (_, raw) = self.tags.iter().find(|(name, _)| *name == tag)?;
                    Rating::read(raw).ok().flatten().map(|rating| u32::from(rating.value))
                };
                out.extend((rating(TagName::WhiteRating)? + rating(TagName::BlackRating)?).to_be_bytes());
            }
            SortField::Plies => out.extend(self.summary.plies.to_be_bytes()),
            SortField::Variant => {
                out.extend_from_slice(self.summary.variant.name().as_bytes());
                out.push(0);
            }
            // No values of a text, so that no key has them.
            SortField::Game
            | SortField::Result
            | SortField::Known
            | SortField::Ply
            | SortField::Distance
            | SortField::ManTakes
            | SortField::KingTakes
            | SortField::WhitePromotes
            | SortField::BlackPromotes
            | SortField::WhiteLead
            | SortField::BlackLead
            | SortField::KingRun => return None,
        }
        Some(())
    }

    /// Appends the groups that the game belongs to: the values of the keys with separators, an empty value for an unknown one.
    /// A game belongs to two groups if its players are a key.
    pub(super) fn groups(&self, keys: &[SplitKey], out: &mut Vec<String>) {
        out.push(String::new());
        let mut is_first = true;
        for key in keys {
            let values = match key {
                SplitKey::Games(_) | SplitKey::Size(_) => continue,
                SplitKey::Event => [self.value(TagName::Event), None],
                SplitKey::Year => [self.date().and_then(Date::year).map(|year| year.to_string()), None],
                SplitKey::Variant => [Some(self.summary.variant.name().to_owned()), None],
                SplitKey::Status => [Some(self.summary.status.name().to_owned()), None],
                SplitKey::Player => [TagName::White, TagName::Black].map(|tag| self.value(tag)),
            };
            if !std::mem::take(&mut is_first) {
                out.iter_mut().for_each(|group| group.push(GROUP_SEPARATOR));
            }
            let [first, second] = values.map(Option::unwrap_or_default);
            if *key == SplitKey::Player && first != second {
                // Between other keys: each group so far continues with both names.
                let others: Vec<String> = out.iter().map(|group| format!("{group}{second}")).collect();
                out.iter_mut().for_each(|group| group.push_str(&first));
                out.extend(others);
            } else {
                out.iter_mut().for_each(|group| group.push_str(&first));
            }
        }
    }
}

/// The novelties of the games of an index, as comments.
pub(super) struct NoveltyComments<'a> {
    index: &'a Index,
    novelties: Novelties,
    table: RowTable<'a>,
}

impl<'a> NoveltyComments<'a> {
    /// Finds the novelties of all games.
    pub(super) fn new(index: &'a Index, threads: NonZeroUsize, stop: &Stop) -> pdn::Result<Self> {
        Ok(Self { index, novelties: novelties(index, threads, stop)?, table: RowTable::new(index)? })
    }

    /// Returns the comment at the move with which a game leaves all earlier games: what was played before, in which game. A null move has
    /// no text that a comment could follow: the comment stands at the next move, or else at the one before. `None` if the game has no
    /// novelty, or nothing but null moves.
    ///
    /// # Errors
    /// If the index is damaged.
    pub(super) fn of(&self, game: u64) -> pdn::Result<Option<MoveComment>> {
        let novelty = self.novelties.of(game);
        let (Some(ply), Some(predecessor)) = (novelty.ply, novelty.predecessor) else { return Ok(None) };
        let (Some(own), Some(before)) = (self.index.game(game), self.index.game(predecessor)) else {
            return Ok(None);
        };
        let (plies, _) = own.plies()?;
        let Some((new, after)) = plies.get(ply as usize..).and_then(|rest| rest.split_first()) else {
            return Ok(None);
        };
        let is_move = |ply: &UnpackedPly| ply.mv.is_some();
        let moves_before = plies[..ply as usize].iter().filter(|ply| is_move(ply)).count();
        let (mv, place) = match moves_before.checked_sub(1) {
            _ if is_move(new) => (moves_before, ""),
            _ if after.iter().any(is_move) => (moves_before, " (the null move before this one)"),
            Some(last) => (last, " (the null move after this one)"),
            None => return Ok(None),
        };
        let key = new.before.key();
        let (old_plies, _) = before.plies()?;
        let old_move = old_plies.iter().find(|old| old.before.key() == key).map(ply_text);
        let Some(row) = self.table.row(predecessor) else { return Ok(None) };
        let what = match old_move {
            Some(old_move) => format!("Before: {old_move}, {}", described(&row)),
            None => format!("Before: {}, which ends here", described(&row)),
        };
        Ok(Some(MoveComment { mv, text: format!("Novelty{place}. {what}") }))
    }
}

/// Returns the players, the event and the date of a game, as far as they are known. The year of an earlier game is.
fn described(row: &GameRow<'_>) -> String {
    let is_known = |text: &str| !text.is_empty() && !is_unknown(text);
    let name = |text: &'_ str| if is_known(text) { text.to_owned() } else { "?".to_owned() };
    let mut text = format!("{} - {}", name(row.white), name(row.black));
    if is_known(row.event) {
        text += &format!(", {}", row.event);
    }
    text + &format!(", {}", date_text(row.date))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::replay::Replayer;

    fn sorted(records: &[&str], keys: &str) -> Vec<usize> {
        let keys: Vec<SortKey> = keys.split(',').map(|key| key.parse().expect("a key")).collect();
        let mut order: Vec<(Vec<u8>, usize)> = records
            .iter()
            .enumerate()
            .map(|(place, record)| {
                let summary = Replayer::default().summary(record.as_bytes());
                let mut key = Vec::new();
                WrittenGame::new(record.as_bytes(), &summary).sort_key(&keys, &mut key);
                (key, place)
            })
            .collect();
        order.sort();
        order.into_iter().map(|(_, place)| place).collect()
    }

    #[test]
    fn keys_order_games_and_leave_unknown_values_last() {
        let dates = [
            "[Date \"1972.05.01\"] *",
            "[Date \"????.??.??\"] *",
            "[Date \"1972.??.??\"] *",
            "[Date \"1950.01.31\"] *",
        ];
        assert_eq!(sorted(&dates, "date"), [3, 2, 0, 1]);
        assert_eq!(sorted(&dates, "-date"), [0, 2, 3, 1]);
        let names =
            ["[White \"b\"] *", "[White \"Á b\"] *", "[White \"a\"] *", "[White \"?\"] *", "[White \"A\"] *"];
        assert_eq!(sorted(&names, "white"), [2, 4, 1, 0, 3]);
        assert_eq!(sorted(&names, "-white"), [0, 1, 2, 4, 3]);
        let rounds = ["[Round \"10\"] *", "[Round \"2.1\"] *", "[Round \"2\"] *", "[Round \"?\"] *"];
        assert_eq!(sorted(&rounds, "round"), [2, 1, 0, 3]);
        let both =
            ["[White \"b\"][Round \"1\"] *", "[White \"a\"][Round \"1\"] *", "[White \"a\"][Round \"2\"] *"];
        assert_eq!(sorted(&both, "-round,white"), [2, 1, 0]);
        assert_eq!(sorted(&["1. 32-28 19-23 *", "1. 32-28 *", "*"], "-plies"), [0, 1, 2]);
        let ratings = [
            "[WhiteRating \"2000\"][BlackRating \"1900\"] *",
            "[WhiteElo \"2400\"] *",
            "[WhiteRating \"900\"][BlackRating \"900\"] *",
        ];
        assert_eq!(sorted(&ratings, "-rating"), [0, 2, 1]);
    }

    #[test]
    fn groups_have_a_part_for_each_key() {
        let groups = |record: &str, keys: &[SplitKey]| {
            let summary = Replayer::default().summary(record.as_bytes());
            let mut groups = Vec::new();
            WrittenGame::new(record.as_bytes(), &summary).groups(keys, &mut groups);
            groups.iter().map(|group| group.replace(GROUP_SEPARATOR, "|")).collect::<Vec<_>>()
        };
        let record =
            "[Event \"Cup\"][Date \"1999.??.??\"][White \"A\"][Black \"B\"][GameType \"20\"] 1. 32-28 *";
        assert_eq!(groups(record, &[SplitKey::Year, SplitKey::Variant]), ["1999|international"]);
        assert_eq!(
            groups(record, &[SplitKey::Event, SplitKey::Player, SplitKey::Games(3), SplitKey::Status]),
            ["Cup|A|legal", "Cup|B|legal"]
        );
        assert_eq!(groups("[White \"A\"][Black \"A\"] *", &[SplitKey::Player]), ["A"]);
        assert_eq!(groups("[White \"A\"] *", &[SplitKey::Player]), ["A", ""]);
        assert_eq!(groups("*", &[SplitKey::Player, SplitKey::Year]), ["|"]);
        assert_eq!(groups("*", &[SplitKey::Games(2)]), [""]);
    }
    #[test]
    fn keys_of_files_are_parsed_with_their_size() {
        assert_eq!("games:1000".parse(), Ok(SplitKey::Games(1000)));
        assert_eq!("size:2M".parse(), Ok(SplitKey::Size(2 << 20)));
        for wrong in ["games", "games:0", "size:0", "size:x", "colour", "year:1"] {
            assert!(wrong.parse::<SplitKey>().is_err(), "{wrong}");
        }
    }
}
