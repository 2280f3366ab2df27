//! The text of `pdn help query`.

use std::fmt::Write;

use pdn_index::internal::query::{WordLine, WordSection};

const BEGINNING: &str = "\
Conditions of `pdn find` and `pdn tree`

NAMES (--white, --black, --player, --event, --site)

  wiersma                 a name with this word; case, accents and punctuation
                          do not count
  'harm wiersma'          a name with these words, in any order
  is:'harm wiersma'       exactly this name; short '=harm wiersma'
  begins:wier             a name that begins so; short 'wier*'
  like:wirsma             a name with a word that resembles this one; short
                          '~wirsma'

PATTERNS (--pattern)

  'w32,28 W5 bB19 .23 !x14'
                          contents of squares: `w` and `b` men, `W` and `B`
                          kings, `o` any white and `x` any black piece, `m` any
                          man, `k` any king, `p` any piece, `.` no piece,
                          `!` the opposite
  'w:c3,d4 b:e5'          with letters of squares
  'bbbb/bbbb/bbbb/..../..../wwww/wwww/wwww'
                          a board diagram, row by row from Black's side, with
                          `/` or a line end between rows; `?` matches anything
  @FILE                   a pattern or a board diagram in a file

QUERIES (--query)

Conditions are joined by `and`, `or`, `not` and parentheses. Write a query in
single quotes, so that the shell leaves it alone.
";

/// The tables of words, and what stands above them.
const SECTIONS: [(WordSection, &str); 5] = [
    (WordSection::Games, "Conditions on the game:"),
    (
        WordSection::Positions,
        "Conditions on a position; those that are joined by `and` hold in the same one:",
    ),
    (WordSection::Numbers, "Numbers, which = != < <= > >= compare with sums of others:"),
    (WordSection::Operators, "Operators, those first that bind closest; A and B are conditions:"),
    (WordSection::Forms, "Words after a condition or after parentheses; the query is true where"),
];

const END: &str = "\
NAMED QUERIES (--define)

`@name` stands for a query in brackets. A file given with `--define` has a line
`name = query` for each; a line `area nest = 32,37,38` gives squares a name for
`w on nest >= 2`. These come with pdn: the shots @bomb, @bonnard,
@half-turkish, @king-given, @marne, @mazette, @napoleon, @philips, @raphael,
@ricochet, @rosary, @royal, @turkish and @weiss; @blocked, @breakthrough,
@double-two, @exchange, @locked, @only-move and @two-for-two; the endgames
@main-road, @petrov, @petrov-triangle and @three-against-one; of English
draughts @bridge, @dog-hole, @double-corner and @paynes-draw; and @thrown, a
win or a draw that the tables of endings of --tables show to be thrown away.

EXAMPLES

  pdn find games.idx --player like:wiersma --date 1980..
  pdn find games.idx -q 'wk = 1 and bk = 0 and last' --count
  pdn find games.idx -q 'move promotes then w-b >= 3 within 10'
  pdn find games.idx -q '(white : wiersma and w-b >= 1 for 6) flipped'
  pdn tree games.idx --player like:wiersma -q 'ever w-b >= 2'
";

/// Returns the language of names, patterns and queries, in lines of at most 80 characters.
pub(crate) fn query_topic() -> String {
    let mut topic = BEGINNING.to_owned();
    for (section, heading) in SECTIONS {
        let _ = writeln!(topic, "\n{heading}");
        section.lines().for_each(|line| write_line(line, &mut topic));
    }
    topic + "\n" + END
}

/// Writes examples in a first column of 24 characters, or in lines of their own, and what they mean in a second one.
fn write_line(line: &WordLine, topic: &mut String) {
    const INDENT: usize = 26;
    let examples = line.examples.join(", ");
    let meaning = line.meaning.split_once("; ").map_or(line.meaning, |(beginning, _)| beginning);
    let mut text = format!("  {examples:<width$}", width = INDENT - 3);
    if text.len() >= INDENT {
        let _ = writeln!(topic, "{text}");
        text = " ".repeat(INDENT - 1);
    }
    for word in without_links(meaning).split(' ') {
        if text.chars().count() + 1 + word.chars().count() > 80 {
            let _ = writeln!(topic, "{text}");
            text = " ".repeat(INDENT - 1);
        }
        let _ = write!(text, " {word}");
    }
    let _ = writeln!(topic, "{text}");
}

/// Returns a text of Markdown with the texts of its links alone.
fn without_links(text: &str) -> String {
    let mut parts = text.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("](").unwrap_or((part, ""));
        plain += name;
        plain += rest.split_once(')').map_or(rest, |(_, after)| after);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_topic_lists_the_definitions_and_fits_a_narrow_terminal() {
        for name in pdn_index::internal::query::Definitions::shipped_names() {
            assert!(END.contains(&format!("@{name}")), "{name}");
        }
        for line in query_topic().lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
