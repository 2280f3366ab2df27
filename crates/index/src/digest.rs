//! A number for the format of an index: programs with different numbers may not read the same files.

use super::format::columns::Section;
use super::format::section::VERSION;
use super::manifest::MANIFEST_VERSION;
use super::{book, extract, keys, openings};

/// A number that changes with the version of any file of an index, and with the sections of a segment.
///
/// No promise: for tools that have to be built from the same version of the format.
#[doc(hidden)]
pub const FORMAT_DIGEST: u64 = {
    let versions = [
        MANIFEST_VERSION,
        VERSION,
        keys::table::FORMAT.version,
        book::table::FORMAT.version,
        openings::table::FORMAT.version,
        extract::table::FORMAT.version,
    ];
    let (mut digest, mut at) = (0xcbf2_9ce4_8422_2325, 0);
    while at < versions.len() {
        digest = step(digest, versions[at] as u64);
        at += 1;
    }
    at = 0;
    while at < Section::ALL.len() {
        digest = step(digest, Section::ALL[at] as u64);
        digest = digest_with_text(digest, Section::ALL[at].name());
        at += 1;
    }
    digest
};

/// Adds a text and its end to a digest, as [`FORMAT_DIGEST`] is made.
#[doc(hidden)]
pub const fn digest_with_text(mut digest: u64, text: &str) -> u64 {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at < bytes.len() {
        digest = step(digest, bytes[at] as u64);
        at += 1;
    }
    step(digest, 0xff)
}

/// Adds a number: FNV-1a, with whole numbers in place of bytes.
const fn step(digest: u64, number: u64) -> u64 {
    (digest ^ number).wrapping_mul(0x0100_0000_01b3)
}
