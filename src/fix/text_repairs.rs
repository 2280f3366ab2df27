//! Repairs of how a record is written. Tags keep their values and the game keeps its moves.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::repair::{Applicability, Candidate, Proof, Repair, RepairKind, safe};
use super::slips::text_of;
use super::{characters, heading};
use crate::archive::InputRecord;
use crate::ast::tag_text;
use crate::board::SquareNames;
use crate::diag::{Code, Diagnostic};
use crate::edit::TextEdit;
use crate::parse::{Comment, CommentKind, Flow, TagPair, Terminator, Visitor, unescape, walk};
use crate::replay::{AnnotatedGame, AnnotatedLine, ReplaySummary, VariantBasis};
use crate::rules::Variant;
use crate::sort;
use crate::span::Span;
use crate::steps;
use crate::value::{
    Colour, Date, DateForm, DateOrders, Fen, FenWriter, GameResult, GameType, NamedSides, Outcome,
    ResultFormat, ScoreOrder, TagName, TagSpelling, Verdict,
};
use crate::view::RecordView;
use crate::write::LineEnd;

/// Appends the repairs that the diagnostics of a record call for. Whether a safe one keeps the moves is still to be proved.
/// `only_variant` is the variant that all moves prove, if no tag names it.
pub(super) fn propose(
    input: InputRecord<'_>,
    game: &AnnotatedGame<'_>,
    diagnostics: &[Diagnostic],
    only_variant: Option<Variant>,
    repairs: &mut Vec<Repair>,
) {
    let (record, dates) = (input.raw(), input.dates());
    steps::add(record.len());
    let summary = &game.summary;
    let parts = Parts::of(
        record,
        Parts {
            start_turn: Some(summary.start.turn),
            first_side: summary.basis.is_known().then(|| summary.scores.first_side(summary.numbering.start)),
            named_game: (summary.basis == VariantBasis::Tag)
                .then(|| summary.variant.tag_with(summary.numbering)),
            start: Some(summary.numbering.start),
            ..Parts::default()
        },
    );
    let spans = SortedSpans::new(diagnostics);
    let mut seen = HashSet::new();
    let system = parts.result_system(None);
    for index in 0..parts.tags.len() {
        let tag = &parts.tags[index];
        let own = spans.touching(tag.span);
        let repeats = !seen.insert((tag.name, tag.value));
        propose_tag(record, index, &parts, &own, repeats, (system, dates), repairs);
        propose_misread(&parts.tags[index], repairs);
    }
    for comment in &parts.comments {
        if comment.kind == CommentKind::Parentheses {
            let Range { start, end } = comment.span.range();
            let open = TextEdit::new(start..start + 1, "{");
            let close = TextEdit::new(end - 1..end, "}");
            let repair = safe(Code::ProseInParentheses, RepairKind::CommentForm, open.clone());
            repairs.push(Repair { edits: vec![open, close], ..repair });
        }
        if comment.kind == CommentKind::Bare && !comment.text.contains(&b'}') {
            let text = [b"{", comment.text, b"}"].concat();
            let is_glued = comment.span.start > 0 && record[comment.span.start as usize - 1] > b' ';
            let text = if is_glued { [b" ", &text[..]].concat() } else { text };
            let edit = TextEdit::new(comment.span.range(), text);
            repairs.push(safe(Code::BareComment, RepairKind::CommentForm, edit));
            if parts.tags.is_empty() && record[..comment.span.start as usize].trim_ascii().is_empty() {
                repairs.extend(heading::tags_of(comment.text, dates, LineEnd::of(record).bytes()));
            }
        }
        characters::propose_comment(record, comment, repairs);
        characters::propose_misread(comment.text, comment.span.start as usize + 1, repairs);
    }
    characters::propose_marks(record, repairs);
    let separators = diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::MoveSeparator);
    for diagnostic in separators {
        // A replay found that the whole line is play.
        let is_sign = |at: &usize| record[*at] == b';' || diagnostic.span.len() == 1;
        let signs = diagnostic.span.range().filter(is_sign);
        repairs.extend(signs.map(|at| without_separator(record, Span::new(at as u32, at as u32 + 1))));
    }
    let terminators = diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::RepeatedTerminator);
    repairs.extend(terminators.map(|diagnostic| {
        let Range { start, end } = diagnostic.span.range();
        // With the whitespace before it.
        let before = record[..start].trim_ascii_end().len();
        let edit = TextEdit::new(before..end, "");
        safe(Code::RepeatedTerminator, RepairKind::Terminator, edit)
    }));
    let numbers = diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::MoveNumberForm);
    repairs.extend(numbers.filter_map(|diagnostic| number_form(record, diagnostic.span)));
    for reply in diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::ReplyInParentheses) {
        let Range { start, end } = reply.span.range();
        let edits = [start..start + 1, end - 1..end].map(|sign| without_sign(record, sign));
        let repair = safe(Code::ReplyInParentheses, RepairKind::Separator, edits[0].clone());
        repairs.push(Repair { edits: edits.to_vec(), ..repair });
    }
    let first_side = game.summary.scores.first_side(game.summary.numbering.start);
    propose_result(record, &parts, only_variant, first_side, repairs);
    // A terminator at the end would be a part of a comment or of a variation that is never closed.
    let is_open = |diagnostic: &Diagnostic| {
        matches!(diagnostic.code, Code::UnclosedComment | Code::UnclosedVariation | Code::UnclosedSetup)
    };
    let ends_open = diagnostics.iter().any(is_open);
    let is_missing = |diagnostic: &&Diagnostic| diagnostic.code == Code::MissingTerminator && !ends_open;
    for diagnostic in diagnostics.iter().filter(is_missing) {
        repairs.push(safe(Code::MissingTerminator, RepairKind::Terminator, terminator(record, diagnostic)));
    }
    let names = game.summary.last_position().names();
    // It is reported once for a game.
    let separators = diagnostics.iter().any(|diagnostic| diagnostic.code == Code::CaptureSeparator);
    let forms = MoveForms { record, names: &names, diagnostics: &spans, separators };
    forms.propose(&game.main, repairs);
}

