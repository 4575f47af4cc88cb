#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A baseline for graph alignment: vertices matched by the weights of their edges, then annealing by
random swaps, in plain Python.

baseline.py QAPFW PLUGIN_FOLDER [--vertices 1000] [--edges 20000] [--seconds 20] [--seed 1]

Makes two graphs. The second is the first with renumbered vertices and about every tenth edge moved. Prints the values
of four alignments: the one hidden in the graphs, the matching's, the baseline's, and the one that `qapfw solve` finds
in the same time on one thread. """
import argparse
import json
import math
import os
import random
import subprocess
import tempfile
import time


def instance(n, m, draw):
    """Weights of the edges of both graphs, and the value of the hidden alignment."""
    image = list(range(n))
    draw.shuffle(image)
    first, second = {}, {}
    for e in range(m):
        u = draw.randrange(n)
        v = (u + 1 + draw.randrange(min(n, 1 + 2 * m // n))) % n if e % 2 == 0 else draw.randrange(n)
        weight = 1 + draw.randrange(1 + draw.randrange(20))
        there = (draw.randrange(n), draw.randrange(n)) if draw.randrange(10) == 0 else (image[u], image[v])
        if u != v:
            first[u, v] = first.get((u, v), 0) + weight
        if there[0] != there[1]:
            second[there] = second.get(there, 0) + weight
    return first, second, sum(min(w, second.get((image[u], image[v]), 0)) for (u, v), w in first.items())


def anneal(first, second, n, seconds, draw):
    """Sorts each graph's vertices by outgoing, then incoming weight, and matches vertices of equal rank. Then anneals
    by random swaps. Returns the value of the first matching and the best value."""
    rows = [[] for _ in range(n)]
    for (u, v), w in first.items():
        rows[u].append((v, w, True))
        rows[v].append((u, w, False))

    def by_strength(edges):
        strength = [[0, 0] for _ in range(n)]
        for (u, v), w in edges.items():
            strength[u][0] += w
            strength[v][1] += w
        return sorted(range(n), key=lambda u: strength[u])
    at = [0] * n
    for u, a in zip(by_strength(first), by_strength(second)):
        at[u] = a

    def worth(u):
        a, get = at[u], second.get
        return sum(min(w, get((a, at[v]) if out else (at[v], a), 0)) for v, w, out in rows[u])
    start = total = sum(min(w, second.get((at[u], at[v]), 0)) for (u, v), w in first.items())
    best, tries, temperature, begin = total, 0, 0.0, time.process_time()
    hot = 3 * sum(first.values()) / len(first)
    while True:
        if tries % 64 == 0:
            passed = (time.process_time() - begin) / seconds
            if passed >= 1:
                return start, best
            temperature = hot * (0.05 ** passed)
        tries += 1
        u, v = draw.sample(range(n), 2)
        before = worth(u) + worth(v)
        at[u], at[v] = at[v], at[u]
        gain = worth(u) + worth(v) - before  # edges between u and v count twice; the loop corrects this
        between = [(x, y, w) for x, y in ((u, v), (v, u)) for w in (first.get((x, y)),) if w]
        for x, y, w in between:
            gain -= min(w, second.get((at[x], at[y]), 0)) - min(w, second.get((at[y], at[x]), 0))
        if gain >= 0 or draw.random() < math.exp(gain / temperature):
            total += gain
            best = max(best, total)
        else:
            at[u], at[v] = at[v], at[u]


def ours(options, first, second):
    with tempfile.TemporaryDirectory() as folder:
        for name, edges in (("first.csv", first), ("second.csv", second)):
            with open(os.path.join(folder, name), "w") as f:
                f.writelines(f"{u + 1},{v + 1},{w}\n" for (u, v), w in edges.items())
        run = subprocess.run([options.program, "solve", os.path.join(folder, "first.csv"), "--problem", "alignment", "--plugin-path",
                              options.plugins, "--set", f"problem.onto={folder}/second.csv", "--algorithm", "mapping", "--time",
                              f"{options.seconds}s", "--threads", "1", "--backend", "cpu", "--no-record", "--json"],
                             capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(run.stderr)
        return json.loads(run.stdout)["best_cost"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("plugins")
    parser.add_argument("--vertices", type=int, default=1000)
    parser.add_argument("--edges", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    first, second, hidden = instance(options.vertices, options.edges, draw)
    start, best = anneal(first, second, options.vertices, options.seconds, draw)
    print(f"values: hidden alignment {hidden}, matching by strength {start}, baseline {best}, "
          f"qapfw {ours(options, first, second)}")


if __name__ == "__main__":
    main()
