"""The command `pdn` inside the wheel: it does what the program does."""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time

import pytest
from conftest import ARCHIVE, ROOT

MODULE = [sys.executable, "-m", "pdn"]
DAMAGED = ROOT / "tools/cli/tests/data/damaged.pdn"


def run(command, *arguments, **options):
    """Returns the exit code, the output and the messages of a command."""
    done = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, timeout=120, check=False, **options
    )
    return done.returncode, done.stdout, done.stderr


def wait_for(condition):
    """Waits until a condition holds."""
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        [],
        ["--help"],
        ["check", "--colour"],
        ["check", DAMAGED],
        ["check", "--json", DAMAGED],
        ["check", "--color", "always", DAMAGED],
        ["check", "no such file.pdn"],
        ["convert", DAMAGED],
        ["convert", "--json", DAMAGED],
        ["perft", "4"],
        ["explain", "R001"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:2])) or "nothing",
)
def test_module_does_what_the_program_does(arguments, command):
    assert run(MODULE, *arguments) == run([command], *arguments)


def test_program_of_the_wheel_is_installed(command):
    program = shutil.which("pdn", path=sysconfig.get_path("scripts"))
    if program is None:
        pytest.skip("the module is not installed from its wheel")
    assert run([program], "--version") == run([command], "--version")
    assert run([program], "check", DAMAGED) == run([command], "check", DAMAGED)


def test_standard_input_is_read(command):
    for text in (ARCHIVE, b"", DAMAGED.read_bytes()):
        assert run(MODULE, "check", "-", input=text) == run([command], "check", "-", input=text)


def test_arguments_may_be_any_bytes(tmp_path, command):
    path = os.fsencode(tmp_path) + b"/\xff\xe9.pdn"
    with open(path, "wb") as file:
        file.write(ARCHIVE)
    expected = run([command], "stats", os.fsdecode(path))
    assert expected[0] == 0
    assert run(MODULE, "stats", os.fsdecode(path)) == expected


def test_pipe_that_is_closed_early_is_no_error(large):
    process = subprocess.Popen(
        [*MODULE, "check", "--strict", "--format", "json", large], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline().startswith(b"{")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=120) == 0
    process.stderr.close()


def test_closed_standard_streams_receive_nothing(archive, tmp_path):
    out = tmp_path / "out.pdn"
    closed = subprocess.run(
        ["sh", "-c", '"$@" >&- 2>&-', "sh", *MODULE, "convert", archive, "-o", out], timeout=120, check=False
    )
    expected = tmp_path / "expected.pdn"
    code, _, _ = run(MODULE, "convert", archive, "-o", expected)
    assert closed.returncode == code
    assert out.read_bytes() == expected.read_bytes()


def has_handlers(process, *signals):
    """Returns whether a process has handlers of all these signals."""
    with open(f"/proc/{process.pid}/status") as status:
        [caught] = [line.split()[1] for line in status if line.startswith("SigCgt:")]
    return all(int(caught, 16) >> number - 1 & 1 for number in signals)


def interrupted(command, *signals):
    """Runs a command until it has handlers of these signals, and stops it by Ctrl-C."""
    process = subprocess.Popen(
        [*map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    wait_for(lambda: process.poll() is not None or has_handlers(process, *signals))
    assert process.poll() is None, process.stderr.read()
    process.send_signal(signal.SIGINT)
    # Standard input stays open, so the command waits for games until it ends.
    ended = process.wait(timeout=120)
    out, errors = process.stdout.read(), process.stderr.read()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    return ended, out, errors


def test_ctrl_c_ends_a_command_without_files_at_once(command):
    # The handler of SIGBUS is installed when the command begins.
    ended = interrupted([*MODULE, "check", "-"], signal.SIGBUS)
    assert ended == (-signal.SIGINT, b"", b"")
    assert ended == interrupted([command, "check", "-"], signal.SIGBUS)


def test_ctrl_c_leaves_no_half_file(tmp_path, command):
    results = []
    for number, program in enumerate([MODULE, [command]]):
        folder = tmp_path / str(number)
        folder.mkdir()
        # The command handles SIGTERM, too, as soon as there is a file to remove.
        arguments = [*program, "convert", "-", "-o", folder / "out.pdn"]
        results.append(interrupted(arguments, signal.SIGINT, signal.SIGTERM))
        assert os.listdir(folder) == []
    assert results[0] == results[1]
    assert results[0][0] == 130


def test_import_loads_nothing_of_the_command():
    code = (
        "import sys; import pdn;"
        "print(*sorted({'json', 'polars', 'pdn.__main__', 'pdn.types', 'tempfile'} & set(sys.modules)))"
    )
    assert run([sys.executable, "-c", code]) == (0, b"\n", b"")
