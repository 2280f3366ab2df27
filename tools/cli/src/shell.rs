//! `pdn completions` and `pdn man`: what packagers ask for.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::{Exit, complain};
use crate::output::Output;

/// Prints a completion script.
pub(crate) fn completions(args: &CompletionsArgs, out: &mut Output) -> io::Result<Exit> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pdn", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Done)
}

/// Prints the manual page, or writes all pages to a folder.
pub(crate) fn man(args: &ManArgs, out: &mut Output) -> io::Result<Exit> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.output else {
        out.write_all(&page(command)?)?;
        return Ok(Exit::Done);
    };
    match write_pages(command, folder) {
        Ok(()) => Ok(Exit::Done),
        Err(error) => {
            complain(&format!("{}: {error}", crate::clean::path(folder)));
            Ok(Exit::Failed)
        }
    }
}

fn write_pages(command: clap::Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let name = format!("pdn-{}.1", sub.get_name());
        fs::write(folder.join(name), page(sub.clone())?)?;
    }
    fs::write(folder.join("pdn.1"), page(command)?)
}

fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
