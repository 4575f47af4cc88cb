# SPDX-License-Identifier: Apache-2.0
"""Class Problem: a problem made of two matrices and further data, or an instance of any problem plugin."""

from __future__ import annotations

import ctypes
import math
import operator
import os
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import POINTER, byref, c_char_p, c_int64, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from ._instance_files import write_instance, write_pairs
from ._library import CGraph, CQap, Session, check, encoded, library, option_texts, session, texts
from ._matrices import Matrix, MatrixLike, aligned, as_list, frame_names, index_of, is_sequence, kept, series_items
from ._settings import PathLike, flat, folders

__all__ = ["Problem"]

#: A facility or a location: its index from 0, or its name.
Label = int | str


class Model:
    """Owns a model (qapfw_model) of the library, and frees the model when this object dies."""

    def __init__(self, session: Session, make: Callable[[Any, Any], int]) -> None:
        handle = c_void_p()
        check(make(session.handle, byref(handle)))
        self.session = session  # the session must live as long as the model
        self.handle = handle
        weakref.finalize(self, library().qapfw_model_free, handle).atexit = False
        facilities, locations = c_uint64(), c_uint64()
        library().qapfw_model_size(handle, byref(facilities), byref(locations))
        self.facilities, self.locations = int(facilities.value), int(locations.value)


