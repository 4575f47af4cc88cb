// SPDX-License-Identifier: Apache-2.0
// Problems whose solution is one array, written as their cost alone: values below a bound (AssignmentProblem), or bits
// (BinaryProblem). One order of elements is in permutation_problem.hpp.
//
//     class Mine : public sdk::BinaryProblem<Mine> {
//       public:
//         static constexpr sdk::ParameterTable kParameters{...};
//         Mine(const sdk::Host&, const sdk::Parameters&) : BinaryProblem({.n = 40, .instance = "mine"}) {}
//         std::int64_t cost(const std::uint8_t* bits) const;  // or double; any number of threads at once
//     };
//
// Elements are std::uint8_t of bits, std::uint16_t of values. Optional members, each the cost after a move less the
// cost before, exact where costs are integers; a search is as fast as they are:
//
//     std::int64_t delta_flip(const std::uint8_t* bits, std::uint32_t k) const;                       // of bits
//     std::int64_t delta_set(const std::uint16_t* values, std::uint32_t i, std::uint32_t value) const; // of values
//     std::int64_t delta_exchange(const Element* elements, std::uint32_t i, std::uint32_t j) const;    // of both
//
// For tables of their own a class `Moves` as in moves_of_segments.hpp takes their place. Reading and
// writing solutions, batches and the check of solutions come with the base.
#pragma once

#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qapfw/sdk/instance_facts.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::sdk {

/// Facts about such a problem. Fields as in qapfw_problem_info.
struct OneSegmentOptions {
    std::string instance;           ///< a short name
    std::string summary = {};       ///< one line; empty: the number of elements
    std::uint64_t fingerprint = 0;  ///< of everything that decides costs: a resumed run must find it again
    std::int32_t sense = 1;         ///< -1: people see the negated cost, of a maximisation
    InstanceFacts facts = {};       ///< what else is known, and fixed elements
};

/// The base of both. `Element` is the type of the array's elements.
template <class Derived, class Element>
class OneSegmentProblem {
  public:
    OneSegmentProblem(const OneSegmentProblem&) = delete;
    OneSegmentProblem& operator=(const OneSegmentProblem&) = delete;

    /// Facts about the problem; valid as long as the problem.
    const qapfw_problem_info& info() const { return info_; }
    std::uint32_t n() const { return info_.n; }  ///< elements

    /// Fills in the costs of a batch; any number of threads. Throws Error(kInput) where a solution is invalid.
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            const void* const solution = solution_at(std::as_const(batch).solutions, bytes(), k);
            check_elements(solution);
            set(batch.costs[k], derived().cost(static_cast<const Element*>(solution)));
        }
    }
    /// Reads n numbers separated by white space. Throws Error(kInput) where the text is anything else.
    void read_solution(std::string_view text, void* solution) const {
        std::memset(solution, 0, bytes());
        const char *at = text.data(), *end = at + text.size();
        const auto skip_space = [&] {
            while (at != end && std::strchr(" \t\r\n", *at) != nullptr && *at != '\0') ++at;
        };
        for (std::uint32_t k = 0; k < n(); ++k) {
            skip_space();
            const auto [stop, error] = std::from_chars(at, end, static_cast<Element*>(solution)[k]);
            if (error != std::errc{}) refuse(std::to_string(n()) + " numbers", "only " + std::to_string(k));
            at = stop;
        }
        skip_space();
        if (at != end) refuse(std::to_string(n()) + " numbers", "more text behind them");
        check_elements(solution);
    }
    /// Hands out one number a line, in the file solution.txt.
    void write_artefacts(const void* solution, qapfw_cost, const Emit& emit) const {
        std::string text;
        for (std::uint32_t k = 0; k < n(); ++k) {
            text += std::to_string(static_cast<const Element*>(solution)[k]) + "\n";
        }
        emit("solution.txt", "text/plain", text);
    }

    /// Moves by the members delta_...; what is not there is evaluated.
    class Moves {
      public:
        /// The problem must outlive it.
        explicit Moves(const Derived& problem) : problem_(problem), now_(problem.bytes() / sizeof(Element)) {}
        /// See moves_of_segments.hpp.
        qapfw_cost reset(const void* solution) {
            std::memcpy(now_.data(), solution, now_.size() * sizeof(Element));
            set(cost_, problem_.cost(now_.data()));
            return cost_;
        }
        /// See moves_of_segments.hpp.
        qapfw_cost delta(const qapfw_move& move) {
            qapfw_cost delta{};
            if (move.kind == QAPFW_MOVE_EXCHANGE) {
                if constexpr (requires(const Derived& d, const Element* x) { d.delta_exchange(x, 0u, 0u); }) {
                    set(delta, problem_.delta_exchange(now_.data(), move.i, move.to));
                    return delta;
                }
            } else if constexpr (requires(const Derived& d, const Element* x) { d.delta_set(x, 0u, 0u); }) {
                set(delta, problem_.delta_set(now_.data(), move.i, move.to));
                return delta;
            } else if constexpr (requires(const Derived& d, const Element* x) { d.delta_flip(x, 0u); }) {
                set(delta, problem_.delta_flip(now_.data(), move.i));
                return delta;
            }
            return evaluated(move);
        }
        /// See moves_of_segments.hpp.
        void apply(const qapfw_move& move) {
            const qapfw_cost delta = this->delta(move);
            if (problem_.info().cost_kind == QAPFW_COST_INT64)
                cost_.i += delta.i;
            else
                cost_.f += delta.f;
            make_move(problem_.info().encoding, now_.data(), move);
        }

      private:
        qapfw_cost evaluated(const qapfw_move& move) {
            const std::vector<Element> before = now_;
            make_move(problem_.info().encoding, now_.data(), move);
            qapfw_cost delta{};
            set(delta, problem_.cost(now_.data()));
            now_ = before;
            if (problem_.info().cost_kind == QAPFW_COST_INT64)
                delta.i -= cost_.i;
            else
                delta.f -= cost_.f;
            return delta;
        }
        const Derived& problem_;
        std::vector<Element> now_;
        qapfw_cost cost_{};
    };
    /// True if deltas are faster than evaluations: else the problem does not offer its moves.
    static constexpr bool gives_moves() {
        if constexpr (!std::is_same_v<typename Derived::Moves, Moves>) {
            return true;
        } else {
            return requires(const Derived& d, const Element* x) {
                d.delta_exchange(x, 0u, 0u);
            }
            || requires(const Derived& d, const Element* x) {
                d.delta_set(x, 0u, 0u);
            }
            || requires(const Derived& d, const Element* x) {
                d.delta_flip(x, 0u);
            };
        }
    }

  protected:
    /// `encoding`: of one segment.
    OneSegmentProblem(const OneSegmentOptions& options, Encoding encoding)
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
    ~OneSegmentProblem() = default;
    /// Throws Error(kInput) where the number of elements is out of range.
    static std::uint32_t checked(std::uint64_t n) {
        if (n < 1 || n > 0x7FFFFFFF) {
            throw Error(ErrorKind::kInput, "wanted 1 to 2147483647 elements, found " + std::to_string(n));
        }
        return static_cast<std::uint32_t>(n);
    }

  private:
    template <class T>
    using Cost = decltype(std::declval<const T&>().cost(std::declval<const Element*>()));
    friend class Moves;

    const Derived& derived() const { return *static_cast<const Derived*>(this); }
    [[noreturn]] static void refuse(const std::string& wanted, const std::string& found) {
        throw Error(ErrorKind::kInput, "solution: wanted " + wanted + ", found " + found);
    }
    static void set(qapfw_cost& to, std::int64_t cost) { to.i = cost; }
    static void set(qapfw_cost& to, double cost) { to.f = cost; }
    std::uint64_t bytes() const { return info_.encoding.solution_bytes; }
    void check_elements(const void* solution) const {
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
            refuse(std::to_string(segment.counts[v]) + " times " + std::to_string(v), std::to_string(held[v]));
        }
    }

    OneSegmentOptions options_;
    KeptFacts facts_;
    Encoding encoding_;
    qapfw_problem_info info_{};
};

