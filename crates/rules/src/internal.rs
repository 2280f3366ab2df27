//! What the crates of this workspace use beyond the promise of this one. It may change at any time.

pub mod board {
    pub use crate::board::bits::{Bits, Squares};
    pub use crate::board::direction::{Direction, Directions};
    pub use crate::board::geometry::{
        BoardFamily, Eight, EightFull, Geometry, PerBoard, Ten, TenByEight, Twelve, WithBoard,
    };
    pub use crate::board::layout::BitLayout;
    pub use crate::board::numbering::Numbering;
}
pub mod movegen {
    pub use crate::movegen::batch::{BATCH_PLIES, PLIES_PER_SIDE, PlySquares, SpeculativeBatch};
    pub use crate::movegen::capture_paths::paths;
    pub use crate::movegen::draw_watch::DrawWatch;
    pub use crate::movegen::find::{advance, find, find_captured, find_via};
    pub use crate::movegen::generate::{MoveGenerator, legal_moves, legal_moves_shared, move_generator};
    pub use crate::movegen::illegal_reason::{capture_passes, illegal_reason};
    pub use crate::movegen::move_error::FindError;
    pub use crate::movegen::perft::{MoveCount, count_moves, perft_of};
    pub use crate::movegen::search_budget::SearchBudget;
}
pub mod notation {
    pub use crate::notation::read::{MoveForm, MoveText, pair, short_pair};
    pub use crate::notation::square_code::{SquareCode, SquareCodes};
    pub use crate::notation::write::write_move;
}
pub mod position {
    pub use crate::position::fen::PositionErrorKind;
    pub use crate::position::key::split_mix;
    pub use crate::position::state::{State, Streak};
}
pub mod rules {
    pub use crate::rules::axes::{
        Ending, ItalianOrder, KingLanding, KingValue, MidPromotion, Movement, Precedence, Removal, Rules,
        SetupError, StartSetup,
    };
    pub use crate::rules::draws::{DrawRule, EndingMaterial};
    pub use crate::rules::lookup::LookupError;
    pub use crate::rules::ruleset::{BitsOf, Custom, Ruleset, WithRules, rows};
}
pub mod steps {
    pub use crate::steps::{add, count};
}
pub mod value {
    pub use crate::value::error::{Problem, UnexpectedByte, span, trimmed};
    pub use crate::value::fen::{FenForm, FenForms, FenPiece, FenSquare, FenWriter};
    pub use crate::value::game_type::{
        Corner, GAME_TYPES, GameTypeAttributes, GameTypeRow, GameTypeStatus, Notation, NotationStyle,
    };
    pub use crate::value::result_format::ResultFormat;
    pub use crate::value::separator::{is_separator, separator_len};
    #[cfg(feature = "serde")]
    pub use crate::value::text_form::TextVisitor;
}
