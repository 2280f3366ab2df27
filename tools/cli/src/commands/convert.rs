//! `pdn convert`: writes games of any archives as one clean archive, or several.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use pdn::convert::Repairs;
use pdn::write::{Profile, Strip};
use pdn_app::ask::numbers::{Count, count, parse_size};
use pdn_app::ask::position::FenStyleName;
use pdn_app::write::convert::{ConvertAnswer, ConvertRequest, GameOrder, SortKey, SplitKey};
use pdn_app::write::name_map;
use pdn_app::write::written_form::{AddedTag, CaptureForm, NotationName, WrittenForm};
use pdn_app::{AppError, ErrorCode, Result};

use crate::args::filter::SelectionArgs;
use crate::args::shared::{InputArgs, choice, number};
use crate::output::{CommandResult, Exit, Messages, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Writes games of any archives as one clean archive: UTF-8, canonical PDN 3.0, one empty line between games, in the order of \
the input. Read again, it gives the same tags, moves, comments, variations, NAGs and results. PATH is a file, folder or `-`, \
or one folder of an index.

A game that cannot be written without losing or changing something is rejected: one with an illegal move, for example. \
`--rejects bad.pdn` takes such games as they are, and bad.jsonl next to it says where each was and why; without it they \
are only counted, by reason. Games that the filters leave out go to `--others FILE`. Every game that was read is written, rejected or left out, and the summary adds up.

A game without a GameType tag gets one if its variant is known, because it may stand among games of another variant now; the \
summary counts those that were inferred. `--keep-untagged` adds none.

Filters on positions, files and other tags, `then`, `for` and the like in --query, and `--add Novelty`, take an index: for other input one \
is made in a temporary folder. All filters see the games as they are read, before repairs.

--sort and --shuffle use temporary files beyond --memory. Names and events are compared without case, accents and \
punctuation. Unknown values come last, and games with equal keys keep their order.

Files are written under a temporary name and renamed when all games are written. An input is never overwritten.

Exit codes: 0 if no game is lost; 1 if games were rejected and --rejects is not given, or no game was written; 2 if an \
input cannot be read or a file cannot be written.

Examples: `pdn convert old/ -o clean.pdn --rejects bad.pdn`, `pdn convert games.pdn --player sijbrands --fix --sort date \
-o sijbrands.pdn`, `pdn convert all.pdn --split year,variant -o years`.";

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// File for the games, or with --split a folder; `-` for standard output [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace output files that exist
    #[arg(long)]
    pub(crate) force: bool,

    /// File for games that cannot be written, as they are; FILE.jsonl next to it says where each was and why
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,

    /// File for games that are left out by filters, --sample and --limit, as they are
    #[arg(long, value_name = "FILE")]
    pub(crate) others: Option<PathBuf>,

    /// Write several files: event, year, variant, player, status, games:N or size:N; several of them, separated by
    /// commas, such as year,variant
    #[arg(long, value_name = "KEYS", value_delimiter = ',', requires = "output")]
    pub(crate) split: Vec<SplitKey>,

    /// Repair games before they are written, where the repair keeps their meaning; as `pdn fix`
    #[arg(long, help_heading = "Changes")]
    pub(crate) fix: bool,

    /// With --fix: also apply repairs that change the meaning of a damaged game
    #[arg(long = "unsafe", help_heading = "Changes", requires = "fix")]
    pub(crate) unsafe_repairs: bool,

    /// Change players, events and sites to the names that this file lists, which `pdn names` wrote and you have read
    #[arg(long, value_name = "FILE", help_heading = "Changes")]
    pub(crate) names: Option<PathBuf>,

    /// Parts to leave out: comments, nags, variations, clocks; `setups` refuses games with setups in the movetext
    #[arg(
        long,
        value_name = "PARTS",
        help_heading = "Changes",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) strip: Strip,

    /// Names of squares [default: those of the game type]
    #[arg(long, value_name = "NAMES", value_parser = choice::<NotationName>(), help_heading = "Changes")]
    pub(crate) notation: Option<NotationName>,

    /// How captures are written [default: short]
    #[arg(long, value_name = "FORM", value_parser = choice::<CaptureForm>(), help_heading = "Changes")]
    pub(crate) captures: Option<CaptureForm>,

    /// How positions are written
    #[arg(long, value_name = "STYLE", default_value = "pdn", value_parser = choice::<FenStyleName>(), help_heading = "Changes")]
    pub(crate) fen_style: FenStyleName,

    /// Program that the games are for: pdn3, lidraughts, turbo-dambase, checkerboard, dam or plain
    #[arg(long = "for", value_name = "PROGRAM", help_heading = "Changes")]
    pub(crate) profile: Option<Profile>,

    /// Maximum length of a line of moves in bytes, 0 for one line per game [default: that of the program, else 79]
    #[arg(long, value_name = "N", help_heading = "Changes")]
    pub(crate) width: Option<usize>,

    /// Tags to add, GameType also if it is only assumed; Novelty is a comment at the new move
    #[arg(long, value_name = "TAGS", value_delimiter = ',', value_parser = choice::<AddedTag>(), ignore_case = true, help_heading = "Changes")]
    pub(crate) add: Vec<AddedTag>,

    /// Write each line as a game of its own: the main line, and each variation with the moves before it; the tag Line has
    /// its number, 0 for the main line
    #[arg(long, help_heading = "Changes")]
    pub(crate) variations_as_games: bool,

    /// Add no GameType tag to games without one
    #[arg(long, help_heading = "Changes")]
    pub(crate) keep_untagged: bool,

    /// Order of the games: date, event, site, round, white, black, rating, plies, variant;
    /// several, separated by commas; `-` before a key reverses it
    #[arg(
        long,
        value_name = "KEYS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Order"
    )]
    pub(crate) sort: Vec<SortKey>,

    /// Random order, the same for the same seed
    #[arg(long, value_name = "SEED", conflicts_with = "sort", help_heading = "Order", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) shuffle: Option<u64>,

    /// Write at most this many games, the first ones of the order; 0 for no limit
    #[arg(long, value_name = "N", help_heading = "Order", default_value = "0", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) limit: u64,

    /// Write this many games, chosen at random
    #[arg(long, value_name = "N", help_heading = "Order", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) sample: Option<usize>,

    /// Seed of the random choice of --sample
    #[arg(long, value_name = "N", default_value = "1", requires = "sample", help_heading = "Order", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Memory for --sort, --shuffle and --sample, such as 64M; games beyond it go to temporary files
    #[arg(long, value_name = "SIZE", default_value = "128M", help_heading = "Order", value_parser = parse_size)]
    pub(crate) memory: u64,

    /// Print the summary as JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

