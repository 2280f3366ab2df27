//! Trials of every command that writes: it is killed at each change of a file, also in the middle of a write, gets an error there, loses
//! at a power cut what was not synced, and meets another writer. Afterwards each output is the old one or the complete new one, nothing
//! else has changed, and the same command succeeds or says what to do.
//!
//! By default a few moments of each command are tried, spread over all of them. `PDN_TRIALS=all` tries every moment and prints how many
//! there were:
//!
//! ```sh
//! PDN_TRIALS=all cargo test -p pdn-cli --features serve,sqlite,arrow,parquet --test it trials:: -- --nocapture
//! ```

mod disk;
mod files;
#[cfg(feature = "serve")]
mod import;
mod place;
mod tracer;
mod writers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, pdn, run};
use disk::Disk;
use files::{Entry, Files, Template, files_of};
use place::Place;
use tracer::{Act, Change, Ended, Kind, Watcher, trace};
use writers::{READ_OPTIONS, READERS, SERVER, WRITERS, Writer};

/// Number of moments of a command that are tried by default, of each kind of trial.
const MOMENTS: usize = 4;

/// What the name of a journal has behind that of the file.
const JOURNAL: &str = ".undo";

/// Numbers of trials by kind.
#[derive(Default, Debug)]
struct Counts {
    kills: usize,
    torn_writes: usize,
    errors: usize,
    states_after_power_cuts: usize,
    two_writers: usize,
}

/// What an index answers: the number of its games, and of its segments. `None` if there is no index.
type Indexed = Option<(String, u64)>;

/// A writer, what it changes, and the changes that it makes on the way.
struct Trials<'a> {
    writer: &'a Writer,
    place: Place,
    before: Template,
    after: Files,
    indexed: [Indexed; 2],
    code: i32,
    changes: Vec<Change>,
    disk: Disk,
    counts: &'a mut Counts,
    wrong: Vec<String>,
}

/// Notes all changes.
struct Recorder<'a>(&'a mut Vec<Change>, &'a mut Disk);

impl Watcher for Recorder<'_> {
    fn before(&mut self, change: &Change) -> Act {
        self.0.push(change.clone());
        Act::Allow
    }

    fn after(&mut self, change: &Change) {
        self.1.after(change);
    }
}

/// Acts at one change, and at all later ones that need room if the disk is full.
struct At<'a> {
    moment: usize,
    number: usize,
    is_full: bool,
    act: Box<dyn FnMut() -> Act + 'a>,
}

impl Watcher for At<'_> {
    fn before(&mut self, change: &Change) -> Act {
        let number = self.number;
        self.number += 1;
        let needs_room = matches!(change.kind, Kind::Create | Kind::Write | Kind::CreateFolder);
        if number == self.moment || number > self.moment && self.is_full && needs_room {
            (self.act)()
        } else {
            Act::Allow
        }
    }
}

/// How much of what a command changes is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    Old,
    Mixed,
    New,
}

/// Returns `true` for what a killed run may leave: files and folders under temporary names, and what is in them.
fn is_left(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name.starts_with(".pdn-")
            || [".tmp", ".next", ".kept", "-journal", "-wal", "-shm"].iter().any(|end| name.ends_with(end))
    })
}

/// Returns `true` if every moment is to be tried.
fn tries_all() -> bool {
    std::env::var_os("PDN_TRIALS").is_some_and(|value| value == "all")
}

impl<'a> Trials<'a> {
    /// Runs the writer once without harm. `None` if processes cannot be watched here.
    fn new(writer: &'a Writer, counts: &'a mut Counts) -> Option<Self> {
        let place = Place::new();
        (writer.setup)(&place);
        let before = Template::of(place.path());
        let mut disk = Disk::new(place.path());
        let indexed_before = writer.index.and_then(|index| indexed(&place, index).expect("a sound index"));
        let mut changes = Vec::new();
        let mut recorder = Recorder(&mut changes, &mut disk);
        let ended = match trace(&mut place.command(writer.args), place.path(), &mut recorder) {
            Ok(ended) => ended,
            Err(error) => {
                skip(&error);
                return None;
            }
        };
        let code = ended.code.expect("an exit code");
        assert!(code <= 1, "{:?}: {}", writer.args, ended.err);
        let after = files_of(place.path());
        assert!(before.files != after && !changes.is_empty(), "{:?} writes nothing", writer.args);
        assert!(!after.keys().any(|path| is_left(path)), "{:?} leaves {:?}", writer.args, after.keys());
        let indexed_after = writer.index.and_then(|index| indexed(&place, index).expect("a sound index"));
        let indexed = [indexed_before, indexed_after];
        Some(Self { writer, place, before, after, indexed, code, changes, disk, counts, wrong: Vec::new() })
    }

