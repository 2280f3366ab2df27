//! `pdn index`, `pdn merge` and `pdn verify`: an archive boiled down, and the proof that it still is what it was.
//!
//! All the work is the library's. A run that is stopped at any moment, by Ctrl-C too, leaves the index that was there:
//! the new one takes its place by a rename at the end.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pdn::archive::Archive;
use pdn::diag::Code;
use pdn::index::{
    self, ImportOptions, ImportProgress, ImportSummary, Index, IndexProblem, MergeReport, SegmentOptions,
    VerifyOptions,
};
use pdn::replay::GameStatus;
use pdn::source::{OpenOptions, is_stream, require_text, walk};
use pdn::{Error, pool};
use serde_json::{Map, Value, json};

use crate::args::{IndexArgs, MergeArgs, VerifyArgs};
use crate::clean;
use crate::exit::{Exit, complain};
use crate::output::Output;
use crate::positions;
use crate::stop;
use crate::totals::{count, size};

/// Runs `pdn index`.
pub(crate) fn build(args: &IndexArgs, out: &mut Output) -> io::Result<Exit> {
    let open = OpenOptions::new().map(args.input.mmap.into()).encoding(args.input.encoding);
    let files: Vec<PathBuf> = walk(args.input.paths.iter().cloned()).filter_map(Result::ok).collect();
    let mut problems = Vec::new();
    if !files.iter().any(|file| readable(file, &open).map_err(|error| problems.push(error)).is_ok()) {
        // An index that is there must not give way to an empty one.
        for problem in &problems {
            complain(&clean::clean(&problem.to_string()));
        }
        for path in args.input.paths.iter().filter(|path| !files.iter().any(|file| file.starts_with(path))) {
            let why = match path.metadata() {
                Ok(found) if found.is_dir() => "no PDN file in this folder".to_owned(),
                Ok(_) => "cannot be read".to_owned(),
                Err(error) => error.to_string(),
            };
            complain(&format!("{}: {why}", clean::path(path)));
        }
        return Ok(Exit::Failed);
    }
    let threads = args.input.threads.unwrap_or_else(pool::default_threads);
    let mut options = ImportOptions::default();
    options.threads = threads;
    options.open = open;
    options.replay.variant = args.variant;
    options.append = args.append;
    let mut layout = SegmentOptions::default();
    layout.embed = args.embed;
    options.segments = layout;

    let tables = args.positions || args.append && positions::there(&args.output);
    let endless = files.iter().any(|path| is_stream(path));
    let bytes = files.iter().map(|path| path.metadata().map_or(0, |found| found.len())).sum();
    out.progress((!endless).then_some(bytes));
    stop::listen();
    let start = Instant::now();
    let mut bar = Bar::default();
    let done = index::import_with(args.input.paths.iter().cloned(), &args.output, &options, |progress| {
        bar.show(progress, start.elapsed(), out);
        if stop::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    out.progress_done();
    let seconds = start.elapsed().as_secs_f64();
    let summary = match done {
        Ok(summary) => summary,
        Err(_) if stop::asked() => return Ok(stop::stopped(&args.output)),
        Err(error) => return Ok(failed(&error)),
    };
    for failure in &summary.failures {
        let (name, error) = (clean::path(&failure.name), failure.error.to_string());
        // Most errors name the file themselves.
        let named = failure.error.path().is_some();
        let message = if named { error } else { format!("{name}: {error}") };
        out.complain(&clean::clean(&message));
    }
    let made = Instant::now();
    let tables = match tables.then(|| positions::make(&args.output, threads, out)).transpose() {
        Ok(tables) => tables.map(|built| (built, made.elapsed().as_secs_f64())),
        Err(_) if stop::asked() => {
            complain("stopped; the games are indexed, without a table of positions");
            return Ok(Exit::Stopped);
        }
        Err(error) => return Ok(failed(&error)),
    };
    if args.json {
        let mut object = object(&summary, seconds, threads.get());
        if let (Some((built, seconds)), Value::Object(object)) = (tables, &mut object) {
            object.insert("positions".to_owned(), built.entries.into());
            object.insert("positions_bytes".to_owned(), built.bytes.into());
            object.insert("positions_seconds".to_owned(), seconds.into());
        }
        writeln!(out, "{}", clean::json(&object))?;
    } else {
        write!(out, "{}", sentences(&summary, seconds, threads.get(), &args.output))?;
        if let Some((built, seconds)) = tables {
            writeln!(
                out,
                "Table of positions: {} entries, {}, in {seconds:.2} s.",
                indicatif::HumanCount(built.entries),
                size(built.bytes)
            )?;
        }
    }
    Ok(if summary.failures.is_empty() { Exit::Done } else { Exit::Failed })
}

/// Whether something in the file is text; why not, if nothing is. An empty file is fine, and nobody asks a stream.
fn readable(file: &Path, open: &OpenOptions) -> pdn::Result<()> {
    if is_stream(file) {
        return Ok(());
    }
    let mut problem = None;
    for batch in Archive::open_with(file, open)?.batches() {
        let told = match batch {
            Ok(batch) if !batch.begins_input() => continue,
            Ok(batch) => require_text(batch.bytes()).map_err(|error| error.at(batch.name())),
            Err(error) => Err(error),
        };
        match told {
            Ok(()) => return Ok(()),
            Err(error) => problem = problem.or(Some(error)),
        }
    }
    problem.map_or(Ok(()), Err)
}

fn failed(error: &Error) -> Exit {
    complain(&clean::clean(&error.to_string()));
    Exit::Failed
}

/// How far all files together have come.
#[derive(Default)]
struct Bar {
    /// Bytes of the files before this one.
    before: u64,
    /// What was last heard: the bytes of a file that were read, and all of it.
    last: (u64, u64),
}

impl Bar {
    fn show(&mut self, progress: &ImportProgress<'_>, elapsed: Duration, out: &mut Output) {
        let total = progress.total.unwrap_or(0);
        if progress.read < self.last.0 || total != self.last.1 {
            self.before += self.last.1;
        }
        self.last = (progress.read, total);
        let rate = progress.games as f64 / elapsed.as_secs_f64().max(1e-3);
        out.at(self.before + progress.read);
        out.say(&format!("{} games, {} games/s", human(progress.games as f64), human(rate)));
    }
}

fn human(number: f64) -> String {
    indicatif::HumanCount(number as u64).to_string()
}

/// Games by status.
fn statuses(summary: &ImportSummary) -> impl Iterator<Item = (&'static str, u64)> {
    GameStatus::ALL.iter().map(|&status| (status.name(), summary.with_status(status)))
}

/// The keys of the contract, and more.
fn object(summary: &ImportSummary, seconds: f64, threads: usize) -> Value {
    let rate = |number: u64| number as f64 / seconds.max(1e-9);
    let mut object = Map::new();
    object.insert("games".to_owned(), summary.games.into());
    object.insert("plies".to_owned(), summary.plies.into());
    object.extend(statuses(summary).map(|(name, games)| (name.to_owned(), games.into())));
    let more = json!({
        "bytes": summary.bytes,
        "seconds": seconds,
        "games_per_second": rate(summary.games),
        "plies_per_second": rate(summary.plies),
        "mb_per_second": rate(summary.bytes) / 1e6,
        "threads": threads,
        "index_bytes": summary.index_bytes,
        "index_games": summary.index_games,
        "files": summary.files,
        "unchanged": summary.unchanged,
        "failed": summary.failures.iter().map(|failure| failure.name.to_string_lossy()).collect::<Vec<_>>(),
        "failures": summary.failures.iter().map(|failure| json!({
            "file": failure.name.to_string_lossy(),
            "error": failure.error.kind().to_string(),
        })).collect::<Vec<_>>(),
        "rejects": summary.rejects,
    });
    if let Value::Object(more) = more {
        object.extend(more);
    }
    Value::Object(object)
}

/// So many bytes of text and the size of the index says something.
const TELLING: u64 = 1 << 20;

/// The end summary: every game and byte accounted for.
fn sentences(summary: &ImportSummary, seconds: f64, threads: usize, dir: &Path) -> String {
    let kinds: Vec<_> = statuses(summary)
        .filter(|(_, games)| *games > 0)
        .map(|(name, games)| format!("{} {name}", indicatif::HumanCount(games)))
        .collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    let mut text = format!(
        "{} in {}, {}{kinds}.\n",
        count(summary.games, "game"),
        count(summary.files, "file"),
        size(summary.bytes)
    );
    if summary.unchanged > 0 {
        text += &format!("{} had not changed.\n", count(summary.unchanged, "file"));
    }
    if !summary.failures.is_empty() {
        let files = count(summary.failures.len() as u64, "file");
        text += &format!("{files} could not be read, or not to the end.\n");
    }
    let rate = |number: u64| number as f64 / seconds.max(1e-9);
    text += &format!(
        "{} plies in {seconds:.2} s on {}: {} games/s, {} plies/s, {:.1} MB/s.\n",
        indicatif::HumanCount(summary.plies),
        count(threads as u64, "thread"),
        human(rate(summary.games)),
        human(rate(summary.plies)),
        rate(summary.bytes) / 1e6,
    );
    let dir = clean::path(dir);
    let share = 100.0 * summary.index_bytes as f64 / summary.bytes.max(1) as f64;
    // Of a few games the tables around them are the most, which says nothing.
    let share = if summary.index_games == summary.games && summary.bytes >= TELLING {
        format!(", {share:.1} % of the text")
    } else {
        String::new()
    };
    text +=
        &format!("{dir} has {}, {}{share}.\n", count(summary.index_games, "game"), size(summary.index_bytes));
    text += &rejects(&summary.rejects, &dir);
    text
}

/// The records that were not replayed to their end, by code.
fn rejects(rejects: &BTreeMap<&'static str, u64>, dir: &str) -> String {
    if rejects.is_empty() {
        return String::new();
    }
    let mut text = format!("\nNot replayed to the end, listed in {dir}/rejects.jsonl:\n");
    for (id, games) in rejects {
        let title = Code::from_id(id).map_or("", Code::title);
        text += &format!("  {id} {:>9}  {title}\n", indicatif::HumanCount(*games).to_string());
    }
    text
}

/// Runs `pdn merge`.
pub(crate) fn merge(args: &MergeArgs, out: &mut Output) -> io::Result<Exit> {
    let tables = positions::there(&args.dir);
    let merged = match index::merge(&args.dir, SegmentOptions::default()) {
        Ok(merged) => merged,
        Err(error) => return Ok(failed(&error)),
    };
    if tables && let Err(error) = positions::make(&args.dir, pool::default_threads(), out) {
        return Ok(failed(&error));
    }
    let MergeReport { before, after, games, bytes, .. } = merged;
    if args.json {
        let value = json!({
            "dir": args.dir.to_string_lossy(),
            "segments_before": before,
            "segments": after,
            "games": games,
            "index_bytes": bytes,
        });
        writeln!(out, "{}", clean::json(&value))?;
    } else {
        let (dir, segments) = (clean::path(&args.dir), count(before as u64, "segment"));
        let (games, bytes) = (count(games, "game"), size(bytes));
        if before == after {
            writeln!(out, "{dir}: nothing to merge. {segments}, {games}, {bytes}.")?;
        } else {
            writeln!(out, "{dir}: {segments} made into {after}. {games}, {bytes}.")?;
        }
    }
    Ok(Exit::Done)
}

/// Runs `pdn verify`.
pub(crate) fn verify(args: &VerifyArgs, out: &mut Output) -> io::Result<Exit> {
    let what = if args.full { VerifyOptions::ALL } else { VerifyOptions::default() };
    let report = match index::verify(&args.dir, &what) {
        Ok(report) => report,
        Err(error) => return Ok(failed(&error)),
    };
    if args.json {
        let list = |findings: &[IndexProblem]| -> Value {
            let one = |found: &IndexProblem| json!({ "path": found.path.to_string_lossy(), "section": found.section, "problem": found.problem });
            findings.iter().map(one).collect()
        };
        let value = json!({
            "dir": args.dir.to_string_lossy(),
            "sound": report.is_sound(),
            "segments": report.segments,
            "games": report.games,
            "plies": report.plies,
            "bytes": report.bytes,
            "index": list(&report.problems),
            "archives": list(&report.archive_problems),
        });
        writeln!(out, "{}", clean::json(&value))?;
    } else {
        for found in report.problems.iter().chain(&report.archive_problems) {
            let section =
                if found.section.is_empty() { String::new() } else { format!(" ({})", found.section) };
            let problem = clean::clean(&found.problem);
            writeln!(out, "{}{section}: {problem}", clean::path(&found.path))?;
        }
        let verdict = match (report.problems.is_empty(), report.archive_problems.is_empty()) {
            (true, true) => "sound",
            (true, false) => "sound, but archives have changed",
            (false, _) => "damaged; index the archives again",
        };
        writeln!(
            out,
            "{}: {verdict}. {}, {}, {} plies replayed, {}.",
            clean::path(&args.dir),
            count(report.segments, "segment"),
            count(report.games, "game"),
            indicatif::HumanCount(report.plies),
            size(report.bytes),
        )?;
    }
    Ok(if report.is_sound() { Exit::Done } else { Exit::Findings })
}

/// A game of an index: where it came from, its bytes, and what it was replayed as.
pub(crate) struct Indexed {
    /// The text that it stands in.
    pub(crate) origin: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) kind: index::GameKind,
}

/// The game with this number in the index in a folder, from 1; where there is none, how many games there are.
pub(crate) fn game(dir: &Path, number: u64) -> pdn::Result<Result<Indexed, u64>> {
    let index = Index::open(dir)?;
    let Some(game) = number.checked_sub(1).and_then(|number| index.game(number)) else {
        return Ok(Err(index.len()));
    };
    Ok(Ok(Indexed { origin: game.input()?.name.clone(), bytes: game.text()?, kind: game.row()?.kind }))
}
