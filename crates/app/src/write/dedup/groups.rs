//! Groups of duplicates, one game after the other.

use std::ops::ControlFlow;

use pdn::internal::source::path_text;
use pdn_dedup::{
    DedupGame, Duplicate, DuplicateClass, DuplicateEvidence, DuplicateMember, DuplicateMembers, Forerunner,
    PositionForm,
};
use pdn_index::Index;
use pdn_index::internal::RecordNumbers;
use pdn_index::internal::query::RowTable;
use pdn_names::{Likeness, NameSimilarity};
use serde::{Serialize, Serializer};

use super::{DedupEvent, DedupRequest, DedupSink};
use crate::ask::error::{AppError, ErrorCode, Result};

/// Number of games that are described before the memory of their rows is given back.
const ROWS_IN_MEMORY: u64 = 512;

/// A game of a group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupGame {
    /// The path of its file as given when it was read or indexed.
    pub file: String,
    /// The number of the record in the file, from 1.
    pub record: Option<u64>,
    /// The number of the game in its index, from 1; absent if it was read from an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// What the game is, if it was asked for.
    #[serde(skip)]
    pub row: Option<GroupRow>,
}

/// The game of a group that stays, or the first one where all stay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptGame {
    /// The game.
    #[serde(flatten)]
    pub game: GroupGame,
    /// `true` for a game of the index of `--against`; absent for all others.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
}

/// What a game is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupRow {
    /// Name of White.
    pub white: String,
    /// Name of Black.
    pub black: String,
    /// The date.
    pub date: String,
    /// The length in plies.
    pub plies: u64,
}

/// Another game of a group: one that does not stay, or only shares its moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OtherGame {
    /// The game.
    #[serde(flatten)]
    pub game: GroupGame,
    /// The class of the group.
    #[serde(serialize_with = "class_name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub class: DuplicateClass,
    /// Why the games are in one group and why the keeper stays, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What it has in common with the keeper; absent unless it was asked for.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "serialize_evidence")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Evidence>"))]
    pub evidence: Option<DuplicateEvidence>,
}

/// An index whose games are named.
struct Source<'a> {
    index: &'a Index,
    rows: RowTable<'a>,
    records: RecordNumbers,
    /// The numbers of the games last.
    is_numbered: bool,
    is_known: bool,
}

impl Source<'_> {
    fn game(&self, game: u64, with_row: bool) -> Result<GroupGame> {
        let missing = || AppError::plain(ErrorCode::Internal, "a game of a group is not in its index");
        let indexed = self.index.game(game).ok_or_else(missing)?;
        let row = self.rows.row(game).filter(|_| with_row).map(|row| GroupRow {
            white: row.white.to_owned(),
            black: row.black.to_owned(),
            date: row.date.to_string(),
            plies: u64::from(row.plies),
        });
        Ok(GroupGame {
            file: path_text(&indexed.input()?.name).into_owned(),
            record: self.records.get(game).map(|record| record + 1),
            game: self.is_numbered.then_some(game + 1),
            row,
        })
    }
}

/// Passes groups on.
pub(super) struct Groups<'a> {
    request: &'a DedupRequest,
    new: Source<'a>,
    known: Option<Source<'a>>,
    /// Groups that may still be passed on.
    left: usize,
    pub(super) shown: u64,
    open: Option<OpenGroup>,
    /// Games that were described.
    described: u64,
}

/// A group that is not passed on to its end.
#[derive(Clone, Copy)]
struct OpenGroup {
    class: DuplicateClass,
    keeper: DedupGame,
    /// Games so far without the keeper.
    others: u64,
}

impl<'a> Groups<'a> {
    pub(super) fn new(
        request: &'a DedupRequest,
        new: &'a Index,
        is_numbered: bool,
        known: Option<&'a Index>,
    ) -> Result<Self> {
        let source = |index: &'a Index, is_numbered, is_known| -> Result<Source<'a>> {
            let (rows, records) = (RowTable::for_few_rows(index)?, index.record_numbers()?);
            Ok(Source { index, rows, records, is_numbered, is_known })
        };
        Ok(Self {
            request,
            new: source(new, is_numbered, false)?,
            known: known.map(|known| source(known, true, true)).transpose()?,
            left: request.max_groups,
            shown: 0,
            open: None,
            described: 0,
        })
    }

