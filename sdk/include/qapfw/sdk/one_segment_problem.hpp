// SPDX-License-Identifier: Apache-2.0
// Problems whose solution is one array: values below a bound (AssignmentProblem) or bits (BinaryProblem). The class
// must only compute the cost. For an order of elements see permutation_problem.hpp.
//
//     class Mine : public sdk::BinaryProblem<Mine> {
//       public:
//         static constexpr sdk::ParameterTable kParameters{...};
//         Mine(const sdk::Host&, const sdk::Parameters&) : BinaryProblem({.n = 40, .instance = "mine"}) {}
//         std::int64_t cost(const std::uint8_t* bits) const;  // or double; any number of threads at once
//     };
//
// Elements are std::uint8_t for bits, std::uint16_t for values. Optional members make searches faster. Each returns the
// cost after a move minus the cost before, exact if costs are integers:
//
//     std::int64_t delta_flip(const std::uint8_t* bits, std::uint32_t k) const;                       // bits
//     std::int64_t delta_set(const std::uint16_t* values, std::uint32_t i, std::uint32_t value) const; // values
//     std::int64_t delta_exchange(const Element* elements, std::uint32_t i, std::uint32_t j) const;    // bits, values
//
// If tables make deltas faster, write a class `Moves` as in moves_of_segments.hpp instead. The base reads, writes and
// checks solutions, and evaluates batches.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qapfw/sdk/array_problem.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"

namespace qapfw::sdk {

/// The base of AssignmentProblem and BinaryProblem. `Element` is the type of the array's elements.
template <class Derived, class Element>
class OneSegmentProblem : public ArrayProblem<Derived, Element> {
    using Base = ArrayProblem<Derived, Element>;

  public:
    /// Computes deltas by the problem's members delta_exchange, delta_set and delta_flip. If the member for a move is
    /// missing, evaluates the changed solution instead. moves_of_segments.hpp lists the members of such a class.
    class Moves {
      public:
        /// The problem must outlive this object.
        explicit Moves(const Derived& problem) : problem_(problem), now_(problem.bytes() / sizeof(Element)) {}
        /// Copies `solution` and returns its cost.
        qapfw_cost reset(const void* solution) {
            std::memcpy(now_.data(), solution, now_.size() * sizeof(Element));
            Base::set(cost_, problem_.cost(now_.data()));
            return cost_;
        }
        /// Returns the cost after the move minus the cost before it.
        qapfw_cost delta(const qapfw_move& move) {
            qapfw_cost delta{};
            if (move.kind == QAPFW_MOVE_EXCHANGE) {
                if constexpr (requires(const Derived& d, const Element* x) { d.delta_exchange(x, 0u, 0u); }) {
                    Base::set(delta, problem_.delta_exchange(now_.data(), move.i, move.to));
                    return delta;
                }
            } else if constexpr (requires(const Derived& d, const Element* x) { d.delta_set(x, 0u, 0u); }) {
                Base::set(delta, problem_.delta_set(now_.data(), move.i, move.to));
                return delta;
            } else if constexpr (requires(const Derived& d, const Element* x) { d.delta_flip(x, 0u); }) {
                Base::set(delta, problem_.delta_flip(now_.data(), move.i));
                return delta;
            }
            return evaluated(move);
        }
        /// Makes the move.
        void apply(const qapfw_move& move) {
            const qapfw_cost delta = this->delta(move);
            cost_ = cost_sum(problem_.info().cost_kind, cost_, delta);
            make_move(problem_.info().encoding, now_.data(), move);
        }

