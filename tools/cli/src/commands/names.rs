//! `pdn names`: finds spellings that probably mean one player, event or site.

use std::io::Write;

use pdn_app::names::NamesAnswer;
use pdn_app::numbers::count;

use crate::args::NamesArgs;
use crate::output::{CommandResult, Exit, Output};

/// Runs `pdn names`.
pub(crate) fn run(args: &NamesArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    let answer = request.run(&mut out.context())?;
    // Where nothing could be read, the errors say all there is to say.
    let has_answer = answer.complete || answer.games > 0;
    if request.output.is_none() && has_answer {
        out.write_all(answer.text(request.format).as_bytes())?;
    }
    if answer.uncompared > 0 {
        out.print_error(&format!(
            "too many names resemble each other: up to {} of names were not compared",
            count(answer.uncompared, "pair")
        ));
    }
    if !out.is_quiet() && has_answer {
        out.print_error(&summary(&answer));
    }
    let is_kept = request.output.is_some() && answer.games == 0;
    Ok(match (answer.complete, is_kept) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Negative,
        (true, false) => Exit::Success,
    })
}

/// Returns the summary for people.
fn summary(answer: &NamesAnswer) -> String {
    let groups = &answer.groups;
    let doubtful = groups.iter().filter(|group| group.doubt.is_some()).count();
    let certain = groups.iter().filter(|group| group.doubt.is_none());
    let spellings: usize = certain.clone().map(|group| group.spellings.len()).sum();
    let certain = certain.count() as u64;
    format!(
        "{}: {} with {}, and {} in doubt",
        count(answer.games, "game"),
        count(certain, "group"),
        count(spellings as u64, "spelling"),
        count(doubtful as u64, "group"),
    )
}
