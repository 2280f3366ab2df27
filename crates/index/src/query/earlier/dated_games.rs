//! The dates of the games of an index, and the keys of their positions.

use std::ops::ControlFlow;

use crate::pack::CorruptMoves;
use crate::query::conditions::date_range::{earliest, latest};
use crate::query::playable_game::PlayableGame;
use crate::{GameKind, GameSet, Index, Section, date_of};
use pdn::error::{ErrorKind, Result};
use pdn::position::{Position, StableKey};
use pdn::value::Date;
use pdn_rules::internal::board::Geometry;
use pdn_rules::internal::position::split_mix;

/// The games whose year is known and that are not retired, and what playing them needs.
#[derive(Debug)]
pub(in crate::query) struct DatedGames {
    /// By segment.
    pub(in crate::query) wanted: Vec<GameSet>,
    /// The number of the first game of each segment.
    first: Vec<u64>,
    /// The key of the start position of each kind of games, and the salt of its variant, by segment.
    starts: Vec<Vec<(StableKey, u64)>>,
    /// The first and the last day of each game, as [`day_number`] counts them.
    days: Vec<[u32; 2]>,
    /// An upper bound of the number of positions.
    pub(in crate::query) positions: u64,
}

impl DatedGames {
    /// Reads the dates of all games.
    ///
    /// # Errors
    /// If a section is damaged, and [`ErrorKind::IndexFull`] for more than 4,294,967,295 games.
    pub(in crate::query) fn new(index: &Index) -> Result<Self> {
        if u32::try_from(index.len()).is_err() {
            return Err(ErrorKind::IndexFull("so many games in order of their dates").into());
        }
        let mut games = Self {
            wanted: Vec::new(),
            first: Vec::new(),
            starts: Vec::new(),
            days: Vec::new(),
            positions: 0,
        };
        for (number, segment) in index.segments().iter().enumerate() {
            let (dates, plies) = (segment.column(Section::Date)?, segment.column(Section::Plies)?);
            games.first.push(games.days.len() as u64);
            let mut dated = GameSet::new();
            for (game, bits) in (0..).zip(dates.values()) {
                let date = date_of(bits).unwrap_or(Date::UNKNOWN);
                if date.year().is_some() {
                    dated.insert(game);
                }
                games.days.push([earliest(date), latest(date)].map(day_number));
            }
            games.wanted.push(&dated & &index.live_games(number));
            games.positions += plies.values().sum::<u64>() + segment.len() as u64;
            let start =
                |kind: &GameKind| (Position::start(kind.game()).key(), split_mix(0, kind.variant as u64));
            games.starts.push(segment.kinds()?.iter().map(start).collect());
        }
        Ok(games)
    }

    /// Returns the number of games of the index.
    pub(in crate::query) fn len(&self) -> usize {
        self.days.len()
    }

    /// Returns the number of a game in the index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn number<G: Geometry>(&self, game: &PlayableGame<'_, G>) -> usize {
        self.first[game.segment] as usize + game.game as usize
    }

    /// Returns the first day of a game, to be compared with last days; `None` if its year is unknown.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn first_day(&self, game: usize) -> Option<u32> {
        let [first, last] = self.days[game];
        // The year of an unknown date is the least as a first day, and the greatest as a last one.
        (last >> 9 < u32::from(u16::MAX)).then_some(first)
    }

    /// Returns the last day of a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn last_day(&self, game: usize) -> u32 {
        self.days[game][1]
    }

    /// Passes the keys of the positions of a game to `visit` until that breaks off. Games of different variants have no key in common.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn keys<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> std::result::Result<(), CorruptMoves> {
        let (key, salt) = self.starts[game.segment][game.kind];
        game.codec.keys((game.start, key), game.is_continuous, game.bytes, |key| visit(key ^ salt))
    }

    /// Replaces `keys` by the keys of all positions of a game.
    ///
    /// # Errors
    /// As [`keys`](Self::keys).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn read_keys<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        keys: &mut Vec<u64>,
    ) -> std::result::Result<(), CorruptMoves> {
        keys.clear();
        self.keys(game, |key| {
            keys.push(key);
            ControlFlow::Continue(())
        })
    }
}

/// Returns a number that orders days.
fn day_number((year, month, day): (u16, u8, u8)) -> u32 {
    u32::from(year) << 9 | u32::from(month) << 5 | u32::from(day)
}
