# SPDX-License-Identifier: Apache-2.0
"""Computes statistics of one sample and tests of two samples for recompute.py. Uses no code of the program itself."""
import math

import numpy as np
from scipy import stats

INFINITY = float("inf")


def ert(runs):
    hits = sum(r.hit for r in runs)
    return sum(r.seconds for r in runs) / hits if hits else INFINITY


def median(values):
    values = sorted(values)
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    return low if low == high else (low + high) / 2


def mad(values):
    middle = median(values)
    return INFINITY if math.isinf(middle) else median([abs(v - middle) for v in values])


def deviation(values):
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def wilcoxon(first, second):
    """Returns the number n of pairs that differ, and the exact two-sided p value.

    The p value counts all 2^n ways to give the midranks of these pairs a sign.
    """
    differences = [a - b for a, b in zip(first, second) if a != b]
    differences = [math.copysign(1e300, d) if math.isinf(d) else d for d in differences]
    n = len(differences)
    if n == 0:
        return 0, 1.0
    ranks = stats.rankdata(np.abs(differences))
    observed = ranks[np.array(differences) > 0].sum()
    if len(set(ranks)) == n:
        return n, float(stats.wilcoxon(differences, mode="exact").pvalue)
    sums = {0.0: 1}
    for rank in ranks:
        more = {}
        for total, count in sums.items():
            more[total] = more.get(total, 0) + count
            more[total + rank] = more.get(total + rank, 0) + count
        sums = more
    middle, far = ranks.sum() / 2, abs(observed - ranks.sum() / 2)
    tail = sum(count for total, count in sums.items() if abs(total - middle) >= far - 1e-9)
    return n, min(1.0, tail / 2.0 ** n)


def rank_sum(first, second):
    """The two-sided p value of the rank sum test: twice the smaller tail. Each choice of the first sample's midranks
    from all midranks is equally likely."""
    if len(set(first + second)) == len(first + second):
        return float(stats.mannwhitneyu(first, second, method="exact").pvalue)
    ranks = stats.rankdata([min(v, 1e300) for v in first + second])
    observed = ranks[:len(first)].sum()
    ways = {(0, 0.0): 1}
    for rank in ranks:
        more = dict(ways)
        for (count, total), number in ways.items():
            if count < len(first):
                key = (count + 1, total + rank)
                more[key] = more.get(key, 0) + number
        ways = more
    chosen = {total: number for (count, total), number in ways.items() if count == len(first)}
    below = sum(number for total, number in chosen.items() if total <= observed + 1e-9)
    above = sum(number for total, number in chosen.items() if total >= observed - 1e-9)
    return min(1.0, 2 * min(below, above) / sum(chosen.values()))


def a12(first, second):
    return sum((a > b) + 0.5 * (a == b) for a in first for b in second) / (len(first) * len(second))
