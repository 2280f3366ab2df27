//! Which games and positions a question is about: one field for each condition, with one parser for its text.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use pdn::error::ErrorKind;
use pdn::internal::message::Message;
use pdn::rules::Variant;
use pdn::span::Span;
use pdn_index::Index;
use pdn_index::internal::GameKind;
use pdn_index::internal::query::{
    Condition, Definitions, Field, FileCondition, GameCondition, MoveSequence, Pattern, RatedPlayer, Tables,
    check_squares,
};
use pdn_index::query::{Query, QueryError};
use pdn_names::{NameMatch, NamePattern};

use crate::ask::endings::EndingTables;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::numbers::{parse_number, parse_switch};
use crate::ask::option_file;
use crate::ask::options;
use crate::ask::position::fen_of;
use crate::ask::values::parse_variant;

/// A field of a filter, as options, parameters and arguments name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterField {
    /// The name in Python and HTTP: `min_rating`. The command spells it `--min-rating`.
    pub name: &'static str,
    /// What the field is about.
    pub part: FilterPart,
    /// How the value is given.
    pub form: FieldForm,
    /// What the value stands for: `NAME`; empty for a switch.
    pub value: &'static str,
    /// A line of help, in which names of other fields stand in braces: `{white}`.
    pub help: &'static str,
}

/// What a field of a filter is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterPart {
    /// A game as a whole.
    Game,
    /// The variant of a game.
    Variant,
    /// One position of a game, the same for all such fields.
    Position,
}

/// How the value of a field is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldForm {
    /// Once.
    Once,
    /// Any number of times; all of them must hold.
    Repeated,
    /// As `true` or `false`.
    Switch,
}

impl FilterField {
    /// Returns the line of help with the names of other fields as `spell` spells them.
    pub fn help(&self, spell: impl Fn(&str) -> String) -> String {
        options::spelt(self.help, spell)
    }
}

/// Declares the fields in the order in which they are listed and in which their conditions stand in the query.
macro_rules! fields {
    ($($part:ident $form:ident $name:literal $value:literal $help:literal)*) => {
        &[$(FilterField {
            name: $name, part: FilterPart::$part, form: FieldForm::$form, value: $value, help: $help,
        },)*]
    };
}

/// Conditions on games and on one position of a game; all of them must hold.
///
/// ```
/// use pdn_app::ask::filter::Filter;
///
/// let mut filter = Filter::default();
/// filter.set("player", "like:wiersma")?;
/// filter.set("date", "1980..")?;
/// assert_eq!(filter.query().to_string(), "player ~ \"wiersma\" and date 1980..");
/// let error = filter.set("date", "yesterday").unwrap_err();
/// assert_eq!(error.field, Some("date"));
/// # Ok::<(), pdn_app::ask::error::AppError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// Conditions on games with the places of their fields.
    games: Vec<(usize, Query)>,
    variant: Option<Variant>,
    /// The texts of `fen` and `pattern`, which depend on the switches below.
    boards: Vec<(usize, Pattern)>,
    flipped: bool,
    mirrored: bool,
    /// Other conditions on the position.
    positions: Vec<(usize, Query)>,
    /// The text of `moves`.
    moves: Option<String>,
    /// The names of `player`.
    players: Vec<NamePattern>,
    /// What names with `@` in `query` stand for, besides those that come with the library.
    definitions: Definitions,
    /// The tables of endings that conditions ask.
    tables: Option<(Arc<EndingTables>, Tables)>,
}

