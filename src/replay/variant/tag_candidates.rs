//! The games that a GameType tag may mean, and the order in which variants are inferred without one.

use crate::replay::CandidateGame;
use crate::rules::{GameRules, Variant};
use crate::value::{GameType, GameTypeStatus};

/// The variants that can be inferred, the likeliest first.
///
/// Each of them differs from all others in its rules or in its square names. Breakthrough, Antidraughts, Portuguese and
/// Zimbabwean pool do not: only a tag distinguishes them from the variants with which they share both.
///
/// The order decides only between variants under which a record replays equally well. International archives
/// outnumber all others. English comes before pool: men capture backwards in pool, so a long pool game soon fails
/// as English, while every short game is legal in both. The variants with algebraic names follow in the order of how
/// many games of each are published.
pub(crate) const INFERENCE_ORDER: [Variant; 16] = [
    Variant::International,
    Variant::English,
    Variant::Russian,
    Variant::Brazilian,
    Variant::Italian,
    Variant::Frisian,
    Variant::Pool,
    Variant::UnifiedPool,
    Variant::Spanish,
    Variant::Czech,
    Variant::Canadian,
    Variant::Turkish,
    Variant::Thai,
    Variant::Jamaican,
    Variant::Spantsiretti,
    Variant::Frysk,
];

/// The meaning of a GameType tag.
#[derive(Clone, Copy, Debug)]
pub(super) enum TagCandidates {
    /// One of these games, the likeliest first; `None` in unused places.
    Games([Option<CandidateGame>; 4]),
    /// A game other than draughts.
    OtherGame,
    /// Unknown: the value contains no number, or a number without meaning.
    Unknown,
}

impl TagCandidates {
    /// Parses the value of a GameType tag.
    ///
    /// The attributes come first, as they are written. But some programs write `20,W,10,10,N1,0` over games in the
    /// usual numbering, so the bare number comes next. Other variants of the same number follow: many tags `23`
    /// stand over algebraic moves.
    pub(super) fn of_tag(value: &[u8]) -> Self {
        let game_type = match GameType::parse(value) {
            Ok(game_type) => game_type,
            Err(_) => match GameType::number_in(value) {
                Some(number) => GameType::of_number(number),
                None => return Self::Unknown,
            },
        };
        if game_type.number != 99
            && let GameTypeStatus::OtherGame(_) = game_type.status()
        {
            return Self::OtherGame;
        }
        let number = game_type.number;
        let exact = game_type.attributes.as_ref().and_then(|attributes| {
            let GameRules { numbering, .. } = GameRules::from_attributes(number, Some(attributes)).ok()?;
            let is_exact =
                |variant: &Variant| variant.number() == number && variant.game().numbering == numbering;
            let named = Variant::ALL.iter().copied().find(is_exact);
            Some(CandidateGame { variant: named.or(Variant::from_number(number))?, numbering })
        });
        let same_number = Variant::ALL
            .iter()
            .filter(|variant| variant.number() == number && **variant != Variant::ZimbabweanPool);
        let others =
            same_number.map(|&variant| CandidateGame::from(variant)).filter(|other| Some(*other) != exact);
        let mut games = [None; 4];
        for (slot, candidate) in games.iter_mut().zip(exact.into_iter().chain(others)) {
            *slot = Some(candidate);
        }
        if games[0].is_some() { Self::Games(games) } else { Self::Unknown }
    }
}
