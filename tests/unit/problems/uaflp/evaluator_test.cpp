// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/evaluator.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "uaflp_test_data.hpp"

using namespace qapfw;
using namespace qapfw::uaflp;
using test::random_solution;
using test::Solution;

namespace {

/// The result of plain_evaluation. This function follows the definition of the cost: it makes bays and centroids, and
/// sums over ordered pairs.
struct Plain {
    double cost = 0;
    unsigned violations = 0;
};

Plain plain_evaluation(const UaflpInstance& instance, const Solution& s, double bay_height) {
    const size_t n = instance.size();
    std::vector<double> x(n), y(n);
    Plain result;
    double across = 0;
    for (size_t first = 0; first < n;) {
        size_t last = first;
        while (last + 1 < n && !s.bits[last]) ++last;
        double area = 0;
        for (size_t k = first; k <= last; ++k) area += instance.departments[s.perm[k]].area;
        const double width = area / bay_height;
        double along = 0;
        for (size_t k = first; k <= last; ++k) {
            const Department& d = instance.departments[s.perm[k]];
            const double height = d.area / width;
            x[s.perm[k]] = across + width / 2;
            y[s.perm[k]] = along + height / 2;
            along += height;
            const double shorter = std::min(width, height);
            const double longer = std::max(width, height);
            const bool bad = (d.rule.max_aspect_ratio > 0 && longer / shorter > d.rule.max_aspect_ratio * (1 + 1e-6)) ||
                             (d.rule.min_side > 0 && shorter < d.rule.min_side * (1 - 1e-6));
            result.violations += bad ? 1u : 0u;
        }
        across += width;
        first = last + 1;
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            const double dx = std::abs(x[i] - x[j]);
            const double dy = std::abs(y[i] - y[j]);
            const double d = instance.metric == Metric::kEuclidean ? std::sqrt(dx * dx + dy * dy) : dx + dy;
            result.cost += instance.flow[i * n + j] * d;
        }
    }
    return result;
}

EvaluationOptions one_orientation(int o, Penalty penalty = Penalty::kNone) {
    EvaluationOptions options;
    options.orientations = o == 0 ? Orientations::kAcrossWidth : Orientations::kAcrossHeight;
    options.penalty = penalty;
    return options;
}

UaflpInstance varied_instance(unsigned n, std::uint64_t seed, Metric metric) {
    GeneratorOptions options;
    options.size = n;
    options.seed = seed;
    options.max_aspect_ratio = 4;
    options.density = 0.5;
    UaflpInstance instance = generate_instance(options);
    instance.metric = metric;
    instance.height = 60;  // the plant is larger than the areas need, so a strip stays empty
    for (size_t i = 1; i < instance.size(); i += 2) instance.flow[i * n] = 0.5;  // not symmetric
    return instance;
}

/// Solutions in the layout of a batch: perm, then bits at the next multiple of 16 bytes.
struct Batch {
    Batch(size_t n, size_t solutions)
        : count(solutions), bits_offset((2 * n + 15) / 16 * 16), stride(bits_offset + (n + 15) / 16 * 16) {
        bytes.resize(count * stride);
        for (size_t k = 0; k < count; ++k) {
            all.push_back(random_solution(n, k + 1));
            std::memcpy(bytes.data() + k * stride, all[k].perm.data(), 2 * n);
            if (n > 1) std::memcpy(bytes.data() + k * stride + bits_offset, all[k].bits.data(), n - 1);
        }
    }
    SolutionBatch view() const { return {bytes.data(), count, stride, 0, bits_offset}; }
    size_t count, bits_offset, stride;
    std::vector<std::byte> bytes;
    std::vector<Solution> all;
};

std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

}  // namespace

TEST_CASE("cost and violations are those of the definition, in both orientations and metrics") {
    for (const Metric metric : {Metric::kRectilinear, Metric::kEuclidean}) {
        for (const unsigned n : {1u, 2u, 3u, 8u, 33u, 64u, 120u}) {
            const UaflpInstance instance = varied_instance(n, n, metric);
            for (int o = 0; o < 2; ++o) {
                const Evaluator evaluator(instance, one_orientation(o));
                for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                    const Solution s = random_solution(n, seed);
                    const Plain plain = plain_evaluation(instance, s, o == 0 ? instance.height : instance.width);
                    const Evaluation found = evaluator.evaluate(s.perm, s.bits);
                    CHECK(found.cost == doctest::Approx(plain.cost).epsilon(1e-12));
                    CHECK(found.violations == plain.violations);
                    CHECK(found.orientation == static_cast<unsigned>(o));
                    CHECK(found.objective == found.cost);
                }
            }
        }
    }
}

