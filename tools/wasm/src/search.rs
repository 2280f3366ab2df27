//! Games that match a query, and the moves played in a position. The text is indexed in memory for each question.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use pdn::archive::Archive;
use pdn::stop::Stop;
use pdn_app::ask::filter::Filter;
use pdn_app::ask::options::GivenOptions;
use pdn_app::find::tree::TreeRequest;
use pdn_app::read::inputs::ReadOptions;
use pdn_app::{Events, Result};
use pdn_index::internal::import_in_memory;
use pdn_index::query::{Hit, Search, TreeOptions};
use pdn_index::{ImportOptions, Index};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::fields;
use crate::host::HostEvents;
use crate::texts;

/// Finds the games of a text that match a query, in the order of the text: the first position of each that matches.
pub(crate) fn find(mut fields: GivenOptions, text: Vec<u8>) -> Result<Answer> {
    let query = fields::needed(&mut fields, "query")?;
    let limit = fields.value("limit")?.unwrap_or(usize::MAX);
    let index = indexed(fields, text)?;
    let mut filter = Filter::default();
    filter.set("query", &query)?;
    let query = filter.query();
    filter.check(&query, &index)?;
    let search = Search::new(&index, &query, NonZeroUsize::MIN)?;
    let (hits, _) = search.hits(limit)?;
    let games = if hits.len() < limit { hits.len() as u64 } else { search.count()?.0 };
    let numbers = index.record_numbers()?;
    let hit = |hit: &Hit| -> Value {
        json!({ "record": numbers.get(hit.game).map(|record| record + 1), "ply": hit.ply, "line": hit.line })
    };
    let hits: Vec<Value> = hits.iter().map(hit).collect();
    Answer::new(&json!({ "games": games, "hits": hits }), Vec::new())
}

/// Counts the moves played in a position by the games of a text.
pub(crate) fn tree(mut fields: GivenOptions, text: Vec<u8>) -> Result<Answer> {
    let mut filter = Filter::default();
    if let Some(query) = fields.value::<String>("query")? {
        filter.set("query", &query)?;
    }
    let request = TreeRequest::take(filter, &mut fields)?;
    let index = indexed(fields, text)?;
    let chosen = request.choose(&index, NonZeroUsize::MIN, &Stop::new())?;
    let found = request.tree(&index, &chosen, &TreeOptions::new().threads(NonZeroUsize::MIN))?;
    Answer::new(&found.answer(), Vec::new())
}

/// Indexes a text in memory, after the last options were read.
fn indexed(mut fields: GivenOptions, text: Vec<u8>) -> Result<Index> {
    let read: ReadOptions = fields.group()?;
    let text = texts::given(&mut fields, text)?;
    fields.end()?;
    let mut options = ImportOptions::new();
    options.threads = NonZeroUsize::MIN;
    options.replay = read.replay();
    let archive = Archive::from_bytes(text, "-", &read.open(false));
    let mut events = HostEvents::default();
    let (index, summary) = import_in_memory([archive], &options, |progress| {
        events.progress(progress.bytes, "");
        ControlFlow::Continue(())
    })?;
    if let Some(failure) = summary.failures.into_iter().next() {
        return Err(failure.error.into());
    }
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_the_options_of_the_command() {
        let games = "[White \"a\"] 1. 32-28 19-23 * [White \"b\"] 1. 32-28 18-23 * [White \"b\"] 1. 33-28 *";
        let moves = |options: &str| -> Result<Vec<String>> {
            let question = format!(r#"{{"question":"tree"{options}}}"#);
            let answer = crate::answer(question.as_bytes(), games.as_bytes().to_vec())?;
            let tree: Value = serde_json::from_slice(&answer.json).expect("JSON");
            let moves = tree["moves"].as_array().expect("moves").iter();
            Ok(moves.map(|mv| format!("{} {}", mv["move"], mv["games"])).collect())
        };
        for (options, expected) in [
            ("", &["\"32-28\" 2", "\"33-28\" 1"][..]),
            (r#","limit":1"#, &["\"32-28\" 2"]),
            (r#","moves":"32-28","sort":"move""#, &["\"18-23\" 1", "\"19-23\" 1"]),
            (r#","query":"white : a""#, &["\"32-28\" 1"]),
        ] {
            assert_eq!(moves(options).expect("a tree"), expected, "{options}");
        }
        for (options, error) in [
            (r#","sort":"colour""#, "sort: expected one of games, score, rating, year, move"),
            (r#","limit":-1"#, "limit: expected a whole number from 0"),
            (r#","deep":1"#, "there is no option `deep`"),
        ] {
            assert_eq!(moves(options).unwrap_err().to_string(), error);
        }
    }
}
