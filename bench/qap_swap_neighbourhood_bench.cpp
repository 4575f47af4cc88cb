// SPDX-License-Identifier: Apache-2.0
// qap_swap_neighbourhood_bench [seconds per measurement, default 0.3] [n ...]: measures iterations per second of
// processor time of one robust tabu search on one pinned core, for every element width and instruction set. The search
// includes all of its bookkeeping. The classical scalar search is measured in the same run.
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "bench/robust_tabu_baseline.hpp"
#include "plugins/tabu/tabu_reference.hpp"
#include "problems/qap/neighbourhood/swap_neighbourhood.hpp"
#include "qapfw/kernels/philox.hpp"

namespace {

using namespace qapfw;
using qap::Isa;

constexpr int32_t kBatch = 500;  // iterations between two readings of the clock
// The best measurement is reported, since other programs on the machine can only slow measurements down.
constexpr int kRepeats = 10;

struct Kind {
    const char* name;
    int64_t low_a, high_a, low_b, high_b;
    bool a_symmetric, b_symmetric;
};
constexpr Kind kKinds[] = {
    {"8-bit symmetric", 0, 99, 0, 99, true, true},
    {"16-bit one-sided", 0, 500, 0, 2000, true, false},
    {"8-bit asymmetric", 0, 99, 0, 99, false, false},
    {"16-bit asymmetric", 0, 500, 0, 2000, false, false},
    {"32-bit symmetric", 0, 1, 0, 10'000'000, true, true},
    {"64-bit narrow symmetric", 0, 99'999, 0, 99'999, true, true},
    {"64-bit symmetric", 0, 100, 0, int64_t{1} << 40, true, true},
};

struct Rate {
    double iterations = 0;  // iterations per second
    int64_t best = 0;       // best cost found
};

std::vector<int64_t> random_matrix(uint32_t n, bool symmetric, int64_t low, int64_t high, std::mt19937_64& random) {
    std::uniform_int_distribution<int64_t> value(low, high);
    std::vector<int64_t> m(size_t{n} * n, 0);
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < n; ++j)
            if (i != j) m[size_t{i} * n + j] = symmetric && j < i ? m[size_t{j} * n + i] : value(random);
    return m;
}

/// Returns the processor time of this thread, in seconds. Time in which the thread waits for a core does not count.
double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Calls `iterate(iteration)` for `seconds` in all. Returns the most calls per second in any of kRepeats measurements.
template <class Iterate>
double measure(double seconds, Iterate iterate) {
    double best = 0;
    int32_t iteration = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        const double start = thread_seconds();
        int64_t done = 0;
        double spent = 0;
        while (spent < seconds / kRepeats) {
            for (int32_t k = 0; k < kBatch; ++k) iterate(iteration++);
            done += kBatch;
            spent = thread_seconds() - start;
        }
        best = std::max(best, static_cast<double>(done) / spent);
    }
    return best;
}

/// The QAP's neighbourhood in the form that the program's tabu search uses.
class Swaps {
  public:
    explicit Swaps(const qap::SwapData& data) : swaps_(data) {}
    int64_t reset(const uint16_t* solution) { return swaps_.reset(solution); }
    bool best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move& move) {
        return swaps_.best_admissible(filter, &move);
    }
    void apply(uint32_t i, uint32_t j) { swaps_.apply(i, j); }

  private:
    qap::SwapNeighbourhood swaps_;
};

kernels::TabuOptions search_options(uint32_t n) {
    kernels::TabuOptions options{};
    options.seed = 1;
    options.tenure_range = static_cast<int32_t>(8 * n);
    options.perturb_after = uint64_t{50} * n;
    options.perturb_swaps = n / 4;
    options.restart_at_best = 1;
    options.stream = kernels::kTabuStream;
    return options;
}

/// Runs the program's tabu search with all its parts: tabu memory, aspiration, random tenure, perturbation.
Rate tabu_search(const qap::SwapData& data, const std::vector<uint16_t>& start, double seconds) {
    Swaps swaps(data);
    std::vector<uint16_t> movable(data.n);
    std::iota(movable.begin(), movable.end(), uint16_t{0});
    tabu::TabuSearch<Swaps> search(swaps, search_options(data.n), 0, movable, data.n);
    search.start(start.data());
    const double rate = measure(seconds, [&](int32_t) { search.run(1); });
    return {rate, search.state().best_cost};
}

Rate baseline_search(const qap::QapMatrices& m, const std::vector<uint16_t>& start, double seconds) {
    bench::RobustTabuBaseline search(m.n, {m.a.begin(), m.a.end()}, {m.b.begin(), m.b.end()});
    search.start(start);
    const kernels::TabuOptions options = search_options(m.n);
    const double rate = measure(seconds, [&](int32_t iteration) {
        const kernels::Philox4 words = kernels::tabu_tenure_words(options, static_cast<uint64_t>(iteration), 0);
        bench::RobustTabuBaseline::Move move;
        search.step(kernels::tabu_tenure(words.word[0], 0, options.tenure_range),
                    kernels::tabu_tenure(words.word[1], 0, options.tenure_range), &move);
    });
    return {rate, search.best_cost()};
}

void run_size(uint32_t n, double seconds) {
    std::mt19937_64 random(n);
    std::vector<uint16_t> start(n);
    std::iota(start.begin(), start.end(), uint16_t{0});
    double baseline = 0;
    for (const Kind& kind : kKinds) {
        const qap::QapMatrices m{n, random_matrix(n, kind.a_symmetric, kind.low_a, kind.high_a, random),
                                 random_matrix(n, kind.b_symmetric, kind.low_b, kind.high_b, random)};
        if (&kind == kKinds) {
            baseline = baseline_search(m, start, seconds).iterations;
            std::printf("n %3u  %-24s %-9s %10.0f it/s\n", n, kind.name, "baseline", baseline);
        }
        for (const Isa isa : {Isa::kPlain, Isa::kAvx2, Isa::kAvx512Bw, Isa::kAvx512}) {
            if (!qap::isa_supported(isa)) continue;
            const qap::SwapData data(m, {}, isa);
            const double rate = tabu_search(data, start, seconds).iterations;
            std::printf("n %3u  %-24s %-9s %10.0f it/s  %5.1f x  %6.0f M pairs/s\n", n, kind.name, qap::isa_name(isa),
                        rate, rate / baseline, rate * n * (n - 1) / 2 * 1e-6);
            std::fflush(stdout);
        }
    }
}

void pin_to_this_core() {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<size_t>(sched_getcpu()), &set);
    sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

int main(int argc, char** argv) {
    pin_to_this_core();
    const double seconds = argc > 1 ? std::atof(argv[1]) : 0.3;
    if (argc > 2)
        for (int k = 2; k < argc; ++k) run_size(static_cast<uint32_t>(std::atoi(argv[k])), seconds);
    else
        for (const uint32_t n : {40u, 60u, 100u, 150u}) run_size(n, seconds);
    return 0;
}
