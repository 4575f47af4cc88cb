// SPDX-License-Identifier: Apache-2.0
// The temperatures of an annealing, and a table of logarithms for accepting swaps (is_accepted). Only integers and
// exact operations of IEEE 754 are used, so results do not depend on the exp and log functions of a machine.
#pragma once

#include <array>
#include <cstdint>

namespace qapfw::mapping {

/// A table of -ln(u) in units of 2^-16, where u is the middle of one of 4096 equal parts of (0, 1). 12 random bits
/// choose an entry.
class NegativeLogarithms {
  public:
    static constexpr std::uint32_t kBits = 12;
    NegativeLogarithms();
    const std::int32_t* data() const { return values_.data(); }
    std::int32_t operator[](std::uint32_t draw) const { return values_[draw]; }

  private:
    std::array<std::int32_t, std::size_t{1} << kBits> values_;
};

/// Temperatures that fall from one value to another in 256 steps. Each step lowers the temperature by the same factor.
/// Within a step, the temperature falls linearly.
class Cooling {
  public:
    Cooling(double from, double to);
    /// Returns the temperature after `done` of `total` rounds.
    double at(std::uint64_t done, std::uint64_t total) const;

  private:
    static constexpr std::uint32_t kSteps = 256;
    std::array<double, kSteps + 1> knots_;
};

/// Returns the highest temperature of an annealing, in units of a typical weight. `evaluations_each`: number of
/// evaluations for each position.
double first_temperature(double evaluations_each);

}  // namespace qapfw::mapping
