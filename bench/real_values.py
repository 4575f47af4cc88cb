#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches each of many real-valued instances (uniform points, uniform flows) twice:
as it is, and with the entries of both matrices rounded to --places decimal places.

    bench/real_values.py build/release/bin/qapfw --instances 256 --size 50 --seconds 3

Both searches have one thread and the same time. Both costs are computed with the matrices that are not rounded.
Prints, for each of the two ways: the mean cost, the evaluations a second, and the number of instances in which this
way found the lower cost. Exit code 1 if the mean cost without rounding exceeds the mean cost with rounding by more
than --slack (relative).
"""

import argparse
import functools
import json
import math
import multiprocessing
import random
import subprocess
import sys
import tempfile
from pathlib import Path


def instance(n, seed):
    draw = random.Random(seed)
    points = [(draw.random(), draw.random()) for _ in range(n)]
    flows = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for k in range(i):
            flows[i][k] = flows[k][i] = draw.random()
    return flows, [[math.dist(p, q) for q in points] for p in points]


def solve(program, folder, flows, distances, options):
    path = folder / "instance.dat"
    rows = ["\n".join(" ".join(map(repr, row)) for row in matrix) for matrix in (flows, distances)]
    path.write_text(f"{len(flows)}\n{rows[0]}\n\n{rows[1]}\n")
    command = [program, "solve", str(path), "--time", f"{options.seconds}s", "--threads", "1", "--backend", "cpu", "--json",
               "--quiet", "--set", "output.record=false"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def cost(flows, distances, p):
    return math.fsum(flows[i][k] * distances[p[i]][p[k]] for i in range(len(p)) for k in range(len(p)))


def both(seed, options):
    """Solves an instance as it is (0) and rounded (1). Returns the two true costs, and the two rates of evaluations."""
    flows, distances = instance(options.size, seed)
    rounded = [[[round(e, options.places) for e in row] for row in matrix] for matrix in (flows, distances)]
    found, rates = [0.0, 0.0], [0.0, 0.0]
    with tempfile.TemporaryDirectory(prefix="qapfw-") as name:
        for which in [0, 1] if seed % 2 == 0 else [1, 0]:
            result = solve(options.program, Path(name), *(rounded if which else (flows, distances)), options)
            found[which] = cost(flows, distances, result["solution"])
            rates[which] = result["rates"]["evaluations_per_second"]
            if which == 0 and not math.isclose(found[0], result["best_cost"], rel_tol=1e-12):
                sys.exit(f"instance {seed}: the program says {result['best_cost']}, recomputed {found[0]}")
    return found, rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--instances", type=int, default=256)
    parser.add_argument("--size", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--places", type=int, default=6)
    parser.add_argument("--slack", type=float, default=0.0, help="relative excess of the mean cost that is still accepted")
    parser.add_argument("--jobs", type=int, default=1, help="number of instances that are solved side by side, each on one thread")
    options = parser.parse_args()
    with multiprocessing.Pool(options.jobs) as pool:
        done = pool.map(functools.partial(both, options=options), range(options.instances), chunksize=1)
    sums, rates = ([math.fsum(row[what][which] for row in done) / len(done) for which in range(2)] for what in range(2))
    better = [sum(found[which] < found[1 - which] for found, _ in done) for which in range(2)]
    print(f"as they are: mean cost {sums[0]:.9g}, {rates[0]:.3g} evaluations/s, lower in {better[0]}")
    print(f"{options.places} places: mean cost {sums[1]:.9g}, {rates[1]:.3g} evaluations/s, lower in {better[1]}")
    return 0 if sums[0] <= sums[1] * (1 + options.slack) else 1


if __name__ == "__main__":
    sys.exit(main())
