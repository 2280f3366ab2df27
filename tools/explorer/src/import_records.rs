//! Prepares records that another program sends, so that each can be stored after any other and is found again as it is.

use std::hash::{DefaultHasher, Hasher};

use pdn::split;
use pdn::view::RecordView;

use crate::problem::Problem;

/// What follows each record in the archive, as lidraughts separates games.
const SEPARATOR: &[u8] = b"\n\n\n";
/// Terminators with which a stored record may end. A score that can be a move is not among them.
const TERMINATORS: [&[u8]; 8] = [b"*", b"2-0", b"1-1", b"0-2", b"0-0", b"1-0", b"0-1", b"1/2-1/2"];

/// Number of places where a record may end that are tried.
const MAX_ENDS: usize = 64;

/// A record that can be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StorableRecord {
    /// The text to store, with the empty lines that follow it.
    pub(crate) text: Vec<u8>,
    pub(crate) identity: GameIdentity,
    /// `true` if the terminator `*` was added, because the text did not end with one.
    pub(crate) is_completed: bool,
}

/// What is the same if a game is sent again: a hash of its identifier, its moves and its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct GameIdentity(u64, u64);

impl GameIdentity {
    /// Returns the identity of a game. The identifier is the tag `LidraughtsID`, or a Site tag with the address of a page. In a
    /// game that has neither, all tags count.
    pub(crate) fn of(game: RecordView<'_>) -> Self {
        let [mut one, mut two] = [0, 1].map(|seed| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(seed);
            hasher
        });
        let mut add = |part: &[u8]| {
            for hasher in [&mut one, &mut two] {
                hasher.write_usize(part.len());
                hasher.write(part);
            }
        };
        let id = game.tag("LidraughtsID").map(<[u8]>::trim_ascii).filter(|id| !id.is_empty());
        let is_page = |site: &&[u8]| site.windows(3).any(|part| part == b"://");
        match id.or_else(|| game.tag("Site").filter(is_page)) {
            Some(id) => add(id),
            None => game.tags().for_each(|tag| [tag.name, tag.value].into_iter().for_each(&mut add)),
        }
        add(b"");
        game.moves().for_each(|mv| add(mv.text));
        add(b"");
        add(game.result().unwrap_or_default());
        Self(one.finish(), two.finish())
    }
}

/// Divides a text into records, and says of each that cannot be stored why.
///
/// # Errors
///
/// If the text is not UTF-8, or there is no record in it.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Result<StorableRecord, &'static str>>, Problem> {
    if let Err(error) = std::str::from_utf8(text) {
        let place = error.valid_up_to() as u64;
        return Err(Problem::new(
            400,
            message!("not_utf8", "expected games in UTF-8; the bytes at {place} are not", at = place),
        ));
    }
    if let Some(place) = text.iter().position(|&byte| byte == 0) {
        return Err(Problem::new(
            400,
            message!("nul_byte", "expected text; there is a NUL byte at {place}", at = place as u64),
        ));
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii();
    if text.is_empty() {
        return Err(Problem::new(400, message!("no_games", "there is no game in this text")));
    }
    Ok(split::records(text)
        .map(|record| if record.cut { Err(TOO_LONG) } else { storable(record.bytes) })
        .collect())
}

const TOO_LONG: &str = "it is longer than a game may be";

/// Returns the record as it is to be stored.
///
/// # Errors
///
/// Why it cannot be stored apart from the records before and after it.
fn storable(record: &[u8]) -> Result<StorableRecord, &'static str> {
    let record = record.trim_ascii();
    // A record without tags could be read as part of the previous record. An append to the index would then find that an
    // indexed game has changed.
    if !record.starts_with(b"[") {
        return Err("it does not begin with a tag");
    }
    let is_completed = !ends_with_terminator(record);
    let star: &[u8] = if is_completed { b"\n*" } else { b"" };
    let text = [record, star, SEPARATOR].concat();
    if !is_whole(&text) {
        return Err("a comment, a variation or a tag in it is never closed");
    }
    Ok(StorableRecord { identity: GameIdentity::of(RecordView::new(record)), text, is_completed })
}

/// Returns `true` if a record of the archive is whole: it ends with a line end after its terminator, and is a record of its own.
pub(crate) fn is_whole(record: &[u8]) -> bool {
    record.ends_with(b"\n") && ends_with_terminator(record.trim_ascii()) && is_apart(record)
}

/// Returns the length of the longest beginning of a record that is a whole record with the empty lines after it; 0 if there is
/// none.
pub(crate) fn whole_len(record: &[u8]) -> usize {
    let ends = (SEPARATOR.len()..=record.len()).rev().filter(|&end| record[..end].ends_with(SEPARATOR));
    ends.take(MAX_ENDS).find(|&end| is_whole(&record[..end])).unwrap_or(0)
}

/// Returns `true` if a record has a terminator, and its last word is one.
fn ends_with_terminator(record: &[u8]) -> bool {
    let word = record.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    TERMINATORS.contains(&word) && RecordView::new(record).terminator().is_some()
}

