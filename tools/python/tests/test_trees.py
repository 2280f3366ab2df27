"""Games as trees with comments, variations and clocks, and games made in Python."""

import copy
import os
import pickle
import random

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
        rows = pyarrow.table(pdn.moves(source, columns=["record", "key", "clock_ms", "emt_ms", "nags"])).to_pylist()
        for game in games:
            found, nodes = [], [game.tree()]
            while nodes:
                node = nodes.pop()
                nodes += node.variations
                if node.move is not None:
                    times = [None if time is None else int(time * 1000) for time in (node.clock(), node.emt())]
                    found.append((node.move.before.key, *times, node.nags or None))
            own = [(row["key"], row["clock_ms"], row["emt_ms"], row["nags"]) for row in rows if row["record"] == game.record]
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
        # What follows the last move that can be played is read back as a comment.
        found.append((node.move and node.move.text, f"{node.comment} {node.rest}".strip(), node.nags, node.clock(), len(node.variations)))
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


def test_moves_make_the_game_that_nodes_make():
    for variant in pdn.variants():
        root = node = pdn.Node(pdn.Position(variant))
        choose = random.Random(f"{os.environ.get('PDN_SEED', '0')} {variant}")
        while node.ply < 60 and (legal := node.position.legal_moves()):
            node = node.add(choose.choice(legal))
        expected = pdn.new_game(root).text
        assert len(pdn.new_game(root).moves) == node.ply
        mixed = (one.text if one.ply % 3 else one.move for one in root.mainline())
        assert pdn.new_game(mixed, variant=variant).text == expected
    with pytest.raises(TypeError, match="not int"):
        pdn.new_game([1])


def test_commands_of_added_comments_are_read():
    node = pdn.Node().add("32-28", comment="[%clock w0:59:30 B0:58:00] [%emt 0:00:03.5]")
    assert (node.clock(), node.emt(), node.eval()) == (3570.0, 3.5, None)
    node.comments.append("%eval -0.35")
    assert node.eval() == -35
    reply = node.add("19-23", comment="[%clock w0:59:30 B0:58:00]")
    assert (reply.clock(), reply.emt()) == (3480.0, None)


def test_times_of_two_numbers_are_read_by_all_times_of_the_game():
    for more, expected in (("", (4800.0, 300.0)), (" (19-24 {[%emt 7]})", (80.0, 5.0))):
        [game] = pdn.open(f"1. 32-28 {{[%clk 1:20] [%emt 0:05]}} 19-23{more} *".encode())
        node = game.tree().next()
        assert (node.clock(), node.emt()) == expected
    assert pdn.Node().add("32-28", comment="[%emt 12.5]").emt() == 12.5


def test_comments_of_moves_that_are_not_played_are_not_those_of_the_last_move():
    [game] = pdn.open(b"1. 32-28 19-23 {played} 2. 33-29 {not played [%clk 0:00:09]} *")
    last = game.tree().end()
    assert (last.text, last.comment, last.clock()) == ("19-23", "played", None)


CYCLE = ["46-41", "3-9", "41-46", "9-3"] * 2


def test_repetitions_and_draws_are_known_in_replays_and_trees():
    start = pdn.Position(fen="W:WK46,40:BK3,11")
    game = pdn.new_game(CYCLE, start=start)
    replay = game.replay()
    assert replay.occurrences == [1, 1, 1, 1, 2, 2, 2, 2, 3]
    assert replay.draws == [None] * 8 + ["repetition"]
    assert (replay.is_repetition(), replay.is_repetition(4)) == (True, False)
    nodes = [game.tree(), *game.tree().mainline()]
    assert [node.occurrences for node in nodes] == replay.occurrences
    assert [node.draw for node in nodes] == replay.draws
    assert (nodes[-1].is_repetition(), nodes[-2].is_repetition(2), nodes[-2].is_repetition()) == (True, True, False)
    # A variation has the history of its own moves.
    aside = nodes[-2].add("40-34" if nodes[-2].position.turn == "white" else "11-16")
    assert (aside.occurrences, aside.draw) == (1, None)


