//! What an index stores of a game besides its moves: rows, batches of rows, and the inputs that games come from.

pub(super) mod summary_bits;
pub(super) mod game_facts;
pub(super) mod game_row;
pub(super) mod row_batch;
pub(super) mod input;
