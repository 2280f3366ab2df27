//! The positions of a site: found from the start position through positions of many games, each with its tree.

use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use pdn::internal::pool;
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn_app::moves::DrawnPosition;
use pdn_app::position::PlaceRequest;
use pdn_app::tree::VariantTrees;
use pdn_app::{AppError, Events, Result};
use pdn_index::query::TreeOptions;
use serde_json::{Value, json};

use super::shards::{Store, hash};
use super::{Exporter, unanswered, unwritable};
use crate::archives::example_rows;
use crate::problem::Problem;
use crate::served_archive::OpenArchive;

/// Greatest number of bytes of the list of moves that finds the position of an address at once.
const MAX_LIST_BYTES: usize = 90_000;

/// A position of the site.
struct Node {
    games: u64,
    /// The moves with the keys of the positions after them.
    moves: Vec<(String, String)>,
}

/// The positions of a variant.
#[derive(Default)]
pub(super) struct Positions {
    nodes: HashMap<String, Node>,
    /// Numbers of the example games.
    pub(super) examples: BTreeSet<u64>,
    /// Positions that were looked at and have too few games.
    pub(super) rare: u64,
    /// Moves that lead on from the last ply.
    pub(super) moves_beyond: u64,
    /// Positions that have the key of another one by chance.
    pub(super) clashes: u64,
}

/// A position with its answers.
struct Found {
    games: u64,
    json: String,
    /// The moves with the positions after them.
    moves: Vec<(String, String)>,
    examples: Vec<u64>,
}

/// Returns the side to move and the pieces of a FEN in an order that does not depend on how it is written, as `canonical` in
/// `shards.js` does.
fn canonical(fen: &str) -> String {
    let mut parts = fen.trim().split(':');
    let turn = if parts.next().is_some_and(|turn| turn.starts_with('B')) { 'b' } else { 'w' };
    let mut pieces = Vec::new();
    for side in parts {
        let colour = match side.get(..1) {
            Some("W") => 'w',
            Some("B") => 'b',
            _ => continue,
        };
        let words = side[1..].trim_end_matches('.').split(',').filter(|word| !word.is_empty());
        pieces.extend(words.map(|word| format!("{colour}{word}")));
    }
    pieces.sort_unstable();
    format!("{turn}{}", pieces.join(","))
}

/// Returns the key of a position.
pub(super) fn key(fen: &str) -> String {
    format!("{:013x}", hash(&canonical(fen)) >> 12)
}

impl Positions {
    /// Finds the positions of a variant that belong to the site, computes the answer for each, and adds it to `store`. Returns
    /// the positions.
    ///
    /// # Errors
    ///
    /// If the index is damaged, a file cannot be written, or the work was stopped.
    pub(super) fn find(
        exporter: &Exporter<'_>,
        variant: Variant,
        start: &str,
        store: &mut Store,
        events: &mut dyn Events,
    ) -> Result<Self> {
        let mut positions = Self::default();
        let trees = VariantTrees::new(&exporter.archive.index, variant)?;
        let mut level = vec![(key(start), start.to_owned())];
        let mut seen: HashMap<String, String> = HashMap::from([(key(start), canonical(start))]);
        for ply in 0..=exporter.options.plies {
            let mut next = Vec::new();
            let mut failed = Ok(());
            let reader = exporter.reader();
            pool::ordered(
                std::mem::take(&mut level),
                exporter.options.threads,
                || (),
                |(), (key, fen)| Ok((key, reader.position(variant, &trees, &fen)?)),
                |result: std::result::Result<(String, Option<Found>), Problem>| {
                    let stored = result.map_err(unanswered).and_then(|(key, found)| {
                        let is_last = ply == exporter.options.plies;
                        let added = positions.add(key, found, is_last, store, &mut seen, &mut next);
                        added.map_err(|error| unwritable(&error))?;
                        exporter.stop.check().map_err(AppError::from)
                    });
                    events.progress(0, &format!("{} positions", store.len()));
                    match stored {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(error) => {
                            failed = Err(error);
                            ControlFlow::Break(())
                        }
                    }
                },
            );
            failed?;
            level = next;
        }
        Ok(positions)
    }

