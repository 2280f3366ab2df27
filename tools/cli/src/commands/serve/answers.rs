//! Answers the questions of the server.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pdn::query::{Hit, RowTable, TreeOptions};
use pdn::stop::Stop;
use pdn_explorer::{Answer, Answers, Download, GameForm, Params, Problem, Question, ServedIndex};
use serde_json::{Map, Value, json};

use super::archive::{MAX_KEPT_HITS, OpenArchive, ServedArchive};
use super::request::{self, answered, failure};
use super::{check, overview, position};
use crate::commands::find::served::{self, Matches, Rows, file_name};
use crate::commands::show;
use crate::commands::tree::{self, ChosenGames};
use crate::output::complaints;
use crate::output::sanitize;
use pdn_app::numbers::count;

/// Greatest number of rows of a page.
const MAX_ROWS: u64 = 1000;
/// Greatest number of games of a file.
const MAX_DOWNLOAD: u64 = 100_000;
/// Greatest number of example games of a move.
const MAX_EXAMPLES: u64 = 30;

/// The archives that are served.
pub(super) struct Archives {
    pub(super) archives: Vec<ServedArchive>,
    pub(super) threads: NonZeroUsize,
    /// Greatest number of games that are played for a tree, 0 for no limit.
    pub(super) tree_games: u64,
}

impl Archives {
    fn find(&self, name: &str) -> Result<Arc<OpenArchive>, Problem> {
        let found = self.archives.iter().find(|archive| archive.name == name);
        found.map(ServedArchive::open).ok_or_else(|| Problem::not_found("there is no index of this name"))
    }

    /// Returns the first index, which receives imported games.
    pub(super) fn first(&self) -> Option<Arc<OpenArchive>> {
        self.archives.first().map(ServedArchive::open)
    }

    /// Opens the first index again, after it was changed.
    pub(super) fn reopen_first(&self) {
        if let Some(archive) = self.archives.first() {
            archive.reopen();
        }
    }

    fn tree(&self, archive: &OpenArchive, params: &Params, stop: &Stop) -> Result<Value, Problem> {
        let args = request::tree(params)?;
        let examples = params.number("games", MAX_EXAMPLES)?;
        let mut options = TreeOptions::new().threads(self.threads).stop(stop);
        if self.tree_games > 0 {
            options = options.max_games(self.tree_games);
        }
        if let Some(examples) = examples {
            options = options.examples(examples as usize);
        }
        let chosen = archive
            .chosen_games(filter_key(params), || {
                answered(|| ChosenGames::find(&args, &archive.index, options))
            })
            .map_err(|problem| archive.without_path(problem))?;
        let mut tree = answered(|| tree::json(&args, &archive.index, &chosen, options))
            .map_err(|problem| archive.without_path(problem))?;
        if examples.is_some() {
            let rows = example_rows(archive, &tree).map_err(|error| failure(&error))?;
            tree["rows"] = Value::Object(rows);
        }
        Ok(tree)
    }

    /// Returns the games that match, from an earlier search if there was one with the same parameters.
    fn matches(
        &self,
        archive: &OpenArchive,
        params: &Params,
        wanted: usize,
        stop: &Stop,
    ) -> Result<Arc<Matches>, Problem> {
        let key = search_key(params);
        if let Some(found) = archive.kept_search(&key, wanted) {
            return Ok(found);
        }
        let args = request::find(params)?;
        let found = answered(|| served::find(&args, &archive.index, wanted, self.threads, stop))?;
        let found = Arc::new(found);
        archive.keep_search(key, &found);
        Ok(found)
    }

    fn find_page(&self, archive: &OpenArchive, params: &Params, stop: &Stop) -> Result<Value, Problem> {
        let offset = params.number("offset", u64::MAX)?.unwrap_or(0);
        let limit = params.number("limit", MAX_ROWS)?.unwrap_or(100);
        let wanted = usize::try_from(offset.saturating_add(limit)).unwrap_or(usize::MAX);
        let found = self.matches(archive, params, wanted, stop)?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(found.hits.len());
        let page = &found.hits[start..wanted.min(found.hits.len()).max(start)];
        let table = RowTable::new(&archive.index).map_err(|error| failure(&error))?;
        let rows = rows(archive, &table, |rows| rows.json(page, true))?;
        Ok(json!({ "total": found.total, "offset": offset, "games": rows }))
    }

