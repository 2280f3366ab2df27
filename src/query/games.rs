//! Conditions on whole games, answered as sets from dictionaries and columns.

use std::cell::OnceCell;

use roaring::RoaringBitmap;

use super::expression::{Condition, Field, GameCondition, Query, RatedPlayer};
use super::mask::BoardTest;
use super::needs::MaterialBounds;
use super::program::CompiledQuery;
use super::sets::MatchBounds;
use crate::board::{Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
use crate::error::Result;
use crate::index::{
    self, Column, GameKind, Index, PackedPieceCounts, Section, Segment, date_of, is_continuous, outcome_of,
    status_of,
};
use crate::names::NamePattern;
use crate::position::StableKey;
use crate::value::{Colour, Outcome, Round};

/// The games of a segment, asked for as sets. Nothing is read before it is needed.
#[derive(Debug)]
pub struct GameSelector<'a> {
    segment: &'a Segment,
    kinds: Vec<GameKind>,
    /// Where there may be a table of positions, and the number of the segment there.
    index: Option<(&'a Index, usize)>,
    odd: OnceCell<RoaringBitmap>,
}

impl<'a> GameSelector<'a> {
    /// The games of a segment.
    ///
    /// # Errors
    /// When the list of its variants is damaged.
    pub fn new(segment: &'a Segment) -> Result<Self> {
        Ok(Self { segment, kinds: segment.kinds()?, index: None, odd: OnceCell::new() })
    }

    /// The games of a segment of an index, whose table of positions is asked if there is one.
    ///
    /// # Errors
    /// When the list of its variants is damaged.
    pub(super) fn listed_in(index: &'a Index, segment: usize) -> Result<Self> {
        let own = Self::new(&index.segments()[segment])?;
        Ok(Self { index: Some((index, segment)), ..own })
    }

    /// The different games played; the column [`Section::Kind`] counts them.
    pub fn kinds(&self) -> &[GameKind] {
        &self.kinds
    }

    /// All games.
    pub fn all(&self) -> RoaringBitmap {
        let mut all = RoaringBitmap::new();
        all.insert_range(0..self.segment.len() as u32);
        all
    }

    /// What is known about a question without playing games. Some milliseconds a million games and condition.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn sets(&self, query: &Query) -> Result<MatchBounds> {
        match query {
            Query::Is(Condition::Game(condition)) => self.fitting(condition).map(MatchBounds::exact),
            Query::Is(condition) => self.could(condition).map(MatchBounds::possible),
            Query::Not(inner) => Ok(self.sets(inner)?.not(self.segment.len() as u32)),
            Query::And(parts) => {
                let mut sets = MatchBounds::exact(self.all());
                for part in parts {
                    sets = sets.and(&self.sets(part)?);
                    if sets.possible.is_empty() {
                        break;
                    }
                }
                Ok(sets)
            }
            Query::Or(parts) => {
                let mut sets = MatchBounds::default();
                for part in parts {
                    sets = sets.or(&self.sets(part)?);
                }
                Ok(sets)
            }
            Query::Ever(inner) => self.sets(inner),
            Query::Then { first, second, .. } => {
                Ok(MatchBounds::possible(self.sets(first)?.possible & self.sets(second)?.possible))
            }
            Query::For { query, .. } => Ok(MatchBounds::possible(self.sets(query)?.possible)),
        }
    }

    /// The games that may come to a condition on positions, by their pieces at the start and at the end.
    fn could(&self, condition: &Condition) -> Result<RoaringBitmap> {
        let known: Vec<Known> = self.kinds.iter().map(|kind| Known::of(condition, kind)).collect();
        if let Some(games) = self.listed(&known)? {
            return Ok(games);
        }
        let needs: Vec<MaterialBounds> = known.iter().map(|known| known.needs).collect();
        let Some(&first) = needs.first() else { return Ok(RoaringBitmap::new()) };
        if needs.iter().all(|&other| other == first) {
            return self.with_pieces(&first);
        }
        let mut all = RoaringBitmap::new();
        for (number, needs) in needs.iter().enumerate() {
            let own = self.column(Section::Kind)?.games(|kind| kind == number as u64);
            all |= own & self.with_pieces(needs)?;
        }
        Ok(all)
    }

    /// The games that the table of positions names for an exact position; `None` without a table, and where playing is
    /// quicker or the condition is another one. `known` has what is known for each kind.
    fn listed(&self, known: &[Known]) -> Result<Option<RoaringBitmap>> {
        let Some((index, segment)) = self.index else { return Ok(None) };
        let mut keys: Vec<StableKey> = Vec::new();
        for known in known {
            let Some(more) = &known.keys else { return Ok(None) };
            keys.extend(more);
        }
        keys.sort_unstable();
        keys.dedup();
        let Some(table) = index.keys(segment)? else { return Ok(None) };
        let mut games = RoaringBitmap::new();
        for key in keys {
            if !table.is_selective(key)? {
                return Ok(None);
            }
            games |= table.games(key)?;
        }
        Ok(Some(games))
    }

    /// The games that may come to so many pieces.
    fn with_pieces(&self, needs: &MaterialBounds) -> Result<RoaringBitmap> {
        let (first, last) = needs.start_and_end_help();
        let mut games = self.all();
        if !first && !last {
            return Ok(games);
        }
        if first {
            games &= self
                .column(Section::First)?
                .games(|bits| needs.start_fits(PackedPieceCounts::from_bits(bits as u32)));
        }
        if last {
            games &= self
                .column(Section::Last)?
                .games(|bits| needs.end_fits(PackedPieceCounts::from_bits(bits as u32)));
        }
        Ok(games | self.odd()?)
    }

    /// The games with a setup or a null move in the course of them, or from a position of their own: pieces may
    /// become more there.
    fn odd(&self) -> Result<&RoaringBitmap> {
        if let Some(odd) = self.odd.get() {
            return Ok(odd);
        }
        let odd = self.column(Section::Summary)?.games(|summary| !is_continuous(summary));
        Ok(self.odd.get_or_init(|| odd))
    }

    /// The games that fit a condition.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn fitting(&self, condition: &GameCondition) -> Result<RoaringBitmap> {
        match condition {
            GameCondition::Tag(field, names) => self.tagged(*field, names),
            GameCondition::Date(range) => Ok(self
                .column(Section::Date)?
                .games(|bits| date_of(bits).is_some_and(|date| range.contains(date)))),
            GameCondition::Rating(whose, range) => {
                let of = |section| {
                    let (least, most) = (u64::from(*range.start()), u64::from(*range.end()));
                    // Without a branch: nobody can foretell ratings.
                    let fits = |rating| (rating != 0) & (least <= rating) & (rating <= most);
                    Ok::<_, crate::Error>(self.column(section)?.games(fits))
                };
                Ok(match whose {
                    RatedPlayer::White => of(Section::WhiteRating)?,
                    RatedPlayer::Black => of(Section::BlackRating)?,
                    RatedPlayer::Both => of(Section::WhiteRating)? & of(Section::BlackRating)?,
                    RatedPlayer::Either => of(Section::WhiteRating)? | of(Section::BlackRating)?,
                })
            }
            GameCondition::Round(range) => {
                let rounds = self.segment.names(index::DictionaryKind::Rounds)?;
                let fits = |number: u32| {
                    let round = Round::parse(rounds.get(number)?.as_bytes()).ok()?;
                    let first = round.numbers().next()?;
                    Some(range.contains(&first))
                };
                let chosen: Vec<bool> =
                    (0..rounds.len() as u32).map(|number| fits(number) == Some(true)).collect();
                self.chosen(Section::Round, &chosen)
            }
            GameCondition::Plies(range) => {
                Ok(self.column(Section::Plies)?.games(|plies| range.contains(&(plies as u32))))
            }
            GameCondition::Result(outcome) => self.outcomes(|found| found == *outcome),
            GameCondition::Winner(colour) => self.winners(*colour),
            GameCondition::Status(status) => {
                Ok(self.column(Section::Summary)?.games(|bits| status_of(bits) == Some(*status)))
            }
            GameCondition::Variant(variant) => self.of_kinds(|kind| kind.variant == *variant),
        }
    }

    fn column(&self, section: Section) -> Result<Column<'a>> {
        self.segment.column(section)
    }

    fn tagged(&self, field: Field, names: &NamePattern) -> Result<RoaringBitmap> {
        let dictionary = match field {
            Field::White | Field::Black | Field::Player | Field::Winner | Field::Loser => {
                index::DictionaryKind::Players
            }
            Field::Event => index::DictionaryKind::Events,
            Field::Site => index::DictionaryKind::Sites,
            Field::Round => index::DictionaryKind::Rounds,
            Field::Result => index::DictionaryKind::Results,
        };
        let chosen = self.segment.names(dictionary)?.matching(names);
        let of = |section| self.chosen(section, &chosen);
        match field {
            Field::White => of(Section::White),
            Field::Black => of(Section::Black),
            Field::Player => Ok(of(Section::White)? | of(Section::Black)?),
            Field::Winner | Field::Loser => {
                let winner = |colour| self.winners(Some(colour));
                let (white, black) = (winner(Colour::White)?, winner(Colour::Black)?);
                let (of_white, of_black) =
                    if field == Field::Winner { (white, black) } else { (black, white) };
                Ok((of(Section::White)? & of_white) | (of(Section::Black)? & of_black))
            }
            Field::Event => of(Section::Event),
            Field::Site => of(Section::Site),
            Field::Round => of(Section::Round),
            Field::Result => of(Section::Result),
        }
    }

    /// The games whose value in a column is chosen.
    fn chosen(&self, section: Section, chosen: &[bool]) -> Result<RoaringBitmap> {
        let column = self.column(section)?;
        let count = chosen.iter().filter(|&&chosen| chosen).count();
        let Some(first) = chosen.iter().position(|&chosen| chosen) else { return Ok(RoaringBitmap::new()) };
        // Names that begin alike are numbered one after the other.
        let run = first as u64..(first + count) as u64;
        if chosen[first..].iter().take(count).all(|&chosen| chosen) {
            return Ok(column.games(|number| run.contains(&number)));
        }
        Ok(column.games(|number| chosen.get(number as usize) == Some(&true)))
    }

    fn outcomes(&self, fits: impl Fn(Outcome) -> bool) -> Result<RoaringBitmap> {
        Ok(self.column(Section::Summary)?.games(|bits| outcome_of(bits).is_some_and(&fits)))
    }

    /// The games that this colour, or nobody, has won.
    fn winners(&self, colour: Option<Colour>) -> Result<RoaringBitmap> {
        let Some(colour) = colour else {
            return self.outcomes(|outcome| outcome.winner(Colour::White).is_none());
        };
        let starts = self.of_kinds(|kind| kind.numbering.start == colour)?;
        let first = self.outcomes(|outcome| outcome == Outcome::FirstWins)?;
        let second = self.outcomes(|outcome| outcome == Outcome::SecondWins)?;
        Ok((first & &starts) | (second - starts))
    }

    /// The games of some kinds.
    pub(super) fn of_kinds(&self, fits: impl Fn(&GameKind) -> bool) -> Result<RoaringBitmap> {
        let chosen: Vec<bool> = self.kinds.iter().map(fits).collect();
        self.chosen(Section::Kind, &chosen)
    }
}

