#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# wheel.sh <source folder> <build folder> <work folder> <python>: makes the wheel and uses it in an empty environment,
# offline and without a compiler.
set -euo pipefail
source=$1 build=$2 work=$3 python=$4
"$python" -c 'import sys, tomllib, venv, ensurepip' 2>/dev/null || { echo "SKIPPED: no Python 3.11 with venv"; exit 77; }
rm -rf "$work"
mkdir -p "$work/home"
wheel=$("$python" -B "$source/python/tools/wheel.py" "$build" "$work/wheels")
[ "$wheel" = "$("$python" -B "$source/python/tools/wheel.py" "$build" "$work/again" | sed "s|/again/|/wheels/|")" ]
cmp "$wheel" "$work/again/${wheel##*/}" # the wheel has the same bytes each time
case $wheel in *-py3-none-manylinux_2_*_x86_64.whl) ;; *) echo "wrong tag: $wheel"; exit 1 ;; esac

"$python" -m venv "$work/venv"
env -u QAPFW_LIBRARY -u QAPFW_PROGRAM -u PYTHONPATH "$work/venv/bin/pip" install --quiet --no-index --no-deps \
    --disable-pip-version-check "$wheel"
cd "$work/home"
# Runs a command that finds neither a compiler nor the source tree.
run() {
    env -i HOME="$work/home" PATH="$work/venv/bin" TMPDIR="$work/home" "$@"
}
version=$(run python -c 'import qapfw; print(qapfw.__version__)')
[ "$(run python -m qapfw --version)" = "qapfw $version" ]
[ "$(run qapfw --version)" = "qapfw $version" ]
run python -c 'import qapfw; print(qapfw.find_program())' | grep -F "$work/venv/"
run qapfw plugin list | tee plugins
grep memetic plugins
if grep -i 'refused\|not used' plugins; then exit 1; fi
for example in "$source"/python/examples/*.py; do
    case ${example##*/} in
        interrupt.py | study.py) continue ;; # interrupt.py runs until Ctrl-C, study.py takes long
        *) run python "$example" ;;
    esac
done | tee said
grep 'is the least possible' said
grep -x 'happiness 32.0' said
grep 'people are found' said
run python -c 'import qapfw, pickle; print(qapfw.Layout({"a": 6, "b": 6}, {("a", "b"): 1}, (4, 3), max_aspect_ratio=4).solve(iterations=5).cost)'
# The wheel contains no path of the source tree, and uninstalling it leaves nothing.
if grep -rlF --exclude='*.pyc' -e "$source" -e "$build" "$work"/venv/lib/python3*/site-packages/qapfw; then exit 1; fi
find "$work/home" -name __pycache__ -prune -o -type f -print | grep -v -x -e "$work/home/said" -e "$work/home/plugins" && exit 1
"$work/venv/bin/pip" uninstall --quiet --yes --disable-pip-version-check qapfw
test ! -e "$work"/venv/lib/python3*/site-packages/qapfw
