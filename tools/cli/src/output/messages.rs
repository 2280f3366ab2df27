//! Messages and a progress bar on standard error, which never mix.

use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::rc::Rc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pdn_app::{AppError, Context, Events};

use super::exit::print_error;
use super::{error, interrupt, sanitize};

/// Size in bytes of the smallest input that gets a progress bar; smaller inputs are read in a moment.
const MIN_PROGRESS_BYTES: u64 = 16 << 20;

/// Standard error. All clones share one progress bar.
#[derive(Clone, Debug)]
pub(crate) struct Messages {
    bar: Rc<RefCell<ProgressBar>>,
    is_quiet: bool,
}

impl Messages {
    /// Creates messages without a progress bar. With `is_quiet`, only problems are shown.
    pub(crate) fn new(is_quiet: bool) -> Self {
        Self { bar: Rc::new(RefCell::new(ProgressBar::hidden())), is_quiet }
    }

    /// Returns `true` if only problems are shown.
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Returns the context of a question: the handle that stops this command, and these messages.
    pub(crate) fn context(&mut self) -> Context<'_> {
        Context::new(&interrupt::handle(), self)
    }

    /// Prints a message without disturbing the progress bar.
    pub(crate) fn print_error(&self, message: &str) {
        self.suspend(|| print_error(message));
    }

    /// Calls `work`, which may print, while the progress bar is hidden.
    pub(super) fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.borrow().suspend(work)
    }

    /// Shows a progress bar with this template.
    fn show(&self, total: Option<u64>, template: &str) {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr_with_hz(10);
        *self.bar.borrow_mut() = ProgressBar::with_draw_target(total, target).with_style(style);
    }
}

/// Shows problems and notes, progress as a bar, and leaves temporary files to the handler of signals.
impl Events for Messages {
    fn problem(&mut self, problem: &AppError) {
        self.suspend(|| error::print(problem));
    }

    fn note(&mut self, note: &str) {
        if !self.is_quiet {
            self.print_error(&sanitize::text(note));
        }
    }

    fn hint(&mut self, hint: &str) {
        self.note(hint);
    }

    /// Shows a bar with the remaining time if the total is known.
    fn begin(&mut self, total: Option<u64>) {
        if self.is_quiet
            || !io::stderr().is_terminal()
            || total.is_some_and(|total| total < MIN_PROGRESS_BYTES)
        {
            return;
        }
        let template = match total {
            Some(_) => "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {msg} ETA {eta}",
            None => "{spinner} {bytes} {bytes_per_sec} {msg}",
        };
        self.show(total, template);
    }

    fn progress(&mut self, done: u64, what: &str) {
        let bar = self.bar.borrow();
        bar.set_position(done);
        if !bar.is_hidden() {
            bar.set_message(sanitize::text(what).into_owned());
        }
    }

    fn steps(&mut self, done: u64, total: u64) {
        let is_hidden = self.bar.borrow().is_hidden();
        if is_hidden && !self.is_quiet && io::stderr().is_terminal() {
            self.show(Some(total), "{wide_bar} {percent} % ETA {eta}");
        }
        self.bar.borrow().set_position(done);
    }

    fn end(&mut self) {
        let bar = self.bar.replace(ProgressBar::hidden());
        bar.finish_and_clear();
    }

    fn unsettled(&mut self) {
        interrupt::install_handler();
    }

    fn temporary(&mut self, path: &Path) {
        interrupt::install_handler_for(path);
    }

    fn settled(&mut self) {
        interrupt::end_at_once();
    }
}
