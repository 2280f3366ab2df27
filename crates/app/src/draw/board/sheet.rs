//! Draws several diagrams with captions on a page.

use std::fmt::Write;

use super::DrawOptions;
use super::diagram::Diagram;
use super::svg::{GRADIENTS, draw_board, size};

/// Space around the diagrams of a page, in tenths of a millimetre as everything here.
const MARGIN: usize = 100;
/// Space between two diagrams.
const GAP: usize = 60;
/// Height of the line with the number of the page.
const FOOTER: usize = 60;
/// Lines of text under a diagram: author, two of the publication, and the side to move.
const CAPTION_LINES: usize = 4;

/// The paper that a page is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Paper {
    /// 210 by 297 millimetres.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// Returns width and height in tenths of a millimetre.
    const fn size(self) -> (usize, usize) {
        match self {
            Self::A4 => (2100, 2970),
            Self::Letter => (2159, 2794),
        }
    }

    /// Returns the name that style sheets have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A4 => "A4",
            Self::Letter => "letter",
        }
    }
}

/// A diagram with its number and caption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetDiagram {
    /// The number before the author.
    pub number: u64,
    /// The author; may be empty.
    pub author: String,
    /// Source and date; may be empty.
    pub publication: String,
    /// The position.
    pub diagram: Diagram,
}

/// How diagrams are arranged on pages.
///
/// ```
/// use pdn_app::draw::board::sheet::{Paper, SheetLayout};
///
/// let layout = SheetLayout::new(3, Paper::A4);
/// assert_eq!((layout.rows(), layout.per_page()), (3, 9));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SheetLayout {
    columns: usize,
    paper: Paper,
}

impl SheetLayout {
    /// Creates a layout of so many diagrams in a row, 1 to 8.
    pub fn new(columns: usize, paper: Paper) -> Self {
        Self { columns: columns.clamp(1, 8), paper }
    }

    /// Returns the paper.
    pub const fn paper(&self) -> Paper {
        self.paper
    }

    /// Returns the width of a diagram.
    fn side(&self) -> usize {
        (self.paper.size().0 - 2 * MARGIN - GAP * (self.columns - 1)) / self.columns
    }

    /// Returns the size of the letters of captions.
    fn font_size(&self) -> usize {
        (self.side() / 20).clamp(18, 36)
    }

    /// Returns the distance from the base of a line of text to the next one.
    fn line_height(&self) -> usize {
        self.font_size() * 13 / 10
    }

    /// Returns the height of a diagram that fits on a page, also if it is the only one of its row. Boards with one column are
    /// smaller than the page is wide.
    fn board_side(&self) -> usize {
        let free = self.paper.size().1 - 2 * MARGIN - FOOTER - CAPTION_LINES * self.line_height();
        self.side().min(free)
    }

    /// Returns the number of rows of a page.
    pub fn rows(&self) -> usize {
        let height = self.board_side() + CAPTION_LINES * self.line_height();
        let free = self.paper.size().1 - 2 * MARGIN - FOOTER;
        ((free + GAP) / (height + GAP)).max(1)
    }

    /// Returns the number of diagrams of a page.
    pub fn per_page(&self) -> usize {
        self.columns * self.rows()
    }

    /// Draws a page with at most [`per_page`](Self::per_page) diagrams as an SVG picture. Several pages in one document need the gradients
    /// of the first one only.
    pub fn draw(
        &self,
        diagrams: &[SheetDiagram],
        page: u64,
        has_gradients: bool,
        options: &DrawOptions,
    ) -> String {
        let (width, height) = self.paper.size();
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{}.{}mm" height="{}.{}mm" viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif">"#,
            width / 10,
            width % 10,
            height / 10,
            height % 10
        );
        svg.push('\n');
        svg.push_str(if has_gradients { GRADIENTS } else { "" });
        svg.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        let (side, board) = (self.side(), self.board_side());
        let row_height = board + CAPTION_LINES * self.line_height() + GAP;
        for (at, diagram) in diagrams.iter().take(self.per_page()).enumerate() {
            let x = MARGIN + at % self.columns * (side + GAP);
            let y = MARGIN + at / self.columns * row_height;
            self.draw_diagram(diagram, (x, y), options, &mut svg);
        }
        let (x, y) = (width / 2, height - MARGIN);
        let line = format!(
            r##"<text x="{x}" y="{y}" font-size="30" text-anchor="middle" fill="#000000">{page}</text>"##
        );
        svg.push_str(&line);
        svg.push_str("\n</svg>\n");
        svg
    }

    /// Appends a diagram with its caption.
    fn draw_diagram(
        &self,
        SheetDiagram { number, author, publication, diagram }: &SheetDiagram,
        (x, y): (usize, usize),
        options: &DrawOptions,
        svg: &mut String,
    ) {
        let (width, height) = size(diagram);
        let board = self.board_side();
        let mut element = |text: std::fmt::Arguments<'_>| {
            svg.write_fmt(text).expect("writing to a string cannot fail");
            svg.push('\n');
        };
        element(format_args!(
            r#"<svg x="{x}" y="{y}" width="{board}" height="{board}" viewBox="0 0 {width} {height}" role="img">"#
        ));
        element(format_args!("<title>{number}. {}</title>", diagram.description()));
        draw_board(diagram, options, svg);
        svg.push_str("</svg>\n");
        let font = self.font_size();
        // A letter is about half as wide as it is high.
        let letters = self.side() * 100 / (font * 52);
        let mut lines = match author.as_str() {
            "" => wrapped(&format!("{number}. {publication}"), letters),
            author => vec![shortened(&format!("{number}. {author}"), letters)],
        };
        if !author.is_empty() {
            lines.extend(wrapped(publication, letters));
        }
        lines.push(diagram.side_to_move());
        for (at, line) in lines.iter().enumerate() {
            let y = y + board + (at + 1) * self.line_height();
            let weight = if at == 0 { r#" font-weight="bold""# } else { "" };
            let text = escaped(line);
            let line =
                format!(r##"<text x="{x}" y="{y}" font-size="{font}"{weight} fill="#000000">{text}</text>"##);
            svg.push_str(&line);
            svg.push('\n');
        }
    }
}

