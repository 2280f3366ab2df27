//! Marked positions: where variations begin and notes stand. They are found for each line before its positions are tested.
//!
//! `aside A` and conditions on notes do not follow from a position and its next move. [`Marks::extract`] replaces each of them in a
//! compiled query by the set of positions with its number; [`MarkSource`] says how the set is found.

use super::predicate::CompiledQuery;
use super::temporal::TemporalPlan;
use crate::query::conditions::NoteCondition;
use pdn_rules::internal::board::Bits;

/// The marks of a query, and where its hits lie.
#[derive(Debug)]
pub(in crate::query) struct Marks<B> {
    /// How each set is found. A source needs only sets before its own.
    pub(in crate::query) sources: Vec<MarkSource<B>>,
    /// Where the hits of the query lie.
    pub(in crate::query) hits: HitPath,
}

/// How a set of marked positions is found.
#[derive(Debug)]
pub(in crate::query) enum MarkSource<B> {
    /// The positions to which a note belongs.
    Note(NoteCondition),
    /// The positions at which a variation begins where the plan is true, or a variation of which that holds.
    Aside(TemporalPlan<B>),
}

/// The sets of variations that may have the hit of a query.
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct HitPath {
    pub(in crate::query) steps: Vec<HitStep>,
    /// Whether the query may be true without variations, because one is below an `or`.
    pub(in crate::query) has_alternatives: bool,
}

/// A set of variations that may have the hit: it has, if a variation of it begins at the position.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct HitStep {
    /// The number of the set.
    pub(in crate::query) mark: usize,
    /// `true` if any variation of the set has it, wherever it begins.
    pub(in crate::query) anywhere: bool,
}

impl<B: Bits> Marks<B> {
    /// Replaces the parts of a query that need marks. `None` if there are none.
    pub(in crate::query) fn extract(query: &mut CompiledQuery<B>) -> Option<Self> {
        let mut sources = Vec::new();
        extract(query, &mut sources);
        let hits = HitPath::of(query, &sources);
        (!sources.is_empty()).then_some(Self { sources, hits })
    }
}

impl HitPath {
    /// Returns the sets of variations that make a query true where it is.
    fn of<B: Bits>(query: &CompiledQuery<B>, sources: &[MarkSource<B>]) -> Self {
        let mut path = Self::default();
        path.collect(query, false);
        path.steps.retain(|step| matches!(sources.get(step.mark), Some(MarkSource::Aside(_))));
        path
    }

    fn collect<B: Bits>(&mut self, query: &CompiledQuery<B>, anywhere: bool) {
        match query {
            CompiledQuery::Marked(mark) => self.steps.push(HitStep { mark: *mark, anywhere }),
            CompiledQuery::And(parts) => parts.iter().for_each(|part| self.collect(part, anywhere)),
            CompiledQuery::Or(parts) => {
                self.has_alternatives = true;
                parts.iter().for_each(|part| self.collect(part, anywhere));
            }
            CompiledQuery::Ever(inner) => self.collect(inner, true),
            CompiledQuery::First(inner)
            | CompiledQuery::For(inner, _)
            | CompiledQuery::Then(inner, ..)
            | CompiledQuery::After(inner, ..) => self.collect(inner, anywhere),
            _ => {}
        }
    }
}

fn extract<B: Bits>(query: &mut CompiledQuery<B>, sources: &mut Vec<MarkSource<B>>) {
    let source = match query {
        CompiledQuery::Note(note) => MarkSource::Note(note.clone()),
        CompiledQuery::Aside(inner) => {
            let mut inner = std::mem::replace(&mut **inner, CompiledQuery::Always(false));
            extract(&mut inner, sources);
            MarkSource::Aside(TemporalPlan::new(inner))
        }
        CompiledQuery::Not(inner)
        | CompiledQuery::Ever(inner)
        | CompiledQuery::First(inner)
        | CompiledQuery::For(inner, _)
        | CompiledQuery::Times(inner, _) => return extract(inner, sources),
        CompiledQuery::And(parts) | CompiledQuery::Or(parts) => {
            return parts.iter_mut().for_each(|part| extract(part, sources));
        }
        CompiledQuery::Then(first, second, _) | CompiledQuery::After(first, second, _) => {
            extract(first, sources);
            return extract(second, sources);
        }
        _ => return,
    };
    *query = CompiledQuery::Marked(sources.len());
    sources.push(source);
}
