# SPDX-License-Identifier: Apache-2.0
"""Comparisons as a Markdown table for people and as comma-separated values for programs."""

import csv
import io
import math

from estimates import deviation, geometric_mean, median_deviation

HEADS = {
    "seconds": ("row", "hits there", "s there", "hits here", "s here", "times faster", "95 %", "mean gap here"),
    "budget": ("row", "s there", "s here", "times faster", "95 %", "gap there", "gap here", "gap is", "hits here"),
    "iterations": ("row", "hits there", "median there", "hits here", "median here", "is", "there / here", "95 %"),
    "cost": ("row", "mean gap there", "here", "is", "median gap there", "here", "is", "cost there / here", "95 %",
             "hits here"),
}


def significant(value, digits=3):
    """Like %g, without exponents for what people read."""
    if value is None:
        return "-"
    if math.isinf(value):
        return "none"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(places, 6)}f}"


def percent(value):
    return "-" if value is None else f"{value:.3f} %"


def ratio_cells(ratio, digits=3):
    if ratio is None:
        return ["-", "-"]
    if math.isinf(ratio.ours):
        return ["-", "-"]
    return [significant(ratio.value, digits), f"{significant(ratio.low, digits)} to {significant(ratio.high, digits)}"]


def spread(middle, deviation_of_it):
    return "-" if middle is None else f"{significant(middle)} ± {significant(deviation_of_it)}"


def hits_there(row):
    return f"{row.figures['hits']:.0f}" if "hits" in row.figures else "-"


def cells(measure, one):
    row, figures = one.row, one.row.figures
    hits = f"{one.hits} of {len(one.runs)}"
    if measure == "seconds":
        ratio = one.ratios["mean"]
        return [row.name, hits_there(row), significant(ratio.paper), hits, significant(ratio.ours), *ratio_cells(ratio),
                percent(one.mean_gap())]
    if measure == "budget":
        ratio = one.ratios["mean"]
        return [row.name, significant(ratio.paper), significant(ratio.ours) + (" *" if one.scaled else ""),
                *ratio_cells(ratio), f"{figures['gap']} %" if "gap" in figures else "-",
                percent(one.mean_gap()) + (" *" if one.scaled else ""), one.verdicts.get("gap", "-"), hits]
    if measure == "iterations":
        ratio = one.ratios["median"]
        return [row.name, hits_there(row), spread(ratio.paper, figures.get("mad")), hits,
                "none" if math.isinf(ratio.ours) else spread(ratio.ours, median_deviation(one.values)),
                one.verdicts["median"], *ratio_cells(ratio)]
    line = [row.name]
    for figure in ("mean", "median"):
        ratio = one.ratios.get(figure)
        line += [percent(one.gap_of(ratio.paper)), percent(one.gap_of(ratio.ours)), one.verdicts[figure]] \
            if ratio else ["-", "-", "-"]
    return [*line, *ratio_cells(one.ratios.get("mean"), 5), hits]


def markdown_table(head, lines):
    widths = [max(len(line[column]) for line in [head, *lines]) for column in range(len(head))]
    text = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in [head, *lines]]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([text[0], rule, *text[1:]])


def summary(measure, comparisons):
    """The geometric mean of the ratios of each group, with what it leaves out."""
    figure = "median" if measure == "iterations" else "mean"
    digits = 5 if measure == "cost" else 3
    for group in dict.fromkeys(one.row.group for one in comparisons):
        rows = [one.ratios[figure] for one in comparisons if one.row.group == group and figure in one.ratios]
        finite = [ratio for ratio in rows if 0 < ratio.value < math.inf]
        if not finite:
            yield f"{group}: no row has a ratio."
            continue
        value, low, high = (significant(number, digits) for number in geometric_mean(finite))
        left_out = f" ({len(rows) - len(finite)} without a figure left out)" if len(finite) < len(rows) else ""
        yield f"{group}: geometric mean of the ratios of {len(finite)} rows{left_out} {value} ({low} to {high})."


def best_table(comparisons):
    """The best solution of each instance over all rows that the paper takes together."""
    together = {}
    for one in comparisons:
        if one.row.best_of and "best" in one.row.figures:
            together.setdefault((one.row.best_of, one.row.instance), []).append(one)
    lines = []
    for (group, instance), rows in together.items():
        best = min((one.best for one in rows), key=lambda run: (run.cost, run.best_iteration))
        figures = rows[0].row.figures
        lines.append([group, instance, f"{figures['best']:.0f} ({figures['best_iteration']:.0f})",
                      f"{best.cost:.0f} ({best.best_iteration})", str(sum(len(one.runs) for one in rows))])
    head = ("of", "instance", "best there (iteration)", "best here (iteration)", "runs here")
    return markdown_table(head, lines) if lines else ""


def markdown(table, comparisons, remarks):
    parts = [f"## {table.title}", "", *[f"* {remark}" for remark in remarks], ""]
    parts += [markdown_table(HEADS[table.measure], [cells(table.measure, one) for one in comparisons]), ""]
    parts += [f"* {line}" for line in summary(table.measure, comparisons)]
    if any(one.scaled for one in comparisons):
        parts.append("* \\* The time limit ended runs: their time is scaled to the paper's iterations, which is too "
                     "much where its runs end at the optimum; their gap is where they stopped.")
    parts += [f"* {one.row.name}: {one.row.note}." for one in comparisons if one.row.note]
    best = best_table(comparisons)
    return "\n".join(parts + (["", best] if best else [])) + "\n"


def record(one):
    """All figures of a comparison, by the column's name."""
    costs = [run.cost for run in one.runs]
    line = {"row": one.row.name, "runs": len(one.runs), "hits": one.hits,
            "place": "; ".join(sorted({run.place for run in one.runs})), "mean_gap_percent": one.mean_gap(),
            "cost_std": deviation(costs), "cost_mad": median_deviation(costs), "best": one.best.cost,
            "best_iteration": one.best.best_iteration, "scaled": int(one.scaled)}
    line.update({f"paper_{figure}": value for figure, value in one.row.figures.items()})
    for figure, ratio in one.ratios.items():
        line.update({f"our_{figure}": ratio.ours, f"{figure}_ratio": ratio.value, f"{figure}_ratio_low": ratio.low,
                     f"{figure}_ratio_high": ratio.high})
    line.update({f"{figure}_is": word for figure, word in one.verdicts.items()})
    return line


def comma_separated(comparisons):
    lines = [record(one) for one in comparisons]
    columns = list(dict.fromkeys(column for line in lines for column in line))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()
