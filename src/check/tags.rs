//! The values of tags, each by itself and against each other.

use super::Scratch;
use super::clocks::Clocks;
use super::dates::Dates;
use crate::diag::{Code, Diagnostic, Severity};
use crate::parse;
use crate::span::Span;
use crate::value::{
    ClockTime, Date, DateForm, Fen, GameResult, GameType, GameTypeStatus, Rating, RecognisedTag,
    ResultFormat, Round, TagKind, TagName, TagSpelling, TimeControl, TimeOfDay, decode_entities,
    has_entities,
};

/// What the tags say that matters for others.
#[derive(Debug, Default)]
pub(super) struct Tags<'g> {
    pub(super) game_type: Option<GameType>,
    pub(super) result: Option<(GameResult<'g>, Span)>,
    /// Where the value of the FEN tag stands.
    pub(super) fen: Option<Span>,
    set_up: Option<(bool, Span)>,
    ply_count: Option<(u32, Span)>,
    dates: Dates,
    pub(super) clocks: Clocks,
    result_format: Option<Option<ResultFormat>>,
}

/// The tag that a name means, its entities decoded.
pub(super) fn find(name: &[u8]) -> Option<RecognisedTag> {
    TagName::find(name).or_else(|| {
        let entity = memchr::memchr(b'&', name).and_then(|_| std::str::from_utf8(name).ok());
        entity.and_then(|name| TagName::find(decode_entities(name).as_bytes()))
    })
}

/// Ratings that players have had, on any list.
const RATINGS: std::ops::RangeInclusive<u16> = 100..=3500;

/// Whether a value says that nothing is known.
fn says_nothing(value: &[u8]) -> bool {
    matches!(value.trim_ascii(), b"" | b"?" | b"-")
}

