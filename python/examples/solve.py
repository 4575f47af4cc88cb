# SPDX-License-Identifier: Apache-2.0
# Four machines and four places: which machine goes where?
# [solve]
import qapfw

flow = [[0, 1, 8, 2], [1, 0, 0, 7], [8, 0, 0, 3], [2, 7, 3, 0]]  # how much goes from machine to machine
metres = [[0, 1.5, 2.5, 4], [1.5, 0, 1, 3], [2.5, 1, 0, 2], [4, 3, 2, 0]]  # distances from place to place

result = qapfw.solve(flow, metres)
print("cost", result.cost, "is the least possible" if result.optimal else "")
for machine, place in enumerate(result.permutation):
    print("machine", machine, "goes to place", place)
# [solve-end]
