//! `pdn solve`: says whether the solutions of problems are the only ones.

use std::io;
use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use pdn_app::ask::endings::EndingOptions;
use pdn_app::ask::numbers::{Count, count, plies};
use pdn_app::check::solve::{
    MoveFound, ProblemAnswer, ProblemVerdict, SolveLimits, SolveRequest, SolveTotals,
};
use serde_json::json;

use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, InputArgs};
use crate::output::{CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
A problem is a record with a position of its own, and its solution is the main line. Its first move is the key, and its goal is what \
it reaches: the end of the game, or a lead in pieces that cannot be lessened within four plies. A man counts as 1, a king as 3 \
if kings move over any distance and as 2 if not. Every other first move that reaches the same goal, whatever is replied, is a second \
solution and is listed with the moves that prove it. Where replies that the solution does not have lead to less, that is the goal.

Verdicts: `unique`, no other first move reaches the goal within the plies; `second-solutions`; `undecided`, none is found, \
but the limits leave some open; `unproven`, the key is not proved to reach the goal; `no-goal`, the solution wins neither the \
game nor a piece; `no-solution`, the record has no moves; `not-replayed`, the solution is not legal to its end.

Half of the nodes of a first move go to lines in which each move leaves the other side a capture or two moves at most, so that shots are \
found at any length; the rest go to all moves. The answer says how far each search came. It does not depend on the number of threads.

With --tables, what leads to positions that tables of endings know is proved without limits: a way to a won one reaches the end of the \
game however long it takes, and the answer says so; a move that leads to drawn or lost ones only is refuted.

Exit codes: 0 if all problems are unique, 1 if any is not or there is none, 2 if an input cannot be read.";

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    limits: OptionArgs<SolveLimits>,

    #[command(flatten)]
    tables: OptionArgs<EndingOptions>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Runs `pdn solve`.
pub(crate) fn run(args: &SolveArgs, out: &mut Output) -> CommandResult {
    let is_json = args.format.is_json();
    let request =
        SolveRequest { inputs: args.input.read(), limits: *args.limits, tables: args.tables.open()? };
    let mut messages = out.messages();
    let mut printed = Ok(());
    let mut print = |problem: &ProblemAnswer| {
        printed = match is_json {
            true => writeln!(out, "{}", sanitize::json(problem)),
            false => print_text(problem, out),
        };
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let totals = request.run(&mut print, &mut messages.context());
    printed?;
    if totals.is_err() {
        out.flush()?;
    }
    let totals = totals?;
    if is_json {
        writeln!(out, "{}", json!({ "summary": totals }))?;
    } else {
        writeln!(out, "{}", summary(&totals))?;
    }
    let is_unique = totals.problems > 0 && totals.of(ProblemVerdict::Unique) == totals.problems;
    Ok(match (totals.is_complete, is_unique) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Success,
        (true, false) => Exit::Negative,
    })
}

/// Prints a problem for people, and what is on the screen at once: the next one may take a while.
fn print_text(problem: &ProblemAnswer, out: &mut Output) -> io::Result<()> {
    let caption = &problem.caption;
    let publication = caption.publication();
    let names = [caption.author.as_deref().unwrap_or_default(), &publication];
    let names: Vec<&str> = names.into_iter().filter(|text| !text.is_empty()).collect();
    let place = format!("{}, record {}", problem.file, problem.record);
    let heading = [&[place.as_str()], &names[..]].concat().join(": ");
    writeln!(out, "{}", sanitize::text(&heading))?;
    writeln!(out, "  {} {}", problem.variant, problem.fen)?;
    for line in lines(problem) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)?;
    out.flush()
}

