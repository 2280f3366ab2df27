//! What an archive holds, so that whoever reads it can be checked.

use std::collections::BTreeMap;

use pdn::rules::Variant;
use serde::{Serialize, Serializer};

use crate::Options;
use crate::damage::{Damage, DamageKind};

/// Counts over a generated archive. Written as JSON by [`to_json`](Self::to_json).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Manifest {
    /// Name and version of the generator; another version may give other bytes for the same seed.
    pub generator: &'static str,
    /// What was asked for.
    pub options: Options,
    /// Size of the archive.
    pub bytes: u64,
    /// Everything together.
    #[serde(flatten)]
    pub total: Counts,
    /// By variant, in the order of the table of variants.
    #[serde(serialize_with = "by_name")]
    pub variants: BTreeMap<Variant, Counts>,
    /// How many games were broken in which way.
    pub damage: BTreeMap<DamageKind, u64>,
    /// Which games were broken, in order.
    pub damaged_games: Vec<Damage>,
}

/// What games hold. Plies, comments and the like are those of whole games; broken ones are only counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Games, broken ones included.
    pub games: u64,
    /// Games broken on purpose.
    pub damaged: u64,
    /// Plies of main lines.
    pub plies: u64,
    /// Of these, captures.
    pub captures: u64,
    /// Plies in variations.
    pub variation_plies: u64,
    /// Games won by the side that starts.
    pub first_wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by the other side.
    pub second_wins: u64,
    /// Games without a result.
    pub unfinished: u64,
    /// Games with a GameType tag.
    pub game_types: u64,
    /// Games that begin at a setup.
    pub setups: u64,
    /// Games with comments in words.
    pub commented: u64,
    /// Games with variations.
    pub varied: u64,
    /// Games with clock times.
    pub timed: u64,
    /// Comments, in words or with clock times.
    pub comments: u64,
    /// Variations.
    pub variations: u64,
    /// Numeric annotations and strengths.
    pub annotations: u64,
}

impl Counts {
    /// Adds those of another game or archive.
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

    /// As indented JSON with a newline at its end.
    ///
    /// # Errors
    /// Never for a manifest that [`generate`](crate::generate) has returned.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }
}

fn by_name<S: Serializer>(variants: &BTreeMap<Variant, Counts>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(variants.iter().map(|(variant, counts)| (variant.name(), counts)))
}
