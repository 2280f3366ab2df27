//! `pdn find`: finds the games of an index that match a query.

mod print;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use pdn_app::ask::fields::{FieldList, FoundField, add_line, chosen_fields, parse_fields};
use pdn_app::ask::position::FenStyleOption;
use pdn_app::find::games::{FindOrder, FindRequest, FindSample, FindSearch, add_distance, keep_games};
use pdn_app::find::records::RecordOptions;
use pdn_app::read::searched::SearchedIndex;
use pdn_app::report::groups::GroupField;
use pdn_app::{AppError, ErrorCode, Events};
use pdn_index::internal::query::RowTable;
use pdn_index::query::SearchStats;

use self::print::{MatchCounts, Printer};
use crate::args::filter::{GameFilterArgs, PositionArgs};
use crate::args::help;
use crate::args::options::OptionArgs;
use crate::args::shared::{SearchedArgs, number};
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize};

pub(crate) const AFTER_HELP: &str = "\
All given options must match; those about positions must match in the same position. The ply shown is that of the first \
such position, 0 for the start position. Names are compared without case, accents and punctuation.

`pdn help query` describes names, patterns and the language of --query. Examples: `pdn find games.idx --player \
like:wiersma --date 1980..` and `pdn find games.pdn -q 'wk = 1 and bk = 0 and last' --count`.

--fields takes the keys of the JSON, and result_tag, result_end, length, fen, moves, tags (a wrong name lists all), and any tag by its name such as TimeControl, with `tag:` \
before a name that begins with a small letter. Tags that the index does not store, and result_tag and result_end, are read from the texts of the games.

A table shows the first 100 games. The exit code is 1 if no game matches.";

#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(crate) games: GameFilterArgs,

    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: FindFormat,

    /// With `--format pdn`: print the bytes of the archives and add nothing, instead of UTF-8 in which each game is read
    /// back as one game
    #[arg(long)]
    pub(crate) raw: bool,

    /// With `--format pdn`: add this tag to games without one, with the value that the index has
    #[arg(long, value_name = "TAGS", value_delimiter = ',', conflicts_with = "raw")]
    pub(crate) add: Vec<AddedTag>,

    /// Short for `--format json`; with `--count`, print one JSON object
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Fields to print: game,white,TimeControl; after `+` besides the usual: +moves
    #[arg(long, value_name = "FIELDS", value_parser = parse_fields)]
    pub(crate) fields: Option<FieldList>,

    /// Print every matching position of a game, instead of the first
    #[arg(long)]
    pub(crate) all_plies: bool,

    /// Print only the number of games, or of positions with `--all-plies`
    #[arg(long)]
    pub(crate) count: bool,

    /// Count the games by move (the next one), player, a field such as year, or a tag such as Opening; each group has its score and
    /// query
    #[arg(long, value_name = "GROUP", value_parser = GroupField::parse, conflicts_with_all = [
        "raw", "add", "fields", "all_plies", "count", "sort", "reverse", "sample", "explain",
    ])]
    pub(crate) by: Option<GroupField>,

    #[arg(long, value_name = "FILE", requires = "by", help = help::NAMES)]
    pub(crate) names: Option<PathBuf>,

    #[command(flatten)]
    order: OptionArgs<FindOrder>,

    /// Print at most this many games, 0 for no limit [default: 100 for a table, else 0]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    choice: OptionArgs<FindSample>,

    /// Print the plan, and the games left after each step, on standard error
    #[arg(long)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) fen: OptionArgs<FenStyleOption>,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,
}

impl FindArgs {
    /// Returns the format chosen by `--format` or `--json`.
    pub(crate) fn format(&self) -> FindFormat {
        if self.json { FindFormat::Json } else { self.format }
    }
}

/// Output format of `pdn find`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FindFormat {
    /// Aligned columns, one line a game
    #[value(aliases = ["human", "text"])]
    Table,
    /// One JSON object per line
    #[value(alias = "jsonl")]
    Json,
    /// The games as PDN, in UTF-8, with one empty line between games
    Pdn,
    /// The matching positions, one FEN per line
    Fen,
}

/// A tag that `pdn find` adds.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AddedTag {
    /// Variant of the game, given by an option or inferred
    #[value(name = "GameType", alias = "gametype")]
    GameType,
}

/// Default of `--limit` for a table.
const TABLE_LIMIT: usize = 100;

/// Runs `pdn find`.
pub(crate) fn run(args: &FindArgs, out: &mut Output) -> CommandResult {
    let threads = args.searched.threads.number();
    if let Some(by) = &args.by {
        return print::groups(args, by, threads, out);
    }
    let request = FindRequest {
        filter: args.games.read_with(Some(&args.position))?,
        order: args.order.clone(),
        all_plies: args.all_plies,
        choice: *args.choice,
    };
    let format = args.format();
    check_options(args, format)?;
    let fields = chosen_fields(args.fields.as_ref(), format == FindFormat::Table);
    let reads_tags =
        fields.iter().any(pdn_app::ask::fields::FoundField::needs_text) || request.query().reads_text();
    let needs_text = format == FindFormat::Pdn || reads_tags;
    let index = args.searched.read().open(threads, needs_text, &mut out.context())?;
    let start = Instant::now();
    let search = request.plan(&index, threads, &interrupt::handle())?;
    let found = Find { args, format, index: &index, threads, search, start };
    let exit = if args.count { found.print_count(out)? } else { found.print_hits(out)? };
    Ok(index_exit(&index, exit))
}

