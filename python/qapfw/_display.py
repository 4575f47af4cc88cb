# SPDX-License-Identifier: Apache-2.0
"""Tables of pandas, plots of matplotlib and HTML for notebooks. pandas and matplotlib are imported only when they are
used."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

    from ._result import Improvement, Result

__all__ = ["html_table", "plot_costs", "table_frame"]

_MOST_ROWS = 50  # a notebook shows at most this many rows of an assignment


def table_frame(rows: list[dict[str, Any]], columns: list[str]) -> pandas.DataFrame:
    """A data frame of these rows."""
    try:
        import pandas
    except ImportError:
        raise ImportError("data frames need pandas (Debian: python3-pandas); rows() gives a list of dictionaries instead") from None
    return pandas.DataFrame(rows, columns=columns)


def plot_costs(trace: Sequence[Improvement], bound: float | None, axes: Any) -> Any:
    """Draws the best cost against time, as steps; returns the axes, which are new if `axes` is None."""
    if axes is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError("plots need matplotlib (Debian: python3-matplotlib)") from None
        _, axes = pyplot.subplots()
    axes.step([point.seconds for point in trace], [point.cost for point in trace], where="post", marker=".",
              label="best cost")
    if bound is not None:
        axes.axhline(bound, linestyle="--", color="gray", label="bound")
        axes.legend()
    axes.set_xlabel("seconds of search")
    axes.set_ylabel("cost")
    return axes


def html_table(result: Result) -> str:
    """HTML with cost, bound, reason and seconds, then the drawing of a layout, or the assignment as a table."""
    facts = [("cost", _number(result.cost)), ("ended by", result.reason), ("seconds", f"{result.seconds:.2f}")]
    if result.optimal:
        facts.insert(1, ("proven", "no solution is better"))
    elif result.bound is not None:
        facts.insert(1, ("bound", _number(result.bound)))
    if result.drawing is not None:
        head = " &nbsp; ".join(f"{name} <b>{html.escape(value)}</b>" for name, value in facts)
        return f"<div><p>{head}</p>{result.drawing}</div>"
    pairs = list(result.assignment.items())
    rows = [f"<tr><td>{html.escape(str(a))}</td><td>{html.escape(str(b))}</td></tr>" for a, b in pairs[:_MOST_ROWS]]
    if len(pairs) > _MOST_ROWS:
        rows.append(f"<tr><td colspan=\"2\">and {len(pairs) - _MOST_ROWS} more</td></tr>")
    head = " &nbsp; ".join(f"{name} <b>{html.escape(value)}</b>" for name, value in facts)
    table = f"<table><tr><th>facility</th><th>location</th></tr>{''.join(rows)}</table>"
    return f"<div><p>{head}</p>{table}</div>"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