/// What a condition on positions comes to in the games of a kind.
struct Known {
    /// The keys of the positions at which it is true; `None` if it leaves anything open.
    keys: Option<Vec<StableKey>>,
    needs: MaterialBounds,
}

impl Known {
    fn of(condition: &Condition, kind: &GameKind) -> Self {
        match kind.variant.board() {
            Board::Eight => Self::on::<Eight>(condition, kind),
            Board::EightFull => Self::on::<EightFull>(condition, kind),
            Board::TenByEight => Self::on::<TenByEight>(condition, kind),
            Board::Ten => Self::on::<Ten>(condition, kind),
            Board::Twelve => Self::on::<Twelve>(condition, kind),
        }
    }

    fn on<G: Geometry>(condition: &Condition, kind: &GameKind) -> Self {
        let Some(program) = CompiledQuery::<G::Bits>::of_condition::<G>(condition, kind) else {
            return Self { keys: None, needs: MaterialBounds::NONE };
        };
        let keys = match &program {
            CompiledQuery::Always(false) => Some(Vec::new()),
            CompiledQuery::Masks(masks) => {
                let positions: Option<Vec<_>> = masks.iter().map(BoardTest::positions::<G>).collect();
                positions.map(|all| all.iter().flatten().map(|state| state.key_on(G::BOARD)).collect())
            }
            _ => None,
        };
        Self { keys, needs: program.needs::<G>() }
    }
}
