#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/gpu/run.sh [BUILD [ONLY]] (default: build/release, all): runs the tests that need a GPU. Compares CPU and GPU
# trajectories with `qapfw verify --cross` for solvers, improvers and kinds of instances, compares several GPUs with
# one, and ends runs in the middle of kernels. ONLY: a regular expression for the names of comparisons; recorded cases
# are then left out. Without a GPU, prints that the tests are skipped.
set -u
export QAPFW_ALLOW_PLUGINS_FROM_CONFIG=1  # a configuration below names a folder of plugins
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/release} only=${2:-}
qapfw=$build/bin/qapfw
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results=$work/results
touch "$results"

if ! "$qapfw" doctor 2>/dev/null | grep -q '^ *GPU 0 .*compute capability'; then
    echo "SKIPPED: no usable GPU here; qapfw doctor says why"
    exit 0
fi
gpus=$("$qapfw" doctor | grep -cE '^ *GPU [0-9]+ ')

report() {  # <name> <status>: prints the verdict on a case and keeps it in $results
    local verdict=ok
    [ "$2" -eq 0 ] || verdict=FAILED
    printf '%-7s %4d s  %s\n' "$verdict" $SECONDS "$1" | tee -a "$results"  # seconds since this script began
}
# Every process takes memory of every GPU that it opens. So even with many cores,
# at most 32 recorded cases run at a time, and at most 16 other cases beside them.
recorded_at_once=$(($(nproc) < 32 ? $(nproc) : 32))
cases_at_once=$(((recorded_at_once + 1) / 2))
background() {  # <command...>: runs the command as a case, in parallel with other cases
    while [ "$(jobs -rp | wc -l)" -ge "$cases_at_once" ]; do wait -n; done
    "$@" &
}
essence() {  # reads a result in JSON from standard input; prints its digest, cost, iterations and evaluations
    grep -E '"(digest|best_cost|iterations|evaluations)":' | tr -d ' \n'
}
# Options for runs on the GPU only. If these short runs began on the CPU, they would be over before they reach a GPU.
on_gpu=(--backend cuda --set device.start_on_cpu=false)

digest() {  # <arguments of run...>: prints the essence of the run's result; nothing if the run fails
    local result
    result=$("$qapfw" run --quiet --json --set output.record=false "$@" 2>/dev/null) && essence <<<"$result"
}

# Checks that every recorded case ends as recorded, first on one GPU, then on two, which reuse the compiled kernels.
# Runs at the same time as the cases below.
recorded() {
    local count status
    for ((count = 1; count <= gpus && count <= 2; ++count)); do
        "$root/tests/trajectories/check.sh" --binary "$qapfw" --backend cuda --gpus $count --jobs $recorded_at_once \
            >"$work/recorded-$count"
        status=$?
        cat "$work/recorded-$count"
        report "recorded trajectories on $count GPUs" $status
    done
}
[ -n "$only" ] || recorded &

# Checks that CPU and GPU have the same trajectory.
cross() {  # name, then config lines
    [[ $1 =~ $only ]] || return 0
    background cross_case "$@"
}
cross_case() {
    local name=$1 folder status
    shift
    folder=$(mktemp -d -p "$work")
    printf '%s\n' "$@" >"$folder/cross.toml"
    # CUDA is demanded by name. Otherwise a GPU that fails would count as absent, and verify would not report a failure.
    "$qapfw" verify --cross "$folder/cross.toml" --set device.backend=cuda >"$folder/out" 2>&1 &&
        grep -q '^cuda .* digest ' "$folder/out"
    status=$?
    [ $status -eq 0 ] || cat "$folder/out"
    report "CPU = GPU: $name" $status
}
run_table='[run]
seed = 5
iterations = 3000'
for instance in tai5a tai12a tai40a tai60a tai100a tai150a tai220a tai20b tai60b tai100b; do
    cross "tabu on $instance" "$run_table" '[problem]' 'plugin = "qap"' "instance = \"$instance\"" \
        '[algorithm]' 'plugin = "tabu"' 'searches = 40' 'round = 500' 'share_after = 900' 'perturb_after = 300'
