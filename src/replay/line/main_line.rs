//! Records what a replay needs while a record is walked: ten bytes per move of the main line, and the spans of its tags.

use super::{DrawnStart, LineTokenKind, LineTokens};
use crate::diag::{Code, Diagnostic};
use crate::parse::{
    Comment, Flow, MissingMove, MoveRun, SetupCommand, TagPair, Terminator, VariationAction, VariationMark,
    Visitor, WrittenMove, recognise_tag,
};
use crate::replay::WrittenResult;
use crate::span::Span;
use crate::value::TagName;

/// The main line of a game and the tags that a replay needs. Its memory is reused for the next game.
///
/// All spans are relative to the first byte of the record. Those of tags are the spans of their values.
#[derive(Clone, Debug, Default)]
pub struct MainLine {
    pub(crate) tokens: LineTokens,
    /// Number of tokens that are written moves.
    pub(crate) written_moves: u32,
    pub(crate) fen: Option<Span>,
    /// The draw of the start position, if its moves are blanked in the text from which the line was recorded.
    pub(crate) draw: Option<DrawnStart>,
    pub(crate) game_type: Option<Span>,
    pub(crate) variant: Option<Span>,
    /// The Result tag that counts of those seen so far.
    pub(crate) result: Option<WrittenResult>,
    pub(crate) terminator: Option<WrittenResult>,
    /// An unclosed comment, which hides the rest of the record.
    pub(crate) unclosed_comment: Option<Span>,
    /// The diagnostics of the walk, then those of the replay; at most `max_diagnostics`.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) max_diagnostics: u32,
    /// The tag names of other programs and languages in the games before.
    pub(crate) names: TagNameCache,
}

impl MainLine {
    /// Removes everything recorded and keeps the memory, and the tag names that it knows.
    pub(crate) fn clear(&mut self) {
        self.tokens.clear();
        self.diagnostics.clear();
        self.written_moves = 0;
        (self.fen, self.game_type, self.variant, self.result) = (None, None, None, None);
        (self.terminator, self.unclosed_comment, self.draw) = (None, None, None);
    }

    /// Returns the number of tokens that were recorded so far. Each written move is one; others are marks, setups and text without meaning.
    #[inline]
    pub fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// Returns `true` if the terminator of the game was met. Moves after it are not recorded.
    #[inline]
    pub fn has_terminator(&self) -> bool {
        self.terminator.is_some()
    }

    /// Returns the tag that a tag name means, as [`recognise_tag`] does, and remembers it.
    pub fn recognise_tag(&mut self, name: &[u8]) -> Option<TagName> {
        self.names.find(name)
    }

    /// Returns the first text without meaning if there is no move at all: it may be what is left of the moves.
    pub(crate) fn lost_moves(&self) -> Option<Span> {
        if self.written_moves > 0 {
            return None;
        }
        self.tokens.first_other(LineTokenKind::StrayText)
    }

    /// Returns `true` if the record gives a position: by a FEN tag or a setup, a null move included.
    pub(crate) fn has_position(&self) -> bool {
        self.fen.is_some() || self.draw.is_some() || self.tokens.first_other(LineTokenKind::Setup).is_some()
    }

    /// Appends a diagnostic unless the limit is reached.
    #[cold]
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < self.max_diagnostics as usize {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Appends a token that is not a pair, unless the terminator precedes it.
    #[cold]
    fn push_other(&mut self, kind: LineTokenKind, span: Span) -> Flow {
        if self.terminator.is_none() {
            self.tokens.push_other(span, kind);
        }
        Flow::Continue(())
    }
}

#[doc(hidden)]
impl<'g> Visitor<'g> for MainLine {
    const NUMBERS: bool = false;

    #[inline]
    // Twin: `recognise_tag`; test: `exact_tag_names_are_recognised`.
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let name = match tag.name {
            b"Event" | b"Site" | b"Date" | b"Round" | b"White" | b"Black" => None,
            b"Result" => Some(TagName::Result),
            b"GameType" => Some(TagName::GameType),
            b"FEN" => Some(TagName::FEN),
            name => self.names.find(name),
        };
        let slot = match name {
            Some(TagName::FEN) => &mut self.fen,
            Some(TagName::Result) => {
                let has_value = !tag.value.trim_ascii().is_empty();
                let result = WrittenResult::read(tag.value, tag.value_span);
                if self.result.is_some() {
                    self.result = Some(result.after(self.result));
                } else if has_value {
                    self.result = Some(result);
                }
                return Flow::Continue(());
            }
            Some(TagName::GameType) => &mut self.game_type,
            Some(TagName::Variant) => &mut self.variant,
            _ => return Flow::Continue(()),
        };
        // The first tag that has a value counts. Servers write `[FEN "?"]` for the usual start position.
        if slot.is_none() && !matches!(tag.value.trim_ascii(), b"" | b"?" | b"-") {
            *slot = Some(tag.value_span);
        }
        Flow::Continue(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        if self.terminator.is_some() {
            return Flow::Continue(());
        }
        self.written_moves += 1;
        self.tokens.push_move(mv);
        Flow::Continue(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        if self.terminator.is_some() {
            return Flow::Continue(());
        }
        self.written_moves += moves.len() as u32;
        self.tokens.push_run(moves);
        Flow::Continue(())
    }

    #[inline]
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.push_other(LineTokenKind::Captures, list.span)
    }

