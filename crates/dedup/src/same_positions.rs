//! Compares problems by their start positions, or the shapes of these.

use super::classes::DuplicateClass;
use super::facts::{FactReader, GameFacts};
use super::found::DuplicatesCollector;
use super::memberships::Membership;
use super::problem_record::ProblemRecord;
use pdn::error::Result;
use pdn::stop::Stop;
use pdn_index::internal::external_sort::SortedRecords;
use pdn_rules::internal::steps;

/// Adds the membership of each problem whose position, or shape of a position, an earlier one has to `collector`, as one of `class`. Games that
/// belong to the keeper of another class take no part. O(problems), in memory that does not depend on their number.
// Twin: all pairs; test: fast_way_equals_all_pairs.
pub(super) fn same_positions(
    mut sorted: SortedRecords,
    class: DuplicateClass,
    reader: &mut FactReader<'_>,
    collector: &mut DuplicatesCollector<'_>,
    stop: &Stop,
) -> Result<()> {
    let mut keeper: Option<ProblemRecord> = None;
    while let Some(record) = sorted.next_record()? {
        steps::add(1);
        let Some(problem) = ProblemRecord::read(record.key, record.payload) else { continue };
        if collector.is_other(problem.rank.number()) {
            continue;
        }
        let Some(first) = keeper.filter(|keeper| keeper.position == problem.position) else {
            keeper = Some(problem);
            continue;
        };
        if !problem.rank.is_new() {
            continue;
        }
        for problem in [first, problem].into_iter().filter(|problem| !problem.is_complete) {
            // Says why the text cannot be read that decides which one stays.
            let facts = GameFacts::of(&reader.games, problem.rank.number())?;
            facts.into_iter().try_for_each(|mut facts| reader.complete_rank(&mut facts))?;
        }
        stop.check()?;
        collector.push(&Membership {
            keeper: first.rank.number(),
            other: problem.rank.number(),
            class,
            reason: first.rank.reason(&problem.rank),
        })?;
    }
    Ok(())
}
