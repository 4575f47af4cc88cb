# SPDX-License-Identifier: Apache-2.0
"""Running configurations."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ._errors import Interrupted
from ._program import Log, Outcome, Program, call_unchecked
from ._result import Result

__all__ = ["resume", "run"]

PathLike = str | os.PathLike[str]
Config = PathLike | Mapping[str, Any]


def run(config: Config | None = None, *, set: Mapping[str, Any] | None = None, unset: Iterable[str] = (),
        seed: int | None = None, runs: int | None = None, time_limit: float | str | None = None,
        iterations: int | str | None = None, evaluations: int | None = None, target: float | str | None = None,
        threads: int | None = None, backend: str | None = None, out: PathLike | None = None,
        record: bool | None = None, data: Iterable[PathLike] = (), plugin_path: Iterable[PathLike] = (),
        log: Log | None = None, program: Program | None = None) -> Result:
    """Runs a configuration and returns its result.

    config       a TOML file, or its tables as a dictionary: {"problem": {"plugin": "qap", ...}, ...}. Relative paths
                 count from the file's folder, in a dictionary from the working directory
    set, unset   keys that replace those of the file, such as {"algorithm.tenure": 8}, and keys or tables left out
    time_limit   seconds of search, or a text such as "5m"; each of several runs
    target       a cost, "best-known" or "best-known+0.5%"
    out          folder of the run record, new or empty; without it the record goes to ./runs
    record       False: no record is written
    data         further folders to look instances up by name
    plugin_path  further folders with plugins
    log          called with each line of log and progress, such as print

    A run without any limit goes on until Ctrl-C. Raises `QapfwError` with the program's sentence, and `Interrupted`,
    which carries the best that was found, for a signal.
    """
    arguments = ["run"]
    settings: dict[str, Any] = {}
    if isinstance(config, Mapping):
        settings.update(_flatten(config))
    elif config is not None:
        arguments.append(os.fspath(config))
    settings.update(set or {})
    keys = {"run.seed": seed, "run.runs": runs, "run.time_limit": _duration(time_limit), "run.iterations": iterations,
            "run.evaluations": evaluations, "run.target": target, "run.threads": threads, "device.backend": backend,
            "output.folder": out, "output.record": record}
    settings.update((key, value) for key, value in keys.items() if value is not None)
    arguments += [f"--unset={key}" for key in unset]
    arguments += [f"--set={key}={_toml(value)}" for key, value in settings.items()]
    arguments += [f"--data={os.fspath(folder)}" for folder in data]
    arguments += [f"--plugin-path={os.fspath(folder)}" for folder in plugin_path]
    return _result(call_unchecked(program, [*arguments, "--json"], log))


def resume(folder: PathLike, *, time_limit: float | str | None = None, iterations: int | str | None = None,
           evaluations: int | None = None, target: float | str | None = None, threads: int | None = None,
           log: Log | None = None, program: Program | None = None) -> Result:
    """Goes on with an interrupted run from its record; limits may be changed. Otherwise as `run`."""
    options = {"time-limit": _duration(time_limit), "iterations": iterations, "evaluations": evaluations,
               "target": target, "threads": threads}
    arguments = ["resume", os.fspath(folder)]
    arguments += [f"--{name}={value}" for name, value in options.items() if value is not None]
    return _result(call_unchecked(program, [*arguments, "--json"], log))


def _result(outcome: Outcome) -> Result:
    """The result that the program printed; raises where it failed, with the result that it printed all the same."""
    result = None
    if outcome.output.lstrip().startswith("{"):
        result = Result.parse(outcome.output, "standard output of qapfw", outcome.messages)
    if outcome.interrupted or outcome.code > 128:
        raise Interrupted(f"qapfw was interrupted; {'no solution was found' if result is None else repr(result)}", result)
    if outcome.code != 0 or result is None:
        error = outcome.error()
        error.result = result
        raise error
    return result


def _flatten(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}.")
        elif value is not None:
            yield prefix + key, value


def _duration(value: float | str | None) -> str | None:
    return value if value is None or isinstance(value, str) else f"{value!r}s"


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        # TOML's basic strings escape as JSON does, but for the code points that need no escape there.
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        raise TypeError(f"wanted a key with a plain value, found a table: {dict(value)!r}")
    if isinstance(value, Iterable):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return repr(value)
