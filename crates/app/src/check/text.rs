//! What is wrong in a text in memory, and the text after its repairs.

use std::collections::BTreeMap;
use std::path::Path;

use pdn::archive::{Archive, Batch, GameRef};
use pdn::fix::{Applicability, Fixer, Repair, RepairPlan};
use pdn::internal::edit::UnifiedDiff;
use pdn::internal::source::LineCounter;
use pdn::source::{Bytes, OpenOptions};
use pdn::stop::Stop;
use serde::Serialize;

use super::{CheckOptions, CheckRequest, CheckSink, CheckSummary, Finding, FindingText, Selection};
use crate::ask::context::{CollectedEvents, Context};
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::read::inputs::Inputs;

/// Greatest number of diagnostics of one code that are listed; the summary counts all.
const MAX_PER_CODE: u64 = 200;
/// Greatest number of repairs that change the meaning that are offered.
const MAX_OFFERED: usize = 500;
/// Length in bytes after which no more changes are added to the diff.
const MAX_DIFF_BYTES: usize = 256 << 10;
/// Greatest number of characters of a line before and after the marked part.
const MAX_CONTEXT: usize = 60;
/// Greatest number of characters of a marked part.
const MAX_MARKED: usize = 200;
/// Name of the text.
const NAME: &str = "text.pdn";

/// The answer of a check whose diagnostics are kept.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckFindings {
    /// The numbers.
    pub summary: CheckSummary,
    /// The diagnostics. An answer that also has repairs lists at most 200 of each code.
    pub diagnostics: Vec<TextFinding>,
}

/// What is wrong in a text, and the text after repairs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedText {
    /// What is wrong.
    #[serde(flatten)]
    pub found: CheckFindings,
    /// The encoding of the text, such as `utf-8` or `windows-1251`: that of the first game with other letters than those of ASCII.
    pub encoding: &'static str,
    /// The number of repairs that are made: all safe ones, and those that were chosen.
    pub repairs: u64,
    /// The text after these repairs, in UTF-8 and unpacked; null if there are none.
    pub fixed: Option<String>,
    /// These repairs as a unified diff of the texts in UTF-8; null if there are none.
    pub diff: Option<String>,
    /// Whether the diff ends before the last change, because it would be too long.
    pub diff_is_cut: bool,
    /// The repairs that change the meaning of a game, at most 500.
    pub offered: Vec<OfferedRepair>,
}

/// A diagnostic of a text, with the line that it is about.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextFinding {
    /// The diagnostic.
    #[serde(flatten)]
    pub finding: Finding,
    /// The values of its message, from which it can be told in another language.
    pub arguments: FindingArguments,
    /// The line that it is about.
    pub excerpt: Excerpt,
}

/// The values of the message of a diagnostic. With the code, they say what the message says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingArguments {
    /// Why a move cannot be played, as a word: `impossible`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<&'static str>,
    /// What the message quotes from the text, in its order.
    pub quoted: Vec<String>,
    /// What the message says beyond the title of the code, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A part of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Excerpt {
    /// What stands before the marked part, at most 60 characters.
    pub before: String,
    /// The marked part, at most 200 characters of its first line.
    pub marked: String,
    /// What follows on the line, at most 60 characters.
    pub after: String,
}

/// A repair that changes the meaning of a game. Those of one kind in one game are one: often each needs the one before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OfferedRepair {
    /// The word that chooses it: `3.R001.wrong-square`.
    pub id: String,
    /// The number of the record, from 1.
    pub record: u64,
    /// The line of its first change, from 1.
    pub line: u64,
    /// The code of the diagnostic that it cures.
    pub code: &'static str,
    /// What it changes.
    pub kind: &'static str,
    /// The changed texts.
    pub changes: Vec<TextChange>,
    /// Whether it is made.
    pub chosen: bool,
}

/// A changed text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextChange {
    /// What stands there.
    pub old: String,
    /// What comes in its place.
    pub new: String,
}

impl CheckRequest {
    /// Does the same as [`run`](Self::run) and keeps what is found.
    ///
    /// # Errors
    ///
    /// If the work was stopped.
    pub fn collect(&self, context: &mut Context<'_>) -> Result<CheckFindings> {
        let mut found = CollectedFindings::default();
        let summary = self.run(&mut found, context)?.summary;
        Ok(CheckFindings { summary, diagnostics: found.0 })
    }
}

