// SPDX-License-Identifier: Apache-2.0
// Measures that the reproduced papers define.
#pragma once

#include <cstdint>

namespace qapfw::statistics {

/// Symmetry 2019, Table 4: quality and time of a GPU beside a CPU. Where a divisor is not above 0 a value is 0.
struct QualityAndTime {
    double nq = 0;   ///< NQ = Q_CPU / Q_GPU: above 1 where the GPU's cost is smaller
    double nt = 0;   ///< NT = T_GPU / T_CPU
    double qtr = 0;  ///< QTR = log2(NQ / NT): all five rows of the table fit this, not the formula as printed
    double pqi = 0;  ///< PQI = (Q_CPU - Q_GPU) / Q_CPU
};
QualityAndTime quality_and_time(double quality_cpu, double quality_gpu, double time_cpu, double time_gpu);

/// Symmetry 2019, section 3.1, with its M (rounds) and T (threads) put right: comparisons of a tournament whose threads
/// read one sequence of draws from shifted offsets. Over the pairs within a thread's set of draws.
struct TournamentComparisons {
    std::uint64_t distinct = 0, repeated = 0, total = 0;
};
TournamentComparisons shared_sequence_comparisons(std::uint64_t rounds, std::uint64_t threads);

/// Draws that another thread makes too, as the kernel is written (a running winner): (T - 1)(M - 1) of T M.
std::uint64_t shared_sequence_repeated_draws(std::uint64_t rounds, std::uint64_t threads);

}  // namespace qapfw::statistics
