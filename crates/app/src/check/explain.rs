//! What the diagnostic codes mean.

use pdn::diag::{Code, Severity};
use serde::{Serialize, Serializer};

use crate::ask::error::{AppError, ErrorCode, Result};

/// A diagnostic code and what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedCode {
    /// The code, such as `R001`.
    #[serde(serialize_with = "code_id")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub code: Code,
    /// What it means, in a few words.
    pub title: &'static str,
    /// The severity of its diagnostics: `error`, `warning` or `style`.
    #[serde(serialize_with = "severity_name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub severity: Severity,
}

/// A diagnostic code with its article.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainedCode {
    /// The code.
    #[serde(flatten)]
    pub listed: ListedCode,
    /// The article of the guide, in Markdown.
    pub text: &'static str,
}

impl ListedCode {
    fn of(code: Code) -> Self {
        Self { code, title: code.title(), severity: code.severity() }
    }
}

/// Lists all codes.
pub fn codes() -> impl Iterator<Item = ListedCode> {
    Code::ALL.iter().map(|&code| ListedCode::of(code))
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
    Ok(ExplainedCode { listed: ListedCode::of(code), text: pdn::diag::explain(code) })
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