done
# With 1000 searches, each multiprocessor has more than four. So these cases check the kernel's launch plan for many
# searches (plan_for in qap_device_plan.hpp).
for instance in tai12a tai60a tai50b; do
    cross "many tabu searches on $instance" '[run]' 'iterations = 400' '[problem]' 'plugin = "qap"' \
        "instance = \"$instance\"" '[algorithm]' 'plugin = "tabu"' 'searches = 1000' 'round = 100' 'perturb_after = 60'
done
cross "tabu with fixed facilities" "$run_table" '[problem]' 'plugin = "qap"' 'instance = "tai40a"' \
    'fixed = ["3->7", "40->1", "12->12"]' '[algorithm]' 'plugin = "tabu"' 'searches = 40'
for assignment in mata plain; do
    cross "random restart with tabu, assignment $assignment" '[run]' 'iterations = 3' '[problem]' 'plugin = "qap"' \
        'instance = "tai40a"' '[algorithm]' 'plugin = "random_restart"' 'batch = 100' '[algorithm.improver]' \
        'plugin = "tabu"' "assignment = \"$assignment\""
done
cross "tabu with long-term aspiration" "$run_table" '[problem]' 'plugin = "qap"' 'instance = "tai40a"' \
    '[algorithm]' 'plugin = "tabu"' 'searches = 40' 'long_term_aspiration = 400'
for assignment in mata plain; do
    cross "tabu with assignment $assignment" "$run_table" '[problem]' 'plugin = "qap"' 'instance = "tai50b"' \
        '[algorithm]' 'plugin = "tabu"' 'searches = 40' "assignment = \"$assignment\""
done
for improver in two_opt greedy_two_opt tabu; do
    for instance in tai40a tai30b; do
        cross "random restart with $improver on $instance" '[run]' 'iterations = 3' '[problem]' 'plugin = "qap"' \
            "instance = \"$instance\"" '[algorithm]' 'plugin = "random_restart"' 'batch = 100' \
            '[algorithm.improver]' "plugin = \"$improver\""
    done
done
if "$qapfw" plugin list 2>/dev/null | grep -q 'solver *cas'; then
    for improver in two_opt tabu; do
        cross "cunning ant system with $improver" '[run]' 'iterations = 10' '[problem]' 'plugin = "qap"' \
            'instance = "tai40a"' '[algorithm]' 'plugin = "cas"' '[algorithm.improver]' "plugin = \"$improver\""
    done
    cross "cunning ants in colonies that exchange their best" '[run]' 'iterations = 12' '[problem]' 'plugin = "qap"' \
        'instance = "tai40a"' '[algorithm]' 'plugin = "cas"' 'colonies = 9' 'ants = 8' 'exchange_every = 2' \
        '[algorithm.improver]' 'plugin = "tabu"' 'iterations = "n"'
fi

# QAPs with linear costs, forbidden pairs, real numbers, more locations than facilities, or a sum to maximise.
numbers() {  # rows columns seed format: random numbers as CSV
    awk -v n="$1" -v m="$2" -v seed="$3" -v format="$4" 'BEGIN {
        srand(seed)
        for (i = 0; i < n; ++i) for (j = 0; j < m; ++j) printf format "%s", 100 * rand(), j < m - 1 ? "," : "\n"
    }'
}
for n in 20 24 40; do numbers $n $n $n %d >"$work/whole$n.csv"; done
numbers 20 20 7 %.12f >"$work/real20.csv"
numbers 24 24 8 %.12f >"$work/real24.csv"
numbers 20 24 9 %d >"$work/linear20x24.csv"
numbers 40 40 10 %d >"$work/linear40.csv"
numbers 40 40 11 %d >"$work/distances40.csv"
for ((i = 1; i <= 20; ++i)); do printf '%d,%d\n%d,%d\n' $i $i $i $((i % 24 + 1)); done >"$work/forbidden20x24.csv"
general() {  # name, then lines of [problem]
    local name=$1 problem
    shift
    problem=$(printf '%s\n' '[problem]' 'plugin = "qap"' "$@")
    cross "$name, tabu" "$short_general" "$problem" '[algorithm]' 'plugin = "tabu"' 'searches = 40' 'round = 50'
    cross "$name, random restart" '[run]' 'iterations = 3' "$problem" '[algorithm]' 'plugin = "random_restart"' \
        'batch = 50' '[algorithm.improver]' 'plugin = "two_opt"'
    cross "$name, cunning ants" '[run]' 'iterations = 6' "$problem" '[algorithm]' 'plugin = "cas"' \
        '[algorithm.improver]' 'plugin = "tabu"'
    cross "$name, racing islands" '[run]' 'iterations = 6' "$problem" '[algorithm]' 'plugin = "memetic"' 'islands = 12' \
        'child_work = 5000' 'size = 8'
    local solver
    for solver in ga_independent ga_distributed imga; do
        cross "$name, $solver" '[run]' 'iterations = 40' "$problem" '[algorithm]' "plugin = \"$solver\""
    done
}
short_general='[run]
iterations = 400'
general "linear costs" "instance = \"$work/whole40.csv\"" "matrix_b = \"$work/distances40.csv\"" \
    "linear = \"$work/linear40.csv\""
