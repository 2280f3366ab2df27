//! Counts the games of each variant.

use crate::error::Result;
use crate::index::{GameKind, Index, Section};
use crate::rules::Variant;

/// Returns the variants of an index with their numbers of games, in the order of [`Variant::ALL`]. Reads one column.
///
/// # Errors
/// If a section of the index is damaged.
pub fn variant_counts(index: &Index) -> Result<Vec<(Variant, u64)>> {
    let mut counts = vec![0u64; Variant::ALL.len()];
    for segment in index.segments() {
        let kinds = segment.kinds()?;
        let place_of = |kind: &GameKind| Variant::ALL.iter().position(|&variant| variant == kind.variant);
        let mut games = vec![0u64; kinds.len()];
        match games.as_mut_slice() {
            [all] => *all = segment.len() as u64,
            games => {
                for kind in segment.column(Section::Kind)?.values() {
                    if let Some(count) = games.get_mut(kind as usize) {
                        *count += 1;
                    }
                }
            }
        }
        for (kind, games) in kinds.iter().zip(games) {
            if let Some(place) = place_of(kind) {
                counts[place] += games;
            }
        }
    }
    let counted = Variant::ALL.iter().copied().zip(counts);
    Ok(counted.filter(|&(_, games)| games > 0).collect())
}
