#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_mistakes.sh <program> <mistakes.qapfw.so> problem|device|solver|improver|run|library
# Checks that `plugin check` finds each mistake of tests/bad_plugins/mistakes.cpp and prints its message. It must find
# nothing in a plugin without mistakes.
set -uo pipefail
ulimit -c 0  # crashes are wanted here, but not their core files
program=$1 library=$2 group=$3
status=0 count=0
own=$(mktemp -d)  # a folder with this library alone, so that --plugin-path finds no other bad plugin
trap 'rm -rf "$own"' EXIT
cp "$library" "$own"

# try <mistake> <cases> <message>: the check must fail with this message.
try() {
    local said code
    said=$("$program" plugin check "$library" --set "mistake=$1" --only "$2" 2>&1)
    code=$?
    if [ $code != 8 ] || ! grep -qF -- "$3" <<<"$said"; then
        printf 'WRONG: with the mistake %s, code 8 and "%s" were wanted, found code %s and:\n%s\n' "$1" "$3" $code "$said"
        status=1
    else
        echo "$1: $3"
    fi
    count=$((count + 1))
}
# sound <cases> [option...]: checks that the components `mistaken` have no fault if no mistake is set. Other components
# of the library always have faults.
sound() {
    local said
    said=$("$program" plugin check "$library" --only "$1" "${@:2}" 2>&1)
    if grep -E '^(FAIL|CRASH|HANG) +(problem|solver|improver) mistaken ' <<<"$said"; then
        printf 'WRONG: found in a sound component:\n%s\n' "$said"
        status=1
    fi
}

# skips <mistake> <cases> <message>: the case must be skipped for this reason, and nothing may fail.
skips() {
    local said code
    said=$("$program" plugin check "$library" --set "mistake=$1" --only "solver mistaken $2" 2>&1)
    code=$?
    if [ $code != 0 ] || ! grep -qF -- "$3" <<<"$said" || ! grep -q '^skip' <<<"$said"; then
        printf 'WRONG: with the mistake %s, a skipped case and "%s" were wanted, found code %s and:\n%s\n' "$1" "$3" $code "$said"
        status=1
    else
        echo "$1: $3"
    fi
    count=$((count + 1))
}
# run_of <mistake> <code> <message> [option...]: a run with the problem "mistaken" must end with this message and code.
run_of() {
    local said code
    said=$("$program" run --plugin-path "$own" --set problem.plugin=mistaken --set "problem.mistake=$1" \
        --set algorithm.plugin=tabu --backend cpu --iterations 200 --no-record ${verbosity---quiet} "${@:4}" 2>&1)
    code=$?
    if [ $code != "$2" ] || ! grep -qF -- "$3" <<<"$said"; then
        printf 'WRONG: a run with the mistake %s: code %s and "%s" were wanted, found code %s and:\n%s\n' "$1" "$2" "$3" $code "$said"
        status=1
    else
        echo "$1: $3"
    fi
    count=$((count + 1))
}
# changed_file: `qapfw resume` must refuse a run whose instance file has changed, even if the problem has no fingerprint.
changed_file() {
    local place said code
    place=$(mktemp -d)
    echo a >"$place/data"
    "$program" run --plugin-path "$own" --set problem.plugin=mistaken --set problem.mistake=no_fingerprint \
        --set "problem.file=\"$place/data\"" --set algorithm.plugin=tabu --backend cpu --iterations 200 --out "$place/run" --quiet \
        >/dev/null 2>&1
    said=$("$program" resume "$place/run" --plugin-path "$own" --iterations 300 --quiet 2>&1)
    code=$?
    [ $code = 0 ] || { printf 'WRONG: the same file is not resumed:\n%s\n' "$said"; status=1; }
    echo b >"$place/data"
    said=$("$program" resume "$place/run" --plugin-path "$own" --iterations 400 --quiet 2>&1)
    code=$?
    if [ $code = 0 ] || ! grep -q 'instance data' <<<"$said"; then
        printf 'WRONG: a changed file is resumed, code %s:\n%s\n' $code "$said"
        status=1
    fi
    rm -rf "$place"
    count=$((count + 1))
}

