# SPDX-License-Identifier: Apache-2.0
"""Results of searches: the answer of the library, or result.json of a record (docs/run-record.md)."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._display import html_table, plot_costs, table_frame
from ._errors import InputError

if TYPE_CHECKING:
    import pandas

__all__ = ["Improvement", "Improvements", "Result", "Solution"]

_EXACT = 2**53  # from here on doubles do not hold every integer


@dataclass(frozen=True)
class Solution:
    """One of the solutions in Result.pool."""

    cost: int | float  #: in the unit of the problem
    permutation: tuple[int, ...]  #: location of each facility, counted from 0


@dataclass(frozen=True)
class Improvement:
    """A new best cost of a search, and when it was found."""

    seconds: float  #: how long the search had run
    cost: int | float  #: in the unit of the problem
    evaluations: int  #: number of solutions whose cost was known at this time


class Improvements(Sequence[Improvement]):
    """The improvements of a search in their order; the last improvement led to the answer."""

    def __init__(self, points: Sequence[Improvement] = ()) -> None:
        self._points = tuple(points)

    def __len__(self) -> int:
        return len(self._points)

    def __iter__(self) -> Iterator[Improvement]:
        return iter(self._points)

    def __getitem__(self, index: Any) -> Any:
        return self._points[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Improvements) and self._points == other._points

    def __hash__(self) -> int:
        return hash(self._points)

    def __repr__(self) -> str:
        return f"<qapfw.Improvements: {len(self)} of them>"

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each improvement: seconds, cost, evaluations."""
        return [asdict(point) for point in self._points]

    def frame(self) -> pandas.DataFrame:
        """A pandas data frame with a row for each improvement: seconds, cost, evaluations. Needs pandas."""
        return table_frame(self.rows(), ["seconds", "cost", "evaluations"])


