//! The only grammar of PDN: one walk over a game, one visitor that hears of everything in it.
//!
//! [`walk`] accepts what the writing and reading grammars of PDN 3.0 accept, what PDN 1.0, 2.0, the 3.1 proposal and the
//! Wikipedia description say beside them, and what thirty years of programs wrote instead. It never fails: what
//! cannot be understood becomes a [`Diagnostic`](crate::diag::Diagnostic) and a [`Visitor::text`] call, and the
//! walk goes on with the next token. It does not judge moves, it does not decode them, and it knows no rules.
//!
//! No recursion, no allocation; linear in the bytes of the game. Equal bytes that touch each other and mean nothing (`]]]`,
//! `"""`, parentheses below the depth that is handed out) are one finding, however many, and are not looked at one by one.

mod event;
mod header;
mod text;
mod visitor;
mod walk;

pub use event::{
    Comment, CommentKind, MissingMark, MissingMove, MoveNumber, MoveRun, Numbered, NumberedMoveRun,
    SetupCommand, StrengthMark, TagPair, Terminator, VariationMark, WrittenMove,
};
pub(crate) use header::{Header, HeaderPart};
pub use text::unescape;
pub(crate) use text::{leading_number, nag_number};
pub use visitor::{Flow, VariationAction, Visitor};
pub(crate) use walk::{resume, walk_on};
pub use walk::{walk, walk_with};

#[cfg(test)]
pub(crate) mod tests;
