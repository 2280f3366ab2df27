//! Options of questions. Each is declared once, as a field of a struct in `options!`: its name, its type, its default and its help. What a
//! front end has of it follows from that: the option of the command, the argument in Python, the parameter of the server, the field of the
//! npm package, and their descriptions, types and errors.

use std::fmt::Display;
use std::path::PathBuf;

use pdn::internal::message::Message;
use pdn::internal::replay::CandidateGame;
use pdn::rules::Variant;
use pdn::source::Encoding;
use pdn::write::{Profile, Strip};

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::named::Named;
use crate::ask::numbers::{parse_number, parse_share, parse_size, parse_switch};
use crate::ask::values::{parse_game, parse_variant};

/// An option, as its declaration says.
#[derive(Clone, Copy, Debug)]
pub struct OptionField {
    /// The name in Python, HTTP and the npm package: `keep_untagged`. The command spells it `--keep-untagged`.
    pub name: &'static str,
    /// Another name that the command has for it; empty for none.
    pub flag: &'static str,
    /// A name that the command also understands and does not list; empty for none.
    pub alias: &'static str,
    /// The letter of the command; empty for none.
    pub short: &'static str,
    /// The heading under which it is listed; empty for none.
    pub heading: &'static str,
    /// How the value is given.
    pub form: Form,
    /// The numbers that are allowed.
    pub range: (u64, u64),
    /// What the value stands for: `NAME`; empty for a switch.
    pub value: &'static str,
    /// The option without which this one has no meaning; empty for none.
    pub needs: &'static str,
    /// The option that cannot be given together with this one; empty for none.
    pub excludes: &'static str,
    /// The value may begin with `-`.
    pub hyphens: bool,
    /// Lines of help, in which names of other options stand in braces: `{sort}`.
    pub lines: &'static [&'static str],
    /// Returns the text of the value without the option; `None` if there is none.
    pub default: fn() -> Option<String>,
    /// Reads a value, to know whether it is one.
    #[doc(hidden)]
    pub read: fn(Given) -> Result<()>,
}

/// How the value of an option is given.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// As `true` or `false`.
    Switch,
    /// As a whole number.
    Number,
    /// As a number from 0 to 1.
    Share,
    /// As a number of bytes, or a text with a unit.
    Size,
    /// As a text.
    Text,
    /// As the path of a file or folder.
    Path,
    /// As one of these names, each with a line of help.
    Choice(fn() -> Vec<(&'static str, &'static str)>),
    /// As words of one value: a text with commas between them, or a list.
    Words,
    /// As several values of this form: a text with commas between them, or a list.
    List(&'static Form),
}

/// A value that a front end received.
#[derive(Clone, PartialEq, Debug)]
pub enum Given {
    /// `true` or `false`.
    Switch(bool),
    /// A whole number.
    Number(u64),
    /// Another number.
    OtherNumber(f64),
    /// A text.
    Text(String),
    /// The text of a value of any form, as command lines and addresses have it.
    Written(String),
    /// A path, which may be no text.
    Path(PathBuf),
    /// Several texts.
    List(Vec<String>),
    /// A value of a type that no option has, such as an object.
    Other,
}

/// A type that the value of an option may have.
pub trait OptionValue: Sized {
    /// How it is given.
    const FORM: Form;

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// What is expected. A value of another type has no text: the error is without one.
    fn read(given: Given) -> Result<Self>;

    /// Returns the text of the value, if a default of this value is to be shown.
    fn shown(&self) -> Option<String> {
        None
    }
}

/// The options of a question: groups of fields.
pub type OptionGroups = &'static [&'static [OptionField]];

/// A group of options, as `options!` declares it.
pub trait Options: Default {
    /// The options in their order.
    const FIELDS: &'static [OptionField];

    /// Takes the options out of those that were given.
    ///
    /// # Errors
    ///
    /// If a value cannot be read.
    fn take(given: &mut GivenOptions) -> Result<Self>;
}

