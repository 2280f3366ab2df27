#!/usr/bin/env python3
"""Plants small faults in a copy of the repository, and reports which of them the tests notice.

The faults stand in faults.toml. All of them are compiled at once, each behind a switch that the variable PDN_PLANTED
of the environment turns on, so that one build serves for all. README.md in this folder says what the numbers mean.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "planted"
TREE = WORK / "tree"
# Tests need the parts of the command that are off by default, too.
FEATURES = "pdn-cli/sqlite,pdn-cli/arrow,pdn-cli/parquet,pdn-cli/serve"
# A test that a fault keeps from ending may take this many seconds more than ten times as long as without it.
GRACE_SECONDS = 30
# A fault may ask for any amount of memory.
MEMORY_BYTES = 16 << 30
# The number of tests that are run at first for each fault: those that are named like its file, the fastest first. Then
# this many times as many each time.
FIRST_TESTS, GROWTH = 12, 6

SWITCH = """//! Says which fault is planted. Part of a copy of the repository only.
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNREAD: u32 = u32::MAX;
static PLANTED: AtomicU32 = AtomicU32::new(UNREAD);
static NOTES: AtomicBool = AtomicBool::new(false);
static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

/// Returns `true` if the fault of this number is planted: the number is that of the variable PDN_PLANTED.
///
/// Where PDN_REACHED names a file, the numbers that are asked for are added to it.
#[inline]
pub fn on(number: u32) -> bool {
    let mut planted = PLANTED.load(Relaxed);
    if planted == UNREAD {
        planted = read();
    }
    if NOTES.load(Relaxed) && !REACHED[number as usize].swap(true, Relaxed) {
        note(number);
    }
    planted == number
}

