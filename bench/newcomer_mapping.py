#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `qapfw solve` with an annealer that one writes in half an hour, on meshes mapped onto tori.

newcomer_mapping.py QAPFW [--seconds 20] [--seeds 1] [GRAPH@TARGET ...]
    such as rgg3:1000@torus:10x10x10

Both programs get the same number of seconds on one thread. The annealer counts CPU seconds, but qapfw counts seconds of the
clock. So qapfw gets less CPU time on a busy machine. Prints both mean costs and their ratio (qapfw's cost divided by the
annealer's), and marks the cases in which the ratio is larger than CASES allows.
"""
import argparse
import json
import math
import os
import random
import subprocess
import tempfile
import time

# Largest allowed ratio of qapfw's cost to the annealer's.
CASES = {"rgg3:512@torus:8x8x8": 1.0, "rgg3:1000@torus:10x10x10": 0.98, "rgg3:3000@torus:15x15x14": 0.95,
         "rgg3:8000@torus:20x20x20": 0.9}


def anneal(rows, sides, seconds, seed, hot=3.0, cold=0.3):
    """The newcomer's annealer: swaps of two random positions, accepted by Metropolis' rule; the temperature falls as time passes."""
    draw, n = random.Random(seed), math.prod(sides)
    table = []
    for p in range(n):
        row = [0]
        for d in reversed(range(len(sides))):
            own = p // math.prod(sides[:d]) % sides[d]
            apart = [min(abs(own - x), sides[d] - abs(own - x)) for x in range(sides[d])]
            row = [so_far + x for so_far in row for x in apart]
        table.append(bytes(row))
    rows, at = rows + [[]] * (n - len(rows)), list(range(n))
    draw.shuffle(at)
    temperature, tries, begin, random_unit, exp = hot, 0, time.process_time(), draw.random, math.exp
    while True:
        if tries % 256 == 0:
            passed = (time.process_time() - begin) / seconds
            if passed >= 1:
                return sum(table[at[u]][at[w]] for u, row in enumerate(rows) for w in row)
            temperature = hot * (cold / hot) ** passed
        tries += 1
        u, v = int(n * random_unit()), int(n * random_unit())
        here, there, delta = table[at[u]], table[at[v]], 0
        for w in rows[u]:
            if w != v:
                delta += there[at[w]] - here[at[w]]
        for w in rows[v]:
            if w != u:
                delta += here[at[w]] - there[at[w]]
        if delta <= 0 or random_unit() < exp(-delta / temperature):
            at[u], at[v] = at[v], at[u]


def ours(program, graph, target, seconds, seed):
    run = subprocess.run([program, "solve", graph, "--distance", target, "--time", f"{seconds}s", "--seed", str(seed), "--threads", "1",
                          "--backend", "cpu", "--no-record", "--json"], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)["best_cost"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_intermixed_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("| graph@target | annealer in Python | qapfw | ratio |")
    print("| --- | --- | --- | --- |")
    for case in options.cases:
        name, target = case.split("@")
        with tempfile.TemporaryDirectory() as folder:
            graph = os.path.join(folder, "g.graph")
            subprocess.run([options.program, "instance", "export", name, "--problem", "sparse_qap", "--set", f"distance={target}", "-o",
                            graph], check=True, capture_output=True)
            lines = open(graph).read().splitlines()
            rows = [[int(v) - 1 for v in line.split()] for line in lines[1:int(lines[0].split()[0]) + 1]]
            seeds = range(1, options.seeds + 1)
            sides = [int(side) for side in target.split(":")[1].split("x")]
            peer = sum(anneal(rows, sides, options.seconds, seed) for seed in seeds) / len(seeds)
            own = sum(ours(options.program, graph, target, options.seconds, seed) for seed in seeds) / len(seeds)
        missed = f", at most {CASES[case]} was wanted" if case in CASES and own > CASES[case] * peer else ""
        print(f"| {case} | {peer:.0f} | {own:.0f} | {own / peer:.3f}{missed} |", flush=True)


if __name__ == "__main__":
    main()
