//! Answers the questions of the server.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use pdn::position::Position;
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn::value::FenStyle;
use pdn_app::ask::fields::{FoundField, add_line, chosen_fields};
use pdn_app::ask::position::PlaceRequest;
use pdn_app::ask::rows::{FoundGame, RowReader};
use pdn_app::draw::board::diagram::Diagram;
use pdn_app::draw::board::{DrawOptions, animated_svg, svg};
use pdn_app::draw::moves::DrawnPosition;
use pdn_app::find::games::{FindRequest, Matches, add_distance};
use pdn_app::find::openings::OpeningsAnswer;
use pdn_app::find::records::{RecordOptions, RecordsWritten, write_records};
use pdn_app::find::show::{GameAnswer, LinePly, show_indexed};
use pdn_app::find::tree::{TreeAnswer, TreeRequest};
use pdn_app::report::groups::GameGroup;
use pdn_app::report::overview::overview;
use pdn_app::report::same_names::SameNamesOfKinds;
use pdn_app::{AppError, ErrorCode};
use pdn_index::internal::query::{RowTable, commonest_variant};
use pdn_index::internal::{TextColumn, TextReader};
use pdn_index::query::{Hit, SearchStats, TreeOptions};
use pdn_tables::{CsvWriter, GameField};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::answers::{Answer, MAX_ANSWER_BYTES, Question};
use crate::game_digest;
#[cfg(feature = "server")]
use crate::lichess;
use crate::params::Params;
use crate::picture::png;
use crate::problem::Problem;
use crate::requests;
use crate::requests::Files;
use crate::route_options::{
    BoardSide, GameShown, ListLength, NameAsked, PageStart, TableStart, TreeExamples, VariantAsked,
};
use crate::served_archive::{MAX_KEPT_HITS, OpenArchive, ServedArchive};

/// Greatest number of positions that are grouped, by the next move or by ply.
const MAX_GROUPED_POSITIONS: usize = 2_000_000;
/// Greatest number of games of a file.
const MAX_DOWNLOAD: u64 = 100_000;
/// Greatest number of plies of an animated picture.
const MAX_ANIMATED_PLIES: usize = 60;

/// The archives that are served.
pub struct Archives {
    /// The archives; the first one receives imported games.
    pub archives: Vec<ServedArchive>,
    /// Number of threads for an answer.
    pub threads: NonZeroUsize,
    /// Greatest number of games that are played for a tree, 0 for no limit.
    pub tree_games: u64,
    /// What was read of files.
    pub files: Files,
}

impl std::fmt::Debug for Archives {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.archives.iter().map(|archive| archive.name.as_str()).collect();
        f.debug_struct("Archives").field("names", &names).finish_non_exhaustive()
    }
}

impl Archives {
    /// Finds an archive by its name.
    pub(crate) fn find(&self, name: &str) -> Result<Arc<OpenArchive>, Problem> {
        let found = self.archives.iter().find(|archive| archive.name == name);
        found
            .map(ServedArchive::open)
            .ok_or_else(|| Problem::not_found(message!("no_index", "there is no index of this name")))
    }

    /// Returns the first index, which receives imported games.
    pub(crate) fn first(&self) -> Option<Arc<OpenArchive>> {
        self.archives.first().map(ServedArchive::open)
    }

    /// Opens the first index again, after it was changed.
    pub(crate) fn reopen_first(&self) {
        if let Some(archive) = self.archives.first() {
            archive.reopen();
        }
    }

    fn tree(
        &self,
        archive: &OpenArchive,
        request: &TreeRequest,
        examples: Option<usize>,
        stop: &Stop,
    ) -> Result<TreeAnswer, Problem> {
        let mut options = TreeOptions::new().threads(self.threads).stop(stop);
        if self.tree_games > 0 {
            options = options.max_games(self.tree_games);
        }
        if let Some(examples) = examples {
            options = options.examples(examples);
        }
        // The chosen games are the same for all positions.
        let key = format!("{:?}", request.filter);
        let chosen = archive.chosen_games(key, || request.choose(&archive.index, self.threads, stop))?;
        Ok(request.tree(&archive.index, &chosen, &options)?.answer())
    }

