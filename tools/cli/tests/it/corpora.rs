//! Compares record counts of real archives with those of another tolerant reader, if the archives are available.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::run;

/// Files whose count is known to differ, with the count of `pdn`: the other reader looks for tags only, and one game of
/// this file has only the tag `[Empty]`.
const KNOWN_DIFFERENCES: &[(&str, u64)] =
    &[("Yodachess+BrunoGUI_Dames/48th Polish Team Championship.pdn", 82)];

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn stats_counts_every_record_of_real_archives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let Ok(manifest) = fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        eprintln!("skipped: no {}", folder.display());
        return;
    };
    let mut files = 0;
    for line in manifest.lines().filter(|line| line.contains('/')) {
        let mut cells = line.split('\t');
        let (Some(name), Some(bytes), Some(records)) = (cells.next(), cells.next(), cells.next()) else {
            panic!("{line}")
        };
        let Ok(records) = records.parse::<u64>() else { continue };
        let expected =
            KNOWN_DIFFERENCES.iter().find(|(file, _)| *file == name).map_or(records, |(_, games)| *games);
        let run = run(&["stats", "--json", folder.join(name).to_str().expect("UTF-8")]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{name}");
        let stats: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(
            (&stats["games"], &stats["bytes"]),
            (&expected.into(), &bytes.parse::<u64>().unwrap().into()),
            "{name}"
        );
        files += 1;
    }
    assert!(files >= 30, "{files} files in the manifest");
}