TEST_CASE("the better orientation counts, the first one where they are equal") {
    const UaflpInstance instance = varied_instance(20, 4, Metric::kRectilinear);
    const Evaluator both(instance);
    const Evaluator first(instance, one_orientation(0, Penalty::kFeasibleFirst));
    const Evaluator second(instance, one_orientation(1, Penalty::kFeasibleFirst));
    unsigned seconds = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Solution s = random_solution(20, seed);
        const Evaluation a = first.evaluate(s.perm, s.bits);
        const Evaluation b = second.evaluate(s.perm, s.bits);
        const Evaluation best = both.evaluate(s.perm, s.bits);
        CHECK(best.objective == std::min(a.objective, b.objective));
        CHECK(best.orientation == (b.objective < a.objective ? 1u : 0u));
        seconds += best.orientation;
    }
    CHECK(seconds > 0);
    CHECK(seconds < 200);
    CHECK(Evaluator(generate_f(10)).evaluate(random_solution(10, 1).perm, random_solution(10, 1).bits).orientation ==
          0);
}

TEST_CASE("batches give the bits of single evaluations on every instruction set") {
    for (const Metric metric : {Metric::kRectilinear, Metric::kEuclidean}) {
        for (const unsigned n : {1u, 2u, 7u, 60u, 130u}) {
            const UaflpInstance instance = varied_instance(n, n + 1, metric);
            const Evaluator evaluator(instance);
            for (const size_t count : {0u, 1u, 3u, 16u, 67u}) {
                const Batch batch(n, count);
                for (const VectorLevel level : {VectorLevel::kPlain, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
                    if (level > best_vector_level()) {
                        MESSAGE("this processor has no " << vector_level_name(level));
                        continue;
                    }
                    std::vector<Evaluation> results(count);
                    evaluator.evaluate_batch(batch.view(), results, level);
                    for (size_t k = 0; k < count; ++k) {
                        const Evaluation single = evaluator.evaluate(batch.all[k].perm, batch.all[k].bits);
                        CHECK(bits_of(results[k].cost) == bits_of(single.cost));
                        CHECK(bits_of(results[k].objective) == bits_of(single.objective));
                        CHECK(results[k].violations == single.violations);
                        CHECK(results[k].orientation == single.orientation);
                    }
                }
            }
        }
    }
}

TEST_CASE("no product was fused into an addition: the build has contraction off") {
    // Orientation cost = Sx * (1 / B) + Sy * B in three rounded steps; a fused step differs for many values.
    kernels::FbsView<double> view{};
    view.orientation[0] = {3.0, 1.0 / 3.0, nullptr, nullptr};
    unsigned different = 0;
    for (int k = 1; k <= 1000; ++k) {
        const kernels::FbsSums<double> sums{{0.1 * k, 0.7 * k + 0.3}};
        volatile double first = sums.sum[0] * view.orientation[0].inverse_bay_height;
        volatile double second = sums.sum[1] * view.orientation[0].bay_height;
        CHECK(kernels::fbs_orientation_cost(view, sums, 0) == first + second);
        const double fused = std::fma(sums.sum[1], 3.0, first);
        different += fused != first + second ? 1u : 0u;
    }
    CHECK(different > 100);  // so the check above would notice a fused step
}

TEST_CASE("areas are rounded to where all their sums are exact, and by less than 1e-14") {
    const UaflpInstance instance = generate_f(300, 9);
    const Evaluator evaluator(instance);
    double forwards = 0;
    double backwards = 0;
    for (size_t d = 0; d < 300; ++d) {
        forwards += evaluator.view().area[d];
        backwards += evaluator.view().area[299 - d];
        CHECK(std::abs(evaluator.view().area[d] - instance.departments[d].area) <= 1e-14 * 2025);
    }
    CHECK(forwards == backwards);
    CHECK(forwards + forwards * 0.5 - forwards == forwards * 0.5);
}

TEST_CASE("float costs are near the double ones") {
    const UaflpInstance instance = varied_instance(60, 3, Metric::kRectilinear);
    const Batch batch(60, 40);
    std::vector<kernels::FbsResult<float>> results(40);
    EvaluationOptions options = one_orientation(1);
    FloatEvaluator(instance, options).evaluate_batch(batch.view(), results);
    const Evaluator exact(instance, options);
    for (size_t k = 0; k < 40; ++k) {
        const double cost = exact.evaluate(batch.all[k].perm, batch.all[k].bits).cost;
        CHECK(static_cast<double>(results[k].cost) == doctest::Approx(cost).epsilon(1e-5));
    }
}

TEST_CASE("each penalty has its published form") {
    const UaflpInstance instance = varied_instance(30, 6, Metric::kRectilinear);
    const Solution s = random_solution(30, 11);
    const Evaluation plain = Evaluator(instance, one_orientation(0)).evaluate(s.perm, s.bits);
    REQUIRE(plain.violations > 1);
    const double d = plain.violations;
    EvaluationOptions options = one_orientation(0, Penalty::kPower);
    CHECK(Evaluator(instance, options).evaluate(s.perm, s.bits).objective == plain.cost * (1 + d * d * d));
    options.exponent = 1.5;
    CHECK(Evaluator(instance, options).evaluate(s.perm, s.bits).objective ==
          doctest::Approx(plain.cost * (1 + std::pow(d, 1.5))).epsilon(1e-15));
    options = one_orientation(0, Penalty::kAdaptive);
    Evaluator adaptive(instance, options);
    CHECK(adaptive.evaluate(s.perm, s.bits).objective == plain.cost);
    adaptive.set_adaptive_gap(2.5);
    CHECK(adaptive.evaluate(s.perm, s.bits).objective == plain.cost + d * d * d * 2.5);
}

TEST_CASE("feasible first: fewer violations always win, then cost") {
    const UaflpInstance instance = varied_instance(30, 6, Metric::kRectilinear);
    const Evaluator evaluator(instance);
    std::vector<Evaluation> found;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Solution s = random_solution(30, seed);
        found.push_back(evaluator.evaluate(s.perm, s.bits));
    }
    for (const Evaluation& a : found) {
        for (const Evaluation& b : found) {
            if (a.violations < b.violations) CHECK(a.objective < b.objective);
            if (a.violations == b.violations && a.cost < b.cost * (1 - 1e-12)) CHECK(a.objective < b.objective);
        }
    }
}

