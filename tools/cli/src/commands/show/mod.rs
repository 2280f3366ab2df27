//! `pdn show`: shows a game of an archive or an index with its tags, moves, comments and board, or a position.

mod human;
mod json;
mod movetext;
mod position;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pdn::archive::{Archive, Batch};
use pdn::index::{GameKind, Index};
use pdn::movegen::GameEndReason;
use pdn::parse::{TagPair, unescape};
use pdn::position::{Move, Position};
use pdn::replay::{AnnotatedGame, CandidateGame, Replayer, VariantBasis};
use pdn::source::{Encoding, OpenOptions, walk};
use pdn::value::decode_entities;

use crate::args::ShowArgs;
use crate::board::DrawOptions;
use crate::input::report::ReportOptions;
use crate::output::exit::{fail, print_error};
use crate::output::{CommandResult, Exit, Output, sanitize};
use pdn_app::numbers::{Count, plies};
use pdn_app::searched::is_index;
use pdn_app::words::colour_title;

/// Maximum length in bytes of a record that is shown; its annotated game may take 200 times as much memory.
const MAX_RECORD_BYTES: usize = 1 << 20;

/// Runs `pdn show`.
pub(crate) fn run(args: &ShowArgs, out: &mut Output) -> CommandResult {
    match &args.path {
        Some(path) => show_game(path, args, out),
        None => position::show(args, out),
    }
}

/// Shows a game.
fn show_game(path: &Path, args: &ShowArgs, out: &mut Output) -> CommandResult {
    let mut variant = args.position.variant.as_ref().map(|rules| rules.candidate);
    let options = OpenOptions::new().encoding(args.encoding);
    let mut basis = None;
    let mut place = None;
    let found = if is_index(path) {
        open_index(path, args.root.as_deref()).and_then(|index| read_indexed(&index, args.number)).and_then(
            |found| match found {
                IndexedRecord::Found(game) => {
                    // The variant inferred from the whole file when it was indexed.
                    if variant.is_none() {
                        let GameKind { variant: inferred, numbering, basis: known } = game.kind;
                        variant = Some(CandidateGame { variant: inferred, numbering });
                        basis = Some(known);
                    }
                    let (archive, indexed_place) = game.archive(args.encoding)?;
                    place = Some(indexed_place);
                    find_game(archive, 1)
                }
                IndexedRecord::Missing { games } => Ok(FoundGame::Missing { games }),
                IndexedRecord::Retired { file } => Ok(FoundGame::Retired { file }),
            },
        )
    } else {
        find_in_archives(path, args.number, &options)
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => return Ok(fail(&error)),
    };
    let (batch, index) = match found {
        FoundGame::Game(batch, index) => (batch, index),
        FoundGame::Missing { games } => {
            let path = sanitize::path(path);
            let message = match games {
                0 => format!("{path}: there is no game"),
                1 => format!("{path}: there is no game {}, only game 1", args.number),
                _ => {
                    format!("{path}: there is no game {}; the last one is {}", args.number, Count(games))
                }
            };
            print_error(&message);
            return Ok(Exit::Negative);
        }
        FoundGame::Retired { file } => {
            print_error(&format!(
                "{}: game {} is no longer part of the index: {} was replaced or removed",
                sanitize::path(path),
                args.number,
                sanitize::path(&file)
            ));
            return Ok(Exit::Negative);
        }
    };
    let record = FoundRecord { batch: &batch, index, variant, basis, place };
    match replayed(record, args.ply, |shown| print_game(shown, args, out)) {
        Ok(printed) => printed,
        Err(NotShown::TooLong) => {
            print_error(&format!("{}: game {} is too long to be shown", sanitize::path(path), args.number));
            Ok(Exit::Failure)
        }
        Err(NotShown::NoSuchPly { ply, plies: ply_count }) => {
            print_error(&format!("--ply {ply}: only {} can be replayed", plies(ply_count as u64)));
            Ok(Exit::Negative)
        }
    }
}

