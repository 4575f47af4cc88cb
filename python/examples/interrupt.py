# SPDX-License-Identifier: Apache-2.0
# A run without a limit: Ctrl-C ends it, and what was found is there.
# [interrupt]
import qapfw

try:
    qapfw.run({"problem": {"plugin": "qap", "instance": "tai60a"}, "algorithm": {"plugin": "tabu"}}, record=False,
              log=print)
except qapfw.Interrupted as interrupted:
    print("best so far:", interrupted.result)
except qapfw.QapfwError as error:
    print("it failed:", error, "with exit code", error.exit_code)
# [interrupt-end]
