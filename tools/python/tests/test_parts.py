"""Parts of files, which join to the whole."""

import gzip
import multiprocessing
import os
import pickle
import random
import warnings
import zipfile

import pyarrow
import pytest
from conftest import ARCHIVE

import pdn

TABLES = {"games": pdn.games, "moves": pdn.moves, "positions": pdn.positions, "diagnostics": pdn.diagnostics}


def rows(table):
    return pyarrow.table(table).to_pylist()


def count(part):
    return pyarrow.table(pdn.games(part, columns=["record"])).num_rows


@pytest.mark.parametrize("n", [1, 2, 8, 100_000])
@pytest.mark.parametrize("mmap", [False, True])
def test_parts_join_to_the_whole(tmp_path, n, mmap):
    path = tmp_path / "games.pdn"
    path.write_bytes(b"\n".join([ARCHIVE] * 150))
    parts = pdn.split_points(path, n)
    assert len(parts) == min(n, 450)
    assert parts[0].start == 0 and parts[-1].end == (None if n == 1 else path.stat().st_size)
    assert all(one.end == other.start for one, other in zip(parts, parts[1:], strict=False))
    # Each part of many reads the file.
    for name in TABLES if n < 100 else ["diagnostics"]:
        joined = [row for part in parts for row in rows(TABLES[name](part, strings="plain", mmap=mmap))]
        assert joined == rows(TABLES[name](path, strings="plain", mmap=mmap)), name


def test_a_list_of_parts_is_the_whole(large):
    parts = pdn.split_points(large, 3)
    assert rows(pdn.diagnostics(parts)) == rows(pdn.diagnostics(large))
    assert [game.record for game in pdn.open(parts[1:])][0] == parts[1].record


def test_untagged_games_of_a_part_have_the_variant_of_the_file(tmp_path):
    path = tmp_path / "english.pdn"
    # Alone, the second game fits several variants.
    path.write_text("1. 11-15 23-19 2. 8-11 22-17 *\n" * 50 + '[White "a"] 1. 9-13 *\n')
    last = pdn.split_points(path, 1_000)[-1]
    assert [game.variant for game in pdn.open(last)] == ["english"]
    assert rows(pdn.games(last, columns=["variant"])) == [{"variant": "english"}]


def test_parts_are_sent_to_other_processes(large):
    parts = pdn.split_points(large, 4)
    assert [pickle.loads(pickle.dumps(part)) for part in parts] == parts
    assert len(set(parts)) == 4
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert sum(pool.map(count, parts)) == count(large)


def test_files_share_the_parts_by_length(tmp_path, archive):
    large = tmp_path / "large.pdn"
    large.write_bytes(b"\n".join([ARCHIVE] * 50))
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as target:
        target.writestr("a.pdn", ARCHIVE)
        target.writestr("b.pdn", ARCHIVE)
    parts = pdn.split_points([archive, large, packed], 10)
    assert [part.files for part in parts].count([str(archive)]) == 1
    assert [part.files for part in parts].count([str(large)]) >= 8
    assert (parts[-1].files, parts[-1].end) == ([str(packed)], None)
    # The parts keep the order of the files; `file` names the entries of the zip.
    assert rows(pdn.games(parts)) == rows(pdn.games([archive, large, packed]))


@pytest.mark.parametrize("n", [1, 3, 7, 300])
def test_small_files_share_parts(tmp_path, n):
    for number in range(300):
        (tmp_path / f"{number:03}.pdn").write_bytes(ARCHIVE * (number % 5 + 1))
    (tmp_path / "100.pdn").write_bytes(ARCHIVE * 200)
    parts = pdn.split_points(tmp_path, n)
    assert n // 2 <= len(parts) <= 2 * n
    assert [pickle.loads(pickle.dumps(part)) for part in parts] == parts
    files = [file for part in parts for file in part.files]
    assert list(dict.fromkeys(files)) == sorted(str(path) for path in tmp_path.iterdir())
    joined = [row for part in parts for row in rows(pdn.games(part))]
    assert joined == rows(pdn.games(tmp_path))
    if n == 3:
        assert "and" in repr(parts[0]) and "more" in repr(parts[0])


