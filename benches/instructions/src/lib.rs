//! What the stages are counted on: archives of many different games from a seed, and the answers that must come out.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use pdn::ast::{Arena, TreeBuilder};
use pdn::board::Square;
use pdn::movegen::{DEFAULT_CAPTURE_NODES, perft};
use pdn::parse::{Flow, Visitor, WrittenMove};
use pdn::position::Position;
use pdn::replay::{GameStatus, PositionSink, Replayer};
use pdn::rules::Variant;
use pdn::split;
use pdn::view;
use pdn::write::{RecordWriter, WriteOptions};
use pdn_gen::{Amount, generate};
use pdn_index::ImportOptions;
use pdn_index::internal::pack::{MoveCodec, PackedOp, pack};
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::movegen::advance;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ruleset, WithRules};

/// Text of an archive.
const BYTES: u64 = 300_000;

/// Games in all the forms that stages take.
pub struct Material {
    variant: Variant,
    text: Vec<u8>,
    games: u64,
    plies: u64,
    /// The moves of every game.
    moves: Vec<Vec<pdn::position::Move>>,
    /// The same packed, one after the other, and where each ends.
    packed: Vec<u8>,
    ends: Vec<usize>,
    /// The same archive in canonical form.
    canonical: Vec<u8>,
}

/// Games of a variant, clean, one in a hundred from a setup.
pub fn material(variant: Variant) -> Material {
    let mut text = Vec::new();
    let options = pdn_gen::Options::new(Amount::Bytes(BYTES), &[variant]);
    let manifest = generate(&options, &mut text).expect("written to memory");
    let mut replayer = Replayer::new(&pdn::replay::ReplayOptions::default());
    let start = Position::start(variant);
    let (mut moves, mut packed, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for game in split::records(&text) {
        let mut played: Vec<pdn::position::Move> = Vec::new();
        let summary = replayer.replay_into(game.bytes, &mut played);
        if summary.status != GameStatus::Legal || summary.from_fen {
            continue;
        }
        let ops: Vec<_> = played.iter().map(|&mv| PackedOp::Move(mv)).collect();
        pack(&start, &ops, &mut packed);
        ends.push(packed.len());
        moves.push(played);
    }
    let mut writer = RecordWriter::new(&WriteOptions::new());
    let mut canonical = Vec::new();
    for game in split::records(&text) {
        writer.write(game.bytes, &mut canonical).expect("a legal game");
        canonical.push(b'\n');
    }
    let (games, plies) = (manifest.total.games, manifest.total.plies);
    assert!(games > 100 && moves.len() as u64 > games / 2, "{games} games");
    Material { variant, text, games, plies, moves, packed, ends, canonical }
}

impl Material {
    /// Bytes to records.
    pub fn split(&self) {
        assert_eq!(split::records(&self.text).count() as u64, self.games);
    }

    /// Splits, and reads the tags of all tag sections.
    pub fn tags(&self) {
        let tags: usize =
            split::records(&self.text).map(|game| view::RecordView::from(game).section_tags().count()).sum();
        assert!(tags as u64 >= 5 * self.games);
    }

    /// Splits, and walks over everything.
    pub fn walk(&self) {
        let mut moves = Moves(0);
        split::records(&self.text).for_each(|game| pdn::parse::walk(game.bytes, &mut moves));
        assert_eq!(moves.0, self.plies);
    }

    /// Splits, and builds a tree of every game.
    pub fn tree(&self) {
        let (mut builder, mut arena, mut parts) = (TreeBuilder::new(), Arena::new(), 0);
        for game in split::records(&self.text) {
            arena.reset();
            parts += builder.build(game.bytes, &arena).parts().count() as u64;
        }
        assert!(parts > self.plies);
    }

    /// Splits, and plays every game.
    pub fn replay(&self) {
        let mut replayer = Replayer::new(&pdn::replay::ReplayOptions::default());
        let plies = split::records(&self.text).map(|game| u64::from(replayer.summary(game.bytes).plies));
        assert_eq!(plies.sum::<u64>(), self.plies);
    }

    /// Splits, and plays every game with the positions of its plies.
    pub fn positions(&self) {
        struct Count(u64);
        impl PositionSink for Count {
            fn ply(&mut self, before: &Position, _: &pdn::position::Move) {
                self.0 += u64::from(before.state().occupied() != 0);
            }
        }
        let (mut replayer, mut plies) = (Replayer::default(), Count(0));
        split::records(&self.text).for_each(|game| _ = replayer.replay(game.bytes, &mut plies));
        assert_eq!(plies.0, self.plies);
    }

    /// Splits, and plays every game for the list of its moves.
    pub fn moves(&self) {
        let (mut replayer, mut moves) = (Replayer::default(), Vec::<pdn::position::Move>::new());
        let plies = split::records(&self.text).map(|game| {
            replayer.replay(game.bytes, &mut moves);
            moves.len() as u64
        });
        assert_eq!(plies.sum::<u64>(), self.plies);
    }

    /// Splits, and plays every game with its comments and variations.
    pub fn annotated(&self) {
        let mut replayer = Replayer::default();
        let plies = split::records(&self.text)
            .map(|game| replayer.replay_annotated(game.bytes).main.plies.len() as u64);
        assert_eq!(plies.sum::<u64>(), self.plies);
    }

    /// Splits, and rewrites every game in canonical form.
    pub fn write(&self) {
        let mut writer = RecordWriter::new(&WriteOptions::new());
        let (mut out, mut plies) = (Vec::new(), 0);
        for game in split::records(&self.text) {
            out.clear();
            plies += u64::from(writer.write(game.bytes, &mut out).expect("a legal game").plies);
        }
        assert_eq!(plies, self.plies);
    }

    /// Splits the canonical archive, and recognises its games as canonical. Captures with their path are not recognised.
    pub fn canonical(&self) {
        let mut writer = RecordWriter::new(&WriteOptions::new());
        let text = |game: split::Record<'_>| {
            game.bytes.strip_suffix(b"\n").is_some_and(|text| writer.is_canonical(text))
        };
        let canonical =
            split::records(&self.canonical).map(text).filter(|is_canonical| *is_canonical).count();
        assert!(canonical as u64 > self.games * 4 / 5, "{canonical} of {}", self.games);
    }

    /// Finds and plays the moves of every game.
    pub fn advance(&self) {
        struct Advance<'a>(&'a Material);
        impl WithRules for Advance<'_> {
            type Output = u64;
            fn run<R: Ruleset>(self, rules: R) -> u64 {
                let start: State<<R::Geometry as Geometry>::Bits> =
                    Position::start(self.0.variant).state().resized();
                let mut found = 0;
                for game in &self.0.moves {
                    let mut state = start;
                    for mv in game {
                        let (from, to): (Square, Square) = (mv.from, mv.to);
                        if advance(rules, &mut state, from, to, 1_000_000).is_err() {
                            // Ambiguous: only the captured squares distinguish the moves.
                            state.play(rules, &mv.resized());
                        }
                        found += 1;
                    }
                }
                found
            }
        }
        let found = self.variant.rules().with(Advance(self));
        assert_eq!(found, self.moves.iter().map(|game| game.len() as u64).sum::<u64>());
    }

    /// Plays every packed game.
    pub fn packed(&self) {
        struct Scan<'a>(&'a Material);
        impl WithRules for Scan<'_> {
            type Output = (u64, u32);
            fn run<R: Ruleset>(self, _: R) -> (u64, u32) {
                let codec = MoveCodec::<R::Geometry>::new();
                let start: State<<R::Geometry as Geometry>::Bits> =
                    Position::start(self.0.variant).state().resized();
                let (mut plies, mut left, mut from) = (0, 0, 0);
                for &end in &self.0.ends {
                    let last = codec.scan(&start, &self.0.packed[from..end], |_| {
                        plies += 1;
                        ControlFlow::Continue(())
                    });
                    left += last.expect("as packed").occupied().count();
                    from = end;
                }
                (plies, left)
            }
        }
        let (plies, left) = self.variant.rules().with(Scan(self));
        assert!(left > 0);
        assert_eq!(plies, self.moves.iter().map(|game| game.len() as u64).sum::<u64>());
    }

    /// Indexes the archive, on one thread.
    pub fn index(&self) {
        let place = tempfile::tempdir().expect("a temporary folder");
        let archive = place.path().join("a.pdn");
        std::fs::write(&archive, &self.text).expect("room");
        let mut options = ImportOptions::default();
        options.threads = NonZeroUsize::MIN;
        let built = pdn_index::import([&archive], place.path().join("index"), &options);
        assert_eq!(built.expect("built").plies, self.plies);
    }
}

/// Leaves of the tree of moves from the start.
pub fn leaves(variant: Variant, depth: u32, expected: u64) {
    assert_eq!(perft(&Position::start(variant), depth, DEFAULT_CAPTURE_NODES), Ok(expected));
}

struct Moves(u64);

impl<'g> Visitor<'g> for Moves {
    #[inline]
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}
