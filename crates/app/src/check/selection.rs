//! The diagnostics that are looked for.

use pdn::diag::{Code, Diagnostic, Severity};

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::named::Named;

impl Named for Severity {
    const ALL: &'static [(Self, &'static str, &'static str)] =
        &[(Self::Style, "style", ""), (Self::Warning, "warning", ""), (Self::Error, "error", "")];
}

/// Which diagnostics are reported and counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// For each code, whether it is selected.
    codes: Vec<bool>,
    min_severity: Severity,
    /// `true` if any diagnostic that is looked for is excluded.
    pub(super) is_partial: bool,
    /// `true` if diagnostics of severity `style` are looked for.
    pub(super) style: bool,
}

impl Default for Selection {
    /// Selects all diagnostics but those of severity `style`.
    fn default() -> Self {
        Self {
            codes: vec![true; Code::ALL.len()],
            min_severity: Severity::Warning,
            is_partial: false,
            style: false,
        }
    }
}

impl Selection {
    /// Selects the codes that begin with one of `starts`, all if there are none, which are at least as severe as `min_severity`: by
    /// default `warning`, or `style` if the selection is strict.
    ///
    /// # Errors
    ///
    /// In the field `code` if no code begins so.
    pub fn new(starts: &[String], min_severity: Option<Severity>, is_strict: bool) -> Result<Self> {
        let begins = |code: &Code, start: &str| {
            code.id().get(..start.len()).is_some_and(|id| id.eq_ignore_ascii_case(start))
        };
        let starts: Vec<_> = starts.iter().map(|start| start.trim()).collect();
        for start in &starts {
            if start.is_empty() || !Code::ALL.iter().any(|code| begins(code, start)) {
                let message = format!("no code begins with `{start}`; `pdn explain` lists all codes");
                return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("code"));
            }
        }
        let is_selected = |code: &Code| starts.is_empty() || starts.iter().any(|start| begins(code, start));
        let default = if is_strict { Severity::Style } else { Severity::Warning };
        Ok(Self {
            codes: Code::ALL.iter().map(is_selected).collect(),
            min_severity: min_severity.unwrap_or(default),
            is_partial: !starts.is_empty() || min_severity.is_some_and(|min| min > default),
            style: is_strict || min_severity == Some(Severity::Style),
        })
    }

    /// Returns `true` if a diagnostic is selected.
    pub fn contains(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.severity >= self.min_severity
            && self.codes.get(diagnostic.code as usize).is_none_or(|&selected| selected)
    }
}
