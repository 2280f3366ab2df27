//! The bytes of an index: numbers, columns, dictionaries, sections and text blocks, and the declaration of what is stored of a game.

pub(crate) mod wire;
pub(super) mod packed_bits;
pub(super) mod column;
pub(super) mod narrow_column;
pub(super) mod end_offsets;
pub(super) mod interner;
pub(super) mod dictionary;
pub(super) mod columns;
pub(super) mod section;
pub(super) mod text_blocks;
pub(super) mod key_page;
pub(crate) mod annotations;
