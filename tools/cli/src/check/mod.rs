//! `pdn check`: every finding of every game, in one of four formats.

mod github;
mod human;
mod json;
mod sarif;

use std::io;
use std::path::Path;
use std::sync::Arc;

use pdn::archive::Batch;
use pdn::diag::{Code, Diagnostic};
use pdn::replay::{AnnotatedGame, Replayer};
use pdn::rules::Variant;
use pdn::source::{Encoding, LineCounter, Utf16Offsets, count_line_ends};
use pdn::span::LineColumn;
use pdn::split::Record;

use crate::args::{CheckArgs, Format};
use crate::exit::Exit;
use crate::head::Head;
use crate::input::{self, Consume, Work};
use crate::judge::{self, Judge, Wanted, know};
use crate::output::Output;
use crate::totals::Totals;
use crate::words::Words;

/// Runs the subcommand.
pub(crate) fn run(args: &CheckArgs, out: &mut Output) -> io::Result<Exit> {
    let format = args.format();
    let printer: Box<dyn Printer> = match format {
        Format::Human => Box::new(human::Human::default()),
        Format::Json => Box::new(json::Json),
        Format::Sarif => Box::new(sarif::Sarif::default()),
        Format::Github => Box::new(github::Github),
    };
    let most = args.max_findings.unwrap_or(if format == Format::Human { 5 } else { 0 });
    let wanted = Wanted::new(&args.replay, args.strict);
    let work = Search { wanted, keep: !args.quiet };
    let mut check = Check {
        printer,
        quiet: args.quiet,
        most: if most == 0 { u64::MAX } else { most },
        of_code: vec![0; Code::ALL.len()],
        lines: LineCounter::new(),
        totals: Totals { replayed: wanted.replay, ..Totals::default() },
        replayer: wanted.replay.then(|| Replayer::new(wanted.options())),
        head: None,
    };
    check.printer.begin(out)?;
    let complete = input::read(&args.input, &work, &mut check, out)?;
    check.printer.end(&check.totals, out)?;
    Ok(match (complete, check.totals.findings()) {
        (false, _) => Exit::Failed,
        (true, 0) => Exit::Done,
        (true, _) => Exit::Findings,
    })
}

/// Finds what there is to find, on many threads.
struct Search {
    wanted: Wanted,
    /// Findings are wanted themselves, not only their number.
    keep: bool,
}

/// What was found in a batch.
struct Found {
    totals: Totals,
    /// Number of the game in the batch, and what was found in it.
    findings: Vec<(usize, Diagnostic)>,
    head: Arc<Head>,
}

impl Work for Search {
    type Scratch = Judge;
    type Product = Found;

    fn scratch(&self) -> Judge {
        Judge::new(self.wanted)
    }

    fn work(&self, judge: &mut Judge, batch: &Batch, head: &Arc<Head>) -> Found {
        let mut found = Found { totals: Totals::default(), findings: Vec::new(), head: Arc::clone(head) };
        for (number, game) in batch.games().enumerate() {
            let judged = judge.judge(&game.view().record(), head);
            found.totals.add(&judged);
            if self.keep {
                found.findings.extend(judged.findings.iter().map(|finding| (number, *finding)));
            }
        }
        found
    }
}

/// A finding with everything that a format may want to say of it.
struct Finding<'a> {
    /// The input: a path, `-`, or `archive.zip/entry.pdn`.
    file: &'a Path,
    /// The way back to offsets in the file where the text was transcoded.
    offsets: Option<&'a Utf16Offsets>,
    /// Number of the game in its file, from 1.
    number: u64,
    game: &'a Record<'a>,
    /// Encoding of the game's text.
    encoding: Encoding,
    diagnostic: &'a Diagnostic,
    start: LineColumn,
    end: LineColumn,
    /// The game that it was replayed as, where that was asked for.
    variant: Option<Variant>,
    /// What is to be said beyond the title of the code.
    words: Words,
}

