#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lost.sh <program> [<trials> [<events> [<solver>...]]]: sends SIGKILL, SIGSTOP or SIGTERM to one of three processes at
# a random moment. All processes must end within 10 s, and one message must name the lost process, or SIGTERM. The
# record, resumed on another number of processes, must end like an undisturbed run. <events>: words <signal>:<rank>,
# where a rank may be "any" or "other" (not 0); default "KILL:0 KILL:other STOP:any TERM:any". Each event is tried
# <trials> times (default 1) with each solver (default imga), two trials at a time. QAPFW_MPIRUN: command to start
# processes, default "mpirun --oversubscribe".
set -u
. "$(dirname "$0")/ranks.sh"
binary=$(realpath "$1") trials=${2:-1} count=0
read -ra events <<<"${3:-KILL:0 KILL:other STOP:any TERM:any}"
solvers=("${@:4}")
[ ${#solvers[@]} -gt 0 ] || solvers=(imga)
read -ra launcher <<<"${QAPFW_MPIRUN:-mpirun --oversubscribe}"
all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# more: iterations that the resume adds.
declare -A settings=(
    [imga]="islands=4 size=40 migrate_every=5 round=20 more=500"
    [cas]="colonies=4 ants=8 exchange_every=5 round=20 more=200"
    [ga_distributed]="subpopulations=6 size=32 exchange_every=20 round=20 more=300"
    [ga_independent]="blocks=6 size=32 round=20 more=300"
    [pga_grid]="grids=4 rows=4 columns=4 exchange_every=10 round=20 more=200"
    [memetic]="islands=6 child_work=2000 size=4 round=20000 rung=2 more=20"
    [tabu]="searches=6 perturb_after=500 share_after=2000 more=5000"
    [random_restart]="batch=12 improver.plugin=two_opt more=20")
arguments=() more=0
arguments_of() {  # solver
    local one
    arguments=(--set problem.plugin=qap --set problem.instance=tai20a --set algorithm.plugin="$1" --seed 7 --threads 1
        --set output.checkpoint_interval=0.1s)
    for one in ${settings[$1]}; do
        case $one in
            more=*) more=${one#*=} ;;
            *) arguments+=(--set "algorithm.$one") ;;
        esac
    done
}
value() { grep -oE "\"$2\": [^,]*" "$1/result.json" | head -1; }
lines_of() { sed '/"offered"/d; s/"seconds":[^,]*,//' "$1/trace.jsonl"; }  # leaves out what depends on time
complain() { echo "FAILED $1: $2"; echo "$2" >>"$work.failed"; sed 's/^/  /' "$work/err" "$work/out"; }

# Waits for all processes that the launcher started. They may still be there after the launcher has ended.
wait_for_all() {  # name, pids
    local pid
    for pid in "${@:2}"; do
        for _ in $(seq 1000); do [ -d "/proc/$pid" ] || break; sleep 0.01; done
        [ ! -d "/proc/$pid" ] || grep -qs "^State:.[TZ]" "/proc/$pid/status" || complain "$1" "process $pid is still there"
    done
}

# True if exactly one process reported the loss. MPICH's launcher ends all processes when it notices a loss, often
# before a process has reported it. Then the launcher's own message counts.
is_told() {  # text of the message
    local lines
    lines=$(cat "$work/err" "$work/out" | grep -c -E "$1")
    [ "$lines" = 1 ] || { [ "$lines" = 0 ] && grep -qE "PID [0-9]+ RUNNING AT" "$work/err" "$work/out"; }
}

# goes_on <name> <record>: resumes on a random number of processes. The run must end like one that was not disturbed.
goes_on() {
    local whole=$work/whole end
    # One process resumes with a limit that is already reached. So it only reports how far the record goes.
    "$binary" resume --quiet "$2" --iterations 1 >"$work/out" 2>"$work/err" || complain "$1" "resume on one process fails"
    end=$(value "$2" iterations)
    end=$((${end#*: } + more))
    "${launcher[@]}" -n $((RANDOM % 4 + 1)) "$binary" resume --quiet "$2" --iterations $end >"$work/out" 2>"$work/err" ||
        complain "$1" "resume fails"
    "$binary" run --quiet "${arguments[@]}" --iterations $end --out "$whole" >"$work/out" 2>"$work/err" ||
        complain "$1" "it fails undisturbed"
    [ "$(value "$2" iterations)" = "\"iterations\": $end" ] || complain "$1" "wanted $end, it has $(value "$2" iterations)"
    [ "$(value "$2" digest)" = "$(value "$whole" digest)" ] || complain "$1" "resumed to $(value "$2" digest)"
    cmp -s <(lines_of "$2") <(lines_of "$whole") || complain "$1" "the trace differs"
    rm -rf "$2" "$whole"
    went_to=$end
}

# disturb <name> <solver> <signal> <rank> <exit codes> <text of the message>: sends the signal to one process of a run,
# checks how the run ends, and resumes it.
disturb() {
    local name=$1 record=$work/record started pid victim status took ranks went_to=0
    arguments_of "$2"
    "${launcher[@]}" -n 3 "$binary" run "${arguments[@]}" --out "$record" >"$work/out" 2>"$work/err" &
    pid=$!
    for _ in $(seq 1000); do [ -s "$record/trace.jsonl" ] && break; sleep 0.01; done
    sleep "0.$((RANDOM % 450 + 100))"
    ranks=$(for rank in 0 1 2; do process_of $pid $rank; done)
    victim=$(process_of $pid "$4")
    [ -n "$victim" ] || { complain "$name" "there is no process $4"; wait $pid; return; }
    started=${EPOCHREALTIME/./}
    kill "-$3" "$victim"
    wait $pid
    status=$?
    [ "$3" != STOP ] || kill -KILL "$victim" 2>/dev/null  # only SIGKILL ends a stopped process
    wait_for_all "$name" $ranks
    took=$(((${EPOCHREALTIME/./} - started) / 1000))
    [ $took -lt 10000 ] || complain "$name" "it took $took ms"
    [[ " $5 " == *" $status "* ]] || complain "$name" "exit code $status, wanted one of $5"
    is_told "$6" || complain "$name" "wanted one line with: $6"
    goes_on "$name" "$record"
    echo "done: $name (rank $4), ended after $took ms, went on to iteration $went_to"
}

trial() {  # name, solver, event
    local rank=${3#*:} named
    export TMPDIR=$work  # two mpirun at the same time need separate folders for temporary files
    mkdir "$work"
    [ "$rank" != any ] || rank=$((RANDOM % 3))
    [ "$rank" != other ] || rank=$((RANDOM % 2 + 1))
    named="process $rank \(pid [0-9]+ on host .*\)"
    case $3 in
        KILL:*) disturb "$1" "$2" KILL "$rank" "137 9 11" "$named ended before the others" ;;
        STOP:*) disturb "$1" "$2" STOP "$rank" "11 9" "$named has not answered for [0-9.]+ s" ;;
        TERM:*) disturb "$1" "$2" TERM "$rank" "143" "ended +after .*: interrupted by SIGTERM" ;;
        *) complain "$1" "no such event" ;;
    esac
    rm -rf "$work"
}

for solver in "${solvers[@]}"; do
    for number in $(seq "$trials"); do
        for event in "${events[@]}"; do
            while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
            count=$((count + 1))
            work=$all/$count
            trial "$solver-$event-$number" "$solver" "$event" &
        done
    done
done
wait
failures=$(cat "$all"/*.failed 2>/dev/null | wc -l)
echo "$count trials, $failures failures"
exit $((failures > 0))
