"""The types of the dictionaries that `pdn.convert`, `pdn.fix` and `pdn.dedup` return, for annotations.

Their keys are those that the commands print with `--json`, and the page "JSON output" of the guide says what each of them means.
Three keys are added: `messages`, `text` and `data`.
"""

from typing import Literal, NotRequired, TypedDict

__all__ = [
    "ClassCounts",
    "ConvertResult",
    "ConvertedFile",
    "DedupResult",
    "DedupSummary",
    "DuplicateGroup",
    "DuplicateRecord",
    "Evidence",
    "FixResult",
    "FixSummary",
    "KeptRecord",
    "Repair",
    "RepairCandidate",
    "RepairEdit",
    "RepairProof",
    "UndoResult",
]


class ConvertedFile(TypedDict):
    """A file that `pdn.convert` wrote, and the number of games in it."""

    file: str
    games: int


class ConvertResult(TypedDict):
    """What became of the games of `pdn.convert`."""

    read: int
    variations: int
    written: int
    rejected: int
    rejected_by: dict[str, int]
    left_out: int
    left_out_by: dict[str, int]
    copies: int
    repaired: int
    repaired_unsafely: int
    renamed: int
    inferred_game_types: int
    encodings: dict[str, int]
    text_variations: int
    """Games with a variation that is kept as text in comments, because it cannot be played."""
    exchanged_scores: int
    """Games whose score gave the number of White first, though Black starts; they have that of Black first."""
    unseparated: int
    unreadable: int
    complete: bool
    files: list[ConvertedFile]
    rejects: ConvertedFile | None
    rejects_list: str | None
    """The file with a line of JSON for each rejected game: where it was, and why it is rejected."""
    others: ConvertedFile | None
    messages: list[str]
    """Remarks about inputs, such as an empty file."""
    text: NotRequired[str]
    """The games, if no output was named."""


class RepairEdit(TypedDict):
    """A change of a file: at a byte, an old text and a new one."""

    at: int
    old: str
    new: str


class RepairProof(TypedDict):
    """Why a repair can be trusted."""

    moves: Literal["same", "replayed"]
    text: str
    plies_before: NotRequired[int]
    plies_after: NotRequired[int]
    complete: NotRequired[bool]
    tried: NotRequired[int]


class RepairCandidate(TypedDict):
    """One of several repairs that fit."""

    kind: str
    edits: list[RepairEdit]
    proof: RepairProof


class Repair(TypedDict):
    """A repair of a record."""

    file: str
    record: int
    offset: int
    length: int
    line: int
    column: int
    code: str
    kind: str
    applicability: Literal["safe", "unsafe", "display"]
    applied: bool
    edits: list[RepairEdit]
    proof: RepairProof
    candidates: list[RepairCandidate]


class RepairCounts(TypedDict):
    """Repairs by how far they may be applied without asking."""

    safe: int
    unsafe: int
    display: int


class FixSummary(TypedDict):
    """The totals of `pdn.fix`."""

    files: int
    changed: int
    games: int
    repaired: int
    applied: int
    safe: int
    unsafe: int
    display: int
    by_code: dict[str, RepairCounts]
    """These repairs by the code of what they cure."""
    names: int
    journals: list[str]


class FixResult(TypedDict):
    """The repairs that `pdn.fix` found, in the order of the text."""

    repairs: list[Repair]
    summary: FixSummary
    messages: list[str]
    """Remarks about inputs, such as an empty file."""
    data: NotRequired[bytes]
    """The repaired text, if bytes were repaired with `write=True`."""


class UndoResult(TypedDict):
    """The file that `pdn.fix(undo=...)` gave its old text, and the number of changes taken back."""

    file: str
    changes: int


class Shift(TypedDict):
    """How the position of a problem is that of its keeper, moved over the board."""

    form: str
    columns: int
    rows: int


class Evidence(TypedDict):
    """What a game and its keeper have in common."""

    plies: list[int]
    common_plies: int
    position: str
    shift: Shift | None
    forerunner: str | None
    white: str
    black: str
    date: str
    round: str
    event: str
    address: str
    result: str


class KeptRecord(TypedDict):
    """The game of a group that stays."""

    file: str
    record: int | None
    game: NotRequired[int]
    known: NotRequired[bool]


# `class` is a word of the language, so these are no classes with annotations.
DuplicateRecord = TypedDict(
    "DuplicateRecord",
    {
        "file": str,
        "record": int | None,
        "game": NotRequired[int],
        "known": NotRequired[bool],
        "class": str,
        "reason": NotRequired[str],
        "evidence": NotRequired[Evidence],
    },
)
DuplicateGroup = TypedDict(
    "DuplicateGroup", {"class": str, "keeper": KeptRecord, "others": list[DuplicateRecord]}
)


class ClassCounts(TypedDict):
    """Groups of a class, and games in them besides their keepers."""

    groups: int
    others: int


class DedupSummary(TypedDict):
    """The totals of `pdn.dedup`."""

    games: int
    exact: ClassCounts
    prefix: ClassCounts
    near: ClassCounts
    same_position: ClassCounts
    same_moves: ClassCounts
    removed: int
    kept: int
    changed: int


class DedupResult(TypedDict):
    """The groups of records of one game that `pdn.dedup` found."""

    groups: list[DuplicateGroup]
    summary: DedupSummary
    messages: list[str]
    """Remarks about inputs, such as an empty file."""
