//! Collects the tags that an index stores, while a record is walked for the replayer.

use crate::diag::Diagnostic;
use crate::parse::{
    Comment, Flow, MissingMove, MoveRun, SetupCommand, TagPair, Terminator, VariationAction, VariationMark,
    Visitor, WrittenMove,
};
use crate::replay::Replayer;
use crate::span::Span;
use crate::value;

/// A tag value as written; empty for an absent tag.
pub(super) type TagValue<'g> = &'g [u8];

/// A cache of tag names that are not in the standard spelling, and the tags that they stand for.
// Twin: `TagName::find`; test: none of its own, whole path in `import_stores_every_game_unchanged`.
#[derive(Debug, Default)]
pub(super) struct TagAliases {
    names: Vec<(Box<[u8]>, Option<value::TagName>)>,
}

impl TagAliases {
    /// Maximum number of cached names; a file has a handful.
    const MAX_ALIASES: usize = 64;

    /// Returns the tag that a name stands for; `None` for an unknown name.
    fn find(&mut self, name: &[u8]) -> Option<value::TagName> {
        if let Some((_, tag)) = self.names.iter().find(|(known, _)| **known == *name) {
            return *tag;
        }
        let tag = value::TagName::find(name).map(|found| found.tag);
        if self.names.len() < Self::MAX_ALIASES {
            self.names.push((name.into(), tag));
        }
        tag
    }
}

/// The tags that an index stores, as written.
#[derive(Default)]
pub(super) struct IndexedTags<'g> {
    /// White, Black, Event, Site, Round.
    pub(super) texts: [TagValue<'g>; 5],
    pub(super) result: Option<TagValue<'g>>,
    pub(super) date: TagValue<'g>,
    pub(super) ratings: [TagValue<'g>; 2],
}

impl<'g> IndexedTags<'g> {
    /// Stores the first value of each tag. Returns `true` if a replay certainly does not use the tag.
    #[inline]
    fn collect(&mut self, tag: &TagPair<'g>, aliases: &mut TagAliases) -> bool {
        let slot = match tag.name {
            b"White" => &mut self.texts[0],
            b"Black" => &mut self.texts[1],
            b"Event" => &mut self.texts[2],
            b"Site" => &mut self.texts[3],
            b"Round" => &mut self.texts[4],
            b"Date" => &mut self.date,
            b"Result" => {
                self.result.get_or_insert(tag.value);
                return false;
            }
            b"WhiteRating" => &mut self.ratings[0],
            b"BlackRating" => &mut self.ratings[1],
            b"GameType" | b"WhiteTitle" | b"BlackTitle" | b"FEN" => return false,
            name => {
                if let Some(slot) = aliases.find(name).and_then(|tag| self.slot_of(tag)) {
                    keep_first(slot, tag.value);
                }
                return false;
            }
        };
        keep_first(slot, tag.value);
        true
    }

    /// Returns the slot of a tag whose name is in the wrong case, in another language, or of another program.
    fn slot_of(&mut self, tag: value::TagName) -> Option<&mut TagValue<'g>> {
        match tag {
            value::TagName::White => Some(&mut self.texts[0]),
            value::TagName::Black => Some(&mut self.texts[1]),
            value::TagName::Event => Some(&mut self.texts[2]),
            value::TagName::Site => Some(&mut self.texts[3]),
            value::TagName::Round => Some(&mut self.texts[4]),
            value::TagName::Date => Some(&mut self.date),
            value::TagName::Result => Some(self.result.get_or_insert(b"")),
            value::TagName::WhiteRating => Some(&mut self.ratings[0]),
            value::TagName::BlackRating => Some(&mut self.ratings[1]),
            _ => None,
        }
    }
}

/// Stores a value unless there is one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn keep_first<'g>(slot: &mut TagValue<'g>, value: TagValue<'g>) {
    if slot.is_empty() {
        *slot = value;
    }
}

/// Passes the parts of a record on to the replayer, and collects tags.
pub(super) struct TagCollector<'r, 'g> {
    pub(super) replayer: &'r mut Replayer,
    pub(super) aliases: &'r mut TagAliases,
    pub(super) tags: IndexedTags<'g>,
}

impl<'g> Visitor<'g> for TagCollector<'_, 'g> {
    const NUMBERS: bool = false;

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        if self.tags.collect(&tag, self.aliases) { Flow::Continue(()) } else { self.replayer.tag(tag) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.replayer.written_move(mv)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        self.replayer.move_run(moves)
    }

    #[inline]
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.replayer.captures(list)
    }

    #[inline]
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.replayer.missing(missing)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.replayer.comment(comment)
    }

    #[inline]
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.replayer.setup(setup)
    }

    #[inline]
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.replayer.begin_variation(variation)
    }

    #[inline]
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.replayer.terminator(terminator)
    }

    #[inline]
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        self.replayer.text(text, span)
    }

    #[inline]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.replayer.diagnostic(diagnostic)
    }
}
