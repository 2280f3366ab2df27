//! Retired games: those of files that were replaced or removed after they had been indexed.
//!
//! Segments never change, and games keep their numbers. So the manifest marks an input as retired, and every reader
//! leaves out the games of its runs.

use std::ops::Range;

use super::format::columns::Section;
use super::game_set::GameSet;
use super::manifest::{Manifest, RetiredSums};
use super::row::input::IndexedInput;
use super::row::summary_bits::status_of;
use super::segment::reader::Segment;
use pdn::error::Result;
use pdn::replay::GameStatus;

/// Returns the games of a segment whose inputs are retired.
///
/// # Errors
/// Fails if the section of the runs is damaged.
pub(super) fn retired_games(segment: &Segment, inputs: &[IndexedInput]) -> Result<GameSet> {
    let mut games = GameSet::new();
    for run in retired_runs(segment, inputs)? {
        games |= GameSet::first(run.end) - GameSet::first(run.start);
    }
    Ok(games)
}

/// Returns the runs of games of a segment whose inputs are retired.
///
/// # Errors
/// Fails if the section of the runs is damaged.
pub(super) fn retired_runs(segment: &Segment, inputs: &[IndexedInput]) -> Result<Vec<Range<u32>>> {
    let runs = segment.runs()?;
    let ends = runs.iter().skip(1).map(|run| run.first).chain([segment.len() as u32]);
    let is_retired = |input: u32| inputs.get(input as usize).is_some_and(|input| input.is_retired);
    Ok((runs.iter().zip(ends))
        .filter(|(run, _)| is_retired(run.input))
        .map(|(run, end)| run.first..end)
        .collect())
}

/// Returns the sums over all games of retired inputs.
///
/// # Errors
/// Fails if a segment is damaged.
pub(super) fn retired_sums<'s>(
    segments: impl IntoIterator<Item = &'s Segment>,
    inputs: &[IndexedInput],
) -> Result<RetiredSums> {
    let mut sums = RetiredSums::default();
    for segment in segments {
        let retired = retired_games(segment, inputs)?;
        let (plies, summary) = (segment.column(Section::Plies)?, segment.column(Section::Summary)?);
        let texts = segment.end_offsets(Section::TextEnds)?;
        for game in retired.iter().map(|game| game as usize) {
            sums.games += 1;
            sums.plies += plies.get(game).unwrap_or(0);
            sums.text_len += texts.get(game).map_or(0, |text| text.end - text.start);
            if let Some(status) = status_of(summary.get(game).unwrap_or(0)) {
                sums.statuses[status as usize] += 1;
            }
        }
    }
    Ok(sums)
}

/// Returns, for each line of the list of rejected records of `old`, whether its game stays: `inputs` are the inputs
/// with the marks of `old` and new ones.
///
/// # Errors
/// Fails if a segment is damaged.
pub(super) fn kept_rejects(
    segments: &[Segment],
    old: &Manifest,
    inputs: &[IndexedInput],
) -> Result<Vec<bool>> {
    let mut kept = Vec::new();
    for segment in segments {
        let listed = |status: Option<GameStatus>| !status.is_some_and(GameStatus::is_complete);
        let rejected = segment.column(Section::Summary)?.games(|summary| listed(status_of(summary)));
        let (before, now) = (retired_games(segment, &old.inputs)?, retired_games(segment, inputs)?);
        kept.extend((&rejected - &before).iter().map(|game| !now.contains(game)));
    }
    Ok(kept)
}
