#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""quadratic_assignment of the package against the two methods of SciPy, on random instances.

    QAPFW_LIBRARY=build/release/lib/libqapfw.so bench/against_scipy.py --instances 50

Sizes go from 10 to 200; whole numbers, real numbers and planted graph matchings take turns. SciPy's `faq` is timed. The
package's function gets that time, at least 0.05 s, on one thread. SciPy's `2opt` takes hours at n = 200, so its swaps
are made here by deltas: the same swaps in the same order, which is checked with SciPy itself up to n = 25. Exit code 1
if the package is worse than one of the two methods from n = 20 on, or not better on average from n = 30 on.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy
import scipy.optimize

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import qapfw  # noqa: E402

KINDS = "whole", "real", "graph"


def instance(kind, n, seed):
    draw = numpy.random.default_rng(seed)
    if kind == "whole":
        return draw.integers(0, 100, (n, n)), draw.integers(0, 100, (n, n))
    if kind == "real":
        return draw.random((n, n)), draw.random((n, n))
    upper = numpy.triu(draw.random((n, n)) < 0.2, 1)
    wrong = numpy.triu(draw.random((n, n)) < 0.05, 1)
    order = draw.permutation(n)
    other = numpy.triu(numpy.logical_xor(upper, wrong), 1)
    a, b = ((m | m.T).astype(int) for m in (upper, other))
    return a, b[numpy.ix_(order, order)]


def two_opt(a, b, maximize, seed):
    """Returns the cost that SciPy's 2-opt finds, but computes it faster, by deltas.

    The cost is scipy.optimize.quadratic_assignment(a, b, "2opt", {"rng": seed, "maximize": maximize}).fun.
    """
    n, sign = len(a), -1 if maximize else 1
    p = numpy.random.RandomState(seed).permutation(numpy.arange(n))
    moved = b[numpy.ix_(p, p)]

    def first_better():
        for i in range(n - 1):
            other = numpy.arange(i + 1, n)
            rows = (a[i] - a[other]) * (moved[other] - moved[i])
            columns = (a[:, [i]] - a[:, other]) * (moved[:, other] - moved[:, [i]])
            delta = rows.sum(1) + columns.sum(0)
            delta = delta - rows[:, i] - columns[i] - rows[other - i - 1, other] - columns[other, other - i - 1]
            delta = delta + (a[i, i] - a[other, other]) * (moved[other, other] - moved[i, i])
            delta = delta + (a[i, other] - a[other, i]) * (moved[other, i] - moved[i, other])
            better = numpy.flatnonzero(sign * delta < -1e-9 * (numpy.abs(rows).sum(1) + 1e-300))
            if len(better) > 0:
                return i, other[better[0]]
        return None

    while (pair := first_better()) is not None:
        i, j = pair
        p[[i, j]] = p[[j, i]]
        moved = b[numpy.ix_(p, p)]
    return (a * moved).sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=50)
    parser.add_argument("--largest", type=int, default=200)
    options = parser.parse_args()
    worse, gains = 0, {"faq": [], "2opt": []}
    for seed in range(options.instances):
        n = round(10 + (options.largest - 10) * seed / max(1, options.instances - 1))
        kind = KINDS[seed % len(KINDS)]
        a, b = instance(kind, n, seed)
        maximize = kind == "graph"
        start = time.process_time()
        theirs = {"faq": scipy.optimize.quadratic_assignment(a, b, "faq", {"maximize": maximize}).fun}
        seconds = max(0.05, time.process_time() - start)
        theirs["2opt"] = two_opt(a, b, maximize, seed)
        if n <= 25:
            itself = scipy.optimize.quadratic_assignment(a, b, "2opt", {"maximize": maximize, "rng": seed}).fun
            if not numpy.isclose(itself, theirs["2opt"], rtol=1e-12):
                sys.exit(f"instance {seed}: 2opt ends at {theirs['2opt']}, SciPy's at {itself}")
        ours = qapfw.quadratic_assignment(a, b, "memetic", {"maximize": maximize, "time_limit": seconds, "threads": 1, "rng": seed}).fun
        shares = {name: (ours - cost if maximize else cost - ours) / abs(cost) for name, cost in theirs.items()}
        is_worse = n >= 20 and min(shares.values()) < -1e-12
        worse += is_worse
        if n >= 30:
            for name, share in shares.items():
                gains[name].append(share)
        print(f"{seed:3} n={n:3} {kind:5} {seconds:6.3f} s  faq {theirs['faq']:.9g}  2opt {theirs['2opt']:.9g}  ours {ours:.9g}"
              f"{'  WORSE' if is_worse else ''}", flush=True)
    means = {name: sum(shares) / max(1, len(shares)) for name, shares in gains.items()}
    print(f"worse from n = 20 on: {worse}; better from n = 30 on by {means['faq']:.2%} than faq, {means['2opt']:.2%} than 2opt on average")
    return 0 if worse == 0 and (not gains["faq"] or min(means.values()) > 0) else 1


if __name__ == "__main__":
    sys.exit(main())
