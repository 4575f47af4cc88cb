# SPDX-License-Identifier: Apache-2.0
"""Reading what `qapfw study report` wrote: a row for each run of a study."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._display import table_frame
from ._errors import InputError
from ._record import _read

if TYPE_CHECKING:
    import pandas

    from ._settings import PathLike

__all__ = ["Study", "read_study"]

#: Columns that stay texts even if they look like numbers.
_TEXTS = ("run", "instance", "class", "algorithm", "variant", "digest")

#: The start of a cell that `qapfw study report` has marked by an apostrophe, so that spreadsheets do not read the cell
#: as a formula.
_MARKED = re.compile("'+[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


@dataclass(frozen=True)
class Study:
    """The runs of a study. ``columns``: names of the columns of the study's file runs.csv."""

    folder: Path
    columns: tuple[str, ...]
    _rows: tuple[dict[str, Any], ...]

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary for each run. Empty cells are None. Numbers are ints or floats, but names such as `instance`
        stay texts."""
        return [dict(row) for row in self._rows]

    def frame(self) -> pandas.DataFrame:
        """Returns the dictionaries of `rows` as a pandas data frame. Needs pandas."""
        return table_frame(self.rows(), list(self.columns))


def read_study(folder: PathLike) -> Study:
    """The study in `folder`, from the runs.csv that `qapfw study report` has written there. Raises InputError if that
    file is missing or damaged."""
    place = Path(folder)
    path = place / "runs.csv"
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; `qapfw study report {place}` writes it")
    lines = csv.reader(io.StringIO(_read(path)))
    columns = tuple(next(lines, ()))
    if "instance" not in columns or "algorithm" not in columns:
        found = ", ".join(columns) or "nothing"
        raise InputError(f"{path}:1: wanted the columns of a study, instance and algorithm among them, found {found}")
    table = []
    for number, cells in enumerate(lines, start=2):
        if len(cells) != len(columns):
            raise InputError(f"{path}:{number}: wanted {len(columns)} cells, found {len(cells)}")
        texts = [_unmarked(cell) for cell in cells]
        table.append({name: text if name in _TEXTS and text else _value(text) for name, text in zip(columns, texts)})
    return Study(place, columns, tuple(table))


def _unmarked(cell: str) -> str:
    """Returns the cell's text without the leading apostrophe, which tells spreadsheets that the text is no formula."""
    return cell[1:] if _MARKED.match(cell) else cell


def _value(cell: str) -> Any:
    if not cell:
        return None
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return cell
