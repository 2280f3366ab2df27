//! The border to the host of the WebAssembly module.
#![expect(
    unsafe_code,
    reason = "functions of the host are foreign, and an exported name may be defined once only"
)]

use std::cell::RefCell;
use std::io;
use std::ops::Range;

use pdn::message;
use pdn_explorer::{MODULE_MARK, Problem};
use pdn_index::internal::RangeSource;

use crate::{Explorer, packed};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Returns the length of a file in bytes; -1 if there is no such file.
    safe fn file_len(name: *const u8, name_len: usize) -> f64;
    /// Returns 1 if the host has a part of a file at hand, and 0 if it will fetch it before the question is asked again.
    safe fn expect(name: *const u8, name_len: usize, offset: f64, len: usize) -> u32;
    /// Writes bytes of a file to `into`, and returns their number; fewer than `len` if they cannot be read.
    fn read(name: *const u8, name_len: usize, offset: f64, into: *mut u8, len: usize) -> usize;
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EXPLORER: RefCell<Option<Explorer>> = const { RefCell::new(None) };
}

/// The files as the host reads them.
#[derive(Clone, Copy, Debug)]
struct Host;

impl RangeSource for Host {
    fn len(&self, file: &str) -> io::Result<Option<u64>> {
        let len = file_len(file.as_ptr(), file.len());
        Ok((len >= 0.0).then_some(len as u64))
    }

    fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> io::Result<()> {
        // SAFETY: The host writes at most `into.len()` bytes to `into`, during the call only.
        let read = unsafe { read(file.as_ptr(), file.len(), offset as f64, into.as_mut_ptr(), into.len()) };
        if read == into.len() { Ok(()) } else { Err(io::Error::other(format!("{file} cannot be read"))) }
    }

    fn expect(&self, file: &str, parts: &[Range<u64>]) -> io::Result<()> {
        let mut is_here = true;
        for part in parts {
            let len = (part.end - part.start) as usize;
            is_here &= expect(file.as_ptr(), file.len(), part.start as f64, len) != 0;
        }
        if is_here { Ok(()) } else { Err(io::ErrorKind::WouldBlock.into()) }
    }
}

/// Returns where the mark is by which the program that publishes an index knows its module.
#[unsafe(no_mangle)]
pub extern "C" fn mark() -> *const u8 {
    static MARK: [u8; MODULE_MARK.len()] = MODULE_MARK;
    MARK.as_ptr()
}

/// Makes room for a text of `bytes` bytes, and returns where the host writes it.
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

/// Opens the index, whose name in addresses the host has written, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    let opened = Explorer::open(Host, &text());
    keep(match opened {
        Ok(explorer) => {
            EXPLORER.set(Some(explorer));
            Vec::new()
        }
        Err(problem) => packed(Err(problem)),
    })
}

/// Answers the request of the address that the host has written, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let address = text();
    keep(EXPLORER.with_borrow(|explorer| match explorer {
        Some(explorer) => packed(explorer.answer(&address)),
        None => packed(Err(Problem::new(503, message!("no_index_open", "no index is open")))),
    }))
}

/// Returns the text that the host has written.
fn text() -> String {
    String::from_utf8_lossy(&INPUT.take()).into_owned()
}

/// Keeps the answer for the host, and returns its length.
fn keep(answer: Vec<u8>) -> usize {
    let len = answer.len();
    OUTPUT.set(answer);
    len
}
