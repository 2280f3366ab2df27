//! `pdn man`: prints the manual page, or writes the pages of all commands to a folder.

use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use pdn::internal::storage::create_folder;
use pdn_app::write::outputs::{Overwriting, write_file};
use pdn_app::{AppError, Context, ErrorCode};

use crate::output::{CommandResult, Exit, Output};

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Write `pdn.1` and one page per command to this folder [default: print `pdn.1`]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// Runs `pdn man` for the whole command line.
pub(crate) fn run(args: &ManArgs, mut cli: Command, out: &mut Output) -> CommandResult {
    cli.build();
    let Some(folder) = &args.output else {
        out.write_all(&page(cli)?)?;
        return Ok(Exit::Success);
    };
    write_pages(cli, folder, &mut out.context())?;
    Ok(Exit::Success)
}

/// Writes `pdn.1` and one page per visible command to `folder`, which is created if it does not exist. The pages of another version
/// are replaced, because nobody edits them.
fn write_pages(command: Command, folder: &Path, context: &mut Context<'_>) -> pdn_app::Result<()> {
    let failed = |error: io::Error| AppError::path(ErrorCode::Unwritable, folder, error.to_string());
    let mut write = |name: &str, command: Command| {
        let overwriting = Overwriting { force: true, inputs: &[] };
        write_file(&folder.join(name), &page(command).map_err(failed)?, false, overwriting, context)
    };
    create_folder(folder).map_err(failed)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        write(&format!("pdn-{}.1", sub.get_name()), sub.clone())?;
        for part in sub.get_subcommands().filter(|part| part.get_name() != "help") {
            write(&format!("pdn-{}-{}.1", sub.get_name(), part.get_name()), part.clone())?;
        }
    }
    write("pdn.1", command).map(drop)
}

/// Renders the manual page of a command.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