general "forbidden pairs and free locations" "instance = \"$work/whole20.csv\"" "matrix_b = \"$work/whole24.csv\"" \
    "linear = \"$work/linear20x24.csv\"" "forbidden = \"$work/forbidden20x24.csv\""
general "real numbers and a largest sum" "instance = \"$work/real20.csv\"" "matrix_b = \"$work/real24.csv\"" \
    'maximize = true'

# Tables of deltas leave out pairs of interchangeable elements. There is a case with deltas in float and
# one with integer deltas.
classes() {  # n classes step: a symmetric matrix as CSV. Rows i and j are interchangeable if i and j are equal mod classes
    awk -v n="$1" -v classes="$2" -v step="$3" 'BEGIN {
        for (i = 0; i < n; ++i) for (j = 0; j < n; ++j) {
            a = i % classes; b = j % classes
            printf "%d%s", i == j ? 0 : step * ((7 * (a + b) + 11 * a * b) % 23), j < n - 1 ? "," : "\n"
        }
    }'
}
classes 230 5 1 >"$work/classes-flows.csv"
for step in 1 90000; do
    classes 230 9 $step >"$work/classes-$step.csv"
    cross "tabu on interchangeable elements, entries up to $((22 * step))" "$run_table" '[problem]' 'plugin = "qap"' \
        "instance = \"$work/classes-flows.csv\"" "matrix_b = \"$work/classes-$step.csv\"" \
        '[algorithm]' 'plugin = "tabu"' 'searches = 40' 'round = 500' 'perturb_after = 300'
done

# Layouts by slicing trees: small ones, and ones with more departments than a warp has threads.
for instance in F5 F12 F40 F120; do
    cross "slicing trees of $instance" '[run]' 'seed = 5' 'iterations = 8' '[problem]' 'plugin = "uaflp"' \
        "instance = \"$instance\"" 'structure = "slicing"' '[algorithm]' 'plugin = "slicing_local_search"' 'steps = 2000'
done

# The genetic algorithms, with several operators and improvers. Some cases have pools in shared memory, others have
# pools that are too large for it.
qap() { printf '[problem]\nplugin = "qap"\ninstance = "%s"\n' "$1"; }
improver() { printf '[algorithm.improver]\nplugin = "%s"\n' "$1"; }
ga_table='[run]
seed = 6
iterations = 300'
short_table='[run]
seed = 6
iterations = 12'
ga_kinds=('blocks = 40' 'size = 64' 'round = 100' 'restart_check = 20')
for instance in tai5a tai12a tai40a tai60a tai20b tai35b tai150a; do
    cross "independent GA on $instance" "$ga_table" "$(qap $instance)" '[algorithm]' 'plugin = "ga_independent"' \
        "${ga_kinds[@]}"
done
cross "independent GA with OX" "$ga_table" "$(qap tai30b)" '[algorithm]' 'plugin = "ga_independent"' \
    "${ga_kinds[@]}" 'crossover = "ox"' 'mutation_per = "position"'
cross "independent GA in device memory" "$ga_table" "$(qap tai40a)" '[algorithm]' 'plugin = "ga_independent"' \
    'blocks = 3' 'size = 1500' 'round = 100' 'restart_check = 20'
cross "independent GA with fixed facilities" "$ga_table" "$(qap tai40a)" 'fixed = ["3->7", "40->1", "12->12"]' \
    '[algorithm]' 'plugin = "ga_independent"' "${ga_kinds[@]}"
