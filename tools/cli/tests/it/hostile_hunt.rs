//! Repeats random short units, and compares the steps of every command for archives of growing size. `PDN_SEED` chooses other
//! units, `PDN_HUNT` the number of them; the example `hunt` of the fuzzing crate goes on for hours.

#[path = "../../../../tests/support/hunt.rs"]
mod hunt;

use crate::hostile::measured;

/// Units that were found to take quadratic work.
const FOUND: &[&str] = &["[A \"", "c3-d4 [pdn]"];

#[test]
fn repeated_units_take_linear_work() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let seed = number("PDN_SEED").unwrap_or(1);
    let count = number("PDN_HUNT").unwrap_or(2) as usize;
    let random = hunt::units(seed, count);
    let place = tempfile::tempdir().unwrap();
    for unit in FOUND.iter().copied().chain(random.iter().map(String::as_str)) {
        let folder = place.path().join("unit");
        std::fs::create_dir(&folder).unwrap();
        let worse = hunt::more_than_linear(unit, &folder, |args| {
            let (run, steps) = measured(args);
            assert!((0..=2).contains(&run.code), "{unit:?}: {args:?} ends with {}: {}", run.code, run.err);
            assert!(!run.err.contains("panicked"), "{unit:?}: {args:?}: {}", run.err);
            steps
        });
        assert!(worse.is_empty(), "seed {seed}, {unit:?} repeated: steps for one and four times: {worse:?}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
