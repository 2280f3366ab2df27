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

    from ._pdn import _Rows

    _Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[Any]]


class DatasetPart:
    """The positions of a training set for training, or those for validation.

    A row has the fields `white_men`, `white_kings`, `black_men`, `black_kings` (bit `n - 1` is the square with number `n`), `result`
    (White's score from 0 to 1), `count` (equal positions that were joined), `eval` (hundredths of a man, -32768 for none), `ply` and
    `black_to_move`. On the 12x12 board, a set of squares is two integers.
    """

    __slots__ = ("files", "_len", "_folder")

    files: list[Path]
    """The files, each an array of NumPy."""

    def __init__(self, files: Sequence[Path], positions: int, folder: object = None) -> None:
        """Creates the part of these files. As long as it lives, `folder` does."""
        self.files, self._len, self._folder = list(files), positions, folder

    def __len__(self) -> int:
        """The number of positions."""
        return self._len

    def arrays(self) -> Iterator[_Array]:
        """Iterates over the files as structured arrays of NumPy, which are mapped into memory."""
        numpy = _numpy()
        for path in self.files:
            array = numpy.load(path, mmap_mode="r")
            fields = [name for name in array.dtype.names if name != "zero"]
            yield array[fields]

    def batches(self, size: int = 4096, *, seed: int | None = None) -> Iterator[_Array]:
        """Iterates over all positions as structured arrays of NumPy of `size` rows; the last one may have fewer.

        With `seed`, files and rows come in an order that depends on it, such as another one for each epoch. It takes 8 bytes of memory for each
        position of a file.
        """
        numpy = _numpy()
        if size < 1:
            raise ValueError("size: at least 1")
        order = None if seed is None else numpy.random.default_rng(seed)
        arrays = list(self.arrays())
        if order is not None:
            order.shuffle(arrays)
        left: list[_Array] = []
        for array in arrays:
            rows = None if order is None else order.permutation(len(array))
            start = 0
            while start < len(array):
                end = min(len(array), start + size - sum(map(len, left)))
                left.append(array[start:end] if rows is None else array[rows[start:end]])
                start = end
                if sum(map(len, left)) == size:
                    yield _joined(left)
                    left = []
        if left:
            yield _joined(left)

    def to_arrow(self, size: int = 65536, *, seed: int | None = None) -> Iterator[Any]:
        """Iterates over all positions as record batches of PyArrow, as `batches` does."""
        try:
            import pyarrow
        except ImportError as error:
            raise ImportError("this takes pyarrow: `pip install pyarrow`") from error
        numpy = _numpy()
        for batch in self.batches(size, seed=seed):
            columns = {}
            for name in batch.dtype.names or ():
                values = numpy.ascontiguousarray(batch[name])
                column = pyarrow.array(values.ravel())
                # The sets of squares of a large board.
                columns[name] = pyarrow.FixedSizeListArray.from_arrays(column, 2) if values.ndim == 2 else column
            yield pyarrow.RecordBatch.from_pydict(columns)

    def __reduce__(self) -> tuple[Any, Any]:
        """The files, for other processes. They must not outlive the training set of a temporary folder."""
        return DatasetPart, (self.files, self._len)

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
        """Opens the folder of a training set of arrays, which `pdn dataset --format npy` makes, too."""
        self.folder, self.messages = Path(folder), list(messages)
        try:
            self.manifest = json.loads((self.folder / "manifest.json").read_bytes())
        except (OSError, ValueError) as cause:
            raise Error(f"{self.folder}: no training set: {cause}") from cause
        if self.manifest["format"] != "npy":
            raise Error(f"{self.folder}: a training set in the format {self.manifest['format']}, not npy")

        def part(name: Literal["train", "valid"]) -> DatasetPart:
            files = [self.folder / file["name"] for file in self.manifest["files"] if file["name"].startswith(name)]
            return DatasetPart(files, self.manifest["positions"][name], _owner)

        self.train, self.valid = part("train"), part("valid")

    def __repr__(self) -> str:
        return f"<pdn.Dataset: {len(self.train)} positions for training, {len(self.valid)} for validation>"


def dataset(
    source: _Rows,
    folder: str | os.PathLike[str] | None = None,
    *,
    where: str | None = None,
    captures: bool = False,
    skip_plies: int = 8,
    min_pieces: int = 0,
    max_per_game: int | None = None,
    dedup: Literal["mean", "first", "none"] = "mean",
    flip: bool = False,
    eval: bool = False,
    training_share: float = 0.98,
    seed: int = 0,
    shards: int = 1,
    variant: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    mmap: bool = False,
) -> Dataset:
    """Makes a training set: positions with the results of their games, in arrays of NumPy.

    It asks the question of the command `pdn dataset`, whose options the arguments are: quiet positions, unless `captures`, from ply `skip_plies`
    on, of games of one variant that are legal to their end and have a result; equal positions are joined (`dedup`). `where` is a query,
    which chooses games. The files go to `folder`, which must be empty or not exist; without it to a temporary one, which is removed
    with the last part that is used.

    >>> import pdn
    >>> data = pdn.dataset("corpora/specs", where="variant international", training_share=0.5)
    >>> len(data.train) + len(data.valid) == data.manifest["positions"]["train"] + data.manifest["positions"]["valid"]
    True
    >>> for batch in data.train.batches(64, seed=1):
    ...     boards, results = batch["white_men"], batch["result"]
    >>> boards.dtype, results.dtype
    (dtype('uint64'), dtype('float32'))
    """
    owner = None
    if folder is None:
        owner = tempfile.TemporaryDirectory(prefix="pdn-dataset-")
        folder = Path(owner.name) / "dataset"
    result = _pdn.dataset(
        source,
        folder,
        where=where,
        captures=captures,
        skip_plies=skip_plies,
        min_pieces=min_pieces,
        max_per_game=max_per_game,
        dedup=dedup,
        flip=flip,
        eval=eval,
        training_share=training_share,
        seed=seed,
        shards=shards,
        variant=variant,
        encoding=encoding,
        threads=threads,
        mmap=mmap,
    )
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
