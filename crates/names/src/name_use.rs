//! How an archive uses a name: in how many games, when, and together with whom.

/// What a name names.
///
/// A [`NameMap`](super::NameMap) keeps the names of each kind apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum NameKind {
    /// A player: the tags White and Black.
    Player,
    /// An event.
    Event,
    /// A site.
    Site,
}

impl NameKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Player, Self::Event, Self::Site];

    /// Returns `player`, `event` or `site`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Event => "event",
            Self::Site => "site",
        }
    }

    /// Returns the kind with this [name](Self::name).
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A spelling, and how an archive uses it. [`NameCensus`](super::NameCensus) collects them.
///
/// Events, companions and meetings are numbers of any kind, such as hashes: equal numbers mean the same. Each list is
/// sorted and has no duplicates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NameUse {
    /// The spelling.
    pub name: String,
    /// The number that stands for this name in the lists of others; spellings with the same words may share it.
    pub id: u64,
    /// The number of games, from 1.
    pub games: u64,
    /// The first and the last year; `None` if no game has a year.
    pub years: Option<(i16, i16)>,
    /// The events, one for each year. Of an event: its sites.
    pub events: Vec<u64>,
    /// Of a player, the opponents; of an event, its players.
    pub companions: Vec<u64>,
    /// The games by what identifies them.
    pub meetings: Vec<Meeting>,
}

/// A game of a name, by what identifies it. Of a player: the event with the round or the date, and the opponent. Of an event:
/// the round or the date, and both players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Meeting {
    /// A number for the round of an event in a year, or for the date. Of a player, rounds are odd and dates even: nobody has two
    /// opponents in one round.
    pub occasion: u64,
    /// The opponent, or the pair of players.
    pub companion: u64,
}

impl NameUse {
    /// Creates the use of a spelling in this many games, of which nothing else is known.
    pub fn new(name: impl Into<String>, games: u64) -> Self {
        Self { name: name.into(), games, ..Self::default() }
    }

    /// Sets the first and the last year.
    #[must_use]
    pub fn years(mut self, first: i16, last: i16) -> Self {
        self.years = Some((first, last));
        self
    }

    /// Sets the number that stands for this name in the lists of others.
    #[must_use]
    pub fn id(mut self, id: u64) -> Self {
        self.id = id;
        self
    }

    /// Sets the events.
    #[must_use]
    pub fn events(mut self, events: impl IntoIterator<Item = u64>) -> Self {
        self.events = sorted(events);
        self
    }

    /// Sets the companions.
    #[must_use]
    pub fn companions(mut self, companions: impl IntoIterator<Item = u64>) -> Self {
        self.companions = sorted(companions);
        self
    }

    /// Sets the games by what identifies them.
    #[must_use]
    pub fn meetings(mut self, meetings: impl IntoIterator<Item = Meeting>) -> Self {
        self.meetings = sorted(meetings);
        self
    }

    /// Adds the games of another spelling of the same name. The lists are in order after [`settle`](Self::settle).
    pub(super) fn absorb(&mut self, other: &Self) {
        self.games += other.games;
        self.years = match (self.years, other.years) {
            (Some(own), Some(others)) => Some((own.0.min(others.0), own.1.max(others.1))),
            (own, others) => own.or(others),
        };
        self.events.extend_from_slice(&other.events);
        self.companions.extend_from_slice(&other.companions);
        self.meetings.extend_from_slice(&other.meetings);
    }

    /// Brings the lists in order: after all spellings, because a name may have very many.
    pub(super) fn settle(&mut self) {
        self.events = sorted(std::mem::take(&mut self.events));
        self.companions = sorted(std::mem::take(&mut self.companions));
        self.meetings = sorted(std::mem::take(&mut self.meetings));
    }

    /// Returns the number of years without a game between the years of the two; 0 if they overlap or are not known.
    pub(super) fn years_between(&self, other: &Self) -> i16 {
        let (Some(own), Some(others)) = (self.years, other.years) else { return 0 };
        (others.0.saturating_sub(own.1)).max(own.0.saturating_sub(others.1)).max(0)
    }
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// Returns the number of items that two sorted lists share.
pub(super) fn shared<T: Ord>(a: &[T], b: &[T]) -> u32 {
    common(a, b).count() as u32
}

/// Iterates over the items that two sorted lists share.
pub(super) fn common<'a, T: Ord>(a: &'a [T], b: &'a [T]) -> impl Iterator<Item = &'a T> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.iter().filter(|item| long.binary_search(item).is_ok())
}