impl Filter {
    /// All fields, in the order in which they are listed and in which their conditions stand in the query.
    pub const FIELDS: &[FilterField] = fields![
        Game Once "white" "NAME"
            "White's name: words in any order ('harm wiersma'), 'is:whole name', 'begins:beginning' or 'like:misspelt'; short \
             '=whole name', 'beginning*', '~misspelt'"
        Game Once "black" "NAME" "Black's name, as for {white}"
        Game Repeated "player" "NAME"
            "Name of either player, as for {white}; give it twice for a pair of players"
        Game Once "event" "NAME" "Event, as for {white}"
        Game Once "site" "NAME" "Site, as for {white}"
        Game Once "annotator" "NAME" "Annotator, as for {white}"
        Game Once "opening_played" "NAME" "Name of the opening that the moves show, as for {white}"
        Game Once "date" "A..B" "Date: 1999, 1999.12..2001, ..1950, '> 1990'"
        Game Once "round" "A..B" "Round number: 3, 1..5"
        Game Once "result" "RESULT"
            "Result: 2-0, 1-1, '*', win or loss (of the side that moves first), draw, unknown"
        Game Once "winner" "WHO" "Winner: white, black, nobody, or a name as for {white}"
        Game Once "status" "STATUS"
            "Status of the replay: legal, illegal, ambiguous, damaged, empty, unsupported or problem"
        Game Once "rating" "A..B" "Range of both players' ratings: 2000..2200"
        Game Once "min_rating" "N" "Minimum rating of both players"
        Game Once "plies" "A..B" "Length of the game in plies: 40..80"
        Game Repeated "tag" "TAG"
            "Value of any tag, read from the texts of the games: 'TimeControl : blitz', 'Annotator = \"Baba Sy\"', 'ECO'"
        Game Once "file" "NAME" "File that the game came from: wk2003.pdn, 'archive/1982/*', '~misspelt'"
        Game Once "query" "QUERY" "Query expression; `pdn help query` describes the language"
        Game Repeated "define" "DEFINITIONS" "Names for {query}, one a line: `lead = w-b >= 2` defines `@lead`"
        Variant Once "variant" "VARIANT" "Variant: a name, a GameType number or a GameType value"
        Position Once "fen" "FEN" "Exact position: W:WK3:B18,24"
        Position Once "pattern" "PATTERN"
            "Contents of some squares: 'w32,28 b19 .23' or a board diagram"
        Position Switch "flipped" ""
            "Also match the position or pattern with colours exchanged and the board rotated"
        Position Switch "mirrored" ""
            "Also match the mirror image, on boards where all cells are squares"
        Position Once "moves" "MOVES"
            "Position after these moves, such as '1. 32-28 19-23'; games that transpose into it count"
        Position Once "material" "SUM" "Number of pieces: 'w-b>=2', 'wk=1', 'w-b>=2 for 4'"
        Position Once "move" "MOVE" "Next move: 32-28, 'by king takes >= 3'"
        Position Once "ply" "A..B" "Plies played before the position: 10..20"
    ];

    /// Returns the field of this name.
    pub fn field(name: &str) -> Option<FilterField> {
        Self::FIELDS.iter().copied().find(|field| field.name == name)
    }