cross "independent GA up to a target" '[run]' 'seed = 6' 'iterations = 3000' 'target = "best-known"' "$(qap tai12a)" \
    '[algorithm]' 'plugin = "ga_independent"' "${ga_kinds[@]}"
for instance in tai12a tai40a tai30b tai100a; do
    cross "distributed GA on $instance" "$ga_table" "$(qap $instance)" '[algorithm]' 'plugin = "ga_distributed"' \
        'subpopulations = 30' 'exchange_every = 50' 'round = 50'
done
cross "distributed GA that exchanges a share" "$ga_table" "$(qap tai40a)" '[algorithm]' 'plugin = "ga_distributed"' \
    'subpopulations = 30' 'exchange_every = 50' 'exchange_share = 0.05' 'crossover = "ox"'
cross "distributed GA in device memory" "$ga_table" "$(qap tai40a)" '[algorithm]' 'plugin = "ga_distributed"' \
    'subpopulations = 3' 'size = 1500' 'exchange_every = 50'
for topology in 4n 8n 16n 20n random; do
    cross "grid with topology $topology" "$ga_table" "$(qap tai40a)" '[algorithm]' 'plugin = "pga_grid"' \
        'rows = 16' 'columns = 15' "topology = \"$topology\"" 'round = 20'
done
cross "several grids with fixed facilities" "$ga_table" "$(qap tai30b)" 'fixed = ["3->7", "30->1"]' '[algorithm]' \
    'plugin = "pga_grid"' 'grids = 9' 'exchange_every = 5' 'round = 20'
cross "one large grid" "$short_table" "$(qap tai40a)" '[algorithm]' 'plugin = "pga_grid"' 'rows = 100' 'columns = 100'
for improver in two_opt greedy_two_opt tabu; do
    cross "independent GA with $improver" "$short_table" "$(qap tai40a)" '[algorithm]' 'plugin = "ga_independent"' \
        'blocks = 8' 'size = 16' 'restart_check = 3' "$(improver $improver)"
    cross "distributed GA with $improver" "$short_table" "$(qap tai30b)" '[algorithm]' 'plugin = "ga_distributed"' \
        'subpopulations = 8' 'size = 16' 'exchange_every = 5' "$(improver $improver)"
    cross "grids with $improver" "$short_table" "$(qap tai40a)" '[algorithm]' 'plugin = "pga_grid"' 'grids = 3' \
        'exchange_every = 4' "$(improver $improver)"
done

# Islands on layouts and on the QAP.
layout() { printf '[problem]\nplugin = "uaflp"\ninstance = "%s"\n' "$1"; }
islands=('[algorithm]' 'plugin = "imga"' 'islands = 10' 'size = 50' 'mutation_rate = 0.3')
for instance in F5 F40 F60 F120; do
    cross "islands on $instance" "$ga_table" "$(layout $instance)" "${islands[@]}"
    cross "islands of different costs on $instance" "$ga_table" "$(layout $instance)" "${islands[@]}" \
        'replacement = "distinct"' 'align = true' 'crossover = "ox"' 'bits = "department"' 'restart_after = 20'
done
for instance in F5 F40 F60; do
    cross "tabu on layouts, $instance" '[run]' 'seed = 5' 'iterations = 200' "$(layout $instance)" '[algorithm]' \
        'plugin = "tabu"' 'searches = 40' 'round = 20' 'share_after = 60' 'perturb_after = 15'
done
for seeding in clock_once clock_per_round per_thread; do
    cross "islands with $seeding" "$ga_table" "$(layout F40)" "${islands[@]}" "tournament_seeding = \"$seeding\""
done
cross "islands of large layouts, every child mutated often" "$short_table" "$(layout F400)" '[algorithm]' 'plugin = "imga"' \
    'islands = 5' 'size = 30' 'mutation_rate = 1' 'mutation_moves = 9' 'swap_bays = 40' 'reverse_bay = 20'
cross "islands with mutations by position" "$ga_table" "$(layout F60)" '[algorithm]' 'plugin = "imga"' 'islands = 3' \
    'size = 301' 'elites = 9' 'mutation_per = "position"' 'mutation_rate = 0.05'
