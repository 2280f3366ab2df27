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

/// Work of a byte that is never a fault, however it grows.
const MOST_STEPS_OF_A_BYTE: u64 = 100;

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

/// Runs every command on archives that repeat `unit`, one four times as long as the other, in `folder`. `steps` runs the program with these
/// arguments and returns its steps, `None` if it counts none. Returns the commands that take more than linear work, with the
/// steps of both.
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
        let (Some(once), Some(four)) = (run(command, 1), run(command, 4)) else { continue };
        if !is_more(once, four) {
            continue;
        }
        // Where a limit lies between the two sizes, only the next one tells.
        if command.contains("OUT.index") {
            run(INDEX, 16);
        }
        // A record is repaired a thousand places at a time, in at most eight rounds: up to there the steps of a byte grow.
        let most = (unit.len() * times * 16) as u64 * MOST_STEPS_OF_A_BYTE;
        if run(command, 16).is_some_and(|sixteen| is_more(four, sixteen) && sixteen > most) {
            worse.push((*command, once, four));
        }
    }
    worse
}
