//! The classes of duplicates, and the evidence that two games are in one.

use super::agreement::{
    TagAgreement, compare_dates, compare_names, compare_outcomes, compare_rounds, compare_web_addresses,
};
use super::facts::GameFacts;
use super::positions::{PositionForm, own_start};
use super::shifted::PositionShift;
use pdn::value::{Date, Outcome};
use pdn_index::internal::pack;
use pdn_names::{Likeness, NameSimilarity, PersonComparer, is_placeholder};
use pdn_rules::internal::steps;
use std::cmp::Ordering;

/// Plies that two games have in common at least if their moves are not equal. Games with fewer plies are duplicates only
/// if their moves are equal and no tag contradicts that.
pub const MIN_COMMON_PLIES: u32 = 20;

/// How alike two records of a game are.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use pdn_dedup::{DedupOptions, DuplicateClass, find_duplicates};
///
/// // Two short draws with the same moves, by different players: none is a copy.
/// let moves = "1. 32-28 19-23 2. 28x19 14x23 1-1\n";
/// std::fs::write(&archive, format!("[White \"Ames\"]\n{moves}\n[White \"Bell\"]\n{moves}"))?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let groups = find_duplicates(&index, None, &DedupOptions::new())?.into_groups();
/// let classes: Vec<_> = groups.map(|group| Ok(group?.class)).collect::<pdn::Result<_>>()?;
/// assert_eq!(classes, [DuplicateClass::SameMoves]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum DuplicateClass {
    /// The same start position and moves, and players who can be the same persons.
    Exact = 0,
    /// The moves of one, at least 20 plies, begin those of the other, and no tag contradicts that they are one game.
    Prefix = 1,
    /// The same players, dates within two days, the same first 20 plies, and other moves later.
    Near = 2,
    /// Problems with the same start position, which is not that of the variant: without moves, or with solutions. Their tags make no
    /// difference.
    SamePosition = 3,
    /// The same moves by other players, or a few moves in games whose dates, rounds or events differ. These are different
    /// games, and none of them is a duplicate.
    SameMoves = 4,
    /// Problems with positions that are one, moved over the board: all pieces and all legal moves stand in the same places relative to
    /// each other. Evidence of a relation, and none of them is a duplicate. Found with [`DedupOptions::shifted`](super::DedupOptions::shifted).
    ShiftedPosition = 5,
}

impl DuplicateClass {
    /// All classes.
    pub const ALL: [Self; 6] =
        [Self::Exact, Self::Prefix, Self::Near, Self::SamePosition, Self::SameMoves, Self::ShiftedPosition];
    /// Number of the classes whose games can be left out. They come first.
    pub(super) const REMOVABLE: usize = Self::SameMoves as usize;

    /// Returns the name in lower case, as the command prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Prefix => "prefix",
            Self::Near => "near",
            Self::SamePosition => "same-position",
            Self::SameMoves => "same-moves",
            Self::ShiftedPosition => "shifted-position",
        }
    }
}

/// Which of two problems with one position, or one motif, is the earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Forerunner {
    /// The keeper of the group.
    Keeper,
    /// The other problem.
    Other,
}

impl Forerunner {
    /// Returns the name in lower case, as the command prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keeper => "keeper",
            Self::Other => "other",
        }
    }

    /// Compares the dates of the keeper and of the other problem; `None` unless their known parts say which is earlier.
    fn by_dates(keeper: Date, other: Date) -> Option<Self> {
        let parts = |date: Date| [date.year(), date.month().map(u16::from), date.day().map(u16::from)];
        for (keeper, other) in parts(keeper).into_iter().zip(parts(other)) {
            match keeper?.cmp(&other?) {
                Ordering::Less => return Some(Self::Keeper),
                Ordering::Greater => return Some(Self::Other),
                Ordering::Equal => {}
            }
        }
        None
    }
}

/// What two games have in common and what not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DuplicateEvidence {
    /// Plies of the keeper and of the other game.
    pub plies: [u32; 2],
    /// `true` for each of them that was not replayed to its end, so that its record may have more moves.
    pub damaged: [bool; 2],
    /// Plies that both begin with.
    pub common_plies: u32,
    /// The form in which the start position of the other game is that of the keeper; `None` if it is another one.
    pub position: Option<PositionForm>,
    /// How the start position of the other problem is that of the keeper, moved over the board; `None` if it is not.
    pub shift: Option<PositionShift>,
    /// The earlier one of two problems with one position or one motif, if their dates say which it is.
    pub forerunner: Option<Forerunner>,
    /// Names of the players of White.
    pub white: NameSimilarity,
    /// Names of the players of Black.
    pub black: NameSimilarity,
    /// Dates.
    pub date: TagAgreement,
    /// Rounds.
    pub round: TagAgreement,
    /// Events.
    pub event: TagAgreement,
    /// Web addresses of the games, if their sites are on one server.
    pub address: TagAgreement,
    /// Results; not used for a decision.
    pub result: TagAgreement,
}

/// Decides on pairs of games.
#[derive(Debug, Default)]
pub(super) struct PairJudge {
    names: PersonComparer,
}

impl PairJudge {
    /// Returns `true` if two games with equal moves are one game.
    pub(super) fn is_exact(&mut self, a: &GameFacts<'_>, b: &GameFacts<'_>) -> bool {
        steps::add(1);
        if a.rest != b.rest {
            return false;
        }
        a.plies == 0
            || (a.plies >= MIN_COMMON_PLIES || !is_contradicted(a, b))
                && !have_two_addresses(a, b)
                && self.can_be_same_players(a, b)
    }