    /// Answers `/tree`: the rows of the example games are there if a number of them is asked for.
    pub(crate) fn served_tree(
        &self,
        archive: &OpenArchive,
        Question { params, .. }: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let examples: TreeExamples = requests::options(params)?;
        let tree = self.tree(archive, &requests::tree(params, &self.files)?, examples.games, stop)?;
        let mut rows = None;
        if examples.games.is_some() {
            let (table, fields) = (table_of_lists(archive)?, list_fields(false));
            let examples = example_rows(archive, &table, &fields, &tree, examples.rows)?;
            let numbered = examples.iter().map(|row| json!(row)).map(|row| (row["game"].to_string(), row));
            rows = Some(numbered.collect());
        }
        Ok(Answer::json(&ServedTree { tree, rows }))
    }

    /// Answers as the lichess explorer does.
    #[cfg(feature = "server")]
    pub(crate) fn lichess(
        &self,
        archive: &OpenArchive,
        question: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let request = lichess::Request::new(question.path, &question.params)?;
        let tree = self.tree(archive, &request.tree, Some(request.examples), stop)?;
        let (table, fields) = (table_of_lists(archive)?, lichess::FIELDS.map(FoundField::Game));
        let examples = example_rows(archive, &table, &fields, &tree, None)?;
        let mut recent = None;
        if let Some(find) = &request.recent {
            let found = self.matches(archive, find, request.recent_games, stop)?;
            let latest = &found.hits[..request.recent_games.min(found.hits.len())];
            recent = Some(reader(archive, &table, &fields)?.games(latest)?);
        }
        Ok(Answer::json(&request.answer(&tree, &examples, recent.as_deref())))
    }

    /// Returns the games that match, from an earlier search if there was one with the same question.
    fn matches(
        &self,
        archive: &OpenArchive,
        request: &FindRequest,
        wanted: usize,
        stop: &Stop,
    ) -> Result<Arc<Matches>, Problem> {
        let key = format!("{request:?}");
        if let Some(found) = archive.kept_search(&key, wanted) {
            return Ok(found);
        }
        // A sorted search has found all games by then. The next pages are answered from what is kept.
        let wanted = if request.is_index_order() { wanted } else { wanted.max(MAX_KEPT_HITS) };
        let found = Arc::new(request.plan(&archive.index, self.threads, stop)?.matches(wanted, true)?);
        archive.keep_search(key, &found);
        Ok(found)
    }

    /// Answers `/find`.
    pub(crate) fn find_page(
        &self,
        archive: &OpenArchive,
        Question { params, .. }: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let (offset, limit) = page_of(params)?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let wanted = start.saturating_add(limit);
        let request = requests::find(params, &self.files)?;
        let found = self.matches(archive, &request, wanted, stop)?;
        let start = start.min(found.hits.len());
        let page = &found.hits[start..wanted.min(found.hits.len()).max(start)];
        let table = table_of_lists(archive)?;
        let mut fields = list_fields(true);
        add_line(&mut fields, &request.query());
        add_distance(&mut fields, request.order.sort);
        let reader = reader(archive, &table, &fields)?;
        let games = RowReader { distances: found.distances.as_ref(), ..reader }.games(page)?;
        Ok(Answer::json(&FindPage { total: found.total, offset, games }))
    }

    /// Answers `/groups`.
    pub(crate) fn groups(
        &self,
        archive: &OpenArchive,
        Question { params, .. }: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let ListLength { limit } = requests::options(params)?;
        let request = requests::groups(params, &self.files, MAX_GROUPED_POSITIONS)?;
        let found = request.run(&archive.index, self.threads, stop).map_err(text_problem)?;
        let mut groups = found.groups;
        groups.truncate(limit);
        Ok(Answer::json(&GroupsAnswer { games: found.games, total: found.group_count, groups }))
    }

    /// Returns the games of a file.
    fn file_games(
        &self,
        archive: &OpenArchive,
        params: &Params,
        stop: &Stop,
    ) -> Result<Arc<Matches>, Problem> {
        let found =
            self.matches(archive, &requests::find(params, &self.files)?, MAX_DOWNLOAD as usize + 1, stop)?;
        if found.total > MAX_DOWNLOAD {
            let detail = message!(
                "many_games",
                "{games} games match; a file may have at most {most}, and `pdn find` on the server writes any number",
                games = found.total,
                most = MAX_DOWNLOAD,
            );
            return Err(Problem { code: Some(ErrorCode::TooMuch), ..Problem::new(400, detail) });
        }
        Ok(found)
    }

    /// Answers `/find.csv`.
    pub(crate) fn find_csv(
        &self,
        archive: &OpenArchive,
        Question { params, .. }: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let found = self.file_games(archive, params, stop)?;
        let table = RowTable::new(&archive.index)?;
        let TableStart { bom } = requests::options(params)?;
        let begin = if bom { "\u{feff}" } else { "" };
        let body = csv(archive, &table, &found.hits, begin, stop)?;
        Answer::file("text/csv; charset=utf-8", body, "games.csv", stop)
    }

