//! Text and JSON that are safe to print on a terminal.

use std::path::Path;

pub(crate) use pdn_app::check::safe_text::{json, text, visible};

/// Formats a path, sanitized.
pub(crate) fn path(path: &Path) -> String {
    text(&path.to_string_lossy()).into_owned()
}
