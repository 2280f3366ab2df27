//! The answers of a site that are not about positions: games, the archive at a glance, players and events.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use pdn::internal::pool;
use pdn_app::same_names::{SameNames, SameNamesOfKinds};
use pdn_app::{AppError, Events, Result};
use serde_json::{Map, Value};

use super::shards::Store;
use super::{Exporter, unanswered, unwritable};
use crate::answers::{Answers, GameForm, Question};
use crate::params::Params;
use crate::problem::Problem;
use crate::requests::MOST_LISTED_GAMES;

/// Number of players of a page.
const PAGE: usize = 100;

/// What was left out of the pages.
#[derive(Default)]
pub(super) struct PagesSummary {
    /// All players, and those of the site.
    pub(super) players: [usize; 2],
    /// All events, and those of the site.
    pub(super) events: [usize; 2],
    /// Events without a cross table.
    pub(super) large_events: usize,
}

/// What the pages of a site may lead to.
struct Exported<'a> {
    games: &'a BTreeSet<u64>,
    players: Named<'a>,
    events: Named<'a>,
}

/// The players or events that have a page.
struct Named<'a> {
    same: &'a SameNames,
    /// The name of the page by the key of its spellings.
    pages: HashMap<String, &'a str>,
}

impl<'a> Named<'a> {
    fn new(same: &'a SameNames, names: impl Iterator<Item = &'a str>) -> Self {
        Self { same, pages: names.map(|name| (same.key(name), name)).collect() }
    }

    /// Gives the first of these members that exists the name of its page: among other games, another spelling may have the most.
    /// Returns `false` if there is no page.
    fn lead(&self, members: &mut Map<String, Value>, names: &[&str]) -> bool {
        let found = names.iter().find(|&&name| members.get(name).is_some_and(Value::is_string));
        let Some(Value::String(text)) = found.and_then(|&name| members.get_mut(name)) else { return true };
        let page = self.pages.get(&self.same.key(text));
        if let Some(&page) = page {
            page.clone_into(text);
        }
        page.is_some()
    }
}

impl Exported<'_> {
    /// Marks the games, players and events of an answer that are not on the site by `"on_site": false`, so that the page has no link
    /// to them. Those that have a page get its name. `list` is the member that the value stands in.
    fn mark(&self, value: &mut Value, list: &str) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.mark(item, list)),
            Value::Object(members) => {
                let is_absent = match list {
                    "opponents" | "players" => !self.players.lead(members, &["name", "player"]),
                    "events" => !self.events.lead(members, &["event"]),
                    _ => members
                        .get("game")
                        .and_then(Value::as_u64)
                        .is_some_and(|game| !self.games.contains(&game)),
                };
                members.iter_mut().for_each(|(name, member)| self.mark(member, name));
                if is_absent {
                    members.insert("on_site".to_owned(), false.into());
                }
            }
            _ => (),
        }
    }

    /// Marks an answer in JSON.
    fn marked(&self, json: &str) -> String {
        let mut answer = serde_json::from_str(json).unwrap_or_default();
        self.mark(&mut answer, "");
        answer.to_string()
    }
}

/// Stores the games of these numbers. Returns the numbers of those whose text cannot be read.
///
/// # Errors
///
/// If a file cannot be written, or the work was stopped.
pub(super) fn games(
    exporter: &Exporter<'_>,
    numbers: &BTreeSet<u64>,
    store: &mut Store,
    events: &mut dyn Events,
) -> Result<Vec<u64>> {
    let (mut unreadable, mut failed) = (Vec::new(), Ok(()));
    let (total, mut done) = (numbers.len(), 0);
    pool::ordered(
        numbers.iter().copied(),
        exporter.options.threads,
        || (),
        |(), number| {
            let answer = |form| exporter.answer(&Question::Game(number, form), &Params::default());
            let game = answer(GameForm::Json).and_then(|game| Ok((game, answer(GameForm::Pdn)?)));
            (number, game.map(|(game, text)| format!("{{\"game\":{game},\"pdn\":{}}}", Value::from(text))))
        },
        |(number, json): (u64, std::result::Result<String, Problem>)| {
            done += 1;
            events.progress(0, &format!("{done} of {total} games"));
            let stored = match json {
                Ok(json) => store.push(number.to_string(), &json).map_err(|error| unwritable(&error)),
                Err(_) => {
                    unreadable.push(number);
                    Ok(())
                }
            };
            match stored.and_then(|()| exporter.stop.check().map_err(AppError::from)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Err(error);
                    ControlFlow::Break(())
                }
            }
        },
    );
    failed.map(|()| unreadable)
}