def test_bad_file_of_a_shared_part_is_left_out_as_elsewhere(tmp_path):
    (tmp_path / "a.pdn").write_bytes(ARCHIVE)
    (tmp_path / "b.pdn.gz").write_bytes(b"\x1f\x8b no gzip")
    (tmp_path / "c.pdn").write_bytes(ARCHIVE)
    [part] = pdn.split_points(tmp_path, 1)
    assert len(part.files) == 3
    with pytest.warns(pdn.IncompleteWarning, match="b.pdn.gz"):
        assert len(rows(pdn.games(part))) == 6
    with pytest.raises(Exception, match="b.pdn.gz"):
        rows(pdn.games(part, errors="raise"))


def test_files_of_any_length_join_to_the_whole(tmp_path):
    """`PDN_SEED` chooses other files."""
    seed = int(os.environ.get("PDN_SEED", "0"))
    chance = random.Random(seed)
    for round in range(10):
        folder = tmp_path / str(round)
        folder.mkdir()
        for number in range(chance.randint(1, 9)):
            text = ARCHIVE * chance.choice([0, 1, 1, 2, 5, 40])
            if chance.random() < 0.2:
                (folder / f"{number}.pdn.gz").write_bytes(gzip.compress(text))
            else:
                (folder / f"{number}.pdn").write_bytes(text)
        parts = pdn.split_points(folder, chance.choice([1, 2, 3, 5, 8, 20, 1_000]))
        for name in ["games", "diagnostics"]:
            joined = [row for part in parts for row in rows(TABLES[name](part, strings="plain"))]
            assert joined == rows(TABLES[name](folder, strings="plain")), (seed, name)


def test_what_is_left_out_is_that_of_the_whole(tmp_path):
    (tmp_path / "a.pdn").write_bytes(ARCHIVE)
    (tmp_path / "b.pdn.gz").write_bytes(gzip.compress(ARCHIVE * 9)[:-30])
    (tmp_path / "c.pdn").symlink_to(tmp_path / "nowhere.pdn")
    (tmp_path / "d.pdn").write_bytes(ARCHIVE * 40)
    (tmp_path / "e.pdn").write_bytes(bytes(range(256)) * 40)
    whole = pdn.games(tmp_path, strings="plain")
    with pytest.warns(pdn.IncompleteWarning):
        wanted = rows(whole)
    assert len(whole.skipped) == 3
    for n in [1, 2, 5, 100]:
        # The dead link is in no part.
        with pytest.warns(pdn.IncompleteWarning, match="c.pdn") as told:
            parts = pdn.split_points(tmp_path, n)
        joined, skipped = [], [str(error) for error in whole.skipped if "c.pdn" in str(error)]
        assert len(told) == len(skipped) == 1
        for part in parts:
            table = pdn.games(pickle.loads(pickle.dumps(part)), strings="plain")
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                joined += rows(table)
            assert bool(caught) == bool(table.skipped)
            skipped += map(str, table.skipped)
        assert (joined, sorted(skipped)) == (wanted, sorted(map(str, whole.skipped)))


def test_wrong_parts_are_errors(archive, tmp_path):
    with pytest.raises(pdn.Error, match="only a file has parts"):
        pdn.split_points(ARCHIVE, 2)
    with pytest.raises(pdn.Error, match="at least 1"):
        pdn.split_points(archive, 0)
    with pytest.raises(pdn.Error, match="at least one"):
        pdn.Part([])
    with pytest.raises(FileNotFoundError):
        pdn.split_points(tmp_path / "none.pdn", 2)
    with pytest.raises(pdn.Error, match="parts of files"):
        pdn.index(pdn.split_points(archive, 2), tmp_path / "index")
    [part] = pdn.split_points(archive, 1)
    archive.write_bytes(ARCHIVE + b"*\n")
    with pytest.raises(Exception, match="has changed since its parts were found"):
        pyarrow.table(pdn.games(part))
