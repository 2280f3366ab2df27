//! Reads archives in batches, checks and replays their records on several threads, and adds up the results.

pub(crate) mod overwriting;
pub(crate) mod plain_text;
pub(crate) mod name_map;
