# SPDX-License-Identifier: Apache-2.0
"""Reads a data file: what one table of a paper says, and which runs repeat it. README.md describes the format."""

import csv
import math
from dataclasses import dataclass

MEASURES = ("seconds", "budget", "iterations", "cost")
FIGURES = ("mean", "std", "median", "mad", "hits", "gap", "best", "best_iteration")
COLUMNS = ("group", "variant", "instance", "config", "settings", "best_of", "note") + FIGURES
REQUIRED_COLUMNS = ("group", "instance", "config", "settings")
REQUIRED_KEYS = ("title", "measure", "paper_runs", "compare")
KEYS = REQUIRED_KEYS + ("searches", "quick", "quick_runs", "wanted")


class InputError(Exception):
    """Something the user gave is wrong; the message is for them."""


@dataclass(frozen=True)
class Row:
    group: str
    variant: str
    instance: str
    config: str
    settings: dict
    best_of: str  # rows with the same word share the paper's best solution of an instance
    note: str
    figures: dict  # the paper's; absent where it has none

    @property
    def name(self):
        return "/".join(part for part in (self.group, self.variant, self.instance) if part)


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    measure: str
    paper_runs: int
    compare: tuple  # the groups that run unless others are asked for
    searches: str  # the setting that --searches replaces; empty: none
    quick: dict  # settings of --quick
    quick_runs: int
    wanted: str
    rows: tuple


def parse_settings(text, where):
    settings = {}
    for item in text.split():
        key, equals, value = item.partition("=")
        if not (key and equals and value):
            raise InputError(f"{where}: a setting is KEY=VALUE, found '{item}'")
        settings[key] = value
    return settings


def count(text, key, where):
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"{where}: {key} is a positive integer, found '{text}'")
    return int(text)


def parse_row(cells, where):
    for column in REQUIRED_COLUMNS:
        if not cells[column]:
            raise InputError(f"{where}: the column '{column}' is empty")
    figures = {}
    for figure in FIGURES:
        text = cells.get(figure, "")
        if text:
            try:
                figures[figure] = float(text)
            except ValueError:
                figures[figure] = math.nan
            if not math.isfinite(figures[figure]):
                raise InputError(f"{where}: {figure} is a number or empty, found '{text}'")
    words = {key: cells.get(key, "") for key in ("group", "variant", "instance", "config", "best_of", "note")}
    return Row(settings=parse_settings(cells["settings"], where), figures=figures, **words)


def read_table(path):
    """Lines 'key: value', an empty line, then comma-separated values under their names; '#' begins a comment."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    keys, body = {}, None
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if keys:
                body = number  # lines before the columns' names
                break
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or key not in KEYS:
            raise InputError(f"{path}:{number}: one of {', '.join(KEYS)} and a colon is wanted, found '{line}'")
        keys[key] = value
    for key in REQUIRED_KEYS:
        if not keys.get(key):
            raise InputError(f"{path}: the key '{key}' is missing")
    if keys["measure"] not in MEASURES:
        raise InputError(f"{path}: measure is one of {', '.join(MEASURES)}, found '{keys['measure']}'")
    rows = read_rows(path, lines, body)
    groups = {row.group for row in rows}
    compare = tuple(keys["compare"].split())
    for group in compare:
        if group not in groups:
            raise InputError(f"{path}: compare names '{group}', but the groups are {', '.join(sorted(groups))}")
    paper_runs = count(keys["paper_runs"], "paper_runs", path)
    return Table(
        name=path.stem, title=keys["title"], measure=keys["measure"], paper_runs=paper_runs, compare=compare,
        searches=keys.get("searches", ""), quick=parse_settings(keys.get("quick", ""), path),
        quick_runs=count(keys.get("quick_runs", "3"), "quick_runs", path), wanted=keys.get("wanted", ""), rows=rows)


def read_rows(path, lines, body):
    numbered = [(number, line) for number, line in enumerate(lines, 1)
                if body and number > body and line.strip() and not line.startswith("#")]
    if len(numbered) < 2:
        raise InputError(f"{path}: no rows: an empty line, the columns' names and a line a row are wanted")
    columns = next(csv.reader([numbered[0][1]]))
    unknown = [column for column in columns if column not in COLUMNS]
    missing = [column for column in REQUIRED_COLUMNS if column not in columns]
    if unknown or missing:
        raise InputError(f"{path}:{numbered[0][0]}: " + (f"unknown column '{unknown[0]}'" if unknown
                                                        else f"the column '{missing[0]}' is missing"))
    rows, names = [], set()
    for number, line in numbered[1:]:
        cells = next(csv.reader([line]))
        if len(cells) != len(columns):
            raise InputError(f"{path}:{number}: {len(columns)} values are wanted, found {len(cells)}")
        row = parse_row(dict(zip(columns, cells)), f"{path}:{number}")
        if row.name in names:
            raise InputError(f"{path}:{number}: a second row '{row.name}'")
        names.add(row.name)
        rows.append(row)
    return tuple(rows)
