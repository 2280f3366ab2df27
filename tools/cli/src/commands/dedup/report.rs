//! Prints groups of duplicates and the summary.

use std::io::{self, Write};

use pdn::dedup::{
    DedupGame, Duplicate, DuplicateClass, DuplicateEvidence, DuplicateMember, DuplicateMembers, Duplicates,
};
use pdn::index::{Index, RecordNumbers};
use pdn::names::{Likeness, NameSimilarity};
use pdn::query::RowTable;
use serde_json::{Map, Value, json};

use super::write::{RemovedGames, Written};
use crate::args::DedupArgs;
use crate::output::{Output, sanitize};
use pdn_app::numbers::{Count, count, plies};

/// Number of groups that are printed for people unless told otherwise.
const DEFAULT_GROUPS: usize = 100;
/// Number of games of a group that are printed for people.
const MAX_OTHERS: u64 = 20;
/// Number of games that are described before the memory of their rows is given back.
const ROWS_IN_MEMORY: u64 = 512;

/// Prints groups, and counts.
pub(super) struct Report<'a> {
    args: &'a DedupArgs,
    new: Source<'a>,
    known: Option<Source<'a>>,
    counts: [pdn::dedup::ClassCounts; DuplicateClass::ALL.len()],
    /// Groups that may still be printed.
    left: usize,
    printed: u64,
    open: Option<OpenGroup>,
    /// Games that were described.
    described: u64,
}

/// A group that is not printed to its end.
#[derive(Clone, Copy)]
struct OpenGroup {
    class: DuplicateClass,
    keeper: DedupGame,
    /// Games so far without the keeper.
    others: u64,
}

/// An index whose games are named.
struct Source<'a> {
    index: &'a Index,
    rows: RowTable<'a>,
    records: RecordNumbers,
    /// The numbers of the games last.
    is_numbered: bool,
    is_known: bool,
}

