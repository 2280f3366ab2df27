//! Chooses the positions of games for a training set, on many threads.

use super::options::{DatasetDedup, DatasetOptions, DatasetSplit, squares};
use super::record::{JoinedSamples, RecordWriter};
use super::sample::{NO_EVAL, Sample, StoredForm};
use crate::plies::PlyTable;
use crate::squares::SquareTable;
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_names::{fold_into, is_placeholder};
use pdn_rules::internal::position::{State, split_mix};

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
    /// Games left out because their players belong to different parts.
    pub games_between_parts: u64,
    /// Positions of the games that are left.
    pub positions: u64,
    /// Positions left out because they come too early.
    pub positions_early: u64,
    /// Positions left out because the side to move has a capture.
    pub positions_with_captures: u64,
    /// Positions left out because they have too few pieces.
    pub positions_with_few_pieces: u64,
    /// Positions left out because they have more pieces than a record can hold.
    pub positions_with_many_pieces: u64,
    /// Positions left out because they have no evaluation, and a record has no place to say so.
    pub positions_without_evaluation: u64,
    /// Positions left out because their evaluation is too large for a record.
    pub positions_beyond_evaluation: u64,
    /// Positions left out because their game has enough others.
    pub positions_beyond_game_limit: u64,
    /// Positions left out, or joined with others, because they are equal.
    pub positions_repeated: u64,
    /// Positions that are written with the value that tables of endings prove.
    pub positions_proven: u64,
}

impl std::ops::AddAssign for DatasetCounts {
    fn add_assign(&mut self, other: Self) {
        let Self {
            games,
            games_not_legal,
            games_without_result,
            games_of_other_variants,
            games_between_parts,
            positions,
            positions_early,
            positions_with_captures,
            positions_with_few_pieces,
            positions_with_many_pieces,
            positions_without_evaluation,
            positions_beyond_evaluation,
            positions_beyond_game_limit,
            positions_repeated,
            positions_proven,
        } = other;
        self.games += games;
        self.games_not_legal += games_not_legal;
        self.games_without_result += games_without_result;
        self.games_of_other_variants += games_of_other_variants;
        self.games_between_parts += games_between_parts;
        self.positions += positions;
        self.positions_early += positions_early;
        self.positions_with_captures += positions_with_captures;
        self.positions_with_few_pieces += positions_with_few_pieces;
        self.positions_with_many_pieces += positions_with_many_pieces;
        self.positions_without_evaluation += positions_without_evaluation;
        self.positions_beyond_evaluation += positions_beyond_evaluation;
        self.positions_beyond_game_limit += positions_beyond_game_limit;
        self.positions_repeated += positions_repeated;
        self.positions_proven += positions_proven;
    }
}

/// The number of parts: for training and for validation.
pub(super) const PARTS: usize = 2;

/// The number of temporary files of a part that samples are spread over by the hash of their position, and again if one has
/// too many.
pub(super) const SPOOLS: usize = 64;

/// Distinguish the hashes for joining, for files, and for parts by game and by player.
const JOIN_SEED: u64 = 1;
pub(super) const SHARD_SEED: u64 = 2;
const SPLIT_SEED: u64 = 3;
const PLAYER_SEED: u64 = 4;

/// Returns which of the [`SPOOLS`] a sample is spread to, after `spreads` spreads before. Equal positions have the same.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn spool(sample: &Sample, spreads: u32) -> usize {
    (split_mix(JOIN_SEED, sample.key()) >> (8 * spreads)) as usize % SPOOLS
}

/// The chosen positions of some games.
#[derive(Clone, Debug, Default)]
pub struct DatasetGames {
    /// Games read, and those left out before their variant was looked at.
    pub(super) counts: DatasetCounts,
    /// The other games, by variant, in the order of the first game of each.
    pub(super) variants: Vec<VariantGames>,
}

/// The chosen positions of the games of one variant, spread over files.
#[derive(Clone, Debug)]
pub(super) struct VariantGames {
    pub(super) variant: Variant,
    pub(super) games: u64,
    pub(super) counts: DatasetCounts,
    /// For each file of each part, one part after the other: records, or stored samples if equal positions are joined.
    pub(super) files: Vec<FileSamples>,
}

/// What goes to one file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileSamples {
    pub(super) count: u64,
    pub(super) bytes: Vec<u8>,
}

/// A game whose positions may go into a training set.
pub(crate) struct SampledGame<'a> {
    pub(crate) variant: Variant,
    pub(crate) is_legal: bool,
    /// `white`, `black` or `draw`; `None` for no result, and for a loss of both.
    pub(crate) winner: Option<&'static str>,
    /// The names of White and Black, if a training set is divided by players.
    pub(crate) players: [&'a str; 2],
    pub(crate) plies: &'a PlyTable,
    /// The position after the last ply.
    pub(crate) last: &'a State<u128>,
    pub(crate) squares: &'a SquareTable,
}

