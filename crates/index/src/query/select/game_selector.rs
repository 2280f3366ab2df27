//! Finds the games that match a query, as sets, from dictionaries, columns, facts and key tables.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::game_values::{GameValues, MatchBounds, sum_of};
use crate::pack::{CorruptMoves, MoveCodec};
use crate::query::conditions::{FileCondition, GameNumber, TagCondition};
use crate::query::eval::{BoardTest, CompiledQuery, CountTest, FactNeed, Frame, MaterialBounds};
use crate::query::language::{Condition, GameCondition, Query};
use crate::query::opening_names::OpeningTest;
use crate::query::record_text::RecordText;
use crate::{
    Column, GameKind, GameSet, Index, NumberColumn, PackedPieceCounts, Section, Segment, TextColumn,
    TextReader, date_of, is_continuous, outcome_of, status_of,
};
use pdn::error::{Error, ErrorKind, Result};
use pdn::position::{Position, StableKey};
use pdn::replay::GameStatus;
use pdn::rules::Variant;
use pdn::value::{Colour, Date, Outcome};
use pdn_names::NamePattern;
use pdn_rules::internal::board::{Geometry, WithBoard};

/// Bytes of lists of games that are read even if the column has fewer: about as many are read at least of any section.
const LEAST_READ: u64 = 16 << 10;

/// For games with comments that match a pattern, the numbers of these comments among those of the game, ascending. Comments are
/// counted from 0, line by line.
pub(in crate::query) type MatchingComments = HashMap<u32, Vec<u32>>;

/// Finds sets of games of a segment. A section of the segment is read when a condition first needs it.
// Twin: a scan of all rows, in the test; test: game_conditions_match_the_same_rows_as_a_scan.
#[derive(Debug)]
pub struct GameSelector<'a> {
    pub(super) segment: &'a Segment,
    kinds: Vec<GameKind>,
    /// The index, which may have a key table for the segment, and the number of the segment in it.
    index: Option<(&'a Index, usize)>,
    /// The games that are not continuous.
    discontinuous: OnceCell<GameSet>,
    /// The games whose texts are read for conditions on tags; `None` for all. The others count as not matching.
    pub(super) readable: Option<GameSet>,
    /// The games that match conditions on tags, as far as their texts were read.
    tagged: RefCell<Vec<(TagCondition, GameSet)>>,
    /// The comments that match patterns, as far as the texts were read.
    pub(super) commented: RefCell<Vec<(NamePattern, Arc<MatchingComments>)>>,
}

impl<'a> GameSelector<'a> {
    /// Creates a selector of the games of a segment. It uses no key table, and knows neither files nor texts.
    ///
    /// # Errors
    /// If the section of the kinds of games is damaged.
    pub fn new(segment: &'a Segment) -> Result<Self> {
        Ok(Self {
            segment,
            kinds: segment.kinds()?,
            index: None,
            discontinuous: OnceCell::new(),
            readable: None,
            tagged: RefCell::default(),
            commented: RefCell::default(),
        })
    }

    /// Creates a selector of the games of a segment of an index. It uses the key table of the segment, if there is one.
    ///
    /// # Errors
    /// If the section of the kinds of games is damaged.
    pub(in crate::query) fn with_key_table(index: &'a Index, segment: usize) -> Result<Self> {
        let own = Self::new(&index.segments()[segment])?;
        Ok(Self { index: Some((index, segment)), ..own })
    }

    /// Limits the games whose texts are read to these. A later set must be part of an earlier one.
    pub(in crate::query) fn read_texts_of(&mut self, games: GameSet) {
        self.readable = Some(games);
    }

    /// Returns the kinds of games; the values of [`Section::Kind`] are indices of this slice.
    pub fn kinds(&self) -> &[GameKind] {
        &self.kinds
    }

    /// Returns the set of all games of the segment.
    pub fn all(&self) -> GameSet {
        GameSet::first(self.segment.len() as u32)
    }

    /// Returns the games that match, and may match, a query, without playing any. Takes some milliseconds per condition
    /// and million games.
    ///
    /// # Errors
    /// If a section or the key table is damaged.
    pub fn bounds(&self, query: &Query) -> Result<MatchBounds> {
        self.bounds_at(query, Place::default())
    }

    /// Returns the games that match, and may match, a query at such a place of a game. A game that matches elsewhere only may be
    /// among them.
    ///
    /// # Errors
    /// As [`bounds`](Self::bounds).
    pub(in crate::query) fn bounds_at(&self, query: &Query, place: Place) -> Result<MatchBounds> {
        self.bounds_in(query, Frame::default(), place)
    }

