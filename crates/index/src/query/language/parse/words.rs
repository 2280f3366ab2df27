//! The words of the query language in one table: what each of them is, what parses the rest, and what the guide, the command and the
//! page of the server say about it.

use super::condition::{
    parse_dates, parse_distance, parse_file, parse_game_and_ply, parse_line, parse_name,
    parse_opening_played, parse_pattern, parse_pieces, parse_played, parse_player_rating, parse_position,
    parse_rating, parse_rating_number, parse_sacrifice, parse_status, parse_strength, parse_tempo,
    parse_text_tag, parse_u32_range, parse_variant,
};
use super::move_parts::parse_move_condition;
use super::scanner::{Scanner, What};
use crate::query::conditions::{
    Count, GameNumber, GamePositions, MoveCondition, NoteCondition, TableNumber, TagCondition,
};
use crate::query::error::QueryError;
use crate::query::language::query::{Query, RatedPlayer};
use pdn::value::Colour;

/// Parses what follows the word of a condition.
type Parse = fn(&mut Scanner<'_>) -> Result<Query, QueryError>;

/// Parses what follows a word, which it is given, of a number; `None` if the word is no number with what follows it.
type ParseNumber = fn(&mut Scanner<'_>, &str) -> Result<Option<Count>, QueryError>;

/// A word of the query language, or several that are explained together.
pub(super) struct Word {
    /// The words. Most of those after the first are synonyms, or names of columns of the table of games.
    pub(super) names: &'static [&'static str],
    pub(super) role: Role,
    lines: &'static [WordLine],
}

/// What a word is.
#[derive(Clone, Copy)]
pub(super) enum Role {
    /// A sign.
    Sign,
    /// A word before a condition that says where in the game it is to be true.
    Prefix(fn(Query) -> Query),
    /// A word between two conditions, or between a condition and a number, that binds closer than `not`.
    Sequence(Time),
    /// A word after a condition that adds a form to it.
    Form,
    /// `not`.
    Not,
    /// `and` or `or`.
    Connective,
    /// The name of a field of games, such as `white`.
    Field,
    /// The word of any other condition.
    Condition(Parse),
    /// The word of a number, which a sign compares with another number.
    Number(ParseNumber),
    /// The word of a number that also begins a condition with a range, without a second number: `ply 10..20`, `ply < 20`.
    NumberOrRange(ParseNumber, Parse),
}

/// The operators of time.
#[derive(Clone, Copy)]
pub(super) enum Time {
    Then,
    After,
    For,
    Times,
}

/// A line of the tables that explain the words.
#[derive(Debug)]
pub struct WordLine {
    /// The table.
    pub section: WordSection,
    /// Examples: in the table of operators with `A` and `B` for conditions, in that of numbers without a sign, in that of forms the words
    /// alone.
    pub examples: &'static [&'static str],
    /// What they mean, in Markdown, as the guide says it. Its beginning, up to `; `, is what the command says.
    pub meaning: &'static str,
}

/// A table of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordSection {
    /// Words before, between and after conditions.
    Operators,
    /// Words that add forms to a condition.
    Forms,
    /// Conditions on games.
    Games,
    /// Conditions on positions.
    Positions,
    /// Numbers in sums.
    Numbers,
}

/// Declares the words, in the order of the tables that explain them: names, what they are, and the lines about them.
macro_rules! words {
    ($([$($name:literal),+] $role:expr; $($Section:ident [$($example:literal),+] $meaning:literal;)*)+) => {
        pub(super) static WORDS: &[Word] = {
            use Role::*;
            &[$(Word {
                names: &[$($name),+],
                role: $role,
                lines: &[$(WordLine {
                    section: WordSection::$Section,
                    examples: &[$($example),+],
                    meaning: $meaning,
                }),*],
            }),+]
        };
    };
}

