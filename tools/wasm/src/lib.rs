//! The WebAssembly module of the npm package: answers questions about draughts games in a text held in memory. `pdn.js`, in the folder
//! above, is the host's side.
//!
//! A question is an object of JSON: its field `question` says which one, the others are its options, named as in Python. The host writes
//! the text, and the question after it, to [`input`], calls [`ask`], and reads the answer from [`output`]: again an object of JSON. Where
//! an answer has a long text or bytes of its own, they are in [`data`], outside of the JSON. What is wrong with a question is an
//! answer, too: the object of an error.
//!
//! The questions, their answers and their errors are those of the crate `pdn-app`; nothing is decided here.
//!
//! The module imports one function, which reports progress to the host. It uses no files, no clock and no random numbers.
#![expect(
    unsafe_code,
    reason = "an exported name may be defined once only, and an imported one is what the host makes it"
)]

mod fields;
mod host;
mod answer;
mod writing;
mod texts;
mod positions;
#[cfg(feature = "search")]
mod search;
mod questions;

use std::cell::RefCell;

pub use answer::Answer;
pub use questions::answer;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Answer> = const { RefCell::new(Answer::EMPTY) };
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "pdn")]
unsafe extern "C" {
    /// Reports to the host how many bytes of the text have been read.
    safe fn progress(bytes: f64);
}

/// Does nothing: only a WebAssembly module has a host.
#[cfg(not(target_family = "wasm"))]
fn progress(_: f64) {}

/// Makes room for a text and a question of `bytes` bytes together, and returns where the host writes them; null if there is no memory
/// for them. The next call of [`ask`] takes them.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    host::keep_panics();
    INPUT.with_borrow_mut(|input| {
        *input = Vec::new();
        if input.try_reserve_exact(bytes).is_err() {
            return std::ptr::null_mut();
        }
        input.resize(bytes, 0);
        input.as_mut_ptr()
    })
}

/// Answers the question that stands after the first `text_bytes` bytes of the input, about the text before it. Returns the length of the
/// answer in bytes; below zero, it is that of an error.
#[unsafe(no_mangle)]
pub extern "C" fn ask(text_bytes: usize) -> i32 {
    let mut text = INPUT.take();
    let question = text.split_off(text_bytes.min(text.len()));
    let (answer, sign) = match answer(&question, text) {
        Ok(answer) => (answer, 1),
        Err(error) => (Answer::error(&error), -1),
    };
    let len = i32::try_from(answer.json.len()).unwrap_or(0);
    ANSWER.set(answer);
    sign * len
}

/// Returns where the answer to the last question is. It stays there until the next call of [`ask`] or [`release`].
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.json.as_ptr())
}

/// Returns where the text or the bytes are that belong to the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn data() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.data.as_ptr())
}

/// Returns their length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn data_bytes() -> usize {
    ANSWER.with_borrow(|answer| answer.data.len())
}

/// Frees the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn release() {
    ANSWER.set(Answer::EMPTY);
}

/// Makes the message of a panic the answer, and returns its length in bytes; 0 if there was none. After a panic, this, [`output`] and
/// nothing else may be called.
#[unsafe(no_mangle)]
pub extern "C" fn panic_message() -> usize {
    let message = host::panic_message();
    let len = message.len();
    // Whatever held the answer when the module panicked is gone with it.
    ANSWER
        .try_with(|answer| {
            answer.try_borrow_mut().map_or(0, |mut answer| {
                answer.json = message.into_bytes();
                len
            })
        })
        .unwrap_or(0)
}
