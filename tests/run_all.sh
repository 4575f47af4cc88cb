# SPDX-License-Identifier: Apache-2.0
# The whole test suite. ./bootstrap test sources this file, after defining build, say, die, jobs and quick. Every ctest
# entry counts as one check, and so does each check outside ctest. The last line is "N passed, N failed".

passed=0 failed=0 skipped=0
failures=()

# count <what> <status>: counts a check as passed if its exit status is 0, else as failed.
count() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        failures+=("$1")
    fi
}

# check <what> <command...>: runs the command as a check, and shows its output only if it fails.
check() {
    local what=$1 log status=0
    shift
    log=$(mktemp)
    "$@" >"$log" 2>&1 || status=$?
    if [ $status -eq 0 ]; then printf 'passed: %s\n' "$what"; else cat "$log"; printf 'FAILED: %s\n' "$what"; fi
    count "$what" $status
    rm -f "$log"
}

skip() {
    skipped=$((skipped + 1))
    printf 'skipped: %s\n' "$*"
}

# run_ctest <preset> <ctest options...>: runs the tests of a preset's build, and counts how many passed, failed and were
# skipped.
run_ctest() {
    local preset=$1 log status=0 line folder
    shift
    log=$(mktemp)
    folder=$(mktemp -d)  # temporary files of all tests, also of killed ones; removed at the end
    # Some tests wait for processes and clocks, so 1.5 tests per job keep the cores busy.
    TMPDIR=$folder ctest --test-dir "build/$preset" --parallel $((jobs + jobs / 2)) --output-on-failure --no-tests=error "$@" >"$log" 2>&1 || status=$?
    grep -v -E '^ *[0-9]+/[0-9]+ Test .* Passed |^ +Start +[0-9]+:' "$log" || true
    local total bad away
    line=$(grep -E 'tests passed, [0-9]+ tests failed out of' "$log" | tail -1 || true)
    bad=$(sed -E 's/.*passed, ([0-9]+) tests failed out of.*/\1/' <<<"${line:-passed, 1 tests failed out of 1}")
    total=$(sed -E 's/.*out of ([0-9]+).*/\1/' <<<"${line:-out of 1}")
    away=$(grep -c -E '\*\*\*Skipped' "$log" || true)
    passed=$((passed + total - bad - away))
    failed=$((failed + bad))
    skipped=$((skipped + away))
    [ "$bad" -eq 0 ] || failures+=("$bad tests of preset $preset")
    [ "$bad" -gt 0 ] || [ $status -eq 0 ] || count "ctest of preset $preset" 1
    if [ "$away" -gt 0 ]; then
        printf 'why tests were skipped:\n'
        grep -h -o -E '(SKIPPED|skipped): .*' "build/$preset/Testing/Temporary/LastTest.log" | sort | uniq -c || true
    fi
    if [ -n "$(ls -A "$folder")" ]; then
        printf 'tests of preset %s left in their temporary folder:\n' "$preset"
        (cd "$folder" && find . -mindepth 1 -maxdepth 2 | head -20)
    fi
    rm -rf "$folder"
    rm -f "$log"
}

have() { command -v "$1" >/dev/null; }

# True if there is a clang with libFuzzer.
can_fuzz() {
    local target='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
    have clang++ && clang++ -fsanitize=fuzzer,address -x c++ -o /dev/null - <<<"$target" 2>/dev/null
}

