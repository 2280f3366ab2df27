//! Everything that can be checked about an index, checked.
//!
//! Reads all of it once, and with [`Verify::archives`] all archives: as fast as the disk.

use std::fs;
use std::path::{Path, PathBuf};

use super::format::checksum::file_checksum;
use super::format::section::Section;
use super::key_build;
use super::keys::table::KeyTable;
use super::manifest::{self, Manifest};
use super::open::Index;
use super::row::game_row::PackedPieceCounts;
use super::row::row_batch::DictionaryKind;
use super::segment::reader::Segment;
use crate::error::{Error, ErrorKind, Result};
use crate::pack::unpack;
use crate::position::Position;

/// What to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// Whether the archives still are what they were, by fingerprint.
    pub fingerprints: bool,
    /// Whether every record in them still is what it was; reads them in full, and embedded text, too.
    pub texts: bool,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self { fingerprints: true, texts: false }
    }
}

impl VerifyOptions {
    /// Sums, counts and moves of the index alone.
    pub const INDEX: Self = Self { fingerprints: false, texts: false };
    /// All there is.
    pub const ALL: Self = Self { fingerprints: true, texts: true };
}

/// Something that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexProblem {
    /// The file.
    pub path: PathBuf,
    /// The section of a file of the index; empty for an archive.
    pub section: &'static str,
    /// What is wrong.
    pub problem: String,
}

/// What [`verify`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VerifyReport {
    /// What is wrong with the index.
    pub problems: Vec<IndexProblem>,
    /// What is wrong with the archives; queries work all the same.
    pub archive_problems: Vec<IndexProblem>,
    /// Segments looked at.
    pub segments: u64,
    /// Games looked at.
    pub games: u64,
    /// Plies replayed; as everywhere, null moves are not counted.
    pub plies: u64,
    /// Bytes of the index.
    pub bytes: u64,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty() && self.archive_problems.is_empty()
    }

    fn add(&mut self, path: &Path, section: &'static str, problem: impl Into<String>) {
        // One of a kind says enough.
        let same = |finding: &IndexProblem| finding.path == path && finding.section == section;
        if !self.problems.iter().any(same) {
            self.problems.push(IndexProblem { path: path.to_owned(), section, problem: problem.into() });
        }
    }

    fn add_error(&mut self, path: &Path, error: &Error) {
        match error.kind() {
            ErrorKind::IndexDamaged { section, problem } => self.add(path, section, *problem),
            kind => self.add(path, "", kind.to_string()),
        }
    }
}

