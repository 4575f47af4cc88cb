#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lost.sh <program> [<trials>]: one of three processes is killed, stopped or asked to end at a random moment, <trials>
# times each (default 1). All processes end within 10 s, one sentence names the lost one, and the record goes on, on
# another number of processes, to where an undisturbed run ends.
set -u
. "$(dirname "$0")/ranks.sh"
binary=$(realpath "$1") trials=${2:-1} failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work
arguments=(--set problem.plugin=qap --set problem.instance=tai20a --set algorithm.plugin=imga --set algorithm.islands=4
    --set algorithm.size=40 --set algorithm.migrate_every=5 --set algorithm.round=20 --iterations 60000 --seed 7 --threads 1
    --set output.checkpoint_interval=0.1s)

digest_of() { grep -o '"digest": "[0-9a-f]*"' "$1/result.json"; }
complain() { echo "FAILED $1: $2"; failures=$((failures + 1)); sed 's/^/  /' "$work/err"; }

# disturb <name> <signal> <rank> <exit codes> <text of the message>
disturb() {
    local name=$1 record=$work/$1 started pid victim status
    mpirun --oversubscribe -n 3 "$binary" run "${arguments[@]}" --out "$record" >"$work/out" 2>"$work/err" &
    pid=$!
    for _ in $(seq 1000); do [ -s "$record/trace.jsonl" ] && break; sleep 0.01; done
    sleep "0.$((RANDOM % 90 + 10))"
    victim=$(process_of $pid "$3")
    [ -n "$victim" ] || { complain "$name" "the run was over before"; wait $pid; return; }
    started=${EPOCHREALTIME/./}
    kill "-$2" "$victim"
    wait $pid
    status=$?
    [ $((${EPOCHREALTIME/./} - started)) -lt 10000000 ] || complain "$name" "it took longer than 10 s"
    [[ " $4 " == *" $status "* ]] || complain "$name" "exit code $status, wanted one of $4"
    [ "$(grep -c -E "$5" "$work/err" "$work/out" | awk -F: '{ n += $2 } END { print n }')" = 1 ] ||
        complain "$name" "wanted one line with: $5"
    mpirun --oversubscribe -n $((RANDOM % 4 + 1)) "$binary" resume --quiet "$record" >"$work/out" 2>"$work/err" ||
        complain "$name" "resume fails"
    [ "$(digest_of "$record")" = "$wanted" ] || complain "$name" "resumed to $(digest_of "$record"), wanted $wanted"
    cmp -s <(lines_of "$record") <(lines_of "$work/whole") || complain "$name" "the trace differs"
    echo "done: $name (rank $3), $((($(date +%s%6N) - started) / 1000)) ms"
}
lines_of() { sed 's/"seconds":[^,]*,//' "$1/trace.jsonl"; }

"$binary" run --quiet "${arguments[@]}" --out "$work/whole" >"$work/out" 2>"$work/err" || complain whole "it fails"
wanted=$(digest_of "$work/whole")
for trial in $(seq "$trials"); do
    for rank in 0 1; do
        disturb "killed-$rank-$trial" KILL "$rank" "137 11" "process $rank \(pid [0-9]+ on host .*\) ended before the others"
    done
    rank=$((RANDOM % 3))
    disturb "stopped-$trial" STOP $rank "11" "process $rank \(pid [0-9]+ on host .*\) has not answered for 5 s"
    disturb "asked-$trial" TERM $((RANDOM % 3)) "143" "ended by  interrupted"
done
exit $((failures > 0))