impl Source<'_> {
    /// Returns file, record and number of a game.
    fn place(&self, game: u64) -> pdn::Result<Map<String, Value>> {
        let mut place = Map::new();
        let Some(indexed) = self.index.game(game) else { return Ok(place) };
        let file = indexed.input()?.name.to_string_lossy().into_owned();
        place.insert("file".to_owned(), file.into());
        let record = self.records.get(game);
        place.insert("record".to_owned(), record.map_or(Value::Null, |record| (record + 1).into()));
        if self.is_numbered {
            place.insert("game".to_owned(), (game + 1).into());
        }
        if self.is_known {
            place.insert("known".to_owned(), true.into());
        }
        Ok(place)
    }

    /// Describes a game for people.
    fn description(&self, game: u64) -> pdn::Result<String> {
        let Some(row) = self.rows.row(game) else { return Ok(String::new()) };
        let place = self.place(game)?;
        let text = |key: &str| match &place[key] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        let index = if self.is_known { "index, " } else { "" };
        Ok(format!(
            "{index}{}, record {}: {} - {}, {}, {}",
            text("file"),
            text("record"),
            name(row.white),
            name(row.black),
            row.date,
            plies(u64::from(row.plies))
        ))
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(
        args: &'a DedupArgs,
        new: &'a Index,
        is_numbered: bool,
        known: Option<&'a Index>,
        duplicates: &Duplicates<'_>,
    ) -> pdn::Result<Self> {
        let source = |index: &'a Index, is_numbered, is_known| {
            let (rows, records) = (RowTable::for_few_rows(index)?, index.record_numbers()?);
            Ok::<_, pdn::Error>(Source { index, rows, records, is_numbered, is_known })
        };
        let default = if args.format.is_json() { 0 } else { DEFAULT_GROUPS };
        let left = if args.quiet { 0 } else { args.limit.unwrap_or(default) };
        let is_unlimited = left == 0 && !args.quiet;
        Ok(Self {
            args,
            new: source(new, is_numbered, false)?,
            known: known.map(|known| source(known, true, true)).transpose()?,
            counts: DuplicateClass::ALL.map(|class| duplicates.counts(class)),
            left: if is_unlimited { usize::MAX } else { left },
            printed: 0,
            open: None,
            described: 0,
        })
    }

    fn source(&self, game: DedupGame) -> &Source<'a> {
        match &self.known {
            Some(known) if !game.is_new => known,
            _ => &self.new,
        }
    }

    /// Returns `true` if no other game of a group will be printed.
    pub(super) fn is_full(&self) -> bool {
        self.left == 0 && self.open.is_none()
    }

    /// Prints a game of a group, and the keeper before the first one, unless there were enough groups. Nothing is held in memory, because a
    /// group may have millions of games. The outer error is one of the library; what is printed is not complete then.
    pub(super) fn member(
        &mut self,
        member: &DuplicateMember,
        members: &mut DuplicateMembers<'_>,
        out: &mut Output,
    ) -> pdn::Result<io::Result<()>> {
        let group = (member.class, member.keeper);
        let mut printed = Ok(());
        if self.open.is_none_or(|open| (open.class, open.keeper) != group) {
            printed = self.end_group(out);
            if self.left == 0 {
                return Ok(printed);
            }
            self.left -= 1;
            self.printed += 1;
            self.open = Some(OpenGroup { class: member.class, keeper: member.keeper, others: 0 });
            let keeper = self.keeper(member)?;
            printed = printed.and_then(|()| out.write_all(keeper.as_bytes()));
        }
        let number = self.open.map_or(0, |open| open.others);
        if let Some(open) = &mut self.open {
            open.others += 1;
        }
        if printed.is_err() || !self.args.format.is_json() && number >= MAX_OTHERS {
            return Ok(printed);
        }
        self.described += 1;
        if self.described.is_multiple_of(ROWS_IN_MEMORY) {
            [Some(&self.new), self.known.as_ref()]
                .into_iter()
                .flatten()
                .for_each(|source| source.rows.release());
        }
        let text = match self.args.format.is_json() {
            true => self.other_json(member, number > 0, members)?,
            false => self.other_text(member, members)?,
        };
        Ok(out.write_all(text.as_bytes()))
    }

    /// Prints the end of the last group, if it was printed.
    pub(super) fn end_group(&mut self, out: &mut Output) -> io::Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        if self.args.format.is_json() {
            return writeln!(out, "]}}");
        }
        if let Some(more) = open.others.checked_sub(MAX_OTHERS).filter(|&more| more > 0) {
            writeln!(out, "  and {} (--json lists all)", count(more, "more game"))?;
        }
        writeln!(out)
    }

    /// Returns the beginning of a group.
    fn keeper(&self, member: &DuplicateMember) -> pdn::Result<String> {
        let DuplicateMember { class, keeper, .. } = *member;
        let source = self.source(keeper);
        if self.args.format.is_json() {
            let (class, keeper) = (json!(class.name()), Value::Object(source.place(keeper.game)?));
            return Ok(format!(r#"{{"class":{class},"keeper":{},"others":["#, sanitize::json(&keeper)));
        }
        let keeper = source.description(keeper.game)?;
        Ok(format!("{}: {}\n", class.name(), sanitize::text(&keeper)))
    }

    fn other_json(
        &self,
        member: &DuplicateMember,
        has_others_before: bool,
        members: &mut DuplicateMembers<'_>,
    ) -> pdn::Result<String> {
        let (class, other) = (member.class, &member.duplicate);
        let mut value = self.source(other.game).place(other.game.game)?;
        value.insert("class".to_owned(), class.name().into());
        if let Some(evidence) = members.evidence(member.keeper, other.game)? {
            value.insert("reason".to_owned(), reason(class, other, &evidence).into());
            if self.args.explain {
                value.insert("evidence".to_owned(), evidence_json(&evidence));
            }
        }
        let comma = if has_others_before { "," } else { "" };
        Ok(format!("{comma}{}", sanitize::json(&Value::Object(value))))
    }

    fn other_text(
        &self,
        member: &DuplicateMember,
        members: &mut DuplicateMembers<'_>,
    ) -> pdn::Result<String> {
        let other = &member.duplicate;
        let description = self.source(other.game).description(other.game.game)?;
        let mut text = format!("  {}\n", sanitize::text(&description));
        if let Some(evidence) = members.evidence(member.keeper, other.game)? {
            text += &format!("    {}\n", reason(member.class, other, &evidence));
            if self.args.explain {
                text += &format!("    {}\n", evidence_text(&evidence));
            }
        }
        Ok(text)
    }

    /// Prints the summary.
    pub(super) fn finish(
        self,
        removed: &RemovedGames,
        written: &Written,
        out: &mut Output,
    ) -> io::Result<()> {
        let counts = DuplicateClass::ALL.into_iter().zip(self.counts);
        let kept = removed.games - removed.removed;
        if self.args.format.is_json() {
            let mut summary = Map::new();
            summary.insert("games".to_owned(), removed.games.into());
            for (class, counts) in counts {
                let value = json!({ "groups": counts.groups, "others": counts.others });
                summary.insert(class.name().replace('-', "_"), value);
            }
            summary.insert("removed".to_owned(), removed.removed.into());
            summary.insert("kept".to_owned(), kept.into());
            summary.insert("changed".to_owned(), written.changed.into());
            return writeln!(out, "{}", json!({ "summary": summary }));
        }
        let mut text = String::new();
        let groups: u64 = self.counts.iter().map(|counts| counts.groups).sum();
        if let Some(more) = groups.checked_sub(self.printed).filter(|&more| more > 0 && !self.args.quiet) {
            text += &format!("{} not shown (--limit 0 shows all)\n\n", count(more, "more group"));
        }
        for (class, counts) in counts {
            let what = match class {
                DuplicateClass::SameMoves => "that share the moves of another game, and stay",
                _ => "besides the keeper of each group",
            };
            text += &format!(
                "{:<12}{} in {} {what}\n",
                format!("{}:", class.name()),
                count(counts.others, "game"),
                count(counts.groups, "group")
            );
        }
        let classes: Vec<&str> = removed.classes.iter().map(|class| class.name()).collect();
        let classes = classes.join(", ");
        text += &format!(
            "{} = {} kept + {} removed ({classes})\n",
            count(removed.games, "game"),
            Count(kept),
            Count(removed.removed),
        );
        for line in &written.lines {
            text += &format!("{line}\n");
        }
        if written.lines.is_empty() && removed.removed > 0 {
            text += "Nothing is written: --write FILE writes the games that are kept, --duplicates FILE the others.\n";
        }
        out.write_all(text.as_bytes())
    }
}

/// Returns the reason why a game is in a group, and why it does not stay.
fn reason(class: DuplicateClass, other: &Duplicate, evidence: &DuplicateEvidence) -> String {
    let why = evidence.in_words(class);
    match class {
        DuplicateClass::SameMoves => why,
        _ => format!("{why}; the keeper {}", other.kept_because),
    }
}

fn likeness(names: &NameSimilarity) -> &'static str {
    match names.likeness {
        Likeness::Different => "different",
        Likeness::Possible => "possible",
        Likeness::Probable => "probable",
        Likeness::Same => "same",
        _ => "unknown",
    }
}

