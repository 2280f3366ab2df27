//! The prior that decides about a game: that of its input, or that of the options.

use std::sync::Arc;

use super::{FilePrior, FilePriorPoll, ReplayOptions};
use crate::archive::{InputHead, Note};
use crate::limits::Limits;

/// The prior of an input, as the input keeps it for all replayers.
#[derive(Debug)]
struct NotedPrior {
    prior: FilePrior,
    /// The limits of the poll; `None` if the prior was given.
    limits: Option<Limits>,
}

impl FilePrior {
    /// Returns the note by which an input has this prior, whatever its first records say.
    pub(super) fn into_note(self) -> Note {
        Box::new(NotedPrior { prior: self, limits: None })
    }

    /// Returns the prior of an input. The first call polls its first records, which takes some milliseconds, while calls on other
    /// threads wait.
    pub(super) fn of_input(input: &InputHead, options: &ReplayOptions) -> Self {
        let limits = options.limits.unwrap_or(*input.limits());
        let poll = || {
            let mut poll = FilePriorPoll::new(&options.clone().limits(limits));
            input.each_first_record(|record| poll.add(record));
            poll.finish()
        };
        let noted = input.note(|| NotedPrior { prior: poll(), limits: Some(limits) });
        let is_same = noted.limits.is_none_or(|polled| polled == limits);
        if is_same { noted.prior.clone() } else { poll() }
    }
}

/// The prior of the input of the last game for which one was needed.
#[derive(Debug, Default)]
pub(super) struct PriorCache(Option<(Arc<InputHead>, FilePrior)>);

impl PriorCache {
    /// Returns the prior of a game of `input`; of a record without an input, that of the options.
    pub(super) fn of<'a>(
        &'a mut self,
        input: Option<&Arc<InputHead>>,
        options: &'a ReplayOptions,
    ) -> &'a FilePrior {
        let Some(input) = input else { return &options.prior };
        if self.0.as_ref().is_some_and(|(of, _)| !Arc::ptr_eq(of, input)) {
            self.0 = None;
        }
        &self.0.get_or_insert_with(|| (Arc::clone(input), FilePrior::of_input(input, options))).1
    }
}
