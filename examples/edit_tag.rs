//! Sets a tag in every game of an archive: `cargo run --release --example edit_tag games.pdn Event "World Cup" > new.pdn`
//!
//! All other bytes stay unchanged. The value is written in the encoding of the game.

#![expect(clippy::print_stderr, reason = "an example prints its usage")]

use std::io::{self, BufWriter, Write};

use pdn::archive::Archive;
use pdn::ast::{Arena, TreeBuilder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, name, value] = &args[..] else {
        eprintln!("usage: edit_tag ARCHIVE NAME VALUE");
        std::process::exit(2);
    };
    let (mut builder, mut arena) = (TreeBuilder::new(), Arena::new());
    let mut out = BufWriter::new(io::stdout().lock());
    for game in Archive::open(path)? {
        let game = game?;
        let Some(encoded) = game.encode(value) else {
            let name = game.name().display();
            return Err(format!("{name}: game {} cannot encode {value:?}", game.number()).into());
        };
        out.write_all(&builder.build(game.raw(), &arena).with_tag(name, encoded))?;
        arena.reset();
    }
    Ok(out.flush()?)
}
