//! The only grammar of PDN: one walk over a record, one visitor that receives every part of it.
//!
//! [`walk`] accepts the writing and reading grammars of PDN 3.0. It also accepts what PDN 1.0, PDN 2.0, the 3.1
//! proposal and the Wikipedia description add, and what thirty years of programs wrote instead. It never fails: text
//! that has no meaning becomes a [`Diagnostic`](crate::diag::Diagnostic) and a call of [`Visitor::text`], and the
//! walk continues with the next token. It neither decodes moves nor checks whether they are legal, and it knows no
//! rules.
//!
//! No recursion, no allocation; linear in the bytes of the record. A run of equal bytes without meaning (`]]]`, `"""`,
//! parentheses below the depth limit) makes one diagnostic and is skipped as a whole.
//!
//! ```
//! use pdn::parse::{Flow, VariationAction, VariationMark, Visitor, WrittenMove, walk};
//!
//! /// Collects the moves of the main line.
//! #[derive(Default)]
//! struct MainLine(Vec<String>);
//!
//! impl<'g> Visitor<'g> for MainLine {
//!     fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
//!         self.0.push(String::from_utf8_lossy(mv.text).into_owned());
//!         Flow::Continue(())
//!     }
//!
//!     fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
//!         VariationAction::Skip
//!     }
//! }
//!
//! let mut line = MainLine::default();
//! walk(b"1. 32-28 19-23 (18-23) 2. 28x19 *", &mut line);
//! assert_eq!(line.0, ["32-28", "19-23", "28x19"]);
//! ```

pub(crate) mod event;
pub(crate) mod move_run;
mod visitor;
mod both;
mod escape;
mod number;
mod tag_section;
mod walk;

pub use both::Both;
pub use escape::{escape, unescape};
pub use event::{
    Comment, CommentKind, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator,
    VariationMark, WrittenMove,
};
pub(crate) use number::{leading_number, nag_number};
pub(crate) use tag_section::{TagSection, TagSectionPart};
pub(crate) use visitor::forward_to;
pub use visitor::{Flow, VariationAction, Visitor};
pub(crate) use walk::{result_of_tag, resume, walk_on};
pub use walk::{walk, walk_with};

pub(crate) use event::{MissingMark, recognise_tag};
pub(crate) use move_run::{MoveRun, NumberedMoveRun};

#[cfg(test)]
pub(crate) mod tests;
