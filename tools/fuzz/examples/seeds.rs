//! Writes the seeds of every target to `corpus/TARGET`, where cargo-fuzz looks for them.

use std::fs;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    for (target, _) in pdn_fuzz::TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        for seed in pdn_fuzz::seeds::of(target) {
            fs::write(folder.join(seed.name), seed.bytes)?;
        }
    }
    Ok(())
}
