# SPDX-License-Identifier: Apache-2.0
"""The result of a run: result.json of its record, see docs/run-record.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._errors import InputError

__all__ = ["Result"]


@dataclass(frozen=True)
class Result:
    """What a run found and how. ``data`` holds all of result.json; the properties are what is asked for most."""

    data: Mapping[str, Any]
    messages: tuple[str, ...] = ()  #: what the program said beside the result: log and progress

    @classmethod
    def parse(cls, text: str, source: str, messages: tuple[str, ...] = ()) -> Result:
        """From the text of a result.json; ``source`` says in errors where the text is from."""
        try:
            data = json.loads(text)
        except ValueError as failure:
            raise InputError(f"{source}: wanted a result in JSON, found: {failure}") from None
        if not isinstance(data, dict) or "stop_reason" not in data:
            raise InputError(f"{source}: wanted the result of a run, found JSON without stop_reason")
        return cls(data, messages)

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    @property
    def cost(self) -> int | float:
        """The best cost as people see it; an exact int where costs are integers. Of several runs the best one's."""
        value: int | float = self.data["best_cost"]
        return value

    @property
    def solution(self) -> tuple[Any, ...]:
        """Elements of the best solution, counted from 0; a tuple of tuples where a solution has several segments."""
        return tuple(tuple(part) if isinstance(part, list) else part for part in self.data["solution"])

    @property
    def permutation(self) -> tuple[int, ...]:
        """The permutation of the best solution: of a QAP, ``permutation[i]`` is the location of facility i."""
        solution = self.solution
        return solution[0] if solution and isinstance(solution[0], tuple) else solution

    @property
    def stop_reason(self) -> str:
        """Why the run ended: target, optimal, iterations, evaluations, stagnation, time_limit, interrupted, ..."""
        value: str = self.data["stop_reason"]
        return value

    @property
    def seconds(self) -> float:
        """Time of search."""
        value: float = self.data["seconds"]
        return value

    @property
    def gap(self) -> float | None:
        """(best - known) / abs(known), positive where worse; None without a known value."""
        value: float | None = self.data["gap"]
        return value

    @property
    def target_reached(self) -> bool | None:
        """Whether the target was reached; None where there was none."""
        return self.data["target_reached"] if self.data.get("target") is not None else None

    @property
    def folder(self) -> Path | None:
        """The run record, None where none was written. `qapfw.read_record` reads it."""
        folder = self.data.get("folder")
        return Path(folder) if folder else None

    @property
    def runs(self) -> list[Mapping[str, Any]]:
        """With several seeds a short account of each run, in the order of the seeds; else an empty list."""
        return list(self.data.get("runs", ()))

    def __repr__(self) -> str:
        return (f"<qapfw.Result {self.data.get('problem')} {self.data.get('instance')}: cost {self.data.get('best_cost')}"
                f" by {self.data.get('algorithm')}, ended by {self.stop_reason} after {self.seconds:.2f} s>")