    /// Returns the moments that are tried, those of changes of this kind.
    fn moments(&self, is_tried: impl Fn(Kind) -> bool) -> Vec<usize> {
        let all: Vec<usize> =
            (0..self.changes.len()).filter(|&moment| is_tried(self.changes[moment].kind)).collect();
        if tries_all() {
            return all;
        }
        // Half of them are where names change, which is where most can go wrong.
        let names: Vec<usize> =
            all.iter().copied().filter(|&moment| changes_names(self.changes[moment].kind)).collect();
        let start = self.writer.args.concat().len();
        let mut some = [spread(&all, MOMENTS / 2, start), spread(&names, MOMENTS / 2, start)].concat();
        some.sort_unstable();
        some.dedup();
        some
    }

    /// Runs the writer from the start, with an act at a change.
    fn run_with(&self, moment: usize, is_full: bool, act: impl FnMut() -> Act) -> Ended {
        self.before.put(&self.before.files, self.place.path());
        let mut watcher = At { moment, number: 0, is_full, act: Box::new(act) };
        trace(&mut self.place.command(self.writer.args), self.place.path(), &mut watcher)
            .expect("watched before")
    }

    fn kills(&mut self) {
        for moment in self.moments(|_| true) {
            self.counts.kills += 1;
            self.run_with(moment, false, || Act::Kill);
            self.judge_and_run_again(&format!("killed before {:?}", self.changes[moment]));
        }
        for moment in self.moments(|kind| kind == Kind::Write) {
            self.counts.torn_writes += 1;
            self.run_with(moment, false, || Act::Tear);
            self.judge_and_run_again(&format!("killed within {:?}", self.changes[moment]));
        }
    }

    fn errors(&mut self) {
        let mut moments = self.moments(|_| true);
        // The last steps come when outputs have their names.
        let last = |kind| self.changes.iter().rposition(|change| change.kind == kind);
        moments.extend([Kind::Rename, Kind::Sync].into_iter().filter_map(last));
        moments.sort_unstable();
        moments.dedup();
        for moment in moments {
            for (error, is_full) in [(libc::EIO, false), (libc::ENOSPC, true)] {
                let change = self.changes[moment].clone();
                if is_full && !matches!(change.kind, Kind::Create | Kind::Write | Kind::CreateFolder) {
                    continue;
                }
                self.counts.errors += 1;
                let ended = self.run_with(moment, is_full, || Act::Fail(error));
                let what = format!("error {error} of {change:?}");
                if let Err(wrong) = self.judge_error(&ended, &change) {
                    let Ended { code, out, err } = ended;
                    self.wrong.push(format!("{what}: {wrong}; {code:?} {out} {err}"));
                }
                self.judge_and_run_again(&what);
            }
        }
    }

    /// Says what is wrong with the end of a run that got an error.
    fn judge_error(&self, ended: &Ended, change: &Change) -> Result<(), String> {
        let code = ended.code.ok_or("ended by a signal")?;
        if ended.err.contains("panicked") {
            return Err("panicked".to_owned());
        }
        let now = files_of(self.place.path());
        let left: Vec<_> = now.keys().filter(|path| is_left(path)).collect();
        // What can be neither renamed nor removed stays.
        let stays = |path: &PathBuf| match change.kind {
            Kind::Remove => true,
            Kind::Rename => change.path.ends_with(path),
            _ => false,
        };
        if !left.iter().all(|path| stays(path)) {
            return Err(format!("leaves {left:?}"));
        }
        let progress = self.progress(&now)?;
        match (code, progress) {
            // The error concerned nothing that was asked for.
            (code, Progress::New) if code == self.code => Ok(()),
            (code, _) if code == self.code => Err(format!("succeeds, and the outputs are {progress:?}")),
            (2, Progress::Old) => Ok(()),
            (2, _)
                if ["is written, but", "written: ", "written before: ", "the games are indexed"]
                    .iter()
                    .any(|said| ended.err.contains(said)) =>
            {
                Ok(())
            }
            // Where each file is rewritten on its own, those that were not are named.
            (2, Progress::Mixed)
                if self.old_paths(&now).iter().all(|path| ended.err.contains(&format!("{path}: "))) =>
            {
                Ok(())
            }
            (2, _) => Err(format!("does not say that the outputs are {progress:?}")),
            (code, _) => Err(format!("exit code {code}")),
        }
    }