/// Returns `true` if the diagnostics of a record call for no repair: there are none, or all that they say is that tags are missing, and
/// that the record ends with a result, which its Result tag has too. Most records of most archives are like that.
pub(super) fn needs_none(record: &[u8], diagnostics: &[Diagnostic]) -> bool {
    let is_in_tag =
        |end: &[u8]| RecordView::new(record).tag("Result") == Some(end) && GameResult::is_canonical(end);
    diagnostics.iter().all(|diagnostic| match diagnostic.code {
        // Of the missing tags, the end gives the result, and the moves give the game type.
        Code::MissingTag => true,
        Code::ResultAsTerminator => is_in_tag(diagnostic.span.of(record)),
        _ => false,
    })
}

/// The tags of a record, its comments and its end.
#[derive(Default)]
struct Parts<'g> {
    /// The side to move before the first ply.
    start_turn: Option<Colour>,
    tags: Vec<TagPair<'g>>,
    /// The side that the first number of a score belongs to, unless its variant is only guessed.
    first_side: Option<Colour>,
    /// The GameType value of the game that the tags name.
    named_game: Option<String>,
    /// The sides that the tags name, and the one that starts.
    sides: NamedSides,
    start: Option<Colour>,
    /// For each meaning, the place of the first tag with it, and the number of such tags.
    meanings: HashMap<TagName, (usize, u32)>,
    comments: Vec<Comment<'g>>,
    terminator: Option<Terminator<'g>>,
}

impl<'g> Parts<'g> {
    /// Reads the parts of a record. `known` is what is known of its game.
    fn of(record: &'g [u8], known: Self) -> Self {
        let mut parts = known;
        walk(record, &mut parts);
        parts.name_meanings();
        parts
    }

    /// Returns the tag that a name means in this game.
    fn meaning_of(&self, name: &[u8], tag: TagName) -> TagName {
        self.start.map_or(tag, |start| self.sides.tag_of(name, tag, start))
    }

