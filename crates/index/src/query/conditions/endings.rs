//! Proven values of positions of a few pieces, which come from tables outside of the index.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use pdn::error::{Error, Result};
use pdn::position::Position;
use pdn::rules::Variant;

/// What positions of a few pieces are worth, as tables of endings prove it.
pub trait ProvenValues: fmt::Debug + Send + Sync {
    /// Returns the most pieces of a position of a variant that may have a value; 0 if none has one.
    fn most_pieces(&self, variant: Variant) -> u32;

    /// Returns the value of a position of a variant for the side to move; `None` if it is not known.
    ///
    /// # Errors
    /// If a table cannot be read.
    fn value(&self, variant: Variant, position: &Position) -> Result<Option<ProvenValue>>;
}

/// The value of a position for the side to move, when both sides play as well as they can.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct ProvenValue {
    /// 1 if it is won, 0 if it is drawn, -1 if it is lost.
    pub value: i8,
    /// The number of plies to the end; `None` if it is drawn.
    pub plies: Option<u16>,
}

/// A number that tables of endings have of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TableNumber {
    /// See [`ProvenValue::value`].
    Value,
    /// See [`ProvenValue::plies`].
    Distance,
}

/// The words for the values of positions in the query language.
pub const VALUE_NAMES: [(&str, i32); 3] = [("win", 1), ("draw", 0), ("loss", -1)];

/// The tables that a query asks, the variants of which it asked, and the first error of reading them.
#[derive(Clone, Debug)]
pub struct Tables {
    values: Arc<dyn ProvenValues>,
    asked: Arc<[AtomicBool]>,
    failure: Arc<Mutex<Option<Error>>>,
}

impl PartialEq for Tables {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.failure, &other.failure)
    }
}

impl Eq for Tables {}

impl Hash for Tables {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.failure).hash(state);
    }
}

impl Tables {
    /// Makes tables known to queries.
    pub fn new(values: Arc<dyn ProvenValues>) -> Self {
        let asked = Variant::ALL.iter().map(|_| AtomicBool::default()).collect();
        Self { values, asked, failure: Arc::default() }
    }

    /// Returns the most pieces of a position of a variant that may have a value; 0 if none has one.
    pub fn most_pieces(&self, variant: Variant) -> u32 {
        self.values.most_pieces(variant)
    }

    /// Returns the value of a position of a variant for the side to move; `None` if it is not known.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn value(&self, variant: Variant, position: &Position) -> Result<Option<ProvenValue>> {
        let state = position.state();
        if (state.pieces[0] | state.pieces[1]).count_ones() > self.most_pieces(variant) {
            return Ok(None);
        }
        self.values.value(variant, position)
    }

    /// Returns the value of a position of a variant for the side to move; `None` if it is not known. An error is kept for
    /// [`check`](Self::check).
    pub fn known(&self, variant: Variant, position: &Position) -> Option<ProvenValue> {
        self.value(variant, position).unwrap_or_else(|error| {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            None
        })
    }

    /// Returns a number of a position of a variant; `None` if it is not known. An error is kept for [`check`](Self::check).
    pub fn number(&self, of: TableNumber, variant: Variant, position: &Position) -> Option<i32> {
        let asked = &self.asked[variant as usize];
        if !asked.load(Relaxed) {
            asked.store(true, Relaxed);
        }
        let found = self.known(variant, position)?;
        match of {
            TableNumber::Value => Some(found.value.into()),
            TableNumber::Distance => found.plies.map(i32::from),
        }
    }

    /// Returns the variants of the positions of which a number was asked so far.
    pub fn asked(&self) -> impl Iterator<Item = Variant> {
        Variant::ALL
            .iter()
            .zip(&*self.asked)
            .filter(|(_, asked)| asked.load(Relaxed))
            .map(|(variant, _)| *variant)
    }

    /// Fails if a table could not be read since the last check.
    ///
    /// # Errors
    /// The first error.
    pub fn check(&self) -> Result<()> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}
