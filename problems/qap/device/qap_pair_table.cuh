// SPDX-License-Identifier: Apache-2.0
// The layout of a table with data for every pair of the m movable positions, which form a circle. Pairs are (i, i + d
// mod m), 1 <= d <= m / 2. A unit has four rows i = 4g .. 4g + 3 and one column j = 4g + 1 + c mod m. The units of a
// group of rows are contiguous, so neighbouring threads read neighbouring units and need the same rows. For even m, a
// pair of distance m / 2 is in two units. Some entries of a unit hold no pair, because their distance would be outside
// 1 .. m / 2 or their row past m - 1. This text comes after qap_problem.cuh.

namespace qapfw::qap {

constexpr int kUnitRows = 4;

/// A unit's position in the table: its group of rows and its column.
struct UnitPlace {
    static constexpr int kDistances = kMovable / 2;
    static constexpr int kGroups = (kMovable + kUnitRows - 1) / kUnitRows;
    static constexpr int kColumns = kDistances + kUnitRows - 1;
    static constexpr int kUnits = kGroups * kColumns;

    int group, column;

    QAPFW_DEVICE static UnitPlace of(int unit) { return {unit / kColumns, unit % kColumns}; }
    /// Moves on by kStep units.
    template <int kStep>
    QAPFW_DEVICE void advance() {
        group += kStep / kColumns;
        column += kStep % kColumns;
        if (column < kColumns) return;
        column -= kColumns;
        ++group;
    }
    QAPFW_DEVICE int row(int k) const { return kUnitRows * group + k; }
    /// The position common to the unit's pairs.
    QAPFW_DEVICE int position() const {
        const int at = kUnitRows * group + 1 + column;
        return at < kMovable ? at : at - kMovable;
    }
    QAPFW_DEVICE bool holds_pair(int k) const {
        return row(k) < kMovable && static_cast<uint32_t>(column - k) < static_cast<uint32_t>(kDistances);
    }

    /// The number of the unit that holds pair (i, i + d), at entry i % kUnitRows.
    QAPFW_DEVICE static int unit_of(int i, int d) { return i / kUnitRows * kColumns + d - 1 + i % kUnitRows; }
};

/// Length of a vector that has an entry for each position, and then the first positions' entries again. So units index
/// it without a modulus. The length is a multiple of kUnitRows.
constexpr int kUnitExtent =
    (UnitPlace::kGroups * kUnitRows + UnitPlace::kColumns + kUnitRows - 1) / kUnitRows * kUnitRows;

}  // namespace qapfw::qap
