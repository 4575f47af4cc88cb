#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shutdown.sh [REPEATS]: checks that runs keep their answer if GNU timeout ends them. GNU timeout sends its signal
# twice, to its child and to its own process group. Runs of tai60a and tai1000a are ended by INT and TERM after a
# second, with and without a record, REPEATS (25) times each: 200 runs by default. Meanwhile two other processes keep
# the cores busy. Each run must print its answer, end with 128 + the signal, and leave a record that says "interrupted"
# with the same cost. Prints a line for each run that does not, and then ends with exit code 1.
# Variables: QAPFW: another program. BUSY=0: no other processes. SIDE_BY_SIDE: number of runs at the same time (1).
set -u
cd "$(dirname "$0")/.."
qapfw=${QAPFW:-build/release/bin/qapfw}
repeats=${1:-25} busy=${BUSY:-2} side_by_side=${SIDE_BY_SIDE:-1}
work=$(mktemp -d)
loads=()
for ((k = 0; k < busy; ++k)); do
    (while :; do :; done) &
    loads+=($!)
done
trap '[ ${#loads[@]} = 0 ] || kill "${loads[@]}"; rm -rf "$work"' EXIT

field() { sed -n "s/^  \"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" 2>/dev/null | head -1; }

# one NAME INSTANCE INT|TERM kept|none: makes a run that the signal ends, with a record (kept) or without one (none).
# Writes what is wrong to NAME.wrong.
one() {
    local place=$work/$1 instance=$2 signal=$3 record=$4 words status wanted=$((128 + $(kill -l "$3"))) cost
    words=(--out "$place.record")
    [ "$record" = kept ] || words=(--set output.record=false)
    timeout -s "$signal" --preserve-status 1 "$qapfw" solve "$instance" --time 60s --backend cpu --threads 2 --json \
        "${words[@]}" >"$place.out" 2>"$place.err"
    status=$?
    cost=$(field "$place.out" best_cost)
    {
        [ "$status" = "$wanted" ] || echo "exit code $status, $wanted was wanted"
        [[ $cost =~ ^[0-9]+$ ]] || echo "no answer"
        if [ "$record" = kept ]; then
            [ "$(field "$place.record/result.json" stop_reason)" = interrupted ] || echo "the record is not finished"
            [ "$(field "$place.record/result.json" best_cost)" = "$cost" ] || echo "the record has another cost"
        fi
    } >"$place.wrong"
}

runs=0
for instance in tai60a tai1000a; do
    for signal in INT TERM; do
        for record in kept none; do
            for ((k = 1; k <= repeats; ++k)); do
                runs=$((runs + 1))
                one "$instance $signal $record $k" "$instance" "$signal" "$record" &
                ((runs % side_by_side)) || { for job in $(jobs -p); do [[ " ${loads[*]} " == *" $job "* ]] || wait "$job"; done; }
            done
        done
    done
done
for job in $(jobs -p); do [[ " ${loads[*]} " == *" $job "* ]] || wait "$job"; done
missed=0
for wrong in "$work"/*.wrong; do
    [ -s "$wrong" ] || continue
    missed=$((missed + 1))
    name=$(basename "$wrong" .wrong)
    echo "$name: $(paste -sd ';' "$wrong") $(tail -1 "$work/$name.err")"
done
echo "$((runs - missed)) of $runs runs kept their answer"
[ "$missed" = 0 ]
