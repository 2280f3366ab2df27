//! Trials of the server while games are sent to it.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::disk::Disk;
use super::files::{Files, Template, files_of};
use super::place::Place;
use super::tracer::{Act, Watcher, trace_started};
use super::{At, Recorder, is_left, skip, spread, tries_all};
use crate::serve_import::{TOKEN, numbered_game, put};

/// Games that are sent together, and how often.
const BATCH: u32 = 3;
const BATCHES: u32 = 2;

/// The server and its index.
struct Server {
    place: Place,
    before: Template,
}

/// What a run of the server has confirmed.
struct Served {
    confirmed: BTreeSet<u32>,
    err: String,
}

impl Server {
    fn new() -> Self {
        let place = Place::new();
        place.write("club.pdn", "[White \"old\"]\n[GameType \"20\"]\n1. 31-27 17-21 1-1\n");
        place.write("token", TOKEN);
        place.done(&["index", "club.pdn", "-o", "club.idx"]);
        let before = Template::of(place.path());
        Self { place, before }
    }

    /// Starts the server, sends all games, and stops it.
    fn run(&self, watcher: &mut dyn Watcher) -> std::io::Result<Served> {
        let args = [
            "serve",
            "club.idx",
            "--addr",
            "127.0.0.1:0",
            "--import-addr",
            "127.0.0.1:0",
            "--import-token-file",
            "token",
        ];
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let (is_over, mut client) = (&is_over, None);
            let ended =
                trace_started(&mut self.place.command(&args), self.place.path(), watcher, |process, out| {
                    client = Some(scope.spawn(move || send_all(process, &out, is_over)));
                });
            is_over.store(true, Ordering::SeqCst);
            let confirmed = client.map(|client| client.join().expect("no panic")).unwrap_or_default();
            ended.map(|ended| Served { confirmed, err: ended.err })
        })
    }

    /// Returns the numbers of the imported games, or what is wrong with the index.
    fn imported(&self) -> Result<Vec<u32>, String> {
        let verified = self.place.run(&["verify", "--json", "club.idx"]);
        let report: Value = serde_json::from_str(&verified.out).map_err(|_| verified.err)?;
        if report["index"].as_array().is_none_or(|damage| !damage.is_empty()) {
            return Err(format!("the index is damaged: {report}"));
        }
        let found = self.place.run(&["find", "club.idx", "--player", "anna", "--json"]);
        let number = |line: &str| -> Option<u32> {
            let row: Value = serde_json::from_str(line).ok()?;
            row["site"].as_str()?.rsplit('/').next()?.parse().ok()
        };
        found.out.lines().map(|line| number(line).ok_or_else(|| line.to_owned())).collect()
    }

    /// Says what is wrong with what is left, and with what another run of the server makes of it.
    fn judge(&self, served: &Served) -> Result<(), String> {
        let found = self.imported()?;
        let distinct: BTreeSet<u32> = found.iter().copied().collect();
        if found.len() != distinct.len() {
            return Err(format!("a game is there twice: {found:?}"));
        }
        if !served.confirmed.is_subset(&distinct) {
            return Err(format!("confirmed {:?}, found {found:?}; {}", served.confirmed, served.err));
        }
        let again = self.run(&mut Allow).map_err(|error| error.to_string())?;
        let all: Vec<u32> = (1..=BATCH * BATCHES).collect();
        let mut found = self.imported()?;
        found.sort_unstable();
        if found != all || !again.confirmed.iter().eq(&all) {
            return Err(format!(
                "after all games were sent again: {found:?}, confirmed {:?}; {}",
                again.confirmed, again.err
            ));
        }
        let archive = self.place.run(&["find", "club.imported.pdn", "--count"]);
        // Where all games were known, nothing was written, and an old list is still there.
        let is_old_list = |path: &std::path::Path| path.extension().is_some_and(|end| end == "next");
        let left = files_of(self.place.path()).into_keys().filter(|path| is_left(path) && !is_old_list(path));
        let left: Vec<_> = left.collect();
        match archive.out == format!("{}\n", all.len()) && left.is_empty() {
            true => Ok(()),
            false => Err(format!("the archive has {} games; left {left:?}", archive.out)),
        }
    }
}

