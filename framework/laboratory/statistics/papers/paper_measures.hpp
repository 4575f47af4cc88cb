// SPDX-License-Identifier: Apache-2.0
// Measures that the reproduced papers define.
#pragma once

#include <cstdint>

namespace qapfw::statistics {

/// Symmetry 2019, Table 4: quality and time of a GPU compared with a CPU. NQ and NT are 0 if their divisor is not
/// positive. QTR is 0 if NQ or NT is not positive. PQI is 0 if Q_CPU is 0.
struct QualityAndTime {
    double nq = 0;   ///< NQ = Q_CPU / Q_GPU: above 1 if the GPU's cost is smaller
    double nt = 0;   ///< NT = T_GPU / T_CPU
    double qtr = 0;  ///< QTR = log2(NQ / NT): fits all five rows of the table; the printed formula does not
    double pqi = 0;  ///< PQI = (Q_CPU - Q_GPU) / Q_CPU
};
QualityAndTime quality_and_time(double quality_cpu, double quality_gpu, double time_cpu, double time_gpu);

/// Numbers of comparisons in a tournament, as in Symmetry 2019, section 3.1. A comparison is a pair of draws of one
/// thread. All threads read the same sequence of draws, each from another offset. M is the number of rounds and T the
/// number of threads; one formula of the paper swaps M and T.
struct TournamentComparisons {
    std::uint64_t distinct = 0, repeated = 0, total = 0;
};
TournamentComparisons shared_sequence_comparisons(std::uint64_t rounds, std::uint64_t threads);

/// Number of draws that repeat a draw of another thread: (T - 1)(M - 1) of all T M draws. As in the published kernel,
/// each thread keeps the winner so far and compares each new draw with it.
std::uint64_t shared_sequence_repeated_draws(std::uint64_t rounds, std::uint64_t threads);

}  // namespace qapfw::statistics
