//! The parameters of routes that belong to no question of the application.

use pdn::rules::Variant;
use pdn_app::ask::options::options;
use pdn_app::report::groups::GroupField;

/// Greatest number of rows of a page.
const MAX_ROWS: u64 = 1000;
/// Greatest number of example games of a move.
const MAX_EXAMPLES: u64 = 30;

options! {
    /// Where a page of a list begins.
    #[derive(Copy, Eq)]
    pub struct PageStart in "" {
        /// Number of entries before the page
        offset: u64;
    }
}

options! {
    /// How long a list is.
    #[derive(Copy, Eq)]
    pub struct ListLength in "" {
        /// Greatest number of entries
        limit: usize = 100, range (0, MAX_ROWS);
    }
}

options! {
    /// The examples of a tree.
    #[derive(Copy, Eq)]
    pub struct TreeExamples in "" {
        /// Greatest number of example games of each move, whose rows are part of the answer
        games: Option<usize>, range (0, MAX_EXAMPLES);
        /// Give the rows of this many example games of the position only
        rows: Option<usize>, range (0, MAX_EXAMPLES);
    }
}

options! {
    /// What games are grouped by.
    pub struct Grouping in "" {
        /// The next move (move), player, a field such as year, or a tag such as Opening
        by: Option<GroupField>;
    }
}

options! {
    /// How a table begins.
    #[derive(Copy, Eq)]
    pub struct TableStart in "" {
        /// Put a byte order mark before the table, which Excel needs
        bom: bool;
    }
}

options! {
    /// Whose results are asked for.
    #[derive(Eq)]
    pub struct NameAsked in "" {
        /// Name, as filters of players and events have it
        name: Option<String>;
    }
}

options! {
    /// By which rules is played.
    #[derive(Copy, Eq)]
    pub struct VariantAsked in "" {
        /// Variant: a name, a GameType number or a GameType value
        variant: Option<Variant>;
    }
}

options! {
    /// Which side of a board is at the bottom.
    #[derive(Copy, Eq)]
    pub struct BoardSide in "" {
        /// Draw Black at the bottom
        flip: bool;
    }
}

options! {
    /// What is shown of a game.
    #[derive(Eq)]
    pub struct GameShown in "" {
        /// Variation: 1, 2 and so on in the order in which their brackets open; 0 for the main line
        line: usize, range (0, u32::MAX as u64);
        /// Number of plies before the position that is shown
        ply: Option<usize>, range (0, u32::MAX as u64);
        /// Draw the names of the squares
        numbers: bool;
        /// Play these plies in the SVG picture, such as 20-28
        animate: Option<String>;
        /// Digest of the game, as its JSON has it: if the number belongs to another game now, the game with this digest is shown
        digest: Option<String>;
    }
}

options! {
    /// Which repairs of a text are applied.
    #[derive(Eq)]
    pub struct RepairsChosen in "" {
        /// Repairs to apply besides the safe ones, by the `id` of those that are `offered`
        repairs: Vec<String>;
    }
}
