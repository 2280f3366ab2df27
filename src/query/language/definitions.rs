//! Definitions: names that stand for queries, `@philips`.

use super::query::Query;
use crate::query::error::QueryError;
use crate::span::Span;

/// The definitions that come with the library.
const SHIPPED: &str = include_str!("motifs.txt");

/// Names that stand for queries in brackets: `@philips`. Those that come with the library are always known.
///
/// A text has a definition a line, `name = query`. A line that begins with a blank continues the one before, and a
/// line that begins with `#` is a comment. A definition may use those before it, so that none refers to itself.
///
/// ```
/// use pdn::query::{Definitions, Query};
///
/// let own = Definitions::parse("# mine\nlead = w-b >= 2\nlong-lead = @lead for 10\n")?;
/// let query = Query::parse_with("white : wiersma and @long-lead", &own)?;
/// assert_eq!(query, Query::parse("white : wiersma and w-b >= 2 for 10")?);
/// assert!(Query::parse("@philips or @royal").is_ok());
/// # Ok::<_, pdn::query::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Definitions {
    own: Vec<Definition>,
    /// Whether only the own ones are known.
    without_shipped: bool,
}

/// A name and what it stands for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Definition {
    /// The name in small letters.
    name: String,
    pub(super) query: Query,
    /// The number of conditions and operators.
    pub(super) size: usize,
    /// The number of operators around the innermost condition.
    pub(super) depth: u32,
}

impl Definitions {
    /// Reads definitions.
    ///
    /// # Errors
    /// [`QueryError`] at the first line that is no definition, at a name that is defined twice, and at the first part of a query that
    /// cannot be read.
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
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let len = text.find(|c| !is_letter(c)).unwrap_or(text.len());
        let whole = |message: String| QueryError::new(Span::new(0, text.len() as u32), message).widened(text);
        let Some(query) = text[len..].trim_start().strip_prefix('=').filter(|_| len > 0) else {
            return Err(whole("expected a name of letters, digits and `-`, then `=` and a query".to_owned()));
        };
        let name = text[..len].to_ascii_lowercase();
        if self.own.iter().any(|other| other.name == name) {
            return Err(QueryError::new(Span::new(0, len as u32), format!("`{name}` is defined already")));
        }
        let query =
            Query::parse_with(query, self).map_err(|error| error.shifted(text.len() - query.len()))?;
        let (size, depth) = size_and_depth(&query);
        self.own.push(Definition { name, query, size, depth });
        Ok(())
    }

    /// Returns the names that come with the library.
    pub fn shipped_names() -> Vec<String> {
        shipped().own.into_iter().map(|definition| definition.name).collect()
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

/// Reads the definitions that come with the library; those that cannot be read would be left out, and a test reads all.
fn shipped() -> Definitions {
    let none = Definitions { own: Vec::new(), without_shipped: true };
    none.clone().with(SHIPPED).unwrap_or(none)
}

/// Iterates over the lines of a text with their offsets, without line ends.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').map(|line| {
        let offset = line.as_ptr() as usize - text.as_ptr() as usize;
        (offset, line.trim_end_matches(['\n', '\r']))
    })
}

/// Returns the number of conditions and operators of a query, and that of operators around its innermost condition.
/// The recursion is as deep as the brackets of a text, which are limited.
fn size_and_depth(query: &Query) -> (usize, u32) {
    match query {
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
        let none = Definitions { own: Vec::new(), without_shipped: true };
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
        let mut text = "a0 = wk=1\n".to_owned();
        for number in 1..200 {
            text += &format!("a{number} = not (@a{} or last)\n", number - 1);
        }
        let error = Definitions::parse(&text).expect_err("too deep");
        assert!(error.message().starts_with("expected at most 100 levels"), "{error}");
    }
}
