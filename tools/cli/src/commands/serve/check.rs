//! Checks a PDN text that a browser sends, and repairs it.

use pdn::stop::Stop;
use pdn_app::ErrorCode;
use pdn_app::check::check_text;
use pdn_explorer::Problem;
use serde_json::Value;

/// Returns the diagnostics of `pdn check --json`, the summary, and the text after all safe repairs of `pdn fix`.
///
/// # Errors
///
/// If the text is no PDN, or the work was stopped.
pub(super) fn check(text: &[u8], stop: &Stop) -> Result<Value, Problem> {
    let checked = check_text(text, stop).map_err(|error| match error.code {
        ErrorCode::Stopped => Problem::out_of_budget(),
        ErrorCode::InvalidValue => Problem::new(400, error.message),
        _ => Problem::new(500, error.message),
    })?;
    serde_json::to_value(checked).map_err(|error| Problem::new(500, error.to_string()))
}
