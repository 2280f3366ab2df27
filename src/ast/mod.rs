//! A game as a tree: tags, moves, comments, variations, everything the text says, each with its place.
//!
//! A tree is one slice of 8-byte nodes in an arena of the caller's, in the order of the text, a variation followed by what is
//! in it. Nodes hold places, not text: the text stays where it is, in the file, and what can be read there (the name of a plain
//! tag, the number of a move) is read when it is asked for. Nothing needs dropping, so a million trees go when their
//! arena is reset.
//!
//! ```
//! use pdn::ast::{TreeBuilder, Part};
//!
//! let mut builder = TreeBuilder::new();
//! let mut arena = bumpalo::Bump::new();
//! for game in pdn::split::games(b"[White \"a\"] 1. 32-28 (1. 33-28 {better}) 19-23 *") {
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

mod build;
mod node;
mod print;
mod tree;

pub use build::TreeBuilder;
pub use print::Edit;
pub use tree::{Part, Parts, SyntaxTree, TreeMoves, VariationPart};

#[cfg(test)]
mod tests;