    /// Returns the outputs that are still the old ones.
    fn old_paths(&self, now: &Files) -> Vec<String> {
        let is_old = |path: &&PathBuf| {
            let [before, after, found] = [&self.before.files, &self.after, now].map(|files| files.get(*path));
            before != after && found == before && !path.to_string_lossy().contains(JOURNAL)
        };
        self.after.keys().filter(is_old).map(|path| path.display().to_string()).collect()
    }

    fn power_cuts(&mut self) {
        let all: Vec<Files> = std::mem::take(&mut self.disk.states).into_iter().collect();
        let step = if tries_all() { 1 } else { all.len().div_ceil(2 * MOMENTS).max(1) };
        for (number, state) in all.iter().enumerate().step_by(step) {
            self.counts.states_after_power_cuts += 1;
            self.before.put(state, self.place.path());
            self.judge_and_run_again(&format!("power cut, state {number}: {}", self.describe(state)));
        }
        // What is reported as done stays.
        for state in self.disk.states_now() {
            self.counts.states_after_power_cuts += 1;
            self.before.put(&state, self.place.path());
            let progress = self.progress(&state);
            if progress != Ok(Progress::New) {
                let state = self.describe(&state);
                self.wrong.push(format!("power cut after the end: {progress:?}, {state}"));
            }
        }
    }

    fn two_writers(&mut self) {
        let args = self.writer.args;
        for moment in self.moments(|_| true) {
            self.counts.two_writers += 1;
            let mut second = None;
            let first = self.run_with(moment, false, || {
                second = Some(self.place.run(args));
                Act::Allow
            });
            let second = second.expect("the moment comes");
            let what = format!("second writer at {:?}", self.changes[moment]);
            let codes = [first.code.unwrap_or(-1), second.code];
            let now = files_of(self.place.path());
            let left: Vec<_> = now.keys().filter(|path| is_left(path)).collect();
            let progress = self.progress(&now);
            let is_right = codes.iter().all(|&code| code == self.code || code == 2)
                && codes.contains(&self.code)
                && left.is_empty()
                && progress == Ok(Progress::New);
            if !is_right {
                let (first, second) = (first.err, second.err);
                self.wrong.push(format!("{what}: {codes:?} {progress:?} {left:?}\n  {first}\n  {second}"));
            }
        }
    }

    /// Says how much of the work is done, or what is wrong.
    fn progress(&self, now: &Files) -> Result<Progress, String> {
        let index = self.writer.index.map(Path::new);
        let paths: BTreeSet<&PathBuf> =
            [&self.before.files, &self.after, now].into_iter().flat_map(|files| files.keys()).collect();
        let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
        for path in paths {
            if is_left(path) || index.is_some_and(|index| path.starts_with(index)) {
                continue;
            }
            let [before, after, found] = [&self.before.files, &self.after, now].map(|files| files.get(path));
            // A journal gets the first name that is free. One of a repair that was not made may be left.
            if before.is_none() && path.to_string_lossy().contains(JOURNAL) {
                continue;
            }
            if found != before && found != after {
                return Err(format!("{} is neither old nor new", path.display()));
            }
            if before != after {
                let is_new = found == after;
                if is_new {
                    new.insert(path)
                } else {
                    old.insert(path)
                };
            }
        }
        for path in &new {
            let journals = |files: &Files| -> Vec<Entry> {
                let start = format!("{}{JOURNAL}", path.display());
                let all = files.iter().filter(|(other, _)| other.to_string_lossy().starts_with(&start));
                all.map(|(_, entry)| entry.clone()).collect()
            };
            let there = journals(now);
            if journals(&self.after).iter().any(|journal| !there.contains(journal)) {
                return Err(format!("{} has no journal", path.display()));
            }
        }
        if let Some(whole) = self.writer.whole {
            let is_inside = |path: &&PathBuf| path.starts_with(whole);
            if old.iter().any(is_inside) && new.iter().any(is_inside) {
                return Err(format!("{whole} is there in part"));
            }
        }
        let mut progress = match (old.is_empty(), new.is_empty()) {
            (true, _) => Progress::New,
            (false, true) => Progress::Old,
            (false, false) => Progress::Mixed,
        };
        if let Some(index) = self.writer.index {
            let found = indexed(&self.place, index)?;
            progress = match self.indexed.iter().rposition(|known| *known == found) {
                Some(0) => Progress::Old,
                Some(_) => Progress::New,
                None => return Err(format!("the index has {found:?}, not one of {:?}", self.indexed)),
            };
        }
        Ok(progress)
    }