impl OptionField {
    #[doc(hidden)]
    pub const fn new<T: OptionValue>(
        name: &'static str,
        heading: &'static str,
        lines: &'static [&'static str],
        default: fn() -> Option<String>,
    ) -> Self {
        let (flag, alias, short, value, needs, excludes) = ("", "", "", "", "", "");
        let (form, range, hyphens, read) = (T::FORM, (0, u64::MAX), false, read_only::<T> as fn(Given) -> _);
        Self {
            name,
            flag,
            alias,
            short,
            heading,
            form,
            range,
            value,
            needs,
            excludes,
            hyphens,
            lines,
            default,
            read,
        }
    }

    /// Returns the help with the names of other options as `spell` spells them.
    pub fn help(&self, spell: impl Fn(&str) -> String) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.trim()).collect();
        spelt(&lines.join(" "), spell)
    }

    /// Checks a value.
    ///
    /// # Errors
    ///
    /// What is expected.
    pub fn check(&self, given: Given) -> Result<()> {
        (self.read)(self.in_range(given)?)
    }

    /// Returns a value that is no number outside the range.
    fn in_range(&self, given: Given) -> Result<Given> {
        let text = match (&self.form, &given) {
            (Form::Number, Given::Number(number)) => number.to_string(),
            (Form::Number, Given::Written(text)) => text.clone(),
            _ => return Ok(given),
        };
        let number = parse_number(&text, &(self.range.0..=self.range.1));
        number.map(Given::Number).map_err(|wrong| invalid(wrong).value(text))
    }
}

/// Reads a value and drops it.
fn read_only<T: OptionValue>(given: Given) -> Result<()> {
    T::read(given).map(drop)
}

/// Returns a text in which the names in braces are spelt by `spell`.
pub(crate) fn spelt(text: &str, spell: impl Fn(&str) -> String) -> String {
    let mut parts = text.split(['{', '}']);
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let (Some(name), Some(rest)) = (parts.next(), parts.next()) {
        text += &spell(name);
        text += rest;
    }
    text
}

