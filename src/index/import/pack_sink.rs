//! Packs plies as the replayer finds them legal.

use std::any::Any;

use crate::board::{Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
use crate::index::row::game_row::PackedPieceCounts;
use crate::pack::MoveCodec;
use crate::position::{Move, Position, State};
use crate::replay::{BitsOf, CandidateGame, PlyBatch, PlySink, ReplaySummary};
use crate::rules::{Ruleset, WithRules};

/// The codecs of all boards, and the start position that was used last.
#[derive(Debug)]
pub(super) struct PackTables {
    eight: MoveCodec<Eight>,
    eight_full: MoveCodec<EightFull>,
    ten_by_eight: MoveCodec<TenByEight>,
    ten: MoveCodec<Ten>,
    twelve: MoveCodec<Twelve>,
    start: Option<Start>,
}

/// The start position of a variant and numbering, and its piece counts.
#[derive(Clone, Copy, Debug)]
struct Start {
    candidate: CandidateGame,
    state: State<u128>,
    material: PackedPieceCounts,
}

impl PackTables {
    /// Creates the codecs of all boards.
    pub(super) fn new() -> Self {
        Self {
            eight: MoveCodec::new(),
            eight_full: MoveCodec::new(),
            ten_by_eight: MoveCodec::new(),
            ten: MoveCodec::new(),
            twelve: MoveCodec::new(),
            start: None,
        }
    }

    /// Returns the codec of a board. The board is a type parameter here and a field there; the compiler resolves
    /// both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn codec<G: Geometry>(&self) -> Option<&MoveCodec<G>> {
        let codec: &dyn Any = match G::BOARD {
            Board::Eight => &self.eight,
            Board::EightFull => &self.eight_full,
            Board::TenByEight => &self.ten_by_eight,
            Board::Ten => &self.ten,
            Board::Twelve => &self.twelve,
        };
        codec.downcast_ref()
    }

    /// Returns the start position of a variant and numbering.
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

    /// Returns the piece counts of the start position that was used last.
    pub(super) fn start_counts(&self) -> Option<PackedPieceCounts> {
        self.start.map(|start| start.material)
    }
}

/// Appends the packed moves of one game.
#[derive(Debug)]
pub(super) struct PackSink<'a> {
    pub(super) tables: &'a mut PackTables,
    pub(super) moves: &'a mut Vec<u8>,
    /// Length of `moves` before this game.
    pub(super) from: usize,
    /// `true` once the replayer has started the main line.
    pub(super) has_started: bool,
    /// `true` if the game does not start in the start position of its variant, so that its moves begin with a setup.
    pub(super) set_up: bool,
}

impl PackSink<'_> {
    /// Completes a game that was not played: it has a first position all the same.
    pub(super) fn finish(&mut self, summary: &ReplaySummary) {
        if !self.has_started || summary.plies == 0 && !summary.has_setups {
            struct Begin<'a, 'b>(&'a mut PackSink<'b>, &'a ReplaySummary);
            impl WithRules for Begin<'_, '_> {
                type Output = ();
                fn run<R: Ruleset>(self, rules: R) {
                    let Self(sink, summary) = self;
                    let candidate = CandidateGame { variant: summary.variant, numbering: summary.numbering };
                    sink.begin(rules, &candidate, &summary.start.resized());
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
        self.has_started = true;
        let start_of_variant = self.tables.start(candidate);
        let first = start.resized();
        self.set_up = start_of_variant != first;
        if self.set_up
            && let Some(codec) = self.tables.codec::<R::Geometry>()
        {
            codec.encode_setup(start, self.moves);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply<R: Ruleset>(&mut self, _: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        if let Some(codec) = self.tables.codec::<R::Geometry>() {
            codec.encode(before, mv, self.moves);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        if let Some(codec) = self.tables.codec::<R::Geometry>() {
            codec.encode_plies(rules, plies, self.moves);
        }
    }

    #[inline]
    fn null<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>) {
        if let Some(codec) = self.tables.codec::<R::Geometry>() {
            codec.encode_null(self.moves);
        }
    }

    #[inline]
    fn setup<R: Ruleset>(&mut self, _: R, position: &State<BitsOf<R>>) {
        if let Some(codec) = self.tables.codec::<R::Geometry>() {
            codec.encode_setup(position, self.moves);
        }
    }
}
