// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/study/fields.hpp"

namespace qapfw::framework::laboratory {

std::vector<std::string> texts_of(const StudySection& section, const std::string& key) {
    const Node* node = section.find(key);
    if (node == nullptr)
        fail_at(section.where, fmt::format("[[section]] of kind {} must have the key {}", section.kind, key));
    if (node->type != Node::Type::kList) return {value_text(*node)};
    std::vector<std::string> texts;
    for (const Node& item : node->items) texts.push_back(value_text(item));
    if (texts.empty()) fail_at(section.where, fmt::format("the key {} of [[section]] must not be an empty list", key));
    return texts;
}

const ResultCell* single(const Results& results, const std::string& instance, const std::string& algorithm) {
    const auto cells = results.named(instance, algorithm);
    return cells.empty() ? nullptr : cells.front();
}

std::optional<double> published(const Results& results, const std::string& instance, const std::string& algorithm,
                                const std::vector<std::string>& figures) {
    for (const ReferenceFigures& line : results.plan().references.figures) {
        if (line.instance != instance || line.algorithm != algorithm) continue;
        for (const std::string& figure : figures) {
            const auto found = line.figures.find(figure);
            if (found != line.figures.end()) return found->second;
        }
    }
    return std::nullopt;
}

Section titled(const StudySection& asked, const char* otherwise, std::string text) {
    return {asked.title.empty() ? otherwise : asked.title, std::move(text), {}, {}, {}};
}

namespace {

Section statistics_section(const Results& results, const StudySection& asked) {
    const auto names = texts_of(asked, "names");
    Section section = titled(asked, "Figures of the solvers", "Means over the runs.");
    Table table{"statistics", section.title, "", {{"instance", true}, {"algorithm", true}}, {}};
    const auto theirs = [&](const ResultCell& cell, const std::string& name) {
        return published(results, cell.instance, cell.runs.front()->algorithm, {"statistic:" + name});
    };
    std::vector<std::string> known;  // statistics for which others have published figures
    for (const std::string& name : names) {
        table.columns.push_back({name, false, 6});
        const auto& lines = results.plan().references.figures;
        if (std::any_of(lines.begin(), lines.end(),
                        [&](const ReferenceFigures& line) { return line.figures.count("statistic:" + name) > 0; }))
            known.push_back(name);
    }
    for (const std::string& name : known) table.columns.push_back({"their " + name, false, 6});
    for (const std::string& instance : results.instances()) {
        for (const ResultCell* cell : results.of_instance(instance)) {
            std::vector<TableValue> row{instance, cell->variant};
            for (const std::string& name : names) {
                std::vector<double> values;
                for (const RunRow* run : cell->runs) {
                    if (run->statistics.count(name) > 0) values.push_back(run->statistics.at(name));
                }
                row.push_back(values.empty() ? TableValue() : TableValue(statistics::mean(values)));
            }
            for (const std::string& name : known) row.push_back(value_or_nothing(theirs(*cell, name)));
            table.rows.push_back(std::move(row));
        }
    }
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace

Section asked_section(const Results& results, const StudySection& section) {
    struct Kind {
        std::string_view name;
        Section (*make)(const Results&, const StudySection&);
    };
    static constexpr Kind kKinds[] = {
        {"ratio", ratio_section},           {"speedup", speedup_section},       {"quality_time", quality_time_section},
        {"statistics", statistics_section}, {"layout", layout_section},         {"significance", significance_section},
        {"tuning", tuning_section},         {"tournament", tournament_section}, {"swap_moves", swap_moves_section}};
    const auto* const kind = std::ranges::find(kKinds, section.kind, &Kind::name);
    if (kind == std::end(kKinds)) throw Error(ErrorKind::kInternal, "no report section is called " + section.kind);
    return kind->make(results, section);
}

}  // namespace qapfw::framework::laboratory