words! {
    ["("] Sign;
        Operators ["( A )"] "`A` is true";
    ["flipped"] Form;
        Operators ["A flipped"] "a form of `A` is true; so `mirrored`, `shifted` and `passed`, see [Forms](#forms)";
        Forms ["flipped"] "it is true as it is written, or with White and Black exchanged everywhere in it";
    ["mirrored"] Form;
        Forms ["mirrored"] "it is true as it is written, or with left and right exchanged, on boards that play on every cell; other boards have no mirror image";
    ["shifted"] Form;
        Forms ["shifted"] "it is true after all squares that it names were moved by as many rows and columns, in any direction, if all of them still lie on the board";
    ["passed"] Form;
        Forms ["passed"] "it would be true if the other side were to move";
    ["ever"] Prefix(Query::ever);
        Operators ["ever A"] "`A` is true at some position of the game";
    ["never"] Prefix(Query::never);
        Operators ["never A"] "`A` is true at no position of the game";
    ["first"] Prefix(Query::first);
        Operators ["first A"] "`A` is true, for the first time in the game";
    ["aside"] Prefix(Query::aside);
        Operators ["aside A"] "a variation begins here, and `A` is true at some position of it or of a variation in it; see [Variations](#variations-comments-nags)";
    ["then"] Sequence(Time::Then);
        Operators ["A then B within 6"] "`A` is true, and `B` is true at a position 1 to 6 plies later; without `within`, 1 to 10 plies later";
        Operators ["A then B within 3..5"] "`A` is true, and `B` is true at a position 3 to 5 plies later";
    ["after"] Sequence(Time::After);
        Operators ["A after B within 6"] "`A` is true, and `B` is true at a position 1 to 6 plies earlier; `within` as for `then`";
    ["for"] Sequence(Time::For);
        Operators ["A for 4"] "`A` is true, and stays true for the next 4 plies, which the game must have";
    ["times"] Sequence(Time::Times);
        Operators ["A times >= 3"] "`A` is true at 3 positions of the game or more; `ever A` is `A times >= 1`";
    ["not"] Not;
        Operators ["not A"] "`A` is false; also after `ever`, `never`, `first`, `then` and `after`: `ever not last`";
    ["and"] Connective;
        Operators ["A and B"] "both are true";
    ["or"] Connective;
        Operators ["A or B"] "at least one is true";
    ["white"] Field;
        Games ["white : wiersma"] "games with this word in White's name; several words in quotes, `\"j. van der wal\"`, must all occur, in any order, and a single letter stands for a word that begins with it";
        Games ["white = \"wiersma, h\""] "games in which this is White's whole name";
        Games ["white = wiers*"] "games in which White's name begins so";
        Games ["white ~ wiersma"] "as with `:`, also misspelt; a word of 4 letters or more may have one letter (or sound, see [below](#names-in-other-letters)) wrong, missing, added or swapped with its neighbour, a word of 8 or more two";
        Games ["white = \"\""] "games without a name of White; also those with one that has no letter and no digit, such as `?`";
        Positions ["white to move"] "positions with this side to move";
    ["black", "player", "winner", "loser"] Field;
        Games ["black : wiersma", "player : wiersma", "winner : wiersma", "loser : wiersma"] "the same for Black, for either player, for the player who won or lost";
        Games ["winner white", "winner nobody"] "games that this side won; `nobody` for draws, losses of both and unknown results";
    ["event", "site", "annotator", "round", "result"] Field;
        Games ["event : wk", "site : minsk", "annotator : \"baba sy\""] "the same for the text of these tags; so for `round` and `result`";
        Games ["round 3"] "games in which the first number of the round lies in the range; 3, 3.2, ronde3, 3 of 9. A number above 65,535 is none, so that no range has it; `round = 3.2` and `round = 10*` compare the text";
        Games ["result 2-0", "result win"] "this [result](crate::guide::dialects#results) in terms of the side that starts; a written result, or `win`, `loss`, `draw`, `both-lose`, `unknown`";
    ["tag"] Condition(parse_text_tag);
        Games ["tag TimeControl ~ blitz", "tag ECO = b2", "tag ECO"] "the same for any tag, by its name in any case or in the language of the file; the name alone matches games in which it has a value";
    ["file"] Condition(parse_file);
        Games ["file \"1982/wk.pdn\""] "games from the input with this path, or with a path that ends so; `file = wk*` compares the beginning of the path or of the file name, `file : wk` words, `file ~ wkk` misspelt ones";
    ["date"] Condition(|scanner| Ok(Query::date(parse_dates(scanner)?)));
        Games ["date 1999..2001.06", "date > 1990", "date 1900-2000"] "games of which all possible days lie in the range; `1990.??.??` lies in `1990` but not in `1990.06`, and `1990.06.??` in `..1990.06.30`";
    ["rating"] NumberOrRange(parse_rating_number, parse_player_rating);
        Games ["rating >= 2200", "rating white 2000..2100"] "a rating in the range, of `white`, `black`, `both` (the default) or `either`; a missing rating never matches";
        Games ["rating white - rating black >= 200", "year - plies > 1900"] "games in which this [sum](#sums) of ratings, year and plies lies in the range";
        Numbers ["rating white", "rating black"] "the rating of a player";
    ["year"] NumberOrRange(|_, _| Ok(Some(Count::OfGame(GameNumber::Year))), |scanner| Ok(Query::date(parse_dates(scanner)?)));
        Games ["year >= 1990"] "the name of a column, for `date`";
        Numbers ["year"] "the year of the game";
    ["white_rating"] NumberOrRange(|_, _| Ok(Some(Count::OfGame(GameNumber::Rating(Colour::White)))), |scanner| parse_rating(scanner, RatedPlayer::White));
    ["black_rating"] NumberOrRange(|_, _| Ok(Some(Count::OfGame(GameNumber::Rating(Colour::Black)))), |scanner| parse_rating(scanner, RatedPlayer::Black));
        Games ["white_rating > 2200", "black_rating > 2200"] "the names of columns, for `rating white` and `rating black`";
    ["time_control"] Condition(|scanner| Ok(Query::text_tag(TagCondition::new("TimeControl", parse_name(scanner)?))));
        Games ["time_control : blitz"] "the name of a column, for `tag TimeControl`";
    ["opening"] Condition(|scanner| Ok(Query::text_tag(TagCondition::new("Opening", parse_name(scanner)?))));
        Games ["opening = alma*"] "the name of a column, for `tag Opening`";
    ["opening_played"] Condition(parse_opening_played);
        Games ["opening_played : roozenburg"] "games whose moves show an opening of this name; with `=` and `~` too, see [below](#openings-with-names); `opening_played = \"\"` those without a name";
    ["plies"] NumberOrRange(|_, _| Ok(Some(Count::OfGame(GameNumber::Plies))), |scanner| Ok(Query::plies(parse_u32_range(scanner, "a number of plies", 0)?)));
        Games ["plies < 40"] "games with this number of legal plies in the main line";
        Numbers ["plies"] "the number of legal plies in the main line of the game";
    ["status"] Condition(parse_status);
        Games ["status legal", "status problem"] "games with this status of their replay: `legal`, `illegal`, `ambiguous`, `damaged`, `empty`, `problem` or `unsupported`; see [`GameStatus`](pdn::replay::GameStatus)";
    ["variant"] Condition(parse_variant);
        Games ["variant russian", "variant 25"] "games of this variant, by its name, or of all variants whose game type has this number";
    ["all"] Condition(|_| Ok(Query::all()));
        Games ["all", "nothing"] "every game, no game";
    ["nothing"] Condition(|_| Ok(Query::Or(Vec::new())));
    ["fen", "position"] Condition(parse_position);
        Positions ["fen \"W:WK3:B18,24\""] "exactly this position; with `?` in place of the side to move, for either side";
    ["line"] Condition(parse_line);
        Positions ["line \"1. 32-28 19-23\""] "the position after these moves from the start, by any move order";
    ["pattern"] Condition(parse_pattern);
        Positions ["pattern \"w32,28 b19 .23\""] "positions with these contents of squares; see below";
    ["w", "b", "wm", "wk", "bm", "bk", "m", "k", "p"] Number(parse_pieces);
        Positions ["w-b >= 2", "w >= b + 2"] "positions with this piece count: sums of `w` `b` (pieces of a side), `wm` `wk` `bm` `bk` (its men, its kings), `m` `k` `p` (men, kings, pieces of both sides), with `+` and `-`, compared by `=` `!=` `<` `<=` `>` `>=`";
        Positions ["w on centre - b on centre >= 3", "moves <= 2", "tempo white > tempo black + 4"] "positions with this [sum](#sums) of numbers";
        Numbers ["w", "b", "wm", "wk", "bm", "bk", "m", "k", "p"] "the number of these pieces";
        Numbers ["w on 1-5,c3", "p on long"] "the number of these pieces on an area: squares and ranges of square numbers, separated by commas, and `centre`, `left`, `right`, `edge`, `back`, `long`";
    ["moves"] Number(|_, _| Ok(Some(Count::Moves)));
        Numbers ["moves"] "the number of legal moves; the limit on the moves of a Frisian king does not count";
    ["jumps"] Number(|_, _| Ok(Some(Count::Jumps)));
        Numbers ["jumps"] "the number of legal captures";
    ["best"] Number(|_, _| Ok(Some(Count::Best)));
        Numbers ["best"] "the most pieces that a legal capture takes, 0 without one";
    ["takes"] Number(|_, _| Ok(Some(Count::Takes)));
        Numbers ["takes"] "the number of pieces that the next move captures";
    ["tempo"] Number(parse_tempo);
        Numbers ["tempo white", "tempo black"] "the rows that the men of a side have advanced in all; counted from the row nearest to it";
    ["distance"] Number(parse_distance);
        Numbers ["distance \"W:WK3:B18,24\""] "the number of squares whose contents differ from those of this position, whichever side is to move";
    ["meets"] Condition(|scanner| { let [game, first] = parse_game_and_ply(scanner, "from")?; Ok(Query::in_game(GamePositions::from(game, first as u32))) });
        Positions ["fen of 123 at 40", "meets 123 from 20"] "the position of game 123 of the index after 40 plies; any of its positions after 20 plies or more, so that the game itself is found too";
    ["ply"] NumberOrRange(|_, _| Ok(Some(Count::Ply)), |scanner| Ok(Query::ply(parse_u32_range(scanner, "the number of a ply", 0)?)));
        Positions ["ply 10..20"] "positions after this number of plies";
        Numbers ["ply"] "the number of plies before the position";
    ["last"] Condition(|_| Ok(Query::last()));
        Positions ["last"] "the last position of the game";
    ["earlier"] Number(|_, _| Ok(Some(Count::Earlier)));
        Positions ["earlier = 0", "earlier >= 100"] "a position that no game of an earlier date has; one that at least 100 such games have; see [below](#earlier-games)";
        Numbers ["earlier"] "the number of games of an earlier date that have the position; see [below](#earlier-games)";
    ["table"] Number(|_, _| Ok(Some(Count::Table(TableNumber::Value, None))));
        Numbers ["table"] "what tables of endings prove for the side to move, 1, 0 or -1, also written `win`, `draw` or `loss`; see [below](#proven-endings)";
    ["table_distance"] Number(|_, _| Ok(Some(Count::Table(TableNumber::Distance, None))));
        Numbers ["table_distance"] "the plies to the end of an ending that is proven won or lost, if both sides play as well as they can";
    ["repeats"] Condition(|scanner| Ok(Query::repeats(parse_u32_range(scanner, "a number of times", 1)?)));
        Positions ["repeats >= 3"] "positions that have stood so often in the game up to here, this time included, with the same side to move";
    ["move"] Condition(parse_move);
        Positions ["move 32-28", "move d6:f4", "move 32x", "move x19"] "positions whose next move has these squares; `x` and `:` require a capture; `move` alone matches before any move";
        Positions ["move from 5,46 by king takes >= 3 over 19"] "positions whose next move has all of these properties: `from` and `to` (one of the squares), `by man`, `by king`, `by white`, `by black`, `promotes`, `stays`, `takes` (captured pieces), `over` (all of these are captured), `retakes` (the piece that the move before has moved is captured)";
    ["played"] Condition(parse_played);
        Positions ["played \"27-22 18x27 .. 38,40x16\""] "positions from which these [moves](#moves-that-were-played) were played, one after the other; `.` is any move, `..` any moves";
    ["@"] Sign;
        Positions ["@philips"] "what this [name](#named-queries) stands for";
    ["sacrifice"] Condition(parse_sacrifice);
        Positions ["sacrifice 2 within 8 regained"] "positions at which the side to move falls behind by 2 more pieces within 8 plies, and, with `regained`, wins them back within these plies, or, with `lost`, does not; `sacrifice` alone means 1 piece within 10 plies";
    ["comment"] Condition(|scanner| Ok(Query::note(NoteCondition::Comment(parse_name(scanner)?))));
        Positions ["comment", "comment : shot", "comment ~ shott", "comment = \"a fine shot\""] "positions after whose last move a comment stands; its words are compared as names are";
    ["nag"] Condition(|scanner| { Ok(Query::note(NoteCondition::Nag(parse_u32_range(scanner, "the number of a NAG", 0)?))) });
        Positions ["nag 1", "nag 10..20"] "positions whose next move has such a NAG (`$1`)";
    ["mark"] Condition(|scanner| Ok(Query::note(NoteCondition::Mark(parse_strength(scanner)?))));
        Positions ["mark \"!\"", "mark \"?!\""] "positions whose next move has this strength; `!` `?` `!!` `??` `!?` `?!` `*`, in any spelling such as `(!)`";
}

