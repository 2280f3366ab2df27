//! Openings: with which of the commonest sequences of moves each game of a segment begins.
//!
//! The tree of a common position among chosen games, those of a player or of some years, cannot be kept ready: there are too
//! many choices. So a file next to the key table of a segment numbers the *openings*, the sequences of moves with which many
//! games begin, and has the number of the opening of each game. It tells which moves a game played in a common position
//! without unpacking it. The trees are the same with openings and without.
//!
//! Openings form a tree: the opening without moves of each kind of games, then those of one move, and so on. They are
//! numbered in the order of a walk through this tree, so that all openings that begin with another one have consecutive
//! numbers. Number 0 stands for games that do not begin in the start position of their kind, or contain setups or null
//! moves.

pub(crate) mod table;
pub(super) mod writer;
