//! Lines and columns of the parts of records.

use super::batch::Batch;
use super::game::GameRef;
use crate::error::Result;
use crate::source::{Encoding, LineCounter};
use crate::span::LineColumn;

/// Finds the lines and columns of parts of records. It is given every record of an archive, in order.
///
/// ```
/// # fn main() -> pdn::Result<()> {
/// use pdn::archive::{Archive, InputLines};
/// use pdn::check::{CheckOptions, Checker};
/// use pdn::source::OpenOptions;
///
/// let text = &b"[White \"a\"]\n1. 32-28 *\n\n[Date \"soon\"]\n1. 33-29 *\n"[..];
/// let archive = Archive::from_reader(text, "games.pdn", &OpenOptions::new())?;
/// let (mut checker, mut lines) = (Checker::new(&CheckOptions::new()), InputLines::new());
/// let mut found = Vec::new();
/// for game in archive {
///     let game = game?;
///     let mut lines = lines.pass(&game);
///     for diagnostic in checker.check(&game).diagnostics {
///         let at = lines.at(diagnostic.span.start);
///         found.push(format!("{}:{}:{}: {}", game.name().display(), at.line, at.column, diagnostic.code));
///     }
/// }
/// assert_eq!(found, ["games.pdn:4:8: T002"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct InputLines {
    /// The counter at the start of the next record.
    next: LineCounter,
}

impl InputLines {
    /// Creates it for the first record of an archive.
    pub fn new() -> Self {
        Self::default()
    }

    /// Passes the next record and returns its lines. A record that begins an input, such as an entry of a zip, begins at line 1.
    /// O(bytes of the record).
    pub fn pass<'b>(&mut self, game: impl Into<GameRef<'b>>) -> RecordLines<'b> {
        let game = game.into();
        let start = if game.begins_input() { LineCounter::new() } else { self.next };
        self.next = start;
        self.next.pass_record(game.raw(), || game.encoding().encoding);
        RecordLines { game, encoding: None, start, passed: 0, counter: start }
    }
}

impl Batch {
    /// Returns the lines of the records of the batch, to be given each of them in order. Counts the lines of this batch, and those of the
    /// batches before it that were not asked.
    ///
    /// ```
    /// use pdn::archive::Archive;
    /// use pdn::check::{CheckOptions, Checker};
    /// use pdn::source::OpenOptions;
    ///
    /// // Batches may be checked on several threads, in any order.
    /// let text = &b"[White \"a\"]\n1. 32-28 *\n\n[Date \"soon\"]\n1. 33-29 *\n"[..];
    /// let mut found = Vec::new();
    /// for batch in Archive::from_reader(text, "games.pdn", &OpenOptions::new())?.batches() {
    ///     let (batch, mut checker) = (batch?, Checker::new(&CheckOptions::new()));
    ///     let mut lines = batch.lines()?;
    ///     for game in batch.games() {
    ///         let mut lines = lines.pass(game);
    ///         for diagnostic in checker.check(game).diagnostics {
    ///             found.push(diagnostic.display(lines.at(diagnostic.span.start)).to_string());
    ///         }
    ///     }
    /// }
    /// assert_eq!(found, ["4:8: warning[T002]: a date that cannot be read"]);
    /// # Ok::<(), pdn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::SkippedBatch`](crate::error::ErrorKind::SkippedBatch) if a batch of the same input before it was dropped and
    /// never asked: its lines are not known.
    pub fn lines(&self) -> Result<InputLines> {
        Ok(InputLines { next: self.line_counter()? })
    }
}

/// The lines of one record; see [`InputLines::pass`].
///
/// [`InputLines`] has an example.
#[derive(Clone, Debug)]
pub struct RecordLines<'b> {
    game: GameRef<'b>,
    /// Guessed when it is first needed.
    encoding: Option<Encoding>,
    /// The counter at the start of the record.
    start: LineCounter,
    /// The number of bytes that `counter` has passed.
    passed: usize,
    counter: LineCounter,
}

impl RecordLines<'_> {
    /// Returns the line and column, both from 1, of the byte at `offset` in the record; of its end, if it is shorter.
    ///
    /// Offsets in ascending order, as those of diagnostics, cost one pass over the record. A smaller offset than before costs another.
    pub fn at(&mut self, offset: u32) -> LineColumn {
        let (game, bytes) = (self.game, self.game.raw());
        let offset = (offset as usize).min(bytes.len());
        let encoding = *self.encoding.get_or_insert_with(|| game.encoding().encoding);
        if offset < self.passed {
            (self.passed, self.counter) = (0, self.start);
        }
        self.counter.pass(&bytes[self.passed..offset], encoding);
        self.passed = offset;
        self.counter.position()
    }
}

#[cfg(test)]
mod tests {
    use crate::archive::{Archive, InputLines};
    use crate::source::{Encoding, LineCounter, OpenOptions};

    #[test]
    fn lines_of_games_equal_those_of_the_whole_text() {
        let text = "\n[White \"É\"]\r\n1. 32-28 { é\r\né } *\r[White \"b\"]\n1. 33-29 *\n\n\n1. 34-30 {é} *";
        let archive = Archive::from_reader(
            text.as_bytes(),
            "text",
            &OpenOptions::new().encoding(Some(Encoding::UTF_8)),
        )
        .unwrap();
        let (mut lines, mut whole) = (InputLines::new(), Vec::new());
        for game in archive {
            let game = game.unwrap();
            let mut lines = lines.pass(&game);
            for offset in 0..game.raw().len() as u32 {
                whole.push(lines.at(offset));
                assert_eq!((lines.at(0), lines.at(offset)), (lines.clone().at(0), *whole.last().unwrap()));
            }
            assert_eq!(lines.at(u32::MAX), lines.at(game.raw().len() as u32));
        }
        let expected: Vec<_> = (0..text.len())
            .map(|end| LineCounter::new().position_after(&text.as_bytes()[..end], Encoding::UTF_8))
            .collect();
        assert_eq!(whole, expected);
    }
}
