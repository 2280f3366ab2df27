//! How games are written.

use super::filter::Strip;
use super::layout::LineEnd;
use super::profile::{Profile, TerminatorForm};
use crate::board::SquareNaming;
use crate::notation::MoveStyle;
use crate::replay::VariantBasis;
use crate::value::FenStyle;

/// How games are written. A [`Profile`] gives the values for a target program; each of them can be changed.
///
/// ```
/// use pdn::notation::MoveStyle;
/// use pdn::write::{Profile, Strip, WriteOptions};
///
/// let options = WriteOptions::of(Profile::Lidraughts).captures(MoveStyle::Chain).strip(Strip::CLOCKS).width(100);
/// assert_eq!(options.width, 100);
/// // What the profile leaves out stays left out.
/// assert!(options.strip.contains(Strip::SETUPS.and(Strip::CLOCKS)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The kind of square names; `None` for that of the game type.
    pub notation: Option<SquareNaming>,
    /// The part of a capture that is written.
    pub captures: MoveStyle,
    /// How positions are written.
    pub fen_style: FenStyle,
    /// What is left out.
    pub strip: Strip,
    /// The tags that are added.
    pub added: AddedTags,
    /// The maximum number of bytes of a line of moves; 0 for one line. Comments keep their line ends.
    pub width: usize,
    /// The line ends.
    pub line_end: LineEnd,
    /// What ends the movetext.
    #[doc(hidden)]
    pub terminator: TerminatorForm,
    /// `true` if missing tags of the seven required ones are added with their unknown values.
    pub has_roster: bool,
    /// `true` if a variation with a move that cannot be played, or with text that is no move, is written as text in comments. `false`
    /// if a record with such a variation is refused.
    pub variations_as_text: bool,
    /// `true` if scores that give the number of White first are written as PDN has them. Games that leave their file need it, because the
    /// games around them show the order.
    #[doc(hidden)]
    pub standard_scores: bool,
    /// Properties of the target program that are no options.
    pub(super) profile: Profile,
}

/// Tags that are added to written games.
///
/// ```
/// use pdn::write::{AddedTags, RecordWriter, WriteOptions};
///
/// let mut added = AddedTags::default();
/// (added.game_type, added.ply_count) = (true, true);
/// let mut text = Vec::new();
/// RecordWriter::new(&WriteOptions::new().added(added)).write(b"1. 32-28 19-23 *", &mut text)?;
/// assert_eq!(text, b"[GameType \"20,W,10,10,N2,0\"]\n[PlyCount \"2\"]\n\n1. 32-28 19-23 *\n");
/// # Ok::<(), pdn::write::Unwritten>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub struct AddedTags {
    /// GameType, if there is none: the variant that was replayed, also if it was inferred.
    pub game_type: bool,
    /// GameType, if there is none and the variant is known: from the caller, from other games of the file or from the moves.
    /// A variant that is only assumed is not added. Games that leave their file need it, because the games around them
    /// are a clue to their variant.
    pub known_game_type: bool,
    /// PlyCount: the number of plies of the main line, also in place of another number.
    pub ply_count: bool,
}

impl AddedTags {
    /// Returns `true` if a game without a GameType tag gets one. `basis` says how its variant is known.
    pub fn adds_game_type(&self, basis: VariantBasis) -> bool {
        self.game_type || self.known_game_type && basis.is_known() && basis != VariantBasis::Tag
    }
}

impl Default for WriteOptions {
    /// As [`WriteOptions::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl WriteOptions {
    /// Creates the options for canonical PDN 3.0: those of [`Profile::Pdn3`] without added tags.
    pub fn new() -> Self {
        Self { has_roster: false, ..Self::of(Profile::Pdn3) }
    }

    /// Creates the options of a profile.
    pub fn of(profile: Profile) -> Self {
        let row = profile.row();
        Self {
            notation: None,
            captures: row.captures,
            fen_style: FenStyle::default(),
            strip: row.strip,
            added: AddedTags::default(),
            width: row.width,
            line_end: row.line_end,
            terminator: row.terminator,
            has_roster: row.has_roster,
            variations_as_text: false,
            standard_scores: false,
            profile,
        }
    }

