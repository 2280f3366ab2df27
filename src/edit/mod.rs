//! Changes the text of games: replaces parts, adds and removes tags, and copies every other byte.
//!
//! A [`RecordEditor`] collects the changes of one record and encodes new text in the encoding of that record. It reads the edited
//! record back, and refuses changes that damaged text around them would swallow. Its result is a list of [`TextEdits`], which can
//! be shifted to the file and applied. An [`EditedFile`] changes a file of any size so, with a journal that [`undo_file`] takes back.
//!
//! ```
//! use pdn::ast::{Arena, TreeBuilder};
//! use pdn::edit::RecordEditor;
//! use pdn::source::Encoding;
//! use pdn::value::TagName;
//!
//! let record = b"[White \"Sijbrand\"]\n\n1. 32-28 {why} 19-23 *\n";
//! let arena = Arena::new();
//! let tree = TreeBuilder::new().build(record, &arena);
//! let mut editor = RecordEditor::new(tree, Encoding::UTF_8);
//! editor.set_tag(TagName::White, "Sijbrands")?;
//! editor.set_tag(TagName::Event, "Suikerdam")?;
//! let edits = editor.finish()?;
//! let edited = b"[White \"Sijbrands\"]\n[Event \"Suikerdam\"]\n\n1. 32-28 {why} 19-23 *\n";
//! assert_eq!(edits.apply(record), edited);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod text_edit;
mod read_back;
mod tag_edit;
pub(crate) mod value_edits;
pub(crate) mod utf8;
pub(crate) mod diff;
pub(crate) mod journal;
pub(crate) mod edited_file;

pub use edited_file::{EditedFile, UndoneFile, undo_file, undo_file_until};
pub use journal::{JournalError, JournalErrorKind};
pub use read_back::EditError;
pub use tag_edit::{RecordEditor, Unencodable};
pub(crate) use text_edit::OldOffsets;
pub use text_edit::{OverlappingEdits, TextEdit, TextEdits};
