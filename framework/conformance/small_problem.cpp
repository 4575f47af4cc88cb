// SPDX-License-Identifier: Apache-2.0
// The suite's own problem and improver. They are written against the C++ layer of the SDK, like any plugin.
#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "framework/conformance/fixture.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace qapfw::framework::conformance {
namespace {

/// A weight from -50 to 50: a hash of a and b.
std::int64_t weight(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t mixed = (a * 2654435761u + b * 2246822519u + 374761393u) ^ ((a + 7 * b) << 9);
    return static_cast<std::int64_t>((mixed >> 11) % 101) - 50;
}

constexpr const char* kForms =
    "permutation|values|bits|counted_bits|counted_values|permutation32|permutation+values|permutation+bits|"
    "counted_bits+permutation32+values|permutation+bays";

/// The encoding that `form` names. Segments have n elements, except "bits" (n + 2) and bays (n - 1), so that lengths
/// differ.
sdk::Encoding encoding_of(const std::string& form, std::uint32_t n) {
    if (form == "permutation+bays") return sdk::Encoding::permutation_and_bays(n);
    std::vector<std::uint32_t> bounds(n);
    for (std::uint32_t k = 0; k < n; ++k) bounds[k] = 1 + k % 7;
    sdk::Encoding encoding;
    std::istringstream words(form);
    for (std::string word; std::getline(words, word, '+');) {
        if (word == "permutation") encoding.add_permutation(n);
        if (word == "permutation32") encoding.add_permutation32(n);
        if (word == "values") encoding.add_values(bounds);
        if (word == "bits") encoding.add_bits(n + 2);
        if (word == "counted_bits") encoding.add_bits(n, n / 3);
        if (word == "counted_values") encoding.add_counted_values({n - n / 2, 0, n / 2});
    }
    return encoding;
}

class Small {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("n", 11).range(1, 500).summary("Positions."),
        sdk::choice("form", "permutation", kForms).summary("The segments of a solution."),
        sdk::flag("fixed", false).summary("Whether every third element is fixed."),
        sdk::integer("microseconds", 0).summary("Microseconds that an evaluation waits in addition to its own work.")};

    Small(const sdk::Host&, const sdk::Parameters& parameters)
        : n_(static_cast<std::uint32_t>(parameters.integer("n"))),
          wait_(parameters.integer("microseconds")),
          encoding_(encoding_of(parameters.text("form"), n_)),
          mask_(sdk::element_count(encoding_.c_encoding()), 0) {
        for (std::uint32_t k = 0; k < n_ * n_; ++k) {
            flow_.push_back(weight(k / n_, k % n_));
            distance_.push_back(weight(3000 + k / n_, k % n_));
        }
        fill_fixed();
        const bool fixed = parameters.boolean("fixed");
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
    /// Fixes every third element of every segment except bays. In permutations and counted segments, the fixed values
    /// are those of the base solution in reverse order; in other segments, the greatest allowed values.
    void fill_fixed() {
        const qapfw_encoding encoding = encoding_.c_encoding();
        fixed_ = SolutionBuffer(encoding.solution_bytes);
        SolutionBuffer base(encoding.solution_bytes);
        sdk::base_solution(encoding, base.data());
        std::size_t number = 0;
        for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
            const qapfw_segment& segment = encoding.segments[s];
            const bool is_bays = segment.kind == QAPFW_SEGMENT_BAYS;
            const bool is_order = segment.kind == QAPFW_SEGMENT_PERMUTATION || segment.counts != nullptr;
            for (std::uint32_t k = 0; k < segment.length; ++k, ++number) {
                if (is_bays) continue;
                mask_[number] = k % 3 == 0 ? 1 : 0;
                sdk::set_element(segment, fixed_.data(), k,
                                 is_order ? sdk::element_at(segment, base.data(), segment.length - 1 - k)
                                          : sdk::bound_at(segment, k) - 1);
            }
        }
    }

