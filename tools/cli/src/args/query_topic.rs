//! The text of `pdn help query`.

/// The language of names, patterns and queries, in lines of at most 80 characters.
pub(crate) const QUERY_TOPIC: &str = "\
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

Conditions on the game:
  white : wiersma         words of the name; `= whole name`, `= begin*` and
                          `~ misspelt`; also black, player, winner, loser,
                          event, site, round, result and annotator
  tag ECO : b2            any tag, read from the text of the game; with the name
                          alone, as in `tag ECO`: it has a value
  opening_played : alma   the opening that the moves show; `opening` is the tag
  file \"1982/wk.pdn\"      the file of the game, or the end of its path
  date 1999..2001.06      also date 1999, date 1999.., date ..1950, date > 1990
  rating >= 2000          of both players; also rating white, black, either
  round 3, plies < 40     numbers: = < <= > >= and ranges such as 40..80
  result 2-0              also draw, unknown, and win or loss of the side that
                          moves first
  rating white - rating black >= 200
                          sums of ratings, year and plies
  winner white            white, black, nobody, or a name: winner : wiersma
  status legal            legal, illegal, ambiguous, damaged, empty, problem,
                          unsupported
  variant russian

Conditions on a position; those that are joined by `and` hold in the same one:
  fen \"W:WK3:B18,24\"      exactly this position
  pattern \"w28 b19\"       contents of squares; `flipped` and `mirrored` after it
                          also match the other side and the mirror image
  line \"1. 32-28 19-23\"   the position after these moves
  w-b >= 2, w > b         sums of pieces: w b pieces, wm bm men, wk bk kings of
                          one side; m k p men, kings and pieces of both
  w on 1-5,c3 >= 3        pieces on an area: squares, centre, left, right, edge,
                          back (the first row of their side), long (diagonal)
  moves <= 2, jumps = 1, best >= 3
                          legal moves, legal captures, pieces that the largest
                          capture takes; also takes (of the next move), ply
  tempo white - tempo black >= 4
                          rows that the men have advanced
  distance \"W:WK3:B18\" <= 4
                          squares that differ from this position
  fen of 123 at 40        the position of game 123 of the index after 40 plies
  meets 123 from 20       a position of game 123 after 20 plies or more
  white to move, ply 10..20, last
                          side to move, plies played before, last position
  repeats >= 3            this position for the third time or more
  first earlier = 0       first position that no game of an earlier date has:
                          earlier is the number of such games

Conditions on the next move:
  move 32-28              also move from 5, to 41, takes >= 3, over 19, by king,
                          promotes, retakes (the piece that just moved)

Conditions on the course of the game:
  played \"27-22 18x27 .. 38,40x16\"
                          these moves from here on; `..` any moves, `.` one
  @philips                a definition: see NAMED QUERIES
  A then B within 10      A, and B at most 10 plies later; `within 3..5`: 3 to 5
  A after B within 10     A, and B at most 10 plies earlier
  A for 4                 A now and after each of the next 4 plies
  ever A, never A         A in at least one position, or in no position
  A times >= 3            A in 3 positions of the game or more
  first A                 the first position of the game with A
  sacrifice 2 within 8    2 pieces sacrificed; `regained` or `lost` after it:
                          won back within 8 plies, or not

Conditions on variations and on what is written about moves:
  aside A                 a variation begins in which A is true somewhere
  comment                 a comment after the last move; with words in it:
                          `comment : shot`, `comment = \"whole comment\"`
  nag 1                   this NAG after the next move
  mark \"!\"                this strength after the next move

Words after a condition or after parentheses:
  (A) flipped             A, or A with White and Black exchanged everywhere
  pattern \"w28 b23\" mirrored
                          also its mirror image, where all cells are played on
  pattern \"w28 b23\" shifted
                          also with all its squares moved by as many steps
  (A) passed              A if the other side were to move

NAMED QUERIES (--define)

`@name` stands for a query in brackets. A file given with `--define` has a line
`name = query` for each; a line `area nest = 32,37,38` gives squares a name for
`w on nest >= 2`. These come with pdn: the shots @bomb, @bonnard,
@half-turkish, @king-given, @marne, @mazette, @napoleon, @philips, @raphael,
@ricochet, @rosary, @royal, @turkish and @weiss; @blocked, @breakthrough,
@double-two, @exchange, @locked, @only-move and @two-for-two; the endgames
@main-road, @petrov, @petrov-triangle and @three-against-one; and of English
draughts @bridge, @dog-hole, @double-corner and @paynes-draw.

EXAMPLES

  pdn find games.idx --player like:wiersma --date 1980..
  pdn find games.idx -q 'wk = 1 and bk = 0 and last' --count
  pdn find games.idx -q 'move promotes then w-b >= 3 within 10'
  pdn find games.idx -q '(white : wiersma and w-b >= 1 for 6) flipped'
  pdn tree games.idx --player like:wiersma -q 'ever w-b >= 2'
";

#[cfg(test)]
mod tests {
    use super::*;
    use pdn_index::query::Query;

    #[test]
    fn every_condition_of_the_help_topic_can_be_parsed() {
        // In the sections about queries, the first column of a line has examples, separated by commas.
        let (_, topic) = QUERY_TOPIC.split_once("Conditions on the game:").expect("the section");
        let (topic, named) = topic.split_once("NAMED QUERIES").expect("the section");
        for name in pdn_index::internal::query::Definitions::shipped_names() {
            assert!(named.contains(&format!("@{name}")), "{name}");
        }
        let mut examples = 0;
        for line in
            topic.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '))
        {
            let column = line.split("  ").next().unwrap_or_default();
            let is_list = !column.contains('"') && !column.contains("w32,") && !column.contains(" on ");
            let parts = if is_list { column.split(", ").collect() } else { vec![column] };
            for part in parts {
                let text = part.replace(" B ", " b = 1 ").replace('A', "w = 1");
                assert!(Query::parse(&text).is_ok(), "{text}: {:?}", Query::parse(&text));
                examples += 1;
            }
        }
        assert!(examples >= 20, "{examples}");
        for more in [
            "date 1999",
            "date 1999..",
            "date ..1950",
            "rating white 2000",
            "rating either > 2000",
            "result win",
            "result loss",
            "result draw",
            "result unknown",
            "winner : wiersma",
            "winner nobody",
            "pattern \"w28\" flipped mirrored",
            "w-b >= 2",
            "wm = 1",
            "bk = 1",
            "p <= 6",
            "move from 5 to 41 takes >= 3 over 19 by king",
            "move from 5 promotes",
            "tag ECO",
            "file = wk*",
            "date > 1990",
            "status problem",
            "sacrifice 2 within 8 regained",
            "sacrifice 2 within 8 lost",
            "wk = 1 and bk = 0 and last",
            "move promotes then w-b >= 3 within 10",
            "ever w-b >= 2",
            "player ~ misspelt",
            "loser = \"whole name\"",
            "event = begin*",
            "plies 40..80",
            "move retakes",
            "(white : wiersma and w-b >= 1 for 6) flipped",
            "w = 1 then b = 1 within 3..5",
            "aside move x28",
            "comment : shot",
            "comment = \"whole comment\"",
            "nag 10..20",
            "mark !?",
        ] {
            assert!(Query::parse(more).is_ok(), "{more}: {:?}", Query::parse(more));
        }
    }
}
