//! Tables of endings, which say what positions of a few pieces are worth.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::error::ErrorKind;
use pdn::notation::MoveStyle;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_endgame::{EndgameError, EndingSource, Endings, Slice, Value};
use pdn_index::internal::query::{ProvenValue, ProvenValues, Tables};
use serde::Serialize;

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::options::options;
use crate::ask::values::colour_title;

options! {
    /// The tables of endings that a question asks.
    #[derive(Eq)]
    pub struct EndingOptions in "" {
        /// Folder of the endings that `pdn endgame build` has proved, which say what positions of a few pieces are worth
        tables: Option<PathBuf>, value "DIR";
    }
}

impl EndingOptions {
    /// Opens the tables; `None` without a folder.
    ///
    /// # Errors
    ///
    /// If the folder has no tables of any variant.
    pub fn open(&self) -> Result<Option<Arc<EndingTables>>> {
        self.tables.as_deref().map(|folder| EndingTables::open(folder).map(Arc::new)).transpose()
    }
}

/// The tables of endings of several variants, each in a folder of its name.
#[derive(Debug)]
pub struct EndingTables {
    path: PathBuf,
    /// The most pieces of a position, and the tables.
    variants: HashMap<Variant, (u32, Endings)>,
}

impl EndingTables {
    /// Opens the tables of all variants in a folder.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub fn open(folder: &Path) -> Result<Self> {
        let mut tables = Self { path: folder.to_owned(), variants: HashMap::new() };
        for &variant in Variant::ALL {
            let folder = folder.join(variant.name());
            if folder.is_dir() {
                tables.add(variant, Endings::open(folder, variant)?);
            }
        }
        if tables.variants.is_empty() { Err(no_endings(folder, "")) } else { Ok(tables) }
    }

    /// Opens the tables of all variants of a source, which has the files of a folder of tables under their names there, such as
    /// `english/m1k0-m0k1.ending`; `None` if there are none.
    pub fn from_source(source: impl EndingSource + Clone + 'static) -> Option<Self> {
        let mut tables = Self { path: PathBuf::new(), variants: HashMap::new() };
        for &variant in Variant::ALL {
            let source = OfVariant { source: source.clone(), variant };
            tables.add(variant, Endings::from_source(source, variant));
        }
        (!tables.variants.is_empty()).then_some(tables)
    }

    /// Adds the endings of a variant if some are built.
    fn add(&mut self, variant: Variant, endings: Endings) {
        if let Some(last) = endings.built().last() {
            self.variants.insert(variant, (last.pieces(), endings));
        }
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the slices of a variant that are there, those with the fewest pieces first, after reading all their values.
    ///
    /// # Errors
    ///
    /// If a table cannot be read, or is damaged.
    pub fn verified_slices(&self, variant: Variant) -> Result<Vec<Slice>> {
        let Some((_, endings)) = self.variants.get(&variant) else { return Ok(Vec::new()) };
        let slices = endings.built();
        slices.iter().try_for_each(|slice| endings.verify(*slice).map(drop))?;
        Ok(slices)
    }

    /// Fails if a question is about games of these variants, and the folder has tables of none of them.
    ///
    /// # Errors
    ///
    /// That no endings of the variants are here.
    pub fn require(&self, variants: impl IntoIterator<Item = Variant>) -> Result<()> {
        let variants: Vec<Variant> = variants.into_iter().collect();
        if variants.is_empty() || variants.iter().any(|&variant| self.most_pieces(variant) > 0) {
            return Ok(());
        }
        let names: BTreeSet<&str> = variants.into_iter().map(Variant::name).collect();
        Err(no_endings(&self.path, &Vec::from_iter(names).join(" or ")))
    }

    /// Returns what is proved of a position of a variant.
    ///
    /// # Errors
    ///
    /// If the folder has no tables of the variant, or a table cannot be read.
    pub fn prove(self: &Arc<Self>, variant: Variant, position: &Position) -> Result<ProvenMoves> {
        self.require([variant])?;
        ProvenMoves::of(&Tables::new(self.clone()), variant, position)
    }
}

/// The files of a variant among those of all.
#[derive(Debug)]
struct OfVariant<S> {
    source: S,
    variant: Variant,
}

impl<S> OfVariant<S> {
    fn path(&self, file: &str) -> String {
        format!("{}/{file}", self.variant.name())
    }
}

impl<S: EndingSource> EndingSource for OfVariant<S> {
    fn len(&self, file: &str) -> io::Result<Option<u64>> {
        self.source.len(&self.path(file))
    }

    fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.source.read(&self.path(file), offset, into)
    }
}

/// Tables of the same folder are equal.
impl PartialEq for EndingTables {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for EndingTables {}

impl ProvenValues for EndingTables {
    fn most_pieces(&self, variant: Variant) -> u32 {
        self.variants.get(&variant).map_or(0, |(most, _)| *most)
    }

    fn value(&self, variant: Variant, position: &Position) -> pdn::Result<Option<ProvenValue>> {
        let Some((_, endings)) = self.variants.get(&variant) else { return Ok(None) };
        let value = endings.probe(position);
        let value = value.map_err(|error| pdn::Error::new(ErrorKind::Io(std::io::Error::other(error))))?;
        Ok(value.map(proven_value))
    }
}

/// Returns the value of a table as queries have it.
pub fn proven_value(value: Value) -> ProvenValue {
    match value {
        Value::Win { plies } => ProvenValue { value: 1, plies: Some(plies) },
        Value::Draw => ProvenValue { value: 0, plies: None },
        Value::Loss { plies } => ProvenValue { value: -1, plies: Some(plies) },
    }
}

/// What tables of endings prove of a position and of its legal moves, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProvenMoves {
    /// The value of the position: that in the tables, or, if they know all legal moves, that of the best; `None` if they do not reach it.
    pub position: Option<ProvenValue>,
    /// The legal moves whose value is known, the best first: quick wins, draws, slow losses.
    pub moves: Vec<ProvenMove>,
}

