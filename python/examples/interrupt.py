# SPDX-License-Identifier: Apache-2.0
# A long search: every improvement is shown, and Ctrl-C ends the search with the best solution found.
# [interrupt]
import qapfw


def show(cost, seconds, permutation):
    print(f"after {seconds:.2f} s the best costs {cost:,}", flush=True)


try:
    result = qapfw.Problem.from_file("tai60a").solve(time_limit="1h", callback=show)
except qapfw.Interrupted as interrupted:
    print("best so far:", interrupted.result)
except qapfw.QapfwError as error:
    print("it failed:", error)
# [interrupt-end]
