//! The sink that packs moves as they are found legal.

use std::any::Any;

use crate::board::{Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
use crate::index::row::game_row::PackedPieceCounts;
use crate::pack::MoveCodec;
use crate::position::{Move, Position, State};
use crate::replay::{BitsOf, CandidateGame, PlyBatch, PlySink, ReplaySummary};
use crate::rules::{Ruleset, WithRules};

/// The tables of all boards, and the start position that was asked for last.
#[derive(Debug)]
pub(super) struct PackTables {
    eight: MoveCodec<Eight>,
    full: MoveCodec<EightFull>,
    wide: MoveCodec<TenByEight>,
    ten: MoveCodec<Ten>,
    twelve: MoveCodec<Twelve>,
    start: Option<Start>,
}

/// The start position of a game, and its pieces.
#[derive(Clone, Copy, Debug)]
struct Start {
    candidate: CandidateGame,
    state: State<u128>,
    material: PackedPieceCounts,
}

impl PackTables {
    pub(super) fn new() -> Self {
        Self {
            eight: MoveCodec::new(),
            full: MoveCodec::new(),
            wide: MoveCodec::new(),
            ten: MoveCodec::new(),
            twelve: MoveCodec::new(),
            start: None,
        }
    }

    /// The tables of a board that is a type here and a field there. Both are known to the compiler.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn codec<G: Geometry>(&self) -> Option<&MoveCodec<G>> {
        let codec: &dyn Any = match G::BOARD {
            Board::Eight => &self.eight,
            Board::EightFull => &self.full,
            Board::TenByEight => &self.wide,
            Board::Ten => &self.ten,
            Board::Twelve => &self.twelve,
        };
        codec.downcast_ref()
    }

    /// The start position of a game.
    fn start(&mut self, candidate: &CandidateGame) -> State<u128> {
        match self.start {
            Some(start) if start.candidate == *candidate => start.state,
            _ => {
                let start = Position::start(candidate.game());
                let (state, material) = (*start.state(), PackedPieceCounts::from(start.counts()));
                self.start = Some(Start { candidate: *candidate, state, material });
                state
            }
        }
    }

    /// The pieces of the start position of the game that was packed last.
    pub(super) fn start_counts(&self) -> Option<PackedPieceCounts> {
        self.start.map(|start| start.material)
    }
}

/// Packs one game behind others.
#[derive(Debug)]
pub(super) struct PackSink<'a> {
    pub(super) packer: &'a mut PackTables,
    pub(super) moves: &'a mut Vec<u8>,
    /// Where this game begins in `moves`.
    pub(super) from: usize,
    /// The replayer has begun with a game.
    pub(super) begun: bool,
    /// The game does not begin in the start position, and its moves begin with a setup.
    pub(super) set_up: bool,
}

impl PackSink<'_> {
    /// Once the game is over: one that was never played has a first position all the same.
    pub(super) fn finish(&mut self, summary: &ReplaySummary) {
        if !self.begun || summary.plies == 0 && !summary.has_setups {
            struct Begin<'a, 'b>(&'a mut PackSink<'b>, &'a ReplaySummary);
            impl WithRules for Begin<'_, '_> {
                type Output = ();
                fn run<R: Ruleset>(self, rules: R) {
                    let Self(packing, summary) = self;
                    let candidate = CandidateGame { variant: summary.variant, numbering: summary.numbering };
                    packing.begin(rules, &candidate, &summary.start.resized());
                }
            }
            summary.game().rules.with(Begin(self, summary));
        }
    }
}

impl PlySink for PackSink<'_> {
    #[inline]
    fn begin<R: Ruleset>(&mut self, _: R, candidate: &CandidateGame, start: &State<BitsOf<R>>) {
        self.moves.truncate(self.from);
        self.begun = true;
        let usual = self.packer.start(candidate);
        let own = start.resized();
        self.set_up = usual != own;
        if self.set_up
            && let Some(codec) = self.packer.codec::<R::Geometry>()
        {
            codec.encode_setup(start, self.moves);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply<R: Ruleset>(&mut self, _: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        if let Some(codec) = self.packer.codec::<R::Geometry>() {
            codec.encode(before, mv, self.moves);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        if let Some(codec) = self.packer.codec::<R::Geometry>() {
            codec.encode_plies(rules, plies, self.moves);
        }
    }

    #[inline]
    fn null<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>) {
        if let Some(codec) = self.packer.codec::<R::Geometry>() {
            codec.encode_null(self.moves);
        }
    }

    #[inline]
    fn setup<R: Ruleset>(&mut self, _: R, position: &State<BitsOf<R>>) {
        if let Some(codec) = self.packer.codec::<R::Geometry>() {
            codec.encode_setup(position, self.moves);
        }
    }
}