cross "islands on the QAP" "$ga_table" "$(qap tai40a)" "${islands[@]}"
cross "islands on the QAP with fixed facilities" "$ga_table" "$(qap tai40a)" 'fixed = ["3->7", "40->1", "12->12"]' \
    "${islands[@]}"
for topology in bidirectional_ring torus complete random; do
    cross "islands with topology $topology" "$ga_table" "$(layout F40)" "${islands[@]}" "topology = \"$topology\"" \
        'migrants = 9' 'migrate_every = 3'
done
cross "islands that start afresh, without migration" "$ga_table" "$(layout F40)" "${islands[@]}" 'migrate_every = 0' \
    'restart_after = 10'
cross "islands with a local search" "$short_table" "$(layout F40)" "${islands[@]}" "$(improver fbs_local_search)"
cross "islands with a local search on some children" "$short_table" "$(layout F40)" "${islands[@]}" \
    'improve_rate = 0.3' 'improve_every = 2' 'restart_after = 3' 'migrate_every = 3' "$(improver fbs_local_search)"
cross "islands on the QAP with tabu search on some children" "$short_table" "$(qap tai30b)" "${islands[@]}" \
    'improve_rate = 0.3' "$(improver tabu)"

# Islands whose settings race (memetic): with the arms of `auto`, with given arms, and with one improver. The number of
# islands and child_work are given, because `auto` depends on the backend.
race=('[algorithm]' 'plugin = "memetic"' 'islands = 24' 'child_work = 50000' 'leader_child_work = 5000' 'size = 8' 'rung = 2' 'restart_after = 4')
for instance in tai5a tai12a tai40a tai20b tai60b tai100a; do
    cross "racing islands on $instance" "$short_table" "$(qap $instance)" "${race[@]}"
done
for instance in F5 F40 F60; do
    cross "racing islands on $instance" "$short_table" "$(layout $instance)" "${race[@]}"
done
cross "racing islands with fixed facilities" "$short_table" "$(qap tai40a)" 'fixed = ["3->7", "40->1", "12->12"]' \
    "${race[@]}"
cross "racing islands with arms of one's own" "$short_table" "$(qap tai30b)" "${race[@]}" 'distance = 5' 'round = 20000' \
    'arms = ["crossover=cycle mutation=0.5 replacement=worst improver=two_opt",
             "crossover=none moves=2-5 replacement=walk elites=3 improver=tabu iterations=4n tenure=n",
             "crossover=ox elites=4 improver=greedy_two_opt", "crossover=mox mutation=0.2 moves=1-3"]'
for improver in two_opt greedy_two_opt tabu; do
    cross "racing islands around $improver" "$short_table" "$(qap tai40a)" "${race[@]}" "$(improver $improver)"
done
cross "racing islands with broods" "$short_table" "$(qap tai40a)" "${race[@]}" 'brood = 6'
cross "racing islands of layouts with broods" "$short_table" "$(layout F40)" "${race[@]}" 'brood = 6'
cross "racing islands of layouts around tabu search" "$short_table" "$(layout F20)" "${race[@]}" "$(improver tabu)"

# A search on a GPU may compute costs in float. The run record must hold costs that were computed in double.
float_case() {
    local status
    "$qapfw" run --quiet "${on_gpu[@]}" --set problem.plugin=uaflp --set "problem.instance=$1" \
        --set problem.precision=float --set algorithm.plugin=imga --set run.iterations=100 \
        --set "output.folder=$work/float-$1" >/dev/null && "$qapfw" verify "$work/float-$1" >"$work/float-$1.out" 2>&1
    status=$?
    [ $status -eq 0 ] || cat "$work/float-$1.out"
    report "a search in float on $1 is recorded in double" $status
}
for instance in F40 F120; do background float_case $instance; done

