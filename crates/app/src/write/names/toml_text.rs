//! Groups of names as a TOML file for people to edit, which is replaced only if nobody edited it.

use std::fmt::Write;

use pdn_names::{GroupSpelling, NameGroup, NameKind};

use crate::ask::numbers::count;
use crate::check::safe_text::visible;

/// Begins the first line; the checksum of all other lines follows.
const MARK: &str = "# pdn names 1, checksum ";

const HEADER: &str = "\
#
# Spellings that probably mean one player, event or site. Delete what is wrong, change what you like, and remove the `# ` of
# a group in doubt that is right. A canonical name may be any text. Then look at the changes, and make them:
#
#   pdn fix --names THIS-FILE PATH...
#   pdn fix --names THIS-FILE --write PATH...
";

/// Returns the file: the groups that are certain, then those in doubt as comments.
pub(super) fn text(groups: &[NameGroup]) -> String {
    let mut text = HEADER.to_owned();
    for kind in NameKind::ALL {
        let of_kind = |is_doubtful: bool| {
            groups.iter().filter(move |group| group.kind == kind && group.doubt.is_some() == is_doubtful)
        };
        for group in of_kind(false) {
            text.push('\n');
            write_group(group, "", &mut text);
        }
        if of_kind(true).next().is_some() {
            let _ = write!(text, "\n# -- {}s in doubt\n", kind.name());
        }
        for group in of_kind(true) {
            text.push('\n');
            write_doubt(group, &mut text);
            write_group(group, "# ", &mut text);
        }
    }
    format!("{MARK}{:016x}\n{text}", checksum(text.as_bytes()))
}

fn write_doubt(group: &NameGroup, text: &mut String) {
    let Some(doubt) = group.doubt else { return };
    let _ = write!(text, "# {}: {doubt}", doubt.name());
    for (n, candidate) in group.candidates.iter().enumerate() {
        let _ = write!(text, "{} {}", if n == 0 { ":" } else { "," }, quoted(candidate));
    }
    text.push('\n');
}

/// Writes a group, each line after `start`.
fn write_group(group: &NameGroup, start: &str, text: &mut String) {
    let kind = group.kind;
    let _ = writeln!(text, "{start}[[{}]]", kind.name());
    let own = group.spellings.iter().find(|spelling| spelling.name == group.canonical);
    let note = own.map_or_else(String::new, |own| format!("  # {}", used(own)));
    let _ = writeln!(text, "{start}canonical = {}{note}", quoted(&group.canonical));
    let _ = writeln!(text, "{start}spellings = [");
    for spelling in group.spellings.iter().filter(|spelling| spelling.name != group.canonical) {
        let evidence = spelling.evidence.text(kind);
        let colon = if evidence.is_empty() { "" } else { ": " };
        let _ = writeln!(text, "{start}  {},  # {}{colon}{evidence}", quoted(&spelling.name), used(spelling));
    }
    let _ = writeln!(text, "{start}]");
}

/// Returns the number of games and the years of a spelling.
fn used(spelling: &GroupSpelling) -> String {
    let games = count(spelling.games, "game");
    match spelling.years {
        None => games,
        Some((first, last)) if first == last => format!("{games}, {first}"),
        Some((first, last)) => format!("{games}, {first}-{last}"),
    }
}

/// Returns a name as a basic string of TOML. Characters that a terminal would act on are escaped.
fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\t' => text.push_str("\\t"),
            _ if visible(c) == c => text.push(c),
            _ => {
                let _ = write!(text, "\\U{:08X}", u32::from(c));
            }
        }
    }
    text.push('"');
    text
}

/// Returns `true` if the text is as it was written.
pub(super) fn is_unchanged(text: &[u8]) -> bool {
    let Some(line) = text.strip_prefix(MARK.as_bytes()) else { return false };
    let Some(end) = line.iter().position(|&byte| byte == b'\n') else { return false };
    let (sum, rest) = (&line[..end], &line[end + 1..]);
    std::str::from_utf8(sum).is_ok_and(|sum| sum == format!("{:016x}", checksum(rest)))
}

/// Returns the 64-bit FNV-1a hash, which does not change with the version of a library.
fn checksum(text: &[u8]) -> u64 {
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_toml_reads_them() {
        for name in ["Sijbrands, T.", "a \"b\" \\c", "tab\tbell\u{7}", "Čížov\u{202e}", ""] {
            let text = format!("name = {}", quoted(name));
            let table = toml::de::DeTable::parse(&text).expect("TOML");
            let value = table.get_ref().get("name").and_then(|value| value.get_ref().as_str());
            assert_eq!(value, Some(name), "{text}");
        }
    }
    #[test]
    fn checksum_tells_edited_files() {
        let text = super::text(&[]);
        assert!(is_unchanged(text.as_bytes()));
        assert!(!is_unchanged(text.replace("right", "wrong").as_bytes()));
        assert!(!is_unchanged(b"a = 1\n"));
        assert!(!is_unchanged(b""));
    }
}
