//! Finds the person or the event that a name means among the games of an index.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use pdn::stop::Stop;
use pdn::value::Date;
use pdn_index::internal::query::{DateRange, Field, RowTable};
use pdn_index::query::{Hit, Query, Search};
use pdn_index::{GameRow, Index};
use pdn_names::{NamePattern, fold};
use serde::Serialize;

use crate::ask::error::Result;
use crate::find::no_match::no_match;
use crate::report::same_names::{SameNames, is_against_oneself};

/// Number of games after which the flag that stops the work is looked at.
const GAMES_PER_LOOK: usize = 4096;

/// A name with its number of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedGames {
    /// The name as written, or as the file of names gives it.
    pub name: String,
    /// The number of games.
    pub games: u64,
}

/// Sorts names, those with the most games first.
pub(crate) fn sort_names(names: &mut [NamedGames]) {
    names.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
}

/// Returns `true` if the value of an Event tag names an event, which `?` and `-` do not.
pub(crate) fn is_event(name: &str) -> bool {
    fold(name).len() > 1
}

/// Returns the query for games of a year, or without one.
pub(crate) fn year_query(year: Option<u16>) -> Query {
    let date = |year| Date::new(Some(year), None, None);
    let without = || Query::Not(Box::new(Query::date(DateRange::new(date(1), date(9999)))));
    year.and_then(date).map_or_else(without, |date| Query::date(DateRange::of(date)))
}

/// The games in which a name is looked for.
pub(crate) struct Scope<'a> {
    pub(crate) index: &'a Index,
    pub(crate) table: &'a RowTable<'a>,
    /// Conditions on games.
    pub(crate) filter: &'a Query,
    pub(crate) threads: NonZeroUsize,
    pub(crate) stop: &'a Stop,
}

/// The person or event that a name means.
#[derive(Clone, Debug)]
pub(crate) struct FoundName {
    /// Its key by the rule of [`SameNames`].
    pub(crate) key: String,
    /// The name that the file of names gives, or the spelling of most games.
    pub(crate) name: String,
    /// Others whose name matches too, those with the most games first.
    pub(crate) others: Vec<NamedGames>,
    /// A spelling of each folded text of the key that the games have.
    spellings: HashMap<String, String>,
    /// Games among which are all in which the field has the name.
    pub(crate) hits: Vec<Hit>,
}

impl FoundName {
    /// Returns the query for games in which a field has the name.
    pub(crate) fn query(&self, same: &SameNames, field: Field) -> Query {
        same.query(field, &self.key, &self.spellings)
    }
}

