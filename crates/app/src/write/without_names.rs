//! Stands in for other names of players, events and sites where the feature `index`, which compares names, is off.

use pdn::internal::edit::ValueEdits;
use pdn::source::Encoding;
use pdn::view::RecordView;

/// Other names, which nobody can give.
#[derive(Clone, Debug)]
pub enum NameMap {}

/// Returns the changes of names in a record.
pub fn name_edits(_: RecordView<'_>, _: Encoding, map: &NameMap) -> ValueEdits {
    match *map {}
}
