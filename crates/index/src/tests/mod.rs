//! Tests of whole indexes: written, read back, damaged, interrupted and merged.

mod annotations;
mod crash;
mod damage;
pub(crate) mod facts;
#[cfg(feature = "compression")]
mod fixture;
mod grown;
mod merge;
mod power_cut;
mod round_trip;
mod verify;

use crate::internal::SegmentOptions;
use std::fmt::Write;
use std::fs;
use std::io::{self, Seek, SeekFrom};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::{ImportOptions, ImportSummary, Index, import};
use pdn::board::SquareNaming;
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::replay::VariantBasis;
use pdn::rules::Variant;
use pdn::value::{Colour, Outcome};
use pdn_rules::internal::board::Numbering;
use pdn_rules::internal::value::Corner;

/// Generates an archive of legal games chosen by `seed`. Some have the faults of real ones: setups, missing tags, an
/// impossible move at the end.
pub(crate) fn archive(seed: u64, games: u64, variants: &[Variant]) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut random = move |n: usize| random.usize(..n);
    let names = ["Sijbrands, T.", "Wiersma, H.", "Čížov", "Roozenburg", "R\\\"Baba", "Ghestem &amp; Co", ""];
    let mut text = String::new();
    for number in 0..games {
        let variant = variants[random(variants.len())];
        let _ = writeln!(text, "[Event \"Event {}\"]\n[Round \"{number}\"]", random(5));
        let _ = writeln!(text, "[White \"{}\"]\n[Black \"{}\"]", names[random(7)], names[random(7)]);
        let _ = writeln!(
            text,
            "[Date \"{}.{:02}.??\"]\n[GameType \"{}\"]",
            1950 + random(70),
            1 + random(12),
            variant.tag()
        );
        if random(3) == 0 {
            let _ = writeln!(text, "[WhiteRating \"{}\"]", 1800 + random(600));
        }
        let mut position = Position::start(variant);
        let mut list = MoveList::new();
        if random(10) == 0 {
            for _ in 0..6 {
                position.legal_moves(&mut list).expect("few captures");
                let mv = list[random(list.len())];
                position.play_unchecked(&mv);
            }
            let _ = writeln!(text, "[FEN \"{}\"]", position.fen());
        }
        let result = ["2-0", "1-1", "0-2", "*"][random(4)];
        let _ = writeln!(text, "[Result \"{result}\"]\n");
        for ply in 0..random(60) {
            position.legal_moves(&mut list).expect("few captures");
            if list.is_empty() {
                break;
            }
            let mv = list[random(list.len())];
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let _ = write!(text, "{} ", move_text(&position, &mv, MoveStyle::Chain).expect("few captures"));
            position.play_unchecked(&mv);
        }
        if random(15) == 0 {
            // No board has a square of that number.
            text.push_str("99-98 ");
        }
        let _ = writeln!(text, "{result}\n");
    }
    text
}

/// A temporary folder for the files of one test.
pub(crate) struct TestFolder(tempfile::TempDir);

impl TestFolder {
    /// Creates the folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// Returns the path of `name` in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("written");
        path
    }
}

/// Returns options with these numbers of threads and games per segment.
pub(crate) fn options(threads: usize, segment_games: u32) -> ImportOptions {
    let threads = NonZeroUsize::new(threads).expect("some");
    ImportOptions {
        threads,
        segments: SegmentOptions { segment_games, ..SegmentOptions::default() },
        ..ImportOptions::default()
    }
}

/// Imports files, which must succeed.
pub(crate) fn index(paths: &[PathBuf], dir: &Path, options: &ImportOptions) -> ImportSummary {
    import(paths, dir, options).expect("the index is built")
}

/// Changes every bit of a file in turn and calls `check` with the number of the bit. In the end the file is as it was.
///
/// Bytes are changed in place: a file that is cut and written again goes to the disk each time, which takes most of such a test.
pub(crate) fn for_every_flipped_bit(path: &Path, mut check: impl FnMut(usize)) {
    let sound = fs::read(path).expect("there");
    let mut file = fs::File::options().write(true).open(path).expect("there");
    let mut write = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).expect("a place");
        io::Write::write_all(&mut file, &[byte]).expect("written");
    };
    for (at, &byte) in sound.iter().enumerate() {
        for bit in 0..8 {
            write(at, byte ^ (1 << bit));
            check(at * 8 + bit);
        }
        write(at, byte);
    }
}

