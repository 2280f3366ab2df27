//! Compares the games of a unit and says which are duplicates of which.

use std::num::NonZeroUsize;

use super::candidates::{Keepers, MAX_COMPARED};
use super::classes::{DuplicateClass, MIN_COMMON_PLIES, PairJudge};
use super::facts::{FactReader, GameFacts};
use super::games::Games;
use super::keeper::{KeepRule, KeeperRank, KeeperReason};
use crate::error::Result;
use crate::steps;

/// A game that belongs to the group of a keeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Membership {
    pub(super) keeper: u64,
    pub(super) other: u64,
    pub(super) class: DuplicateClass,
    pub(super) reason: KeeperReason,
}

/// Compares the games of units, on one thread.
#[derive(Debug)]
pub(super) struct UnitWorker<'a> {
    reader: FactReader<'a>,
    judge: PairJudge,
    rule: KeepRule,
}

/// A game with its rank.
type Ranked<'a> = (KeeperRank, GameFacts<'a>);

/// The keepers of one step, and which other games belong to which of them.
struct StepResult<'a> {
    keepers: Keepers<'a>,
    ranks: Vec<KeeperRank>,
}

impl<'a> UnitWorker<'a> {
    pub(super) fn new(games: Games<'a>, rule: KeepRule) -> Self {
        Self { reader: FactReader::new(games), judge: PairJudge::default(), rule }
    }

    /// Compares the games of a unit, which are sorted by their moves.
    pub(super) fn work(&mut self, unit: &[u64]) -> Result<Vec<Membership>> {
        let mut found = Vec::new();
        let mut kept = Vec::new();
        let mut rest = unit;
        while let Some(first) = rest.first() {
            let moves = self.moves(*first)?;
            let mut equal = 1;
            while equal < rest.len() && self.moves(rest[equal])? == moves {
                equal += 1;
            }
            let run;
            (run, rest) = rest.split_at(equal);
            self.equal_moves(run, &mut kept, &mut found)?;
        }
        if kept.len() > 1 && kept[0].plies >= MIN_COMMON_PLIES {
            self.prefixes(&mut kept, &mut found)?;
            self.near_games(kept, &mut found)?;
        }
        Ok(found)
    }

