"""The command `pdn`: the program that the wheel installs, and `python -m pdn`."""

import os
import signal
import sys


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit code."""
    for number in range(3):
        # A standard stream that is closed would be the next file that is opened: messages would go into it.
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # The handler of Python would wait until the command is done.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ._pdn import run_command

    return run_command(["pdn", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