    /// Finds the meanings of all tags.
    fn name_meanings(&mut self) {
        for tag in &self.tags {
            if let Some(found) = tag.recognised()
                && !tag.value.trim_ascii().is_empty()
            {
                self.sides.add(tag.name, found.tag);
            }
        }
        for (place, tag) in self.tags.iter().enumerate() {
            if let Some(found) = tag.recognised() {
                let meaning = self.meaning_of(tag.name, found.tag);
                self.meanings.entry(meaning).or_insert((place, 0)).1 += 1;
            }
        }
    }

    /// Returns the first tag with this meaning.
    fn tag_of(&self, name: TagName) -> Option<&TagPair<'g>> {
        self.meanings.get(&name).map(|&(first, _)| &self.tags[first])
    }

    /// Returns the system of results that the tags ask for, or else that of a variant.
    fn result_system(&self, variant: Option<Variant>) -> Option<ResultFormat> {
        if let Some(format) = self.tag_of(TagName::ResultFormat) {
            return ResultFormat::parse(format.value);
        }
        match self.tag_of(TagName::GameType) {
            Some(tag) => GameType::parse(tag.value).ok()?.result_system(),
            None => system_of(variant?),
        }
    }
}

impl<'g> Visitor<'g> for Parts<'g> {
    const COMPACT: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.tags.push(tag);
        Flow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.comments.push(comment);
        Flow::Continue(())
    }

    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.terminator.get_or_insert(terminator);
        Flow::Continue(())
    }
}

/// Proposes the standard form of one tag: its name, its quotes and brackets, and its value. `own` are the diagnostics about it;
/// `repeats` says that an earlier tag has the same name and value. `reading` is how results and dates of the record are read.
fn propose_tag(
    record: &[u8],
    index: usize,
    parts: &Parts<'_>,
    own: &[&Diagnostic],
    repeats: bool,
    reading: (Option<ResultFormat>, DateOrders),
    repairs: &mut Vec<Repair>,
) {
    let (system, dates) = reading;
    let tag = &parts.tags[index];
    let reported =
        |codes: &[Code]| own.iter().map(|diagnostic| diagnostic.code).find(|code| codes.contains(code));
    if reported(&[Code::DuplicateTag]).is_some() {
        let before = parts.tags[index - 1].span;
        let between = record.get(before.end as usize..tag.span.start as usize).unwrap_or_default();
        // A comment between them would be removed, too.
        if repeats && between.trim_ascii().is_empty() {
            // With the line end before it; there is one, because a tag comes before.
            let edit = TextEdit::new(line_of(tag.span, before), "");
            repairs.push(safe(Code::DuplicateTag, RepairKind::RepeatedTag, edit));
        }
        return;
    }
    let recognised = tag.recognised();
    let name_code = reported(&[Code::TagName, Code::ForeignTagName]);
    let mut applicability = Applicability::Safe;
    let name = match recognised {
        Some(found) if name_code.is_some() => {
            // A word of another language may be meant as something else.
            if found.spelling == TagSpelling::Language && found.tag != TagName::Result {
                applicability = Applicability::Unsafe;
            }
            let meaning = parts.meaning_of(tag.name, found.tag);
            let is_taken = parts.meanings.get(&meaning).is_some_and(|(_, count)| *count > 1);
            if is_taken { None } else { Some(meaning.name().as_bytes().to_vec()) }
        }
        None if name_code == Some(Code::TagName) => Some(capitalised(tag.name)),
        _ => None,
    };
    let form_code = reported(&[
        Code::LostBracket,
        Code::UnclosedTag,
        Code::TagQuotes,
        Code::TagForm,
        Code::UnclosedString,
    ]);
    let value = new_value(record, tag, parts, (system, dates), own.iter().copied());
    if let Some(NewValue::EitherOrder(dates)) = &value {
        let candidates = dates.iter().map(|date| Candidate {
            kind: RepairKind::TagForm,
            edits: vec![TextEdit::new(tag.value_span.range(), date.to_string())],
            proof: Proof::SameMoves,
        });
        let candidates: Vec<_> = candidates.collect();
        if let Some(first) = candidates.first() {
            repairs.push(Repair {
                applicability: Applicability::Display,
                candidates: candidates.clone(),
                ..safe(Code::DateForm, RepairKind::TagForm, first.edits[0].clone())
            });
        }
    }
    let value = match value {
        Some(NewValue::Same(code, value)) => Some((code, value)),
        _ => None,
    };
    let Some(code) = form_code.or(name.as_ref().and(name_code)).or(value.as_ref().map(|(code, _)| *code))
    else {
        return;
    };
    let edit = match (&name, &value, form_code) {
        (Some(name), None, None) => TextEdit::new(tag.name_span.range(), name.clone()),
        (None, Some((_, value)), None) => TextEdit::new(tag.value_span.range(), value.clone()),
        _ => {
            let name = name.unwrap_or_else(|| tag.name.to_vec());
            let Ok(name) = std::str::from_utf8(&name) else { return };
            let value = match &value {
                Some((_, value)) => unescape(value.as_bytes()).into_owned(),
                None => unescape(tag.value).into_owned(),
            };
            TextEdit::new(tag.span.range(), tag_text(name, &value))
        }
    };
    repairs.push(Repair { applicability, ..safe(code, RepairKind::TagForm, edit) });
}

