#!/usr/bin/env python3
"""Puts mixed load on `pdn serve` and compares every answer: valid, invalid, slow and broken requests, and clients that never read,
while the index grows through `pdn index --append` and through imports.

    tools/explorer/tests/load.py --pdn target/release/pdn --minutes 60

Needs Python 3.9 and nothing else; the program has to be built with the feature `serve`. Half a minute is enough to see that all parts
work, an hour to see memory that grows slowly.

In the first two fifths of the time the server is killed again and again, most often while it imports, and started anew. After each
kill the index has to be sound, and every game that was ever confirmed has to be there exactly once. In the other three fifths the
server runs on, and its memory is judged.

An answer is wrong

- if it differs from what the command of the same meaning prints for the same index,
- if it differs from the first answer to the same question about the same state of the index, however slowly it was read,
- if its status is not the expected one, it is no JSON, or there is none although the server runs,
- if a game that was confirmed is not found.

The memory of the server is read every second. It is private memory (RssAnon) without the answers that the server keeps or has not
sent yet, which have limits of their own. It is judged after a warm-up, which is the first fifth of the time without kills: what a
quarter of the samples of the second half of the rest do not exceed may be more than in its first half by what the games explain that
were added, and by a tolerance.

At the end a table of the memory and the list of what is wrong are printed. The exit code is 1 if that list is not empty, or if the
server did not stop as it should.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import typing
import urllib.parse

LINES = [
    "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10",
    "1. 32-28 18-22 2. 37-32 12-18 3. 41-37 7-12 4. 34-29 19-23 5. 28x19 14x34 6. 40x29",
    "1. 32-28 17-22 2. 28x17 11x22 3. 37-32 6-11 4. 41-37 12-17",
    "1. 34-29 19-23 2. 40-34 14-19 3. 45-40 10-14 4. 50-45 5-10",
    "1. 33-28 18-22 2. 39-33 12-18 3. 44-39 7-12 4. 31-27 22x31 5. 36x27",
    "1. 31-26 18-23 2. 37-31 12-18 3. 41-37 7-12",
]
PLAYERS = ["Anker, Joris", "Berg, Lotte", "Cornel, Piet", "Duin, Mara", "Eik, Sam", "Fjord, Ida", "Gaard, Per"]
RESULTS = ["2-0", "1-1", "0-2"]
MIB = 1 << 20
TOKEN = "a-token-for-the-load-test"
TIMEOUT = 120
# Greatest number of bytes of the answers that the server keeps.
MAX_CACHE = 32 << 20
# Greatest number of bytes of the answers that the server keeps or has not sent yet.
MAX_ANSWERS = 256 << 20
# Share of the time in which the server is killed.
KILLED_SHARE = 0.4
# Share of the time without kills in which the threads and the allocator warm up.
WARM_UP_SHARE = 0.2
# Bytes that the server may keep for each added game: its identity, and the names of players that no other game has.
BYTES_PER_GAME = 1024
# Bytes by which memory may differ from one half to the other without a reason: answers that are computed at the time of a sample, and
# what the allocator keeps of them. A short run has few samples.
TOLERANCE = 4 << 20
SHORT_TOLERANCE = 16 << 20
SHORT_MINUTES = 10
# Open files by which one half may exceed the other.
FILES_TOLERANCE = 16
# Bytes that a client which reads slowly takes at a time, and the seconds between two times.
SLOW_BYTES, SLOW_PAUSE = 64 << 10, 0.1
# Bytes that the system may keep for a client that does not read.
STALLED_BUFFER = 4096


def game(number, rng, white=None):
    """Returns a legal game: the beginning of one of the lines."""
    words = rng.choice(LINES).split()
    moves = " ".join(words[: rng.randrange(2, len(words) + 1)])
    result = rng.choice(RESULTS)
    tags = {
        "Event": f"Evening {number % 17}",
        "Site": f"https://lidraughts.org/{number:08}",
        "Date": f"{rng.randrange(1980, 2026)}.{rng.randrange(1, 13):02}.{rng.randrange(1, 29):02}",
        "White": white or rng.choice(PLAYERS),
        "Black": rng.choice(PLAYERS),
        "WhiteElo": rng.randrange(1500, 2500),
        "Result": result,
        "GameType": "20",
    }
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{moves} {result}\n\n\n"


class Sample(typing.NamedTuple):
    """The server at one time; memory in bytes."""

    minutes: float
    games: int
    requests: int
    memory: int
    cache: int
    answers: int
    threads: int
    files: int


def growth_of(samples, tolerance):
    """Returns the memory that a quarter of the samples of the first and of the second half of a run do not exceed, without answers, and
    what is allowed for the second half. `None` if there are too few samples. What is never given back raises the least samples too; the
    others have answers that were being computed."""
    middle = (samples[0].minutes + samples[-1].minutes) / 2 if samples else 0
    halves = [sample for sample in samples if sample.minutes < middle], [sample for sample in samples if sample.minutes >= middle]
    if min(map(len, halves)) < 3:
        return None
    first, second = [sorted(sample.memory - sample.answers for sample in half)[len(half) // 4] for half in halves]
    added = halves[1][-1].games - halves[0][0].games
    return first, second, first + added * BYTES_PER_GAME + tolerance


class Load:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="pdn-load-")
        self.index = os.path.join(self.folder, "load.idx")
        self.counts, self.wrong, self.first_answers = {}, [], {}
        self.lock = threading.Lock()
        # Held while the index grows, and while an answer is compared with a command.
        self.still = threading.Lock()
        self.number = 0
        self.samples = []
        self.is_over = threading.Event()
        # The games that were confirmed, and all that were ever sent.
        self.confirmed, self.sent = set(), set()
        # The server is being killed or started; and the number of its starts, by which a client notices that it was cut off.
        self.is_down, self.starts = False, 0
        self.kills = 0
        # The time at which the server that runs to the end was started.
        self.calm_since = None

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, *words):
        return subprocess.run([self.options.pdn, *words], capture_output=True, text=True, timeout=600)

    def start(self):
        rng = random.Random(self.options.seed)
        with open(self.path("games.pdn"), "w") as file:
            for number in range(self.options.games):
                file.write(game(number, rng))
        self.number = self.options.games
        built = self.command("index", self.path("games.pdn"), "-o", self.index, "--positions")
        if built.returncode:
            sys.exit(built.stderr)
        with open(self.path("token"), "w") as file:
            file.write(TOKEN)
        self.serve()

    def serve(self):
        """Starts the server."""
        words = [self.options.pdn, "serve", self.index, "--addr", "127.0.0.1:0", "--import-addr", "127.0.0.1:0"]
        words += ["--import-token-file", self.path("token")]
        # Two heaps, as in `deploy`: each heap grows to what the largest answer took, and with one for each thread that takes hours.
        environment = {"MALLOC_ARENA_MAX": "2", **os.environ}
        self.server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
        ports = [urllib.parse.urlparse(self.server.stdout.readline().strip()).port for _ in range(2)]
        if None in ports:
            sys.exit("the server did not start")
        self.port, self.import_port = ports
        self.starts += 1
        self.is_down = False

    def kill(self):
        """Kills the server at once."""
        self.is_down = True
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()
        self.kills += 1

    def count(self, kind):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1

    def report(self, what, *details):
        with self.lock:
            self.wrong.append((what, *details))

    # Requests.

    def ask(self, path, method="GET", body=None, port=None, headers=None):
        """Returns the status, the tag and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.getheader("etag"), answer.read()
        finally:
            connection.close()

    def get(self, path):
        """Returns the JSON of an answer that has to be there, after comparing it with the first one of the same state."""
        status, tag, body = self.ask(path)
        address = path.partition("?")[0]
        self.count(f"{'game' if '/games/' in address else address.rpartition('/')[2]} {status}")
        if status == 503:
            return None
        if status != 200:
            self.report("status", path, status, body[:200])
            return None
        try:
            value = [json.loads(line) for line in body.splitlines()] if ".ndjson" in path else json.loads(body)
        except ValueError:
            self.report("no JSON", path, body[:200])
            return None
        if tag:
            with self.lock:
                first = self.first_answers.setdefault((tag, path), body)
                if len(self.first_answers) > 20_000:
                    self.first_answers.clear()
            if first != body:
                self.report("another answer for the same state", path, tag, first[:200], body[:200])
        return value

    def digest(self):
        return json.loads(self.ask("/api/v1/indexes")[2])["indexes"][0]["digest"]

    def valid(self, rng):
        """Asks a question about the index, and sometimes the command of the same meaning."""
        moves = " ".join(rng.choice(LINES).split()[: rng.randrange(0, 6)])
        player = rng.choice(PLAYERS).split(",")[0].lower()
        year = rng.randrange(1980, 2026)
        square = rng.randrange(1, 51)
        kinds = [
            ("tree", {"moves": moves}),
            ("tree", {"moves": moves, "player": player, "date": f"{year}.."}),
            ("tree", {"moves": moves, "transpositions": "true"}),
            ("find", {"player": player, "date": f"..{year}", "limit": 20}),
            ("find", {"variant": "international", "pattern": f"{rng.choice('wb.')}{square}", "limit": 5}),
            ("find", {"query": rng.choice(["w-b >= 1", "move takes >= 1", "plies < 6", "rating >= 2000 and result draw"]), "limit": 5}),
            ("find.ndjson", {"variant": "international", "pattern": f"{rng.choice('wb.')}{square}", "limit": 5}),
            ("find.ndjson", {"player": player, "query": "w-b >= 1", "limit": 9}),
            ("game", {}),
            ("stats", {"player": player}),
            ("players", {"name": player}),
            ("position", {"moves": moves}),
            ("masters", {}),
        ]
        kind, parameters = rng.choice(kinds)
        parameters = {name: value for name, value in parameters.items() if value != ""}
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        compared = kind in ("tree", "find", "find.ndjson", "game") and rng.randrange(4) == 0
        number = rng.randrange(1, self.options.games + 1)
        path = {"game": f"/api/v1/load/games/{number}", "masters": "/masters"}.get(kind, f"/api/v1/load/{kind}{query}")
        if not compared:
            self.get(path)
            return
        with self.still:
            answer = self.get(path)
            if answer is None:
                return
            expected = self.expected(kind, parameters, number)
            if kind == "find.ndjson":
                *rows, last = answer
                if last.get("complete") is False:
                    # The server is busy, and says so.
                    self.count("incomplete")
                    return
                answer = {"total": last.get("total"), "rows": rows, "complete": last.get("complete")}
            elif kind == "find":
                answer = {"total": answer["total"], "rows": answer["games"], "complete": True}
            elif kind == "game" and "digest" in answer:
                # Only links of the page need it.
                del answer["digest"]
            if answer != expected:
                self.report("differs from the command", path, str(expected)[:300], str(answer)[:300])
            self.count("compared with the command")

    def expected(self, kind, parameters, number):
        """Returns what the command prints, in the form of the server."""
        options = [f"--{name.replace('_', '-')}={value}" for name, value in parameters.items() if name not in ("limit", "transpositions")]
        if "transpositions" in parameters:
            options.append("--transpositions")
        if kind == "tree":
            return json.loads(self.command("tree", self.index, "--json", *options).stdout)
        if kind == "game":
            value = json.loads(self.command("show", self.index, str(number), "--json").stdout)
            value["file"] = os.path.basename(value["file"])
            return value
        printed = self.command("find", self.index, "--json", "--fields=+fen", *options).stdout
        rows = [json.loads(line) for line in printed.splitlines()]
        for row in rows:
            row["file"] = os.path.basename(row["file"])
        return {"total": len(rows), "rows": rows[: parameters["limit"]], "complete": True}

    def invalid(self, rng):
        index = "/api/v1/load/"
        path, expected = rng.choice([
            (index + "tree?moves=1-50", 400), (index + "find?query=((", 400), (index + "find?date=x", 400), (index + "find?limit=-1", 400),
            (index + "tree?variant=x", 400), (index + "tree?unknown=1", 400), (index + "find?white=a&white=b", 400),
            (index + "find.ndjson?sort=date", 400), (index + "games/99999999", 404), (index + "games/0", 404), (index + "%00", 404),
            (index + "../../etc/passwd", 404), ("/api/v1/others/tree", 404), ("/import/lidraughts", 404),
            (index + "find?query=" + "a" * 9000, 414),
        ])
        status = self.ask(path)[0]
        self.count(f"invalid {status}")
        if status != expected:
            self.report("status of an invalid request", path[:100], status, expected)

    def check(self, rng):
        text = "".join(game(n, rng) for n in range(rng.randrange(1, 20)))
        status, _, body = self.ask("/api/v1/check", "POST", text)
        self.count(f"check {status}")
        if status == 200 and json.loads(body)["summary"]["games"] != text.count("[Event"):
            self.report("check", body[:200])
        elif status not in (200, 503):
            self.report("status of a check", status, body[:200])

    def broken(self, rng):
        """Sends a request that is slow, cut off or no request, and goes away."""
        kind = rng.choice(["half a header", "no reader", "part of a stream", "noise", "slow header", "half a body", "half an import"])
        port = self.import_port if kind == "half an import" else self.port
        with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as connection:
            if kind == "half a header":
                connection.sendall(b"GET /api/v1/load/stats HTTP/1.1\r\nHost: loc")
                time.sleep(rng.random() / 2)
            elif kind == "no reader":
                connection.sendall(b"GET /api/v1/load/tree?date=1980.. HTTP/1.1\r\nHost: localhost\r\n\r\n")
            elif kind == "part of a stream":
                connection.sendall(b"GET /api/v1/load/find.ndjson?query=w-b+%3E%3D+1&limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                connection.recv(100)
            elif kind == "noise":
                connection.sendall(bytes(rng.randrange(256) for _ in range(200)))
                connection.settimeout(5)
                try:
                    connection.recv(1000)
                except OSError:
                    pass
            elif kind == "slow header":
                for byte in b"GET /health HTTP/1.1\r\n":
                    connection.sendall(bytes([byte]))
                    time.sleep(rng.random() / 50)
            else:
                target = b"POST /api/v1/check" if kind == "half a body" else b"PUT /import/lidraughts"
                head = b" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN.encode() + b"\r\nContent-Length: 1000\r\n\r\n"
                connection.sendall(target + head + b'[White "never stored"]\n')
                time.sleep(rng.random() / 2)
        self.count(kind)

    def large_answer(self, rng):
        """Returns the path of an answer of many games. Each year has another."""
        return f"/api/v1/load/{rng.choice(['find.pdn', 'find.csv'])}?date={rng.randrange(1980, 1990)}..&variant=international"

    def connect(self, path, buffer=None):
        """Sends a question; `buffer` is the number of bytes that the system keeps of the answer until they are read."""
        connection = socket.socket()
        try:
            if buffer:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            connection.settimeout(TIMEOUT)
            connection.connect(("127.0.0.1", self.port))
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        except OSError:
            connection.close()
            raise
        return connection

    def stalled(self, rng):
        """Asks for a large answer and never reads it. The server closes the connection; until then, the client keeps it."""
        with self.connect(self.large_answer(rng), STALLED_BUFFER):
            starts, until = self.starts, time.time() + rng.randrange(5, 60)
            while time.time() < min(until, self.end) and starts == self.starts:
                time.sleep(0.5)
        self.count("never read")

    def slow(self, rng):
        """Reads a large answer slowly, and compares it with the one that is read at once."""
        path = self.large_answer(rng)
        with self.connect(path, SLOW_BYTES) as connection:
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            body = b""
            while part := answer.read(SLOW_BYTES):
                body += part
                # Near the end, the rest is read at once.
                if time.time() < self.end:
                    time.sleep(SLOW_PAUSE)
            status, tag = answer.status, answer.getheader("etag")
        self.count(f"slow {status}")
        if status == 503:
            return
        now = self.ask(path)
        if status != 200:
            self.report("status of a slow answer", path, status, body[:200])
        elif tag is None:
            self.report("no tag", path)
        elif now[0] == 200 and now[1] == tag:
            self.count("slow and compared")
            if now[2] != body:
                self.report("a slow answer differs", path, tag, len(body), len(now[2]))

    def client(self, seed, works):
        """Asks questions of these kinds until the end."""
        rng = random.Random(seed)
        while time.time() < self.end:
            work = rng.choices(*works)[0]
            starts, was_down = self.starts, self.is_down
            try:
                work(rng)
            except Exception as error:
                is_cut_off = was_down or self.is_down or starts != self.starts
                is_network = isinstance(error, (OSError, http.client.HTTPException))
                if is_network and is_cut_off:
                    self.count("cut off by a kill")
                elif not is_network:
                    self.report("fault of the test", work.__name__, repr(error))
                elif work is self.broken:
                    self.count(type(error).__name__)
                else:
                    self.report("no answer", work.__name__, repr(error))
            time.sleep(rng.random() * self.options.pause * 2)

    # Growth.

    def grow(self, rng):
        """Adds games by an import or by the command, and looks for them."""
        self.number += 3
        names = [f"New {self.number + n}" for n in range(3)]
        text = "".join(game(self.number + n, rng, name) for n, name in enumerate(names))
        with self.still:
            if rng.randrange(3):
                self.sent.update(names)
                self.put(text, {"taken": 3, "known": 0})
                self.put(text, {"taken": 0, "known": 3})
                self.confirmed.update(names)
            else:
                more = self.path(f"more-{self.number}.pdn")
                with open(more, "w") as file:
                    file.write(text)
                before = self.digest()
                self.sent.update(names)
                added = self.command("index", "--append", more, "-o", self.index, "--positions")
                if added.returncode:
                    self.report("append", added.stderr)
                self.confirmed.update(names)
                since = time.time()
                while self.digest() == before:
                    if time.time() - since > TIMEOUT:
                        self.report("an append is not seen", self.number)
                        return
                    time.sleep(0.1)
                self.count("append")
            for name in names:
                found = self.get("/api/v1/load/find?" + urllib.parse.urlencode({"white": "=" + name, "limit": 1}))
                if found and found["total"] != 1:
                    self.report("a confirmed game is not found", name, found["total"])

    def kill_while_importing(self, rng):
        """Kills the server at some time of an import, looks at the index, and starts the server again."""
        self.number += 3
        names = [f"New {self.number + n}" for n in range(3)]
        text = "".join(game(self.number + n, rng, name) for n, name in enumerate(names)).encode()
        headers = {"Authorization": "Bearer " + TOKEN}
        answers = []

        def send():
            try:
                status, _, body = self.ask("/import/lidraughts", "PUT", text, self.import_port, headers)
                answers.append((status, json.loads(body)))
            except (OSError, http.client.HTTPException, ValueError):
                # It was cut off.
                pass

        with self.still:
            self.sent.update(names)
            since = time.time()
            sender = threading.Thread(target=send)
            sender.start()
            time.sleep(rng.random() * self.import_seconds * 1.2)
            self.kill()
            sender.join()
            if answers:
                status, answer = answers[0]
                if status != 200 or answer["taken"] != 3:
                    self.report("import before a kill", status, answer)
                self.confirmed.update(names)
                # The longest time counts: the moments of the kills are to cover all of an import.
                self.import_seconds = max(self.import_seconds, min(time.time() - since, 1))
            self.count("kill after the confirmation" if answers else "kill before the confirmation")
            verified = json.loads(self.command("verify", "--json", self.index).stdout)
            if verified["index"]:
                self.report("a killed server leaves an index that is not sound", verified["index"])
            self.compare_games()
            self.serve()
            # A client sends again what was not confirmed.
            if not answers:
                self.put(text.decode(), None)
                self.confirmed.update(names)
                self.compare_games()

    def compare_games(self):
        """Reports confirmed games that are not there exactly once, and games that were never sent."""
        printed = self.command("find", self.index, "--white", "begins:new", "--json").stdout
        found = {}
        for line in printed.splitlines():
            white = json.loads(line)["white"]
            found[white] = found.get(white, 0) + 1
        for white in self.confirmed - found.keys():
            self.report("a confirmed game is lost", white)
        for white, times in found.items():
            if times > 1:
                self.report("a game is there several times", white, times)
            if white not in self.sent:
                self.report("a game that nobody sent", white)
        self.count("all confirmed games compared")

    def put(self, text, expected):
        headers = {"Authorization": "Bearer " + TOKEN}
        status, _, body = self.ask("/import/lidraughts", "PUT", text.encode(), self.import_port, headers)
        self.count(f"import {status}")
        # Another program may be writing the index.
        for _ in range(20):
            if status != 503:
                break
            time.sleep(1)
            status, _, body = self.ask("/import/lidraughts", "PUT", text.encode(), self.import_port, headers)
        answer = json.loads(body)
        if status != 200 or answer["taken"] + answer["known"] != 3 or answer["refused"] or answer["errors"]:
            self.report("import", status, body[:300])
        elif expected and answer["taken"] != expected["taken"]:
            self.report("import", body[:300], expected)
        wrong = self.ask("/import/lidraughts", "PUT", text.encode(), self.import_port, {"Authorization": "Bearer another-token-of-nobody"})
        if wrong[0] != 401:
            self.report("an import without the token", wrong[0])

    # Memory.

    def sample(self):
        """Reads the memory of the server and the number of bytes of the answers that it keeps."""
        found = {}
        with open(f"/proc/{self.server.pid}/status") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name in ("RssAnon", "Threads"):
                    found[name] = int(value.split()[0])
        files = len(os.listdir(f"/proc/{self.server.pid}/fd"))
        metrics = self.ask("/metrics")[2].decode().splitlines()
        cache, answers = [
            next(int(line.split()[1]) for line in metrics if line.startswith(name + " ")) for name in ("pdn_cache_bytes", "pdn_answer_bytes")
        ]
        minutes = (time.time() - self.begin) / 60
        with self.lock:
            requests = sum(self.counts.values())
        memory = found["RssAnon"] << 10
        self.samples.append(Sample(minutes, self.number, requests, memory, cache, answers, found["Threads"], files))

    def sample_all(self):
        while not self.is_over.wait(1):
            try:
                self.sample()
            except (OSError, http.client.HTTPException, KeyError, StopIteration, ValueError):
                # The server was killed or has ended, which is reported elsewhere, or is too busy.
                pass

    def judge(self):
        """Reports memory that grows without a reason."""
        for what, limit, largest in [
            ("kept answers", MAX_CACHE, max((sample.cache for sample in self.samples), default=0)),
            ("kept and unsent answers", MAX_ANSWERS, max((sample.answers for sample in self.samples), default=0)),
        ]:
            print(f"{what}: at most {largest / MIB:.1f} MiB of {limit / MIB:.0f} MiB")
            if largest > limit:
                self.report(what, largest, limit)
        if self.calm_since is None:
            self.report("no time without kills")
            return
        warm = self.calm_since + (self.end - self.calm_since) * WARM_UP_SHARE
        samples = [sample for sample in self.samples if self.begin + sample.minutes * 60 >= warm]
        growth = growth_of(samples, SHORT_TOLERANCE if self.options.minutes < SHORT_MINUTES else TOLERANCE)
        if growth is None:
            self.report("too few samples of the memory", len(samples))
            return
        first, second, allowed = growth
        print(f"a quarter of {len(samples)} samples after the warm-up, without answers: at most {first / MIB:.2f} MiB in the first half,")
        print(f"{second / MIB:.2f} MiB in the second; {allowed / MIB:.2f} MiB would be allowed")
        if second > allowed:
            self.report("memory grows", f"{first / MIB:.2f} MiB", f"{second / MIB:.2f} MiB")
        files = [max(sample.files for sample in half) for half in (samples[: len(samples) // 2], samples[len(samples) // 2 :])]
        if files[1] > files[0] + FILES_TOLERANCE:
            self.report("open files", *files)
        refused, answered = [sum(n for kind, n in self.counts.items() if kind.endswith(status)) for status in (" 503", " 200")]
        if refused > answered:
            self.report("most questions are refused", refused, answered)

    def run(self):
        self.start()
        self.begin = time.time()
        self.end = self.begin + self.options.minutes * 60
        questions = [self.valid, self.invalid, self.check, self.broken], [12, 2, 1, 3]
        kinds = [questions] * self.options.clients
        kinds += [([self.stalled], [1])] * self.options.stalled + [([self.slow], [1])] * self.options.slow
        clients = [
            threading.Thread(target=self.client, args=(self.options.seed + 1 + number, works)) for number, works in enumerate(kinds)
        ]
        for client in clients:
            client.start()
        sampler = threading.Thread(target=self.sample_all)
        sampler.start()
        rng = random.Random(self.options.seed)
        # How long an import takes; learned from those that are confirmed.
        self.import_seconds = 0.05
        killed_until = self.begin + self.options.minutes * 60 * KILLED_SHARE
        while time.time() < self.end:
            try:
                if time.time() < killed_until:
                    self.kill_while_importing(rng)
                    pause = rng.random() * self.options.growth * 2 / 3
                else:
                    self.calm_since = self.calm_since or time.time()
                    self.grow(rng)
                    pause = self.options.growth
            except Exception as error:
                self.report("growth", repr(error))
                pause = 1
            if self.server.poll() is not None:
                self.report("the server has ended", self.server.returncode)
                break
            time.sleep(min(pause, max(self.end - time.time(), 0)))
        self.end = min(self.end, time.time())
        for client in clients:
            client.join()
        self.is_over.set()
        sampler.join()
        self.finish()

    def finish(self):
        """Compares everything once more, stops the server and prints the tables."""
        if self.server.poll() is None:
            tree = self.get("/api/v1/load/tree")
            if tree != json.loads(self.command("tree", self.index, "--json").stdout):
                self.report("the last tree differs from the command")
            self.compare_games()
            self.server.terminate()
            code = self.server.wait(60)
            if code:
                self.report("exit code of the server", code)
        verified = self.command("verify", "--full", self.index)
        if verified.returncode:
            self.report("the index is not sound", verified.stdout, verified.stderr)
        print("minute   games  requests  private memory (MiB)  of it answers  threads  open files")
        for sample in self.samples[:: max(len(self.samples) // 40, 1)]:
            memory, answers = sample.memory / MIB, sample.answers / MIB
            print(f"{sample.minutes:6.1f} {sample.games:7} {sample.requests:9} {memory:21.1f} {answers:14.1f} {sample.threads:8} {sample.files:11}")
        self.judge()
        print("\nrequests by kind and status:")
        for kind, number in sorted(self.counts.items()):
            print(f"  {kind}: {number}")
        print(f"\nkills: {self.kills}, confirmed games: {len(self.confirmed)}, wrong: {len(self.wrong)}")
        for wrong in self.wrong[:50]:
            print(" ", *wrong)
        shutil.rmtree(self.folder)
        sys.exit(1 if self.wrong else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pdn", default="pdn", help="the program, built with the feature `serve`")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--clients", type=int, default=4, help="requests at a time")
    parser.add_argument("--stalled", type=int, default=6, help="clients that never read what they asked for")
    parser.add_argument("--slow", type=int, default=2, help="clients that read slowly")
    parser.add_argument("--games", type=int, default=20_000, help="games of the index at the start")
    parser.add_argument("--pause", type=float, default=0.1, help="mean pause of a client between requests, in seconds")
    parser.add_argument("--growth", type=float, default=5, help="pause between additions to the index, in seconds; three times as long as that between kills")
    parser.add_argument("--seed", type=int, default=1)
    Load(parser.parse_args()).run()


if __name__ == "__main__":
    main()
