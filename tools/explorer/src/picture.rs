//! Draws a position as a PNG picture, for programs that show no SVG, such as those that preview links.
//!
//! The design is that of the SVG pictures without letters: no font is needed. A picture takes some milliseconds and about 20 kB.

use pdn::position::Piece;
use pdn::value::Colour;
use pdn_app::draw::board::diagram::Diagram;
use pdn_app::draw::board::{DARK, FRAME_COLOUR, LIGHT, MARKED};

/// Side of a square in pixels.
const SQUARE: usize = 56;
/// Width of the frame in pixels.
const FRAME: usize = 20;
/// Radius of a piece in pixels.
const RADIUS: f64 = 24.0;
/// Points of a crown around its centre, in pixels.
const CROWN: [(f64, f64); 7] =
    [(-11.0, 9.0), (-13.5, -6.5), (-6.5, 0.5), (0.0, -10.5), (6.5, 0.5), (13.5, -6.5), (11.0, 9.0)];

/// A colour: red, green and blue, from 0 to 255.
type Rgb = [f64; 3];

/// Reads a colour such as `#b58863`.
fn colour(text: &str) -> Rgb {
    let part =
        |at: usize| text.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok()).unwrap_or(0);
    [1, 3, 5].map(|at| f64::from(part(at)))
}

/// The pixels of a picture, row by row.
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    /// Fills a rectangle.
    fn rectangle(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), fill: Rgb) {
        for row in y..(y + height).min(self.height) {
            let start = row * self.width;
            self.pixels[start + x..start + (x + width).min(self.width)].fill(fill.map(|part| part as u8));
        }
    }

    /// Mixes colours into the pixels around a centre: `paint` gives a colour and how much of a pixel it covers, by the place of the pixel
    /// relative to the centre.
    fn paint(&mut self, centre: (usize, usize), paint: impl Fn(f64, f64) -> (Rgb, f64)) {
        let reach = SQUARE / 2;
        for y in centre.1.saturating_sub(reach)..(centre.1 + reach).min(self.height) {
            for x in centre.0.saturating_sub(reach)..(centre.0 + reach).min(self.width) {
                let (dx, dy) = (x as f64 + 0.5 - centre.0 as f64, y as f64 + 0.5 - centre.1 as f64);
                let (fill, share) = paint(dx, dy);
                let pixel = &mut self.pixels[y * self.width + x];
                for (part, fill) in pixel.iter_mut().zip(fill) {
                    *part = (f64::from(*part) * (1.0 - share) + fill * share) as u8;
                }
            }
        }
    }

    /// Draws a piece: a disc with a groove, and a crown for a king.
    fn piece(&mut self, piece: Piece, centre: (usize, usize)) {
        let (light, dark, rim, groove, crown) = match piece.colour {
            Colour::White => ("#ffffff", "#ddd3bd", "#3a332c", "#b3a88f", "#c8932b"),
            Colour::Black => ("#565250", "#1b1918", "#000000", "#7a746f", "#f2c14e"),
        };
        let (light, dark, groove) = (colour(light), colour(dark), colour(groove));
        // How much of a pixel a disc covers.
        let disc = |dx: f64, dy: f64, radius: f64| (radius + 0.5 - dx.hypot(dy)).clamp(0.0, 1.0);
        self.paint(centre, |dx, dy| (colour(rim), disc(dx, dy, RADIUS + 0.8)));
        self.paint(centre, |dx, dy| {
            let shade = ((dx + 0.2 * RADIUS).hypot(dy + 0.3 * RADIUS) / (1.5 * RADIUS)).min(1.0);
            let mixed = |part: usize| light[part] + (dark[part] - light[part]) * shade;
            ([mixed(0), mixed(1), mixed(2)], disc(dx, dy, RADIUS - 0.8))
        });
        let rings: &[f64] = if piece.king { &[RADIUS - 6.0] } else { &[RADIUS - 6.0, RADIUS - 12.0] };
        for &radius in rings {
            self.paint(centre, |dx, dy| (groove, disc(dx, dy, radius + 0.7) - disc(dx, dy, radius - 0.7)));
        }
        if piece.king {
            self.paint(centre, |dx, dy| (colour(crown), crown_share(dx, dy)));
        }
    }

    /// Returns the picture as PNG.
    fn png(&self) -> Vec<u8> {
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, side(self.width), side(self.height));
        encoder.set_color(png::ColorType::Rgb);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(self.pixels.as_flattened())?;
            writer.finish()
        });
        written.expect("writing to memory cannot fail");
        bytes
    }
}