    /// The cost, in O(n^2). A permutation has the cost of a quadratic assignment problem. In other segments, each
    /// element adds weights. These depend on the element, on segment 0 and, except for bays, on the next element.
    std::int64_t cost(const void* solution) const {
        const qapfw_encoding& encoding = info_.encoding;
        std::int64_t sum = 0;
        for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
            const qapfw_segment& segment = encoding.segments[s];
            const bool is_permutation = segment.kind == QAPFW_SEGMENT_PERMUTATION;
            for (std::uint32_t k = 0; k < segment.length; ++k) {
                const std::uint32_t value = sdk::element_at(segment, solution, k);
                sum += is_permutation ? order_cost(segment, solution, k, value)
                                      : element_cost(segment, solution, k, value);
            }
        }
        return sum;
    }
    std::int64_t order_cost(const qapfw_segment& segment, const void* solution, std::uint32_t i,
                            std::uint32_t value) const {
        const std::int64_t* flow = flow_.data() + std::size_t{i} * n_;
        const std::int64_t* distance = distance_.data() + std::size_t{value} * n_;
        std::int64_t sum = 7 * distance_[std::size_t{i} * n_ + value];
        for (std::uint32_t j = 0; j < n_; ++j) sum += flow[j] * distance[sdk::element_at(segment, solution, j)];
        return sum;
    }
    std::int64_t element_cost(const qapfw_segment& segment, const void* solution, std::uint32_t k,
                              std::uint32_t value) const {
        const qapfw_segment& first = info_.encoding.segments[0];
        if (segment.kind == QAPFW_SEGMENT_BAYS) {
            return value * weight(sdk::element_at(first, solution, k), 1000 + k);
        }
        const std::uint32_t next = sdk::element_at(segment, solution, k + 1 < segment.length ? k + 1 : 0);
        const std::uint32_t there = k < first.length ? sdk::element_at(first, solution, k) : 0;
        return weight(value + 17, 2000 + k) + weight(100 * value + next, 4000 + k) + weight(50 * value + there, 5000);
    }

    std::uint32_t n_;
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
                                std::to_string(request.struct_size) + "; " + std::to_string(sizeof request) +
                                " was wanted");
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
        /// Makes one improving swap within a segment; false if there is none, or if the caller asks to stop.
        bool step(void* solution, qapfw_cost& cost, std::uint64_t& evaluations,
                  const qapfw_improve_request& request) const {
            const qapfw_encoding& encoding = problem_.encoding();
            const std::uint8_t* fixed = encoding.fixed;
            for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
                const qapfw_segment& segment = encoding.segments[s];
                for (std::uint32_t i = 0; segment.kind != QAPFW_SEGMENT_BAYS && i < segment.length; ++i) {
                    for (std::uint32_t j = i + 1; j < segment.length; ++j) {
                        if (fixed != nullptr && (fixed[i] != 0 || fixed[j] != 0)) continue;
                        if (request.should_stop != nullptr && request.should_stop(request.stop_context) != 0) {
                            return false;
                        }
                        if (!exchange(segment, solution, i, j)) continue;
                        const qapfw_cost exchanged = problem_.evaluate_one(solution);
                        ++evaluations;
                        if (problem_.less()(exchanged, cost)) {
                            cost = exchanged;
                            return true;
                        }
                        exchange(segment, solution, i, j);
                    }
                }
                if (fixed != nullptr) fixed += segment.length;
            }
            return false;
        }
        /// Swaps two elements; false if a bound forbids it.
        static bool exchange(const qapfw_segment& segment, void* solution, std::uint32_t i, std::uint32_t j) {
            const std::uint32_t a = sdk::element_at(segment, solution, i), b = sdk::element_at(segment, solution, j);
            if (b >= sdk::bound_at(segment, i) || a >= sdk::bound_at(segment, j)) return false;
            sdk::set_element(segment, solution, i, b);
            sdk::set_element(segment, solution, j, a);
            return true;
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
