//! Compares the games of a unit and says which are duplicates of which.

use super::candidates::{Keepers, MAX_COMPARED};
use super::classes::{DuplicateClass, MIN_COMMON_PLIES, PairJudge};
use super::facts::{FactReader, GameFacts};
use super::games::Games;
use super::keeper::{KeepRule, KeeperRank};
use super::many_copies::{KeeperOfCopies, Membership};
use super::units::{Copies, EqualGames, Unit};
use pdn::error::Result;
use pdn_rules::internal::steps;

/// What is found in units.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) members: Vec<Membership>,
    /// The keepers of games that have more copies than are in the units.
    pub(super) keepers: Vec<KeeperOfCopies>,
    /// Number of comparisons of a game with other games that were cut short, because too many resemble it.
    pub(super) uncompared: u64,
    /// The games that take no part, because no text of them is stored.
    pub(super) without_text: Vec<u64>,
}

/// Compares the games of units, on one thread.
#[derive(Debug)]
pub(super) struct UnitWorker<'a> {
    reader: FactReader<'a>,
    judge: PairJudge,
}

/// A game with its rank.
type Ranked<'a> = (KeeperRank, GameFacts<'a>);

/// Games with equal moves and tags that belong to one keeper.
struct RankedCopies<'m> {
    /// Rank and facts of the first of them.
    rank: KeeperRank,
    facts: GameFacts<'m>,
    /// Ranks of the others.
    others: &'m [KeeperRank],
    /// The game of which [`ManyCopies`](super::many_copies::ManyCopies) has more copies, if it has.
    more_of: Option<u64>,
}

impl<'m> RankedCopies<'m> {
    /// Returns the games of `copies`, the first of which is `first`. A game of the known index always stays, so it is returned
    /// alone. Its new copies may belong to another game of that index, with other tags, if that one comes first.
    fn of(first: GameFacts<'m>, copies: &Copies<'m>) -> impl Iterator<Item = Self> + use<'m> {
        let more_of = copies.has_more.then_some(first.number);
        let known = copies.ranks.split_first().filter(|(rank, _)| !rank.is_new());
        let known = known.map(|(&rank, _)| Self { rank, facts: first, others: &[], more_of: None });
        let new = copies.ranks.get(usize::from(known.is_some())..).and_then(<[KeeperRank]>::split_first);
        let new = new.map(|(&rank, others)| {
            let facts = match known {
                Some(_) => GameFacts { number: rank.number(), text: Some(rank.text()), ..first },
                None => first,
            };
            Self { rank, facts, others, more_of }
        });
        known.into_iter().chain(new)
    }
}

/// The keepers of one step, and which other games belong to which of them.
struct StepResult<'a> {
    keepers: Keepers<'a>,
    ranks: Vec<KeeperRank>,
}

impl<'a> UnitWorker<'a> {
    pub(super) fn new(games: Games<'a>, rule: KeepRule) -> Self {
        Self { reader: FactReader::new(games, rule), judge: PairJudge::default() }
    }

