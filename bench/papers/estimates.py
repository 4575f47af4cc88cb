# SPDX-License-Identifier: Apache-2.0
"""Estimates from the runs of a row, and how far to trust them: percentile bootstrap with a fixed seed."""

import math
import random

RESAMPLES = 2000
CONFIDENCE = 0.95
LEAST_RUNS = 5  # of which a verdict is given


def mean(values):
    return math.fsum(values) / len(values)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def median_deviation(values):
    centre = median(values)
    return median([abs(value - centre) for value in values])


def deviation(values):
    centre = mean(values)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / max(1, len(values) - 1))


def time_to_target(samples):
    """Of pairs (seconds, hit): all time spent for each hit. It is the mean time where every run hits, and more where
    some run into the time limit; infinite without a hit."""
    hits = sum(hit for _, hit in samples)
    return math.fsum(seconds for seconds, _ in samples) / hits if hits else math.inf


def resample(values, statistic, generator, size=None):
    """The statistic of RESAMPLES draws with replacement."""
    size = size or len(values)
    return [statistic(generator.choices(values, k=size)) for _ in range(RESAMPLES)]


def interval(values):
    """Between these lie CONFIDENCE of the values."""
    ordered = sorted(values)
    tail = (1 - CONFIDENCE) / 2
    last = len(ordered) - 1
    return ordered[math.floor(tail * last)], ordered[math.ceil((1 - tail) * last)]


def quotient(paper, ours):
    return 0.0 if math.isinf(ours) else paper / ours if ours else math.inf


class Ratio:
    """A paper's figure divided by ours: above 1 where ours is smaller. Keeps its resamples for geometric means."""

    def __init__(self, paper, values, statistic, name):
        self.paper = paper
        self.ours = statistic(values)
        self.value = quotient(paper, self.ours)
        draws = resample(values, statistic, random.Random(name))  # its own seed: rows are independent
        self.draws = [quotient(paper, draw) for draw in draws]
        self.low, self.high = interval(self.draws)


def geometric(values):
    if min(values) <= 0:
        return 0.0
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def geometric_mean(ratios):
    """Of the ratios of several rows, with its interval: (value, low, high)."""
    draws = [geometric(row) for row in zip(*(ratio.draws for ratio in ratios))]
    return (geometric([ratio.value for ratio in ratios]), *interval(draws))


def verdict(paper, paper_runs, values, statistic, name):
    """'worse', 'same' or 'better' than the paper, whose figure comes from paper_runs runs. Had those runs come from
    the distribution of ours, their figure would differ from ours as two independent resamples of ours do; beyond the
    CONFIDENCE interval of these differences is not 'same'. '-' for too few runs."""
    if len(values) < LEAST_RUNS:
        return "-"
    generator = random.Random(name)
    theirs = resample(values, statistic, generator, paper_runs)
    again = resample(values, statistic, generator)
    differences = [0.0 if a == b else a - b for a, b in zip(theirs, again)]  # infinite ones can be equal
    ours = statistic(values)
    observed = 0.0 if paper == ours else paper - ours
    tail = (1 - CONFIDENCE) / 2
    if sum(difference <= observed for difference in differences) < tail * RESAMPLES:
        return "worse"
    if sum(difference >= observed for difference in differences) < tail * RESAMPLES:
        return "better"
    return "same"
