//! Builds a syntax tree of a record: tags, moves, comments, variations and all other parts, each with its span.
//!
//! A tree is one slice of 8-byte nodes in an [`Arena`] of the caller, in text order; the parts of a variation follow the
//! variation. Nodes store spans, not text. The text stays in the record, and details such as the name of a regular tag or
//! the number of a move are read from it on request. Nodes have no destructor, so resetting the arena frees any number of
//! trees at once.
//!
//! A tree prints back the exact bytes of its record: see [`SyntaxTree::print`]. A [`RecordEditor`](crate::edit::RecordEditor) changes any part.
//!
//! ```
//! use pdn::ast::{Arena, Part, TreeBuilder};
//!
//! let mut builder = TreeBuilder::new();
//! let mut arena = Arena::new();
//! for game in pdn::split::records(b"[White \"a\"] 1. 32-28 (1. 33-28 {better}) 19-23 *") {
//!     let tree = builder.build(game.bytes, &arena);
//!     assert_eq!(tree.tags().count(), 1);
//!     assert_eq!(tree.moves().map(|mv| mv.text).collect::<Vec<_>>(), [b"32-28", b"19-23"]);
//!     let variation = tree.parts().find_map(|part| match part {
//!         Part::Variation(variation) => Some(variation),
//!         _ => None,
//!     });
//!     assert_eq!(variation.unwrap().parts().count(), 3);
//!     assert_eq!(tree.print(), game.bytes);
//!     arena.reset();
//! }
//! ```

mod node;
mod tree;
mod build;
pub(crate) mod print;

pub use build::TreeBuilder;
pub use node::Arena;
pub(crate) use print::{one_line, tag_text};
pub use tree::{Part, Parts, SyntaxTree, VariationPart};

#[cfg(test)]
mod tests;
