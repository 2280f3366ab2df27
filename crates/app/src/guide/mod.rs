//! The guide: texts for reading alongside the reference, some of which the command prints.
//!
//! | page | answers |
//! |---|---|
//! | [`architecture`] | which code turns a record into an index row, and where an addition belongs |
//! | [`glossary`] | the words of this project, one for each thing |
//! | [`dialects`] | what is read beyond the standard |
//! | [`writing`] | the canonical form of games, profiles of target programs, edits and journals |
//! | [`repairs`] | how damaged games are repaired, how a repair is proved and taken back |
//! | [`names`] | which spellings mean one person, event or site, and how names are made one |
//! | [`archivists`] | from a folder of thirty years to one clean archive, in ten commands |
//! | [`duplicates`] | which records are copies of one game, which one stays, and how the others are removed |
//! | [`problems`] | whether the solution of a problem is the only one, its forerunners, and sheets of diagrams |
//! | [`endings`] | what an ending of a few pieces is worth, proved for every variant |
//! | [`search`] | the query language, with examples |
//! | [`people`] | who is one person, what results are worth, and what decides between equal points |
//! | [`other_programs`] | what Turbo Dambase, ChessBase, Scoutfish, CQL and Kombilo call a question, and how it is asked here |
//! | [`json`] | every key that the command prints as JSON |
//! | [`explorer`] | the archive in the browser: the page, the addresses of its answers, and running it for others |
//! | [`tables`] | every column of the tables that games are exported to |
//! | [`engine_authors`] | from an archive to a trained network: training sets, the layouts of trainers, splits, batches |
//! | [`python`] | the Python module: games, positions, tables, questions in SQL |
//! | [`web`] | the npm package for browsers and Node: ten recipes, sizes, limits |
//! | [`index_format`] | the bytes of an index on disk |
//! | [`splitting`] | why threads that split one file find the same records as one thread |
//! | [`proofs`] | the twin and the test of each fast path |
//! | [`performance`] | how fast each stage is, how that is measured, and what bounds it |
//! | [`platforms`] | which processors and systems it runs on, what is different on Windows, how the builds are made |
//! | [`safety`] | limits, hostile input, files that change, and `unsafe` code |
//! | [`decisions`] | designs that were rejected, and why |

pub mod architecture {
    #![doc = include_str!("architecture.md")]
}

pub mod glossary {
    #![doc = include_str!("glossary.md")]
}

pub mod dialects {
    #![doc = include_str!("dialects.md")]
}

pub mod writing {
    #![doc = include_str!("writing.md")]
}

pub mod repairs {
    #![doc = include_str!("repairs.md")]
}

pub mod names {
    #![doc = include_str!("names.md")]
}

pub mod archivists {
    #![doc = include_str!("archivists.md")]
}

pub mod problems {
    #![doc = include_str!("problems.md")]
}

pub mod endings {
    #![doc = include_str!("endings.md")]
}

pub mod duplicates {
    #![doc = include_str!("duplicates.md")]
}

pub mod search {
    #![doc = include_str!("search.md")]
}

pub mod people {
    #![doc = include_str!("people.md")]
}

pub mod other_programs {
    #![doc = include_str!("other_programs.md")]
}

pub mod json {
    #![doc = include_str!("json.md")]
}

pub mod explorer {
    #![doc = include_str!("explorer.md")]
}

pub mod tables {
    #![doc = include_str!("tables.md")]
}

pub mod engine_authors {
    #![doc = include_str!("engine_authors.md")]
}

pub mod python {
    #![doc = include_str!("python.md")]
}

pub mod index_format {
    #![doc = include_str!("index-format.md")]
}

pub mod splitting {
    #![doc = include_str!("splitting.md")]
}

pub mod proofs {
    #![doc = include_str!("proofs.md")]
}

pub mod performance {
    #![doc = include_str!("performance.md")]
}

pub mod web {
    #![doc = include_str!("web.md")]
}

pub mod platforms {
    #![doc = include_str!("platforms.md")]
}

pub mod safety {
    #![doc = include_str!("safety.md")]
}

pub mod decisions {
    #![doc = include_str!("decisions.md")]
}

pub mod tutorial {
    #![doc = include_str!("tutorial.md")]
}

pub mod cookbook {
    #![doc = include_str!("cookbook.md")]
}

pub mod commands {
    #![doc = include_str!("commands.md")]
}
