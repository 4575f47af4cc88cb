// SPDX-License-Identifier: Apache-2.0
#include "framework/record/trace.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "framework/record/json_parts.hpp"

namespace qapfw::framework {

std::string trace_head(const RunResult& run) {
    const Json json = {{"schema_version", kRecordSchemaVersion},
                       {"problem", run.problem},
                       {"instance", run.identity.instance},
                       {"algorithm", run.algorithm},
                       {"seed", run.seed},
                       {"seed_text", std::to_string(run.seed)}};
    return json.dump();
}

std::string trace_line(const CostSpace& costs, const Improvement& improvement) {
    const Json json = {{"seconds", improvement.seconds},
                       {"iterations", improvement.iterations},
                       {"evaluations", improvement.evaluations},
                       {"cost", shown_json(costs, improvement.cost)},
                       {"cost_text", costs.shown_text(improvement.cost)},
                       {"cost_raw", costs.raw_text(improvement.cost)},
                       {"iteration", improvement.iteration},
                       {"search", improvement.search}};
    return json.dump();
}

namespace {

/// The cost of line `number`; throws Error(kInput) or Json::exception for anything else.
qapfw_cost parse_cost(const std::string& line, const CostSpace& costs) {
    return costs.parse_raw(Json::parse(line).at("cost_raw").get<std::string>());
}

}  // namespace

TraceCheck check_trace(const std::string& text, const CostSpace& costs) {
    TraceCheck check;
    std::size_t number = 0;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        ++number;
        if (number == 1) continue;  // the head
        try {
            const qapfw_cost cost = parse_cost(text.substr(begin, end - begin), costs);
            if (check.last && !costs.less(cost, *check.last)) {
                check.defect = fmt::format("line {} is no improvement", number);
                return check;
            }
            check.last = cost;
            ++check.lines;
        } catch (const std::exception& error) {
            check.defect = fmt::format("line {}: {}", number, error.what());
            return check;
        }
    }
    return check;
}

}  // namespace qapfw::framework
