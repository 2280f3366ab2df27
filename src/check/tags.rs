//! Checks the values of tags, one by one and against each other.

use super::Scratch;
use super::clocks::Clocks;
use super::dates::Dates;
use crate::diag::{Code, Diagnostic, Severity};
use crate::source::misread_text;
use crate::span::Span;
use crate::value::{
    ClockTime, DateForm, Fen, GameResult, GameType, GameTypeStatus, Outcome, Rating, RecognisedTag,
    ResultFormat, Round, TagKind, TagName, TagSpelling, TimeControl, TimeOfDay, has_entities,
};
use crate::{parse, sort};

/// The tag values that are compared with each other and with the movetext.
#[derive(Debug, Default)]
pub(super) struct Tags<'g> {
    pub(super) game_type: Option<GameType>,
    game_type_span: Span,
    /// The game that the Variant tag names, and the span of its value.
    pub(super) variant: Option<(GameType, Span)>,
    pub(super) result: Option<(GameResult<'g>, Span)>,
    /// Span of the value of the FEN tag.
    pub(super) fen: Option<Span>,
    /// That value cannot be read.
    pub(super) bad_fen: bool,
    set_up: Option<(bool, Span)>,
    ply_count: Option<(u32, Span)>,
    dates: Dates,
    pub(super) clocks: Clocks,
    /// The ResultFormat tag: `None` without one, `Some(None)` if it names a format of its own.
    result_format: Option<Option<ResultFormat>>,
}

/// Plausible ratings, over all rating lists.
const PLAUSIBLE_RATINGS: std::ops::RangeInclusive<u16> = 100..=3500;

/// Returns `true` if the value means "unknown".
fn is_unknown(value: &[u8]) -> bool {
    matches!(value.trim_ascii(), b"" | b"?" | b"-")
}

impl<'g> Tags<'g> {
    /// Checks one tag and stores its value. Of repeated tags the first one counts; of Result tags, the first with a known
    /// outcome.
    pub(super) fn tag(&mut self, tag: &parse::TagPair<'g>, style: bool, scratch: &mut Scratch) {
        let recognised = tag.recognised();
        if style {
            check_name_style(tag, recognised, scratch);
        }
        check_misread(tag.value, tag.value_span.start, style, scratch);
        self.dates.add(tag, recognised.map(|name| name.tag), scratch.dates);
        let Some(name) = recognised else { return };
        // A word of another language may mean something else; of these tags only results are read.
        if name.spelling == TagSpelling::Language && name.tag != TagName::Result {
            return;
        }
        let (value, span) = (tag.value, tag.value_span);
        // `inner` is relative to the value.
        let in_value =
            |code, inner: Span| Diagnostic::new(code, inner.shifted(span.start)).with_related(span);
        match name.tag.kind() {
            TagKind::Text if name.tag == TagName::Variant => self.check_variant(value, span, scratch),
            TagKind::Text => {}
            TagKind::Date => check_date(value, span, style, scratch),
            TagKind::TimeOfDay => {
                if !is_unknown(value)
                    && let Err(error) = TimeOfDay::parse(value)
                {
                    scratch.push(in_value(Code::BadTime, error.span));
                }
            }
            TagKind::Clock => {
                if !is_unknown(value)
                    && let Err(error) = ClockTime::parse(value)
                {
                    scratch.push(in_value(Code::BadTime, error.span));
                }
            }
            TagKind::Rating => match Rating::read(value) {
                Err(error) => scratch.push(in_value(Code::BadRating, error.span)),
                Ok(Some(rating)) if style && !PLAUSIBLE_RATINGS.contains(&rating.value) => {
                    scratch.push(Diagnostic::new(Code::RatingRange, span));
                }
                Ok(_) => {}
            },
            TagKind::TimeControl => match TimeControl::parse(value) {
                Err(error) => scratch.push(in_value(Code::BadTimeControl, error.span)),
                Ok(control) if name.tag == TagName::TimeControl => self.clocks.set_control(control),
                Ok(_) => {}
            },
            TagKind::Round => {
                if style
                    && !is_unknown(value)
                    && let Err(error) = Round::parse(value)
                {
                    scratch.push(in_value(Code::BadRound, error.span));
                }
            }
            TagKind::Result => {
                let result = GameResult::parse(value);
                let is_known = !matches!(result, GameResult::Text(_) | GameResult::Unknown);
                if style && is_known && !GameResult::is_canonical(value.trim_ascii()) {
                    scratch.push(Diagnostic::new(Code::ResultForm, span));
                }
                if self.result.is_none_or(|(earlier, _)| earlier.or_later(result) != earlier) {
                    self.result = Some((result, span));
                }
            }
            TagKind::ResultFormat => {
                self.result_format.get_or_insert_with(|| ResultFormat::parse(value));
            }
            TagKind::GameType => self.check_game_type(value, span, style, scratch),
            TagKind::Fen => {
                if !is_unknown(value) {
                    let is_readable = check_fen(value, span, style, scratch);
                    if self.fen.is_none() {
                        (self.fen, self.bad_fen) = (Some(span), !is_readable);
                    }
                }
            }
            TagKind::SetUp => match value.trim_ascii() {
                b"1" => _ = self.set_up.get_or_insert((true, span)),
                b"0" => _ = self.set_up.get_or_insert((false, span)),
                _ => {}
            },
            TagKind::Number => {
                if is_unknown(value) {
                    return;
                }
                let number =
                    std::str::from_utf8(value.trim_ascii()).ok().and_then(|digits| digits.parse().ok());
                match number {
                    Some(number) => _ = self.ply_count.get_or_insert((number, span)),
                    None => scratch.push(Diagnostic::new(Code::BadPlyCount, span)),
                }
            }
        }
    }

