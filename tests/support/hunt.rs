//! Hunts for inputs on which a command takes more than linear work: short units made of random parts of PDN, repeated.
//!
//! The tests of the command make a short hunt, and the example `hunt` of the fuzzing crate a long one. Both count steps of work
//! instead of time, so that the same seed gives the same answer on every machine.

use std::fs;
use std::path::Path;

/// What units are made of: the beginnings and ends of every part of a record, and parts that are whole.
const PARTS: &[&str] = &[
    "[",
    "]",
    "\"",
    "\\",
    "\\\"",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "/",
    "<",
    "!",
    "?",
    "$1",
    "#",
    ",",
    "|",
    ":",
    " ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "-",
    "--",
    "x",
    ".",
    "...",
    "1",
    "1.",
    "2...",
    "12)",
    "32-28",
    "19-23",
    "28x19",
    "718",
    "c3-d4",
    "c3",
    "f6:d4",
    "1-50",
    "*",
    "1-0",
    "1/2",
    "2-0",
    "½",
    "0-0",
    "A",
    "a b",
    "Event ",
    "White ",
    "Result ",
    "FEN ",
    "GameType ",
    "Date ",
    "\"20\"",
    "\"25\"",
    "\"21\"",
    "\"W:W31:B1\"",
    "\"2003-5-1\"",
    "[A \"",
    "[A \"x\"]",
    "[pdn]",
    "[/pdn]",
    "[White \"x\"]\n",
    "[GameType \"20\"]",
    "[FEN \"W:WK1:BK50\"]",
    "/FEN \"W:W31:B1\"/",
    "[%clk 1:00]",
    "[%emt 1",
    "{[%clk 1:00]}",
    "&amp;",
    "&",
    "é",
    "WiÅ›",
    "\u{FEFF}",
    "\u{A0}",
    "\0",
    "1. 32-28 19-23",
    "wins",
    "resigns",
];

/// The command that makes the index of those that read one.
const INDEX: &str = "index --threads 1 --embed --positions -o OUT.index FILE";

/// The commands of a hunt. `FILE` stands for the archive, `OUT` for a path that does not exist yet.
const COMMANDS: &[&str] = &[
    "check --threads 1 FILE",
    "check --threads 1 --strict --json FILE",
    "stats --threads 1 FILE",
    "fmt --check --threads 1 FILE",
    "fix --threads 1 FILE",
    "fix --threads 1 --unsafe --json FILE",
    "convert --threads 1 --fix FILE -o OUT.pdn",
    "show FILE 1",
    "show --json FILE 1",
    "dedup --threads 1 FILE",
    "names --threads 1 FILE",
    "export --threads 1 --table games FILE -o OUT.jsonl --format jsonl",
    "export --threads 1 --table moves FILE -o OUT.moves --format csv",
    "export --threads 1 --table comments FILE -o OUT.comments --format csv",
    "dataset --threads 1 FILE -o OUT.set",
    INDEX,
    "find --threads 1 --all-plies --format jsonl OUT.index --query aside(all)or(mark!)",
    "find --threads 1 --format pdn OUT.index",
    "tree --threads 1 OUT.index",
    "verify --threads 1 --full OUT.index",
];

/// Random numbers of a seed, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }
}

/// Returns so many units of a seed: one to four parts each.
pub(crate) fn units(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random(seed);
    let mut unit = || {
        let parts = 1 + random.below(4);
        (0..parts).map(|_| PARTS[random.below(PARTS.len())]).collect::<String>()
    };
    (0..count).map(|_| unit()).collect()
}

/// Runs every command on archives that repeat `unit`, each four times as long as the one before, in `folder`. `steps` runs the program with
/// these arguments and returns its steps, `None` if it counts none. Returns the commands that take more than linear work, with the
/// steps for the shortest and the longest archive.
pub(crate) fn more_than_linear(
    unit: &str,
    folder: &Path,
    mut steps: impl FnMut(&[&str]) -> Option<u64>,
) -> Vec<(&'static str, u64, u64)> {
    // The shorter archive reaches the limits of one record, too: a thousand diagnostics, and what is tried to repair it.
    let times = 1200;
    let mut run = |command: &str, number: usize| {
        let (archive, out) = (folder.join(format!("{number}.pdn")), folder.join(format!("{number}.out")));
        if !archive.exists() {
            fs::write(&archive, unit.repeat(number * times)).expect("the folder is writable");
        }
        let args = command.split(' ').map(|word| match word {
            "FILE" => archive.to_string_lossy().into_owned(),
            word => word.replace("OUT", &out.to_string_lossy()),
        });
        let args: Vec<String> = args.collect();
        steps(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    // Sorting takes n log n.
    let is_more = |once: u64, four: u64| four > once * 5 + 10_000;
    let mut worse = Vec::new();
    for command in COMMANDS {
        // Up to the limits of one record, such as those of its repair, the steps of a byte grow; there the next size tells.
        let mut found = Vec::new();
        for number in [1, 4, 16, 64] {
            if number > 4 && command.contains("OUT.index") {
                run(INDEX, number);
            }
            let Some(steps) = run(command, number) else { break };
            let is_linear = found.last().is_some_and(|&before| !is_more(before, steps));
            found.push(steps);
            if is_linear {
                break;
            }
            if number == 64 {
                worse.push((*command, found[0], steps));
            }
        }
    }
    worse
}
