# SPDX-License-Identifier: Apache-2.0
"""The cost of a given assignment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ._matrices import Matrix, MatrixLike, aligned, as_list, frame_names, index_of

__all__ = ["qap_cost"]


def qap_cost(flow: MatrixLike, distance: MatrixLike, permutation: Sequence[int], linear: MatrixLike | None = None
             ) -> int | float:
    """The sum over i, j of ``flow[i][j] * distance[p[i]][p[j]]``, plus the sum over i of ``linear[i][p[i]]``.

    permutation  the location of each facility, counted from 0

    The rows and columns of data frames are brought into one order by their labels, as `qapfw.solve` does.

    The cost is exact if all entries are integers. Otherwise each product is rounded, and their sum is rounded once.
    """
    if isinstance(permutation, Mapping):
        raise TypeError("permutation is a mapping; the location of each facility was wanted, such as result.permutation")
    facilities, locations = frame_names(flow, "flow"), frame_names(distance, "distance")
    a = _numbers(aligned(flow, (facilities, facilities), "flow"), "flow")
    b = _numbers(aligned(distance, (locations, locations), "distance"), "distance")
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
        costs = _numbers(aligned(linear, (facilities, locations), "linear"), "linear", (len(a), len(b)))
        terms += [row[k] for row, k in zip(costs, p)]
    return sum(terms) if all(isinstance(term, int) for term in terms) else math.fsum(terms)


def _numbers(source: MatrixLike, name: str, shape: tuple[int, int] | None = None) -> list[list[Any]]:
    """Returns the entries as Python numbers, one list for each row. Without a shape the matrix must be square."""
    matrix = Matrix(source, name)
    try:
        if shape is not None:
            matrix.require_shape(*shape)
        elif matrix.rows != matrix.columns:
            matrix.require_square()
        return matrix.lists()
    finally:
        matrix.release()
