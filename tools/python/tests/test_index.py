"""Indexes, searches and opening trees."""

import pickle
from collections import Counter

import pytest

import pdn


@pytest.fixture
def index(archive, tmp_path):
    return pdn.index(archive, tmp_path / "games.idx")


def test_index_finds_games_and_positions(index):
    assert len(index) == 3
    assert [game.white for game in index] == ["Ames, Ann", "Cole", "Evans"]
    [hit] = index.find("white : ames and wm - bm = 1")
    assert (hit.game.game, hit.game.black, hit.ply) == (1, "Béll", 3)
    assert hit.position.turn == "black"
    assert index.count("variant international") == 2
    assert len(index.find("variant international", limit=1)) == 1
    assert index.game(2).moves[0] == "c3-d4"
    assert [move.text for _, move in index.game(2).replay()][0] == "c3-d4"
    with pytest.raises(IndexError, match="1 to 3"):
        index.game(4)
    with pytest.raises(IndexError):
        index.game(0)


def test_hit_in_a_variation_has_its_line(tmp_path):
    path = tmp_path / "a.pdn"
    path.write_text(
        '[GameType "20"]\n1. 32-28 (33-28 18-23 {a shot}) 19-23! 2. 28x19 14x23 (2... 13x24 $4) *\n'
    )
    index = pdn.index(path, tmp_path / "a.idx")
    places = {query: [(hit.line, hit.ply) for hit in index.find(query)] for query in ["aside move x24", 'mark "!"']}
    assert places == {"aside move x24": [(2, 3)], 'mark "!"': [(0, 1)]}
    [hit] = index.find("aside comment : shot")
    assert (hit.line, hit.ply, hit.position.turn, hit.position.pieces[23]) == (1, 2, "white", "b")
    other = pickle.loads(pickle.dumps(hit))
    assert (other.line, other.ply, other.position) == (hit.line, hit.ply, hit.position)


def test_tree_counts_moves(index):
    tree = index.tree(variant="international")
    assert (tree.games, [(move.text, move.games) for move in tree.moves]) == (2, [("32-28", 2)])
    deeper = index.tree(variant="international", moves="32-28 19-23")
    assert {move.text: move.games for move in deeper.moves} == {"28x19": 1}
    assert deeper.moves[0].after.turn == "black"
    assert index.tree(variant="international", where="black : bell").games == 1
    assert index.tree(fen=deeper.position.fen, variant="international").games == 2
    # The question is that of `pdn tree`: without a variant, it is that of most games that have the position.
    assert index.tree(moves="32-28 19-23").position == deeper.position
    assert index.tree(moves="c3-d4 b6-a5").games == 1
    assert [move.text for move in index.tree(moves="32-28 19-23", sort="move", limit=1).moves] == ["28x19"]
    with pytest.raises(pdn.Error, match="sort: `colour`: expected one of games, score"):
        index.tree(sort="colour")
    with pytest.raises(pdn.Error, match="variant: no game of variant `turkish`"):
        index.tree(variant="turkish")
    with pytest.raises(pdn.Error, match="moves: `1-50` is not legal here"):
        index.tree(moves="1-50")
    with pytest.raises(TypeError, match="limit"):
        index.tree(limit="3")
    assert "32-28" in tree._repr_html_()


def test_groups_equal_counters_of_the_games(index, tmp_path):
    games = list(index)
    for by, values in {
        "variant": [game.variant for game in games],
        "white": [game.white for game in games],
        "player": [name for game in games for name in {game.white or "", game.black or ""}],
        "year": [game.year for game in games],
        # An illegal move is no ply.
        "plies": [sum(1 for _ in game.replay()) for game in games],
    }.items():
        groups = index.groups("all", by)
        assert {group["value"]: group["games"] for group in groups} == Counter(values), by
        assert all(group["by"] == by and index.count(group["query"]) == group["games"] for group in groups), by
    # The moves that follow positions of a query: each game counts once for each of them.
    following = Counter()
    for game in games:
        following.update({move.text for position, move in game.replay() if position.turn == "white"})
    moves = {group["value"]: group["games"] for group in index.groups("white to move and not last", "move")}
    assert moves == following
    assert len(index.groups("all", "white", limit=1)) == 1
    names = tmp_path / "names.toml"
    names.write_text('[[player]]\ncanonical = "Ames"\nspellings = ["Ames, Ann"]\n')
    assert "Ames" in {group["value"] for group in index.groups("all", "player", names=names)}
    with pytest.raises(pdn.Error, match="games are grouped by `move`, `player`, `white`"):
        index.groups("all", "colour")


