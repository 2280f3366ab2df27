"""Other processes: what is pickled for them, and what a copy of the process may not do."""

import io
import multiprocessing
import pickle
import subprocess
import sys

import pyarrow
import pytest
from conftest import ARCHIVE

import pdn

TABLES = [pdn.games, pdn.moves, pdn.positions, pdn.comments, pdn.diagnostics]


def copied(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("make", TABLES)
def test_pickled_table_gives_the_same_rows(make, archive, tmp_path):
    index = pdn.index(archive, tmp_path / "games.idx")
    part = pdn.split_points(archive, 2)[0]
    for source in [archive, ARCHIVE, io.BytesIO(ARCHIVE), [archive, ARCHIVE], index, part, pdn.open(archive)]:
        for options in [{}, {"where": "white : ames", "strings": "plain"}, {"variant": "russian", "threads": 1}]:
            table = make(source, **options)
            assert pyarrow.table(copied(table)).equals(pyarrow.table(table))
            assert repr(copied(table)) == repr(table)
    limited = make(archive).select(["record"]).limit(1)
    assert pyarrow.table(copied(limited)).to_pydict() == pyarrow.table(limited).to_pydict()
    assert copied(limited).count() == 1


def test_pickled_archive_has_the_same_games(archive):
    for opened in [pdn.open(archive), pdn.open(ARCHIVE, variant="russian"), pdn.open([archive, io.BytesIO(ARCHIVE)])]:
        other = copied(opened)
        assert [(game.white, game.variant, game.record) for game in other] == [
            (game.white, game.variant, game.record) for game in opened
        ]
        assert (other.files, repr(other)) == (opened.files, repr(opened))


def test_pickled_games_hits_and_moves_are_the_same(archive, tmp_path):
    cyrillic = '[White "\u0418\u0432\u0430\u043d\u043e\u0432"] 1. c3-d4 b6-a5 *\n[White "b"] 1. c3-d4 d6-c5 *'.encode("cp866") * 3
    index = pdn.index(archive, tmp_path / "games.idx")
    for games in [pdn.open(archive), pdn.open(cyrillic), pdn.open(cyrillic, variant="russian"), index]:
        for game in games:
            other = copied(game)
            for name in ["white", "moves", "file", "record", "offset", "raw", "variant", "status", "plies", "game"]:
                assert getattr(other, name) == getattr(game, name), name
            assert [move for _, move in other.replay()] == [move for _, move in game.replay()]
    for hit in index.find("wm = 19"):
        other = copied(hit)
        assert (other.game.white, other.ply, other.position) == (hit.game.white, hit.ply, hit.position)
    for move in pdn.Position(fen="W:W27,K46:B21,22,12").legal_moves() + pdn.Position("russian").legal_moves():
        assert copied(move) == move
    assert [copied(found) for found in pdn.check(archive)] == list(pdn.check(archive))


def white(game):
    return game.white


def rows(table):
    return pyarrow.table(table).num_rows


def test_pool_takes_games_and_tables(archive):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(white, pdn.open(archive)) == ["Ames, Ann", "Cole", "Evans"]
        assert pool.map(rows, [pdn.games(archive), pdn.moves(archive)]) == [3, 14]


@pytest.mark.parametrize(
    "begin",
    ["iter(pdn.moves(sys.argv[1]))", "iter(pdn.games(sys.argv[1], where='wm >= 0'))", "iter(pdn.open(sys.argv[1]))", "pdn.check(sys.argv[1])"],
)
def test_child_after_fork_refuses_an_iterator_that_was_begun(begin, large):
    """It used to wait for threads that it does not have, or to take games away from its parent."""
    code = f"""
import os, pdn, sys, warnings
warnings.simplefilter("ignore")
begun = {begin}
next(begun)
child = os.fork()
if child == 0:
    try:
        for _ in begun:
            pass
        os._exit(1)
    except pdn.Error as error:
        os._exit(0 if "fork" in str(error) else 2)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(status, sum(1 for _ in begun) > 0)
"""
    done = subprocess.run([sys.executable, "-c", code, large], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("0 True\n", "")
