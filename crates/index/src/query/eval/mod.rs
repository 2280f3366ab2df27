//! Evaluates a query at positions: conditions compiled for one board and numbering, and the batches that they run on.

mod frame;
mod board_test;
mod fact_need;
mod position_batch;
mod packed_run;
mod move_test;
mod sum_test;
mod position_set;
mod step_sums;
mod predicate;
mod temporal;
mod marks;

pub(super) use board_test::{BoardTest, CountTest, TurnTests};
pub(super) use fact_need::{FactNeed, MaterialBounds};
pub(super) use frame::Frame;
pub(super) use marks::{HitStep, MarkSource, Marks};
pub(super) use packed_run::PackedRun;
pub(super) use position_batch::BATCH_LEN;
pub(super) use position_set::{LineContext, PositionSet};
pub(super) use predicate::CompiledQuery;
pub(super) use step_sums::{PlyFromStart, StepSumTest};
pub(super) use temporal::{GameTrace, TemporalPlan};
