// SPDX-License-Identifier: Apache-2.0
// One search of a model: from options to the result, inside the calling thread.
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

/// The checked configuration of a model with further options. Throws Error(kUsage), with the key, for the first
/// mistake.
Config configuration_of(const LibraryModel& model, const Options& options);

struct SearchOptions {
    Options options;
    /// Assignments to start from; an entry of -1 is open. Empty: none.
    std::vector<std::vector<std::int64_t>> initial;
    const Cancel* cancel = nullptr;
    /// False: end the search. Null: nobody listens.
    std::function<bool(const qapfw_progress&)> progress;
    bool alone = false;  ///< the search is one of many: it uses one thread and no GPU
};

struct Answer {
    RunSummary summary;
    const RunResult& result() const { return best_of(summary); }

    std::shared_ptr<const Registry> registry;            ///< owner of what `problem` points to
    Choice problem;                                      ///< with what "auto" became
    std::vector<std::vector<std::int64_t>> assignments;  ///< of the solutions, the best first
    std::vector<double> costs;                           ///< of the same, as people see them
    std::vector<qapfw_trace_point> trace;                ///< improvements; the last one is the answer's
    std::string failure;                                 ///< of the search or its record; empty: none
    std::vector<Artefact> files;                         ///< of the best solution, once they are asked for
};

/// Throws Error for what is wrong before the search; a search that fails after it has found something gives that, with
/// the failure in the result.
Answer search(const LibraryModel& model, const SearchOptions& options);

/// The problem's files of the answer's best solution. The problem is made once more for that.
std::vector<Artefact> files_of(const LibraryModel& model, const Answer& answer);

}  // namespace qapfw::framework
