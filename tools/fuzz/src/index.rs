//! Properties of indexes and packed moves.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pdn::limits::Limits;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::split;
use pdn_index::internal::pack::{MoveCodec, PackedOp, pack, unpack};
use pdn_index::internal::{DictionaryKind, VerifyOptions, verify};
use pdn_index::{ImportOptions, Index, import};
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ruleset, WithRules};
use tempfile::TempDir;
use twox_hash::XxHash3_64;

/// An index of any bytes is sound, returns them, and is equal on any number of threads.
pub fn index(data: &[u8]) {
    if data.is_empty() {
        return;
    }
    let place = place();
    let archive = place.path().join("a.pdn");
    fs::write(&archive, data).expect("room for an archive");
    let embed = data.len().is_multiple_of(2);
    let built = [1, 2].map(|threads| {
        let dir = place.path().join(format!("index-{threads}"));
        let summary = import([&archive], &dir, &options(threads, embed)).expect("an index of any bytes");
        (dir, summary)
    });
    let [(dir, summary), (other, _)] = &built;
    if !summary.failures.is_empty() {
        // A container that cannot be read completely.
        let _ = verify(dir, &VerifyOptions::ALL).expect("an index");
        return;
    }
    let report = verify(dir, &VerifyOptions::ALL).expect("an index");
    assert!(report.is_sound(), "{:?} {:?}", report.problems, report.archive_problems);
    assert_eq!((report.games, report.plies >= summary.plies), (summary.games, true));
    let index = Index::open(dir).expect("sound");
    assert_eq!(index.len(), summary.games);
    for segment in ["segment-00000001.pdns", "rejects.jsonl"] {
        let same = fs::read(dir.join(segment)).ok() == fs::read(other.join(segment)).ok();
        assert!(same, "{segment} depends on the number of threads");
    }
    let texts: Vec<Vec<u8>> = index.games().map(|game| game.text().expect("the archive is there")).collect();
    // The text in a container or in UTF-16 differs from the bytes of the file.
    if texts.concat() == data {
        let games: Vec<_> = split::records(data).map(|game| game.bytes).collect();
        assert_eq!(texts, games);
    }
    for game in index.games() {
        let (plies, last) = game.plies().expect("sound");
        let row = game.row().expect("sound");
        let moves = plies.iter().filter(|ply| ply.mv.is_some()).count();
        assert!(moves == row.plies as usize || plies.len() == row.plies as usize, "{row:?}");
        let _ = last.fen();
    }
}

/// Returns a folder in memory, if the system has one.
fn place() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    made.expect("a temporary folder")
}

fn options(threads: usize, embed: bool) -> ImportOptions {
    let mut options = ImportOptions::default();
    options.threads = NonZeroUsize::new(threads).expect("not 0");
    options.replay.limits = Some(Limits::new().capture_nodes(20_000));
    options.segments.embed = embed;
    options
}

/// Builds a sound index, to be damaged.
struct Sound {
    place: TempDir,
    manifest: Vec<u8>,
    segment: Vec<u8>,
}

const SEGMENT: &str = "segment-00000001.pdns";

impl Sound {
    fn new() -> Self {
        let place = place();
        let archive = place.path().join("a.pdn");
        fs::write(&archive, crate::seeds::archive()).expect("room");
        let dir = place.path().join("index");
        import([&archive], &dir, &options(1, true)).expect("built");
        let read = |name| fs::read(dir.join(name)).expect("just written");
        let (manifest, segment) = (read("manifest"), read(SEGMENT));
        Self { place, manifest, segment }
    }

    fn dir(&self) -> PathBuf {
        self.place.path().join("index")
    }
}

/// Opening a damaged index gives an error or another index, never a panic.
///
/// The first byte selects the damaged file, and whether its checksums are corrected afterwards, so that the damage passes
/// them. Each further four bytes are an offset and the byte to write there.
pub fn index_damage(data: &[u8]) {
    static SOUND: OnceLock<Sound> = OnceLock::new();
    let sound = SOUND.get_or_init(Sound::new);
    let Some((&how, edits)) = data.split_first() else { return };
    let (mut manifest, mut segment) = (sound.manifest.clone(), sound.segment.clone());
    let (mend, in_manifest) = (how & 1 == 0, how & 2 != 0);
    let body = if in_manifest { &mut manifest } else { &mut segment };
    if how & 4 != 0 && !edits.is_empty() {
        // Truncated or extended.
        body.resize(usize::from(edits[0]) * body.len() / 128, 0x55);
    }
    for edit in edits.chunks_exact(4) {
        let [high, middle, low, value] = [edit[0], edit[1], edit[2], edit[3]].map(usize::from);
        let at = (high << 16 | middle << 8 | low) % body.len().max(1);
        if let Some(byte) = body.get_mut(at) {
            *byte = value as u8;
        }
    }
    if mend {
        let old = mend_segment(&mut segment);
        mend_manifest(&mut manifest, old, &segment);
    }
    let dir = sound.dir();
    fs::write(dir.join("manifest"), &manifest).expect("room");
    fs::write(dir.join(SEGMENT), &segment).expect("room");
    if let Ok(report) = verify(&dir, &VerifyOptions::ALL) {
        let unchanged = manifest == sound.manifest && segment == sound.segment;
        assert_eq!(report.is_sound(), unchanged || report.is_sound());
    }
    if let Ok(index) = Index::open(&dir) {
        read_all(&index);
    }
}

