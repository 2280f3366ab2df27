//! `pdn names`: finds spellings that probably mean one player, event or site.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use pdn_app::Result;
use pdn_app::ask::numbers::count;
use pdn_app::write::names::{NameGroups, NamesAnswer, NamesFormat, NamesRequest};

use crate::args::filter::SelectionArgs;
use crate::args::options::OptionArgs;
use crate::args::shared::InputArgs;
use crate::output::{CommandResult, Exit, Output};

pub(crate) const AFTER_HELP: &str = "\
Prints a TOML file: for each person, event or site its canonical name and the spellings that become it, with the number of \
games, the years and the evidence as comments. What is in doubt stands there too, commented out. Nothing is changed: edit the \
file and apply it with `pdn fix --names FILE`.

Players with the same surname and different initials are never joined. A name that fits several persons joins none of them. A letter \
may differ only if the same game has both spellings, or if one spelling occurs a few times in an event of the other. Numbers \
in names of events must be the same, so that another year is another event.

The canonical name is one of the spellings: in the script of most games, without titles and remarks, the fullest and then the \
commonest. The page `names` of the guide has all rules.

With -o, a file that `pdn names` wrote and nobody edited is replaced; any other file only with --force.

PATH is a file, folder or `-`, or one folder of an index. Filters choose the games whose names are counted.

Example: `pdn names archive/ -o names.toml`, then edit it, then `pdn fix --names names.toml archive/`.";

#[derive(Args, Debug)]
pub(crate) struct NamesArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) groups: OptionArgs<NameGroups>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "toml")]
    format: FileFormat,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

/// Output format of `pdn names`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum FileFormat {
    /// A file to edit
    Toml,
    /// One JSON object per group
    #[value(alias = "jsonl")]
    Json,
}

impl NamesArgs {
    /// Returns what the options ask for.
    ///
    /// # Errors
    ///
    /// If an option cannot be read.
    pub(crate) fn read(&self) -> Result<NamesRequest> {
        let mut groups = self.groups.clone();
        groups.output = groups.output.filter(|path| path != Path::new("-"));
        Ok(NamesRequest {
            inputs: self.input.read(),
            filter: self.selection.read()?,
            groups,
            format: match self.json || self.format == FileFormat::Json {
                true => NamesFormat::Json,
                false => NamesFormat::Toml,
            },
        })
    }
}

/// Runs `pdn names`.
pub(crate) fn run(args: &NamesArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    let answer = request.run(&mut out.context())?;
    // Where nothing could be read, the errors say all there is to say.
    let has_answer = answer.complete || answer.games > 0;
    if request.groups.output.is_none() && has_answer {
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
    let is_kept = request.groups.output.is_some() && answer.games == 0;
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
