//! Which question an address asks, for the server and for what answers in its place.

use pdn::stop::Stop;
use serde_json::json;

use crate::answers::{Answer, Answers, Download, GameForm, Question, ServedIndex};
use crate::params::Params;
use crate::problem::Problem;
use crate::route_table::known_params;

/// Returns the question about an index that the last part of an address names, but for `find.ndjson`, which has more than one answer.
///
/// # Errors
/// If there is no such address.
pub(crate) fn about_index(question: &str) -> Result<Question, Problem> {
    Ok(match question {
        "tree" => Question::Tree,
        "find" => Question::Find,
        "groups" => Question::Groups,
        "find.pdn" => Question::Download(Download::Pdn),
        "find.csv" => Question::Download(Download::Csv),
        "stats" => Question::Stats,
        "players" => Question::Players,
        "player" => Question::Player,
        "events" => Question::Events,
        "event" => Question::Event,
        "openings" => Question::Openings,
        "position" => Question::Position,
        "position.png" => Question::Picture,
        _ => return Err(Problem::no_address()),
    })
}

/// Returns the question that the last part of the address of a game asks: `12`, `12.pdn`.
///
/// # Errors
/// If it has no number.
pub(crate) fn about_game(game: &str) -> Result<Question, Problem> {
    let (number, form) = match game.rsplit_once('.') {
        Some((number, "pdn")) => (number, GameForm::Pdn),
        Some((number, "svg")) => (number, GameForm::Svg),
        Some((number, "png")) => (number, GameForm::Png),
        Some((number, "json")) => (number, GameForm::Json),
        _ => (game, GameForm::Json),
    };
    let number = number.parse().ok().filter(|number| *number > 0);
    number.map(|number| Question::Game(number, form)).ok_or_else(|| {
        Problem::not_found(message!(
            "no_number",
            "games have numbers from 1, with .json, .pdn, .svg or .png after them"
        ))
    })
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
    let stop = Stop::new();
    let ask = |index: &str, asked: &Question, params: &Params| {
        let served = answers.indexes();
        Ok(answers.answer(&find_index(&served, index)?.name, asked, params, &stop)?.0)
    };
    match *path.split('/').collect::<Vec<_>>() {
        ["indexes"] => {
            known_params(query, "/api/v1/indexes")?;
            let indexes: Vec<_> = answers.indexes().into_iter().map(|index| index.json).collect();
            Ok(Answer::json(&json!({ "indexes": indexes })))
        }
        [index, "find.ndjson"] => {
            let params = known_params(query, "/api/v1/{index}/find.ndjson")?;
            let (mut body, served) = (Vec::new(), answers.indexes());
            let index = &find_index(&served, index)?.name;
            let mut last = answers.stream(index, &params, &stop, &mut |lines| body.extend(lines))?;
            last["complete"] = true.into();
            body.extend(format!("{last}\n").into_bytes());
            Ok(Answer { media_type: "application/x-ndjson", body, file_name: None })
        }
        [index, question] => {
            let asked = about_index(question)?;
            let params = known_params(query, &format!("/api/v1/{{index}}/{question}"))?;
            ask(index, &asked, &params)
        }
        [index, "games", game] => {
            let asked = about_game(game)?;
            let params = known_params(query, "/api/v1/{index}/games/{game}")?;
            ask(index, &asked, &params)
        }
        _ => Err(Problem::no_address()),
    }
}
