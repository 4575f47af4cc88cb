/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that begin on the CPU while GPUs are made ready, and then move there: a capability of a solver's component. Since
 * interface 1.1. */
#ifndef QAPFW_ABI_SOLVER_MOVES_H
#define QAPFW_ABI_SOLVER_MOVES_H

#include "qapfw/abi/solver.h"

/* The capability's id. Who offers it says: what `save` wrote on the CPU goes on exactly on GPUs after `load`, as it would
 * have gone on on the CPU; objects made for GPUs and for the CPU resolve "auto" alike; and an object of the solver and
 * its improver, with which nothing else works, may be made, run and destroyed by another thread than the main one while
 * a second object works. The framework lets such an object come to its first begin_round, where it is told that the run
 * is over: by then it should have asked for all its kernels.
 * get_capability gives an array of `const char*` that ends with null: parameters whose "auto" depends on the run's GPUs
 * all the same. Where one of them is "auto", the run begins as soon as an object that was made for the GPUs has resolved
 * it: so its construction should not wait for kernels. With several processes such runs do not begin on the CPU. */
#define QAPFW_SOLVER_MOVES "qapfw.solver.moves/1"

#endif
