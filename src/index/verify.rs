//! Verifies an index: checksums, counts, moves and, on request, the archives.
//!
//! Reads the index once, and with [`VerifyOptions::texts`] all archives, at the speed of the disk.

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

/// Options of [`verify`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// Whether to compare the fingerprints of archives.
    pub fingerprints: bool,
    /// Whether to compare every record with its checksum: reads all archives, and embedded records, too.
    pub texts: bool,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self { fingerprints: true, texts: false }
    }
}

impl VerifyOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether to compare the fingerprints of archives.
    #[must_use]
    pub fn fingerprints(mut self, fingerprints: bool) -> Self {
        self.fingerprints = fingerprints;
        self
    }

    /// Sets whether to compare every record with its checksum.
    #[must_use]
    pub fn texts(mut self, texts: bool) -> Self {
        self.texts = texts;
        self
    }
}

impl VerifyOptions {
    /// Only the index itself.
    pub const INDEX: Self = Self { fingerprints: false, texts: false };
    /// Everything.
    pub const ALL: Self = Self { fingerprints: true, texts: true };
}

/// A problem of an index or of one of its archives.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IndexProblem {
    /// Path of the file.
    pub path: PathBuf,
    /// Name of the section of an index file; empty for an archive.
    pub section: &'static str,
    /// Description of the problem.
    pub problem: String,
}

/// The result of [`verify`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct VerifyReport {
    /// Problems of the index, at most one per file and section.
    pub problems: Vec<IndexProblem>,
    /// Problems of the archives, at most one per file. Queries do not depend on them.
    pub archive_problems: Vec<IndexProblem>,
    /// Number of segments that were verified.
    pub segments: u64,
    /// Number of games that were verified.
    pub games: u64,
    /// Number of plies that were replayed. Null moves are not counted.
    pub plies: u64,
    /// Length of the files of the index, in bytes.
    pub bytes: u64,
}

impl VerifyReport {
    /// Returns `true` if there are no problems.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty() && self.archive_problems.is_empty()
    }

    /// Adds a problem, unless one of the same file and section is known.
    fn add(&mut self, path: &Path, section: &'static str, problem: impl Into<String>) {
        // One problem per section is enough.
        let same = |known: &IndexProblem| known.path == path && known.section == section;
        if !self.problems.iter().any(same) {
            self.problems.push(IndexProblem { path: path.to_owned(), section, problem: problem.into() });
        }
    }

    /// Adds a problem described by an error.
    fn add_error(&mut self, path: &Path, error: &Error) {
        match error.kind() {
            ErrorKind::IndexDamaged { section, problem } => self.add(path, section, *problem),
            kind => self.add(path, "", kind.to_string()),
        }
    }
}

