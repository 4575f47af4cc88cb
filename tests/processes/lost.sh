#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lost.sh <program> [<trials> [<solver>...]]: one of three processes is killed, stopped or asked to end at a random moment,
# <trials> times each (default 1), in turn with each of the solvers (default imga). All processes end within 10 s, one
# sentence names the lost one, and the record goes on, on another number of processes, to where an undisturbed run ends.
# QAPFW_MPIRUN: how to start processes, default "mpirun --oversubscribe".
set -u
. "$(dirname "$0")/ranks.sh"
binary=$(realpath "$1") trials=${2:-1} failures=0 trial=0 longest=0
solvers=("${@:3}")
[ ${#solvers[@]} -gt 0 ] || solvers=(imga)
read -ra launcher <<<"${QAPFW_MPIRUN:-mpirun --oversubscribe}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work

declare -A settings=(
    [imga]="islands=4 size=40 migrate_every=5 round=20 iterations=60000"
    [cas]="colonies=4 ants=8 exchange_every=5 round=20 iterations=20000"
    [ga_distributed]="subpopulations=6 size=32 exchange_every=20 round=20 iterations=30000"
    [ga_independent]="blocks=6 size=32 round=20 iterations=30000"
    [pga_grid]="grids=4 rows=4 columns=4 exchange_every=10 round=20 iterations=20000"
    [memetic]="islands=6 iterations=300"
    [tabu]="searches=6 iterations=400000")
arguments=()
arguments_of() {  # solver
    local one
    arguments=(--set problem.plugin=qap --set problem.instance=tai20a --set algorithm.plugin="$1" --seed 7 --threads 1
        --set output.checkpoint_interval=0.1s)
    for one in ${settings[$1]}; do
        case $one in
            iterations=*) arguments+=(--iterations "${one#*=}") ;;
            *) arguments+=(--set "algorithm.$one") ;;
        esac
    done
}
digest_of() { grep -o '"digest": "[0-9a-f]*"' "$1/result.json"; }
lines_of() { sed 's/"seconds":[^,]*,//' "$1/trace.jsonl"; }
complain() { echo "FAILED $1: $2"; failures=$((failures + 1)); sed 's/^/  /' "$work/err" "$work/out"; }

# All processes that the launcher started, which the test may find still there after it has ended.
wait_for_all() {  # name, pids
    local pid
    for pid in "${@:2}"; do
        for _ in $(seq 1000); do [ -d "/proc/$pid" ] || break; sleep 0.01; done
        [ ! -d "/proc/$pid" ] || grep -qs "^State:.[TZ]" "/proc/$pid/status" || complain "$1" "process $pid is still there"
    done
}

# MPICH's launcher ends all at once when it notices a loss, often before one of them has told it, and has words of its own.
is_told() {  # text of the message
    local lines
    lines=$(cat "$work/err" "$work/out" | grep -c -E "$1")
    [ "$lines" = 1 ] || { [ "$lines" = 0 ] && grep -qE "PID [0-9]+ RUNNING AT" "$work/err" "$work/out"; }
}

# disturb <name> <solver> <signal> <rank> <exit codes> <text of the message>
disturb() {
    local name=$1 record=$work/$1 whole=$work/whole-$2 started pid victim status took all
    arguments_of "$2"
    "${launcher[@]}" -n 3 "$binary" run "${arguments[@]}" --out "$record" >"$work/out" 2>"$work/err" &
    pid=$!
    for _ in $(seq 1000); do [ -s "$record/trace.jsonl" ] && break; sleep 0.01; done
    sleep "0.$((RANDOM % 90 + 10))"
    all=$(for rank in 0 1 2; do process_of $pid $rank; done)
    victim=$(process_of $pid "$4")
    [ -n "$victim" ] || { complain "$name" "the run was over before"; wait $pid; return; }
    started=${EPOCHREALTIME/./}
    kill "-$3" "$victim"
    wait $pid
    status=$?
    [ "$3" != STOP ] || kill -KILL "$victim" 2>/dev/null  # nobody can end it otherwise if the launcher did not
    wait_for_all "$name" $all
    took=$(((${EPOCHREALTIME/./} - started) / 1000))
    [ $took -le $longest ] || longest=$took
    [ $took -lt 10000 ] || complain "$name" "it took $took ms"
    [[ " $5 " == *" $status "* ]] || complain "$name" "exit code $status, wanted one of $5"
    is_told "$6" || complain "$name" "wanted one line with: $6"
    "${launcher[@]}" -n $((RANDOM % 4 + 1)) "$binary" resume --quiet "$record" >"$work/out" 2>"$work/err" ||
        complain "$name" "resume fails"
    [ "$(digest_of "$record")" = "$(digest_of "$whole")" ] || complain "$name" "resumed to $(digest_of "$record")"
    cmp -s <(lines_of "$record") <(lines_of "$whole") || complain "$name" "the trace differs"
    echo "done: $name (rank $4, moment and signal at random), ended after $took ms"
    rm -rf "$record"
}

for solver in "${solvers[@]}"; do
    arguments_of "$solver"
    "$binary" run --quiet "${arguments[@]}" --out "$work/whole-$solver" >"$work/out" 2>"$work/err" ||
        complain "$solver" "it fails undisturbed"
done
for trial in $(seq "$trials"); do
    solver=${solvers[$((trial % ${#solvers[@]}))]}
    for rank in 0 $((RANDOM % 2 + 1)); do
        disturb "$solver-killed-$rank-$trial" "$solver" KILL $rank "137 9 11" \
            "process $rank \(pid [0-9]+ on host .*\) ended before the others"
    done
    rank=$((RANDOM % 3))
    disturb "$solver-stopped-$trial" "$solver" STOP $rank "11 9" \
        "process $rank \(pid [0-9]+ on host .*\) has not answered for 5 s"
    disturb "$solver-asked-$trial" "$solver" TERM $((RANDOM % 3)) "143" "ended by  interrupted"
done
echo "$((4 * trials)) trials, $failures failures, the longest end took $longest ms"
exit $((failures > 0))