/// Proposes the value of a tag before it was read in another encoding, unless it decides how the moves are read.
fn propose_misread(tag: &TagPair<'_>, repairs: &mut Vec<Repair>) {
    let decides = matches!(
        tag.recognised().map(|found| found.tag),
        Some(TagName::GameType | TagName::Variant | TagName::FEN | TagName::SetUp)
    );
    if !decides {
        characters::propose_misread(tag.value, tag.value_span.start as usize, repairs);
    }
}

/// The value that a tag gets.
enum NewValue {
    /// The same value in its standard form, with the code that asked for it.
    Same(Code, String),
    /// A date whose day and month may be in either order.
    EitherOrder([Date; 2]),
}

fn new_value<'d>(
    record: &[u8],
    tag: &TagPair<'_>,
    parts: &Parts<'_>,
    (system, dates): (Option<ResultFormat>, DateOrders),
    mut diagnostics: impl Iterator<Item = &'d Diagnostic>,
) -> Option<NewValue> {
    let fen_with = |code, turn: Option<Colour>| {
        let text = FenWriter::new(Some(turn?), Fen::parse(tag.value).ok()?.pieces()).to_string();
        Some(NewValue::Same(code, text))
    };
    diagnostics.find_map(|diagnostic| match diagnostic.code {
        Code::DateForm => {
            let read = dates.read(tag.value).ok()?;
            if let DateForm::EitherOrder { day_first, month_first } = read.form {
                return Some(NewValue::EitherOrder([day_first, month_first]));
            }
            read.is_whole().then(|| NewValue::Same(Code::DateForm, read.date.to_string()))
        }
        Code::FenForm => {
            let fen = Fen::parse(tag.value).ok()?;
            // Of two letters only the moves show which one is right.
            fen_with(Code::FenForm, fen.turn().filter(|_| fen.other_turn().is_none()))
        }
        Code::OtherSideMoves => fen_with(Code::OtherSideMoves, parts.start_turn),
        // A name of one game, for which there is a number.
        code @ (Code::BadGameType | Code::UnknownGameType)
            if GameType::is_unnumbered(tag.value)
                && tag.recognised().is_some_and(|found| found.tag == TagName::GameType) =>
        {
            Some(NewValue::Same(code, parts.named_game.clone()?))
        }
        Code::HtmlEntity => {
            characters::decoded_value(record, tag).map(|value| NewValue::Same(Code::HtmlEntity, value))
        }
        // The same result, written as PDN 3.0 does.
        Code::ResultForm if GameResult::has_remark(tag.value) => None,
        Code::ResultForm => {
            let result = match GameResult::parse(tag.value) {
                won @ GameResult::Won(_) => won.for_start(parts.first_side?),
                other => other,
            };
            Some(NewValue::Same(Code::ResultForm, in_system(system, result.to_string().as_bytes())))
        }
        Code::ResultForGameType => {
            let result = std::str::from_utf8(tag.value.trim_ascii()).ok()?;
            let other = other_system(result)?;
            Some(NewValue::Same(Code::ResultForGameType, other.to_owned()))
        }
        // FEN gives a position.
        Code::SetUpMismatch if diagnostic.related.is_some() => {
            Some(NewValue::Same(Code::SetUpMismatch, "1".to_owned()))
        }
        _ => None,
    })
}