/// Declares a group of options as a struct. Documentation is help; after the type stand the default, and fields of [`OptionField`].
#[doc(hidden)]
#[macro_export]
macro_rules! options {
    ($(#[$meta:meta])* pub struct $Group:ident in $heading:literal {
        $($(#[doc = $doc:literal])* $name:ident: $Type:ty $(= $default:expr)? $(, $key:ident $value:expr)*;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $Group {
            $($(#[doc = $doc])* pub $name: $Type,)*
        }

        impl Default for $Group {
            fn default() -> Self {
                Self { $($name: $crate::options!(@default $($default)?),)* }
            }
        }

        impl $crate::ask::options::Options for $Group {
            const FIELDS: &'static [$crate::ask::options::OptionField] = &[$($crate::ask::options::OptionField {
                $($key: $value,)*
                ..$crate::ask::options::OptionField::new::<$Type>(
                    stringify!($name),
                    $heading,
                    &[$($doc),*],
                    || $crate::ask::options::OptionValue::shown(&$Group::default().$name),
                )
            },)*];

            fn take(
                given: &mut $crate::ask::options::GivenOptions,
            ) -> ::std::result::Result<Self, $crate::ask::error::AppError> {
                let mut options = Self::default();
                let mut fields = Self::FIELDS.iter();
                $(given.fill(fields.next(), &mut options.$name)?;)*
                Ok(options)
            }
        }
    };
    (@default) => { Default::default() };
    (@default $default:expr) => { $default };
}
pub use options;

/// The options that were given, and not read yet. A question takes its groups, and [ends](Self::end).
#[derive(Clone, Debug, Default)]
pub struct GivenOptions {
    left: Vec<(String, Given)>,
    /// Those that were taken and that say something.
    taken: Vec<&'static OptionField>,
}

impl GivenOptions {
    /// Adds an option.
    pub fn push(&mut self, name: impl Into<String>, given: Given) {
        self.left.push((name.into(), given));
    }

    /// Returns `true` if an option is given and not read yet.
    pub fn has(&self, name: &str) -> bool {
        self.left.iter().any(|(other, _)| other == name)
    }

    /// Takes an option; `None` if it is not given.
    pub fn take(&mut self, name: &str) -> Option<Given> {
        let place = self.left.iter().position(|(other, _)| other == name)?;
        Some(self.left.remove(place).1)
    }

    /// Takes an option of this type that is not in a group.
    ///
    /// # Errors
    ///
    /// If it is something else.
    pub fn value<T: OptionValue>(&mut self, name: &'static str) -> Result<Option<T>> {
        self.take(name).map(|given| read(name, given, T::read)).transpose()
    }

    /// Takes a group of options.
    ///
    /// # Errors
    ///
    /// If a value cannot be read.
    pub fn group<O: Options>(&mut self) -> Result<O> {
        O::take(self)
    }

    /// Takes the value of a field of a group, if it is given.
    #[doc(hidden)]
    pub fn fill<T: OptionValue>(&mut self, field: Option<&'static OptionField>, value: &mut T) -> Result<()> {
        let Some(field) = field else { return Ok(()) };
        let Some(given) = self.take(field.name) else { return Ok(()) };
        if !matches!(&given, Given::Switch(false))
            && !matches!(&given, Given::List(words) if words.is_empty())
        {
            self.taken.push(field);
        }
        *value = read(field.name, given, |given| T::read(field.in_range(given)?))?;
        Ok(())
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// If an option was not read, because the question has none of its name, or if options need or exclude each other.
    pub fn end(self) -> Result<()> {
        if let Some((name, _)) = self.left.first() {
            return Err(refused(format!("there is no option `{name}`")));
        }
        let has = |name: &str| self.taken.iter().any(|field| field.name == name);
        for field in &self.taken {
            let message = match (field.needs, field.excludes) {
                (needs, _) if !needs.is_empty() && !has(needs) => format!("is used together with `{needs}`"),
                (_, other) if !other.is_empty() && has(other) => {
                    format!("cannot be used together with `{other}`")
                }
                _ => continue,
            };
            return Err(AppError::plain(ErrorCode::Contradiction, message).in_field(field.name));
        }
        Ok(())
    }
}

/// Reads a value; an error gets the name of the option, and the text that was given.
fn read<T>(name: &'static str, given: Given, reader: impl FnOnce(Given) -> Result<T>) -> Result<T> {
    reader(given).map_err(|wrong| wrong.in_field(name))
}

/// Returns the text of a value that is one.
fn text(given: Given) -> Result<String> {
    match given {
        Given::Text(text) | Given::Written(text) => Ok(text),
        _ => Err(refused("expected a text")),
    }
}

/// Returns the words of a value that has some.
fn words(given: Given) -> Result<Vec<String>> {
    match given {
        Given::List(words) => Ok(words.into_iter().map(|word| word.trim().to_owned()).collect()),
        Given::Text(text) | Given::Written(text) => {
            let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
            Ok(words.map(str::to_owned).collect())
        }
        _ => Err(refused("expected words: a text with commas between them, or a list of texts")),
    }
}

/// Returns the error that a message tells.
fn invalid(message: Message) -> AppError {
    AppError::new(ErrorCode::InvalidValue, message)
}

/// Returns the error that a text tells.
pub(crate) fn refused(message: impl Display) -> AppError {
    AppError::plain(ErrorCode::InvalidValue, message.to_string())
}

/// Reads the text of a value; an error gets the text.
pub(crate) fn parsed<T>(given: Given, parse: impl FnOnce(&str) -> Result<T>) -> Result<T> {
    let text = match given {
        Given::Number(number) => number.to_string(),
        given => text(given)?,
    };
    parse(&text).map_err(|wrong| wrong.value(text))
}

impl OptionValue for bool {
    const FORM: Form = Form::Switch;

    fn read(given: Given) -> Result<Self> {
        match given {
            Given::Switch(on) => Ok(on),
            Given::Written(_) => parsed(given, |text| parse_switch(text).map_err(invalid)),
            _ => Err(refused("expected `true` or `false`")),
        }
    }
}

/// Declares types of whole numbers.
macro_rules! numbers {
    ($($Number:ident)*) => {$(
        impl OptionValue for $Number {
            const FORM: Form = Form::Number;

            fn read(given: Given) -> Result<Self> {
                match given {
                    Given::Number(_) | Given::Written(_) => {
                        parsed(given, |text| parse_number(text, &(0..=u64::MAX)).map_err(invalid))
                    }
                    _ => Err(refused("expected a whole number from 0")),
                }
            }

            fn shown(&self) -> Option<String> {
                Some(self.to_string())
            }
        }
    )*};
}
numbers! { u32 u64 usize }

impl OptionValue for i32 {
    const FORM: Form = Form::Text;

    fn read(given: Given) -> Result<Self> {
        parsed(given, |text| text.parse().map_err(|_| refused("expected a whole number")))
    }
}

/// A number of bytes, which may have a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size(pub u64);

impl OptionValue for Size {
    const FORM: Form = Form::Size;

    fn read(given: Given) -> Result<Self> {
        parsed(given, |text| parse_size(text).map(Self).map_err(refused))
    }

    fn shown(&self) -> Option<String> {
        Some(format!("{}M", self.0 >> 20))
    }
}

/// A number from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share(pub f64);

impl OptionValue for Share {
    const FORM: Form = Form::Share;

    fn read(given: Given) -> Result<Self> {
        match given {
            Given::OtherNumber(number) => Self::read(Given::Written(number.to_string())),
            Given::Number(_) | Given::Written(_) => {
                parsed(given, |text| parse_share(text).map(Self).map_err(refused))
            }
            _ => Err(refused("expected a number from 0 to 1")),
        }
    }

    fn shown(&self) -> Option<String> {
        Some(self.0.to_string())
    }
}

impl OptionValue for String {
    const FORM: Form = Form::Text;

    fn read(given: Given) -> Result<Self> {
        text(given)
    }
}

impl OptionValue for PathBuf {
    const FORM: Form = Form::Path;

    fn read(given: Given) -> Result<Self> {
        match given {
            Given::Path(path) => Ok(path),
            given => text(given).map(Self::from).map_err(|_| refused("expected a path")),
        }
    }
}

impl<T: Named> OptionValue for T {
    const FORM: Form = Form::Choice(|| T::ALL.iter().map(|(_, name, help)| (*name, help.trim())).collect());

    fn read(given: Given) -> Result<Self> {
        match given {
            Given::Number(_) | Given::OtherNumber(_) => Err(refused("expected a text")),
            given => parsed(given, |text| T::parse(text).map_err(invalid)),
        }
    }

    fn shown(&self) -> Option<String> {
        Some(self.name().to_owned())
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    const FORM: Form = T::FORM;

    fn read(given: Given) -> Result<Self> {
        T::read(given).map(Some)
    }

    fn shown(&self) -> Option<String> {
        self.as_ref().and_then(T::shown)
    }
}

impl<T: OptionValue> OptionValue for Vec<T> {
    const FORM: Form = Form::List(&T::FORM);

    fn read(given: Given) -> Result<Self> {
        words(given)?.into_iter().map(|word| T::read(Given::Written(word))).collect()
    }

    fn shown(&self) -> Option<String> {
        let words: Vec<String> = self.iter().filter_map(T::shown).collect();
        Some(words.join(",")).filter(|text| !text.is_empty())
    }
}

impl OptionValue for Strip {
    const FORM: Form = Form::Words;

    fn read(given: Given) -> Result<Self> {
        parsed(Given::Text(words(given)?.join(",")), |text| text.parse().map_err(refused))
    }
}

impl OptionValue for CandidateGame {
    const FORM: Form = Form::Text;

    fn read(given: Given) -> Result<Self> {
        parsed(Given::Text(text(given)?), |text| parse_game(text).map_err(invalid))
    }
}

impl OptionValue for Variant {
    const FORM: Form = Form::Text;

    fn read(given: Given) -> Result<Self> {
        parsed(Given::Text(text(given)?), |text| parse_variant(text).map_err(invalid))
    }
}

/// Declares types that are parsed from a text.
macro_rules! texts {
    ($($Type:ty)*) => {$(
        impl $crate::ask::options::OptionValue for $Type {
            const FORM: $crate::ask::options::Form = $crate::ask::options::Form::Text;

            fn read(given: $crate::ask::options::Given) -> $crate::ask::error::Result<Self> {
                $crate::ask::options::parsed(given, |text| text.parse().map_err($crate::ask::options::refused))
            }
        }
    )*};
}
#[cfg(feature = "index")]
pub(crate) use texts;
texts! { Profile Encoding }

#[cfg(test)]
mod tests {
    use super::*;

    options! {
        /// A group.
        #[expect(unreachable_pub, reason = "the macro declares public groups")]
        pub struct Group in "Numbers" {
            /// As {other},
            /// and more
            first: u32, value "N", range (1, 9), needs "other";
            /// A list
            other: Vec<u64> = vec![1, 2], value "LIST", excludes "size";
            /// A size
            size: Size = Size(64 << 20);
            on: bool;
            path: Option<PathBuf>;
        }
    }

    fn group(given: &[(&str, Given)]) -> Result<Group> {
        let mut options = GivenOptions::default();
        given.iter().for_each(|(name, given)| options.push(*name, given.clone()));
        let group = options.group()?;
        options.end().map(|()| group)
    }

    #[test]
    fn declarations_have_names_forms_defaults_and_help() {
        let [first, other, size, on, path] = Group::FIELDS else { panic!() };
        assert_eq!((first.name, first.heading, first.range), ("first", "Numbers", (1, 9)));
        assert_eq!(first.help(|name| format!("--{name}")), "As --other, and more");
        let defaults = [first, other, size, on, path].map(|field| (field.default)());
        assert_eq!(
            defaults,
            [Some("0"), Some("1,2"), Some("64M"), None, None].map(|text| text.map(str::to_owned))
        );
        assert!(matches!(
            (other.form, on.form, path.form),
            (Form::List(Form::Number), Form::Switch, Form::Path)
        ));
    }

    #[test]
    fn values_are_read_from_what_each_front_end_has() {
        let text = |text: &str| Given::Text(text.to_owned());
        let written = |text: &str| Given::Written(text.to_owned());
        let all = [
            ("first", Given::Number(3)),
            ("other", Given::List(vec!["4".to_owned(), " 5".to_owned()])),
            ("on", Given::Switch(true)),
            ("path", Given::Path("a".into())),
        ];
        let read = group(&all).unwrap();
        assert_eq!(
            read,
            Group { first: 3, other: vec![4, 5], on: true, path: Some("a".into()), ..Group::default() }
        );
        let all = [
            ("other", written("4,5,")),
            ("first", written("3")),
            ("on", written("yes")),
            ("path", text("a")),
        ];
        assert_eq!(group(&all).unwrap(), read);
        assert_eq!(group(&[("size", text("1k"))]).unwrap().size, Size(1024));
        assert_eq!(group(&[("size", Given::Number(7))]).unwrap().size, Size(7));
        assert_eq!(group(&[]).unwrap(), Group::default());
    }

    #[test]
    fn errors_name_the_option_and_what_was_given_of_it() {
        let text = |text: &str| Given::Text(text.to_owned());
        let number = ("other", Given::List(vec!["7".to_owned()]));
        for (given, message, value) in [
            (
                vec![("first", Given::Number(10)), number.clone()],
                "first: expected a whole number from 1 to 9",
                "10",
            ),
            (
                vec![("first", Given::Written("x".to_owned())), number.clone()],
                "first: expected a whole number from 1 to 9",
                "x",
            ),
            (vec![("first", text("3")), number.clone()], "first: expected a whole number from 0", ""),
            (vec![("first", Given::OtherNumber(2.0))], "first: expected a whole number from 0", ""),
            (vec![("other", text("3,x"))], "other: expected a whole number", "x"),
            (vec![("on", text("yes"))], "on: expected `true` or `false`", ""),
            (vec![("path", Given::Number(3))], "path: expected a path", ""),
            (vec![("size", text("x"))], "size: expected a number of bytes such as 64M", "x"),
            (vec![("first", Given::Number(3))], "first: is used together with `other`", ""),
            (vec![number, ("size", Given::Number(1))], "other: cannot be used together with `size`", ""),
            (vec![("firsts", Given::Number(3))], "there is no option `firsts`", ""),
        ] {
            let error = group(&given).unwrap_err();
            let has = (error.to_string(), error.value.clone().unwrap_or_default());
            assert_eq!(has, (message.to_owned(), value.to_owned()), "{given:?}");
        }
        assert!(
            group(&[("first", Given::Number(3)), ("other", Given::List(Vec::new()))]).is_err(),
            "an empty list"
        );
    }
}