/// Chooses positions of one game after the other, in reused memory. One for each thread.
#[derive(Debug)]
pub(crate) struct SampleMaker {
    options: DatasetOptions,
    /// What writes the records of the last variant.
    writer: Option<(Variant, RecordWriter)>,
    /// The chosen positions of a game.
    samples: Vec<Sample>,
    /// The folded name of a player.
    name: String,
}

impl SampleMaker {
    pub(crate) fn new(options: &DatasetOptions) -> Self {
        let (writer, samples, name) = (None, Vec::new(), String::new());
        Self { options: options.clone(), writer, samples, name }
    }

    /// Returns `true` if the players of games are needed.
    pub(crate) fn takes_players(&self) -> bool {
        self.options.split_by == DatasetSplit::Player
    }

    /// Adds the positions of a game. `evaluation` returns that of the position before a ply, in hundredths of a man.
    pub(crate) fn add(
        &mut self,
        game: &SampledGame<'_>,
        evaluation: impl Fn(usize) -> Option<i32>,
        out: &mut DatasetGames,
    ) {
        out.counts.games += 1;
        if !game.is_legal {
            out.counts.games_not_legal += 1;
            return;
        }
        let halves = match game.winner {
            Some("white") => 2,
            Some("draw") => 1,
            Some("black") => 0,
            _ => {
                out.counts.games_without_result += 1;
                return;
            }
        };
        let variant = game.variant;
        let options = &self.options;
        let known = out.variants.iter().position(|games| games.variant == variant);
        let known = known.unwrap_or_else(|| {
            out.variants.push(VariantGames::new(variant, options));
            out.variants.len() - 1
        });
        let of_variant = &mut out.variants[known];
        of_variant.games += 1;
        if options.variant.is_some_and(|wanted| wanted != variant) {
            return;
        }
        let hash = if options.takes_hash() { hash_of(game) } else { 0 };
        let Some(part) = self.part(game, hash) else {
            of_variant.counts.games_between_parts += 1;
            return;
        };
        self.choose(game, halves, hash, evaluation, &mut of_variant.counts);
        if !matches!(&self.writer, Some((known, _)) if *known == variant) {
            self.writer = Some((variant, RecordWriter::new(&self.options, variant)));
        }
        let Some((_, writer)) = &self.writer else { return };
        if self.options.dedup() == DatasetDedup::None {
            of_variant.write(part, hash, &self.samples, writer, &self.options);
        } else {
            of_variant.store(part, &self.samples);
        }
    }

    /// Returns the part that a game belongs to; `None` if its players belong to different ones.
    fn part(&mut self, game: &SampledGame<'_>, hash: u64) -> Option<usize> {
        if !self.takes_players() {
            return Some(part(&self.options, SPLIT_SEED, hash));
        }
        let mut found = None;
        for name in game.players.into_iter().filter(|name| !is_placeholder(name)) {
            self.name.clear();
            fold_into(name, &mut self.name);
            let words = self.name.as_bytes().chunks(8);
            let hash = words.fold(0, |hash, bytes| {
                split_mix(hash, bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)))
            });
            let of_player = part(&self.options, PLAYER_SEED, hash);
            if *found.get_or_insert(of_player) != of_player {
                return None;
            }
        }
        Some(found.unwrap_or_else(|| part(&self.options, SPLIT_SEED, hash)))
    }

    /// Fills `samples` with the chosen positions of a game.
    fn choose(
        &mut self,
        game: &SampledGame<'_>,
        halves: u8,
        hash: u64,
        evaluation: impl Fn(usize) -> Option<i32>,
        counts: &mut DatasetCounts,
    ) {
        let Self { options, samples, .. } = self;
        samples.clear();
        let rows = game.plies.plies.len() + 1;
        counts.positions += rows as u64;
        let early = (options.skip_plies as usize).min(rows);
        counts.positions_early += early as u64;
        let turned_squares = options.flips().then(|| squares(game.variant));
        let most_pieces = options.format.max_pieces();
        let counts_pieces = options.min_pieces > 0 || most_pieces < u32::MAX;
        let mut numbers = [(); 3].map(|()| game.squares.by_changes::<u128>());
        for row in early..rows {
            if !options.captures && !game.plies.is_quiet(row) {
                counts.positions_with_captures += 1;
                continue;
            }
            let state = game.plies.plies.get(row).map_or(game.last, |ply| &ply.before);
            let [white, black, kings] = &mut numbers;
            let mut sample = Sample {
                sets: [white(state.pieces[0]), black(state.pieces[1]), kings(state.kings)],
                black_to_move: state.turn == Colour::Black,
                halves,
                eval: NO_EVAL,
                ply: u16::try_from(row).unwrap_or(u16::MAX),
            };
            if counts_pieces {
                let pieces = sample.pieces();
                if pieces < options.min_pieces {
                    counts.positions_with_few_pieces += 1;
                    continue;
                }
                if pieces > most_pieces {
                    counts.positions_with_many_pieces += 1;
                    continue;
                }
            }
            if options.eval {
                const MOST: i32 = i16::MAX as i32;
                sample.eval = match evaluation(row) {
                    None if !options.format.holds_means() => {
                        counts.positions_without_evaluation += 1;
                        continue;
                    }
                    Some(value) if !options.format.holds_means() && !(-MOST..=MOST).contains(&value) => {
                        counts.positions_beyond_evaluation += 1;
                        continue;
                    }
                    found => found.map_or(NO_EVAL, |value| value.clamp(-MOST, MOST) as i16),
                };
            }
            if let Some(squares) = turned_squares
                && sample.black_to_move
            {
                sample = sample.turned(squares);
            }
            samples.push(sample);
        }
        if let Some(limit) = options.max_per_game {
            let chosen = chosen(samples.len(), limit as usize, split_mix(options.seed, hash));
            counts.positions_beyond_game_limit += (samples.len() - chosen.len()) as u64;
            for (to, from) in chosen.iter().enumerate() {
                samples[to] = samples[*from];
            }
            samples.truncate(chosen.len());
        }
    }
}

