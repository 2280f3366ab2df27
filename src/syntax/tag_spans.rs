//! The spans of the parts of a tag, and the forms that a tag can have.

/// The form of the text that follows a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TagForm {
    /// `[Name "`: certainly a tag.
    Quoted,
    /// `[Name]`: a tag that lost its value.
    Bare,
    /// A name and then neither a quote nor a closing bracket.
    Loose,
    /// No name.
    None,
}

/// The offsets of the parts of a tag in the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagSpans {
    /// The offset of the opening bracket.
    pub start: usize,
    /// The start of the name and the offset just after it.
    pub name: (usize, usize),
    /// The start of the value, without its quotes, and the offset just after it; empty for a bare tag.
    pub value: (usize, usize),
    /// The offset just after the tag.
    pub end: usize,
    /// The form of the tag.
    pub form: TagForm,
    /// `true` if the closing quote is present.
    pub quote_closed: bool,
    /// `true` if the closing bracket is present.
    pub bracket_closed: bool,
    /// `true` if unescaped quotes stand inside the value.
    pub inner_quotes: bool,
}