/// Returns a text of at most so many letters, the last of which is `…` if letters are missing.
fn shortened(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    let kept: String = text.chars().take(letters.saturating_sub(1)).collect();
    kept.trim_end().to_owned() + "…"
}

/// Divides a text between words into at most two lines of so many letters.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut first = String::new();
    let mut rest = text.trim();
    while let Some(word) = rest.split_whitespace().next() {
        let length = first.chars().count() + usize::from(!first.is_empty()) + word.chars().count();
        if length > letters && !first.is_empty() {
            break;
        }
        first += if first.is_empty() { "" } else { " " };
        first += word;
        rest = rest[word.len()..].trim_start();
    }
    [shortened(&first, letters), shortened(rest, letters)]
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect()
}

/// Returns a text as it stands in XML, without characters that it may not contain.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars().filter(|&c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')) {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::position::Position;
    use pdn::rules::Variant;

    fn diagram(number: u64, variant: Variant, author: &str, publication: &str) -> SheetDiagram {
        let diagram = Diagram::of(&Position::start(variant), &DrawOptions::default());
        SheetDiagram { number, author: author.to_owned(), publication: publication.to_owned(), diagram }
    }

    #[test]
    fn diagrams_stay_on_their_page_and_apart() {
        for paper in [Paper::A4, Paper::Letter] {
            for columns in 1..=8 {
                let layout = SheetLayout::new(columns, paper);
                let (width, height) = paper.size();
                let right = MARGIN + columns * layout.side() + (columns - 1) * GAP;
                assert!(right <= width - MARGIN, "{columns} columns");
                let row = layout.board_side() + CAPTION_LINES * layout.line_height();
                let bottom = MARGIN + layout.rows() * row + (layout.rows() - 1) * GAP;
                assert!(bottom <= height - MARGIN - FOOTER, "{columns} columns: {bottom}");
                assert!(layout.board_side() <= layout.side());
            }
        }
    }

    #[test]
    fn pages_have_a_board_and_a_caption_for_each_diagram() {
        let layout = SheetLayout::new(4, Paper::A4);
        let boards = [
            diagram(7, Variant::International, "Ames <& Bell>", "Club magazine, 1911"),
            diagram(8, Variant::Russian, "", ""),
            diagram(9, Variant::Turkish, "\u{1b}[31mRed\u{ffff}", "x"),
        ];
        let page = layout.draw(&boards, 3, true, &DrawOptions::default());
        assert_eq!(page.matches("<svg ").count(), 4, "the page and three boards");
        assert_eq!(page.matches("</svg>").count(), 4);
        for text in [
            ">7. Ames &lt;&amp; Bell&gt;<",
            ">Club magazine, 1911<",
            ">8.<",
            ">9. [31mRed<",
            ">3</text>",
            "<title>8. White to move. White: ",
        ] {
            assert!(page.contains(text), "{text}");
        }
        assert_eq!(page.matches(">White to move</text>").count(), 3);
        assert!(!layout.draw(&boards, 3, false, &DrawOptions::default()).contains("<defs>"));
    }

    #[test]
    fn long_captions_are_wrapped_and_shortened() {
        assert_eq!(wrapped("one two three four", 9), ["one two", "three fo…"]);
        assert_eq!(wrapped("one two", 9), ["one two"]);
        assert_eq!(wrapped("", 9), Vec::<String>::new());
        assert_eq!(wrapped("incomprehensible", 9), ["incompre…"]);
        assert_eq!(shortened("žluťoučký", 9), "žluťoučký");
    }
}