TEST_CASE("the adaptive gap follows the best costs seen") {
    AdaptivePenalty penalty;
    CHECK(penalty.gap() == 0.0);
    penalty.observe({0, 80, 3, 0});
    CHECK(penalty.gap() == 80.0);
    penalty.observe({0, 100, 0, 0});
    CHECK(penalty.gap() == 20.0);
    penalty.observe({0, 70, 0, 0});
    CHECK(penalty.gap() == 0.0);
    penalty.observe({0, 60, 1, 0});
    CHECK(penalty.gap() == 10.0);
}

TEST_CASE("invalid solutions are refused") {
    const UaflpInstance instance = generate_f(4);
    const std::vector<std::uint8_t> bits{0, 1, 0};
    CHECK_NOTHROW(evaluate(instance, std::vector<std::uint16_t>{3, 1, 0, 2}, bits));
    CHECK(test::message_of([&] {
              evaluate(instance, std::vector<std::uint16_t>{3, 1, 1, 2}, bits);
          }) == "department 2 is listed twice, again at position 3");
    CHECK(test::message_of([&] {
              evaluate(instance, std::vector<std::uint16_t>{3, 1, 4, 2}, bits);
          }) == "position 3 holds department 5, but the last department is 4");
    CHECK_FALSE(test::message_of([&] { evaluate(instance, std::vector<std::uint16_t>{0, 1, 2}, bits); }).empty());
    CHECK(test::message_of([&] {
              evaluate(instance, std::vector<std::uint16_t>{0, 1, 2, 3}, std::vector<std::uint8_t>{0, 2, 0});
          }) == "bay bit 2 is 2, but it must be 0 or 1");
}

TEST_CASE("options out of range are refused") {
    EvaluationOptions options;
    options.tolerance = -1;
    CHECK_FALSE(test::message_of([&] { Evaluator(generate_f(4), options); }).empty());
    options.tolerance = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(test::message_of([&] { Evaluator(generate_f(4), options); }).empty());
}

TEST_CASE("costs that could overflow the number type are refused") {
    UaflpInstance instance = generate_f(4);
    instance.flow[1] = 1e35;
    CHECK_NOTHROW(Evaluator{instance});
    CHECK(test::message_of([&] { FloatEvaluator{instance}; }).find("overflow") != std::string::npos);
}

TEST_CASE("every array of a view is named with the place of its address") {
    const Evaluator evaluator(generate_f(12));
    const auto arrays = evaluator.view_arrays();
    CHECK(arrays.size() == 8);
    for (const ViewArray& array : arrays) {
        const void* address = nullptr;
        std::memcpy(&address, reinterpret_cast<const std::byte*>(&evaluator.view()) + array.view_offset,
                    sizeof address);
        CHECK(address == array.bytes);
        CHECK(array.size > 0);
    }
}

TEST_CASE("all verified solutions evaluate to their published cost") {
    const std::string folder = test::published_data();
    if (folder.empty()) return;
    const auto solutions = nlohmann::json::parse(test::read_text(folder + "/verified_solutions.json"));
    CHECK(solutions.size() >= 40);
    for (const auto& entry : solutions) {
        const std::string name = entry["instance"];
        CAPTURE(name);
        const UaflpInstance instance = read_instance(folder + "/" + name + ".json");
        Solution s;
        for (const int d : entry["permutation"]) s.perm.push_back(static_cast<std::uint16_t>(d - 1));
        for (const int bit : entry["bay_break"]) s.bits.push_back(static_cast<std::uint8_t>(bit));
        s.bits.pop_back();
        const Evaluation found =
            evaluate(instance, s.perm, s.bits, one_orientation(entry["bays_across"] == "width" ? 0 : 1));
        CHECK(std::abs(found.cost - entry["cost"].get<double>()) < 5.1e-5);  // the file states costs to four decimals
        CHECK(found.feasible());
        const Evaluation best = evaluate(instance, s.perm, s.bits);
        CHECK(best.feasible());
        CHECK(best.cost <= found.cost);
    }
}
