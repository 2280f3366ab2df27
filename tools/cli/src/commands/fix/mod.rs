//! `pdn fix`: repairs damaged games where a replay proves the repair.

mod report;
mod undo;
mod write;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use pdn::archive::Batch;
use pdn::diag::Code;
use pdn::edit::{TextEdit, TextEdits, UnifiedDiff};
use pdn::fix::{self, Applicability, Fixer, Repair};
use pdn::replay::ReplayOptions;
use pdn::source::{Encoding, LineCounter};

use self::report::{Counts, LocatedRepair};
use self::write::FileWriter;
use crate::args::FixArgs;
use crate::input::files::{self, BatchConsumer, BatchWork};
use crate::input::head::InputHead;
use crate::output::exit::print_error;
use crate::output::{Exit, Output, interrupt};

/// Runs `pdn fix`.
pub(crate) fn run(args: &FixArgs, out: &mut Output) -> io::Result<Exit> {
    if let Some(journal) = &args.undo {
        return undo::run(journal);
    }
    for prefix in args.select.iter().chain(&args.ignore) {
        if !Code::ALL.iter().any(|code| has_prefix(*code, prefix)) {
            print_error(&format!("`{prefix}` begins no diagnostic code; `pdn explain` lists all codes"));
            return Ok(Exit::Failure);
        }
    }
    let work = FixWork { options: ReplayOptions::new().game(args.variant), writes: args.write };
    let mut consumer = FixConsumer {
        args,
        counts: Counts::default(),
        lines: LineCounter::new(),
        writer: None,
        diff: None,
        failed: false,
    };
    if args.write {
        interrupt::install_handler();
    }
    let processed = files::process(&args.input, &work, &mut consumer, out);
    if interrupt::is_requested() {
        print_error("stopped; files that were not finished have their old text");
        return Ok(Exit::Interrupted);
    }
    let complete = processed?;
    let FixConsumer { counts, failed, .. } = consumer;
    if args.format.is_json() {
        writeln!(out, "{}", counts.json())?;
    } else {
        print_error(&counts.text(args));
    }
    Ok(match (complete && !failed, counts.applied > 0 && !args.write) {
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

/// Finds the repairs of a batch, on many threads.
struct FixWork {
    options: ReplayOptions,
    /// Files are replaced.
    writes: bool,
}

/// A fixer and the head whose prior it uses.
struct FixScratch {
    fixer: Fixer,
    head: Option<Arc<InputHead>>,
}

impl BatchWork for FixWork {
    type Scratch = FixScratch;
    /// The repairs of each game that has any, with the index of the game in the batch.
    type Product = Vec<(usize, Vec<Repair>)>;

    fn scratch(&self) -> FixScratch {
        FixScratch { fixer: Fixer::new(self.options.clone()), head: None }
    }

    fn work(&self, scratch: &mut FixScratch, batch: &Batch, head: &Arc<InputHead>) -> Self::Product {
        if !scratch.head.as_ref().is_some_and(|known| Arc::ptr_eq(known, head)) {
            scratch.fixer.set_prior(head.prior(&self.options).clone());
            scratch.head = Some(Arc::clone(head));
        }
        let games = batch.games().enumerate();
        games
            // What is found after a request to stop is not used.
            .take_while(|_| !self.writes || !interrupt::is_requested())
            .map(|(index, game)| (index, scratch.fixer.find(game.view())))
            .filter(|(_, repairs)| !repairs.is_empty())
            .collect()
    }
}

/// Applies or prints the repairs, in the order of the text.
struct FixConsumer<'a> {
    args: &'a FixArgs,
    counts: Counts,
    lines: LineCounter,
    /// Replaces the current file.
    writer: Option<FileWriter>,
    /// The diff of the current file.
    diff: Option<UnifiedDiff<Vec<u8>>>,
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

    fn fail(&mut self, message: &str) {
        self.failed = true;
        print_error(message);
    }
}

impl BatchConsumer<Vec<(usize, Vec<Repair>)>> for FixConsumer<'_> {
    fn begin_input(&mut self, name: &Path, _: &mut Output) -> io::Result<()> {
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
        product: Vec<(usize, Vec<Repair>)>,
        out: &mut Output,
    ) -> io::Result<()> {
        if self.args.write && interrupt::is_requested() {
            // What was written so far is removed.
            self.writer = None;
            return Err(io::ErrorKind::Interrupted.into());
        }
        let mut edits: Vec<(TextEdit, Code)> = Vec::new();
        let mut repaired = product.into_iter().peekable();
        for (index, game) in batch.games().enumerate() {
            self.counts.games += 1;
            let (bytes, encoding) = (game.raw(), game.encoding().encoding);
            if let Some((_, repairs)) = repaired.next_if(|(game, _)| *game == index) {
                let chosen = fix::select(&repairs, |repair| self.is_chosen(repair));
                self.counts.add(&repairs, &chosen);
                let offset = (game.offset() - batch.offset()) as usize;
                for repair in &repairs {
                    let is_applied = chosen.iter().any(|other| std::ptr::eq(*other, repair));
                    let located = LocatedRepair {
                        file: batch.name(),
                        record: game.number(),
                        game: &game,
                        offset: game.offset(),
                        start: self.start(bytes, repair, encoding),
                        repair,
                        is_applied,
                    };
                    if self.args.format.is_json() {
                        writeln!(out, "{}", located.json())?;
                    } else if !is_applied && !self.args.quiet {
                        print_error(&located.text());
                    }
                    if is_applied {
                        let shift = |edit: &TextEdit| {
                            let range = edit.range.start + offset..edit.range.end + offset;
                            (TextEdit::new(range, edit.new.clone()), repair.code)
                        };
                        edits.extend(repair.edits.iter().map(shift));
                    }
                }
            }
            self.lines.pass(bytes, encoding);
        }
        edits.sort_by_key(|(edit, _)| (edit.range.start, edit.range.end));
        if let Some(diff) = &mut self.diff {
            let edits = TextEdits::new(edits.iter().map(|(edit, _)| edit.clone()).collect());
            diff.piece(batch.bytes(), &edits.unwrap_or_default().apply(batch.bytes()))?;
            out.write_all(diff.get_mut())?;
            diff.get_mut().clear();
        }
        if let Some(writer) = &mut self.writer
            && let Err(message) = writer.add(batch, edits, out)?
        {
            // What was written so far is removed, and the other files are repaired.
            self.writer = None;
            self.fail(&message);
        }
        Ok(())
    }

    fn end_input(&mut self, _: &Path, out: &mut Output) -> io::Result<()> {
        if let Some(diff) = self.diff.take() {
            out.write_all(&diff.finish()?)?;
        }
        if let Some(writer) = self.writer.take() {
            match writer.finish() {
                Ok(true) => self.counts.changed += 1,
                Ok(false) => {}
                Err(message) => self.fail(&message),
            }
        }
        Ok(())
    }
}

impl FixConsumer<'_> {
    /// Returns the line and column of the first byte that a repair changes.
    fn start(&self, record: &[u8], repair: &Repair, encoding: Encoding) -> pdn::span::LineColumn {
        let at = repair.edits.first().map_or(0, |edit| edit.range.start);
        self.lines.position_after(&record[..at.min(record.len())], encoding)
    }
}