    fn source(&self, game: DedupGame) -> &Source<'a> {
        match &self.known {
            Some(known) if !game.is_new => known,
            _ => &self.new,
        }
    }

    /// Returns `true` if no other game of a group will be passed on.
    pub(super) fn is_full(&self) -> bool {
        self.left == 0 && self.open.is_none()
    }

    /// Passes on a game of a group, and the keeper before the first one, unless there were enough groups. Nothing is held in memory,
    /// because a group may have millions of games.
    pub(super) fn member(
        &mut self,
        member: &DuplicateMember,
        members: &mut DuplicateMembers<'_>,
        sink: &mut DedupSink<'_>,
    ) -> Result<()> {
        let DedupRequest { max_others, rows, .. } = *self.request;
        let explain = self.request.rules.explain;
        let DuplicateMember { class, keeper, .. } = *member;
        if self.open.is_none_or(|open| (open.class, open.keeper) != (class, keeper)) {
            self.end_group(sink)?;
            if self.left == 0 {
                return Ok(());
            }
            self.left -= 1;
            self.shown += 1;
            self.open = Some(OpenGroup { class, keeper, others: 0 });
            let source = self.source(keeper);
            let game = KeptGame { game: source.game(keeper.game, rows)?, known: source.is_known };
            emit(sink, DedupEvent::Keeper(class, &game))?;
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        open.others += 1;
        if open.others > max_others {
            return Ok(());
        }
        self.described += 1;
        if self.described.is_multiple_of(ROWS_IN_MEMORY) {
            [Some(&self.new), self.known.as_ref()]
                .into_iter()
                .flatten()
                .for_each(|source| source.rows.release());
        }
        let other = &member.duplicate;
        let game = self.source(other.game).game(other.game.game, rows)?;
        let evidence = members.evidence(keeper, other.game)?;
        let reason = evidence.as_ref().map(|evidence| reason(class, other, evidence));
        let evidence = evidence.filter(|_| explain);
        emit(sink, DedupEvent::Other(&OtherGame { game, class, reason, evidence }))
    }

    /// Ends the last group, if it was passed on.
    pub(super) fn end_group(&mut self, sink: &mut DedupSink<'_>) -> Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        emit(sink, DedupEvent::End { others: open.others })
    }
}

/// Passes something on.
fn emit(sink: &mut DedupSink<'_>, event: DedupEvent<'_>) -> Result<()> {
    match sink(event) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(AppError::stopped()),
    }
}

/// Returns the reason why a game is in a group, and why it does not stay.
fn reason(class: DuplicateClass, other: &Duplicate, evidence: &DuplicateEvidence) -> String {
    let why = evidence.in_words(class);
    match class {
        DuplicateClass::SameMoves | DuplicateClass::ShiftedPosition => why,
        _ => format!("{why}; the keeper {}", other.kept_because),
    }
}

/// Returns how much two names resemble each other, in a word.
pub fn likeness(names: &NameSimilarity) -> &'static str {
    match names.likeness {
        Likeness::Different => "different",
        Likeness::Possible => "possible",
        Likeness::Probable => "probable",
        Likeness::Same => "same",
        _ => "unknown",
    }
}

fn class_name<S: Serializer>(class: &DuplicateClass, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(class.name())
}

#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn serialize_evidence<S: Serializer>(
    evidence: &Option<DuplicateEvidence>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    evidence.as_ref().map(Evidence::of).serialize(serializer)
}

/// The JSON of what a game and its keeper have in common.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Evidence {
    /// The plies of the keeper and of the game.
    plies: [u32; 2],
    /// The number of plies that both begin with.
    common_plies: u32,
    /// The start positions: `same`, or `flipped`, `mirrored` or `flipped-mirrored` if one is the other in this form, or `different`.
    position: &'static str,
    /// How the position of the game is that of the keeper, moved over the board; null if it is not.
    shift: Option<Shift>,
    /// The earlier one of two problems with one position or one motif, by their dates: `keeper` or `other`.
    forerunner: Option<&'static str>,
    /// The names of White: `same`, `probable`, `possible`, `unknown` or `different`.
    white: &'static str,
    /// The names of Black, likewise.
    black: &'static str,
    /// The dates: `same`, `close` (one or two days apart), `unknown` or `different`.
    date: &'static str,
    /// The rounds: `same`, `unknown` or `different`.
    round: &'static str,
    /// The events, likewise.
    event: &'static str,
    /// The web addresses on one server, likewise.
    address: &'static str,
    /// The results, likewise; they decide nothing.
    result: &'static str,
}

/// A move of all pieces over the board.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Shift {
    /// The form of the position of the keeper that is moved, as in `position`.
    form: &'static str,
    /// Columns to the right, as White sees the board; negative to the left.
    columns: i8,
    /// Rows away from White; negative towards White.
    rows: i8,
}

impl Evidence {
    fn of(evidence: &DuplicateEvidence) -> Self {
        Self {
            plies: evidence.plies,
            common_plies: evidence.common_plies,
            position: evidence.position.map_or("different", PositionForm::name),
            shift: evidence.shift.map(|shift| Shift {
                form: shift.form.name(),
                columns: shift.columns,
                rows: shift.rows,
            }),
            forerunner: evidence.forerunner.map(Forerunner::name),
            white: likeness(&evidence.white),
            black: likeness(&evidence.black),
            date: evidence.date.name(),
            round: evidence.round.name(),
            event: evidence.event.name(),
            address: evidence.address.name(),
            result: evidence.result.name(),
        }
    }
}