      private:
        qapfw_cost evaluated(const qapfw_move& move) {
            const std::vector<Element> before = now_;
            make_move(problem_.info().encoding, now_.data(), move);
            qapfw_cost delta{};
            Base::set(delta, problem_.cost(now_.data()));
            now_ = before;
            return cost_difference(problem_.info().cost_kind, delta, cost_);
        }
        const Derived& problem_;
        std::vector<Element> now_;
        qapfw_cost cost_{};
    };
    /// True if the class has its own Moves or a member delta_... Otherwise the problem does not offer moves.
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
    using Base::Base;
    static constexpr std::uint32_t kMostElements = 0x7FFFFFFF;  ///< largest number of elements of an array
};

/// Facts about an AssignmentProblem. Set either `bounds`, or `items` and `values`.
struct AssignmentProblemOptions {
    std::uint64_t items = 0;                 ///< number of elements
    std::uint32_t values = 0;                ///< number of possible values, 1 to 65536; the values are 0, 1, 2 ...
    std::string instance;                    ///< a short name
    std::string summary = {};                ///< one line about the instance; empty: becomes "N elements"
    std::vector<std::uint32_t> bounds = {};  ///< bound of each element, instead of `items` and `values`
    std::uint64_t fingerprint = 0;           ///< see OneSegmentOptions
    std::int32_t sense = 1;                  ///< see OneSegmentOptions
    InstanceFacts facts = {};                ///< see OneSegmentOptions
};
/// The base of a problem whose solution is a value for each item.
template <class Derived>
class AssignmentProblem : public OneSegmentProblem<Derived, std::uint16_t> {
    using Base = OneSegmentProblem<Derived, std::uint16_t>;

  public:
    /// Throws Error(kInput) if there are no items, or too many, or if a bound is not from 1 to 65536.
    explicit AssignmentProblem(const AssignmentProblemOptions& options)
        : Base({options.instance, options.summary, options.fingerprint, options.sense, options.facts},
               encoding_of(options)) {}

  private:
    static Encoding encoding_of(const AssignmentProblemOptions& options) {
        std::vector<std::uint32_t> bounds = options.bounds;
        if (bounds.empty()) bounds.assign(Base::checked(options.items, Base::kMostElements), options.values);
        for (const std::uint32_t bound : bounds) {
            if (bound >= 1 && bound <= 65536) continue;
            throw Error(ErrorKind::kInput,
                        "an item must have from 1 to 65536 possible values, found " + std::to_string(bound));
        }
        return std::move(Encoding().add_values(std::move(bounds), 2));
    }
};

/// Facts about a BinaryProblem.
struct BinaryProblemOptions {
    std::uint64_t n = 0;                     ///< number of bits
    std::string instance;                    ///< a short name
    std::string summary = {};                ///< one line about the instance; empty: becomes "N elements"
    std::optional<std::uint32_t> ones = {};  ///< number of bits that are 1; nothing: any number
    std::uint64_t fingerprint = 0;           ///< see OneSegmentOptions
    std::int32_t sense = 1;                  ///< see OneSegmentOptions
    InstanceFacts facts = {};                ///< see OneSegmentOptions
};
/// The base of a problem whose solution is bits.
template <class Derived>
class BinaryProblem : public OneSegmentProblem<Derived, std::uint8_t> {
    using Base = OneSegmentProblem<Derived, std::uint8_t>;

  public:
    /// Throws Error(kInput) if n is 0, above 0x7FFFFFFF, or below `ones`.
    explicit BinaryProblem(const BinaryProblemOptions& options)
        : Base({options.instance, options.summary, options.fingerprint, options.sense, options.facts},
               encoding_of(options)) {}

  private:
    static Encoding encoding_of(const BinaryProblemOptions& options) {
        const std::uint32_t n = Base::checked(options.n, Base::kMostElements);
        if (options.ones && *options.ones > n) {
            throw Error(ErrorKind::kInput, "wanted at most " + std::to_string(n) + " bits that are 1, found " +
                                               std::to_string(*options.ones));
        }
        return options.ones ? std::move(Encoding().add_bits(n, *options.ones)) : std::move(Encoding().add_bits(n));
    }
};

}  // namespace qapfw::sdk
