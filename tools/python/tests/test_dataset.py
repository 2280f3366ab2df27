"""Training sets as arrays."""

import json
import pickle
import subprocess

import numpy
import pyarrow
import pytest
from conftest import ROOT

import pdn

SPECS = str(ROOT / "corpora" / "specs")
# Every position counts, and each once.
ALL = {"skip_plies": 0, "captures": True, "dedup": "none"}


def test_files_are_those_of_the_command(command, tmp_path):
    own, other = tmp_path / "own", tmp_path / "other"
    data = pdn.dataset(SPECS, own, where="variant international", flip=True, shards=2, seed=5, training_share=0.5)
    options = ["--query", "variant international", "--flip", "--shards", "2", "--seed", "5", "--training-share", "0.5"]
    subprocess.run([command, "dataset", SPECS, "-o", other, "--format", "npy", *options], check=True)
    assert sorted(path.name for path in own.iterdir()) == sorted(path.name for path in other.iterdir())
    for path in own.iterdir():
        assert path.read_bytes() == (other / path.name).read_bytes()
    assert data.manifest == json.loads((other / "manifest.json").read_text())
    assert len(pdn.Dataset(other).train) == len(data.train) > 0


def test_rows_are_the_positions_of_the_table():
    data = pdn.dataset(SPECS, where="variant english", training_share=1.0, **ALL)
    names = ["white_men", "white_kings", "black_men", "black_kings", "white_to_move", "ply", "status", "winner"]
    rows = pyarrow.table(pdn.positions(SPECS, columns=names, where="variant english")).to_pylist()
    scores = {"white": 1.0, "draw": 0.5, "black": 0.0}
    expected = [
        (*(row[name] for name in names[:4]), not row["white_to_move"], row["ply"], scores[row["winner"]])
        for row in rows
        if row["status"] == "legal" and row["winner"]
    ]
    fields = [*names[:4], "black_to_move", "ply", "result"]
    found = [tuple(row[name].item() for name in fields) for batch in data.train.batches(100) for row in batch]
    assert found == expected and len(found) == len(data.train) > 100
    assert len(data.valid) == 0 and list(data.valid.batches()) == []


def test_batches_have_their_size_and_all_rows_in_any_order():
    data = pdn.dataset(SPECS, where="variant international", shards=3, training_share=1.0, **ALL)
    plain = numpy.concatenate(list(data.train.batches(64)))
    lengths = [len(batch) for batch in data.train.batches(64)]
    assert set(lengths[:-1]) == {64} and sum(lengths) == len(data.train) == len(plain)
    first, again, other = (numpy.concatenate(list(data.train.batches(64, seed=seed))) for seed in (1, 1, 2))
    assert (first == again).all() and not (first == other).all() and not (first == plain).all()
    assert (numpy.sort(first) == numpy.sort(plain)).all()
    table = pyarrow.Table.from_batches(data.train.to_arrow(64))
    assert table.column("result").to_pylist() == plain["result"].tolist()
    with pytest.raises(ValueError, match="size"):
        next(data.train.batches(0))


