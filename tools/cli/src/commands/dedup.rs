//! `pdn dedup`: finds records of the same game, and writes archives without them.

use std::io;
use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use pdn_app::ask::numbers::{Count, count, plies};
use pdn_app::write::dedup::{
    DedupAnswer, DedupEvent, DedupRequest, DedupRules, GroupGame, OtherGame, RecordsFile, likeness,
};
use pdn_dedup::{DuplicateClass, DuplicateEvidence, PositionForm};
use pdn_names::NameSimilarity;
use serde_json::json;

use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, InputArgs, number};
use crate::output::{CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Classes: `exact` is the same start and moves, and players who can be the same persons. `prefix` is a game whose moves, \
20 plies or more, begin those of another. `near` is the same players, dates within two days, the same first 20 plies and \
other moves later. `same-position` is a problem with the start position of another one, without moves or with a solution. \
Two known and different dates, rounds or events rule out prefix and near, and exact for games of \
fewer than 20 plies. `same-moves` is the same moves by other players; such games are reported and always stay. With --shifted, so is `shifted-position`: a problem with the position of another one, moved over the board, in which the same moves are legal. Of two problems, the one with the earlier date is named as the forerunner.

Nothing is removed from the archives that are read. --output and --duplicates write two new files: every game is in \
exactly one of them. Only games of the classes of --class leave the first file. The default is exact, because no move is \
lost then; look at the others with --explain before you add them. Of problems with one position, only the one that says \
most stays, so add same-position only where other tags and solutions may go.

Weekly import: `pdn dedup new.pdn --against games.idx --output fresh.pdn` leaves the games that the index has not yet.

Exit codes: 0 if all games were compared, with or without duplicates; 2 if an input cannot be read or a file cannot be \
written.";

#[derive(Args, Debug)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    pub(crate) rules: OptionArgs<DedupRules>,

    /// Print at most this many groups, 0 for no limit [default: 100 for human, else 0]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) limit: Option<usize>,

    /// Print the summary only
    #[arg(long)]
    pub(crate) summary: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl DedupArgs {
    /// Returns what the options ask for: all groups.
    pub(crate) fn read(&self) -> DedupRequest {
        DedupRequest { rules: self.rules.clone(), ..DedupRequest::new(self.input.read()) }
    }
}

/// Number of groups that are printed for people unless told otherwise.
const DEFAULT_GROUPS: usize = 100;
/// Number of games of a group that are printed for people.
const MAX_OTHERS: u64 = 20;

/// Runs `pdn dedup`.
pub(crate) fn run(args: &DedupArgs, out: &mut Output) -> CommandResult {
    let is_json = args.format.is_json();
    let mut request = args.read();
    let default = if is_json { 0 } else { DEFAULT_GROUPS };
    request.max_groups = match (args.summary, args.limit.unwrap_or(default)) {
        (true, _) => 0,
        (false, 0) => usize::MAX,
        (false, limit) => limit,
    };
    if !is_json {
        (request.rows, request.max_others) = (true, MAX_OTHERS);
    }
    if args.rules.output.is_some() || args.rules.duplicates.is_some() {
        out.discard_unread();
    }
    let mut messages = out.messages();
    let mut printed = Ok(());
    let mut has_others = false;
    let mut print = |event: DedupEvent<'_>| {
        printed = match is_json {
            true => print_json(&event, has_others, out),
            false => print_text(&event, out),
        };
        has_others = matches!(event, DedupEvent::Other(_));
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let answer = request.run(&mut print, &mut messages.context());
    printed?;
    if answer.is_err() {
        out.flush()?;
    }
    let answer = answer?;
    if is_json {
        writeln!(out, "{}", json!({ "summary": answer }))?;
    } else {
        let classes: Vec<&str> = request.removed_classes().iter().map(|class| class.name()).collect();
        out.write_all(summary(&answer, &classes.join(", "), args.summary).as_bytes())?;
    }
    if answer.uncompared > 0 {
        out.print_error(&format!(
            "too many games resemble each other: {} only compared with the likeliest others",
            count(answer.uncompared, "game")
        ));
    }
    let wanted = args.rules.output.iter().chain(&args.rules.duplicates).count();
    Ok(match (answer.complete, answer.files.len() < wanted) {
        (false, _) => Exit::Failure,
        // A file stays as it was, because there is no game.
        (true, true) => Exit::Negative,
        (true, false) => Exit::Success,
    })
}

/// Prints a part of a group as JSON: a line for each group.
fn print_json(event: &DedupEvent<'_>, has_others: bool, out: &mut Output) -> io::Result<()> {
    match event {
        DedupEvent::Keeper(class, keeper) => {
            let (class, keeper) = (class.name(), sanitize::json(keeper));
            write!(out, r#"{{"class":"{class}","keeper":{keeper},"others":["#)
        }
        DedupEvent::Other(other) => {
            let comma = if has_others { "," } else { "" };
            write!(out, "{comma}{}", sanitize::json(other))
        }
        DedupEvent::End { .. } => writeln!(out, "]}}"),
    }
}

/// Prints a part of a group for people.
fn print_text(event: &DedupEvent<'_>, out: &mut Output) -> io::Result<()> {
    match event {
        DedupEvent::Keeper(class, keeper) => {
            let place = if keeper.known { "index, " } else { "" };
            writeln!(out, "{}: {place}{}", class.name(), sanitize::text(&description(&keeper.game)))
        }
        DedupEvent::Other(other) => {
            let OtherGame { game, reason, evidence, .. } = other;
            writeln!(out, "  {}", sanitize::text(&description(game)))?;
            if let Some(reason) = reason {
                writeln!(out, "    {reason}")?;
            }
            if let Some(evidence) = evidence {
                writeln!(out, "    {}", evidence_text(evidence))?;
            }
            Ok(())
        }
        DedupEvent::End { others } => {
            if let Some(more) = others.checked_sub(MAX_OTHERS).filter(|&more| more > 0) {
                writeln!(out, "  and {} (--json lists all)", count(more, "more game"))?;
            }
            writeln!(out)
        }
    }
}

/// Describes a game.
fn description(game: &GroupGame) -> String {
    let Some(row) = &game.row else { return String::new() };
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    format!(
        "{}, record {}: {} - {}, {}, {}",
        game.file,
        game.record.map_or_else(|| "null".to_owned(), |record| record.to_string()),
        name(&row.white),
        name(&row.black),
        row.date,
        plies(row.plies)
    )
}

/// Returns the summary. `classes` are those whose games are removed.
fn summary(answer: &DedupAnswer, classes: &str, is_summary_only: bool) -> String {
    let mut text = String::new();
    let groups: u64 = answer.classes.iter().map(|(_, counts)| counts.groups).sum();
    if let Some(more) = groups.checked_sub(answer.shown).filter(|&more| more > 0 && !is_summary_only) {
        text += &format!("{} not shown (--limit 0 shows all)\n\n", count(more, "more group"));
    }
    let width = answer.classes.iter().map(|(class, _)| class.name().len() + 2).max().unwrap_or_default();
    for (class, counts) in &answer.classes {
        let what = match class {
            DuplicateClass::SameMoves => "that share the moves of another game, and stay",
            DuplicateClass::ShiftedPosition => {
                "with the position of another one moved over the board, and stay"
            }
            _ => "besides the keeper of each group",
        };
        text += &format!(
            "{:<width$}{} in {} {what}\n",
            format!("{}:", class.name()),
            count(counts.others, "game"),
            count(counts.groups, "group")
        );
    }
    text += &format!(
        "{} = {} kept + {} removed ({classes})\n",
        count(answer.games, "game"),
        Count(answer.kept),
        Count(answer.removed),
    );
    for file in &answer.files {
        text += &file_line(file);
    }
    if let Some(shared) = answer.shared.as_ref().filter(|_| !answer.files.is_empty()) {
        let (tags, keepers) = (count(shared.added, "tag"), count(answer.changed, "game"));
        text += &format!("{tags} of removed games added to {keepers}\n");
        if shared.unencodable > 0 {
            let tags = count(shared.unencodable, "tag");
            text += &format!("{tags} not added: the encoding of the record lacks a letter\n");
        }
        for refused in &shared.refused {
            text += &format!("{}\n", sanitize::text(refused));
        }
    }
    if answer.files.is_empty() && answer.removed > 0 {
        text += "Nothing is written: --output FILE writes the games that are kept, --duplicates FILE the others.\n";
    }
    text
}

/// Returns a line about a file.
fn file_line(file: &RecordsFile) -> String {
    let mut line = format!("{}: {} written", sanitize::path(&file.path), count(file.games, "game"));
    if file.ended > 0 {
        line +=
            &format!(", with an addition to {} that would run into the next", count(file.ended, "record"));
    }
    if file.unseparated > 0 {
        line += &format!("; {} cannot be told from the next", count(file.unseparated, "record"));
    }
    line + "\n"
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
    let position = match evidence.shift {
        Some(shift) => format!("{}, {shift}", shift.form.name()),
        None => evidence.position.map_or("different", PositionForm::name).to_owned(),
    };
    format!(
        "position {position}; first {} of {keeper} and {other} in common; White {}; Black {}; date {}; round {}; event {}; address {}; result {}",
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
