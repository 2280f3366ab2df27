//! Groups the spellings of a kind.

use super::name_group::NameGrouping;
use super::name_use::{NameKind, NameUse};
use super::player_groups::group_players;
use super::text_groups::group_texts;

/// Groups spellings that probably mean one person, event or site.
///
/// Precision comes before recall. Players with the same surname and different initials are never joined; a name that fits
/// several persons joins none; what is less than certain is a group with a [doubt](super::NameGroup::doubt). The
/// guide has all rules.
///
/// The result does not depend on the order of the uses. Names are compared only if they share a word, so that the work is
/// nearly linear in their number: 200,000 spellings take some seconds.
///
/// ```
/// use pdn_names::{NameKind, NameUse, group_names};
///
/// let uses = [("Sijbrands, Ton", 12), ("T. Sijbrands", 4), ("Jansen, G.", 2), ("Jansen, H.", 1)];
/// let uses: Vec<_> = uses.into_iter().map(|(name, games)| NameUse::new(name, games)).collect();
/// let found = group_names(NameKind::Player, &uses);
/// assert_eq!(found.groups.len(), 1);
/// assert_eq!(found.groups[0].canonical, "Sijbrands, Ton");
/// assert_eq!(found.groups[0].evidence(), ["order", "initials"]);
/// ```
pub fn group_names(kind: NameKind, uses: &[NameUse]) -> NameGrouping {
    match kind {
        NameKind::Player => group_players(uses),
        NameKind::Event | NameKind::Site => group_texts(kind, uses),
    }
}
