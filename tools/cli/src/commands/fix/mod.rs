//! `pdn fix`: repairs damaged games where a replay proves the repair.

mod report;
mod undo;
mod write;

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::archive::{Batch, GameRef};
use pdn::diag::Code;
use pdn::edit::{NameEdits, TextEdit, TextEdits, UnifiedDiff, name_edits};
use pdn::fix::{self, Applicability, Fixer, Repair};
use pdn::names::NameMap;
use pdn::replay::ReplayOptions;
use pdn::source::{Encoding, LineCounter};
use pdn::span::LineColumn;
use pdn::stop::Stop;

use self::report::{Counts, LocatedNames, LocatedRepair};
use self::write::FileWriter;
use crate::args::FixArgs;
use crate::input::name_map;
use crate::output::exit::print_error;
use crate::output::{CommandError, CommandResult, Exit, Output, interrupt, sanitize};
use pdn_app::Context;
use pdn_app::inputs::{self, BatchConsumer, BatchWork};

/// Runs `pdn fix`.
pub(crate) fn run(args: &FixArgs, out: &mut Output) -> CommandResult {
    if let Some(journal) = &args.undo {
        return undo::run(journal);
    }
    for prefix in args.select.iter().chain(&args.ignore) {
        let is_known = is_names(prefix) || Code::ALL.iter().any(|code| has_prefix(*code, prefix));
        if !is_known {
            print_error(&format!("`{prefix}` begins no diagnostic code; `pdn explain` lists all codes"));
            return Ok(Exit::Failure);
        }
    }
    if args.write && args.format.is_json() && args.input.paths.iter().any(|path| path == Path::new("-")) {
        print_error("--json: the repairs and the repaired text cannot both go to standard output");
        return Ok(Exit::Failure);
    }
    let names = match args.names.as_deref().map(name_map::read).transpose() {
        Ok(names) => names.filter(|_| args.chooses_names()),
        Err(message) => {
            print_error(&message);
            return Ok(Exit::Failure);
        }
    };
    let options = ReplayOptions::new().game(args.variant);
    let work = FixWork { options, stop: interrupt::handle(), names, repairs: args.chooses_repairs() };
    let mut messages = out.messages();
    let mut consumer = FixConsumer {
        args,
        out,
        counts: Counts::default(),
        lines: LineCounter::new(),
        writer: None,
        diff: None,
        journals: Vec::new(),
        failed: false,
    };
    if args.write {
        interrupt::install_handler();
        consumer.out.discard_unread();
    }
    let processed = inputs::process(&args.input.read(), None, &work, &mut consumer, &mut messages.context());
    if interrupt::is_requested() {
        print_error("stopped; files that were not finished have their old text");
        return Ok(Exit::Interrupted);
    }
    let complete = processed?;
    let FixConsumer { counts, journals, failed, out, .. } = consumer;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&counts.json(&journals)))?;
    } else {
        print_error(&counts.text(args));
    }
    Ok(match (complete && !failed, counts.changes() > 0 && !args.write) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Negative,
        (true, false) => Exit::Success,
    })
}

