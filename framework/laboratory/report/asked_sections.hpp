// SPDX-License-Identifier: Apache-2.0
// The sections that a study requests by [[section]], and their common functions. Wrong keys and values are reported
// with the position of the [[section]] (`fail_at` in study/fields.hpp).
#pragma once

#include "framework/laboratory/report/sections.hpp"

namespace qapfw::framework::laboratory {

/// The texts of a key whose value is a text or a list. Throws Error(kUsage) if the section does not have the key, or
/// the list is empty.
std::vector<std::string> texts_of(const StudySection& section, const std::string& key);
/// The cell of the algorithm on the instance; null if the algorithm has no runs on it. The study should have only one
/// variant of this algorithm. If there are several variants, returns the cell of the first variant.
const ResultCell* single(const Results& results, const std::string& instance, const std::string& algorithm);
/// Returns a figure that somebody else published for the instance and algorithm, or nothing if none was published.
/// Takes the first line of the references on this instance and algorithm that has one of `figures`. If this line has
/// several of them, takes the one that `figures` names first.
std::optional<double> published(const Results& results, const std::string& instance, const std::string& algorithm,
                                const std::vector<std::string>& figures);
/// A section with this text. The title is the one in the study, or `otherwise` if the study gives the section no title.
Section titled(const StudySection& asked, const char* otherwise, std::string text);

/// Ratios on each instance: the measure of each algorithm that the key `of` names, divided by the measure of each
/// algorithm that the key `to` names.
Section ratio_section(const Results& results, const StudySection& asked);
/// The speedup from p independent runs: the gain, distributions fitted to the times, M(p) and Delta. The section's text
/// defines these figures.
Section speedup_section(const Results& results, const StudySection& asked);
/// Compares the quality and the time of algorithms by NQ, NT, QTR and PQI: see Table 4 of the paper Symmetry 2019.
Section quality_time_section(const Results& results, const StudySection& asked);
/// Counts the comparisons that are repeated in a tournament: all threads read the same sequence of draws, so several
/// threads may make the same comparison.
Section tournament_section(const Results& results, const StudySection& asked);
/// Counts the moves of a swap neighbourhood: how many deltas take O(1) to update after a swap, and how many take O(n).
Section swap_moves_section(const Results& results, const StudySection& asked);
/// A table laid out as in papers: instances as rows, algorithms as columns. Published values stand beside the study's.
Section layout_section(const Results& results, const StudySection& asked);
/// Significant differences between algorithms, instance by instance.
Section significance_section(const Results& results, const StudySection& asked);
/// The smallest value of a swept factor with which enough runs hit the target, and the value with the best summary.
Section tuning_section(const Results& results, const StudySection& asked);

}  // namespace qapfw::framework::laboratory