#[cold]
fn read() -> u32 {
    let planted = std::env::var("PDN_PLANTED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    NOTES.store(std::env::var_os("PDN_REACHED").is_some(), Relaxed);
    PLANTED.store(planted, Relaxed);
    planted
}

#[cold]
fn note(number: u32) {
    let Some(path) = std::env::var_os("PDN_REACHED") else { return };
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path) {
        let _ = file.write_all(format!("{number}\\n").as_bytes());
    }
}
"""


class Misplaced(Exception):
    """A fault does not have one place in its file."""


class Fault:
    """One entry of the list."""

    def __init__(self, entry):
        self.number = entry.pop("number")
        self.file = entry.pop("file")
        self.what = entry.pop("what")
        self.after = entry.pop("after", None)
        self.old = entry.pop("old")
        self.new = entry.pop("new")
        if entry:
            sys.exit(f"fault {self.number}: unknown keys {', '.join(entry)}")
        self.line = 0

    @property
    def path(self):
        """The package, and the folders and the file below `src`, such as `pdn`, `dedup` and `classes`."""
        parts = pathlib.PurePath(self.file).with_suffix("").parts
        source = parts.index("src")
        package = self.module.split(" ")[0].removeprefix("pdn-")
        return [package, *(part for part in parts[source + 1 :] if part != "mod")]

    @property
    def module(self):
        """The crate, and for the library the module."""
        parts = pathlib.PurePath(self.file).with_suffix("").parts
        return f"pdn {parts[1]}" if parts[0] == "src" else {"rules": "pdn-rules"}.get(parts[1], f"pdn-{parts[1]}")

    def place(self, text):
        """Returns the offset of the original text in the text of the file."""
        start = 0
        if self.after is not None:
            if text.count(self.after) != 1:
                raise self.misplaced(f"the text of `after` occurs {text.count(self.after)} times: {self.after}")
            start = text.index(self.after) + len(self.after)
        elif text.count(self.old) != 1:
            raise self.misplaced(f"the text of `old` occurs {text.count(self.old)} times: {self.old}")
        at = text.find(self.old, start)
        if at < 0:
            raise self.misplaced(f"the text of `old` is not behind that of `after`: {self.old}")
        self.line = text.count("\n", 0, at) + 1
        return at

    def switched(self):
        """Returns the text that has the fault if its switch is on."""
        code = f"if ::planted::on({self.number}) {{ {self.new} }} else {{ {self.old} }}"
        is_statement = self.old.endswith((";", "}"))
        return code if is_statement else f"({code})"

    def misplaced(self, problem):
        return Misplaced(f"fault {self.number} in {self.file}: {problem}")


def read_faults():
    faults = [Fault(entry) for entry in tomllib.loads((HERE / "faults.toml").read_text())["fault"]]
    numbers = [fault.number for fault in faults]
    if len(set(numbers)) != len(numbers):
        sys.exit("two faults have one number")
    return faults


def changed_texts(faults):
    """Returns the texts of all files that have faults, with all switches."""
    texts, problems = {}, []
    by_file = collections.defaultdict(list)
    for fault in faults:
        by_file[fault.file].append(fault)
    for file, group in by_file.items():
        text = (ROOT / file).read_text() if (ROOT / file).exists() else ""
        places = []
        for fault in group:
            try:
                places.append((fault.place(text), fault))
            except Misplaced as problem:
                problems.append(str(problem))
        places.sort(key=lambda pair: pair[0])
        for (at, fault), (later, other) in zip(places, places[1:]):
            if at + len(fault.old) > later:
                problems.append(str(other.misplaced(f"overlaps fault {fault.number}")))
        for at, fault in reversed(places):
            text = text[:at] + fault.switched() + text[at + len(fault.old) :]
        texts[file] = text
    if problems:
        sys.exit("\n".join(problems))
    return texts


def make_copy(faults):
    """Makes the copy of the repository, with the faults. Leaves files alone that are right, for short builds."""
    texts = changed_texts(faults)
    crates = {"/".join(fault.file.split("/")[: fault.file.split("/").index("src")]) for fault in faults}
    for crate in crates:
        manifest = f"{crate}/Cargo.toml".lstrip("/")
        text = (ROOT / manifest).read_text()
        path = "/".join([".."] * len(pathlib.PurePath(crate).parts) + ["planted"])
        text = text.replace("\n[dependencies]\n", f'\n[dependencies]\nplanted = {{ path = "{path}" }}\n', 1)
        texts[manifest] = text
    texts["Cargo.toml"] = texts.get("Cargo.toml", (ROOT / "Cargo.toml").read_text()).replace(
        "\nmembers = [", '\nmembers = ["planted", ', 1
    )
    count = max(fault.number for fault in faults) + 1
    texts["planted/src/lib.rs"] = SWITCH.replace("COUNT", str(count))
    texts["planted/Cargo.toml"] = '[package]\nname = "planted"\nversion = "0.0.0"\nedition = "2024"\n'
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    ).stdout.decode()
    files = {name for name in listed.split("\0") if name and (ROOT / name).is_file()} | set(texts)
    for name in files:
        target = TREE / name
        new = texts[name].encode() if name in texts else (ROOT / name).read_bytes()
        # Cargo adds the switch to the list of versions.
        if name == "Cargo.lock" and target.exists() and (WORK / "lock").exists():
            if (WORK / "lock").read_bytes() == new:
                continue
        if not target.exists() or target.read_bytes() != new:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(new)
        if (ROOT / name).exists():
            shutil.copymode(ROOT / name, target)
    (WORK / "lock").write_bytes((ROOT / "Cargo.lock").read_bytes())
    for path in TREE.rglob("*"):
        if path.is_file() and path.relative_to(TREE).as_posix() not in files:
            path.unlink()


class Program:
    """A test program: all tests of one target of one package."""

    def __init__(self, name, executable, folder):
        self.name, self.executable, self.folder = name, executable, folder


def build():
    """Builds the tests of the copy. Returns the test programs by name, such as `pdn/it`."""
    command = [os.environ.get("CARGO", "cargo"), "test", "--workspace", "--features", FEATURES]
    command += ["--lib", "--bins", "--tests", "--no-run", "--message-format=json", "--quiet"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(WORK / "build")}
    made = subprocess.run(command, cwd=TREE, env=environment, stdout=subprocess.PIPE)
    messages = [json.loads(line) for line in made.stdout.decode().splitlines() if line.startswith("{")]
    if made.returncode != 0:
        reports = [message["message"] for message in messages if message["reason"] == "compiler-message"]
        errors = dict.fromkeys(report["rendered"] for report in reports if report["level"] == "error")
        sys.exit("".join(errors) + "the copy with the faults does not compile")
    programs = {}
    for message in messages:
        if message.get("executable") and message["profile"]["test"]:
            folder = pathlib.Path(message["manifest_path"]).parent
            package = re.search(r'\nname = "([^"]+)"', (folder / "Cargo.toml").read_text())[1]
            kind = message["target"]["kind"][0]
            name = package + "/" + {"lib": "lib", "bin": "bin"}.get(kind, message["target"]["name"])
            programs[name] = Program(name, message["executable"], folder)
    return programs


class Outcome:
    """How a run of a test program ended."""

    def __init__(self, tests, ended, code, output, seconds):
        self.ended, self.code, self.seconds = ended, code, seconds
        self.failed = re.findall(r"^test (\S+)(?: - should panic)? \.\.\. FAILED$", output, re.M)
        self.failed += [name for name in re.findall(r"^    (\S+)$", output, re.M) if name not in self.failed]
        self.passed = ended and code == 0 and f"test result: ok. {tests} passed" in output


def prepare():
    """Gives a test program a bound of memory, and the interrupts that a shell takes from programs in the background."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(program, tests, planted, timeout, reached=None, threads=1):
    """Runs tests of a program in a process of its own, with one fault planted; 0 is none."""
    folder = tempfile.mkdtemp(prefix="run", dir=WORK)
    environment = {**os.environ, "PDN_PLANTED": str(planted), "TMPDIR": folder, "CARGO_TARGET_DIR": str(WORK / "build")}
    environment.pop("PDN_REACHED", None)
    if reached is not None:
        environment["PDN_REACHED"] = str(reached)
    command = [program.executable, "--exact", "--test-threads", str(threads), *tests]
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=program.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=prepare,
    )
    try:
        output, ended = process.communicate(timeout=timeout)[0], True
    except subprocess.TimeoutExpired:
        output, ended = b"", False
    # Processes that the tests started have the same group.
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if not ended:
        output = process.communicate()[0]
    shutil.rmtree(folder, ignore_errors=True)
    text = output.decode(errors="replace")
    return Outcome(len(tests), ended, process.returncode, text, time.monotonic() - started)


