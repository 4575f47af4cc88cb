// SPDX-License-Identifier: Apache-2.0
// One search of a model, from options to the result.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "framework/config/config.hpp"
#include "framework/library/model.hpp"
#include "framework/problem/problem.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

/// The checked configuration of a model with further options. Throws Error(kUsage), with the key, for the first wrong
/// setting. Throws Error(kInput) if no problem knows the instance.
Config configuration_of(const LibraryModel& model, const Options& options);

struct SearchOptions {
    Options options;
    /// Start assignments; -1: the facility has no start location. Empty: no start assignments.
    std::vector<std::vector<std::int64_t>> initial;
    const Cancel* cancel = nullptr;
    /// Called during the search. Returning false ends the search. May be null.
    std::function<bool(const qapfw_progress&)> progress;
    /// True: the search runs alone on one thread, without a GPU, unless the options say otherwise. Many such searches
    /// may run at the same time.
    bool alone = false;
};

struct Answer {
    RunSummary summary;
    const RunResult& result() const { return best_of(summary); }

    std::shared_ptr<const Registry> registry;            ///< keeps alive what `problem` points to
    Choice problem;                                      ///< the problem, with reported values of "auto"
    std::vector<std::vector<std::int64_t>> assignments;  ///< assignments of the solutions, the best first
    std::vector<double> costs;                           ///< costs of the solutions in the displayed form
    std::vector<qapfw_trace_point> trace;                ///< improvements; the last one has the answer's cost
    std::string failure;                                 ///< failure of the search or of its record; empty: none
    std::vector<Artefact> files;                         ///< files of the best solution; empty until they are requested
};

/// Throws Error if the search fails before its first solution. Throws Cancelled if the caller ends the search before
/// its first solution. If the search fails later, returns the best solution, with the failure in `failure`.
Answer search(const LibraryModel& model, const SearchOptions& options);

/// The files that the problem writes for the answer's best solution. Creates the problem once more.
std::vector<Artefact> files_of(const LibraryModel& model, const Answer& answer);

}  // namespace qapfw::framework
