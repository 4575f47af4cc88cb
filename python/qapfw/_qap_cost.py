# SPDX-License-Identifier: Apache-2.0
"""The cost of a given assignment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ._matrices import Matrix, MatrixLike, as_list, index_of

__all__ = ["qap_cost"]


def qap_cost(flow: MatrixLike, distance: MatrixLike, permutation: Sequence[int], linear: MatrixLike | None = None
             ) -> int | float:
    """The sum over i, j of ``flow[i][j] * distance[p[i]][p[j]]``, plus the sum over i of ``linear[i][p[i]]``.

    permutation  the location of each facility, counted from 0

    The cost is exact if all entries are integers. Otherwise each product is rounded, and their sum is rounded once.
    """
    a, b = _numbers(flow, "flow"), _numbers(distance, "distance")
    p = as_list(permutation)
    if len(p) != len(a):
        raise ValueError(f"permutation has {len(p)} entries; {len(a)} were wanted, one for each facility")
    p = [index_of(k, len(b), f"permutation[{i}]", "a location") for i, k in enumerate(p)]
    if len(set(p)) != len(p):
        raise ValueError("permutation has a location twice; every facility needs one of its own")
    terms: list[Any] = []
    for row, k in zip(a, p):
        distances = b[k]
        terms += [x * distances[q] for x, q in zip(row, p) if x]
    if linear is not None:
        terms += [row[k] for row, k in zip(_numbers(linear, "linear"), p)]
    return sum(terms) if all(isinstance(term, int) for term in terms) else math.fsum(terms)


def _numbers(source: MatrixLike, name: str) -> list[list[Any]]:
    """Returns the entries as Python numbers, one list for each row."""
    matrix = Matrix(source, name)
    try:
        return matrix.lists()
    finally:
        matrix.release()
