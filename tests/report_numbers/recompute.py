#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""recompute.py STUDY_FOLDER...: computes the numbers of each study's tables again, from its records alone, with NumPy
and SciPy, and compares them with the table. Prints how many numbers agree. The exit code is 1 if a number does not
agree, or if this script cannot recompute a table.

Intervals by bootstrap are random: of these, the script checks only that they contain the mean and lie within the runs'
costs.
"""
import csv
import fnmatch
import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy import integrate, optimize, stats

from sample_figures import a12, deviation, ert, mad, median, rank_sum, wilcoxon

INFINITY = float("inf")


class Run:
    def __init__(self, cell, seed, result):
        self.instance, self.seed, self.result = cell["instance"], seed, result
        factors = "".join(f" {f['label']}={f['value']}" for f in cell["factors"])
        self.factors = {f["label"]: f["value"] for f in cell["factors"]}
        self.algorithm, self.variant = cell["algorithm"], cell["algorithm"] + factors
        self.cost, self.seconds, self.iterations = result["best_cost"], result["seconds"], result["iterations"]
        self.known, self.hit = result["best_known"], bool(result["target_reached"])
        self.budget = cell["iterations"]
        self.cut = self.budget > 0 and result["stop_reason"] == "time_limit"


class Study:
    def __init__(self, folder):
        self.folder = Path(folder)
        plan = json.loads((self.folder / "plan.json").read_text())
        self.study, self.plan = plan["study"], plan
        self.runs = []
        for cell in plan["cells"]:
            for k in range(self.study["seeds"]):
                seed = cell["first_seed"] + k
                path = self.folder / "runs" / cell["id"] / f"s{seed}" / "result.json"
                if path.exists():
                    result = json.loads(path.read_text())
                    if result["finished"]:
                        self.runs.append(Run(cell, seed, result))
        self.measure = self.study["measure"]

    def of(self, instance, variant):
        return [r for r in self.runs if r.instance == instance and r.variant == variant]

    def value(self, run):
        """The value by which the study compares this run with others. If this is the time or the iterations to a target,
        a run that misses the target has infinity."""
        if self.measure == "cost":
            return run.cost
        if self.measure == "budget":  # if the time limit cut the run: an estimate of the time for all iterations
            made = run.result["iterations"]
            return run.seconds if not run.cut else run.seconds * run.budget / made if made else INFINITY
        return getattr(run, self.measure) if run.hit else INFINITY

    def summary(self, runs):
        if not runs:
            return None
        if self.measure == "seconds":
            return ert(runs)
        values = [self.value(r) for r in runs]
        return median(values) if self.measure == "iterations" else float(np.mean(values))


class Check:
    def __init__(self, study):
        self.study, self.agree, self.wrong, self.table = study, 0, [], ""

    def same(self, what, printed, computed, tolerance=1e-9):
        """Compares a printed number with the computed one; None stands for an empty cell."""
        if printed in ("", None):
            good = computed is None
        else:
            value = INFINITY if printed == "Inf" else float(printed)
            good = computed is not None and (
                value == computed or abs(value - computed) <= tolerance * max(1.0, abs(value), abs(computed)))
        if good:
            self.agree += 1
        else:
            self.wrong.append(f"{self.table}: {what}: printed {printed or 'nothing'}, computed {computed}")

    def that(self, what, good):
        if good:
            self.agree += 1
        else:
            self.wrong.append(f"{self.table}: {what}")

    # One function for each kind of table; PREFIXES tells which function checks a file, by the file's name.

    def results(self, rows):
        for row in rows:
            runs = self.study.of(row["instance"], row["algorithm"])
            name = f"{row['instance']} {row['algorithm']}"
            costs, seconds = [r.cost for r in runs], [r.seconds for r in runs]
            hits = [r.seconds for r in runs if r.hit]
            known = runs[0].known
            want = {
                "runs": len(runs), "hits": len(hits), "min": min(costs), "median": median(costs),
                "mean": float(np.mean(costs)), "max": max(costs), "std": deviation(costs), "MAD": mad(costs),
                "gap %": 100 * (float(np.mean(costs)) - known) / known if known else None,
                "time min s": min(seconds), "time median s": median(seconds), "time mean s": float(np.mean(seconds)),
                "time max s": max(seconds), "time std s": deviation(seconds), "ERT s": ert(runs),
                "hits' mean s": float(np.mean(hits)) if hits else None, "hits' std s": deviation(hits) if hits else None,
                "hits' min s": min(hits, default=None), "hits' max s": max(hits, default=None),
                "iterations median": median([r.iterations for r in runs]),
            }
            for key, value in want.items():
                self.same(f"{name}: {key}", row[key], value)
            low, high = stats.binomtest(len(hits), len(runs)).proportion_ci(0.95, method="exact")
            self.same(f"{name}: success from", row["success from"], low, 1e-6)
            self.same(f"{name}: success to", row["success to"], high, 1e-6)
            mean = float(np.mean(costs))
            slack = 1e-12 * abs(mean)
            inside = min(costs) - slack <= float(row["mean from"]) <= mean + slack
            self.that(f"{name}: mean from", inside)
            self.that(f"{name}: mean to", mean - slack <= float(row["mean to"]) <= max(costs) + slack)

    def tested(self, row, first_key, second_key):
        """Checks the columns of a test of two variants. Returns its p value and its name."""
        first, second = (self.study.of(row["instance"], row[k]) for k in (first_key, second_key))
        name = f"{row['instance']}: {row[first_key]} | {row[second_key]}"
        own_seeds = self.study.study["own_seeds"]
        self.that(f"{name}: test {row['test']}", row["test"] == ("rank sum" if own_seeds else "signed rank"))
        if own_seeds:
            a, b = ([self.study.value(r) for r in runs] for runs in (first, second))
            differ, p = None, rank_sum(a, b)
        else:
            of_first, of_second = ({r.seed: self.study.value(r) for r in runs} for runs in (first, second))
            seeds = sorted(set(of_first) & set(of_second))
            a, b = [of_first[s] for s in seeds], [of_second[s] for s in seeds]
            differ, p = wilcoxon(a, b)
        self.same(f"{name}: runs of {first_key}", row[f"runs of {first_key}"], len(a))
        self.same(f"{name}: runs of {second_key}", row[f"runs of {second_key}"], len(b))
        self.same(f"{name}: pairs", row["pairs"], None if own_seeds else len(a))
        self.same(f"{name}: that differ", row["that differ"], differ)
        self.same(f"{name}: p", row["p"], p)
        self.same(f"{name}: A12", row["A12"], a12(a, b))
        return p, name

    def comparisons(self, rows):
        families = {}
        for row in rows:
            p, name = self.tested(row, "first", "second")
            families.setdefault(row["instance"], []).append((p, row, name))
        for family in families.values():  # Holm
            least = 0.0
            for k, (p, row, name) in enumerate(sorted(family, key=lambda f: f[0])):
                least = max(least, min(1.0, p * (len(family) - k)))
                self.same(f"{name}: adjusted p", row["adjusted p"], least)
                if least > self.study.study["alpha"]:
                    self.that(f"{name}: {row['first is']}", row["first is"] in ("undecided", "too few runs"))

    def significance(self, rows):
        for row in rows:
            self.tested(row, "better", "worse")

    def ranking(self, rows):
        variants = [row["algorithm"] for row in rows]
        instances = list(dict.fromkeys(r.instance for r in self.study.runs))
        summaries = {i: [self.study.summary(self.study.of(i, v)) for v in variants] for i in instances}
        blocks = [s for s in summaries.values() if None not in s]
        ranks = np.mean([stats.rankdata(b) for b in blocks], axis=0) if blocks and len(variants) > 1 else None
        for k, row in enumerate(rows):
            runs = [r for r in self.study.runs if r.variant == row["algorithm"]]
            best = sum(1 for s in summaries.values() if s[k] is not None and math.isfinite(s[k])
                       and s[k] == min(v for v in s if v is not None))
            self.same(f"{row['algorithm']}: mean rank", row["mean rank"], None if ranks is None else ranks[k])
            self.same(f"{row['algorithm']}: best on", row["best on"], best)
            self.same(f"{row['algorithm']}: hits", row["hits"], sum(r.hit for r in runs))
            self.same(f"{row['algorithm']}: runs", row["runs"], len(runs))
            self.same(f"{row['algorithm']}: seconds", row["seconds"], sum(r.seconds for r in runs))

    def instances(self, rows):
        for row in rows:
            runs = [r for r in self.study.runs if r.instance == row["instance"]]
            best = min(self.study.summary(self.study.of(row["instance"], v)) for v in {r.variant for r in runs})
            column = next(k for k in row if k not in ("instance", "class", "best algorithm", "best cost", "best known"))
            self.same(f"{row['instance']}: {column}", row[column], best)
            self.same(f"{row['instance']}: best cost", row["best cost"], min(r.cost for r in runs))
            self.same(f"{row['instance']}: best known", row["best known"], runs[0].known)

    def section(self, kind):
        """Returns the study's section that made this table. The table's file name contains the section's title."""
        def as_file(title):
            return "".join(c if c.isalnum() or c in ".,-_" else "_" for c in title)
        found = [s for s in self.study.study["sections"] if s["kind"] == kind and as_file(s["title"])[:60] in self.table]
        self.that("its section is in the study", len(found) == 1)
        return dict(found[0]["fields"])

    def quality_time(self, rows):
        base = self.section("quality_time")["cpu"]
        of_first = next(c for c in rows[0] if c.startswith("Q ") and c != "Q second")
        measures = {}
        for row in rows:
            name = f"{row['instance']} {row['second']}"
            if not row[of_first]:  # the row has means over the instances
                mean = stats.gmean if row["instance"] == "geometric mean" else np.mean
                for key in ("NQ", "NT", "1 / NT", "QTR", "PQI %"):
                    if row[key]:
                        self.same(f"{name}: {key}", row[key], float(mean([m[key] for m in measures[row["second"]]])))
                continue
            second = self.study.of(row["instance"], row["second"])
            factors = row["second"].partition(" ")[2] if base not in {r.variant for r in self.study.runs} else ""
            first = [r for r in self.study.runs if r.instance == row["instance"] and r.algorithm == base and
                     (not factors or r.variant.split(" ")[-1] == row["second"].split(" ")[-1])]
            q1, q2 = min(r.cost for r in first), min(r.cost for r in second)
            t1, t2 = (float(np.mean([r.seconds for r in runs])) for runs in (first, second))
            want = {of_first: q1, "Q second": q2, "T" + of_first[1:] + " s": t1, "T second s": t2, "NQ": q1 / q2,
                    "NT": t2 / t1, "1 / NT": t1 / t2, "QTR": math.log2((q1 / q2) / (t2 / t1)),
                    "PQI %": 100 * (q1 - q2) / q1}
            for key, value in want.items():
                self.same(f"{name}: {key}", row[key], value)
            measures.setdefault(row["second"], []).append(want)

    def statistics(self, rows):
        for row in rows:
            runs = self.study.of(row["instance"], row["algorithm"])
            for key in row:
                if key in ("instance", "algorithm") or key.startswith("their "):
                    continue
                values = [r.result["statistics"][key] for r in runs]
                self.same(f"{row['instance']} {row['algorithm']}: {key}", row[key], float(np.mean(values)))

    def tournament(self, rows):
        for row in rows:
            m, t = int(row["rounds M"]), int(row["threads T"])
            self.same("distinct", row["distinct"], m * (m - 1) // 2 + (t - 1) * (m - 1))
            self.same("repeated", row["repeated"], (m - 2) * (m - 1) * (t - 1) // 2)
            self.same("total", row["total"], t * m * (m - 1) // 2)
            self.same("repeated draws", row["repeated draws"], (t - 1) * (m - 1))

    def swap_moves(self, rows):
        for row in rows:
            n = int(row["n"])
            moves = n * (n - 1) // 2
            self.same("moves", row["moves n(n-1)/2"], moves)
            self.same("in O(1)", row["in O(1): (n-2)(n-3)/2"], (n - 2) * (n - 3) // 2)
            self.same("in O(n)", row["in O(n): 2n-3"], 2 * n - 3)
            self.same("share", row["share in O(n)"], (2 * n - 3) / moves)

    def references(self, rows):
        for row in rows:
            runs = self.study.of(row["instance"], row["algorithm"])
            name = f"{row['algorithm']} {row['instance']} {row['figure']}"
            hits = [r for r in runs if r.hit]
            of_all = [r.iterations if r.hit else INFINITY for r in runs]
            costs = [r.cost for r in runs]
            figures = {
                "cost_mean": (float(np.mean(costs)), deviation(costs), mad(costs)),
                "cost_median": (median(costs), deviation(costs), mad(costs)),
                "cost_min": (min(costs), None, None),
                "seconds_mean": (ert(runs), deviation([r.seconds for r in hits]) if hits else None, None),
                "iterations_median": (median(of_all), None, mad(of_all)),
            }
            if self.study.measure == "budget":
                whole = [self.study.value(r) for r in runs]
                figures["seconds_mean"] = (float(np.mean(whole)), deviation(whole), mad(whole))
            self.same(f"{name}: our hits", row["our hits"], len(hits))
            self.same(f"{name}: our runs", row["our runs"], len(runs))
            if row["figure"] not in figures:
                continue
            ours, spread, middle = figures[row["figure"]]
            self.same(f"{name}: ours", row["ours"], ours)
            if spread is not None and row["our std"]:
                self.same(f"{name}: our std", row["our std"], spread)
            if middle is not None and row["our MAD"] and row["figure"] != "seconds_mean":
                self.same(f"{name}: our MAD", row["our MAD"], middle)
            if row["ratio"]:
                self.same(f"{name}: ratio", row["ratio"], float(row["theirs"]) / ours)

    def reference_means(self, rows):
        with open(self.study.folder / "tables" / "references.csv", newline="") as file:
            single = list(csv.DictReader(file))
        for row in rows:
            source, algorithm = row["source and algorithm"].split(" | ")
            mine = [r for r in single if r["source"] == source and r["algorithm"] == algorithm]
            ratios = [float(r["ratio"]) for r in mine if r["ratio"]]
            self.that(f"{row['source and algorithm']}: rows", int(row["rows"]) <= len(ratios))
            if row["ratio"] and int(row["rows"]) == len(ratios):
                self.same(f"{row['source and algorithm']}: ratio", row["ratio"], float(stats.gmean(ratios)))

    def layout(self, rows):
        """Checks cells such as "12.5 ± 1.5" or "6128 (17)". With the figure seconds_hits, a cell is one number."""
        fields = self.section("layout")
        figure, columns = fields["figure"], fields["columns"]
        for row in rows:
            for column, cell in row.items():
                label = column.split(":")[0].split(" [")[0]
                if column == "instance" or column.endswith("theirs") or not cell or label not in columns:
                    continue
                wanted = columns[label] if isinstance(columns[label], list) else [columns[label]]
                runs = [r for r in self.study.runs if r.instance == row["instance"]
                        and any(fnmatch.fnmatchcase(r.variant, w) for w in wanted)]
                self.layout_cell(f"{row['instance']} {column}", figure, column, cell, runs)

    def layout_cell(self, name, figure, column, cell, runs):
        hits = [r for r in runs if r.hit]
        if figure == "seconds_hits":
            seconds = [r.seconds for r in hits]
            what = column.split(": ")[1].split(" [")[0]
            self.same(name, cell, {"hits": lambda: len(hits), "mean": lambda: float(np.mean(seconds)),
                                   "std": lambda: deviation(seconds), "min": lambda: min(seconds),
                                   "max": lambda: max(seconds),
                                   "ERT": lambda: ert(runs)}[what]())
            return
        if "(" in cell and "±" not in cell:  # best cost (fewest iterations that reached it)
            best = min(r.cost for r in runs)
            self.same(name + ": best", cell.split(" (")[0], best)
            fewest = min(r.result["best_found"]["iteration"] for r in runs if r.cost == best)
            self.same(name + ": fewest iterations", cell.split(" (")[1].rstrip(")"), fewest)
            return
        values = [r.cost for r in runs]
        if figure.startswith("iterations"):
            values = [r.iterations if r.hit else INFINITY for r in runs]
        if figure == "seconds_mean":
            values = [self.study.value(r) if self.study.measure == "budget" else r.seconds for r in runs]
        if figure == "gap_mean":
            values = [100 * (r.cost - r.known) / r.known for r in runs if not r.cut]
        if not values or (figure == "gap_mean" and cell == "none"):
            self.that(f"{name}: none", not values and cell == "none")
            return
        of_median = figure.endswith("median")
        want = (median(values), mad(values)) if of_median else (float(np.mean(values)), deviation(values))
        if cell.startswith("none"):
            self.that(f"{name}: the median is no number", math.isinf(want[0]))
            return
        for what, printed, value in zip(("middle", "spread"), cell.split(", ")[0].split(" ± "), want):
            step = 10.0 ** -len(printed.partition(".")[2])
            self.that(f"{name}: {what} {printed}, computed {value}", abs(float(printed) - value) <= 0.5000001 * step)

    def ratio(self, rows):
        # For each pair of algorithms, `ours` holds our ratios. `both` holds a pair (our ratio, published ratio) for each
        # instance that has both.
        ours, both = {}, {}
        for row in rows:
            pair, name = (row["first"], row["second"]), f"{row['instance']}: {row['first']} / {row['second']}"
            mean = {"geometric": stats.gmean, "arithmetic": np.mean}.get(row["instance"].split(" mean")[0])
            if mean is not None:
                of_both = row["instance"].endswith("rows with both ratios")
                values = [r for r, _ in both[pair]] if of_both else ours[pair]
                self.same(f"{name}: ratio", row["ratio"], float(mean(values)))
                if row["published ratio"]:
                    self.same(f"{name}: published", row["published ratio"], float(mean([t for _, t in both[pair]])))
            elif row["ratio"]:
                value = self.study.summary(self.study.of(row["instance"], row["first"])) / self.study.summary(
                    self.study.of(row["instance"], row["second"]))
                self.same(f"{name}: ratio", row["ratio"], value)
                ours.setdefault(pair, []).append(value)
                if row["published ratio"]:
                    both.setdefault(pair, []).append((value, float(row["published ratio"])))

    def tuning(self, rows):
        section = next(s for s in self.study.study["sections"] if s["kind"] == "tuning")
        fields = dict(section["fields"])
        factor, share = fields["factor"], float(fields["success"])
        for row in rows:
            name = f"{row['instance']} {row['algorithm']}"
            groups = {}
            for run in self.study.runs:
                if (run.instance, run.algorithm) == (row["instance"], row["algorithm"]):
                    groups.setdefault(float(run.factors[factor]), []).append(run)
            summaries = {value: self.study.summary(runs) for value, runs in groups.items()}
            enough = [v for v, runs in sorted(groups.items()) if sum(r.hit for r in runs) >= share * len(runs) - 1e-9]
            least = enough[0] if enough else None
            finite = [v for v in sorted(summaries) if math.isfinite(summaries[v])]
            best = min(finite, key=lambda v: summaries[v], default=None)
            column = next(c for c in row if c.startswith("its "))
            self.same(f"{name}: least", row[f"least {factor}"], least)
            self.same(f"{name}: hits", row["hits"], None if least is None else sum(r.hit for r in groups[least]))
            self.same(f"{name}: runs", row["runs"], None if least is None else len(groups[least]))
            self.same(f"{name}: {column[4:]}", row[column[4:]], None if least is None else summaries[least])
            self.same(f"{name}: best", row[f"best {factor}"], best)
            self.same(f"{name}: {column}", row[column], None if best is None else summaries[best])

    def speedup(self, rows):
        fields = next(dict(s["fields"]) for s in self.study.study["sections"]
                      if s["kind"] == "speedup" and self.table == "speedup-" + dict(s["fields"])["single"])
        left = list(rows)
        for instance in dict.fromkeys(row["instance"] for row in rows):
            ones = self.study.of(instance, fields["single"])
            for parallel, p in zip(fields["parallel"], fields["p"]):
                many = self.study.of(instance, parallel)
                if many:
                    self.speedup_row(f"{instance} {parallel}", left.pop(0), ones, many, float(p))
        self.that("a row for each that ran", not left)

    def speedup_row(self, name, row, ones, many, p):
        t1, tp = ert(ones), ert(many)
        hits = [[r.seconds for r in runs if r.hit] for runs in (ones, many)]
        for key, value in {"p": p, "T1 s": t1, "Tp s": tp, "gain": t1 / tp if math.isfinite(t1 / tp) else None,
                           "hits 1": len(hits[0]), "runs 1": len(ones), "hits p": len(hits[1]),
                           "runs p": len(many)}.items():
            self.same(f"{name}: {key}", row[key], value)
        for key, times, runs in (("std 1", hits[0], ones), ("std p", hits[1], many)):
            self.same(f"{name}: {key}", row[key], deviation(times) if len(times) == len(runs) else None)
        if row["M(p)"]:  # M(p) is the integral of (1 - F)^p, where F is the printed fit
            fit = stats.gamma(float(row["gamma shape"]), scale=float(row["gamma scale"]))
            ends = [0, *(fit.ppf(q) for q in (1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.999, 1 - 1e-12))]
            m = sum(integrate.quad(lambda t: fit.sf(t) ** p, a, b)[0] for a, b in zip(ends, ends[1:]))
            self.same(f"{name}: M(p)", row["M(p)"], m, 1e-6 * m)
            self.same(f"{name}: Delta", row["Delta"], tp - float(row["M(p)"]))
        if len(hits[0]) < len(ones):
            return  # some runs missed the target; the checks below hold only if all runs reached it
        times = np.sort(hits[0])
        n = len(times)
        shares = [((n - k) / n) ** p - ((n - k - 1) / n) ** p for k in range(n)]
        self.same(f"{name}: M(p) resampled", row["M(p) resampled"], float(np.dot(shares, times)))
        if row["shape (ML)"]:
            shape, _, scale = stats.gamma.fit(times, floc=0)
            self.same(f"{name}: shape (ML)", row["shape (ML)"], shape, 1e-4)
            self.same(f"{name}: scale (ML)", row["scale (ML)"], scale, 1e-4 * scale)
        if row["gamma shape"]:  # checks that no better fit lies near the fit in the report
            def error(parameters):
                shape, scale = np.exp(parameters)
                middles = (np.arange(1, n + 1) - 0.5) / n  # middles of the steps of the measured distribution
                return float(np.sum((stats.gamma.cdf(times, shape, scale=scale) - middles) ** 2))
            printed = np.log([float(row["gamma shape"]), float(row["gamma scale"])])
            best = optimize.minimize(error, printed, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14})
            self.that(f"{name}: gamma fit, error {error(printed)}, SciPy's {best.fun}",
                      error(printed) <= best.fun * (1 + 1e-4) + 1e-9)


PREFIXES = {
    "results": Check.results, "comparisons": Check.comparisons, "significance-": Check.significance,
    "ranking": Check.ranking, "instances": Check.instances, "quality-time-": Check.quality_time,
    "statistics": Check.statistics, "tournament": Check.tournament, "swap-moves-": Check.swap_moves,
    "references": Check.references, "reference-means": Check.reference_means, "layout-": Check.layout,
    "ratio-": Check.ratio, "tuning-": Check.tuning, "speedup-": Check.speedup,
}
TEXTS = ("configurations", "machines")  # no figures


def main():
    status = 0
    for folder in sys.argv[1:]:
        study = Study(folder)
        check = Check(study)
        for path in sorted((Path(folder) / "tables").glob("*.csv")):
            check.table = path.stem
            if path.stem in TEXTS:
                continue
            handler = next((f for prefix, f in PREFIXES.items() if path.stem.startswith(prefix)), None)
            if handler is None:
                check.wrong.append(f"{path.stem}: there is no recomputation of this table")
                continue
            with open(path, newline="") as file:
                handler(check, list(csv.DictReader(file)))
        for line in check.wrong:
            print(f"WRONG: {folder}: {line}")
        print(f"{folder}: {check.agree} numbers agree, {len(check.wrong)} do not")
        status = status or (1 if check.wrong or check.agree == 0 else 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
