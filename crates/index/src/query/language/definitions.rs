//! Definitions: names that stand for queries, `@philips`.

use std::sync::OnceLock;

use super::query::{Condition, Query};
use crate::query::conditions::{Area, SumCondition};
use crate::query::error::QueryError;
use pdn::internal::message::Message;
use pdn::span::Span;

/// The greatest number of squares, ranges and names of an area. No board has more squares; areas made of areas could double at each
/// definition.
const MAX_AREA_ITEMS: usize = 144;
/// The greatest size of all own definitions together. Each may be as long as a query may be, however short its text is.
const MAX_TOTAL_SIZE: usize = 100_000;

/// The definitions that come with the library.
const SHIPPED: &str = include_str!("motifs.txt");

/// Names that stand for queries in brackets: `@philips`. Those that come with the library are always known.
///
/// A text has a definition a line, `name = query`. A line that begins with a blank continues the one before, and a
/// line that begins with `#` is a comment. A definition may use those before it, so that none refers to itself.
///
/// `area name = 32,37,38` gives a list of squares a name, which stands for it after `on`. A list may have names of earlier ones.
///
/// ```
/// use pdn_index::internal::query::Definitions;
/// use pdn_index::query::Query;
///
/// let own = Definitions::parse("# mine\nlead = w-b >= 2\nlong-lead = @lead for 10\narea nest = 32,37,38\n")?;
/// let query = Query::parse_with("white : wiersma and @long-lead", &own)?;
/// assert_eq!(query, Query::parse("white : wiersma and w-b >= 2 for 10")?);
/// assert!(Query::parse("@philips or @royal").is_ok());
/// let query = Query::parse_with("w on nest,42 = 4", &own)?;
/// assert_eq!(query, Query::parse("w on 32,37,38,42 = 4")?);
/// # Ok::<_, pdn_index::query::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Definitions {
    own: Vec<Definition>,
    /// The own names of areas, in small letters.
    areas: Vec<(String, Area)>,
    /// The size of the own queries together.
    total_size: usize,
    /// Whether only the own ones are known.
    without_shipped: bool,
}

/// A name and what it stands for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Definition {
    /// The name in small letters.
    name: String,
    pub(super) query: Query,
    /// The number of conditions, operators, and parts of areas.
    pub(super) size: usize,
    /// The number of operators around the innermost condition.
    pub(super) depth: u32,
}

impl Definitions {
    /// Reads definitions.
    ///
    /// # Errors
    /// [`QueryError`] at the first line that is no definition, at a name that is defined twice, at the first part of a query that
    /// cannot be read, and at a name that makes all of them together longer than 100,000 conditions.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        Self::default().with(text)
    }

    /// Returns the definitions with those of a text after them.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn with(mut self, text: &str) -> Result<Self, QueryError> {
        let mut lines = lines(text).peekable();
        while let Some((start, line)) = lines.next() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let mut end = start + line.len();
            while let Some((next, line)) = lines.next_if(|(_, line)| line.starts_with([' ', '\t'])) {
                end = next + line.len();
            }
            self.add(&text[start..end]).map_err(|error| error.shifted(start))?;
        }
        Ok(self)
    }

    /// Adds a definition.
    fn add(&mut self, text: &str) -> Result<(), QueryError> {
        let after_word = text.strip_prefix("area").filter(|rest| rest.starts_with([' ', '\t']));
        if let Some(rest) = after_word.map(str::trim_start)
            && rest.starts_with(|c: char| c.is_ascii_alphanumeric())
        {
            return self.add_area(rest).map_err(|error| error.shifted(text.len() - rest.len()));
        }
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let len = text.find(|c| !is_letter(c)).unwrap_or(text.len());
        let whole =
            |message: Message| QueryError::new(Span::new(0, text.len() as u32), message).widened(text);
        let Some(query) = text[len..].trim_start().strip_prefix('=').filter(|_| len > 0) else {
            return Err(whole(message!(
                "definition",
                "expected a name of letters, digits and `-`, then `=` and a query"
            )));
        };
        let name = text[..len].to_ascii_lowercase();
        if self.own.iter().any(|other| other.name == name) {
            return Err(QueryError::new(Span::new(0, len as u32), defined_already(&name)));
        }
        let query =
            Query::parse_with(query, self).map_err(|error| error.shifted(text.len() - query.len()))?;
        let (size, depth) = size_and_depth(&query);
        self.total_size = self.total_size.saturating_add(size);
        if self.total_size > MAX_TOTAL_SIZE {
            let message = message!(
                "too_many_conditions",
                "expected definitions of at most {most} conditions in all, and `{name}` makes them longer",
                most = MAX_TOTAL_SIZE as u64,
            );
            return Err(QueryError::new(Span::new(0, len as u32), message));
        }
        self.own.push(Definition { name, query, size, depth });
        Ok(())
    }

    /// Adds the definition of an area, without the word before it.
    fn add_area(&mut self, text: &str) -> Result<(), QueryError> {
        let len = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let name = text[..len].to_ascii_lowercase();
        let at_name = |message: Message| QueryError::new(Span::new(0, len as u32), message);
        let Some(list) = text[len..].trim_start().strip_prefix('=').map(str::trim_start) else {
            return Err(at_name(message!(
                "area_definition",
                "expected a name of letters and digits, then `=` and squares, such as `32,37,38`"
            )));
        };
        if Area::is_reserved(&name) || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(at_name(message!(
                "area_taken",
                "{name} means an area everywhere, and cannot have another meaning",
                name = name
            )));
        }
        if self.areas.iter().any(|(other, _)| *other == name) {
            return Err(at_name(defined_already(&name)));
        }
        let area = Area::parse_with(list.trim_end(), &self.areas)
            .map_err(|error| error.shifted(text.len() - list.len()))?;
        if area.items.len() > MAX_AREA_ITEMS {
            return Err(at_name(message!(
                "long_area",
                "expected an area of at most {most} parts",
                most = MAX_AREA_ITEMS as u64
            )));
        }
        self.areas.push((name, area));
        Ok(())
    }

    /// Returns the own names of areas with what they stand for.
    pub(super) fn areas(&self) -> &[(String, Area)] {
        &self.areas
    }

    /// Returns the names that come with the library.
    pub fn shipped_names() -> Vec<String> {
        shipped().own.iter().map(|definition| definition.name.clone()).collect()
    }

    /// Returns the text of the definitions that come with the library.
    pub fn shipped_text() -> &'static str {
        SHIPPED
    }

    /// Returns the definition of a name, an own one before one that comes with the library.
    pub(super) fn find(&self, name: &str) -> Option<Definition> {
        let is_named = |definition: &&Definition| definition.name.eq_ignore_ascii_case(name);
        if let Some(own) = self.own.iter().rfind(is_named) {
            return Some(own.clone());
        }
        if self.without_shipped { None } else { shipped().find(name) }
    }

    /// Returns all names, own ones first.
    pub(super) fn names(&self) -> Vec<String> {
        let own = self.own.iter().map(|definition| definition.name.clone());
        own.chain(if self.without_shipped { Vec::new() } else { Self::shipped_names() }).collect()
    }
}

