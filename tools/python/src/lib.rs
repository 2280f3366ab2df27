//! The native half of the Python module `pdn`.
//!
//! Each file has one class or a family of functions. Rows of tables come from the crate `pdn-tables`, and `convert`, `fix` and
//! `dedup` ask questions of `pdn-app`; everything else is a thin layer over the library. Errors are instances of `pdn.Error`,
//! which is a Python class.
//!
//! Modules use only those above them. What a caller may name as an archive is known in `source`: the classes that it accepts stand above
//! it, the functions that take it below.

mod errors;
mod arguments;
mod options;
mod signals;
mod remote;
mod reading;
mod position;
mod endgame;
mod replay;
mod diagnostic;
mod part;
mod recipe;
mod annotated;
mod game;
mod archive;
mod tree;
mod index;
mod source;
mod open;
mod check;
mod import;
mod split_points;
mod cells;
mod table;
mod command;
mod writing;
mod dataset;

/// The native half of the module.
#[pyo3::pymodule(name = "_pdn")]
mod native {
    #[pymodule_export]
    use crate::annotated::read_commands;
    #[pymodule_export]
    use crate::archive::{Archive, GameIterator, restore_archive};
    #[pymodule_export]
    use crate::check::{DiagnosticIterator, check};
    #[pymodule_export]
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::dataset::{DatasetBatches, dataset};
    #[pymodule_export]
    use crate::diagnostic::Diagnostic;
    #[pymodule_export]
    use crate::endgame::Endgame;
    #[pymodule_export]
    use crate::game::{Game, made_game, restore_game};
    #[pymodule_export]
    use crate::import::index;
    #[pymodule_export]
    use crate::index::{Hit, Index, IndexGames, restore_hit, restore_indexed_game};
    #[pymodule_export]
    use crate::open::open;
    #[pymodule_export]
    use crate::part::Part;
    #[pymodule_export]
    use crate::position::{Move, Position, movetext, perft, restore_move, variants};
    #[pymodule_export]
    use crate::replay::{Replay, ReplayIterator, history};
    #[pymodule_export]
    use crate::split_points::split_points;
    #[pymodule_export]
    use crate::table::{
        Batch, BatchIterator, Table, comments, diagnostics, games, moves, positions, restore_table,
    };
    #[pymodule_export]
    use crate::tree::{Tree, TreeMove};
    #[pymodule_export]
    use crate::writing::{convert, dedup, fix, undo_fix};
}