/// Returns `true` if the code begins with `prefix`, in either case.
fn has_prefix(code: Code, prefix: &str) -> bool {
    let prefix = prefix.trim();
    code.id().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// The code of changes of names.
const NAMES: &str = "names";

/// Returns `true` if `--select` or `--ignore` means changes of names.
fn is_names(prefix: &str) -> bool {
    prefix.trim().eq_ignore_ascii_case(NAMES)
}

impl FixArgs {
    /// Returns `true` if `--select` and `--ignore` allow changes of names.
    fn chooses_names(&self) -> bool {
        let has = |prefixes: &[String]| prefixes.iter().any(|prefix| is_names(prefix));
        (self.select.is_empty() || has(&self.select)) && !has(&self.ignore)
    }

    /// Returns `true` unless `--select` chooses names only.
    fn chooses_repairs(&self) -> bool {
        self.select.is_empty() || !self.select.iter().all(|prefix| is_names(prefix))
    }
}

/// Finds the repairs of a batch, on many threads.
struct FixWork {
    options: ReplayOptions,
    stop: Stop,
    names: Option<NameMap>,
    /// Whether repairs are wanted, and not names only.
    repairs: bool,
}

/// What is changed in a game.
struct GameChanges {
    /// The index of the game in the batch.
    index: usize,
    repairs: Vec<Repair>,
    names: NameEdits,
}

impl BatchWork for FixWork {
    type Scratch = Fixer;
    /// The changes of each game that has any.
    type Product = Vec<GameChanges>;

    fn scratch(&self) -> Fixer {
        Fixer::new(self.options.clone())
    }

    fn work(&self, fixer: &mut Fixer, batch: &Batch) -> Self::Product {
        let changes = |(index, game): (usize, GameRef<'_>)| {
            let repairs = if self.repairs { fixer.find(game) } else { Vec::new() };
            let names =
                self.names.as_ref().map(|names| name_edits(game.view(), game.encoding().encoding, names));
            GameChanges { index, repairs, names: names.unwrap_or_default() }
        };
        let is_change = |changes: &GameChanges| {
            !changes.repairs.is_empty()
                || !changes.names.edits.is_empty()
                || !changes.names.refused.is_empty()
        };
        let games = batch.games().enumerate();
        // What is found after a request to stop is not used.
        let games = games.take_while(|_| !self.stop.is_requested());
        games.map(changes).filter(is_change).collect()
    }
}

/// Applies or prints the repairs, in the order of the text.
struct FixConsumer<'a> {
    args: &'a FixArgs,
    out: &'a mut Output,
    counts: Counts,
    lines: LineCounter,
    /// Replaces the current file.
    writer: Option<FileWriter>,
    /// The diff of the current file.
    diff: Option<UnifiedDiff<Vec<u8>>>,
    /// Those of the replaced files.
    journals: Vec<PathBuf>,
    failed: bool,
}

impl FixConsumer<'_> {
    /// Returns `true` if the options choose the repair.
    fn is_chosen(&self, repair: &Repair) -> bool {
        let selected = |prefixes: &[String]| prefixes.iter().any(|prefix| has_prefix(repair.code, prefix));
        let is_allowed = repair.applicability == Applicability::Safe
            || repair.applicability == Applicability::Unsafe && self.args.unsafe_repairs;
        is_allowed
            && (self.args.select.is_empty() || selected(&self.args.select))
            && !selected(&self.args.ignore)
    }

    /// Returns `true` if the current file is to be written and cannot be.
    fn is_refused(&self) -> bool {
        self.args.write && self.writer.is_none()
    }

    fn fail(&mut self, message: &str) {
        self.failed = true;
        print_error(message);
    }
}

