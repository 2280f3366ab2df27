//! What is compared of a game, from its row, its packed moves and its text.

use super::games::Games;
use crate::error::{ErrorKind, Result};
use crate::index::TextReader;
use crate::limits::Limits;
use crate::parse::{Comment, Flow, TagPair, VariationAction, VariationMark, Visitor, walk_with};
use crate::value::{Date, Outcome};
use crate::view::GameView;
use twox_hash::XxHash3_64;

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
        let row = match games.row(number) {
            Some(row) => row,
            // Says what is damaged.
            None => game.row()?,
        };
        Ok(Some(Self {
            number,
            moves: game.moves()?,
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
        }))
    }
}

/// What the text of a record adds: the number of known tags, and that of comments and variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TextFacts {
    pub(super) tags: u32,
    pub(super) notes: u32,
}

impl TextFacts {
    fn of(record: &[u8]) -> Self {
        let mut facts = Self::default();
        // The visitor never breaks off.
        let _ = walk_with(record, &Limits::DEFAULT, &mut facts);
        facts
    }
}

impl<'g> Visitor<'g> for TextFacts {
    const NUMBERS: bool = false;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.tags += u32::from(is_known_value(tag.value));
        Flow::Continue(())
    }

    fn comment(&mut self, _: Comment<'g>) -> Flow {
        self.notes += 1;
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.notes += 1;
        VariationAction::Enter
    }
}

/// Returns `true` if a tag value says something: it has a letter or a digit. `?`, `*`, `-` and `????.??.??` do not.
pub fn is_known_value(value: &[u8]) -> bool {
    value.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// Reads games on one thread.
#[derive(Debug)]
pub(super) struct FactReader<'a> {
    pub(super) games: Games<'a>,
    new: TextReader<'a>,
    known: Option<TextReader<'a>>,
}

impl<'a> FactReader<'a> {
    pub(super) fn new(games: Games<'a>) -> Self {
        let (new, known) = (TextReader::new(games.new), games.known.map(TextReader::new));
        Self { games, new, known }
    }

    /// Reads the facts of a game; `None` if there is no such game.
    pub(super) fn read(&mut self, number: u64) -> Result<Option<GameFacts<'a>>> {
        let Some(mut facts) = GameFacts::of(&self.games, number)? else { return Ok(None) };
        if facts.plies == 0 || facts.is_damaged {
            facts.rest = Some(self.rest(&facts)?);
        }
        Ok(Some(facts))
    }

    /// Returns what the text of a record adds.
    pub(super) fn text_facts(&mut self, number: u64) -> Result<TextFacts> {
        self.text(number).map(TextFacts::of)
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
        let record = match self.text(facts.number) {
            Ok(record) => record,
            Err(error) if matches!(error.kind(), ErrorKind::NoText(_)) => {
                return Ok(XxHash3_64::oneshot(&facts.number.to_le_bytes()));
            }
            Err(error) => return Err(error),
        };
        let compared = if facts.plies == 0 { record } else { GameView::new(record).movetext() };
        let bytes: Vec<u8> = compared.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        Ok(XxHash3_64::oneshot(&bytes))
    }
}
