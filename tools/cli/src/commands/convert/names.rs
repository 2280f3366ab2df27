//! Changes names while games are converted.

use std::sync::atomic::{AtomicU64, Ordering};

use pdn::convert::RecordEdit;
use pdn::edit::{TextEdits, name_edits};
use pdn::names::NameMap;
use pdn::source::Encoding;
use pdn::view::GameView;

/// Gives records the names of a map.
#[derive(Debug)]
pub(super) struct NameChanges {
    map: NameMap,
    /// Number of names that the encoding of their record cannot express.
    refused: AtomicU64,
}

impl NameChanges {
    /// Creates changes to the names of `map`.
    pub(super) fn new(map: NameMap) -> Self {
        Self { map, refused: AtomicU64::new(0) }
    }

    /// Returns the number of names that stayed as they are, because the encoding of their record lacks a letter of the new
    /// name.
    pub(super) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

impl RecordEdit for NameChanges {
    fn edits(&self, game: GameView<'_>, encoding: Encoding) -> TextEdits {
        let found = name_edits(game, encoding, &self.map);
        self.refused.fetch_add(found.refused.len() as u64, Ordering::Relaxed);
        found.edits
    }
}
