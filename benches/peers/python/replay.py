"""Reads and replays every game of a PDN file with a Python library, and says how many it managed a second.

    python replay.py pydraughts GAMES.pdn      # or py-draughts: both are called `draughts`, so each needs a venv

Both get one record at a time, because the reader of pydraughts takes time with the square of the games of a text.
A game that a library refuses counts as refused and not as an error.
"""

import json
import re
import sys
import time


def pydraughts(record):
    from draughts import Board, Move
    from draughts.PDN import PDNReader

    game = PDNReader(pdn_text=record).games[0]
    board = Board(variant=game.variant or "standard", fen=game.tags.get("FEN", "startpos"))
    for text in game.moves:
        # The reader has the texts only; this finds the legal move and plays it.
        board.push(Move(board, pdn_move=text))
    return len(game.moves)


def py_draughts(record):
    import draughts

    board = draughts.Board.from_pdn(record)
    return len(board._moves_stack)


def main():
    replay = {"pydraughts": pydraughts, "py-draughts": py_draughts}[sys.argv[1]]
    text = open(sys.argv[2], encoding="utf-8").read()
    records = [record for record in re.split(r"\n\n(?=\[)", text) if record.strip()]
    replay(records[0])
    plies = refused = 0
    reasons = {}
    start = time.perf_counter()
    for record in records:
        try:
            plies += replay(record)
        except Exception as error:  # whatever it raises, the game is lost
            refused += 1
            reasons[type(error).__name__] = reasons.get(type(error).__name__, 0) + 1
    seconds = time.perf_counter() - start
    print(json.dumps({
        "library": sys.argv[1],
        "games": len(records),
        "refused": refused,
        "reasons": reasons,
        "plies": plies,
        "seconds": round(seconds, 2),
        "games_per_second": round((len(records) - refused) / seconds, 1),
    }))


main()
