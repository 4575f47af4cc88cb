// SPDX-License-Identifier: Apache-2.0
// The sections that a study asks for by [[section]], and what they have in common. `fail_at` of a section's place tells
// what it names wrongly.
#pragma once

#include "framework/laboratory/report/sections.hpp"

namespace qapfw::framework::laboratory {

/// The key's text or list, as texts; Error(kUsage) where the section has not got it.
std::vector<std::string> texts_of(const StudySection& section, const std::string& key);
/// The first cell of an algorithm that should have one variant alone; none without runs.
const ResultCell* single(const Results& results, const std::string& instance, const std::string& algorithm);
/// The first of these figures that somebody else's line of the instance and algorithm has.
std::optional<double> published(const Results& results, const std::string& instance, const std::string& algorithm,
                                const std::vector<std::string>& figures);
Section titled(const StudySection& asked, const char* otherwise, std::string text);

/// The measure of some algorithms divided by that of others.
Section ratio_section(const Results& results, const StudySection& asked);
/// p independent runs: gain, fits, M(p), Delta.
Section speedup_section(const Results& results, const StudySection& asked);
/// The papers' measures of quality and time together: NQ, NT, QTR, PQI.
Section quality_time_section(const Results& results, const StudySection& asked);
/// Comparisons that threads with one shared sequence of draws repeat.
Section tournament_section(const Results& results, const StudySection& asked);
/// Moves of a swap neighbourhood that take O(1) and O(n) after a swap.
Section swap_moves_section(const Results& results, const StudySection& asked);
/// A printed table's layout: instances as rows, algorithms as columns, "mean±std" in the cells, theirs beside ours.
Section layout_section(const Results& results, const StudySection& asked);
/// Significant differences between algorithms, instance by instance.
Section significance_section(const Results& results, const StudySection& asked);
/// The chosen value of a swept factor: the least that succeeds often enough, and the best.
Section tuning_section(const Results& results, const StudySection& asked);

}  // namespace qapfw::framework::laboratory
