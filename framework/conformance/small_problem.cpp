// SPDX-License-Identifier: Apache-2.0
// The suite's own problem and improver. They are written against the C++ layer of the SDK, like any plugin.
#include <algorithm>
#include <chrono>
#include <thread>

#include "framework/conformance/fixture.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace qapfw::framework::conformance {
namespace {

/// A weight in -50 .. 50 that needs no table: a fixed mixing of its coordinates.
std::int64_t weight(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t mixed = (a * 2654435761u + b * 2246822519u + 374761393u) ^ ((a + 7 * b) << 9);
    return static_cast<std::int64_t>((mixed >> 11) % 101) - 50;
}

class Small {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("n", 11).range(1, 500).summary("Positions."),
        sdk::flag("bits", false).summary("Whether n - 1 bits follow the permutation."),
        sdk::flag("fixed", false).summary("Whether every third position is fixed."),
        sdk::integer("microseconds", 0).summary("How long an evaluation waits beside its own work.")};

    Small(const sdk::Host&, const sdk::Parameters& parameters)
        : n_(static_cast<std::uint32_t>(parameters.integer("n"))),
          bits_(parameters.boolean("bits")),
          wait_(parameters.integer("microseconds")),
          encoding_(bits_ ? sdk::Encoding::permutation_and_bits(n_, n_ - 1) : sdk::Encoding::permutation(n_)),
          mask_(n_, 0) {
        for (std::uint32_t k = 0; k < n_ * n_; ++k) {
            flow_.push_back(weight(k / n_, k % n_));
            distance_.push_back(weight(3000 + k / n_, k % n_));
        }
        const bool fixed = parameters.boolean("fixed");
        fixed_ = SolutionBuffer(encoding_.c_encoding().solution_bytes);
        for (std::uint32_t k = 0; k < n_; ++k) {
            mask_[k] = k % 3 == 0 ? 1 : 0;
            sdk::permutation_of(fixed_.data())[k] = static_cast<std::uint16_t>(n_ - 1 - k);
        }
        info_.struct_size = sizeof info_;
        info_.n = n_;
        info_.encoding = encoding_.c_encoding(fixed ? mask_.data() : nullptr, fixed ? fixed_.data() : nullptr);
        info_.cost_kind = QAPFW_COST_INT64;
        info_.sense = 1;
        info_.display_divisor = 1;
        info_.instance = "small";
        info_.summary = "the conformance suite's own problem";
        info_.fingerprint = n_;
    }

    const qapfw_problem_info& info() const { return info_; }

    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            const void* solution = sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k);
            const std::string defect = solution_defect(info_.encoding, solution);
            if (!defect.empty()) throw Error(ErrorKind::kInput, defect);
            batch.costs[k].i = cost(solution);
            if (wait_.count() > 0) std::this_thread::sleep_for(wait_);
        }
    }
    void write_artefacts(const void*, qapfw_cost, const sdk::Emit& emit) const {
        emit("solution.txt", "text/plain", "");
    }

  private:
    /// A cost that is linear and quadratic assignment in one, O(n^2).
    std::int64_t cost(const void* solution) const {
        const std::uint16_t* p = sdk::permutation_of(solution);
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < n_; ++i) {
            const std::int64_t* flow = flow_.data() + std::size_t{i} * n_;
            const std::int64_t* distance = distance_.data() + std::size_t{p[i]} * n_;
            sum += 7 * distance_[std::size_t{i} * n_ + p[i]];
            for (std::uint32_t j = 0; j < n_; ++j) sum += flow[j] * distance[p[j]];
        }
        if (!bits_) return sum;
        const auto* bits = static_cast<const std::uint8_t*>(solution) + info_.encoding.segments[1].offset;
        for (std::uint32_t k = 0; k + 1 < n_; ++k) sum += bits[k] * weight(p[k], 1000 + k);
        return sum;
    }

    std::uint32_t n_;
    bool bits_;
    std::chrono::microseconds wait_;
    sdk::Encoding encoding_;
    std::vector<std::int64_t> flow_, distance_;
    std::vector<std::uint8_t> mask_;
    SolutionBuffer fixed_;
    qapfw_problem_info info_{};
};

class Descent {
  public:
    Descent(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef& p) : problem(p) {}
    sdk::ProblemRef problem;

    class Workspace {
      public:
        explicit Workspace(const Descent& descent) : problem_(descent.problem) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
            if (request.struct_size != sizeof request) {
                throw Error(ErrorKind::kPlugin,
                            "an improver was called with a qapfw_improve_request whose struct_size is " +
                                std::to_string(request.struct_size));
            }
            std::uint64_t evaluations = 0;
            for (std::uint64_t k = 0; k < batch.count; ++k) {
                void* solution = sdk::solution_at(batch.solutions, problem_.solution_bytes(), k);
                while (step(solution, batch.costs[k], evaluations, request)) {
                }
            }
            return evaluations;
        }

      private:
        /// One better swap; false where there is none or time is over.
        bool step(void* solution, qapfw_cost& cost, std::uint64_t& evaluations,
                  const qapfw_improve_request& request) const {
            const std::uint8_t* fixed = problem_.encoding().fixed;
            std::uint16_t* p = sdk::permutation_of(solution);
            for (std::uint32_t i = 0; i < problem_.length(); ++i) {
                for (std::uint32_t j = i + 1; j < problem_.length(); ++j) {
                    if (fixed != nullptr && (fixed[i] != 0 || fixed[j] != 0)) continue;
                    if (request.should_stop != nullptr && request.should_stop(request.stop_context) != 0) return false;
                    std::swap(p[i], p[j]);
                    const qapfw_cost swapped = problem_.evaluate_one(solution);
                    ++evaluations;
                    if (problem_.less()(swapped, cost)) {
                        cost = swapped;
                        return true;
                    }
                    std::swap(p[i], p[j]);
                }
            }
            return false;
        }
        sdk::ProblemRef problem_;
    };
};

constexpr qapfw_component kSmall =
    sdk::problem_component<Small>({.id = "conformance_small", .version = "1.0.0", .summary = "A small problem."});
constexpr qapfw_component kDescent = sdk::improver_component<Descent>(
    {.id = "conformance_descent", .version = "1.0.0", .summary = "Descent over swaps.", .encodings = nullptr});
constexpr const qapfw_component* kComponents[] = {&kSmall, &kDescent};
constexpr qapfw_plugin kPlugin = {QAPFW_PLUGIN_MAGIC,
                                  sizeof(qapfw_plugin),
                                  QAPFW_ABI_MAJOR,
                                  QAPFW_ABI_MINOR,
                                  2,
                                  QAPFW_PLUGIN_PLATFORM,
                                  "qapfw.conformance",
                                  "1.0.0",
                                  QAPFW_COMPILER,
                                  "Apache-2.0",
                                  kComponents};

}  // namespace

const Component& small_problem_component() {
    static const Component component{&kSmall, &kPlugin, "built in", ""};
    return component;
}

const Component& small_improver_component() {
    static const Component component{&kDescent, &kPlugin, "built in", ""};
    return component;
}

}  // namespace qapfw::framework::conformance