def tests_of(program):
    """Returns the names of the tests that are not ignored."""

    def listed(*options):
        command = [program.executable, "--list", "--format", "terse", *options]
        text = subprocess.run(command, cwd=program.folder, check=True, capture_output=True).stdout.decode()
        return [line.removesuffix(": test") for line in text.splitlines() if line.endswith(": test")]

    ignored = set(listed("--ignored"))
    return [name for name in listed() if name not in ignored]


def record(programs, known, jobs):
    """Runs every test alone without a fault. Notes which faults it reaches, how long it takes, and whether it passes.

    Tests of which `known` has that already are not run again unless they failed. The key of a test is `program test`.
    """
    tests = [(program, name) for program in programs.values() for name in tests_of(program)]
    keys = {f"{program.name} {name}" for program, name in tests}
    records = {key: value for key, value in known.items() if key in keys and value["passed"]}
    missing = [(program, name) for program, name in tests if f"{program.name} {name}" not in records]
    print(f"{len(tests)} tests, {len(missing)} of them to be looked at", flush=True)

    def look(item):
        program, name = item
        handle, path = tempfile.mkstemp(prefix="reached", dir=WORK)
        os.close(handle)
        outcome = run(program, [name], 0, 200, reached=path)
        reached = sorted({int(line) for line in pathlib.Path(path).read_text().split()})
        os.unlink(path)
        return f"{program.name} {name}", {
            "passed": outcome.passed,
            "seconds": round(outcome.seconds, 3),
            "reached": reached,
        }

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, (key, value) in enumerate(pool.map(look, missing)):
            records[key] = value
            if not value["passed"]:
                print(f"fails without a fault and is left out: {key}", flush=True)
            if number % 200 == 199:
                save_json("tests.json", records)
                print(f"  {number + 1} of {len(missing)}", flush=True)
    save_json("tests.json", records)
    return records


def save_json(name, value):
    (WORK / name).write_text(json.dumps(value, indent=0, sort_keys=True))


def load_json(name):
    return json.loads((WORK / name).read_text()) if (WORK / name).exists() else {}


def confirmed(programs, number, key, seconds):
    """Returns how a test notices a fault, if it fails with the fault and passes without it; else `None`."""
    program, name = programs[key.split(" ", 1)[0]], key.split(" ", 1)[1]
    timeout = GRACE_SECONDS + 10 * seconds
    outcome = run(program, [name], number, timeout)
    if outcome.passed or not run(program, [name], 0, timeout).passed:
        return None
    return "fails" if outcome.ended and outcome.code == 101 else "aborts" if outcome.ended else "never ends"


def affinity(fault, key):
    """Returns how many of the folders and files on the way to a fault are in the name of a test."""
    words = set(re.split(r"[/ :_-]+", key))
    return sum(part in words or part.rstrip("s") in words for part in fault.path)