impl BatchConsumer<Vec<GameChanges>> for FixConsumer<'_> {
    type Error = CommandError;

    fn begin_input(&mut self, name: &Path, _: &mut Context<'_>) -> CommandResult<()> {
        self.lines = LineCounter::new();
        self.counts.files += 1;
        if self.args.write {
            match FileWriter::begin(name) {
                Ok(writer) => self.writer = Some(writer),
                Err(message) => self.fail(&message),
            }
        } else if !self.args.format.is_json() {
            self.diff = Some(UnifiedDiff::new(Vec::new(), name));
        }
        Ok(())
    }

    fn batch(
        &mut self,
        batch: &Batch,
        product: Vec<GameChanges>,
        _: &mut Context<'_>,
    ) -> CommandResult<ControlFlow<()>> {
        let mut edits: Vec<(TextEdit, &'static str)> = Vec::new();
        let mut changed = product.into_iter().peekable();
        for (index, game) in batch.games().enumerate() {
            self.counts.games += 1;
            let (bytes, encoding) = (game.raw(), game.encoding().encoding);
            if let Some(changes) = changed.next_if(|changes| changes.index == index) {
                let repairs = changes.repairs;
                let chosen = fix::select(&repairs, |repair| self.is_chosen(repair));
                // A repair and a name may concern one tag; then the name is left for the next run.
                let overlaps = |edit: &&TextEdit| {
                    let mut repaired = chosen.iter().flat_map(|repair| &repair.edits);
                    repaired
                        .any(|other| other.range.start < edit.range.end && edit.range.start < other.range.end)
                };
                let names: Vec<TextEdit> =
                    changes.names.edits.as_slice().iter().filter(|edit| !overlaps(edit)).cloned().collect();
                self.counts.add(&repairs, &chosen, names.len());
                let offset = (game.offset() - batch.offset()) as usize;
                let applied: HashSet<*const Repair> =
                    chosen.iter().map(|repair| std::ptr::from_ref(*repair)).collect();
                let mut passed = (0, self.lines);
                for repair in &repairs {
                    let is_applied = !self.is_refused() && applied.contains(&std::ptr::from_ref(repair));
                    let located = LocatedRepair {
                        file: batch.name(),
                        record: game.number(),
                        game: &game,
                        offset: game.offset(),
                        start: self.start(&mut passed, bytes, repair, encoding),
                        repair,
                        is_applied,
                    };
                    if self.args.format.is_json() {
                        writeln!(self.out, "{}", located.json())?;
                    } else if !is_applied && !self.args.quiet {
                        print_error(&located.text());
                    }
                    if is_applied {
                        let shift = |edit: &TextEdit| {
                            let range = edit.range.start + offset..edit.range.end + offset;
                            (TextEdit::new(range, edit.new.clone()), repair.code.id())
                        };
                        edits.extend(repair.edits.iter().map(shift));
                    }
                }
                let left = changes.names.edits.as_slice().len() - names.len();
                self.names(batch.name(), &game, &names, left, &changes.names)?;
                let shift = |edit: TextEdit| {
                    let range = edit.range.start + offset..edit.range.end + offset;
                    (TextEdit { range, ..edit }, NAMES)
                };
                edits.extend(names.into_iter().map(shift));
            }
            self.lines.pass(bytes, encoding);
        }
        edits.sort_by_key(|(edit, _)| (edit.range.start, edit.range.end));
        if let Some(diff) = &mut self.diff {
            let edits = TextEdits::new(edits.iter().map(|(edit, _)| edit.clone()).collect());
            diff.piece(batch.bytes(), &edits.unwrap_or_default().apply(batch.bytes()))?;
            self.out.write_all(diff.get_mut())?;
            diff.get_mut().clear();
        }
        if let Some(writer) = &mut self.writer
            && let Err(message) = writer.add(batch, edits, self.out)?
        {
            // What was written so far is removed, and the other files are repaired.
            self.writer = None;
            self.fail(&message);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end_input(&mut self, _: &Path, _: &mut Context<'_>) -> CommandResult<()> {
        if let Some(diff) = self.diff.take() {
            self.out.write_all(&diff.finish()?)?;
        }
        let mut is_kept = self.is_refused();
        if let Some(writer) = self.writer.take() {
            match writer.finish() {
                Ok(Some(journal)) => {
                    self.counts.changed += 1;
                    self.journals.push(journal);
                }
                Ok(None) => {}
                Err(message) => {
                    is_kept = true;
                    self.fail(&message);
                }
            }
        }
        self.counts.end_file(is_kept);
        Ok(())
    }
}

impl FixConsumer<'_> {
    /// Prints the changes of names of a game as JSON, and what could not be changed.
    fn names(
        &mut self,
        file: &Path,
        game: &GameRef<'_>,
        names: &[TextEdit],
        left: usize,
        found: &NameEdits,
    ) -> io::Result<()> {
        let start = |at: usize| self.lines.position_after(&game.raw()[..at], game.encoding().encoding);
        if self.args.format.is_json() {
            for edit in names {
                let located = LocatedNames { file, game, start: start(edit.range.start), edit };
                writeln!(self.out, "{}", located.json())?;
            }
        }
        let place = |start: LineColumn| format!("{}:{start}", sanitize::path(file));
        if left > 0 {
            let message = "a repair changes the same tag; run the command again to change its name";
            print_error(&format!("{}: {message}", place(start(0))));
        }
        let refused =
            found.refused.iter().map(|error| format!("{}: the name stays: {error}", place(start(0))));
        let damage = found.damage.iter().map(|error| format!("{}: the names stay: {error}", place(start(0))));
        let messages: Vec<String> = refused.chain(damage).collect();
        messages.iter().for_each(|message| self.fail(message));
        Ok(())
    }

    /// Returns the line and column of the first byte that a repair changes. `passed` is a place of the record that was counted
    /// before, with its counter: most repairs follow each other in text order.
    fn start(
        &self,
        passed: &mut (usize, LineCounter),
        record: &[u8],
        repair: &Repair,
        encoding: Encoding,
    ) -> LineColumn {
        let at = repair.edits.first().map_or(0, |edit| edit.range.start).min(record.len());
        if at < passed.0 {
            *passed = (0, self.lines);
        }
        passed.1.pass(&record[passed.0..at], encoding);
        passed.0 = at;
        passed.1.position()
    }
}
