//! Changes the text of games: replaces parts, adds and removes tags, and copies every other byte.
//!
//! A [`GameEditor`] collects the changes of one record and encodes new text in the encoding of that record. It reads the edited
//! record back, and refuses changes that damaged text around them would swallow. Its result is a list of [`TextEdits`], which can
//! be shifted to the file and applied. With the feature `unstable`, they can be shown as a unified diff and written to a `Journal` that
//! undoes them; `FileReplacement` puts the new text in the place of a file, and `EditedFile` changes a file while it is read.
//!
//! ```
//! use pdn::ast::{Arena, TreeBuilder};
//! use pdn::edit::GameEditor;
//! use pdn::source::Encoding;
//!
//! let record = b"[White \"Sijbrand\"]\n\n1. 32-28 {why} 19-23 *\n";
//! let arena = Arena::new();
//! let tree = TreeBuilder::new().build(record, &arena);
//! let mut editor = GameEditor::new(tree, Encoding::UTF_8);
//! editor.set_tag("White", "Sijbrands")?;
//! editor.set_tag("Event", "Suikerdam")?;
//! let edits = editor.finish()?;
//! let edited = b"[White \"Sijbrands\"]\n[Event \"Suikerdam\"]\n\n1. 32-28 {why} 19-23 *\n";
//! assert_eq!(edits.apply(record), edited);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod text_edit;
mod read_back;
mod tag_edit;
#[cfg(feature = "index")]
mod name_edit;
mod utf8;
mod diff;
mod journal;
mod replacement;
mod edited_file;

pub use read_back::EditError;
pub use tag_edit::{GameEditor, Unencodable};
pub use text_edit::{OverlappingEdits, TextEdit, TextEdits};

unstable! {
    use diff::UnifiedDiff;
    use edited_file::{EditedFile, UndoneFile, undo_file};
    use journal::{Journal, JournalError, JournalErrorKind};
    #[cfg(feature = "index")]
    use name_edit::{NameEdits, name_edits};
    use replacement::{FileReplacement, FileState};
    use utf8::{Undecodable, to_utf8};
}