    /// Answers `/find.pdn`.
    pub(crate) fn find_pdn(
        &self,
        archive: &OpenArchive,
        Question { params, .. }: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let found = self.file_games(archive, params, stop)?;
        let table = RowTable::new(&archive.index)?;
        let (body, _) = records(archive, &table, &found.hits, self.threads, stop)?;
        Answer::file("text/plain; charset=utf-8", body, "games.pdn", stop)
    }

    /// Answers `/find.ndjson`: passes lines to `send`, and returns the last one.
    pub(crate) fn lines(
        &self,
        index: &str,
        params: &Params,
        stop: &Stop,
        send: &mut dyn FnMut(Vec<u8>),
    ) -> Result<Value, Problem> {
        let archive = self.find(index)?;
        let ListLength { limit: left } = requests::options(params)?;
        let table = table_of_lists(&archive)?;
        let request = requests::find(params, &self.files)?;
        let mut fields = list_fields(true);
        add_line(&mut fields, &request.query());
        let mut stream =
            FirstGames { archive: &archive, table: &table, send, fields, left, total: 0, hits: Vec::new() };
        let key = format!("{request:?}");
        if let Some(found) = archive.kept_search(&key, left) {
            stream.add(&found.hits)?;
            return Ok(json!({ "total": found.total }));
        }
        let mut outcome = Ok(());
        request.plan(&archive.index, self.threads, stop)?.visit(|hits| {
            outcome = stream.add(hits);
            if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        outcome?;
        let FirstGames { total, hits, .. } = stream;
        if hits.len() as u64 == total {
            let stats = SearchStats::default();
            archive.keep_search(key, &Arc::new(Matches { total, hits, distances: None, stats }));
        }
        Ok(json!({ "total": total }))
    }

    /// Answers `/stats`.
    pub(crate) fn stats(
        &self,
        archive: &OpenArchive,
        question: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let found =
            self.matches(archive, &requests::find(&question.params, &self.files)?, usize::MAX, stop)?;
        let same = SameNamesOfKinds::new(self.files.names.as_deref());
        Ok(Answer::json(&overview(&archive.index, &found.hits, &same, stop)?))
    }

    /// Answers `/players`.
    pub(crate) fn players(
        &self,
        archive: &OpenArchive,
        Question { params, .. }: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let ((offset, limit), NameAsked { name }) = (page_of(params)?, requests::options(params)?);
        let players = archive.players(self.files.names.as_deref(), stop)?;
        Ok(Answer::json(&players.page(name.as_deref(), requests::options(params)?, offset, limit)))
    }

    /// Answers `/events`.
    pub(crate) fn events(
        &self,
        archive: &OpenArchive,
        Question { params, .. }: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let ((offset, limit), NameAsked { name }) = (page_of(params)?, requests::options(params)?);
        let events = archive.events(self.files.names.as_deref(), stop)?;
        Ok(Answer::json(&events.page(name.as_deref(), offset, limit)))
    }

    /// Answers `/player`.
    pub(crate) fn player(
        &self,
        archive: &OpenArchive,
        question: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let request = requests::player(&question.params, &self.files)?;
        Ok(Answer::json(&request.run(&archive.index, self.threads, stop)?))
    }

    /// Answers `/event`.
    pub(crate) fn event(
        &self,
        archive: &OpenArchive,
        question: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let request = requests::event(&question.params, &self.files)?;
        Ok(Answer::json(&request.run(&archive.index, self.threads, stop)?))
    }

    /// Answers `/openings`, which are the same for all indexes.
    pub(crate) fn openings(&self, _: &OpenArchive, question: &Question, _: &Stop) -> Result<Answer, Problem> {
        Ok(Answer::json(&OpeningsAnswer::of(requests::options::<VariantAsked>(&question.params)?.variant)))
    }

    /// Answers `/position`.
    pub(crate) fn position(
        &self,
        archive: &OpenArchive,
        question: &Question,
        _: &Stop,
    ) -> Result<Answer, Problem> {
        let (variant, position) = place(archive, &question.params)?;
        Ok(Answer::json(&DrawnPosition::of(variant, &position)?))
    }

    /// Answers `/position.png`.
    pub(crate) fn picture(
        &self,
        archive: &OpenArchive,
        Question { params, .. }: &Question,
        _: &Stop,
    ) -> Result<Answer, Problem> {
        let BoardSide { flip } = requests::options(params)?;
        let options = DrawOptions { flip, ..DrawOptions::default() };
        Ok(png_answer(&place(archive, params)?.1, &options))
    }

    /// Answers the address of a game: `12`, `12.pdn`.
    pub(crate) fn game(
        &self,
        archive: &OpenArchive,
        question: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let (number, form) = match question.game.rsplit_once('.') {
            Some((number, "pdn")) => (number, GameForm::Pdn),
            Some((number, "svg")) => (number, GameForm::Svg),
            Some((number, "png")) => (number, GameForm::Png),
            Some((number, "json")) => (number, GameForm::Json),
            _ => (&*question.game, GameForm::Json),
        };
        let number = game_number(number).ok_or_else(|| {
            Problem::not_found(message!(
                "no_number",
                "games have numbers from 1, with .json, .pdn, .svg or .png after them"
            ))
        })?;
        self.shown_game(archive, number, form, &question.params, stop)
    }

    /// Answers with the record of a game, as the lichess explorer does for the games of its trees.
    pub(crate) fn lichess_game(
        &self,
        archive: &OpenArchive,
        question: &Question,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let number = game_number(&question.game).ok_or_else(|| {
            let detail =
                message!("no_number", "games have numbers from 1, as the `id` of each game of a tree");
            Problem::not_found(detail)
        })?;
        self.shown_game(archive, number, GameForm::Pdn, &question.params, stop)
    }

    fn shown_game(
        &self,
        archive: &OpenArchive,
        number: u64,
        form: GameForm,
        params: &Params,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let index = &archive.index;
        let BoardSide { flip } = requests::options(params)?;
        let GameShown { line, ply, numbers: square_names, animate, digest } = requests::options(params)?;
        let number = match digest {
            Some(digest) => game_digest::number_of(index, &digest, number, stop)?,
            None => number,
        };
        if index.game(number - 1).is_none_or(|game| game.is_retired()) {
            let detail = message!(
                "no_game",
                "there is no game {number}; the number of games in the index is {games}",
                number = number,
                games = index.len(),
            );
            return Err(Problem::not_found(detail));
        }
        let at = LinePly { line, ply };
        match form {
            GameForm::Pdn => {
                let table = RowTable::new(index)?;
                let hit = Hit { game: number - 1, ply: 0, line: 0 };
                let (body, written) = records(archive, &table, &[hit], NonZeroUsize::MIN, stop)?;
                if !written.is_complete() {
                    return Err(archive_is_gone());
                }
                let file_name = Some(format!("game-{number}.pdn"));
                Ok(Answer { media_type: "text/plain; charset=utf-8", body, file_name })
            }
            GameForm::Png => {
                let picture = show_indexed(index, number, at, |shown| {
                    let (position, last_move) = shown.position();
                    let last_move = last_move.map(|mv| (mv.from, mv.to));
                    png_answer(&position, &DrawOptions { flip, last_move, ..DrawOptions::default() })
                });
                picture.map_err(text_problem)
            }
            GameForm::Svg => {
                if let Some((from, to)) = animate.as_deref().map(animated_plies).transpose()? {
                    let picture = show_indexed(index, number, LinePly { ply: Some(to), ..at }, |shown| {
                        // A variation begins later than the game.
                        let plies = &shown.line.plies[from.max(shown.first) - shown.first..to - shown.first];
                        let moves: Vec<_> = plies.iter().map(|ply| (ply.position, ply.mv)).collect();
                        animated_svg(&moves, &DrawOptions { flip, square_names, ..DrawOptions::default() })
                    });
                    // The last ply is the one that may not exist.
                    let wrong = |error: Problem| match error.parameter.as_deref() {
                        Some("ply") => Problem { parameter: Some("animate".to_owned()), ..error },
                        _ => error,
                    };
                    let body = picture.map_err(text_problem).map_err(wrong)??.into_bytes();
                    return Ok(Answer { media_type: "image/svg+xml", body, file_name: None });
                }
                let picture = show_indexed(index, number, at, |shown| {
                    let (position, last_move) = shown.position();
                    let last_move = last_move.map(|mv| (mv.from, mv.to));
                    svg(&position, &DrawOptions { square_names, flip, last_move, ..DrawOptions::default() })
                });
                let picture = picture.map_err(text_problem)?;
                Ok(Answer { media_type: "image/svg+xml", body: picture.into_bytes(), file_name: None })
            }
            GameForm::Json => {
                let digest = index.game(number - 1).map(|game| game_digest::of_game(&game)).transpose()?;
                let game = show_indexed(index, number, at, |shown| shown.answer()).map_err(text_problem)?;
                Ok(Answer::json(&ServedGame { game, digest: digest.unwrap_or_default() }))
            }
        }
    }
}

/// Returns the problem that the text of a game is gone: status 410.
fn archive_is_gone() -> Problem {
    let detail =
        message!("archive_gone", "the text of the game cannot be read: its archive is gone or has changed");
    Problem { code: Some(ErrorCode::ArchiveChanged), ..Problem::new(410, detail) }
}

/// Returns the problem of a game whose text cannot be shown.
fn text_problem(error: AppError) -> Problem {
    if error.code == ErrorCode::Unreadable { archive_is_gone() } else { error.into() }
}

/// A game, with the digest that links to it have.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ServedGame {
    #[serde(flatten)]
    pub(crate) game: GameAnswer,
    /// The digest of the game's players, date and moves: `?digest=` with any number finds the game in an index that was made anew.
    pub(crate) digest: String,
}

/// An opening tree, with the rows of its example games if they were asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ServedTree {
    #[serde(flatten)]
    pub(crate) tree: TreeAnswer,
    /// The rows of the example games by their numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<std::collections::BTreeMap<String, FoundGame<'static>>>")]
    pub(crate) rows: Option<Map<String, Value>>,
}

