//! `pdn show`: shows a game of an archive or an index with its tags, moves, comments and board, or a position.

mod human;
mod json;
mod position;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::archive::{Archive, Batch};
use pdn::index::{GameKind, Index};
use pdn::movegen::GameEndReason;
use pdn::position::{Move, Position};
use pdn::replay::{AnnotatedGame, Replayer};
use pdn::rules::Variant;
use pdn::source::OpenOptions;

use crate::args::ShowArgs;
use crate::board::words::colour_title;
use crate::board::{self, DrawOptions};
use crate::input::head::{BatchesWithHead, InputHead};
use crate::input::report::{ReportOptions, apply_prior};
use crate::output::exit::{fail, print_error};
use crate::output::numbers::count;
use crate::output::{Exit, Output, sanitize};

/// Maximum length in bytes of a record that is shown; its annotated game may take 200 times as much memory.
const MAX_RECORD_BYTES: usize = 1 << 20;

/// Runs `pdn show`.
pub(crate) fn run(args: &ShowArgs, out: &mut Output) -> io::Result<Exit> {
    match &args.path {
        Some(path) => show_game(path, args, out),
        None => position::show(args, out),
    }
}

/// Shows a game.
fn show_game(path: &Path, args: &ShowArgs, out: &mut Output) -> io::Result<Exit> {
    let mut variant = match &args.position.variant {
        None => None,
        Some(rules) => match Variant::from_name(&rules.name) {
            Some(variant) => Some(variant),
            None => {
                print_error("--variant: replaying a game takes a named variant, not a GameType value");
                return Ok(Exit::Failure);
            }
        },
    };
    let options = OpenOptions::new().encoding(args.encoding);
    let mut basis = None;
    let found = if path.is_dir() {
        read_indexed(path, args.number, args.root.as_deref()).and_then(|found| match found {
            IndexedRecord::Found(game) => {
                // The variant inferred from the whole file when it was indexed.
                if variant.is_none() {
                    (variant, basis) = (Some(game.kind.variant), Some(game.kind.basis));
                }
                let record = Archive::from_reader(io::Cursor::new(game.bytes), game.input, &options)?;
                find_game(record, 1)
            }
            IndexedRecord::Missing { games } => Ok(FoundGame::Missing { games }),
            IndexedRecord::Retired { file } => Ok(FoundGame::Retired { file }),
        })
    } else {
        Archive::open_with(path, &options).and_then(|archive| find_game(archive, args.number))
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => return Ok(fail(&error)),
    };
    let (batch, index, head) = match found {
        FoundGame::Game(batch, index, head) => (batch, index, head),
        FoundGame::Missing { games } => {
            let games = count(games, "game");
            print_error(&format!("{}: there is no game {}, only {games}", sanitize::path(path), args.number));
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
    let Some(game) = batch.get(index) else { return Ok(Exit::Failure) };
    if game.raw().len() > MAX_RECORD_BYTES {
        print_error(&format!("{}: game {} is too long to be shown", sanitize::path(path), args.number));
        return Ok(Exit::Failure);
    }
    let report_options = ReportOptions { style: false, replay: true, variant };
    let mut replayer = Replayer::new(report_options.replay_options());
    apply_prior(&mut replayer, &mut None, &head);
    let mut annotated = replayer.replay_annotated(game.raw());
    annotated.summary.basis = basis.unwrap_or(annotated.summary.basis);
    let ply_count = annotated.main.plies.len();
    let ply = args.ply.unwrap_or(ply_count);
    if ply > ply_count {
        let plies =
            if ply_count == 1 { "1 legal ply".to_owned() } else { format!("{ply_count} legal plies") };
        print_error(&format!("--ply {ply}: the game has {plies}"));
        return Ok(Exit::Negative);
    }
    let shown = ShownGame { batch: &batch, index, number: args.number, annotated: &annotated, ply };
    let (position, last_move) = shown.position();
    let mut options = DrawOptions {
        square_names: args.numbers,
        flip: args.flip,
        last_move: last_move.map(|mv| (mv.from, mv.to)),
        ..DrawOptions::default()
    };
    if let Some(file) = &args.svg {
        return write_svg(file, &board::svg(&position, &options), out);
    }
    if args.json {
        writeln!(out, "{}", sanitize::json(&json::object(&shown)))?;
        return Ok(Exit::Success);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    human::print(&shown, &options, out)?;
    Ok(Exit::Success)
}

/// A game and the ply whose position is shown.
struct ShownGame<'a> {
    batch: &'a Batch,
    /// Index of the game in its batch.
    index: usize,
    /// Number of the game in the archive or index, from 1.
    number: u64,
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

    /// Decodes bytes of the record.
    fn decode(&self, part: &[u8]) -> String {
        self.batch.decoder().text(self.raw(), part).into_owned()
    }

    /// Returns names and values of the tags, in order.
    fn tags(&self) -> Vec<(String, String)> {
        let Some(game) = self.batch.get(self.index) else { return Vec::new() };
        let value = |tag: pdn::parse::TagPair<'_>| self.decode(&pdn::parse::unescape(tag.value));
        game.view().tags().map(|tag| (self.decode(tag.name), value(tag))).collect()
    }

    /// Returns the sentence about where and why the replay stopped, if it did.
    fn stop_text(&self) -> Option<String> {
        let stop = self.annotated.summary.stop?;
        let text = self.decode(stop.span.of(self.raw()));
        let text: String = text.chars().take(40).collect();
        Some(format!("stops before ply {} at `{}`: {}", stop.ply + 1, text, stop.reason.text()))
    }
}

/// The result of looking for a game by its number.
enum FoundGame {
    /// Its batch, its index in the batch, and the head of its input.
    Game(Batch, usize, Arc<InputHead>),
    /// The archive has only this many games.
    Missing { games: u64 },
    /// The game is no longer part of the index, because this file was replaced or removed.
    Retired { file: PathBuf },
}

/// Finds a game by its number, from 1, counted through all entries of a zip.
fn find_game(archive: Archive, number: u64) -> pdn::Result<FoundGame> {
    let mut passed = 0;
    for item in BatchesWithHead::new(archive.batches()) {
        let (batch, head) = item?;
        let games = batch.len() as u64;
        if number - passed <= games {
            return Ok(FoundGame::Game(batch, (number - passed - 1) as usize, head));
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
    kind: GameKind,
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

/// Reads a game of the index in `dir` by its number, from 1. `root` is the folder of archives that were moved.
fn read_indexed(dir: &Path, number: u64, root: Option<&Path>) -> pdn::Result<IndexedRecord> {
    let mut index = Index::open(dir)?;
    if let Some(root) = root {
        index.relocate(root)?;
    }
    let Some(game) = number.checked_sub(1).and_then(|number| index.game(number)) else {
        return Ok(IndexedRecord::Missing { games: index.len() });
    };
    let input = game.input()?.name.clone();
    if game.is_retired() {
        return Ok(IndexedRecord::Retired { file: input });
    }
    Ok(IndexedRecord::Found(StoredGame { input, bytes: game.text()?, kind: game.row()?.kind }))
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

/// Writes a picture to a file, or to standard output if `file` is `-`.
fn write_svg(file: &Path, svg: &str, out: &mut Output) -> io::Result<Exit> {
    if file == Path::new("-") {
        out.write_all(svg.as_bytes())?;
        return Ok(Exit::Success);
    }
    if let Err(error) = std::fs::write(file, svg) {
        print_error(&format!("{}: {error}", file.display()));
        return Ok(Exit::Failure);
    }
    Ok(Exit::Success)
}