    #[inline]
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.push_other(LineTokenKind::of_mark(missing.kind), missing.span)
    }

    #[inline]
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.push_other(LineTokenKind::Setup, setup.fen_span)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn comment(&mut self, _: Comment<'g>) -> Flow {
        Flow::Continue(())
    }

    #[inline]
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }

    #[inline]
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.terminator.get_or_insert_with(|| WrittenResult::read(terminator.text, terminator.span));
        Flow::Continue(())
    }

    #[inline]
    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.push_other(LineTokenKind::StrayText, span)
    }

    #[cold]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if matches!(diagnostic.code, Code::UnclosedComment) {
            self.unclosed_comment.get_or_insert(diagnostic.span);
        }
        self.report(diagnostic);
        Flow::Continue(())
    }
}

/// A cache of tag names that the standard does not know in this spelling, and of the tags that they mean.
// Twin: `recognise_tag`; test: `cached_tag_names_are_recognised_again`.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagNameCache {
    names: Vec<(Box<[u8]>, Option<TagName>)>,
}

impl TagNameCache {
    /// Maximum number of cached names; a file has a handful.
    const MAX_NAMES: usize = 64;
    /// Maximum length of a cached name in bytes.
    const MAX_NAME_BYTES: usize = 64;

    /// Returns the tag that a name means, as [`recognise_tag`] does.
    pub(crate) fn find(&mut self, name: &[u8]) -> Option<TagName> {
        if let Some(tag) = TagName::exact(name) {
            return Some(tag);
        }
        if let Some((_, tag)) = self.names.iter().find(|(known, _)| **known == *name) {
            return *tag;
        }
        self.add(name)
    }

    #[cold]
    fn add(&mut self, name: &[u8]) -> Option<TagName> {
        let tag = recognise_tag(name).map(|found| found.tag);
        if self.names.len() < Self::MAX_NAMES && name.len() <= Self::MAX_NAME_BYTES {
            self.names.push((name.into(), tag));
        }
        tag
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{MoveNumber, recognise_tag, walk};
    use proptest::prelude::*;

    /// Forwards to a line without `move_run`, whose default passes on every move in a call of its own.
    struct OneByOne<'l>(&'l mut MainLine);

    impl<'g> Visitor<'g> for OneByOne<'_> {
        fn move_number(&mut self, _: MoveNumber) -> Flow {
            Flow::Continue(())
        }
        fn tag(&mut self, tag: TagPair<'g>) -> Flow {
            self.0.tag(tag)
        }
        fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
            self.0.written_move(mv)
        }
        fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
            self.0.captures(list)
        }
        fn missing(&mut self, missing: MissingMove) -> Flow {
            self.0.missing(missing)
        }
        fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
            self.0.setup(setup)
        }
        fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
            self.0.begin_variation(variation)
        }
        fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
            self.0.terminator(terminator)
        }
        fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
            self.0.text(text, span)
        }
        fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
            self.0.diagnostic(diagnostic)
        }
    }

    /// Returns all that a replay reads from a line.
    fn contents(line: &MainLine) -> impl std::fmt::Debug + PartialEq {
        let MainLine { written_moves, fen, game_type, variant, result, terminator, unclosed_comment, .. } =
            *line;
        let spans = (fen, game_type, variant, result, terminator, unclosed_comment);
        (line.tokens.iter().collect::<Vec<_>>(), written_moves, spans, line.diagnostics.clone())
    }

    #[test]
    fn exact_tag_names_are_recognised() {
        for name in [
            "Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "Variant", "FEN",
            "SetUp", "fen",
        ] {
            let mut line = MainLine::default();
            walk(format!("[{name} \"x\"] *").as_bytes(), &mut line);
            let found = recognise_tag(name.as_bytes()).map(|found| found.tag);
            let expected = [TagName::FEN, TagName::GameType, TagName::Variant, TagName::Result]
                .map(|tag| found == Some(tag));
            let spans = [line.fen, line.game_type, line.variant];
            let found = [spans[0].is_some(), spans[1].is_some(), spans[2].is_some(), line.result.is_some()];
            assert_eq!(found, expected, "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// A replay reads nothing but the line and the bytes of the record, so equal lines give equal replays.
        #[test]
        fn move_runs_record_same_line_as_single_moves(text in crate::parse::tests::movetext()) {
            let empty = || MainLine { max_diagnostics: 100, ..MainLine::default() };
            let (mut single, mut runs) = (empty(), empty());
            walk(&text, &mut OneByOne(&mut single));
            walk(&text, &mut runs);
            prop_assert_eq!(contents(&runs), contents(&single), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn cached_tag_names_are_recognised_again() {
        let mut cache = TagNameCache::default();
        let standard = TagName::ALL.iter().map(|tag| tag.name().to_owned());
        let other = ["fen", "Resultaat", "R&eacute;sultat", "P1", "WhiteUrl", ""].map(str::to_owned);
        let many = (0..2 * TagNameCache::MAX_NAMES).map(|n| format!("Tag{n}"));
        let names: Vec<_> = standard.chain(other).chain(many).chain(["Uitslag".to_owned()]).collect();
        for name in names.iter().chain(&names).map(String::as_bytes) {
            let expected = recognise_tag(name).map(|found| found.tag);
            assert_eq!(cache.find(name), expected, "{}", name.escape_ascii());
        }
        assert_eq!(cache.names.len(), TagNameCache::MAX_NAMES);
    }
}