    /// Returns the bounds of a query at such a place, as `frame` reads it.
    fn bounds_in(&self, query: &Query, frame: Frame, place: Place) -> Result<MatchBounds> {
        let here = |query: &Query| self.bounds_in(query, frame, place);
        let anywhere = |query: &Query| self.bounds_in(query, frame, Place::default());
        match query {
            Query::Is(Condition::Game(condition)) => match &*frame.of_game(condition) {
                // Only the moves tell; a game is named when it is played.
                GameCondition::OpeningPlayed(pattern) => {
                    let games = self.of_kinds(|kind| OpeningTest::new(kind.variant, pattern).may_match());
                    games.map(MatchBounds::possible)
                }
                condition => self.matching(condition).map(MatchBounds::exact),
            },
            Query::Is(Condition::Note(note)) => self.with_note(note).map(MatchBounds::possible),
            Query::Aside(_) => self.with_variations().map(MatchBounds::possible),
            Query::Is(condition) => {
                self.possibly_matching(condition, frame, place).map(MatchBounds::possible)
            }
            Query::Not(inner) => Ok(anywhere(inner)?.not(self.segment.len() as u32)),
            Query::And(parts) => {
                let place = place.with(parts);
                let mut bounds = MatchBounds::exact(self.all());
                for part in parts {
                    bounds = bounds.and(&self.bounds_in(part, frame, place)?);
                    if bounds.possible.is_empty() {
                        break;
                    }
                }
                Ok(bounds)
            }
            Query::Or(parts) => {
                let mut bounds = MatchBounds::default();
                for part in parts {
                    bounds = bounds.or(&here(part)?);
                }
                Ok(bounds)
            }
            Query::Ever(inner) => anywhere(inner),
            Query::Then { first, second, within } => {
                let least = *within.start();
                let first = self.bounds_in(first, frame, place.followed_by(least))?.possible;
                Ok(MatchBounds::possible(first & anywhere(second)?.possible & self.lasting(least)?))
            }
            Query::After { later, earlier, within } => {
                let least = *within.start();
                let earlier = self.bounds_in(earlier, frame, Place::default().followed_by(least))?.possible;
                Ok(MatchBounds::possible(here(later)?.possible & earlier & self.lasting(least)?))
            }
            Query::For { query, plies } => {
                let possible = self.bounds_in(query, frame, place.followed_by(*plies))?.possible;
                Ok(MatchBounds::possible(possible & self.lasting(*plies)?))
            }
            Query::First(query) => Ok(MatchBounds::possible(here(query)?.possible)),
            Query::Times { query, count } => {
                let with = anywhere(query)?.possible;
                Ok(match count.contains(&0) {
                    // Games without any such position match.
                    true => MatchBounds { certain: self.all() - with, possible: self.all() },
                    false => MatchBounds::possible(with),
                })
            }
            Query::Transformed { query, by } => {
                // Squares that are moved by some steps change neither sides nor numbers of pieces.
                let mut bounds = MatchBounds::default();
                for frame in frame.turned_by(*by) {
                    bounds = bounds.or(&self.bounds_in(query, frame, place)?);
                }
                Ok(bounds)
            }
        }
    }

    /// Returns the games in which a condition on positions may be true at such a place as `frame` reads it, by the key table, or by piece
    /// counts and facts.
    fn possibly_matching(&self, condition: &Condition, frame: Frame, place: Place) -> Result<GameSet> {
        if let Condition::Ply(plies) = condition {
            return self.lasting(*plies.start());
        }
        if let (Condition::Material(counts), true) = (condition, place.is_last) {
            let test = CountTest::new(counts, frame);
            let matches = |bits| test.matches_packed(PackedPieceCounts::from_bits(bits as u32));
            return Ok(self.column(Section::Last)?.games(matches));
        }
        if let Condition::Sum(sum) = condition
            && sum.counts_earlier_games()
        {
            // Nothing is earlier than a game without a year, or later.
            let dated = |bits| date_of(bits).is_some_and(|date| date.year().is_some());
            return Ok(self.column(Section::Date)?.games(dated));
        }
        let implied: Vec<Implied> =
            self.kinds.iter().map(|kind| Implied::by(condition, kind, frame)).collect();
        if let Some(games) = self.in_key_table(&implied)? {
            return Ok(games);
        }
        let allowed = |implied: &Implied| {
            let within = self.within_bounds(&implied.bounds)?;
            if within.is_empty() {
                Ok(within)
            } else {
                Ok(within & self.with_facts(&implied.facts, place.lasting)?)
            }
        };
        let Some(first) = implied.first() else { return Ok(GameSet::new()) };
        if implied.iter().all(|other| (other.bounds, &other.facts) == (first.bounds, &first.facts)) {
            return allowed(first);
        }
        let mut all = GameSet::new();
        for (number, implied) in implied.iter().enumerate() {
            let of_kind = self.column(Section::Kind)?.games(|kind| kind == number as u64);
            all |= of_kind & allowed(implied)?;
        }
        Ok(all)
    }