    /// Stores a position and appends the positions after its moves that were not seen before.
    fn add(
        &mut self,
        key: String,
        found: Option<Found>,
        is_last: bool,
        store: &mut Store,
        seen: &mut HashMap<String, String>,
        next: &mut Vec<(String, String)>,
    ) -> io::Result<()> {
        let Some(found) = found else {
            self.rare += 1;
            return Ok(());
        };
        store.push(key.clone(), &found.json)?;
        self.examples.extend(found.examples);
        let mut moves = Vec::with_capacity(found.moves.len());
        for (text, after) in found.moves {
            let (after_key, after_text) = (self::key(&after), canonical(&after));
            match seen.get(&after_key) {
                Some(other) if *other != after_text => {
                    self.clashes += 1;
                    continue;
                }
                Some(_) => {}
                None if is_last => self.moves_beyond += 1,
                None => {
                    seen.insert(after_key.clone(), after_text);
                    next.push((after_key.clone(), after));
                }
            }
            moves.push((text, after_key));
        }
        self.nodes.insert(key, Node { games: found.games, moves });
        Ok(())
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the list of moves from the start position through the positions of the most games, as long as it is short:
    /// the keys of these positions, and for each its moves with the numbers of the positions after them.
    pub(super) fn move_list(&self, start: &str) -> Value {
        let start = key(start);
        let mut chosen: Vec<&str> = Vec::new();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut waiting = BinaryHeap::new();
        if let Some((key, node)) = self.nodes.get_key_value(&start) {
            waiting.push((node.games, std::cmp::Reverse(key.as_str())));
        }
        let mut bytes = 0;
        while let Some((_, std::cmp::Reverse(key))) = waiting.pop() {
            if numbers.contains_key(key) {
                continue;
            }
            // The key, and the moves that lead to it, of which most positions have one or two.
            bytes += key.len() + 30;
            if bytes > MAX_LIST_BYTES {
                break;
            }
            numbers.insert(key, chosen.len());
            chosen.push(key);
            for (_, after) in &self.nodes[key].moves {
                if let Some((after, node)) = self.nodes.get_key_value(after)
                    && !numbers.contains_key(after.as_str())
                {
                    waiting.push((node.games, std::cmp::Reverse(after.as_str())));
                }
            }
        }
        let moves_of = |key: &&str| {
            let known = self.nodes[*key].moves.iter();
            let known = known.filter_map(|(text, after)| Some((text, numbers.get(after.as_str())?)));
            known.map(|(text, number)| format!("{text} {number}")).collect::<Vec<_>>().join(" ")
        };
        let moves: Vec<String> = chosen.iter().map(moves_of).collect();
        json!({ "keys": chosen.concat(), "moves": moves })
    }
}

/// Reads answers on the threads of the exporter.
pub(super) struct Reader<'a> {
    pub(super) archive: &'a OpenArchive,
    pub(super) stop: &'a Stop,
    pub(super) examples: u64,
    pub(super) min_games: u64,
}

impl Reader<'_> {
    /// Returns the answers about a position: those of `/position`, and of `/tree` without the examples of single moves.
    /// `None` if it has too few games.
    fn position(
        &self,
        variant: Variant,
        trees: &VariantTrees,
        fen: &str,
    ) -> std::result::Result<Option<Found>, Problem> {
        let place = PlaceRequest::new(Some(fen), None);
        let position = place.position(variant.game(), &mut Vec::new())?;
        let options = TreeOptions::new().threads(NonZeroUsize::MIN).stop(self.stop);
        let options = options.examples(self.examples as usize);
        let tree = trees.tree(&self.archive.index, &position, &options, self.min_games)?;
        let Some(mut tree) = tree.map(|found| found.answer()) else { return Ok(None) };
        tree.moves.iter_mut().for_each(|entry| entry.tally.examples.clear());
        let moves = tree.moves.iter().map(|entry| (entry.text.clone(), entry.after.clone())).collect();
        let rows = example_rows(self.archive, &tree, None)?;
        let mut value = json!(tree);
        for entry in value["moves"].as_array_mut().into_iter().flatten() {
            if let Some(entry) = entry.as_object_mut() {
                entry.shift_remove("examples");
            }
        }
        value["rows"] = Value::Object(rows);
        let drawn = DrawnPosition::of(variant.name(), &position)?;
        let json = json!({ "position": drawn, "tree": value }).to_string();
        Ok(Some(Found { games: tree.tally.games, json, moves, examples: tree.tally.examples }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_have_one_key_however_they_are_written() {
        let key_of = |fen| (canonical(fen), key(fen));
        assert_eq!(key_of("W:W31,K32:B1,20"), key_of("W:B20,1:WK32,31."));
        assert_eq!(canonical("B:W31,K32:B1,20"), "bb1,b20,w31,wK32");
        assert_eq!(key("B:W31,K32:B1,20").len(), 13);
        assert_ne!(key("B:W31:B1"), key("W:W31:B1"));
    }

    #[test]
    fn list_of_moves_has_the_positions_of_the_most_games() {
        let mut positions = Positions::default();
        let fen = |n: usize| format!("W:W{n}:B1");
        for n in 0..6_000 {
            let moves = [2 * n + 1, 2 * n + 2].map(|after| (format!("m{after}"), key(&fen(after))));
            positions.nodes.insert(key(&fen(n)), Node { games: 10_000 - n as u64, moves: moves.into() });
        }
        let list = positions.move_list(&fen(0));
        let (keys, moves) = (list["keys"].as_str().unwrap(), list["moves"].as_array().unwrap());
        assert_eq!(keys.len(), 13 * moves.len());
        assert_eq!(keys[..13], key(&fen(0)));
        assert_eq!(moves[0], "m1 1 m2 2");
        assert!((1_000..6_000).contains(&moves.len()), "{}", moves.len());
        assert!(list.to_string().len() < 100_000, "{}", list.to_string().len());
        assert_eq!(Positions::default().move_list(&fen(0))["keys"], "");
    }
}