/// Checks options against each other.
fn check_options(args: &FindArgs, format: FindFormat) -> pdn_app::Result<()> {
    if (args.raw || !args.add.is_empty()) && format != FindFormat::Pdn {
        return Err(AppError::plain(ErrorCode::Contradiction, "`--raw` and `--add` need `--format pdn`"));
    }
    let has_fields = matches!(format, FindFormat::Table | FindFormat::Json) && !args.count;
    if args.fields.is_some() && !has_fields {
        return Err(
            AppError::plain(ErrorCode::Contradiction, "only a table and JSON have fields").in_field("fields")
        );
    }
    Ok(())
}

/// How many matches are printed, and how many are asked for.
struct Shown {
    limit: usize,
    wanted: usize,
}

impl Shown {
    fn of(args: &FindArgs, format: FindFormat, is_index_order: bool) -> Self {
        let limit = match (args.limit, format) {
            (Some(0), _) => usize::MAX,
            (Some(limit), _) => limit,
            (None, FindFormat::Table) => TABLE_LIMIT,
            (None, _) => usize::MAX,
        };
        // Of several positions of a game, one is left where its record is printed. What `--explain` says of a table is of the whole search.
        let keeps_all = match format {
            FindFormat::Table => args.explain || !is_index_order,
            FindFormat::Pdn => args.all_plies,
            FindFormat::Json | FindFormat::Fen => false,
        };
        Self { limit, wanted: if keeps_all { usize::MAX } else { limit } }
    }
}

/// A search, and what is printed of its result.
struct Find<'a> {
    args: &'a FindArgs,
    format: FindFormat,
    index: &'a SearchedIndex,
    threads: NonZeroUsize,
    search: FindSearch<'a>,
    start: Instant,
}

impl Find<'_> {
    /// Prints the number of matches.
    fn print_count(&self, out: &mut Output) -> CommandResult {
        let (count, stats) = self.search.count()?;
        let number = count.number();
        self.explain(stats, number);
        if self.format == FindFormat::Json {
            writeln!(out, "{}", sanitize::json(&count))?;
        } else {
            writeln!(out, "{number}")?;
        }
        if count.games == 0 { self.explain_no_match(out) } else { Ok(Exit::Success) }
    }

    /// Prints the games, or their positions.
    fn print_hits(&self, out: &mut Output) -> CommandResult {
        let Self { args, format, index, threads, .. } = *self;
        let shown = Shown::of(args, format, self.search.is_index_order());
        let matches = self.search.matches(shown.wanted, false)?;
        self.explain(matches.stats, matches.total);
        if matches.total == 0 && shown.limit > 0 {
            return self.explain_no_match(out);
        }
        let mut hits = matches.hits;
        if format == FindFormat::Pdn && args.all_plies {
            // Each record is printed once.
            keep_games(&mut hits);
        }
        hits.truncate(shown.limit);
        let (table, numbers) = (RowTable::new(index)?, index.record_numbers()?);
        let distances = matches.distances.as_ref();
        let printer = Printer {
            index,
            table: &table,
            numbers: &numbers,
            distances,
            paths: index.paths(),
            threads,
            fen_style: args.fen.fen_style.into(),
        };
        match format {
            FindFormat::Table => {
                // The first rows are printed before all matches are counted.
                let counts = || {
                    let is_all = matches.total < shown.wanted as u64 || shown.wanted == usize::MAX;
                    let number = if is_all { matches.total } else { self.search.count()?.0.number() };
                    let are_sampled = args.choice.sample.is_some_and(|size| (size as u64) < number);
                    Ok(MatchCounts { number: number as usize, are_positions: args.all_plies, are_sampled })
                };
                printer.table(&self.fields(true), &hits, counts, out)?;
            }
            FindFormat::Json => printer.json(&self.fields(false), &hits, out)?,
            FindFormat::Fen => printer.fen(&hits, out)?,
            FindFormat::Pdn => {
                let add_game_type = args.add.contains(&AddedTag::GameType);
                let options = RecordOptions { raw: args.raw, add_game_type, threads };
                if !printer.records(&hits, options, out)? {
                    return Ok(Exit::Failure);
                }
            }
        }
        Ok(if hits.is_empty() { Exit::Negative } else { Exit::Success })
    }

    /// Returns the fields of the rows of a table, or of JSON.
    fn fields(&self, is_table: bool) -> Vec<FoundField> {
        let mut fields = chosen_fields(self.args.fields.as_ref(), is_table);
        if self.args.fields.is_none() {
            add_line(&mut fields, self.search.query());
            add_distance(&mut fields, self.args.order.sort);
        }
        fields
    }

    /// Prints the plan and the numbers of the search if `--explain` asks for them.
    fn explain(&self, stats: SearchStats, hits: u64) {
        if self.args.explain {
            print::explain(&self.search, stats, hits, self.start.elapsed());
        }
    }

    /// Prints why no game matches.
    fn explain_no_match(&self, out: &mut Output) -> CommandResult {
        let mut problem = self.search.no_match()?;
        if self.args.games.variant.is_some()
            && self.args.searched.read.variant.is_none()
            && self.index.is_temporary()
        {
            problem = problem.cured_by("untagged", "says of which variant games without a tag are");
        }
        out.problem(&problem);
        Ok(Exit::Negative)
    }
}