# The solvers for a problem whose plugin can only compute costs. Some elements of its solutions are fixed.
alone=$build/tests/bad_plugins/cost_alone.qapfw.so
if [ -f "$alone" ]; then
    mkdir "$work/alone" && cp "$alone" "$work/alone"
    on_alone() {  # on_alone <name> <solver> <lines of [algorithm]>...: runs `cross` with this problem and solver
        local name=$1 solver=$2
        shift 2
        cross "$name on a problem that only computes its cost" "$short_table" '[plugins]' "path = [\"$work/alone\"]" \
            '[problem]' 'plugin = "cost_alone"' '[algorithm]' "plugin = \"$solver\"" "$@"
    }
    on_alone 'tabu search' tabu 'searches = 40' 'perturb_after = 5'
    on_alone 'distributed GA' ga_distributed 'subpopulations = 30' 'exchange_every = 5'
    on_alone 'independent GA' ga_independent "${ga_kinds[@]}"
    on_alone grids pga_grid 'grids = 3' 'exchange_every = 4'
    on_alone islands imga 'islands = 10' 'size = 50'
    # The arms are given, because "auto" would put an arm first that runs only on CPUs.
    on_alone 'racing islands' memetic 'islands = 12' 'child_work = 100' 'size = 4' 'rung = 2' \
        'arms = ["crossover=pmx mutation=0.5 moves=1-4 improver=two_opt", "crossover=cycle moves=2 improver=none"]'
    for improver in two_opt greedy_two_opt tabu; do
        on_alone "random restart with $improver" random_restart 'batch = 100' "$(improver $improver)"
        on_alone "cunning ant system with $improver" cas "$(improver $improver)"
    done
else
    echo "SKIPPED the problem that only computes its cost: $alone was not built"
fi

# Checks that one GPU and several have the same trajectory.
same_on_several() {  # solver, then arguments of run
    local solver=$1 one several count
    shift
    one=$(digest "${on_gpu[@]}" --set "algorithm.plugin=$solver" "$@" --set 'device.devices=[0]')
    for ((count = 2; count <= gpus; count *= 2)); do
        several=$(digest "${on_gpu[@]}" --set "algorithm.plugin=$solver" "$@" \
            --set "device.devices=[$(seq -s, 0 $((count - 1)))]")
        [ -n "$one" ] && [ "$one" = "$several" ]
        report "$solver: 1 GPU = $count GPUs" $?
    done
}
on_qap=(--set problem.plugin=qap --set problem.instance=tai40a --set run.iterations=200 --set run.seed=9)
background same_on_several tabu --set problem.plugin=qap --set problem.instance=tai60a --set algorithm.searches=500 \
    --set run.iterations=20000 --set run.seed=9
background same_on_several ga_independent "${on_qap[@]}" --set algorithm.blocks=50 --set algorithm.restart_check=20
background same_on_several ga_distributed "${on_qap[@]}" --set algorithm.subpopulations=50 \
    --set algorithm.exchange_every=50
background same_on_several pga_grid "${on_qap[@]}" --set algorithm.grids=50 --set algorithm.exchange_every=5 \
    --set algorithm.round=20
background same_on_several cas "${on_qap[@]}" --set run.iterations=10 --set algorithm.colonies=4 \
    --set algorithm.improver.plugin=two_opt
background same_on_several imga --set problem.plugin=uaflp --set problem.instance=F40 --set run.iterations=200 \
    --set run.seed=9 --set algorithm.islands=10 --set algorithm.size=50
background same_on_several imga --set problem.plugin=uaflp --set problem.instance=F40 --set run.iterations=60 \
    --set run.seed=9 --set algorithm.islands=10 --set algorithm.size=20 --set algorithm.topology=torus \
    --set algorithm.mutation_rate=0.5 --set algorithm.improve_rate=0.2 \
    --set algorithm.improver.plugin=fbs_local_search
racing=(--set algorithm.islands=24 --set algorithm.child_work=50000 --set algorithm.size=8 --set algorithm.rung=2)
background same_on_several memetic "${on_qap[@]}" --set run.iterations=12 "${racing[@]}"
background same_on_several memetic --set problem.plugin=uaflp --set problem.instance=F40 --set run.iterations=12 \
    --set run.seed=9 "${racing[@]}"
found=$(digest --set problem.plugin=qap --set problem.instance=tai12a "${on_gpu[@]}" --set algorithm.plugin=ga_independent \
    --set algorithm.blocks=200 --set algorithm.found_flag=asynchronous --set run.target=best-known --time-limit 20s)
[[ $found == *'"best_cost":224416'* ]]
report "the asynchronous found flag ends at the optimum of tai12a" $?
wait