    /// Adds the conditions that fields have with these texts, by the names of the fields. Definitions come first, so that the
    /// order of the fields does not matter.
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set), at the first text that cannot be read.
    ///
    /// # Panics
    ///
    /// If there is no field of one of these names.
    pub fn set_all<'t>(&mut self, fields: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<()> {
        let (definitions, others): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(name, _)| *name == "define");
        definitions.into_iter().chain(others).try_for_each(|(name, text)| self.set(name, text))
    }

    /// Adds the condition that a field has with this text. Definitions are known to a query that is set after them.
    ///
    /// # Errors
    ///
    /// If the text cannot be read: the error names the field and the wrong part.
    ///
    /// # Panics
    ///
    /// If there is no field of this name.
    pub fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let place = Self::FIELDS.iter().position(|field| field.name == name).expect("a field of the filter");
        let name = Self::FIELDS[place].name;
        let value = |text: &str| parsed(name, text, Query::parse_value(name, text));
        let wrong = |message: Message| AppError::field(name, message);
        let field = match name {
            "white" => Some(Field::White),
            "black" => Some(Field::Black),
            "event" => Some(Field::Event),
            "site" => Some(Field::Site),
            "player" => Some(Field::Player),
            "annotator" => Some(Field::Annotator),
            _ => None,
        };
        if let Some(field) = field {
            let pattern = asked_name(name, text)?;
            if field == Field::Player {
                self.players.push(pattern.clone());
            }
            self.games.push((place, Query::tag(field, pattern)));
            return Ok(());
        }
        match name {
            "opening_played" => {
                let names = name_pattern(name, &with_sign(text))?;
                self.games.push((place, GameCondition::OpeningPlayed(names).into()));
            }
            "winner" => self.games.push((place, winner_query(text)?)),
            "file" => {
                name_pattern(name, text)?;
                self.games.push((place, Query::file(FileCondition::parse(text))));
            }
            "query" => {
                let query = Query::parse_with(text, &self.definitions);
                self.games.push((place, parsed(name, text, query)?));
            }
            "define" => {
                let definitions = std::mem::take(&mut self.definitions);
                self.definitions = parsed(name, text, definitions.with(text))?;
            }
            "min_rating" => {
                let min = parse_number(text, &(0..=u64::from(u16::MAX))).map_err(wrong)?;
                self.games.push((place, Query::rating(RatedPlayer::Both, min..=u16::MAX)));
            }
            "variant" => self.variant = Some(parse_variant(text).map_err(wrong)?),
            "fen" => {
                let text = fen_of(text);
                self.boards.push((place, parsed(name, text, Pattern::fen(text))?));
            }
            "pattern" => self.boards.push((place, parsed(name, text, Pattern::parse(text))?)),
            "flipped" => self.flipped = parse_switch(text).map_err(wrong)?,
            "mirrored" => self.mirrored = parse_switch(text).map_err(wrong)?,
            "moves" => {
                let sequence = parsed(name, text, MoveSequence::parse(text))?;
                self.positions.push((place, Condition::Line(sequence).into()));
                self.moves = Some(text.to_owned());
            }
            "material" => self.positions.push((place, parsed(name, text, Query::parse(text))?)),
            "move" | "ply" => self.positions.push((place, value(text)?)),
            _ => self.games.push((place, value(text)?)),
        }
        Ok(())
    }

    /// Adds the definitions of a file, which `query` may use from now on.
    ///
    /// # Errors
    ///
    /// If the file, or a definition of it, cannot be read: the error names the line.
    pub fn define_file(&mut self, path: &Path) -> Result<()> {
        let text = option_file::read_text(path, option_file::MAX_DEFINITIONS_BYTES)?;
        self.set("define", &text).map_err(|error| {
            let span = error.span.unwrap_or_else(|| Span::new(0, 0));
            let line = text.get(..span.start as usize).unwrap_or(&text).matches('\n').count() + 1;
            let part = text.get(span.range()).unwrap_or_default();
            let message = match part.lines().next() {
                Some(part) => format!("line {line}, `{part}`: {}", error.message),
                None => format!("line {line}: {}", error.message),
            };
            AppError::path(error.code, path, message)
        })
    }

    /// Restricts the games to those of a variant.
    #[must_use]
    pub fn variant(mut self, variant: Option<Variant>) -> Self {
        self.variant = variant;
        self
    }

    /// Lets conditions ask tables of endings.
    #[must_use]
    pub fn tables(mut self, tables: Option<Arc<EndingTables>>) -> Self {
        self.tables = tables.map(|tables| (tables.clone(), Tables::new(tables)));
        self
    }

    /// Returns the tables of endings that conditions ask.
    pub fn ending_tables(&self) -> Option<&Tables> {
        self.tables.as_ref().map(|(_, tables)| tables)
    }

    /// Fails if there are tables of endings, and none of this variant.
    ///
    /// # Errors
    ///
    /// That no endings of the variant are in the folder.
    pub fn require_tables(&self, variant: Variant) -> Result<()> {
        self.tables.as_ref().map_or(Ok(()), |(tables, _)| tables.require([variant]))
    }

    /// Fails if tables of endings were asked about games, and have none of any variant of these.
    ///
    /// # Errors
    ///
    /// That no endings of the variants are in the folder.
    pub fn check_asked_tables(&self) -> Result<()> {
        self.tables.as_ref().map_or(Ok(()), |(tables, asked)| tables.require(asked.asked()))
    }

    /// Returns the variant that the games are restricted to.
    pub fn chosen_variant(&self) -> Option<Variant> {
        self.variant
    }

    /// Returns `true` if no condition on games as a whole is given, apart from the variant.
    pub fn has_no_game_conditions(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the name of `player`, if it is given once: the person whose games are asked for.
    pub fn player(&self) -> Option<&NamePattern> {
        if let [player] = &self.players[..] { Some(player) } else { None }
    }

    /// Returns the conditions on games as a whole, without the variant.
    pub fn games(&self) -> Query {
        self.joined(self.games.clone())
    }

    /// Returns the query for the games that match the conditions on games and are of the variant, for reports: the query for a row adds
    /// conditions to it, which may be true at other positions.
    pub fn whole_games(&self) -> Query {
        self.games().of_whole_games() & self.variant.map_or_else(Query::all, Query::variant)
    }

    /// Returns the conditions on one position.
    pub fn positions(&self) -> Query {
        let boards = self.boards.iter().map(|(place, pattern)| {
            let query = Query::board(pattern.clone());
            let query = if self.flipped { query.flipped() } else { query };
            (*place, if self.mirrored { query.mirrored() } else { query })
        });
        self.joined(boards.chain(self.positions.iter().cloned()).collect())
    }

    /// Returns all conditions in the order of their fields, with the tables that they ask.
    fn joined(&self, mut parts: Vec<(usize, Query)>) -> Query {
        parts.sort_by_key(|(place, _)| *place);
        let query = Query::And(parts.into_iter().map(|(_, query)| query).collect());
        self.tables.as_ref().map_or_else(|| query.clone(), |(_, tables)| query.with_tables(tables))
    }

    /// Returns the query that all conditions together form.
    pub fn query(&self) -> Query {
        self.games() & self.variant.map_or_else(Query::all, Query::variant) & self.positions()
    }

    /// Checks a query that begins with these conditions against an index: no two parts exclude each other, each move sequence
    /// can be played in at least one variant of the index, and squares mean the same in all games that can match.
    ///
    /// # Errors
    ///
    /// The first contradiction, or the damage of the index.
    pub fn check(&self, query: &Query, index: &Index) -> Result<()> {
        check_contradiction(query)?;
        self.check_tables(query, index)?;
        self.check_moves(query, index)?;
        check_squares(index, query).map_err(|cause| {
            let error = AppError::from(&cause);
            match cause.kind() {
                ErrorKind::NoSuchSquare { condition, .. } => error.in_field(self.field_of(condition)),
                ErrorKind::NoSuchPosition { .. } => error.in_field("query"),
                ErrorKind::NoTables { .. } => {
                    let help =
                        "`--tables DIR` of the command names some, and `pdn endgame build` proves them";
                    error.in_field("query").help(help)
                }
                _ => error,
            }
        })
    }

    /// Returns the name of the field that has a condition on positions, given its text.
    fn field_of(&self, condition: &str) -> &'static str {
        let boards = self.boards.iter().map(|(place, pattern)| (*place, Query::board(pattern.clone())));
        let fields = boards.chain(self.positions.iter().cloned());
        let is_same = |query: &Query| condition.starts_with(&query.to_string());
        let found = fields.into_iter().find(|(_, query)| is_same(query));
        found.map_or("query", |(place, _)| Self::FIELDS[place].name)
    }

    /// Returns the kinds of the games of an index that are of the chosen variant.
    fn game_kinds(&self, index: &Index) -> Result<Vec<GameKind>> {
        let mut game_kinds = Vec::new();
        for segment in index.segments() {
            let kinds = segment.kinds()?;
            let is_possible = |kind: &GameKind| self.variant.is_none_or(|variant| variant == kind.variant);
            game_kinds.extend(kinds.into_iter().filter(is_possible));
        }
        Ok(game_kinds)
    }

    /// Fails if the query asks tables of endings that have none of any variant of the index, or of the chosen one.
    fn check_tables(&self, query: &Query, index: &Index) -> Result<()> {
        let Some((tables, _)) = self.tables.as_ref().filter(|_| query.asks_tables()) else { return Ok(()) };
        tables.require(self.game_kinds(index)?.iter().map(|kind| kind.variant))
    }

    /// Fails if a move sequence of the query cannot be played in any variant of the index, or in the chosen one.
    fn check_moves(&self, query: &Query, index: &Index) -> Result<()> {
        let game_kinds = self.game_kinds(index)?;
        for sequence in query.lines() {
            let mut errors = game_kinds.iter().map(|kind| sequence.play(&kind.game()).err());
            let Some(Some(first)) = errors.next() else { continue };
            if errors.all(|error| error.is_some()) {
                let is_field = self.moves.as_deref() == Some(sequence.text());
                let field = if is_field { "moves" } else { "query" };
                return Err(AppError::query(field, sequence.text(), &first));
            }
        }
        Ok(())
    }
}

