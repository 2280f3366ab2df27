//! Games of an index by the names of their openings.

use super::names::{OpeningNames, PlayedOpening};
use crate::IndexedGame;
use crate::pack::{CorruptMoves, MoveCodec};
use pdn::error::Result;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn_names::NamePattern;
use pdn_rules::internal::board::{Geometry, WithBoard};
use pdn_rules::internal::position::State;

/// Whether the names of an opening match a pattern, for games of one variant.
#[derive(Clone, Debug)]
pub(in crate::query) struct OpeningTest {
    names: Option<&'static OpeningNames>,
    /// For each name whether it matches.
    matching: Vec<bool>,
    /// Whether games without a name match.
    unnamed: bool,
}

impl OpeningTest {
    /// Compares a pattern with the names of a variant.
    pub(in crate::query) fn new(variant: Variant, pattern: &NamePattern) -> Self {
        let names = OpeningNames::of(variant);
        let matches = |name: &&str| pattern.matches(name);
        let matching = names.map_or_else(Vec::new, |names| names.all().iter().map(matches).collect());
        Self { names, matching, unnamed: pattern.matches("") }
    }

    /// Returns `false` if no game of the variant matches.
    pub(in crate::query) fn may_match(&self) -> bool {
        self.unnamed || self.matching.contains(&true)
    }

    /// Returns `true` if a packed game matches that begins in `start` unless it begins with a setup.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[inline]
    pub(in crate::query) fn matches<G: Geometry>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<G::Bits>,
        bytes: &[u8],
    ) -> std::result::Result<bool, CorruptMoves> {
        if !self.may_match() {
            return Ok(false);
        }
        let Some(names) = self.names else { return Ok(self.unnamed) };
        let PlayedOpening { position, structure } = names.of_packed(codec, start, bytes)?;
        let is_matching = |name: Option<u16>| name.is_some_and(|name| self.matching[usize::from(name)]);
        let is_unnamed = position.is_none() && structure.is_none();
        Ok(is_matching(position) || is_matching(structure) || is_unnamed && self.unnamed)
    }
}

/// Returns the names of the opening of an indexed game, as [`OpeningNames::text`] writes them; empty without a name.
///
/// # Errors
/// If a section of the index is damaged.
pub fn played_opening(game: &IndexedGame<'_>) -> Result<String> {
    let kind = game.kind()?;
    let Some(names) = OpeningNames::of(kind.variant) else { return Ok(String::new()) };
    let start = Position::start(kind.game());
    match kind.variant.board().with(NamePacked { names, start, bytes: game.moves()? }) {
        Ok(opening) => Ok(names.text(opening)),
        // Unpacking says which section is damaged.
        Err(CorruptMoves) => game.plies().map(|_| String::new()),
    }
}

/// A packed game whose opening is named.
struct NamePacked<'a> {
    names: &'a OpeningNames,
    start: Position,
    bytes: &'a [u8],
}

impl WithBoard for NamePacked<'_> {
    type Output = std::result::Result<PlayedOpening, CorruptMoves>;

    fn run<G: Geometry>(self) -> Self::Output {
        self.names.of_packed(&MoveCodec::<G>::new(), &self.start.state().resized(), self.bytes)
    }
}