# Checks with compute-sanitizer that the short runs listed below have no error.
sanitized() {  # tool, then arguments of run
    local tool=$1 output status
    shift
    output=$(mktemp -p "$work")
    compute-sanitizer --report-api-errors no --error-exitcode 9 --tool "$tool" "$qapfw" run --quiet "${on_gpu[@]}" \
        --set output.record=false "$@" >"$output" 2>&1
    status=$?
    [ $status -eq 0 ] || tail -20 "$output"
    report "$tool: $*" $status
}
if command -v compute-sanitizer >/dev/null; then
    small_qap='--set problem.plugin=qap --set problem.instance=tai12a --iterations 5 --set algorithm.plugin'
    small_layout='--set problem.plugin=uaflp --set problem.instance=F5 --iterations 5 --set algorithm.plugin'
    for tool in memcheck racecheck initcheck synccheck; do
        while read -r -a arguments; do
            background sanitized "$tool" "${arguments[@]}" </dev/null
        done <<END
$small_qap=tabu --set algorithm.searches=5 --iterations 300
$small_qap=tabu --set algorithm.searches=2 --iterations 100 --set problem.instance=tai40a
$small_qap=tabu --set algorithm.searches=2 --iterations 100 --set problem.instance=tai50b
$small_qap=tabu --set algorithm.searches=2 --iterations 40 --set problem.instance=tai100a
$small_qap=tabu --set algorithm.searches=600 --iterations 15 --set problem.instance=tai60a
$small_qap=tabu --set algorithm.searches=2 --iterations 20 --set problem.instance=tai220a
$small_qap=tabu --set algorithm.searches=3 --iterations 100 --set algorithm.assignment=mata
$small_qap=random_restart --set algorithm.batch=4 --set algorithm.improver.plugin=two_opt
$small_qap=random_restart --set algorithm.batch=4 --set algorithm.improver.plugin=greedy_two_opt
$small_qap=cas --set algorithm.ants=6 --set algorithm.improver.plugin=tabu --set algorithm.improver.iterations=50
$small_qap=cas --set algorithm.ants=5 --set algorithm.colonies=3 --set algorithm.exchange_every=2
$small_qap=cas --set algorithm.ants=5 --set algorithm.colonies=4 --set algorithm.exchange_every=1 --set algorithm.round=1 --set problem.instance=tai80a --set algorithm.improver.plugin=tabu --set algorithm.improver.iterations=20
$small_qap=ga_independent --set algorithm.blocks=3 --set algorithm.restart_check=2
$small_qap=ga_independent --set algorithm.blocks=2 --set algorithm.size=2000 --set algorithm.restart_check=2
$small_qap=ga_distributed --set algorithm.subpopulations=3 --set algorithm.exchange_every=2
$small_qap=pga_grid --set algorithm.grids=2 --set algorithm.exchange_every=2
$small_qap=imga --set algorithm.islands=3 --set algorithm.size=16 --set algorithm.mutation_rate=0.5
$small_qap=memetic --set algorithm.islands=7 --set algorithm.size=3 --set algorithm.round=5000 --set algorithm.rung=1
$small_layout=memetic --set algorithm.islands=5 --set algorithm.size=3 --set algorithm.round=500 --set algorithm.rung=1
$small_layout=imga --set algorithm.islands=3 --set algorithm.size=16 --set algorithm.mutation_rate=0.5
$small_layout=imga --set algorithm.islands=2 --set algorithm.size=8 --set algorithm.improver.plugin=fbs_local_search
END
    done
else
    echo "SKIPPED: no compute-sanitizer here"
fi
wait

# After Ctrl-C during a kernel, the run must end and print its result within a second.
for solver in tabu memetic; do
    search=(run --quiet --json --set problem.plugin=qap --set problem.instance=tai150a --set "algorithm.plugin=$solver"
        "${on_gpu[@]}" --set output.record=false)
    "$qapfw" "${search[@]}" --time-limit 0.1s >/dev/null 2>&1  # compiles the kernels
    "$qapfw" "${search[@]}" >"$work/interrupted" 2>"$work/err" &
    pid=$!
    sleep 3
    begin=$(date +%s%N); kill -INT $pid; wait $pid; status=$?; took=$((($(date +%s%N) - begin) / 1000000))
    [ $status -eq 130 ] && [ $took -lt 1000 ] && grep -q '"best_cost": [0-9]' "$work/interrupted"
    report "SIGINT is answered within a second by $solver (exit $status after $took ms)" $?
done

