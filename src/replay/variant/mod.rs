//! Decides which variant a record is of.

mod tag_candidates;
mod square_clues;
mod tables;
mod choose;

pub(super) use choose::{ChosenVariant, VariantChooser, VariantTrial};
pub(super) use tables::VariantTables;
pub(super) use tag_candidates::INFERENCE_ORDER;
