// SPDX-License-Identifier: Apache-2.0
// uaflp_evaluate_bench [n, default 60] [seconds per row, default 0.5]: measures evaluations per second of layouts in
// flexible bays on one core. The layouts are random solutions of generated instances. With "flows 100%" there is flow
// between all n (n - 1) / 2 pairs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "problems/uaflp/evaluator.hpp"
#include "problems/uaflp/instance.hpp"
#include "qapfw/kernels/fbs_operators.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::uaflp;

constexpr size_t kBatch = 1024;

/// A batch of random solutions.
struct Solutions {
    explicit Solutions(std::uint32_t n) : size(n), stride((3 * n + 15) / 16 * 16), bytes(kBatch * stride) {
        for (std::uint32_t k = 0; k < kBatch; ++k) {
            auto* perm = reinterpret_cast<std::uint16_t*>(bytes.data() + k * stride);
            auto* bits = reinterpret_cast<std::uint8_t*>(bytes.data() + k * stride + 2 * n);
            kernels::fbs_randomize(kernels::fbs_solution(perm, bits), n, 0, 1, 0, k, 1);
        }
    }
    SolutionBatch batch() const { return {bytes.data(), kBatch, stride, 0, 2 * size}; }
    size_t size;
    size_t stride;
    std::vector<std::byte> bytes;
};

/// The processor time of this process in seconds. Other programs on the machine do not count.
double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The calls of `body` per second: the best of five measurements, each of a fifth of `seconds`.
template <class Body>
double rate(double seconds, Body body) {
    double best = 0;
    for (int share = 0; share < 5; ++share) {
        const double start = processor_seconds();
        double spent = 0;
        size_t calls = 0;
        while (spent < seconds / 5) {
            body();
            ++calls;
            spent = processor_seconds() - start;
        }
        best = std::max(best, static_cast<double>(calls) / spent);
    }
    return best;
}

template <class Real>
void measure_batches(const UaflpInstance& instance, const Solutions& solutions, double seconds, const char* title) {
    const BasicEvaluator<Real> evaluator(instance);
    std::vector<kernels::FbsResult<Real>> results(kBatch);
    for (const VectorLevel level : {VectorLevel::kPlain, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
        if (level > best_vector_level()) continue;
        const double calls = rate(seconds, [&] { evaluator.evaluate_batch(solutions.batch(), results, level); });
        fmt::print("{:<28} {:>8} {:>6} {:>12.2f}\n", title, vector_level_name(level),
                   sizeof(Real) == 8 ? "double" : "float", calls * kBatch * 1e-6);
    }
}

void measure_single(const UaflpInstance& instance, const Solutions& solutions, double seconds, const char* title) {
    const Evaluator evaluator(instance);
    const auto* perm = reinterpret_cast<const std::uint16_t*>(solutions.bytes.data());
    const auto* bits = reinterpret_cast<const std::uint8_t*>(solutions.bytes.data() + 2 * instance.size());
    volatile double sink = 0;
    const double calls =
        256 * rate(seconds, [&] {
            for (int k = 0; k < 256; ++k)
                sink = evaluator.evaluate({perm, instance.size()}, {bits, instance.size() - 1}).objective;
        });
    fmt::print("{:<28} {:>8} {:>6} {:>12.2f}\n", title, "one", "double", calls * 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
    const auto n = static_cast<std::uint32_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 60);
    const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 0.5;
    const Solutions solutions(n);
    fmt::print("{:<28} {:>8} {:>6} {:>12}\n", "instance", "vectors", "type", "10^6 evals/s");
    for (const double density : {1.0, 0.25}) {
        for (const Metric metric : {Metric::kRectilinear, Metric::kEuclidean}) {
            GeneratorOptions options;
            options.size = n;
            options.density = density;
            UaflpInstance instance = generate_instance(options);
            instance.metric = metric;
            instance.height = 2 * instance.height;  // not square: both orientations are tried
            const std::string title = fmt::format("n {} flows {}% {}", n, density * 100,
                                                  metric == Metric::kEuclidean ? "Euclidean" : "rectilinear");
            measure_single(instance, solutions, seconds, title.c_str());
            measure_batches<double>(instance, solutions, seconds, title.c_str());
            measure_batches<float>(instance, solutions, seconds, title.c_str());
        }
    }
    return 0;
}