    /// Checks and stores the value of a Variant tag: the name of one game, or what a GameType tag may hold.
    fn check_variant(&mut self, value: &[u8], span: Span, scratch: &mut Scratch) {
        let text = String::from_utf8_lossy(value);
        // Servers write it where the position says more than the game.
        if is_unknown(value) || text.trim().eq_ignore_ascii_case("From Position") {
            return;
        }
        match (GameType::numbers_of_name(&text), GameType::parse(value)) {
            ([number], _) => _ = self.variant.get_or_insert((GameType::of_number(*number), span)),
            ([], Ok(game_type)) => _ = self.variant.get_or_insert((game_type, span)),
            ([], Err(_)) => scratch.push(Diagnostic::new(Code::UnknownGameType, span)),
            // Several games share the name, and the moves decide.
            _ => {}
        }
    }

    /// Checks and stores the value of a GameType tag. Of an unreadable value its number is stored, if it has one, or that of
    /// the game that it names.
    fn check_game_type(&mut self, value: &[u8], span: Span, style: bool, scratch: &mut Scratch) {
        if is_unknown(value) {
            return;
        }
        match GameType::parse(value) {
            Ok(game_type) => {
                match game_type.status() {
                    GameTypeStatus::Draughts => {}
                    GameTypeStatus::OtherGame(_) => {
                        scratch.push(Diagnostic::new(Code::UnsupportedGame, span))
                    }
                    _ => {
                        scratch.push(Diagnostic::new(Code::UnknownGameType, span));
                    }
                }
                if style && !game_type.has_table_board() {
                    scratch.push(Diagnostic::new(Code::GameTypeBoard, span));
                }
                self.set_game_type(game_type, span);
            }
            Err(error) => {
                let inner = error.span.shifted(span.start);
                let mut diagnostic = Diagnostic::new(Code::BadGameType, inner).with_related(span);
                let name = GameType::numbers_of_name(&String::from_utf8_lossy(value));
                if name.len() == 1 {
                    diagnostic.severity = Severity::Warning;
                }
                scratch.push(diagnostic);
                let number = if let [number] = name { Some(*number) } else { GameType::number_in(value) };
                if let Some(number) = number {
                    self.set_game_type(GameType::of_number(number), span);
                }
            }
        }
    }

    /// Stores the first game type and its place.
    fn set_game_type(&mut self, game_type: GameType, span: Span) {
        if self.game_type.is_none() {
            (self.game_type, self.game_type_span) = (Some(game_type), span);
        }
    }

