//! Indexes written, read back, damaged and interrupted.

mod crash;
mod damage;
#[cfg(feature = "compression")]
mod fixture;
mod merge;
mod round_trip;

pub(super) use crash::FailingDisk;

use std::fmt::Write;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::{ImportOptions, ImportSummary, Index, SegmentOptions, import};
use crate::movegen::MoveList;
use crate::notation::{MoveStyle, move_text};
use crate::position::Position;
use crate::rules::Variant;

/// An archive of legal games that `seed` chooses, some of them broken in the ways of real ones.
pub(super) fn archive(seed: u64, games: u64, variants: &[Variant]) -> String {
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
                let _ = position.play(&mv);
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
            let _ = position.play(&mv);
        }
        if random(15) == 0 {
            // No square of that number anywhere.
            text.push_str("99-98 ");
        }
        let _ = writeln!(text, "{result}\n");
    }
    text
}

/// Files in a folder that goes with this.
pub(super) struct TestFolder(tempfile::TempDir);

impl TestFolder {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("written");
        path
    }
}

pub(super) fn options(threads: usize, segment_games: u32) -> ImportOptions {
    let threads = NonZeroUsize::new(threads).expect("some");
    ImportOptions {
        threads,
        segments: SegmentOptions { segment_games, ..SegmentOptions::default() },
        ..ImportOptions::default()
    }
}

pub(super) fn index(paths: &[PathBuf], dir: &Path, options: &ImportOptions) -> ImportSummary {
    import(paths, dir, options).expect("the index is built")
}

/// The files of an index by name, but for the lock.
pub(super) fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
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

/// Everything that an index says of its games, as text.
pub(super) fn contents(index: &Index) -> crate::Result<String> {
    let mut text = String::new();
    for game in index.games() {
        let (plies, last) = game.plies()?;
        let moves: Vec<_> =
            plies.iter().map(|ply| ply.mv.map(|mv| (mv.from.0, mv.to.0, mv.captured))).collect();
        let place = game.location()?;
        let origin = game.input()?.name.file_name().map(|name| name.to_owned());
        let at = (place.offset, place.len);
        let _ = writeln!(text, "{:?} {moves:?} {} {origin:?} {at:?}", game.row()?, last.fen());
    }
    Ok(text)
}
