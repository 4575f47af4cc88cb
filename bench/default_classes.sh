#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# default_classes.sh BUILD DATA SECONDS SEEDS [ALGORITHM[/INSTANCE]...]
# Runs the study configs/studies/default-classes.toml on all GPUs and prints a table. Columns: instance, class, best
# known value, and for each algorithm the mean gap in percent. The gap of each seed follows in brackets; "0@1.2" means
# that the best known value was reached after 1.2 s of search. The last rows have the means by class.
#   ALGORITHM: patterns as for `study run --only`. Names: memetic (the default), one of its arms alone (2opt, ux-n/2,
#   long, kick, ux-8n, break, walk), several arms as a race (four: the first four of these, four-break, four-walk,
#   four-break-walk, seven), tabu.
#   Variables: BACKEND (cuda), JOBS (auto), LIMIT (seconds for the whole study, 3600), WORK (the study's folder; an
#   existing study is continued), MORE (further options of study run).
# Examples:
#   bench/default_classes.sh build/release /data 10 2
#   bench/default_classes.sh build/release /data 10 2 'break/qapsat*' 'walk/dre*' memetic
#   BACKEND=cpu JOBS=24 MORE="--set run.threads=2" bench/default_classes.sh build/release /data 30 3 memetic four
set -eu
[ $# -ge 4 ] || { sed -n '3,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(realpath "$1") data=$(realpath "$2") seconds=$3 seeds=$4
shift 4
cd "$(dirname "$0")/.."
backend=${BACKEND:-cuda}
work=${WORK:-runs/default-classes-$backend-${seconds}s}
only=()
for pattern in "${@:-memetic}"; do only+=(--only "$pattern"); done
# shellcheck disable=SC2086
timeout "${LIMIT:-3600}" "$build/bin/qapfw" study run configs/studies/default-classes.toml --data "$data" \
    --backend "$backend" --jobs "${JOBS:-auto}" --skip-missing --pool-builds --seeds "$seeds" --time-limit "${seconds}s" \
    --work "$work" "${only[@]}" ${MORE:-} >&2 || echo "study run ended with exit code $?" >&2
"$build/bin/qapfw" study report "$work" --pool-builds >&2
python3 - "$work/runs.csv" <<'PY'
import csv
import sys
from collections import defaultdict

rows = list(csv.DictReader(open(sys.argv[1])))
algorithms = sorted({r["algorithm"] for r in rows}, key=lambda name: (name != "memetic", name))
runs, known, group = defaultdict(list), {}, {}
for r in sorted(rows, key=lambda r: int(r["seed"])):
    best = float(r["best_known"])
    gap = 100 * (float(r["cost"]) - best) / best
    runs[r["instance"], r["algorithm"]].append((gap, float(r["seconds_to_best"] or r["seconds"])))
    known[r["instance"]], group[r["instance"]] = r["best_known"], r["class"]
order = sorted(known, key=lambda name: (group[name], name))


def mean(values):
    return sum(values) / len(values)


def cell(own):
    if not own:
        return "-"
    texts = [f"{gap:.3g}" if gap > 0 else f"{gap:.2g}@{at:.1f}" for gap, at in own]
    return f"{mean([gap for gap, _ in own]):.4f} ({' '.join(texts)})"


def row(*cells):
    print("\t".join(cells))


row("instance", "class", "best known", *algorithms)
for name in order:
    row(name, group[name], known[name], *[cell(runs[name, a]) for a in algorithms])
for one in sorted(set(group.values())) + ["all"]:
    names = [name for name in order if one in ("all", group[name])]
    means = [[mean([gap for gap, _ in runs[name, a]]) for name in names if runs[name, a]] for a in algorithms]
    row("mean of", one, "", *[f"{mean(own):.4f} ({len(own)})" if own else "-" for own in means])
PY
