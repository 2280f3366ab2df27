//! Selects games without playing them: conditions on whole games, and bounds for all others.

mod match_bounds;
mod game_values;
mod game_selector;
mod fact_sets;
mod annotated_games;

pub(super) use annotated_games::ANNOTATIONS;
pub use game_selector::GameSelector;
pub(super) use game_selector::MatchingComments;
pub(super) use game_selector::Place;
pub use game_values::round_number;
pub use game_values::{Answer, GameValues, sum_of};
pub use match_bounds::MatchBounds;