/// Returns how much of a pixel the crown covers, from 16 points of it.
fn crown_share(dx: f64, dy: f64) -> f64 {
    let inside = |x: f64, y: f64| {
        let edges = CROWN.iter().zip(CROWN.iter().cycle().skip(1));
        let crossed = edges.filter(|((ax, ay), (bx, by))| {
            (*ay > y) != (*by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
        });
        crossed.count() % 2 == 1
    };
    let places = [-0.375, -0.125, 0.125, 0.375];
    let points = places.iter().flat_map(|x| places.iter().map(move |y| (dx + x, dy + y)));
    points.filter(|&(x, y)| inside(x, y)).count() as f64 / 16.0
}

/// Draws a diagram as PNG.
pub(crate) fn png(diagram: &Diagram) -> Vec<u8> {
    let (columns, rows) = (diagram.rows.first().map_or(0, Vec::len), diagram.rows.len());
    let (width, height) = (columns * SQUARE + 2 * FRAME, rows * SQUARE + 2 * FRAME);
    let frame = colour(FRAME_COLOUR);
    let mut canvas = Canvas { width, height, pixels: vec![frame.map(|part| part as u8); width * height] };
    canvas.rectangle((FRAME, FRAME), (columns * SQUARE, rows * SQUARE), colour(LIGHT));
    for (y, row) in diagram.rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            if cell.square.is_none() {
                continue;
            }
            let corner = (FRAME + x * SQUARE, FRAME + y * SQUARE);
            let ground = match (cell.marked, diagram.full) {
                (true, _) => MARKED,
                (false, true) => LIGHT,
                (false, false) => DARK,
            };
            canvas.rectangle(corner, (SQUARE, SQUARE), colour(ground));
            // If all cells are squares, lines separate them instead of two colours.
            if diagram.full {
                canvas.rectangle(corner, (SQUARE, 1), frame);
                canvas.rectangle(corner, (1, SQUARE), frame);
            }
            if let Some(piece) = cell.piece {
                canvas.piece(piece, (corner.0 + SQUARE / 2, corner.1 + SQUARE / 2));
            }
        }
    }
    canvas.png()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use pdn::position::Position;
    use pdn::rules::Variant;
    use pdn::value::Fen;
    use pdn_app::draw::board::DrawOptions;

    use super::*;

    /// Reads the pixels of a picture of [`png`], with its width.
    fn pixels(picture: &[u8]) -> (usize, Vec<u8>) {
        let mut reader = png::Decoder::new(Cursor::new(picture)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        (frame.width as usize, pixels)
    }

    #[test]
    fn picture_has_the_pieces_on_their_squares() {
        let fen = Fen::parse(b"W:W46:BK5").unwrap();
        let position = Position::from_fen(Variant::International, &fen).unwrap();
        for flip in [false, true] {
            let options = DrawOptions { flip, ..DrawOptions::default() };
            let png = png(&Diagram::of(&position, &options));
            let (width, pixels) = pixels(&png);
            assert_eq!((width, pixels.len()), (600, 3 * 600 * 600));
            let at = |column: usize, row: usize, dx: usize| {
                let (x, y) = (FRAME + column * SQUARE + SQUARE / 2 + dx, FRAME + row * SQUARE + SQUARE / 2);
                [0, 1, 2].map(|part| pixels[3 * (y * width + x) + part])
            };
            let (white, black) = if flip { ((9, 0), (0, 9)) } else { ((0, 9), (9, 0)) };
            assert!(at(white.0, white.1, 8).iter().all(|&part| part > 0xc0), "{:?}", at(white.0, white.1, 8));
            assert!(
                at(black.0, black.1, 20).iter().all(|&part| part < 0x70),
                "{:?}",
                at(black.0, black.1, 20)
            );
            assert_eq!(at(black.0, black.1, 0), [0xf2, 0xc1, 0x4e], "the crown");
            assert_eq!(at(1, 0, 0), [0xb5, 0x88, 0x63], "a square without a piece");
            assert_eq!(at(0, 0, 0), [0xf0, 0xd9, 0xb5], "a cell that is no square");
        }
    }

    #[test]
    fn every_board_has_a_picture_of_moderate_length() {
        for &variant in Variant::ALL {
            let png = png(&Diagram::of(&Position::start(variant), &DrawOptions::default()));
            let (width, _) = pixels(&png);
            assert!(width >= 400 && png.len() < 60_000, "{variant}: {width} pixels, {} bytes", png.len());
        }
    }
}