/// Returns the lines about what was found.
fn lines(problem: &ProblemAnswer) -> Vec<String> {
    let goal = problem.lead.map_or("the end of the game".to_owned(), |lead| format!("a lead of {lead}"));
    let within = format!("{goal} within {}", plies(u64::from(problem.plies.unwrap_or_default())));
    let whole = |mv: &MoveFound| mv.distance.map(|distance| mv.line.len() as u32 + u32::from(distance));
    let key = problem.moves.iter().find(|mv| mv.is_key);
    let others: Vec<&MoveFound> = problem.moves.iter().filter(|mv| mv.reaches && !mv.is_key).collect();
    let open: Vec<&MoveFound> = problem.moves.iter().filter(|mv| mv.is_open).collect();
    let proved = |mv: &MoveFound| match (mv.reaches, whole(mv)) {
        (true, Some(all)) => {
            format!("{} wins in {}, as tables of endings prove", mv.text, plies(u64::from(all)))
        }
        (true, None) => format!("{} reaches {within}", mv.text),
        (false, _) if mv.refuted.is_some() => {
            let reply = mv.reply.as_ref().map_or(String::new(), |reply| format!("; {reply} prevents it"));
            format!("{} does not reach {goal}{reply}", mv.text)
        }
        (false, _) => unproved(mv, problem.plies, &within),
    };
    let only = key.or(others.first().copied()).map_or_else(String::new, proved);
    let mut lines = match problem.verdict {
        ProblemVerdict::Unique => vec![format!("unique: only {only}")],
        ProblemVerdict::SecondSolutions => {
            let key = key.map_or_else(|| format!("to {within}"), proved);
            vec![format!("second-solutions: {key}")]
        }
        ProblemVerdict::Undecided => {
            vec![format!("undecided: {only}; {}", left_open(&open))]
        }
        ProblemVerdict::Unproven => {
            let key = key.map_or_else(|| format!("no first move is proved to reach {within}"), proved);
            vec![format!("unproven: {key}")]
        }
        ProblemVerdict::NoGoal => vec!["no-goal: the solution wins neither the game nor a piece".to_owned()],
        ProblemVerdict::NoSolution => vec!["no-solution: the record has no moves".to_owned()],
        ProblemVerdict::NotReplayed => {
            vec!["not-replayed: the solution is not legal to its end; `pdn check` says why".to_owned()]
        }
    };
    if problem.verdict == ProblemVerdict::SecondSolutions {
        lines.extend(others.iter().map(|mv| {
            let joins = mv.joins.map(|joins| format!(" (in the solution after {})", plies(u64::from(joins))));
            let rest =
                mv.distance.map(|rest| format!(" (then {} to the end, by tables)", plies(rest.into())));
            format!("  {}{}{}", mv.line.join(" "), rest.unwrap_or_default(), joins.unwrap_or_default())
        }));
    }
    lines
}

/// Says how far it is known that a move does not reach the goal within `asked` plies.
fn unproved(mv: &MoveFound, asked: Option<u32>, within: &str) -> String {
    let text = format!("{} is not proved to reach {within}", mv.text);
    let plies = |number: Option<u32>| plies(u64::from(number.unwrap_or_default()));
    match &mv.reply {
        Some(reply) if mv.plies == asked => format!("{text}; {reply} prevents it"),
        _ if mv.plies == asked => text,
        _ => format!("{text}; open after {}, {} of forced replies", plies(mv.plies), plies(mv.forced_plies)),
    }
}

/// Says how many first moves the limits leave open, and how far the searches came in all of them.
fn left_open(open: &[&MoveFound]) -> String {
    let least = |number: fn(&MoveFound) -> Option<u32>| {
        plies(u64::from(open.iter().filter_map(|mv| number(mv)).min().unwrap_or_default()))
    };
    format!(
        "{} open after {}, {} of forced replies",
        count(open.len() as u64, "other first move"),
        least(|mv| mv.plies),
        least(|mv| mv.forced_plies)
    )
}

/// Returns the line with the numbers of problems by verdict.
fn summary(totals: &SolveTotals) -> String {
    let name = |verdict: &ProblemVerdict| serde_json::to_string(verdict).unwrap_or_default().replace('"', "");
    let verdicts: Vec<String> = ProblemVerdict::ALL
        .iter()
        .filter(|verdict| totals.of(**verdict) > 0)
        .map(|verdict| format!("{} {}", Count(totals.of(*verdict)), name(verdict)))
        .collect();
    let (records, problems) = (count(totals.records, "record"), count(totals.problems, "problem"));
    let verdicts = if verdicts.is_empty() { String::new() } else { format!(": {}", verdicts.join(", ")) };
    format!("{problems} in {records}{verdicts}")
}
