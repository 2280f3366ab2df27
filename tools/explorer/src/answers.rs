//! What the server asks, and what it gets: the border between HTTP and the archive.

use pdn::stop::Stop;
use pdn_app::ErrorCode;

use serde::Serialize;
use serde_json::Value;

#[cfg(feature = "server")]
use crate::lichess;
use crate::params::Params;
use crate::problem::Problem;

/// A question about an index or a text, without its HTTP form.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// The moves played in a position.
    Tree,
    /// The same in the form of the lichess explorer. The request has all parameters.
    #[cfg(feature = "server")]
    Lichess(Box<lichess::Request>),
    /// A page of the games that match.
    Find,
    /// The games that match by group.
    Groups,
    /// The games that match, as a file.
    Download(Download),
    /// Numbers of games by variant, year, result and length.
    Stats,
    /// Players with their numbers of games.
    Players,
    /// The results of a player.
    Player,
    /// Events with their numbers of games.
    Events,
    /// The standings and games of an event.
    Event,
    /// The openings that have names.
    Openings,
    /// A position with its legal moves and its board.
    Position,
    /// A position as a picture.
    Picture,
    /// A game with its variations and comments.
    Game(u64, GameForm),
}

/// The form of a file of matching games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Download {
    /// The games as PDN.
    Pdn,
    /// A row for each game.
    Csv,
}

/// The form of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameForm {
    /// All plies with their positions.
    Json,
    /// The record.
    Pdn,
    /// A picture of one position, or of some moves.
    Svg,
    /// A picture of one position, for programs that show no SVG.
    Png,
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
    fn answer(
        &self,
        index: &str,
        question: &Question,
        params: &Params,
        stop: &Stop,
    ) -> Result<(Answer, String), Problem>;

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
