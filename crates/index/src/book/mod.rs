//! Books: the opening trees of the commonest positions of a segment, kept ready.
//!
//! The tree of a position that a million games have takes a hundred milliseconds to count, but it is always the same. So a
//! *book*, a file next to the key table of a segment, lists the trees of all positions that many games of the segment have.
//! Whatever has no entry is counted from the few games that are left. The trees are the same with a book and without.
//!
//! A book counts the games that were not retired when it was made. It names them, so that a book from before a file was
//! replaced or removed is recognised and not used.

pub(crate) mod parts;
pub(crate) mod table;
