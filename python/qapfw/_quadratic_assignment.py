# SPDX-License-Identifier: Apache-2.0
"""`quadratic_assignment` with the signature, the options, the result and the errors of SciPy's function."""

from __future__ import annotations

import math
import operator
import random
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._faq import faq, numpy_or_none
from ._matrices import Matrix, MatrixLike, as_list, positional
from ._problem import Problem
from ._qap_cost import qap_cost
from ._settings import any_seed

__all__ = ["OptimizeResult", "quadratic_assignment"]

_METHODS = ("memetic", "faq", "2opt")
_COMMON = {"maximize", "partial_match", "rng"}
_OPTIONS = {"memetic": _COMMON | {"partial_guess", "P0", "tol", "maxiter", "shuffle_input", "time_limit", "threads",
                                  "backend", "evaluations", "target"},
            "faq": _COMMON | {"P0", "shuffle_input", "maxiter", "tol"},
            "2opt": _COMMON | {"partial_guess"}}
_USUAL_TIME = 1.0  # time limit of the memetic method in seconds, if no limit is given
_SHARE_OF_FAQ = 0.4  # fraction of the time for FAQ; the search gets the rest
_MOST_STARTS = 8  # largest number of starts of FAQ
# Without a time limit, FAQ starts _WORK_OF_FAQ / n^3 times, but at least once and at most _MOST_STARTS times. All
# starts together take some tenths of a second.
_WORK_OF_FAQ = 40_000_000