/// Returns the result with the same outcome in the other of the two usual result systems.
fn other_system(result: &str) -> Option<&'static str> {
    const SYSTEMS: [[&str; 2]; 3] = [["1-0", "2-0"], ["1/2-1/2", "1-1"], ["0-1", "0-2"]];
    SYSTEMS.iter().find_map(|pair| match pair.iter().position(|known| *known == result)? {
        0 => Some(pair[1]),
        _ => Some(pair[0]),
    })
}

/// Returns the system of the results of a variant.
fn system_of(variant: Variant) -> Option<ResultFormat> {
    GameType::parse(variant.number().to_string().as_bytes()).ok()?.result_system()
}

/// Returns the form of a result in a system; `None` if the system allows the result as it is or has no such result.
fn form_in(system: Option<ResultFormat>, result: &[u8]) -> Option<&'static str> {
    let other = other_system(&GameResult::parse(result).to_string())?;
    let allows = |result: &[u8]| system.is_some_and(|system| GameResult::parse(result).is_of_format(system));
    (!allows(result) && allows(other.as_bytes())).then_some(other)
}

/// Returns a result as PDN 3.0 writes it, in the form of a system that has one for it.
fn in_system(system: Option<ResultFormat>, result: &[u8]) -> String {
    let result = GameResult::parse(result).to_string();
    form_in(system, result.as_bytes()).map_or(result, str::to_owned)
}

/// Returns `false` if a system has no result with this outcome and score, in whatever form it is written.
fn has_result(system: Option<ResultFormat>, result: &[u8]) -> bool {
    system.is_none_or(|system| {
        form_in(Some(system), result).is_some() || GameResult::parse(result).is_of_format(system)
    })
}

/// Returns the repair that gives the scores of a record the order of PDN: with the number of the side that starts first. `None` if they
/// have it, as `summary` says.
pub(super) fn standard_scores(record: &[u8], summary: &ReplaySummary) -> Option<Repair> {
    if summary.scores == ScoreOrder::First {
        return None;
    }
    let edits = exchanged_scores(record);
    let first = edits.first()?.clone();
    Some(Repair { edits, ..safe(Code::ScoresOfWhite, RepairKind::TagForm, first) })
}

/// Returns the changes that exchange the two numbers of all scores of a record, in the order of the text.
pub fn exchanged_scores(record: &[u8]) -> Vec<TextEdit> {
    let mut parts = Parts::default();
    walk(record, &mut parts);
    let is_result = |tag: &&TagPair<'_>| tag.recognised().is_some_and(|found| found.tag == TagName::Result);
    let tags = parts.tags.iter().filter(is_result).map(|tag| tag.value_span);
    let spans = tags.chain(parts.terminator.map(|end| end.span));
    let edit = |span: Span| Some(TextEdit::new(span.range(), GameResult::exchanged(span.of(record))?));
    let mut edits: Vec<TextEdit> = spans.filter_map(edit).collect();
    sort::by_key(&mut edits, |edit| edit.range.start);
    edits
}

