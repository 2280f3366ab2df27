//! `pdn convert`: writes games of any archives as one clean archive, or several.
//!
//! Games are read, filtered and converted on many threads, and written in order. The files get their names when all games
//! are written.

mod file_name;
mod keys;
mod record;
mod game_file;
mod split_folder;
mod split_files;
mod summary;
mod arrange;
mod outputs;
mod sources;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::convert::{ConvertOptions, RecordEdit, Repairs};
use pdn::error::ErrorKind;
use pdn::names::NameMap;
use pdn::replay::ReplayOptions;
use pdn::write::WriteOptions;

use self::arrange::{CollectedGames, Order};
use self::game_file::{Failure, GameFile, RecordFile};
use self::outputs::{Outputs, Written};
use self::record::Plan;
use self::split_files::SplitFiles;
use self::summary::Summary;
use super::tables::Source;
use crate::args::{ConvertArgs, ConvertTag};
use crate::input::name_map;
use crate::input::overwriting::Overwriting;
use crate::output::exit::{fail, print_error};
use crate::output::output_file::is_same_file;
use crate::output::{CommandResult, Exit, Output, interrupt, sanitize};
use pdn_app::ErrorCode;

/// Runs `pdn convert`.
pub(crate) fn run(args: &ConvertArgs, out: &mut Output) -> CommandResult {
    let filter = args.selection.read()?;
    let query = filter.query();
    let names = match args.names.as_deref().map(name_map::read).transpose() {
        Ok(names) => names,
        Err(message) => {
            print_error(&message);
            return Ok(Exit::Failure);
        }
    };
    let plan = plan(args, names);
    let mut outputs = match open_outputs(args, &plan, out.is_memory()) {
        Ok(outputs) => outputs,
        Err(message) => {
            print_error(&message);
            return Ok(Exit::Failure);
        }
    };
    let source = Source::open(&args.input, args.selection.untagged, &filter, &query, out)?;
    outputs.install_handler();
    if outputs.has_files() {
        out.discard_unread();
    }
    let read = match &source {
        Source::Archives(_) => sources::archives(&args.input, &plan, &query, &mut outputs, out),
        Source::Index { index, .. } => {
            outputs.summary.complete = index.is_complete();
            let (encoding, untagged) = (args.input.encoding, args.selection.untagged);
            sources::IndexSource { index, query: &query, encoding, untagged, input: &args.input }.convert(
                &plan,
                &mut outputs,
                out,
            )
        }
    };
    let finished = match read {
        Ok(()) if interrupt::is_requested() => Ok(None),
        Ok(()) => outputs.finish(out),
        Err(failure) => Err(failure),
    };
    let finished = match finished {
        Err(Failure::Library(error)) if matches!(error.kind(), ErrorKind::Stopped) => Ok(None),
        Err(Failure::App(error)) if error.code == ErrorCode::Stopped => Ok(None),
        finished => finished,
    };
    interrupt::end_at_once();
    match finished {
        Ok(Some(summary)) => Ok(report(args, &summary, out)?),
        Ok(None) => {
            out.print_error("stopped; no file was written");
            Ok(Exit::Interrupted)
        }
        Err(Failure::Stdout(error)) => Err(error.into()),
        Err(Failure::Stopped(message)) => {
            out.print_error(&message);
            Ok(Exit::Interrupted)
        }
        Err(Failure::File(message)) => {
            out.print_error(&message);
            Ok(Exit::Failure)
        }
        Err(Failure::App(error)) => Err(error.into()),
        Err(Failure::Library(error)) => {
            out.end_progress();
            Ok(fail(&error))
        }
    }
}

