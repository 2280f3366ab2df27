//! Dates that contradict each other.

use super::Scratch;
use crate::diag::{Code, Diagnostic};
use crate::parse;
use crate::span::Span;
use crate::value::{Date, TagName};

/// What can only have happened in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum What {
    /// The event began.
    EventBegan,
    /// The game was begun.
    Game,
    /// The game, or the event, was over. No tag of the standard, but in use.
    Ended,
    /// The game was published.
    Published,
}

/// The first date of each, as far as it can be read.
#[derive(Debug, Default)]
pub(super) struct Dates([Option<(Date, Span)>; 4]);

impl Dates {
    /// Hears a tag, whatever it is.
    #[inline]
    pub(super) fn hear(&mut self, tag: &parse::TagPair<'_>, found: Option<TagName>) {
        let what = match found {
            Some(TagName::EventDate) => What::EventBegan,
            Some(TagName::Date) => What::Game,
            Some(TagName::PublicationDate) => What::Published,
            None if tag.name.eq_ignore_ascii_case(b"EndDate") => What::Ended,
            _ => return,
        };
        if let Ok(read) = Date::read(tag.value) {
            self.0[what as usize].get_or_insert((read.date, tag.value_span));
        }
    }

    /// Compares each with the one before it.
    pub(super) fn finish(&self, scratch: &mut Scratch) {
        let mut known: Option<(Date, Span)> = None;
        for &(date, span) in self.0.iter().flatten() {
            match known {
                Some((before, place)) if is_after(before, date) => {
                    scratch.push(Diagnostic::new(Code::DateOrder, span).with_related(place));
                }
                _ => known = Some((date, span)),
            }
        }
    }
}

/// Whether one date is after the other for certain, whatever is not known of them.
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
    fn only_what_is_certain_counts() {
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