    fn download(
        &self,
        archive: &OpenArchive,
        form: Download,
        params: &Params,
        stop: &Stop,
    ) -> Result<Answer, Problem> {
        let found = self.matches(archive, params, MAX_DOWNLOAD as usize + 1, stop)?;
        if found.total > MAX_DOWNLOAD {
            let detail = format!(
                "{} match; a file may have at most {MAX_DOWNLOAD}, and `pdn find` on the server writes any number",
                count(found.total, "game")
            );
            return Err(Problem::new(400, detail));
        }
        let table = RowTable::new(&archive.index).map_err(|error| failure(&error))?;
        let (media_type, file_name, body) = match form {
            Download::Csv => {
                let is_stopped = || stop.is_requested();
                (
                    "text/csv; charset=utf-8",
                    "games.csv",
                    rows(archive, &table, |rows| rows.csv(&found.hits, is_stopped))?,
                )
            }
            Download::Pdn => {
                let text = rows(archive, &table, |rows| {
                    Ok(complaints::collect(|| rows.pdn(&found.hits, self.threads)).0)
                })?;
                (
                    "text/plain; charset=utf-8",
                    "games.pdn",
                    text.map_err(|error| Problem::new(500, error.to_string()))?,
                )
            }
        };
        if stop.is_requested() {
            return Err(Problem::out_of_budget());
        }
        Ok(Answer { media_type, body, file_name: Some(file_name.to_owned()) })
    }

    fn game(
        &self,
        archive: &OpenArchive,
        number: u64,
        form: GameForm,
        params: &Params,
    ) -> Result<Answer, Problem> {
        let missing = || {
            let games = count(archive.index.len(), "game");
            Problem::not_found(format!("there is no game {number}; the index has {games}"))
        };
        if form == GameForm::Pdn {
            let index = number - 1;
            archive.index.game(index).filter(|game| !game.is_retired()).ok_or_else(missing)?;
            let table = RowTable::new(&archive.index).map_err(|error| failure(&error))?;
            let hit = Hit { game: index, ply: 0 };
            let (text, complaints) =
                complaints::collect(|| rows(archive, &table, |rows| Ok(rows.pdn(&[hit], NonZeroUsize::MIN))));
            let body = text?.map_err(|error| Problem::new(500, error.to_string()))?;
            if body.is_empty() {
                return Err(match complaints.first() {
                    Some(_) => Problem::new(
                        500,
                        "the text of the game cannot be read: its archive is gone or has changed",
                    ),
                    None => missing(),
                });
            }
            let file_name = Some(format!("game-{number}.pdn"));
            return Ok(Answer { media_type: "text/plain; charset=utf-8", body, file_name });
        }
        let ply = params.number("ply", u64::from(u32::MAX))?.map(|ply| ply as usize);
        let picture = (form == GameForm::Svg).then(|| params.switch("flip")).transpose()?;
        let shown = show::served(&archive.index, number, ply, picture).map_err(|error| failure(&error))?;
        match shown.ok_or_else(missing)? {
            Ok(show::ServedGame::Json(mut game)) => {
                if let Some(file) = game["file"].as_str().map(file_name) {
                    game["file"] = file.into();
                }
                Ok(Answer::json(&game))
            }
            Ok(show::ServedGame::Svg(picture)) => {
                Ok(Answer { media_type: "image/svg+xml", body: picture.into_bytes(), file_name: None })
            }
            Err(show::NotShown::TooLong) => Err(Problem::new(400, "this game is too long to be shown")),
            Err(show::NotShown::NoSuchPly { plies, .. }) => {
                Err(Problem::parameter("ply", format!("only {plies} plies of this game can be replayed")))
            }
        }
    }
}

/// Returns a key for the parameters other than `left_out`.
fn key_without(params: &Params, left_out: &[&str]) -> String {
    let pairs: Vec<_> =
        params.pairs().iter().filter(|(name, _)| !left_out.contains(&name.as_str())).collect();
    format!("{pairs:?}")
}

/// Returns the key of a search, which is the same for all its pages.
fn search_key(params: &Params) -> String {
    key_without(params, &["offset", "limit"])
}

/// Returns the key of the filters of a tree, which is the same for all positions.
fn filter_key(params: &Params) -> String {
    key_without(params, &["fen", "moves", "transpositions", "sort", "limit", "games"])
}

/// Sends the first rows of a search while it goes on, and counts all games.
struct RowStream<'a> {
    archive: &'a OpenArchive,
    table: &'a RowTable<'a>,
    send: &'a mut dyn FnMut(Vec<u8>),
    /// Number of rows that are still to be sent.
    left: usize,
    total: u64,
    /// All games, for the next pages; not more than are kept.
    hits: Vec<Hit>,
}