/// Checks the index in a folder: that every file is there and fits its checksums, that the numbers in it fit
/// together, that the moves of every game can be played and lead where the table says, and the archives as `what`
/// says. Goes on after a finding.
///
/// # Errors
/// When there is no index, or its manifest cannot be read.
pub fn verify(dir: impl AsRef<Path>, what: &VerifyOptions) -> Result<VerifyReport> {
    let dir = dir.as_ref();
    let listed = Manifest::read(dir)?.ok_or_else(|| Error::new(ErrorKind::NotAnIndex).at(dir))?;
    let mut report = VerifyReport::default();
    report.bytes += fs::metadata(dir.join(manifest::NAME)).map_or(0, |file| file.len());
    for one in &listed.segments {
        let path = dir.join(one.file());
        match Segment::open(&path) {
            Ok(segment) => {
                report.segments += 1;
                report.bytes += segment.file_len();
                if (segment.file_len(), segment.checksum()) != (one.info.len, one.info.checksum) {
                    report.add(&path, "footer", "it is not the one that the manifest lists");
                }
                let plies = check_segment(&segment, listed.inputs.len(), &mut report);
                check_positions(&segment, &mut report);
                if plies.is_some_and(|plies| plies != one.info.plies) {
                    report.add(&path, Section::Plies.name(), "they do not add up to what the manifest says");
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::NotFound) =>
            {
                report.add(&path, "", "the segment is missing");
            }
            Err(error) => report.add_error(&path, &error),
        }
    }
    let games: u64 = listed.inputs.iter().map(|origin| origin.games).sum();
    if games != listed.segments.iter().map(|one| u64::from(one.info.games)).sum::<u64>() {
        report.add(&dir.join(manifest::NAME), "", "the games of origins and segments do not add up");
    }
    if report.problems.is_empty() {
        let index = Index::open(dir)?;
        let path = index.rejects_path();
        if !file_checksum(&path).is_ok_and(|found| found == index.rejects_checksum()) {
            report.add(&path, "", "it is not the file that was written");
        }
        check_archives(&index, what, &mut report);
    }
    Ok(report)
}

/// Checks all sections of a segment. The sum of the plies, if that many can be read.
fn check_segment(segment: &Segment, origins: usize, report: &mut VerifyReport) -> Option<u64> {
    let path = segment.path();
    for (section, problem) in segment.check_sections() {
        report.add(path, section, problem);
    }
    let before = report.problems.len();
    if segment.version() > 1
        && let Err(error) = segment.text_checksum_blocks()
    {
        report.add_error(path, &error);
    }
    for names in DictionaryKind::ALL {
        match segment.names(names) {
            Ok(dictionary) if !dictionary.is_ordered() => {
                report.add(path, names.sections()[0].name(), "its texts are not in order");
            }
            Ok(_) => {}
            Err(error) => report.add_error(path, &error),
        }
    }
    match check_games(segment, origins, report) {
        Ok(plies) if report.problems.len() == before => Some(plies),
        Ok(_) => None,
        Err(error) => {
            report.add_error(path, &error);
            None
        }
    }
}

/// Checks the table of positions of a segment, if it has one and the games are sound.
fn check_positions(segment: &Segment, report: &mut VerifyReport) {
    if let Ok(Some(keys)) = KeyTable::open(segment) {
        report.bytes += keys.file_len();
    }
    let moves_are_sound = report.problems.iter().all(|finding| finding.path != segment.path());
    if moves_are_sound && let Some((path, error)) = key_build::check(segment) {
        report.add_error(&path, &error);
    }
}

fn check_games(segment: &Segment, origins: usize, report: &mut VerifyReport) -> Result<u64> {
    let path = segment.path();
    let moves = segment.moves()?;
    let plies = segment.column(Section::Plies)?;
    let mut sum = 0;
    for block in 0..moves.blocks() {
        let games = match moves.block(block) {
            Ok(games) => games,
            Err(error) => {
                report.add_error(path, &error);
                continue;
            }
        };
        for (game, bytes) in games.games() {
            report.games += 1;
            let Some(row) = segment.row(game)? else { continue };
            sum += u64::from(row.plies);
            let place = segment.location(game)?;
            if place.is_none_or(|place| place.input as usize >= origins) {
                report.add(path, Section::Runs.name(), format!("game {game} comes from nowhere"));
            }
            let start = Position::start(row.kind.game());
            match unpack(&start, bytes) {
                Ok((played, last)) => {
                    // A null move is no ply.
                    let moves = played.iter().filter(|ply| ply.mv.is_some()).count() as u64;
                    report.plies += moves;
                    if Some(moves) != plies.get(game) {
                        report.add(
                            path,
                            Section::Plies.name(),
                            format!("those of game {game} are not its moves"),
                        );
                    }
                    if PackedPieceCounts::from(last.counts()) != row.last {
                        let problem = format!("that of game {game} is not where its moves lead");
                        report.add(path, Section::Last.name(), problem);
                    }
                }
                Err(_) => {
                    report.add(path, Section::Moves.name(), format!("those of game {game} make no sense"))
                }
            }
        }
    }
    Ok(sum)
}

fn check_archives(index: &Index, what: &VerifyOptions, report: &mut VerifyReport) {
    let add = |report: &mut VerifyReport, path: &Path, problem: String| {
        if !report.archive_problems.iter().any(|finding| finding.path == path) {
            report.archive_problems.push(IndexProblem { path: path.to_owned(), section: "", problem });
        }
    };
    if what.fingerprints {
        for origin in index.inputs() {
            if let Err(error) = origin.check() {
                let path = origin.path.as_deref().unwrap_or(&origin.name);
                let problem = match error.kind() {
                    ErrorKind::ArchiveChanged(what) => (*what).to_owned(),
                    ErrorKind::Io(cause) => cause.to_string(),
                    kind => kind.to_string(),
                };
                add(report, path, problem);
            }
        }
    }
    if what.texts {
        for (number, segment) in index.segments().iter().enumerate() {
            let first = index.first_of(number).unwrap_or(0);
            let mut local = 0;
            // The first game of a block is compared together with the others.
            while let Some(game) = index.game(first + local as u64).filter(|_| local < segment.len()) {
                let block = segment.text_checksum_block(local);
                local = block.as_ref().map_or(local + 1, |(games, _)| games.end.max(local + 1));
                if let Err(error) = block.and_then(|_| game.text()) {
                    let path = error.path().unwrap_or(index.dir()).to_owned();
                    match error.kind() {
                        // A stream was never meant to be read again.
                        ErrorKind::NoText(_) => {}
                        ErrorKind::IndexDamaged { section, problem } => report.add(&path, section, *problem),
                        ErrorKind::ArchiveChanged(what) => add(report, &path, (*what).to_owned()),
                        ErrorKind::Io(cause) => add(report, &path, cause.to_string()),
                        kind => add(report, &path, kind.to_string()),
                    }
                }
            }
        }
    }
}