fn evidence_json(evidence: &DuplicateEvidence) -> Value {
    json!({
        "plies": evidence.plies,
        "common_plies": evidence.common_plies,
        "white": likeness(&evidence.white),
        "black": likeness(&evidence.black),
        "date": evidence.date.name(),
        "round": evidence.round.name(),
        "event": evidence.event.name(),
        "address": evidence.address.name(),
        "result": evidence.result.name(),
    })
}

fn evidence_text(evidence: &DuplicateEvidence) -> String {
    let [keeper, other] = evidence.plies;
    let names = |names: &NameSimilarity| {
        let mut text = likeness(names).to_owned();
        let mut details = Vec::new();
        if names.initials > 0 {
            details.push(count(u64::from(names.initials), "initial"));
        }
        if names.romanised > 0 {
            details.push("another romanisation".to_owned());
        }
        if names.errors > 0 {
            details.push(count(u64::from(names.errors), "wrong letter"));
        }
        if names.missing > 0 {
            details.push(count(u64::from(names.missing), "missing word"));
        }
        if names.reordered {
            details.push("another order".to_owned());
        }
        if !details.is_empty() {
            text += &format!(" ({})", details.join(", "));
        }
        text
    };
    format!(
        "first {} of {keeper} and {other} in common; White {}; Black {}; date {}; round {}; event {}; address {}; result {}",
        plies(u64::from(evidence.common_plies)),
        names(&evidence.white),
        names(&evidence.black),
        evidence.date.name(),
        evidence.round.name(),
        evidence.event.name(),
        evidence.address.name(),
        evidence.result.name()
    )
}
