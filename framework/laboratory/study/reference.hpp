// SPDX-License-Identifier: Apache-2.0
// Published results, from a CSV file with the columns `instance` and `algorithm`. If the file has a column `run`, each
// line is one run, with its `cost`, `seconds`, `iterations`, `evaluations` and `hit`. Otherwise each line sums up
// several runs. Its columns can be `runs`, `hits`, `ratio:NAME` (a printed ratio to algorithm NAME) and
// `statistic:NAME` (a solver's statistic NAME). Columns such as `cost_mean` begin with cost, gap, seconds or
// iterations, and end with mean, std, median, mad, best, min or max. A few columns, such as `gain_p`, have figures of
// single papers. The column `note` has remarks. The instance "average" has printed averages over the instances.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/laboratory/study/study_file.hpp"

namespace qapfw::framework::laboratory {

struct ReferenceFigures {
    std::string source, instance, algorithm;
    std::uint32_t runs = 0;
    std::map<std::string, double> figures;  ///< value of each column with a figure, such as "seconds_mean" or "hits"
    std::string note;
};

struct ReferenceRun {
    std::string source, instance, algorithm;
    std::int64_t run = 0;
    std::optional<double> cost, seconds, iterations, evaluations;
    std::optional<bool> hit;
};

struct References {
    std::vector<ReferenceFigures> figures;
    std::vector<ReferenceRun> runs;
};

/// Adds the file's rows to `into`. Throws Error: kIo if the file cannot be read, kInput ("file:line: ...") if the text
/// is wrong.
void read_reference(const StudyReference& reference, References& into);
void parse_reference(const std::string& text, const StudyReference& reference, References& into);

}  // namespace qapfw::framework::laboratory
