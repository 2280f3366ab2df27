//! Collects messages instead of printing them, for a server that answers with them and for callers of a command.

use std::cell::RefCell;

/// A message that a command would print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Complaint {
    /// The option that it is about, such as `--query`.
    pub(crate) option: Option<String>,
    /// First byte and end of the wrong part of the option's value.
    pub(crate) span: Option<[usize; 2]>,
    pub(crate) message: String,
}

thread_local! {
    /// The messages of this thread since [`collect`] began; `None` while they are printed.
    static COLLECTED: RefCell<Option<Vec<Complaint>>> = const { RefCell::new(None) };
}

/// Calls `work` and returns its result with the messages that this thread would have printed. Messages of other threads are
/// printed as usual.
pub(crate) fn collect<T>(work: impl FnOnce() -> T) -> (T, Vec<Complaint>) {
    let before = COLLECTED.replace(Some(Vec::new()));
    let result = work();
    (result, COLLECTED.replace(before).unwrap_or_default())
}

/// Collects a message; returns `false` if it has to be printed.
pub(super) fn add(option: Option<&str>, span: Option<[usize; 2]>, message: &str) -> bool {
    COLLECTED.with_borrow_mut(|collected| {
        let Some(collected) = collected else { return false };
        collected.push(Complaint { option: option.map(str::to_owned), span, message: message.to_owned() });
        true
    })
}
