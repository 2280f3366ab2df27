//! What is compared of a game, from its row, its packed moves and its text.

use std::sync::Arc;

use twox_hash::XxHash3_64;

use super::games::Games;
use super::text_facts::{TextFacts, TextTable, rest_of};
use crate::error::{ErrorKind, Result};
use crate::index::{GameRow, TextReader};
use crate::value::{Date, Outcome};

/// What an index stores of a game, as far as it is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameFacts<'a> {
    /// Number of the game; see [`Games`].
    pub(super) number: u64,
    /// Packed moves, with the start position if it is not that of the variant.
    pub(super) moves: &'a [u8],
    pub(super) variant: crate::rules::Variant,
    pub(super) plies: u32,
    /// The record was not replayed to its end.
    pub(super) is_damaged: bool,
    pub(super) white: &'a str,
    pub(super) black: &'a str,
    pub(super) event: &'a str,
    pub(super) site: &'a str,
    pub(super) round: &'a str,
    pub(super) date: Date,
    pub(super) outcome: Outcome,
    /// Hash of what is not compared as moves: the whole record of a game without moves, the movetext of a damaged one;
    /// `None` for all others. Whitespace does not count.
    pub(super) rest: Option<u64>,
}

impl<'a> GameFacts<'a> {
    /// Reads the facts that are in the index; `None` if there is no such game.
    pub(super) fn of(games: &Games<'a>, number: u64) -> Result<Option<Self>> {
        let Some(game) = games.get(number) else { return Ok(None) };
        let moves = game.moves()?;
        Self::with_moves(games, number, moves)
    }

    /// Reads the facts of a game whose packed moves are known; `None` if there is no such game.
    fn with_moves(games: &Games<'a>, number: u64, moves: &'a [u8]) -> Result<Option<Self>> {
        let row = match games.row(number) {
            Some(row) => row,
            None => match games.get(number) {
                // Says what is damaged.
                Some(game) => game.row()?,
                None => return Ok(None),
            },
        };
        Ok(Some(Self::of_row(number, &row, moves)))
    }

    fn of_row(number: u64, row: &GameRow<'a>, moves: &'a [u8]) -> Self {
        Self {
            number,
            moves,
            variant: row.kind.variant,
            plies: row.plies,
            is_damaged: !row.status.is_complete(),
            white: row.white,
            black: row.black,
            event: row.event,
            site: row.site,
            round: row.round,
            date: row.date,
            outcome: row.outcome,
            rest: None,
        }
    }
}

/// Reads games on one thread.
#[derive(Debug)]
pub(super) struct FactReader<'a> {
    pub(super) games: Games<'a>,
    table: Arc<TextTable>,
    new: TextReader<'a>,
    known: Option<TextReader<'a>>,
}

impl<'a> FactReader<'a> {
    /// Creates a reader that reads texts only if `table` does not have what they add.
    pub(super) fn new(games: Games<'a>, table: Arc<TextTable>) -> Self {
        let (new, known) = (TextReader::new(games.new), games.known.map(TextReader::new));
        Self { games, table, new, known }
    }

    /// Reads the facts of a game whose packed moves are known, without [`GameFacts::rest`]; `None` if there is no such game.
    pub(super) fn indexed<'m>(&self, number: u64, moves: &'m [u8]) -> Result<Option<GameFacts<'m>>>
    where
        'a: 'm,
    {
        GameFacts::with_moves(&self.games, number, moves)
    }

    /// Reads all facts of a game whose packed moves are known; `None` if there is no such game.
    pub(super) fn read<'m>(&mut self, number: u64, moves: &'m [u8]) -> Result<Option<GameFacts<'m>>>
    where
        'a: 'm,
    {
        let Some(mut facts) = self.indexed(number, moves)? else { return Ok(None) };
        if facts.plies == 0 || facts.is_damaged {
            facts.rest = Some(self.rest(&facts)?);
        }
        Ok(Some(facts))
    }

    /// Returns what the text of a record adds.
    pub(super) fn text_facts(&mut self, number: u64) -> Result<TextFacts> {
        let id = self.games.id(number);
        match self.table.facts(id.game).filter(|_| id.is_new) {
            Some(facts) => Ok(facts),
            None => self.text(number).map(TextFacts::of),
        }
    }

    fn text(&mut self, number: u64) -> Result<&[u8]> {
        let id = self.games.id(number);
        match &mut self.known {
            Some(known) if !id.is_new => known.text(id.game),
            _ => self.new.text(id.game),
        }
    }

    /// Computes [`GameFacts::rest`]. A record whose text is not stored equals no other.
    fn rest(&mut self, facts: &GameFacts<'_>) -> Result<u64> {
        let id = self.games.id(facts.number);
        if let Some(rest) = self.table.rest(id.game).filter(|_| id.is_new) {
            return Ok(rest);
        }
        match self.text(facts.number) {
            Ok(record) => Ok(rest_of(record, facts.plies)),
            Err(error) if matches!(error.kind(), ErrorKind::NoText(_)) => {
                Ok(XxHash3_64::oneshot(&facts.number.to_le_bytes()))
            }
            Err(error) => Err(error),
        }
    }
}