/// Proposes the Result tag that the terminator gives, in the system of the game. If two known results contradict each other, proposes both,
/// or that one alone which the system of the game has. The first number of its scores belongs to `first_side`.
fn propose_result(
    record: &[u8],
    parts: &Parts<'_>,
    only_variant: Option<Variant>,
    first_side: Colour,
    repairs: &mut Vec<Repair>,
) {
    let line_end = LineEnd::of(record).bytes();
    let Some(mut end) = parts.terminator else { return };
    if let Some(verdict) = Verdict::read(end.text) {
        end.text = verdict.score(first_side).as_bytes();
        let score = in_system(parts.result_system(only_variant), end.text);
        repairs.push(safe(
            Code::ResultAsTerminator,
            RepairKind::Terminator,
            TextEdit::new(end.span.range(), score),
        ));
    }
    let end_result = GameResult::parse(end.text);
    let end_outcome = end_result.outcome();
    if end_outcome == Outcome::Unknown {
        return;
    }
    let system = parts.result_system(only_variant);
    let end_value = in_system(system, end.text);
    let Some(tag) = parts.tag_of(TagName::Result) else {
        if let Some(last) = parts.tags.last().filter(|tag| !tag.in_moves) {
            let at = last.span.end as usize;
            let new = [line_end, &tag_text("Result", end_value.as_bytes())[..]].concat();
            repairs.push(safe(Code::MissingTag, RepairKind::AddedTag, TextEdit::new(at..at, new)));
        }
        return;
    };
    match tag.value.trim_ascii() {
        b"" | b"*" | b"?" | b"-" => {
            let to_tag = TextEdit::new(tag.value_span.range(), end_value);
            repairs.push(safe(Code::ResultMismatch, RepairKind::TagForm, to_tag));
        }
        value => {
            let outcome = GameResult::parse(value).for_start(first_side).outcome();
            if outcome == Outcome::Unknown || outcome == end_outcome {
                return;
            }
            let [to_end, to_tag] =
                [(end.span.range(), in_system(system, value)), (tag.value_span.range(), end_value)]
                    .map(|(place, result)| TextEdit::new(place, result));
            // A result that the system does not have is the mistake. `0-0`, lost for both, is one of every system.
            let [has_tag, has_end] = [value, end.text].map(|result| has_result(system, result));
            let only = match (has_tag, has_end) {
                (true, false) => Some(&to_end),
                (false, true) => Some(&to_tag),
                _ => None,
            };
            if let Some(only) = only {
                repairs.push(Repair {
                    applicability: Applicability::Unsafe,
                    ..safe(Code::ResultMismatch, RepairKind::TagForm, only.clone())
                });
                return;
            }
            let candidates = [to_end, to_tag].map(|edit| Candidate {
                kind: RepairKind::TagForm,
                edits: vec![edit],
                proof: Proof::SameMoves,
            });
            repairs.push(Repair {
                applicability: Applicability::Display,
                candidates: candidates.to_vec(),
                ..safe(Code::ResultMismatch, RepairKind::TagForm, candidates[0].edits[0].clone())
            });
        }
    }
}

/// Proposes the GameType tag that all moves prove: in addition if no tag names the game, and in place of one that names none or
/// under which the moves are not legal. The last is unsafe, because it overrules what somebody wrote.
pub(super) fn propose_game_type(
    record: &[u8],
    variant: Variant,
    diagnostics: &[Diagnostic],
    repairs: &mut Vec<Repair>,
) {
    let parts = Parts::of(record, Parts::default());
    let value = variant.tag();
    let game_type = parts.tag_of(TagName::GameType);
    let repair = |code, kind, edit| Repair { proof: Proof::OnlyVariant, ..safe(code, kind, edit) };
    let mut named = match game_type {
        Some(tag) if tag.value.trim_ascii().is_empty() => return,
        Some(tag) => {
            let own = |code: &Code| diagnostics.iter().any(|found| found.code == *code);
            let edit = TextEdit::new(tag.value_span.range(), value);
            if own(&Code::OtherVariant) {
                let repair = repair(Code::OtherVariant, RepairKind::Variant, edit);
                repairs.push(Repair { applicability: Applicability::Unsafe, ..repair });
                return;
            }
            let unnumbered = [Code::UnknownGameType, Code::BadGameType].into_iter().find(own);
            let Some(code) = unnumbered.filter(|_| GameType::is_unnumbered(tag.value)) else { return };
            repair(code, RepairKind::Variant, edit)
        }
        None => {
            // Before the last tag, so that it can be added together with a Result tag after it.
            let has_variant = parts.tag_of(TagName::Variant).is_some();
            let Some(last) = parts.tags.last().filter(|tag| !has_variant && !tag.in_moves) else { return };
            let at = last.span.start as usize;
            let new = [&tag_text("GameType", value.as_bytes())[..], LineEnd::of(record).bytes()].concat();
            repair(Code::MissingTag, RepairKind::AddedTag, TextEdit::new(at..at, new))
        }
    };
    // The tag says which results are usual, so a result of another system changes with it.
    let result = parts.tag_of(TagName::Result).filter(|_| parts.tag_of(TagName::ResultFormat).is_none());
    if let Some(result) = result
        && let Some(form) = form_in(system_of(variant), result.value)
    {
        named.edits.push(TextEdit::new(result.value_span.range(), form));
        sort::by_key(&mut named.edits, |edit| edit.range.start);
    }
    repairs.push(named);
}

