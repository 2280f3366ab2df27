//! What the diagnostic codes mean.

use pdn::diag::{Code, Severity};
use serde::{Serialize, Serializer};

use crate::ask::error::{AppError, ErrorCode, Result};

/// A diagnostic code and what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainedCode {
    /// The code.
    #[serde(serialize_with = "code_id")]
    pub code: Code,
    /// What it means, in a few words.
    pub title: &'static str,
    /// The severity of its diagnostics.
    #[serde(serialize_with = "severity_name")]
    pub severity: Severity,
    /// The article of the guide in Markdown; left out in a list of codes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'static str>,
}

/// Lists all codes.
pub fn codes() -> impl Iterator<Item = ExplainedCode> {
    Code::ALL.iter().map(|&code| ExplainedCode {
        code,
        title: code.title(),
        severity: code.severity(),
        text: None,
    })
}

/// Explains a code, which may be in lower case.
///
/// # Errors
///
/// If there is no such code.
pub fn explain(id: &str) -> Result<ExplainedCode> {
    let code = Code::from_id(id.trim()).ok_or_else(|| {
        let message = format!("`{id}` is not a diagnostic code; `pdn explain` lists all codes");
        AppError::plain(ErrorCode::InvalidValue, message)
    })?;
    let text = Some(pdn::diag::explain(code));
    Ok(ExplainedCode { code, title: code.title(), severity: code.severity(), text })
}

/// Writes the identifier of a code: `T005`.
pub(crate) fn code_id<S: Serializer>(code: &Code, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(code.id())
}

/// Writes the name of a severity: `warning`.
pub(crate) fn severity_name<S: Serializer>(
    severity: &Severity,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}
