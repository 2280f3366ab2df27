//! How games are written: the choices that `convert` offers, whatever becomes of the games.

use pdn::board::SquareNaming;
use pdn::convert::{ConvertOptions, Repairs};
use pdn::internal::replay::CandidateGame;
use pdn::notation::MoveStyle;
use pdn::replay::ReplayOptions;
use pdn::write::{Profile, Strip, WriteOptions};

use crate::ask::named::named;
use crate::ask::options::options;
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

options! {
    /// How games are written. By default in canonical form, without repairs.
    pub struct WrittenForm in "Changes" {
        /// Repair games before they are written, where the repair keeps their meaning; as `pdn fix`
        fix: bool;
        /// With {fix}: also apply repairs that change the meaning of a damaged game
        unsafe_repairs: bool, name "unsafe", needs "fix";
        /// Parts to leave out: comments, nags, variations, clocks; `setups` refuses games with setups in the movetext
        strip: Strip, value "PARTS";
        /// Names of squares [default: those of the game type]
        notation: Option<NotationName>, value "NAMES";
        /// How captures are written [default: short]
        captures: Option<CaptureForm>, value "FORM";
        /// How positions are written
        fen_style: FenStyleName, value "STYLE";
        /// Program that the games are for: pdn3, lidraughts, turbo-dambase, checkerboard, dam or plain
        program: Option<Profile>, value "PROGRAM", flag "for";
        /// Maximum length of a line of moves in bytes, 0 for one line per game [default: that of the program, else 79]
        width: Option<usize>, value "N";
        /// Tags to add, GameType also if it is only assumed; Novelty is a comment at the new move
        add: Vec<AddedTag>, value "TAGS";
        /// Write each line as a game of its own: the main line, and each variation with the moves before it; the tag Line has
        /// its number, 0 for the main line
        variations_as_games: bool;
        /// Add no GameType tag to games without one
        keep_untagged: bool;
    }
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
        let repairs = match (self.fix, self.unsafe_repairs) {
            (false, _) => Repairs::None,
            (true, false) => Repairs::Safe,
            (true, true) => Repairs::Unsafe,
        };
        ConvertOptions::new()
            .write(write)
            .replay(ReplayOptions::new().game(untagged))
            .repairs(repairs)
            .variations_as_games(self.variations_as_games)
    }
}