/// Takes the next word if the table has it. Returns its row, and the word as the table spells it.
pub(super) fn take(scanner: &mut Scanner<'_>) -> Option<(&'static Word, &'static str)> {
    let find = |text: &str| {
        let names = WORDS.iter().flat_map(|word| word.names.iter().map(move |name| (word, *name)));
        names.into_iter().find(|(_, name)| name.eq_ignore_ascii_case(text))
    };
    // A name with `_` is longer than the word that it begins with.
    let found = find(scanner.peek_name()).or_else(|| find(scanner.peek_word()))?;
    scanner.take_name(found.1.len());
    Some(found)
}

/// Iterates over the words that have such roles.
pub(super) fn names_of(is_wanted: fn(Role) -> bool) -> impl Iterator<Item = &'static str> {
    WORDS.iter().filter(move |word| is_wanted(word.role)).flat_map(|word| word.names.iter().copied())
}

/// Returns the words that may follow a condition.
pub(super) fn operators() -> Vec<&'static str> {
    let joined = names_of(|role| matches!(role, Role::Connective));
    joined.chain(names_of(|role| matches!(role, Role::Sequence(_)))).collect()
}

/// Creates the error that no condition comes next.
pub(super) fn expected_condition(scanner: &mut Scanner<'_>) -> QueryError {
    let words = names_of(|role| !matches!(role, Role::Sequence(_) | Role::Form | Role::Connective));
    scanner.expected_among("a condition", words, |found| {
        message!(
            "condition",
            "expected a condition, such as `player : wiersma` or `wk = 1`, found {found}",
            found = found,
        )
    })
}