    /// Returns `true` if two games of one unit are one game, and the moves of one begin those of the other.
    pub(super) fn is_prefix(&mut self, a: &GameFacts<'_>, b: &GameFacts<'_>) -> bool {
        steps::add(1);
        (a.moves.starts_with(b.moves) || b.moves.starts_with(a.moves))
            && !is_contradicted(a, b)
            && self.can_be_same_players(a, b)
    }

    /// Returns `true` if two games of one unit are one game with a mistake in one record.
    pub(super) fn is_near(&mut self, a: &GameFacts<'_>, b: &GameFacts<'_>) -> bool {
        steps::add(1);
        a.date.days().is_some()
            && b.date.days().is_some()
            && compare_dates(a.date, b.date) != TagAgreement::Different
            && compare_rounds(a.round, b.round) != TagAgreement::Different
            && compare_names(a.event, b.event) != TagAgreement::Different
            && !have_two_addresses(a, b)
            && self.players_are(a, b, |likeness| likeness >= Likeness::Possible)
    }

    fn can_be_same_players(&mut self, a: &GameFacts<'_>, b: &GameFacts<'_>) -> bool {
        self.players_are(a, b, |likeness| likeness != Likeness::Different)
    }

    /// Returns `true` if the players of both colours are alike.
    fn players_are(&mut self, a: &GameFacts<'_>, b: &GameFacts<'_>, alike: fn(Likeness) -> bool) -> bool {
        alike(self.names.compare(a.white, b.white).likeness)
            && alike(self.names.compare(a.black, b.black).likeness)
    }

    /// Returns `true` if a record is a problem: it starts in a position of its own, and has no moves, or a solution rather than a game
    /// between two known players. The solution of a damaged record is not known to the end, so that it is none.
    pub(super) fn is_problem(&mut self, facts: &GameFacts<'_>) -> bool {
        if facts.is_damaged {
            return false;
        }
        let Some((_, rest)) = own_start(facts.variant, facts.moves) else { return false };
        match facts.plies {
            // What else follows is a null move or another position.
            0 => rest.is_empty(),
            _ => {
                let players = [facts.white, facts.black];
                players.into_iter().any(is_placeholder)
                    || self.names.compare(facts.white, facts.black).likeness != Likeness::Different
            }
        }
    }

    /// Returns the evidence about a keeper and another game.
    pub(super) fn evidence(&mut self, keeper: &GameFacts<'_>, other: &GameFacts<'_>) -> DuplicateEvidence {
        let white = self.names.compare(keeper.white, other.white);
        let black = self.names.compare(keeper.black, other.black);
        let common_bytes = keeper.moves.iter().zip(other.moves).take_while(|(a, b)| a == b).count();
        let is_one_variant = keeper.variant == other.variant;
        let common_plies = if is_one_variant { common_plies(keeper, common_bytes) } else { 0 };
        let position = if is_one_variant {
            PositionForm::between(keeper.variant, [keeper.moves, other.moves])
        } else {
            None
        };
        let shift = match position {
            None if is_one_variant => PositionShift::between(keeper.variant, [keeper.moves, other.moves]),
            _ => None,
        };
        let is_related =
            shift.is_some() || position.is_some() && own_start(keeper.variant, keeper.moves).is_some();
        let form = position.or(shift.map(|shift| shift.form));
        let is_flipped = form.is_some_and(PositionForm::is_flipped);
        let outcome = if is_flipped { exchanged(other.outcome) } else { other.outcome };
        DuplicateEvidence {
            plies: [keeper.plies, other.plies],
            damaged: [keeper.is_damaged, other.is_damaged],
            common_plies,
            position,
            shift,
            forerunner: is_related.then(|| Forerunner::by_dates(keeper.date, other.date)).flatten(),
            white,
            black,
            date: compare_dates(keeper.date, other.date),
            round: compare_rounds(keeper.round, other.round),
            event: compare_names(keeper.event, other.event),
            address: compare_web_addresses(keeper.site, other.site),
            result: compare_outcomes(keeper.outcome, outcome),
        }
    }
}

/// Returns an outcome as the other side sees it.
fn exchanged(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::FirstWins => Outcome::SecondWins,
        Outcome::SecondWins => Outcome::FirstWins,
        Outcome::Draw | Outcome::BothLose | Outcome::Unknown => outcome,
    }
}

/// Returns the number of plies that end within the first `bytes` packed bytes of a game.
fn common_plies(game: &GameFacts<'_>, bytes: usize) -> u32 {
    let rules = game.variant.rules();
    let (mut low, mut high) = (0, game.plies);
    while low < high {
        let middle = high - (high - low) / 2;
        let fits = pack::plies_len(&rules, game.moves, middle).is_ok_and(|(len, _)| len <= bytes);
        if fits { low = middle } else { high = middle - 1 }
    }
    low
}

/// Returns `true` if the games have known dates, rounds, events or web addresses that differ, and so are different games.
fn is_contradicted(a: &GameFacts<'_>, b: &GameFacts<'_>) -> bool {
    matches!(compare_dates(a.date, b.date), TagAgreement::Close | TagAgreement::Different)
        || compare_rounds(a.round, b.round) == TagAgreement::Different
        || compare_names(a.event, b.event) == TagAgreement::Different
        || have_two_addresses(a, b)
}

/// Returns `true` if the games have two addresses on one server, which gives each game its own.
fn have_two_addresses(a: &GameFacts<'_>, b: &GameFacts<'_>) -> bool {
    compare_web_addresses(a.site, b.site) == TagAgreement::Different
}
