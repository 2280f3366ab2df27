//! Groups of options, as the questions declare them, as options of the command.

use std::ops::Deref;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::{Error, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use pdn_app::ask::options::{Form, Given, GivenOptions, OptionField, Options};

use super::spelt;

/// A group of options.
#[derive(Debug)]
pub(crate) struct OptionArgs<O>(pub(crate) O);

impl<O> Deref for OptionArgs<O> {
    type Target = O;

    fn deref(&self) -> &O {
        &self.0
    }
}

impl<O: Options> Args for OptionArgs<O> {
    fn augment_args(command: Command) -> Command {
        command.args(args(O::FIELDS))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<O: Options> FromArgMatches for OptionArgs<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let read = given(matches, O::FIELDS).group();
        read.map(Self).map_err(|error| Error::raw(ErrorKind::ValueValidation, format!("{error}\n")))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the options of fields.
fn args(fields: &'static [OptionField]) -> Vec<Arg> {
    fields.iter().map(arg).collect()
}

/// Returns the name of an option in the command.
fn id(field: &OptionField) -> &'static str {
    if field.flag.is_empty() { field.name } else { field.flag }
}

fn arg(field: &'static OptionField) -> Arg {
    let mut arg = Arg::new(id(field)).long(id(field).replace('_', "-")).help(field.help(spelt));
    arg = arg.short(field.short.chars().next()).allow_hyphen_values(field.hyphens);
    if !field.alias.is_empty() {
        arg = arg.alias(field.alias);
    }
    if !field.heading.is_empty() {
        arg = arg.help_heading(field.heading);
    }
    if !field.needs.is_empty() {
        arg = arg.requires(field.needs);
    }
    if !field.excludes.is_empty() {
        arg = arg.conflicts_with(field.excludes);
    }
    if let Form::Switch = field.form {
        return arg.action(ArgAction::SetTrue);
    }
    if let Some(default) = (field.default)() {
        arg = arg.default_value(default);
    }
    let (form, is_list) = if let Form::List(item) = field.form { (*item, true) } else { (field.form, false) };
    arg = match form {
        Form::Path => arg.value_parser(value_parser!(PathBuf)),
        Form::Choice(choices) => {
            let value = |(name, help): (&'static str, &'static str)| {
                let value = PossibleValue::new(name);
                if help.is_empty() { value } else { value.help(help) }
            };
            let choices = choices();
            // Names with capitals, such as those of tags, are written in any case.
            let has_capitals = choices.iter().any(|(name, _)| name.contains(char::is_uppercase));
            let parser = PossibleValuesParser::new(choices.into_iter().map(value));
            arg.value_parser(parser).ignore_case(has_capitals)
        }
        _ => arg.value_parser(move |text: &str| {
            let text = text.to_owned();
            let given = if is_list { Given::List(vec![text.clone()]) } else { Given::Written(text.clone()) };
            field.check(given).map(|()| text).map_err(|wrong| wrong.into_parts().message)
        }),
    };
    arg = arg.value_name(field.value);
    if is_list { arg.action(ArgAction::Append).value_delimiter(',') } else { arg }
}

/// Returns an option whose help says what the command does without it.
pub(crate) fn with_default(option: Arg, default: &str) -> Arg {
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    option.help(format!("{help} [default: {default}]"))
}

/// Returns what is given of fields.
fn given(matches: &ArgMatches, fields: &'static [OptionField]) -> GivenOptions {
    let mut given = GivenOptions::default();
    for field in fields {
        if matches.value_source(id(field)) != Some(ValueSource::CommandLine) {
            continue;
        }
        let texts = || matches.get_many::<String>(id(field)).into_iter().flatten().cloned();
        given.push(
            field.name,
            match field.form {
                Form::Switch => Given::Switch(true),
                Form::Path => Given::Path(matches.get_one::<PathBuf>(id(field)).cloned().unwrap_or_default()),
                Form::List(_) => Given::List(texts().collect()),
                _ => Given::Written(texts().next().unwrap_or_default()),
            },
        );
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn_app::find::tree::TreeShown;
    use pdn_app::write::convert::ConvertOrder;

    #[test]
    fn command_has_the_options_that_are_declared_and_no_others() {
        for fields in [ConvertOrder::FIELDS, TreeShown::FIELDS] {
            let (first, rest) = fields.split_first().expect("options");
            let help = |fields| Command::new("pdn").args(args(fields)).render_help().to_string();
            let option = format!("--{} ", first.name.replace('_', "-"));
            assert!(help(fields).contains(option.trim_end()) && !help(rest).contains(&option), "{option}");
            let names = |fields| args(fields).iter().map(|arg| arg.get_id().to_string()).collect::<Vec<_>>();
            assert_eq!(names(fields)[1..], names(rest));
            assert_eq!(names(rest), rest.iter().map(|field| field.name).collect::<Vec<_>>());
        }
    }
}