/// Cuts a file to every shorter length and calls `check` with it. In the end the file is empty.
pub(crate) fn for_every_shorter_length(path: &Path, mut check: impl FnMut(u64)) {
    let file = fs::File::options().write(true).open(path).expect("there");
    for len in (0..file.metadata().expect("a length").len()).rev() {
        file.set_len(len).expect("cut");
        check(len);
    }
}

/// Returns the files of an index with their names, except for the lock.
/// Adds the extracts that a published copy of an index has.
pub(crate) fn add_extracts(dir: &Path) {
    for segment in Index::open(dir).expect("opened").segments() {
        let (name, bytes) = segment.published_extract().expect("sound");
        fs::write(dir.join(name), bytes).expect("written");
    }
}

pub(crate) fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .expect("readable")
        .map(|file| file.expect("readable").path())
        .filter(|path| !path.ends_with("lock"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(&path).expect("readable"))
        })
        .collect();
    files.sort();
    files
}

/// Writes everything that an index stores of its games, a line per game, in the format of the stored `contents.txt`.
pub(crate) fn contents(index: &Index) -> pdn::Result<String> {
    let mut text = String::new();
    for game in index.games() {
        let (row, location, input) = (game.row()?, game.location()?, game.input()?);
        for (name, value) in [
            ("white", row.white),
            ("black", row.black),
            ("event", row.event),
            ("site", row.site),
            ("round", row.round),
            ("result", row.result),
        ] {
            let _ = write!(text, "{name}={} ", quoted(value));
        }
        let part = |value: Option<u8>| value.unwrap_or(0);
        let (date, [white_rating, black_rating]) = (row.date, row.ratings);
        let (year, month, day) = (date.year().unwrap_or(0), part(date.month()), part(date.day()));
        let _ = write!(text, "date={year}-{month}-{day} ratings={white_rating},{black_rating} ");
        let outcome = match row.outcome {
            Outcome::FirstWins => "first-wins",
            Outcome::SecondWins => "second-wins",
            Outcome::Draw => "draw",
            Outcome::BothLose => "both-lose",
            Outcome::Unknown => "unknown",
        };
        let _ = write!(text, "status={} outcome={outcome} ", row.status);
        let _ = write!(text, "from-fen={} setups={} ", row.from_fen, row.has_setups);
        let Numbering { start, letters, corner, inverted, .. } = row.kind.numbering;
        let start = match start {
            Colour::White => "white",
            Colour::Black => "black",
        };
        let squares = match letters {
            SquareNaming::Algebraic => "algebraic",
            SquareNaming::Numeric => "numeric",
        };
        let corner = match corner {
            Corner::BottomLeft => "bottom-left",
            Corner::BottomRight => "bottom-right",
            Corner::TopLeft => "top-left",
            Corner::TopRight => "top-right",
        };
        let basis = match row.kind.basis {
            VariantBasis::Tag => "tag",
            VariantBasis::Caller => "caller",
            VariantBasis::File => "file",
            VariantBasis::Game => "game",
            VariantBasis::Moves => "moves",
            VariantBasis::Guess => "guess",
        };
        let _ = write!(text, "variant={} starts={start} squares={squares} ", quoted(row.kind.variant.name()));
        let _ = write!(text, "corner={corner} inverted={inverted} basis={basis} plies={} ", row.plies);
        for (name, counts) in [("first", row.first), ("last", row.last)] {
            let [white, black] =
                Colour::ALL.map(|side| format!("{}+{}K", counts.men(side), counts.kings(side)));
            let _ = write!(text, "{name}={white},{black} ");
        }
        let (plies, last) = game.plies()?;
        let moves = plies.iter().map(|ply| match ply.mv {
            Some(mv) => format!("{}-{}x{}", mv.from.0, mv.to.0, mv.captured),
            None => "null".to_owned(),
        });
        let _ = write!(text, "moves={} fen={} ", moves.collect::<Vec<_>>().join(","), last.fen());
        let name = input.name.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(text, "input={} offset={} len={}", quoted(&name), location.offset, location.len);
    }
    Ok(text)
}

/// Returns a text in quotation marks, with these and backslashes escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