class Result:
    """The result of a search. ``data`` has all values, as in result.json; the values that are needed most often are
    also properties. Results compare, print and pickle as plain values."""

    def __init__(self, text: str, *, source: str = "the answer", permutation: Sequence[int] | None = None,
                 trace: Sequence[Improvement] = (), messages: tuple[str, ...] = (), summary: Mapping[str, Any] | None = None,
                 files: Mapping[str, str] | None = None) -> None:
        self._text, self._source = text, source
        self._permutation = None if permutation is None else tuple(permutation)
        self._summary = dict(summary or {})  # values that are known without parsing the text
        self._trace = Improvements(trace)
        self._failure = ""  # message if the search or its record failed after a solution was found; empty: no failure
        self.files = dict(files or {})  #: files that the problem wrote, by name, such as "layout.svg"; empty for matrices
        self.messages = messages  #: lines of the log, if `log` was given

    @classmethod
    def parse(cls, text: str, source: str) -> Result:
        """Makes a result from the text of a result.json; ``source`` names the text's origin in errors."""
        result = cls(text, source=source)
        _ = result.data
        return result

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """All values of the result, as in result.json."""
        try:
            data = json.loads(self._text)
        except ValueError as failure:
            raise InputError(f"{self._source}: wanted a result in JSON, found: {failure}") from None
        if not isinstance(data, dict) or "stop_reason" not in data:
            raise InputError(f"{self._source}: wanted the result of a run, found JSON without stop_reason")
        return data

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def _known(self, key: str) -> Any:
        return self._summary[key] if key in self._summary else self.data[key]

    @property
    def cost(self) -> int | float:
        """The best cost in the unit of the problem; an exact int if costs are integers."""
        value: int | float = self._known("best_cost")
        return value

    @property
    def permutation(self) -> tuple[int, ...]:
        """``permutation[i]`` is the location of facility i, counted from 0. For a layout: the order of its departments."""
        if self._permutation is not None:
            return self._permutation
        solution = self.solution
        found: tuple[int, ...] = solution[0] if solution and isinstance(solution[0], tuple) else solution
        return found[:len(self.data["assignment"])] if self.data.get("assignment") else found

    @property
    def solution(self) -> tuple[Any, ...]:
        """The elements of the best solution; a tuple of tuples if solutions have several segments."""
        stored = self._values(self.data["solution"])
        return tuple(tuple(part) if isinstance(part, list) else part for part in stored)

    def _values(self, stored: Any) -> Any:
        """Returns a solution's values: `stored`, or for a long solution the content of the file that `stored` names."""
        if not isinstance(stored, dict):
            return stored
        name = Path(stored["file"]).name
        data = (Path(self.data["folder"]) / name).read_bytes()
        segments = struct.unpack_from("<Q", data, 8)[0] if data[:8] == b"QAPFWSL1" else 0
        lengths = struct.unpack_from(f"<{segments}Q", data, 16)
        if not segments or len(data) != 16 + 8 * segments + 4 * sum(lengths):
            raise ValueError(f"{name}: this is no solution file, or it is cut short")
        parts, at = [], 16 + 8 * segments
        for length in lengths:
            parts.append(list(struct.unpack_from(f"<{length}I", data, at)))
            at += 4 * length
        return parts[0] if len(parts) == 1 else parts

    @property
    def assignment(self) -> dict[Any, Any]:
        """The location of each facility, by names if there are any, else by indices counted from 0."""
        pairs = self.data.get("assignment") or [{"facility": i, "location": k} for i, k in enumerate(self.permutation)]
        return {pair["facility"]: pair["location"] for pair in pairs}

    @property
    def drawing(self) -> str | None:
        """The layout as SVG; None for other problems."""
        return next((text for name, text in self.files.items() if name.endswith(".svg")), None)

    @cached_property
    def _layout(self) -> Mapping[str, Any]:
        text = self.files.get("layout.json")
        found: Mapping[str, Any] = {} if text is None else json.loads(text)
        return found

    @property
    def feasible(self) -> bool:
        """Whether the best solution meets the instance's demands, such as capacities and shape rules. Also True if the
        instance makes no demands or the problem cannot say. `infeasibility` says which demands the solution breaks."""
        told = self.data.get("feasible")
        return bool(self._layout.get("feasible", True)) if told is None else bool(told)

    @property
    def infeasibility(self) -> str | None:
        """The demands that the best solution breaks, in words; None if it breaks none or the problem cannot say."""
        broken: str | None = self.data.get("infeasibility")
        return broken

    @property
    def parts(self) -> dict[str, float]:
        """Named numbers that explain the best solution's cost; empty if the problem does not explain its costs."""
        return dict(self.data.get("parts") or {})

    @property
    def rectangles(self) -> dict[str, tuple[float, float, float, float]]:
        """(x, y, width, height) of each department of a layout, by name, in the plant's unit. x and y lead from the
        plant's top left corner to the department's top left corner; y grows downwards. Empty for other problems."""
        return {place["name"]: (place["x"], place["y"], place["width"], place["height"])
                for place in self._layout.get("departments", ())}

    @property
    def pool(self) -> list[Solution]:
        """Good solutions that differ, the best first. If `alternatives` was given: the alternatives that were found."""
        n = len(self.permutation)
        found = []
        for one in self.data.get("alternatives") or self.data.get("solutions") or ():
            parts = self._values(one["solution"])
            first = parts[0] if parts and isinstance(parts[0], list) else parts
            found.append(Solution(one["cost"], tuple(first[:n])))
        return found

    @property
    def trace(self) -> Improvements:
        """The improvements of the search. Empty if the result was read from a record: use `Record.trace` there."""
        return self._trace

    @property
    def bound(self) -> int | float | None:
        """The best proven bound: no solution has a better cost. None if none is known."""
        proven, own = self.data.get("proven_bound"), self.data.get("lower_bound")
        bounds: list[int | float] = [] if own is None else [own]
        if proven:
            bounds.append(proven["cost"])
        if not bounds:
            return None
        return min(bounds) if self.data.get("cost_space", {}).get("sense") == -1 else max(bounds)

    @property
    def optimal(self) -> bool:
        """True if the best solution is proven to be optimal."""
        return bool(self.data.get("optimal"))

    @property
    def reason(self) -> str:
        """Why the search ended: target, optimal, iterations, evaluations, stagnation, time_limit, cancelled, ..."""
        value: str = self._known("stop_reason")
        return value

    @property
    def seconds(self) -> float:
        """How many seconds the search took, in all sessions of the run."""
        value: float = self._known("seconds")
        return value

    @property
    def evaluations(self) -> int:
        """Number of solutions whose cost became known."""
        value: int = self.data["evaluations"]
        return value

    @property
    def gap(self) -> float | None:
        """Difference from the best known cost, divided by abs(best known); positive if worse. None without a known value."""
        value: float | None = self.data["gap"]
        return value

    @property
    def target_reached(self) -> bool | None:
        """Whether the target was reached; None without a target."""
        return self.data["target_reached"] if self.data.get("target") is not None else None

    @property
    def folder(self) -> Path | None:
        """The run record; None if none was written. `qapfw.read_record` reads it."""
        folder = self.data.get("folder")
        return Path(folder) if folder else None

    @property
    def runs(self) -> list[Mapping[str, Any]]:
        """A short account of each run, in the order of the seeds; empty if there was only one seed."""
        return list(self.data.get("runs", ()))

    def frame(self) -> pandas.DataFrame:
        """The assignment as a pandas data frame with the columns facility and location. Needs pandas."""
        rows = [{"facility": facility, "location": location} for facility, location in self.assignment.items()]
        return table_frame(rows, ["facility", "location"])

    def plot(self, axes: Any = None) -> Any:
        """Draws the best cost against the seconds of search; returns the axes of matplotlib. Needs matplotlib."""
        return plot_costs(self.trace, self.bound, axes)

    def _repr_html_(self) -> str:
        return html_table(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and (self._text, self._permutation, self._trace) == (
            other._text, other._permutation, other._trace)

    def __hash__(self) -> int:
        return hash(self._text)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        for name in ("data", "_layout"):
            state.pop(name, None)
        return state

    def __repr__(self) -> str:
        return (f"<qapfw.Result {self.data.get('problem')} {self.data.get('instance')}: cost {self.cost}"
                f" by {self.data.get('algorithm')}, ended by {self.reason} after {self.seconds:.2f} s>")


def exact_cost(cost: float, is_integer: bool, text: str) -> int | float:
    """The cost as an int if costs are integers; `text` has the digits that a double cannot hold."""
    if not is_integer:
        return cost
    if abs(cost) < _EXACT:
        return int(cost) if cost == int(cost) else cost
    exact: int | float = json.loads(text)["best_cost"]
    return exact
