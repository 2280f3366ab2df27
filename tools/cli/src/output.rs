//! Standard output: buffered, coloured where wanted, and out of the way of a progress bar.

use std::io::{self, IsTerminal, Write};

use anstream::ColorChoice;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Color;

/// Where results go.
pub(crate) struct Output {
    stdout: io::Stdout,
    buffer: Vec<u8>,
    coloured: bool,
    bar: ProgressBar,
}

/// So many bytes are read before anybody could look at a bar.
const SOON: u64 = 16 << 20;
/// Bytes gathered before they are written, unless somebody is watching.
const BUFFER: usize = 64 << 10;

impl Output {
    pub(crate) fn new(color: Color) -> Self {
        let stdout = io::stdout();
        let coloured = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => anstream::AutoStream::choice(&stdout) != ColorChoice::Never,
        };
        Self { stdout, buffer: Vec::with_capacity(BUFFER), coloured, bar: ProgressBar::hidden() }
    }

    /// Whether colours are wanted.
    pub(crate) fn coloured(&self) -> bool {
        self.coloured
    }

    /// Columns of the terminal, where there is one.
    pub(crate) fn width(&self) -> usize {
        if self.stdout.is_terminal() { console_width() } else { 120 }
    }

    /// Shows a bar with the time left over so many bytes, where it is known how many, if standard error is a
    /// terminal.
    pub(crate) fn progress(&mut self, total: Option<u64>) {
        if !io::stderr().is_terminal() || total.is_some_and(|total| total < SOON) {
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

    /// Moves the bar to so many bytes.
    pub(crate) fn at(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Says something beside the bar.
    pub(crate) fn say(&self, message: &str) {
        if !self.bar.is_hidden() {
            self.bar.set_message(message.to_owned());
        }
    }

    /// Takes the bar away.
    pub(crate) fn progress_done(&mut self) {
        self.bar.finish_and_clear();
        self.bar = ProgressBar::hidden();
    }

    /// Says something on standard error without tearing the bar.
    pub(crate) fn complain(&self, message: &str) {
        self.bar.suspend(|| crate::exit::complain(message));
    }

    /// Writes what is left.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.progress_done();
        self.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let Self { stdout, buffer, bar, .. } = self;
        let done = bar.suspend(|| stdout.write_all(buffer).and_then(|()| stdout.flush()));
        buffer.clear();
        done
    }
}

/// The width of the terminal; one that says nothing has eighty columns.
fn console_width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).max(40)
}