    /// Returns the games that the key table lists for an exact position. `None` if there is no table, if the condition is
    /// not an exact position for some kind of games, or if playing all games is faster. `implied` has an entry per kind.
    fn in_key_table(&self, implied: &[Implied]) -> Result<Option<GameSet>> {
        let Some((index, segment)) = self.index else { return Ok(None) };
        let mut keys: Vec<StableKey> = Vec::new();
        for implied in implied {
            let Some(more) = &implied.keys else { return Ok(None) };
            keys.extend(more);
        }
        keys.sort_unstable();
        keys.dedup();
        let Some(table) = index.readable_keys(segment)? else { return Ok(None) };
        let listed = || {
            let mut games = GameSet::new();
            for key in keys {
                if !table.is_selective(key)? {
                    return Ok(None);
                }
                games |= table.games(key)?;
            }
            Ok(Some(games))
        };
        index.or_without_table(listed())
    }

    /// Returns the games whose pieces at the start and at the end do not exclude a position within these bounds.
    fn within_bounds(&self, bounds: &MaterialBounds) -> Result<GameSet> {
        let (first, last) = bounds.start_and_end_help();
        let mut games = self.all();
        if !first && !last {
            return Ok(games);
        }
        if first {
            games &= self
                .column(Section::First)?
                .games(|bits| bounds.allow_start(PackedPieceCounts::from_bits(bits as u32)));
        }
        if last {
            games &= self
                .column(Section::Last)?
                .games(|bits| bounds.allow_end(PackedPieceCounts::from_bits(bits as u32)));
        }
        Ok(games | self.discontinuous()?)
    }

    /// Returns the games that are not continuous: those that begin with a setup, or contain a setup or a null move. Their
    /// piece counts may increase.
    pub(super) fn discontinuous(&self) -> Result<&GameSet> {
        if let Some(games) = self.discontinuous.get() {
            return Ok(games);
        }
        let games = self.column(Section::Summary)?.games(|bits| !is_continuous(bits));
        Ok(self.discontinuous.get_or_init(|| games))
    }

    /// Returns the games that match a condition on whole games.
    ///
    /// # Errors
    /// If a section is damaged.
    pub fn matching(&self, condition: &GameCondition) -> Result<GameSet> {
        condition.answer(self)
    }

    /// Returns the index of the segment, and the number of its first game there.
    ///
    /// # Errors
    /// If the selector was made without the index.
    pub(super) fn in_index(&self) -> Result<(&'a Index, u64)> {
        let without =
            || Error::new(ErrorKind::NoText("a selector of a single segment knows neither files nor texts"));
        let (index, segment) = self.index.ok_or_else(without)?;
        Ok((index, index.first_game(segment).unwrap_or(0)))
    }

    /// Checks that the segment has a column of texts where its games have such texts.
    ///
    /// # Errors
    /// If an earlier version has written some of the games. A [`Search`](crate::query::Search) asks for their texts instead.
    fn require(&self, column: TextColumn) -> Result<()> {
        if !column.is_optional() || self.in_index()?.0.stores(column) {
            return Ok(());
        }
        let why = "an earlier version has written the index and did not store it; index the archive again";
        Err(Error::new(ErrorKind::NoText(why)))
    }

    /// Returns all games or none.
    fn all_if(&self, condition: bool) -> GameSet {
        if condition { self.all() } else { GameSet::new() }
    }

