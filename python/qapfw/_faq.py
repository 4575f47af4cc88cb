# SPDX-License-Identifier: Apache-2.0
"""FAQ, the fast approximate quadratic assignment algorithm of Vogelstein et al. (PLoS ONE 10(4), 2015): Frank and Wolfe's
method on the doubly stochastic matrices. It uses NumPy if that is installed, else lists."""

from __future__ import annotations

import ctypes
import math
import random
import time
from array import array
from collections.abc import Sequence
from operator import mul
from typing import Any

from ._library import CMatrix, check, library

__all__ = ["faq"]

_FLOAT64 = 1


def numpy_or_none() -> Any:
    """NumPy, or None if it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


class _Lists:
    """Matrices as lists of rows."""

    @staticmethod
    def matrix(rows: Sequence[Sequence[float]]) -> Any:
        return [list(map(float, row)) for row in rows]

    @staticmethod
    def part(x: Any, rows: Sequence[int], columns: Sequence[int]) -> Any:
        return [[x[i][j] for j in columns] for i in rows]

    @staticmethod
    def transposed(x: Any) -> Any:
        return [list(column) for column in zip(*x)]

    @classmethod
    def product(cls, x: Any, y: Any) -> Any:
        columns = list(zip(*y))
        return [[sum(map(mul, row, column)) for column in columns] for row in x]

    @staticmethod
    def mixed(alpha: float, x: Any, beta: float, y: Any) -> Any:
        return [[alpha * a + beta * b for a, b in zip(p, q)] for p, q in zip(x, y)]

    @staticmethod
    def inner(x: Any, y: Any) -> float:
        return math.fsum(sum(map(mul, p, q)) for p, q in zip(x, y))

    @staticmethod
    def permuted(x: Any, rows: Sequence[int]) -> Any:
        return [x[i] for i in rows]

    @staticmethod
    def matching(x: Any, maximize: bool) -> list[int]:
        entries = array("d", [entry for row in x for entry in row])
        return linear_assignment(entries.buffer_info()[0], len(x), maximize)


class _Arrays:
    """Matrices as arrays of NumPy."""

    def __init__(self, numpy: Any) -> None:
        self.np = numpy

    def matrix(self, rows: Any) -> Any:
        return self.np.array(rows, dtype=float)

    def part(self, x: Any, rows: Sequence[int], columns: Sequence[int]) -> Any:
        return x[self.np.ix_(rows, columns)]

    def transposed(self, x: Any) -> Any:
        return x.T

    def product(self, x: Any, y: Any) -> Any:
        return x @ y

    def mixed(self, alpha: float, x: Any, beta: float, y: Any) -> Any:
        return alpha * x + beta * y

    def inner(self, x: Any, y: Any) -> float:
        return float((x * y).sum())

    def permuted(self, x: Any, rows: Sequence[int]) -> Any:
        return x[rows]

    def matching(self, x: Any, maximize: bool) -> list[int]:
        dense = self.np.ascontiguousarray(x)
        return linear_assignment(dense.ctypes.data, len(x), maximize)


def linear_assignment(address: int, n: int, maximize: bool) -> list[int]:
    """The column of each row in the assignment of least or greatest sum. `address`: an n x n matrix of doubles."""
    columns = (ctypes.c_int64 * n)()
    view = CMatrix(address, _FLOAT64, 0, n, n, 8 * n, 8)
    check(library().qapfw_linear_assignment(ctypes.byref(view), int(maximize), columns))
    return list(columns)


def faq(a: Any, b: Any, *, maximize: bool, seeds: Sequence[tuple[int, int]], start: Any, rng: random.Random,
        shuffles: bool, most_iterations: int, tolerance: float, end: float = math.inf) -> tuple[list[int], int]:
    """Returns a permutation and the number of iterations that FAQ made.

    seeds  pairs (row of a, row of b) that are matched
    start  "barycenter", "randomized", or a doubly stochastic matrix from rows of a to rows of b, without the rows in
           `seeds`
    end    time on the clock time.perf_counter() after which no further iteration begins; at least one is made
    """
    numpy = numpy_or_none()
    algebra: Any = _Lists() if numpy is None else _Arrays(numpy)
    n, rows_a, rows_b = len(a), [i for i, _ in seeds], [k for _, k in seeds]
    free_a = [i for i in range(n) if i not in set(rows_a)]
    free_b = [k for k in range(n) if k not in set(rows_b)]
    if shuffles:
        rng.shuffle(free_b)
    size = len(free_a)
    a, b = algebra.matrix(a), algebra.matrix(b)
    a22, b22 = algebra.part(a, free_a, free_a), algebra.part(b, free_b, free_b)
    b22_t, a22_t = algebra.transposed(b22), algebra.transposed(a22)
    constant = algebra.matrix([[0.0] * size for _ in range(size)])
    if seeds:
        constant = algebra.mixed(
            1, algebra.product(algebra.part(a, free_a, rows_a), algebra.transposed(algebra.part(b, free_b, rows_b))),
            1, algebra.product(algebra.transposed(algebra.part(a, rows_a, free_a)), algebra.part(b, rows_b, free_b)))
    p = algebra.matrix(_start(start, size, rng))
    sense = -1 if maximize else 1
    iterations = 0
    for iterations in range(1, most_iterations + 1):
        # The gradient is computed from scratch each time. Updates would add rounding errors, which would break ties in the
        # matching.
        forward = algebra.product(algebra.product(a22, p), b22_t)
        backward = algebra.product(algebra.product(a22_t, p), b22)
        columns = algebra.matching(algebra.mixed(1, algebra.mixed(1, constant, 1, forward), 1, backward), maximize)
        q = algebra.matrix([[float(k == column) for k in range(size)] for column in columns]) if numpy is None else \
            numpy.eye(size)[columns]
        forward_q = algebra.product(a22, algebra.permuted(b22_t, columns))
        backward_q = algebra.product(a22_t, algebra.permuted(b22, columns))
        step = algebra.mixed(1, p, -1, q)
        # The cost of q + x * step is the cost of q plus linear * x + square * x^2.
        square = algebra.inner(algebra.mixed(1, forward, -1, forward_q), step)
        linear = algebra.inner(algebra.mixed(1, constant, 1, algebra.mixed(1, forward_q, 1, backward_q)), step)
        x = _least(sense * square, sense * linear)
        p = algebra.mixed(x, p, 1 - x, q)
        moved = (1 - x) * math.sqrt(max(0.0, algebra.inner(step, step)))
        if moved / math.sqrt(size) < tolerance or time.perf_counter() >= end:
            break
    permutation = [0] * n
    for i, k in seeds:
        permutation[i] = k
    for i, k in zip(free_a, algebra.matching(p, True)):
        permutation[i] = free_b[k]
    return permutation, iterations


def _least(square: float, linear: float) -> float:
    """The x from 0 to 1 at which linear * x + square * x^2 is least."""
    if square > 0 and 0 <= -linear / (2 * square) <= 1:
        return -linear / (2 * square)
    return 0.0 if linear + square >= 0 else 1.0


def _start(start: Any, size: int, rng: random.Random) -> Any:
    if not isinstance(start, str):
        return start
    if start == "barycenter":
        return [[1 / size] * size for _ in range(size)]
    rows = [[rng.random() for _ in range(size)] for _ in range(size)]
    for _ in range(1000):  # Sinkhorn and Knopp's method
        rows = [[entry / sum(row) for entry in row] for row in rows]
        sums = [sum(column) for column in zip(*rows)]
        rows = [[entry / total for entry, total in zip(row, sums)] for row in rows]
        if all(abs(sum(row) - 1) < 1e-3 for row in rows):
            break
    return [[(entry + 1 / size) / 2 for entry in row] for row in rows]
