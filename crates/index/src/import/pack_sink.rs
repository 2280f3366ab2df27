//! Packs plies as the replayer finds them legal, and counts the facts of the game.

use super::token_places::TokenPlaces;
use crate::pack::MoveCodec;
use crate::row::game_facts::FactCounter;
use crate::row::game_row::PackedPieceCounts;
use pdn::internal::replay::{CandidateGame, PlyBatch, PlySink};
use pdn::internal::simd;
use pdn::position::{Move, Position};
use pdn::replay::ReplaySummary;
use pdn_rules::internal::board::{BoardFamily, Geometry, PerBoard};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{BitsOf, Ruleset, WithRules};

/// The codecs of all boards, and the start position that was used last.
#[derive(Debug)]
pub(super) struct PackTables {
    codecs: PerBoard<MoveCodecs>,
    start: Option<Start>,
}

/// The family of the codecs.
#[derive(Debug)]
struct MoveCodecs;

impl BoardFamily for MoveCodecs {
    type Of<G: Geometry> = MoveCodec<G>;
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
        Self { codecs: PerBoard::default(), start: None }
    }

    /// Returns the codec of the board `G`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn codec<G: Geometry>(&self) -> &MoveCodec<G> {
        G::entry(&self.codecs)
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

/// Appends the packed moves of one line of a game, and counts its facts.
#[derive(Debug)]
pub(super) struct PackSink<'a> {
    pub(super) tables: &'a mut PackTables,
    pub(super) moves: &'a mut Vec<u8>,
    /// Length of `moves` before this line.
    pub(super) from: usize,
    /// `true` once the replayer has started the line.
    pub(super) has_started: bool,
    /// `true` if the moves begin with a setup.
    pub(super) set_up: bool,
    pub(super) facts: FactCounter,
    /// The plies and tokens of the line.
    pub(super) places: &'a mut TokenPlaces,
    pub(super) line: PackedLine,
}

/// The line that is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PackedLine {
    /// The main line, which begins with a setup if it does not start in the start position of its variant.
    Main,
    /// A variation, which begins in a position of the line around it.
    Variation,
    /// A variation whose first position is not one of the line around it, so that it begins with a setup.
    SetUpVariation,
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
        self.places.restart_line();
        self.has_started = true;
        self.facts = FactCounter::default();
        self.facts.set_up(start);
        self.set_up = match self.line {
            PackedLine::Main => self.tables.start(candidate) != start.resized(),
            line => line == PackedLine::SetUpVariation,
        };
        if self.set_up {
            self.tables.codec::<R::Geometry>().encode_setup(start, self.moves);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply<R: Ruleset>(&mut self, _: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        self.tables.codec::<R::Geometry>().encode(before, mv, self.moves);
        self.facts.ply(before, mv);
        self.places.plies += 1;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        let packed = self.tables.codec::<R::Geometry>().encode_plies(rules, plies, self.moves);
        simd::run((packed, self.facts.plies(plies)));
        self.places.plies += plies.len() as u32;
    }

    #[inline]
    fn null<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>) {
        self.tables.codec::<R::Geometry>().encode_null(self.moves);
        self.facts.null_move();
        self.places.null();
    }

    #[inline]
    fn setup<R: Ruleset>(&mut self, _: R, position: &State<BitsOf<R>>) {
        self.tables.codec::<R::Geometry>().encode_setup(position, self.moves);
        self.facts.set_up(position);
        self.places.setup();
    }

    #[inline]
    fn skip(&mut self, tokens: usize) {
        self.places.skip(tokens as u32);
    }
}
