//! Describes the contents of a generated archive and what was damaged in it, so that readers can be tested against it.

use std::collections::BTreeMap;

use crate::Options;
use pdn::rules::Variant;
use serde::{Serialize, Serializer};

/// Counts over a generated archive. Written as JSON by [`to_json`](Self::to_json).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Manifest {
    /// Name and version of the generator; another version may give other bytes for the same seed.
    pub generator: &'static str,
    /// The options that it was generated with.
    pub options: Options,
    /// Size of the archive in bytes.
    pub bytes: u64,
    /// Counts over all variants.
    #[serde(flatten)]
    pub total: Counts,
    /// Counts by variant, in the order of the rules table.
    #[serde(serialize_with = "by_name")]
    pub variants: BTreeMap<Variant, Counts>,
    /// Number of damaged games by kind of damage.
    pub damage: BTreeMap<DamageKind, u64>,
    /// The damaged games, in order.
    pub damaged_games: Vec<Damage>,
}

/// Counts over games. Plies, comments and other parts are counted in undamaged games only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Games, including damaged ones.
    pub games: u64,
    /// Damaged games.
    pub damaged: u64,
    /// Plies of main lines.
    pub plies: u64,
    /// Captures among these plies.
    pub captures: u64,
    /// Plies in variations.
    pub variation_plies: u64,
    /// Games won by the side that moves first.
    pub first_wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by the other side.
    pub second_wins: u64,
    /// Games without a result.
    pub unfinished: u64,
    /// Games with a GameType tag.
    pub game_types: u64,
    /// Games that begin at a position other than the start position.
    pub setups: u64,
    /// Games with text comments.
    pub commented: u64,
    /// Games with variations.
    pub varied: u64,
    /// Games with clock times.
    pub timed: u64,
    /// Comments with text or with clock times.
    pub comments: u64,
    /// Variations.
    pub variations: u64,
    /// NAGs and move strengths.
    pub annotations: u64,
}

impl Counts {
    /// Adds the counts of another game or archive.
    pub(crate) fn add(&mut self, other: &Self) {
        let Self {
            games,
            damaged,
            plies,
            captures,
            variation_plies,
            first_wins,
            draws,
            second_wins,
            unfinished,
            game_types,
            setups,
            commented,
            varied,
            timed,
            comments,
            variations,
            annotations,
        } = other;
        self.games += games;
        self.damaged += damaged;
        self.plies += plies;
        self.captures += captures;
        self.variation_plies += variation_plies;
        self.first_wins += first_wins;
        self.draws += draws;
        self.second_wins += second_wins;
        self.unfinished += unfinished;
        self.game_types += game_types;
        self.setups += setups;
        self.commented += commented;
        self.varied += varied;
        self.timed += timed;
        self.comments += comments;
        self.variations += variations;
        self.annotations += annotations;
    }
}

impl Manifest {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            generator: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
            options: options.clone(),
            bytes: 0,
            total: Counts::default(),
            variants: BTreeMap::new(),
            damage: BTreeMap::new(),
            damaged_games: Vec::new(),
        }
    }

    /// Formats the manifest as indented JSON with a final newline.
    ///
    /// # Errors
    /// None for a manifest that [`generate`](crate::generate) returned.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }
}

fn by_name<S: Serializer>(variants: &BTreeMap<Variant, Counts>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(variants.iter().map(|(variant, counts)| (variant.name(), counts)))
}

/// A kind of damage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DamageKind {
    /// An illegal move.
    IllegalMove,
    /// A ply is left out, so that the next one is illegal.
    MissingMove,
    /// The text ends within the moves, possibly within a move, without a result.
    Truncated,
    /// An unclosed comment before a ply.
    OpenComment,
    /// An unclosed variation before a ply.
    OpenVariation,
    /// Control characters and other bytes before a ply.
    Garbage,
    /// A remark without braces directly after a ply.
    GluedText,
    /// A missing terminator.
    NoTerminator,
    /// An Event tag without its opening bracket.
    LostBracket,
    /// A Result tag that contradicts the terminator.
    WrongResult,
}

impl DamageKind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::IllegalMove,
        Self::MissingMove,
        Self::Truncated,
        Self::OpenComment,
        Self::OpenVariation,
        Self::Garbage,
        Self::GluedText,
        Self::NoTerminator,
        Self::LostBracket,
        Self::WrongResult,
    ];

    /// Returns `true` if the damage is at a ply, so that the game needs one.
    pub(crate) const fn needs_plies(self) -> bool {
        !matches!(self, Self::NoTerminator | Self::LostBracket | Self::WrongResult)
    }
}

/// A deliberately damaged game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Damage {
    /// Number of the game in the archive, from 0.
    pub game: u64,
    /// Offset of its record in the archive, in bytes.
    pub offset: u64,
    /// The kind of damage.
    pub kind: DamageKind,
    /// The damaged ply, from 0, which is the number of undamaged plies before it; `None` if all plies are undamaged.
    pub ply: Option<u32>,
}
