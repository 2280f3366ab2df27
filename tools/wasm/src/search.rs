//! Games that match a query. The text is indexed in memory for each question.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use pdn::archive::Archive;
use pdn::replay::ReplayOptions;
use pdn_app::ask::filter::Filter;
use pdn_app::ask::options::GivenOptions;
use pdn_app::read::inputs::open_options;
use pdn_app::{Events, Result};
use pdn_index::ImportOptions;
use pdn_index::internal::import_in_memory;
use pdn_index::query::{Hit, Search};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::fields;
use crate::host::HostEvents;
use crate::texts;

/// Finds the games of a text that match a query, in the order of the text: the first position of each that matches.
pub(crate) fn find(mut fields: GivenOptions, text: Vec<u8>) -> Result<Answer> {
    let query = fields::needed(&mut fields, "query")?;
    let limit = fields.value("limit")?.unwrap_or(usize::MAX);
    let (untagged, encoding, scores) =
        (fields.value("variant")?, fields.value("encoding")?, fields.value("scores")?);
    let text = texts::given(&mut fields, text)?;
    fields.end()?;
    let mut filter = Filter::default();
    filter.set("query", &query)?;

    let mut options = ImportOptions::new();
    options.threads = NonZeroUsize::MIN;
    options.replay = ReplayOptions::new().game(untagged);
    let archive = Archive::from_bytes(text, "-", &open_options(encoding, false).scores(scores));
    let mut events = HostEvents::default();
    let (index, summary) = import_in_memory([archive], &options, |progress| {
        events.progress(progress.bytes, "");
        ControlFlow::Continue(())
    })?;
    if let Some(failure) = summary.failures.into_iter().next() {
        return Err(failure.error.into());
    }
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