/// Returns the message that a name is defined twice.
fn defined_already(name: &str) -> Message {
    message!("defined_already", "{name} is defined already", name = name)
}

/// Reads the definitions that come with the library; those that cannot be read would be left out, and a test reads all.
fn shipped() -> &'static Definitions {
    static DEFINITIONS: OnceLock<Definitions> = OnceLock::new();
    DEFINITIONS.get_or_init(|| {
        let none = Definitions { without_shipped: true, ..Definitions::default() };
        none.clone().with(SHIPPED).unwrap_or(none)
    })
}

/// Iterates over the lines of a text with their offsets, without line ends.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').map(|line| {
        let offset = line.as_ptr() as usize - text.as_ptr() as usize;
        (offset, line.trim_end_matches(['\n', '\r']))
    })
}

/// Returns the number of conditions, operators and parts of areas of a query, and that of operators around its innermost condition.
/// The recursion is as deep as the brackets of a text, which are limited.
fn size_and_depth(query: &Query) -> (usize, u32) {
    // A short text may name an area of many parts several times.
    let items = |sum: &SumCondition| sum.areas().map(|area| area.items.len()).sum::<usize>();
    match query {
        Query::Is(Condition::Sum(sum)) => (1 + items(sum), 0),
        Query::Is(_) => (1, 0),
        operator => {
            let operands = operator.operands().into_iter().map(size_and_depth);
            operands.fold((1, 1), |(size, depth), (part, inner)| (size + part, depth.max(inner + 1)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_that_come_with_the_library_can_be_read() {
        let none = Definitions { without_shipped: true, ..Definitions::default() };
        let all = none
            .with(SHIPPED)
            .unwrap_or_else(|error| panic!("{error}: {:?}", error.span().of(SHIPPED.as_bytes())));
        assert_eq!(all.own.len(), Definitions::shipped_names().len());
        assert!(all.own.len() >= 20, "{}", all.own.len());
        for definition in &all.own {
            let text = definition.query.to_string();
            assert_eq!(Query::parse(&text).as_ref(), Ok(&definition.query), "{}", definition.name);
            assert_eq!(Query::parse(&format!("@{}", definition.name)).as_ref(), Ok(&definition.query));
        }
    }

    #[test]
    fn definitions_use_earlier_ones_and_continue_on_indented_lines() {
        let own = Definitions::parse(
            "lead = w-b >= 1\n# a comment\n\nboth = @LEAD\n  and wk = 1\r\nphilips = nothing\n",
        );
        let own = own.expect("definitions");
        let text = |query| Query::parse_with(query, &own).expect("a query").to_string();
        assert_eq!(text("@both or @lead for 2"), "w-b>=1 and wk=1 or w-b>=1 for 2");
        assert_eq!(text("not @both"), "not (w-b>=1 and wk=1)");
        assert_eq!(text("@philips"), "nothing", "an own definition comes first");
    }

    #[test]
    fn area_with_a_name_stands_for_its_squares() {
        let own = Definitions::parse(
            "area nest = 32,37,38\narea Wing = nest,left , 46-48\n# mine\nheld = w on nest = 3\narea = wk = 1\n",
        );
        let error = own.expect_err("a blank in a list");
        assert!(
            error.message().starts_with("expected squares, such as `1-5,c3`, or one of centre"),
            "{error}"
        );
        let own = Definitions::parse(
            "area nest = 32,37,38\narea Wing = nest,left,46-48\nheld = w on nest = 3\narea = wk = 1\nnest = bk = 1\n",
        );
        let own = own.expect("definitions");
        let text = |query| Query::parse_with(query, &own).map(|query| query.to_string());
        assert_eq!(text("@held"), Ok("w on 32,37,38 = 3".to_owned()));
        assert_eq!(
            text("w on NEST,42 - b on wing >= 2"),
            Ok("w on 32,37,38,42 - b on 32,37,38,left,46-48 >= 2".to_owned())
        );
        assert_eq!(text("@area or @nest"), Ok("wk=1 or bk=1".to_owned()), "queries have names of their own");
        let error = text("w on nets = 3").expect_err("misspelt");
        assert!(error.message().ends_with("is `nest` meant?"), "{error}");
        let error = text("w on here = 3").expect_err("unknown");
        assert!(error.message().ends_with("left, right, edge, back, long, nest, wing"), "{error}");
        assert!(Query::parse("w on nest = 3").is_err(), "names are known where they are defined");
        for (text, at, message) in [
            ("area left = 32", "left", "`left` means an area everywhere"),
            ("area c3 = 32", "c3", "`c3` means an area everywhere"),
            ("area nest 32", "nest", "expected a name of letters and digits, then `=`"),
            ("area nest = 32\narea Nest = 33", "Nest", "`nest` is defined already"),
            ("area nest = 32,99", "99", "expected squares"),
            ("area nest = 5-1", "5-1", "expected the smaller number first"),
        ] {
            let error = Definitions::parse(text).expect_err(text);
            assert_eq!(text.get(error.span().range()), Some(at), "{text}: {error}");
            assert!(error.message().starts_with(message), "{text}: {error}");
        }
        // Each area is twice as long as the one before.
        let mut text = "area a = 32,33\n".to_owned();
        for number in 0..20 {
            let before = if number == 0 { "a".to_owned() } else { format!("aa{}", number - 1) };
            text += &format!("area aa{number} = {before},{before}\n");
        }
        let error = Definitions::parse(&text).expect_err("too long");
        assert!(error.message().starts_with("expected an area of at most 144 parts"), "{error}");
    }

    #[test]
    fn unreadable_definition_is_named() {
        for (text, at, message) in [
            ("lead w-b >= 1", "lead w-b >= 1", "expected a name"),
            ("  lead = w-b >= 1", "  lead = w-b >= 1", "expected a name"),
            ("one = wk=1\nlead = w-b", "", "expected `=`"),
            ("a = wk=1\nA = bk=1", "A", "`a` is defined already"),
            ("a = @a", "@a", "no definition has the name `a`"),
            ("a = @b\nb = wk=1", "@b", "no definition has the name `b`"),
        ] {
            let error = Definitions::parse(text).expect_err(text);
            assert_eq!(text.get(error.span().range()), Some(at), "{text}: {error}");
            assert!(error.message().starts_with(message), "{text}: {error}");
        }
        // Each definition is twice as long as the one before.
        let mut text = "a0 = wk=1 or bk=1\n".to_owned();
        for number in 1..40 {
            text += &format!("a{number} = @a{} or @a{}\n", number - 1, number - 1);
        }
        let error = Definitions::parse(&text).expect_err("too long");
        assert!(error.message().starts_with("expected a query of at most"), "{error}");
        // Each of them is as long as it may be, and has a short text.
        text.truncate(text.find("a12 =").expect("a definition"));
        for number in 0..20 {
            text += &format!("b{number} = @a11\n");
        }
        let error = Definitions::parse(&text).expect_err("too long in all");
        assert!(error.message().starts_with("expected definitions of at most 100,000"), "{error}");
        assert!(text[error.span().range()].starts_with('b'), "{error}");
        // A condition is as long as the areas that it names.
        let mut text = "area half = 1".to_owned();
        (2..=50).for_each(|square| text += &format!(",{square}"));
        text +=
            "\narea all = half,half\nheld = w on all + wm on all + wk on all + m on all >= 3\nlong = last";
        (0..30).for_each(|_| text += " or @held");
        let error = Definitions::parse(&text).expect_err("too long");
        assert!(error.message().starts_with("expected a query of at most"), "{error}");
        let mut text = "a0 = wk=1\n".to_owned();
        for number in 1..200 {
            text += &format!("a{number} = not (@a{} or last)\n", number - 1);
        }
        let error = Definitions::parse(&text).expect_err("too deep");
        assert!(error.message().starts_with("expected at most 100 levels"), "{error}");
    }
}
