//! Selects games without playing them: conditions on whole games, and bounds for all others.

mod match_bounds;
mod game_selector;

pub use game_selector::GameSelector;
pub use match_bounds::MatchBounds;
