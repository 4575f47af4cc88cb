# SPDX-License-Identifier: Apache-2.0
"""Prints censored_values.hpp: fits of samples in which some runs missed their target. Uses only the standard library.
The methods differ from the framework's: a series for the gamma distribution, nested golden sections for minima.

    python3 censored_values.py > censored_values.hpp
"""

import math

SAMPLES = {  # seconds, and whether the run hit
    # Twelve runs of a study on kra32 gave such a sample: nine runs hit, and three were stopped at ten seconds.
    "cut at ten": [(1.1, 1), (2.4, 1), (3.0, 1), (3.7, 1), (5.2, 1), (6.1, 1), (7.9, 1), (8.8, 1), (9.6, 1),
                   (10.0, 0), (10.0, 0), (10.0, 0)],
    "cut here and there": [(0.05, 1), (0.1, 0), (0.2, 1), (0.2, 1), (0.35, 0), (0.6, 1), (1.4, 1), (1.4, 0), (2.5, 1),
                           (3.0, 0)],
    "mostly missed": [(12.0, 1), (40.0, 1), (77.0, 1)] + [(80.0, 0)] * 9,
}


def kaplan_meier(runs):
    """Returns, for each time of a hit: the time, the estimated fraction of runs that have hit by then, the estimated
    fraction just before, and the number of hits at this time."""
    steps, survival = [], 1.0
    for t in sorted({t for t, hit in runs if hit}):
        hits, at_risk = sum(1 for s, hit in runs if hit and s == t), sum(1 for s, _ in runs if s >= t)
        steps.append((t, 1 - survival * (1 - hits / at_risk), 1 - survival, hits))
        survival *= 1 - hits / at_risk
    return steps


def middles(runs):
    return [(t, before + (share - before) * (k + 0.5) / hits)
            for t, share, before, hits in kaplan_meier(runs) for k in range(hits)]


def golden(f, low, high, tolerance):
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    fa, fb = f(a), f(b)
    while high - low > tolerance:
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = f(b)
    return (low + high) / 2


def minimum(f, box, tolerance=1e-7):
    """The x and y with the least f(x, y). The search over x finds, for each x that it tries, the best y."""
    (low_x, high_x), (low_y, high_y) = box
    best_y = lambda x: golden(lambda y: f(x, y), low_y, high_y, tolerance)
    x = golden(lambda x: f(x, best_y(x)), low_x, high_x, tolerance)
    return x, best_y(x)


def simpson(f, low, high, pieces=400):
    width = (high - low) / pieces
    return width / 3 * (f(low) + f(high) + sum((4 if k % 2 else 2) * f(low + k * width) for k in range(1, pieces)))


def gamma_cdf(t, shape, scale):
    """The distribution function of the gamma distribution, by the series
    x^a e^-x / gamma(a + 1) (1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ...) with x = t / scale and a = shape."""
    x = t / scale
    if x > shape + 40 * math.sqrt(shape) + 60:
        return 1.0
    term = total = 1.0
    k = 0
    while term > 1e-17 * total:
        k += 1
        term *= x / (shape + k)
        total += term
    return min(1.0, total * math.exp(shape * math.log(x) - x - math.lgamma(shape + 1)))


def normal_cdf(t, mean, deviation):
    return (1 + math.erf((t - mean) / deviation / math.sqrt(2))) / 2


def gamma_loss(runs):
    def loss(log_shape, log_scale):
        shape, scale = math.exp(log_shape), math.exp(log_scale)
        total = 0
        for t, hit in runs:
            if hit:
                total -= (shape - 1) * math.log(t) - t / scale - shape * log_scale - math.lgamma(shape)
            else:
                total -= math.log(max(1e-12, 1 - gamma_cdf(t, shape, scale)))
        return total
    return loss


