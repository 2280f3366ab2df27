//! Stands in for other names of players, events and sites where the feature `index`, which compares names, is off.

use pdn::edit::{EditError, TextEdits, Unencodable};
use pdn::source::Encoding;
use pdn::view::GameView;

/// Other names, which nobody can give.
#[derive(Clone, Debug)]
pub enum NameMap {}

/// The changes of names in a record: none.
#[derive(Debug, Default)]
pub struct NameEdits {
    /// The changes.
    pub edits: TextEdits,
    /// The names that cannot be written.
    pub refused: Vec<Unencodable>,
    /// Why no name can be changed.
    pub damage: Option<EditError>,
}

/// Returns the changes of names in a record.
pub fn name_edits(_: GameView<'_>, _: Encoding, map: &NameMap) -> NameEdits {
    match *map {}
}
