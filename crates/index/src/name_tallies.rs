//! What the games of an index say of each player, event or site.

use super::open::Index;
use super::segment::tallies::columns_of;
use pdn::error::Result;
use pdn::internal::value::Tally;
use pdn::stop::Stop;
use pdn_names::NameKind;

impl Index {
    /// Passes each name of a kind with its tally to `visit`: once for each segment in whose games it is. A game of a player against oneself
    /// counts for both sides; retired games do not count. O(n) in the number of games, or in the number of names where an extract has the
    /// tallies.
    ///
    /// ```
    /// use pdn_index::{ImportOptions, Index, import};
    /// use pdn_names::NameKind;
    /// use pdn::stop::Stop;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = folder.path().join("games.pdn");
    /// std::fs::write(&archive, "[White \"Ames\"]\n[Black \"Berg\"]\n1. 32-28 19-23 2-0\n")?;
    /// # let path = folder.path().join("games.idx");
    /// import([&archive], &path, &ImportOptions::new())?;
    /// let mut won = Vec::new();
    /// Index::open(&path)?.each_name(NameKind::Player, &Stop::new(), |name, tally| {
    ///     won.push((name.to_owned(), tally.score.won));
    /// })?;
    /// assert_eq!(won, [("Ames".to_owned(), 1), ("Berg".to_owned(), 0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a section is damaged, or the work was stopped.
    #[doc(hidden)]
    pub fn each_name<'a>(
        &'a self,
        kind: NameKind,
        stop: &Stop,
        mut visit: impl FnMut(&'a str, Tally),
    ) -> Result<()> {
        let columns = columns_of(kind);
        for (number, segment) in self.segments().iter().enumerate() {
            stop.check()?;
            if columns.iter().all(|&column| segment.lacks(column)) {
                continue;
            }
            let retired = self.retired_games(number).filter(|retired| !retired.is_empty());
            let dictionary = segment.whole_dictionary(columns[0].dictionary())?;
            let extract = if retired.is_none() { self.extract(number)? } else { None };
            let known = extract.map_or(Ok(None), |extract| extract.tallies(kind, dictionary.len()));
            let tallies = match self.or_without_table(known)? {
                Some(tallies) => tallies,
                None => segment.tallies(kind, retired, stop)?,
            };
            for (text, tally) in (0..).zip(tallies).filter(|(_, tally)| tally.score.games > 0) {
                visit(dictionary.get(text).ok_or_else(|| segment.malformed(columns[0].section()))?, tally);
            }
        }
        Ok(())
    }
}
