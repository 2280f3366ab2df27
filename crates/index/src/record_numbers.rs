//! The numbers of records in their inputs, which an index does not store.

use super::open::Index;
use pdn::error::Result;

/// The number that each game of an index has among the records of its own input; see
/// [`Index::record_numbers`].
///
/// Memory is O(inputs + segments).
#[derive(Clone, Debug)]
pub struct RecordNumbers {
    /// Runs of games of one input, in the order of games.
    runs: Vec<RecordRun>,
    /// Number of games.
    games: u64,
}

/// Consecutive games of one input.
#[derive(Clone, Copy, Debug)]
struct RecordRun {
    /// Number of the first game in the index, from 0.
    first_game: u64,
    /// Number of its record in the input, from 0.
    first_record: u64,
}

impl RecordNumbers {
    /// Returns the number of a game in its input, from 0; `None` if there is no such game. Costs O(log inputs).
    pub fn get(&self, game: u64) -> Option<u64> {
        let run = self.runs.partition_point(|run| run.first_game <= game).checked_sub(1)?;
        let run = self.runs.get(run).filter(|_| game < self.games)?;
        Some(run.first_record + (game - run.first_game))
    }
}

impl Index {
    /// Counts the games of every input, and returns the numbers that games have there. Costs O(inputs + segments).
    ///
    /// # Errors
    /// Fails if a section is damaged.
    #[doc(hidden)]
    pub fn record_numbers(&self) -> Result<RecordNumbers> {
        let mut runs: Vec<RecordRun> = Vec::new();
        // Records so far of each input.
        let mut records = vec![0u64; self.inputs().len()];
        for (number, segment) in self.segments().iter().enumerate() {
            let before = self.first_game(number).unwrap_or(0);
            for (games, input) in segment.input_runs()? {
                let Some(so_far) = records.get_mut(input as usize) else { continue };
                runs.push(RecordRun { first_game: before + u64::from(games.start), first_record: *so_far });
                *so_far += u64::from(games.end - games.start);
            }
        }
        Ok(RecordNumbers { runs, games: self.len() })
    }
}
