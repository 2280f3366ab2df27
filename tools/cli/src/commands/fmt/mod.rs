//! `pdn fmt`: rewrites archives in canonical form, in place, as a filter, or only to see what would change.
//!
//! Records are rewritten on many threads; a file is put together in order, and replaced when all of it is on disk.

mod formatted;
mod rewriter;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::archive::Archive;
use pdn::edit::{FileState, UnifiedDiff};
use pdn::source::{self, OpenOptions};
use pdn::{Error, pool};

use crate::args::FmtArgs;
use crate::input::plain_text;
use crate::output::exit::print_error;
use crate::output::{CommandResult, Exit, Output, interrupt, sanitize};
use formatted::{FormatWork, FormattedBatch};
use pdn_app::numbers::{Count, count};
use rewriter::{Destination, FileRewriter};

/// Runs `pdn fmt`.
pub(crate) fn run(args: &FmtArgs, out: &mut Output) -> CommandResult {
    let mut totals = Totals::default();
    if args.input.paths.iter().any(|path| path.as_os_str() == "-") {
        if args.input.paths.len() > 1 {
            print_error("`-` cannot be combined with files: its text goes to standard output");
            return Ok(Exit::Failure);
        }
        filter(args, &mut totals, out)?;
    } else {
        interrupt::install_handler();
        let mut found = 0;
        for path in source::walk(args.input.paths.iter().cloned()) {
            found += 1;
            match path {
                Ok(path) => format_file(args, &path, &mut totals, out)?,
                Err(error) => totals.failed(&error, out),
            }
            if interrupt::is_requested() {
                print_error("stopped; files that were not finished have their old text");
                return Ok(Exit::Interrupted);
            }
        }
        if found == 0 {
            totals.has_failed = true;
            out.print_error("no PDN file in the folders given");
        }
    }
    if !args.quiet {
        totals.print(args);
    }
    Ok(match (totals.has_failed, totals.changed_files) {
        (true, _) => Exit::Failure,
        (false, changed) if changed > 0 && (args.check || args.diff) => Exit::Negative,
        _ => Exit::Success,
    })
}

/// What happened to all files.
#[derive(Default)]
struct Totals {
    files: u64,
    changed_files: u64,
    records: u64,
    changed_records: u64,
    /// The records that stay as they are, by reason.
    kept: BTreeMap<&'static str, u64>,
    has_failed: bool,
}

impl Totals {
    fn failed(&mut self, error: &Error, out: &Output) {
        self.has_failed = true;
        out.print_error(&sanitize::text(&error.to_string()));
    }

    fn add(&mut self, rewriter: &FileRewriter) {
        self.files += 1;
        self.changed_files += u64::from(rewriter.has_changed());
        self.records += rewriter.records;
        self.changed_records += rewriter.changed_records;
        for (reason, count) in &rewriter.kept {
            *self.kept.entry(reason).or_default() += count;
        }
    }

    /// Prints the summary to standard error: standard output may be the text of a file.
    fn print(&self, args: &FmtArgs) {
        let done = if args.check || args.diff { "would change" } else { "rewritten" };
        let kept: u64 = self.kept.values().sum();
        let mut text = format!(
            "{}, {} {done}; {}, {} {done}",
            count(self.files, "file"),
            Count(self.changed_files),
            count(self.records, "game"),
            Count(self.changed_records),
        );
        if kept > 0 {
            text += &format!(", {} kept as they are:", Count(kept));
            let mut reasons: Vec<_> = self.kept.iter().collect();
            reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), **reason));
            for (reason, count) in reasons {
                text += &format!("\n{:>10}  {reason}", Count(*count).to_string());
            }
        }
        print_error(&text);
    }
}

