//! Reads the parameters of a request as options of the command of the same meaning, so that both accept the same values and
//! explain them in the same words.

use clap::Parser;
use pdn::error::ErrorKind;
use pdn_explorer::{Params, Problem};

use crate::args::{Cli, Command, FindArgs, TreeArgs};
use crate::output::complaints::{self, Complaint};

/// Parameters that are switches of the command.
const SWITCHES: [&str; 4] = ["flipped", "mirrored", "reverse", "transpositions"];

/// Parses parameters as options of a command; `own` names those that belong to the server alone.
fn parse(command: &str, params: &Params, own: &[&str]) -> Result<Command, Problem> {
    let mut words = vec!["pdn".to_owned(), command.to_owned(), "index".to_owned()];
    let mut names = Vec::new();
    for (name, value) in params.pairs().iter().filter(|(name, _)| !own.contains(&name.as_str())) {
        if name == "pattern" && value.starts_with('@') {
            return Err(Problem::parameter("pattern", "expected squares or a board, not the name of a file"));
        }
        let option = format!("--{}", name.replace('_', "-"));
        if SWITCHES.contains(&name.as_str()) {
            if params.switch(name)? {
                words.push(option);
            }
        } else {
            words.push(format!("{option}={value}"));
        }
        names.push(name);
    }
    let parsed = Cli::try_parse_from(words).map(|cli| cli.command);
    parsed.map_err(|error| {
        let text = error.render().to_string();
        let line = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let is_it = |name: &&&String| line.contains(&format!("--{} ", name.replace('_', "-")));
        let detail = line.rsplit_once("': ").map_or(line, |(_, detail)| detail);
        match names.iter().find(is_it) {
            Some(name) => Problem::parameter(*name, detail),
            None => Problem::new(400, line),
        }
    })
}

/// Returns the options of `pdn tree`.
pub(super) fn tree(params: &Params) -> Result<Box<TreeArgs>, Problem> {
    match parse("tree", params, &["games"])? {
        Command::Tree(args) => Ok(args),
        _ => Err(Problem::new(500, "the command is another one")),
    }
}

/// Returns the options of `pdn find`.
pub(super) fn find(params: &Params) -> Result<Box<FindArgs>, Problem> {
    match parse("find", params, &["offset", "limit"])? {
        Command::Find(args) => Ok(args),
        _ => Err(Problem::new(500, "the command is another one")),
    }
}

/// Calls the work of a command. What it would print becomes the problem of the request, if there is no result.
///
/// # Errors
///
/// The first message, or the error of the library.
pub(super) fn answered<T>(work: impl FnOnce() -> pdn::Result<Option<T>>) -> Result<T, Problem> {
    let (result, complaints) = complaints::collect(work);
    match result {
        Ok(Some(value)) => Ok(value),
        Ok(None) => {
            Err(complaints.first().map_or_else(|| Problem::new(400, "there is no answer"), problem_of))
        }
        Err(error) => Err(failure(&error)),
    }
}

/// Returns the problem for an error of the library. Paths of the server are left out.
pub(super) fn failure(error: &pdn::Error) -> Problem {
    match error.kind() {
        ErrorKind::Stopped => Problem::out_of_budget(),
        kind @ ErrorKind::AmbiguousSquares { .. } => Problem::parameter("variant", kind.to_string()),
        kind => Problem::new(500, kind.to_string()),
    }
}

/// Returns the problem for a message of a command.
fn problem_of(complaint: &Complaint) -> Problem {
    let line = complaint.message.lines().next().unwrap_or_default();
    let split = line.strip_prefix("--").and_then(|rest| rest.split_once(": "));
    let named = split.filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
    // What only another option can cure.
    let cured = line.ends_with(" with `--variant`").then(|| line.trim_end_matches(" with `--variant`"));
    let (option, detail) = match (&complaint.option, named) {
        _ if cured.is_some() => (Some("variant"), cured.unwrap_or(line)),
        (Some(option), _) => (Some(option.trim_start_matches('-')), line),
        (None, Some((name, detail))) => (Some(name), detail),
        (None, None) => (None, line),
    };
    let mut problem = match option {
        Some(option) => Problem::parameter(option.replace('-', "_"), detail),
        None => Problem::new(400, detail),
    };
    problem.span = complaint.span;
    problem
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::find::served;

    const NAMES: [&str; 30] = [
        "white",
        "black",
        "player",
        "event",
        "site",
        "date",
        "round",
        "result",
        "winner",
        "status",
        "rating",
        "min_rating",
        "plies",
        "tag",
        "file",
        "query",
        "variant",
        "fen",
        "pattern",
        "flipped",
        "mirrored",
        "moves",
        "material",
        "move",
        "ply",
        "sort",
        "reverse",
        "limit",
        "transpositions",
        "games",
    ];
    const VALUES: [&str; 40] = [
        "a",
        "=a",
        "~a",
        " ",
        "\0",
        "-",
        "--",
        "--help",
        "-h",
        "--threads=1",
        "@/etc/passwd",
        "@-",
        "((",
        "w28",
        "w:28,32 b:19",
        "w-b >= 2",
        "player : a",
        "1990",
        "1990..",
        "..1990",
        "1990..1980",
        "x..y",
        "0",
        "-1",
        "1",
        "99999999999999999999",
        "true",
        "false",
        "W:W31:B20",
        "W:W",
        "1. 32-28 19-23",
        "1. 1-50",
        "c3-d4",
        "russian",
        "international",
        "2-0",
        "\u{e9}\u{441}",
        "white",
        "takes >= 3",
        "Event=a",
    ];

    #[test]
    fn any_parameters_are_read_or_refused_with_the_name_of_one_of_them() {
        let mut numbers = fastrand::Rng::with_seed(1);
        let mut random = |bound| numbers.usize(..bound);
        let (mut read, mut refused) = (0, 0);
        for _ in 0..4000 {
            let mut params = Params::default();
            for _ in 0..=random(3) {
                let value = match random(8) {
                    0 => VALUES[random(40)].repeat(1 + random(200)),
                    _ => VALUES[random(40)].to_owned(),
                };
                params.push(NAMES[random(30)], value);
            }
            let found = find(&params).and_then(|args| answered(|| Ok(served::query(&args))).map(drop));
            let trees = tree(&params).and_then(|args| answered(|| Ok(args.filter.query())).map(drop));
            for outcome in [found, trees] {
                match outcome {
                    Ok(()) => read += 1,
                    Err(problem) => {
                        refused += 1;
                        assert_eq!(problem.status, 400, "{params:?}: {problem:?}");
                        let is_given = |name: &String| params.get(name).is_some();
                        assert!(problem.parameter.as_ref().is_none_or(is_given), "{params:?}: {problem:?}");
                        let detail = &problem.detail;
                        assert!(
                            !detail.is_empty() && !detail.contains('\n') && !detail.contains("Usage"),
                            "{problem:?}"
                        );
                        assert!(!detail.contains("root:"), "a file was read: {problem:?}");
                    }
                }
            }
        }
        assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
    }
}
