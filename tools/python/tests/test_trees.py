"""Games as trees with comments, variations and clocks, and games made in Python."""

import pyarrow
import pytest
from conftest import ARCHIVE

import pdn

GAME = b"""[White "Ames"] [GameType "20"]
{before} 1. 32-28! $3 {[%clk w0:59:30] [%eval 0.12] a} {b} 19-23 (1... 19-24 {quiet} (17-22 2. 28x17) 2. 37-32) 2. 28x19 14x23 *
"""


def test_tree_has_what_is_written_about_moves():
    [game] = pdn.open(GAME)
    root = game.tree()
    assert (root.comments, root.move, root.ply, root.position) == (["before"], None, 0, game.start)
    first = root.next()
    assert (first.move.text, first.strength, first.nags, first.comments) == ("32-28", "!", [3], ["[%clk w0:59:30] [%eval 0.12] a", "b"])
    assert (first.clock(), first.eval(), first.ply) == (3570.0, 12, 1)
    assert [node.move.text for node in first.variations] == ["19-23", "19-24", "17-22"]
    assert [node.text for node in root.mainline()] == game.moves
    aside = first.variations[1]
    assert (aside.comment, aside.parent, [node.text for node in aside.mainline()]) == ("quiet", first, ["37-32"])
    assert [node.text for node in first.variations[2].mainline()] == ["28x17"]
    assert list(root.mainline())[-1].position == game.last
    assert game.comments == ["before", "[%clk w0:59:30] [%eval 0.12] a", "b", "quiet"]
    assert print_of(game) == game.text


def print_of(value):
    return f"{value}"


def test_trees_have_the_moves_of_the_table(tmp_path, archive):
    index = pdn.index(archive, tmp_path / "games.idx")
    for games, source in [(pdn.open(archive), archive), (index, index)]:
        rows = pyarrow.table(pdn.moves(source, columns=["record", "key", "clock_ms", "nags"])).to_pylist()
        for game in games:
            found, nodes = [], [game.tree()]
            while nodes:
                node = nodes.pop()
                nodes += node.variations
                if node.move is not None:
                    clock = node.clock()
                    found.append((node.move.before.key, None if clock is None else int(clock * 1000), node.nags or None))
            own = [(row["key"], row["clock_ms"], row["nags"]) for row in rows if row["record"] == game.record]
            assert sorted(found, key=repr) == sorted(own, key=repr)


def test_made_games_are_read_back():
    for made in [pdn.open(GAME), pdn.open(ARCHIVE)]:
        for game in made:
            root = game.tree()
            again = pdn.new_game(root, tags={"White": 'a "b" \\ c'}, result="1-1")
            assert (again.white, again.winner, again.variant) == ('a "b" \\ c', "draw", game.variant)
            assert lines(again.tree()) == lines(root)
            assert not list(again.diagnostics())


def lines(node):
    found, nodes = [], [node]
    while nodes:
        node = nodes.pop()
        nodes += node.variations
        found.append((node.move and node.move.text, node.comment, node.nags, node.clock(), len(node.variations)))
    return found


def test_games_are_made_of_moves():
    start = pdn.Position("russian", fen="W:Wc3,Ke1:Bf6,h8")
    game = pdn.new_game(["c3-d4", start.play("c3-d4").legal_moves()[0]], start=start, tags={"Event": "Study"}, result="2-0")
    assert (game.variant, len(game.moves), game.event, game.start) == ("russian", 2, "Study", start)
    assert pdn.new_game().moves == []
    with pytest.raises(pdn.Error, match="32-22"):
        pdn.new_game(["32-22"])
    with pytest.raises(pdn.Error, match="not a legal move here"):
        pdn.new_game([pdn.Position("english").legal_moves()[0]])
    root = pdn.Node()
    root.add("32-28", comment="a } b", nags=[1]).add("19-23")
    root.add("31-26")
    assert f"{root}" == "1. 32-28 $1 {a ) b} (1. 31-26) 1... 19-23"
    assert pdn.new_game(root).tree().variations[1].text == "31-26"