def find_noticing(programs, records, fault, seconds):
    """Returns the first test that notices a fault and how, or `None`; and the number of tests that reach it.

    Tests that take more than this many seconds without a fault are left out.
    """
    reaching = [
        key
        for key, value in records.items()
        if value["passed"] and fault.number in value["reached"] and value["seconds"] <= seconds
    ]
    reaching.sort(key=lambda key: (-affinity(fault, key), records[key]["seconds"], key))
    start, size = 0, FIRST_TESTS
    while start < len(reaching):
        portion = reaching[start : start + size]
        start, size = start + size, size * GROWTH
        by_program = collections.defaultdict(list)
        for key in portion:
            by_program[key.split(" ", 1)[0]].append(key)
        for name, keys in by_program.items():
            seconds = sum(records[key]["seconds"] for key in keys)
            timeout = GRACE_SECONDS + 10 * seconds
            outcome = run(programs[name], [key.split(" ", 1)[1] for key in keys], fault.number, timeout)
            if outcome.passed:
                continue
            failed = [key for key in keys if key.split(" ", 1)[1] in outcome.failed]
            # If the process ended before it could say which test failed, each is tried alone.
            for key in failed or keys:
                how = confirmed(programs, fault.number, key, records[key]["seconds"])
                if how:
                    return (key, how), len(reaching)
    return None, len(reaching)


def read_noticed():
    """Returns the test of each fault that the last complete run named: lines such as `17 pdn/it play::name`."""
    path = HERE / "noticed.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    pairs = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    return {int(number): key for number, key in pairs}


def update_noticed(faults, known, results):
    """Writes the tests that have noticed faults, and those of faults that this run does not concern."""
    noticed = {number: key for number, key in known.items() if number not in results}
    noticed.update({number: found[0] for number, found in results.items() if found})
    numbers = {fault.number for fault in faults}
    text = "# For each fault of faults.toml, a test that notices it. Written by planted.py --bless.\n"
    text += "".join(f"{number} {key}\n" for number, key in sorted(noticed.items()) if number in numbers)
    (HERE / "noticed.txt").write_text(text)


def summary(faults, results):
    lines = ["", f"{'module':<18} faults noticed"]
    modules = collections.defaultdict(list)
    for fault in faults:
        modules[fault.module].append(results[fault.number] is not None)
    for module in sorted(modules):
        lines.append(f"{module:<18} {len(modules[module]):>6} {sum(modules[module]):>7}")
    total = sum(results[fault.number] is not None for fault in faults)
    lines.append(f"{'all':<18} {len(faults):>6} {total:>7}  ({100 * total / len(faults):.1f} %)")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("numbers", nargs="*", metavar="N", help="a fault, or a range such as 10-19; all if none is given")
    add("--check", action="store_true", help="only check that every fault has its place in the sources")
    add("--known", action="store_true", help="run only the test of noticed.txt for each fault")
    add("--afresh", action="store_true", help="look at every test again; without it, only at new tests")
    add("--bless", action="store_true", help="write noticed.txt")
    add("--seconds", type=float, default=float("inf"), help="leave out tests that take longer than this without a fault")
    add("--jobs", type=int, default=os.cpu_count(), help="test programs that run at the same time")
    options = parser.parse_args()

    faults = read_faults()
    changed_texts(faults)
    if options.check:
        print(f"{len(faults)} faults have their places")
        return
    wanted = set()
    for number in options.numbers:
        first, _, last = number.partition("-")
        wanted.update(range(int(first), int(last or first) + 1))
    chosen = [fault for fault in faults if not wanted or fault.number in wanted]

    WORK.mkdir(parents=True, exist_ok=True)
    make_copy(faults)
    programs = build()
    known = read_noticed()
    listed = (HERE / "faults.toml").read_text()
    is_same_list = (WORK / "list").exists() and (WORK / "list").read_text() == listed
    records = load_json("tests.json") if is_same_list and not options.afresh else {}
    if not options.known:
        records = record(programs, records, options.jobs)
        (WORK / "list").write_text(listed)
    present = {f"{program.name} {name}" for program in programs.values() for name in tests_of(program)}

    def search(fault):
        key = known.get(fault.number)
        if key in present:
            how = confirmed(programs, fault.number, key, records.get(key, {}).get("seconds", 3))
            if how:
                return fault, (key, how), None
        if options.known:
            return fault, None, None
        return fault, *find_noticing(programs, records, fault, options.seconds)

    within = f" within {options.seconds:g} s" if options.seconds < float("inf") else ""
    results = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(search, fault) for fault in chosen]):
            fault, found, reaching = done.result()
            results[fault.number] = found
            if options.bless:
                update_noticed(faults, known, results)
            verdict = f"{found[0]} {found[1]}" if found else "SURVIVED"
            if not found and reaching is not None:
                verdict += f" all {reaching} tests that reach it{within}" if reaching else "; no test reaches it"
            print(f"{fault.number:>4}  {fault.file}:{fault.line}  {fault.what}\n      {verdict}", flush=True)
    print(summary([fault for fault in chosen if fault.number in results], results))
    if any(found is None for found in results.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