    pub(super) fn segment(&self) -> &'a Segment {
        self.segment
    }

    pub(super) fn column(&self, section: Section) -> Result<Column<'a>> {
        self.segment.whole_column(section)
    }

    /// Returns the games whose text in a column is one for which `chosen` is `true`.
    fn with_texts(&self, column: TextColumn, chosen: &[bool]) -> Result<GameSet> {
        match self.listed(column, chosen)? {
            Some(games) => Ok(games),
            None => self.chosen(column.section(), chosen),
        }
    }

    /// Returns the games of these texts from the extract of the segment; `None` without one, and if the column has been read or reading it
    /// costs less.
    fn listed(&self, column: TextColumn, chosen: &[bool]) -> Result<Option<GameSet>> {
        let Some((index, segment)) = self.index else { return Ok(None) };
        let Some(part) = self.segment.section_part(column.section())? else { return Ok(None) };
        let Some(extract) = index.extract(segment)? else { return Ok(None) };
        index.or_without_table(extract.games(column, chosen, part.len().max(LEAST_READ)))
    }

    /// Returns the games whose value in a column is one for which `chosen` is `true`.
    fn chosen(&self, section: Section, chosen: &[bool]) -> Result<GameSet> {
        let column = self.column(section)?;
        let count = chosen.iter().filter(|&&chosen| chosen).count();
        let Some(first) = chosen.iter().position(|&chosen| chosen) else { return Ok(GameSet::new()) };
        // Dictionaries are sorted, so that a prefix selects consecutive numbers; comparing with their range is faster
        // than looking up each.
        let run = first as u64..(first + count) as u64;
        if chosen[first..].iter().take(count).all(|&chosen| chosen) {
            return Ok(column.games(|number| run.contains(&number)));
        }
        Ok(column.games(|number| chosen.get(number as usize) == Some(&true)))
    }

    /// Returns the games of some kinds.
    fn of_kinds(&self, matches: impl Fn(&GameKind) -> bool) -> Result<GameSet> {
        let chosen: Vec<bool> = self.kinds.iter().map(matches).collect();
        self.chosen(Section::Kind, &chosen)
    }
}

/// A pattern, compared with the texts of a dictionary.
#[derive(Debug)]
pub struct DictionaryNames<'n> {
    pattern: &'n NamePattern,
    /// For every text whether it matches; empty if the segment does not have the dictionary.
    chosen: Vec<bool>,
}

