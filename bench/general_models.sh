#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# general_models.sh BUILD_FOLDER [COUNT, default 500] [COUNT ON GPUS, default COUNT]: runs every solver and improver on
# random instances of the general model, on the CPU and on an emulated GPU. The costs are compared with costs computed
# from the numbers in the files. CI does this for a few instances. On the emulated GPU an instance takes seconds, mostly
# for compiling.
set -euo pipefail
export QAPFW_GENERAL_MODELS=${2:-500}
export QAPFW_GENERAL_MODELS_ON_GPUS=${3:-$QAPFW_GENERAL_MODELS}
exec "$1/tests/qapfw-test-integration" -tc="*random instances of the general model*"