/// Returns the repair of a move number that is written otherwise than `1.` or `1...`.
fn number_form(record: &[u8], span: Span) -> Option<Repair> {
    let text = span.of(record);
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number: u32 = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    let dots = text.iter().filter(|byte| **byte == b'.').count();
    let is_second = dots >= 3 || matches!(text.last(), Some(b'B' | b'b'));
    let form = format!("{number}{}", if is_second { "..." } else { "." });
    Some(safe(Code::MoveNumberForm, RepairKind::MoveForm, TextEdit::new(span.range(), form)))
}

/// Returns the repair that removes a sign between moves.
fn without_separator(record: &[u8], span: Span) -> Repair {
    safe(Code::MoveSeparator, RepairKind::Separator, without_sign(record, span.range()))
}

/// Returns the removal of a sign between moves, which leaves whitespace if it is all that separates them.
fn without_sign(record: &[u8], sign: Range<usize>) -> TextEdit {
    let is_apart = |byte: Option<&u8>| byte.is_none_or(|&byte| byte <= b' ');
    let needs_space = !is_apart(record.get(sign.end)) && !is_apart(record[..sign.start].last());
    TextEdit::new(sign, if needs_space { " " } else { "" })
}

/// Returns the insertion of the terminator `*`.
fn terminator(record: &[u8], diagnostic: &Diagnostic) -> TextEdit {
    let at = (diagnostic.span.start as usize).min(record.len());
    let line_start = memchr::memrchr(b'\n', &record[..at]).map_or(0, |line_end| line_end + 1);
    // A comment to the end of the line, or a line that begins with a percent sign, would hide it.
    let line = &record[line_start..at];
    let is_comment = memchr::memchr(b';', line).is_some() || line.starts_with(b"%");
    let is_separated = at == 0 || record[at - 1].is_ascii_whitespace();
    TextEdit::new(
        at..at,
        if is_comment {
            "\n*"
        } else if is_separated {
            "*"
        } else {
            " *"
        },
    )
}

/// Proposes the standard form of every move that was understood although it is written otherwise.
struct MoveForms<'a> {
    record: &'a [u8],
    names: &'a SquareNames,
    diagnostics: &'a SortedSpans<'a>,
    /// Captures get the separator of the game type.
    separators: bool,
}

