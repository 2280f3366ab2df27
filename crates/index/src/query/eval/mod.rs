//! Evaluates a query at positions: conditions compiled for one board and numbering, and the batches that they run on.

mod named_squares;
mod frame;
mod board_test;
mod count_test;
mod material_bounds;
mod fact_need;
mod position_list;
mod position_batch;
mod move_test;
mod packed_run;
mod played_test;
mod move_counter;
mod sum_test;
mod position_set;
mod step_sums;
mod repetition;
mod line_context;
mod predicate;
mod temporal;
mod marks;

pub(super) use board_test::{BoardTest, TurnTests};
pub(super) use count_test::CountTest;
pub(super) use fact_need::FactNeed;
pub(super) use frame::Frame;
pub(super) use line_context::LineContext;
pub(super) use marks::{HitPath, HitStep, MarkSource, Marks};
pub(super) use material_bounds::MaterialBounds;
pub(super) use packed_run::PackedRun;
pub(super) use position_batch::BATCH_LEN;
pub(super) use position_set::PositionSet;
pub(super) use predicate::CompiledQuery;
pub(super) use step_sums::{PlyFromStart, StepSumTest};
pub(super) use temporal::{GameTrace, TemporalPlan};
