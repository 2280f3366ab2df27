//! Which variant `pdn tree` shows, against a naive twin.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::replay::play_text;
use pdn::rules::Variant;
use serde_json::{Value, json};

use crate::common::{run, text};

const VARIANTS: [Variant; 4] = [Variant::International, Variant::English, Variant::Russian, Variant::Frisian];

/// A game as the twin knows it.
struct Game {
    variant: Variant,
    white: String,
    moves: Vec<String>,
    positions: Vec<Position>,
}

/// Returns games of some plies each; `random` returns a number below its argument.
fn games(count: usize, random: &mut dyn FnMut(usize) -> usize) -> Vec<Game> {
    let mut list = MoveList::new();
    (0..count)
        .map(|_| {
            let white = format!("A{}", random(3));
            // Each player prefers a variant.
            let variant = VARIANTS[if random(2) == 0 { white.len() % 2 + random(2) } else { random(4) }];
            let mut position = Position::start(variant);
            let (mut moves, mut positions) = (Vec::new(), vec![position]);
            for _ in 0..random(5) {
                position.legal_moves(&mut list).unwrap();
                let mv = list[random(list.len().min(4))];
                moves.push(move_text(&position, &mv, MoveStyle::Shortest).unwrap());
                position.play_unchecked(&mv);
                positions.push(position);
            }
            Game { variant, white, moves, positions }
        })
        .collect()
}

fn has(game: &Game, position: &Position) -> bool {
    let same =
        |other: &Position| other.state().pieces == position.state().pieces && other.turn() == position.turn();
    game.variant.rules() == *position.rules() && game.positions.iter().any(same)
}

/// Returns the variants of games and their numbers, the commonest first.
fn counts(games: &[&Game]) -> Vec<(Variant, usize)> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for game in games {
        *counts.entry(Variant::ALL.iter().position(|&other| other == game.variant).unwrap()).or_default() +=
            1;
    }
    let mut counts: Vec<_> = counts.into_iter().map(|(place, count)| (Variant::ALL[place], count)).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}

fn tree(dir: &Path, options: &[&str]) -> Value {
    let run = run(&[&["tree", text(dir), "--json"][..], options].concat());
    assert!(run.err.is_empty() || run.err.starts_with("pdn: no game matches"), "{options:?}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn index(folder: &Path, games: &[Game]) -> std::path::PathBuf {
    let (archive, dir) = (folder.join("games.pdn"), folder.join("index"));
    let mut text = String::new();
    for game in games {
        let _ = writeln!(text, "[White \"{}\"]\n[GameType \"{}\"]\n", game.white, game.variant.tag());
        let _ = writeln!(text, "{} *\n", game.moves.join(" "));
    }
    fs::write(&archive, text).unwrap();
    let indexed = run(&["index", crate::common::text(&archive), "-o", crate::common::text(&dir)]);
    assert_eq!(indexed.code, 0, "{}", indexed.err);
    dir
}

#[test]
fn tree_takes_the_variant_in_which_games_have_the_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = 12345u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let all = games(60, &mut random);
    let dir = index(folder.path(), &all);
    let mut inferred = Vec::new();
    for number in 0..40 {
        let player = format!("A{}", random(3));
        let filtered = number % 3 > 0;
        let left: Vec<&Game> = all.iter().filter(|game| !filtered || game.white == player).collect();
        let other = &all[random(all.len())];
        let moves = other.moves[..random(other.moves.len() + 1)].join(" ");
        let playable: Vec<(Variant, Position)> = counts(&left)
            .into_iter()
            .filter_map(|(variant, _)| Some((variant, play_text(&Position::start(variant), &moves).ok()?)))
            .collect();
        let Some(&(first, _)) = playable.first() else { continue };
        let reached = |position: &Position| left.iter().filter(|game| has(game, position)).count();
        let found = playable.iter().find(|(_, position)| reached(position) > 0);
        let (expected, games) = found.map_or((first, 0), |(variant, position)| (*variant, reached(position)));
        let mut options = vec!["--moves", moves.as_str()];
        if filtered {
            options.extend(["--player", player.as_str()]);
        }
        let value = tree(&dir, &options);
        let context = format!("{options:?}");
        assert_eq!(
            (&value["variant"], &value["games"]),
            (&json!(expected.name()), &json!(games)),
            "{context}"
        );
        assert_eq!(value["variant_from"], "inferred");
        let listed: Vec<Value> = counts(&left)
            .iter()
            .map(|(variant, games)| json!({ "variant": variant.name(), "games": games }))
            .collect();
        assert_eq!(value["variants"], json!(listed), "{context}");
        // Asking for the variant gives the same tree.
        options.extend(["--variant", expected.name()]);
        let asked = tree(&dir, &options);
        assert_eq!((&asked["games"], &asked["moves"]), (&value["games"], &value["moves"]), "{context}");
        assert_eq!(asked["variant_from"], "option");
        inferred.push(expected);
    }
    for variant in [Variant::International, Variant::English, Variant::Russian] {
        assert!(inferred.contains(&variant), "{variant} was never inferred");
    }
}
