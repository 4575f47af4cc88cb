// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/papers/paper_measures.hpp"

#include <cmath>

namespace qapfw::statistics {

QualityAndTime quality_and_time(double quality_cpu, double quality_gpu, double time_cpu, double time_gpu) {
    QualityAndTime measures;
    if (quality_gpu > 0) measures.nq = quality_cpu / quality_gpu;
    if (time_cpu > 0) measures.nt = time_gpu / time_cpu;
    if (measures.nq > 0 && measures.nt > 0) measures.qtr = std::log2(measures.nq / measures.nt);
    if (quality_cpu != 0) measures.pqi = (quality_cpu - quality_gpu) / quality_cpu;
    return measures;
}

TournamentComparisons shared_sequence_comparisons(std::uint64_t rounds, std::uint64_t threads) {
    TournamentComparisons count;
    if (rounds < 2 || threads == 0) return count;
    count.total = threads * rounds * (rounds - 1) / 2;
    count.repeated = (rounds - 2) * (rounds - 1) * (threads - 1) / 2;
    count.distinct = rounds * (rounds - 1) / 2 + (threads - 1) * (rounds - 1);
    return count;
}

std::uint64_t shared_sequence_repeated_draws(std::uint64_t rounds, std::uint64_t threads) {
    return rounds < 1 || threads < 1 ? 0 : (threads - 1) * (rounds - 1);
}

}  // namespace qapfw::statistics
