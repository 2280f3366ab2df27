//! Chooses the positions of games for a training set, on many threads.

use super::options::{DatasetDedup, DatasetOptions};
use super::sample::{NO_EVAL, Sample, StoredForm};
use crate::export::batch::{ColumnValues, TableBatch};
use crate::position::split_mix;
use crate::rules::Variant;

/// What became of games and positions, by the first reason that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct DatasetCounts {
    /// Games read.
    pub games: u64,
    /// Games left out because they are not legal to their end.
    pub games_not_legal: u64,
    /// Games left out because they have no result, or both sides lost.
    pub games_without_result: u64,
    /// Games left out because they are of another variant.
    pub games_of_other_variants: u64,
    /// Positions of the games that are left.
    pub positions: u64,
    /// Positions left out because they come too early.
    pub positions_early: u64,
    /// Positions left out because the side to move has a capture.
    pub positions_with_captures: u64,
    /// Positions left out because they have too few pieces.
    pub positions_with_few_pieces: u64,
    /// Positions left out because their game has enough others.
    pub positions_beyond_game_limit: u64,
    /// Positions left out, or joined with others, because they are equal.
    pub positions_repeated: u64,
}

impl std::ops::AddAssign for DatasetCounts {
    fn add_assign(&mut self, other: Self) {
        let Self {
            games,
            games_not_legal,
            games_without_result,
            games_of_other_variants,
            positions,
            positions_early,
            positions_with_captures,
            positions_with_few_pieces,
            positions_beyond_game_limit,
            positions_repeated,
        } = other;
        self.games += games;
        self.games_not_legal += games_not_legal;
        self.games_without_result += games_without_result;
        self.games_of_other_variants += games_of_other_variants;
        self.positions += positions;
        self.positions_early += positions_early;
        self.positions_with_captures += positions_with_captures;
        self.positions_with_few_pieces += positions_with_few_pieces;
        self.positions_beyond_game_limit += positions_beyond_game_limit;
        self.positions_repeated += positions_repeated;
    }
}

/// The number of parts: for training and for validation.
pub(super) const PARTS: usize = 2;

/// The number of temporary files of a part that samples are spread over by the hash of their position, and again if one has
/// too many.
pub(super) const SPOOLS: usize = 64;

/// Distinguish the hashes for joining and for parts.
const JOIN_SEED: u64 = 1;
const SPLIT_SEED: u64 = 3;

/// Returns which of the [`SPOOLS`] a sample is spread to, after `spreads` spreads before. Equal positions have the same.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn spool(sample: &Sample, spreads: u32) -> usize {
    (split_mix(JOIN_SEED, sample.key()) >> (8 * spreads)) as usize % SPOOLS
}

/// The chosen positions of some games.
#[derive(Debug, Default)]
pub struct DatasetGames {
    /// Games left out before their variant was looked at.
    pub(super) counts: DatasetCounts,
    pub(super) games: Vec<DatasetGame>,
    /// The samples of the games, unless equal positions are joined.
    pub(super) samples: Vec<Sample>,
    /// The samples of the games if equal positions are joined, for each variant.
    pub(super) spread: Vec<SpreadSamples>,
}

/// Samples of one variant, stored one after the other, spread over the temporary files of all parts.
#[derive(Debug)]
pub(super) struct SpreadSamples {
    pub(super) variant: Variant,
    bytes: Vec<u8>,
    /// The end of the samples of each file in `bytes`.
    ends: Vec<usize>,
}

impl SpreadSamples {
    /// Returns the stored samples for each file.
    pub(super) fn files(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }
}

/// Returns the part that a game belongs to: 0 for training, 1 for validation.
pub(super) fn part(options: &DatasetOptions, hash: u64) -> usize {
    let random = (split_mix(options.seed ^ SPLIT_SEED, hash) >> 11) as f64 / (1u64 << 53) as f64;
    usize::from(random >= options.split)
}

/// A game of a training set.
#[derive(Debug)]
pub(super) struct DatasetGame {
    pub(super) variant: Variant,
    /// Depends on the positions of the game alone, so that a game that occurs twice belongs to one part.
    pub(super) hash: u64,
    /// The end of its samples among all.
    pub(super) end: usize,
    /// The counts of its positions.
    pub(super) counts: DatasetCounts,
}

/// The columns of a batch of positions; see [`DatasetOptions::columns`].
struct Columns<'a> {
    batch: &'a TableBatch,
    ply: &'a [i32],
    white_to_move: &'a [bool],
    boards: [&'a [u128]; 4],
    quiet: &'a [bool],
    evals: Option<&'a [i32]>,
}

impl<'a> Columns<'a> {
    /// Returns the columns; `None` if the batch has others.
    fn of(batch: &'a TableBatch) -> Option<Self> {
        let values = |n: usize| Some(&batch.columns.get(n)?.values);
        let squares = |n| match values(n)? {
            ColumnValues::Squares(values) => Some(values.as_slice()),
            _ => None,
        };
        let bools = |n| match values(n)? {
            ColumnValues::Bool(values) => Some(values.as_slice()),
            _ => None,
        };
        let ColumnValues::I32(ply) = values(0)? else { return None };
        let evals = match values(10) {
            Some(ColumnValues::I32(values)) => Some(values.as_slice()),
            _ => None,
        };
        Some(Self {
            batch,
            ply,
            white_to_move: bools(2)?,
            boards: [squares(3)?, squares(4)?, squares(5)?, squares(6)?],
            quiet: bools(7)?,
            evals,
        })
    }