case $group in
    problem)
        sound mistaken
        sound "problem mistaken" --set size=1
        sound "problem mistaken" --set size=2
        try lower_bound bound-holds 'lower_bound is 1000000, but a solution costs '
        try explains_nan explanation-is-sane 'problem mistaken: explain: first is nan'
        try explains_twice explanation-is-sane 'problem mistaken: explain: two parts of the cost have the name first'
        try explains_otherwise explanation-is-sane 'explain gives other names of parts for another solution'
        verbosity= run_of explains_nan 0 'explain: first is nan; the answer is shown without the parts of its cost'
        try instance_bound instance-bound 'bound of nothing is 1000000, but a solution to which this bound applies costs '
        try path_bound path-bounds 'the bound of 9 fixed positions is '
        try child_bound path-bounds "a child's bound after "
        try unfix path-bounds 'after calls of unfix and fix, the bound with '
        try info_size info-sane 'qapfw_problem_info.struct_size is 0, but it must be at least 128'
        try encoding_size info-sane 'qapfw_problem_info.encoding.struct_size is 0, but it must be at least 40'
        try trailing_junk bad-solution-text 'read_solution accepts solution.txt followed by "7"'
        try accepts_text bad-solution-text 'read_solution accepts ""'
        try read_back artefacts-read-back 'solution.txt reads back as another solution'
        try no_artefact artefacts-read-back 'write_artefacts gives no file'
        try accepts_invalid invalid-is-refused 'evaluate accepts an invalid solution, with '
        try insertion_delta insertions ' moving the element at '
        try batch batch-is-single ' in a batch'
        try changes_solution evaluate-leaves-solutions 'evaluate changed the solution'
        try fingerprint two-at-once 'two objects of one instance have different fingerprints'
        try wrong_type create-destroy "parameter 'size' is declared as an integer and was read as a real number"
        try prints prints-nothing 'it prints "cost of a solution"; standard output and standard error'
        try leaks leaks-nothing 'memory grows by about '
        try shared_state two-different ' while a problem with other data exists: the objects share state'
        try unsafe_cache evaluate-crowded ' threads that evaluate for a while get other costs than one thread'
        try huge_cost costs-in-range 'differences of such costs do not fit 64 bits'
        try best_known_sign best-known-sane 'have the other sign. Costs are minimised'
        try best_known_absurd best-known-sane 'best_known is 1000000, but a random solution costs '
        try exits evaluate-many-threads 'it ended the process (exit code 0); plugins must throw or return a status'
        try crashes evaluate-many-threads 'signal 11 (Segmentation fault)'
        try undeclared_parameter create-destroy "parameter 'sise' was never declared"
        ;;
    device)
        try buffer_place device-text 'buffer 0: view_offset leaves no room for an 8-byte address in the view'
        try device_size device-requirements "was built for an older plugin interface"
        try view_size device-requirements "the host's view has 16 bytes (view_size), but qapfw::device::Problem::View has another size"
        try positions device-requirements 'solutions have 9 positions, but qapfw::device::Problem::kPositions has another value'
        try cost_type device-requirements 'cost_kind is QAPFW_COST_INT64, but qapfw::device::Problem::Cost is another type'
        try no_cost device-requirements 'qapfw::device::Problem needs static Cost cost(Group, const View&, Solution)'
        try device_cost device-costs 'the cost by one thread is '
        try device_sum device-costs 'the cost by a warp is '
        ;;
    solver)
        try throws_late solve-long 'a rare thing happened'
        try threads solve-repeats 'one thread and three: the trajectories differ'
        try threads_late solve-long 'one thread and three: the trajectories differ'
        try forgets_iteration solve-resumes 'uninterrupted and resumed: the trajectories differ'
        try forgets_late solve-long 'uninterrupted and resumed: the trajectories differ'
        try unread solve-resumes 'load did not read all of the saved state: 8 of '
        try ignores_stop solve-stops 'the solver does not call should_stop often enough'
        try lies solve-reports ' reported cost '
        try round_size solve-reports 'qapfw_round.struct_size is 0, but it must be at least 88'
        try too_many solve-reports 'iterations were reported, but only 30 were granted'
        try counts_nothing solve-reports 'no evaluations were reported'
        try found_absurd solve-reports 'the best solution is reported for iteration 1000000, but only 30 were made'
        try solver_prints prints-nothing 'it prints "round done"; standard output and standard error'
        skips declines solve-reports 'it works on no such solutions'
        try stream solve-reports 'a random draw has stream 70000 and slot 0; both must be below 65536'
        try moves_fixed solve-reports ' is fixed to '
        try seed solve-seeds 'two seeds give the same trajectory'
        try resolve solve-reports 'resolved its parameter round to 0, but it must be an integer from 1 to 1000 or "auto"'
        ;;
    improver)
        try worse improve-right ' became worse: '
        try wrong_cost improve-right ', but evaluate computes '
        try remembers improve-repeats 'a second call with the same solutions gives another result'
        try batch_place improve-split 'a solution gets another result in a batch than alone'
        try improver_ignores_stop improve-stops 'the improver ran for '
        try improver_moves_fixed improve-right ' is fixed to '
        try counts_no_evaluations improve-right 'it counts no evaluations'
        ;;
    run)
        run_of exits 3 'qapfw: a plugin ended the process by exit(); plugins throw or return a status instead'
        run_of crashes 139 'mistakes.qapfw.so crashed with signal SIGSEGV'
        changed_file
        ;;
    library)
        try "" name-is-free '(plugin qapfw.tabu) has a solver "tabu" too; qapfw uses at most one of the two'
        try "" backends-declared 'the component has device code (capability qapfw.problem.device/1), but QAPFW_BACKEND_CUDA is not declared'
        try "" backends-declared 'QAPFW_BACKEND_CUDA is declared, but the component has no device code (capability qapfw.improver.device/1)'
        ;;
esac
[ $count -gt 0 ] || { echo "WRONG: no group $group"; status=1; }
echo "$count mistakes"
exit $status