/// A legal move whose value is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProvenMove {
    /// The move in its shortest form.
    pub text: String,
    /// The position after it.
    pub after: Position,
    /// Its value for the side that plays it; the plies to the end include the move.
    pub value: ProvenValue,
}

impl ProvenMoves {
    /// Asks tables about a position of a variant. A capture may lead into the tables from a position that they do not reach.
    ///
    /// # Errors
    ///
    /// If a table cannot be read.
    pub fn of(tables: &Tables, variant: Variant, position: &Position) -> Result<Self> {
        let mut moves = Vec::new();
        // A list that is cut short would be no list of all moves.
        let legal = position.moves().unwrap_or_default();
        for mv in &legal {
            let after = position.after_unchecked(mv);
            if let Some(ProvenValue { value, plies }) = tables.value(variant, &after)? {
                let value = ProvenValue { value: -value, plies: plies.map(|plies| plies + 1) };
                let text = position.move_text(mv, MoveStyle::Shortest);
                moves.push(ProvenMove { text, after, value });
            }
        }
        moves.sort_by_key(|ProvenMove { value: ProvenValue { value, plies }, .. }| {
            let plies = plies.map_or(0, i32::from);
            (-value, if *value > 0 { plies } else { -plies })
        });
        let is_each_known = moves.len() == legal.len();
        let best = moves.first().filter(|_| is_each_known).map(|mv| mv.value);
        Ok(Self { position: tables.value(variant, position)?.or(best), moves })
    }

    /// Returns the answer.
    pub fn answer(&self) -> ProvenPosition {
        let moves = self.moves.iter().map(|mv| ProvenMoveAnswer {
            text: mv.text.clone(),
            after: mv.after.fen(),
            value: ProvenAnswer::of(Some(mv.value)),
        });
        ProvenPosition { proven: moves.collect(), value: ProvenAnswer::of(self.position) }
    }

    /// Returns the value of the move that leads to this position.
    pub fn of_move(&self, after: &Position) -> Option<ProvenValue> {
        self.moves.iter().find(|mv| mv.after == *after).map(|mv| mv.value)
    }
}

/// What a position or a move is worth, as tables of endings prove it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProvenAnswer {
    /// `won`, `drawn` or `lost` for the side to move; null if the question has no tables of endings, or they do not reach it.
    pub table: Option<&'static str>,
    /// The number of plies to the end of the game, if both sides play as well as they can; null if it is drawn or not known.
    pub distance: Option<u16>,
}

impl ProvenAnswer {
    /// Returns a value as answers have it.
    pub fn of(value: Option<ProvenValue>) -> Self {
        Self { table: value.map(value_word), distance: value.and_then(|value| value.plies) }
    }
}

/// An answer about a position, with what tables of endings prove of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WithProven<T> {
    /// The answer.
    #[serde(flatten)]
    pub answer: T,
    /// What tables prove; `None` if the question has none.
    #[serde(flatten)]
    pub proven: Option<ProvenPosition>,
}

/// What tables of endings prove of a position and its legal moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProvenPosition {
    /// The legal moves whose value tables of endings prove, played or not, the best first; empty if the question has no tables.
    pub proven: Vec<ProvenMoveAnswer>,
    /// What the position is worth for the side to move, as tables of endings prove it.
    #[serde(flatten)]
    pub value: ProvenAnswer,
}

/// A legal move whose value tables of endings prove.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProvenMoveAnswer {
    /// The move in its shortest form.
    #[serde(rename = "move")]
    pub text: String,
    /// The position after it, as a FEN.
    pub after: String,
    /// What it is worth for the side that plays it.
    #[serde(flatten)]
    pub value: ProvenAnswer,
}

/// Returns the word for the value of a position: `won`, `drawn` or `lost`.
pub fn value_word(value: ProvenValue) -> &'static str {
    match value.value {
        1.. => "won",
        0 => "drawn",
        _ => "lost",
    }
}

/// Returns the value of a position as text, with the plies to the end: `won 11`.
pub fn value_text(value: ProvenValue) -> String {
    let plies = value.plies.map_or_else(String::new, |plies| format!(" {plies}"));
    format!("{}{plies}", value_word(value))
}

/// Returns the sentence about the value of a position with this side to move: `Proven for White: won 11.`.
pub fn proven_sentence(turn: Colour, value: ProvenValue) -> String {
    format!("Proven for {}: {}.", colour_title(turn), value_text(value))
}

/// Returns the error that a folder has no tables of a game of this name, or, without one, of any.
pub fn no_endings(folder: &Path, game: &str) -> AppError {
    let of = if game.is_empty() { String::new() } else { format!(" of {game}") };
    let error = AppError::path(ErrorCode::NotFound, folder, format!("no endings{of} are here"));
    error.help("`pdn endgame build` proves some")
}

impl From<EndgameError> for AppError {
    fn from(error: EndgameError) -> Self {
        let code = match &error {
            EndgameError::TooManyPieces | EndgameError::Memory { .. } | EndgameError::TooLong => {
                ErrorCode::TooMuch
            }
            EndgameError::Busy { .. } => ErrorCode::Unwritable,
            _ => ErrorCode::Unreadable,
        };
        Self::plain(code, error.to_string())
    }
}
