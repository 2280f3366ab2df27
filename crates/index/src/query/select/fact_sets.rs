//! Finds the games whose facts allow a condition, from the columns of facts.

use super::game_selector::GameSelector;
use crate::query::eval::FactNeed;
use crate::{GameSet, NumberColumn};
use pdn::error::Result;
use pdn::value::Colour;

impl GameSelector<'_> {
    /// Returns the games whose facts meet a need, at a position that at least `lasting` plies follow. All games if the segment does not
    /// have the facts.
    pub(super) fn with_facts(&self, need: &FactNeed, lasting: u32) -> Result<GameSet> {
        match need {
            FactNeed::AtLeast(fact, least) => {
                let Some(column) = self.segment().number_column(*fact)? else { return Ok(self.all()) };
                Ok(column.games(|value| value >= u64::from(*least)))
            }
            FactNeed::King(side) => {
                let fact = match side {
                    Colour::White => NumberColumn::WhitePromotes,
                    Colour::Black => NumberColumn::BlackPromotes,
                };
                let Some(column) = self.segment().number_column(fact)? else { return Ok(self.all()) };
                let mut games = column.games(|plies| plies > 0);
                if lasting > 0 {
                    let Some(plies) = self.segment().number_column(NumberColumn::Plies)? else {
                        return Ok(games);
                    };
                    let lasts = |game: &u32| {
                        let value = |column: &crate::Column<'_>| column.get(*game as usize).unwrap_or(0);
                        value(&column) + u64::from(lasting) <= value(&plies)
                    };
                    games = games.iter().filter(lasts).collect();
                }
                // Kings of start positions and setups have no promotion.
                Ok(games | self.discontinuous()?)
            }
            FactNeed::All(needs) => {
                let mut games = self.all();
                for need in needs {
                    games &= self.with_facts(need, lasting)?;
                }
                Ok(games)
            }
            FactNeed::Any(needs) => {
                let mut games = GameSet::new();
                for need in needs {
                    games |= self.with_facts(need, lasting)?;
                }
                Ok(games)
            }
        }
    }

    /// Returns the games of at least `plies` plies: in others, no position has that many plies before or after it.
    pub(super) fn lasting(&self, plies: u32) -> Result<GameSet> {
        if plies == 0 {
            return Ok(self.all());
        }
        // Of other games, null moves count too.
        let games = self.column(NumberColumn::Plies.section())?.games(|own| own >= u64::from(plies));
        Ok(games | self.discontinuous()?)
    }
}
