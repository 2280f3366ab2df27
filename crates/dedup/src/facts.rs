//! What is compared of a game, from its row, its packed moves and its text.

use super::games::Games;
use super::keeper::{KeepRule, KeeperRank, RankedGame, TextFacts};
use pdn::error::{ErrorKind, Result};
use pdn::rules::Variant;
use pdn::value::{Date, Outcome};
use pdn::view::RecordView;
use pdn_index::GameRow;
use pdn_index::internal::TextReader;
use pdn_names::fold;
use twox_hash::XxHash3_64;

/// What is compared of a game: what an index stores, and what is read from its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GameFacts<'a> {
    /// Number of the game; see [`Games`].
    pub(super) number: u64,
    /// Packed moves, with the start position if it is not that of the variant.
    pub(super) moves: &'a [u8],
    pub(super) variant: Variant,
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
    /// `None` for all others, and before the text is read. Whitespace does not count.
    pub(super) rest: Option<u64>,
    /// What decides which game stays; `None` if that does not depend on the text, and before the text is read.
    pub(super) text: Option<TextFacts>,
}

impl<'a> GameFacts<'a> {
    /// Reads the facts that are in the index; `None` if there is no such game.
    pub(super) fn of(games: &Games<'a>, number: u64) -> Result<Option<Self>> {
        let Some(game) = games.get(number) else { return Ok(None) };
        let moves = game.moves()?;
        Self::with_moves(games, number, moves)
    }

    /// Reads the facts of a game whose packed moves are known; `None` if there is no such game.
    fn with_moves<'m>(games: &Games<'a>, number: u64, moves: &'m [u8]) -> Result<Option<GameFacts<'m>>>
    where
        'a: 'm,
    {
        let row = match games.row(number) {
            Some(row) => row,
            None => match games.get(number) {
                // Says what is damaged.
                Some(game) => game.row()?,
                None => return Ok(None),
            },
        };
        Ok(Some(GameFacts::of_row(number, &row, moves)))
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
            text: None,
        }
    }

    /// Takes what this record does not know of its game from another record of it.
    pub(super) fn complete_from(&mut self, other: &Self) {
        let is_unknown = |text: &str| fold(text).is_empty();
        for (own, others) in [
            (&mut self.white, other.white),
            (&mut self.black, other.black),
            (&mut self.event, other.event),
            (&mut self.site, other.site),
            (&mut self.round, other.round),
        ] {
            if is_unknown(own) {
                *own = others;
            }
        }
        if self.date.year().is_none() {
            self.date = other.date;
        }
    }

    /// Returns `true` if records of games with these moves are compared beyond their moves.
    pub(super) fn has_rest(&self) -> bool {
        self.plies == 0 || self.is_damaged
    }
}

/// Names of tags for the date of a publication. The second one is how a large collection spells it.
const PUBLICATION_DATES: [&[u8]; 2] = [b"PublicationDate", b"PubicationDate"];

/// Reads games on one thread.
#[derive(Debug)]
pub(super) struct FactReader<'a> {
    pub(super) games: Games<'a>,
    rule: KeepRule,
    new: TextReader<'a>,
    known: Option<TextReader<'a>>,
}

impl<'a> FactReader<'a> {
    /// Creates a reader of what `rule` and the comparison need.
    pub(super) fn new(games: Games<'a>, rule: KeepRule) -> Self {
        let (new, known) = (TextReader::new(games.new), games.known.map(TextReader::new));
        Self { games, rule, new, known }
    }

