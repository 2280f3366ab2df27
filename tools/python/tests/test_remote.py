"""Files that have a URL: in memory, behind a server, and in the file system."""

import gzip
import pickle
import zipfile

import pyarrow
import pytest
from conftest import ARCHIVE

import pdn
from pdn import _remote

fsspec = pytest.importorskip("fsspec")

TABLES = {"games": pdn.games, "moves": pdn.moves, "comments": pdn.comments, "diagnostics": pdn.diagnostics}


@pytest.fixture
def store():
    """The files in memory, by their paths."""
    storage = fsspec.filesystem("memory")
    storage.store.clear()
    yield storage
    storage.store.clear()


def rows(table):
    return [{name: value for name, value in row.items() if name != "file"} for row in pyarrow.table(table).to_pylist()]


def test_url_is_read_as_the_file_is(store, tmp_path):
    large = tmp_path / "large.pdn"
    large.write_bytes(b"\n".join([ARCHIVE] * 200))
    store.pipe_file("/games/large.pdn", large.read_bytes())
    url = "memory://games/large.pdn"
    assert [game.white for game in pdn.open(url)][:3] == ["Ames, Ann", "Cole", "Evans"]
    assert pdn.open(url).files == [url]
    for name, table in TABLES.items():
        assert rows(table(url, strings="plain")) == rows(table(large, strings="plain")), name
    [file] = set(pyarrow.table(pdn.games(url, columns=["file"], strings="plain"))["file"].to_pylist())
    assert file == url


@pytest.fixture
def server():
    """A web server without ranges of bytes, with a large file and a page."""
    import http.server
    import threading

    pytest.importorskip("aiohttp")
    content = b"\n".join([ARCHIVE] * 20_000)
    assert len(content) > 8 << 20

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self):
            known = {"/large.pdn": ("text/plain", content), "/games/": ("text/html; charset=utf-8", b"<html><a>a.pdn</a></html>")}
            status = 500 if self.path == "/broken.pdn" else 200 if self.path in known else 404
            kind, body = known.get(self.path, ("text/plain", b"no"))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            return body

        def do_GET(self):
            self.wfile.write(self.answer())

        def do_HEAD(self):
            self.answer()

        def log_message(self, *_):
            pass

    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()


def test_web_server_needs_no_ranges(server):
    assert pdn.games(f"{server}/large.pdn", columns=["white"]).count() == 60_000


def test_what_a_web_server_does_not_give_is_an_error(server):
    with pytest.raises(pdn.Error, match="a web page, not a PDN file"):
        pdn.open(f"{server}/games/")
    with pytest.raises(pdn.MissingFileError, match="no such file"):
        pdn.open(f"{server}/none.pdn")
    with pytest.raises(pdn.Error, match="cannot be read: 500") as caught:
        pdn.open(f"{server}/broken.pdn")
    assert not isinstance(caught.value, FileNotFoundError)
    with pytest.raises(pdn.Error, match="cannot be read: .*127.0.0.1") as caught:
        pdn.open("http://127.0.0.1:1/games.pdn")
    assert not isinstance(caught.value, FileNotFoundError)


def test_packed_files_have_urls_too(store, tmp_path):
    store.pipe_file("/a.pdn.gz", gzip.compress(ARCHIVE))
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as target:
        target.writestr("c.pdn", ARCHIVE)
    store.pipe_file("/b.zip", (tmp_path / "b.zip").read_bytes())
    assert pyarrow.table(pdn.games(["memory://a.pdn.gz", "memory://b.zip"])).num_rows == 6
    [part] = pdn.split_points("memory://a.pdn.gz", 4)
    assert (part.start, part.end) == (0, None)
    assert rows(pdn.games(part)) == rows(pdn.games(ARCHIVE))


def test_patterns_name_files(store):
    for name in ["b.pdn", "a.pdn", "c.txt"]:
        store.pipe_file(f"/games/{name}", ARCHIVE)
    assert pdn.open("memory://games/*.pdn").files == ["memory:///games/a.pdn", "memory:///games/b.pdn"]
    assert pyarrow.table(pdn.games("memory://games/*.pdn")).num_rows == 6


