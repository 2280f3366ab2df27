//! Questions that write archives, as a program asks them.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::stop::Stop;
use pdn_app::ask::filter::Filter;
use pdn_app::ask::position::FenStyleOption;
use pdn_app::read::inputs::Inputs;
use pdn_app::report::stats::StatsRequest;
use pdn_app::write::convert::{ConvertRequest, SortKey};
use pdn_app::write::dedup::{DedupEvent, DedupRequest};
use pdn_app::write::fix::{FixEvent, FixRequest, FixRules};
use pdn_app::write::fmt::{FmtForm, FmtRequest};
use pdn_app::write::names::{NameGroups, NamesFormat, NamesRequest};
use pdn_app::{CollectedEvents, Context, ErrorCode, Events, Result};

const GAMES: &str = "[White \"A\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n";
/// Has a date that is written in another form.
const DAMAGED: &str = "[White \"A\"]\n[Date \"2003-5-1\"]\n\n1. 32-28 19-23 *\n\n";

fn fix_request(inputs: Inputs, write: bool) -> FixRequest {
    FixRequest { inputs, write, diff: false, rules: FixRules::default(), names: None }
}

/// Asks a question after a stop was requested, and returns its error.
fn stopped<T>(ask: impl FnOnce(&mut Context<'_>) -> Result<T>) -> (ErrorCode, String) {
    let stop = Stop::new();
    stop.request();
    let error = ask(&mut Context::new(&stop, &mut ())).err().expect("an error");
    {
        let error = error.into_parts();
        (error.code, error.message)
    }
}

#[test]
fn stopped_questions_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let [path, out] = ["games.pdn", "out.pdn"].map(|name| folder.path().join(name));
    let text = DAMAGED.repeat(100);
    fs::write(&path, &text).unwrap();
    let inputs = || Inputs::new([path.clone()]);
    let mut converted = vec![ConvertRequest::new(inputs())];
    let mut sorted = ConvertRequest::new(inputs());
    sorted.order.sort = vec!["white".parse::<SortKey>().unwrap()];
    converted.push(sorted);
    let mut filtered = ConvertRequest::new(inputs());
    filtered.filter.set("query", "wk = 0").unwrap();
    converted.push(filtered);
    for mut request in converted {
        request.outputs.output = Some(out.clone());
        let error = stopped(|context| request.run(&mut |_| ControlFlow::Continue(()), context));
        assert_eq!(error, (ErrorCode::Stopped, "stopped; no file was written".to_owned()), "{request:?}");
    }
    let fix = fix_request(inputs(), true);
    let error = stopped(|context| fix.run(&mut |_| ControlFlow::Continue(()), context));
    assert_eq!(error.1, "stopped; files that were not finished have their old text");
    let mut dedup = DedupRequest::new(inputs());
    dedup.rules.output = Some(out.clone());
    let error = stopped(|context| dedup.run(&mut |_| ControlFlow::Continue(()), context));
    assert_eq!(error.1, "stopped; no file was written");
    let fmt = FmtRequest { inputs: inputs(), form: FmtForm::default(), fen: FenStyleOption::default() };
    let error = stopped(|context| fmt.run(&mut |_| ControlFlow::Continue(()), context));
    assert_eq!(error.0, ErrorCode::Stopped);
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["games.pdn"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn games_without_a_file_are_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    fs::write(&path, GAMES).unwrap();
    let mut text = Vec::new();
    let mut keep = |bytes: &[u8]| {
        text.extend_from_slice(bytes);
        ControlFlow::Continue(())
    };
    let mut events = CollectedEvents::default();
    let mut context = Context::new(&Stop::new(), &mut events);
    let answer = ConvertRequest::new(Inputs::new([path.clone()])).run(&mut keep, &mut context).unwrap();
    assert_eq!((answer.read, answer.written, answer.complete), (1, 1, true));
    assert_eq!(answer.files[0].file, Path::new("-"));
    assert!(String::from_utf8(text).unwrap().contains("28x19 14x23"));
    // A reader that has enough ends the work.
    let request = ConvertRequest::new(Inputs::new([path]));
    let error = request.run(&mut |_| ControlFlow::Break(()), &mut context).unwrap_err();
    assert_eq!(error.code, ErrorCode::Stopped);
    assert!(events.problems.is_empty() && events.notes.is_empty(), "{events:?}");
}

#[test]
fn missing_inputs_are_problems_and_repairs_have_proofs() {
    let folder = tempfile::tempdir().unwrap();
    let [path, missing] = ["games.pdn", "none.pdn"].map(|name| folder.path().join(name));
    fs::write(&path, DAMAGED).unwrap();
    let mut events = CollectedEvents::default();
    let mut context = Context::new(&Stop::new(), &mut events);
    let mut repairs = Vec::new();
    let mut keep = |event: FixEvent<'_>| {
        if let FixEvent::Repair(repair) = event {
            repairs.push(serde_json::to_value(repair).unwrap());
        }
        ControlFlow::Continue(())
    };
    let request = fix_request(Inputs::new([missing.clone(), path]), false);
    let answer = request.run(&mut keep, &mut context).unwrap();
    assert_eq!((answer.applied, answer.complete), (1, false));
    assert_eq!((&repairs[0]["code"], &repairs[0]["proof"]["moves"]), (&"T025".into(), &"same".into()));
    assert_eq!(events.problems[0].path.as_deref(), Some(missing.as_path()));
    let request =
        FixRequest { rules: FixRules { select: vec!["X9".to_owned()], ..FixRules::default() }, ..request };
    let error = request.run(&mut |_| ControlFlow::Continue(()), &mut Context::new(&Stop::new(), &mut ()));
    assert_eq!(error.unwrap_err().field, Some("select"));
}