    /// Compares the games of a unit. Appends what is found to `found`.
    pub(super) fn work(&mut self, unit: &Unit<'_>, found: &mut Found) -> Result<()> {
        let mut kept: Vec<GameFacts<'_>> = Vec::new();
        for games in unit.equal_games() {
            self.equal_moves(&games, &mut kept, found)?;
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
        games: &EqualGames<'m>,
        kept: &mut Vec<GameFacts<'m>>,
        found: &mut Found,
    ) -> Result<()> {
        let is_single = games.copies().len() == 1;
        let mut ranked: Vec<RankedCopies<'m>> = Vec::with_capacity(games.copies().len());
        for copies in games.copies() {
            let Some(mut first) = copies.first() else { continue };
            if is_single && copies.ranks.len() == 1 {
                kept.push(first);
                return Ok(());
            }
            if !self.reader.complete(&mut first)? {
                found.without_text.extend(copies.ranks.iter().map(KeeperRank::number));
                continue;
            }
            ranked.extend(RankedCopies::of(first, &copies));
        }
        ranked.sort_unstable_by_key(|copies| copies.rank);
        let mut step = StepResult { keepers: Keepers::of_whole_records(), ranks: Vec::new() };
        let mut copies: Vec<(usize, GameFacts<'m>)> = Vec::new();
        for RankedCopies { rank, facts, others, more_of } in ranked {
            let game = (rank, facts);
            let keeper =
                self.place(game, &mut step, DuplicateClass::Exact, &mut found.members, PairJudge::is_exact);
            copies.push((keeper, facts));
            // The other copies belong to the keeper of the first one.
            let (keeper, keeper_rank) = (step.keepers.all[keeper].number, step.ranks[keeper]);
            for rank in others {
                found.members.push(Membership {
                    keeper,
                    other: rank.number(),
                    class: DuplicateClass::Exact,
                    reason: keeper_rank.reason(rank),
                });
            }
            found.keepers.extend(more_of.map(|first| KeeperOfCopies { first, keeper: keeper_rank }));
        }
        let StepResult { keepers: Keepers { all: mut keepers, uncompared, .. }, ranks } = step;
        found.uncompared += uncompared;
        // The moves of a damaged game are not known to the end, and games without moves have no moves in common. Problems with one
        // position are compared later, whatever their moves are.
        let judge = &mut self.judge;
        let is_compared: Vec<bool> =
            keepers.iter().map(|facts| !facts.has_rest() && !judge.is_problem(facts)).collect();
        // The keeper may be the copy with comments, and another one know the date.
        for (keeper, facts) in copies {
            keepers[keeper].complete_from(&facts);
        }
        if let Some(first) = is_compared.iter().position(|&is_compared| is_compared) {
            for (at, (facts, rank)) in keepers.iter().zip(&ranks).enumerate().skip(first + 1) {
                if is_compared[at] && self.is_new(facts) {
                    found.members.push(Membership {
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
    fn prefixes<'m>(&mut self, kept: &mut Vec<GameFacts<'m>>, found: &mut Found) -> Result<()> {
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
    fn near_games<'m>(&mut self, kept: Vec<GameFacts<'m>>, found: &mut Found) -> Result<()> {
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
        found: &mut Found,
        is_duplicate: fn(&mut PairJudge, &GameFacts<'_>, &GameFacts<'_>) -> bool,
    ) -> Result<Vec<GameFacts<'m>>> {
        if games.len() < 2 || !games.iter().any(|facts| self.is_new(facts)) {
            return Ok(games.to_vec());
        }
        let mut ranked = Vec::with_capacity(games.len());
        for facts in games {
            let mut facts = *facts;
            if !self.reader.complete_rank(&mut facts)? {
                found.without_text.push(facts.number);
                continue;
            }
            ranked.push((self.reader.rank(&facts), facts));
        }
        ranked.sort_unstable_by_key(|(rank, _)| *rank);
        let mut step = StepResult { keepers: Keepers::default(), ranks: Vec::new() };
        for game in ranked {
            self.place(game, &mut step, class, &mut found.members, is_duplicate);
        }
        found.uncompared += step.keepers.uncompared;
        Ok(step.keepers.all)
    }

    /// Adds a game to the group of the first keeper of which it is a duplicate, or makes it a keeper. Games that are in
    /// the index already are always keepers. Returns the place of the keeper in `step`.
    fn place<'m>(
        &mut self,
        (rank, facts): Ranked<'m>,
        step: &mut StepResult<'m>,
        class: DuplicateClass,
        found: &mut Vec<Membership>,
        is_duplicate: fn(&mut PairJudge, &GameFacts<'_>, &GameFacts<'_>) -> bool,
    ) -> usize {
        let judge = &mut self.judge;
        let keeper = match self.reader.games.id(facts.number).is_new {
            true => step.keepers.find(&facts, |keeper, other| is_duplicate(judge, keeper, other)),
            false => None,
        };
        let Some(keeper) = keeper else {
            step.keepers.add(facts);
            step.ranks.push(rank);
            return step.ranks.len() - 1;
        };
        found.push(Membership {
            keeper: step.keepers.all[keeper].number,
            other: facts.number,
            class,
            reason: step.ranks[keeper].reason(&rank),
        });
        keeper
    }
}