/// Checks a text, and applies all safe repairs, and those that `chosen` names by the [`id`](OfferedRepair::id) under which they were
/// offered.
///
/// # Errors
///
/// With the code [`InvalidValue`](ErrorCode::InvalidValue) if it is no PDN text or cannot be unpacked to its end; or if the work was stopped.
pub fn check_text(text: &[u8], chosen: &[&str], stop: &Stop) -> Result<CheckedText> {
    if text.trim_ascii().is_empty() {
        return Err(refused("empty_text", "is empty"));
    }
    let text = Bytes::from(text.to_vec());
    let options = CheckOptions {
        selection: Selection::default(),
        replay: true,
        max_per_code: Some(MAX_PER_CODE),
        findings: true,
        repairs: false,
    };
    let request = CheckRequest { inputs: Inputs::of_text(text.clone()), options };
    let mut events = CollectedEvents::default();
    let found = request.collect(&mut Context::new(stop, &mut events))?;
    let totals = &found.summary.totals;
    if let (0, Some(problem)) = (totals.games, events.problems.first()) {
        return Err(refused("unreadable_text", &problem.message));
    }
    let mut repaired = RepairedText::default();
    repaired.repair(text, chosen, stop)?;
    if totals.written == 0 && !repaired.has_tags {
        return Err(refused("no_pdn", "is no PDN: it has neither tags nor moves"));
    }
    let RepairedText { text, repairs, diff, offered, encoding, .. } = repaired;
    let diff_is_cut = diff.len() >= MAX_DIFF_BYTES;
    let has_repairs = repairs > 0;
    Ok(CheckedText {
        found,
        encoding: encoding.unwrap_or("utf-8"),
        repairs,
        fixed: has_repairs.then_some(text),
        diff: has_repairs.then_some(diff),
        diff_is_cut,
        offered: offered.into_values().collect(),
    })
}

/// Returns the error of a text that is no PDN.
fn refused(reason: &'static str, message: &str) -> AppError {
    let text = with_subject(message);
    AppError::new(ErrorCode::InvalidValue, message!(reason, "{text}"))
}

/// Returns the error of a text that cannot be read.
fn unreadable(error: &pdn::Error) -> AppError {
    refused("unreadable_text", &error.kind().to_string())
}

/// Returns a message about an input, which follows its name in a terminal, as a sentence about the text.
fn with_subject(message: &str) -> String {
    let follows_a_name = ["is ", "has ", "was "].iter().any(|verb| message.starts_with(verb));
    if follows_a_name { format!("the text {message}") } else { message.to_owned() }
}

/// Collects diagnostics without the name of the text, each with the line that it is about.
#[derive(Debug, Default)]
struct CollectedFindings(Vec<TextFinding>);

impl CheckSink for CollectedFindings {
    type Error = AppError;

    fn finding(&mut self, finding: Finding, text: &FindingText<'_>) -> Result<()> {
        let detail = text.explanation.detail.clone();
        let arguments = FindingArguments {
            cause: text.explanation.cause,
            quoted: detail.as_deref().map(quoted).unwrap_or_default(),
            detail,
        };
        let finding = Finding { file: None, ..finding };
        self.0.push(TextFinding { finding, arguments, excerpt: Excerpt::of(text) });
        Ok(())
    }
}