/// Reads everything in an index.
fn read_all(index: &Index) {
    for game in index.games().take(200) {
        let _ =
            (game.row(), game.moves(), game.location(), game.input().map(|input| input.check()), game.text());
        if let Ok((_, last)) = game.plies() {
            let _ = last.fen();
        }
    }
    for segment in index.segments() {
        for names in DictionaryKind::ALL {
            if let Ok(names) = segment.dictionary(names) {
                let _ = (names.prefix("w"), names.folded("wiersma"), names.number("Wiersma"));
            }
        }
        let _ = segment.kinds();
    }
}

/// Corrects the checksums of a segment, if its table can be found. Returns the previous checksum of the footer.
fn mend_segment(bytes: &mut [u8]) -> Option<u64> {
    let footer = bytes.len().checked_sub(40)?;
    let number = |bytes: &[u8], at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    let old = number(bytes, footer + 16);
    let table = usize::try_from(number(bytes, footer)?).ok().filter(|&table| table <= footer)?;
    for entry in (table..footer).step_by(32) {
        let (Some(start), Some(len)) = (number(bytes, entry + 8), number(bytes, entry + 16)) else { break };
        let end = start.checked_add(len).filter(|&end| end <= table as u64);
        if let Some(end) = end
            && entry + 32 <= footer
        {
            let sum = XxHash3_64::oneshot(&bytes[start as usize..end as usize]);
            bytes[entry + 24..entry + 32].copy_from_slice(&sum.to_le_bytes());
        }
    }
    let sum = XxHash3_64::oneshot(&bytes[table..footer + 16]);
    bytes[footer + 16..footer + 24].copy_from_slice(&sum.to_le_bytes());
    old
}

/// Updates the entry of the segment in the manifest.
fn mend_manifest(bytes: &mut [u8], old: Option<u64>, segment: &[u8]) {
    let sum = segment.len().checked_sub(24).map(|at| &segment[at..at + 8]);
    if let (Some(old), Some(sum)) = (old, sum) {
        let old = old.to_le_bytes();
        if let Some(at) = bytes.windows(8).position(|window| window == old) {
            bytes[at..at + 8].copy_from_slice(sum);
        }
    }
    if let Some(end) = bytes.len().checked_sub(8) {
        let sum = XxHash3_64::oneshot(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Any bytes are unpacked to the same moves, or refused, by all readers of packed moves.
///
/// The first byte selects the variant and with it the board.
pub fn packed(data: &[u8]) {
    let Some((&which, bytes)) = data.split_first() else { return };
    let start = Position::start(Variant::ALL[usize::from(which) % Variant::ALL.len()]);
    let unpacked = unpack(&start, bytes);
    let (ops, scanned, last) = start.rules().with(Scan(*start.state(), bytes));
    match &unpacked {
        Ok((plies, end)) => {
            let last = last.expect("what unpacks can be scanned");
            assert_eq!((last.pieces, last.kings, last.turn), sides(end.state()));
            assert_eq!(plies.len(), scanned);
            let mut again = Vec::new();
            assert_eq!(pack(&start, &ops, &mut again), *end);
            assert!(again.len() <= bytes.len(), "the writer takes the shortest form");
            assert_eq!(unpack(&start, &again).as_ref(), Ok(&(plies.clone(), *end)));
        }
        Err(_) => assert!(last.is_none(), "what does not unpack cannot be scanned"),
    }
}

fn sides(state: &State<u128>) -> ([u128; 2], u128, pdn::value::Colour) {
    (state.pieces, state.kings, state.turn)
}

/// Decodes op by op, and scans.
struct Scan<'a>(State<u128>, &'a [u8]);

impl WithRules for Scan<'_> {
    type Output = (Vec<PackedOp<u128>>, usize, Option<State<u128>>);

    fn run<R: Ruleset>(self, rules: R) -> Self::Output {
        let Self(start, bytes) = self;
        let codec = MoveCodec::<R::Geometry>::new();
        let start: State<<R::Geometry as Geometry>::Bits> = start.resized();
        let (mut state, mut rest, mut ops) = (start, bytes, Vec::new());
        while let Some(Ok((op, after))) = codec.decode(&state, rest) {
            assert!(after.len() < rest.len());
            rest = after;
            match op {
                PackedOp::Move(mv) => {
                    shaped(&state, &mv);
                    ops.push(PackedOp::Move(mv.resized()));
                    state.play(rules, &mv);
                }
                PackedOp::Null => {
                    ops.push(PackedOp::Null);
                    state.streaks[state.turn as usize] = Default::default();
                    state.turn = !state.turn;
                }
                PackedOp::Setup(setup) => {
                    ops.push(PackedOp::Setup(setup.resized()));
                    state = setup;
                }
            }
        }
        let mut plies = 0;
        let last = codec.scan(&start, bytes, |ply| {
            plies += 1;
            if let Some(mv) = ply.mv() {
                shaped(&ply.before(), &mv);
            }
            ControlFlow::Continue(())
        });
        (ops, plies, last.ok().map(|last| last.resized()))
    }
}

/// Checks that an unpacked move has the form of a move.
fn shaped<B: Bits>(before: &State<B>, mv: &pdn::position::Move<B>) {
    let (from, to) = (B::one(mv.from.0), B::one(mv.to.0));
    assert!((before.side(before.turn) & from).any(), "{mv:?} starts on a piece of its side");
    assert!(!(mv.captured & !before.side(!before.turn)).any(), "{mv:?} captures pieces of the other side");
    assert!(!(((before.occupied() & !from) & !mv.captured) & to).any(), "{mv:?} ends on an empty square");
}
