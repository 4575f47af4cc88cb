#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/processes/run.sh [build folder] [trials]: runs the long tests of several processes, in about an hour on two
# cores. The first test repeats all recorded trajectories on 1 to 4 processes. The second kills a process at a random
# moment, <trials> times (default 20) with each of eight solvers. The third tries each kind of loss <trials> times. The
# test suite runs a short form of these tests.
# With MPICH: QAPFW_MPIRUN="mpirun.mpich" QAPFW_MPI_COMPONENT=<build folder>/tests/processes/mpich.so
set -u
cd "$(dirname "$0")/../.."
binary=${1:-build/release}/bin/qapfw trials=${2:-20} status=0
solvers=(imga cas ga_distributed ga_independent pga_grid memetic tabu random_restart)
tests/trajectories/check.sh --binary "$binary" --jobs 2 --threads 1 --processes 1,2,3,4 || status=1
tests/processes/lost.sh "$binary" "$trials" "KILL:any" "${solvers[@]}" || status=1
tests/processes/lost.sh "$binary" "$trials" || status=1
exit $status
