//! ROW

pub(super) mod game_row;
pub(super) mod summary_bits;
pub(super) mod row_batch;
pub(super) mod input;
