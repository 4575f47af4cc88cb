# SPDX-License-Identifier: Apache-2.0
"""Progress of a search: a line on the terminal, or a bar in a notebook."""

from __future__ import annotations

import sys
from typing import IO, Any

__all__ = ["Progress", "progress_of"]

_PAUSE = 0.1  # seconds between two drawings
_WIDTH = 24  # width of the bar in characters


class Progress:
    """A line that is drawn again and again: on a terminal in place, in a file only at the end."""

    def __init__(self, time_limit: float | None, stream: IO[str] | None = None) -> None:
        self._limit = time_limit
        self._stream = sys.stderr if stream is None else stream
        self._drawn = -_PAUSE
        self._line = ""

    def show(self, cost: float, seconds: float, evaluations: int) -> None:
        """Keeps the line about this state for `end`. On a terminal also draws the line, at most every 0.1 s."""
        self._line = self._text(cost, seconds, evaluations)
        if seconds - self._drawn >= _PAUSE and self._stream.isatty():
            self._drawn = seconds
            self._draw(f"\r{self._line}\x1b[K")

    def end(self) -> None:
        """Writes the state of the search that `show` kept last, and ends the line."""
        if self._line:
            self._draw(f"\r{self._line}\x1b[K\n" if self._stream.isatty() else f"{self._line}\n")

    def _draw(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def _text(self, cost: float, seconds: float, evaluations: int) -> str:
        words = f"{seconds:6.1f} s  cost {cost:,.10g}  {evaluations:.3g} solutions"
        if self._limit is None:
            return words
        done = min(_WIDTH, int(_WIDTH * seconds / self._limit))
        return f"[{'#' * done}{'.' * (_WIDTH - done)}] {words}"


class NotebookProgress(Progress):
    """Progress as an HTML element that is replaced in place. Needs IPython."""

    def __init__(self, time_limit: float | None) -> None:
        super().__init__(time_limit)
        try:
            from IPython import display
        except ImportError:
            raise ImportError("progress=\"notebook\" needs IPython; progress=True draws on standard error") from None
        self._html: Any = display.HTML
        self._handle: Any = display.display(self._html(""), display_id=True)

    def show(self, cost: float, seconds: float, evaluations: int) -> None:
        self._line = self._text(cost, seconds, evaluations)
        if seconds - self._drawn >= _PAUSE:
            self._drawn = seconds
            self.end()

    def end(self) -> None:
        self._handle.update(self._html(f"<pre>{self._line}</pre>"))


def progress_of(wanted: bool | str, time_limit: Any) -> Progress | None:
    """The display for a value of `progress`: False, True or "notebook"."""
    limit = float(time_limit) if isinstance(time_limit, (int, float)) and time_limit > 0 else None
    if isinstance(wanted, str):
        if wanted != "notebook":
            raise ValueError(f"progress is {wanted!r}; True, False or \"notebook\" was wanted")
        return NotebookProgress(limit)
    return Progress(limit) if wanted else None
