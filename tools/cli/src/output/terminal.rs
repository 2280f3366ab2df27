//! Buffered standard output with optional colours, and a progress bar on standard error that never mixes with it.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstream::ColorChoice;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pdn_app::{AppError, Context, Events};

use super::error;
use super::exit::print_error;
use super::interrupt;
use crate::args::ColorMode;

/// Standard output and the progress bar.
pub(crate) struct Output {
    stdout: io::Stdout,
    buffer: Vec<u8>,
    coloured: bool,
    bar: ProgressBar,
    /// `true` if everything stays in the buffer.
    is_memory: bool,
    /// `true` if text is discarded once nobody reads standard output any more, instead of an error.
    discards_unread: bool,
}

/// Size in bytes of the smallest input that gets a progress bar; smaller inputs are read in a moment.
const MIN_PROGRESS_BYTES: u64 = 16 << 20;
/// Size of the output buffer in bytes.
const BUFFER_BYTES: usize = 64 << 10;
/// Longest line in bytes that is written as a whole.
const MAX_LINE_BYTES: usize = 4 << 20;

impl Output {
    /// Creates a writer to standard output with an empty buffer and no progress bar.
    pub(crate) fn new(color: ColorMode) -> Self {
        let stdout = io::stdout();
        let coloured = match color {
            ColorMode::Always => true,
            ColorMode::Never => false,
            ColorMode::Auto => anstream::AutoStream::choice(&stdout) != ColorChoice::Never,
        };
        Self {
            stdout,
            buffer: Vec::with_capacity(BUFFER_BYTES),
            coloured,
            bar: ProgressBar::hidden(),
            is_memory: false,
            discards_unread: false,
        }
    }

    /// Creates a writer that keeps everything in memory, without colours and progress bar.
    pub(crate) fn in_memory() -> Self {
        Self { is_memory: true, ..Self::new(ColorMode::Never) }
    }

    /// Returns `true` if everything stays in memory: a program reads the output, and no person waits for it.
    pub(crate) fn is_memory(&self) -> bool {
        self.is_memory
    }

    /// From here on, discards the text after the reader of standard output has closed it, as in `pdn dedup ... | head`,
    /// instead of returning an error that would end the command. For commands that also write files, which the user asked for.
    pub(crate) fn discard_unread(&mut self) {
        self.discards_unread = true;
    }

    /// Returns what was written in memory.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.buffer
    }

    /// Returns `true` if output is to be coloured.
    pub(crate) fn coloured(&self) -> bool {
        self.coloured
    }

    /// Returns the width of the terminal in columns, 120 if standard output is not a terminal.
    pub(crate) fn width(&self) -> usize {
        self.terminal_width().unwrap_or(120)
    }

    /// Returns the width of the terminal in columns; `None` if standard output is not a terminal.
    pub(crate) fn terminal_width(&self) -> Option<usize> {
        (!self.is_memory && self.stdout.is_terminal()).then(terminal_width)
    }

    /// Shows a progress bar if standard error is a terminal. `total` is the number of bytes, `None` if it is unknown;
    /// the bar shows the remaining time only if it is known.
    pub(crate) fn start_progress(&mut self, total: Option<u64>) {
        if self.is_memory
            || !io::stderr().is_terminal()
            || total.is_some_and(|total| total < MIN_PROGRESS_BYTES)
        {
            return;
        }
        let template = match total {
            Some(_) => "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {msg} ETA {eta}",
            None => "{spinner} {bytes} {bytes_per_sec} {msg}",
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr_with_hz(10);
        self.bar = ProgressBar::with_draw_target(total, target).with_style(style);
    }

    /// Shows that `done` of `total` steps are done, if standard error is a terminal.
    pub(crate) fn show_count(&mut self, done: u64, total: u64) {
        if self.bar.is_hidden() && io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{wide_bar} {percent} % ETA {eta}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let target = ProgressDrawTarget::stderr_with_hz(10);
            self.bar = ProgressBar::with_draw_target(Some(total), target).with_style(style);
        }
        self.bar.set_position(done);
    }

    /// Moves the progress bar to this number of bytes.
    pub(crate) fn set_progress(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Shows a message next to the progress bar, if there is one.
    pub(crate) fn set_progress_message(&self, message: &str) {
        if !self.bar.is_hidden() {
            self.bar.set_message(message.to_owned());
        }
    }

    /// Removes the progress bar.
    pub(crate) fn end_progress(&mut self) {
        self.bar.finish_and_clear();
        self.bar = ProgressBar::hidden();
    }

    /// Prints a message to standard error without disturbing the progress bar.
    pub(crate) fn print_error(&self, message: &str) {
        self.bar.suspend(|| print_error(message));
    }

    /// Removes the progress bar and writes the rest of the buffer.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.end_progress();
        self.flush()
    }
}

/// Shows problems and notes on standard error, progress as a bar, and leaves temporary files to the handler of signals.
impl Events for Output {
    fn problem(&mut self, problem: &AppError) {
        self.bar.suspend(|| error::print(problem));
    }

    fn note(&mut self, note: &str) {
        if !self.is_memory {
            self.print_error(&super::sanitize::text(note));
        }
    }

    fn begin(&mut self, total: Option<u64>) {
        self.start_progress(total);
    }

    fn progress(&mut self, done: u64, what: &str) {
        self.set_progress(done);
        self.set_progress_message(what);
    }

    fn end(&mut self) {
        self.end_progress();
    }

    fn temporary(&mut self, path: &Path) {
        interrupt::install_handler_for(path);
    }

    fn settled(&mut self) {
        interrupt::end_at_once();
    }
}

impl Output {
    /// Returns the context of a question: the handle that stops this command, and this output.
    pub(crate) fn context(&mut self) -> Context<'_> {
        Context::new(&interrupt::handle(), self)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_BYTES && !self.is_memory {
            // Whole lines only: if the process ends before the rest, its output ends with a line.
            if let Some(last) = memchr::memrchr(b'\n', &self.buffer) {
                self.write_buffer(last + 1)?;
            } else if self.buffer.len() >= MAX_LINE_BYTES {
                self.flush()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_memory {
            return Ok(());
        }
        self.write_buffer(self.buffer.len())
    }
}

impl Output {
    /// Writes the first `len` bytes of the buffer.
    fn write_buffer(&mut self, len: usize) -> io::Result<()> {
        let Self { stdout, buffer, bar, .. } = self;
        let written = bar.suspend(|| stdout.write_all(&buffer[..len]).and_then(|()| stdout.flush()));
        buffer.drain(..len);
        match written {
            Err(error) if self.discards_unread && error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }
}

/// Returns the width of the terminal in columns: 80 if it does not report one, at least 40.
fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).max(40)
}
