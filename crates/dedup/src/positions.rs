//! Start positions of problems, and the forms in which two of them are one.

use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_index::internal::pack;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{BitsOf, Ruleset, WithRules};

/// The form in which one start position is another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum PositionForm {
    /// Unchanged.
    Same,
    /// The board turned by 180 degrees, with the colours of the pieces and of the side to move exchanged.
    Flipped,
    /// Left and right exchanged, on a board where all cells are squares.
    Mirrored,
    /// Both.
    FlippedMirrored,
}

impl PositionForm {
    /// All forms.
    pub(super) const ALL: [Self; 4] = [Self::Same, Self::Flipped, Self::Mirrored, Self::FlippedMirrored];

    /// Returns the name in lower case, as the command prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Flipped => "flipped",
            Self::Mirrored => "mirrored",
            Self::FlippedMirrored => "flipped-mirrored",
        }
    }

    /// Returns `true` if the sides change places.
    pub const fn is_flipped(self) -> bool {
        matches!(self, Self::Flipped | Self::FlippedMirrored)
    }

    /// Returns `true` if left and right change places.
    const fn is_mirrored(self) -> bool {
        matches!(self, Self::Mirrored | Self::FlippedMirrored)
    }

    /// Returns the first form in which the start position of one game is that of another one of the same variant; `None` if there is
    /// none. Moves without a setup start in the start position of the variant.
    pub(super) fn between(variant: Variant, [a, b]: [&[u8]; 2]) -> Option<Self> {
        let start = |moves| match pack::first_setup(&variant.rules(), moves) {
            Some((start, _)) => start,
            None => *Position::start(variant).state(),
        };
        let (a, b) = (start(a), PositionKey::of(&start(b)));
        Self::ALL.into_iter().find(|form| PositionKey::of(&form.of(variant, &a)) == b)
    }

    /// Returns a position in this form. On boards without mirror images these are the position itself.
    pub(super) fn of(self, variant: Variant, state: &State<u128>) -> State<u128> {
        struct InForm<'s>(PositionForm, &'s State<u128>);
        impl WithRules for InForm<'_> {
            type Output = State<u128>;
            fn run<R: Ruleset>(self, _: R) -> State<u128> {
                let Self(form, state) = self;
                let mut state: State<BitsOf<R>> = state.resized();
                if form.is_flipped() {
                    state = state.turned::<R::Geometry>();
                }
                if form.is_mirrored() {
                    state = state.mirrored::<R::Geometry>();
                }
                state.resized()
            }
        }
        variant.rules().with(InForm(self, state))
    }
}

/// Returns the position that packed moves begin with, and the bytes after it. `None` if a game begins with the pieces of the start
/// position of its variant, whichever side is to move.
pub(super) fn own_start(variant: Variant, moves: &[u8]) -> Option<(State<u128>, &[u8])> {
    let rules = variant.rules();
    let (start, rest) = pack::first_setup(&rules, moves)?;
    let usual = State::<u128>::start(&rules, start.turn);
    ((start.pieces, start.kings) != (usual.pieces, usual.kings)).then_some((start, rest))
}

/// Which forms besides [`PositionForm::Same`] make start positions equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct EqualForms {
    pub(super) flipped: bool,
    pub(super) mirrored: bool,
}

impl EqualForms {
    /// Iterates over all forms that make start positions equal.
    pub(super) fn all(self) -> impl Iterator<Item = PositionForm> {
        let is_equal = move |form: &PositionForm| {
            (self.flipped || !form.is_flipped()) && (self.mirrored || !form.is_mirrored())
        };
        PositionForm::ALL.into_iter().filter(is_equal)
    }
}

/// A start position as bytes. [`of_record`](Self::of_record) gives the same bytes for positions whose forms count as equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct PositionKey([u8; Self::LEN]);

/// The variant of a problem, and its start position or the hash of its shape.
pub(super) type ProblemPosition = [u8; 1 + PositionKey::LEN];

impl PositionKey {
    /// Length in bytes of the pieces of each side and the kings.
    const BOARDS: usize = 3 * size_of::<u128>();
    /// Length in bytes of the whole key: the boards, the side to move, and for each side the square of its king and the number of its
    /// moves in a row.
    pub(super) const LEN: usize = Self::BOARDS + 1 + 2 * 2;

    /// Returns the key of a record with a start position of its own: the least one of the forms that count as equal.
    pub(super) fn of_record(variant: Variant, moves: &[u8], forms: EqualForms) -> Option<Self> {
        let (start, _) = own_start(variant, moves)?;
        forms.all().map(|form| Self::of(&form.of(variant, &start))).min()
    }

    /// Returns the key of a position in this form only.
    fn of(state: &State<u128>) -> Self {
        let mut bytes = [0; Self::LEN];
        let boards = [state.pieces[0], state.pieces[1], state.kings].map(u128::to_be_bytes);
        let (before, after) = bytes.split_at_mut(Self::BOARDS);
        before.copy_from_slice(boards.as_flattened());
        after[0] = u8::from(state.turn == Colour::Black);
        for (out, streak) in after[1..].chunks_mut(2).zip(state.streaks) {
            // Without moves of a king, its square says nothing.
            if streak.moves > 0 {
                out.copy_from_slice(&[streak.square, streak.moves]);
            }
        }
        Self(bytes)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}
