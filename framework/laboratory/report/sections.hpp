// SPDX-License-Identifier: Apache-2.0
// The sections of a report; make_report leaves out empty sections.
#pragma once

#include "framework/laboratory/report/results.hpp"
#include "framework/laboratory/report/table.hpp"

namespace qapfw::framework::laboratory {

/// The ranking over all instances with a critical-difference plot, and the best variants per instance.
Section summary_section(const Results& results);
/// A table of all instances, and a box plot for each.
Section instances_section(const Results& results);
/// Pairs of variants: tests, effect sizes and a verdict.
Section comparisons_section(const Results& results);
/// Distributions of the times to targets, for each instance and over all targets.
Section times_section(const Results& results);
/// Costs over seconds and over evaluations, for each instance.
Section convergence_section(const Results& results);
/// Lines and heat maps over swept factors; empty if nothing is swept.
Section sweeps_section(const Results& results);
/// Published figures beside ours; empty if there are none.
Section reference_section(const Results& results);
/// The section that a study requests. Throws Error(kUsage) if `section` names something that the study does not have.
Section asked_section(const Results& results, const StudySection& section);
/// Configurations, machines, versions, seeds, failures.
Section origin_section(const Results& results, const std::vector<OpenRun>& open);
/// The best solutions, as their problems draw them.
Section drawings_section(const Results& results, const std::filesystem::path& folder);

}  // namespace qapfw::framework::laboratory
