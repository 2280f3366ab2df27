//! Kills a server at many moments while it imports. No confirmed game is lost, none is stored twice, and the index stays sound.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{run, text};
use crate::serve_import::{Importing, TOKEN, numbered_game, put, start};

/// Number of kills.
const KILLS: u64 = 24;
/// Number of games that are sent at a time.
const BATCH: u32 = 3;

/// A generator of pseudo-random numbers, with the same numbers in every run.
struct Random(u64);

impl Random {
    /// Returns a number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Returns the games that an index has of those that were sent.
fn imported(index: &Path) -> Vec<u32> {
    let found = run(&["find", text(index), "--player", "anna", "--json"]);
    assert!(found.code <= 1, "{}", found.err);
    let id = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["site"].as_str().unwrap().rsplit('/').next().unwrap().parse().unwrap()
    };
    found.out.lines().map(id).collect()
}

#[test]
fn killed_server_loses_no_confirmed_game_and_leaves_a_sound_index() {
    let mut served = Importing::start();
    let (mut random, mut confirmed, mut next, mut end) = (Random(1), BTreeSet::new(), 1, 1);
    let mut duration = Duration::from_millis(20);
    for round in 0..KILLS {
        let (answers, port) = (AtomicUsize::new(0), served.import_port);
        // Some kills come before the first answer, others during one of the next imports.
        let wanted = random.below(3) as usize;
        let share = random.below(120) as u32;
        let first = next;
        (confirmed, next, duration) = thread::scope(|scope| {
            let (mut confirmed, mut next, mut duration) = (confirmed, next, duration);
            let answers = &answers;
            let client = scope.spawn(move || {
                loop {
                    let ids = next..next + BATCH;
                    let games: String = ids.clone().map(numbered_game).collect();
                    let since = Instant::now();
                    next += BATCH;
                    let Some(answer) = put(port, TOKEN, &games) else { return (confirmed, next, duration) };
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    let answer = answer.json();
                    let stored = answer["taken"].as_u64().unwrap() + answer["known"].as_u64().unwrap();
                    assert_eq!(stored, u64::from(BATCH), "{answer}");
                    confirmed.extend(ids);
                    duration = since.elapsed();
                    answers.fetch_add(1, Ordering::SeqCst);
                }
            });
            while answers.load(Ordering::SeqCst) < wanted && !client.is_finished() {
                thread::yield_now();
            }
            thread::sleep(duration * share / 100);
            served.child.kill().unwrap();
            served.child.wait().unwrap();
            client.join().unwrap()
        });
        end = end.max(next);
        let verified = run(&["verify", "--json", text(&served.index)]);
        let report: Value = serde_json::from_str(&verified.out).unwrap();
        assert!(report["index"].as_array().unwrap().is_empty(), "round {round}: {report}");
        let found = imported(&served.index);
        let distinct: BTreeSet<u32> = found.iter().copied().collect();
        assert_eq!(found.len(), distinct.len(), "round {round}: a game is there twice");
        let lost: Vec<_> = confirmed.difference(&distinct).collect();
        assert!(lost.is_empty(), "round {round}, games from {first}: {lost:?} are lost");
        // Half of the rounds send again what was not confirmed, as a client does.
        if random.below(2) == 0 {
            next = confirmed.last().map_or(1, |last| last + 1);
        }
        (served.child, served.port, served.import_port) = start(&served.index, &[]);
    }
    assert!(!confirmed.is_empty());
    // Everything is sent once more. Each game is there exactly once afterwards, in the index and in the archive.
    let games: String = (1..end).map(numbered_game).collect();
    let answer = put(served.import_port, TOKEN, &games).expect("an answer").json();
    assert_eq!(answer["taken"].as_u64().unwrap() + answer["known"].as_u64().unwrap(), u64::from(end) - 1);
    let mut found = imported(&served.index);
    found.sort_unstable();
    assert_eq!(found, (1..end).collect::<Vec<_>>());
    let verified = run(&["verify", "--full", text(&served.index)]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    let archive = served.folder.path().join("club.imported.pdn");
    assert_eq!(run(&["find", text(&archive), "--count"]).out, format!("{}\n", end - 1));
}
