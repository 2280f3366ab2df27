//! The options that choose games and positions, which several commands share. Their fields are those of [`Filter`].

use std::path::{Path, PathBuf};

use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use pdn::rules::Variant;
use pdn_app::Result;
use pdn_app::ask::endings::EndingOptions;
use pdn_app::ask::filter::{FieldForm, Filter, FilterField, FilterPart};
use pdn_app::ask::option_file::{MAX_VALUE_BYTES, read_text};
use pdn_app::ask::values::parse_variant;

use super::options::OptionArgs;
use super::spelt;

/// Which games of archives or of an index are used.
#[derive(Args, Debug)]
pub(crate) struct SelectionArgs {
    #[command(flatten)]
    pub(crate) games: GameFilterArgs,

    #[command(flatten)]
    pub(crate) position: PositionArgs,
}

impl SelectionArgs {
    /// Returns the filter that all options together form.
    ///
    /// # Errors
    ///
    /// If an option cannot be read.
    pub(crate) fn read(&self) -> Result<Filter> {
        self.games.read_with(Some(&self.position))
    }
}

/// Conditions on games as a whole, their variant included; all of them must hold.
#[derive(Args, Debug)]
pub(crate) struct GameFilterArgs {
    #[command(flatten)]
    pub(crate) filter: GameArgs,

    /// Variant: a name, a GameType number or a GameType value
    #[arg(long, short = 'g', value_name = "VARIANT", help_heading = "Games", value_parser = parse_variant)]
    pub(crate) variant: Option<Variant>,
}

impl GameFilterArgs {
    /// Returns the filter that the options form.
    ///
    /// # Errors
    ///
    /// If an option cannot be read.
    pub(crate) fn read(&self) -> Result<Filter> {
        self.read_with(None)
    }

    /// Returns the filter that the options form together with conditions on a position.
    ///
    /// # Errors
    ///
    /// If an option cannot be read.
    pub(crate) fn read_with(&self, positions: Option<&PositionArgs>) -> Result<Filter> {
        read_filter(Some(&self.filter), self.variant, positions)
    }
}

/// Conditions on games; all of them must hold.
#[derive(Debug, Default)]
pub(crate) struct GameArgs(Given);

/// Conditions on one position of a game; all of them must hold in the same position.
#[derive(Debug, Default)]
pub(crate) struct PositionArgs(Given);

/// The field for definitions, which the command reads from files.
const DEFINE: &str = "define";

/// What is given of a part of a filter.
#[derive(Debug, Default)]
struct Given {
    /// The fields with their texts.
    fields: Vec<(FilterField, String)>,
    /// The files of definitions that the query may use.
    definitions: Vec<PathBuf>,
    /// The tables of endings that the query may ask.
    tables: EndingOptions,
}

/// Returns the fields of a part of a filter, each with an option.
fn fields(part: FilterPart) -> impl Iterator<Item = &'static FilterField> {
    Filter::FIELDS.iter().filter(move |field| field.part == part)
}

/// Adds an option for each field.
fn augment(mut command: Command, part: FilterPart, heading: &'static str) -> Command {
    for field in fields(part) {
        let mut help = field.help(spelt);
        let mut arg = Arg::new(field.name).long(field.name.replace('_', "-")).help_heading(heading);
        arg = match field.form {
            FieldForm::Switch => arg.action(ArgAction::SetTrue),
            FieldForm::Once => arg.value_name(field.value).action(ArgAction::Set),
            FieldForm::Repeated => arg.value_name(field.value).action(ArgAction::Append),
        };
        match field.name {
            "query" => arg = arg.short('q'),
            "pattern" => help += ", or @FILE that contains either",
            DEFINE => {
                "File of names for --query: `lead = w-b >= 2` defines `@lead`".clone_into(&mut help);
                arg = arg.value_name("FILE").value_parser(value_parser!(PathBuf));
            }
            _ => {}
        }
        command = command.arg(arg.help(help));
    }
    if part == FilterPart::Game { OptionArgs::<EndingOptions>::augment_args(command) } else { command }
}

/// Reads what is given of a part of a filter.
///
/// # Errors
///
/// If an option cannot be read.
fn given(matches: &ArgMatches, part: FilterPart) -> std::result::Result<Given, Error> {
    let mut given = Given::default();
    if part == FilterPart::Game {
        given.tables = OptionArgs::from_arg_matches(matches)?.0;
    }
    for field in fields(part) {
        if field.name == DEFINE {
            given.definitions.extend(matches.get_many::<PathBuf>(DEFINE).into_iter().flatten().cloned());
        } else if field.form == FieldForm::Switch {
            given.fields.extend(matches.get_flag(field.name).then(|| (*field, "true".to_owned())));
        } else {
            let values = matches.get_many::<String>(field.name).into_iter().flatten();
            given.fields.extend(values.map(|value| (*field, value.clone())));
        }
    }
    Ok(given)
}

macro_rules! filter_args {
    ($Args:ident, $part:ident, $heading:literal) => {
        impl FromArgMatches for $Args {
            fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, Error> {
                given(matches, FilterPart::$part).map(Self)
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), Error> {
                self.0 = given(matches, FilterPart::$part)?;
                Ok(())
            }
        }

        impl Args for $Args {
            fn augment_args(command: Command) -> Command {
                augment(command, FilterPart::$part, $heading)
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augment_args(command)
            }
        }
    };
}

filter_args!(GameArgs, Game, "Games");
filter_args!(PositionArgs, Position, "Positions");

/// Returns the filter that options form. `@FILE` as a pattern stands for the text of a file.
///
/// # Errors
///
/// If an option or the file cannot be read.
pub(crate) fn read_filter(
    games: Option<&GameArgs>,
    variant: Option<Variant>,
    positions: Option<&PositionArgs>,
) -> Result<Filter> {
    let tables = games.map_or(Ok(None), |games| games.0.tables.open())?;
    let mut filter = Filter::default().variant(variant).tables(tables);
    for path in games.into_iter().flat_map(|games| &games.0.definitions) {
        filter.define_file(path)?;
    }
    let positions = positions.into_iter().flat_map(|positions| &positions.0.fields);
    for (field, text) in games.into_iter().flat_map(|games| &games.0.fields).chain(positions) {
        match text.strip_prefix('@').filter(|_| field.name == "pattern") {
            Some(path) => {
                let text = read_text(Path::new(path), MAX_VALUE_BYTES)?;
                filter.set(field.name, text.trim_end())?;
            }
            None => filter.set(field.name, text)?,
        }
    }
    Ok(filter)
}