@pytest.mark.parametrize(
    ("variant", "fen", "moves", "draw"),
    [
        ("turkish", "W:WK1:BK64", ["1-2"], "one_against_one"),
        # Five moves each with one king against one; English draughts has no such rule.
        ("international", "W:WK46:BK1", ["46-41", "1-7", "41-36", "7-1", "36-31", "1-12", "31-36", "12-17", "36-47", "17-6"], "lone_king"),
        ("english", "W:WK32:BK1", ["32-28", "1-6", "28-24", "6-10", "24-19", "10-6", "19-23", "6-2", "23-19", "2-7"], None),
    ],
)
def test_draws_are_those_of_the_variant(variant, fen, moves, draw):
    game = pdn.new_game(moves, start=pdn.Position(variant, fen))
    assert game.replay().draws == [None] * len(moves) + [draw]


def test_quiet_moves_of_kings_alone_draw_after_twenty_five_each():
    start = pdn.Position(fen="W:WK46,K47,K48:BK5,K4,K3")
    node, seen = pdn.Node(start), {start.key: 1}
    while node.draw is None:
        # No position occurs a third time, and nothing is captured.
        for move in node.position.legal_moves():
            after = move.after
            if seen.get(after.key, 0) < 2 and not any(reply.is_capture for reply in after.legal_moves()):
                seen[after.key] = seen.get(after.key, 0) + 1
                node = node.add(move)
                break
    assert (node.ply, node.draw) == (50, "quiet_plies")


def test_setup_in_the_movetext_begins_a_new_count():
    [game] = pdn.open(b"1. 32-28 19-23 /FEN \"W:WK46,40:BK3,11\"/ 2. 46-41 3-9 3. 41-46 9-3 *")
    replay = game.replay()
    assert replay.occurrences[-1] == 2 and set(replay.draws) == {None}


def test_game_of_a_position_takes_moves_and_is_read_back():
    for start in [pdn.Position("russian", "W:Wc3,Ke1:Bf6,h8"), pdn.Position("20,W,10,10,N1,0"), pdn.Position("frisian").play("31-27")]:
        tree = pdn.Game.from_board(start)
        tree.tags["White"] = "Ames"
        first = tree.add(start.legal_moves()[0], comment="[%clk 0:59:30] best", nags=[1])
        first.add(first.position.legal_moves()[0])
        tree.add(start.legal_moves()[-1], comment="worse")
        game = tree.game()
        assert print_of(tree) == game.text.strip()
        [again] = pdn.open(game.text.encode())
        assert (again.start, again.variant, again.status, again.white) == (start, start.variant, "legal", "Ames")
        assert again.tags["GameType"] == start.game_type
        assert ("FEN" in again.tags, again.tags.get("SetUp")) == ((True, "1") if start.fen != pdn.Position(start.game_type).fen else (False, None))
        assert lines(again.tree()) == lines(tree)


def test_tree_of_a_game_keeps_its_tags():
    [game] = pdn.open(GAME.replace(b" *", b" 2-0"))
    tree = game.tree()
    assert tree.tags["White"] == "Ames" and tree.tags["Result"] == "2-0"
    tree.tags["White"] = "Bell"
    tree.variations[0].variations.pop()
    [changed] = pdn.open(print_of(tree).encode())
    assert (changed.white, changed.winner, changed.moves) == ("Bell", "white", game.moves)
    assert [node.text for node in changed.tree().next().variations] == ["19-23", "19-24"]
    # Tags that contradict the start position do not count.
    tree.tags |= {"gametype": "25", "FEN": "W:W1:B2"}
    assert (tree.game().variant, tree.game().start) == (game.variant, game.start)


def test_moves_are_added_by_their_own_text_and_in_other_forms():
    for fen in ["W:W27,32,38:B9,21,22,12", "W:W28,K46:B22,23,9,19"]:
        position = pdn.Position(fen=fen)
        for move in position.legal_moves():
            assert pdn.Node(position).add(move.text).move == move
    position = pdn.Position(fen="W:W28,40:B23")
    for text in ["28x19", "28:19", "1. 28x19", "2819"]:
        assert pdn.Node(position).add(text).move.text == "28x19"
    with pytest.raises(pdn.Error, match="40-35"):
        pdn.Node(position).add("40-35")


