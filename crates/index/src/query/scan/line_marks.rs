//! Finds the marked positions of all lines of a game, and in which variation a hit lies.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::earlier::{EarlierGames, EarlierNumbers};
use crate::pack::CorruptMoves;
use crate::pack::game::PlayableGame;
use crate::query::conditions::NoteCondition;
use crate::query::eval::{
    BATCH_LEN, GameTrace, HitStep, LineContext, MarkSource, Marks, PositionSet, TemporalPlan,
};
use crate::query::language::{Condition, Query};
use crate::query::select::{GameSelector, MatchingComments};
use crate::{AnnotationBytes, StoredLine, StoredNote, line_starts};
use pdn::error::Result;
use pdn::internal::replay::Note;
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::position::State;

/// What finding the marks of games of a segment reads.
#[derive(Debug)]
pub(in crate::query) struct MarkedSegment<'a> {
    /// The variations; `None` if the query does not ask for them.
    pub(in crate::query) variations: Option<AnnotationBytes<'a>>,
    /// The notes; `None` if the query does not ask for them.
    pub(in crate::query) notes: Option<AnnotationBytes<'a>>,
    /// The comments that match, for each pattern of the query.
    pub(in crate::query) comments: Vec<(NoteCondition, Arc<MatchingComments>)>,
}

impl<'a> MarkedSegment<'a> {
    /// Opens what a query asks for, and reads the texts of comments that it compares.
    ///
    /// # Errors
    /// If a section is damaged, or a text cannot be read.
    pub(super) fn of(query: &Query, games: &GameSelector<'a>) -> Result<Self> {
        let mut marked = Self { variations: None, notes: None, comments: Vec::new() };
        marked.open(query, games)?;
        Ok(marked)
    }

    fn open(&mut self, query: &Query, games: &GameSelector<'a>) -> Result<()> {
        match query {
            Query::Is(Condition::Note(note)) => {
                if self.notes.is_none() {
                    self.notes = Some(games.notes()?);
                }
                if let NoteCondition::Comment(Some(pattern)) = note {
                    self.comments.push((note.clone(), games.matching_comments(pattern)?));
                }
                Ok(())
            }
            Query::Aside(inner) => {
                if self.variations.is_none() {
                    self.variations = Some(games.variations()?);
                }
                self.open(inner, games)
            }
            operator => operator.operands().into_iter().try_for_each(|part| self.open(part, games)),
        }
    }
}

/// The marks of a game.
#[derive(Debug, Default)]
pub(super) struct LineMarks {
    /// For the main line and each variation, the sets of marked positions by number.
    lines: Vec<MarkedLine>,
}

/// The marks of a line.
#[derive(Debug, Default)]
struct MarkedLine {
    /// The number of the line in which it begins.
    parent: usize,
    /// The number of plies before its first position.
    first_ply: u32,
    sets: Vec<PositionSet>,
    /// For each set of variations, the ply of the first position of this line at which its plan is true.
    matches: Vec<Option<u32>>,
    /// For each set of variations, whether its plan is true in this line or a variation of it.
    holds: Vec<bool>,
}

/// The position of a hit in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(in crate::query) struct FoundHit {
    /// The number of the line; 0 for the main line.
    pub(in crate::query) line: u32,
    pub(in crate::query) ply: u32,
}

impl FoundHit {
    /// Creates a hit in the main line.
    pub(super) const fn in_main_line(ply: u32) -> Self {
        Self { line: 0, ply }
    }
}

impl LineMarks {
    /// Returns the sets of the main line.
    pub(super) fn main(&self) -> &[PositionSet] {
        self.lines.first().map_or(&[], |line| &line.sets)
    }

