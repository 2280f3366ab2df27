"""Games, replays and positions."""

import datetime
import gzip
import io
import copy
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import pyarrow
import pytest
from conftest import ARCHIVE, FIXTURES, ROOT

import pdn


def test_attributes_are_the_cells_of_the_table(archive, tmp_path):
    names = """file record offset white black event site round date year white_rating black_rating result winner variant
        status plies""".split()
    index = pdn.index(archive, tmp_path / "games.idx")
    for source in (archive, index):
        rows = pyarrow.table(pdn.games(source, columns=[*names, "game", "tags"])).to_pylist()
        for game, row in zip(pdn.open(archive) if source is archive else index, rows, strict=True):
            assert {name: getattr(game, name) for name in names} == {name: row[name] for name in names}
            assert game.game == row["game"]
            assert list(game.tags.items()) == row["tags"]


def test_attributes_of_all_fixtures_are_the_cells_of_the_table():
    names = "record offset white black event site round date date_text year white_rating result winner status plies".split()
    for path in FIXTURES:
        try:
            games = list(pdn.open(path))
        except pdn.Error:
            continue
        rows = pyarrow.table(pdn.games(path, columns=names)).to_pylist()
        assert [{name: getattr(game, name) for name in names} for game in games] == rows, path


def test_game_tells_of_itself():
    game, second, third = pdn.open(ARCHIVE)
    assert (game.white, game.black, game.event) == ("Ames, Ann", "Béll", 'Open "A"')
    assert game.date == datetime.date(1996, 12, 28)
    assert (second.date, second.year, second.date_text) == (None, 2003, "2003.??.??")
    assert (game.result, game.winner, second.result, second.winner, third.winner) == ("2-0", "white", "*", None, "draw")
    assert game.moves == ["32-28", "19-23", "28x19", "14x23", "37-32"]
    assert game.raw == ARCHIVE[: len(game.raw)]
    assert repr(game) == "<pdn.Game: Ames, Ann - Béll 2-0, Open \"A\", 1996.12.28>"
    assert "<svg" in game._repr_html_()
    assert [found.code for found in third.diagnostics()][-1].startswith("R")


def test_replay_is_a_sequence_of_positions_and_moves():
    game, russian, illegal = pdn.open(ARCHIVE)
    replay = game.replay()
    assert len(replay) == 5
    position, move = replay[2]
    assert (move.text, move.captured, move.from_square, move.to_square) == ("28x19", [23], 28, 19)
    assert position.play(move) == replay[3][0] == move.after
    assert replay[-1][1].text == "37-32"
    assert replay.last == replay[4][1].after == game.last
    with pytest.raises(IndexError):
        replay[5]
    assert [move.text for _, move in russian.replay()] == ["c3-d4", "b6-a5", "d4-c5", "d6:b4", "a3:c5"]
    stopped = illegal.replay()
    assert (len(stopped), stopped.status) == (2, "illegal")
    assert stopped.stopped == "ply 2, `33-29`: the side to move must capture"
    assert replay.stopped is None


def test_every_kind_of_source_has_the_same_games(archive, tmp_path):
    packed = tmp_path / "packed.pdn.gz"
    packed.write_bytes(gzip.compress(ARCHIVE))
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as zipped:
        zipped.writestr("entry.pdn", ARCHIVE)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.pdn").write_bytes(ARCHIVE)
    sources = [
        archive,
        str(archive),
        ARCHIVE,
        bytearray(ARCHIVE),
        memoryview(ARCHIVE),
        io.BytesIO(ARCHIVE),
        io.StringIO(ARCHIVE.decode()),
        packed,
        tmp_path / "packed.zip",
        folder,
        str(folder / "*.pdn"),
        [archive],
        (pdn.open(archive),),
    ]
    expected = [game.raw for game in pdn.open(ARCHIVE)]
    for source in sources:
        opened = pdn.open(source)
        assert [[game.raw for game in opened] for _ in range(2)] == [expected, expected], source
        if not hasattr(source, "read"):
            assert pyarrow.table(pdn.games(source, columns=["record"])).num_rows == 3
    assert len(list(pdn.open([archive, folder, ARCHIVE]))) == 9
    with pdn.open(archive) as opened, archive.open("rb") as file:
        assert len(list(opened)) == len(list(pdn.open(file))) == 3
    assert [game.file for game in pdn.open(tmp_path / "packed.zip")] == [f"{tmp_path}/packed.zip/entry.pdn"] * 3


