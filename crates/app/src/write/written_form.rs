//! How games are written: the choices that `convert` offers, whatever becomes of the games.

use pdn::board::SquareNaming;
use pdn::convert::{ConvertOptions, Repairs};
use pdn::internal::replay::CandidateGame;
use pdn::notation::MoveStyle;
use pdn::replay::ReplayOptions;
use pdn::write::{Profile, Strip, WriteOptions};

use crate::ask::named::named;
use crate::ask::position::FenStyleName;

named! {
    /// Names of squares.
    pub enum NotationName {
        /// Numbers: 32-28
        Numeric = "numeric",
        /// Letters and numbers: c3-d4
        Algebraic = "algebraic",
        /// Numbers, and captures as engines exchange them: first and last square, then all captured squares: 28x17x22
        Hub = "hub",
    }
}

named! {
    /// How captures are written.
    pub enum CaptureForm {
        /// First and last square; all squares if another capture has the same
        Short = "short",
        /// All squares
        Full = "full",
        /// First and last square; if another capture has the same, the captured squares follow: 47x36 <42,29>
        Captured = "3.1",
    }
}

named! {
    /// What is added to games: tags, or a comment.
    pub enum AddedTag {
        /// Number of plies
        PlyCount = "PlyCount",
        /// Variant of the game, also if it is only assumed
        GameType = "GameType",
        /// Comment at the move with which the game leaves all earlier games of the input: what was played before, in which game
        Novelty = "Novelty",
    }
}

/// How games are written. By default in canonical form, without repairs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct WrittenForm {
    /// The repairs that are made.
    pub repairs: Repairs,
    /// Parts of games that are left out.
    pub strip: Strip,
    /// Names of squares; `None` for those of the game type.
    pub notation: Option<NotationName>,
    /// How captures are written; `None` for the form of the program.
    pub captures: Option<CaptureForm>,
    /// How positions are written.
    pub fen_style: FenStyleName,
    /// The program that the games are for.
    pub program: Option<Profile>,
    /// Maximum length of a line of moves in bytes, 0 for one line per game; `None` for that of the program.
    pub width: Option<usize>,
    /// Tags that are added, and the comment, which only a conversion with an index adds.
    pub add: Vec<AddedTag>,
    /// No GameType tag is added to games without one.
    pub keep_untagged: bool,
    /// Each line of a game is written as a game of its own.
    pub variations_as_games: bool,
}

impl WrittenForm {
    /// Returns the options of the conversion. Games that no tag names are of the variant `untagged`; `None` infers it.
    pub fn options(&self, untagged: Option<CandidateGame>) -> ConvertOptions {
        let mut write = self.program.map_or_else(WriteOptions::new, WriteOptions::of);
        write = write.strip(self.strip).notation(self.notation.map(|name| match name {
            NotationName::Numeric | NotationName::Hub => SquareNaming::Numeric,
            NotationName::Algebraic => SquareNaming::Algebraic,
        }));
        if self.notation == Some(NotationName::Hub) {
            write = write.captures(MoveStyle::Hub);
        }
        if let Some(captures) = self.captures {
            write = write.captures(match captures {
                CaptureForm::Short => MoveStyle::Shortest,
                CaptureForm::Full => MoveStyle::Chain,
                CaptureForm::Captured => MoveStyle::Captured,
            });
        }
        write = write.fen_style(self.fen_style.into());
        if let Some(width) = self.width {
            write = write.width(width);
        }
        write.variations_as_text = true;
        write.added.known_game_type = !self.keep_untagged;
        write.added.game_type = self.add.contains(&AddedTag::GameType);
        write.added.ply_count = self.add.contains(&AddedTag::PlyCount);
        ConvertOptions::new()
            .write(write)
            .replay(ReplayOptions::new().game(untagged))
            .repairs(self.repairs)
            .variations_as_games(self.variations_as_games)
    }
}