impl ConvertArgs {
    /// Returns what the options ask for.
    ///
    /// # Errors
    ///
    /// If an option or the file of names cannot be read.
    pub(crate) fn read(&self) -> Result<ConvertRequest> {
        let filter = self.selection.read()?;
        let order = match (self.shuffle, self.sort.is_empty()) {
            (Some(seed), _) => GameOrder::Random(seed),
            (None, false) => GameOrder::Keys(self.sort.clone()),
            (None, true) => GameOrder::Input,
        };
        let repairs = match (self.fix, self.unsafe_repairs) {
            (false, _) => Repairs::None,
            (true, false) => Repairs::Safe,
            (true, true) => Repairs::Unsafe,
        };
        Ok(ConvertRequest {
            inputs: self.input.read(),
            filter,
            untagged: self.selection.untagged,
            output: self.output.clone().filter(|path| path != Path::new("-")),
            force: self.force,
            rejects: self.rejects.clone(),
            others: self.others.clone(),
            split: self.split.clone(),
            form: WrittenForm {
                repairs,
                strip: self.strip,
                notation: self.notation,
                captures: self.captures,
                fen_style: self.fen_style,
                program: self.profile,
                width: self.width,
                add: self.add.clone(),
                keep_untagged: self.keep_untagged,
                variations_as_games: self.variations_as_games,
            },
            names: self.names.as_deref().map(name_map::read).transpose()?,
            order,
            limit: (self.limit > 0).then_some(self.limit),
            sample: self.sample.map(|size| (size, self.seed)),
            memory: self.memory,
        })
    }
}

