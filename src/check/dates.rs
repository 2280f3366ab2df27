//! Detects dates that contradict each other.

use super::Scratch;
use crate::diag::{Code, Diagnostic};
use crate::parse;
use crate::span::Span;
use crate::value::{Date, DateOrders, TagName};

/// The dates of a record in the order in which the events must have happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum DateKind {
    /// The start of the event: EventDate.
    EventStart,
    /// The start of the game: Date.
    GameStart,
    /// The end of the game or the event: EndDate, which is in use but not in the standard.
    End,
    /// The publication of the game: PublicationDate.
    Publication,
}

/// The first readable date of each kind, with the span of the tag value.
#[derive(Debug, Default)]
pub(super) struct Dates([Option<(Date, Span)>; 4]);

impl Dates {
    /// Stores the date of a tag; ignores tags without a date. `name` is what the tag name was recognised as.
    #[inline]
    pub(super) fn add(&mut self, tag: &parse::TagPair<'_>, name: Option<TagName>, orders: DateOrders) {
        let kind = match name {
            Some(TagName::EventDate) => DateKind::EventStart,
            Some(TagName::Date) => DateKind::GameStart,
            Some(TagName::PublicationDate) => DateKind::Publication,
            None if tag.name.eq_ignore_ascii_case(b"EndDate") => DateKind::End,
            _ => return,
        };
        if let Ok(read) = orders.read(tag.value) {
            self.0[kind as usize].get_or_insert((read.date, tag.value_span));
        }
    }

    /// Reports each date that is before the latest earlier one in the order of [`DateKind`].
    pub(super) fn finish(&self, scratch: &mut Scratch) {
        let mut previous: Option<(Date, Span)> = None;
        for &(date, span) in self.0.iter().flatten() {
            match previous {
                Some((earlier, earlier_span)) if is_after(earlier, date) => {
                    scratch.push(Diagnostic::new(Code::DateOrder, span).with_related(earlier_span));
                }
                _ => previous = Some((date, span)),
            }
        }
    }
}

/// Returns `true` if `one` is after `other` for any values of their unknown parts.
fn is_after(one: Date, other: Date) -> bool {
    let parts = |date: Date| [date.year(), date.month().map(u16::from), date.day().map(u16::from)];
    for (one, other) in parts(one).into_iter().zip(parts(other)) {
        match (one, other) {
            (Some(one), Some(other)) if one == other => {}
            (Some(one), Some(other)) => return one > other,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_after_ignores_unknown_parts() {
        for (one, other, after) in [
            ("1996.12.28", "1996.12.27", true),
            ("1996.12.28", "1996.12.28", false),
            ("1996.12.28", "1997.01.01", false),
            ("1996.12.??", "1996.11.30", true),
            ("1996.12.??", "1996.12.01", false),
            ("1996.??.28", "1996.01.01", false),
            ("????.12.28", "1996.01.01", false),
            ("1997", "1996.12.31", true),
        ] {
            let date = |text: &str| Date::read(text.as_bytes()).expect("a date").date;
            assert_eq!(is_after(date(one), date(other)), after, "{one} {other}");
        }
    }
}