/// Returns the texts in backticks.
fn quoted(message: &str) -> Vec<String> {
    message.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

impl Excerpt {
    /// Returns the line that a diagnostic is about.
    fn of(text: &FindingText<'_>) -> Self {
        let FindingText { record, encoding, diagnostic, .. } = text;
        let span = diagnostic.span.range();
        let (start, end) = (span.start.min(record.len()), span.end.min(record.len()));
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let line_start = record[..start].iter().rposition(is_end).map_or(0, |at| at + 1);
        let line_end =
            |from: usize| record[from..].iter().position(is_end).map_or(record.len(), |at| from + at);
        // A marked part that begins with a line end is about the next line.
        let mark_end = end.min(line_end(start)).max(start);
        let decode = |from: usize, to: usize| encoding.decode(&record[from..to]).into_owned();
        let before = decode(line_start, start);
        let kept = before.chars().count().saturating_sub(MAX_CONTEXT);
        let first = |text: String, most: usize| text.chars().take(most).collect::<String>();
        Self {
            before: before.chars().skip(kept).collect(),
            marked: first(decode(start, mark_end), MAX_MARKED),
            after: first(decode(mark_end, line_end(mark_end)), MAX_CONTEXT),
        }
    }
}

/// A text after its repairs, in UTF-8.
#[derive(Default)]
struct RepairedText {
    text: String,
    /// Number of repairs that were made.
    repairs: u64,
    diff: String,
    /// Repairs that change the meaning, in the order of the text.
    offered: BTreeMap<(u64, &'static str, &'static str), OfferedRepair>,
    encoding: Option<&'static str>,
    has_tags: bool,
}

impl RepairedText {
    /// Applies all safe repairs, and those that are chosen.
    fn repair(&mut self, text: Bytes, chosen: &[&str], stop: &Stop) -> Result<()> {
        let mut fixer = Fixer::default();
        let mut diff = UnifiedDiff::new(Vec::new(), Path::new(NAME));
        let (mut record, mut lines) = (0, LineCounter::new());
        let archive = Archive::from_bytes(text, NAME, &OpenOptions::new());
        for batch in archive.map_err(|error| unreadable(&error))?.batches() {
            let batch = batch.map_err(|error| unreadable(&error))?;
            // A list of positions is read as games that nobody wrote.
            let is_converted = batch.offsets().is_some();
            let mut passed = 0;
            for game in batch.games() {
                if stop.is_requested() {
                    return Err(AppError::stopped());
                }
                record += 1;
                let start = (game.offset() - batch.offset()) as usize;
                self.push_same(&batch, &batch.bytes()[passed..start], &mut lines, &mut diff);
                passed = start + game.raw().len();
                self.has_tags |= game.view().tags().next().is_some();
                let encoding = batch.decoder().guess(game.raw()).encoding;
                if !game.raw().is_ascii() {
                    self.encoding.get_or_insert(encoding.name());
                }
                if is_converted {
                    self.push_same(&batch, game.raw(), &mut lines, &mut diff);
                    continue;
                }
                let is_chosen = |repair: &Repair| chosen.contains(&id(record, repair).as_str());
                let plan = fixer.repair(game, |repair| match repair.applicability {
                    Applicability::Safe => true,
                    Applicability::Unsafe => is_chosen(repair),
                    Applicability::Display => false,
                });
                self.repairs += plan.made.len() as u64;
                self.offer(record, &game, &plan, &lines);
                let decode = |part: &[u8]| batch.decoder().text(game.raw(), part).into_owned();
                let (old, new) = (decode(game.raw()), decode(&plan.edits().apply(game.raw())));
                add(&mut diff, &old, &new);
                self.text.push_str(&new);
                lines.pass(game.raw(), encoding);
            }
            self.push_same(&batch, &batch.bytes()[passed..], &mut lines, &mut diff);
        }
        let diff = diff.finish().unwrap_or_default();
        self.diff = String::from_utf8_lossy(&diff).into_owned();
        Ok(())
    }

    /// Appends text that stays as it is.
    fn push_same(
        &mut self,
        batch: &Batch,
        bytes: &[u8],
        lines: &mut LineCounter,
        diff: &mut UnifiedDiff<Vec<u8>>,
    ) {
        let text = batch.decoder().text(bytes, bytes);
        add(diff, &text, &text);
        self.text.push_str(&text);
        lines.pass(bytes, batch.decoder().guess(bytes).encoding);
    }

    /// Notes the repairs of a record that change its meaning.
    fn offer(&mut self, record: u64, game: &GameRef<'_>, plan: &RepairPlan, lines: &LineCounter) {
        let all = plan
            .made
            .iter()
            .map(|repair| (repair, true))
            .chain(plan.left.iter().map(|repair| (repair, false)));
        for (repair, chosen) in all.filter(|(repair, _)| repair.applicability == Applicability::Unsafe) {
            let key = (record, repair.code.id(), repair.kind.name());
            if self.offered.len() >= MAX_OFFERED && !self.offered.contains_key(&key) {
                continue;
            }
            let raw = game.raw();
            let start = repair.edits.first().map_or(0, |edit| edit.range.start.min(raw.len()));
            let encoding = game.encoding().encoding;
            let offered = self.offered.entry(key).or_insert_with(|| OfferedRepair {
                id: id(record, repair),
                record,
                line: lines.position_after(&raw[..start], encoding).line,
                code: key.1,
                kind: key.2,
                changes: Vec::new(),
                chosen,
            });
            offered.changes.extend(repair.edits.iter().map(|edit| TextChange {
                old: game.decode(&raw[edit.range.clone()]).into_owned(),
                new: game.decode(&edit.new).into_owned(),
            }));
        }
    }
}

/// Returns the word that chooses a repair of a record.
fn id(record: u64, repair: &Repair) -> String {
    format!("{record}.{}.{}", repair.code.id(), repair.kind.name())
}

/// Adds a piece to a diff, unless it is long already.
fn add(diff: &mut UnifiedDiff<Vec<u8>>, old: &str, new: &str) {
    if diff.get_mut().len() < MAX_DIFF_BYTES {
        diff.piece(old.as_bytes(), new.as_bytes()).expect("writing to memory cannot fail");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> CheckedText {
        check_text(text.as_bytes(), &[], &Stop::new()).expect("it is text")
    }

    #[test]
    fn safe_repairs_are_applied_and_everything_else_stays() {
        let damaged = "[Event \"a\"]\n[Date \"2003-5-1\"]\n\n1. 32-28 19-23 *\n";
        let answer = checked(damaged);
        assert!(answer.repairs > 0);
        let text = answer.fixed.expect("it is repaired");
        assert!(text.contains("[Date \"2003.05.01\"]"), "{text}");
        assert_eq!(checked(&text).repairs, 0, "{text}");
        assert_eq!(checked("1. 32-28 *\n").fixed, None);
    }

    #[test]
    fn text_without_games_is_refused() {
        let message = |bytes: &[u8]| check_text(bytes, &[], &Stop::new()).unwrap_err().into_parts().message;
        assert_eq!(message(b""), "the text is empty");
        assert_eq!(message(b" \n"), "the text is empty");
        assert!(message(b"\x00\x01\x02\x00").starts_with("the text is "), "{}", message(b"\x00\x01\x02\x00"));
        for text in ["hello, this is not a game\n", "a letter. It has two sentences."] {
            assert_eq!(
                message(text.as_bytes()),
                "the text is no PDN: it has neither tags nor moves",
                "{text}"
            );
        }
        let stop = Stop::new();
        stop.request();
        assert_eq!(check_text(b"1. 32-28 *\n", &[], &stop).unwrap_err().code, ErrorCode::Stopped);
    }

    #[test]
    fn packed_text_that_ends_early_is_refused_as_unreadable() {
        let text = b"1. 32-28 *\n";
        // A block that is stored as it is, and no end.
        let mut packed = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\0".to_vec();
        packed.extend([text.len() as u8, 0, !(text.len() as u8), 0xff]);
        packed.extend(text);
        let error = check_text(&packed, &[], &Stop::new()).unwrap_err();
        assert_eq!((error.code, error.reason), (ErrorCode::InvalidValue, Some("unreadable_text")), "{error}");
        assert!(error.message.starts_with("damaged gzip data after 11 readable bytes"), "{error}");
    }

    #[test]
    fn repairs_are_shown_as_a_diff() {
        let answer = checked("[Event \"a\"]\n[Date \"2003-5-1\"]\n\n1. 32-28 19-23 *\n");
        let diff = answer.diff.expect("there are repairs");
        assert!(diff.contains("\n-[Date \"2003-5-1\"]\n+[Date \"2003.05.01\"]\n"), "{diff}");
        assert!(!answer.diff_is_cut);
        assert_eq!(checked("[GameType \"20\"]\n\n1. 32-28 *\n").diff, None);
        let many =
            "[Event \"a\"]\n[Date \"2003-5-1\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n\n".repeat(4000);
        let answer = checked(&many);
        assert!(answer.diff_is_cut && answer.repairs >= 4000, "{}", answer.repairs);
        assert!(answer.diff.is_some_and(|diff| diff.len() < 2 * MAX_DIFF_BYTES));
    }

    #[test]
    fn repairs_that_change_the_meaning_are_offered_and_made_one_by_one() {
        let game = "[GameType \"20\"]\n[Date \"2003-5-1\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 *\n\n";
        let text = game.repeat(2);
        let answer = checked(&text);
        let ids: Vec<&str> = answer.offered.iter().map(|repair| repair.id.as_str()).collect();
        assert_eq!((answer.offered.len(), answer.offered[1].record), (2, 2), "{ids:?}");
        assert!(
            answer.offered.iter().all(|repair| !repair.chosen && repair.code == "R001"),
            "{:?}",
            answer.offered
        );
        assert_eq!((answer.offered[0].line, answer.offered[1].line), (4, 9));
        let fixed = answer.fixed.expect("the dates are repaired");
        assert_eq!(fixed.matches("41-73").count(), 2);
        let answer = check_text(text.as_bytes(), &[ids[1]], &Stop::new()).unwrap();
        assert_eq!(answer.offered.iter().map(|repair| repair.chosen).collect::<Vec<_>>(), [false, true]);
        let fixed = answer.fixed.expect("it is repaired");
        assert_eq!((fixed.matches("41-73").count(), fixed.matches("41-37").count()), (1, 1), "{fixed}");
        assert!(fixed.find("41-73") < fixed.find("41-37"), "the second game is repaired");
    }

    #[test]
    fn cyrillic_text_of_windows_is_read_and_repaired() {
        // "Иванов" and a comment in windows-1251.
        let names = b"\xC8\xE2\xE0\xED\xEE\xE2 \xCF\xB8\xF2\xF0 \xE8 \xCA\xF3\xE7\xED\xE5\xF6\xEE\xE2 \xCC\xE8\xF5\xE0\xE8\xEB";
        let text = [
            b"[White \"",
            &names[..],
            b"\"]\n[Date \"2003-5-1\"]\n[GameType \"25\"]\n\n1. c3-d4 {",
            names,
            b"} f6-f4 *\n",
        ]
        .concat();
        let answer = check_text(&text, &[], &Stop::new()).unwrap();
        assert_eq!(answer.encoding, "windows-1251");
        let fixed = answer.fixed.expect("the date is repaired");
        assert!(
            fixed.contains("[White \"Иванов Пётр и Кузнецов Михаил\"]\n[Date \"2003.05.01\"]"),
            "{fixed}"
        );
        let finding =
            answer.found.diagnostics.iter().find(|found| found.finding.code.id() == "R001").unwrap();
        assert!(
            finding.excerpt.before.ends_with("{Иванов Пётр и Кузнецов Михаил} "),
            "{:?}",
            finding.excerpt
        );
        assert_eq!((finding.excerpt.marked.as_str(), finding.excerpt.after.as_str()), ("f6-f4", " *"));
    }

    #[test]
    fn findings_have_the_values_of_their_messages() {
        let answer = checked(
            "[Date \"2003-5-1\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 44-11 1-1\n",
        );
        let of = |code: &str| {
            let found = answer.found.diagnostics.iter().find(|found| found.finding.code.id() == code);
            found.unwrap_or_else(|| panic!("no {code}")).arguments.clone()
        };
        assert_eq!(of("R001").cause, Some("impossible"));
        assert_eq!(of("T005").quoted, ["2-0", "1-1"]);
    }

    #[test]
    fn answer_has_the_keys_of_the_command_but_no_file() {
        let answer = serde_json::to_string(&checked("[GameType \"20\"]\n\n1. 32-22 *\n")).unwrap();
        assert!(answer.starts_with("{\"summary\":{\"files\":1,\"bytes\":"), "{answer}");
        assert!(answer.contains("\"diagnostics\":[{\"record\":1,\"offset\":0,"), "{answer}");
        assert!(answer.contains("\"ply\":0,\"move\":\"32-22\",\"variant\":"), "{answer}");
        assert!(answer.contains("],\"encoding\":\"utf-8\",\"repairs\":"), "{answer}");
    }
}
