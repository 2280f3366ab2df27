//! The command `pdn-gen`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use bytesize::ByteSize;
use clap::{Args, Parser, ValueEnum};
use pdn::rules::Variant;
use pdn_gen::{Amount, Dialect, Options, Share, generate};

/// Generates an archive of plausible draughts games. The same options give the same bytes, on any machine and
/// with any number of threads.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    amount: AmountArguments,
    /// Variants by name, with commas between; `all` for every one. Events take turns.
    #[arg(long, short, value_name = "V[,V..]", default_value = "international", value_parser = variants)]
    variant: Variants,
    /// Another seed, another archive.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads at work; as many as there are processors if not given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Share of games with comments, strengths and numeric annotations, as 0.25 or 25%.
    #[arg(long, value_name = "SHARE", default_value = "0")]
    comments: Share,
    /// Share of games with variations.
    #[arg(long, value_name = "SHARE", default_value = "0")]
    variations: Share,
    /// Share of games with clock times.
    #[arg(long, value_name = "SHARE", default_value = "0")]
    clocks: Share,
    /// Share of games with a GameType tag.
    #[arg(long, value_name = "SHARE", default_value = "100%")]
    gametype: Share,
    /// Share of games that begin at a setup, with a FEN tag.
    #[arg(long, value_name = "SHARE", default_value = "1%")]
    setups: Share,
    /// Share of games that are broken on purpose; the manifest says which and how.
    #[arg(long, value_name = "SHARE", default_value = "0")]
    damage: Share,
    /// How games are written.
    #[arg(long, value_enum, default_value_t = DialectArgument::Clean)]
    dialect: DialectArgument,
    /// Where the archive goes; standard output if not given.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where to write what the archive holds, as JSON.
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct AmountArguments {
    /// How many games.
    #[arg(long, short = 'n', value_name = "N")]
    games: Option<u64>,
    /// How many bytes at least, as 1GB or 300MiB; the last game is whole.
    #[arg(long, value_name = "SIZE")]
    size: Option<ByteSize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DialectArgument {
    /// As PDN 3.0 writes.
    Clean,
    /// As programs and people have written for thirty years, a style an event.
    Mixed,
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
            threads: self.threads.unwrap_or_else(pdn::pool::default_threads),
            comments: self.comments,
            variations: self.variations,
            clocks: self.clocks,
            game_types: self.gametype,
            setups: self.setups,
            damage: self.damage,
            dialect: match self.dialect {
                DialectArgument::Clean => Dialect::Clean,
                DialectArgument::Mixed => Dialect::Mixed,
            },
            ..Options::new(amount, &self.variant.0)
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the archive has seen enough.
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
    let options = arguments.options();
    let manifest = match &arguments.output {
        Some(path) => {
            let file = File::create(path).map_err(|error| named(path, error))?;
            generate(&options, &mut BufWriter::with_capacity(1 << 20, file))
                .map_err(|error| named(path, error))?
        }
        None => generate(&options, &mut io::stdout().lock())?,
    };
    if let Some(path) = &arguments.manifest {
        std::fs::write(path, manifest.to_json()?).map_err(|error| named(path, error))?;
    }
    Ok(())
}