/// Returns how games are converted, and what is kept of each.
fn plan(args: &ConvertArgs, names: Option<NameMap>) -> Plan {
    let mut write = args.profile.map_or_else(WriteOptions::new, WriteOptions::of);
    write = write.strip(args.strip).notation(args.notation.map(Into::into));
    if let Some(captures) = args.captures {
        write = write.captures(captures.into());
    }
    if let Some(width) = args.width {
        write = write.width(width);
    }
    write.added.known_game_type = !args.keep_untagged;
    write.added.game_type = args.add.contains(&ConvertTag::GameType);
    write.added.ply_count = args.add.contains(&ConvertTag::PlyCount);
    let repairs = match (args.fix, args.unsafe_repairs) {
        (false, _) => Repairs::None,
        (true, false) => Repairs::Safe,
        (true, true) => Repairs::Unsafe,
    };
    let options = ConvertOptions::new()
        .write(write)
        .replay(ReplayOptions::new().game(args.selection.untagged))
        .repairs(repairs)
        .edit(names.map(|names| Arc::new(names) as Arc<dyn RecordEdit>));
    Plan {
        options,
        sort: args.sort.clone(),
        split: args.split.clone(),
        keeps_rejected: args.rejects.is_some(),
        keeps_left_out: args.others.is_some(),
        may_leave_out: args.sample.is_some() || args.limit > 0,
    }
}

/// Creates all outputs, under temporary names. In memory, the summary may follow the games: it is the last line, which a caller
/// can tell from them.
///
/// # Errors
/// A message for the user.
fn open_outputs<'a>(args: &'a ConvertArgs, plan: &Plan, is_memory: bool) -> Result<Outputs<'a>, String> {
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    if args.json && output.is_none() && !is_memory {
        return Err(
            "--json: the summary and the games cannot both go to standard output; give `-o FILE`".to_owned()
        );
    }
    let files =
        [("--output", output), ("--rejects", args.rejects.as_deref()), ("--others", args.others.as_deref())];
    for (place, (option, path)) in files.iter().enumerate() {
        let Some(path) = path else { continue };
        if *option != "--output" && *path == Path::new("-") {
            return Err(format!("{option}: a file is needed; standard output is for the games"));
        }
        let earlier =
            files[..place].iter().find(|(_, other)| other.is_some_and(|other| is_same_file(other, path)));
        if let Some((other, _)) = earlier {
            return Err(format!("{other} and {option} name the same file, {}", sanitize::path(path)));
        }
    }
    let overwriting = Overwriting { force: args.force, inputs: &args.input.paths };
    let written = if args.split.is_empty() {
        Written::One(Box::new(GameFile::create(output, plan.line_end(), overwriting)?))
    } else {
        let Some(dir) = output else { return Err("--split: a folder is needed; give `-o DIR`".to_owned()) };
        Written::Split(Box::new(SplitFiles::create(dir, &args.split, plan.line_end())?))
    };
    let record_file = |path: &Option<PathBuf>| {
        path.as_deref().map(|path| RecordFile::create(path, overwriting)).transpose()
    };
    let order = match (args.shuffle, args.sort.is_empty()) {
        (Some(seed), _) => Order::Random(seed),
        (None, false) => Order::Keys,
        (None, true) => Order::Input,
    };
    let collected = (order != Order::Input || args.sample.is_some()).then(|| {
        let sample = args.sample.map(|size| (size, args.seed));
        let folder = match &written {
            Written::Split(files) => files.temporary().to_owned(),
            Written::One(_) => temporary_folder(output),
        };
        CollectedGames::new(folder, args.memory, order, sample)
    });
    Ok(Outputs {
        written,
        rejects: record_file(&args.rejects)?,
        others: record_file(&args.others)?,
        collected,
        limit: if args.limit == 0 { u64::MAX } else { args.limit },
        overwriting,
        summary: Summary::default(),
    })
}

/// Returns the folder for temporary files: that of the output, where the result needs as much space anyway.
fn temporary_folder(output: Option<&Path>) -> PathBuf {
    match output {
        Some(path) if !pdn::source::is_stream(path) => match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        },
        _ => std::env::temp_dir(),
    }
}

/// Prints the summary and returns the exit code.
fn report(args: &ConvertArgs, summary: &Summary, out: &mut Output) -> io::Result<Exit> {
    out.end_progress();
    summary.print_errors(out);
    if args.json {
        summary.print_json(out)?;
    } else if !args.quiet {
        summary.print(out);
    }
    let is_lost = summary.rejected() > 0 && summary.rejects.is_none();
    Ok(match (summary.complete && summary.unreadable() == 0, is_lost || summary.written == 0) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Negative,
        (true, false) => Exit::Success,
    })
}