impl RowStream<'_> {
    fn add(&mut self, hits: &[Hit]) -> Result<(), Problem> {
        let shown = &hits[..hits.len().min(self.left)];
        if !shown.is_empty() {
            let rows = rows(self.archive, self.table, |rows| rows.json(shown, true))?;
            (self.send)(rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes());
        }
        self.left -= shown.len();
        self.total += hits.len() as u64;
        if self.hits.len() <= MAX_KEPT_HITS {
            self.hits.extend_from_slice(hits);
        }
        Ok(())
    }
}

/// Calls `read` with a reader of rows.
fn rows<T>(
    archive: &OpenArchive,
    table: &RowTable<'_>,
    read: impl FnOnce(&Rows<'_>) -> pdn::Result<T>,
) -> Result<T, Problem> {
    let numbers = archive.record_numbers().map_err(|error| failure(&error))?;
    read(&Rows { index: &archive.index, table, numbers }).map_err(|error| failure(&error))
}

/// Returns the rows of all example games of a tree, by their numbers.
///
/// # Errors
///
/// If the index is damaged.
pub(super) fn example_rows(archive: &OpenArchive, tree: &Value) -> pdn::Result<Map<String, Value>> {
    let of_moves = tree["moves"].as_array().into_iter().flatten().map(|entry| &entry["examples"]);
    let examples = of_moves.chain([&tree["examples"]]).filter_map(Value::as_array).flatten();
    let mut numbers: Vec<u64> = examples.filter_map(Value::as_u64).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let hits: Vec<Hit> = numbers.iter().map(|number| Hit { game: number - 1, ply: 0 }).collect();
    let table = RowTable::new(&archive.index)?;
    let rows = Rows { index: &archive.index, table: &table, numbers: archive.record_numbers()? };
    let rows = rows.json(&hits, false)?.into_iter();
    Ok(rows.map(|row| (row["game"].to_string(), row)).collect())
}

impl Answers for Archives {
    fn changes(&self) -> u64 {
        self.archives.iter().map(ServedArchive::changes).sum()
    }

    fn indexes(&self) -> Vec<ServedIndex> {
        let served = |archive: &ServedArchive| {
            let open = archive.open();
            let json = open.json(&archive.name).unwrap_or_else(
                |error| json!({ "name": archive.name, "error": sanitize::text(&error.kind().to_string()) }),
            );
            ServedIndex { name: archive.name.clone(), digest: open.digest.clone(), json }
        };
        self.archives.iter().map(served).collect()
    }

    fn answer(
        &self,
        index: &str,
        question: &Question,
        params: &Params,
        stop: &Stop,
    ) -> Result<(Answer, String), Problem> {
        let archive = self.find(index)?;
        let answer = match question {
            Question::Tree => self.tree(&archive, params, stop).map(|tree| Answer::json(&tree)),
            Question::Find => self.find_page(&archive, params, stop).map(|page| Answer::json(&page)),
            Question::Download(form) => self.download(&archive, *form, params, stop),
            Question::Stats => {
                let found = self.matches(&archive, params, usize::MAX, stop)?;
                let stats = overview::stats(&archive, &found.hits, stop).map_err(|error| failure(&error))?;
                Ok(Answer::json(&stats))
            }
            Question::Players => {
                overview::players(&archive, params, stop).map(|players| Answer::json(&players))
            }
            Question::Position => position::answer(&archive, params).map(|position| Answer::json(&position)),
            Question::Game(number, form) => self.game(&archive, *number, *form, params),
        }?;
        Ok((answer, archive.digest.clone()))
    }

    fn stream(
        &self,
        index: &str,
        params: &Params,
        stop: &Stop,
        send: &mut dyn FnMut(Vec<u8>),
    ) -> Result<Value, Problem> {
        let archive = self.find(index)?;
        let left = params.number("limit", MAX_ROWS)?.unwrap_or(100) as usize;
        let table = RowTable::new(&archive.index).map_err(|error| failure(&error))?;
        let mut stream =
            RowStream { archive: &archive, table: &table, send, left, total: 0, hits: Vec::new() };
        let key = search_key(params);
        if let Some(found) = archive.kept_search(&key, left) {
            stream.add(&found.hits)?;
            return Ok(json!({ "total": found.total }));
        }
        let args = request::find(params)?;
        let mut outcome = Ok(());
        answered(|| {
            served::visit(&args, &archive.index, self.threads, stop, |hits| {
                outcome = stream.add(hits);
                if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        })?;
        outcome?;
        let RowStream { total, hits, .. } = stream;
        if hits.len() as u64 == total {
            archive.keep_search(key, &Arc::new(Matches { total, hits }));
        }
        Ok(json!({ "total": total }))
    }

    fn check(&self, text: &[u8], stop: &Stop) -> Result<Value, Problem> {
        check::check(text, stop)
    }
}
