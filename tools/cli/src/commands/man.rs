//! `pdn man`: prints the manual page, or writes the pages of all commands to a folder.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use pdn_app::{AppError, ErrorCode};

use crate::args::{Cli, ManArgs};
use crate::output::{CommandResult, Exit, Output};

/// Runs `pdn man`.
pub(crate) fn run(args: &ManArgs, out: &mut Output) -> CommandResult {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.output else {
        out.write_all(&page(command)?)?;
        return Ok(Exit::Success);
    };
    write_pages(command, folder)
        .map_err(|error| AppError::path(ErrorCode::Unwritable, folder, error.to_string()))?;
    Ok(Exit::Success)
}

/// Writes `pdn.1` and one page per visible command to `folder`, which is created if it does not exist.
fn write_pages(command: clap::Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let name = format!("pdn-{}.1", sub.get_name());
        fs::write(folder.join(name), page(sub.clone())?)?;
    }
    fs::write(folder.join("pdn.1"), page(command)?)
}

/// Renders the manual page of a command.
fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
