"""Games as trees of moves with comments, variations and clocks, and games made of moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _pdn
from ._errors import Error

if TYPE_CHECKING:
    from ._pdn import Game, Move, Position


class Node:
    """A place in a tree of moves: the start of a game, or a move with what is written about it.

    `pdn.Game.tree` returns the root of a game. `variations` are the moves that follow, the first of which is the main line; `add` appends
    one. `pdn.new_game` makes a game of a tree.

    >>> import pdn
    >>> [game] = pdn.open(b"1. 32-28! {[%clk 0:59:30] well known} 19-23 (19-24 {quiet}) 2. 28x19 *")
    >>> root = game.tree()
    >>> first = root.next()
    >>> first.move.text, first.comment, first.clock(), first.strength
    ('32-28', '[%clk 0:59:30] well known', 3570.0, '!')
    >>> [node.text for node in first.variations]
    ['19-23', '19-24']
    >>> [node.text for node in root.mainline()]
    ['32-28', '19-23', '28x19']
    """

    __slots__ = ("parent", "move", "text", "strength", "nags", "comments", "variations", "ply", "rest", "_start", "_has_seconds")

    parent: Node | None
    """The node before; None for the root."""
    move: Move | None
    """The move; None for the root."""
    text: str
    """The move as written; empty for the root."""
    strength: str | None
    """The sign after the move, such as `!`."""
    nags: list[int]
    """The numeric annotation glyphs after the move."""
    comments: list[str]
    """The comments after the move; of the root, those before the first move."""
    variations: list[Node]
    """The moves that follow; the first one continues the line."""
    ply: int
    """The number of plies before the position of the node, along its line."""
    rest: str
    """Text after the node that is not part of the tree; empty if there is none.

    This is an illegal move with everything after it, or a variation to which the line has no move of its own.
    """

    def __init__(self, position: Position | None = None) -> None:
        """Creates a root, of the start position of international draughts or of this position."""
        self.parent, self.move, self.text, self.strength = None, None, "", None
        self.nags, self.comments, self.variations = [], [], []
        self.ply, self.rest = 0, ""
        self._start = _pdn.Position() if position is None else position
        # Whether a time of two numbers, as in `[%clk 1:20]`, is minutes and seconds: all times of a game decide, when it is read.
        self._has_seconds = False

    @property
    def position(self) -> Position:
        """The position after the move; of the root, the start position."""
        return self._start if self.move is None else self.move.after

    @property
    def comment(self) -> str:
        """The comments, with spaces between them. A text that is assigned takes their place; an empty one leaves no comment."""
        return " ".join(self.comments)

    @comment.setter
    def comment(self, text: str) -> None:
        self.comments = [text] if text else []

    def clock(self) -> float | None:
        """Returns the time left to the side that moved, in seconds, from a `clk` or `clock` command; None without one."""
        clock, _, _ = self._commands()
        return None if clock is None else clock / 1000

    def emt(self) -> float | None:
        """Returns the time spent on the move, in seconds, from an `emt` command; None without one."""
        _, time, _ = self._commands()
        return None if time is None else time / 1000

    def eval(self) -> int | None:
        """Returns the evaluation in hundredths of a man, with the sign as written; None without an `eval` command."""
        return self._commands()[2]

    @property
    def occurrences(self) -> int:
        """How often the position has occurred in the line up to here, with the same side to move. Follows the line from its start."""
        return self._history()[0][-1]

    def is_repetition(self, count: int = 3) -> bool:
        """Returns whether the position has occurred this number of times in the line up to here, with the same side to move."""
        return self.occurrences >= count

    @property
    def draw(self) -> str | None:
        """The draw rule of the variant that applies here, as in `Replay.draws`, or None. Follows the line from its start."""
        return self._history()[1][-1]

    def next(self) -> Node | None:
        """Returns the node that continues the line; None at its end."""
        return self.variations[0] if self.variations else None

    def end(self) -> Node:
        """Returns the last node of the line that continues here; the node itself at its end."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def mainline(self) -> Iterator[Node]:
        """Iterates over the nodes that continue the line, one after the other."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def add(self, move: Move | str, *, comment: str | None = None, nags: Iterable[int] = ()) -> Node:
        """Appends a legal move, as the next one or as a variation of it. Returns its node."""
        found = self.position._legal(move)
        node = Node._of(self, found, found.text)
        node.nags.extend(nags)
        if comment:
            node.comments.append(comment)
        return node

    def remove(self) -> None:
        """Removes the move, and what follows it, from the tree."""
        self._siblings().remove(self)

    def promote(self) -> None:
        """Makes the move the first one after its parent, so that it continues the line, and the others variations of it."""
        siblings = self._siblings()
        siblings.remove(self)
        siblings.insert(0, self)

    def _siblings(self) -> list[Node]:
        """Returns the moves after the parent, of which this is one."""
        if self.parent is None or self not in self.parent.variations:
            raise Error("the start of a game and a move that was removed have no place in a tree")
        return self.parent.variations

    def _all(self) -> list[tuple[Node, int]]:
        """Returns the nodes of the tree, each with the place of its parent in this list. Without recursion: games are long."""
        found: list[tuple[Node, int]] = [(self, -1)]
        for place, (node, _) in enumerate(found):
            found += [(child, place) for child in node.variations]
        return found

    def __reduce__(self) -> tuple[Any, Any]:
        """A tree is copied and pickled as a whole, flat; a node as one of its tree."""
        root: Node = self
        while root.parent is not None:
            root = root.parent
        if root is not self:
            places = [place for place, (node, _) in enumerate(root._all()) if node is self]
            if not places:
                raise Error("a move that was removed from its tree cannot be copied")
            return _node_at, (root, places[0])
        rows = [(parent, node.move, *(getattr(node, name) for name in _WRITTEN)) for node, parent in self._all()]
        return _restored, (type(self), self._start, self._has_seconds, getattr(self, "tags", None), rows)

    @staticmethod
    def _of(parent: Node, move: Move, text: str) -> Node:
        """Appends a move to a node, and returns its node."""
        node = Node(parent._start)
        node.parent, node.move, node.text, node.ply = parent, move, text, parent.ply + 1
        node._has_seconds = parent._has_seconds
        parent.variations.append(node)
        return node

    def _commands(self) -> tuple[int | None, int | None, int | None]:
        """Reads the commands in the comments: clock and time of the move in milliseconds, and evaluation."""
        by = self.position.turn if self.move is None else self.move.before.turn
        return _pdn.read_commands(self.comments, by, self._has_seconds)

    def _history(self) -> tuple[list[int], list[str | None]]:
        """Follows the repetitions and the draws of the line up to here."""
        moves: list[Move] = []
        node: Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        return _pdn.history(self._start, moves[::-1])

    def __str__(self) -> str:
        """The moves that follow, as PDN writes them."""
        return " ".join(_movetext(self))

    def __repr__(self) -> str:
        return f"<pdn.Node: ply {self.ply}, {self.text or 'start'}>"


_WRITTEN = ("text", "strength", "nags", "comments", "rest")
"""What a copy of a node has besides its move and its place."""


def _restored(cls: type[Node], start: Position, has_seconds: bool, tags: dict[str, str] | None, rows: list[Any]) -> Node:
    """Returns the tree that was copied or pickled."""
    root = cls(start)
    root._has_seconds = has_seconds
    if isinstance(root, GameTree) and tags is not None:
        root.tags = dict(tags)
    nodes: list[Node] = []
    for parent, move, *written in rows:
        node = root if parent < 0 else Node._of(nodes[parent], move, "")
        for name, value in zip(_WRITTEN, written, strict=True):
            setattr(node, name, list(value) if isinstance(value, list) else value)
        nodes.append(node)
    return root


def _node_at(root: Node, place: int) -> Node:
    """Returns a node of a tree that was copied or pickled."""
    return root._all()[place][0]


class GameTree(Node):
    """A game as a tree that can be changed: the root, with the tags of the game.

    `pdn.Game.tree` returns that of a game, `pdn.Game.from_board` that of a position. `print(tree)` writes the game as canonical PDN.

    >>> import pdn
    >>> tree = pdn.Game.from_board(pdn.Position("russian", "W:Wc3,e1:Bf6,h8"))
    >>> tree.tags["Event"], tree.tags["Result"] = "Study", "1-0"
    >>> node = tree.add("c3-d4", comment="the only way")
    >>> node = node.add("f6-g5")
    >>> print(tree)
    [Event "Study"]
    [Result "1-0"]
    [GameType "25,W,8,8,A0,0"]
    [FEN "W:Wc3,e1:Bf6,h8"]
    [SetUp "1"]
    <BLANKLINE>
    1. c3-d4 {the only way} 1... f6-g5 *
    >>> tree.game().status
    'legal'
    """

    __slots__ = ("tags",)

    tags: dict[str, str]
    """The tags. `GameType`, `SetUp` and `FEN` follow from the start position, whatever is written here."""

    def __init__(self, position: Position | None = None, tags: Mapping[str, str] | None = None) -> None:
        """Creates a game without moves, of the start position of international draughts or of this position."""
        super().__init__(position)
        self.tags = _with_start(tags or {}, self._start)

    def game(self) -> Game:
        """Returns the game, as `pdn.new_game` makes it."""
        return new_game(self)

    def __str__(self) -> str:
        """The game as canonical PDN."""
        return self.game().text.strip()


def _with_start(tags: Mapping[str, str], start: Position) -> dict[str, str]:
    """Returns tags of a game with this start position. A game that begins as its variant does has no FEN."""
    kept = {name: value for name, value in tags.items() if name.lower() not in ("gametype", "setup", "fen")}
    kept.setdefault("Result", "*")
    kept["GameType"] = start.game_type
    if start != _pdn.Position(start.game_type):
        kept |= {"SetUp": "1", "FEN": start.fen}
    return kept


def tree(self: Game) -> GameTree:
    """Returns the game as a tree: its main line and variations with comments, clocks, evaluations and glyphs. Replays the game.

    A move that is not legal and what follows it are text: the `rest` of the node before it, which `print` writes as a comment.
    """
    lines: list[list[Node]] = []
    root = GameTree(self.start, {**self.tags, "Result": self.result or self._end() or "*"})
    root._has_seconds = self._has_seconds()
    for branch, comments, plies, rest in self._lines():
        node: Node = root
        if branch is not None:
            line, number, continues = branch
            left = lines[line][number]
            node = left if continues or left.parent is None else left.parent
        nodes: list[Node] = []
        before = comments
        for move, text, strength, nags, after in plies:
            child = Node._of(node, move, text)
            child.strength, child.nags = strength, nags
            # Comments before the first move of a variation are about this move; those before a game are about the game.
            child.comments = after if node is root and branch is None else before + after
            nodes.append(child)
            node, before = child, []
        node.rest = rest
        if branch is None:
            root.comments = comments
        lines.append(nodes)
    return root


def _movetext(node: Node) -> list[str]:
    """Returns the words of the moves that follow a node. Without recursion: variations may be nested deeply."""
    words = [] if node.move else _comments(node)
    # A stack of what is still to be written: a node whose line continues, the first move of a variation (True), or the end of one (None).
    left: list[tuple[Node | None, bool]] = [(node, False)]
    while left:
        after, is_variation = left.pop()
        if after is None:
            words[-1] += ")"
            continue
        if is_variation:
            start = len(words)
            _write(words, after, True)
            words[start] = "(" + words[start]
        is_apart = True
        while after.variations:
            main, *others = after.variations
            _write(words, main, is_apart)
            if others:
                left.append((main, False))
                for other in reversed(others):
                    left += [(None, False), (other, True)]
                break
            # After a comment or a variation, the number of the move stands before the other side's move too.
            is_apart = bool(main.comments or main.rest)
            after = main
    return words


def _write(words: list[str], node: Node, is_first: bool) -> None:
    """Appends the words of a move, and of the position that was set up before it."""
    move, parent = node.move, node.parent
    if move and parent and move.before != parent.position:
        words.append(f'/FEN "{move.before.fen}"/')
        is_first = True
    number, is_second = divmod(node.ply - 1, 2)
    if is_first or not is_second:
        words.append(f"{number + 1}{'...' if is_second else '.'}")
    words.append((move.text if move else "") + (node.strength or ""))
    if node.nags:
        words += [f"${nag}" for nag in node.nags]
    if node.comments or node.rest:
        words += _comments(node)


def _comments(node: Node) -> list[str]:
    """Returns the comments after a node, and the text there that is not part of the tree, as words."""
    # A command such as `[%clk 0:59:30]` in what was not played would be one of the node.
    rest = [node.rest.replace("{", "(").replace("%", "")] if node.rest else []
    # A line of a comment might look like a tag.
    return ["{" + comment.replace("}", ")").replace("\n", " ") + "}" for comment in node.comments + rest]


def new_game(
    moves: Iterable[Move | str] | Node = (),
    *,
    tags: Mapping[str, str] | None = None,
    result: str | None = None,
    variant: str = "international",
    start: Position | None = None,
) -> Game:
    """Makes a game of legal moves, or of a tree with comments and variations.

    `tags` are the tags of the game, besides those of a `GameTree`; `result` is its result, by default the Result tag or `*`; text that is no result stays in the tag. `variant` and
    `start` say how and from where it is played; a tree says it itself. The text of the game (`str(game)`) is canonical PDN, as `pdn.convert`
    writes it, with a GameType tag.

    >>> import pdn
    >>> game = pdn.new_game(["32-28", "19-23", "28x19"], tags={"White": "Ames"}, result="*")
    >>> game.white, game.moves, game.variant
    ('Ames', ['32-28', '19-23', '28x19'], 'international')
    >>> root = pdn.Node(pdn.Position("russian"))
    >>> _ = root.add("c3-d4", comment="the sharpest").add("d6-c5")
    >>> print(str(pdn.new_game(root)).strip())
    [Result "*"]
    [GameType "25,W,8,8,A0,0"]
    <BLANKLINE>
    1. c3-d4 {the sharpest} 1... d6-c5 *
    """
    if isinstance(moves, Node):
        own = moves.tags if isinstance(moves, GameTree) else {}
        start, movetext = moves.position, " ".join(_movetext(moves))
    else:
        own, start = {}, _pdn.Position(variant) if start is None else start
        movetext = _pdn.movetext(start, moves)
    pairs = _with_start({**own, **(tags or {})}, start)
    if result is not None:
        pairs["Result"] = result
    escaped = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in pairs.items()}
    text = "".join(f'[{name} "{value}"]\n' for name, value in escaped.items())
    # The tag says how the game ended, in words that the end of the moves might not have.
    text += f"\n{movetext} *\n"
    return _pdn.made_game(text.encode())