impl VariantGames {
    fn new(variant: Variant, options: &DatasetOptions) -> Self {
        let of_part = if options.dedup() == DatasetDedup::None { options.shards as usize } else { SPOOLS };
        let files = vec![FileSamples::default(); PARTS * of_part];
        Self { variant, games: 0, counts: DatasetCounts::default(), files }
    }

    /// Writes the records of the samples of a game to files that a random number chooses for each.
    fn write(
        &mut self,
        part: usize,
        game: u64,
        samples: &[Sample],
        writer: &RecordWriter,
        options: &DatasetOptions,
    ) {
        let shards = options.shards as usize;
        let files = &mut self.files[part * shards..(part + 1) * shards];
        let seed = split_mix(options.seed ^ SHARD_SEED, game);
        for (n, sample) in samples.iter().enumerate() {
            let shard = if shards == 1 { 0 } else { split_mix(seed, n as u64) as usize % shards };
            let file = &mut files[shard];
            file.count += 1;
            let is_proven = writer.write(sample, &JoinedSamples::of(sample), &mut file.bytes);
            self.counts.positions_proven += u64::from(is_proven);
        }
    }

    /// Stores the samples of a game in the files in which equal positions are joined. In a file they keep their order.
    fn store(&mut self, part: usize, samples: &[Sample]) {
        let form = StoredForm::of(self.variant);
        for sample in samples {
            let file = &mut self.files[part * SPOOLS + spool(sample, 0)];
            file.count += 1;
            let start = file.bytes.len();
            file.bytes.resize(start + form.len(), 0);
            form.store(sample, &mut file.bytes[start..]);
        }
    }
}

impl DatasetOptions {
    /// Returns `true` if a choice depends on the hash of a game.
    fn takes_hash(&self) -> bool {
        (self.split > 0.0 && self.split < 1.0) || self.max_per_game.is_some() || self.shards > 1
    }
}

/// Returns a hash of the start position and the moves of a game, so that a game that occurs twice belongs to one part.
fn hash_of(game: &SampledGame<'_>) -> u64 {
    let plies = &game.plies.plies;
    let start = plies.first().map_or(game.last, |ply| &ply.before);
    let sets = [start.pieces[0], start.pieces[1], start.kings];
    let hash = sets
        .iter()
        .fold(start.turn as u64, |hash, &set| split_mix(split_mix(hash, set as u64), (set >> 64) as u64));
    plies.iter().fold(hash, |hash, ply| {
        let captured = ply.mv.captured as u64 ^ (ply.mv.captured >> 64) as u64;
        split_mix(hash, captured.rotate_left(16) ^ u64::from(ply.mv.from.0) << 8 ^ u64::from(ply.mv.to.0))
    })
}

/// Returns the part that a random number chooses: 0 for training, 1 for validation.
fn part(options: &DatasetOptions, purpose: u64, hash: u64) -> usize {
    let random = (split_mix(options.seed ^ purpose, hash) >> 11) as f64 / (1u64 << 53) as f64;
    usize::from(random >= options.split)
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
