//! Finds a game of an archive or an index by its number.

use std::io;
use std::path::{Path, PathBuf};

use pdn::archive::{Archive, Batch};
use pdn::internal::replay::CandidateGame;
use pdn::source::{Encoding, OpenOptions, walk};
use pdn::value::{FenStyle, ScoreOrder};
use pdn_index::Index;
use pdn_index::internal::GameKind;

use super::{FoundRecord, LinePly, Place, ShownGame, replayed};
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::numbers::Count;
use crate::ask::position::FenStyleName;
use crate::read::inputs::ReadOptions;
use crate::read::paths::is_index;
use crate::read::searched::SearchedIndex;

/// Asks for a game.
#[derive(Clone, Debug)]
pub struct ShowRequest {
    /// A file, a folder of PDN files, or the folder of an index.
    pub path: PathBuf,
    /// The number of the game, from 1, counted through all files.
    pub number: u64,
    /// The place of the position that is shown.
    pub at: LinePly,
    /// How the game is read. The first number of its score belongs to the side that the games of the file show, or the index knows,
    /// unless the options name another.
    pub read: ReadOptions,
    /// The folder that has the archives of the index now, if they were moved.
    pub root: Option<PathBuf>,
    /// How positions are written in the answer.
    pub fen_style: FenStyleName,
}

impl ShowRequest {
    /// Finds and replays the game, and passes it to `then`.
    ///
    /// # Errors
    ///
    /// If there is no such game or ply, the game is too long, or the archive cannot be read.
    pub fn show<T>(&self, then: impl FnOnce(&ShownGame<'_>) -> T) -> Result<T> {
        if is_index(&self.path) {
            let mut index = SearchedIndex::open_folder(&self.path)?;
            self.root.iter().try_for_each(|root| index.relocate(root))?;
            let found = read_indexed(&index, self.number).map_err(|error| error.at(&self.path))?;
            let found = StoredGame { scores: self.read.scores.unwrap_or(found.scores), ..found };
            return show_stored(
                found,
                self.at,
                self.read.variant,
                self.read.encoding,
                self.fen_style.into(),
                then,
            );
        }
        let options = self.read.open(false);
        let (batch, place) = find_in_archives(&self.path, self.number, &options)?;
        let record = FoundRecord {
            batch: &batch,
            index: place,
            variant: self.read.variant,
            basis: None,
            place: None,
            fen_style: self.fen_style.into(),
        };
        replayed(record, self.number, self.at, then)
    }
}

/// Replays a game of an index by its number, from 1, and passes it to `then`, with the position at a place of the game.
///
/// # Errors
///
/// As [`ShowRequest::show`].
pub fn show_indexed<T>(
    index: &Index,
    number: u64,
    at: LinePly,
    then: impl FnOnce(&ShownGame<'_>) -> T,
) -> Result<T> {
    show_stored(read_indexed(index, number)?, at, None, None, FenStyle::Pdn, then)
}

/// Replays a game of an index. Without another variant, it is the one inferred from the whole file when it was indexed.
fn show_stored<T>(
    game: StoredGame,
    at: LinePly,
    variant: Option<CandidateGame>,
    encoding: Option<Encoding>,
    fen_style: FenStyle,
    then: impl FnOnce(&ShownGame<'_>) -> T,
) -> Result<T> {
    let GameKind { variant: inferred, numbering, basis } = game.kind;
    let basis = variant.is_none().then_some(basis);
    let variant = variant.or(Some(CandidateGame { variant: inferred, numbering }));
    let (archive, place) = game.archive(encoding)?;
    let number = place.game.unwrap_or_default();
    let (batch, index) = find_game(archive, 1)?.map_err(|games| missing(number, games))?;
    let record = FoundRecord { batch: &batch, index, variant, basis, place: Some(place), fen_style };
    replayed(record, number, at, then)
}

/// Returns the error that there is no game of this number.
fn missing(number: u64, games: u64) -> AppError {
    let text = match games {
        0 => "there is no game".to_owned(),
        1 => format!("there is no game {number}, only game 1"),
        _ => format!("there is no game {number}; the last one is {}", Count(games)),
    };
    AppError::new(ErrorCode::NoMatch, message!("no_game", "{text}", number = number, games = games))
}

/// Finds a game of a file or a folder by its number, from 1, counted through all files. Returns its batch and its index there.
fn find_in_archives(path: &Path, number: u64, options: &OpenOptions) -> Result<(Batch, usize)> {
    let mut passed = 0;
    for file in walk([path]) {
        match find_game(Archive::open_with(file?, options)?, number - passed)? {
            Ok(found) => return Ok(found),
            Err(games) => passed += games,
        }
    }
    Err(missing(number, passed).at(path))
}

/// Finds a game by its number, from 1, counted through all entries of a zip. The inner error is the number of games, if there are too
/// few.
fn find_game(archive: Archive, number: u64) -> Result<std::result::Result<(Batch, usize), u64>> {
    let mut passed = 0;
    for batch in archive.batches() {
        let batch = batch?;
        let games = batch.len() as u64;
        if number - passed <= games {
            return Ok(Ok((batch, (number - passed - 1) as usize)));
        }
        passed += games;
    }
    Ok(Err(passed))
}

/// A game read from an index: its record and the variant that it was indexed as.
struct StoredGame {
    /// Name of the input that it came from.
    input: PathBuf,
    bytes: Vec<u8>,
    /// The encoding that the decoder of the input recognises.
    encoding: Encoding,
    kind: GameKind,
    /// The side that the first number of its score belongs to.
    scores: ScoreOrder,
    place: Place,
}

impl StoredGame {
    /// Returns an archive of this game only, and its numbers. `encoding` comes before the one that was recognised.
    fn archive(self, encoding: Option<Encoding>) -> Result<(Archive, Place)> {
        // Its archive was judged by its first bytes when it was indexed.
        let options = OpenOptions::new().binary(true);
        let options = options.encoding(encoding.or(Some(self.encoding))).scores(Some(self.scores));
        Ok((Archive::from_reader(io::Cursor::new(self.bytes), self.input, &options)?, self.place))
    }
}

/// Reads a game of an index by its number, from 1.
fn read_indexed(index: &Index, number: u64) -> Result<StoredGame> {
    let Some(game) = number.checked_sub(1).and_then(|number| index.game(number)) else {
        return Err(missing(number, index.len()));
    };
    let input = game.input()?.name.clone();
    if game.is_retired() {
        let file = input.display();
        let text = format!("game {number} is no longer part of the index: {file} was replaced or removed");
        let message = message!("no_game", "{text}", number = number, games = index.len());
        return Err(AppError::new(ErrorCode::NoMatch, message));
    }
    let record = index.record_numbers()?.get(game.number()).map_or(0, |record| record + 1);
    let place = Place { game: Some(number), record, offset: game.location()?.offset };
    let bytes = game.text()?;
    let encoding = game.decoder()?.guess(&bytes).encoding;
    Ok(StoredGame { input, bytes, encoding, kind: game.kind()?, scores: game.row()?.scores(), place })
}
