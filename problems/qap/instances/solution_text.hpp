// SPDX-License-Identifier: Apache-2.0
// QAPLIB solution files: "n cost" and a permutation, counted from 1 or from 0. Some published files list the location
// of each facility, others the facility at each location; the stated cost shows which.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// A solution file as written, with indices that count from 0.
struct SolutionText {
    std::optional<int64_t> stated_cost;
    std::vector<uint16_t> values;  ///< a permutation of 0..n-1
};

enum class SolutionConvention {
    kLocationOfFacility,  ///< the list is p: its i-th element is the location of facility i
    kFacilityAtLocation,  ///< the list is the inverse of p
    kAssumed,             ///< no cost is stated: the list was taken as p
};

/// A solution in this program's convention: p[i] is the location of facility i.
struct QapSolution {
    std::vector<uint16_t> p;
    int64_t cost = 0;
    SolutionConvention convention = SolutionConvention::kLocationOfFacility;
};

/// Reads "n [cost] v1 .. vn", separated by blanks, line breaks or commas. The cost may be missing only if n stands
/// alone on its line and n numbers follow, so that a file cut short by one number is not taken for one without a cost.
/// Fails with the place of what is wrong: no number, an index out of range or listed twice, a wrong count, or trailing
/// data.
SolutionText parse_solution(std::string_view text, const std::string& source);

/// Reads a solution of these matrices. If both the list as p and its inverse have the stated cost, the list is taken as
/// p. If neither has it, the file is refused with all three values. The stated cost is that of the matrices as they
/// are, that is after scaling.
QapSolution read_solution_text(std::string_view text, const std::string& source, const QapMatrices& matrices);
QapSolution read_solution_file(const std::filesystem::path& path, const QapMatrices& matrices);

/// "n cost" and p counted from 1.
std::string to_solution_text(int64_t cost, const std::vector<uint16_t>& p);

}  // namespace qapfw::qap
