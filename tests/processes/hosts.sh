#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# hosts.sh <program> <folder of bad plugins>: tests processes with separate working folders, as on hosts without common
# files. Only process 0 writes files. Only its folder has the configuration, and later the record that is resumed.
set -u
binary=$(realpath "$1") plugins=$(realpath "$2") failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$work
mkdir "$work/a" "$work/b" "$work/alone"
cp "$(dirname "$0")/islands.toml" "$work/a/config.toml"
cp "$work/a/config.toml" "$work/alone"
complain() { echo "FAILED: $1"; failures=$((failures + 1)); sed 's/^/  /' "$work/err"; }
on_both() {
    mpirun --oversubscribe -n 1 -wdir "$work/a" "$binary" "$@" : -n 2 -wdir "$work/b" "$binary" "$@" >"$work/out" 2>"$work/err"
}
digest_of() { grep -o '"digest": "[0-9a-f]*"' "$1/result.json"; }

(cd "$work/alone" && "$binary" run config.toml --quiet --iterations 40 --out record) >"$work/out" 2>"$work/err" ||
    complain "the run on one process fails"
on_both run config.toml --quiet --iterations 20 --out record || complain "the run fails"
on_both resume record --quiet --iterations 40 || complain "the resume fails"
[ "$(digest_of "$work/a/record")" = "$(digest_of "$work/alone/record")" ] || complain "the digests differ"
[ -z "$(ls -A "$work/b")" ] || complain "a process that does not lead wrote $(ls -A "$work/b")"

# An error must be printed once, whichever process finds it.
on_both run config.toml --iterations 20 --out record && complain "a folder in use is not refused"
[ "$(grep -c "records are never overwritten" "$work/err")" = 1 ] || complain "wanted one message on the folder"
on_both run nothing.toml && complain "a missing configuration is not refused"
[ "$(grep -c "nothing.toml: cannot be opened" "$work/err")" = 1 ] || complain "wanted one message on the file"
on_both run --plugin-path "$plugins/fine.qapfw.so" --set problem.plugin=minimal --set algorithm.plugin=minimal \
    --iterations 20 --out alike && complain "a solver that does not share its work is not refused"
[ "$(grep -c "solver minimal does not share its work among processes, so all 3 processes would do the same" "$work/err")" = 1 ] ||
    complain "wanted one message on the solver"
[ ! -e "$work/a/alike" ] || complain "a solver that is refused has begun"
on_both run --plugin-path "$plugins/lone_solver.qapfw.so" --set problem.plugin=lone_solver --set algorithm.plugin=lone_solver \
    --iterations 20 --out lone && complain "a solver that exchanges nothing ends well"
[ "$(grep -c "lone_solver: it offers qapfw.solver.processes/1, so processes share its work, but it exchanged nothing" \
    "$work/err")" = 1 ] || complain "wanted one message on the solver that exchanges nothing"
QAPFW_PROCESS_SILENCE=1s on_both run config.toml --iterations 20 && complain "a silence of 1 s is not refused"
[ "$(grep -c "QAPFW_PROCESS_SILENCE: a duration from 2 s to 1 h was wanted, found \"1s\"" "$work/err")" = 1 ] ||
    complain "wanted one message on the silence"
[ $failures -eq 0 ] && echo "passed"
exit $((failures > 0))