/// A page of the games that match.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FindPage<'a> {
    /// The number of all games that match.
    total: u64,
    /// The number of games before the page.
    offset: u64,
    /// The rows.
    games: Vec<FoundGame<'a>>,
}

/// The games that match by group.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GroupsAnswer {
    /// The number of games that match. A game may be in several groups.
    games: u64,
    /// The number of all groups.
    total: usize,
    /// The groups with the most games, those with the most first.
    groups: Vec<GameGroup>,
}

/// The form of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GameForm {
    /// All plies with their positions.
    Json,
    /// The record.
    Pdn,
    /// A picture of one position, or of some moves.
    Svg,
    /// A picture of one position, for programs that show no SVG.
    Png,
}

/// Returns the number of a game that a part of an address is.
fn game_number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| *number > 0)
}

/// Returns the number of rows before a page, and the greatest number of its rows.
fn page_of(params: &Params) -> Result<(u64, usize), Problem> {
    let (PageStart { offset }, ListLength { limit }) =
        (requests::options(params)?, requests::options(params)?);
    Ok((offset, limit))
}

/// Returns the position that the parameters name, in the commonest variant of the index by default, with the name of the variant.
fn place(archive: &OpenArchive, params: &Params) -> Result<(&'static str, Position), Problem> {
    let variant = match requests::options::<VariantAsked>(params)?.variant {
        Some(variant) => variant,
        None => commonest_variant(&archive.index)?.unwrap_or(Variant::International),
    };
    let place: PlaceRequest = requests::options(params)?;
    Ok((variant.name(), place.position(variant.game(), &mut Vec::new())?))
}

