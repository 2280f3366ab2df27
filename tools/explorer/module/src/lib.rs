//! Answers the questions of the page of `pdn serve` from the files of an index that are read by ranges: the server's answers without a
//! server. As a WebAssembly module, it asks its host for the parts of files; `explorer.js`, in the folder above, is the host's side.

#[cfg(target_family = "wasm")]
mod host;

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use pdn_app::ask::endings::EndingTables;
use pdn_app::read::searched::SearchedIndex;
use pdn_endgame::EndingSource;
use pdn_explorer::{
    Answer, Archives, ENDINGS_FOLDER, Files, NAMES_FILE, Problem, ServedArchive, answer, read_names,
};
use pdn_index::internal::{RangeSource, RangedIndex};
use pdn_names::NameMap;
use serde_json::json;

/// Greatest number of games that are played for a tree: their moves have some megabytes.
const TREE_GAMES: u64 = 50_000;

/// An index that is read by ranges, with what was computed from it.
#[derive(Debug)]
pub struct Explorer(RangedIndex<Archives>);

/// The tables of endings among the files of a source.
#[derive(Clone, Debug)]
struct Endings<S>(S);

impl<S: RangeSource> EndingSource for Endings<S> {
    fn len(&self, file: &str) -> io::Result<Option<u64>> {
        self.0.len(&format!("{ENDINGS_FOLDER}/{file}"))
    }

    fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.0.read(&format!("{ENDINGS_FOLDER}/{file}"), offset, into)
    }
}

/// What keeps a question from its answer.
struct Refusal(Problem);

impl From<pdn::Error> for Refusal {
    fn from(error: pdn::Error) -> Self {
        // The source is the network.
        let status = if matches!(error.kind(), pdn::error::ErrorKind::Io(_)) { 502 } else { 500 };
        Self(Problem { status, ..error.into() })
    }
}

impl Explorer {
    /// Opens an index, which has this name in addresses.
    ///
    /// # Errors
    /// If its files cannot be read, or are no index.
    pub fn open(source: impl RangeSource + Clone + 'static, name: &str) -> Result<Self, Problem> {
        let name = name.to_owned();
        let tables = EndingTables::from_source(Endings(source.clone())).map(Arc::new);
        let names = published_names(&source).map_err(|error| Refusal::from(pdn::Error::from(error)).0)?;
        let make = move |index| Archives {
            archives: vec![ServedArchive::new(name.clone(), SearchedIndex::of_index(index), None, None)],
            threads: NonZeroUsize::MIN,
            tree_games: TREE_GAMES,
            files: Files { names: names.clone(), tables: tables.clone() },
        };
        RangedIndex::open_as(source, make).map(Self).map_err(|error| Refusal::from(error).0)
    }

    /// Answers the request of an address below `/api/v1/`, such as `games/tree?moves=32-28`, as the server does.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn answer(&self, address: &str) -> Result<Answer, Problem> {
        self.0.ask(|archives| answer(archives, address).map_err(Refusal)).map_err(|Refusal(problem)| problem)
    }
}

/// Returns the names with which an index was published, if there are some.
fn published_names(source: &impl RangeSource) -> io::Result<Option<Arc<NameMap>>> {
    let Some(len) = source.len(NAMES_FILE)? else { return Ok(None) };
    let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
    if !bytes.is_empty() {
        source.read(NAMES_FILE, 0, &mut bytes)?;
    }
    let names = read_names(&bytes).ok_or_else(|| io::Error::other("the file of names is damaged"))?;
    Ok(Some(Arc::new(names)))
}

/// Returns an answer as the host reads it: a line of JSON with the status, the media type and the name of the file, then the body.
#[must_use]
pub fn packed(answer: Result<Answer, Problem>) -> Vec<u8> {
    let (head, body) = match answer {
        Ok(answer) => {
            (json!({ "status": 200, "type": answer.media_type, "file": answer.file_name }), answer.body)
        }
        Err(problem) => (
            json!({ "status": problem.status, "type": "application/problem+json", "file": null }),
            problem.json().to_string().into_bytes(),
        ),
    };
    let mut packed = format!("{head}\n").into_bytes();
    packed.extend(body);
    packed
}