    fn moves(&self, number: u64) -> Result<Option<&'a [u8]>> {
        self.reader.games.get(number).map(|game| game.moves()).transpose()
    }

    fn is_new(&self, facts: &GameFacts<'_>) -> bool {
        self.reader.games.id(facts.number).is_new
    }

    /// Step 1: compares games with equal moves. Appends the keepers to `kept`.
    fn equal_moves(
        &mut self,
        run: &[u64],
        kept: &mut Vec<GameFacts<'a>>,
        found: &mut Vec<Membership>,
    ) -> Result<()> {
        if let [number] = run {
            kept.extend(self.reader.read(*number)?);
            return Ok(());
        }
        // Only ranks are kept for all games: there may be millions of records without moves.
        let mut ranks: Vec<(KeeperRank, u64)> = Vec::with_capacity(run.len());
        for &number in run {
            let Some(facts) = GameFacts::of(&self.reader.games, number)? else { continue };
            ranks.push((self.rule.rank(&facts, &mut self.reader)?, number));
        }
        ranks.sort_unstable();
        let mut step = StepResult { keepers: Keepers::default(), ranks: Vec::new() };
        for (rank, number) in ranks {
            if let Some(facts) = self.reader.read(number)? {
                self.place((rank, facts), &mut step, DuplicateClass::Exact, found, PairJudge::is_exact);
            }
        }
        let StepResult { keepers: Keepers { all: keepers, .. }, ranks } = step;
        // The moves of a damaged game are not known to the end, and games without moves have no moves in common.
        let is_whole = |facts: &GameFacts<'_>| facts.rest.is_none();
        if let Some(first) = keepers.iter().position(is_whole) {
            for (facts, rank) in keepers.iter().zip(&ranks).skip(first + 1) {
                if is_whole(facts) && self.is_new(facts) {
                    found.push(Membership {
                        keeper: keepers[first].number,
                        other: facts.number,
                        class: DuplicateClass::SameMoves,
                        reason: ranks[first].reason(rank),
                    });
                }
            }
        }
        let before = kept.len();
        kept.extend(keepers);
        // The order of games with equal moves must not depend on how they were ranked.
        kept[before..].sort_unstable_by_key(|facts| facts.number);
        Ok(())
    }

    /// Step 2: compares games with those that continue them. Removes the duplicates from `kept`.
    fn prefixes(&mut self, kept: &mut Vec<GameFacts<'a>>, found: &mut Vec<Membership>) -> Result<()> {
        let mut left = Vec::with_capacity(kept.len());
        let mut rest = kept.as_slice();
        while let Some(first) = rest.first() {
            // All games that continue the first one follow it.
            let count = rest.iter().take_while(|facts| facts.moves.starts_with(first.moves)).count();
            let family;
            (family, rest) = rest.split_at(count.max(1));
            steps::add(family.len());
            left.extend(self.step(family, DuplicateClass::Prefix, found, PairJudge::is_prefix)?);
        }
        *kept = left;
        Ok(())
    }

    /// Step 3: compares games by the same players on the same days.
    fn near_games(&mut self, kept: Vec<GameFacts<'a>>, found: &mut Vec<Membership>) -> Result<()> {
        let mut dated: Vec<(i32, GameFacts<'a>)> =
            kept.into_iter().filter_map(|facts| Some((facts.date.days()?, facts))).collect();
        dated.sort_by_key(|(days, facts)| (*days, facts.number));
        let dated = self.with_partners(&dated);
        for days in dated.chunk_by(|(before, _), (after, _)| after.abs_diff(*before) <= 2) {
            let games: Vec<GameFacts<'a>> = days.iter().map(|(_, facts)| *facts).collect();
            self.step(&games, DuplicateClass::Near, found, PairJudge::is_near)?;
        }
        Ok(())
    }

    /// Returns the games of which another one, at most two days later or earlier, may be a copy. Only these are ranked, which takes
    /// their text. Games with more than [`MAX_COMPARED`] others on these days are all returned.
    fn with_partners(&mut self, dated: &[(i32, GameFacts<'a>)]) -> Vec<(i32, GameFacts<'a>)> {
        let mut has_partner = vec![false; dated.len()];
        // Games before this place are chosen without a comparison.
        let mut all_before = 0;
        for (at, (day, facts)) in dated.iter().enumerate() {
            let others = dated[at + 1..].partition_point(|(other_day, _)| other_day.abs_diff(*day) <= 2);
            let end = at + 1 + others;
            if others > MAX_COMPARED {
                has_partner[all_before.max(at)..end.max(all_before)].fill(true);
                all_before = all_before.max(end);
                continue;
            }
            for other_at in at + 1..end {
                if !(has_partner[at] && has_partner[other_at])
                    && self.judge.is_near(facts, &dated[other_at].1)
                {
                    has_partner[at] = true;
                    has_partner[other_at] = true;
                }
            }
        }
        let chosen = dated.iter().zip(has_partner).filter(|(_, has_partner)| *has_partner);
        chosen.map(|(game, _)| *game).collect()
    }

    /// Takes games in the order in which they are kept, and returns the keepers.
    fn step(
        &mut self,
        games: &[GameFacts<'a>],
        class: DuplicateClass,
        found: &mut Vec<Membership>,
        is_duplicate: fn(&mut PairJudge, &GameFacts<'_>, &GameFacts<'_>) -> bool,
    ) -> Result<Vec<GameFacts<'a>>> {
        if games.len() < 2 || !games.iter().any(|facts| self.is_new(facts)) {
            return Ok(games.to_vec());
        }
        let mut ranked = Vec::with_capacity(games.len());
        for facts in games {
            ranked.push((self.rule.rank(facts, &mut self.reader)?, *facts));
        }
        ranked.sort_unstable_by_key(|(rank, _)| *rank);
        let mut step = StepResult { keepers: Keepers::default(), ranks: Vec::new() };
        for game in ranked {
            self.place(game, &mut step, class, found, is_duplicate);
        }
        Ok(step.keepers.all)
    }

    /// Adds a game to the group of the first keeper of which it is a duplicate, or makes it a keeper. Games that are in
    /// the index already are always keepers.
    fn place(
        &mut self,
        (rank, facts): Ranked<'a>,
        step: &mut StepResult<'a>,
        class: DuplicateClass,
        found: &mut Vec<Membership>,
        is_duplicate: fn(&mut PairJudge, &GameFacts<'_>, &GameFacts<'_>) -> bool,
    ) {
        let judge = &mut self.judge;
        let keeper = match self.reader.games.id(facts.number).is_new {
            true => step.keepers.find(&facts, |keeper, other| is_duplicate(judge, keeper, other)),
            false => None,
        };
        match keeper {
            Some(keeper) => found.push(Membership {
                keeper: step.keepers.all[keeper].number,
                other: facts.number,
                class,
                reason: step.ranks[keeper].reason(&rank),
            }),
            None => {
                step.keepers.add(facts);
                step.ranks.push(rank);
            }
        }
    }
}

/// Number of games that a thread compares at a time, if the units are small.
pub(super) const BATCH_GAMES: NonZeroUsize = NonZeroUsize::new(512).unwrap();
