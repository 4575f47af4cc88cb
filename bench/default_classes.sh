#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# default_classes.sh BUILD DATA SECONDS SEEDS [ALGORITHM[/INSTANCE]...]: the study configs/studies/default-classes.toml on all GPUs, as many runs
# side by side, and a small table: instance, class, best known value, and for each algorithm the gap of each seed in percent ("0@1.2":
# reached after 1.2 s) and their mean; means by class in the end.
# ALGORITHM: memetic (if there is none), an arm alone (2opt, ux-n/2, long, kick, ux-8n, break, walk), four (the first four of
# these), or tabu; patterns as of study run --only.
# BACKEND, WORK, MORE: "cuda"; the study's folder, which goes on where it was; further options of study run.
#   bench/default_classes.sh build/release /data 10 2
#   bench/default_classes.sh build/release /data 10 2 'break/qapsat*' 'walk/dre*' memetic
set -eu
cd "$(dirname "$0")/.."
build=$1 data=$2 seconds=$3 seeds=$4
shift 4
backend=${BACKEND:-cuda} work=${WORK:-runs/default-classes-${seconds}s}
only=()
for pattern in "${@:-memetic}"; do only+=(--only "$pattern"); done
"$build/bin/qapfw" study run configs/studies/default-classes.toml --data "$data" --backend "$backend" --jobs auto \
    --skip-missing --pool-builds --seeds "$seeds" --time-limit "${seconds}s" --work "$work" "${only[@]}" ${MORE:-} >&2 || echo "study run: exit code $?" >&2
"$build/bin/qapfw" study report "$work" --pool-builds >/dev/null
python3 - "$work/runs.csv" <<'PY'
import csv, sys
from collections import defaultdict
rows = list(csv.DictReader(open(sys.argv[1])))
algorithms = sorted({r["algorithm"] for r in rows}, key=lambda name: (name != "memetic", name))
gaps, known, classes, order = defaultdict(list), {}, {}, []
for r in sorted(rows, key=lambda r: int(r["seed"])):
    name = r["instance"]
    best = float(r["best_known"])
    gap = 100 * (float(r["cost"]) - best) / best if best else float(r["cost"])
    hit = gap <= 0
    gaps[name, r["algorithm"]].append((gap, float(r["seconds_to_best"] or r["seconds"]) if hit else None))
    known[name], classes[name] = r["best_known"], r["class"]
    if name not in order: order.append(name)
mean = lambda values: sum(values) / len(values)
def cell(runs):
    texts = [f"{gap:.3g}" if at is None else (f"{gap:.2g}" if gap else "0") + f"@{at:.1f}" for gap, at in runs]
    return f"{mean([gap for gap, _ in runs]):.4f} ({' '.join(texts)})"
order.sort(key=lambda name: (classes[name], name))
print("\t".join(["instance", "class", "best known"] + algorithms))
for name in order:
    cells = [cell(gaps[name, a]) if gaps[name, a] else "-" for a in algorithms]
    print("\t".join([name, classes[name], known[name]] + cells))
for group in sorted(set(classes.values())) + ["all"]:
    names = [name for name in order if group in ("all", classes[name])]
    cells = []
    for a in algorithms:
        own = [mean([gap for gap, _ in gaps[name, a]]) for name in names if gaps[name, a]]
        cells.append(f"{mean(own):.4f}" if own else "-")
    print("\t".join(["mean", group, f"{len(names)}"] + cells))
PY
