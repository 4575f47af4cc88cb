# SPDX-License-Identifier: Apache-2.0
"""What the runs of a row say beside the paper's figures."""

import math
from dataclasses import dataclass

from estimates import Ratio, mean, median, time_to_target, verdict

# How each measure sums up the runs, by the paper's figure that it is compared with.
STATISTICS = {
    "seconds": {"mean": time_to_target},
    "budget": {"mean": mean},
    "iterations": {"median": median},
    "cost": {"mean": mean, "median": median},
}


def whole_budget(run, iterations):
    """Seconds for all iterations; where time ended the run, in proportion to the iterations that it made."""
    if run.stop_reason != "time_limit":
        return run.seconds
    return run.seconds * iterations / run.iterations if run.iterations else math.inf


def values(measure, runs, settings):
    """What is measured, one value a run."""
    if measure == "seconds":
        return [(run.seconds, run.hit) for run in runs]
    if measure == "budget":
        return [whole_budget(run, int(settings["run.iterations"])) for run in runs]
    if measure == "iterations":
        return [run.iterations if run.hit else math.inf for run in runs]
    return [run.cost for run in runs]


@dataclass(frozen=True)
class Comparison:
    row: object
    runs: list
    values: list
    ratios: dict  # by figure
    verdicts: dict  # by figure, "gap" for the mean error
    scaled: bool  # a time is in part an extrapolation

    @property
    def hits(self):
        return sum(run.hit for run in self.runs)

    @property
    def best(self):
        return min(self.runs, key=lambda run: (run.cost, run.best_iteration))

    def mean_gap(self):
        """In percent; None where an instance has no best known cost."""
        gaps = [run.gap for run in self.runs]
        return None if None in gaps else 100 * mean(gaps)

    def gap_of(self, cost):
        known = self.runs[0].best_known
        return 100 * (cost - known) / abs(known) if known else None


def compare(table, row, runs, settings):
    sample = values(table.measure, runs, settings)
    ratios, verdicts = {}, {}
    for figure, statistic in STATISTICS[table.measure].items():
        if figure not in row.figures:
            continue
        name = f"{table.name} {row.name} {figure}"
        ratios[figure] = Ratio(row.figures[figure], sample, statistic, name)
        if table.measure in ("iterations", "cost"):
            verdicts[figure] = verdict(row.figures[figure], table.paper_runs, sample, statistic, name)
    scaled = table.measure == "budget" and any(run.stop_reason == "time_limit" for run in runs)
    gaps = [run.gap for run in runs]
    if table.measure == "budget" and "gap" in row.figures and not scaled and None not in gaps:
        rounded = [round(100 * gap, 2) for gap in gaps]  # as the paper gives them
        verdicts["gap"] = verdict(row.figures["gap"], table.paper_runs, rounded, mean, f"{table.name} {row.name} gap")
    return Comparison(row, runs, sample, ratios, verdicts, scaled)
