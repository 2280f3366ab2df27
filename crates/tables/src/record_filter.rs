//! Answers queries about games as a whole, record by record, without an index.

use super::filter::{QueryNeeds, RecordFacts};
use super::record::{RecordContext, read_tags};
use pdn::archive::InputGame;
use pdn::internal::view::{TagSet, TagValues};
use pdn::replay::{ReplayOptions, ReplaySummary, Replayer};
use pdn::source::Decoder;
use pdn_index::query::Query;

/// A query that is evaluated on one record after the other, in reused memory.
///
/// The query has to be one that [`is_game_query`](super::is_game_query); other queries need an index. Records are replayed
/// only if the query asks for what a replay gives.
///
/// ```
/// use pdn_tables::RecordFilter;
/// use pdn_index::query::Query;
/// use pdn::replay::ReplayOptions;
/// use pdn::source::Decoder;
///
/// let query = Query::parse("white : wiersma and plies 3..")?;
/// let mut filter = RecordFilter::new(query, ReplayOptions::new());
/// let decoder = Decoder::default();
/// assert!(filter.matches(&b"[White \"Wiersma\"] 1. 32-28 19-23 2. 28x19 *"[..], &decoder));
/// assert!(!filter.matches(&b"[White \"Wiersma\"] 1. 32-28 19-23 *"[..], &decoder));
/// # Ok::<(), pdn_index::query::QueryError>(())
/// ```
#[derive(Debug)]
pub struct RecordFilter {
    query: Query,
    has_query: bool,
    needs_replay: bool,
    /// The tags that the query takes.
    tags: TagSet,
    replayer: Replayer,
}

impl RecordFilter {
    /// Creates a filter for a query.
    pub fn new(query: Query, replay: ReplayOptions) -> Self {
        let has_query = !matches!(&query, Query::And(parts) if parts.is_empty());
        let needs = QueryNeeds::of(&query);
        let tags = needs.tags.into_iter().collect();
        Self { query, has_query, needs_replay: needs.replay, tags, replayer: Replayer::new(&replay) }
    }

    /// Returns `true` if the query is true for a record. `decoder` is that of its file.
    pub fn matches<'g>(&mut self, game: impl Into<InputGame<'g>>, decoder: &Decoder) -> bool {
        if !self.has_query {
            return true;
        }
        let context = RecordContext::new("", 1, game.into(), decoder);
        let summary = self.needs_replay.then(|| self.replayer.summary(context.input_game));
        let tags = read_tags(context.input_game, self.tags, &mut self.replayer, summary.as_ref());
        record_matches(&self.query, &context, &tags, summary.as_ref())
    }
}

/// Returns `true` if a query is true for a record. `tags` has the values of [`QueryNeeds::tags`]; `summary` is needed if
/// [`QueryNeeds::replay`].
pub(super) fn record_matches(
    query: &Query,
    context: &RecordContext<'_>,
    tags: &TagValues<'_>,
    summary: Option<&ReplaySummary>,
) -> bool {
    RecordFacts { context, tags, summary }.matches(query)
}
