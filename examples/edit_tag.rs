//! Sets a tag in every game of an archive: `cargo run --release --example edit_tag games.pdn Event "World Cup" > new.pdn`
//!
//! All other bytes stay unchanged. The value is written in the encoding of the game. A game whose damaged text would swallow
//! the tag is an error. So is a file that is packed or in UTF-16: what is printed would be another text than the file.

#![expect(clippy::print_stderr, reason = "an example prints its usage")]

use std::io::{self, BufWriter, Write};

use pdn::archive::Archive;
use pdn::ast::{Arena, TreeBuilder};
use pdn::edit::RecordEditor;

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
        if game.file_offset().is_none() {
            return Err(format!(
                "{}: is packed, or not read as it is, such as UTF-16",
                game.name().display()
            )
            .into());
        }
        let mut editor = RecordEditor::new(builder.build(game.raw(), &arena), game.encoding().encoding);
        let place = format!("{}: game {}", game.name().display(), game.number());
        editor.set_tag(name.as_str(), value).map_err(|error| format!("{place}: {error}"))?;
        let edits = editor.finish().map_err(|error| format!("{place}: {error}"))?;
        out.write_all(&edits.apply(game.raw()))?;
        arena.reset();
    }
    Ok(out.flush()?)
}