/// Verifies the index in a folder: all files are present and match their checksums, the numbers in them are
/// consistent, and the moves of every game can be played and lead to the stored piece counts. Checks the archives as
/// `options` says. Continues after a problem.
///
/// # Errors
/// Fails if there is no index, or its manifest cannot be read.
pub fn verify(dir: impl AsRef<Path>, options: &VerifyOptions) -> Result<VerifyReport> {
    let dir = dir.as_ref();
    let present = Manifest::read(dir)?.ok_or_else(|| Error::new(ErrorKind::NotAnIndex).at(dir))?;
    let mut report = VerifyReport::default();
    report.bytes += fs::metadata(dir.join(manifest::FILE_NAME)).map_or(0, |file| file.len());
    for entry in &present.segments {
        let path = dir.join(entry.file());
        match Segment::open(&path) {
            Ok(segment) => {
                report.segments += 1;
                report.bytes += segment.file_len();
                if (segment.file_len(), segment.checksum()) != (entry.info.len, entry.info.checksum) {
                    report.add(&path, "footer", "it is not the segment that the manifest lists");
                }
                let plies = check_segment(&segment, present.inputs.len(), &mut report);
                check_positions(&segment, &mut report);
                if plies.is_some_and(|plies| plies != entry.info.plies) {
                    report.add(&path, Section::Plies.name(), "their sum is not that in the manifest");
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::NotFound) =>
            {
                report.add(&path, "", "the segment is missing");
            }
            Err(error) => report.add_error(&path, &error),
        }
    }
    let games: u64 = present.inputs.iter().map(|input| input.games).sum();
    if games != present.segments.iter().map(|entry| u64::from(entry.info.games)).sum::<u64>() {
        report.add(&dir.join(manifest::FILE_NAME), "", "inputs and segments have different numbers of games");
    }
    if report.problems.is_empty() {
        let index = Index::open(dir)?;
        let path = index.rejects_path();
        if !file_checksum(&path).is_ok_and(|checksum| checksum == index.rejects_checksum()) {
            report.add(&path, "", "it is not the file that was written");
        }
        if !index.has_right_retired_sums()? {
            report.add(&dir.join(manifest::FILE_NAME), "", "the sums over retired games are wrong");
        }
        check_archives(&index, options, &mut report);
    }
    Ok(report)
}

/// Verifies all sections of a segment. Returns the number of plies, if all of them can be read.
fn check_segment(segment: &Segment, input_count: usize, report: &mut VerifyReport) -> Option<u64> {
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
    for kind in DictionaryKind::ALL {
        match segment.dictionary(kind) {
            Ok(dictionary) if !dictionary.is_ordered() => {
                report.add(path, kind.sections()[0].name(), "its texts are not in order");
            }
            Ok(_) => {}
            Err(error) => report.add_error(path, &error),
        }
    }
    match check_games(segment, input_count, report) {
        Ok(plies) if report.problems.len() == before => Some(plies),
        Ok(_) => None,
        Err(error) => {
            report.add_error(path, &error);
            None
        }
    }
}

/// Verifies the key table of a segment, if it has one and its games are sound.
fn check_positions(segment: &Segment, report: &mut VerifyReport) {
    if let Ok(Some(keys)) = KeyTable::open(segment) {
        report.bytes += keys.file_len();
    }
    let moves_are_sound = report.problems.iter().all(|known| known.path != segment.path());
    if moves_are_sound && let Some((path, error)) = key_build::check(segment) {
        report.add_error(&path, &error);
    }
}

/// Unpacks all games of a segment and compares them with their rows. Returns the number of plies in the rows.
fn check_games(segment: &Segment, input_count: usize, report: &mut VerifyReport) -> Result<u64> {
    let path = segment.path();
    let moves = segment.moves()?;
    let plies = segment.column(Section::Plies)?;
    let mut plies_in_rows = 0;
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
            plies_in_rows += u64::from(row.plies);
            let location = segment.location(game)?;
            if location.is_none_or(|location| location.input as usize >= input_count) {
                report.add(path, Section::Runs.name(), format!("game {game} has no input"));
            }
            let start = Position::start(row.kind.game());
            match unpack(&start, bytes) {
                Ok((unpacked, last)) => {
                    // A null move is not a ply.
                    let moves = unpacked.iter().filter(|ply| ply.mv.is_some()).count() as u64;
                    report.plies += moves;
                    if Some(moves) != plies.get(game) {
                        report.add(
                            path,
                            Section::Plies.name(),
                            format!("the plies of game {game} are not those of its moves"),
                        );
                    }
                    if PackedPieceCounts::from(last.counts()) != row.last {
                        let problem =
                            format!("the piece counts of game {game} are not those after its moves");
                        report.add(path, Section::Last.name(), problem);
                    }
                }
                Err(_) => {
                    report.add(path, Section::Moves.name(), format!("the moves of game {game} are invalid"))
                }
            }
        }
    }
    Ok(plies_in_rows)
}

/// Compares fingerprints and records with the archives.
fn check_archives(index: &Index, options: &VerifyOptions, report: &mut VerifyReport) {
    let add = |report: &mut VerifyReport, path: &Path, problem: String| {
        if !report.archive_problems.iter().any(|known| known.path == path) {
            report.archive_problems.push(IndexProblem { path: path.to_owned(), section: "", problem });
        }
    };
    if options.fingerprints {
        for input in index.inputs().iter().filter(|input| !input.is_retired) {
            if let Err(error) = input.check() {
                let path = input.path.as_deref().unwrap_or(&input.name);
                let problem = match error.kind() {
                    ErrorKind::ArchiveChanged(problem) => (*problem).to_owned(),
                    ErrorKind::Io(cause) => cause.to_string(),
                    kind => kind.to_string(),
                };
                add(report, path, problem);
            }
        }
    }
    if options.texts {
        for (number, segment) in index.segments().iter().enumerate() {
            let first = index.first_game(number).unwrap_or(0);
            let mut local = 0;
            // Reading the first game of a block verifies all games of the block.
            while let Some(game) = index.game(first + local as u64).filter(|_| local < segment.len()) {
                let block = segment.text_checksum_block(local);
                local = block.as_ref().map_or(local + 1, |(games, _)| games.end.max(local + 1));
                // The records of a retired game may be anything by now, unless the index has them.
                if game.is_retired() && !segment.has(Section::Text) {
                    continue;
                }
                if let Err(error) = block.and_then(|_| game.text()) {
                    let path = error.path().unwrap_or(index.dir()).to_owned();
                    match error.kind() {
                        // A stream cannot be read again.
                        ErrorKind::NoText(_) => {}
                        ErrorKind::IndexDamaged { section, problem } => report.add(&path, section, *problem),
                        ErrorKind::ArchiveChanged(problem) => add(report, &path, (*problem).to_owned()),
                        ErrorKind::Io(cause) => add(report, &path, cause.to_string()),
                        kind => add(report, &path, kind.to_string()),
                    }
                }
            }
        }
    }
}