impl Scope<'_> {
    /// Returns the games that match a query.
    pub(crate) fn search(&self, query: Query) -> Result<Vec<Hit>> {
        let query = query & self.filter.clone();
        Ok(Search::new(self.index, &query, self.threads)?.stop(self.stop).hits(usize::MAX)?.0)
    }

    /// Passes the row of each game with its number, from 0, to `visit`.
    ///
    /// # Errors
    ///
    /// If the work was stopped, or the index cannot be read.
    pub(crate) fn each_row<'t>(
        &'t self,
        hits: &[Hit],
        mut visit: impl FnMut(u64, &GameRow<'t>),
    ) -> Result<()> {
        for games in hits.chunks(GAMES_PER_LOOK) {
            self.stop.check()?;
            self.table.fetch_rows(games.iter().map(|hit| hit.game))?;
            for hit in games {
                if let Some(row) = self.table.row(hit.game) {
                    visit(hit.game, &row);
                }
            }
        }
        Ok(())
    }

    /// Finds the person (`Field::Player`) or the event (`Field::Event`) that a name means: the one with the most games of those that
    /// match as in a query. The name that the file of names gives matches like a spelling.
    ///
    /// # Errors
    ///
    /// If none matches, the index is damaged, or the work was stopped.
    pub(crate) fn find(&self, same: &SameNames, field: Field, pattern: &NamePattern) -> Result<FoundName> {
        let listed = same.matching(pattern);
        let asked = Query::tag(field, pattern.clone());
        let mut queries = vec![asked.clone()];
        queries.extend(listed.iter().map(|key| same.query(field, key, &HashMap::new())));
        let hits = self.search(if queries.len() == 1 { asked.clone() } else { Query::Or(queries) })?;
        // Of each spelling, the number of the person or event among those found, if it matches.
        let mut by_spelling: HashMap<&str, (Option<usize>, u64)> = HashMap::new();
        let (mut numbers, mut games): (HashMap<String, usize>, Vec<u64>) = (HashMap::new(), Vec::new());
        self.each_row(&hits, |_, row| {
            let texts = texts(row, field);
            let mut number = |text| {
                let (number, _) = by_spelling.entry(text).or_insert_with(|| {
                    let key = same.key(text);
                    let is_found = !key.is_empty() && (pattern.matches(text) || listed.contains(&key));
                    let number = is_found.then(|| {
                        *numbers.entry(key).or_insert_with(|| {
                            games.push(0);
                            games.len() - 1
                        })
                    });
                    (number, 0)
                });
                *number
            };
            let found: Vec<Option<usize>> = texts.iter().map(|&text| number(text)).collect();
            // Equal numbers stand for equal keys of names: a game against oneself counts for nobody.
            if let [Some(white), Some(black)] = found[..]
                && white == black
            {
                return;
            }
            for (text, number) in texts.into_iter().zip(found) {
                by_spelling.entry(text).and_modify(|(_, count)| *count += 1);
                if let Some(number) = number {
                    games[number] += 1;
                }
            }
        })?;
        let mut spellings: Vec<Vec<(&str, u64)>> = vec![Vec::new(); games.len()];
        for (text, (number, count)) in by_spelling {
            if let Some(number) = number {
                spellings[number].push((text, count));
            }
        }
        spellings.iter_mut().for_each(|spellings| sort_spellings(spellings));
        let mut found: Vec<(NamedGames, &String, usize)> = numbers
            .iter()
            .map(|(key, &number)| {
                let name = same.name(key).or_else(|| spellings[number].first().map(|(text, _)| *text));
                let name = name.unwrap_or_default().to_owned();
                (NamedGames { name, games: games[number] }, key, number)
            })
            .collect();
        found.sort_by(|(a, ..), (b, ..)| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        let mut found = found.into_iter();
        let Some((first, key, number)) = found.next() else {
            return Err(no_match(self.index, &(asked & self.filter.clone()), self.threads)?);
        };
        let others = found.map(|(named, ..)| named).collect();
        let (hits, spellings) = if listed.contains(key) {
            (hits, std::mem::take(&mut spellings[number]))
        } else {
            // Words match a name in other letters, and not its spelling without accents.
            let hits = self.search(same.query(field, key, &HashMap::new()))?;
            let mut counts: HashMap<&str, (bool, u64)> = HashMap::new();
            self.each_row(&hits, |_, row| {
                let texts = texts(row, field);
                let mut is_own = |text| counts.entry(text).or_insert_with(|| (same.key(text) == *key, 0)).0;
                let own: Vec<bool> = texts.iter().map(|&text| is_own(text)).collect();
                if own == [true, true] {
                    return;
                }
                for text in texts {
                    counts.entry(text).and_modify(|(_, games)| *games += 1);
                }
            })?;
            let own = counts.into_iter().filter(|(_, (is_own, _))| *is_own);
            let mut spellings: Vec<_> = own.map(|(text, (_, games))| (text, games)).collect();
            sort_spellings(&mut spellings);
            (hits, spellings)
        };
        let name = same.name(key).map(str::to_owned);
        let name = name.or_else(|| Some(spellings.first()?.0.to_owned())).unwrap_or(first.name);
        // The spelling of most games comes last and stays.
        let of_folded = |(text, _): &(&str, u64)| (fold(text), (*text).to_owned());
        let spellings = spellings.iter().rev().map(of_folded).collect();
        Ok(FoundName { key: key.clone(), name, others, spellings, hits })
    }
}

/// Sorts spellings, those of most games first.
fn sort_spellings(spellings: &mut [(&str, u64)]) {
    spellings.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
}

