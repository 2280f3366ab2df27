//! Spellings that probably mean one player, event or site.

mod toml_text;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn_names::{CensusGame, GroupSpelling, NameCensus, NameGroup, NameKind, group_names};
use pdn_tables::{ColumnSelection, ColumnValues, ExportOptions, Table, TableBatch};
use serde::{Serialize, Serializer};

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::filter::Filter;
use crate::ask::named::Named;
use crate::ask::option_file::{self, MAX_NAMES_BYTES};
use crate::ask::options::options;
use crate::check::safe_text;
use crate::read::inputs::Inputs;
use crate::read::tables::{Source, SourceNeeds};
use crate::write::outputs::{Overwriting, write_file};

/// The columns that the census needs, in the order of [`add_games`].
const COLUMNS: [&str; 8] = ["white", "black", "event", "site", "round", "date_text", "date", "year"];

/// The form in which groups of names are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NamesFormat {
    /// A file to edit.
    #[default]
    Toml,
    /// One JSON object per group.
    Json,
}

impl Named for NameKind {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Player, Self::Player.name(), ""),
        (Self::Event, Self::Event.name(), ""),
        (Self::Site, Self::Site.name(), ""),
    ];
}

options! {
    /// Which groups are found, and where they are written.
    pub struct NameGroups in "" {
        /// Kinds of names: player, event, site; several separated by commas
        kind: Vec<NameKind> = NameKind::ALL.to_vec(), value "KINDS";
        /// Leave out groups with fewer games than this, in all spellings together
        min_games: u64 = 1, value "N";
        /// Output file; `-` for standard output [default: standard output]
        output: Option<PathBuf>, value "FILE", short "o";
        /// Replace the output file even if it was edited
        force: bool;
    }
}

/// Asks for spellings that probably mean one player, event or site.
#[derive(Clone, Debug)]
pub struct NamesRequest {
    /// The archives, or one index.
    pub inputs: Inputs,
    /// The games whose names are counted.
    pub filter: Filter,
    /// Which groups are found, and where they are written.
    pub groups: NameGroups,
    /// The form of the file.
    pub format: NamesFormat,
}

/// Groups of spellings.
#[derive(Clone, Debug)]
pub struct NamesAnswer {
    /// The number of games whose names were counted.
    pub games: u64,
    /// The groups.
    pub groups: Vec<NameGroup>,
    /// The number of pairs of names that were not compared, because too many resemble each other.
    pub uncompared: u64,
    /// All inputs could be read.
    pub complete: bool,
}

/// A list of groups.
impl Serialize for NamesAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.groups.iter().map(NameGroupLine::of))
    }
}

impl NamesAnswer {
    /// Returns the groups as the text of a file: TOML for people to edit, or a line of JSON for each.
    pub fn text(&self, format: NamesFormat) -> String {
        match format {
            NamesFormat::Toml => toml_text::text(&self.groups),
            NamesFormat::Json => {
                let line = |group| safe_text::json(&NameGroupLine::of(group)) + "\n";
                self.groups.iter().map(line).collect()
            }
        }
    }
}