    /// Finds the marks of a game. Plays each line once for each `aside` of the query, and the lines in which others begin once more.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves of a line cannot be unpacked.
    pub(super) fn find<G: Geometry>(
        marks: &Marks<G::Bits>,
        segment: &MarkedSegment<'_>,
        game: &PlayableGame<'_, G>,
        main: &LineContext<'_>,
        earlier: Option<&EarlierGames>,
        trace: &mut GameTrace<G::Bits>,
    ) -> std::result::Result<Self, CorruptMoves> {
        let number = game.game as usize;
        let stored =
            segment.variations.as_ref().map_or(Ok(Vec::new()), |variations| variations.lines(number));
        let stored = stored.map_err(|_| CorruptMoves)?;
        let notes = segment.notes.as_ref().map_or(Ok(Vec::new()), |notes| notes.notes(number));
        let notes = notes.map_err(|_| CorruptMoves)?;
        let starts = line_starts(game.codec, game.start, game.bytes, &stored)?;
        let mut lines = vec![MarkedLine::default()];
        lines.extend(stored.iter().map(|line| MarkedLine {
            parent: line.parent,
            first_ply: line.first_ply,
            ..MarkedLine::default()
        }));
        let mut found = Self { lines };
        for source in &marks.sources {
            let set = found.begin_set();
            match source {
                MarkSource::Note(condition) => found.mark_notes(set, condition, &notes, segment, game.game),
                MarkSource::Aside(plan) => {
                    let lines = stored.iter().zip(&starts);
                    found.mark_variations((set, plan), lines, game, main.membership, earlier, trace)?;
                }
            }
        }
        Ok(found)
    }

    /// Begins a set without positions, and returns its number.
    fn begin_set(&mut self) -> usize {
        for line in &mut self.lines {
            line.sets.push(PositionSet::default());
            line.matches.push(None);
            line.holds.push(false);
        }
        self.lines[0].sets.len() - 1
    }

    /// Marks the positions of the notes for which a condition is true.
    fn mark_notes(
        &mut self,
        set: usize,
        condition: &NoteCondition,
        notes: &[StoredNote],
        segment: &MarkedSegment<'_>,
        game: u32,
    ) {
        let matching = segment.comments.iter().find(|(known, _)| known == condition);
        let matching = matching.and_then(|(_, games)| games.get(&game)).map_or(&[][..], Vec::as_slice);
        let mut comments = 0;
        for note in notes {
            // A NAG and a strength belong to the position before the move that they follow.
            let (holds, plies) = match (condition, note.note) {
                (NoteCondition::Comment(pattern), Note::Comment) => {
                    comments += 1;
                    (pattern.is_none() || matching.binary_search(&(comments - 1)).is_ok(), note.plies)
                }
                (NoteCondition::Nag(numbers), Note::Nag(nag)) => {
                    (numbers.contains(&nag), note.plies.wrapping_sub(1))
                }
                (NoteCondition::Mark(strength), Note::Strength(written)) => {
                    (written == Some(*strength), note.plies.wrapping_sub(1))
                }
                _ => (false, 0),
            };
            if let Some(line) = self.lines.get_mut(note.line).filter(|_| holds)
                && let Some(position) = plies.checked_sub(line.first_ply)
            {
                line.sets[set].insert(position as usize);
            }
        }
    }

