# SPDX-License-Identifier: Apache-2.0
# Two solvers on one instance, three seeds each, then a table. Usage: study.py FOLDER
# [study]
import sys
from pathlib import Path

import qapfw

folder = Path(sys.argv[1])  # must be new or empty
for algorithm in "tabu", "ga_independent":
    qapfw.run({"problem": {"plugin": "qap", "instance": "tai20a"}, "algorithm": {"plugin": algorithm}},
              runs=3, time_limit=0.3, out=folder / algorithm)

records = qapfw.read_records(folder)
for row in qapfw.rows(records):  # with pandas: qapfw.frame(records)
    print(f"{row['algorithm']:<15} seed {row['seed']}  cost {row['best_cost']}  gap {100 * row['gap']:.2f} %")

first = records[0].runs[0]
print("found by", first.config["algorithm"]["plugin"], "in steps:", [point.cost for point in first.trace])
# [study-end]