/// Returns a position as a PNG picture.
fn png_answer(position: &Position, options: &DrawOptions) -> Answer {
    let body = png(&Diagram::of(position, options));
    Answer { media_type: "image/png", body, file_name: None }
}

/// Returns the plies that `animate` names: `20-28` plays the moves between the positions after 20 and after 28 plies.
fn animated_plies(text: &str) -> Result<(usize, usize), Problem> {
    let plies = text.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let fits = |(from, to): &(usize, usize)| from < to && to - from <= MAX_ANIMATED_PLIES;
    plies.filter(fits).ok_or_else(|| {
        let detail = message!(
            "plies_apart",
            "expected two numbers of plies, such as 20-28, at most {most} apart",
            most = MAX_ANIMATED_PLIES as u64
        );
        Problem::parameter("animate", detail)
    })
}

/// Sends the first games of a search while it goes on, and counts all of them.
struct FirstGames<'a> {
    archive: &'a OpenArchive,
    table: &'a RowTable<'a>,
    send: &'a mut dyn FnMut(Vec<u8>),
    fields: Vec<FoundField>,
    /// Number of rows that are still to be sent.
    left: usize,
    total: u64,
    /// All games, for the next pages; not more than are kept.
    hits: Vec<Hit>,
}

impl FirstGames<'_> {
    fn add(&mut self, hits: &[Hit]) -> Result<(), Problem> {
        let shown = &hits[..hits.len().min(self.left)];
        if !shown.is_empty() {
            let games = reader(self.archive, self.table, &self.fields)?.games(shown)?;
            let lines = games.iter().map(|row| format!("{}\n", json!(row)));
            (self.send)(lines.collect::<String>().into_bytes());
        }
        self.left -= shown.len();
        self.total += hits.len() as u64;
        if self.hits.len() <= MAX_KEPT_HITS {
            self.hits.extend_from_slice(hits);
        }
        Ok(())
    }
}

