#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Costs of `qapfw solve` beside those of Scotch (Debian package scotch), on generated graphs.

compare_with_scotch.py QAPFW [--seconds 0.2,1,10 | --rounds 2000,20000] [--seeds 5] [GRAPH@TARGET ...]
    such as rgg3:8000@torus:20x20x20

Scotch's column has the cost of the cheapest of four variants of gmap, and that variant's user seconds. A mapping that puts several
vertices on a location is repaired first, so that each location has at most one.
A column of qapfw has the mean cost over the seeds on one thread, its ratio to Scotch's cost, and the user seconds of a whole run.
--rounds gives the effort in rounds, which a busy machine cannot cut short. Prints "skipped" if Scotch is not installed.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

CASES = ["rgg3:1000@torus:10x10x10", "rgg2:8000@torus:20x20x20", "rgg3:8000@torus:20x20x20", "regular:8000:8@torus:20x20x20",
         "powerlaw:4096@grid:64x64", "rgg2:256@tree:4:8:8/1:10:100", "rgg2:4096@tree:4:16:64/1:10:100", "grid:32x32@grid:32x32"]
VARIANTS = (["-cq", "-b0"], ["-cb", "-b0"], ["-cr", "-b0"], ["-cq", "-b0.05"])


def target(spec):
    """Returns the target as Scotch writes it, the number of locations, and a function for distances of locations."""
    kind, rest = spec.split(":", 1)
    if kind in ("grid", "torus"):
        sides = [int(s) for s in rest.split("x")]
        name = {"grid": "mesh", "torus": "torus"}[kind]
        text = f"{name}{len(sides)}D " + " ".join(map(str, sides))
        n = 1
        for side in sides:
            n *= side

        def distance(a, b):
            total = 0
            for side in sides:
                apart = abs(a % side - b % side)
                total += min(apart, side - apart) if kind == "torus" else apart
                a, b = a // side, b // side
            return total
        return text, n, distance
    if kind == "hypercube":
        return f"hcub {rest}", 1 << int(rest), lambda a, b: bin(a ^ b).count("1")
    if kind == "tree":
        sizes, costs = ([int(x) for x in part.split(":")] for part in rest.split("/"))
        steps = [c - d for c, d in zip(costs, [0] + costs[:-1])]
        text = f"tleaf {len(sizes)} " + " ".join(f"{s} {c}" for s, c in zip(reversed(sizes), reversed(steps)))
        n = 1
        for size in sizes:
            n *= size

        def distance(a, b):
            total = 0
            for size, cost in zip(sizes, costs):
                if a == b:
                    break
                a, b, total = a // size, b // size, cost
            return total
        return text, n, distance
    sys.exit(f"{spec}: grid, torus, hypercube or tree was wanted")


def read_metis(path):
    lines = [line for line in open(path) if not line.startswith("%")]
    head = lines[0].split()
    weighted = len(head) > 2 and head[2].endswith("1")
    rows = []
    for line in lines[1:int(head[0]) + 1]:
        numbers = [int(x) for x in line.split()]
        rows.append([(v - 1, w) for v, w in zip(numbers[::2], numbers[1::2])] if weighted else [(v - 1, 1) for v in numbers])
    return rows


def repaired(at, places, distance):
    """Moves each surplus vertex of a location to the nearest free location."""
    taken, late, out = set(), [], list(at)
    for u, place in enumerate(at):
        late.append(u) if place in taken else taken.add(place)
    free = [p for p in range(places) if p not in taken]
    for u in late:
        best = min(free, key=lambda p: distance(at[u], p))
        free.remove(best)
        out[u] = best
    return out


def variants(rows, spec, folder):
    """Cost of the mapping of each variant of Scotch, and the user seconds that Scotch took."""
    text, places, distance = target(spec)
    graph, arch, out = (os.path.join(folder, name) for name in ("g.grf", "t.tgt", "m.map"))
    with open(graph, "w") as f:
        f.write(f"0\n{len(rows)}\t{sum(map(len, rows))}\n0\t010\n")
        for row in rows:
            f.write(str(len(row)) + "".join(f"\t{w}\t{v}" for v, w in row) + "\n")
    with open(arch, "w") as f:
        f.write(text + "\n")
    made = []
    for variant in VARIANTS:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(["scotch_gmap", graph, arch, out, *variant], check=True, capture_output=True)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        at = [0] * len(rows)
        for line in open(out).read().splitlines()[1:]:
            u, place = map(int, line.split())
            at[u] = place
        at = repaired(at, places, distance)
        cost = sum(w * distance(at[u], at[v]) for u, row in enumerate(rows) for v, w in row)
        made.append((cost, seconds))
    return made


def ours(program, graph, spec, limit, seeds):
    """Returns mean cost and mean user CPU seconds of qapfw's runs, one for each seed."""
    costs, before = [], resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    for seed in range(1, seeds + 1):
        run = subprocess.run([program, "solve", graph, "--distance", spec, *limit, "--seed", str(seed), "--threads",
                              "1", "--backend", "cpu", "--no-record", "--json"], check=True, capture_output=True, text=True)
        costs.append(json.loads(run.stdout)["best_cost"])
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return sum(costs) / len(costs), used / len(costs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("cases", nargs="*", default=CASES)
    parser.add_argument("--seconds", default="0.2,1,10")
    parser.add_argument("--rounds", default="")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_intermixed_args()
    if shutil.which("scotch_gmap") is None:
        print("skipped: no scotch_gmap (Debian package scotch)")
        return
    if options.rounds:
        limits = {f"{r} rounds": ["--iterations", str(int(r) + 1)] for r in options.rounds.split(",")}
    else:
        limits = {f"{s} s": ["--time", f"{s}s"] for s in options.seconds.split(",")}
    print("| graph@target | Scotch (user s) | " + " | ".join(limits) + " |")
    print("| --- | --- |" + " --- |" * len(limits))
    for case in options.cases:
        name, spec = case.split("@")
        with tempfile.TemporaryDirectory() as folder:
            graph = os.path.join(folder, "g.graph")
            subprocess.run([options.program, "instance", "export", name, "--problem", "sparse_qap", "--set", f"distance={spec}", "-o",
                            graph], check=True, capture_output=True)
            cost, used = min(variants(read_metis(graph), spec, folder))
            cells = []
            for limit in limits.values():
                own, seconds = ours(options.program, graph, spec, limit, options.seeds)
                cells.append(f"{own:.0f} ({own / cost:.3f}, {seconds:.2f} s)")
            print(f"| {case} | {cost} ({used:.2f}) | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
