//! Choices that are named: each value has a name in options, parameters and JSON, and a line of help.

use pdn::internal::message::Message;
use pdn::value::ScoreOrder;

/// A set of values with names.
pub trait Named: Sized + Copy + PartialEq + 'static {
    /// All values, each with its name and a line of help, in the order in which they are listed.
    const ALL: &'static [(Self, &'static str, &'static str)];

    /// Returns the name of the value.
    fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(value, ..)| *value == self);
        found.map_or("", |(_, name, _)| name)
    }

    /// Returns the value of this name, in any case.
    ///
    /// # Errors
    ///
    /// A message with all names.
    fn parse(text: &str) -> Result<Self, Message> {
        let found = Self::ALL.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(text));
        found.map(|(value, ..)| *value).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, name, _)| *name).collect();
            let list = names.join(", ");
            message!("one_of", "expected one of {list}", expected = names.as_slice())
        })
    }
}

/// Declares an enum whose values have names and lines of help, which are their documentation. The first value is the default.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* pub enum $Enum:ident {
        $($(#[doc = $doc:literal])* $Value:ident = $name:literal,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum $Enum {
            $($(#[doc = $doc])* $Value,)*
        }

        impl $crate::ask::named::Named for $Enum {
            const ALL: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$Value, $name, concat!($($doc),*)),)*];
        }

        impl Default for $Enum {
            fn default() -> Self {
                <Self as $crate::ask::named::Named>::ALL[0].0
            }
        }

        impl $crate::ask::named::serde::Serialize for $Enum {
            fn serialize<S: $crate::ask::named::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::ask::named::Named::name(*self))
            }
        }
    };
}
pub use named;
#[doc(hidden)]
pub use serde;

impl Named for ScoreOrder {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::First, Self::First.name(), "The side that starts, as PDN defines"),
        (Self::White, Self::White.name(), "White"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    named! {
        /// A choice.
        #[expect(unreachable_pub, reason = "the macro declares public choices")]
        pub enum Choice {
            /// The first one.
            First = "first",
            Second = "second",
        }
    }

    #[test]
    fn values_have_names_and_help() {
        assert_eq!(Choice::parse("Second"), Ok(Choice::Second));
        assert_eq!(Choice::parse("third").unwrap_err().text, "expected one of first, second");
        assert_eq!((Choice::default().name(), Choice::ALL[0].2.trim()), ("first", "The first one."));
        assert_eq!(serde_json::to_value(Choice::Second).unwrap(), "second");
    }
}
