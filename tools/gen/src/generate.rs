//! Generates archives: events on worker threads, written in order.

use std::io::{self, Write};
use std::ops::ControlFlow;

use pdn::internal::pool;
use pdn::rules::Variant;
use pdn_rules::internal::rules::{Ruleset, WithRules};

use super::manifest::Damage;
use crate::event::{self, Event};
use crate::manifest::Manifest;
use crate::options::{Amount, Options};
use crate::people::PLAYERS;
use crate::random::{Purpose, Random, Zipf};
use crate::style::Names;
use crate::write::{Author, Desk, Task, Written};

/// Writes an archive to `out` and returns the manifest of its contents.
///
/// The bytes depend on the options alone, not on the number of threads, the machine or the time. Memory use: a few events
/// per thread, and 40 bytes per damaged game.
///
/// ```
/// use pdn::rules::Variant;
/// use pdn_gen::{Amount, Options, generate};
///
/// let options = Options::new(Amount::Games(10), &[Variant::English]);
/// let mut archive = Vec::new();
/// let manifest = generate(&options, &mut archive)?;
/// assert_eq!(pdn::split::records(&archive).count(), 10);
/// assert_eq!(manifest.bytes, archive.len() as u64);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Errors of writing to `out`, and an error if no variant is given.
pub fn generate(options: &Options, out: &mut dyn Write) -> io::Result<Manifest> {
    if options.variants.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no variant is given"));
    }
    let ranks = Zipf::new(PLAYERS);
    let mut manifest = Manifest::new(options);
    let mut failure = None;
    let events = match options.amount {
        Amount::Games(games) => games.div_ceil(event::GAMES),
        Amount::Bytes(_) => u64::MAX,
    };
    let work = |authors: &mut Authors, number| authors.event(options, &ranks, number);
    pool::ordered(0..events, options.threads, Authors::default, work, |batch| {
        match take(&mut manifest, &batch) {
            0 => return ControlFlow::Break(()),
            end => failure = out.write_all(&batch.text[..end]).err(),
        }
        if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match failure {
        Some(failure) => Err(failure),
        None => out.flush().map(|()| manifest),
    }
}

/// Adds the games of an event to the manifest until the requested amount is reached; returns the end of the last one.
fn take(manifest: &mut Manifest, batch: &Batch) -> usize {
    let mut start = 0;
    for (end, written) in &batch.games {
        let enough = match manifest.options.amount {
            Amount::Games(games) => manifest.total.games >= games,
            Amount::Bytes(bytes) => manifest.bytes >= bytes,
        };
        if enough {
            break;
        }
        if let Some((kind, ply)) = written.damage {
            let damage = Damage { game: manifest.total.games, offset: manifest.bytes, kind, ply };
            manifest.damaged_games.push(damage);
            *manifest.damage.entry(kind).or_default() += 1;
        }
        manifest.total.add(&written.counts);
        manifest.variants.entry(batch.variant).or_default().add(&written.counts);
        manifest.bytes += (end - start) as u64;
        start = *end;
    }
    start
}

/// The written games of an event.
#[derive(Debug)]
struct Batch {
    variant: Variant,
    text: Vec<u8>,
    /// End offset and contents of each game.
    games: Vec<(usize, Written)>,
}

/// The authors of a worker, by variant. Their caches save time and do not change the output.
#[derive(Default)]
struct Authors(Vec<(Variant, Box<dyn Author>)>);

impl Authors {
    fn event(&mut self, options: &Options, ranks: &Zipf, number: u64) -> Batch {
        let event = Event::new(options, ranks, number);
        let names = Names::new(event.variant.names(), &event.style);
        let author = self.of(event.variant);
        let mut batch = Batch {
            variant: event.variant,
            text: Vec::with_capacity(96 << 10),
            games: Vec::with_capacity(64),
        };
        for game in 0..event::GAMES {
            let mut random = Random::new(options.seed, Purpose::Game, number * event::GAMES + game);
            let task = Task { options, event: &event, names: &names, game };
            let written = author.write(&task, &mut random, &mut batch.text);
            batch.games.push((batch.text.len(), written));
        }
        batch
    }

    fn of(&mut self, variant: Variant) -> &mut dyn Author {
        struct Make(Variant);
        impl WithRules for Make {
            type Output = Box<dyn Author>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                Box::new(Desk::new(rules, self.0))
            }
        }
        let at = self.0.iter().position(|&(known, _)| known == variant).unwrap_or_else(|| {
            self.0.push((variant, variant.rules().with(Make(variant))));
            self.0.len() - 1
        });
        &mut *self.0[at].1
    }
}