/// Facts about an AssignmentProblem: `bounds` or `items` and `values`.
struct AssignmentProblemOptions {
    std::uint64_t items = 0;                 ///< elements
    std::uint32_t values = 0;                ///< each is below this, from 1 to 65536
    std::string instance;                    ///< a short name
    std::string summary = {};                ///< one line; empty: the number of elements
    std::vector<std::uint32_t> bounds = {};  ///< of each element, in the place of `items` and `values`
    std::uint64_t fingerprint = 0;           ///< see OneSegmentOptions
    std::int32_t sense = 1;                  ///< see OneSegmentOptions
    InstanceFacts facts = {};                ///< see OneSegmentOptions
};
/// The base of a problem whose solution is a value for each item.
template <class Derived>
class AssignmentProblem : public OneSegmentProblem<Derived, std::uint16_t> {
    using Base = OneSegmentProblem<Derived, std::uint16_t>;

  public:
    /// Throws Error(kInput) where a number is out of range.
    explicit AssignmentProblem(const AssignmentProblemOptions& options)
        : Base({options.instance, options.summary, options.fingerprint, options.sense, options.facts},
               encoding_of(options)) {}

  private:
    static Encoding encoding_of(const AssignmentProblemOptions& options) {
        std::vector<std::uint32_t> bounds = options.bounds;
        if (bounds.empty()) bounds.assign(Base::checked(options.items), options.values);
        for (const std::uint32_t bound : bounds) {
            if (bound >= 1 && bound <= 65536) continue;
            throw Error(ErrorKind::kInput, "wanted 1 to 65536 values, found " + std::to_string(bound));
        }
        return std::move(Encoding().add_values(std::move(bounds), 2));
    }
};

/// Facts about a BinaryProblem.
struct BinaryProblemOptions {
    std::uint64_t n = 0;                     ///< bits
    std::string instance;                    ///< a short name
    std::string summary = {};                ///< one line; empty: the number of elements
    std::optional<std::uint32_t> ones = {};  ///< number of bits that are 1; nothing: any
    std::uint64_t fingerprint = 0;           ///< see OneSegmentOptions
    std::int32_t sense = 1;                  ///< see OneSegmentOptions
    InstanceFacts facts = {};                ///< see OneSegmentOptions
};
/// The base of a problem whose solution is bits.
template <class Derived>
class BinaryProblem : public OneSegmentProblem<Derived, std::uint8_t> {
    using Base = OneSegmentProblem<Derived, std::uint8_t>;

  public:
    /// Throws Error(kInput) where a number is out of range.
    explicit BinaryProblem(const BinaryProblemOptions& options)
        : Base({options.instance, options.summary, options.fingerprint, options.sense, options.facts},
               encoding_of(options)) {}

  private:
    static Encoding encoding_of(const BinaryProblemOptions& options) {
        const std::uint32_t n = Base::checked(options.n);
        if (options.ones && *options.ones > n) {
            throw Error(ErrorKind::kInput, "wanted at most " + std::to_string(n) + " bits that are 1, found " +
                                               std::to_string(*options.ones));
        }
        return options.ones ? std::move(Encoding().add_bits(n, *options.ones)) : std::move(Encoding().add_bits(n));
    }
};

}  // namespace qapfw::sdk