# A killed run on the GPU must continue from its checkpoint as if nothing had happened.
killed_run() {  # <iterations>: kills the run of resume.toml after its first checkpoint; fails if the run ended by itself
    rm -rf "$work/record"
    "$qapfw" run --quiet "$work/resume.toml" "${on_gpu[@]}" --set "run.iterations=$1" \
        --set output.checkpoint_interval=0s --out "$work/record" >"$work/out" 2>&1 &
    local pid=$!
    while kill -0 $pid 2>/dev/null && [ ! -f "$work/record/checkpoint.bin" ]; do sleep 0.01; done
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ $? -eq 137 ]
}
for case in 'tabu:searches = 40:round = 500:perturb_after = 300:share_after = 900' 'cas:colonies = 2:ants = 8' \
    'imga:islands = 20:size = 50:round = 20:migrate_every = 7:mutation_rate = 0.5' \
    'memetic:islands = 24:child_work = 9000:size = 8:round = 400000:rung = 4'; do
    IFS=: read -ra lines <<<"$case"
    solver=${lines[0]}
    improver=(); [ "$solver" != cas ] || improver=('[algorithm.improver]' 'plugin = "two_opt"')
    printf '%s\n' '[run]' 'seed = 5' '[problem]' 'plugin = "qap"' 'instance = "tai40a"' '[algorithm]' \
        "plugin = \"$solver\"" "${lines[@]:1}" ${improver[@]+"${improver[@]}"} >"$work/resume.toml"
    for iterations in 4000 40000 400000 4000000; do  # until a run is long enough to be killed
        killed_run $iterations
        killed=$?
        [ $killed -eq 0 ] && break
    done
    whole=$(digest "$work/resume.toml" "${on_gpu[@]}" --set "run.iterations=$iterations")
    resumed=$("$qapfw" resume --quiet --json "$work/record" 2>"$work/err" | essence)
    [ $killed -eq 0 ] && [ -n "$whole" ] && [ "$whole" = "$resumed" ]
    report "resume of $iterations iterations cut short = uninterrupted: $solver" $?
done

# A kernel that writes out of bounds in the middle of a run must give one message, the best solution so far, and exit
# code 4.
wild=$build/tests/bad_plugins/wild_kernel.qapfw.so
if [ -f "$wild" ]; then
    mkdir "$work/plugins" && cp "$wild" "$work/plugins"
    "$qapfw" run --quiet --json --plugin-path "$work/plugins" --set problem.plugin=wild_kernel \
        --set algorithm.plugin=tabu --set algorithm.searches=8 --set algorithm.round=100 \
        --set run.iterations=100000000 "${on_gpu[@]}" --set output.record=false >"$work/wild" 2>"$work/err"
    status=$?
    [ $status -eq 4 ] && grep -q '"best_cost": [0-9]' "$work/wild" && grep -q '"stop_reason": "error"' "$work/wild"
    verdict=$?
    report "a kernel that writes out of bounds ends the run, exit $status ($(tail -1 "$work/err"))" $verdict
else
    echo "SKIPPED the kernel that writes out of bounds: $wild was not built"
fi

# Too little device memory must give one message and exit code 5. A missing GPU must give one message and exit code 4.
"$qapfw" run --quiet --set problem.plugin=qap --set problem.instance=tai40a --set algorithm.plugin=tabu "${on_gpu[@]}" \
    --set algorithm.searches=1000000 --set algorithm.round=10 --set run.iterations=10 --set problem.instance=tai1000a \
    --set output.record=false >"$work/out" 2>&1
[ $? -eq 5 ]
verdict=$?
report "too little device memory gives a message ($(tail -1 "$work/out"))" $verdict
CUDA_VISIBLE_DEVICES='' "$qapfw" run --quiet --set problem.plugin=qap --set problem.instance=tai12a \
    --set algorithm.plugin=tabu "${on_gpu[@]}" --set run.iterations=10 --set output.record=false >"$work/out" 2>&1
[ $? -eq 4 ]
verdict=$?
report "an empty CUDA_VISIBLE_DEVICES gives a message ($(tail -1 "$work/out"))" $verdict

failed=$(grep -c '^FAILED' "$results")
echo "$(grep -c '^ok' "$results") passed, $failed failed"
[ "$failed" -eq 0 ]
