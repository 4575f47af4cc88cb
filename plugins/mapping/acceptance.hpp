// SPDX-License-Identifier: Apache-2.0
// The exchanges that an annealing accepts, and its temperatures: from tables of integers and IEEE 754's exact
// operations, so that no machine's exp or log can make a difference.
#pragma once

#include <array>
#include <cstdint>

namespace qapfw::mapping {

/// -ln(u) for the middles u of equal parts of (0, 1): 12 random bits choose one. In units of 2^-16.
class NegativeLogarithms {
  public:
    static constexpr std::uint32_t kBits = 12;
    NegativeLogarithms();
    const std::int32_t* data() const { return values_.data(); }
    std::int32_t operator[](std::uint32_t draw) const { return values_[draw]; }

  private:
    std::array<std::int32_t, std::size_t{1} << kBits> values_;
};

/// Temperatures that fall from one to another by equal ratios.
class Cooling {
  public:
    Cooling(double from, double to);
    /// At `done` of `total` rounds.
    double at(std::uint64_t done, std::uint64_t total) const;

  private:
    static constexpr std::uint32_t kSteps = 256;
    std::array<double, kSteps + 1> knots_;
};

/// The highest temperature of an annealing with so many evaluations for each position, in units of a typical weight.
double first_temperature(double evaluations_each);

}  // namespace qapfw::mapping