    /// Returns the profile that the options come from.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Sets the kind of square names; `None` for that of the game type. If it is another kind than that of the game type,
    /// the GameType tag is written in full and says so.
    #[must_use]
    pub fn notation(mut self, notation: impl Into<Option<SquareNaming>>) -> Self {
        self.notation = notation.into();
        self
    }

    /// Sets the part of a capture that is written.
    #[must_use]
    pub fn captures(mut self, captures: MoveStyle) -> Self {
        self.captures = captures;
        self
    }

    /// Sets how positions are written. The Hub protocol has no form for a null move, which stays as it is.
    ///
    /// ```
    /// use pdn::value::FenStyle;
    /// use pdn::write::{RecordWriter, WriteOptions};
    ///
    /// let mut writer = RecordWriter::new(&WriteOptions::new().fen_style(FenStyle::Hub));
    /// let mut text = Vec::new();
    /// writer.write(b"[GameType \"21\"][FEN \"W:W32:BK1\"] 1... 32-28 *", &mut text)?;
    /// assert!(text.starts_with(b"[GameType \"21\"]\n[FEN \"WBeeeeeeeeeeeeeeeeeeeeeeeeeeeeeew\"]\n"));
    /// # Ok::<(), pdn::write::Unwritten>(())
    /// ```
    #[must_use]
    pub fn fen_style(mut self, fen_style: FenStyle) -> Self {
        self.fen_style = fen_style;
        self
    }

    /// Leaves out more parts, besides those that the profile leaves out.
    #[must_use]
    pub fn strip(mut self, strip: Strip) -> Self {
        self.strip = self.strip.and(strip);
        self
    }

    /// Sets the tags that are added.
    #[must_use]
    pub fn added(mut self, added: AddedTags) -> Self {
        self.added = added;
        self
    }

    /// Sets the maximum number of bytes of a line of moves; 0 for one line.
    #[must_use]
    pub fn width(mut self, width: usize) -> Self {
        self.width = width;
        self
    }

    /// Sets the line ends.
    #[must_use]
    pub fn line_end(mut self, line_end: LineEnd) -> Self {
        self.line_end = line_end;
        self
    }

    /// Sets whether missing tags of the seven required ones are added with their unknown values.
    #[must_use]
    pub fn has_roster(mut self, has_roster: bool) -> Self {
        self.has_roster = has_roster;
        self
    }

    /// Sets whether a variation that cannot be played is written as text in comments. Its own comments stay comments, so that nothing
    /// of it is lost, but a reader no longer finds its moves.
    ///
    /// ```
    /// use pdn::write::{RecordWriter, WriteOptions};
    ///
    /// let mut writer = RecordWriter::new(&WriteOptions::new().variations_as_text(true));
    /// let mut text = Vec::new();
    /// writer.write(b"[GameType \"20\"] 1. 32-28 (1. 33-99 {a slip} 19-23) 19-23 *", &mut text)?;
    /// assert!(text.ends_with(b"1. 32-28 {(1. 33-99} {a slip} {19-23)} 1... 19-23 *\n"));
    /// assert_eq!(writer.text_variations(), 1);
    /// # Ok::<(), pdn::write::Unwritten>(())
    /// ```
    #[must_use]
    pub fn variations_as_text(mut self, variations_as_text: bool) -> Self {
        self.variations_as_text = variations_as_text;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_type_is_added_where_it_is_known_and_not_written() {
        let added =
            |game_type, known_game_type| AddedTags { game_type, known_game_type, ..AddedTags::default() };
        for (basis, is_known) in [
            (VariantBasis::Tag, false),
            (VariantBasis::Caller, true),
            (VariantBasis::Moves, true),
            (VariantBasis::Guess, false),
        ] {
            assert_eq!(added(false, true).adds_game_type(basis), is_known, "{basis:?}");
            assert!(added(true, false).adds_game_type(basis) && !added(false, false).adds_game_type(basis));
        }
    }
}