def normal_loss(runs):
    def loss(mean, log_deviation):
        deviation, total = math.exp(log_deviation), 0
        for t, hit in runs:
            if hit:
                total += ((t - mean) / deviation) ** 2 / 2 + log_deviation
            else:
                total -= math.log(max(1e-300, 1 - normal_cdf(t, mean, deviation)))
        return total
    return loss


def gamma_squares(runs):
    points = middles(runs)
    return lambda a, b: sum((gamma_cdf(t, math.exp(a), math.exp(b)) - share) ** 2 for t, share in points)


def normal_squares(runs):
    points = middles(runs)
    return lambda mean, b: sum((normal_cdf(t, mean, math.exp(b)) - share) ** 2 for t, share in points)


def resampled(runs, p):
    """The mean time of an attempt, divided by the chance that an attempt hits. An attempt is p runs side by side, drawn
    from `runs` with replacement. It ends at the first hit or, if all its runs miss, with the longest run."""
    hits = sorted(t for t, hit in runs if hit)
    misses = sorted(t for t, hit in runs if not hit)
    n, time, success = len(runs), 0.0, 0.0
    for k, t in enumerate(hits):
        chance = ((n - k) / n) ** p - ((n - k - 1) / n) ** p
        time, success = time + chance * t, success + chance
    for k, t in enumerate(misses):
        time += t * (((k + 1) / n) ** p - (k / n) ** p)
    return time / success


def numbers(values):
    return "{" + ", ".join("%.9g" % v for v in values) + "}"


def main():
    print("// SPDX-License-Identifier: Apache-2.0\n// Made by: python3 censored_values.py > censored_values.hpp\n"
          "#pragma once\n\n#include <vector>\n\n#include \"framework/laboratory/statistics/run_times.hpp\"\n\n"
          "// clang-format off\nnamespace qapfw::statistics::reference {\n\n"
          "// shares: for the time of each hit, the estimated fraction of runs that have hit by then (Kaplan-Meier). "
          "Fits by\n// likelihood (_ml) and by least squares (_ls): shape and scale (gamma), mean and standard "
          "deviation (normal). m30:\n"
          "// mean_of_first(fit, 30) for the fit gamma_ml. drawn: mean_of_smallest(runs, p) for p = 1 and 5.\n"
          "struct CensoredCase { const char* name; std::vector<TimedRun> runs; std::vector<double> shares, gamma_ml, "
          "normal_ml, gamma_ls, normal_ls; double m30; std::vector<double> drawn; };\n"
          "inline const std::vector<CensoredCase> kCensored{")
    for name, runs in SAMPLES.items():
        logs = ((-2.5, 3.0), (-3.0, 8.0))
        around = ((-20.0, 400.0), (-3.0, 8.0))
        gamma = tuple(math.exp(v) for v in minimum(gamma_loss(runs), logs))
        normal = minimum(normal_loss(runs), around)
        squares = tuple(math.exp(v) for v in minimum(gamma_squares(runs), logs))
        normal_ls = minimum(normal_squares(runs), around)
        # The integral is over v = t^(1/3), since the integrand's derivative by t may have a pole at t = 0.
        end = (gamma[0] * gamma[1]) ** (1 / 3)
        m30 = simpson(lambda v: 3 * v * v * (1 - gamma_cdf(v ** 3, *gamma)) ** 30 if v > 0 else 0.0, 0, end, 4000)
        rows = ", ".join("{%g, %s}" % (t, "true" if hit else "false") for t, hit in runs)
        print('    {"%s", {%s}, %s, %s, %s, %s, %s, %.9g, %s},' % (
            name, rows, numbers([s for _, s, _, _ in kaplan_meier(runs)]), numbers(gamma),
            numbers((normal[0], math.exp(normal[1]))), numbers(squares),
            numbers((normal_ls[0], math.exp(normal_ls[1]))), m30, numbers([resampled(runs, p) for p in (1, 5)])))
    print("};\n\n}  // namespace qapfw::statistics::reference\n// clang-format on")


main()
