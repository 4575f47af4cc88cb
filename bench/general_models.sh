#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random instances of the general model under every solver and improver, on the CPU and on an emulated GPU, against costs
# that this script computes from the numbers in the files. CI runs the same on a few.
# Usage: bench/general_models.sh BUILD_FOLDER [COUNT, default 500] [COUNT ON GPUS, default COUNT]. With the emulated GPU an
# instance takes seconds, most of them for compiling.
set -euo pipefail
export QAPFW_GENERAL_MODELS=${2:-500}
export QAPFW_GENERAL_MODELS_ON_GPUS=${3:-$QAPFW_GENERAL_MODELS}
exec "$1/tests/qapfw-test-integration" -tc="*random instances of the general model*"
