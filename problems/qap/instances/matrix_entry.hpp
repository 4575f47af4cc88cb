// SPDX-License-Identifier: Apache-2.0
// Matrices from the readers, with the numbers as their owner wrote them. Nothing is scaled here; resolution.hpp
// converts the numbers of a whole instance to integers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problems/qap/instances/text_scanner.hpp"
#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// Largest number of locations: the two matrices then take 2 GiB each, and indices fit 16 bits.
inline constexpr uint32_t kMaxSize = 16384;

/// The matrices that messages name: "matrix A", "matrix B", "the table of linear costs", "the table of forbidden
/// pairs".
enum class MatrixId { kA, kB, kLinear, kForbidden };
const char* matrix_name(MatrixId id);

/// A matrix of finite numbers, stored as the nearest doubles. If decimals() returns a number k, the exact numbers are
/// known too. An exact number is the decimal with k places that is nearest to the stored double. Only a matrix with
/// integers beyond 2^53 stores its exact numbers as well.
class NumberMatrix {
  public:
    NumberMatrix() = default;
    /// Makes a matrix of zeros.
    NumberMatrix(uint32_t rows, uint32_t columns);
    /// Makes a matrix from integers, row by row.
    NumberMatrix(uint32_t rows, uint32_t columns, const std::vector<int64_t>& entries);

    uint32_t rows() const { return rows_; }
    uint32_t columns() const { return columns_; }
    bool empty() const { return values_.empty(); }

    /// Sets an entry from a token. Throws Error(kInput) with the token's position if the token is no finite decimal
    /// number. `source` and `id` name the text and the matrix in the message.
    void set(uint32_t row, uint32_t column, const Token& token, const std::string& source, MatrixId id);
    /// Sets an entry to a computed number, such as a distance between coordinates. The number must be finite.
    void set(uint32_t row, uint32_t column, double value);
    /// Sets a row from a program's array of doubles. A double that is the nearest one to a decimal with few digits,
    /// such as 0.1, stands for that decimal.
    void set_row(uint32_t row, const double* entries);

    /// The nearest double of an entry.
    double at(uint32_t row, uint32_t column) const { return values_[std::size_t{row} * columns_ + column]; }
    const std::vector<double>& values() const { return values_; }
    double greatest_magnitude() const;

    /// The least k for which all entries times 10^k are integers that are known exactly and fit 63 bits. Nothing if no
    /// such k is at most 18.
    std::optional<uint32_t> decimals() const;
    /// All entries times 10^k, row by row. k must be at least decimals(), and the products must fit 63 bits.
    std::vector<int64_t> times_power_of_ten(uint32_t k) const;

  private:
    void hold_exactly();

    uint32_t rows_ = 0, columns_ = 0;
    std::vector<double> values_;
    /// The exact integers; used as soon as an entry needs more than the 53 bits of a double.
    std::vector<int64_t> integers_;
    uint32_t decimals_ = 0;
    bool is_decimal_ = true;  ///< false: an entry is not decimal or has too many digits; decimals() returns nothing
};

/// The matrices that a reader found: A between facilities, B between locations. There are at least as many locations as
/// facilities.
struct ReadMatrices {
    NumberMatrix a, b;
    std::optional<std::string> stated_best = std::nullopt;  ///< best value the file itself states, as written
    std::vector<std::string> facility_names = {};           ///< empty: none
    std::vector<std::string> location_names = {};           ///< empty: none
    std::vector<std::array<double, 2>> points = {};         ///< points of the locations on a map; empty: none are known
};

/// Reads a whole number from 1 to kMaxSize. `what` names the number in the message ("the size n").
uint32_t parse_size(const Token& token, const std::string& source, const std::string& what);

}  // namespace qapfw::qap
