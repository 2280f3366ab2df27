//! Turns values of tags into names of files that every system accepts.

use std::collections::HashSet;

/// Longest name in bytes, without its number and extension. Some file systems allow 143 bytes in all.
const MAX_BYTES: usize = 100;

/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Gives each group of games a file name of its own.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    /// The names given so far, in the form in which file systems may compare them.
    taken: HashSet<String>,
}

impl FileNames {
    /// Returns a name without extension that no other group has, also on a file system that ignores case or accents. A
    /// number is added to a name that is taken.
    pub(super) fn name(&mut self, parts: &[&str]) -> String {
        self.unique(safe_name(parts))
    }

    /// Returns the name of a further file of the group with this name.
    pub(super) fn numbered(&mut self, base: &str, number: u64) -> String {
        self.unique(format!("{base}-{number:04}"))
    }

    fn unique(&mut self, base: String) -> String {
        let mut name = base.clone();
        let mut number = 1u64;
        while !self.taken.insert(compared(&name)) {
            number += 1;
            name = format!("{base}-{number}");
        }
        name
    }
}

/// Returns the form in which names are compared: without case and accents.
fn compared(name: &str) -> String {
    let lower = name.to_lowercase();
    // Folding leaves out punctuation, which tells plain names apart.
    if lower.is_ascii() { lower } else { format!("\u{1}{}", pdn_names::fold(&lower)) }
}

/// Joins parts by hyphens to a name without characters that have a meaning in paths, shells or terminals. An empty part
/// means an unknown value.
fn safe_name(parts: &[&str]) -> String {
    let mut name = String::new();
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            name.push('-');
        }
        let part = if part.is_empty() { "unknown" } else { part };
        let mut gap = false;
        for c in part.chars() {
            if c.is_whitespace() {
                gap = true;
                continue;
            }
            if std::mem::take(&mut gap) && !name.is_empty() && !name.ends_with(' ') {
                name.push(' ');
            }
            let is_safe = c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ',' | '\'' | '(' | ')' | '+');
            name.push(if is_safe { c } else { '_' });
        }
    }
    while name.len() > MAX_BYTES {
        name.pop();
    }
    // Windows drops dots and spaces at the end. A dot at the start hides a file, a hyphen looks like an option.
    name.truncate(name.trim_end_matches(['.', ' ']).len());
    if name.is_empty() || name.starts_with(['.', '-', ' ']) || is_device(&name) {
        name.insert(0, '_');
    }
    name
}

/// Returns `true` if Windows takes a file of this name for a device.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_port = ["com", "lpt"].iter().any(|port| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        number.chars().count() == 1
            && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³'))
    });
    is_port || DEVICES.contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_on_every_system() {
        for (part, expected) in [
            ("Sijbrands, Ton", "Sijbrands, Ton"),
            ("../../etc/passwd", "_.._.._etc_passwd"),
            ("C:\\games\\a", "C__games_a"),
            ("Cup:\u{1b}[2J  final?\n", "Cup__[2J final_".replace('[', "_").as_str()),
            ("", "unknown"),
            ("   ", "_"),
            ("...", "_"),
            ("con", "_con"),
            ("NUL.txt", "_NUL.txt"),
            ("com1", "_com1"),
            ("LPT²", "_LPT²"),
            ("company", "company"),
            ("com12", "com12"),
            ("-rf", "_-rf"),
            (".hidden", "_.hidden"),
            ("trailing. .", "trailing"),
            (" leading", "leading"),
            ("Чемпионат 1972", "Чемпионат 1972"),
            ("a\u{202e}b", "a_b"),
        ] {
            assert_eq!(safe_name(&[part]), expected, "{part:?}");
        }
        assert_eq!(safe_name(&["1999", "", "Cup"]), "1999-unknown-Cup");
        let long = safe_name(&[&"Ж".repeat(500)]);
        assert!(long.len() <= MAX_BYTES && long.chars().all(|c| c == 'Ж'), "{long}");
    }

    #[test]
    fn names_that_a_file_system_may_confuse_are_numbered() {
        let mut names = FileNames::default();
        let given: Vec<_> =
            ["Cup", "cup", "CUP", "cup-2", "Čup", "Ćup", "Cup?", "Cup:", "É", "é", "e\u{301}", "", "unknown"]
                .iter()
                .map(|part| names.name(&[part]))
                .collect();
        assert_eq!(
            given,
            [
                "Cup",
                "cup-2",
                "CUP-3",
                "cup-2-2",
                "Čup",
                "Ćup-2",
                "Cup_",
                "Cup_-2",
                "É",
                "é-2",
                "e_",
                "unknown",
                "unknown-2"
            ]
        );
        let mut distinct: Vec<_> = given.iter().map(|name| name.to_lowercase()).collect();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), given.len());
    }
}