    /// Returns a text; `None` for a null.
    fn word(&self, column: usize, row: usize) -> Option<&'a str> {
        let column = self.batch.columns.get(column)?;
        match &column.values {
            ColumnValues::Dictionary(values) if !column.is_null(row) => Some(values.get(row)),
            _ => None,
        }
    }

    /// Returns the evaluation of a position.
    fn eval(&self, row: usize) -> i16 {
        match self.evals {
            Some(evals) if !self.batch.columns[10].is_null(row) => {
                evals[row].clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16
            }
            _ => NO_EVAL,
        }
    }
}

impl DatasetGames {
    /// Chooses the positions of a batch whose columns are those of [`DatasetOptions::columns`]. Nothing of another batch.
    pub fn select(batch: &TableBatch, options: &DatasetOptions) -> Self {
        let mut found = Self::default();
        let Some(columns) = Columns::of(batch) else { return found };
        let mut row = 0;
        while row < batch.rows {
            let end = (row + 1..batch.rows).find(|&next| columns.ply[next] == 0).unwrap_or(batch.rows);
            found.game(&columns, row..end, options);
            row = end;
        }
        if options.dedup != DatasetDedup::None {
            found.spread(options);
        }
        found
    }

    /// Spreads the samples over the files in which they are joined. In a file they keep their order.
    fn spread(&mut self, options: &DatasetOptions) {
        let samples = std::mem::take(&mut self.samples);
        let mut files: Vec<u8> = Vec::with_capacity(samples.len());
        for game in &self.games {
            let first = part(options, game.hash) * SPOOLS;
            let games = &samples[files.len()..game.end];
            files.extend(games.iter().map(|sample| (first + spool(sample, 0)) as u8));
        }
        let mut variants: Vec<Variant> = Vec::new();
        for game in &self.games {
            if !variants.contains(&game.variant) {
                variants.push(game.variant);
            }
        }
        for variant in variants {
            let form = StoredForm::of(variant);
            let len = form.len();
            // Each game with the range of its samples.
            let starts = std::iter::once(0).chain(self.games.iter().map(|game| game.end));
            let of_variant = starts.zip(&self.games).filter(|(_, game)| game.variant == variant);
            let mut ends = vec![0; PARTS * SPOOLS];
            for (start, game) in of_variant.clone() {
                files[start..game.end].iter().for_each(|&file| ends[usize::from(file)] += len);
            }
            let mut total = 0;
            for end in &mut ends {
                // The place of the next sample now, and the end when all are stored.
                total += std::mem::replace(end, total);
            }
            let mut bytes = vec![0; total];
            for (start, game) in of_variant {
                for (sample, &file) in samples[start..game.end].iter().zip(&files[start..game.end]) {
                    let end = &mut ends[usize::from(file)];
                    form.store(sample, &mut bytes[*end..*end + len]);
                    *end += len;
                }
            }
            self.spread.push(SpreadSamples { variant, bytes, ends });
        }
    }

    /// Chooses the positions of one game.
    fn game(&mut self, columns: &Columns<'_>, rows: std::ops::Range<usize>, options: &DatasetOptions) {
        let first = rows.start;
        self.counts.games += 1;
        let variant = columns.word(1, first).and_then(Variant::from_name);
        let (true, Some(variant)) = (columns.word(9, first) == Some("legal"), variant) else {
            self.counts.games_not_legal += 1;
            return;
        };
        let halves = match columns.word(8, first) {
            Some("white") => 2,
            Some("draw") => 1,
            Some("black") => 0,
            _ => {
                self.counts.games_without_result += 1;
                return;
            }
        };
        let mut counts = DatasetCounts { positions: rows.len() as u64, ..DatasetCounts::default() };
        let mut hash = 0;
        let start = self.samples.len();
        for row in rows {
            let mut sample = Sample {
                boards: columns.boards.map(|board| board[row]),
                black_to_move: !columns.white_to_move[row],
                halves,
                eval: columns.eval(row),
                ply: columns.ply[row].clamp(0, i32::from(u16::MAX)) as u16,
            };
            hash = split_mix(hash, sample.key());
            if i64::from(columns.ply[row]) < i64::from(options.skip_plies) {
                counts.positions_early += 1;
            } else if !options.captures && !columns.quiet[row] {
                counts.positions_with_captures += 1;
            } else if sample.boards.iter().map(|board| board.count_ones()).sum::<u32>() < options.min_pieces {
                counts.positions_with_few_pieces += 1;
            } else {
                if options.flip && sample.black_to_move {
                    sample = sample.turned(variant.board().layout().valid().count_ones());
                }
                self.samples.push(sample);
            }
        }
        if let Some(limit) = options.max_per_game {
            let chosen = chosen(self.samples.len() - start, limit as usize, split_mix(options.seed, hash));
            counts.positions_beyond_game_limit += (self.samples.len() - start - chosen.len()) as u64;
            for (to, from) in chosen.iter().enumerate() {
                self.samples[start + to] = self.samples[start + from];
            }
            self.samples.truncate(start + chosen.len());
        }
        self.games.push(DatasetGame { variant, hash, end: self.samples.len(), counts });
    }
}

/// Chooses `limit` of `count` numbers by a seed, and returns them in ascending order.
fn chosen(count: usize, limit: usize, seed: u64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    if limit < count {
        numbers.sort_by_cached_key(|&number| split_mix(seed, number as u64));
        numbers.truncate(limit);
        numbers.sort_unstable();
    }
    numbers
}