class Problem:
    """The quadratic assignment problem of two matrices.

    Minimises the sum over i, j of ``flow[i][j] * distance[p[i]][p[j]]`` plus the sum over i of ``linear[i][p[i]]``.
    p gives each of n facilities one of m locations, no two facilities the same one; n <= m.

    flow        n x n matrix of finite numbers: how much goes between facilities. Nested lists, NumPy arrays of any type,
                order and stride, pandas frames, SciPy sparse matrices, or any object with a buffer of two dimensions
    distance    m x m matrix: how far locations are from each other; m >= n
    linear      n x m matrix: cost of each facility at each location, in the unit of the sum
    maximize    True: looks for the greatest sum
    fixed       {facility: location} that must stay, or a list with the location of each facility, None if it is free
    forbidden   pairs (facility, location) to exclude, or an n x m array that is not 0 at forbidden pairs
    facilities  n names; None: those of a data frame, if it has any
    locations   m names
    name        name of the problem, for messages and records

    Facilities and locations are given by index, counted from 0, or by name. Raises TypeError if an argument is no matrix or
    no index, ValueError for values that do not fit. The engine copies the matrices. Do not change them afterwards: searches
    with `log` or `record`, and other processes, read them again.

    >>> problem = Problem([[0, 3], [1, 0]], [[0, 5], [2, 0]], facilities=["press", "lathe"], locations=["A", "B"])
    >>> problem.solve(progress=False).assignment
    {'press': 'B', 'lathe': 'A'}
    """

    _made: tuple[int, Model | None]
    _parts: dict[str, Any]
    facilities: list[str] | None
    locations: list[str] | None
    _has_files = True  # True if a result gets the files that the plugin writes

    def __init__(self, flow: MatrixLike, distance: MatrixLike, *, linear: MatrixLike | None = None, maximize: bool = False,
                 fixed: Mapping[Label, Label] | Sequence[Label | None] | None = None,
                 forbidden: Iterable[tuple[Label, Label]] | MatrixLike | None = None,
                 facilities: Iterable[str] | None = None, locations: Iterable[str] | None = None,
                 name: str | None = None, plugin_path: Iterable[PathLike] = (), data: Iterable[PathLike] = ()) -> None:
        if maximize not in (False, True):
            raise TypeError(f"maximize is {maximize!r}; True or False was wanted")
        flow, distance, linear, forbidden = kept(flow), kept(distance), kept(linear), kept(forbidden)
        self._folders = (folders(plugin_path), folders(data))
        self.facilities = _names(facilities, "facilities") or frame_names(flow, "flow")  #: names, or None
        self.locations = _names(locations, "locations") or frame_names(distance, "distance")  #: names, or None
        flow = aligned(flow, (self.facilities, self.facilities), "flow")
        distance = aligned(distance, (self.locations, self.locations), "distance")
        linear = None if linear is None else aligned(linear, (self.facilities, self.locations), "linear")
        self._parts = {"flow": flow, "distance": distance, "linear": linear, "maximize": bool(maximize),
                                       "fixed": fixed, "forbidden": forbidden, "name": name}
        self.is_integer = False
        self._has_files = False
        self._start(self._make_qap)

    @classmethod
    def from_file(cls, instance: PathLike, *, problem: str | None = None, parameters: Mapping[str, Any] | None = None,
                  plugin_path: Iterable[PathLike] = (), data: Iterable[PathLike] = ()) -> Problem:
        """An instance of any problem plugin.

        instance     a file, or a name that the data folders hold or that is generated, such as "tai60a"
        problem      id of the plugin, such as "qap" or "uaflp"; None: the plugin that can read the instance
        parameters   of the plugin, such as {"reduction": "tsp"}
        plugin_path  further folders with plugins
        data         further folders to look instances up by name
        """
        text = os.fspath(instance)
        if not text:
            raise ValueError("instance is empty; a file or a name was wanted")
        options = [("problem.plugin", problem)] if problem is not None else []
        options += list(flat({"problem": parameters or {}}))
        made = cls._without_matrices(plugin_path, data)
        made._parts = {"instance": encoded(text), "options": options}
        made._start(made._make_instance)
        return made

    @classmethod
    def from_graph(cls, graph: Any, distance: str, *, facilities: Iterable[str] | None = None, name: str | None = None,
                   plugin_path: Iterable[PathLike] = (), data: Iterable[PathLike] = ()) -> Problem:
        """Makes a problem with sparse flows, whose distances follow a formula: a graph is mapped onto a machine or grid.

        graph       a sparse matrix of SciPy, square, of whole numbers; or a tuple (offsets, columns) or (offsets, columns,
                    weights) of compressed rows. An entry (u, v) is a flow from u to v
        distance    the locations, such as "torus:20x20x20"; the guide on mapping graphs has all forms
        facilities  names of the vertices

        >>> ring = ([0, 2, 4, 6, 8], [1, 3, 0, 2, 1, 3, 0, 2])
        >>> Problem.from_graph(ring, "grid:2x2").solve(iterations=100, seed=1).cost
        8
        """
        made = cls._without_matrices(plugin_path, data)
        made.facilities = _names(facilities, "facilities")
        made._parts = {"graph": _rows_of(graph), "distance": distance, "name": name}
        made.is_integer = True
        made._start(made._make_graph)
        return made

    @classmethod
    def _without_matrices(cls, plugin_path: Iterable[PathLike], data: Iterable[PathLike]) -> Problem:
        made = cls.__new__(cls)
        made._folders = (folders(plugin_path), folders(data))
        made.facilities = made.locations = None
        made.is_integer = False
        return made

    def solve(self, **options: Any) -> Any:
        """Looks for the best solution; the options are those of `qapfw.solve`."""
        from ._solve import solve_problem

        return solve_problem(self, **options)

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of facilities and locations. For problems other than the QAP, both are the problem's size n."""
        model = self._model()
        return model.facilities, model.locations

    def __repr__(self) -> str:
        n, m = self.size
        return f"<qapfw.Problem: {n} facilities, {m} locations>"

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_made"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._made = (0, None)  # the model is made when it is needed

    # The library's model belongs to the process that made it: another process makes one of its own.
    def _start(self, make: Callable[[Any, Any], int]) -> None:
        self._kind = make.__name__
        self._made = (os.getpid(), Model(session(*self._folders), make))

    def _model(self) -> Model:
        process, model = self._made
        if model is None or process != os.getpid():
            model = Model(session(*self._folders), getattr(self, self._kind))
            self._made = (os.getpid(), model)
        return model

    def _model_in(self, own: Session) -> Model:
        """The problem's model in another session, such as one with a log."""
        return Model(own, getattr(self, self._kind))

    def _make_instance(self, session: Any, model: Any) -> int:
        options = self._parts["options"]
        return int(library().qapfw_model_from_file(session, self._parts["instance"], option_texts(options), len(options),
                                                   model))

    def _make_graph(self, session: Any, model: Any) -> int:
        offsets: Any
        columns: Any
        weights: Any
        offsets, columns, weights = (None if part is None else (c_int64 * len(part))(*part)
                                     for part in self._parts["graph"])
        pointer = POINTER(c_int64)
        n = len(self._parts["graph"][0]) - 1
        graph = CGraph(struct_size=ctypes.sizeof(CGraph), vertices=n, offsets=ctypes.cast(offsets, pointer),
                       columns=ctypes.cast(columns, pointer), distance=encoded(self._parts["distance"]))
        if weights is not None:
            graph.weights = ctypes.cast(weights, pointer)
        graph.vertex_names = _c_names(self.facilities, n, "facilities", "graph")
        if self._parts["name"] is not None:
            graph.name = encoded(self._parts["name"])
        return int(library().qapfw_model_from_graph(session, byref(graph), model))

    def _make_qap(self, session: Any, model: Any) -> int:
        parts, held = self._parts, []
        try:
            for name in ("flow", "distance", "linear"):
                if parts[name] is not None or name != "linear":
                    held.append(Matrix(parts[name], name))
            flow, distance = held[0], held[1]
            flow.require_square()
            distance.require_square()
            n, m = flow.rows, distance.rows
            if n > m:
                raise ValueError(f"flow is {flow.shape} and distance {distance.shape}; at least as many locations as "
                                 "facilities were wanted")
            if len(held) == 3:
                held[2].require_shape(n, m)
            self.is_integer = all(matrix.is_integer for matrix in held)
            qap = CQap(struct_size=ctypes.sizeof(CQap), maximize=int(parts["maximize"]), flow=flow.c,
                       distance=distance.c)
            if len(held) == 3:
                qap.linear = held[2].c
            if parts["forbidden"] is not None:
                held.append(self._forbidden(parts["forbidden"], n, m))
                qap.forbidden = held[-1].c
            if parts["fixed"] is not None:
                fixed = (c_int64 * n)(*self._locations_of(parts["fixed"], n, m, "fixed"))
                qap.fixed = ctypes.cast(fixed, POINTER(c_int64))
            qap.facility_names = _c_names(self.facilities, n, "facilities", "flow")
            qap.location_names = _c_names(self.locations, m, "locations", "distance")
            if parts["name"] is not None:
                qap.name = encoded(parts["name"])
            return int(library().qapfw_model_from_qap(session, byref(qap), model))
        finally:
            for matrix in held:
                matrix.release()

    def _forbidden(self, forbidden: Any, n: int, m: int) -> Matrix:
        shape = getattr(forbidden, "shape", None)
        if shape is not None and tuple(shape) == (n, m):
            mask = Matrix(aligned(forbidden, (self.facilities, self.locations), "forbidden"), "forbidden")
        else:
            mask = Matrix(_mask(self, forbidden, n, m), "forbidden")
        mask.require_shape(n, m)
        return mask

    def _on_disk(self, folder: Path) -> Problem:
        """The problem with its matrices in files; the problem itself if it has no matrices."""
        if "flow" not in self._parts:
            return self
        n, m = self.size
        matrices = {name: self._parts[name] for name in ("flow", "distance", "linear") if self._parts[name] is not None}
        if self._parts["forbidden"] is not None:
            matrices["forbidden"] = self._forbidden(self._parts["forbidden"], n, m)
        parameters = write_instance(folder, matrices, self.facilities, self.locations)
        if self._parts["maximize"]:
            parameters["maximize"] = True
        if self._parts["fixed"] is not None:
            fixed = self._locations_of(self._parts["fixed"], n, m, "fixed")
            parameters["fixed_file"] = write_pairs(folder, [(i, k) for i, k in enumerate(fixed) if k != -1], self.facilities,
                                                   self.locations)
        made = Problem.from_file(parameters.pop("instance"), problem="qap", parameters=parameters,
                                 plugin_path=self._folders[0], data=self._folders[1])
        made.facilities, made.locations, made.is_integer = self.facilities, self.locations, self.is_integer
        return made

    def _facility(self, value: Any, n: int, where: str) -> int:
        return _index(value, self.facilities, n, where, "facility")

    def _location(self, value: Any, m: int, where: str) -> int:
        return _index(value, self.locations, m, where, "location")

    def _locations_of(self, given: Any, n: int, m: int, name: str) -> list[int]:
        """Returns the location of each facility, -1 if none is given. `given` is {facility: location} or a list."""
        found = [-1] * n
        if hasattr(given, "to_dict") and hasattr(given, "index") and not callable(given.index):  # a series of pandas
            given = series_items(given, self.facilities is not None)
        if isinstance(given, Mapping):
            for facility, location in given.items():
                index = self._facility(facility, n, f"{name}: the key")
                found[index] = self._location(location, m, f"{name}[{facility!r}]")
            return found
        items = as_list(given)
        if not is_sequence(items):
            raise TypeError(f"{name} is {given!r}; {{facility: location}} or a list of {n} locations was wanted")
        if len(items) != n:
            raise ValueError(f"{name} has {len(items)} entries; {n} were wanted, one for each facility")
        for i, location in enumerate(items):
            if location is not None and not (isinstance(location, int) and location == -1):
                found[i] = self._location(location, m, f"{name}[{i}]")
        return found

    def _initial(self, initial: Any) -> list[list[int]] | None:
        """Assignments to start from: one, or several of them."""
        if initial is None:
            return None
        n, m = self.size
        items = initial if isinstance(initial, Mapping) else as_list(initial)
        several = is_sequence(items) and len(items) > 0 and all(
            isinstance(item, Mapping) or (is_sequence(item) and not isinstance(item, str)) for item in items)
        if not several:
            return [self._distinct(self._locations_of(items, n, m, "initial"), "initial")]
        return [self._distinct(self._locations_of(item, n, m, f"initial[{k}]"), f"initial[{k}]")
                for k, item in enumerate(items)]

    def _distinct(self, locations: list[int], name: str) -> list[int]:
        seen: dict[int, int] = {}
        for i, location in enumerate(locations):
            if location != -1 and location in seen:
                facilities = self.facilities or range(len(locations))
                shown = self.locations[location] if self.locations else location
                raise ValueError(f"{name}: the facilities {facilities[seen[location]]!r} and {facilities[i]!r} both have the "
                                 f"location {shown!r}; every facility needs a location of its own")
            seen[location] = i
        return locations


