//! Compares the games of a unit and says which are duplicates of which.

use std::sync::Arc;

use super::candidates::{Keepers, MAX_COMPARED};
use super::classes::{DuplicateClass, MIN_COMMON_PLIES, PairJudge};
use super::facts::{FactReader, GameFacts};
use super::games::Games;
use super::keeper::{KeepRule, KeeperRank, KeeperReason};
use super::text_facts::TextTable;
use super::units::{EqualGames, Unit};
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
    pub(super) fn new(games: Games<'a>, rule: KeepRule, table: Arc<TextTable>) -> Self {
        Self { reader: FactReader::new(games, table), judge: PairJudge::default(), rule }
    }

    /// Compares the games of a unit. Appends what is found to `found`.
    pub(super) fn work<'m>(&mut self, unit: &Unit<'m>, found: &mut Vec<Membership>) -> Result<()>
    where
        'a: 'm,
    {
        let mut kept: Vec<GameFacts<'m>> = Vec::new();
        for games in unit.equal_games() {
            self.equal_moves(games, &mut kept, found)?;
        }
        if kept.len() > 1 && kept[0].plies >= MIN_COMMON_PLIES {
            self.prefixes(&mut kept, found)?;
            self.near_games(kept, found)?;
        }
        Ok(())
    }

    fn is_new(&self, facts: &GameFacts<'_>) -> bool {
        self.reader.games.id(facts.number).is_new
    }

    /// Step 1: compares games with equal moves. Appends the keepers to `kept`.
    fn equal_moves<'m>(
        &mut self,
        games: EqualGames<'m>,
        kept: &mut Vec<GameFacts<'m>>,
        found: &mut Vec<Membership>,
    ) -> Result<()>
    where
        'a: 'm,
    {
        let EqualGames { moves, numbers } = games;
        if let [number] = numbers {
            kept.extend(self.reader.indexed(*number, moves)?);
            return Ok(());
        }
        // Only ranks are kept for all games: there may be millions of records without moves.
        let mut ranks: Vec<(KeeperRank, u64)> = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let Some(facts) = self.reader.indexed(number, moves)? else { continue };
            ranks.push((self.rule.rank(&facts, &mut self.reader)?, number));
        }
        ranks.sort_unstable();
        let mut step = StepResult { keepers: Keepers::default(), ranks: Vec::new() };
        for (rank, number) in ranks {
            if let Some(facts) = self.reader.read(number, moves)? {
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
    fn prefixes<'m>(&mut self, kept: &mut Vec<GameFacts<'m>>, found: &mut Vec<Membership>) -> Result<()> {
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
    fn near_games<'m>(&mut self, kept: Vec<GameFacts<'m>>, found: &mut Vec<Membership>) -> Result<()> {
        let mut dated: Vec<(i32, GameFacts<'m>)> =
            kept.into_iter().filter_map(|facts| Some((facts.date.days()?, facts))).collect();
        dated.sort_by_key(|(days, facts)| (*days, facts.number));
        let dated = self.with_partners(&dated);
        for days in dated.chunk_by(|(before, _), (after, _)| after.abs_diff(*before) <= 2) {
            let games: Vec<GameFacts<'m>> = days.iter().map(|(_, facts)| *facts).collect();
            self.step(&games, DuplicateClass::Near, found, PairJudge::is_near)?;
        }
        Ok(())
    }

    /// Returns the games of which another one, at most two days later or earlier, may be a copy. Only these are ranked, which takes
    /// their text. Games with more than [`MAX_COMPARED`] others on these days are all returned.
    fn with_partners<'m>(&mut self, dated: &[(i32, GameFacts<'m>)]) -> Vec<(i32, GameFacts<'m>)> {
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
    fn step<'m>(
        &mut self,
        games: &[GameFacts<'m>],
        class: DuplicateClass,
        found: &mut Vec<Membership>,
        is_duplicate: fn(&mut PairJudge, &GameFacts<'_>, &GameFacts<'_>) -> bool,
    ) -> Result<Vec<GameFacts<'m>>> {
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
    fn place<'m>(
        &mut self,
        (rank, facts): Ranked<'m>,
        step: &mut StepResult<'m>,
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
