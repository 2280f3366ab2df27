//! Reads archives in batches, checks and replays their records on several threads, and adds up the results.

pub(crate) mod overwriting;
pub(crate) mod part;
pub(crate) mod skipped;
pub(crate) mod hardly_pdn;
pub(crate) mod plain_text;
pub(crate) mod files;
pub(crate) mod name_map;
pub(crate) mod report;
pub(crate) mod totals;