/// Returns `true` if a text is one record wherever it stands between two others.
fn is_apart(text: &[u8]) -> bool {
    const BEFORE: &[u8] = b"[Event \"\"]\n\n1. 32-28 *\n\n\n";
    const AFTER: &[u8] = b"[Event \"\"]\n\n1. 32-28 *\n";
    let around = [BEFORE, text, AFTER].concat();
    let mut records = split::records(&around).map(|record| record.bytes);
    records.next() == Some(BEFORE) && records.next() == Some(text) && records.next() == Some(AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> StorableRecord {
        let mut records = read(text.as_bytes()).expect("text");
        assert_eq!(records.len(), 1, "{text}");
        records.remove(0).expect(text)
    }

    #[test]
    fn whole_records_are_stored_as_they_are() {
        for text in [
            "[White \"a\"]\n\n1. 32-28 19-23 2-0",
            "[White \"a\"]\r\n\r\n1. 32-28 {2-0\n\n\n[White} 19-23 *",
            "[FEN \"W:W31:B20\"] *",
            "[White \"\u{441}\"]\n1. 32-28 (1. 33-28 {b}) 1/2-1/2",
        ] {
            let stored = one(&format!("\u{feff}\n {text}\n\n"));
            assert_eq!(stored.text, format!("{text}\n\n\n").as_bytes());
            assert!(!stored.is_completed && is_whole(&stored.text), "{text}");
        }
    }

    #[test]
    fn terminator_is_added_where_a_record_does_not_end_with_one() {
        for text in [
            "[White \"a\"]\n\n1. 32-28 19-23",
            "[White \"a\"]\n\n1. 32-28 19-23 2-0 {time}",
            "[White \"a\"]\n\n1. 32-28 19-23 4-6",
            "[White \"a\"]",
        ] {
            let stored = one(text);
            assert_eq!(stored.text, format!("{text}\n*\n\n\n").as_bytes());
            assert!(stored.is_completed && is_whole(&stored.text), "{text}");
        }
    }

    #[test]
    fn records_that_would_run_into_their_neighbours_are_refused() {
        for (text, reason) in [
            ("1. 32-28 *", "begin with a tag"),
            ("<html></html>", "begin with a tag"),
            ("{a} [White \"a\"] 1. 32-28 *", "begin with a tag"),
            ("[White \"a\"]\n1. 32-28 {never closed", "never closed"),
        ] {
            let records = read(text.as_bytes()).expect("text");
            let refused: Vec<_> = records.into_iter().filter_map(Result::err).collect();
            assert!(refused.iter().any(|refused| refused.contains(reason)), "{text}: {refused:?}");
        }
    }

    #[test]
    fn beginnings_of_records_are_not_whole() {
        let stored =
            one("[White \"a\"]\n[Black \"b\"]\n\n1. 32-28 {a\n[Event \"x\"]\n} 19-23 (1... 18-23\n) 2-0");
        let whole = stored.text.len() - SEPARATOR.len() + 1;
        for len in 1..stored.text.len() {
            assert_eq!(is_whole(&stored.text[..len]), len >= whole, "{}", stored.text[..len].escape_ascii());
        }
    }

    #[test]
    fn text_of_other_encodings_is_refused() {
        for text in [&b"[White \"\xe9\"] 1. 32-28 *"[..], b"[\0W\0", b"", b" \n\n"] {
            assert_eq!(read(text).unwrap_err().status, 400, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn same_game_has_the_same_identity_and_others_have_not() {
        let identity = |text: &str| one(text).identity;
        let game = identity("[LidraughtsID \"abc\"]\n[White \"a\"]\n1. 32-28 19-23 2-0");
        // Comments, spacing and other tags may have changed.
        assert_eq!(game, identity("[White \"A\"]\n[LidraughtsID \"abc\"]\n\n1. 32-28 {[%clk 1]}\n19-23 2-0"));
        for other in [
            "[LidraughtsID \"abd\"]\n[White \"a\"]\n1. 32-28 19-23 2-0",
            "[LidraughtsID \"abc\"]\n[White \"a\"]\n1. 32-28 19-23 2. 28x19 2-0",
            "[LidraughtsID \"abc\"]\n[White \"a\"]\n1. 32-28 19-23 *",
        ] {
            assert_ne!(game, identity(other), "{other}");
        }
        let page = "[Site \"https://lidraughts.org/abc\"]\n[White \"a\"]\n1. 32-28 2-0";
        assert_eq!(identity(page), identity(&page.replace("\"a\"", "\"b\"")));
        // A place is no identifier: short draws are often the same.
        let place = "[Site \"Utrecht\"]\n[White \"a\"]\n1. 32-28 1-1";
        assert_eq!(identity(place), identity(place));
        assert_ne!(identity(place), identity(&place.replace("\"a\"", "\"b\"")));
    }
}
