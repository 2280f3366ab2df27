//! Writes the games of an archive for a program: `cargo run --release --example write_for plain games.pdn > plain.pdn`
//!
//! Games that cannot be written without losing something are left out and counted.

#![expect(clippy::print_stderr, reason = "an example prints its usage and a summary")]

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use pdn::archive::Archive;
use pdn::write::{Profile, RecordWriter, WriteOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [profile, path] = &args[..] else {
        eprintln!("usage: write_for PROFILE ARCHIVE");
        std::process::exit(2);
    };
    let options = WriteOptions::of(profile.parse::<Profile>()?);
    let mut writer = RecordWriter::new(&options);
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut text, mut written, mut left_out) = (Vec::new(), 0, BTreeMap::new());
    for game in Archive::open(path)?.games() {
        let game = game?;
        text.clear();
        match writer.write_utf8(&game, game.encoding().encoding, &mut text) {
            Ok(_) => {
                out.write_all(&text)?;
                out.write_all(options.line_end.bytes())?;
                written += 1;
            }
            Err(reason) => *left_out.entry(reason.text()).or_insert(0) += 1,
        }
    }
    out.flush()?;
    eprintln!("{written} games written");
    for (reason, count) in left_out {
        eprintln!("{count} left out: {reason}");
    }
    Ok(())
}
