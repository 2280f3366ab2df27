//! Checks a PDN text that a browser sends, and repairs it.

use std::io::Cursor;

use clap::Parser;
use pdn::archive::Archive;
use pdn::fix::{self, Applicability, Fixer};
use pdn::source::OpenOptions;
use pdn::stop::Stop;
use pdn_explorer::Problem;
use serde_json::{Map, Value};

use crate::args::{Cli, Command};
use crate::commands::check;
use crate::output::{Output, complaints};

/// Greatest number of diagnostics of one code that are listed; the summary counts all.
const MAX_PER_CODE: u64 = 200;
/// Name of the text in the diagnostics.
const NAME: &str = "text.pdn";

/// Returns the diagnostics of `pdn check --json`, the summary, and the text after all safe repairs of `pdn fix`. The text is
/// in a temporary file while it is checked.
///
/// # Errors
///
/// If the text is no PDN, or the work was stopped.
pub(super) fn check(text: &[u8], stop: &Stop) -> Result<Value, Problem> {
    let (lines, complaints) = complaints::collect(|| diagnostics(text));
    let lines = lines.map_err(|error| Problem::new(500, error.to_string()))?;
    let mut diagnostics = Vec::new();
    let mut summary = Value::Null;
    for line in lines.split(|byte| *byte == b'\n') {
        let Ok(Value::Object(mut object)) = serde_json::from_slice::<Value>(line) else { continue };
        if let Some(all) = object.remove("summary") {
            summary = all;
        } else {
            object.shift_remove("file");
            diagnostics.push(Value::Object(object));
        }
    }
    if summary["games"] == 0
        && let Some(complaint) = complaints.first()
    {
        let message = complaint.message.rsplit_once(&format!("{NAME}: ")).map_or("", |(_, message)| message);
        return Err(Problem::new(400, if message.is_empty() { "this is no PDN text" } else { message }));
    }
    let fixed = fixed(text, stop)?;
    let mut answer = Map::new();
    answer.insert("summary".into(), summary);
    answer.insert("diagnostics".into(), diagnostics.into());
    answer.insert("repairs".into(), fixed.repairs.into());
    answer.insert("fixed".into(), fixed.text.into());
    Ok(Value::Object(answer))
}

/// Returns the output of `pdn check --json`.
fn diagnostics(text: &[u8]) -> std::io::Result<Vec<u8>> {
    let folder = tempfile::Builder::new().prefix("pdn-check-").tempdir()?;
    let path = folder.path().join(NAME);
    std::fs::write(&path, text)?;
    let words = ["pdn", "check", "--json", &format!("--max-findings={MAX_PER_CODE}"), "--threads=1", "--"];
    let words = words.iter().map(std::ffi::OsString::from).chain([path.into_os_string()]);
    let mut out = Output::in_memory();
    if let Ok(Cli { command: Command::Check(args), .. }) = Cli::try_parse_from(words) {
        let _ = check::run(&args, &mut out);
    }
    Ok(out.into_bytes())
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
fn fixed(text: &[u8], stop: &Stop) -> Result<FixedText, Problem> {
    let failed = |error: pdn::Error| Problem::from(error);
    let archive =
        Archive::from_reader(Cursor::new(text.to_vec()), NAME, &OpenOptions::new()).map_err(failed)?;
    let mut fixer = Fixer::default();
    let (mut result, mut repairs) = (Vec::with_capacity(text.len()), 0);
    for batch in archive.batches() {
        let batch = batch.map_err(failed)?;
        if batch.offsets().is_some() {
            return Ok(FixedText::default());
        }
        let mut passed = 0;
        for game in batch.games() {
            if stop.is_requested() {
                return Err(Problem::out_of_budget());
            }
            let start = (game.offset() - batch.offset()) as usize;
            result.extend_from_slice(&batch.bytes()[passed..start]);
            passed = start + game.raw().len();
            let found = fixer.find(game);
            let chosen = fix::select(&found, |repair| repair.applicability == Applicability::Safe);
            repairs += chosen.len() as u64;
            result.extend_from_slice(&fix::edits(&chosen).apply(game.raw()));
        }
        result.extend_from_slice(&batch.bytes()[passed..]);
    }
    let text = String::from_utf8(result).ok().filter(|_| repairs > 0);
    Ok(FixedText { text, repairs })
}

/// Returns the repaired text and its number of repairs, for tests.
#[cfg(test)]
fn repaired(text: &str) -> (Option<String>, u64) {
    let fixed = fixed(text.as_bytes(), &Stop::new()).expect("it is text");
    (fixed.text, fixed.repairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_repairs_are_applied_and_everything_else_stays() {
        let damaged = "[Event \"a\"]\n[Date \"2003-5-1\"]\n\n1. 32-28 19-23 *\n";
        let (text, repairs) = repaired(damaged);
        let text = text.expect("it is repaired");
        assert!(repairs > 0);
        assert!(text.contains("[Date \"2003.05.01\"]"), "{text}");
        assert_eq!(repaired(&text).1, 0, "{text}");
        assert_eq!(repaired("1. 32-28 *\n").0, None);
    }
}
