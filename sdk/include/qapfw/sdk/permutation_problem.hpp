// SPDX-License-Identifier: Apache-2.0
// A problem whose solution is one order of elements, written as its cost alone:
//
//     class Mine : public sdk::PermutationProblem<Mine> {
//       public:
//         static constexpr sdk::ParameterTable kParameters{...};
//         Mine(const sdk::Host&, const sdk::Parameters&) : PermutationProblem({.n = 12, .instance = "mine"}) {}
//         std::int64_t cost(const std::uint16_t* order) const;  // or double; any number of threads at once
//     };
//
// Optionally `delta_insertion(order, from, to)` tells what an insertion changes (sdk/insertion_neighbourhood.hpp).
// Reading and writing solutions, batches and the check that a solution is a permutation come with it. A member `void
// explain(const std::uint16_t* order, const sdk::EmitPart&) const` gives numbers by name, see sdk/explanation.hpp.
#pragma once

#include <charconv>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "qapfw/sdk/instance_facts.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::sdk {

/// Facts about a PermutationProblem. Fields as in qapfw_problem_info.
struct PermutationProblemOptions {
    std::uint64_t n = 0;            ///< elements, 1 to 65535
    std::string instance;           ///< a short name
    std::string summary = {};       ///< one line; empty: "n elements"
    std::uint64_t fingerprint = 0;  ///< of everything that decides costs: a resumed run must find it again
    std::int32_t sense = 1;         ///< -1: people see the negated cost, of a maximisation
    InstanceFacts facts = {};       ///< what else is known, and fixed positions
};

/// The base of such a problem class, which hands itself over as `Derived`. Not copyable: what info() gives points into
/// it.
template <class Derived>
class PermutationProblem {
  public:
    /// Throws Error(kInput) where n is out of range.
    explicit PermutationProblem(const PermutationProblemOptions& options)
        : options_(options),
          facts_(options.facts),
          encoding_(Encoding::permutation(checked(options.n))),
          info_{sizeof info_,
                static_cast<std::uint32_t>(options.n),
                encoding_.c_encoding(),
                QAPFW_COST_INT64,
                options.sense,
                1,
                options_.instance.c_str(),
                nullptr,
                options.fingerprint,
                0,
                0,
                {},
                nullptr,
                {},
                0} {
        if (options_.summary.empty()) options_.summary = std::to_string(options.n) + " elements";
        info_.summary = options_.summary.c_str();
        if constexpr (std::is_floating_point_v<Cost<Derived>>) info_.cost_kind = QAPFW_COST_FLOAT64;
        facts_.tell(info_);
    }
    PermutationProblem(const PermutationProblem&) = delete;
    PermutationProblem& operator=(const PermutationProblem&) = delete;

    /// Facts about the problem; valid as long as the problem.
    const qapfw_problem_info& info() const { return info_; }
    std::uint32_t n() const { return info_.n; }  ///< elements, 1 to 65535

    /// Fills in the costs of a batch; any number of threads. Throws Error(kInput) where a solution is no permutation of
    /// 0 .. n - 1.
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            const std::uint16_t* order = permutation_of(solution_at(std::as_const(batch).solutions, bytes(), k));
            check_order(order);
            set(batch.costs[k], static_cast<const Derived*>(this)->cost(order));
        }
    }
    /// Reads n elements counted from 0, separated by white space. Throws Error(kInput) where the text is anything else.
    void read_solution(std::string_view text, void* solution) const {
        std::memset(solution, 0, bytes());
        const char *at = text.data(), *end = at + text.size();
        const auto skip_space = [&] {
            while (at != end && std::strchr(" \t\r\n", *at) != nullptr && *at != '\0') ++at;
        };
        for (std::uint32_t k = 0; k < n(); ++k) {
            skip_space();
            const auto [stop, error] = std::from_chars(at, end, permutation_of(solution)[k]);
            if (error != std::errc{}) refuse(std::to_string(n()) + " elements", "only " + std::to_string(k));
            at = stop;
        }
        skip_space();
        if (at != end) refuse(std::to_string(n()) + " elements", "more text behind them");
        check_order(permutation_of(solution));
    }
    /// Hands out one element a line, in the file solution.txt.
    void write_artefacts(const void* solution, qapfw_cost, const Emit& emit) const {
        std::string text;
        for (std::uint32_t k = 0; k < n(); ++k) text += std::to_string(permutation_of(solution)[k]) + "\n";
        emit("solution.txt", "text/plain", text);
    }

  private:
    template <class T>
    using Cost = decltype(std::declval<const T&>().cost(std::declval<const std::uint16_t*>()));

    static std::uint32_t checked(std::uint64_t n) {
        if (n < 1 || n > 65535) {
            throw Error(ErrorKind::kInput, "wanted 1 to 65535 elements, found " + std::to_string(n));
        }
        return static_cast<std::uint32_t>(n);
    }
    [[noreturn]] static void refuse(const std::string& wanted, const std::string& found) {
        throw Error(ErrorKind::kInput, "solution: wanted " + wanted + ", found " + found);
    }
    static void set(qapfw_cost& to, std::int64_t cost) { to.i = cost; }
    static void set(qapfw_cost& to, double cost) { to.f = cost; }
    std::uint64_t bytes() const { return info_.encoding.solution_bytes; }
    void check_order(const std::uint16_t* order) const {
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

    PermutationProblemOptions options_;
    KeptFacts facts_;
    Encoding encoding_;
    qapfw_problem_info info_;
};

/// Device code of a problem: a text of constants, the problem's own text, and the bytes of its View. For
/// `const qapfw_device_problem& device() const`. Not copyable: what it gives points into it.
template <class View>
class DeviceText {
    static_assert(std::is_trivially_copyable_v<View>, "kernels get the view as bytes");

  public:
    /// `constants` is CUDA C++ that `text` goes by ("constexpr int kSize = 12;"), shown in errors as
    /// "<name>/constants". `arrays` are copied to the device, each with its address at an offset of the view; what they
    /// point to must outlive this object.
    DeviceText(const std::string& name, std::string constants, const qapfw_text& text, const View& view,
               std::vector<qapfw_view_buffer> arrays = {})
        : name_(name + "/constants"),
          constants_(std::move(constants)),
          view_(view),
          arrays_(std::move(arrays)),
          texts_{{name_.c_str(), constants_.data(), constants_.size()}, text},
          problem_{sizeof problem_, 2, texts_, &view_, sizeof view_, arrays_.size(), arrays_.data(), nullptr} {}
    DeviceText(const DeviceText&) = delete;
    DeviceText& operator=(const DeviceText&) = delete;

    /// The C form; valid as long as this object.
    const qapfw_device_problem& get() const { return problem_; }

  private:
    std::string name_, constants_;
    View view_;
    std::vector<qapfw_view_buffer> arrays_;
    qapfw_text texts_[2];
    qapfw_device_problem problem_;
};

}  // namespace qapfw::sdk
