# SPDX-License-Identifier: Apache-2.0
"""Layouts: departments with areas and shape rules in a rectangular plant."""

from __future__ import annotations

import math
import os
import re
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._errors import InputError
from ._library import encoded, library, option_texts
from ._matrices import Matrix, MatrixLike, aligned, as_list, frame_names, index_of
from ._problem import Label, Problem
from ._settings import PathLike, flat, folders, toml

__all__ = ["Layout"]

_RULES = ("max_aspect_ratio", "min_side", "dummy")


class Layout(Problem):
    """A layout problem: rectangular departments in a rectangular plant. Minimises the sum of flow times distance.

    departments       {name: area}, or {name: {"area": ..., "max_aspect_ratio": ..., "min_side": ..., "dummy": True}}, or a
                      pandas frame with these columns and the names as its index. Areas are in the square of the plant's
                      unit. A dummy is empty space, for which no rule holds
    flows             {(from, to): flow}, a list of (from, to, flow), or an n x n matrix. From and to are names or indices from
                      0. (With three departments, a list of three rows of numbers is a matrix)
    plant             (width, height)
    max_aspect_ratio  largest ratio of longer to shorter side, for departments without a rule of their own
    min_side          least length of the shorter side, in the plant's unit, for departments without a rule of their own
    metric            "rectilinear" or "euclidean", between the centres
    parameters        problem parameters, such as {"orientation": "first"} (`python -m qapfw plugin describe uaflp`)

    ``solve(...)`` takes the options of `qapfw.solve`. Its result has the cost, ``rectangles`` by name, ``drawing`` as SVG and
    ``feasible``. Raises TypeError and ValueError for wrong arguments.

    >>> shop = Layout({"press": 6, "lathe": 4, "store": 2}, {("press", "lathe"): 5, ("lathe", "store"): 1}, (4, 3),
    ...               max_aspect_ratio=4)
    >>> result = shop.solve(iterations=20)
    >>> sorted(result.rectangles), result.feasible
    (['lathe', 'press', 'store'], True)
    """

    def __init__(self, departments: Any, flows: Any, plant: Sequence[float], *, max_aspect_ratio: float | None = None,
                 min_side: float | None = None, metric: str = "rectilinear", name: str = "layout",
                 parameters: Mapping[str, Any] | None = None, plugin_path: Iterable[PathLike] = (),
                 data: Iterable[PathLike] = ()) -> None:
        self._folders = (folders(plugin_path), folders(data))
        tables = _departments(departments)
        self.facilities = self.locations = [str(table["name"]) for table in tables]
        self.is_integer = False
        rule = {"max_aspect_ratio": max_aspect_ratio, "min_side": min_side}
        lines = [f"name = {toml(str(name))}", f"metric = {toml(str(metric))}", "flows = ["]
        lines += [f"  {toml(flow)}," for flow in _flows(flows, self.facilities)]
        lines += ["]", *_table("plant", _plant(plant))]
        lines += _table("shape", {key: _positive(value, key) for key, value in rule.items() if value is not None})
        for table in tables:
            lines += _table("[departments]", table)
        self._parts = {"text": "\n".join(lines) + "\n",
                       "options": [("problem.plugin", "uaflp"), *flat({"problem": parameters or {}})]}
        self._start(self._make_layout)

    def _make_layout(self, session: Any, model: Any) -> int:
        """Writes the layout into a file in memory, since the plugin reads a file."""
        file = os.memfd_create("qapfw-layout", os.MFD_CLOEXEC)
        os.write(file, self._parts["text"].encode())
        path, options = f"/proc/self/fd/{file}", self._parts["options"]
        status = int(library().qapfw_model_from_file(session, encoded(path), option_texts(options), len(options), model))
        if status != 0:
            message = library().qapfw_last_error().decode("utf-8", "replace")
            os.close(file)
            raise InputError("layout: " + re.sub(rf"(problem uaflp: )?{re.escape(path)}(:\d+)*: ", "", message))
        # Each search reads the file, so the file stays open while this object exists. The interpreter's exit does not
        # close the file either, since a search may still run then.
        weakref.finalize(self, os.close, file).atexit = False
        return status

    def _on_disk(self, folder: Path) -> Problem:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "layout.toml"
        path.write_text(self._parts["text"], encoding="utf-8")
        made = Problem.from_file(path, problem="uaflp", plugin_path=self._folders[0], data=self._folders[1])
        made._parts["options"] = list(self._parts["options"])
        made.facilities = self.facilities
        return made

    def __repr__(self) -> str:
        return f"<qapfw.Layout: {len(self.facilities or ())} departments>"


def _table(name: str, values: Mapping[str, Any]) -> list[str]:
    """The lines of a TOML table; an empty list if the table has no values."""
    return ["", f"[{name}]", *(f"{key} = {toml(value)}" for key, value in values.items())] if values else []