/// Creates the error that no word of a number comes next.
pub(super) fn expected_number(scanner: &mut Scanner<'_>) -> QueryError {
    let words = names_of(|role| matches!(role, Role::Number(_) | Role::NumberOrRange(..)));
    let examples = What::Such("a number", &["w", "wk", "moves", "year"]);
    scanner.expected_among("a number", words, |found| examples.message(found))
}

/// Parses the parts of a condition on the next move; without any, every move matches.
fn parse_move(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let next = scanner.peek_word();
    let operators = names_of(|role| matches!(role, Role::Connective | Role::Sequence(_) | Role::Form));
    let is_whole = operators.chain(["within"]).any(|name| name.eq_ignore_ascii_case(next));
    if is_whole || scanner.peek_run().is_empty() {
        return Ok(Query::next_move(MoveCondition::any()));
    }
    Ok(Query::next_move(parse_move_condition(scanner)?))
}

impl WordSection {
    /// All tables.
    pub const ALL: [Self; 5] = [Self::Operators, Self::Forms, Self::Games, Self::Positions, Self::Numbers];

    /// Iterates over the lines of the table.
    pub fn lines(self) -> impl Iterator<Item = &'static WordLine> {
        WORDS.iter().flat_map(|word| word.lines).filter(move |line| line.section == self)
    }
}

