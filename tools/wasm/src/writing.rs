//! Texts that are checked, repaired and written in another form.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use pdn::archive::Archive;
use pdn::convert::Converter;
use pdn::source::detect_encoding;
use pdn::stop::Stop;
use pdn_app::ask::options::GivenOptions;
use pdn_app::check::{CheckOptions, CheckRequest, CheckRules, Selection, check_text};
use pdn_app::read::inputs::{Inputs, ReadOptions};
use pdn_app::write::fix::{FixEvent, FixRequest};
use pdn_app::write::written_form::{AddedTag, WrittenForm};
use pdn_app::{AppError, Context, ErrorCode, Events, Result};
use serde_json::json;

use crate::answer::Answer;
use crate::host::HostEvents;
use crate::texts;

/// Runs a question on a text, and fails if the text could not be read.
fn run<T>(ask: impl FnOnce(&mut Context<'_>) -> Result<T>) -> Result<T> {
    let mut events = HostEvents::default();
    let answer = ask(&mut Context::new(&Stop::new(), &mut events))?;
    match events.problem {
        Some(problem) => Err(without_path(problem)),
        None => Ok(answer),
    }
}

/// Returns an error about the only text, which has no path.
fn without_path(mut error: AppError) -> AppError {
    error.path = None;
    error
}

/// Finds everything that is wrong in a text.
pub(crate) fn check(mut fields: GivenOptions, text: Vec<u8>) -> Result<Answer> {
    let rules: CheckRules = fields.group()?;
    let options = CheckOptions {
        selection: Selection::new(&rules)?,
        replay: true,
        max_per_code: rules.max_per_code.filter(|most| *most > 0),
        findings: true,
        repairs: true,
    };
    let mut inputs = Inputs::of_text(texts::given(&mut fields, text)?);
    inputs.read = fields.group()?;
    fields.end()?;
    let request = CheckRequest { inputs, options };
    Answer::new(&run(|context| request.collect(context))?, Vec::new())
}

/// Finds everything that is wrong in a text, and the text after its repairs: all safe ones, and those that are chosen of the others,
/// which are offered.
pub(crate) fn review(mut fields: GivenOptions, text: Vec<u8>) -> Result<Answer> {
    let (chosen, text) =
        (fields.value::<Vec<String>>("repairs")?.unwrap_or_default(), texts::given(&mut fields, text)?);
    fields.end()?;
    let chosen: Vec<&str> = chosen.iter().map(String::as_str).collect();
    Answer::new(&check_text(&text, &chosen, &Stop::new())?, Vec::new())
}

/// Repairs a text. The repaired text, in its own encoding, is in the data.
pub(crate) fn fix(mut fields: GivenOptions, text: Vec<u8>) -> Result<Answer> {
    let mut inputs = Inputs::of_text(texts::given(&mut fields, text)?);
    inputs.read = fields.group()?;
    let request = FixRequest { inputs, write: true, diff: true, rules: fields.group()?, names: None };
    fields.end()?;
    let (mut repairs, mut diff, mut data) = (Vec::new(), Vec::new(), Vec::new());
    let mut keep = |event: FixEvent<'_>| {
        match event {
            FixEvent::Repair(repair) => {
                let mut repair = json!(repair);
                repair.as_object_mut().and_then(|repair| repair.shift_remove("file"));
                repairs.push(repair);
            }
            FixEvent::Name(name) => repairs.push(json!(name)),
            FixEvent::Diff(text) => diff.extend_from_slice(text),
            FixEvent::Text(text) => data.extend_from_slice(text),
        }
        ControlFlow::Continue(())
    };
    let answer = run(|context| request.run(&mut keep, context))?;
    let encoding = request.inputs.read.encoding.unwrap_or_else(|| detect_encoding(&diff).encoding);
    let diff = encoding.decode(&diff);
    Answer::new(&json!({ "repairs": repairs, "summary": answer, "diff": diff }), data)
}

/// Writes the games of a text in another form. What is written, in UTF-8, is in the data.
pub(crate) fn convert(mut fields: GivenOptions, text: Vec<u8>) -> Result<Answer> {
    let form: WrittenForm = fields.group()?;
    let read: ReadOptions = fields.group()?;
    let text = texts::given(&mut fields, text)?;
    fields.end()?;
    if form.add.contains(&AddedTag::Novelty) {
        let message = "takes an index, which this function does not make";
        return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("add").value("Novelty"));
    }
    let options = form.options(read.variant);
    let line_end = options.write.line_end.bytes();
    let mut converter = Converter::new(&options);
    let (mut data, mut events) = (Vec::new(), HostEvents::default());
    let (mut games, mut written, mut rejected) = (0u64, 0u64, BTreeMap::<&str, u64>::new());
    let (mut variations, mut repaired, mut repaired_unsafely) = (0u64, 0u64, 0u64);
    for batch in Archive::from_bytes(text, "-", &read.open(false))?.batches() {
        let batch = batch.map_err(|error| without_path(error.into()))?;
        events.progress(batch.progress().read(), "");
        for game in batch.games() {
            games += 1;
            let start = data.len();
            if start > 0 {
                data.extend_from_slice(line_end);
            }
            match converter.convert(game, batch.decoder(), &mut data) {
                Ok(converted) => {
                    written += 1;
                    variations += converted.lines.len().saturating_sub(1) as u64;
                    repaired += u64::from(converted.safe_repairs > 0);
                    repaired_unsafely += u64::from(converted.unsafe_repairs > 0);
                }
                Err(reason) => {
                    data.truncate(start);
                    *rejected.entry(reason.text()).or_default() += 1;
                }
            }
        }
    }
    let summary = json!({
        "read": games,
        "variations": variations,
        "written": written + variations,
        "rejected": games - written,
        "rejected_by": rejected,
        "repaired": repaired,
        "repaired_unsafely": repaired_unsafely,
    });
    Answer::new(&summary, data)
}