def test_queries_use_definitions_of_a_text_or_a_file(index, tmp_path):
    text = "lead = wm - bm = 1\narea corner = 46,47\n"
    path = tmp_path / "mine.txt"
    path.write_text(text)
    for define in (text, path):
        [hit] = index.find("white : ames and @lead", define=define)
        assert hit.ply == 3
        assert index.count("variant international and w on corner = 2", define=define) == 2
        assert [group["value"] for group in index.groups("@lead", "white", define=define)] == ["Ames, Ann"]
    with pytest.raises(pdn.Error, match=r"mine\.txt: line 2, `nonsense`"):
        path.write_text("# mine\nlead = nonsense\n")
        index.find("@lead", define=path)
    # Of a text, the line is shown with a mark.
    with pytest.raises(pdn.Error, match=r"define: expected a condition.*\n  lead = nonsense\n         \^"):
        index.find("@lead", define="ahead = w-b >= 1\nlead = nonsense\nlate = ply > 60")
    with pytest.raises(pdn.Error, match="no definition has the name"):
        index.find("@lead")


def test_errors_name_the_argument_of_the_query(index):
    for ask in [index.find, index.count, lambda query, **options: index.groups(query, "white", **options)]:
        for options in [{}, {"define": "mine = all"}]:
            with pytest.raises(pdn.Error, match="^query: expected a condition"):
                ask("nonsense", **options)
    with pytest.raises(pdn.Error, match="^where: expected a condition"):
        index.tree(where="nonsense")


TOURNAMENT = """[Event "Club"]
[Round "1"]
[White "Ames, A."]
[Black "Berg"]
[Result "2-0"]
1. 32-28 19-23 2-0

[Event "Club"]
[Round "2"]
[White "Berg"]
[Black "Cole"]
[Result "1-1"]
1. 33-29 19-24 1-1

[Event "Club"]
[Round "2"]
[White "Cole"]
[Black "A. Ames"]
[Result "2-0"]
1. 31-26 19-23 2-0
"""


def test_index_reports_players_and_events(tmp_path):
    import polars

    archive, names = tmp_path / "club.pdn", tmp_path / "names.toml"
    archive.write_text(TOURNAMENT)
    names.write_text('[[player]]\ncanonical = "Ames, Ann"\nspellings = ["Ames, A.", "A. Ames"]\n')
    index = pdn.index(archive, tmp_path / "club.idx")
    berg = index.player("berg")
    assert (berg["name"], berg["games"], berg["drawn"], berg["lost"]) == ("Berg", 2, 1, 1)
    table = polars.DataFrame(berg["opponents"])
    assert table["name"].to_list() == ["Ames, A.", "Cole"]
    named = [(row["colour"], row["opening_played"], row["games"]) for row in berg["named_openings"]]
    assert named == [("black", "Symmetrical Variation", 1)]
    for row in berg["opponents"] + berg["openings"] + berg["named_openings"] + berg["colours"]:
        assert index.count(row["query"]) == row["games"], row["query"]
    ames = index.player("ames", names=names)
    assert (ames["name"], ames["games"], ames["also"]) == ("Ames, Ann", 2, [])
    assert [met["game"] for met in index.player("ames", against="cole", names=names)["against"]["meetings"]] == [3]
    assert index.player("ames", where="round 1")["games"] == 1
    [standings] = index.event("club", names=names, tie_breaks=["wins"])["standings"]
    found = [(row["rank"], row["player"], row["points"]) for row in standings["players"]]
    assert found == [(1, "Cole", 3.0), (2, "Ames, Ann", 2.0), (3, "Berg", 1.0)]
    with pytest.raises(pdn.Error, match="no game matches"):
        index.player("nobody")
    with pytest.raises(pdn.Error, match="tie_breaks"):
        index.event("club", tie_breaks=["size"])


def test_index_is_opened_again_and_extended(index, archive, tmp_path):
    again = pdn.Index(index.path)
    assert (len(again), again.files) == (3, [str(archive)])
    other = tmp_path / "more.pdn"
    other.write_bytes(b'[White "Foss"] 1. 32-28 *')
    assert len(pdn.index(other, index.path, append=True)) == 4
    assert len(pdn.index(other, index.path)) == 1


def test_index_is_made_of_files(tmp_path):
    with pytest.raises(pdn.Error, match="made of files"):
        pdn.index(b"1. 32-28 *", tmp_path / "x.idx")
    with pytest.raises(pdn.Error, match="not an index"):
        pdn.Index(tmp_path)
