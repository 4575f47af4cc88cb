# SPDX-License-Identifier: Apache-2.0
"""The command line: `python -m qapfw solve flow.csv distance.csv`. The native program `qapfw` replaces this process."""

import os
import sys

from ._errors import LibraryNotFound
from ._library import find_program


def main() -> None:
    """Replaces this process by the native program `qapfw`."""
    try:
        program = find_program()
    except LibraryNotFound as failure:
        sys.exit(f"qapfw: {failure}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