impl<'g> Tags<'g> {
    /// Looks at one tag. Of a tag given twice the first counts.
    pub(super) fn tag(&mut self, tag: &parse::TagPair<'g>, style: bool, scratch: &mut Scratch) {
        let found = find(tag.name);
        if style {
            name_style(tag, found, scratch);
        }
        self.dates.hear(tag, found.map(|found| found.tag));
        let Some(found) = found else { return };
        // A word of another language may mean something else here; of those only results are read.
        if found.spelling == TagSpelling::Language && found.tag != TagName::Result {
            return;
        }
        let (value, span) = (tag.value, tag.value_span);
        let at = |inner: Span| inner.shifted(span.start);
        let finding = |code, inner| Diagnostic::new(code, at(inner)).with_related(span);
        match found.tag.kind() {
            TagKind::Text => {}
            TagKind::Date => date(value, span, style, scratch),
            TagKind::TimeOfDay => {
                if !says_nothing(value)
                    && let Err(error) = TimeOfDay::parse(value)
                {
                    scratch.push(finding(Code::BadTime, error.span));
                }
            }
            TagKind::Clock => {
                if !says_nothing(value)
                    && let Err(error) = ClockTime::parse(value)
                {
                    scratch.push(finding(Code::BadTime, error.span));
                }
            }
            TagKind::Rating => match Rating::read(value) {
                Err(error) => scratch.push(finding(Code::BadRating, error.span)),
                Ok(Some(rating)) if style && !RATINGS.contains(&rating.value) => {
                    scratch.push(Diagnostic::new(Code::RatingRange, span));
                }
                Ok(_) => {}
            },
            TagKind::TimeControl => match TimeControl::parse(value) {
                Err(error) => scratch.push(finding(Code::BadTimeControl, error.span)),
                Ok(control) if found.tag == TagName::TimeControl => self.clocks.control(control),
                Ok(_) => {}
            },
            TagKind::Round => {
                if style
                    && !says_nothing(value)
                    && let Err(error) = Round::parse(value)
                {
                    scratch.push(finding(Code::BadRound, error.span));
                }
            }
            TagKind::Result => {
                self.result.get_or_insert_with(|| (GameResult::parse(value), span));
            }
            TagKind::ResultFormat => {
                self.result_format.get_or_insert_with(|| ResultFormat::parse(value));
            }
            TagKind::GameType => self.game_type(value, span, style, scratch),
            TagKind::Fen => {
                if !says_nothing(value) {
                    self.fen.get_or_insert(span);
                    fen(value, span, style, scratch);
                }
            }
            TagKind::SetUp => match value.trim_ascii() {
                b"1" => _ = self.set_up.get_or_insert((true, span)),
                b"0" => _ = self.set_up.get_or_insert((false, span)),
                _ => {}
            },
            TagKind::Number => {
                if says_nothing(value) {
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

    fn game_type(&mut self, value: &[u8], span: Span, style: bool, scratch: &mut Scratch) {
        if says_nothing(value) {
            return;
        }
        match GameType::parse(value) {
            Ok(game_type) => {
                match game_type.status() {
                    GameTypeStatus::Draughts => {}
                    GameTypeStatus::OtherGame(_) => {
                        scratch.push(Diagnostic::new(Code::UnsupportedGame, span))
                    }
                    GameTypeStatus::Reserved | GameTypeStatus::Unknown => {
                        scratch.push(Diagnostic::new(Code::UnknownGameType, span));
                    }
                }
                if style && !game_type.has_table_board() {
                    scratch.push(Diagnostic::new(Code::GameTypeBoard, span));
                }
                self.game_type.get_or_insert(game_type);
            }
            Err(error) => {
                let inner = error.span.shifted(span.start);
                scratch.push(Diagnostic::new(Code::BadGameType, inner).with_related(span));
                if let Some(number) = GameType::number_in(value) {
                    self.game_type.get_or_insert(GameType::of_number(number));
                }
            }
        }
    }

    /// Compares the tags with each other and with the game.
    pub(super) fn finish(
        &self,
        style: bool,
        plies: u32,
        terminator: Option<(GameResult<'_>, Span)>,
        scratch: &mut Scratch,
    ) {
        if let Some((result, span)) = self.result {
            self.result(result, span, style, terminator, scratch);
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

    fn result(
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
        if let Some((end, place)) = terminator
            && disagree(&result, &end)
        {
            scratch.push(Diagnostic::new(Code::ResultMismatch, place).with_related(span));
        }
        let system = match self.result_format {
            Some(named) => named,
            None => self.game_type.and_then(|game_type| game_type.result_system()),
        };
        let known = !matches!(result, GameResult::Text(_) | GameResult::Unknown);
        if style && known && system.is_some_and(|system| !system.allows(&result)) {
            scratch.push(Diagnostic::new(Code::ResultForGameType, span));
        }
    }
}

/// Whether the Result tag and the end of the game cannot both be true. `*` at the end says nothing about the
/// result, in the tag it says that there is none; `1-0` and `2-0` are the same in two systems.
fn disagree(tag: &GameResult<'_>, end: &GameResult<'_>) -> bool {
    use GameResult::{Text, Unfinished, Unknown};
    match (tag, end) {
        (_, Unfinished | Unknown) | (Unknown | Text(_), _) => false,
        _ => !tag.same_outcome(end) || tag.advantage() != end.advantage(),
    }
}

fn name_style(tag: &parse::TagPair<'_>, found: Option<RecognisedTag>, scratch: &mut Scratch) {
    if !tag.name.first().is_some_and(u8::is_ascii_uppercase) {
        scratch.push(Diagnostic::new(Code::TagName, tag.name_span));
    }
    if found.is_some_and(|found| found.spelling != TagSpelling::Exact) {
        scratch.push(Diagnostic::new(Code::ForeignTagName, tag.name_span));
    }
    for (text, span) in [(tag.name, tag.name_span), (tag.value, tag.value_span)] {
        if let Some((start, len)) = entity(text) {
            let start = span.start + start as u32;
            scratch.push(Diagnostic::new(Code::HtmlEntity, Span::new(start, start + len as u32)));
        }
    }
}

/// Place and length of the first `&name;` or `&#1234;` of a text.
fn entity(text: &[u8]) -> Option<(usize, usize)> {
    memchr::memchr_iter(b'&', text).find_map(|at| {
        let body = &text[at + 1..];
        let len = body.iter().take(16).position(|&b| b == b';').filter(|&len| len > 1)?;
        let plain =
            body[..len].iter().enumerate().all(|(i, b)| b.is_ascii_alphanumeric() || (i == 0 && *b == b'#'));
        let known = || std::str::from_utf8(&text[at..at + len + 2]).is_ok_and(has_entities);
        (plain && known()).then_some((at, len + 2))
    })
}

fn date(value: &[u8], span: Span, style: bool, scratch: &mut Scratch) {
    match Date::read(value) {
        Err(error) => {
            let inner = error.span.shifted(span.start);
            scratch.push(Diagnostic::new(Code::BadDate, inner).with_related(span));
        }
        Ok(read) if read.is_canonical() => {}
        Ok(read) => {
            let mut finding = Diagnostic::new(Code::DateForm, span);
            // Nobody writes month, day, year with dots; with slashes both orders are in use.
            if read.form == DateForm::DayOrMonthFirst && value.contains(&b'/') {
                finding.severity = Severity::Warning;
            }
            if style || finding.severity > Severity::Style {
                scratch.push(finding);
            }
        }
    }
}

/// Looks at a position, in the FEN tag or in a setup.
pub(super) fn fen(value: &[u8], span: Span, style: bool, scratch: &mut Scratch) {
    match Fen::parse(value) {
        Err(error) => {
            let inner = error.span.shifted(span.start);
            scratch.push(Diagnostic::new(Code::BadFen, inner).with_related(span));
        }
        Ok(fen) if style => {
            if let Some(first) = fen.forms().first_span() {
                scratch.push(Diagnostic::new(Code::FenForm, first.shifted(span.start)).with_related(span));
            }
        }
        Ok(_) => {}
    }
}

/// So many names are compared one by one; more are sorted first.
const FEW: usize = 24;

/// Tags whose name occurred before, in either case.
pub(super) fn duplicates(game: &[u8], scratch: &mut Scratch) {
    let name = |span: &Span| span.of(game);
    let same = |a: &Span, b: &Span| name(a).eq_ignore_ascii_case(name(b));
    if scratch.names.len() <= FEW {
        for i in 1..scratch.names.len() {
            let this = scratch.names[i];
            if let Some(&first) = scratch.names[..i].iter().find(|earlier| same(earlier, &this)) {
                scratch.push(Diagnostic::new(Code::DuplicateTag, this).with_related(first));
            }
        }
        return;
    }
    let mut sorted = std::mem::take(&mut scratch.sorted);
    sorted.extend_from_slice(&scratch.names);
    let lower = |span: &Span| name(span).iter().map(u8::to_ascii_lowercase);
    sorted.sort_unstable_by(|a, b| lower(a).cmp(lower(b)).then(a.cmp(b)));
    let mut first = sorted[0];
    for &this in &sorted[1..] {
        if same(&first, &this) {
            scratch.push(Diagnostic::new(Code::DuplicateTag, this).with_related(first));
        } else {
            first = this;
        }
    }
    scratch.sorted = sorted;
}

/// One finding if any of the seven tags is missing, at the place where tags begin.
pub(super) fn missing(game: &[u8], scratch: &mut Scratch) {
    let names = scratch.names.iter().map(|span| span.of(game));
    if seen(names).contains(&false) {
        let start = crate::syntax::skip_blanks(game, 0).end as u32;
        let at = scratch.names.first().map_or(Span::at(start), |name| *name);
        scratch.push(Diagnostic::new(Code::MissingTag, at));
    }
}

/// Which of the seven tags are among `names`.
pub(super) fn seen<'g>(names: impl Iterator<Item = &'g [u8]>) -> [bool; 7] {
    let mut seen = [false; 7];
    for tag in names.filter_map(find).map(|found| found.tag) {
        if let Some(place) = TagName::SEVEN.iter().position(|one| *one == tag) {
            seen[place] = true;
        }
    }
    seen
}
