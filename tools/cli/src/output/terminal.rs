//! Buffered standard output with optional colours, and a progress bar on standard error that never mixes with it.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstream::ColorChoice;
use pdn_app::{AppError, Context, Events};

use super::interrupt;
use super::messages::Messages;
use crate::args::ColorMode;

/// Standard output and the progress bar.
pub(crate) struct Output {
    stdout: io::Stdout,
    buffer: Vec<u8>,
    coloured: bool,
    messages: Messages,
    /// `true` if text is discarded once nobody reads standard output any more, instead of an error.
    discards_unread: bool,
}

/// Size of the output buffer in bytes.
const BUFFER_BYTES: usize = 64 << 10;
/// Longest line in bytes that is written as a whole.
const MAX_LINE_BYTES: usize = 4 << 20;

impl Output {
    /// Creates a writer to standard output with an empty buffer and no progress bar. With `is_quiet`, notes and progress are left out.
    pub(crate) fn new(color: ColorMode, is_quiet: bool) -> Self {
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
            messages: Messages::new(is_quiet),
            discards_unread: false,
        }
    }

    /// From here on, discards the text after the reader of standard output has closed it, as in `pdn dedup ... | head`,
    /// instead of returning an error that would end the command. For commands that also write files, which the user asked for.
    pub(crate) fn discard_unread(&mut self) {
        self.discards_unread = true;
    }

    /// Returns `true` if nothing but results and errors is wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.messages.is_quiet()
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
        self.stdout.is_terminal().then(terminal_width)
    }

    /// Removes the progress bar and writes the rest of the buffer.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.end_progress();
        self.flush()
    }
}

/// As its [`Messages`] do.
impl Events for Output {
    fn problem(&mut self, problem: &AppError) {
        self.messages.problem(problem);
    }

    fn note(&mut self, note: &str) {
        self.messages.note(note);
    }

    fn hint(&mut self, hint: &str) {
        self.messages.hint(hint);
    }

    fn begin(&mut self, total: Option<u64>) {
        self.messages.begin(total);
    }

    fn progress(&mut self, done: u64, what: &str) {
        self.messages.progress(done, what);
    }

    fn steps(&mut self, done: u64, total: u64) {
        self.messages.steps(done, total);
    }

    fn end(&mut self) {
        self.messages.end();
    }

    fn unsettled(&mut self) {
        self.messages.unsettled();
    }

    fn temporary(&mut self, path: &Path) {
        self.messages.temporary(path);
    }

    fn settled(&mut self) {
        self.messages.settled();
    }
}

impl Output {
    /// Returns the context of a question: the handle that stops this command, and this output.
    pub(crate) fn context(&mut self) -> Context<'_> {
        Context::new(&interrupt::handle(), self)
    }

    /// Returns the way to standard error, which may be used while results are written.
    pub(crate) fn messages(&self) -> Messages {
        self.messages.clone()
    }

    /// Prints a message to standard error without disturbing the progress bar.
    pub(crate) fn print_error(&self, message: &str) {
        self.messages.print_error(message);
    }

    /// Removes the progress bar.
    pub(crate) fn end_progress(&mut self) {
        self.messages.end();
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_BYTES {
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
        self.write_buffer(self.buffer.len())
    }
}

impl Output {
    /// Writes the first `len` bytes of the buffer.
    fn write_buffer(&mut self, len: usize) -> io::Result<()> {
        let Self { stdout, buffer, messages, .. } = self;
        let written = messages.suspend(|| stdout.write_all(&buffer[..len]).and_then(|()| stdout.flush()));
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
