# SPDX-License-Identifier: Apache-2.0
# Two networks of the same 200 people. The second one numbers the people differently and has some wrong edges. Who is who?
# Ten people are known in both.
# [graph-matching]
import random

from qapfw import quadratic_assignment

N, SEEDS, WRONG = 200, 10, 0.05
draw = random.Random(7)

first = [[0] * N for _ in range(N)]
for i in range(N):
    for j in range(i):
        first[i][j] = first[j][i] = int(draw.random() < 0.1)

truth = list(range(N))  # person i of the first network is person truth[i] of the second one
draw.shuffle(truth)
second = [[0] * N for _ in range(N)]
for i in range(N):
    for j in range(i):
        edge = first[i][j] if draw.random() >= WRONG else int(draw.random() < 0.1)
        second[truth[i]][truth[j]] = second[truth[j]][truth[i]] = edge

known = [(i, truth[i]) for i in range(SEEDS)]
result = quadratic_assignment(first, second, options={"maximize": True, "partial_match": known, "time_limit": 2, "rng": 1})

right = sum(int(found) == true for found, true in zip(result.col_ind, truth))
common = result.fun // 2  # each edge counts in both directions
print(f"{right} of {N} people are found; the networks share {common} edges")
# [graph-matching-end]