def _positive(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is {value!r}; a number was wanted") from None
    if isinstance(value, (bool, str)):
        raise TypeError(f"{what} is {value!r}; a number was wanted")
    if not (number > 0 and math.isfinite(number)):
        raise ValueError(f"{what} is {value!r}; a number above 0 was wanted")
    return number


def _plant(plant: Any) -> dict[str, float]:
    sides = list(as_list(plant)) if isinstance(plant, Iterable) and not isinstance(plant, (str, Mapping)) else None
    if sides is None or len(sides) != 2:
        raise TypeError(f"plant is {plant!r}; (width, height) was wanted")
    return {"width": _positive(sides[0], "plant[0]"), "height": _positive(sides[1], "plant[1]")}


def _departments(departments: Any) -> list[dict[str, Any]]:
    if hasattr(departments, "to_dict") and hasattr(departments, "index"):  # a frame of pandas
        departments = {str(name): {key: value for key, value in row.items() if value == value and value is not None}
                       for name, row in departments.to_dict("index").items()}
    if not isinstance(departments, Mapping):
        raise TypeError(f"departments is a {type(departments).__name__}; {{name: area}} was wanted, or a data frame")
    if not departments:
        raise ValueError("departments is empty; at least one department was wanted")
    tables = []
    for name, given in departments.items():
        where = f"departments[{name!r}]"
        rule = dict(given) if isinstance(given, Mapping) else {"area": given}
        strange = [key for key in rule if key != "area" and key not in _RULES]
        if strange:
            raise ValueError(f"{where} has the key {strange[0]!r}; one of area, {', '.join(_RULES)} was wanted")
        if "area" not in rule:
            raise ValueError(f"{where} has no area")
        table: dict[str, Any] = {"name": str(name), "area": _positive(rule["area"], f"the area of {where}")}
        for key in ("max_aspect_ratio", "min_side"):
            if rule.get(key) is not None:
                table[key] = _positive(rule[key], f"{key} of {where}")
        if rule.get("dummy"):
            table["dummy"] = True
        tables.append(table)
    return tables


def _flows(flows: Any, names: list[str]) -> list[list[Any]]:
    if isinstance(flows, Mapping):
        items: Iterable[Any] = [(*_pair(key), value) for key, value in flows.items()]
    elif hasattr(flows, "shape") or (isinstance(flows, (list, tuple)) and len(flows) == len(names) and all(
            isinstance(row, (list, tuple)) and len(row) == len(names) for row in flows) and not _is_list(flows, names)):
        return _flows_of_matrix(flows, names)
    elif isinstance(flows, Iterable) and not isinstance(flows, str):
        items = flows
    else:
        raise TypeError(f"flows is {flows!r}; {{(from, to): flow}}, a list of (from, to, flow) or a matrix was wanted")
    entries = []
    for k, entry in enumerate(items):
        if isinstance(entry, str) or not isinstance(entry, Iterable) or len(cells := list(as_list(entry))) != 3:
            raise TypeError(f"flows[{k}] is {entry!r}; (from, to, flow) was wanted")
        i, j = (_department(cell, names, f"flows[{k}][{c}]") for c, cell in enumerate(cells[:2]))
        entries.append([names[i], names[j], _flow(cells[2], f"flows[{k}][2]")])
    return entries


def _pair(key: Any) -> tuple[Any, Any]:
    if not isinstance(key, tuple) or len(key) != 2:
        raise TypeError(f"flows: the key is {key!r}; a pair (from, to) was wanted")
    return key[0], key[1]


def _is_list(flows: Sequence[Any], names: list[str]) -> bool:
    """True if the flows are a list of (from, to, flow), and not a matrix. With three departments, three rows could be
    both. They are a list if a row has a name."""
    return len(names) == 3 and any(isinstance(cell, str) for row in flows for cell in row)


def _flows_of_matrix(flows: MatrixLike, names: list[str]) -> list[list[Any]]:
    labels = frame_names(flows, "flows")
    if labels is not None and sorted(labels) != sorted(names):
        raise ValueError("flows: the labels of the data frame must be the names of the departments")
    if labels is not None:
        flows = aligned(flows, (labels, labels), "flows")
    matrix = Matrix(flows, "flows")
    try:
        matrix.require_shape(len(names), len(names))
        rows = matrix.lists()
    finally:
        matrix.release()
    order = labels or names
    return [[order[i], order[j], _flow(value, f"flows[{i}][{j}]")] for i, row in enumerate(rows)
            for j, value in enumerate(row) if value and i != j]


def _flow(value: Any, where: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{where} is {value!r}; a number was wanted") from None
    if not (number >= 0 and math.isfinite(number)):
        raise ValueError(f"{where} is {value!r}; a finite flow of at least 0 was wanted")
    return number


def _department(value: Label, names: list[str], where: str) -> int:
    if isinstance(value, str):
        if value in names:
            return names.index(value)
        raise ValueError(f"{where} is {value!r}; no department has this name")
    return index_of(value, len(names), where, "a department")
