#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares how fast solvers evaluate an instance with real numbers and the same instance in whole numbers from 0 to 99.

    bench/real_rates.py build/release/bin/qapfw --sizes 50,100 --algorithms tabu,memetic

Both instances have uniform points and uniform flows. Runs use one thread, or all GPUs with --backend cuda. Runs of the
two instances alternate and are compared in pairs, so that other work on the machine slows both runs of a pair.
Prints for each size and algorithm the median ratio of the two rates. Exit code 1 if a ratio is below --least.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from real_values import instance


def in_percent(matrix):
    top = max(map(max, matrix))
    return [[int(99 * entry / top) for entry in row] for row in matrix]


def write(path, matrices):
    rows = ["\n".join(" ".join(map(repr, row)) for row in matrix) for matrix in matrices]
    path.write_text(f"{len(matrices[0])}\n" + "\n\n".join(rows) + "\n")


def rate(program, path, algorithm, seconds, backend):
    device = ["--threads", "1"] if backend == "cpu" else ["--set", "device.start_on_cpu=false"]
    command = [program, "solve", str(path), "--algorithm", algorithm, "--time", f"{seconds}s", "--backend", backend, *device,
               "--json", "--quiet", "--no-record"]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return answer["rates"]["evaluations_per_second"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sizes", default="50,100")
    parser.add_argument("--algorithms", default="tabu,memetic")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--least", type=float, default=0.0)
    options = parser.parse_args()
    worst = math.inf
    with tempfile.TemporaryDirectory(prefix="qapfw-") as name:
        real, whole = Path(name) / "real.dat", Path(name) / "whole.dat"
        for n in map(int, options.sizes.split(",")):
            matrices = instance(n, 1)
            write(real, matrices)
            write(whole, [in_percent(matrix) for matrix in matrices])
            for algorithm in options.algorithms.split(","):
                pairs = [[rate(options.program, path, algorithm, options.seconds, options.backend) for path in (real, whole)]
                         for _ in range(options.pairs)]
                ratio = statistics.median(a / b for a, b in pairs)
                worst = min(worst, ratio)
                shown = ", ".join(f"{a:.3g}/{b:.3g}" for a, b in pairs)
                print(f"n = {n}, {algorithm}: {ratio:.2f} of the rate in whole numbers; evaluations/s {shown}", flush=True)
    return 0 if worst >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
