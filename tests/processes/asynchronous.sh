#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# asynchronous.sh <program> <component with latency>: runs with run.exchange = "asynchronous". All processes work, nobody waits for a process that
# stands still, limits, targets and signals end all, and the record says what it is and can be resumed.
set -u
. "$(dirname "$0")/ranks.sh"
binary=$(realpath "$1") delayed=$(realpath "$2") failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work
islands=(--set problem.plugin=qap --set problem.instance=tai20a --set algorithm.plugin=imga --set algorithm.islands=6
    --set algorithm.size=30 --set algorithm.migrate_every=5 --set algorithm.round=20 --seed 7 --threads 1)
apart=(--set run.exchange=asynchronous)
complain() { echo "FAILED: $1"; failures=$((failures + 1)); sed 's/^/  /' "$work/err"; }
on() { local count=$1; shift; mpirun --oversubscribe -n "$count" "$binary" "$@" >"$work/out" 2>"$work/err"; }
value() { grep -oE "\"$2\": [^,}]*" "$1/result.json" | head -1 | sed 's/.*: //; s/"//g'; }
sound() { "$binary" verify "$1" >"$work/err" 2>&1 || complain "verify refuses $1"; }

begin() {  # sign, processes, arguments...: in the background, until the record or the screen has the sign of a search
    mpirun --oversubscribe -n "$2" "$binary" "${@:3}" >"$work/out" 2>"$work/err" &
    launcher=$!
    for _ in $(seq 1000); do [ -s "$1" ] || grep -qs "$1" "$work/err" && break; sleep 0.01; done
}

# Limits of process 0; evaluations of all; marked.
on 3 run "${islands[@]}" "${apart[@]}" --iterations 3000 --out "$work/a" || complain "the run fails"
grep -q "not reproducible" "$work/out" || complain "the screen does not say what the run is"
[ "$(value "$work/a" reproducible)" = 0.0 ] || complain "the record does not say what the run is"
grep -q 'exchange = "asynchronous"' "$work/a/config.toml" || complain "the configuration does not say what the run is"
[ "$(value "$work/a" iterations)" = 3000 ] || complain "wanted 3000 iterations"
"$binary" run "${islands[@]}" --set algorithm.islands=2 --iterations 3000 --out "$work/share" --quiet >/dev/null 2>"$work/err"
[ "$(value "$work/a" evaluations)" -gt "$(value "$work/share" evaluations)" ] || complain "not all evaluations count"

# Resumed on two processes, where a signal to one ends both, and on one.
begin "resumed after 3000" 2 resume "$work/a" --iterations 1000000000
sleep 0.3
kill -TERM "$(process_of $launcher 1)"
wait $launcher
[ $? -eq 143 ] || complain "wanted exit code 143"
reached=$(value "$work/a" iterations)
[ "$reached" -gt 3000 ] || complain "a resume on two processes does nothing"
"$binary" resume "$work/a" --iterations $((reached + 1000)) >"$work/out" 2>"$work/err" || complain "a resume on one process fails"
[ "$(value "$work/a" iterations)" = $((reached + 1000)) ] || complain "wanted $((reached + 1000)) iterations after the resumes"
sound "$work/a"

# Whoever reaches the target ends all.
on 3 run --set problem.plugin=qap --set problem.instance=tai12a --set algorithm.plugin=memetic --set algorithm.islands=4 \
    --seed 3 --threads 1 "${apart[@]}" --set run.target=best-known --time-limit 30s --out "$work/target" ||
    complain "the run to a target fails"
[ "$(value "$work/target" target_reached)" = true ] || complain "the target is not reached"
sound "$work/target"

# A process stands still for most of the time: the others go on, if the run is asynchronous. The time limit ends all.
iterations_beside_a_sleeper() {  # record, more arguments
    local sleeper
    begin "$1/trace.jsonl" 2 run "${islands[@]}" "${@:2}" --time-limit 800ms --out "$1"
    sleeper=$(process_of $launcher 1)
    kill -STOP "$sleeper"
    sleep 0.7
    kill -CONT "$sleeper"
    wait $launcher || complain "the run beside a process that stands still fails"
    [ "$(value "$1" stop_reason)" = time_limit ] || complain "the time limit does not end the run"
    value "$1" iterations
}
waits=$(iterations_beside_a_sleeper "$work/waits")
apart_too=$(iterations_beside_a_sleeper "$work/apart" "${apart[@]}")
echo "iterations beside a process that stands still: synchronous $waits, asynchronous $apart_too"
[ "$apart_too" -gt $((2 * waits)) ] || complain "process 0 waited"

# Messages take 10 ms: only who waits for them is slow. bench/process_latency.sh measures it.
component=$("$binary" doctor --json | grep -oE '"component": "[^"]*"' | cut -d'"' -f4)
iterations_with_latency() {  # record, more arguments
    QAPFW_MPI_COMPONENT=$delayed QAPFW_DELAYED_COMPONENT=$component QAPFW_DELAY_MS=10 \
        on 2 run "${islands[@]}" "${@:2}" --time-limit 400ms --out "$1" || complain "the run with latency fails"
    value "$1" iterations
}
waits=$(iterations_with_latency "$work/late")
apart_too=$(iterations_with_latency "$work/late-apart" "${apart[@]}")
echo "iterations with a latency of 10 ms: synchronous $waits, asynchronous $apart_too"
[ "$apart_too" -gt $((2 * waits)) ] || complain "latency slows the asynchronous run down"

# What cannot be is refused.
on 2 run "${islands[@]}" "${apart[@]}" --set algorithm.islands=1 --iterations 10 --out "$work/few" && complain "1 island on 2"
grep -q "each of the 2 processes needs a group (island, colony, ...), and there are 1" "$work/err" || complain "no sentence"
[ $failures -eq 0 ] && echo passed
exit $((failures > 0))