/// A record that was found, with what is known of its variant.
struct FoundRecord<'a> {
    batch: &'a Batch,
    /// Index of the game in the batch.
    index: usize,
    variant: Option<CandidateGame>,
    basis: Option<VariantBasis>,
    /// Its numbers, if it comes from an index.
    place: Option<Place>,
}

/// Why a game is not shown.
pub(crate) enum NotShown {
    /// The record is longer than [`MAX_RECORD_BYTES`].
    TooLong,
    /// Fewer plies can be replayed than were asked for.
    NoSuchPly { ply: usize, plies: usize },
}

/// Replays a record with its variations and passes it to `then`, with the position after `ply` plies, or after all.
fn replayed<T>(
    record: FoundRecord<'_>,
    ply: Option<usize>,
    then: impl FnOnce(&ShownGame<'_>) -> T,
) -> Result<T, NotShown> {
    let FoundRecord { batch, index, variant, basis, place } = record;
    let Some(game) = batch.get(index).filter(|game| game.raw().len() <= MAX_RECORD_BYTES) else {
        return Err(NotShown::TooLong);
    };
    let report_options = ReportOptions { style: false, replay: true, variant };
    let mut replayer = Replayer::new(report_options.replay_options());
    let mut annotated = replayer.replay_annotated(game);
    annotated.summary.basis = basis.unwrap_or(annotated.summary.basis);
    let ply_count = annotated.main.plies.len();
    let ply = ply.unwrap_or(ply_count);
    if ply > ply_count {
        return Err(NotShown::NoSuchPly { ply, plies: ply_count });
    }
    let place = place.unwrap_or_else(|| Place {
        game: None,
        record: batch.first() + index as u64 + 1,
        offset: game.view().record().offset,
    });
    Ok(then(&ShownGame { batch, index, place, annotated: &annotated, ply }))
}

/// Returns a game of an index as JSON, or as a picture after `ply` plies, with Black at the bottom if `flip` is set.
/// `None` if there is no such game.
///
/// # Errors
///
/// If the text of the game cannot be read.
#[cfg(feature = "serve")]
pub(crate) fn served(
    index: &Index,
    number: u64,
    ply: Option<usize>,
    picture: Option<bool>,
) -> pdn::Result<Option<Result<ServedGame, NotShown>>> {
    let IndexedRecord::Found(game) = read_indexed(index, number)? else { return Ok(None) };
    let GameKind { variant, numbering, basis } = game.kind;
    let (archive, place) = game.archive(None)?;
    let FoundGame::Game(batch, at) = find_game(archive, 1)? else { return Ok(None) };
    let variant = Some(CandidateGame { variant, numbering });
    let record = FoundRecord { batch: &batch, index: at, variant, basis: Some(basis), place: Some(place) };
    Ok(Some(replayed(record, ply, |shown| match picture {
        None => ServedGame::Json(json::object(shown)),
        Some(flip) => {
            let (position, last_move) = shown.position();
            let last_move = last_move.map(|mv| (mv.from, mv.to));
            ServedGame::Svg(pdn_app::board::svg(
                &position,
                &DrawOptions { flip, last_move, ..DrawOptions::default() },
            ))
        }
    })))
}

/// A game in the form that was asked for.
#[cfg(feature = "serve")]
pub(crate) enum ServedGame {
    Json(serde_json::Value),
    Svg(String),
}

/// Prints a game in the form that the options choose.
fn print_game(shown: &ShownGame<'_>, args: &ShowArgs, out: &mut Output) -> CommandResult {
    if args.plain {
        writeln!(out, "{}", movetext::plain(shown, args.ply.is_none()))?;
        return Ok(Exit::Success);
    }
    let (position, last_move) = shown.position();
    let mut options = DrawOptions {
        square_names: args.numbers,
        flip: args.flip,
        last_move: last_move.map(|mv| (mv.from, mv.to)),
        ..DrawOptions::default()
    };
    if let Some(file) = &args.svg {
        return write_svg(file, &pdn_app::board::svg(&position, &options), out);
    }
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&json::object(shown)))?;
        return Ok(Exit::Success);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    human::print(shown, &options, out)?;
    Ok(Exit::Success)
}

