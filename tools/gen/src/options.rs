//! Options of the generator.

use std::num::NonZeroUsize;

use pdn::rules::Variant;
use serde::{Serialize, Serializer};

use crate::random::Share;

/// Options of an archive. The archive is a function of all of them except `threads`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Options {
    /// Size of the archive.
    pub amount: Amount,
    /// The variants, which alternate from event to event. Must not be empty.
    #[serde(serialize_with = "names")]
    pub variants: Vec<Variant>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of worker threads. Does not change the archive.
    #[serde(skip)]
    pub threads: NonZeroUsize,
    /// Share of games with text comments, move strengths and NAGs.
    pub comments: Share,
    /// Share of games with variations.
    pub variations: Share,
    /// Share of games with clock times.
    pub clocks: Share,
    /// Share of games with a GameType tag.
    pub game_types: Share,
    /// Share of games that begin at another position, with a FEN tag.
    pub setups: Share,
    /// Share of damaged games.
    pub damage: Share,
    /// Style of writing.
    pub dialect: Dialect,
}

/// Size of an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Amount {
    /// This many games.
    Games(u64),
    /// The smallest number of whole games with at least this many bytes.
    Bytes(u64),
}

/// Style of writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// The writing grammar of PDN 3.0, with lines of fewer than 80 characters.
    #[default]
    Clean,
    /// The styles of real programs and people, one per event. Every game is still unambiguous.
    Mixed,
}

impl Options {
    /// Creates options for clean PDN: a GameType tag in every game, another start position in one game of a hundred; no
    /// comments, variations, clock times or damage; seed 1, one thread.
    pub fn new(amount: Amount, variants: &[Variant]) -> Self {
        Self {
            amount,
            variants: variants.to_vec(),
            seed: 1,
            threads: NonZeroUsize::MIN,
            comments: Share::NONE,
            variations: Share::NONE,
            clocks: Share::NONE,
            game_types: Share::ALL,
            setups: Share::percent(1),
            damage: Share::NONE,
            dialect: Dialect::Clean,
        }
    }
}

fn names<S: Serializer>(variants: &[Variant], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(variants.iter().map(|variant| variant.name()))
}