    /// Notes what is wrong with the state of the folder, and with what the same command makes of it.
    fn judge_and_run_again(&mut self, what: &str) {
        let now = files_of(self.place.path());
        let judged = self.progress(&now).and_then(|progress| self.run_again(progress));
        if let Err(wrong) = judged {
            self.wrong.push(format!("{what}: {wrong}"));
        }
    }

    /// Runs the same command on what is left.
    fn run_again(&self, progress: Progress) -> Result<(), String> {
        let again = self.place.run(self.writer.args);
        if again.code == self.code {
            return self.is_done(&again);
        }
        let now = self.progress(&files_of(self.place.path()))?;
        if now != progress {
            return Err(format!("the next run fails and changes files: {}", again.err));
        }
        match progress {
            Progress::Old => Err(format!("the next run fails: {}", again.err)),
            _ if again.err.contains("--force") => {
                let forced = self.place.run(&[self.writer.args, &["--force"]].concat());
                if forced.code == self.code { self.is_done(&forced) } else { Err(forced.err) }
            }
            Progress::New => Ok(()),
            Progress::Mixed => Err(format!("the next run fails: {}", again.err)),
        }
    }

    /// Says what is wrong after a run that succeeded.
    fn is_done(&self, run: &Run) -> Result<(), String> {
        let now = files_of(self.place.path());
        let left: Vec<_> = now.keys().filter(|path| is_left(path)).collect();
        match self.progress(&now)? {
            Progress::New if left.is_empty() => Ok(()),
            progress => Err(format!("after the next run: {progress:?}, left {left:?}; {}", run.err)),
        }
    }

    /// Lists the files of a state that differ from before and after.
    fn describe(&self, state: &Files) -> String {
        let differs = |path: &&PathBuf| state.get(*path) != self.before.files.get(*path);
        let paths: Vec<_> = state.keys().filter(differs).map(|path| path.display().to_string()).collect();
        paths.join(" ")
    }
}

/// Returns at most `most` of the values, as far apart as they can be; `start` says from which on.
fn spread(values: &[usize], most: usize, start: usize) -> Vec<usize> {
    if values.len() <= most {
        return values.to_vec();
    }
    (0..most).map(|number| values[(2 * number + start % 2) * values.len() / (2 * most)]).collect()
}

fn changes_names(kind: Kind) -> bool {
    matches!(kind, Kind::Rename | Kind::Link | Kind::Remove | Kind::Sync)
}

/// Returns what an index answers, or what is wrong with it.
fn indexed(place: &Place, index: &str) -> Result<Indexed, String> {
    let verified = place.run(&["verify", "--json", index]);
    if verified.code == 2 && verified.err.contains("is not an index") {
        return Ok(None);
    }
    let report: Value =
        serde_json::from_str(&verified.out).map_err(|error| format!("{error}: {}", verified.err))?;
    if report["index"].as_array().is_none_or(|damage| !damage.is_empty()) {
        return Err(format!("the index is damaged: {}", verified.out));
    }
    let found = place.run(&["find", index, "--count"]);
    if found.code > 1 {
        return Err(format!("the index cannot be searched: {}", found.err));
    }
    Ok(Some((found.out, report["segments"].as_u64().unwrap_or(0))))
}

#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn skip(error: &std::io::Error) {
    eprintln!("SKIPPED: a process cannot be watched here: {error}");
}

