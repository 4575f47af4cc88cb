// SPDX-License-Identifier: Apache-2.0
#include "framework/record/trace.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "framework/record/json_parts.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

std::string trace_head(const RunResult& run) {
    const Json json = {{"schema_version", kRecordSchemaVersion},
                       {"problem", run.problem},
                       {"instance", run.identity.instance},
                       {"algorithm", run.algorithm},
                       {"seed", run.seed},
                       {"seed_text", std::to_string(run.seed)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string trace_line(const CostSpace& costs, const Improvement& improvement) {
    Json json = {{"seconds", improvement.seconds},
                 {"iterations", improvement.iterations},
                 {"evaluations", improvement.evaluations},
                 {"cost", shown_json(costs, improvement.cost)},
                 {"cost_text", costs.shown_text(improvement.cost)},
                 {"cost_raw", costs.raw_text(improvement.cost)},
                 {"iteration", improvement.iteration},
                 {"search", improvement.search}};
    if (improvement.offered) json["offered"] = true;
    return json.dump();
}

namespace {

/// Parses a line that trace_line wrote. Throws Error(kInput) or Json::exception for any other line.
Improvement parse_line(const std::string& line, const CostSpace& costs) {
    const ParsedJson json = ParsedJson::parse(line);
    Improvement improvement;
    improvement.seconds = json.at("seconds");
    improvement.iterations = json.at("iterations");
    improvement.evaluations = json.at("evaluations");
    improvement.iteration = json.at("iteration");
    improvement.search = json.at("search");
    improvement.cost = costs.parse_raw(json.at("cost_raw").get<std::string>());
    improvement.offered = json.contains("offered");
    if (json != ParsedJson::parse(trace_line(costs, improvement))) {
        throw Error(ErrorKind::kInput,
                    "its costs do not agree with each other, or it has a key that qapfw does not write");
    }
    return improvement;
}

/// Returns why the improvement `now` cannot directly follow the improvement `before`, or an empty text if it can.
std::string order_defect(const Improvement& before, const Improvement& now, const CostSpace& costs) {
    if (!costs.less(now.cost, before.cost)) return "is no improvement";
    const bool backwards =
        now.seconds < before.seconds || now.iterations < before.iterations || now.evaluations < before.evaluations;
    return backwards ? "has less time, fewer iterations or fewer evaluations than the line before" : "";
}

}  // namespace

TraceCheck check_trace(const std::string& text, const CostSpace& costs) {
    TraceCheck check;
    std::size_t number = 0;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string line = text.substr(begin, end - begin);
        if (++number == 1) {
            check.head = line;
            continue;
        }
        try {
            const Improvement improvement = parse_line(line, costs);
            const std::string wrong = check.last ? order_defect(*check.last, improvement, costs) : std::string();
            if (!wrong.empty()) {
                check.defect = fmt::format("line {} {}", number, wrong);
                return check;
            }
            if (improvement.offered) {
                ++check.offered;
                continue;
            }
            if (!check.first) check.first = improvement;
            check.last = improvement;
            ++check.lines;
        } catch (const std::exception& error) {
            check.defect = fmt::format("line {}: {}", number, error.what());
            return check;
        }
    }
    return check;
}

}  // namespace qapfw::framework
