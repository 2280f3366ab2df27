//! What the first records of an input decide about its games, as the input keeps it for all replayers: the prior of their variants, and the
//! order of the numbers of their scores.

use std::sync::{Arc, OnceLock};

use super::score_poll::ScoreEvidence;
use super::{CandidateGame, FilePrior, FilePriorPoll, ReplayOptions};
use crate::archive::{InputHead, InputRecord, Note};
use crate::limits::Limits;

/// What is known of an input.
#[derive(Debug, Default)]
struct NotedHead {
    prior: OnceLock<NotedPrior>,
    scores: OnceLock<NotedScores>,
}

#[derive(Debug)]
struct NotedPrior {
    prior: FilePrior,
    /// The limits of the poll; `None` if the prior was given.
    limits: Option<Limits>,
}

#[derive(Debug)]
struct NotedScores {
    evidence: ScoreEvidence,
    /// The limits of the poll and the variant of games without a tag; `None` if the evidence was given.
    of: Option<(Limits, Option<CandidateGame>)>,
}

/// Returns the note by which an input has this prior and this evidence, whatever its first records say.
pub(super) fn note_of(prior: FilePrior, evidence: ScoreEvidence) -> Note {
    let prior = NotedPrior { prior, limits: None }.into();
    Box::new(NotedHead { prior, scores: NotedScores { evidence, of: None }.into() })
}

impl FilePrior {
    /// Returns the prior of an input. The first call polls its first records, which takes some milliseconds, while calls on other
    /// threads wait.
    pub(super) fn of_input(input: &InputHead, options: &ReplayOptions) -> Self {
        let limits = options.limits.unwrap_or(*input.limits());
        let poll = || {
            let mut poll = FilePriorPoll::new(&options.clone().limits(limits));
            input.each_first_record(|record| poll.add(record.bytes));
            poll.finish()
        };
        let noted = input.note(NotedHead::default);
        let noted = noted.prior.get_or_init(|| NotedPrior { prior: poll(), limits: Some(limits) });
        let is_same = noted.limits.is_none_or(|polled| polled == limits);
        if is_same { noted.prior.clone() } else { poll() }
    }
}

impl ScoreEvidence {
    /// Returns what the first records of an input show about the order of the numbers of its scores. The first call replays them.
    pub(super) fn of_input(input: &InputHead, options: &ReplayOptions) -> Self {
        let limits = options.limits.unwrap_or(*input.limits());
        let poll = || {
            let prior = match options.variant {
                Some(_) => FilePrior::default(),
                None => FilePrior::of_input(input, options),
            };
            Self::poll(input, &prior, &options.clone().limits(limits))
        };
        let of = (limits, options.variant);
        let noted = input.note(NotedHead::default);
        let noted = noted.scores.get_or_init(|| NotedScores { evidence: poll(), of: Some(of) });
        let is_same = noted.of.is_none_or(|polled| polled == of);
        if is_same { noted.evidence.clone() } else { poll() }
    }
}

/// Returns the number of first games of the input of a game that show that its scores give the number of White first, and the offsets of
/// some of them in the input; `None` if nothing was asked about them.
pub fn noted_scores(game: InputRecord<'_>) -> Option<(u32, Vec<u64>)> {
    let input = game.input()?;
    let evidence = &input.note(NotedHead::default).scores.get()?.evidence;
    let places = evidence.places().iter().map(|&place| input.original_offset(place));
    Some((evidence.games(), places.collect()))
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

/// The evidence of the input of the last game for which it was needed.
#[derive(Debug, Default)]
pub(super) struct EvidenceCache(Option<(Arc<InputHead>, ScoreEvidence)>);

impl EvidenceCache {
    /// Returns the evidence of `input`.
    pub(super) fn of(&mut self, input: &Arc<InputHead>, options: &ReplayOptions) -> &ScoreEvidence {
        if self.0.as_ref().is_some_and(|(of, _)| !Arc::ptr_eq(of, input)) {
            self.0 = None;
        }
        &self.0.get_or_insert_with(|| (Arc::clone(input), ScoreEvidence::of_input(input, options))).1
    }
}