def _whole_64(value: Any, what: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        if not isinstance(value, float) or not value.is_integer():
            raise TypeError(f"{what} has the entry {value!r}; a whole number was wanted") from None
        number = int(value)
    if not -2**63 <= number < 2**63:
        raise ValueError(f"{what} has the entry {value!r}; at most 64 bits are possible")
    return number


def _whole_weights(weights: list[Any]) -> list[int]:
    for index, weight in enumerate(weights):
        if not math.isfinite(weight):
            raise ValueError(f"graph has the weight {weight} at index {index}; a whole number was wanted")
        if weight != int(weight):
            raise ValueError(f"graph has the weight {weight} at index {index}, which is no whole number; multiply all "
                             "weights by one factor that makes them whole")
        if not -2**63 <= int(weight) < 2**63:
            raise ValueError(f"graph has the weight {weight} at index {index}; at most 64 bits are possible")
    return [int(weight) for weight in weights]


def _rows_of(graph: Any) -> tuple[list[int], list[int], list[int] | None]:
    """The graph as compressed rows: offsets, columns and weights. The weights are None if the graph has none."""
    if hasattr(graph, "tocsr"):
        rows = graph.tocsr()
        if rows.shape[0] != rows.shape[1]:
            raise ValueError(f"graph is {rows.shape[0]} x {rows.shape[1]}; a square matrix was wanted")
        return rows.indptr.tolist(), rows.indices.tolist(), _whole_weights(rows.data.tolist())
    if not isinstance(graph, tuple) or len(graph) not in (2, 3):
        raise TypeError(f"graph is {type(graph).__name__}; a sparse matrix, or (offsets, columns[, weights]) was wanted")
    parts = [[_whole_64(value, name) for value in as_list(part)] for part, name in zip(graph, ("offsets", "columns"))]
    parts += [_whole_weights(list(as_list(part))) for part in graph[2:]]
    if not parts[0]:
        raise ValueError("offsets is empty; a graph with n vertices needs n + 1 offsets")
    if len(parts[1]) != parts[0][-1] or (len(parts) == 3 and len(parts[2]) != len(parts[1])):
        raise ValueError(f"the last offset is {parts[0][-1]}; columns and weights must have as many entries, found "
                         f"{' and '.join(str(len(part)) for part in parts[1:])}")
    return parts[0], parts[1], parts[2] if len(parts) == 3 else None


def _names(names: Iterable[str] | None, what: str) -> list[str] | None:
    if names is None:
        return None
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise TypeError(f"{what} is {names!r}; a list of names was wanted")
    return [str(name) for name in names]


def _c_names(names: list[str] | None, count: int, what: str, matrix: str) -> Any:
    if names is None:
        return None
    if len(names) != count:
        raise ValueError(f"{what} has {len(names)} names; {count} were wanted, one for each row of {matrix}")
    if len(set(names)) != count:
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{what} has the name {twice!r} twice; every name must be there once")
    return ctypes.cast(texts(names), POINTER(c_char_p))


def _index(value: Any, names: list[str] | None, size: int, where: str, what: str) -> int:
    if isinstance(value, str):
        if names is None:
            raise TypeError(f"{where} is the text {value!r}, but there are no names; an index from 0 to {size - 1} was "
                            "wanted")
        if value in names:
            return names.index(value)
        raise ValueError(f"{where} is {value!r}; no {what} has this name")
    return index_of(value, size, where, f"a {what}")


def _mask(problem: Problem, pairs: Any, n: int, m: int) -> list[list[int]]:
    items = as_list(pairs)
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
        raise TypeError(f"forbidden is {pairs!r}; pairs (facility, location) or an array of {n} x {m} were wanted")
    rows = list(items)
    if len(rows) == n == m == 2 and all(isinstance(row, list) and row in ([0, 0], [0, 1], [1, 0], [1, 1])
                                        for row in rows):
        raise ValueError(f"forbidden is {pairs!r}, which may be pairs or a table of {n} x {m}; write pairs as tuples, such as "
                         "[(0, 1)], or the table as an array")
    if len(rows) == n and m != 2 and all(is_sequence(row) and len(row) == m for row in rows):
        return [[int(bool(entry)) for entry in row] for row in rows]
    mask = [[0] * m for _ in range(n)]
    for k, pair in enumerate(rows):
        if not is_sequence(pair) or len(pair) != 2:
            raise TypeError(f"forbidden[{k}] is {pair!r}; a pair (facility, location) was wanted")
        i = problem._facility(pair[0], n, f"forbidden[{k}][0]")
        mask[i][problem._location(pair[1], m, f"forbidden[{k}][1]")] = 1
    return mask


