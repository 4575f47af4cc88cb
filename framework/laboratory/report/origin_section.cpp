// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "framework/laboratory/report/sections.hpp"
#include "framework/record/atomic_file.hpp"

namespace qapfw::framework::laboratory {
namespace {

constexpr std::size_t kMostFailures = 200;
constexpr std::size_t kMostConfigurations = 300;
constexpr std::size_t kMostDrawings = 40;
constexpr std::uintmax_t kLargestDrawing = 400000;  // in bytes

Table machines_table(const Results& results) {
    Table table{"machines",
                "Programs and machines",
                "",
                {{"program", true},
                 {"backend", true},
                 {"devices", true},
                 {"threads", false},
                 {"runs", false},
                 {"resumed runs", false}},
                {}};
    std::map<std::tuple<std::string, std::string, std::string, std::uint32_t>, std::pair<double, double>> places;
    for (const std::string& instance : results.instances()) {
        for (const ResultCell* cell : results.of_instance(instance)) {
            for (const RunRow* run : cell->runs) {
                auto& [runs, resumed] = places[{run->source.empty() ? run->version : run->source, run->backend,
                                                run->devices, run->threads}];
                runs += 1;
                resumed += run->resumes > 0 ? 1 : 0;
            }
        }
    }
    for (const auto& [place, count] : places) {
        const auto& [version, backend, devices, threads] = place;
        table.rows.push_back({version, backend, devices, static_cast<double>(threads), count.first, count.second});
    }
    return table;
}

/// The record's drawings of at most kLargestDrawing bytes, sorted by name.
std::vector<std::filesystem::path> drawings_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".svg" && entry.is_regular_file(error) &&
            entry.file_size(error) <= kLargestDrawing)
            paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string seeds_text(const Plan& plan) {
    const std::uint32_t count = plan.study.seeds;
    if (!plan.study.own_seeds)
        return fmt::format("Seeds {} to {}.", plan.study.first_seed, plan.study.first_seed + count - 1);
    return fmt::format("Each algorithm has {} seeds of its own.", count);
}

}  // namespace

Section origin_section(const Results& results, const std::vector<OpenRun>& open) {
    const Plan& plan = results.plan();
    Section section{"What was run", "", {}, {}, {}, false};
    section.tables.push_back(machines_table(results));
    Table failures{"failures",
                   "Runs that are not in the tables",
                   "",
                   {{"instance", true}, {"algorithm", true}, {"seed", false}, {"state", true}, {"reason", true}},
                   {}};
    for (const OpenRun& run : open) {
        if (failures.rows.size() == kMostFailures) {
            failures.note = fmt::format("Only the first {} of {} such runs are listed.", kMostFailures, open.size());
            break;
        }
        failures.rows.push_back({run.run.cell->instance, run.run.cell->variant(), static_cast<double>(run.run.seed),
                                 std::string(name_of(run.state)), run.reason});
    }
    if (!failures.rows.empty()) section.tables.push_back(std::move(failures));
    Table configurations{"configurations",
                         "Configurations as resolved",
                         seeds_text(plan),
                         {{"instance", true}, {"algorithm", true}, {"configuration", true}},
                         {}};
    std::set<std::string> algorithms;
    for (const Cell& cell : plan.cells) {
        if (configurations.rows.size() == kMostConfigurations) break;
        if (algorithms.insert(cell.group + cell.variant()).second)
            configurations.rows.push_back({cell.instance, cell.variant(), cell.config});
    }
    if (!configurations.rows.empty()) section.tables.push_back(std::move(configurations));
    return section;
}

Section drawings_section(const Results& results, const std::filesystem::path& folder) {
    Section section{"Drawings", "The best solution found for each instance whose problem draws pictures.", {}, {}, {}};
    for (const std::string& instance : results.instances()) {
        const RunRow* best = nullptr;
        for (const ResultCell* cell : results.of_instance(instance)) {
            for (const RunRow* run : cell->runs) {
                const bool better =
                    run->cost && (best == nullptr || run->sense * *run->cost < best->sense * *best->cost);
                if (better && !run->folder.empty()) best = run;
            }
        }
        if (best == nullptr || section.drawings.size() == kMostDrawings) continue;
        for (const std::filesystem::path& path : drawings_in(folder / best->folder)) {
            std::string svg = read_file(path);
            if (svg.find("<svg") == std::string::npos) continue;
            section.drawings.push_back(
                {fmt::format("{}: {} by {}, seed {}", instance, number_text(*best->cost, 9), best->variant, best->seed),
                 std::move(svg)});
        }
    }
    return section;
}

}  // namespace qapfw::framework::laboratory
