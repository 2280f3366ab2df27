from collections.abc import Callable, Iterable, Sequence
from datetime import date as _date
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Protocol, Self, TypeAlias, final, type_check_only

import pandas
import polars
import pyarrow

from ._errors import Error
from ._tree import GameTree

__all__ = [
    "Archive",
    "Batch",
    "BatchIterator",
    "DatasetBatches",
    "Diagnostic",
    "DiagnosticIterator",
    "Game",
    "GameIterator",
    "Hit",
    "Index",
    "IndexGames",
    "Move",
    "Part",
    "Position",
    "Replay",
    "ReplayIterator",
    "Table",
    "Tree",
    "TreeMove",
    "chain_chunks",
    "check",
    "chunks",
    "comments",
    "convert",
    "dataset",
    "dedup",
    "diagnostics",
    "file_head",
    "fix",
    "games",
    "history",
    "index",
    "moves",
    "open",
    "perft",
    "positions",
    "read_commands",
    "restore_archive",
    "restore_game",
    "restore_hit",
    "restore_indexed_game",
    "restore_move",
    "restore_table",
    "run_command",
    "scan_chunk",
    "spark_table",
    "split_points",
    "undo_fix",
    "variants",
]

@type_check_only
class _Readable(Protocol):
    def read(self) -> bytes | str: ...

_Named: TypeAlias = str | PathLike[str] | bytes | bytearray | memoryview | _Readable | Archive | Part
_Archives: TypeAlias = _Named | Sequence[_Named]
_Rows: TypeAlias = _Archives | Index
_Colour: TypeAlias = Literal["white", "black"]
_Winner: TypeAlias = Literal["white", "black", "draw"]
_Strings: TypeAlias = Literal["dictionary", "plain"]
_Errors: TypeAlias = Literal["raise", "skip"]
_Scores: TypeAlias = Literal["first", "white"]

@final
class Archive:
    def __iter__(self) -> GameIterator: ...
    @property
    def files(self) -> list[str]: ...
    @property
    def skipped(self) -> list[Error]: ...
    def __enter__(self) -> Archive: ...
    def __exit__(self, *_args: object) -> None: ...
    def __reduce__(self) -> tuple[Any, Any]: ...

@final
class GameIterator:
    def __iter__(self) -> GameIterator: ...
    def __next__(self) -> Game: ...