# Installs tools for further checks; the tests of the release build do not need them. If a tool cannot be installed,
# its checks are skipped.
install_tools() {
    local tools=() tool
    have clang++ || tools+=(clang)
    have ld.lld || tools+=(lld)
    have clang-format-14 || have clang-format || tools+=(clang-format)
    can_fuzz || tools+=(libclang-rt-dev)
    have doxygen || tools+=(doxygen)
    have abidiff || tools+=(abigail-tools)
    have mpirun || tools+=(libopenmpi-dev openmpi-bin)
    python3 -c 'import scipy' 2>/dev/null || tools+=(python3-scipy)  # tests compare our results with those of scipy
    python3 -c 'import ipykernel, jupyter_client' 2>/dev/null || tools+=(python3-ipykernel jupyter-client)  # for the notebook test
    python3 -c 'import mypy' 2>/dev/null || tools+=(mypy)            # checks types in the Python package
    have chromium || have chromium-browser || have google-chrome || tools+=(chromium)  # opens the report's page
    [ ${#tools[@]} -eq 0 ] && return
    if [ "$(id -u)" -eq 0 ] && have apt-get; then
        say "Installing ${tools[*]}"
        apt-get update -qq || true
        # A tool that conflicts with an installed package must not prevent the installation of the others.
        install_packages "${tools[@]}" || for tool in "${tools[@]}"; do install_packages "$tool" || true; done
    else
        printf 'for all checks: sudo apt-get install --no-remove --no-install-recommends %s\n' "${tools[*]}"
    fi
}

check_formatting() {
    local tool=clang-format
    have clang-format-14 && tool=clang-format-14
    git ls-files '*.cpp' '*.hpp' '*.cuh' ':!sdk/skeletons' | xargs -P "$jobs" -n 50 "$tool" --dry-run -Werror
}

# fuzz <seconds> <target>: fuzzes the target. New inputs go to the build folder; the corpus in the tree is only read.
fuzz() {
    local name
    name=$(basename "$2" _fuzz)
    mkdir -p "build/asan/fuzz/corpus/$name"
    "$2" -max_total_time="$1" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
        -artifact_prefix="build/asan/fuzz/$name-" "build/asan/fuzz/corpus/$name" "tests/fuzz/corpus/$name"
}

# Runs each fuzz target for an equal part of `seconds`. At most $jobs targets run at the same time.
run_fuzzers() {
    local seconds=$1 targets running=() k
    targets=(build/asan/fuzz/*_fuzz)
    for ((k = 0; k < ${#targets[@]}; ++k)); do
        fuzz $((seconds / ${#targets[@]})) "${targets[k]}" >"build/asan/fuzz/log.$k" 2>&1 &
        running+=($!)
        # Waits for the oldest target before starting another, so that results are printed in the order of the targets.
        if [ ${#running[@]} -eq "$jobs" ]; then
            fuzzed $((k + 1 - jobs)) "${running[0]}"
            running=("${running[@]:1}")
        fi
    done
    for ((k = ${#targets[@]} - ${#running[@]}; k < ${#targets[@]}; ++k)); do
        fuzzed "$k" "${running[0]}"
        running=("${running[@]:1}")
    done
}

# fuzzed <number of the target> <process>: waits for the target and reports its result.
fuzzed() {
    check "fuzzing $(basename "${targets[$1]}" _fuzz)" wait_and_show "$2" "build/asan/fuzz/log.$1"
}
wait_and_show() {
    local status=0
    wait "$1" || status=$?
    cat "$2"
    return $status
}

if [ -z "$quick" ]; then install_tools; fi

say "Release: build"
# Unless `quick` is set, the unit tests of plugins, of the laboratory and of most of the framework run only once, with
# the address sanitizer.
large_units=()
[ "$jobs" -gt 4 ] || large_units=(-DCMAKE_UNITY_BUILD_BATCH_SIZE=32)  # less time in total, but more memory
if [ -n "$quick" ]; then options=(-DQAPFW_UNIT_TESTS=all); else options=(-DQAPFW_UNIT_TESTS=optimised); fi
options+=(${large_units[@]+"${large_units[@]}"})
build release
options=(${large_units[@]+"${large_units[@]}"})
say "Release: tests"
run_ctest release

if [ -z "$quick" ]; then
    say "Formatting"
    if have clang-format-14 || have clang-format; then
        check "clang-format leaves every file as it is" check_formatting
    else
        skip "formatting: no clang-format"
    fi

    # The presets asan and tsan use clang, which compiles sanitized code in less than half of GCC's time. Without
    # libFuzzer, the default compiler is used, and no fuzz targets are built.
    can_fuzz || options+=(-DCMAKE_C_COMPILER=cc -DCMAKE_CXX_COMPILER=c++ -DQAPFW_BUILD_FUZZERS=OFF)

    # Without debug information, compiling takes 7 % less time. Reports then name functions, but no lines. For lines,
    # build the preset asan or tsan outside this script.
    options+=("-DCMAKE_C_FLAGS_DEBUG=-O1 -fno-omit-frame-pointer" "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -fno-omit-frame-pointer")

    say "Address and undefined behaviour sanitizers: unit tests"
    build asan qapfw-unit-tests
    run_ctest asan -L unit

    say "Fuzzing"
    if can_fuzz; then run_fuzzers 40; else skip "fuzzing: no clang with libFuzzer"; fi

    say "Thread sanitizer: tests with threads"
    build tsan qapfw-threads-tests
    run_ctest tsan -L threads
fi

printf '\n'
for failure in ${failures[@]+"${failures[@]}"}; do printf 'FAILED: %s\n' "$failure"; done
[ $skipped -eq 0 ] || printf '%d skipped\n' "$skipped"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
