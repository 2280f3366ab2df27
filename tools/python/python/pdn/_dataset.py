"""`dataset`: positions with the results of their games, as arrays for programs that learn to evaluate positions."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from . import _pdn
from ._errors import Error

if TYPE_CHECKING:
    import numpy

    from ._pdn import _Path, _Rows

    _Format: TypeAlias = Literal["npy", "bin", "jnnw", "jnnt", "bullet-chess", "bullet-ataxx"]
    _Type: TypeAlias = numpy.dtype[Any]
    _Array: TypeAlias = numpy.ndarray[Any, _Type]


# The fields of a record of each format, with the type of NumPy, and the offset of each that does not follow the one before.
_BOARDS = [("white_men", "<u8"), ("white_kings", "<u8"), ("black_men", "<u8"), ("black_kings", "<u8")]
_POSITION = [("result", "<f4"), ("count", "<u4"), ("eval", "<i2"), ("ply", "<u2"), ("black_to_move", "|u1")]
_PROVEN = [("table", "|u1"), ("table_distance", "<u2")]
_BULLET = [("score", "<i2"), ("result", "|u1")]
_FIELDS: dict[str, list[tuple[Any, ...]]] = {
    "npy": [*_BOARDS, *_POSITION, *_PROVEN],
    "bin": [*_BOARDS, *_POSITION, *_PROVEN],
    "jnnw": [*_BOARDS, ("black_to_move", "|u1"), ("score", "<i4"), ("result", "|i1")],
    "jnnt": [*_BOARDS, ("black_to_move", "|u1"), ("score", "<i4")],
    "bullet-chess": [("pieces", "<u8"), ("codes", "|u1", (16,)), *_BULLET],
    "bullet-ataxx": [("own", "<u8"), ("other", "<u8"), ("kings", "<u8"), *_BULLET, ("black_to_move", "|u1"), ("move", "<u2")],
}
# The bytes before the first record.
_HEADERS = {"npy": 512, "jnnw": 8, "jnnt": 8}


class DatasetPart:
    """The positions of a training set for training, or those for validation.

    A row of the formats `npy` and `bin` has the fields `white_men`, `white_kings`, `black_men`, `black_kings` (bit `n - 1` is the square
    with number `n`), `result` (White's score from 0 to 1), `count` (equal positions that were joined), `eval` (hundredths of a man, -32768 for
    none), `ply`, `black_to_move`, `table` (what tables of endings prove for the side to move: 1 for a loss, 2 for a draw, 3 for a win, 0 if it
    is not known) and `table_distance` (the plies to the end). On the 12x12 board, a set of squares is two integers. The layouts of trainers have
    the fields that the page "Tables" of the guide describes.
    """

    __slots__ = ("files", "format", "_len", "_variant", "_itemsize", "_folder")

    files: list[Path]
    """The files, each with records of the format."""
    format: str
    """The format, as `pdn dataset` names it."""

    def __init__(
        self,
        files: Sequence[Path],
        positions: int,
        format: str = "npy",
        variant: str | None = "international",
        itemsize: int = 48,
        folder: object = None,
    ) -> None:
        """Creates the part of these files, with records of `itemsize` bytes. As long as it lives, `folder` does."""
        self.files, self._len, self._folder = list(files), positions, folder
        self.format, self._variant, self._itemsize = format, variant, itemsize

    def __len__(self) -> int:
        """The number of positions."""
        return self._len

    def _dtype(self) -> _Type:
        """Returns the type of a row."""
        numpy = _numpy()
        fields = _FIELDS[self.format]
        if self._itemsize == 80:
            fields = [(name, *of, (2,)) if name in dict(_BOARDS) else (name, *of) for name, *of in fields]
        # Bytes that are always zero follow.
        packed = numpy.dtype(fields)
        offsets = [packed.fields[name][1] for name in packed.names]
        formats = [packed.fields[name][0] for name in packed.names]
        if self.format == "bullet-ataxx":
            offsets[-1] = 28
        dtype: _Type = numpy.dtype(
            {"names": packed.names, "formats": formats, "offsets": offsets, "itemsize": self._itemsize}
        )
        return dtype

    def arrays(self) -> Iterator[_Array]:
        """Iterates over the files as structured arrays of NumPy, which are mapped into memory."""
        numpy, dtype, header = _numpy(), self._dtype(), _HEADERS.get(self.format, 0)
        for path in self.files:
            rows = (path.stat().st_size - header) // dtype.itemsize
            # An empty file cannot be mapped.
            yield numpy.memmap(path, dtype, "r", header, (rows,)) if rows else numpy.empty(0, dtype)

    def batches(self, size: int = 4096, *, seed: int | None = None, epoch: int = 0) -> Iterator[_Array]:
        """Iterates over all positions as structured arrays of NumPy of `size` rows; the last one may have fewer.

        With `seed`, every position comes once in an order that depends on `seed` and `epoch` alone. The files may be larger than memory: blocks of
        32 KiB are read in a random order, and rows are drawn at random from 32 MiB of them. Without `seed`, rows have the order of the files.
        """
        numpy = _numpy()
        if size < 1:
            raise ValueError("size: at least 1")
        # A training set without games has no variant, and no files.
        if seed is not None and self._variant is not None:
            dtype = self._dtype()
            for batch in _pdn.DatasetBatches(self.files, self.format, self._variant, size, seed, epoch):
                yield numpy.frombuffer(batch, dtype)
            return
        left: list[_Array] = []
        for array in self.arrays():
            start = 0
            while start < len(array):
                end = min(len(array), start + size - sum(map(len, left)))
                left.append(array[start:end])
                start = end
                if sum(map(len, left)) == size:
                    yield _joined(left)
                    left = []
        if left:
            yield _joined(left)

    def to_arrow(self, size: int = 65536, *, seed: int | None = None, epoch: int = 0) -> Iterator[Any]:
        """Iterates over all positions as record batches of PyArrow, as `batches` does."""
        try:
            import pyarrow
        except ImportError as error:
            raise ImportError("this takes pyarrow: `pip install pyarrow`") from error
        numpy = _numpy()
        for batch in self.batches(size, seed=seed, epoch=epoch):
            columns = {}
            for name in batch.dtype.names or ():
                values = numpy.ascontiguousarray(batch[name])
                column = pyarrow.array(values.ravel())
                # The sets of squares of a large board, and the codes of pieces.
                lists = values.ndim == 2
                columns[name] = pyarrow.FixedSizeListArray.from_arrays(column, values.shape[1]) if lists else column
            yield pyarrow.RecordBatch.from_pydict(columns)

    def __reduce__(self) -> tuple[Any, Any]:
        """The files, for other processes. They must not outlive the training set of a temporary folder."""
        return DatasetPart, (self.files, self._len, self.format, self._variant, self._itemsize)

    def __repr__(self) -> str:
        return f"<pdn.DatasetPart: {self._len} positions>"


class Dataset:
    """A training set; see `pdn.dataset`."""

    __slots__ = ("folder", "manifest", "messages", "train", "valid")

    folder: Path
    """The folder with the files."""
    manifest: dict[str, Any]
    """What was read and left out, and why, as in `manifest.json`: the page "JSON output" of the guide says what each key means."""
    messages: list[str]
    """Remarks about inputs, such as an empty file."""
    train: DatasetPart
    """The positions for training."""
    valid: DatasetPart
    """The positions for validation, of other games."""

    def __init__(self, folder: str | os.PathLike[str], messages: Sequence[str] = (), *, _owner: object = None) -> None:
        """Opens the folder of a training set, which `pdn dataset` makes, too, in any format but lines of text."""
        self.folder, self.messages = Path(folder), list(messages)
        try:
            self.manifest = json.loads((self.folder / "manifest.json").read_bytes())
        except (OSError, ValueError) as cause:
            raise Error(f"{self.folder}: no training set: {cause}") from cause
        if self.manifest["format"] not in _FIELDS:
            raise Error(f"{self.folder}: a training set in the format {self.manifest['format']}, whose lines are read as text")

        def part(name: Literal["train", "valid"]) -> DatasetPart:
            files = [self.folder / file["name"] for file in self.manifest["files"] if file["name"].startswith(name)]
            format, variant, itemsize = (self.manifest[key] for key in ("format", "variant", "record_bytes"))
            return DatasetPart(files, self.manifest["positions"][name], format, variant, itemsize, _owner)

        self.train, self.valid = part("train"), part("valid")

    def __repr__(self) -> str:
        return f"<pdn.Dataset: {len(self.train)} positions for training, {len(self.valid)} for validation>"


def dataset(
    source: _Rows,
    folder: str | os.PathLike[str] | None = None,
    *,
    format: _Format = "npy",
    where: str | None = None,
    eval: bool = False,
    # begin options of dataset
    captures: bool = False,
    skip_plies: int = 8,
    min_pieces: int = 0,
    max_per_game: int | None = None,
    dedup: Literal["mean", "first", "none"] | None = None,
    flip: bool = False,
    training_share: float = 0.98,
    split_by: Literal["game", "player"] = "game",
    seed: int = 0,
    shards: int = 1,
    tables: _Path | None = None,
    # end options of dataset
    variant: str | None = None,
    encoding: str | None = None,
    scores: Literal["first", "white"] | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> Dataset:
    """Makes a training set: positions with the results of their games, in arrays of NumPy or in the layout of a trainer.

    It asks the question of the command `pdn dataset`, whose options the arguments are: quiet positions, unless `captures`, from ply `skip_plies`
    on, of games of one variant that are legal to their end and have a result; equal positions are joined (`dedup`), unless the layout holds no
    mean of results. `where` is a query, which chooses games. `tables` is a folder of endings that `pdn endgame build` has proved; positions get
    their values. The files go to `folder`, which must be empty or not exist; without it to a temporary one, which is removed with the last part
    that is used.

    >>> import pdn
    >>> data = pdn.dataset("corpora/specs", where="variant international", training_share=0.5)
    >>> len(data.train) + len(data.valid) == data.manifest["positions"]["train"] + data.manifest["positions"]["valid"]
    True
    >>> for batch in data.train.batches(64, seed=1):
    ...     boards, results = batch["white_men"], batch["result"]
    >>> boards.dtype, results.dtype
    (dtype('uint64'), dtype('float32'))
    """
    given = {**locals()}
    if format not in _FIELDS:
        raise Error(f"format: `{format}`: expected one of {', '.join(_FIELDS)}")
    owner = None
    if folder is None:
        owner = tempfile.TemporaryDirectory(prefix="pdn-dataset-")
        folder = given["folder"] = Path(owner.name) / "dataset"
    result = _pdn.dataset(**given)
    return Dataset(folder, result["messages"], _owner=owner)


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise ImportError("this takes numpy: `pip install numpy`") from error
    return numpy


def _joined(arrays: list[_Array]) -> _Array:
    """Returns arrays as one, which is no view of a file."""
    joined: _Array = _numpy().concatenate(arrays)
    return joined