def test_trees_of_games_of_other_variants_follow_each_other():
    archive = b'[GameType "25"]\n1. c3-d4 d6-c5 *\n\n1. 32-28 19-23 *\n\n[GameType "21"]\n1. 11-15 22-18 *\n'
    games = list(pdn.open(archive)) * 2
    variants = [(game.tree().position.variant, game.variant, len(list(game.tree().mainline()))) for game in games]
    assert variants == [("russian", "russian", 2), ("international", "international", 2), ("english", "english", 2)] * 2
    made = [pdn.new_game(["c3-d4"], variant="russian"), pdn.new_game(["32-28"])]
    assert [game.variant for game in made] == ["russian", "international"]
    assert [game.status for game in made] == ["legal", "legal"]


def test_text_of_several_moves_is_no_move_to_add():
    with pytest.raises(pdn.Error, match="not a single move"):
        pdn.Node().add("32-28 19-23")


@pytest.mark.parametrize(
    ("result", "winner"), [("1/2", "draw"), ("Black wins", "black"), ("1-0", "white"), ("?", None), ("abandoned in round 3", None)]
)
def test_results_in_other_words_are_kept(result, winner):
    game = pdn.new_game(["32-28"], result=result)
    assert (game.winner, game.moves, game.status) == (winner, ["32-28"], "legal")
    assert game.tags["Result"] == {"1/2": "1-1", "Black wins": "0-2", "1-0": "2-0", "?": "*"}.get(result, result)
    [read] = pdn.open(f'[Result "{result}"] 1. 32-28 *'.encode())
    assert print_of(read.tree()).endswith("1. 32-28 *")


def test_error_of_a_game_says_why():
    with pytest.raises(pdn.Error, match="new_game: a tag name with other characters than letters, digits and `_`"):
        pdn.new_game(["32-28"], tags={"Évent": "x"})


@pytest.mark.parametrize(
    ("moves", "line", "rest", "written"),
    [
        (
            "1. 32-28 19-23 2. 33-29 {hm [%clk 0:09]} (2. 28x19 14x23) 13-18 {end}",
            ["32-28", "19-23"],
            "33-29 {hm [%clk 0:09]} (2. 28x19 14x23) 13-18 {end}",
            "1. 32-28 19-23 {33-29 (hm [clk 0:09]) (2. 28x19 14x23) 13-18 (end)} *",
        ),
        ("1. 32-22 (1. 32-28 19-23) 19-23", [], "32-22 (1. 32-28 19-23) 19-23", "{32-22 (1. 32-28 19-23) 19-23} *"),
        ("1. 32-28 (1... {a (b)} 19-23 2. 28x19)", ["32-28"], "(1... {a (b)} 19-23 2. 28x19)", "1. 32-28 {(1... (a (b)) 19-23 2. 28x19)} *"),
        ("1. 32-28 19-23 (1... 19-99) 2. 28x19", ["32-28", "19-23", "28x19"], "(1... 19-99)", "1. 32-28 19-23 2. 28x19 {(1... 19-99)} *"),
    ],
)
def test_variations_never_become_the_main_line(moves, line, rest, written):
    [game] = pdn.open(f'[GameType "20"] {moves} 2-0'.encode())
    tree = game.tree()
    assert [node.text for node in tree.mainline()] == line == [move.text for _, move in game.replay()]
    assert (tree.end().rest, tree.end().clock()) == (rest, None)
    assert print_of(tree).splitlines()[-1] == written
    [again] = pdn.open(print_of(tree).encode())
    assert (again.moves, again.tree().end().clock()) == (line, None)


def test_variation_that_cannot_be_played_to_its_end_keeps_its_rest():
    [game] = pdn.open(b'[GameType "20"] 1. 32-28 19-23 (1... 19-24 2. 33-11 (2. 37-32) 18-23) 2. 28x19 *')
    first = game.tree().next()
    assert (first.variations[1].text, first.variations[1].rest) == ("19-24", "33-11 (2. 37-32) 18-23")
    assert f"{game.tree()}".splitlines()[-1] == "1. 32-28 19-23 (1... 19-24 {33-11 (2. 37-32) 18-23}) 2. 28x19 *"


def test_line_of_a_comment_is_no_tag():
    node = pdn.Game.from_board(pdn.Position())
    node.add("32-28", comment='a\n[White "Ames"]\n1-0').add("19-23")
    assert (node.game().moves, node.game().white) == (["32-28", "19-23"], None)