/// Rewrites standard input to standard output.
fn filter(args: &FmtArgs, totals: &mut Totals, out: &mut Output) -> io::Result<()> {
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    if let Some(reason) = refusal(&text, args) {
        out.print_error(&format!("-: {reason}"));
        totals.has_failed = true;
        return Ok(());
    }
    let options = OpenOptions::new().encoding(args.input.encoding);
    let old = text.clone();
    let archive = Archive::from_bytes(text.into(), "-", &options);
    let destination =
        if args.diff { Destination::Diff(diff(Path::new("-"))) } else { Destination::Memory(Vec::new()) };
    let mut rewriter = FileRewriter::new(PathBuf::from("-"), destination, args.utf8);
    let result =
        archive.and_then(|archive| rewrite(args, archive, &mut rewriter)).and_then(|()| rewriter.finish());
    match result {
        // A filter always has output; it must not lose the text.
        Err(error) => {
            totals.failed(&error, out);
            if !args.check && !args.diff {
                out.write_all(&old)?;
            }
        }
        Ok(new) => {
            totals.add(&rewriter);
            if args.check {
                if rewriter.has_changed() {
                    writeln!(out, "-")?;
                }
            } else {
                out.write_all(&new)?;
            }
        }
    }
    Ok(())
}

/// Rewrites a file.
fn format_file(args: &FmtArgs, path: &Path, totals: &mut Totals, out: &mut Output) -> io::Result<()> {
    let result = (|| {
        let state = FileState::of(path)?;
        let mut head = Vec::new();
        std::fs::File::open(path)
            .and_then(|file| file.take(plain_text::HEAD).read_to_end(&mut head))
            .map_err(|error| Error::from(error).at(path))?;
        if let Some(reason) = refusal(&head, args) {
            return Err(Error::from(io::Error::new(io::ErrorKind::Unsupported, reason)).at(path));
        }
        let options = OpenOptions::new().map(args.input.mmap.into()).encoding(args.input.encoding);
        let destination = if args.diff {
            Destination::Diff(diff(path))
        } else if args.check {
            Destination::Nowhere
        } else {
            Destination::File { state, replacement: None }
        };
        let mut rewriter = FileRewriter::new(path.to_owned(), destination, args.utf8);
        rewrite(args, Archive::open_with(path, &options)?, &mut rewriter)?;
        if interrupt::is_requested() {
            return Ok((rewriter, Vec::new()));
        }
        let text = rewriter.finish()?;
        // Without `--check` the file would be refused if its records could not be told apart any more.
        if args.check && rewriter.has_changed() && rewriter.has_kept() {
            let mut again = FileRewriter::new(path.to_owned(), Destination::Memory(Vec::new()), args.utf8);
            rewrite(args, Archive::open_with(path, &options)?, &mut again)?;
            again.finish()?;
        }
        Ok((rewriter, text))
    })();
    match result {
        Err(error) => totals.failed(&error, out),
        Ok((rewriter, text)) => {
            totals.add(&rewriter);
            if args.diff {
                out.write_all(&text)?;
            } else if args.check && rewriter.has_changed() {
                writeln!(out, "{}", sanitize::path(path))?;
            }
        }
    }
    Ok(())
}

fn diff(path: &Path) -> UnifiedDiff<Vec<u8>> {
    UnifiedDiff::new(Vec::new(), path)
}

/// Returns why a file that begins with `head` is not rewritten in place; `None` if it can be.
fn refusal(head: &[u8], args: &FmtArgs) -> Option<&'static str> {
    let is_utf16 = plain_text::is_utf16(head) && !args.utf8;
    plain_text::container(head).or(is_utf16.then_some("is in UTF-16; use `--utf8` to turn it into UTF-8"))
}

/// Rewrites the records of an archive on many threads and passes them to `rewriter` in order.
fn rewrite(args: &FmtArgs, archive: Archive, rewriter: &mut FileRewriter) -> pdn::Result<()> {
    let work = FormatWork::new(args);
    let mut result = Ok(());
    pool::ordered(
        archive.batches(),
        args.input.threads.unwrap_or_else(pool::default_threads),
        || work.writer(),
        |writer, batch| {
            let batch = batch?;
            if batch.begins_input() {
                source::require_text(batch.bytes()).map_err(|error| error.at(batch.name()))?;
            }
            Ok(FormattedBatch::of(&work, writer, batch))
        },
        |formatted: pdn::Result<FormattedBatch>| {
            result = formatted.and_then(|formatted| rewriter.batch(formatted));
            if result.is_err() || interrupt::is_requested() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    result
}