/// Returns the value of `result`; an error gets the name and the text of the field.
fn parsed<T>(name: &'static str, text: &str, result: std::result::Result<T, QueryError>) -> Result<T> {
    result.map_err(|error| AppError::query(name, text, &error))
}

/// Fails if two parts of a query exclude each other.
fn check_contradiction(query: &Query) -> Result<()> {
    let Some([first, second]) = query.contradiction() else { return Ok(()) };
    let message = message!(
        "contradiction",
        "{first} and {second} exclude each other: nothing matches both",
        first = first.to_string(),
        second = second.to_string(),
    );
    Err(AppError::new(ErrorCode::Contradiction, message))
}

/// Reads the name that a field gives, with words such as `is:` for the signs of the query language.
///
/// # Errors
///
/// If nothing of it is compared.
pub(crate) fn asked_name(field: &'static str, text: &str) -> Result<NamePattern> {
    name_pattern(field, &with_sign(text))
}

/// Reads the name that a field gives. If nothing of it is compared, it is an error.
fn name_pattern(field: &'static str, text: &str) -> Result<NamePattern> {
    let pattern = NamePattern::parse(text);
    let stands_for_unknown = pattern.match_kind() == NameMatch::Exact && pattern.text().is_empty();
    if pattern.folded().is_empty() && !stands_for_unknown {
        let message = message!(
            "empty_name",
            "expected a name with a letter or a digit; `=` alone stands for names without either, such as `?`"
        );
        return Err(AppError::part(field, text, Span::new(0, text.len() as u32), message));
    }
    Ok(pattern)
}

