//! What the server asks, and what it gets: the border between HTTP and the archive.

use pdn::stop::Stop;
use pdn_app::ErrorCode;

use serde::Serialize;
use serde_json::Value;

use crate::params::Params;
use crate::problem::Problem;

/// A question about an index.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// The path of its route.
    pub(crate) path: &'static str,
    /// The part of the address that names a game; empty for none.
    pub(crate) game: String,
    /// The other parameters.
    pub(crate) params: Params,
}

/// Greatest number of bytes of an answer.
pub(crate) const MAX_ANSWER_BYTES: usize = 64 << 20;

/// An answer: the body of a response.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Media type of the body.
    pub media_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
    /// Name under which a browser saves it.
    pub file_name: Option<String>,
}

impl Answer {
    /// Creates an answer with a JSON body.
    pub fn json(value: &impl Serialize) -> Self {
        let body = serde_json::to_vec(value).expect("answers have text as keys");
        Self { media_type: "application/json", body, file_name: None }
    }

    /// Creates an answer that is a file, unless it is incomplete because a stop was requested.
    pub(crate) fn file(
        media_type: &'static str,
        body: Vec<u8>,
        name: &str,
        stop: &Stop,
    ) -> Result<Self, Problem> {
        if stop.is_requested() {
            return Err(Problem::out_of_budget());
        }
        Ok(Self { media_type, body, file_name: Some(name.to_owned()) })
    }

    /// Returns the problem that an answer would be longer than one may be.
    pub(crate) fn too_long() -> Problem {
        let detail = message!(
            "long_answer",
            "an answer may have at most {most} MiB; ask for fewer games, or use the command on the server",
            most = (MAX_ANSWER_BYTES >> 20) as u64,
        );
        Problem { code: Some(ErrorCode::TooMuch), ..Problem::new(400, detail) }
    }
}

/// The archive behind the server. The methods are called on threads that may block.
pub trait Answers: Send + Sync + 'static {
    /// Returns the indexes that are served, with their digests. Changed indexes are opened again first.
    fn indexes(&self) -> Vec<ServedIndex>;

    /// Returns a number that changes whenever an index is opened again. It is called for every request, so it must be cheap.
    fn changes(&self) -> u64 {
        0
    }

    /// Answers a question about an index, and returns the digest of the index that gave the answer: it may have changed since
    /// [`indexes`](Self::indexes) was called. The work ends soon after `stop` is set.
    ///
    /// # Errors
    /// Why there is no answer.
    fn answer(&self, index: &str, question: &Question, stop: &Stop) -> Result<(Answer, String), Problem>;

    /// Answers a search while it goes on: passes lines of JSON to `send`, a row for each of the first games that match, and
    /// returns the last line, with their number. The work ends soon after `stop` is set.
    ///
    /// # Errors
    /// Why there is no answer, or why it is incomplete.
    fn stream(
        &self,
        index: &str,
        params: &Params,
        stop: &Stop,
        send: &mut dyn FnMut(Vec<u8>),
    ) -> Result<Value, Problem>;

    /// Returns the diagnostics of a PDN text and the text after safe repairs and those of `repairs`, which the answer before offered. Nothing
    /// is kept.
    ///
    /// # Errors
    /// If the text cannot be read.
    fn check(&self, text: &[u8], repairs: &[&str], stop: &Stop) -> Result<Value, Problem>;
}

/// Stores games that other programs send. The methods are called on threads that may block, never two at a time.
#[cfg(feature = "server")]
pub trait Importer: Send + Sync + 'static {
    /// Stores the games of a PDN text and indexes them. Returns the answer when they are on the disk.
    ///
    /// # Errors
    /// Why nothing of the text was stored, or why it is not certain that all of it was.
    fn import(&self, text: &[u8]) -> Result<Value, Problem>;

    /// Does what may be done later. Called when no import waits.
    fn tidy(&self);
}

/// An index that is served.
#[derive(Clone, PartialEq, Debug)]
pub struct ServedIndex {
    /// Name in addresses.
    pub name: String,
    /// Text that changes whenever the index does.
    pub digest: String,
    /// The object that `/api/v1/indexes` shows.
    pub json: Value,
    /// Why the index cannot be opened any more, if so. Answers come from what was open before.
    pub lost: Option<String>,
}
