//! The command `pdn-gen`: generates archives of draughts games.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use bytesize::ByteSize;
use clap::{Args, Parser};
use pdn::rules::Variant;
use pdn_gen::{Amount, Dialect, NameSet, Options, Share, generate};

/// Generate an archive of plausible draughts games; the same options give the same bytes on every machine
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    amount: AmountArguments,
    /// Names of variants, separated by commas, or `all`; they alternate from event to event
    #[arg(long, short = 'g', value_name = "V[,V..]", default_value = "international", value_parser = variants)]
    variant: Variants,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of worker threads [default: number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Share of games with text comments, move strengths and NAGs, such as 0.25 or 25%
    #[arg(long, value_name = "SHARE", default_value = "0")]
    comments: Share,
    /// Share of games with variations
    #[arg(long, value_name = "SHARE", default_value = "0")]
    variations: Share,
    /// Share of games with clock times
    #[arg(long, value_name = "SHARE", default_value = "0")]
    clocks: Share,
    /// Share of games with a GameType tag
    #[arg(long, value_name = "SHARE", default_value = "100%")]
    gametype: Share,
    /// Share of games that begin at another position, with a FEN tag
    #[arg(long, value_name = "SHARE", default_value = "1%")]
    setups: Share,
    /// Share of damaged games, which the manifest lists
    #[arg(long, value_name = "SHARE", default_value = "0")]
    damage: Share,
    /// Style of writing; with the same seed and names, each but `mixed` has the games of `clean`
    #[arg(long, value_enum, default_value_t = Dialect::Clean)]
    dialect: Dialect,
    /// Names of the players [default: those that the dialect is for]
    #[arg(long, value_enum)]
    names: Option<NameSet>,
    /// File of the archive [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// File for the manifest, in JSON
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct AmountArguments {
    /// Number of games
    #[arg(long, short = 'n', value_name = "N")]
    games: Option<u64>,
    /// Minimum size, such as 1GB or 300MiB; the last game is complete
    #[arg(long, value_name = "SIZE")]
    size: Option<ByteSize>,
}

#[derive(Clone, Debug)]
struct Variants(Vec<Variant>);

fn variants(text: &str) -> Result<Variants, String> {
    if text.eq_ignore_ascii_case("all") {
        return Ok(Variants(Variant::ALL.to_vec()));
    }
    let find = |name: &str| {
        let names = || Variant::ALL.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(" ");
        Variant::from_name(name.trim())
            .ok_or_else(|| format!("there is no variant `{name}`; there are {}", names()))
    };
    text.split(',').map(find).collect::<Result<_, _>>().map(Variants)
}

impl Arguments {
    fn options(&self) -> Options {
        let amount = match (self.amount.games, self.amount.size) {
            (Some(games), _) => Amount::Games(games),
            (None, size) => Amount::Bytes(size.map_or(0, |size| size.as_u64())),
        };
        Options {
            seed: self.seed,
            threads: self.threads.unwrap_or_else(pdn::default_threads),
            comments: self.comments,
            variations: self.variations,
            clocks: self.clocks,
            game_types: self.gametype,
            setups: self.setups,
            damage: self.damage,
            dialect: self.dialect,
            names: self.names,
            ..Options::new(amount, &self.variant.0)
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the archive has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<()> {
    let named = |path: &PathBuf, error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    };
    let create = |path: &PathBuf| {
        let created = if arguments.force { File::create(path) } else { File::create_new(path) };
        created.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                io::Error::new(error.kind(), format!("{} exists; --force replaces it", path.display()))
            }
            _ => named(path, error),
        })
    };
    let options = arguments.options();
    // Both files are created before the work, so that it is not done in vain.
    let archive = arguments.output.as_ref().map(|path| create(path).map(|file| (path, file))).transpose()?;
    let listed = arguments.manifest.as_ref().map(|path| create(path).map(|file| (path, file))).transpose()?;
    let manifest = match archive {
        Some((path, file)) => generate(&options, &mut BufWriter::with_capacity(1 << 20, file))
            .map_err(|error| named(path, error))?,
        None => generate(&options, &mut io::stdout().lock())?,
    };
    if let Some((path, mut file)) = listed {
        file.write_all(manifest.to_json()?.as_bytes()).map_err(|error| named(path, error))?;
    }
    Ok(())
}