def test_url_of_a_file_of_this_machine_is_its_path(archive):
    assert pdn.open(archive.as_uri()).files == [str(archive)]
    assert rows(pdn.games(archive.as_uri())) == rows(pdn.games(archive))


@pytest.mark.parametrize("n", [1, 2, 9, 60])
def test_parts_of_a_url_are_those_of_the_file(store, tmp_path, n):
    path = tmp_path / "games.pdn"
    path.write_bytes(b"\n".join([ARCHIVE] * 40))
    store.pipe_file("/games.pdn", path.read_bytes())
    remote, local = pdn.split_points("memory://games.pdn", n), pdn.split_points(path, n)
    places = [[(part.start, part.end, part.record, part.line) for part in parts] for parts in (remote, local)]
    assert places[0] == places[1]
    remote = [pickle.loads(pickle.dumps(part)) for part in remote]
    for name, table in TABLES.items():
        joined = [row for part in remote for row in rows(table(part, strings="plain"))]
        assert joined == rows(table(path, strings="plain")), name
    assert [game.record for game in pdn.open(remote)] == list(range(1, 121))


def test_untagged_games_of_a_part_have_the_variant_and_encoding_of_the_file(store):
    games = "1. 11-15 23-19 2. 8-11 22-17 *\n" * 50 + '[White "\u0418\u0432\u0430\u043d\u043e\u0432"] 1. 9-13 *\n' * 3
    store.pipe_file("/english.pdn", games.encode("cp1251"))
    last = pdn.split_points("memory://english.pdn", 1_000)[-1]
    [game] = pdn.open(last)
    assert (game.variant, game.white) == ("english", "\u0418\u0432\u0430\u043d\u043e\u0432")


def test_only_the_bytes_of_a_part_are_read(store, monkeypatch):
    """A storage that says which bytes are read: a part of a long file reads its own and some after them."""
    store.pipe_file("/long.pdn", b"\n".join([ARCHIVE] * 3_000))
    parts = pdn.split_points("memory://long.pdn", 8)
    read = []

    class Counting:
        def __init__(self, file):
            self.file = file

        def read(self, length):
            start = self.file.tell()
            found = self.file.read(length)
            read.append((start, start + len(found)))
            return found

    original = _remote.open_at
    monkeypatch.setattr(_remote, "open_at", lambda *arguments: Counting(original(*arguments)))
    part = parts[3]
    assert pyarrow.table(pdn.games(part, columns=["record"])).num_rows == parts[4].record - part.record
    assert min(start for start, _ in read) == part.start
    # Some bytes more decide where the last record ends.
    assert max(end for _, end in read) <= part.end + (256 << 10) < parts[-1].end


def test_wrong_urls_are_explained(store, monkeypatch):
    store.pipe_file("/games/a.pdn", ARCHIVE)
    with pytest.raises(FileNotFoundError, match=r"memory://none\.pdn: no such file") as missing:
        pdn.games("memory://none.pdn")
    assert missing.value.path == "memory://none.pdn"
    with pytest.raises(pdn.Error, match="a folder; name its files"):
        pdn.open("memory://games")
    with pytest.raises(pdn.Error, match="no file matches this pattern"):
        pdn.open("memory://games/*.txt")
    with pytest.raises(pdn.Error, match="strange://games.pdn: .*[Pp]rotocol"):
        pdn.open("strange://games.pdn")
    with pytest.raises(pdn.Error, match="not from URLs"):
        pdn.index("memory://games/a.pdn", "index")
    [part] = pdn.split_points("memory://games/a.pdn", 1)
    table = pdn.games(part)
    store.pipe_file("/games/a.pdn", ARCHIVE * 2)
    with pytest.raises(Exception, match="has changed since its parts were found"):
        pyarrow.table(table)
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    with pytest.raises(ImportError, match="pip install fsspec"):
        pdn.open("memory://games/a.pdn")