/// Returns a name with the sign that the word before it stands for: `is:`, `begins:` or `like:`, which shells leave alone.
fn with_sign(name: &str) -> Cow<'_, str> {
    let rest = |word: &str| {
        let (before, rest) = name.split_once(':')?;
        before.trim().eq_ignore_ascii_case(word).then(|| rest.trim())
    };
    if let Some(name) = rest("is") {
        return format!("={name}").into();
    }
    if let Some(name) = rest("begins") {
        return format!("{name}*").into();
    }
    rest("like").map_or(name.into(), |name| format!("~{name}").into())
}

/// Returns the query of `winner`: a side, `nobody`, or a name, with or without the signs of the query language.
fn winner_query(text: &str) -> Result<Query> {
    let is_side = ["white", "black", "nobody"].iter().any(|side| side.eq_ignore_ascii_case(text.trim()));
    if is_side || text.trim_start().starts_with(':') {
        return parsed("winner", text, Query::parse_value("winner", text));
    }
    Ok(Query::tag(Field::Winner, name_pattern("winner", text)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_known_to_queries_in_any_order_of_the_fields() {
        let mut filter = Filter::default();
        let fields = [
            ("query", "@long-lead and @three-against-one"),
            ("define", "# mine\nlead = w-b >= 2\n"),
            ("define", "long-lead = @lead for 10"),
        ];
        filter.set_all(fields).unwrap();
        assert!(filter.query().to_string().starts_with("w-b>=2 for 10 and (wk=3"), "{}", filter.query());
        let error = filter.set_all([("define", "late = ply > 60\nbad = nonsense")]).unwrap_err();
        assert_eq!((error.code, error.field), (ErrorCode::InvalidValue, Some("define")));
        let (value, span) = (error.value.as_deref().unwrap(), error.span.unwrap());
        assert_eq!(&value[span.range()], "nonsense");
        let error = Filter::default().set_all([("query", "@lead")]).unwrap_err();
        assert_eq!(error.field, Some("query"));
    }

    #[test]
    fn unreadable_line_of_a_file_of_definitions_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.txt");
        let message = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let error = Filter::default().define_file(&path).unwrap_err();
            assert_eq!((error.field, error.path.as_deref()), (None, Some(&*path)));
            error.message.clone()
        };
        let found = message("# mine\nlate = ply > 60\n\nbad = wk =\n");
        assert!(found.starts_with("line 4: expected a number of pieces"), "{found}");
        let found = message("bad = nonsense\n");
        assert!(found.starts_with("line 1, `nonsense`: expected a condition"), "{found}");
    }

    #[test]
    fn words_before_names_stand_for_signs() {
        for (text, expected) in [
            ("like:wiersma", "~wiersma"),
            ("Like: wiersma ", "~wiersma"),
            ("is:Harm Wiersma", "=Harm Wiersma"),
            ("begins:wier", "wier*"),
            ("~wiersma", "~wiersma"),
            ("like wiersma", "like wiersma"),
            ("Cup: final", "Cup: final"),
        ] {
            assert_eq!(with_sign(text), expected);
        }
    }
}