def test_every_layout_has_the_same_positions():
    options = {"where": "variant international", "training_share": 1.0, "flip": True, **ALL}
    plain = next(pdn.dataset(SPECS, format="bin", **options).train.batches(10000))
    own, other = (plain[f"{side}_men"] | plain[f"{side}_kings"] for side in ("white", "black"))
    kings = plain["white_kings"] | plain["black_kings"]
    halves = (2 * plain["result"]).astype(int)
    sets = {format: pdn.dataset(SPECS, format=format, shards=2, **options) for format in ("jnnw", "jnnt", "bullet-chess", "bullet-ataxx")}
    for format, data in sets.items():
        assert data.train.format == format and data.manifest["evaluations"] == "none"
        assert sum(map(len, data.train.arrays())) == len(data.train)
        rows = numpy.concatenate(list(data.train.batches(50, seed=3, epoch=1)))
        assert len(rows) == len(data.train) and (rows["score"] == 0).all()
        again = pickle.loads(pickle.dumps(data.train))
        assert (numpy.concatenate(list(again.batches(64, seed=3, epoch=1))) == rows).all()
        assert not (numpy.concatenate(list(again.batches(64, seed=3, epoch=2))) == rows).all()
        # Shards divide the positions at random, so that values are compared whatever their order.
        if format.startswith("jnn"):
            assert sorted(rows["white_men"]) == sorted(plain["white_men"]) and set(rows["black_to_move"]) == {0}
        if format == "jnnw":
            assert sorted(rows["result"]) == sorted(halves - 1)
        if format == "bullet-ataxx":
            values = [rows["own"], rows["other"], rows["kings"], rows["result"]]
            assert sorted(zip(*values, strict=True)) == sorted(zip(own, other, kings, halves, strict=True))
            assert sorted(rows["move"]) == sorted(plain["ply"] // 2 + 1)
        if format == "bullet-chess":
            few = numpy.bitwise_count(own | other) <= 32
            assert sorted(zip(rows["pieces"], rows["result"], strict=True)) == sorted(zip((own | other)[few], halves[few], strict=True))
            counts = numpy.bitwise_count(rows["pieces"])
            codes = numpy.stack([rows["codes"] & 15, rows["codes"] >> 4], axis=2).reshape(len(rows), 32)
            assert ((codes >= 8).sum(axis=1) <= counts).all() and set(codes.ravel()) <= {0, 4, 8, 12}


def test_players_are_divided():
    data = pdn.dataset(SPECS, split_by="player", training_share=0.5, seed=3, **ALL)
    assert data.manifest["options"]["split_by"] == "player"
    assert data.manifest["games"]["between_parts"] >= 0


def test_large_boards_have_two_words():
    game = pdn.new_game(["46-40", pdn.Position("canadian").play("46-40").legal_moves()[0]], variant="canadian", result="1-1")
    data = pdn.dataset(game.raw, training_share=1.0, **ALL)
    [batch] = data.train.batches()
    assert batch["white_men"].shape == (3, 2)
    [rows] = data.train.to_arrow()
    own = int(batch["white_men"][0][0]) | int(batch["white_men"][0][1]) << 64
    assert own == pdn.Position("canadian").bitboards[0]
    assert rows.column("white_men").to_pylist() == batch["white_men"].tolist()


def test_temporary_folder_lives_as_long_as_its_parts():
    train = pdn.dataset(SPECS, where="variant english").train
    folder = train.files[0].parent
    copy = pickle.loads(pickle.dumps(train))
    assert sum(map(len, copy.batches())) == len(train) > 0
    assert folder.exists()
    del train
    assert not folder.exists()


def test_wrong_arguments_of_training_sets_are_refused(tmp_path):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(pdn.Error, match="is not empty"):
        pdn.dataset(SPECS, tmp_path)
    for options, message in [
        ({"dedup": "some"}, "dedup: `some`: expected one of mean, first, none"),
        ({"training_share": 1.5}, "training_share: `1.5`: expected a number from 0 to 1"),
        ({"shards": 0}, "shards: `0`: expected a whole number from 1 to 200"),
        ({"where": "white wiersma"}, "where: expected"),
        ({"format": "text"}, "format: `text`: expected one of npy, bin, jnnw"),
        ({"format": "jnnw", "dedup": "mean"}, "dedup: `jnnw` holds wins, draws and losses"),
        ({"split_by": "event"}, "split_by: `event`: expected one of game, player"),
    ]:
        with pytest.raises(pdn.Error, match=message):
            pdn.dataset(SPECS, tmp_path / "set", **options)
    with pytest.raises(pdn.Error, match="no training set"):
        pdn.Dataset(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_positions_have_the_values_of_tables(command, tmp_path):
    games = tmp_path / "games.pdn"
    games.write_text('[GameType "21"]\n[FEN "W:WK7:BK12,28"]\n1. 7-11 12-16 2. 11x20 28-32 1-1\n')
    folder = tmp_path / "endings"
    build = [command, "endgame", "build", "-g", "english", "--pieces", "2", "-o", folder]
    subprocess.run(build, check=True, capture_output=True)
    endings = pdn.Endgame(folder)
    values = {"lost": 1, "drawn": 2, "won": 3}
    fens = pyarrow.table(pdn.positions(games, columns=["fen"]))["fen"].to_pylist()
    for tables, known in [(folder, 2), (None, 0)]:
        data = pdn.dataset(games, tables=tables, training_share=1.0, **ALL)
        assert (data.manifest["version"], data.manifest["positions"]["proven"]) == (2 if tables else 1, known)
        rows = numpy.concatenate(list(data.train.batches(seed=1)))
        assert sum(rows["table"] > 0) == known and len(rows) == 5
        for row in rows if tables else []:
            word, plies = endings.probe(pdn.Position("english", fens[row["ply"]])) or (None, None)
            assert (row["table"], row["table_distance"]) == (values.get(word, 0), plies or 0)
    with pytest.raises(pdn.Error, match="no place for the values of tables"):
        pdn.dataset(games, format="jnnw", tables=folder)