/// Makes all trials with the writers of some commands.
#[expect(clippy::print_stderr, reason = "the number of trials is what a long run is for")]
fn try_commands(commands: &[&str]) {
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    for writer in WRITERS.iter().filter(|writer| writer.is_built && commands.contains(&writer.args[0])) {
        let Some(mut trials) = Trials::new(writer, &mut counts) else { return };
        trials.kills();
        trials.errors();
        trials.power_cuts();
        trials.two_writers();
        wrong.extend(trials.wrong.iter().map(|wrong| format!("{}: {wrong}", writer.args.join(" "))));
    }
    if tries_all() {
        eprintln!("{commands:?}: {counts:?}, wrong: {}", wrong.len());
    }
    assert!(wrong.is_empty(), "{} wrong of {counts:?}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The commands that write, by the test that tries them.
const TRIED: [&[&str]; 4] = [
    &["index", "merge"],
    &["convert", "dedup"],
    &["fmt", "fix", "names", "man", "show", "sheet"],
    &["export", "export-site", "dataset", "endgame"],
];

#[test]
fn indexes_are_old_or_new_after_any_harm() {
    try_commands(TRIED[0]);
}

#[test]
fn archives_are_old_or_new_after_any_harm() {
    try_commands(TRIED[1]);
}

#[test]
fn files_that_are_replaced_are_old_or_new_after_any_harm() {
    try_commands(TRIED[2]);
}

#[test]
fn tables_and_sites_are_old_or_new_after_any_harm() {
    try_commands(TRIED[3]);
}

/// Notes the changes below a folder.
struct Names(Vec<Change>);

impl Watcher for Names {
    fn before(&mut self, change: &Change) -> Act {
        self.0.push(change.clone());
        Act::Allow
    }
}

#[test]
fn commands_that_read_change_no_file() {
    let place = Place::new();
    place.done(&["index", "games.pdn", "more.pdn", "-o", "games.idx"]);
    for args in READERS {
        let mut names = Names(Vec::new());
        match trace(&mut place.command(args), place.path(), &mut names) {
            Ok(ended) => assert!(ended.code.is_some_and(|code| code <= 1), "{args:?}: {}", ended.err),
            Err(error) => return skip(&error),
        }
        assert!(names.0.is_empty(), "{args:?} changes {:?}", names.0);
    }
}

/// Returns what the help of a command says about each of its options: the long name, the placeholder of its value, and the rest.
fn options(command: &str) -> Vec<(String, String, String)> {
    let help = run(&[command, "-h"]).out;
    let mut options: Vec<(String, String, String)> = Vec::new();
    for line in help.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with('-') && line.starts_with("  ") {
            let from = trimmed.find("--").unwrap_or(0);
            let (name, rest) = trimmed[from..].split_once(' ').unwrap_or((&trimmed[from..], ""));
            let value =
                rest.strip_prefix('<').and_then(|rest| rest.split_once('>')).map_or("", |(value, _)| value);
            options.push((name.to_owned(), value.to_owned(), rest.to_owned()));
        } else if let Some(last) = options.last_mut() {
            last.2 += " ";
            last.2 += trimmed;
        }
    }
    options
}

#[test]
fn every_command_and_option_that_writes_is_tried() {
    let help = pdn(&["-h"]).output().expect("the command runs").stdout;
    let help = String::from_utf8(help).expect("UTF-8");
    let (_, list) = help.split_once("Commands:\n").expect("a list");
    let (list, _) = list.split_once("\n\n").expect("its end");
    let names = list
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 20, "{names:?}");
    let mut rows: BTreeMap<&str, Vec<&Writer>> = BTreeMap::new();
    for writer in WRITERS {
        rows.entry(writer.args[0]).or_default().push(writer);
        assert!(TRIED.concat().contains(&writer.args[0]), "{:?} is in no test", writer.args);
    }
    for name in names {
        let writers = rows.remove(name).unwrap_or_default();
        let is_reader = READERS.iter().any(|args| args[0] == name);
        assert!(
            !writers.is_empty() || is_reader || name == SERVER,
            "`pdn {name}` is new: it belongs to the commands that write or to those that only read"
        );
        if name == SERVER {
            continue;
        }
        for (option, value, text) in options(name) {
            let is_tried = writers.iter().any(|writer| {
                let short = option == "--output" && writer.args.contains(&"-o");
                short || writer.args.contains(&option.as_str())
            });
            let names_file = matches!(value.as_str(), "FILE" | "DIR" | "FOLDER" | "PATH" | "JOURNAL");
            assert!(
                !names_file || is_tried || READ_OPTIONS.contains(&option.as_str()),
                "`pdn {name} {option}` is new: does it write?"
            );
            // Every format of an output is written by code of its own.
            if option == "--format"
                && writers.iter().any(|writer| writer.args.contains(&"--format"))
                && let Some((_, values)) = text.split_once("[possible values: ")
            {
                let default = text
                    .split_once("[default: ")
                    .map_or("", |(_, text)| text.split([']', ' ']).next().unwrap_or(""));
                for format in
                    values.trim_end_matches([']', ' ']).split([',', ' ']).filter(|format| !format.is_empty())
                {
                    let format = format.trim_end_matches(']');
                    let is_tried = format == default
                        || writers.iter().any(|writer| {
                            writer.args.contains(&format)
                                || writer.args.iter().any(|word| word.ends_with(&format!(".{format}")))
                        });
                    assert!(is_tried, "`pdn {name} --format {format}` is not tried");
                }
            }
        }
    }
    assert!(rows.is_empty(), "no such commands: {:?}", rows.keys());
}
