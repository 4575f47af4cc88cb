# SPDX-License-Identifier: Apache-2.0
"""Exceptions for all that can go wrong. They carry the engine's own message."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._result import Result

__all__ = ["Cancelled", "InputError", "Interrupted", "LibraryNotFound", "OutOfMemory", "QapfwError", "UnsupportedError"]


class QapfwError(Exception):
    """The engine failed. ``str()`` of it is the engine's message.

    ``result`` is the best answer found before the failure, or None. After `solve_many`, ``results`` has the answer found
    for each problem, or None.
    """

    def __init__(self, message: str, result: Result | None = None, results: list[Result | None] | None = None) -> None:
        super().__init__(message)
        self.result = result
        self.results = results or []


class InputError(QapfwError, ValueError):
    """Something in the arguments, the configuration or the instance is wrong."""


class UnsupportedError(InputError):
    """The algorithm, the improver or the GPU cannot work on this problem, or not on so large an
    instance. The message says why."""


class Cancelled(QapfwError):
    """A `Cancel` or a callback ended the search before it had a solution."""


class OutOfMemory(QapfwError, MemoryError):
    """Memory ran out."""


class LibraryNotFound(QapfwError, ImportError):
    """The engine's library or program was not found."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended the search. ``result`` is the best answer found, or None. After `solve_many`, ``results`` has the
    answer found for each problem, or None. It is a ``KeyboardInterrupt``, so that code that does not know this class
    ends as usual.
    """

    def __init__(self, message: str, result: Result | None = None,
                 results: list[Result | None] | None = None) -> None:
        super().__init__(message)
        self.result = result
        self.results = results or []
