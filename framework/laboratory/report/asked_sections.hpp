// SPDX-License-Identifier: Apache-2.0
// The sections that a study requests by [[section]], and their common functions. They report a wrong name with its
// position (`fail_at` in study/fields.hpp).
#pragma once

#include "framework/laboratory/report/sections.hpp"

namespace qapfw::framework::laboratory {

/// The texts of a key whose value is a text or a list. Throws Error(kUsage) if the section does not have the key, or
/// the list is empty.
std::vector<std::string> texts_of(const StudySection& section, const std::string& key);
/// The first cell of an algorithm that should have only one variant; null if the algorithm has no runs.
const ResultCell* single(const Results& results, const std::string& instance, const std::string& algorithm);
/// The first of these figures that somebody else published for the instance and algorithm; nothing if there is none.
std::optional<double> published(const Results& results, const std::string& instance, const std::string& algorithm,
                                const std::vector<std::string>& figures);
/// A section with this text and the study's title for it; if the study gives none, the title is `otherwise`.
Section titled(const StudySection& asked, const char* otherwise, std::string text);

/// The measure of some algorithms divided by the measure of other algorithms.
Section ratio_section(const Results& results, const StudySection& asked);
/// Speedup of p independent runs: gain, fits, M(p), Delta.
Section speedup_section(const Results& results, const StudySection& asked);
/// The papers' combined measures of quality and time: NQ, NT, QTR, PQI.
Section quality_time_section(const Results& results, const StudySection& asked);
/// Comparisons that threads repeat because they use the same sequence of draws.
Section tournament_section(const Results& results, const StudySection& asked);
/// Numbers of moves of a swap neighbourhood: moves whose delta is updated in O(1) after a swap, and moves whose delta
/// takes O(n).
Section swap_moves_section(const Results& results, const StudySection& asked);
/// A table as papers print it: instances as rows, algorithms as columns, "mean±std" in the cells, published values
/// beside ours.
Section layout_section(const Results& results, const StudySection& asked);
/// Significant differences between algorithms, instance by instance.
Section significance_section(const Results& results, const StudySection& asked);
/// The chosen values of a swept factor: the smallest value with which enough runs hit, and the value with the best
/// summary.
Section tuning_section(const Results& results, const StudySection& asked);

}  // namespace qapfw::framework::laboratory
