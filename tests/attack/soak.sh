#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/attack/soak.sh [MINUTES [BUILD]]: checks that long runs do not use more and more memory (default: 30 minutes,
# build/release). Four jobs run in parallel: tabu search and an island GA on a layout, both with records, a study of
# short runs, and the island GA on two processes. For each job, prints the resident memory of all its qapfw processes
# in KiB: the largest sum in the first fifth of the time, and the largest sum after that. Fails if the second number is
# larger by more than 2 % and more than 2 MiB, or if a job does not end as it should.
set -u
minutes=${1:-30}
cd "$(dirname "$0")/../.." || exit 2
build=$(realpath "${2:-build/release}")
qapfw=$build/bin/qapfw
[[ $minutes =~ ^[1-9][0-9]*$ ]] || { echo "soak.sh: wanted a number of minutes, found \"$minutes\"" >&2; exit 2; }
[ -x "$qapfw" ] || { echo "soak.sh: there is no program $qapfw" >&2; exit 2; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
seconds=$((60 * minutes))

declare -A pid
begin() {  # begin <name> <command...>: starts a job in the background
    local name=$1
    shift
    "$@" >"$work/$name.out" 2>&1 &
    pid[$name]=$!
}
run=("$qapfw" run --quiet --backend cpu --threads 1 --time-limit "${minutes}m")
islands=(--set problem.plugin=uaflp --set problem.instance=F40 --set algorithm.plugin=imga --set algorithm.islands=8)
begin tabu "${run[@]}" --out "$work/tabu" --set problem.plugin=qap --set problem.instance=tai30a \
    --set algorithm.plugin=tabu --set output.checkpoint_interval=10s
begin imga "${run[@]}" --out "$work/imga" "${islands[@]}" --set output.checkpoint_interval=10s
cat >"$work/study.toml" <<'END'
title = "Many short runs"
measure = "cost"
seeds = 1000000
[[instances]]
names = ["tai12a"]
[[algorithms]]
name = "tabu"
set = { problem.plugin = "qap", algorithm.plugin = "tabu", run.time_limit = "0.2s" }
END
begin study timeout --signal=INT "$seconds" "$qapfw" study run "$work/study.toml" --work "$work/study" --quiet \
    --backend cpu --threads 1
if command -v mpirun >/dev/null; then
    begin processes mpirun --oversubscribe -n 2 "${run[@]}" --out "$work/processes" "${islands[@]}"
else
    echo "SKIPPED two processes: there is no mpirun"
fi

tree() {  # tree <pid>: prints the process and all its descendants
    local child
    echo "$1"
    for child in $(pgrep -P "$1"); do tree "$child"; done
}
resident() {  # resident <pid>: prints the resident memory in KiB of all qapfw processes in the process's tree
    local one
    for one in $(tree "$1"); do
        awk '$1 == "VmRSS:" && name ~ /qapfw/ { print $2 } $1 == "Name:" { name = $2 }' "/proc/$one/status" 2>/dev/null
    done | awk '{ sum += $1 } END { print sum + 0 }'
}
declare -A early most
begun=$SECONDS
while [ $((SECONDS - begun)) -lt $((seconds - 5)) ]; do
    sleep 2
    for name in "${!pid[@]}"; do
        now=$(resident "${pid[$name]}")
        if [ $((5 * (SECONDS - begun))) -lt "$seconds" ]; then
            early[$name]=$((now > ${early[$name]:-0} ? now : ${early[$name]:-0}))
        else
            most[$name]=$((now > ${most[$name]:-0} ? now : ${most[$name]:-0}))
        fi
    done
done

failed=0
printf '%-10s %10s %10s %s\n' run early most end
for name in tabu imga study processes; do
    [ -n "${pid[$name]:-}" ] || continue
    wait "${pid[$name]}"
    status=$? verdict=ok
    grown=$((${most[$name]:-0} - ${early[$name]:-0}))
    [ $((50 * grown)) -le "${early[$name]:-0}" ] || [ $grown -le 2048 ] || verdict='memory grew'
    [ "${early[$name]:-0}" -gt 0 ] && [ "${most[$name]:-0}" -gt 0 ] || verdict='no memory seen'
    case $name,$status in
        study,124 | study,130 | [!s]*,0) ;;
        *) verdict="exit $status" ;;
    esac
    [ "$verdict" = ok ] || { failed=1; tail -3 "$work/$name.out"; }
    printf '%-10s %10s %10s %s\n' "$name" "${early[$name]:-0}" "${most[$name]:-0}" "$verdict"
done
echo "runs of the study: $(find "$work/study" -name result.json 2>/dev/null | wc -l)"
exit $failed