    /// Marks the positions at which variations begin where a plan is true.
    fn mark_variations<'l, G: Geometry>(
        &mut self,
        (set, plan): (usize, &TemporalPlan<G::Bits>),
        lines: impl Iterator<Item = (&'l StoredLine<'l>, &'l State<G::Bits>)>,
        game: &PlayableGame<'_, G>,
        membership: &[bool],
        earlier: Option<&EarlierGames>,
        trace: &mut GameTrace<G::Bits>,
    ) -> std::result::Result<(), CorruptMoves> {
        let mut numbers = EarlierNumbers::default();
        for ((stored, start), line) in lines.zip(&mut self.lines[1..]) {
            // A variation does not begin in the start position of its kind.
            let line_game = PlayableGame { bytes: stored.moves, start, is_continuous: false, ..*game };
            if let Some(earlier) = earlier.filter(|_| plan.counts_earlier_games()) {
                earlier.count(&line_game, &mut numbers)?;
            }
            let (marked, first_ply) = (&line.sets[..], line.first_ply);
            let context = LineContext { membership, marked, first_ply, earlier: &numbers.numbers };
            let position = if plan.tests_moves() {
                first_position::<G, true>(&line_game, plan, &context, trace)?
            } else {
                first_position::<G, false>(&line_game, plan, &context, trace)?
            };
            line.matches[set] = position.map(|position| line.first_ply + position);
            line.holds[set] = position.is_some();
        }
        // From the last line to the first, because the variations of a line come after it.
        for line in (1..self.lines.len()).rev() {
            let MarkedLine { parent, first_ply, .. } = self.lines[line];
            let Some(position) = first_ply.checked_sub(self.lines[parent].first_ply) else {
                return Err(CorruptMoves);
            };
            if self.lines[line].holds[set] {
                self.lines[parent].holds[set] = true;
                self.lines[parent].sets[set].insert(position as usize);
            }
        }
        Ok(())
    }

    /// Returns the sets of the main line as if no variation made the query true.
    pub(super) fn without_variations<B>(&self, marks: &Marks<B>) -> Vec<PositionSet> {
        let mut sets = self.main().to_vec();
        marks.hits.steps.iter().for_each(|step| sets[step.mark].clear());
        sets
    }

    /// Returns where the hit of a query lies that variations make true at a position of the main line: at the first position, in the
    /// order of the lines, of such a variation, or at that position itself if there is none.
    /// An `aside` within another one has no part in it: the hit is where the outer one is true.
    pub(super) fn hit<B>(&self, marks: &Marks<B>, ply: u32) -> FoundHit {
        let at = FoundHit::in_main_line(ply);
        let in_variations = marks.hits.steps.iter().filter_map(|step| {
            let line = self.variation(step, at)?;
            let ply = self.lines[line].matches[step.mark]?;
            Some(FoundHit { line: line as u32, ply })
        });
        in_variations.min().unwrap_or(at)
    }

    /// Returns the first variation in which the plan of a set is true, of those that begin at a position and of their own ones.
    fn variation(&self, step: &HitStep, at: FoundHit) -> Option<usize> {
        let (set, above) = (step.mark, &self.lines[at.line as usize]);
        let position = match step.anywhere {
            true => above.sets[set].first()?,
            false => (at.ply - above.first_ply) as usize,
        };
        let ply = above.first_ply + position as u32;
        let mut within = at.line as usize;
        let mut found = self.first_variation(within, |line| line.first_ply == ply && line.holds[set])?;
        while self.lines[found].matches[set].is_none() {
            within = found;
            found = self.first_variation(within, |line| line.holds[set])?;
        }
        Some(found)
    }

    /// Returns the first variation of a line that passes a test.
    fn first_variation(&self, parent: usize, test: impl Fn(&MarkedLine) -> bool) -> Option<usize> {
        (parent + 1..self.lines.len())
            .find(|&line| self.lines[line].parent == parent && test(&self.lines[line]))
    }
}

/// Returns the first position of a line at which a plan is true, counted from 0.
fn first_position<G: Geometry, const MOVES: bool>(
    line: &PlayableGame<'_, G>,
    plan: &TemporalPlan<G::Bits>,
    context: &LineContext<'_>,
    trace: &mut GameTrace<G::Bits>,
) -> std::result::Result<Option<u32>, CorruptMoves> {
    // A variation does not begin in the start position, so that nothing is known of the positions before it.
    trace.clear(plan, false);
    let (mut at, mut hit) = (0, None);
    let last = line.plies(|ply| {
        trace.push::<MOVES>(at, ply);
        at += 1;
        if at % BATCH_LEN == 0 {
            hit = trace.flush(plan, context);
            if hit.is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(hit.or_else(|| trace.finish(plan, context, at, &last)))
}