/// The numbers of a game.
struct Place {
    /// Number of the game in the index, from 1, if it comes from one.
    game: Option<u64>,
    /// Number of the record in its input, from 1.
    record: u64,
    /// Offset of the record in the text of its input.
    offset: u64,
}

/// A game and the ply whose position is shown.
struct ShownGame<'a> {
    batch: &'a Batch,
    /// Index of the game in its batch.
    index: usize,
    place: Place,
    annotated: &'a AnnotatedGame<'a>,
    /// Number of plies before the position that is shown.
    ply: usize,
}

impl ShownGame<'_> {
    /// Returns the position that is shown and the move before it.
    fn position(&self) -> (Position, Option<Move>) {
        let line = &self.annotated.main;
        let last_move = self.ply.checked_sub(1).and_then(|last| line.plies.get(last)).map(|ply| ply.mv);
        let position = match line.plies.get(self.ply) {
            Some(next) => next.position,
            None => line.last,
        };
        (position, last_move)
    }

    /// Returns the bytes of the record.
    fn raw(&self) -> &[u8] {
        self.batch.get(self.index).map_or(&[], |game| game.raw())
    }

    /// Converts an offset in the record to an offset in the input.
    fn at(&self, offset: u32) -> u64 {
        let offset = self.place.offset + u64::from(offset);
        self.batch.offsets().map_or(offset, |offsets| offsets.original_offset(offset))
    }

    /// Decodes bytes of the record.
    fn decode(&self, part: &[u8]) -> String {
        self.batch.decoder().text(self.raw(), part).into_owned()
    }

    /// Decodes the value of a tag, without escapes, entities and surrounding whitespace, as `pdn find` does.
    fn decode_value(&self, value: &[u8]) -> String {
        decode_entities(&self.decode(&unescape(value))).trim().to_owned()
    }

    /// Returns names and values of all tags, in order.
    fn tags(&self) -> Vec<(String, String)> {
        self.batch.get(self.index).map_or_else(Vec::new, |game| self.decode_tags(game.view().tags()))
    }

    /// Returns names and values of the tags of the tag section, in order.
    fn section_tags(&self) -> Vec<(String, String)> {
        self.batch.get(self.index).map_or_else(Vec::new, |game| self.decode_tags(game.view().section_tags()))
    }

    fn decode_tags<'g>(&self, tags: impl Iterator<Item = TagPair<'g>>) -> Vec<(String, String)> {
        tags.map(|tag| (self.decode(tag.name), self.decode_value(tag.value))).collect()
    }

    /// Returns the sentence about where and why the replay stopped, if it did.
    fn stop_text(&self) -> Option<String> {
        let stop = self.annotated.summary.stop?;
        let text = self.decode(stop.span.of(self.raw()));
        let text: String = text.chars().take(40).collect();
        Some(format!("stops after {} at `{}`: {}", plies(u64::from(stop.ply)), text, stop.reason.text()))
    }
}

/// The result of looking for a game by its number.
enum FoundGame {
    /// Its batch and its index in the batch.
    Game(Batch, usize),
    /// The archive has only this many games.
    Missing { games: u64 },
    /// The game is no longer part of the index, because this file was replaced or removed.
    Retired { file: PathBuf },
}

/// Finds a game of a file or a folder by its number, from 1, counted through all files.
fn find_in_archives(path: &Path, number: u64, options: &OpenOptions) -> pdn::Result<FoundGame> {
    let mut passed = 0;
    for file in walk([path]) {
        match find_game(Archive::open_with(file?, options)?, number - passed)? {
            FoundGame::Missing { games } => passed += games,
            found => return Ok(found),
        }
    }
    Ok(FoundGame::Missing { games: passed })
}

