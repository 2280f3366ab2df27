//! What to generate.

use std::num::NonZeroUsize;

use pdn::rules::Variant;
use serde::{Serialize, Serializer};

use crate::random::Share;

/// What an archive is to hold. The archive is a function of these, threads excepted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Options {
    /// How much.
    pub amount: Amount,
    /// The variants; events take turns. Must not be empty.
    #[serde(serialize_with = "names")]
    pub variants: Vec<Variant>,
    /// Another seed, another archive.
    pub seed: u64,
    /// Threads at work. Says nothing about the archive.
    #[serde(skip)]
    pub threads: NonZeroUsize,
    /// Games with comments in words, strengths and numeric annotations.
    pub comments: Share,
    /// Games with variations.
    pub variations: Share,
    /// Games with clock times.
    pub clocks: Share,
    /// Games with a GameType tag.
    pub game_types: Share,
    /// Games that begin at a setup, with a FEN tag.
    pub setups: Share,
    /// Games broken on purpose.
    pub damage: Share,
    /// How it is written.
    pub dialect: Dialect,
}

/// How large an archive is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Amount {
    /// So many games.
    Games(u64),
    /// The fewest whole games that make so many bytes.
    Bytes(u64),
}

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// As PDN 3.0 writes, lines wrapped before column 80.
    #[default]
    Clean,
    /// As programs and people have written for thirty years: each event in a style of its own. Every game can
    /// still be understood.
    Mixed,
}

impl Options {
    /// So much of these variants in clean PDN: a GameType tag in every game, a setup in one game of a hundred,
    /// no comments, variations or clock times, nothing broken; seed 1, one thread.
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