class OptimizeResult(dict[str, Any]):
    """A dictionary whose keys are attributes too: col_ind, fun, nit."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list[str]:
        return list(self)


def quadratic_assignment(A: MatrixLike, B: MatrixLike, method: str = "memetic", options: Mapping[str, Any] | None = None
                         ) -> Any:
    """Replaces ``scipy.optimize.quadratic_assignment``. Looks for the permutation p with the least sum over i, j of
    ``A[i][j] * B[p[i]][p[j]]``.

    A, B     n x n matrices of finite numbers
    method   "memetic", this package's search; "faq" and "2opt", the methods of SciPy
    options  a dictionary:
             maximize       True: looks for the greatest sum
             partial_match  pairs (row of A, row of B) that must be matched
             rng            an integer, a generator of NumPy or of `random`; the same seed gives the same answer, unless a
                            time limit ends the search or the starts of FAQ
             partial_guess  pairs to start from (memetic, 2opt)
             P0             start of FAQ: "barycenter", "randomized", or a doubly stochastic matrix from rows of A to
                            rows of B, without the rows in partial_match (faq, memetic)
             tol, maxiter, shuffle_input  options of FAQ (faq, memetic)
             time_limit     seconds; default 1, if neither evaluations nor target is given (memetic). With large matrices
                            the start by FAQ may take this long, and the search 0.6 times as long after it
             evaluations, target, threads, backend  as in `qapfw.solve` (memetic)

    Returns col_ind (the permutation), fun (the sum) and nit (iterations), as attributes and as keys. Raises
    ValueError in the same cases as SciPy.

    >>> A = [[0, 80, 150, 170], [80, 0, 130, 100], [150, 130, 0, 120], [170, 100, 120, 0]]
    >>> B = [[0, 5, 2, 7], [0, 0, 3, 8], [0, 0, 0, 3], [0, 0, 0, 0]]
    >>> result = quadratic_assignment(A, B)
    >>> result.fun, list(result.col_ind)
    (3260, [0, 3, 2, 1])
    """
    given = dict(options or {})
    if not isinstance(method, str) or method.lower() not in _METHODS:
        raise ValueError(f"method is {method!r}; one of {', '.join(map(repr, _METHODS))} was wanted")
    method = method.lower()
    unknown = [name for name in given if name not in _OPTIONS[method]]
    if unknown:
        warnings.warn(f"Unknown solver options: {', '.join(map(str, unknown))}", _warning(), stacklevel=2)
    given = {name: value for name, value in given.items() if name not in unknown}
    A, B = positional(A), positional(B)
    n = _check_matrices(A, B)
    match = _pairs(given.pop("partial_match", None), n, "partial_match")
    rng = _random(given.pop("rng", None))
    maximize = bool(given.pop("maximize", False))
    methods: dict[str, Callable[..., Any]] = {"memetic": _memetic, "faq": _faq, "2opt": _two_opt}
    solve = methods[method]
    permutation, cost, iterations = solve(A, B, n, match, maximize, rng, given)
    return _result(permutation, cost, iterations)


def _memetic(a: Any, b: Any, n: int, match: list[tuple[int, int]], maximize: bool, rng: random.Random,
             options: dict[str, Any]) -> Any:
    begin = time.perf_counter()
    guess = _pairs(options.pop("partial_guess", None), n, "partial_guess")
    faq_options = {name: options.pop(name) for name in ("P0", "tol", "maxiter", "shuffle_input") if name in options}
    if not {"time_limit", "evaluations", "target"} & set(options):
        options["time_limit"] = _USUAL_TIME
    limit = options.get("time_limit")
    initial: Any = {i: k for i, k in [*match, *guess]} or None
    has_time = not isinstance(limit, (int, float)) or limit > 0
    _check_faq(n - len(match), faq_options)
    # FAQ makes good starts if two graphs are nearly the same. With at most 12 free rows, FAQ is not needed: the search
    # then proves that the answer is optimal.
    if not guess and n - len(match) > 12 and has_time and (numpy_or_none() is not None or faq_options):
        if isinstance(limit, (int, float)):
            initial = _best_of_faq(a, b, n, match, maximize, rng, faq_options, _MOST_STARTS,
                                   begin + _SHARE_OF_FAQ * limit, begin + limit)
            options["time_limit"] = max(limit - (time.perf_counter() - begin), limit * (1 - _SHARE_OF_FAQ))
        else:
            starts = max(1, min(_MOST_STARTS, _WORK_OF_FAQ // n**3))
            initial = _best_of_faq(a, b, n, match, maximize, rng, faq_options, starts, math.inf, math.inf)
    if n == 0 or n == len(match):
        return _trivial(a, b, match)
    problem = Problem(a, b, maximize=maximize, fixed=dict(match) or None)
    result = problem.solve(initial=initial, seed=rng.getrandbits(63), **options)
    return list(result.permutation), result.cost, result["iterations"]


def _best_of_faq(a: Any, b: Any, n: int, match: list[tuple[int, int]], maximize: bool, rng: random.Random,
                 options: dict[str, Any], starts: int, end: float, end_of_first: float) -> list[int]:
    """Runs FAQ several times and returns the best permutation: on graphs, FAQ's result depends much on how FAQ breaks
    ties. Makes `starts` runs, or fewer if the next run would probably end after `end`. The first run may take longer;
    its last iteration begins before `end_of_first`."""
    found: list[tuple[float, list[int]]] = []
    sense = -1 if maximize else 1
    for k in range(starts):
        begin = time.perf_counter()
        permutation, cost, _ = _faq(a, b, n, match, maximize, rng,
                                    {**options, **({"shuffle_input": True} if k else {})}, end_of_first)
        found.append((sense * cost, permutation))
        now = time.perf_counter()
        if now + (now - begin) > end:
            break
    return min(found)[1]


def _faq(a: Any, b: Any, n: int, match: list[tuple[int, int]], maximize: bool, rng: random.Random,
         options: dict[str, Any], end: float = math.inf) -> Any:
    start, maxiter, tol = _check_faq(n - len(match), options)
    if n == 0 or n == len(match):
        return _trivial(a, b, match)
    rows_a, rows_b = _rows(a, "A"), _rows(b, "B")
    permutation, iterations = faq(rows_a, rows_b, maximize=maximize, seeds=match, start=start, rng=rng,
                                  shuffles=bool(options.get("shuffle_input", False)), most_iterations=maxiter,
                                  tolerance=tol, end=end)
    return permutation, _cost(a, b, rows_a, rows_b, permutation), iterations


def _two_opt(a: Any, b: Any, n: int, match: list[tuple[int, int]], maximize: bool, rng: random.Random,
             options: dict[str, Any]) -> Any:
    guess = _pairs(options.pop("partial_guess", None), n, "partial_guess")
    if n == 0 or n == len(match):
        return _trivial(a, b, match)
    given = {**dict(guess), **dict(match)}
    taken = set(given.values())
    free = [k for k in range(n) if k not in taken]
    rng.shuffle(free)
    start = [given[i] if i in given else free.pop() for i in range(n)]
    problem = Problem(a, b, maximize=maximize, fixed=dict(match) or None)
    result = problem.solve(initial=start, seed=rng.getrandbits(63), algorithm="random_restart", parameters={"batch": 1},
                           improver="greedy_two_opt", improver_parameters={"passes": 0}, iterations=1, threads=1, backend="cpu")
    return list(result.permutation), result.cost, result["iterations"]


def _trivial(a: Any, b: Any, match: list[tuple[int, int]]) -> Any:
    permutation = [k for _, k in sorted(match)]
    return permutation, qap_cost(a, b, permutation) if permutation else 0, 0


def _check_faq(size: int, options: dict[str, Any]) -> tuple[Any, int, float]:
    """Checks the options of FAQ and returns its start, its number of iterations and its tolerance.

    `size`: number of rows that are not matched yet.
    """
    start, tol = options.get("P0", "barycenter"), options.get("tol", 0.03)
    maxiter = operator.index(options.get("maxiter", 30))
    if isinstance(start, str):
        if start not in ("barycenter", "randomized"):
            raise ValueError(f"Invalid 'P0' parameter string: {start!r}; \"barycenter\" or \"randomized\" was wanted")
    else:
        start = _rows(start, "P0")
        if len(start) != size or any(len(row) != size for row in start):
            raise ValueError(f"`P0` matrix must have shape m' x m', where m' = n - m = {size}")
        sums = [sum(row) for row in start] + [sum(column) for column in zip(*start)]
        if any(entry < 0 for row in start for entry in row) or any(abs(total - 1) > 1e-3 for total in sums):
            raise ValueError("`P0` matrix must be doubly stochastic")
    if maxiter <= 0:
        raise ValueError("'maxiter' must be a positive integer")
    if not tol > 0:
        raise ValueError("'tol' must be a positive float")
    return start, maxiter, float(tol)


def _check_matrices(a: Any, b: Any) -> int:
    sizes = []
    for source, name in ((a, "A"), (b, "B")):
        shape = getattr(source, "shape", None)
        if shape is not None and len(shape) > 2:
            raise ValueError("`A` and `B` must have exactly two dimensions")
        if _is_empty(source):
            sizes.append(0)
            continue
        matrix = Matrix(source, name)
        rows, columns = matrix.rows, matrix.columns
        matrix.release()
        if rows != columns:
            raise ValueError(f"`{name}` must be square, but it is {rows} x {columns}")
        sizes.append(rows)
    if sizes[0] != sizes[1]:
        raise ValueError(f"`A` and `B` matrices must be of equal size, but they have {sizes[0]} and {sizes[1]} rows")
    return sizes[0]


def _is_empty(source: Any) -> bool:
    shape = getattr(source, "shape", None)
    if shape is not None:
        return 0 in tuple(shape)
    return isinstance(source, Sequence) and not isinstance(source, str) and (len(source) == 0 or all(
        isinstance(row, Sequence) and len(row) == 0 for row in source))


def _pairs(pairs: Any, n: int, name: str) -> list[tuple[int, int]]:
    """Checks `pairs`, and returns its rows as pairs of integers. Raises the errors that SciPy raises."""
    if pairs is None:
        return []
    items = as_list(pairs)
    if isinstance(items, Mapping):
        items = list(items.items())
    rows = list(items)
    if rows and not any(isinstance(row, (Sequence, tuple)) or hasattr(row, "__len__") for row in rows):
        rows = [rows]
    found = []
    for row in rows:
        pair = list(as_list(row))
        if pair and isinstance(pair[0], (list, tuple)):
            raise ValueError(f"`{name}` must have exactly two dimensions")
        if len(pair) == 0:
            continue
        if len(pair) != 2:
            raise ValueError(f"`{name}` must have two columns")
        found.append((operator.index(_whole(pair[0], name)), operator.index(_whole(pair[1], name))))
    if len(found) > n:
        raise ValueError(f"`{name}` can have only as many seeds as there are nodes, {n}")
    if any(i < 0 or k < 0 for i, k in found):
        raise ValueError(f"`{name}` must contain only positive indices")
    if any(i >= n or k >= n for i, k in found):
        raise ValueError(f"`{name}` entries must be less than number of nodes, {n}")
    if len({i for i, _ in found}) < len(found) or len({k for _, k in found}) < len(found):
        raise ValueError(f"`{name}` column entries must be unique")
    return found


def _whole(value: Any, name: str) -> Any:
    if isinstance(value, float):
        if not value.is_integer():
            raise TypeError(f"`{name}` holds {value!r}; whole numbers were wanted")
        return int(value)
    return value


def _random(rng: Any) -> random.Random:
    """Returns `rng` itself if it is a `random.Random`; else a new `random.Random` whose seed is or comes from `rng`. If
    `rng` is None, the seed is arbitrary."""
    if rng is None:
        return random.Random(any_seed())
    if isinstance(rng, random.Random):
        return rng
    if hasattr(rng, "integers"):  # numpy.random.Generator
        return random.Random(int(rng.integers(2**62)))
    if hasattr(rng, "randint"):  # numpy.random.RandomState
        return random.Random(int(rng.randint(2**31 - 1)))
    try:
        return random.Random(operator.index(rng))
    except TypeError:
        raise ValueError(f"rng is {rng!r}; an integer or a random number generator was wanted") from None


def _rows(source: Any, name: str) -> Any:
    """Returns the matrix itself if it is a NumPy array of numbers, else its rows as lists."""
    numpy = numpy_or_none()
    if numpy is not None and isinstance(source, numpy.ndarray) and source.dtype.kind in "biuf":
        return source
    matrix = Matrix(source, name)
    try:
        return matrix.lists()
    finally:
        matrix.release()


def _cost(a: Any, b: Any, rows_a: Any, rows_b: Any, permutation: list[int]) -> Any:
    numpy = numpy_or_none()
    if numpy is None:
        return qap_cost(a, b, permutation)
    x, y = (rows.astype("int64") if rows.dtype.kind in "biu" and rows.dtype.itemsize < 8 else rows
            for rows in (numpy.asarray(rows_a), numpy.asarray(rows_b)))
    return (x * y[numpy.ix_(permutation, permutation)]).sum().item()


def _result(permutation: list[int], cost: Any, iterations: int) -> Any:
    numpy = numpy_or_none()
    found = permutation if numpy is None else numpy.array(permutation, dtype=int)
    scipy = sys.modules.get("scipy.optimize")
    kind = OptimizeResult if scipy is None else scipy.OptimizeResult
    return kind(col_ind=found, fun=cost, nit=iterations)


def _warning() -> type[Warning]:
    scipy = sys.modules.get("scipy.optimize")
    kind: type[Warning] = UserWarning if scipy is None else scipy.OptimizeWarning
    return kind
