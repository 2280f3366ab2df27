//! What the crates of this workspace use beyond the promise of this one. It may change at any time.

pub use crate::files::ranged::RangeSource;
pub use crate::format::column::{Column, ColumnFilter};
pub use crate::format::columns::{DictionaryKind, Section, TextColumn};
pub use crate::format::dictionary::Dictionary;
pub use crate::game_set::{GameSet, GameSetIter};
pub use crate::import::{
    CarriedInput, KeyTables, OpenedFile, RejectLine, ShrunkFile, TemporaryIndex, import_archives,
    import_in_memory, import_opened,
};
pub use crate::key_build::{KeyTableOptions, KeyTablesBuilt, build_key_tables};
pub use crate::keys::KeyTable;
pub use crate::manifest::{FORMAT_DIGEST, digest_with_text};
pub use crate::ranged_index::RangedIndex;
pub use crate::row::game_facts::GameFacts;
pub use crate::row::game_row::{GameKind, PackedPieceCounts, date_bits, date_of};
pub use crate::row::input::{Fingerprint, IndexedInput};
pub use crate::row::row_batch::RowBatch;
pub use crate::segment::move_blocks::{MoveBlock, MoveBuffer, PackedMoves};
pub use crate::segment::reader::{RecordLocation, Segment};
pub use crate::segment::rows::SegmentRows;
pub use crate::texts::{RecordNumbers, TextReader};
pub use crate::verify::{IndexProblem, VerifyOptions, VerifyReport, verify, verify_with};
pub use crate::writer::{IndexWriter, MergeReport, SegmentOptions, merge, merge_until};

pub mod query {
    pub use crate::earlier::Novelty;
    pub use crate::pack::game::PlayableGame;
    pub use crate::query::conditions::{
        Area, AreaItem, Count, DateRange, FileCondition, GameNumber, GamePositions, MoveCondition,
        MoveSequence, NamedArea, NoteCondition, Pattern, PatternForm, PieceCountCondition, PlayedMoves,
        ProvenValue, ProvenValues, Sacrifice, SquareContents, SquareRef, SumCondition, TableNumber, Tables,
        TagCondition, Transforms, VALUE_NAMES,
    };
    pub use crate::query::language::parse::words::{WordLine, WordSection};
    pub use crate::query::language::{
        Condition, Definitions, Field, GameCondition, QueryOfGame, RatedPlayer,
    };
    pub use crate::query::nearest::{NearestMatches, nearest};
    pub use crate::query::no_match::{
        NearName, NearNames, NearOpenings, NoMatch, NoMatchStep, explain_no_match,
    };
    pub use crate::query::novelty::{Novelties, novelties};
    pub use crate::query::opening_names::{OpeningNames, PlayedOpening, played_opening};
    pub use crate::query::position::{PositionEvent, PositionTarget, candidates};
    pub use crate::query::record_text::RecordTags;
    pub use crate::query::row_table::{RowTable, TextOrder};
    pub use crate::query::scan::{GameScanner, scan_games};
    pub use crate::query::search::{Plan, PlanStep};
    pub use crate::query::select::{
        Answer, GameSelector, GameValues, MatchBounds, commonest_variant, round_number, sum_of,
        variant_counts,
    };
    pub use crate::query::square_meaning::check_squares;
    pub use crate::query::tree::TreeArrival;
}

pub mod pack {
    pub use crate::pack::codes::Codecs;
    pub use crate::pack::game::{first_setup, plies_len};
    pub use crate::pack::{
        CorruptMoves, Decoded, MoveCodec, PackedOp, RunningPieceCounts, ScannedPly, UnpackedPly, pack,
        unpack, unpack_position,
    };
}

pub mod external_sort {
    pub use crate::external_sort::{ExternalSort, SortedRecord, SortedRecords};
}

pub mod wire {
    pub use crate::format::wire::{Reader, Writer};
}

#[cfg(any(test, debug_assertions))]
pub mod manifest {
    pub use crate::manifest::forget_optional_columns;
}
