# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, as exceptions that carry the engine's own sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._result import Result

__all__ = ["InputError", "Interrupted", "LibraryNotFound", "OutOfMemory", "QapfwError", "UnsupportedError"]


class QapfwError(Exception):
    """The engine failed. ``str()`` of it is the engine's sentence.

    ``result`` is what had been found before the failure, None where there was nothing.
    """

    def __init__(self, message: str, result: Result | None = None) -> None:
        super().__init__(message)
        self.result = result


class InputError(QapfwError, ValueError):
    """Something in the arguments, the configuration or the instance is wrong."""


class UnsupportedError(InputError):
    """The algorithm, the improver or the GPU does not take the problem's solutions. The sentence says what it takes."""


class OutOfMemory(QapfwError, MemoryError):
    """Memory ran out."""


class LibraryNotFound(QapfwError, ImportError):
    """The engine's library or program is not where it was looked for."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended the search. ``result`` is the best that was found, None where nothing was; of `solve_many` ``results``
    has what was found for each problem, None where nothing was.

    It is a ``KeyboardInterrupt``, so that code that does not know of it ends as it would otherwise.
    """

    def __init__(self, message: str, result: Result | None = None,
                 results: list[Result | None] | None = None) -> None:
        super().__init__(message)
        self.result = result
        self.results = results or []