def test_variant_of_games_without_a_tag_is_told_or_inferred():
    untagged = b"1. 11-15 23-18 2. 8-11 27-23 *"
    assert next(iter(pdn.open(untagged))).variant == "english"
    game = next(iter(pdn.open(untagged, variant="international")))
    assert (game.variant, game.status) == ("international", "illegal")


ENCODINGS = {
    "Bél": ["latin-1", "latin_1", "ISO-8859-1", "cp1252", "windows-1252", "iso8859_15", "cp437", "IBM850", "mac_roman", "utf-16"],
    "Łoś": ["iso8859_2", "latin2", "cp1250", "cp852", "utf_8", "U8", "utf-8-sig", "utf_16_le", "utf-16-be"],
    "Šķēle": ["iso8859_13", "cp1257", "cp775"],
    "Петров": ["koi8_r", "koi8-u", "cp1251", "windows_1251", "866", "iso8859_5", "mac_cyrillic"],
}


@pytest.mark.parametrize(("name", "label"), [(name, label) for name, labels in ENCODINGS.items() for label in labels])
def test_encodings_have_the_names_of_python(name, label):
    [game] = pdn.open(f'[White "{name}"] 1. 32-28 *'.encode(label), encoding=label)
    assert game.white == name


def test_an_archive_keeps_its_variant_and_its_encoding_as_a_source(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_bytes("[White \"Аd\"]\n[Date \"2003-5-1\"]\n\n1. 11-15 23-18 *\n".encode("koi8-r"))
    opened = pdn.open(path, variant="international", encoding="koi8-r")
    expected = ("Аd", "illegal")
    assert [(game.white, game.status) for game in opened] == [expected]
    assert [(game.white, game.status) for game in pdn.open([opened])] == [expected]
    assert pdn.scan(opened).select("white", "status").collect().rows() == [expected]
    assert [found.code for found in pdn.check(opened) if found.code.startswith("R")] == ["R001"]
    [row] = pdn.index(opened, tmp_path / "index")
    assert (row.white, row.status) == expected
    assert (pdn.convert(opened)["rejected"], pdn.convert(opened)["written"]) == (1, 0)
    assert "Аd" in pdn.convert(opened, variant="english")["text"]
    # An argument counts more.
    assert pdn.games(opened, columns=["status"], variant="english").to_arrow()["status"].to_pylist() == ["legal"]
    for other in (path, pdn.open(path)):
        with pytest.raises(pdn.Error, match="variant: the archives were opened with different ones"):
            pdn.games([opened, other])
        assert pdn.games([opened, other], variant="english", encoding="koi8-r").to_arrow().num_rows == 2


def test_positions_play_by_the_rules():
    start = pdn.Position()
    assert (start.fen[:4], start.turn, start.variant, len(start.legal_moves())) == ("W:W3", "white", "international", 9)
    after = start.play("32-28 19-23 28x19")
    assert after.turn == "black"
    assert start.play("32-28").play("19-23").play("28x19") == after
    assert len({start, after, pdn.Position()}) == 2
    assert (len(after.white_men), len(after.black_men), after.pieces[19]) == (20, 19, "w")
    assert after.bitboards[0] == sum(1 << (square - 1) for square in after.white_men)
    assert pickle.loads(pickle.dumps(after)) == after
    assert eval(repr(after)) == after
    king = pdn.Position(fen="W:WK46:B28,10")
    assert [(move.text, move.man, move.is_capture) for move in king.legal_moves()][0] == ("46x5", False, True)
    over = pdn.Position(fen="B:W32:B")
    assert (over.legal_moves(), over.winner) == ([], "white")
    promoted = pdn.Position(fen="W:W7:B45").legal_moves()[0]
    assert (promoted.promotes, promoted.after.white_kings) == (True, [1])


def test_positions_keep_the_numbers_of_their_squares():
    # The squares are counted from another corner than in the table of game types.
    record = b'[GameType "20,W,10,10,N0,0"]\n[FEN "W:W1,2:BK50"]\n\n*'
    [game] = pdn.open(record)
    for position in (game.start, pdn.Position("20,W,10,10,N0,0", "W:W1,2:BK50")):
        assert (position.variant, position.white_men, position.black_kings) == ("international", [1, 2], [50])
        for other in (copy.copy(position), pickle.loads(pickle.dumps(position)), eval(repr(position))):
            assert (other, other.fen, other.white_men) == (position, position.fen, [1, 2])
    assert pdn.Position("20") == pdn.Position("international") == pdn.Position()
    with pytest.raises(pdn.Error, match="variant: "):
        pdn.Position("20,W,99,99,N0,0")


@pytest.mark.parametrize("variant", pdn.variants())
def test_every_variant_has_a_start_and_a_picture(variant):
    position = pdn.Position(variant)
    assert position.variant == variant
    assert pdn.Position(variant, position.fen) == position
    assert pickle.loads(pickle.dumps(position)) == position
    pieces = len(position.pieces)
    picture = position._repr_svg_()
    assert picture.count("<g ") == pieces
    assert 'width="360"' in picture
    marked = position.svg(flip=True, move=position.legal_moves()[0], size=100)
    assert marked.count('fill="#d9bd55"') == 2
    assert 'width="100"' in marked
    assert position.perft(1) == len(position.legal_moves())


def test_perft_counts_leaves():
    assert [pdn.perft(depth) for depth in (1, 2, 3, 6)] == [9, 81, 658, 167140]
    assert pdn.perft(7, "english") == 179740


def test_checks_give_places():
    found = list(pdn.check(ARCHIVE))
    last = found[-1]
    assert (last.record, last.severity, last.line) == (3, "error", 23)
    assert ARCHIVE[last.at : last.at + last.length] == b"33-29"
    assert len(list(pdn.check(ARCHIVE, strict=True))) >= len(found)


def test_tags_among_the_moves_count(tmp_path):
    path = ROOT / "corpora/quirks/tags-among-the-moves.pdn"
    [game] = pdn.open(path)
    assert (game.white, game.black, game.site, game.event, game.result) == ("Ames", "Bell", "Utrecht", None, "2-0")
    assert game.tags["Annotator"] == "Cole"


def test_games_of_an_archive_are_those_of_its_index(tmp_path):
    """Every attribute that comes from tags, for all fixtures."""
    names = ["white", "black", "event", "site", "round", "date", "year", "white_rating", "black_rating", "result", "tags"]
    compared = 0
    for number, path in enumerate(FIXTURES):
        try:
            games = list(pdn.open(path))
            # With embedded texts, so that files in UTF-16 are compared too.
            index = pdn.index(path, tmp_path / str(number), embed=True)
        except pdn.Error:
            continue
        for game, indexed in zip(games, index, strict=True):
            for name in names:
                assert getattr(game, name) == getattr(indexed, name), (path, game.record, name)
            compared += 1
    assert compared > 200


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have names in Unicode only")
def test_files_with_names_that_are_no_text_are_found_again(command, tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9 1.pdn"))
    path.write_bytes(b'[White "Ames"]\n\n1. 32-28 19-23 *\n\n[White "Bell"]\n\n1. 32-28 *\n')
    url = f"{tmp_path.as_uri()}/caf%E9%201.pdn"
    index = pdn.index(path, tmp_path / "games.idx")
    [hit] = index.find("white : ames")
    [part] = pdn.split_points(path, 1)
    table = pdn.games(path, columns=["file"])
    texts = {game.file for source in (path, [path], os.fspath(path), tmp_path) for game in pdn.open(source)}
    texts |= {row["file"] for row in table.head()} | {row["file"] for row in pdn.games(index, columns=["file"]).head()}
    texts |= {*part.files, hit.game.file, *index.files, *pdn.open(path).files, pickle.loads(pickle.dumps(hit.game)).file}
    assert texts == {url}
    for source in (url, part, pickle.loads(pickle.dumps(part)), pickle.loads(pickle.dumps(table)), str(path.parent / "caf*.pdn")):
        if not isinstance(source, pdn.Table):
            assert [game.white for game in pdn.open(source)] == ["Ames", "Bell"]
            assert [game.file for game in pickle.loads(pickle.dumps(list(pdn.open(source))))] == [url, url]
    assert pickle.loads(pickle.dumps(table)).count() == 2
    [code, *_] = [found.file for found in pdn.check(url, strict=True)]
    assert code == url
    with pytest.raises(pdn.MissingFileError) as missing:
        pdn.open(path.with_suffix(".none"))
    assert missing.value.path == url.replace(".pdn", ".none")
    # The command writes the same text, and takes it.
    run = lambda *arguments: subprocess.run([command, *arguments], capture_output=True, text=True, check=True).stdout
    assert run("export", path, "--columns", "file", "--format", "jsonl").splitlines() == [f'{{"file":"{url}"}}'] * 2
    assert '"games":2' in run("stats", url, "--json").replace(" ", "")


class BytesPath:
    def __init__(self, path):
        self.path = os.fsencode(path)

    def __fspath__(self):
        return self.path


def test_anything_that_names_archives_is_a_source(archive, tmp_path):
    for source in [(path for path in [archive, archive]), iter([archive, ARCHIVE]), map(str, [archive] * 2), [{archive}, archive]]:
        assert len(list(pdn.open(source))) == 6
    others = {str(tmp_path / name) for name in "abc"}
    for path in others:
        Path(path).write_bytes(ARCHIVE)
    for names in [others, frozenset(others)]:
        assert pdn.open(names).files == sorted(others)
    assert len(list(pdn.open(BytesPath(archive)))) == 3
    with pytest.raises(TypeError, match="expected a path"):
        pdn.open(3)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as target:
        target.writestr("games.pdn", ARCHIVE)
    assert pdn.games(f"zip://games.pdn::{tmp_path / 'all.zip'}").count() == 3
    assert pdn.games(f"zip://*.pdn::{tmp_path / 'all.zip'}").count() == 3
    with pytest.raises(FileNotFoundError) as caught:
        pdn.open(tmp_path / "none.pdn")
    assert caught.value.filename == caught.value.path == str(tmp_path / "none.pdn")


def test_types_are_there_without_an_import():
    code = "import pdn; print(pdn.types.ConvertResult.__name__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "ConvertResult\n"


def test_endings_are_probed(tmp_path, command):
    with pytest.raises(pdn.Error, match="no endings"):
        pdn.Endgame(tmp_path)
    folder = tmp_path / "endings"
    build = [command, "endgame", "build", "-g", "english", "--pieces", "2", "-o", folder]
    subprocess.run(build, check=True, capture_output=True)
    endings = pdn.Endgame(folder)
    assert (endings.path, repr(endings)) == (folder, f"<pdn.Endgame: {folder}>")
    probe = lambda fen, variant="english": endings.probe(pdn.Position(variant, fen))
    assert probe("W:WK7:BK12") == ("won", 3)
    assert probe("B:WK1:BK32") == ("drawn", None)
    # A position without a legal move is lost at once; others have too many pieces or no tables.
    assert probe("W:W5:BK1") == ("lost", 0)
    assert endings.probe(pdn.Position("english")) is None
    assert probe("W:WKa1:BKh8", "russian") is None
    # After a move the value is that for the other side.
    position = pdn.Position("english", "W:WK7:BK12")
    values = [endings.probe(position.play(move)) for move in position.legal_moves()]
    assert ("lost", 2) in values
    assert pickle.loads(pickle.dumps(endings)).probe(position) == ("won", 3)
