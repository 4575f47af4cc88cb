# SPDX-License-Identifier: Apache-2.0
# Runs one case from its first session to its last. check.sh sources this file and sets `binary`, `launch`, `arguments`
# and `iterations`.

essence() {  # reads a result in JSON; prints its digest, best cost, iterations and evaluations on one line
    awk '/^  "(digest|best_cost_text|iterations|evaluations)": / { gsub(/[",:]/, ""); value[$1] = $2 }
         END { if (value["digest"] != "")
                   print value["digest"], value["best_cost_text"], value["iterations"], value["evaluations"] }'
}

# session <way> <folder>: runs the sessions of the way and shows the result of the last session in JSON. The patterns of
# the `case` statement list the ways.
session() {
    local record=$2/record
    case $1 in
        whole) ${launch[@]+"${launch[@]}"} "$binary" run --quiet --json --set output.record=false "${arguments[@]}" --iterations "$iterations" ;;
        extended:*) begin_run "$record" --iterations "${1#*:}" && resume "$record" --iterations "$iterations" ;;
        timed:*) begin_timed "$record" "${1#*:}" "$2/uncut" && resume "$record" --time-limit 1h ;;
        killed) begin_cut KILL 137 "$record" checkpoint.bin 0 "$2/uncut" && resume "$record" ;;
        interrupted:*) begin_cut INT 130 "$record" trace.jsonl "${1#*:}" "$2/uncut" && resume "$record" ;;
        *) echo "check.sh: unknown way \"$1\"" >&2 ;;
    esac
}
resume() { ${launch[@]+"${launch[@]}"} "$binary" resume --quiet --json "$@"; }
begin_run() {  # folder of the run record, then more arguments: runs the first session, which writes the record
    ${launch[@]+"${launch[@]}"} "$binary" run --quiet "${arguments[@]}" --out "$@" >/dev/null
}
begin_timed() {  # record, time limit, file to make if the run ended before the limit
    begin_run "$1" --iterations "$iterations" --time-limit "$2" || return
    grep -q '"stop_reason": "time_limit"' "$1/result.json" || touch "$3"
}
# begin_cut <signal> <exit code of a run that the signal ended> <record> <file in the record> <seconds> <other file>:
# starts a run, waits for the file in the record and then for the seconds, and sends the signal. If the run did not end
# by the signal, makes the other file.
begin_cut() {
    ${launch[@]+"${launch[@]}"} "$binary" run --quiet "${arguments[@]}" --iterations "$iterations" --set output.checkpoint_interval=0s \
        --out "$3" >/dev/null &
    local pid=$! status victim=''
    while kill -0 $pid 2>/dev/null && [ ! -s "$3/$4" ]; do sleep 0.005; done
    sleep "$5"
    victim=$pid
    # With a launcher, process 0 gets the signal: a launcher that is killed leaves its processes behind.
    [ ${#launch[@]} -eq 0 ] || victim=$(process_of $pid 0)
    kill -"$1" $victim 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
    [ ${#launch[@]} -eq 0 ] || [ $status -ne 11 ] || status=137  # 11: the other processes have lost the killed process 0
    [ $status -eq "$2" ] || touch "$6"
    [ $status -eq "$2" ] || [ $status -eq 0 ]
}
