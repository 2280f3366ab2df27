//! Compares the columns of a segment with its dictionaries, its packed moves and the manifest, and plays the variations.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use super::report::{VerifyReport, Work};
use super::sections::OpenedSegment;
use crate::format::annotations::{StoredLine, StoredNote};
use crate::format::column::Column;
use crate::format::columns::{DictionaryKind, NumberColumn, Section, TextColumn};
use crate::format::end_offsets::EndOffsets;
use crate::format::wire::{u32_at, u64_at};
use crate::pack::{Codecs, CorruptMoves};
use crate::row::game_facts::PlayGame;
use crate::row::game_row::{PackedPieceCounts, date_of};
use crate::row::summary_bits::SummaryBits;
use crate::segment::annotations::{AnnotationBytes, line_starts};
use crate::segment::move_blocks::{MoveBuffer, PackedMoves};
use crate::segment::reader::Segment;
use pdn::board::Board;
use pdn::error::{ErrorKind, Result};
use pdn::internal::pool;
use pdn_rules::internal::board::{Geometry, WithBoard};
use pdn_rules::internal::position::State;

/// Blocks of 32 games that a thread verifies at a time.
const BLOCKS: usize = 128;

/// Plays all games of a segment and compares them with their rows. Compares the rows with the dictionaries, and their
/// sums with the manifest.
///
/// # Errors
/// Fails if the file cannot be read, and if `work` is broken off.
pub(super) fn check(
    opened: &OpenedSegment,
    input_count: usize,
    threads: NonZeroUsize,
    report: &mut VerifyReport,
    work: &mut Work<'_>,
) -> Result<()> {
    let segment = &opened.segment;
    let path = segment.path();
    check_dictionaries(segment, threads, report)?;
    if segment.version() > 1 {
        match segment.text_checksum_blocks() {
            Ok(blocks) if !blocks.is_complete() => {
                report.add(path, Section::TextSumEnds.name(), "its contents are invalid");
            }
            Ok(_) => {}
            Err(error) => report.add_error(path, error)?,
        }
    }
    let tables = match Tables::new(segment) {
        Ok(tables) => tables,
        Err(error) => return report.add_error(path, error),
    };
    if let Some(problem) = runs_problem(segment, input_count) {
        report.add(path, Section::Runs.name(), problem);
    }
    let blocks = tables.moves.blocks();
    let block_bytes = segment.section_len(Section::Moves) / blocks.max(1) as u64;
    let parts = (0..blocks).step_by(BLOCKS).map(|first| first..(first + BLOCKS).min(blocks));
    let (mut sums, mut result) = (Sums::default(), Ok(()));
    pool::ordered(
        parts,
        threads,
        || (Codecs::default(), MoveBuffer::default()),
        |scratch, blocks| (blocks.len(), tables.check(blocks, scratch)),
        |(blocks, checked)| {
            result = checked.and_then(|part| {
                sums.add(&part);
                part.problems.into_iter().for_each(|(section, problem)| report.add(path, section, problem));
                work.add(blocks as u64 * block_bytes)
            });
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    result?;
    report.plies += sums.played;
    let listed = &opened.entry.info;
    for (section, is_equal) in [
        (Section::Plies, sums.plies == listed.plies),
        (Section::Summary, sums.statuses == listed.statuses),
        (Section::TextEnds, tables.text_ends.total() == listed.text_len),
    ] {
        if !is_equal && report.problems.iter().all(|known| known.path != path) {
            report.add(path, section.name(), "its sum is not that in the manifest");
        }
    }
    Ok(())
}

/// Verifies that all texts of the dictionaries are readable and in order.
fn check_dictionaries(segment: &Segment, threads: NonZeroUsize, report: &mut VerifyReport) -> Result<()> {
    let mut result = Ok(());
    pool::ordered(
        DictionaryKind::ALL.into_iter().filter(|kind| !kind.is_optional() || segment.has(kind.sections()[0])),
        threads,
        || (),
        |(), kind| (kind, segment.dictionary(kind).map(|dictionary| dictionary.is_ordered())),
        |(kind, is_ordered)| {
            let section = kind.sections()[0].name();
            match is_ordered {
                Ok(true) => {}
                Ok(false) => report.add(segment.path(), section, "its texts are not in order"),
                Err(error) => result = report.add_error(segment.path(), error),
            }
            ControlFlow::Continue(())
        },
    );
    result
}

/// Returns what is wrong with the runs of games that follow each other in an input, if anything.
fn runs_problem(segment: &Segment, input_count: usize) -> Option<String> {
    let runs = segment.section(Section::Runs).ok()?;
    let first = |run: usize| u32_at(runs, 6 * run).map_or(usize::MAX, |first| first as usize);
    if runs.len() % 24 != 0 {
        return Some("its contents are invalid".to_owned());
    }
    let mut next = 0;
    for run in 0..runs.len() / 24 {
        let is_next = if run == 0 { first(run) == 0 } else { first(run) >= next };
        if !is_next || first(run) >= segment.len() {
            return Some(format!("run {run} does not follow the run before it"));
        }
        if u32_at(runs, 6 * run + 1).is_none_or(|input| input as usize >= input_count) {
            return Some(format!("game {} has no input", first(run)));
        }
        if u64_at(runs, 3 * run + 1).is_none_or(|offset| offset > i64::MAX as u64) {
            return Some(format!("game {} lies beyond the end of any file", first(run)));
        }
        next = first(run) + 1;
    }
    (runs.is_empty() && !segment.is_empty()).then(|| "game 0 has no input".to_owned())
}

/// The sums of the rows of some games.
#[derive(Default)]
struct Sums {
    /// Plies in the rows.
    plies: u64,
    /// Plies that were played.
    played: u64,
    /// Games of each status.
    statuses: [u64; 8],
}

impl Sums {
    fn add(&mut self, part: &CheckedGames) {
        self.plies += part.sums.plies;
        self.played += part.sums.played;
        self.statuses.iter_mut().zip(part.sums.statuses).for_each(|(sum, games)| *sum += games);
    }
}

/// The result of verifying some blocks of games.
#[derive(Default)]
struct CheckedGames {
    sums: Sums,
    /// The first problem of each section.
    problems: Vec<(&'static str, String)>,
}

impl CheckedGames {
    fn add(&mut self, section: Section, problem: impl FnOnce() -> String) {
        if self.problems.iter().all(|&(known, _)| known != section.name()) {
            self.problems.push((section.name(), problem()));
        }
    }
}

/// The start position of the games of one kind.
struct KindStart {
    board: Board,
    state: State<u128>,
    counts: PackedPieceCounts,
}

/// The sections of a segment that describe its games, opened once.
struct Tables<'a> {
    moves: PackedMoves<'a>,
    /// The columns of texts that the segment has, and the number of texts in the dictionary of each.
    texts: Vec<(TextColumn, Column<'a>, u64)>,
    date: Column<'a>,
    summary: Column<'a>,
    kind: Column<'a>,
    plies: Column<'a>,
    first: Column<'a>,
    last: Column<'a>,
    /// The columns of facts that the segment has.
    facts: Vec<(NumberColumn, Column<'a>)>,
    text_ends: EndOffsets<'a>,
    /// The variations and the notes; `None` if an earlier version has written the segment.
    variations: Option<AnnotationBytes<'a>>,
    notes: Option<AnnotationBytes<'a>>,
    starts: Vec<KindStart>,
}

impl<'a> Tables<'a> {
    fn new(segment: &'a Segment) -> Result<Self> {
        let column = |section| segment.column(section);
        let mut texts = Vec::with_capacity(TextColumn::COUNT);
        for text in TextColumn::ALL {
            if let Some(column) = segment.text_column(text)? {
                texts.push((text, column, segment.dictionary(text.dictionary())?.len() as u64));
            }
        }
        let mut facts = Vec::with_capacity(NumberColumn::FACTS.len());
        for &fact in NumberColumn::FACTS {
            facts.extend(segment.number_column(fact)?.map(|column| (fact, column)));
        }
        // Ratings need no check: every number is a rating.
        let _ = (column(Section::WhiteRating)?, column(Section::BlackRating)?);
        let starts = segment.kinds()?.into_iter().map(|kind| {
            let start = segment.start(&kind);
            let counts = PackedPieceCounts::from(start.counts());
            KindStart { board: start.board(), state: *start.state(), counts }
        });
        Ok(Self {
            moves: segment.moves()?,
            texts,
            date: column(Section::Date)?,
            summary: column(Section::Summary)?,
            kind: column(Section::Kind)?,
            plies: column(Section::Plies)?,
            first: column(Section::First)?,
            last: column(Section::Last)?,
            facts,
            text_ends: segment.end_offsets(Section::TextEnds)?,
            variations: segment.variations()?,
            notes: segment.notes()?,
            starts: starts.collect(),
        })
    }

    /// Verifies the games of some blocks.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    fn check(
        &self,
        blocks: Range<usize>,
        (codecs, buffer): &mut (Codecs, MoveBuffer),
    ) -> Result<CheckedGames> {
        let mut checked = CheckedGames::default();
        for block in blocks.clone() {
            match self.moves.next_block(block, blocks.end, buffer) {
                Ok(games) => {
                    games.games().for_each(|(game, bytes)| self.check_game(game, bytes, codecs, &mut checked))
                }
                Err(error) => match error.kind() {
                    ErrorKind::IndexDamaged { problem, .. } => {
                        checked.add(Section::Moves, || (*problem).to_owned());
                    }
                    _ => return Err(error),
                },
            }
        }
        Ok(checked)
    }

    /// Verifies the row of a game and plays its moves.
    fn check_game(&self, game: usize, bytes: &[u8], codecs: &mut Codecs, checked: &mut CheckedGames) {
        let value = |column: &Column<'_>| column.get(game).unwrap_or(u64::MAX);
        for (text, column, count) in &self.texts {
            if value(column) >= *count {
                checked.add(text.section(), || format!("game {game} has no such text"));
            }
        }
        if date_of(value(&self.date)).is_none() {
            checked.add(Section::Date, || format!("the date of game {game} does not exist"));
        }
        let summary = SummaryBits::from_column(value(&self.summary));
        if summary.status().is_none() || summary.outcome().is_none() {
            checked.add(Section::Summary, || format!("the status of game {game} is unknown"));
        }
        checked.sums.statuses[summary.status_number()] += 1;
        if self.text_ends.get(game).is_none() {
            checked.add(Section::TextEnds, || format!("game {game} ends before it starts"));
        }
        let plies = value(&self.plies);
        checked.sums.plies = checked.sums.plies.wrapping_add(plies);
        let Some(start) = self.starts.get(value(&self.kind) as usize) else {
            return checked.add(Section::Kind, || format!("game {game} has no variant"));
        };
        if summary.is_continuous() && value(&self.first) != u64::from(start.counts.bits()) {
            let problem =
                || format!("the first piece counts of game {game} are not those of its start position");
            checked.add(Section::First, problem);
        }
        match start.board.with(PlayGame { codecs, start: &start.state, bytes }) {
            Ok(played) => {
                checked.sums.played += played.plies;
                if played.plies != plies {
                    checked.add(Section::Plies, || {
                        format!("the plies of game {game} are not those of its moves")
                    });
                }
                if value(&self.last) != u64::from(PackedPieceCounts::from(played.last).bits()) {
                    checked.add(Section::Last, || {
                        format!("the piece counts of game {game} are not those after its moves")
                    });
                }
                for (fact, column) in &self.facts {
                    if played.facts.get(*fact).map(u64::from) != Some(value(column)) {
                        checked.add(fact.section(), || {
                            format!("the fact of game {game} is not that of its moves")
                        });
                    }
                }
            }
            Err(CorruptMoves) => {
                checked.add(Section::Moves, || format!("the moves of game {game} are invalid"));
            }
        }
        if let (Some(variations), Some(notes)) = (&self.variations, &self.notes)
            && let packed = (PackedGame { game, board: start.board, start: &start.state, moves: bytes })
            && let Some(section) = annotations_problem(variations, notes, &packed, codecs)
        {
            checked.add(section, || format!("the {} of game {game} are invalid", section.name()));
        }
    }
}

/// A game of a segment and its packed moves.
pub(super) struct PackedGame<'a> {
    /// The number of the game in its segment.
    pub(super) game: usize,
    pub(super) board: Board,
    /// The start position of its kind.
    pub(super) start: &'a State<u128>,
    pub(super) moves: &'a [u8],
}

/// Returns the section in which the variations or notes of a game are invalid, if they are.
pub(super) fn annotations_problem(
    variations: &AnnotationBytes<'_>,
    notes: &AnnotationBytes<'_>,
    packed: &PackedGame<'_>,
    codecs: &mut Codecs,
) -> Option<Section> {
    if !variations.has(packed.game) && !notes.has(packed.game) {
        return None;
    }
    let Ok(lines) = variations.lines(packed.game) else { return Some(Section::Variations) };
    let Ok(notes) = notes.notes(packed.game) else { return Some(Section::Notes) };
    let Ok(plies) = packed.board.with(PlayLines { packed, lines: &lines, codecs }) else {
        return Some(Section::Variations);
    };
    let fits = |note: &StoredNote| {
        plies.get(note.line).is_some_and(|&(first, last)| (first..=last).contains(&note.plies))
    };
    (!notes.iter().all(fits)).then_some(Section::Notes)
}

/// Plays all lines of a game, and returns the first and the last ply of each.
struct PlayLines<'a> {
    packed: &'a PackedGame<'a>,
    lines: &'a [StoredLine<'a>],
    codecs: &'a mut Codecs,
}

impl WithBoard for PlayLines<'_> {
    type Output = std::result::Result<Vec<(u32, u32)>, CorruptMoves>;

    fn run<G: Geometry>(self) -> Self::Output {
        let Self { packed, lines, codecs } = self;
        let codec = codecs.on::<G>();
        let start = packed.start.resized();
        let starts = line_starts(codec, &start, packed.moves, lines)?;
        let variations = lines.iter().zip(&starts).map(|(line, start)| (start, line.first_ply, line.moves));
        let all = [(&start, 0, packed.moves)].into_iter().chain(variations);
        all.map(|(start, first, moves)| {
            let mut last = first;
            codec.scan(start, moves, |_| {
                last += 1;
                ControlFlow::Continue(())
            })?;
            Ok((first, last))
        })
        .collect()
    }
}