    /// Reads the facts of a game whose packed moves are known; `None` if there is no such game. A text that cannot be read is left out:
    /// whether it is needed at all turns out later, and [`complete`](Self::complete) says what is wrong then.
    pub(super) fn read<'m>(&mut self, number: u64, moves: &'m [u8]) -> Result<Option<GameFacts<'m>>>
    where
        'a: 'm,
    {
        let Some(mut facts) = GameFacts::with_moves(&self.games, number, moves)? else { return Ok(None) };
        let _ = self.complete(&mut facts);
        Ok(Some(facts))
    }

    /// Returns the date of publication in the tags of a game, which collections of problems have besides that of the record; `None`
    /// without one, and if the text cannot be read.
    pub(super) fn publication_date(&mut self, number: u64) -> Option<Date> {
        let tags = RecordView::new(self.text(number).ok()?).tags();
        let mut dates = tags.filter(|tag| PUBLICATION_DATES.contains(&tag.name));
        let date = dates.find_map(|tag| Date::read(tag.value).ok()).map(|read| read.date);
        date.filter(|date| date.year().is_some())
    }

    /// Returns `true` if nothing that the text of a game adds is missing.
    pub(super) fn is_complete(&self, facts: &GameFacts<'_>) -> bool {
        (facts.rest.is_some() || !facts.has_rest()) && self.has_rank(facts)
    }

    /// Reads what the text of a game adds, if it is needed and missing. Returns `false` if no text is stored that decides which game
    /// stays, so that this one takes no part. If it decides nothing but whether records are equal, this one equals no other.
    ///
    /// # Errors
    /// If the text is stored and cannot be read.
    pub(super) fn complete(&mut self, facts: &mut GameFacts<'_>) -> Result<bool> {
        if self.is_complete(facts) {
            return Ok(true);
        }
        let is_ranked = self.is_ranked_by_text(facts);
        match self.text(facts.number) {
            Ok(record) => {
                facts.rest = facts.has_rest().then(|| rest_of(record, facts.plies));
                facts.text = is_ranked.then(|| TextFacts::of(record));
            }
            Err(error) if matches!(error.kind(), ErrorKind::NoText(_)) => {
                if is_ranked {
                    return Ok(false);
                }
                facts.rest = Some(XxHash3_64::oneshot(&facts.number.to_le_bytes()));
            }
            Err(error) => return Err(error),
        }
        Ok(true)
    }

    /// Reads what the text of a game adds to its rank, if that is needed and missing. Returns `false` as [`complete`](Self::complete) does.
    ///
    /// # Errors
    /// If the text is stored and cannot be read.
    pub(super) fn complete_rank(&mut self, facts: &mut GameFacts<'_>) -> Result<bool> {
        if self.has_rank(facts) { Ok(true) } else { self.complete(facts) }
    }

    /// Returns `true` if nothing that the text of a game adds to its rank is missing.
    pub(super) fn has_rank(&self, facts: &GameFacts<'_>) -> bool {
        facts.text.is_some() || !self.is_ranked_by_text(facts)
    }

    /// Returns the rank of a game by what is known of it.
    pub(super) fn rank(&self, facts: &GameFacts<'_>) -> KeeperRank {
        self.rule.rank(&RankedGame {
            number: facts.number,
            is_new: self.games.id(facts.number).is_new,
            is_damaged: facts.is_damaged,
            plies: facts.plies,
            text: facts.text.unwrap_or_default(),
        })
    }

    fn is_ranked_by_text(&self, facts: &GameFacts<'_>) -> bool {
        self.rule == KeepRule::Best && self.games.id(facts.number).is_new
    }

    fn text(&mut self, number: u64) -> Result<&[u8]> {
        let id = self.games.id(number);
        match &mut self.known {
            Some(known) if !id.is_new => known.text(id.game),
            _ => self.new.text(id.game),
        }
    }
}

/// Computes the hash of a record that is not compared as moves: of the whole record of a game without legal plies, of the movetext of
/// others. Whitespace does not count.
pub(super) fn rest_of(record: &[u8], plies: u32) -> u64 {
    let compared = if plies == 0 { record } else { RecordView::new(record).movetext() };
    let bytes: Vec<u8> = compared.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    XxHash3_64::oneshot(&bytes)
}
