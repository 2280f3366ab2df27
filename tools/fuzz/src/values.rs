//! Properties of typed values: each is written and read as the same value.

use std::fmt;

use pdn::internal::value::{CommentPart, CommentParts, TimeOfDay};
use pdn::value::{
    ClockTime, Clocks, CommandValue, Date, Fen, GameResult, GameType, MoveStrength, Nag, Rating, Round,
    TagName, TimeControl, TimeControlStage,
};
use pdn_rules::internal::value::FenPiece;

/// The text of a typed value is read as the same value.
pub fn values(data: &[u8]) {
    fen(data);
    result(data);
    again(data, "date", |text| Date::read(text).ok().map(|read| read.date));
    again(data, "round", |text| Round::parse(text).ok());
    again(data, "time", |text| ClockTime::parse(text).ok());
    again(data, "full time", |text| ClockTime::parse_full(text).ok());
    again(data, "time of day", |text| TimeOfDay::parse(text).ok());
    again(data, "game type", |text| GameType::parse(text).ok());
    again(data, "clocks", |text| Clocks::parse(text).ok());
    again(data, "annotation", |text| Nag::parse(text).ok());
    again(data, "rating", |text| Rating::read(text).ok().flatten());
    // A forced move is written as a NAG, `$7`.
    again(data, "strength", |text| {
        MoveStrength::parse(text).filter(|&strength| strength != MoveStrength::Forced)
    });
    let _ = GameType::number_in(data);
    let _ = TagName::find(data);
    time_control(data);
    comment(data);
}

/// Reads a value, writes it and reads it again.
fn again<T: PartialEq + fmt::Debug + fmt::Display>(
    data: &[u8],
    what: &str,
    read: impl Fn(&[u8]) -> Option<T>,
) {
    if let Some(value) = read(data) {
        let text = value.to_string();
        let back = read(text.as_bytes());
        assert_eq!(
            back.as_ref(),
            Some(&value),
            "{what} {:?} is written as {text:?}",
            data.escape_ascii().to_string()
        );
    }
}

fn fen(data: &[u8]) {
    let fen = match Fen::parse(data) {
        Ok(fen) => fen,
        Err(error) => {
            assert!(error.span.end as usize <= data.len(), "{error:?}");
            let _ = error.to_string();
            return;
        }
    };
    let plain = |fen: &Fen<'_>| {
        let mut pieces: Vec<FenPiece> =
            fen.pieces().map(|p| FenPiece::new(p.colour, p.king, p.square)).collect();
        assert_eq!(pieces.len(), fen.len());
        // White's pieces are written first.
        pieces.sort_by_key(|piece| (piece.colour as u8, piece.square));
        (fen.turn(), pieces, fen.is_null_move())
    };
    let text = fen.to_string();
    let back = Fen::parse(text.as_bytes())
        .unwrap_or_else(|error| panic!("{text:?} is written and not read: {error}"));
    assert_eq!(plain(&back), plain(&fen), "{fen:?} is written as {text:?}");
    assert_eq!(back.to_string(), text);
    for piece in fen.pieces() {
        assert!(piece.span.end as usize <= data.len(), "{piece:?}");
    }
}

fn result(data: &[u8]) {
    let result = GameResult::parse(data);
    let text = result.to_string();
    let back = GameResult::parse(text.as_bytes());
    if !matches!(result, GameResult::Text(_) | GameResult::Unknown) {
        assert_eq!(back, result, "written as {text:?}");
        assert!(GameResult::is_canonical(text.as_bytes()), "{text:?}");
    }
    assert_eq!(back.outcome(), result.outcome());
    assert_eq!(result.swapped().swapped(), result);
}

fn time_control(data: &[u8]) {
    let Ok(control) = TimeControl::parse(data) else { return };
    let text = control.to_string();
    let back = TimeControl::parse(text.as_bytes())
        .unwrap_or_else(|error| panic!("{text:?} is written and not read: {error}"));
    assert_eq!(stages(&back), stages(&control), "written as {text:?}");
    assert_eq!(back.to_string(), text);
}

/// Returns the stages; none if they are unknown.
fn stages(control: &TimeControl<'_>) -> Option<Vec<TimeControlStage>> {
    match control {
        TimeControl::Stages(stages) => Some(stages.collect()),
        _ => None,
    }
}

/// The parts of a comment are in order, and its embedded commands are written and read as the same command.
fn comment(data: &[u8]) {
    for part in CommentParts::new(data) {
        let CommentPart::Command(command) = part else { continue };
        let Ok(value) = command.value else { continue };
        if value == CommandValue::Other {
            continue;
        }
        let text = value.to_string();
        let back = CommentParts::new(text.as_bytes()).commands().next();
        assert_eq!(back.map(|command| command.value), Some(Ok(value)), "{text:?}");
    }
}
