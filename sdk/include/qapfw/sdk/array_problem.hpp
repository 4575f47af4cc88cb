// SPDX-License-Identifier: Apache-2.0
// The base of problems whose solution is one array and whose only required code is the cost. Problem classes derive
// from the classes in permutation_problem.hpp and one_segment_problem.hpp.
#pragma once

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qapfw/sdk/instance_facts.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::sdk {

/// Facts about a problem whose solution is one array. qapfw_problem_info explains the fields.
struct OneSegmentOptions {
    std::string instance;           ///< a short name
    std::string summary = {};       ///< one line about the instance; empty: becomes "N elements"
    std::uint64_t fingerprint = 0;  ///< hash of all that decides costs; 0: the framework hashes parameters and files
    std::int32_t sense = 1;         ///< -1: a maximisation, so costs are shown negated
    InstanceFacts facts = {};       ///< further known facts, and fixed elements
};

/// Keeps the facts, evaluates batches, and reads, writes and checks solutions. `Element` is the type of the array's
/// elements. Not copyable: info() points into the object.
template <class Derived, class Element>
class ArrayProblem {
  public:
    ArrayProblem(const ArrayProblem&) = delete;
    ArrayProblem& operator=(const ArrayProblem&) = delete;

    /// Facts about the problem; valid as long as the problem exists.
    const qapfw_problem_info& info() const { return info_; }
    std::uint32_t n() const { return info_.n; }  ///< number of elements

    /// Fills in the costs of a batch; thread-safe. Throws Error(kInput) if a solution is invalid.
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            const void* const solution = solution_at(std::as_const(batch).solutions, bytes(), k);
            check_elements(solution);
            set(batch.costs[k], derived().cost(static_cast<const Element*>(solution)));
        }
    }
    /// Reads n numbers separated by white space. Throws Error(kInput) if the text or the solution is invalid.
    void read_solution(std::string_view text, void* solution) const {
        std::memset(solution, 0, bytes());
        const char *at = text.data(), *end = at + text.size();
        const auto skip_space = [&] {
            while (at != end && std::strchr(" \t\r\n", *at) != nullptr && *at != '\0') ++at;
        };
        for (std::uint32_t k = 0; k < n(); ++k) {
            skip_space();
            const auto [stop, error] = std::from_chars(at, end, static_cast<Element*>(solution)[k]);
            if (error == std::errc::result_out_of_range) {
                refuse(wanted_elements(), "a number that is too large, after " + std::to_string(k) + " others");
            }
            if (error != std::errc{}) refuse(wanted_elements(), "only " + std::to_string(k));
            at = stop;
        }
        skip_space();
        if (at != end) refuse(wanted_elements(), "more text after them");
        check_elements(solution);
    }
    /// Emits the file solution.txt with one number per line.
    void write_artefacts(const void* solution, qapfw_cost, const Emit& emit) const {
        std::string text;
        for (std::uint32_t k = 0; k < n(); ++k) {
            text += std::to_string(static_cast<const Element*>(solution)[k]) + "\n";
        }
        emit("solution.txt", "text/plain", text);
    }

  protected:
    /// `encoding` must have exactly one segment.
    ArrayProblem(const OneSegmentOptions& options, Encoding encoding)
        : options_(options), facts_(options.facts), encoding_(std::move(encoding)) {
        info_.struct_size = sizeof info_;
        info_.encoding = encoding_.c_encoding();
        info_.n = info_.encoding.segments[0].length;
        info_.cost_kind = std::is_floating_point_v<Cost<Derived>> ? QAPFW_COST_FLOAT64 : QAPFW_COST_INT64;
        info_.sense = options.sense;
        info_.fingerprint = options.fingerprint;
        if (options_.summary.empty()) options_.summary = std::to_string(info_.n) + " elements";
        info_.instance = options_.instance.c_str();
        info_.summary = options_.summary.c_str();
        facts_.tell(info_);
    }
    ~ArrayProblem() = default;
    /// Returns `n`, a number of elements. Throws Error(kInput) unless it is from 1 to `most`.
    static std::uint32_t checked(std::uint64_t n, std::uint32_t most) {
        if (n < 1 || n > most) {
            throw Error(ErrorKind::kInput,
                        "wanted 1 to " + std::to_string(most) + " elements, found " + std::to_string(n));
        }
        return static_cast<std::uint32_t>(n);
    }
    /// Writes an integer cost.
    static void set(qapfw_cost& to, std::int64_t cost) { to.i = cost; }
    /// Writes a real cost.
    static void set(qapfw_cost& to, double cost) { to.f = cost; }
    std::uint64_t bytes() const { return info_.encoding.solution_bytes; }  ///< bytes of a solution

  private:
    template <class T>
    using Cost = decltype(std::declval<const T&>().cost(std::declval<const Element*>()));

    const Derived& derived() const { return *static_cast<const Derived*>(this); }
    [[noreturn]] static void refuse(const std::string& wanted, const std::string& found) {
        throw Error(ErrorKind::kInput, "solution: wanted " + wanted + ", found " + found);
    }
    bool is_order() const { return info_.encoding.segments[0].kind == QAPFW_SEGMENT_PERMUTATION; }
    /// For messages: how many elements a solution must have, such as "9 numbers".
    std::string wanted_elements() const { return std::to_string(n()) + (is_order() ? " elements" : " numbers"); }
    void check_order(const Element* order) const {
        thread_local std::vector<bool> seen;
        seen.assign(n(), false);
        for (std::uint32_t k = 0; k < n(); ++k) {
            if (order[k] >= n() || seen[order[k]]) {
                refuse("each of 0 to " + std::to_string(n() - 1) + " once",
                       std::to_string(order[k]) + (order[k] >= n() ? "" : " a second time") + " at position " +
                           std::to_string(k));
            }
            seen[order[k]] = true;
        }
    }
    void check_elements(const void* solution) const {
        if (is_order()) return check_order(static_cast<const Element*>(solution));
        const qapfw_segment& segment = info_.encoding.segments[0];
        thread_local std::vector<std::uint32_t> held;
        held.assign(segment.counts == nullptr ? 0 : std::max(segment.bound, 2u), 0);
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            const std::uint32_t value = element_at(segment, solution, k), bound = bound_at(segment, k);
            if (value >= bound) {
                refuse("numbers below " + std::to_string(bound),
                       std::to_string(value) + " at position " + std::to_string(k));
            }
            if (!held.empty()) ++held[value];
        }
        for (std::uint32_t v = 0; v < held.size(); ++v) {
            if (held[v] == segment.counts[v]) continue;
            refuse(std::to_string(segment.counts[v]) + " times the value " + std::to_string(v),
                   std::to_string(held[v]));
        }
    }

    OneSegmentOptions options_;
    KeptFacts facts_;
    Encoding encoding_;
    qapfw_problem_info info_{};
};

}  // namespace qapfw::sdk
