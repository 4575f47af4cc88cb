#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/attack/run.sh [build folder]: every attack in full, in less than half an hour on two cores. Prints how many
# faults, kills, damages and forgeries there were. The test suite runs a short form of these attacks.
set -euo pipefail
build=${1:-build/release}
cd "$(dirname "$0")/../.."
tests/attack/circumstances.sh "$build/bin/qapfw"
QAPFW_ATTACK=whole exec "$build/tests/qapfw-test-attack"