    /// Compares the tags with each other, with the number of plies and with the terminator.
    pub(super) fn finish(
        &self,
        style: bool,
        plies: u32,
        terminator: Option<(GameResult<'_>, Span)>,
        scratch: &mut Scratch,
    ) {
        if let Some((result, span)) = self.result {
            self.check_result(result, span, style, terminator, scratch);
        }
        if let (Some(game_type), Some((variant, span))) = (self.game_type, self.variant)
            && game_type.status() == GameTypeStatus::Draughts
            && game_type.number != 99
            && game_type.parent_number() != variant.parent_number()
        {
            let related = self.game_type_span;
            scratch.push(Diagnostic::new(Code::VariantMismatch, span).with_related(related));
        }
        match (self.set_up, self.fen) {
            (Some((true, span)), None) => scratch.push(Diagnostic::new(Code::SetUpMismatch, span)),
            (Some((false, span)), Some(fen)) => {
                scratch.push(Diagnostic::new(Code::SetUpMismatch, span).with_related(fen));
            }
            _ => {}
        }
        self.dates.finish(scratch);
        if let Some((count, span)) = self.ply_count
            && count != plies
        {
            scratch.push(Diagnostic::new(Code::PlyCountMismatch, span));
        }
    }

    /// Compares the Result tag with the terminator, the ResultFormat tag and the game type.
    fn check_result(
        &self,
        result: GameResult<'_>,
        span: Span,
        style: bool,
        terminator: Option<(GameResult<'_>, Span)>,
        scratch: &mut Scratch,
    ) {
        if matches!(result, GameResult::Text(_)) && self.result_format.is_none() {
            scratch.push(Diagnostic::new(Code::UnknownResult, span));
        }
        if let Some((terminator, terminator_span)) = terminator
            && disagree(&result, &terminator)
        {
            scratch.push(Diagnostic::new(Code::ResultMismatch, terminator_span).with_related(span));
        }
        let system = match self.result_format {
            Some(format) => format,
            None => self.game_type.and_then(|game_type| game_type.result_system()),
        };
        let has_format = !matches!(result, GameResult::Text(_) | GameResult::Won(_) | GameResult::Unknown);
        if style && has_format && system.is_some_and(|system| !result.is_of_format(system)) {
            scratch.push(Diagnostic::new(Code::ResultForGameType, span));
        }
    }
}

/// Returns `true` if the Result tag and the terminator contradict each other.
///
/// The terminator `*` says nothing about the result; in the tag, `*` says that there is none. `1-0` and `2-0` mean the same
/// in two result systems.
fn disagree(tag: &GameResult<'_>, terminator: &GameResult<'_>) -> bool {
    use GameResult::{Text, Unfinished, Unknown, Won};
    match (tag, terminator) {
        (_, Unfinished | Unknown) | (Unknown | Text(_), _) => false,
        // Only the side that starts tells which score is that of the winner.
        (Won(_), _) | (_, Won(_)) => tag.outcome() == Outcome::Draw || terminator.outcome() == Outcome::Draw,
        _ => !tag.same_outcome(terminator) || tag.advantage() != terminator.advantage(),
    }
}

/// Reports names that are not spelled as in PDN 3.0, and HTML entities in name and value.
fn check_name_style(tag: &parse::TagPair<'_>, recognised: Option<RecognisedTag>, scratch: &mut Scratch) {
    if !matches!(tag.name.first(), Some(b'A'..=b'Z' | b'&')) {
        scratch.push(Diagnostic::new(Code::TagName, tag.name_span));
    }
    if recognised.is_some_and(|name| name.spelling != TagSpelling::Exact) {
        scratch.push(Diagnostic::new(Code::ForeignTagName, tag.name_span));
    }
    for (text, span) in [(tag.name, tag.name_span), (tag.value, tag.value_span)] {
        check_entity(text, span.start, scratch);
    }
}

/// Reports the first HTML entity of a text that begins at offset `at`.
pub(super) fn check_entity(text: &[u8], at: u32, scratch: &mut Scratch) {
    if let Some((start, len)) = find_entity(text) {
        let start = at + start as u32;
        scratch.push(Diagnostic::new(Code::HtmlEntity, Span::new(start, start + len as u32)));
    }
}

/// Reports a text that begins at offset `at` if it was misread: with `style` also if only a part of it was, or if that is not
/// certain.
pub(super) fn check_misread(text: &[u8], at: u32, style: bool, scratch: &mut Scratch) {
    if text.is_ascii() {
        return;
    }
    let Some(misread) = std::str::from_utf8(text).ok().and_then(misread_text) else { return };
    let mut diagnostic = Diagnostic::new(Code::MisreadText, Span::new(at, at + text.len() as u32));
    if !misread.is_certain {
        diagnostic.severity = Severity::Style;
        if !style {
            return;
        }
    }
    scratch.push(diagnostic);
}

/// Finds the first HTML entity, `&name;` or `&#1234;`, and returns its offset and length in bytes.
fn find_entity(text: &[u8]) -> Option<(usize, usize)> {
    memchr::memchr_iter(b'&', text).find_map(|at| {
        let body = &text[at + 1..];
        let len = body.iter().take(16).position(|&b| b == b';').filter(|&len| len > 1)?;
        let is_well_formed =
            body[..len].iter().enumerate().all(|(i, b)| b.is_ascii_alphanumeric() || (i == 0 && *b == b'#'));
        let is_defined = || std::str::from_utf8(&text[at..at + len + 2]).is_ok_and(has_entities);
        (is_well_formed && is_defined()).then_some((at, len + 2))
    })
}

/// Checks the value of a date tag.
fn check_date(value: &[u8], span: Span, style: bool, scratch: &mut Scratch) {
    match scratch.dates.read(value) {
        Err(error) => {
            let inner = error.span.shifted(span.start);
            scratch.push(Diagnostic::new(Code::BadDate, inner).with_related(span));
        }
        Ok(read) if read.is_canonical() => {}
        Ok(read) => {
            let mut diagnostic = Diagnostic::new(Code::DateForm, span);
            if matches!(read.form, DateForm::EitherOrder { .. } | DateForm::Uncertain) {
                diagnostic.severity = Severity::Warning;
            }
            if style || diagnostic.severity > Severity::Style {
                scratch.push(diagnostic);
            }
        }
    }
}

/// Checks a FEN, of a tag or a setup. Returns `true` if it can be read.
pub(super) fn check_fen(value: &[u8], span: Span, style: bool, scratch: &mut Scratch) -> bool {
    let fen = Fen::parse(value);
    match &fen {
        Err(error) => {
            let inner = error.span.shifted(span.start);
            scratch.push(Diagnostic::new(Code::BadFen, inner).with_related(span));
        }
        Ok(fen) => {
            if let Some(first) = fen.forms().first_span() {
                let mut diagnostic =
                    Diagnostic::new(Code::FenForm, first.shifted(span.start)).with_related(span);
                if fen.other_turn().is_some() {
                    diagnostic.severity = Severity::Warning;
                }
                if style || diagnostic.severity > Severity::Style {
                    scratch.push(diagnostic);
                }
            }
        }
    }
    fen.is_ok()
}

/// Up to this many tag names are compared pairwise; more are sorted first, so that hostile input costs no quadratic time.
const MAX_PAIRWISE_NAMES: usize = 24;

/// Reports tags whose name occurred before, in either case.
pub(super) fn report_duplicates(game: &[u8], scratch: &mut Scratch) {
    let name = |span: &Span| span.of(game);
    let same = |a: &Span, b: &Span| name(a).eq_ignore_ascii_case(name(b));
    if scratch.names.len() <= MAX_PAIRWISE_NAMES {
        for i in 1..scratch.names.len() {
            let repeated = scratch.names[i];
            if let Some(&first) = scratch.names[..i].iter().find(|earlier| same(earlier, &repeated)) {
                scratch.push(Diagnostic::new(Code::DuplicateTag, repeated).with_related(first));
            }
        }
        return;
    }
    let mut sorted = std::mem::take(&mut scratch.sorted);
    sorted.extend_from_slice(&scratch.names);
    let lower = |span: &Span| name(span).iter().map(u8::to_ascii_lowercase);
    sort::by(&mut sorted, |a, b| lower(a).cmp(lower(b)).then(a.cmp(b)));
    let mut first = sorted[0];
    for &next in &sorted[1..] {
        if same(&first, &next) {
            scratch.push(Diagnostic::new(Code::DuplicateTag, next).with_related(first));
        } else {
            first = next;
        }
    }
    scratch.sorted = sorted;
}

/// Reports once if any of the seven required tags is missing, at the first tag or at the start of the text.
pub(super) fn report_missing(game: &[u8], scratch: &mut Scratch) {
    let names = scratch.names.iter().map(|span| span.of(game));
    if present(names).contains(&false) {
        let start = crate::syntax::skip_whitespace(game, 0).end as u32;
        let at = scratch.names.first().map_or(Span::at(start), |name| *name);
        scratch.push(Diagnostic::new(Code::MissingTag, at));
    }
}

/// Returns which of the seven required tags are among `names`, in the order of [`TagName::SEVEN`].
pub(super) fn present<'g>(names: impl Iterator<Item = &'g [u8]>) -> [bool; 7] {
    let mut present = [false; 7];
    for tag in names.filter_map(parse::recognise_tag).map(|name| name.tag) {
        if let Some(n) = TagName::SEVEN.iter().position(|required| *required == tag) {
            present[n] = true;
        }
    }
    present
}
