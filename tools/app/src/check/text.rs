//! What is wrong in a text in memory, and the text after its repairs.

use std::io::Cursor;

use pdn::archive::Archive;
use pdn::fix::{Applicability, Fixer};
use pdn::source::OpenOptions;
use pdn::stop::Stop;
use serde::Serialize;

use super::{
    CheckConsumer, CheckOptions, CheckSink, CheckSummary, CheckWork, Finding, FindingText, Selection,
};
use crate::context::{CollectedEvents, Context};
use crate::error::{AppError, ErrorCode, Result};
use crate::inputs::process_archive;

/// Greatest number of diagnostics of one code that are listed; the summary counts all.
const MAX_PER_CODE: u64 = 200;
/// Name of the text.
const NAME: &str = "text.pdn";

/// What is wrong in a text, and the text after all safe repairs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedText {
    /// The numbers.
    pub summary: CheckSummary,
    /// The diagnostics, at most 200 of each code.
    pub diagnostics: Vec<Finding>,
    /// The number of safe repairs.
    pub repairs: u64,
    /// The text after these repairs; null if there are none, or it is not UTF-8.
    pub fixed: Option<String>,
}

/// Checks a text, and applies all safe repairs.
///
/// # Errors
///
/// With the code [`InvalidValue`](ErrorCode::InvalidValue) if it is no PDN text; if it cannot be unpacked, or the work was stopped.
pub fn check_text(text: &[u8], stop: &Stop) -> Result<CheckedText> {
    let refused = |message: &str| AppError::new(ErrorCode::InvalidValue, message);
    let archive = open(text).map_err(|error| refused(&error.kind().to_string()))?;
    let options = CheckOptions {
        selection: Selection::default(),
        replay: true,
        variant: None,
        max_per_code: Some(MAX_PER_CODE),
        findings: true,
        repairs: false,
    };
    let (mut found, mut events) = (CollectedFindings::default(), CollectedEvents::default());
    let mut consumer = CheckConsumer::new(&options, &mut found);
    let mut context = Context::new(stop, &mut events);
    let is_complete = process_archive(NAME, archive, &CheckWork(&options), &mut consumer, &mut context)?;
    let answer = consumer.finish(is_complete);
    if answer.summary.totals.games == 0 {
        match (events.problems.first(), events.notes.first()) {
            (Some(problem), _) => return Err(refused(&problem.message)),
            (None, Some(_)) if text.is_empty() => return Err(refused("is empty")),
            (None, Some(_)) => return Err(refused("this is no PDN text")),
            (None, None) => {}
        }
    }
    let FixedText { text, repairs } = fixed(text, stop)?;
    Ok(CheckedText { summary: answer.summary, diagnostics: found.0, repairs, fixed: text })
}

/// Opens the text as an archive.
fn open(text: &[u8]) -> pdn::Result<Archive> {
    Archive::from_reader(Cursor::new(text.to_vec()), NAME, &OpenOptions::new())
}

/// Collects diagnostics without the name of the text.
#[derive(Default)]
struct CollectedFindings(Vec<Finding>);

impl CheckSink for CollectedFindings {
    type Error = AppError;

    fn finding(&mut self, finding: Finding, _: &FindingText<'_>) -> Result<()> {
        self.0.push(Finding { file: None, ..finding });
        Ok(())
    }
}

/// A text after its repairs.
#[derive(Default)]
struct FixedText {
    /// The text; `None` if nothing was repaired, or it is not UTF-8.
    text: Option<String>,
    /// Number of repairs.
    repairs: u64,
}

/// Applies all safe repairs.
fn fixed(text: &[u8], stop: &Stop) -> Result<FixedText> {
    let mut fixer = Fixer::default();
    let (mut result, mut repairs) = (Vec::with_capacity(text.len()), 0);
    for batch in open(text)?.batches() {
        let batch = batch?;
        if batch.offsets().is_some() {
            return Ok(FixedText::default());
        }
        let mut passed = 0;
        for game in batch.games() {
            if stop.is_requested() {
                return Err(AppError::stopped());
            }
            let start = (game.offset() - batch.offset()) as usize;
            result.extend_from_slice(&batch.bytes()[passed..start]);
            passed = start + game.raw().len();
            let plan = fixer.repair(game, |repair| repair.applicability == Applicability::Safe);
            repairs += plan.made.len() as u64;
            result.extend_from_slice(&plan.edits().apply(game.raw()));
        }
        result.extend_from_slice(&batch.bytes()[passed..]);
    }
    let text = String::from_utf8(result).ok().filter(|_| repairs > 0);
    Ok(FixedText { text, repairs })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> CheckedText {
        check_text(text.as_bytes(), &Stop::new()).expect("it is text")
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
        let message = |bytes: &[u8]| check_text(bytes, &Stop::new()).unwrap_err().into_parts().message;
        assert_eq!(message(b""), "is empty");
        assert!(!message(b"\x00\x01\x02\x00").is_empty());
        let stop = Stop::new();
        stop.request();
        assert_eq!(check_text(b"1. 32-28 *\n", &stop).unwrap_err().code, ErrorCode::Stopped);
    }

    #[test]
    fn answer_has_the_keys_of_the_command_but_no_file() {
        let answer = serde_json::to_string(&checked("[GameType \"20\"]\n\n1. 32-22 *\n")).unwrap();
        assert!(answer.starts_with("{\"summary\":{\"files\":1,\"bytes\":"), "{answer}");
        assert!(answer.contains("\"diagnostics\":[{\"record\":1,\"offset\":0,"), "{answer}");
        assert!(answer.contains("\"ply\":0,\"move\":\"32-22\",\"variant\":"), "{answer}");
        assert!(answer.contains("],\"repairs\":"), "{answer}");
    }
}