#[test]
fn groups_of_copies_come_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    fs::write(&path, GAMES.repeat(3)).unwrap();
    let mut events: Vec<String> = Vec::new();
    let mut keep = |event: DedupEvent<'_>| {
        events.push(match event {
            DedupEvent::Keeper(class, kept) => format!("{} {}", class.name(), kept.game.record.unwrap_or(0)),
            DedupEvent::Other(other) => format!("other {}", other.game.record.unwrap_or(0)),
            DedupEvent::End { others } => format!("end {others}"),
        });
        ControlFlow::Continue(())
    };
    let request = DedupRequest { max_others: 1, ..DedupRequest::new(Inputs::new([path])) };
    let answer = request.run(&mut keep, &mut Context::new(&Stop::new(), &mut ())).unwrap();
    assert_eq!(events, ["exact 1", "other 2", "end 2"]);
    assert_eq!((answer.games, answer.removed, answer.kept), (3, 2, 1));
}

#[test]
fn names_are_written_and_edited_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    let [path, out] = ["games.pdn", "names.toml"].map(|name| folder.path().join(name));
    fs::write(&path, GAMES).unwrap();
    let request = NamesRequest {
        inputs: Inputs::new([path]),
        filter: Filter::default(),
        groups: NameGroups { output: Some(PathBuf::from(&out)), ..NameGroups::default() },
        format: NamesFormat::Toml,
    };
    let ask = || request.run(&mut Context::new(&Stop::new(), &mut ()));
    assert_eq!(ask().unwrap().games, 1);
    assert_eq!(ask().unwrap().games, 1, "nobody edited the file");
    let edited = fs::read_to_string(&out).unwrap() + "# mine\n";
    fs::write(&out, &edited).unwrap();
    assert_eq!(ask().unwrap_err().code, ErrorCode::Exists);
    assert_eq!(fs::read_to_string(&out).unwrap(), edited);
}

#[test]
fn groups_of_duplicates_are_not_passed_on_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    let copies = ["A", "B"].map(|white| GAMES.replace("\"A\"", &format!("\"{white}\"")).repeat(2));
    fs::write(&path, copies.concat().replace("28x19 14x23", "28x19 14x23 3. 37-32 10-14 4. 41-37 14-19"))
        .unwrap();
    let stop = Stop::new();
    let mut keepers = 0;
    let mut sink = |event: DedupEvent<'_>| {
        keepers += u32::from(matches!(event, DedupEvent::Keeper(..)));
        stop.request();
        ControlFlow::Continue(())
    };
    let error = DedupRequest::new(Inputs::new([path])).run(&mut sink, &mut Context::new(&stop, &mut ()));
    assert_eq!(error.expect_err("stopped").into_parts().code, ErrorCode::Stopped);
    assert_eq!(keepers, 1);
}

/// Remembers the length of the work that begins.
#[derive(Default)]
struct Length(Vec<Option<u64>>);

impl Events for Length {
    fn begin(&mut self, total: Option<u64>) {
        self.0.push(total);
    }
}

#[cfg(unix)]
#[test]
fn length_of_a_pipe_is_not_known_in_advance() {
    let folder = tempfile::tempdir().unwrap();
    let [file, pipe] = ["games.pdn", "pipe.pdn"].map(|name| folder.path().join(name));
    fs::write(&file, GAMES).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (path, expected) in [(file, Some(GAMES.len() as u64)), (pipe.clone(), None)] {
        let mut length = Length::default();
        let writer = expected.is_none().then(|| {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::write(pipe, GAMES).unwrap())
        });
        let request = StatsRequest { inputs: Inputs::new([path]), replay: true };
        request.run(&mut Context::new(&Stop::new(), &mut length)).unwrap();
        writer.into_iter().for_each(|writer| writer.join().unwrap());
        assert_eq!(length.0, [expected]);
    }
}
