#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/attack/run.sh [build folder]: makes every attack but soak.sh in full, in less than half an hour on two cores.
# Prints the numbers of faults, kills, damages and forgeries. The test suite makes short attacks.
set -euo pipefail
build=${1:-build/release}
cd "$(dirname "$0")/../.."
tests/attack/circumstances.sh "$build/bin/qapfw"
QAPFW_ATTACK=whole exec "$build/tests/qapfw-test-attack"
