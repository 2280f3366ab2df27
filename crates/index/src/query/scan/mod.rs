//! Scans games by playing their packed moves, on several threads and with results in the order of the games.

mod scan_games;
mod line_marks;
mod segment_plan;
mod matches;

pub(super) use line_marks::FoundHit;
pub(super) use matches::{AllMatchScan, FirstMatchScan};
pub(super) use scan_games::scan_until;
pub use scan_games::{GameScanner, scan_games};
pub(super) use segment_plan::SegmentPlan;
