# SPDX-License-Identifier: Apache-2.0
"""Writes matrices to files beside a run record, so that a run on matrices in memory can be resumed and verified."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from ._matrices import Matrix, MatrixLike

__all__ = ["write_instance", "write_pairs"]


def write_instance(folder: Path, matrices: dict[str, MatrixLike], facilities: list[str] | None,
                   locations: list[str] | None) -> dict[str, Any]:
    """Writes a file for each matrix; returns parameters of [problem], whose values are the paths of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    heads = {"flow": (facilities, facilities), "distance": (locations, locations), "linear": (facilities, locations),
             "forbidden": (None, None)}
    keys = {"flow": "instance", "distance": "matrix_b"}
    parameters: dict[str, Any] = {}
    for name, source in matrices.items():
        matrix = source if isinstance(source, Matrix) else Matrix(source, name)
        try:
            _write_table(folder / f"{name}.csv", matrix.lists(), *heads[name])
        finally:
            matrix.release()
        parameters[keys.get(name, name)] = folder / f"{name}.csv"
    return parameters


def write_pairs(folder: Path, pairs: list[tuple[int, int]], facilities: list[str] | None,
                locations: list[str] | None) -> Path:
    """Writes pairs (facility, location) by their names, or by numbers from 1 if there are no names; returns the file."""
    path = folder / "fixed.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerows((facilities[i] if facilities else i + 1, locations[k] if locations else k + 1) for i, k in pairs)
    return path


def _write_table(path: Path, rows: list[list[Any]], row_names: list[str] | None, column_names: list[str] | None) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if row_names is not None and column_names is not None:
            writer.writerow(["", *column_names])
            writer.writerows([label, *row] for label, row in zip(row_names, rows))
        else:
            writer.writerows(rows)