@final
class Game:
    @property
    def game(self) -> int | None: ...
    @property
    def file(self) -> str: ...
    @property
    def record(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def white(self) -> str | None: ...
    @property
    def black(self) -> str | None: ...
    @property
    def event(self) -> str | None: ...
    @property
    def site(self) -> str | None: ...
    @property
    def round(self) -> str | None: ...
    @property
    def date(self) -> _date | None: ...
    @property
    def date_text(self) -> str | None: ...
    @property
    def year(self) -> int | None: ...
    @property
    def white_rating(self) -> int | None: ...
    @property
    def black_rating(self) -> int | None: ...
    @property
    def result(self) -> str | None: ...
    @property
    def winner(self) -> _Winner | None: ...
    @property
    def variant(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def plies(self) -> int: ...
    @property
    def tags(self) -> dict[str, str]: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def text(self) -> str: ...
    @property
    def raw(self) -> bytes: ...
    @property
    def start(self) -> Position: ...
    @property
    def last(self) -> Position: ...
    def replay(self) -> Replay: ...
    @property
    def comments(self) -> list[str]: ...
    def tree(self) -> GameTree: ...
    @staticmethod
    def from_board(position: Position) -> GameTree: ...
    def _lines(self) -> list[tuple[tuple[int, int, bool] | None, list[str], list[tuple[Any, ...]]]]: ...
    def diagnostics(self, *, strict: bool = False) -> list[Diagnostic]: ...
    def __reduce__(self) -> tuple[Any, Any]: ...
    def _repr_html_(self) -> str: ...

@final
class Part:
    def __new__(
        cls,
        file: str | PathLike[str],
        start: int,
        end: int | None,
        record: int,
        line: int,
        file_len: int,
        head: str,
        skips: bool = False,
    ) -> Part: ...
    @property
    def file(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int | None: ...
    @property
    def record(self) -> int: ...
    @property
    def line(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, int, int | None, int, int, int, str, str | None, bool]: ...

@final
class Replay:
    @property
    def status(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def stopped(self) -> str | None: ...
    @property
    def start(self) -> Position: ...
    @property
    def last(self) -> Position: ...
    @property
    def occurrences(self) -> list[int]: ...
    @property
    def draws(self) -> list[str | None]: ...
    def is_repetition(self, count: int = 3) -> bool: ...
    def __len__(self) -> int: ...
    def __getitem__(self, ply: int, /) -> tuple[Position, Move]: ...
    def __iter__(self) -> ReplayIterator: ...

@final
class ReplayIterator:
    def __iter__(self) -> ReplayIterator: ...
    def __next__(self) -> tuple[Position, Move]: ...

@final
class Position:
    def __new__(cls, variant: str = "international", fen: str | None = None) -> Position: ...
    @property
    def fen(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def game_type(self) -> str: ...
    @property
    def turn(self) -> _Colour: ...
    @property
    def key(self) -> int: ...
    @property
    def white_men(self) -> list[int]: ...
    @property
    def white_kings(self) -> list[int]: ...
    @property
    def black_men(self) -> list[int]: ...
    @property
    def black_kings(self) -> list[int]: ...
    @property
    def bitboards(self) -> tuple[int, int, int, int]: ...
    @property
    def pieces(self) -> dict[int, Literal["w", "W", "b", "B"]]: ...
    @property
    def winner(self) -> _Colour | None: ...
    def legal_moves(self) -> list[Move]: ...
    def play(self, move: Move | str) -> Position: ...
    def perft(self, depth: int) -> int: ...
    def svg(
        self, *, size: int = 360, flip: bool = False, numbers: bool = True, move: Move | None = None
    ) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, str]: ...
    def _repr_svg_(self) -> str: ...

@final
class Move:
    @property
    def text(self) -> str: ...
    @property
    def from_square(self) -> int: ...
    @property
    def to_square(self) -> int: ...
    @property
    def captured(self) -> list[int]: ...
    @property
    def path(self) -> list[int]: ...
    @property
    def is_capture(self) -> bool: ...
    @property
    def promotes(self) -> bool: ...
    @property
    def man(self) -> bool: ...
    @property
    def before(self) -> Position: ...
    @property
    def after(self) -> Position: ...
    def __reduce__(self) -> tuple[Any, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class Diagnostic:
    def __new__(
        cls,
        file: str,
        record: int,
        code: str,
        severity: str,
        line: int,
        column: int,
        at: int,
        length: int,
        message: str,
        help: str | None = None,
    ) -> Diagnostic: ...
    @property
    def file(self) -> str: ...
    @property
    def record(self) -> int: ...
    @property
    def code(self) -> str: ...
    @property
    def severity(self) -> Literal["error", "warning", "style"]: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def at(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> str | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, int, str, str, int, int, int, int, str, str | None]: ...

@final
class DiagnosticIterator:
    def __iter__(self) -> DiagnosticIterator: ...
    def __next__(self) -> Diagnostic: ...
    @property
    def skipped(self) -> list[Error]: ...

@final
class Table:
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def incomplete(self) -> int: ...
    @property
    def skipped(self) -> list[Error]: ...
    @property
    def schema(self) -> dict[str, str]: ...
    def select(self, columns: Sequence[str]) -> Table: ...
    def limit(self, rows: int) -> Table: ...
    def head(self, rows: int = 5) -> list[dict[str, Any]]: ...
    def count(self) -> int: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __array__(self, *_args: object, **_options: object) -> Any: ...
    def __reduce__(self) -> tuple[Any, Any]: ...
    def _repr_html_(self) -> str: ...
    def empty(self) -> Batch: ...
    def __iter__(self) -> BatchIterator: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...
    def to_polars(self) -> polars.DataFrame: ...
    def to_arrow(self) -> pyarrow.Table: ...
    def to_pandas(self) -> pandas.DataFrame: ...

@final
class Batch:
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[Any, Any]: ...
    def __arrow_c_schema__(self) -> Any: ...

@final
class BatchIterator:
    def __iter__(self) -> BatchIterator: ...
    def __next__(self) -> Batch: ...

@final
class Index:
    def __new__(cls, path: str | PathLike[str]) -> Index: ...
    @property
    def path(self) -> PathLike[str]: ...
    @property
    def files(self) -> list[str]: ...
    @property
    def skipped(self) -> list[Error]: ...
    def __getnewargs__(self) -> tuple[Path]: ...
    def game(self, number: int) -> Game: ...
    def find(
        self, query: str, *, limit: int | None = None, define: str | PathLike[str] | None = None
    ) -> list[Hit]: ...
    def count(self, query: str, *, define: str | PathLike[str] | None = None) -> int: ...
    def groups(
        self,
        query: str,
        by: str,
        *,
        limit: int | None = None,
        define: str | PathLike[str] | None = None,
        names: str | PathLike[str] | None = None,
    ) -> list[dict[str, Any]]: ...
    def tree(
        self,
        *,
        fen: str | None = None,
        moves: str | None = None,
        variant: str | None = None,
        where: str | None = None,
        transpositions: bool = False,
    ) -> Tree: ...
    def player(
        self,
        name: str,
        *,
        against: str | None = None,
        where: str | None = None,
        names: str | PathLike[str] | None = None,
        limit: int | None = None,
    ) -> dict[str, Any]: ...
    def event(
        self,
        name: str,
        *,
        where: str | None = None,
        names: str | PathLike[str] | None = None,
        tie_breaks: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> IndexGames: ...

@final
class IndexGames:
    def __iter__(self) -> IndexGames: ...
    def __next__(self) -> Game: ...

@final
class Hit:
    @property
    def game(self) -> Game: ...
    @property
    def ply(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def position(self) -> Position: ...
    def __reduce__(self) -> tuple[Any, Any]: ...

@final
class Tree:
    @property
    def position(self) -> Position: ...
    @property
    def games(self) -> int: ...
    @property
    def white(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def black(self) -> int: ...
    @property
    def ended(self) -> int: ...
    @property
    def moves(self) -> list[TreeMove]: ...
    def _repr_html_(self) -> str: ...

@final
class TreeMove:
    @property
    def text(self) -> str: ...
    @property
    def games(self) -> int: ...
    @property
    def white(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def black(self) -> int: ...
    @property
    def average_rating(self) -> float | None: ...
    @property
    def first_year(self) -> int | None: ...
    @property
    def last_year(self) -> int | None: ...
    @property
    def reached(self) -> int | None: ...
    @property
    def move(self) -> Move | None: ...
    @property
    def after(self) -> Position: ...

def open(
    source: _Archives,
    *,
    variant: str | None = None,
    encoding: str | None = None,
    scores: _Scores | None = None,
    errors: _Errors | None = None,
    mmap: bool = False,
) -> Archive: ...
def games(
    source: _Rows,
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    variant: str | None = None,
    encoding: str | None = None,
    scores: _Scores | None = None,
    errors: _Errors | None = None,
    strings: _Strings = "dictionary",
    threads: int | None = None,
    mmap: bool = False,
) -> Table: ...
def moves(
    source: _Rows,
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    main_line: bool = False,
    variant: str | None = None,
    encoding: str | None = None,
    scores: _Scores | None = None,
    errors: _Errors | None = None,
    strings: _Strings = "dictionary",
    threads: int | None = None,
    mmap: bool = False,
) -> Table: ...
def positions(
    source: _Rows,
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    squares: Literal["u64", "wide"] = "u64",
    variant: str | None = None,
    encoding: str | None = None,
    scores: _Scores | None = None,
    errors: _Errors | None = None,
    strings: _Strings = "dictionary",
    threads: int | None = None,
    mmap: bool = False,
) -> Table: ...
def comments(
    source: _Rows,
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    variant: str | None = None,
    encoding: str | None = None,
    scores: _Scores | None = None,
    errors: _Errors | None = None,
    strings: _Strings = "dictionary",
    threads: int | None = None,
    mmap: bool = False,
) -> Table: ...
def diagnostics(
    source: _Rows,
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    strict: bool = False,
    variant: str | None = None,
    encoding: str | None = None,
    scores: _Scores | None = None,
    errors: _Errors | None = None,
    strings: _Strings = "dictionary",
    threads: int | None = None,
    mmap: bool = False,
) -> Table: ...
def check(
    source: _Rows,
    *,
    strict: bool = False,
    variant: str | None = None,
    encoding: str | None = None,
    scores: _Scores | None = None,
    errors: _Errors | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> DiagnosticIterator: ...
def index(
    source: _Archives,
    path: str | PathLike[str],
    *,
    append: bool = False,
    embed: bool = False,
    variant: str | None = None,
    encoding: str | None = None,
    scores: _Scores | None = None,
    errors: _Errors | None = None,
    threads: int | None = None,
) -> Index: ...
def history(start: Position, moves: list[Move]) -> tuple[list[int], list[str | None]]: ...
def read_commands(comments: list[str], by: str) -> tuple[int | None, int | None, int | None]: ...
def perft(depth: int, variant: str = "international", fen: str | None = None) -> int: ...
def variants() -> list[str]: ...
def split_points(
    source: _Archives,
    n: int,
    *,
    encoding: str | None = None,
    errors: _Errors | None = None,
    threads: int | None = None,
) -> list[Part]: ...
def run_command(arguments: Sequence[str]) -> int: ...
def convert(
    source: _Rows,
    output: str | PathLike[str] | None,
    *,
    where: str | None,
    overwrite: bool,
    rejects: str | PathLike[str] | None,
    others: str | PathLike[str] | None,
    split: str | Iterable[str],
    fix: bool,
    unsafe: bool,
    names: str | PathLike[str] | None,
    strip: str | Iterable[str],
    notation: str | None,
    captures: str | None,
    fen_style: str,
    program: str | None,
    width: int | None,
    add: str | Iterable[str],
    keep_untagged: bool,
    variations_as_games: bool,
    sort: str | Iterable[str],
    shuffle: int | None,
    sample: int | None,
    seed: int | None,
    limit: int | None,
    memory: str | int | None,
    variant: str | None,
    encoding: str | None,
    scores: _Scores | None,
    threads: int | None,
    mmap: bool,
) -> dict[str, Any]: ...
def fix(
    source: _Rows,
    *,
    write: bool,
    unsafe: bool,
    select: str | Iterable[str],
    ignore: str | Iterable[str],
    names: str | PathLike[str] | None,
    variant: str | None,
    encoding: str | None,
    scores: _Scores | None,
    threads: int | None,
    mmap: bool,
) -> dict[str, Any]: ...
def dataset(
    source: _Rows,
    folder: str | PathLike[str],
    *,
    format: str,
    where: str | None,
    captures: bool,
    skip_plies: int,
    min_pieces: int,
    max_per_game: int | None,
    dedup: str | None,
    flip: bool,
    eval: bool,
    training_share: float,
    split_by: str,
    seed: int,
    shards: int,
    variant: str | None,
    encoding: str | None,
    scores: _Scores | None,
    threads: int | None,
    mmap: bool,
) -> dict[str, Any]: ...
@final
class DatasetBatches:
    def __new__(
        cls, files: Sequence[str | PathLike[str]], format: str, variant: str, size: int, seed: int, epoch: int
    ) -> Self: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> bytearray: ...

def dedup(
    source: _Rows,
    *,
    against: str | PathLike[str] | Index | None,
    keep: str,
    classes: str | Iterable[str],
    flipped: bool,
    mirrored: bool,
    write: str | PathLike[str] | None,
    duplicates: str | PathLike[str] | None,
    overwrite: bool,
    share_tags: bool,
    explain: bool,
    limit: int | None,
    variant: str | None,
    encoding: str | None,
    scores: _Scores | None,
    threads: int | None,
    mmap: bool,
) -> dict[str, Any]: ...
def restore_archive(
    recipe: Sequence[Any],
    name: str,
    variant: str | None,
    encoding: str | None,
    scores: _Scores | None,
    errors: str | None,
) -> Archive: ...
def restore_game(
    text: bytes,
    place: tuple[Any, int, int],
    head: str,
    variant: str | None,
    encoding: str | None,
    scores: _Scores | None,
) -> Game: ...
def restore_hit(path: str | PathLike[str], game: int, ply: int, line: int) -> Hit: ...
def restore_indexed_game(path: str | PathLike[str], number: int) -> Game: ...
def restore_move(position: Position, place: int) -> Move: ...
def restore_table(what: tuple[Any, ...], how: tuple[Any, ...], rest: tuple[bool, int | None]) -> Table: ...
def undo_fix(journal: str | PathLike[str]) -> tuple[Path, int]: ...
_Scan = tuple[int, int, list[int], int, int, bool, int, int]

def chunks(len: int, n: int) -> list[tuple[int, int]]: ...
def file_head(file: str | PathLike[str], len: int, encoding: str | None) -> str | None: ...
def scan_chunk(file: str | PathLike[str], len: int, start: int, end: int, record: int | None = None) -> _Scan: ...
def chain_chunks(
    file: str | PathLike[str], len: int, n: int, head: str, scans: Sequence[_Scan], rescan: Callable[[int, int], _Scan]
) -> list[Part]: ...
def spark_table(
    table: str,
    source: _Rows,
    columns: Sequence[str] | None,
    where: str | None,
    variant: str | None,
    encoding: str | None,
    errors: _Errors | None,
    squares: str,
    main_line: bool,
    strict: bool,
    mmap: bool,
) -> Table: ...