impl Finding<'_> {
    /// Offset of the first byte in the file.
    fn offset(&self) -> u64 {
        self.original(self.diagnostic.span.start)
    }

    fn original(&self, at: u32) -> u64 {
        let offset = self.game.offset + u64::from(at);
        self.offsets.map_or(offset, |offsets| offsets.original_offset(offset))
    }

    /// Length in bytes of the file.
    fn length(&self) -> u64 {
        self.original(self.diagnostic.span.end).saturating_sub(self.offset())
    }

    /// The line of the last byte that is no blank.
    fn last_line(&self) -> u64 {
        let bytes = self.diagnostic.span.of(self.game.bytes).trim_ascii_end();
        self.start.line + count_line_ends(bytes)
    }

    /// One line that says what was found.
    fn message(&self) -> String {
        let title = self.diagnostic.code.title();
        match self.words.line() {
            Some(detail) => format!("{title}: {detail}"),
            None => title.to_owned(),
        }
    }
}

/// A way to print findings.
trait Printer {
    fn begin(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    fn finding(&mut self, finding: &Finding<'_>, out: &mut Output) -> io::Result<()>;
    /// So many findings of a code in a file were not printed.
    fn omitted(&mut self, _file: &Path, _code: Code, _number: u64, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()>;
}

/// Prints what was found, in order.
struct Check {
    printer: Box<dyn Printer>,
    quiet: bool,
    /// Most findings of one code printed for one file.
    most: u64,
    /// Findings so far in this file, by code.
    of_code: Vec<u64>,
    /// Stands where the last batch ended.
    lines: LineCounter,
    totals: Totals,
    /// Replays games once more to explain what was found, and knows this head.
    replayer: Option<Replayer>,
    head: Option<Arc<Head>>,
}

impl Consume<Found> for Check {
    fn open(&mut self, _: &Path, _: &mut Output) -> io::Result<()> {
        self.of_code.fill(0);
        self.lines = LineCounter::new();
        Ok(())
    }

    fn batch(&mut self, batch: &Batch, found: Found, out: &mut Output) -> io::Result<()> {
        self.totals += found.totals;
        self.totals.bytes += batch.bytes().len() as u64;
        if self.quiet {
            return Ok(());
        }
        let bytes = batch.bytes();
        let mut passed = 0;
        // The game of the finding before, with its encoding, once it was asked for.
        let mut known: Option<(usize, Encoding)> = None;
        // The same as a tree.
        let mut tree: Option<(usize, AnnotatedGame<'_>)> = None;
        if let Some(replayer) = &mut self.replayer
            && !found.findings.is_empty()
        {
            know(replayer, &mut self.head, &found.head);
        }
        for (number, diagnostic) in &found.findings {
            let so_far = &mut self.of_code[diagnostic.code as usize];
            *so_far += 1;
            if *so_far > self.most {
                continue;
            }
            let Some(game) = batch.get(*number).map(|game| game.view().record()) else { continue };
            let encoding = match known {
                Some((last, encoding)) if last == *number => encoding,
                _ => batch.decoder().guess(game.bytes).encoding,
            };
            known = Some((*number, encoding));
            // Findings are in the order of the text, so every byte is passed once.
            let start = (game.offset - batch.offset()) as usize + diagnostic.span.start as usize;
            self.lines.pass(&bytes[passed..start], encoding);
            passed = start;
            let words = Words::of(game.bytes, diagnostic, || {
                let replayer = self.replayer.as_mut()?;
                if tree.as_ref().is_none_or(|(last, _)| last != number) {
                    tree = Some((*number, judge::tree(replayer, game.bytes)));
                }
                tree.as_ref().map(|(_, replayed)| replayed)
            });
            let finding = Finding {
                file: batch.name(),
                offsets: batch.offsets(),
                number: batch.first() + *number as u64 + 1,
                game: &game,
                encoding,
                diagnostic,
                start: self.lines.position(),
                end: self.lines.position_after(diagnostic.span.of(game.bytes), encoding),
                variant: tree.as_ref().filter(|(last, _)| last == number).map(|(_, all)| all.summary.variant),
                words,
            };
            self.printer.finding(&finding, out)?;
        }
        let encoding = known.map_or(Encoding::UTF_8, |(_, encoding)| encoding);
        self.lines.pass(&bytes[passed..], encoding);
        Ok(())
    }

    fn close(&mut self, name: &Path, out: &mut Output) -> io::Result<()> {
        self.totals.files += 1;
        for (code, number) in Code::ALL.iter().zip(&self.of_code) {
            if let Some(rest) = number.checked_sub(self.most)
                && rest > 0
            {
                self.printer.omitted(name, *code, rest, out)?;
            }
        }
        Ok(())
    }
}
