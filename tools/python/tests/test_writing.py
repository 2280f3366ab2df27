"""`pdn.convert`, `pdn.fix` and `pdn.dedup`."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import typing

import pytest
from conftest import ARCHIVE

import pdn
import pdn.types

DAMAGED = (
    b'[White "Ames"]\n[Date "2003-5-1"]\n\n1. 32-28 19-23 *\n\n'
    b'[White "Bell"]\n[GameType "20"]\n[Date "2003-6-1"]\n\n1. 32-27 19-23 2. 37-32 *\n'
)
COPY = b'[White "Ames"]\n[Black "Bell"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n'


@pytest.fixture
def damaged(tmp_path):
    path = tmp_path / "damaged.pdn"
    path.write_bytes(DAMAGED)
    return path


def printed(command, *arguments):
    """Returns the lines of JSON that the program prints."""
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, timeout=120, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


# The results


def check_type(value, expected, place="result"):
    """Checks that a value has exactly the keys and types of a dictionary of `pdn.types`."""
    origin, arguments = typing.get_origin(expected), typing.get_args(expected)
    if typing.is_typeddict(expected):
        keys = typing.get_type_hints(expected)
        assert set(value) <= set(keys), place
        assert set(value) >= expected.__required_keys__, place
        for key, item in value.items():
            check_type(item, keys[key], f"{place}[{key!r}]")
    elif origin is list:
        for number, item in enumerate(value):
            check_type(item, arguments[0], f"{place}[{number}]")
    elif origin is dict:
        for key, item in value.items():
            check_type(item, arguments[1], f"{place}[{key!r}]")
    elif origin is typing.Literal:
        assert value in arguments, place
    elif origin is not None:
        present = [each for each in arguments if each is not type(None)]
        if value is not None:
            check_type(value, present[0], place)
    else:
        assert type(value) is expected, f"{place}: {value!r} is no {expected}"


def test_results_have_the_declared_keys_and_types(damaged, tmp_path):
    output, rejects, others = (tmp_path / name for name in ("out.pdn", "bad.pdn", "others.pdn"))
    converted = pdn.convert([damaged, COPY], output, rejects=rejects, others=others, limit=1, fix=True)
    check_type(converted, pdn.types.ConvertResult)
    assert len(converted["files"]) == 1 and converted["rejects"] and converted["others"]
    check_type(pdn.convert(COPY), pdn.types.ConvertResult)
    wrong_square = b'[GameType "20"]\n\n1. 32-28 19-24 2. 28-32 20-25 3. 37-32 14-20 *\n'
    found = pdn.fix([DAMAGED, wrong_square])
    check_type(found, pdn.types.FixResult)
    assert len(found["repairs"]) > 1
    repaired = pdn.fix(damaged, write=True)
    check_type(repaired, pdn.types.FixResult)
    [journal] = repaired["summary"]["journals"]
    check_type(pdn.fix(undo=journal), pdn.types.UndoResult)
    path = tmp_path / "copies.pdn"
    path.write_bytes(COPY * 2)
    index = pdn.index(path, tmp_path / "copies.idx")
    groups = pdn.dedup(index, explain=True)
    check_type(groups, pdn.types.DedupResult)
    assert groups["groups"][0]["others"][0]["game"] == 2
    known = pdn.dedup(path, against=index)
    check_type(known, pdn.types.DedupResult)
    assert known["groups"][0]["keeper"]["known"] is True


def test_results_are_those_of_the_command(damaged, tmp_path, command):
    out, other = tmp_path / "out.pdn", tmp_path / "other.pdn"
    [expected] = printed(command, "convert", "--json", damaged, "--fix", "--strip=comments,nags", "-o", out)
    result = pdn.convert(damaged, other, fix=True, strip=["comments", "nags"])
    assert result.pop("messages") == []
    assert result.pop("files") == [{"file": str(other), "games": 2}]
    assert expected.pop("files") == [{"file": str(out), "games": 2}]
    assert result == expected
    assert other.read_bytes() == out.read_bytes()
    *repairs, last = printed(command, "fix", "--json", "--unsafe", "--select=T", damaged)
    assert pdn.fix(damaged, unsafe=True, select="T") == {"repairs": repairs, **last, "messages": []}
    out.write_bytes(COPY * 3)
    *groups, last = printed(command, "dedup", "--json", "--explain", "--keep=last", out)
    assert groups
    assert pdn.dedup(out, explain=True, keep="last") == {"groups": groups, **last, "messages": []}


# What is written


def test_convert_selects_sorts_and_divides(archive, tmp_path):
    result = pdn.convert(archive, where="white : cole or white : ames", sort=["-white"])
    assert [game.white for game in pdn.open(result["text"].encode())] == ["Cole", "Ames, Ann"]
    assert (result["written"], result["left_out_by"]["filter"]) == (2, 1)
    result = pdn.convert(archive, tmp_path / "parts", split=["variant"])
    assert sorted(os.listdir(tmp_path / "parts")) == sorted(os.path.basename(f["file"]) for f in result["files"])
    assert len(result["files"]) == 2
    # A condition on positions takes an index, which is made for this call.
    result = pdn.convert(archive, where="wm = 20 and bm = 19", program="lidraughts", width=60)
    assert [game.white for game in pdn.open(result["text"].encode())] == ["Ames, Ann"]
    game = b'[GameType "20"] [FEN "W:W32:B19"] 1. 32-28 19-23 (1... 19-24) 2. 28x19 *'
    result = pdn.convert(game, variations_as_games=True, notation="hub", fen_style="hub")
    assert (result["read"], result["variations"], result["written"]) == (1, 1, 2)
    first, second = pdn.open(result["text"].encode())
    assert (first.tags["Line"], second.tags["Line"]) == ("0", "1")
    assert first.tags["FEN"] == "W" + "e" * 18 + "b" + "e" * 12 + "w" + "e" * 18
    assert "1. 32-28 19-23 2. 28x19x23 *" in result["text"]
    assert pdn.convert(archive, limit=0)["written"] == pdn.convert(archive)["written"]
    assert pdn.convert(b"")["text"] == ""


def test_index_is_converted_and_compared(archive, tmp_path):
    index = pdn.index(archive, tmp_path / "games.idx", embed=True)
    assert pdn.convert(index)["text"] == pdn.convert(archive)["text"]
    assert pdn.dedup(index)["summary"] == pdn.dedup(archive)["summary"]


def test_files_that_exist_stay_unless_told_otherwise(archive, tmp_path):
    out = tmp_path / "out.pdn"
    calls = [
        lambda **options: pdn.convert(archive, out, **options),
        lambda **options: pdn.convert(archive, tmp_path / "new.pdn", rejects=out, **options),
        lambda **options: pdn.dedup(archive, output=out, **options),
        lambda **options: pdn.dedup(archive, duplicates=out, **options),
    ]
    for call in calls:
        out.write_bytes(b"old")
        with pytest.raises(pdn.Error, match=r"exists already\n  `overwrite=True` replaces it") as caught:
            call()
        assert caught.value.path == str(out)
        assert out.read_bytes() == b"old"
        assert not (tmp_path / "new.pdn").exists()
        call(overwrite=True)
        assert out.read_bytes() != b"old"
        (tmp_path / "new.pdn").unlink(missing_ok=True)
    before = archive.read_bytes()
    for call in (pdn.convert, lambda source, out, **options: pdn.dedup(source, output=out, **options)):
        with pytest.raises(pdn.Error, match="input|archives that are read"):
            call(archive, archive, overwrite=True)
    assert archive.read_bytes() == before


def test_fix_writes_only_when_told_and_takes_changes_back(damaged):
    found = pdn.fix(damaged)
    assert damaged.read_bytes() == DAMAGED
    assert (found["summary"]["applied"], found["summary"]["journals"]) == (2, [])
    first = found["repairs"][0]
    assert (first["file"], first["record"], first["code"]) == (str(damaged), 1, "T025")
    [edit] = first["edits"]
    assert DAMAGED[edit["at"] :].startswith(edit["old"].encode())
    written = pdn.fix(damaged, write=True)
    assert written["repairs"] == found["repairs"]
    assert damaged.read_bytes() == DAMAGED.replace(b"2003-5-1", b"2003.05.01").replace(b"2003-6-1", b"2003.06.01")
    [journal] = written["summary"]["journals"]
    assert pdn.fix(undo=journal) == {"file": str(damaged), "changes": 2}
    assert damaged.read_bytes() == DAMAGED
    with pytest.raises(pdn.Error, match="already undone") as caught:
        pdn.fix(undo=journal)
    assert caught.value.path is not None


def test_bytes_are_repaired_in_memory(damaged):
    result = pdn.fix(DAMAGED, write=True)
    assert result["data"] == DAMAGED.replace(b"2003-5-1", b"2003.05.01").replace(b"2003-6-1", b"2003.06.01")
    assert {repair["file"] for repair in result["repairs"]} == {"<bytes>"}
    assert result["summary"]["journals"] == []
    assert "data" not in pdn.fix(DAMAGED)
    with pytest.raises(pdn.Error, match="write: files, or one text"):
        pdn.fix([damaged, DAMAGED], write=True)
    assert damaged.read_bytes() == DAMAGED


def test_copies_are_found_and_left_out(tmp_path):
    kept, removed = tmp_path / "kept.pdn", tmp_path / "removed.pdn"
    result = pdn.dedup(ARCHIVE + b"\n" + ARCHIVE, output=kept, duplicates=removed)
    assert (result["summary"]["kept"], result["summary"]["removed"]) == (3, 3)
    assert [group["keeper"]["file"] for group in result["groups"]] == ["<bytes>"] * 3
    for path in (kept, removed):
        assert [game.white for game in pdn.open(path)] == ["Ames, Ann", "Cole", "Evans"]
    assert len(pdn.dedup(ARCHIVE + b"\n" + ARCHIVE, limit=1)["groups"]) == 1


# Errors


def test_wrong_arguments_of_writing_are_refused(archive, tmp_path):
    with pytest.raises(pdn.MissingFileError) as missing:
        pdn.convert(tmp_path / "none.pdn", tmp_path / "out.pdn")
    assert missing.value.path == str(tmp_path / "none.pdn")
    with pytest.raises(pdn.Error, match="where: expected") as wrong:
        pdn.convert(archive, where="white wiersma")
    assert wrong.value.at == 6
    with pytest.raises(pdn.Error, match=r"sort: `colour`: expected date, event"):
        pdn.convert(archive, sort="colour")
    with pytest.raises(pdn.Error, match="sort: cannot be used together with `shuffle`"):
        pdn.convert(archive, sort="date", shuffle=1)
    with pytest.raises(pdn.Error, match=r"rejects: .*is another output, too\n  `output` names the same file"):
        pdn.convert(archive, tmp_path / "out.pdn", rejects=tmp_path / "out.pdn")
    with pytest.raises(pdn.Error, match="nothing matches both"):
        pdn.convert(archive, where="plies < 2 and plies > 3")
    with pytest.raises(pdn.Error, match="begins no diagnostic code"):
        pdn.fix(archive, select=["X9"])
    with pytest.raises(pdn.Error, match="classes"):
        pdn.dedup(archive, classes=[])
    with pytest.raises(pdn.Error, match="not an index"):
        pdn.dedup(archive, against=tmp_path)
    with pytest.raises(pdn.Error, match="encoding"):
        pdn.fix(archive, encoding="klingon")
    with pytest.raises(pdn.Error, match="threads"):
        pdn.dedup(archive, threads=0)
    with pytest.raises(pdn.Error, match="standard input"):
        pdn.convert("-")
    with pytest.raises(TypeError, match="undo is given alone"):
        pdn.fix(archive, undo=tmp_path / "journal")
    with pytest.raises(TypeError, match="an archive is needed"):
        pdn.fix()
    with pytest.raises(pdn.Error, match="whole files"):
        pdn.convert(pdn.split_points(archive, 2)[0])
    with pytest.raises(pdn.MissingFileError):
        pdn.fix(undo=tmp_path / "none.undo")
    assert sorted(os.listdir(tmp_path)) == ["games.pdn"]


def test_file_that_cannot_be_read_is_an_error_with_the_result(archive, tmp_path):
    import gzip

    packed = gzip.compress(ARCHIVE * 100)
    cut = tmp_path / "cut.pdn.gz"
    cut.write_bytes(packed[: len(packed) // 2])
    out = tmp_path / "out.pdn"
    with pytest.raises(pdn.Error, match="damaged gzip data") as caught:
        pdn.convert([archive, cut], out)
    assert caught.value.path == str(cut)
    assert caught.value.result["complete"] is False
    assert caught.value.result["written"] == len(list(pdn.open(out))) >= 2


def test_remarks_about_inputs_are_messages(tmp_path):
    empty = tmp_path / "empty.pdn"
    empty.write_bytes(b"")
    assert pdn.fix(empty)["messages"] == [f"{empty}: is empty"]
    assert pdn.fix(b"")["messages"] == ["<bytes>: is empty"]


@pytest.mark.parametrize(
    "code",
    [
        "pdn.convert([sys.argv[1]] * 500, sys.argv[2])",
        "pdn.convert([sys.argv[1]] * 500, sys.argv[2], sort='white')",
        "pdn.convert([sys.argv[1]] * 500, sys.argv[2], where='wk = 0')",
        "pdn.fix([sys.argv[1]] * 500)",
        "pdn.dedup([sys.argv[1]] * 500, output=sys.argv[2])",
    ],
)
def test_ctrl_c_stops_writing_and_leaves_no_file(code, large, tmp_path):
    folder = tmp_path / "output"
    folder.mkdir()
    program = f"import pdn, sys\nprint('ready', flush=True)\n{code}\nprint('done')"
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(large), str(folder / "out.pdn")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout.readline() == "ready\n"
    # The command has begun when it has a second thread.
    deadline = time.monotonic() + 120
    while len(os.listdir(f"/proc/{process.pid}/task")) < 2:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    assert out == ""
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    assert os.listdir(folder) == []
    assert os.listdir(tmp_path) == ["output"]


def test_interpreter_runs_on_while_games_are_written(large):
    counted, stop = 0, threading.Event()

    def count():
        nonlocal counted
        while not stop.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    pdn.convert([large] * 3)
    after = counted
    stop.set()
    thread.join()
    assert after > before


def test_calls_on_several_threads_do_not_disturb_each_other(tmp_path):
    texts = {name: b'[White "%s"]\n\n1. 32-28 19-23 *\n\n' % name.encode() * 50 for name in ("Ames", "Bell", "Cole")}
    results, failures = {}, []

    def work(name):
        try:
            results[name] = pdn.convert(texts[name])["text"]
            with pytest.raises(pdn.Error, match=name):
                pdn.convert(texts[name], sort=name)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(name,)) for name in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for name, text in results.items():
        assert {game.white for game in pdn.open(text.encode())} == {name}


def test_values_of_another_type_are_refused_by_the_name_of_their_argument():
    with pytest.raises(TypeError, match="limit"):
        pdn.convert(b"1. 32-28 *", limit=2.0)
    with pytest.raises(TypeError, match="variant"):
        pdn.convert(b"1. 32-28 *", variant=3)
