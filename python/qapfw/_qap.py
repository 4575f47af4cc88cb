# SPDX-License-Identifier: Apache-2.0
"""The quadratic assignment problem from two matrices."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from ._program import Log, Program
from ._result import Result
from ._run import PathLike, run

__all__ = ["Matrix", "qap_cost", "solve"]

#: Rows of numbers: nested lists, or anything with ``tolist`` such as a numpy array.
Matrix = Sequence[Sequence[float]] | Any


def solve(flow: Matrix, distance: Matrix, *, algorithm: str | None = None, parameters: Mapping[str, Any] | None = None,
          improver: str | None = None, improver_parameters: Mapping[str, Any] | None = None,
          time_limit: float | str | None = None, iterations: int | str | None = None, target: float | None = None,
          seed: int = 1, runs: int | None = None, linear: Matrix | None = None, maximize: bool = False,
          fixed: Mapping[int, int] | None = None, forbidden: Iterable[tuple[int, int]] | None = None,
          initial: Sequence[int] | None = None, threads: int | None = None, backend: str | None = None,
          out: PathLike | None = None, plugin_path: Iterable[PathLike] = (), log: Log | None = None,
          program: Program | None = None) -> Result:
    """Looks for the assignment p with the least sum over i, j of flow[i][j] * distance[p[i]][p[j]].

    flow, distance  n rows of n finite numbers each, and m rows of m with m >= n; also numpy arrays. Decimal fractions of few
                    digits such as 0.1 are taken as written, and costs are exact then
    algorithm       a solver's id (`qapfw plugin list`), with its ``parameters``; ``improver`` likewise. None: "exact", which proves
                    its answer, for up to 12 free facilities, else "memetic", which finds its own settings while it runs
    time_limit      seconds of search or a text such as "5m"; 10 seconds where no limit of any kind is given
    target          a cost at which the search ends. It also ends where the best cost is proven to be the least one, unless
                    iterations are given
    linear          n rows of m costs, of each facility at each location: the sum over i of linear[i][p[i]] is added
    maximize        look for the greatest sum
    fixed           {facility: location} that must stay, counted from 0
    forbidden       pairs (facility, location) that must not be, counted from 0
    initial         a permutation to start from, counted from 0
    out             folder for a run record; without it none is written

    ``result.permutation[i]`` is the location of facility i, counted from 0; with m > n the elements from n on are locations
    that stay empty. Exceptions as of `run`.
    """
    flows, distances = _decimals(flow, "flow"), _decimals(distance, "distance")
    n, m = len(flows), len(distances)
    if m < n:
        raise ValueError(f"flow has {n} rows and distance has {m}; wanted at least as many locations")
    if time_limit is None and iterations is None and target is None:
        time_limit = 10
    problem: dict[str, Any] = {"plugin": "qap"}
    if fixed:
        problem["fixed"] = [f"{_index(i, n, 'facility') + 1}->{_index(k, m, 'location') + 1}" for i, k in fixed.items()]
    if maximize:
        problem["maximize"] = True
    tables: dict[str, Any] = {"problem": problem}
    if algorithm is not None or parameters or improver is not None:
        tables["algorithm"] = {"plugin": algorithm or "memetic", **(parameters or {})}
    if iterations is None:
        tables["run"] = {"stop_at_optimum": True}
    if improver is not None:
        tables["algorithm"]["improver"] = {"plugin": improver, **(improver_parameters or {})}
    with tempfile.TemporaryDirectory(prefix="qapfw-") as name:
        folder = Path(name)
        if out is not None:  # a record is resumed and verified later: it keeps its instance beside it
            folder = Path(out).absolute()
            folder = folder.with_name(folder.name + "-instance")
            folder.mkdir(parents=True, exist_ok=True)
        problem["instance"], problem["matrix_b"] = folder / "flow.csv", folder / "distance.csv"
        _write_rows(problem["instance"], flows)
        _write_rows(problem["matrix_b"], distances)
        if linear is not None:
            problem["linear"] = folder / "linear.csv"
            _write_rows(problem["linear"], _rows(linear, "linear", n, m))
        if forbidden is not None and (pairs := list(forbidden)):
            problem["forbidden"] = folder / "forbidden.csv"
            _write_rows(problem["forbidden"], [[_index(i, n, "facility", "forbidden") + 1,
                                                _index(k, m, "location", "forbidden") + 1] for i, k in pairs])
        if initial is not None:
            problem["initial"] = folder / "initial.sln"
            problem["initial"].write_text(_solution_text(m, initial), encoding="ascii")
        return run(tables, seed=seed, runs=runs, time_limit=time_limit, iterations=iterations, target=target,
                   threads=threads, backend=backend, out=out, record=out is not None, plugin_path=plugin_path, log=log,
                   program=program)


def qap_cost(flow: Matrix, distance: Matrix, permutation: Sequence[int]) -> int | float:
    """The sum over i, j of flow[i][j] * distance[permutation[i]][permutation[j]], exact for integers."""
    cost = _cost(_decimals(flow, "flow"), _decimals(distance, "distance"), permutation)
    return int(cost) if cost == cost.to_integral_value() else float(cost)


def _cost(flow: list[list[Decimal]], distance: list[list[Decimal]], permutation: Sequence[int]) -> Decimal:
    n = len(flow)
    if sorted(permutation) != list(range(n)) or len(distance) != n:
        raise ValueError(f"wanted a permutation of 0 to {n - 1} for two matrices of {n} rows, found {list(permutation)}")
    # Integers of Python, for decimal numbers are rounded to a context's precision.
    (a, scale_a), (b, scale_b) = _scaled(flow), _scaled(distance)
    total = sum(x * b[p][q] for row, p in zip(a, permutation) for x, q in zip(row, permutation) if x)
    return Decimal(total).scaleb(-len(str(scale_a * scale_b)) + 1)


def _decimals(matrix: Matrix, name: str) -> list[list[Decimal]]:
    """The entries as written; raises ValueError where the matrix is not square or an entry is no finite number."""
    rows = matrix.tolist() if hasattr(matrix, "tolist") else matrix
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise ValueError(f"{name}: wanted n rows of n numbers, found {type(matrix).__name__}")
    return _rows(rows, name, len(rows), len(rows))


def _rows(matrix: Matrix, name: str, n: int, m: int) -> list[list[Decimal]]:
    rows = matrix.tolist() if hasattr(matrix, "tolist") else matrix
    if not isinstance(rows, Sequence) or isinstance(rows, str) or len(rows) != n:
        raise ValueError(f"{name}: wanted {n} rows of {m} numbers")
    out = []
    for i, row in enumerate(rows):
        entries = row.tolist() if hasattr(row, "tolist") else row
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise ValueError(f"{name}[{i}]: wanted a row of {m} numbers, found {entries!r}")
        if len(entries) != m:
            which = "as many as there are rows" if n == m else "one for each location"
            raise ValueError(f"{name}[{i}]: wanted {m} numbers, {which}, found {len(entries)}")
        out.append([_decimal(entry, f"{name}[{i}][{j}]") for j, entry in enumerate(entries)])
    return out


def _decimal(entry: Any, where: str) -> Decimal:
    value = entry.item() if hasattr(entry, "item") else entry  # a scalar of numpy
    if isinstance(value, (int, float, Decimal)):
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        if number.is_finite():
            return number
    raise ValueError(f"{where}: wanted a finite number, found {entry!r}")


def _scaled(matrix: list[list[Decimal]]) -> tuple[list[list[int]], int]:
    """The matrix times the least power of ten that makes all entries integers, and that power."""
    places = max(_places(entry) for row in matrix for entry in row)
    scale = 10**places
    return [[int(entry.scaleb(places)) for entry in row] for row in matrix], scale


def _places(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0  # a finite number's is


def _write_rows(path: Path, rows: Sequence[Sequence[Any]]) -> None:
    path.write_text("".join(",".join(str(entry) for entry in row) + "\n" for row in rows), encoding="ascii")


def _solution_text(n: int, permutation: Sequence[int]) -> str:
    if sorted(permutation) != list(range(n)):
        raise ValueError(f"initial: wanted a permutation of 0 to {n - 1}, found {list(permutation)}")
    return f"{n}\n{' '.join(str(element + 1) for element in permutation)}\n"


def _index(value: int, n: int, what: str, name: str = "fixed") -> int:
    if not 0 <= value < n:
        raise ValueError(f"{name}: wanted a {what} from 0 to {n - 1}, found {value!r}")
    return value