/// Runs `pdn convert`.
pub(crate) fn run(args: &ConvertArgs, out: &mut Output) -> CommandResult {
    let request = args.read()?;
    if args.json && request.output.is_none() {
        let error = AppError::plain(
            ErrorCode::InvalidValue,
            "the summary and the games cannot both go to standard output",
        )
        .in_field("json");
        return Err(error.cured_by("output", "names a file for the games").into());
    }
    if request.has_files() {
        out.discard_unread();
    }
    let mut messages = out.messages();
    let mut printed = Ok(());
    let mut print = |text: &[u8]| {
        printed = out.write_all(text);
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let answer = request.run(&mut print, &mut messages.context());
    printed?;
    let answer = answer?;
    out.flush()?;
    if args.json {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else if !out.is_quiet() {
        print_summary(&answer, &messages);
    }
    Ok(match (answer.complete && answer.unreadable == 0, answer.is_whole()) {
        (false, _) => Exit::Failure,
        (true, false) => Exit::Negative,
        (true, true) => Exit::Success,
    })
}

/// Prints the summary to standard error: standard output may be the games.
fn print_summary(answer: &ConvertAnswer, messages: &Messages) {
    let mut text = format!(
        "{} read: {} written, {} rejected, {} left out",
        count(answer.read, "game"),
        Count(answer.written),
        Count(answer.rejected),
        Count(answer.left_out),
    );
    if answer.is_cut {
        text += "; reading stopped at the limit";
    }
    let mut reasons: Vec<_> = answer.rejected_by.iter().collect();
    reasons.sort_by_key(|(reason, games)| (std::cmp::Reverse(**games), **reason));
    for (reason, games) in reasons {
        text += &format!("\n{:>10}  {reason}", Count(*games).to_string());
    }
    messages.print_error(&text);
    let note = |games: u64, what: &str| {
        if games > 0 {
            messages.print_error(&format!("note: {} {what}", count(games, "game")));
        }
    };
    note(answer.copies, "written to a second file, that of the other player");
    if answer.variations > 0 {
        messages
            .print_error(&format!("note: {} as games of their own", count(answer.variations, "variation")));
    }
    note(answer.repaired, "repaired, with the same meaning");
    note(answer.repaired_unsafely, "repaired, with another meaning");
    note(answer.renamed, "with other names of players, events or sites");
    note(answer.inferred_game_types, "received a GameType tag with an inferred variant");
    note(answer.text_variations, "with a variation kept as text in comments, because it cannot be played");
    note(answer.exchanged_scores, "whose score had the number of White first, and has that of Black first");
    for (encoding, games) in &answer.encodings {
        note(*games, &format!("converted from {encoding}"));
    }
    note(
        answer.unseparated,
        "of those kept as they are cannot be told from the next or the previous game by a reader of the file",
    );
    if answer.rejects.is_none() && answer.rejected > 0 {
        messages.print_error(
            "note: rejected games are in no file; `--rejects FILE` takes them, and `--fix` repairs some",
        );
    }
    let place = |path: &Path, what: String| {
        messages.print_error(&format!("{}: {what}", sanitize::path(path)));
    };
    match &answer.files[..] {
        [file] if file.file == Path::new("-") => {}
        [file] => place(&file.file, count(file.games, "game")),
        files => {
            if let Some(dir) = files.first().and_then(|file| file.file.parent()) {
                place(dir, count(files.len() as u64, "file"));
            }
        }
    }
    for file in [&answer.rejects, &answer.others].into_iter().flatten() {
        place(&file.file, count(file.games, "game"));
    }
    if let Some(list) = answer.rejects_list.as_ref().filter(|_| answer.rejected > 0) {
        place(list, "where they were, and why they are rejected".to_owned());
    }
}
