# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, as exceptions that carry the program's own sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._result import Result

__all__ = ["InputError", "Interrupted", "ProgramNotFound", "QapfwError"]


class QapfwError(Exception):
    """The program ended with an error. ``str()`` of it is the sentence that the program printed.

    ``exit_code`` is what the program returned (docs/exit-codes.md), None where it did not run. ``result`` is what had
    been found before the failure, None where there was nothing.
    """

    def __init__(self, message: str, exit_code: int | None = None, result: Result | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.result = result


class InputError(QapfwError, ValueError):
    """Something in the configuration, the instance or the arguments is wrong (exit code 2)."""


class ProgramNotFound(QapfwError):
    """The program `qapfw` is not where it was looked for."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or another signal, ended the run. ``result`` is the best that was found, None where nothing was.

    It is a ``KeyboardInterrupt``, so that code that does not know of it ends as it would otherwise.
    """

    def __init__(self, message: str, result: Result | None = None) -> None:
        super().__init__(message)
        self.result = result