impl NamesRequest {
    /// Finds the groups, and writes the file if one is named.
    ///
    /// # Errors
    ///
    /// If the file may not be replaced or cannot be written, an index is damaged, or the work was stopped. Inputs that cannot be
    /// read are problems of the context.
    pub fn run(&self, context: &mut Context<'_>) -> Result<NamesAnswer> {
        if let Some(path) = &self.groups.output {
            self.check_output(path)?;
        }
        let query = self.filter.query();
        let columns = ColumnSelection::named(Table::Games, COLUMNS)
            .map_err(|error| AppError::plain(ErrorCode::Internal, error.to_string()))?;
        let source = Source::open(&self.inputs, &self.filter, &query, SourceNeeds::OfQuery, context)?;
        let options = ExportOptions::new().replay(self.inputs.read.replay()).query(query);
        let mut census = NameCensus::new();
        let mut add = |batch: TableBatch, _: &mut Context<'_>| -> Result<ControlFlow<()>> {
            add_games(&batch, &mut census);
            Ok(ControlFlow::Continue(()))
        };
        let passed = source.pass(&self.inputs, &columns, &options, &|batch| batch, &mut add, context)?;
        let mut answer = NamesAnswer {
            games: census.games(),
            groups: Vec::new(),
            uncompared: 0,
            complete: passed.complete,
        };
        for kind in NameKind::ALL.into_iter().filter(|kind| self.groups.kind.contains(kind)) {
            let found = group_names(kind, census.uses(kind));
            answer.uncompared += found.uncompared;
            let groups = found.groups.into_iter().filter(|group| group.games() >= self.groups.min_games);
            answer.groups.extend(groups);
        }
        if let Some(path) = &self.groups.output {
            let overwriting = Overwriting { force: true, inputs: &self.inputs.paths };
            let text = answer.text(self.format);
            write_file(path, text.as_bytes(), answer.games == 0, overwriting, context)?;
            context.events.settled();
        }
        Ok(answer)
    }

    /// Checks that a file may be written: it does not exist, or nobody edited it, or it may be replaced.
    fn check_output(&self, path: &Path) -> Result<()> {
        Overwriting { force: true, inputs: &self.inputs.paths }.check(path)?;
        if self.groups.force || pdn::internal::source::is_stream(path) {
            return Ok(());
        }
        match option_file::read(path, MAX_NAMES_BYTES) {
            Ok(text) if toml_text::is_unchanged(&text) => Ok(()),
            Err(error) if error.code == ErrorCode::Unreadable => match path.try_exists() {
                Ok(false) => Ok(()),
                _ => Err(error),
            },
            _ => {
                let error =
                    AppError::path(ErrorCode::Exists, path, "exists and was edited; give another name");
                Err(error.cured_by("force", "replaces it"))
            }
        }
    }
}

/// Adds the games of a batch with [`COLUMNS`].
fn add_games(batch: &TableBatch, census: &mut NameCensus) {
    let text = |column: usize, row: usize| match &batch.columns[column].values {
        ColumnValues::Text(texts) => texts.get(row),
        ColumnValues::Dictionary(texts) => texts.get(row),
        _ => "",
    };
    for row in 0..batch.rows {
        let mut game = CensusGame::default();
        (game.white, game.black, game.event) = (text(0, row), text(1, row), text(2, row));
        (game.site, game.round, game.date) = (text(3, row), text(4, row), text(5, row));
        game.has_day = !batch.columns[6].is_null(row);
        if let ColumnValues::I16(years) = &batch.columns[7].values
            && !batch.columns[7].is_null(row)
        {
            game.year = Some(years[row]);
        }
        census.add(&game);
    }
}

/// The JSON of a group of spellings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NameGroupLine<'a> {
    /// `player`, `event` or `site`.
    pub kind: &'static str,
    /// The spelling that all others become.
    pub canonical: &'a str,
    /// The number of games of all spellings.
    pub games: u64,
    /// Why the spellings may mean different persons, events or sites, such as `several-persons`; null if nothing speaks for that.
    pub doubt: Option<&'static str>,
    /// The canonical spelling, then the others by their number of games; with `several-persons` only the spelling in doubt.
    pub spellings: Vec<SpellingLine<'a>>,
    /// The keys of the evidence of all spellings.
    pub evidence: Vec<&'static str>,
    /// With `several-persons`, the canonical names of these persons.
    pub candidates: &'a [String],
}

/// A spelling.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpellingLine<'a> {
    /// The spelling.
    pub name: &'a str,
    /// The number of its games.
    pub games: u64,
    /// The first year of its games, if any is known.
    pub first_year: Option<i16>,
    /// The last year of its games, if any is known.
    pub last_year: Option<i16>,
    /// The keys of what connects it with the group, such as `initials` or `same-events`; see [Names](crate::guide::names).
    pub evidence: Vec<&'static str>,
    /// The same in words, with numbers.
    pub reason: String,
}

impl<'a> NameGroupLine<'a> {
    fn of(group: &'a NameGroup) -> Self {
        let spelling = |spelling: &'a GroupSpelling| SpellingLine {
            name: &spelling.name,
            games: spelling.games,
            first_year: spelling.years.map(|years| years.0),
            last_year: spelling.years.map(|years| years.1),
            evidence: spelling.evidence.keys(),
            reason: spelling.evidence.text(group.kind),
        };
        Self {
            kind: group.kind.name(),
            canonical: &group.canonical,
            games: group.games(),
            doubt: group.doubt.map(|doubt| doubt.name()),
            spellings: group.spellings.iter().map(spelling).collect(),
            evidence: group.evidence(),
            candidates: &group.candidates,
        }
    }
}