struct Allow;

impl Watcher for Allow {
    fn before(&mut self, _: &super::Change) -> Act {
        Act::Allow
    }
}

/// Sends all games in batches to a server that is starting, until one is not confirmed, and stops the server. Returns the numbers of the
/// games that were confirmed.
fn send_all(process: u32, out: &File, is_over: &AtomicBool) -> BTreeSet<u32> {
    let mut confirmed = BTreeSet::new();
    let mut printed = [0; 200];
    let port = loop {
        if is_over.load(Ordering::SeqCst) {
            return confirmed;
        }
        let length = out.read_at(&mut printed, 0).unwrap_or(0);
        let text = String::from_utf8_lossy(&printed[..length]);
        let port = text
            .split_once("/import/")
            .and_then(|(before, _)| before.rsplit(':').next()?.parse::<u16>().ok());
        if let Some(port) = port {
            break port;
        }
        thread::sleep(Duration::from_millis(1));
    };
    for batch in 0..BATCHES {
        let numbers = batch * BATCH + 1..=(batch + 1) * BATCH;
        let games: String = numbers.clone().map(numbered_game).collect();
        let stored = put(port, TOKEN, &games).filter(|answer| answer.status == 200).is_some_and(|answer| {
            let answer = answer.json();
            answer["taken"]
                .as_u64()
                .zip(answer["known"].as_u64())
                .is_some_and(|(taken, known)| taken + known == u64::from(BATCH))
        });
        if stored {
            confirmed.extend(numbers);
        }
    }
    let _ = Command::new("kill")
        .args(["-TERM", &process.to_string()])
        .stderr(std::process::Stdio::null())
        .status();
    confirmed
}

#[test]
#[expect(clippy::print_stderr, reason = "the number of trials is what a long run is for")]
fn imported_games_are_there_once_after_any_harm() {
    let server = Server::new();
    let (mut changes, mut disk) = (Vec::new(), Disk::new(server.place.path()));
    let whole = match server.run(&mut Recorder(&mut changes, &mut disk)) {
        Ok(whole) => whole,
        Err(error) => return skip(&error),
    };
    assert_eq!(whole.confirmed.len() as u32, BATCH * BATCHES, "{}", whole.err);
    let put_back = |files: &Files| server.before.put(files, server.place.path());
    let (mut wrong, mut trials) = (Vec::new(), 0);
    for act in [Act::Kill, Act::Tear, Act::Fail(libc::EIO)] {
        for moment in
            spread(&(0..changes.len()).collect::<Vec<_>>(), if tries_all() { usize::MAX } else { 5 }, trials)
        {
            trials += 1;
            put_back(&server.before.files);
            let mut at = At { moment, number: 0, is_full: false, act: Box::new(|| act) };
            let served = server.run(&mut at).expect("watched before");
            if let Err(error) = server.judge(&served) {
                wrong.push(format!("{act:?} at {:?}: {error}", changes[moment]));
            }
        }
    }
    // What was confirmed survives a power cut.
    let states: Vec<Files> = disk.states_now().into_iter().collect();
    for state in &states {
        trials += 1;
        put_back(state);
        if let Err(error) = server.judge(&whole) {
            wrong.push(format!("power cut after the end: {error}"));
        }
    }
    let states: Vec<Files> = disk.states.into_iter().collect();
    for number in
        spread(&(0..states.len()).collect::<Vec<_>>(), if tries_all() { usize::MAX } else { 5 }, trials)
    {
        trials += 1;
        put_back(&states[number]);
        if let Err(error) = server.judge(&Served { confirmed: BTreeSet::new(), err: String::new() }) {
            wrong.push(format!("power cut, state {number}: {error}"));
        }
    }
    if tries_all() {
        eprintln!("serve: {trials} trials, wrong: {}", wrong.len());
    }
    assert!(wrong.is_empty(), "{} wrong of {trials}:\n{}", wrong.len(), wrong.join("\n"));
}
