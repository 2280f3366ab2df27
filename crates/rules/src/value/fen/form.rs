//! Non-standard forms of position texts.

use core::fmt;

use crate::value::Span;

macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// A form that is understood but that PDN 3.0 does not have.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum FenForm { $($(#[$doc])* $name,)* }

        impl FenForm {
            /// Every form.
            const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the form in words.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

forms! {
    /// `W:WK4,30:B27,22.`
    FinalDot = "a dot at the end";
    /// `W:W31, 32:B1`
    Whitespace = "whitespace";
    /// `w:w31:b1`, `W:Wk31:B1`, `W:WA3:BB8`
    LetterCase = "a letter in the wrong case";
    /// `W:W31,:B1`
    ExtraComma = "a comma that separates nothing";
    /// `W:W31 32:B1`, `W:WK31K32:B1`
    MissingComma = "a missing comma";
    /// `W:W05:B1`
    LeadingZero = "a square with a leading zero";
    /// `W:WK1-K5:B20`
    KingTwice = "a second `K` in a range";
    /// `W:W31:W32:B1`
    RepeatedColour = "a colour named twice";
    /// `W:W31,31:B1`: the same piece again.
    RepeatedSquare = "a square named twice";
    /// `W:B:W31:B1`: the side to move, once more before the pieces of both sides.
    SecondTurn = "the side to move named twice";
    /// `W:W:31,32B:1`, `W:W31;B1`, `W W31.32 B1`
    OtherSeparator = "separators other than `:` and `,`";
    /// `W:W31:Z1`, `W:WD31:B1`
    OtherLetter = "letters of another language";
    /// `Wbbbb...eeee...wwww`: a letter for each square, as engines exchange positions.
    Hub = "a letter for each square, as in the Hub protocol";
    /// `B:W::`: a colon with nothing after it, except in the null move `B:::`.
    BareSection = "a section without a colour";
    /// `W:W31:B1:H0:F1`: the counters that lidraughts appends.
    Counters = "counters after the pieces";
}

impl fmt::Display for FenForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The set of non-standard forms that a text uses, with the span of the first.
///
/// ```
/// use pdn_rules::value::Fen;
/// use pdn_rules::internal::value::FenForm;
///
/// let forms = Fen::parse(b"W:WK4, 30:B27.")?.forms();
/// assert!(forms.contains(FenForm::FinalDot) && forms.contains(FenForm::Whitespace));
/// # Ok::<(), pdn_rules::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct FenForms {
    /// One bit per form, the bit of its discriminant.
    bits: u16,
    first: Span,
}

impl FenForms {
    /// Adds a form and keeps the earlier span.
    pub(super) fn add(&mut self, form: FenForm, span: Span) {
        if self.bits == 0 || span < self.first {
            self.first = span;
        }
        self.bits |= 1 << form as u8;
    }

    /// Replaces a form by another one, which was found at `span`.
    pub(super) fn replace(&mut self, form: FenForm, by: FenForm, span: Span) {
        self.bits &= !(1 << form as u8);
        self.add(by, span);
    }

    /// Returns `true` if the text has the form that PDN 3.0 requires.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Returns `true` if the text uses `form`.
    pub fn contains(self, form: FenForm) -> bool {
        self.bits >> form as u8 & 1 != 0
    }

    /// Iterates over the forms used, each once.
    pub fn iter(self) -> impl Iterator<Item = FenForm> {
        FenForm::ALL.iter().copied().filter(move |form| self.contains(*form))
    }

    /// Returns the span of the first non-standard form, relative to the start of the text; `None` if there is none.
    pub fn first_span(self) -> Option<Span> {
        (!self.is_empty()).then_some(self.first)
    }
}
