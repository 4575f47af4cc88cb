# SPDX-License-Identifier: Apache-2.0
"""Arguments of Python as settings of a configuration: pairs of key and text."""

from __future__ import annotations

import json
import math
import operator
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["settings_of"]

PathLike = str | os.PathLike[str]
Settings = list[tuple[str, str]]

_FOREVER = 1e9  # seconds; a longer limit is lowered to this value
_LARGEST_SEED = 2**64 - 1


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        # Strings of JSON and basic strings of TOML have the same escapes. But only TOML wants an escape for U+007F.
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        raise TypeError(f"{dict(value)!r} is a table; a plain value, such as a number or a text, was wanted")
    if isinstance(value, Iterable):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, float) or not hasattr(value, "__index__"):
        return repr(float(value))
    return str(operator.index(value))


def flat(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yields each key and its value in TOML. Joins the keys of nested tables with dots. Skips values that are None."""
    for key, value in tables.items():
        if not isinstance(key, str):
            raise TypeError(f"the key {key!r} is no text; a name such as \"run.seed\" was wanted")
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        elif value is not None:
            yield prefix + key, toml(value)


def folders(paths: PathLike | Iterable[PathLike]) -> tuple[str, ...]:
    """Makes paths absolute, so that they name the same folders after a change of the working directory."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return tuple(os.path.abspath(os.fspath(path)) for path in paths)


def _seconds(value: Any, name: str) -> str:
    """Returns a duration in TOML: `value` is a number of seconds, or a text for the engine such as "5m"."""
    if isinstance(value, str):
        return toml(value)
    if isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; seconds, or a text such as \"5m\", were wanted")
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}; seconds, or a text such as \"5m\", were wanted") from None
    if not seconds > 0:
        raise ValueError(f"{name} is {value!r}; a time above 0 was wanted")
    return f"{min(seconds, _FOREVER):.9f}"


def _count(value: Any, name: str, least: int = 1, most: int | None = None) -> str:
    """Returns `value` as text: `value` is a whole number, or a text for the engine such as "100n"."""
    if isinstance(value, str):
        return value
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; a whole number was wanted") from None
    if isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; a whole number was wanted")
    if count < least or (most is not None and count > most):
        wanted = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is {count}; a whole number {wanted} was wanted")
    return str(count)


def _target(value: Any) -> str:
    if isinstance(value, str):
        return toml(value)
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"target is {value!r}; a cost, or a text such as \"best-known+1%\", was wanted")
    if not math.isfinite(value):
        raise ValueError(f"target is {value!r}; a finite cost was wanted")
    return toml(value)


def settings_of(*, algorithm: str | None = None, parameters: Mapping[str, Any] | None = None, improver: str | None = None,
                improver_parameters: Mapping[str, Any] | None = None, time_limit: float | str | None = None,
                iterations: int | str | None = None, evaluations: int | None = None,
                target: float | str | None = None, stagnation: float | str | None = None, seed: int | None = None,
                runs: int | None = None, alternatives: int | None = None, threads: int | None = None,
                backend: str | None = None, set: Mapping[str, Any] | None = None) -> Settings:
    """The settings of a search, in the order in which they are applied. An argument that is None is left out."""
    settings: Settings = []
    if algorithm is not None:
        if not isinstance(algorithm, str):
            raise TypeError(f"algorithm is {algorithm!r}; the name of a solver was wanted")
        settings.append(("algorithm.plugin", toml(algorithm)))
    elif parameters or improver is not None:
        settings.append(("algorithm.plugin", toml("memetic")))
    settings += flat({"algorithm": parameters or {}})
    if improver is not None:
        settings.append(("algorithm.improver.plugin", toml(improver)))
    settings += flat({"algorithm": {"improver": improver_parameters or {}}})
    if time_limit is not None:
        settings.append(("run.time_limit", _seconds(time_limit, "time_limit")))
    if iterations is not None:
        settings.append(("run.iterations", _count(iterations, "iterations")))
    if evaluations is not None:
        settings.append(("run.evaluations", _count(evaluations, "evaluations")))
    if target is not None:
        settings.append(("run.target", _target(target)))
    if stagnation is not None:
        settings.append(("run.stagnation", stagnation if isinstance(stagnation, str)
                         else f"\"{_seconds(stagnation, 'stagnation')}s\""))
    if seed is not None:
        settings.append(("run.seed", _count(seed, "seed", 0, _LARGEST_SEED)))
    if runs is not None:
        settings.append(("run.runs", _count(runs, "runs")))
    if alternatives is not None:
        settings.append(("run.alternatives", _count(alternatives, "alternatives")))
    if threads is not None:
        settings.append(("run.threads", _count(threads, "threads", 0)))
    if backend is not None:
        settings.append(("device.backend", toml(backend)))
    return settings + list(flat(set or {}))


def any_seed() -> int:
    """A random seed, for calls that name none."""
    return secrets.randbits(63)
