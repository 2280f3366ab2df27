//! Serialises values as their text (feature `serde`): what `Display` writes and `FromStr` parses.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::result_format::ResultFormat;
use super::{Fen, GameType};

/// Deserialises a `T` from a string.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextVisitor<T>(PhantomData<T>);

impl<T> TextVisitor<T> {
    /// Creates a visitor.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Implements `Serialize` and `Deserialize` for types as their text.
#[doc(hidden)]
#[macro_export]
macro_rules! serde_as_text {
    ($($type:ty),*) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::internal::value::TextVisitor::new())
            }
        }
    )*};
}

serde_as_text!(GameType, ResultFormat);

/// A FEN borrows its text, so it is deserialised from a borrowed string only: one without escapes, in a format that keeps it.
impl<'de: 'a, 'a> Deserialize<'de> for Fen<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        Self::parse(text.as_bytes()).map_err(D::Error::custom)
    }
}

impl Serialize for Fen<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
