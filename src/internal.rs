//! What the crates of this workspace use beyond the promise of this one. It may change at any time.

pub mod archive {
    pub use crate::archive::ranges::{RecordRange, find_ranges, ranges};
}
pub mod ast {
    pub use crate::ast::print::Edit;
}
pub mod check {
    pub use crate::check::report::{PartCounts, RecordStatus, RecordSummary};
    pub use crate::check::text::TextKind;
}
pub mod edit {
    pub use crate::edit::diff::UnifiedDiff;
    pub use crate::edit::utf8::{Undecodable, to_utf8};
    pub use crate::edit::value_edits::{ValueEdits, value_edits};
}
pub mod fix {
    pub use crate::fix::repair::Candidate;
    pub use crate::fix::text_repairs::exchanged_scores;
}
pub mod message {
    pub use crate::message::{Argument, Message};
}
pub mod parse {
    pub use crate::parse::event::{MissingMark, recognise_tag};
    pub use crate::parse::move_run::{MoveRun, Numbered, NumberedMoveRun};
}
pub mod replay {
    pub use crate::replay::archive_head::ArchiveHead;
    pub use crate::replay::file_prior::FilePrior;
    pub use crate::replay::line::{LineTokens, MainLine, RecordedVariation, Variations};
    pub use crate::replay::memory::VariationPlayer;
    pub use crate::replay::note::{Note, comment_words, sort_notes};
    pub use crate::replay::options::CandidateGame;
    pub use crate::replay::prior_cache::noted_scores;
    pub use crate::replay::sink::{PlyBatch, PlySink};
    #[cfg(any(test, debug_assertions))]
    pub use crate::replay::speculation::play_bits;
    pub use crate::replay::written_result::WrittenResult;
}
pub mod simd {
    pub use crate::simd::block::{BLOCK, Block, PlyMaxima};
    pub use crate::simd::isa::{Isa, Task};
    #[cfg(any(test, debug_assertions))]
    pub use crate::simd::run_on_all;
    pub use crate::simd::{INSTRUCTION_SETS, instruction_set, run, use_instruction_set};
}
pub mod sort {
    pub use crate::sort::{by, by_key, numbers_by};
}
pub mod source {
    pub use crate::source::bytes::map_random;
    pub use crate::source::container::Container;
    pub use crate::source::excerpt_stage::Carrier;
    pub use crate::source::input::{Input, InputBytes};
    pub use crate::source::line_counter::{LineCounter, count_line_ends, line_range};
    pub use crate::source::map::read_at;
    pub use crate::source::open::{Inputs, SMALL, file_at, from_bytes, from_reader, is_stream, open, stdin};
    pub use crate::source::path_text::{path_of_text, path_text};
    pub use crate::source::plain::shortened;
    pub use crate::source::pull::ReadProgress;
    pub use crate::source::stream::Stream;
    pub use crate::source::text_form::{HEAD_BYTES, TextForm};
    pub use crate::source::text_offsets::TextOffsets;
    pub use crate::source::walk::SkippedFiles;
}
pub mod split {
    pub use crate::split::chunks::{Chunk, Chunks};
    pub use crate::split::join::{JoinChanges, JoinedRecords, RecordJoiner};
    pub use crate::split::scanner::RecordEnd;
    pub use crate::split::splitter::Splitter;
}
pub mod storage {
    #[cfg(any(test, debug_assertions))]
    pub mod failing {
        pub use crate::storage::failing::{FailingDisk, Failure};
    }
    #[cfg(any(test, debug_assertions))]
    pub mod power_cut {
        pub use crate::storage::power_cut::{FilesAfterCut, PowerCutDisk};
    }
    pub use crate::storage::memory::MemoryDisk;
    pub use crate::storage::replacement::{FileReplacement, FileState, TemporaryFile};
    pub use crate::storage::work_folder::{WorkFolder, create_folder, rename_new, sync_folder};
    pub use crate::storage::{Access, Disk, Output, ScratchFile, Storage, unconfirmed};
}
pub mod value {
    pub use crate::value::command::{CommentPart, CommentParts};
    pub use crate::value::date::DateForm;
    pub use crate::value::move_commands::{MoveCommands, TwoNumbers};
    pub use crate::value::nag::NagMeaning;
    pub use crate::value::round::round_parts;
    pub use crate::value::score::{Score, Tally};
    pub use crate::value::tags::{RecognisedTag, TagKind, TagSpelling};
    pub use crate::value::time::TimeOfDay;
    pub use crate::value::unknown::is_unknown;
}
pub mod view {
    pub use crate::view::tag_values::{TagSet, TagValues, result_that_counts};
    pub use crate::view::tags::Tags;
}
pub mod write {
    pub use crate::write::profile::TerminatorForm;
}
pub mod lex {
    pub use crate::lex::{Automaton, Lexer, Token, TokenKind};
}
pub mod pool {
    pub use crate::pool::{OrderedResults, map, ordered, try_ordered};
}
pub mod syntax {
    pub use crate::syntax::whitespace::{is_whitespace, wide_whitespace};
    pub use crate::syntax::{is_glued_star, result_len, result_may_start};
}
