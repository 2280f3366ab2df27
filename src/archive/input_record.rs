//! A record together with the input that it is of.

use std::sync::Arc;

use super::head::InputHead;
use crate::limits::Limits;
use crate::split::Record;
use crate::value::{DateOrders, ScoreOrder};
use crate::view::RecordView;

/// A record to be replayed, checked or written, with its input if it comes from an [`Archive`](super::Archive).
///
/// The games of an archive become one by [`From`], so `replayer.summary(game)` knows what the first records of the input say about
/// its variant. A record on its own, as [`split`](crate::split) finds it, becomes one without an input. So does
/// [`GameRef::view`](super::GameRef::view), which leaves the input behind.
///
/// ```
/// use pdn::archive::{Archive, InputRecord};
/// use pdn::check::{CheckOptions, Checker};
/// use pdn::diag::Severity;
/// use pdn::limits::Limits;
/// use pdn::source::OpenOptions;
///
/// let text = &b"1. 32-28 (1. 33-29 (1. 34-30)) *"[..];
/// let archive = Archive::from_reader(text, "deep.pdn", &OpenOptions::new())?;
/// let game = archive.limits(Limits::new().variation_depth(1)).games().next().expect("one game")?;
///
/// // The limits of the archive hold for its records, and not for the same record on its own.
/// let mut checker = Checker::new(&CheckOptions::new());
/// assert_eq!(checker.check(&game).count(Severity::Error), 1);
/// assert_eq!(checker.check(game.view()).count(Severity::Error), 0);
/// assert_eq!(checker.check(InputRecord::from(&game).with_text(text)).count(Severity::Error), 1);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InputRecord<'g> {
    view: RecordView<'g>,
    input: Option<&'g Arc<InputHead>>,
    scores: Option<ScoreOrder>,
}

impl<'g> InputRecord<'g> {
    #[inline]
    pub(super) const fn new(view: RecordView<'g>, input: Option<&'g Arc<InputHead>>) -> Self {
        Self { view, input, scores: None }
    }

    /// Returns the view of the record.
    #[inline]
    pub const fn view(&self) -> RecordView<'g> {
        self.view
    }

    /// Returns the bytes of the record.
    #[inline]
    pub const fn raw(&self) -> &'g [u8] {
        self.view.raw()
    }

    /// Returns another text as a record of the same input: this record with changes.
    #[must_use]
    pub const fn with_text<'t>(&self, text: &'t [u8]) -> InputRecord<'t>
    where
        'g: 't,
    {
        InputRecord { view: RecordView::new(text), input: self.input, scores: self.scores }
    }

    /// Returns the record with another side that the first number of its score belongs to; [`ScoreOrder`] has an example.
    #[must_use]
    pub const fn with_scores(self, scores: ScoreOrder) -> Self {
        Self { scores: Some(scores), ..self }
    }

    /// Returns the side that the first number of its score belongs to, if the caller says it; for games of an archive else by
    /// [`OpenOptions::scores`](crate::source::OpenOptions::scores).
    pub(crate) fn scores(&self) -> Option<ScoreOrder> {
        self.scores.or_else(|| self.input?.scores)
    }

    /// Returns the head of the input; `None` for a record on its own.
    #[inline]
    pub(crate) const fn input(&self) -> Option<&'g Arc<InputHead>> {
        self.input
    }

    /// Returns the order of day and month in the dates of the input; unknown for a record on its own.
    #[inline]
    pub(crate) fn dates(&self) -> DateOrders {
        self.input.map(|input| input.decoder().dates()).unwrap_or_default()
    }

    /// Returns the limits within which the record is read: those that the caller has chosen, else those of its
    /// [archive](super::Archive::limits), else the default ones.
    #[inline]
    pub fn limits(&self, chosen: Option<Limits>) -> Limits {
        chosen.or(self.input.map(|input| *input.limits())).unwrap_or(Limits::DEFAULT)
    }
}

impl<'g> From<RecordView<'g>> for InputRecord<'g> {
    fn from(view: RecordView<'g>) -> Self {
        Self::new(view, None)
    }
}

impl<'g> From<Record<'g>> for InputRecord<'g> {
    fn from(record: Record<'g>) -> Self {
        RecordView::from(record).into()
    }
}

impl<'g> From<&'g [u8]> for InputRecord<'g> {
    fn from(bytes: &'g [u8]) -> Self {
        RecordView::new(bytes).into()
    }
}

impl<'g, const N: usize> From<&'g [u8; N]> for InputRecord<'g> {
    fn from(bytes: &'g [u8; N]) -> Self {
        RecordView::new(bytes).into()
    }
}

impl<'g> From<&'g Vec<u8>> for InputRecord<'g> {
    fn from(bytes: &'g Vec<u8>) -> Self {
        RecordView::new(bytes).into()
    }
}