/// Returns the fields of rows: those of `pdn find --json`, and the position of the match as `fen`.
fn list_fields(with_position: bool) -> Vec<FoundField> {
    let mut fields = chosen_fields(None, false);
    if with_position {
        fields.push(FoundField::Game(GameField::Fen));
    }
    fields
}

/// Opens the columns that the fields of lists need.
fn table_of_lists(archive: &OpenArchive) -> Result<RowTable<'_>, Problem> {
    Ok(RowTable::with_texts(&archive.index, &TextColumn::ALL, 0, NonZeroUsize::MIN)?)
}

/// Returns the reader of games that an answer lists.
fn reader<'a>(
    archive: &'a OpenArchive,
    table: &'a RowTable<'a>,
    fields: &'a [FoundField],
) -> Result<RowReader<'a>, Problem> {
    let numbers = archive.record_numbers()?;
    Ok(RowReader { index: &archive.index, table, numbers, fields, distances: None, fen_style: FenStyle::Pdn })
}

/// Returns games as CSV with a header (RFC 4180) after the text `begin`. The work ends early if a stop is requested.
///
/// # Errors
///
/// If the index is damaged, or the text is longer than an answer may be.
fn csv(
    archive: &OpenArchive,
    table: &RowTable<'_>,
    hits: &[Hit],
    begin: &str,
    stop: &Stop,
) -> Result<Vec<u8>, Problem> {
    let fields = list_fields(false);
    let reader = reader(archive, table, &fields)?;
    let names: Vec<String> = fields.iter().map(ToString::to_string).collect();
    let mut text = format!("{begin}{}\r\n", names.join(",")).into_bytes();
    let mut texts = TextReader::new(&archive.index);
    for hit in hits {
        if stop.is_requested() {
            break;
        }
        let Some(row) = reader.row_with(hit, &mut texts)? else { continue };
        for (n, value) in row.values.iter().enumerate() {
            if n > 0 {
                text.push(b',');
            }
            let cell = value.cell();
            // A text that a game does not have is empty here.
            if !cell.is_empty() {
                CsvWriter::write_text(&cell, &mut text);
            }
        }
        text.extend_from_slice(b"\r\n");
        if text.len() > MAX_ANSWER_BYTES {
            return Err(Answer::too_long());
        }
    }
    Ok(text)
}

/// Returns the records of games as one PDN text in UTF-8. What cannot be read is left out.
///
/// # Errors
///
/// If the index is damaged, or the text is longer than an answer may be.
fn records(
    archive: &OpenArchive,
    table: &RowTable<'_>,
    hits: &[Hit],
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<(Vec<u8>, RecordsWritten), Problem> {
    let options = RecordOptions { raw: false, add_game_type: false, threads };
    let mut text = Vec::new();
    let written = write_records(&archive.index, table, hits, options, stop, &mut |part| {
        text.extend_from_slice(part);
        if text.len() > MAX_ANSWER_BYTES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if text.len() > MAX_ANSWER_BYTES {
        return Err(Answer::too_long());
    }
    Ok((text, written))
}

/// Returns the rows of the first `own` example games of the position of a tree, or of all example games,
/// those of moves too, ordered by their numbers.
///
/// # Errors
///
/// If the index is damaged.
fn example_rows<'a>(
    archive: &'a OpenArchive,
    table: &'a RowTable<'a>,
    fields: &'a [FoundField],
    tree: &TreeAnswer,
    own: Option<usize>,
) -> Result<Vec<FoundGame<'a>>, Problem> {
    let of_moves = tree.moves.iter().filter(|_| own.is_none()).flat_map(|entry| &entry.tally.examples);
    let of_position = tree.tally.examples.iter().take(own.unwrap_or(usize::MAX));
    let mut numbers: Vec<u64> = of_moves.chain(of_position).copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let hits: Vec<Hit> = numbers.iter().map(|number| Hit { game: number - 1, ply: 0, line: 0 }).collect();
    Ok(reader(archive, table, fields)?.games(&hits)?)
}