impl GameValues for GameSelector<'_> {
    type Answer = GameSet;
    type Error = Error;
    type Names<'n> = DictionaryNames<'n>;

    fn names<'n>(&self, column: TextColumn, pattern: &'n NamePattern) -> Result<DictionaryNames<'n>> {
        self.require(column)?;
        let chosen = match self.segment.lacks(column) {
            false => self.segment.names_matching(column.dictionary(), pattern)?,
            true => Vec::new(),
        };
        Ok(DictionaryNames { pattern, chosen })
    }

    fn text(&self, column: TextColumn, names: &DictionaryNames<'_>) -> Result<GameSet> {
        if self.segment.lacks(column) {
            return Ok(self.all_if(names.pattern.matches("")));
        }
        self.with_texts(column, &names.chosen)
    }

    fn text_where(&self, column: TextColumn, test: impl Fn(&str) -> bool) -> Result<GameSet> {
        self.require(column)?;
        if self.segment.lacks(column) {
            return Ok(self.all_if(test("")));
        }
        let texts = self.segment.whole_dictionary(column.dictionary())?;
        let chosen: Vec<bool> =
            (0..texts.len() as u32).map(|number| texts.get(number).is_some_and(&test)).collect();
        self.with_texts(column, &chosen)
    }

    fn date(&self, test: impl Fn(Date) -> bool) -> Result<GameSet> {
        Ok(self.column(Section::Date)?.games(|bits| date_of(bits).is_some_and(&test)))
    }

    fn rating(&self, of: Colour, range: &RangeInclusive<u16>) -> Result<GameSet> {
        let section = match of {
            Colour::White => Section::WhiteRating,
            Colour::Black => Section::BlackRating,
        };
        let (min, max) = (u64::from(*range.start()), u64::from(*range.end()));
        // Without branches, because the processor cannot predict ratings.
        let matches = |rating| (rating != 0) & (min <= rating) & (rating <= max);
        Ok(self.column(section)?.games(matches))
    }

    fn plies(&self, range: &RangeInclusive<u32>) -> Result<GameSet> {
        Ok(self.column(Section::Plies)?.games(|plies| range.contains(&(plies as u32))))
    }

    fn sum(&self, terms: &[(i8, GameNumber)], test: impl Fn(i64) -> bool) -> Result<GameSet> {
        let section = |number| match number {
            GameNumber::Rating(Colour::White) => Section::WhiteRating,
            GameNumber::Rating(Colour::Black) => Section::BlackRating,
            GameNumber::Year => Section::Date,
            GameNumber::Plies => Section::Plies,
        };
        let columns = terms.iter().map(|(_, number)| self.column(section(*number)));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let sum = |game: usize| {
            sum_of(terms, |place, number| {
                let bits = columns[place].get(game)?;
                match number {
                    GameNumber::Rating(_) => (bits != 0).then_some(bits as i64),
                    GameNumber::Year => date_of(bits)?.year().map(i64::from),
                    GameNumber::Plies => Some(bits as i64),
                }
            })
        };
        let mut found = GameSet::new();
        for game in 0..self.segment.len() as u32 {
            if sum(game as usize).is_some_and(&test) {
                found.insert(game);
            }
        }
        Ok(found)
    }

    fn status(&self, status: GameStatus) -> Result<GameSet> {
        Ok(self.column(Section::Summary)?.games(|bits| status_of(bits) == Some(status)))
    }

    fn outcome(&self, test: impl Fn(Outcome) -> bool) -> Result<GameSet> {
        Ok(self.column(Section::Summary)?.games(|bits| outcome_of(bits).is_some_and(&test)))
    }

    fn won_by(&self, winner: Colour) -> Result<GameSet> {
        let starts = self.of_kinds(|kind| kind.numbering.start == winner)?;
        let first = self.outcome(|outcome| outcome == Outcome::FirstWins)?;
        let second = self.outcome(|outcome| outcome == Outcome::SecondWins)?;
        Ok((first & &starts) | (second - starts))
    }

    fn variant(&self, variant: Variant) -> Result<GameSet> {
        self.of_kinds(|kind| kind.variant == variant)
    }

    fn text_tag(&self, condition: &TagCondition) -> Result<GameSet> {
        if let Some((_, games)) = self.tagged.borrow().iter().find(|(known, _)| known == condition) {
            return Ok(games.clone());
        }
        let (index, first) = self.in_index()?;
        let (mut found, mut texts) = (GameSet::new(), TextReader::new(index));
        for game in self.readable.as_ref().unwrap_or(&self.all()) {
            let text = RecordText::read(index, &mut texts, first + u64::from(game))?;
            if condition.matches(text.tags().value(condition.name()).as_deref()) {
                found.insert(game);
            }
        }
        self.tagged.borrow_mut().push((condition.clone(), found.clone()));
        Ok(found)
    }

    fn file(&self, condition: &FileCondition) -> Result<GameSet> {
        let (index, _) = self.in_index()?;
        let chosen: Vec<bool> = index.inputs().iter().map(|input| condition.matches(&input.name)).collect();
        let mut found = GameSet::new();
        for (games, input) in self.segment.input_runs()? {
            if chosen.get(input as usize) == Some(&true) {
                found |= GameSet::first(games.end) - GameSet::first(games.start);
            }
        }
        Ok(found)
    }

    // A search names games while it plays them; test: `games_are_found_by_the_names_of_their_openings`.
    fn opening_played(&self, pattern: &NamePattern) -> Result<GameSet> {
        let (kinds, moves) = (self.column(Section::Kind)?, self.segment.moves()?);
        let tests: Vec<OpeningTest> =
            self.kinds.iter().map(|kind| OpeningTest::new(kind.variant, pattern)).collect();
        let mut found = GameSet::new();
        for game in 0..self.segment.len() as u32 {
            let kind = kinds.get(game as usize).map_or(usize::MAX, |kind| kind as usize);
            let bytes = moves.get(game as usize)?;
            let (Some(kind), Some(test), Some(bytes)) = (self.kinds.get(kind), tests.get(kind), bytes) else {
                return Err(moves.corrupt_moves());
            };
            let test = TestPacked { test, start: Position::start(kind.game()), bytes };
            if kind.variant.board().with(test).map_err(|CorruptMoves| moves.corrupt_moves())? {
                found.insert(game);
            }
        }
        Ok(found)
    }
}

/// A packed game whose opening is named.
struct TestPacked<'a> {
    test: &'a OpeningTest,
    start: Position,
    bytes: &'a [u8],
}

impl WithBoard for TestPacked<'_> {
    type Output = std::result::Result<bool, CorruptMoves>;

    fn run<G: Geometry>(self) -> Self::Output {
        self.test.matches(&MoveCodec::<G>::new(), &self.start.state().resized(), self.bytes)
    }
}

/// Where in a game a query has to be true.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::query) struct Place {
    /// At the last position.
    is_last: bool,
    /// The least number of plies that follow.
    lasting: u32,
}