impl WordLine {
    /// Iterates over queries that show the words: the examples, with conditions and signs where they need them.
    pub fn queries(&self) -> impl Iterator<Item = String> {
        let condition = |word| match word {
            "A" => "wk = 1",
            "B" => "bk = 1",
            word => word,
        };
        self.examples.iter().map(move |example| match self.section {
            WordSection::Operators => example.split(' ').map(condition).collect::<Vec<_>>().join(" "),
            WordSection::Forms => format!("(wk on 28 = 1) {example}"),
            WordSection::Numbers => format!("{example} >= 2000"),
            WordSection::Games | WordSection::Positions => (*example).to_owned(),
        })
    }
}

#[cfg(test)]
#[path = "../../../../../../tests/support/snapshot.rs"]
mod snapshot;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::query::language::query::Field;

    /// Returns the text of a page of the guide, with the tables of words as they are declared.
    fn with_tables(page: &str) -> String {
        let headers = [
            "| operator | true at a position if |",
            "| word | the query is true where |",
            "| condition | matches |",
            "| condition | true at |",
            "| number | is |",
        ];
        headers.iter().zip(WordSection::ALL).fold(page.to_owned(), |page, (header, section)| {
            let (before, rest) = page.split_once(header).expect("the table");
            let (_, after) = rest.split_once("\n\n").expect("the end of the table");
            let row = |line: &WordLine| format!("| `{}` | {} |", line.examples.join("`, `"), line.meaning);
            let rows: Vec<_> = section.lines().map(row).collect();
            format!("{before}{header}\n|---|---|\n{}\n\n{after}", rows.join("\n"))
        })
    }

    /// Returns the script of the page of the server, with conditions that show the words.
    fn with_conditions(script: &str) -> String {
        let sections = [WordSection::Games, WordSection::Positions, WordSection::Operators];
        let queries = sections.into_iter().flat_map(WordSection::lines).flat_map(WordLine::queries);
        let queries: Vec<_> = queries.map(|query| format!("'{query}'")).collect();
        let (before, rest) = script.split_once("const CONDITIONS = [").expect("the conditions");
        let (_, after) = rest.split_once(']').expect("the end of the conditions");
        format!("{before}const CONDITIONS = [{}]{after}", queries.join(", "))
    }

    #[test]
    fn guide_and_page_list_the_words() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let update = |file: &str, update: fn(&str) -> String| {
            let path = root.join(file);
            let text = std::fs::read_to_string(&path).expect("the page");
            snapshot::compare(&path, &update(&text)).unwrap_or_else(|difference| panic!("{difference}"));
        };
        update("crates/app/src/guide/search.md", with_tables);
        update("tools/explorer/page/search.js", with_conditions);
    }

    #[test]
    fn examples_are_queries() {
        for query in WordSection::ALL.into_iter().flat_map(WordSection::lines).flat_map(WordLine::queries) {
            assert!(Query::parse(&query).is_ok(), "{query}: {:?}", Query::parse(&query));
        }
    }

    #[test]
    fn every_word_is_explained_and_stands_in_the_grammar() {
        let grammar = include_str!("mod.rs");
        let lines: Vec<_> = WordSection::ALL.into_iter().flat_map(WordSection::lines).collect();
        let texts: Vec<_> =
            lines.iter().flat_map(|line| line.examples.iter().chain([&line.meaning])).collect();
        let is_part = |c: char| c.is_ascii_alphabetic() || c == '_';
        for name in names_of(|role| !matches!(role, Role::Sign)).filter(|name| *name != "position") {
            let has = |text: &&str| text.split(|c| !is_part(c)).any(|word| word == name);
            assert!(texts.iter().any(|text| has(text)), "no line explains `{name}`");
        }
        for name in names_of(|role| !matches!(role, Role::Sign | Role::Field)) {
            assert!(grammar.contains(&format!("\"{name}\"")), "the grammar of `Query::parse` lacks `{name}`");
        }
        for field in Field::ALL {
            let mut words = names_of(|role| matches!(role, Role::Field));
            assert!(words.any(|name| name == field.name()), "the words lack `{}`", field.name());
        }
    }

    #[test]
    fn numbers_are_compared_with_numbers_and_with_each_other() {
        for name in names_of(|role| matches!(role, Role::Number(_) | Role::NumberOrRange(..))) {
            let number = match name {
                "rating" | "tempo" => format!("{name} white"),
                "distance" => format!("{name} \"W:WK3:B18\""),
                name => name.to_owned(),
            };
            let other = if name == "p" { "wk" } else { "p" };
            for rest in ["< 2000", ">= 1000", "= 1000..2000", "!= 1000", &format!("+ {number} > 7")] {
                let query = format!("{number} {rest}");
                assert!(Query::parse(&query).is_ok(), "{query}: {:?}", Query::parse(&query));
            }
            let query = format!("-{number} <= {other}");
            let error = Query::parse(&query).err();
            let is_of_game = error.as_ref().is_none_or(|error| error.message().contains("is of the game"));
            assert!(is_of_game, "{query}: {error:?}");
        }
    }
}
