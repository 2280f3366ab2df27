//! Help sentences that several commands share, so that the same option reads the same everywhere.

pub(crate) const DIR: &str = "Folder of the index";
pub(crate) const FEN: &str = "Position as a FEN, such as 'W:W31-50:B1-20' [default: start position]";
/// Heading of the options that most commands have and few users need.
pub(crate) const GENERAL: &str = "General options";
pub(crate) const NAMES: &str =
    "Take the spellings that this file lists for one name, which `pdn names` wrote and you have read";
pub(crate) const ROOT: &str =
    "Folder that has the archives of the index now, if they were moved since it was made";