impl MoveForms<'_> {
    /// Codes of moves that are understood.
    const CODES: &'static [Code] = &[
        Code::SpacedMove,
        Code::LeadingZero,
        Code::MissingSeparator,
        Code::CapitalInMove,
        Code::SeparatorForm,
        Code::CaptureSquares,
        Code::SplitCapture,
        Code::SettledMove,
        Code::CaptureSeparator,
        Code::CapturePath,
        Code::CaptureOrder,
        Code::CaptureForm,
    ];

    fn propose(&self, line: &AnnotatedLine<'_>, repairs: &mut Vec<Repair>) {
        for ply in &line.plies {
            let written = ply.span.of(self.record);
            let separator = ply.position.rules().capture_separator as u8;
            let is_separator = |byte: &u8| matches!(byte, b'x' | b'X' | b':');
            let other_separator = |byte: &u8| is_separator(byte) && byte.to_ascii_lowercase() != separator;
            let has_other_separator = self.separators && written.iter().any(other_separator);
            let own = self.diagnostics.first_touching(ply.span, |code| Self::CODES.contains(&code));
            let code = own.map(|own| own.code).or(has_other_separator.then_some(Code::CaptureSeparator));
            if let Some(code) = code {
                // A comment, a variation or a number between the texts of one capture would be lost.
                let is_plain = !written.iter().any(|byte| b"{}();[].$".contains(byte));
                let mut model = written.to_vec();
                if has_other_separator {
                    model.iter_mut().filter(|byte| is_separator(byte)).for_each(|byte| *byte = separator);
                }
                let text = text_of(&ply.position, &ply.mv, Some(&model), self.names).into_bytes();
                // A full path is longer than needed, but says more; it stays, with another separator.
                let keeps_path = code == Code::CaptureForm && text.len() < written.len();
                let only_separator = keeps_path || code == Code::CaptureSeparator;
                let text = if only_separator { model } else { text };
                if is_plain && text != written {
                    let code = if only_separator { Code::CaptureSeparator } else { code };
                    repairs.push(safe(code, RepairKind::MoveForm, TextEdit::new(ply.span.range(), text)));
                }
            }
            for variation in &ply.variations {
                self.propose(variation, repairs);
            }
        }
    }
}

/// Returns the bytes of a tag with everything between it and the tag before.
fn line_of(tag: Span, before: Span) -> std::ops::Range<usize> {
    before.end as usize..tag.end as usize
}

/// Diagnostics in the order of their places, so that those of a place are found without looking at all.
pub(super) struct SortedSpans<'d> {
    /// With the number of each in the order in which they were reported.
    diagnostics: Vec<(usize, &'d Diagnostic)>,
    /// For each, the greatest end of a span up to it.
    ends: Vec<u32>,
}

impl<'d> SortedSpans<'d> {
    pub(super) fn new(diagnostics: &'d [Diagnostic]) -> Self {
        let mut diagnostics: Vec<_> = diagnostics.iter().enumerate().collect();
        sort::by_key(&mut diagnostics, |(_, diagnostic)| diagnostic.span.start);
        let ends = diagnostics.iter().scan(0, |end, (_, diagnostic)| {
            *end = diagnostic.span.end.max(*end);
            Some(*end)
        });
        Self { ends: ends.collect(), diagnostics }
    }

    /// Iterates over the diagnostics that share a byte with a span.
    fn all_touching(&self, span: Span) -> impl Iterator<Item = (usize, &'d Diagnostic)> {
        let after = self.diagnostics.partition_point(|(_, diagnostic)| diagnostic.span.start < span.end);
        let before = (0..after).rev().take_while(move |&n| self.ends[n] > span.start);
        before
            .inspect(|_| steps::add(1))
            .map(|n| self.diagnostics[n])
            .filter(move |(_, found)| found.span.end > span.start)
    }

    /// Returns the diagnostics that share a byte with a span, in the order in which they were reported.
    fn touching(&self, span: Span) -> Vec<&'d Diagnostic> {
        let mut found: Vec<_> = self.all_touching(span).collect();
        sort::by_key(&mut found, |(number, _)| *number);
        found.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }

    /// Returns the first one reported of those with a code that `accept` takes.
    pub(super) fn first_touching(&self, span: Span, accept: impl Fn(Code) -> bool) -> Option<&'d Diagnostic> {
        let found = self.all_touching(span).filter(|(_, diagnostic)| accept(diagnostic.code));
        found.min_by_key(|(number, _)| *number).map(|(_, diagnostic)| diagnostic)
    }
}

fn capitalised(name: &[u8]) -> Vec<u8> {
    let mut name = name.to_vec();
    if let Some(first) = name.first_mut() {
        first.make_ascii_uppercase();
    }
    name
}
