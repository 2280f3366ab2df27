//! A WebAssembly module that checks and converts draughts games in a text held in memory. `pdn.js`, in the folder above, calls it from
//! JavaScript.
//!
//! The host writes a text to [`input`], calls [`check`] or [`convert`], and reads the answer from [`output`]. The module asks its host for
//! nothing: no files, no clock, no random numbers.
#![expect(unsafe_code, reason = "an exported name may be defined once only; there is no unsafe block")]

use std::cell::RefCell;
use std::fmt::Write;

use pdn::archive::{Archive, GameLines};
use pdn::convert::{ConvertOptions, Converter};
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::report::RecordReporter;
use pdn::source::{Bytes, OpenOptions};

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a text of `bytes` bytes, and returns where the host writes it. The next call of [`check`] or [`convert`] takes the text.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes, 0);
        input.as_mut_ptr()
    })
}

/// Returns where the answer to the last call is. It stays there until the next one.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Checks the text as `pdn check --json` does, and returns the length of the answer in bytes: a line of JSON for each diagnostic in the
/// order of the text, then one with the number of games, plies and legal games.
#[unsafe(no_mangle)]
pub extern "C" fn check() -> usize {
    answer(check_text)
}

/// Converts the text as `pdn convert` does without options, and returns the length of the answer in bytes. Games that cannot be written
/// are left out.
#[unsafe(no_mangle)]
pub extern "C" fn convert() -> usize {
    answer(convert_text)
}

/// Passes the input to a question and keeps the answer.
fn answer(question: impl FnOnce(Vec<u8>) -> pdn::Result<Vec<u8>>) -> usize {
    let text = INPUT.take();
    // A text in memory fails to open only if it is beyond all limits; the host sees an empty answer.
    let answer = question(text).unwrap_or_default();
    let len = answer.len();
    OUTPUT.set(answer);
    len
}

/// Checks every game of a text; see [`check`].
///
/// ```
/// let answer = pdn_wasm::check_text(b"[GameType \"20\"]\n1. 32-28 28-23 *\n".to_vec())?;
/// let answer = String::from_utf8_lossy(&answer);
/// assert!(answer.starts_with("{\"record\":1,\"offset\":0,\"line\":2,\"column\":10,\"at\":25,\"span\":5,\"code\":\"R001\""), "{answer}");
/// assert!(answer.ends_with("{\"games\":1,\"plies\":1,\"legal\":0}\n"), "{answer}");
/// # Ok::<(), pdn::Error>(())
/// ```
///
/// # Errors
/// The text is beyond the limits of inputs.
pub fn check_text(text: Vec<u8>) -> pdn::Result<Vec<u8>> {
    let mut replayer = Replayer::new(&ReplayOptions::default());
    let (mut reporter, mut lines) = (RecordReporter::default(), GameLines::new());
    let (mut answer, mut games, mut plies, mut legal) = (String::new(), 0, 0, 0);
    for game in Archive::from_bytes(Bytes::from(text), "text", &OpenOptions::new())? {
        let game = game?;
        let mut lines = lines.pass(&game);
        let summary = replayer.summary(&game);
        games += 1;
        plies += u64::from(summary.plies);
        legal += u64::from(summary.status == GameStatus::Legal);
        for found in reporter.report(&game, Some((&mut replayer, &summary))).diagnostics {
            let at = lines.at(found.span.start);
            let _ = writeln!(
                answer,
                "{{\"record\":{},\"offset\":{},\"line\":{},\"column\":{},\"at\":{},\"span\":{},\"code\":\"{}\",\"severity\":\"{}\",\
                 \"title\":\"{}\"}}",
                game.number(),
                game.offset(),
                at.line,
                at.column,
                game.offset() + u64::from(found.span.start),
                found.span.len(),
                found.code,
                found.severity,
                found.code.title(),
            );
        }
    }
    let _ = writeln!(answer, "{{\"games\":{games},\"plies\":{plies},\"legal\":{legal}}}");
    Ok(answer.into_bytes())
}

/// Converts every game of a text; see [`convert`].
///
/// ```
/// let answer = pdn_wasm::convert_text(b"[White \"Ames\"]\n1.32-28 *\n\n1.99-98 *\n".to_vec())?;
/// assert_eq!(answer, b"[White \"Ames\"]\n[GameType \"20,W,10,10,N2,0\"]\n\n1. 32-28 *\n");
/// # Ok::<(), pdn::Error>(())
/// ```
///
/// # Errors
/// The text is beyond the limits of inputs.
pub fn convert_text(text: Vec<u8>) -> pdn::Result<Vec<u8>> {
    let mut converter = Converter::new(&ConvertOptions::new());
    let mut answer = Vec::new();
    for batch in Archive::from_bytes(Bytes::from(text), "text", &OpenOptions::new())?.batches() {
        let batch = batch?;
        for game in batch.games() {
            let start = answer.len();
            if start > 0 {
                answer.push(b'\n');
            }
            if converter.convert(game, batch.decoder(), &mut answer).is_err() {
                answer.truncate(start);
            }
        }
    }
    Ok(answer)
}
