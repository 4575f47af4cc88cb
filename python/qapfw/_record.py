# SPDX-License-Identifier: Apache-2.0
"""Reading run records and traces, see docs/run-record.md."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._display import table_frame
from ._errors import InputError
from ._result import Result

if TYPE_CHECKING:
    import pandas

__all__ = ["Record", "Trace", "TracePoint", "frame", "read_record", "read_records", "read_trace", "rows"]

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class TracePoint:
    """One improvement of the best solution."""

    seconds: float  #: how long the search had run
    iterations: int  #: outer iterations per search at the end of the round
    evaluations: int  #: candidates whose cost was known at the end of the round
    cost: int | float  #: in the unit of the problem
    iteration: int  #: iteration of the search that found the solution
    search: int  #: number of the search that found the solution


@dataclass(frozen=True)
class Trace:
    """A run's improvements, in their order."""

    head: Mapping[str, Any]  #: problem, instance, algorithm, seed
    points: tuple[TracePoint, ...]

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[TracePoint]:
        return iter(self.points)

    def __getitem__(self, index: int) -> TracePoint:
        return self.points[index]

    def rows(self) -> list[dict[str, Any]]:
        """The improvements as dictionaries."""
        return [asdict(point) for point in self.points]

    def frame(self) -> pandas.DataFrame:
        """The improvements as a pandas data frame with a row for each. Needs pandas."""
        return table_frame(self.rows(), list(TracePoint.__annotations__))


@dataclass(frozen=True)
class Record:
    """A run record: the folder that a run writes. For several runs, ``result`` is their summary, and ``runs`` has one
    record for each run."""

    folder: Path
    result: Result

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """The configuration as resolved."""
        path = self.folder / "config.toml"
        try:
            return tomllib.loads(_read(path))
        except tomllib.TOMLDecodeError as failure:
            raise InputError(f"{path}: wanted TOML, found: {failure}") from None

    @cached_property
    def runs(self) -> tuple[Record, ...]:
        """The records of the single runs that have a result, in the order of their seeds; for a single run, this record
        itself."""
        if "runs" not in self.result.data:
            return (self,)
        folders = (self.folder / f"s{run['seed_text']}" for run in self.result.runs)
        return tuple(read_record(folder) for folder in folders if (folder / "result.json").is_file())

    @cached_property
    def trace(self) -> Trace:
        """The improvements of a single run. For several runs, ask each of ``runs``."""
        return read_trace(self.folder)

    @property
    def log(self) -> str:
        """The text of the log."""
        return _read(self.folder / "log.txt")


def read_record(folder: PathLike) -> Record:
    """Reads a run record. Raises InputError if the folder is no record."""
    path = Path(folder)
    file = path / "result.json"
    if not file.is_file():
        raise InputError(f"{path}: not a run record: it holds no result.json")
    result = Result.parse(_read(file), str(file))
    if "checksum" not in result.data:
        raise InputError(f"{file}: it was changed after it was written: its checksum is missing")
    return Record(path, result)


def read_records(*folders: PathLike) -> list[Record]:
    """Reads all run records in these folders and below, in the order of their paths. For several runs that share a
    record, only this record is returned; its ``runs`` has those of the single runs."""
    return [record for folder in folders for record in _search(Path(folder))]


def _search(folder: Path) -> Iterator[Record]:
    if (folder / "result.json").is_file():
        yield read_record(folder)
        return
    try:
        children = sorted(child for child in folder.iterdir() if child.is_dir() and not child.is_symlink())
    except OSError as failure:
        raise InputError(f"{folder}: cannot be read: {failure.strerror}") from None
    for child in children:
        yield from _search(child)


def read_trace(path: PathLike) -> Trace:
    """Reads a trace: a file trace.jsonl, or the record that holds it. A last line that a killed run cut short is left
    out. So are improvements that were reported within a round. For any other defect of a line, InputError has file and
    line."""
    file = Path(path)
    if file.is_dir():
        if not (file / "trace.jsonl").is_file():
            raise InputError(f"{file}: not the record of a single run: it holds no trace.jsonl")
        file = file / "trace.jsonl"
    head: Mapping[str, Any] | None = None
    points = []
    for number, line in enumerate(_read(file).splitlines(keepends=True), 1):
        if not line.endswith("\n"):
            break
        try:
            values = json.loads(line)
            if head is None:
                head = dict(values)
            elif "offered" not in values:
                points.append(TracePoint(**{name: values[name] for name in TracePoint.__annotations__}))
        except (ValueError, TypeError) as failure:
            raise InputError(f"{file}:{number}: wanted a line of a trace, found: {failure}") from None
        except KeyError as missing:
            raise InputError(f"{file}:{number}: wanted a line of a trace, found a line without the key "
                             f"\"{missing.args[0]}\"") from None
    if head is None:
        raise InputError(f"{file}:1: wanted the head of a trace, found no complete line")
    return Trace(head, tuple(points))


#: Columns of `rows` that are taken from result.json as they are.
_COLUMNS = ("problem", "instance", "n", "algorithm", "improver", "seed", "backend", "threads", "best_cost", "best_known",
            "gap", "target_reached", "stop_reason", "iterations", "evaluations", "seconds")


def rows(records: Record | Iterable[Record]) -> list[dict[str, Any]]:
    """Returns a dictionary for each single run. It holds problem, instance, settings, best cost, gap, iterations,
    evaluations, seconds, digest and folder, and the seconds and evaluations until the best solution was found. The keys
    are the columns of `frame`."""
    table = []
    for record in [records] if isinstance(records, Record) else records:
        for run in record.runs:
            data = run.result.data
            found = data.get("best_found") or {}
            row = {name: data.get(name) for name in _COLUMNS}
            row["seconds_to_best"] = found.get("seconds")
            row["evaluations_to_best"] = found.get("evaluations")
            row["digest"] = data.get("digest")
            row["folder"] = str(run.folder)
            table.append(row)
    return table


def frame(records: Record | Iterable[Record]) -> pandas.DataFrame:
    """Returns the dictionaries of `rows` as a pandas data frame. Needs pandas."""
    return table_frame(rows(records), [*_COLUMNS, "seconds_to_best", "evaluations_to_best", "digest", "folder"])


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as failure:
        raise InputError(f"{path}: cannot be read: {failure.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: wanted UTF-8 text, found other bytes") from None
