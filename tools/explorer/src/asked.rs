//! Answers the questions of the table of routes, for the server and for what answers in its place.

use pdn::stop::Stop;
use pdn_app::ErrorCode;
use pdn_app::check::check_text;
use serde_json::{Value, json};

use crate::answers::{Answer, Answers, Question, ServedIndex};
use crate::archives::Archives;
use crate::params::Params;
use crate::problem::Problem;
use crate::route_table::{Asks, ROUTES, Route};
use crate::served_archive::ServedArchive;

impl Answers for Archives {
    fn changes(&self) -> u64 {
        self.archives.iter().map(ServedArchive::changes).sum()
    }

    fn indexes(&self) -> Vec<ServedIndex> {
        let served = |archive: &ServedArchive| {
            let open = archive.open();
            let json = match open.description(&archive.name) {
                Ok(description) => json!(description),
                Err(error) => json!({ "name": archive.name, "error": error.kind().to_string() }),
            };
            let lost = archive.lost();
            ServedIndex { name: archive.name.clone(), digest: open.digest.clone(), json, lost }
        };
        self.archives.iter().map(served).collect()
    }

    fn answer(&self, index: &str, question: &Question, stop: &Stop) -> Result<(Answer, String), Problem> {
        let archive = self.find(index)?;
        match Route::place(question.path).map(|place| ROUTES[place].asks) {
            Some(Asks::Index(_, answer)) => {
                Ok((answer(self, &archive, question, stop)?, archive.digest.clone()))
            }
            _ => Err(Problem::no_address()),
        }
    }

    fn stream(
        &self,
        index: &str,
        params: &Params,
        stop: &Stop,
        send: &mut dyn FnMut(Vec<u8>),
    ) -> Result<Value, Problem> {
        self.lines(index, params, stop, send)
    }

    fn check(&self, text: &[u8], repairs: &[&str], stop: &Stop) -> Result<Value, Problem> {
        let checked = check_text(text, repairs, stop).map_err(|error| match error.code {
            // The text is the only thing that was given.
            ErrorCode::InvalidValue => Problem { parameter: None, ..error.into() },
            _ => error.into(),
        })?;
        Ok(json!(checked))
    }
}

/// Finds an index by its name; the empty name is the first one.
///
/// # Errors
/// If there is none of this name.
pub(crate) fn find_index<'s>(served: &'s [ServedIndex], name: &str) -> Result<&'s ServedIndex, Problem> {
    let found = if name.is_empty() { served.first() } else { served.iter().find(|index| index.name == name) };
    found.ok_or_else(|| {
        let names: Vec<&str> = served.iter().map(|index| index.name.as_str()).collect();
        let names = names.join(", ");
        Problem::not_found(message!("no_index", "there is no index of this name; there are {names}"))
    })
}

/// Answers the request of an address below `/api/v1/`, such as `games/tree?moves=32-28`, as the server does. The rows of `find.ndjson` come
/// at once, not as they are found.
///
/// # Errors
/// Why there is no answer.
pub fn answer(answers: &dyn Answers, address: &str) -> Result<Answer, Problem> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let path = format!("/api/v1/{path}");
    let mut found = ROUTES.iter().filter_map(|route| Some((route, route.parts(&path)?)));
    let (route, parts) = found.next().ok_or_else(Problem::no_address)?;
    let part = |name| parts.get(name).copied().unwrap_or_default();
    let stop = Stop::new();
    match route.asks {
        Asks::Indexes => {
            route.params(query)?;
            let indexes: Vec<_> = answers.indexes().into_iter().map(|index| index.json).collect();
            Ok(Answer::json(&json!({ "indexes": indexes })))
        }
        Asks::Lines => {
            let params = route.params(query)?;
            let (mut body, served) = (Vec::new(), answers.indexes());
            let index = &find_index(&served, part("index"))?.name;
            let mut last = answers.stream(index, &params, &stop, &mut |lines| body.extend(lines))?;
            last["complete"] = true.into();
            body.extend(format!("{last}\n").into_bytes());
            Ok(Answer { media_type: "application/x-ndjson", body, file_name: None })
        }
        Asks::Index(..) => {
            let (path, game) = (route.path, part("game").to_owned());
            let question = Question { path, game, params: route.params(query)? };
            let served = answers.indexes();
            Ok(answers.answer(&find_index(&served, part("index"))?.name, &question, &stop)?.0)
        }
        _ => Err(Problem::no_address()),
    }
}