/// Stores the archive at a glance, the lists of players, and the pages of players and events. `games` are the numbers of the games that
/// the site has.
///
/// # Errors
///
/// If the index is damaged, a file cannot be written, or the work was stopped.
pub(super) fn overview(
    exporter: &Exporter<'_>,
    games: &BTreeSet<u64>,
    store: &mut Store,
    events: &mut dyn Events,
) -> Result<PagesSummary> {
    let mut summary = PagesSummary::default();
    let mut questions = vec![("stats".to_owned(), Question::Stats, Params::default())];
    let map = exporter.options.names.as_deref();
    let players = exporter.archive.players(map, &exporter.stop)?.names();
    let listed = players.len().min(exporter.options.players);
    summary.players = [players.len(), listed];
    for offset in (0..listed.max(1)).step_by(PAGE) {
        let limit = PAGE.min(listed - offset);
        let params = params(&[("offset", &offset.to_string()), ("limit", &limit.to_string())]);
        questions.push((format!("players?offset={offset}"), Question::Players, params));
    }
    for name in &players[..listed] {
        let player = format!("={name}");
        questions.push((format!("player?name={player}"), Question::Player, params(&[("name", &player)])));
    }
    let names = exporter.archive.events(map, &exporter.stop)?.names();
    summary.events = [names.len(), names.len().min(exporter.options.events)];
    let names = &names[..summary.events[1]];
    for named in names {
        let event = format!("={}", named.name);
        questions.push((format!("event?name={event}"), Question::Event, params(&[("name", &event)])));
        summary.large_events += usize::from(named.games > MOST_LISTED_GAMES);
    }
    let same = SameNamesOfKinds::new(map);
    let exported = Exported {
        games,
        players: Named::new(&same.players, players[..listed].iter().map(|name| &**name)),
        events: Named::new(&same.events, names.iter().map(|named| named.name.as_str())),
    };
    let (mut failed, total, mut done) = (Ok(()), questions.len(), 0);
    pool::ordered(
        questions,
        exporter.options.threads,
        || (),
        |(), (key, question, params)| Ok((key, exported.marked(&exporter.answer(&question, &params)?))),
        |answer: std::result::Result<(String, String), Problem>| {
            done += 1;
            events.progress(0, &format!("{done} of {total} pages"));
            let stored = answer.map_err(unanswered).and_then(|(key, json)| {
                store.push(key, &json).map_err(|error| unwritable(&error))?;
                exporter.stop.check().map_err(AppError::from)
            });
            match stored {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Err(error);
                    ControlFlow::Break(())
                }
            }
        },
    );
    failed.map(|()| summary)
}

/// Returns parameters of these names and values.
fn params(pairs: &[(&str, &str)]) -> Params {
    let mut params = Params::default();
    for (name, value) in pairs {
        params.push(*name, *value);
    }
    params
}

impl Exporter<'_> {
    /// Returns the body of an answer of the server.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub(super) fn answer(
        &self,
        question: &Question,
        params: &Params,
    ) -> std::result::Result<String, Problem> {
        let (answer, _) = self.archives.answer(&self.name, question, params, &self.stop)?;
        Ok(String::from_utf8_lossy(&answer.body).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_on_the_site_is_marked_and_everything_else_stays() {
        let games = BTreeSet::from([7]);
        let same = SameNamesOfKinds::new(None);
        let players = Named::new(&same.players, ["Berg", "Eik, Sam"].into_iter());
        let events = Named::new(&same.events, ["Club"].into_iter());
        let exported = Exported { games: &games, players, events };
        let answer = json!({
            "name": "Duin",
            "opponents": [{ "name": "Berg" }, { "name": "Duin" }, { "name": "SAM EIK" }],
            "events": [{ "event": "Club" }, { "event": "Cup" }],
            "standings": [{ "players": [{ "player": "Berg", "results": [{ "game": 7 }, { "game": 8 }] }] }],
            "rounds": [{ "games": [{ "game": 8, "white": "Duin" }] }],
        });
        let mut expected = answer.clone();
        for place in ["/opponents/1", "/events/1", "/standings/0/players/0/results/1", "/rounds/0/games/0"] {
            expected.pointer_mut(place).unwrap()["on_site"] = false.into();
        }
        // The page of a player has the spelling of most games.
        expected.pointer_mut("/opponents/2").unwrap()["name"] = "Eik, Sam".into();
        let marked: Value = serde_json::from_str(&exported.marked(&answer.to_string())).unwrap();
        assert_eq!(marked, expected);
    }
}
