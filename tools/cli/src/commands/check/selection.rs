//! The diagnostics that are looked for: those of `--code` and `--min-severity`.

use pdn::diag::{Code, Diagnostic, Severity};

use crate::args::CheckArgs;
use crate::output::exit::print_error;
use crate::output::sanitize;

/// Which diagnostics are printed and counted.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    /// For each code, whether it is selected.
    codes: Vec<bool>,
    min_severity: Severity,
    /// `true` if the options exclude any diagnostic that is looked for.
    pub(super) is_partial: bool,
    /// `true` if diagnostics of severity `style` are looked for.
    pub(super) style: bool,
}

impl Selection {
    /// Creates a selection from the options. If no code begins as `--code` says, prints so and returns `None`.
    pub(super) fn new(args: &CheckArgs) -> Option<Self> {
        let begins = |code: &Code, start: &str| {
            code.id().get(..start.len()).is_some_and(|id| id.eq_ignore_ascii_case(start))
        };
        let starts: Vec<_> = args.code.iter().map(|start| start.trim()).collect();
        for start in &starts {
            if start.is_empty() || !Code::ALL.iter().any(|code| begins(code, start)) {
                let start = sanitize::text(start);
                print_error(&format!("--code: no code begins with `{start}`; `pdn explain` lists all codes"));
                return None;
            }
        }
        let is_selected = |code: &Code| starts.is_empty() || starts.iter().any(|start| begins(code, start));
        let codes: Vec<_> = Code::ALL.iter().map(is_selected).collect();
        let min_severity = args.min_severity.map(Severity::from);
        let default = if args.strict { Severity::Style } else { Severity::Warning };
        Some(Self {
            codes,
            min_severity: min_severity.unwrap_or(default),
            is_partial: !starts.is_empty() || min_severity.is_some_and(|min| min > default),
            style: args.strict || min_severity == Some(Severity::Style),
        })
    }

    /// Returns `true` if a diagnostic is selected.
    pub(super) fn contains(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.severity >= self.min_severity
            && self.codes.get(diagnostic.code as usize).is_none_or(|&selected| selected)
    }
}