impl Place {
    /// Returns the place at which these parts, joined by `and`, are true together.
    pub(in crate::query) fn with<'q>(self, parts: impl IntoIterator<Item = &'q Query>) -> Self {
        let is_last = |part: &Query| matches!(part, Query::Is(Condition::Last));
        Self { is_last: self.is_last || parts.into_iter().any(is_last), ..self }
    }

    /// Returns the same place with the condition that at least `plies` plies follow it.
    fn followed_by(self, plies: u32) -> Self {
        Self { lasting: self.lasting.max(plies), ..self }
    }
}

/// What a condition on positions implies for the games of one kind.
struct Implied {
    /// The keys of the only positions at which it is true; `None` if it leaves anything open.
    keys: Option<Vec<StableKey>>,
    /// The bounds that a position must meet.
    bounds: MaterialBounds,
    /// What the facts of a game must be.
    facts: FactNeed,
}

impl Implied {
    fn by(condition: &Condition, kind: &GameKind, frame: Frame) -> Self {
        kind.variant.board().with(FindImplied { condition, kind, frame })
    }
}

/// A condition on positions, and the games for which [`Implied`] is wanted.
struct FindImplied<'a> {
    condition: &'a Condition,
    kind: &'a GameKind,
    frame: Frame,
}

impl WithBoard for FindImplied<'_> {
    type Output = Implied;

    fn run<G: Geometry>(self) -> Implied {
        let Self { condition, kind, frame } = self;
        let Some(compiled) = CompiledQuery::<G::Bits>::of_condition::<G>(condition, kind, frame) else {
            return Implied { keys: None, bounds: MaterialBounds::NONE, facts: FactNeed::NOTHING };
        };
        let keys = match &compiled {
            CompiledQuery::Always(false) => Some(Vec::new()),
            CompiledQuery::Board(tests) => {
                let positions: Option<Vec<_>> = tests.iter().map(BoardTest::positions::<G>).collect();
                positions.map(|all| all.iter().flatten().map(|state| state.key_on(G::BOARD)).collect())
            }
            CompiledQuery::Listed(list) => Some(list.states().map(|state| state.key_on(G::BOARD)).collect()),
            _ => None,
        };
        Implied { keys, bounds: compiled.material_bounds::<G>(), facts: compiled.fact_need::<G>() }
    }
}

impl GameSelector<'_> {
    /// Returns the games whose facts meet a need, at a position that at least `lasting` plies follow. All games if the segment does not
    /// have the facts.
    pub(super) fn with_facts(&self, need: &FactNeed, lasting: u32) -> Result<GameSet> {
        match need {
            FactNeed::AtLeast(fact, least) => {
                let Some(column) = self.segment().number_column(*fact)? else { return Ok(self.all()) };
                Ok(column.games(|value| value >= u64::from(*least)))
            }
            FactNeed::King(side) => {
                let fact = match side {
                    Colour::White => NumberColumn::WhitePromotes,
                    Colour::Black => NumberColumn::BlackPromotes,
                };
                let Some(column) = self.segment().number_column(fact)? else { return Ok(self.all()) };
                let mut games = column.games(|plies| plies > 0);
                if lasting > 0 {
                    let Some(plies) = self.segment().number_column(NumberColumn::Plies)? else {
                        return Ok(games);
                    };
                    let lasts = |game: &u32| {
                        let value = |column: &crate::Column<'_>| column.get(*game as usize).unwrap_or(0);
                        value(&column) + u64::from(lasting) <= value(&plies)
                    };
                    games = games.iter().filter(lasts).collect();
                }
                // Kings of start positions and setups have no promotion.
                Ok(games | self.discontinuous()?)
            }
            FactNeed::All(needs) => {
                let mut games = self.all();
                for need in needs {
                    games &= self.with_facts(need, lasting)?;
                }
                Ok(games)
            }
            FactNeed::Any(needs) => {
                let mut games = GameSet::new();
                for need in needs {
                    games |= self.with_facts(need, lasting)?;
                }
                Ok(games)
            }
        }
    }

    /// Returns the games of at least `plies` plies: in others, no position has that many plies before or after it.
    pub(super) fn lasting(&self, plies: u32) -> Result<GameSet> {
        if plies == 0 {
            return Ok(self.all());
        }
        // Of other games, null moves count too.
        let games = self.column(NumberColumn::Plies.section())?.games(|own| own >= u64::from(plies));
        Ok(games | self.discontinuous()?)
    }
}