/// Returns the texts of a row in which a name is looked for.
fn texts<'a>(row: &GameRow<'a>, field: Field) -> Vec<&'a str> {
    if field == Field::Event { vec![row.event] } else { vec![row.white, row.black] }
}

/// Numbers persons or events in the order in which their spellings are met. Each spelling is folded once.
pub(crate) struct KeyNumbers<'a> {
    same: &'a SameNames,
    /// The place of each spelling in `spellings`.
    places: HashMap<&'a str, usize>,
    /// The spellings with the numbers of what they name, and their games.
    spellings: Vec<(&'a str, usize, u64)>,
    by_key: HashMap<String, usize>,
    /// For each number its key, and the places of its spellings.
    keys: Vec<(String, Vec<usize>)>,
}

impl<'a> KeyNumbers<'a> {
    pub(crate) fn new(same: &'a SameNames) -> Self {
        Self { same, places: HashMap::new(), spellings: Vec::new(), by_key: HashMap::new(), keys: Vec::new() }
    }

    /// Returns the number of a spelling, from 0, and counts a game of it.
    pub(crate) fn number(&mut self, spelling: &'a str) -> usize {
        self.number_of_games(spelling, 1)
    }

    /// Returns the numbers of White and Black. No game is counted.
    pub(crate) fn players(&mut self, row: &GameRow<'a>) -> [usize; 2] {
        [row.white, row.black].map(|name| self.number_of_games(name, 0))
    }

    /// Returns `true` for a game of these players against oneself.
    pub(crate) fn is_against_oneself(&self, players: [usize; 2]) -> bool {
        is_against_oneself(players.map(|number| self.key(number)))
    }

    /// Counts a game of the spellings of White and Black.
    pub(crate) fn count_players(&mut self, row: &GameRow<'a>) {
        for name in [row.white, row.black] {
            self.number(name);
        }
    }

    /// Returns the number of a spelling, from 0, and counts these games of it.
    pub(crate) fn number_of_games(&mut self, spelling: &'a str, games: u64) -> usize {
        let Self { same, places, spellings, by_key, keys } = self;
        let place = *places.entry(spelling).or_insert_with(|| {
            let number = *by_key.entry(same.key(spelling)).or_insert_with_key(|key| {
                keys.push((key.clone(), Vec::new()));
                keys.len() - 1
            });
            keys[number].1.push(spellings.len());
            spellings.push((spelling, number, 0));
            spellings.len() - 1
        });
        self.spellings[place].2 += games;
        self.spellings[place].1
    }

    /// Returns the key of a number; empty for names without a letter and a digit.
    pub(crate) fn key(&self, number: usize) -> &str {
        &self.keys[number].0
    }

    /// Returns the number of a key, if a spelling of it was met.
    pub(crate) fn of_key(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// Returns the spellings of a number in the games that were counted, those with the most games first.
    pub(crate) fn spellings(&self, number: usize) -> Vec<NamedGames> {
        let places = self.keys[number].1.iter().map(|&place| self.spellings[place]);
        let places = places.filter(|(_, _, games)| *games > 0);
        let mut spellings: Vec<NamedGames> =
            places.map(|(name, _, games)| NamedGames { name: name.to_owned(), games }).collect();
        sort_names(&mut spellings);
        spellings
    }

    /// Returns the name of a number: that of the file of names, or the spelling of most games.
    pub(crate) fn name(&self, number: usize) -> String {
        match self.same.name(self.key(number)) {
            Some(name) => name.to_owned(),
            None => self.spellings(number).first().map(|named| named.name.clone()).unwrap_or_default(),
        }
    }

    /// Returns the query for games in which a field has the name of a number.
    pub(crate) fn query(&self, number: usize, field: Field) -> Query {
        let mut texts: HashMap<String, String> = HashMap::new();
        for spelling in self.spellings(number) {
            // The one of most games comes first.
            texts.entry(fold(&spelling.name)).or_insert(spelling.name);
        }
        self.same.query(field, self.key(number), &texts)
    }
}