/// Finds a game by its number, from 1, counted through all entries of a zip.
fn find_game(archive: Archive, number: u64) -> pdn::Result<FoundGame> {
    let mut passed = 0;
    for batch in archive.batches() {
        let batch = batch?;
        let games = batch.len() as u64;
        if number - passed <= games {
            return Ok(FoundGame::Game(batch, (number - passed - 1) as usize));
        }
        passed += games;
    }
    Ok(FoundGame::Missing { games: passed })
}

/// A game read from an index: its record and the variant that it was indexed as.
struct StoredGame {
    /// Name of the input that it came from.
    input: PathBuf,
    bytes: Vec<u8>,
    /// The encoding that the decoder of the input recognises.
    encoding: Encoding,
    kind: GameKind,
    place: Place,
}

impl StoredGame {
    /// Returns an archive of this game only, and its numbers. `encoding` comes before the one that was recognised.
    fn archive(self, encoding: Option<Encoding>) -> pdn::Result<(Archive, Place)> {
        let options = OpenOptions::new().encoding(encoding.or(Some(self.encoding)));
        Ok((Archive::from_reader(io::Cursor::new(self.bytes), self.input, &options)?, self.place))
    }
}

/// The result of looking up a game of an index.
enum IndexedRecord {
    /// The game.
    Found(StoredGame),
    /// The index has only this many games.
    Missing { games: u64 },
    /// The game is no longer part of the index, because this file was replaced or removed.
    Retired { file: PathBuf },
}

/// Opens the index in `dir`. `root` is the folder of archives that were moved.
fn open_index(dir: &Path, root: Option<&Path>) -> pdn::Result<Index> {
    let mut index = Index::open(dir)?;
    if let Some(root) = root {
        index.relocate(root)?;
    }
    Ok(index)
}

/// Reads a game of an index by its number, from 1.
fn read_indexed(index: &Index, number: u64) -> pdn::Result<IndexedRecord> {
    let Some(game) = number.checked_sub(1).and_then(|number| index.game(number)) else {
        return Ok(IndexedRecord::Missing { games: index.len() });
    };
    let input = game.input()?.name.clone();
    if game.is_retired() {
        return Ok(IndexedRecord::Retired { file: input });
    }
    let record = index.record_numbers()?.get(game.number()).map_or(0, |record| record + 1);
    let place = Place { game: Some(number), record, offset: game.location()?.offset };
    let bytes = game.text()?;
    let encoding = game.decoder()?.guess(&bytes).encoding;
    Ok(IndexedRecord::Found(StoredGame { input, bytes, encoding, kind: game.row()?.kind, place }))
}

/// Writes the sentence about the winner if the game ends in this position.
fn write_winner(position: &Position, out: &mut Output) -> io::Result<()> {
    let Some(end) = position.outcome() else { return Ok(()) };
    let reason = match end.reason {
        GameEndReason::NoMove => "no legal move",
        GameEndReason::NoPiece => "no piece",
        GameEndReason::Breakthrough => "a king",
    };
    writeln!(out, "{} has won: {reason}", colour_title(end.winner))
}

/// Writes a picture to a new file, or to standard output if `file` is `-`. A file that exists is left as it is.
fn write_svg(file: &Path, svg: &str, out: &mut Output) -> CommandResult {
    if file == Path::new("-") {
        out.write_all(svg.as_bytes())?;
        return Ok(Exit::Success);
    }
    let written = std::fs::File::create_new(file).and_then(|mut created| created.write_all(svg.as_bytes()));
    if let Err(error) = written {
        let problem = match error.kind() {
            io::ErrorKind::AlreadyExists => "the file exists; it is not overwritten".to_owned(),
            _ => error.to_string(),
        };
        print_error(&format!("{}: {problem}", sanitize::path(file)));
        return Ok(Exit::Failure);
    }
    Ok(Exit::Success)
}
