//! Generated games of every variant, in every dialect, are rewritten in canonical form and say the same.

#[path = "../../../../tests/it/write/meaning.rs"]
mod meaning;
#[path = "../../../../tests/it/write/strict_grammar.rs"]
mod strict_grammar;

use meaning::Meaning;
use pdn::check::{CheckOptions, Checker};
use pdn::internal::replay::FilePrior;
use pdn::replay::{ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::write::{RecordWriter, WriteOptions};
use pdn_gen::{Amount, Dialect, Options, Share, generate};

#[test]
fn generated_games_of_every_variant_say_the_same() {
    let half = Share::percent(50);
    for &variant in Variant::ALL {
        for dialect in [Dialect::Clean, Dialect::Mixed] {
            let options = Options {
                comments: half,
                variations: half,
                clocks: half,
                setups: Share::percent(20),
                dialect,
                ..Options::new(Amount::Games(24), &[variant])
            };
            let mut archive = Vec::new();
            generate(&options, &mut archive).expect("memory takes everything");
            check(&format!("{variant} {dialect:?}"), &archive);
        }
    }
}

fn check(name: &str, archive: &[u8]) {
    let records: Vec<_> = pdn::split::records(archive).map(|record| record.bytes).collect();
    let prior = FilePrior::of(records.iter().copied(), &ReplayOptions::default());
    let replay = ReplayOptions::new().prior(prior);
    let mut writer = RecordWriter::with_replay(&WriteOptions::new().has_roster(true), &replay);
    let mut replayer = Replayer::new(&replay);
    let mut checker = Checker::new(&CheckOptions::new().style(true));
    let mut output = Vec::new();
    for record in &records {
        let mut written = Vec::new();
        let result = writer.write(*record, &mut written);
        let shown =
            || format!("{name}: {}\n->\n{}", record.escape_ascii(), String::from_utf8_lossy(&written));
        assert!(result.is_ok(), "{result:?} {}", shown());
        let (before, after) = (Meaning::of(record, &mut replayer), Meaning::of(&written, &mut replayer));
        // Tags that were missing have their unknown values.
        let known: Vec<_> = after.tags.iter().filter(|tag| before.tags.contains(tag)).collect();
        assert_eq!(known.len(), before.tags.len(), "{}", shown());
        assert_eq!(Meaning { tags: after.tags.clone(), ..before }, after, "{}", shown());
        let mut again = Vec::new();
        assert!(writer.write(&written, &mut again).is_ok() && again == written, "{}", shown());
        let diagnostics = checker.check(&written[..]).diagnostics.to_vec();
        let moves = replayer.replay_annotated(&written[..]).diagnostics;
        let found: Vec<_> = diagnostics.iter().chain(&moves).map(ToString::to_string).collect();
        assert!(found.is_empty(), "{found:?} {}", shown());
        output.extend_from_slice(&written);
        output.push(b'\n');
    }
    assert_eq!(strict_grammar::check_file(&output), Ok(()), "{name}");
    assert_eq!(pdn::split::records(&output).count(), records.len(), "{name}");
}