def test_trees_of_any_length_are_copied_and_pickled():
    start = pdn.Position(fen="W:WK46,40:BK3,11")
    game = pdn.new_game(CYCLE * 100, start=start, tags={"White": "Ames"})
    tree = game.tree()
    tree.next().add("11-16" if tree.next().position.turn == "black" else "40-34", comment="aside", nags=[1])
    for again in [copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))]:
        assert type(again) is pdn.GameTree and again is not tree
        assert (again.tags, again.position, again.game()) == (tree.tags, start, tree.game())
        assert lines(again) == lines(tree)
        again.next().variations[1].comment = "changed"
        assert tree.next().variations[1].comment == "aside"
    # A node brings its tree.
    last = copy.deepcopy(tree.end())
    assert (last.ply, last.occurrences, last.text) == (800, tree.end().occurrences, tree.end().text)
    both = pickle.loads(pickle.dumps([tree, tree.next()]))
    assert both[0].next() is both[1]
    removed = tree.next().variations[1]
    removed.remove()
    with pytest.raises(pdn.Error, match="removed"):
        copy.copy(removed)


def test_deeply_nested_variations_are_written():
    root = node = pdn.Node(pdn.Position(fen="W:WK46,40:BK3,11"))
    for text in CYCLE * 150:
        node.add(text)
        node = node.add(text)
    assert f"{root}".count("(") == f"{root}".count(")") == 1_200
    assert len(lines(copy.deepcopy(root))) == 2_401


def test_trees_are_edited():
    root = pdn.Node()
    first, second = root.add("32-28"), root.add("31-26")
    second.comment = "better"
    second.promote()
    assert (f"{root}", root.next()) == ("1. 31-26 {better} (1. 32-28)", second)
    second.comment = ""
    first.remove()
    assert (f"{root}", second.comments) == ("1. 31-26", [])
    for node in [root, first]:
        for change in [node.remove, node.promote]:
            with pytest.raises(pdn.Error, match="no place in a tree"):
                change()


def test_games_are_equal_if_their_records_are():
    one, two = (list(pdn.open(ARCHIVE)) for _ in range(2))
    assert one == two and len({*one, *two}) == 3 and one[0] != one[1] and one[0] != "game"
    assert pickle.loads(pickle.dumps(one[1])) == one[1]
    [russian] = pdn.open(b"1. c3-d4 *", variant="russian")
    [brazilian] = pdn.open(b"1. c3-d4 *", variant="brazilian")
    assert russian.text == brazilian.text and russian != brazilian


def test_replays_have_slices():
    replay = next(iter(pdn.open(ARCHIVE))).replay()
    pairs = list(replay)
    for part in [slice(None), slice(1, 3), slice(None, None, -2), slice(-2, None), slice(9, 99)]:
        assert replay[part] == pairs[part]
    assert replay[-1] == pairs[-1]


@pytest.mark.parametrize(
    ("end", "result"),
    [("1/2", "1-1"), ("Black wins", "0-2"), ("remis", "1-1"), ("1-0", "2-0"), ("oops", "*"), ("", "*")],
)
def test_end_of_a_game_without_a_result_tag_is_its_result(end, result):
    [game] = pdn.open(f"1. 32-28 19-23 {end}\n".encode())
    assert game.tree().game().result == result
    # What stands between moves, or in a variation, is no end.
    [between] = pdn.open(b"1. 32-28 (1. 33-28 1/2) 19-23 1/2 2. 28x19 *\n")
    assert between.tree().game().result == "*"


@pytest.mark.parametrize(
    "text",
    [
        '1. 32-28 /FEN "W:W31:B1"/ 31-27 *',
        '1. 32-28 19-23 2. 28x19 /FEN "W:W31,40:B1"/ 31-27 1-6 (/FEN "B:W31:B1"/ 1-7) 40-34 1-0',
        '1. 32-28 19-23 /FEN "B:::"/ 2. ... 23x32 *',
        '1. 32-28 (1. 33-28 /FEN "W:W31:B1"/ 31-26) 19-23 *',
    ],
)
def test_positions_that_are_set_up_in_the_movetext_are_printed(text):
    [game] = pdn.open(text.encode())
    tree = game.tree()
    [printed] = pdn.open(str(tree).encode())
    positions = [[node.position for node, _ in root._all()] for root in (tree, printed.tree())]
    assert positions[0] == positions[1]
    assert not printed.diagnostics()
    assert "/FEN" in str(tree)
