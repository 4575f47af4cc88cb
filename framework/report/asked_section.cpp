// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "framework/report/asked_sections.hpp"
#include "framework/statistics/paper_measures.hpp"
#include "framework/study/fields.hpp"

namespace qapfw::framework {

std::vector<std::string> texts_of(const StudySection& section, const std::string& key) {
    const Node* node = section.find(key);
    if (node == nullptr)
        fail_at(section.where, fmt::format("[[section]] of kind {} must have the key {}", section.kind, key));
    if (node->type != Node::Type::kList) return {value_text(*node)};
    std::vector<std::string> texts;
    for (const Node& item : node->items) texts.push_back(value_text(item));
    if (texts.empty()) fail_at(section.where, fmt::format("[[section]] {} must not be empty", key));
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

/// What follows the algorithm's name in a variant's: the factors.
std::string factors_of(const ResultCell& cell) {
    return cell.variant.substr(cell.runs.front()->algorithm.size());
}

/// The cell to which `cell` is compared: the one with the same factors, or the only one.
const ResultCell* counterpart(const std::vector<const ResultCell*>& others, const ResultCell& cell) {
    for (const ResultCell* other : others) {
        if (factors_of(*other) == factors_of(cell)) return other;
    }
    return others.size() == 1 ? others.front() : nullptr;
}

/// Arithmetic means of the columns from `first` on, over the rows of each second algorithm; none where a row has no
/// value.
void add_means(Table& table, std::size_t first) {
    std::vector<std::string> seconds;
    for (const auto& row : table.rows) {
        const std::string& name = std::get<std::string>(row[1]);
        if (std::find(seconds.begin(), seconds.end(), name) == seconds.end()) seconds.push_back(name);
    }
    const std::vector<std::vector<TableValue>> rows = table.rows;
    for (const std::string& name : seconds) {
        std::vector<TableValue> mean{std::string("arithmetic mean"), name};
        mean.resize(table.columns.size());
        std::size_t count = 0;
        for (std::size_t column = first; column < table.columns.size(); ++column) {
            std::vector<double> values;
            count = 0;
            for (const auto& row : rows) {
                if (std::get<std::string>(row[1]) != name) continue;
                ++count;
                if (const auto* value = std::get_if<double>(&row[column])) values.push_back(*value);
            }
            if (!values.empty() && values.size() == count) mean[column] = statistics::mean(values);
        }
        if (count > 1) table.rows.push_back(std::move(mean));
    }
}

/// Measures of a pair of cells, ours and theirs, as plots draw them.
struct Measured {
    const ResultCell* second;
    statistics::QualityAndTime ours;
    std::optional<double> their_nq, their_nt, their_qtr;
};

/// A value of the one factor that all cells have, where it is a number.
std::optional<double> factor_value(const ResultCell& cell) {
    if (cell.factors.size() != 1) return std::nullopt;
    const std::string& text = cell.factors.begin()->second;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end == text.c_str() || *end != 0 ? std::nullopt : std::optional(value);
}

/// One measure of all pairs: curves over a sweep's values, a line for each instance, else bars side by side.
Plot measure_plot(const std::string& name, const std::string& title, const std::vector<Measured>& pairs,
                  double statistics::QualityAndTime::*ours, std::optional<double> Measured::*theirs) {
    const auto algorithm = [](const Measured& m) { return m.second->runs.front()->algorithm; };
    const bool sweep = std::ranges::all_of(
        pairs, [&](const Measured& m) { return factor_value(*m.second) && algorithm(m) == algorithm(pairs.front()); });
    const std::string key = sweep ? pairs.front().second->factors.begin()->first : std::string();
    Plot plot{fmt::format("{}-{}", name, title), name, "",    sweep ? "lines" : "bars",
              key.substr(key.rfind('.') + 1),    name, sweep, false};
    const auto series_of = [&](const std::string& label, bool dashed) -> Series& {
        const auto found = std::ranges::find(plot.series, label, &Series::name);
        if (found != plot.series.end()) return *found;
        plot.series.push_back({label, {}, {}, {}, {}, dashed});
        return plot.series.back();
    };
    for (const Measured& pair : pairs) {
        const std::string &instance = pair.second->instance, &variant = pair.second->variant;
        auto place = std::ranges::find(plot.labels, instance);
        if (place == plot.labels.end()) place = plot.labels.insert(place, instance);
        const double x = sweep ? *factor_value(*pair.second) : static_cast<double>(place - plot.labels.begin());
        const auto add = [&](const std::string& label, double value, bool dashed) {
            if (!std::isfinite(value)) return;
            Series& series = series_of(label, dashed);
            series.x.push_back(x);
            series.y.push_back(value);
        };
        add(sweep ? instance : variant, pair.ours.*ours, false);
        if (const std::optional<double>& value = pair.*theirs)
            add((sweep ? instance : variant) + ", theirs", *value, true);
    }
    return plot;
}

Section quality_time_section(const Results& results, const StudySection& asked) {
    const std::string cpu = texts_of(asked, "cpu").front();
    Section section =
        titled(asked, "Quality and time",
               fmt::format("NQ = Q({0}) / Q(second), NT = T(second) / T({0}), QTR = log2(NQ / NT), PQI = (Q({0}) - "
                           "Q(second)) / Q({0}). Q is the best cost, T the mean time; 1 / NT is the speed-up.",
                           cpu));
    Table table{"quality-time-" + section.title,
                section.title,
                "",
                {{"instance", true},
                 {"second", true},
                 {"Q " + cpu, false, 8},
                 {"Q second", false, 8},
                 {"T " + cpu + " s", false, 4},
                 {"T second s", false, 4},
                 {"NQ", false, 5},
                 {"NT", false, 5},
                 {"1 / NT", false, 4},
                 {"QTR", false, 5},
                 {"PQI %", false, 4},
                 {"their NQ", false, 5},
                 {"their NT", false, 5},
                 {"their 1 / NT", false, 4},
                 {"their QTR", false, 5}},
                {}};
    std::vector<Measured> pairs;
    for (const std::string& instance : results.instances()) {
        for (const std::string& gpu : texts_of(asked, "gpu")) {
            for (const ResultCell* b : results.named(instance, gpu)) {
                const ResultCell* a = counterpart(results.named(instance, cpu), *b);
                if (a == nullptr || a->costs().empty() || b->costs().empty()) continue;
                const auto qa = statistics::describe(a->costs()), qb = statistics::describe(b->costs());
                const auto ta = statistics::mean(a->seconds()), tb = statistics::mean(b->seconds());
                const auto m = statistics::quality_and_time(qa.min, qb.min, ta, tb);
                const auto theirs = [&](const char* name) {
                    return value_or_nothing(published(results, instance, gpu, {std::string("statistic:") + name}));
                };
                const auto their = [&](const char* name) { return published(results, instance, gpu, {name}); };
                const auto their_nt = their("statistic:NT");
                pairs.push_back({b, m, their("statistic:NQ"), their_nt, their("statistic:QTR")});
                table.rows.push_back({instance, b->variant, qa.min, qb.min, ta, tb, m.nq, m.nt, 1 / m.nt, m.qtr,
                                      100 * m.pqi, theirs("NQ"), theirs("NT"),
                                      their_nt && *their_nt > 0 ? TableValue(1 / *their_nt) : TableValue(),
                                      theirs("QTR")});
            }
        }
    }
    constexpr std::size_t kFirstRatio = 6;
    add_means(table, kFirstRatio);
    section.tables.push_back(std::move(table));
    if (pairs.empty()) return section;
    using Measure = statistics::QualityAndTime;
    section.plots = {measure_plot("NQ", section.title, pairs, &Measure::nq, &Measured::their_nq),
                     measure_plot("NT", section.title, pairs, &Measure::nt, &Measured::their_nt),
                     measure_plot("QTR", section.title, pairs, &Measure::qtr, &Measured::their_qtr)};
    return section;
}

Section statistics_section(const Results& results, const StudySection& asked) {
    const auto names = texts_of(asked, "names");
    Section section = titled(asked, "Figures of the solvers", "Means over the runs.");
    Table table{"statistics", section.title, "", {{"instance", true}, {"algorithm", true}}, {}};
    const auto theirs = [&](const ResultCell& cell, const std::string& name) {
        return published(results, cell.instance, cell.runs.front()->algorithm, {"statistic:" + name});
    };
    std::vector<std::string> known;  // of others too
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

Section tournament_section(const Results&, const StudySection& asked) {
    Section section =
        titled(asked, "Repeated comparisons",
               "Threads that read one sequence of draws from shifted offsets, over the pairs within a thread's set.");
    Table table{"tournament",
                section.title,
                "",
                {{"rounds M", false},
                 {"threads T", false},
                 {"distinct", false},
                 {"repeated", false},
                 {"total", false},
                 {"repeated %", false, 4},
                 {"repeated draws", false}},
                {}};
    Plot plot{"tournament", "Share of repeated comparisons", "", "lines", "threads", "repeated [%]", true, false};
    for (const std::string& rounds : texts_of(asked, "rounds")) {
        const auto m = std::strtoull(rounds.c_str(), nullptr, 10);
        Series series{"M = " + rounds, {}, {}, {}, {}};
        for (const std::string& threads : texts_of(asked, "threads")) {
            const auto t = std::strtoull(threads.c_str(), nullptr, 10);
            const auto c = statistics::shared_sequence_comparisons(m, t);
            const double share = c.total > 0 ? 100 * static_cast<double>(c.repeated) / static_cast<double>(c.total) : 0;
            table.rows.push_back({static_cast<double>(m), static_cast<double>(t), static_cast<double>(c.distinct),
                                  static_cast<double>(c.repeated), static_cast<double>(c.total), share,
                                  static_cast<double>(statistics::shared_sequence_repeated_draws(m, t))});
            series.x.push_back(static_cast<double>(t));
            series.y.push_back(share);
        }
        plot.series.push_back(std::move(series));
    }
    section.tables.push_back(std::move(table));
    section.plots.push_back(std::move(plot));
    return section;
}

/// Table 3 of MEDAL 2011: after a swap the deltas of moves that share no position with it follow in O(1), the others
/// take O(n).
Section swap_moves_section(const StudySection& asked) {
    Section section = titled(asked, "Moves of a neighbourhood",
                             "Moves of the swap neighbourhood whose delta follows from the last one in O(1), and those "
                             "that take O(n).");
    Table table{"swap-moves-" + section.title,
                section.title,
                "",
                {{"n", false},
                 {"moves n(n-1)/2", false},
                 {"in O(1): (n-2)(n-3)/2", false},
                 {"in O(n): 2n-3", false},
                 {"share in O(n)", false, 3}},
                {}};
    for (const std::string& text : texts_of(asked, "sizes")) {
        const double n = std::strtod(text.c_str(), nullptr);
        if (n < 3 || n != std::floor(n))
            fail_at(asked.where, fmt::format("[[section]] of kind swap_moves: sizes must be whole numbers from 3 on, "
                                             "found {}",
                                             text));
        const double moves = n * (n - 1) / 2, linear = 2 * n - 3;
        table.rows.push_back({n, moves, moves - linear, linear, linear / moves});
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
        {"ratio", ratio_section},
        {"speedup", speedup_section},
        {"quality_time", quality_time_section},
        {"statistics", statistics_section},
        {"layout", layout_section},
        {"significance", significance_section},
        {"tuning", tuning_section},
        {"tournament", tournament_section},
        {"swap_moves", [](const Results&, const StudySection& s) { return swap_moves_section(s); }}};
    const auto* const kind = std::ranges::find(kKinds, section.kind, &Kind::name);
    if (kind == std::end(kKinds)) throw Error(ErrorKind::kInternal, "no report section is called " + section.kind);
    return kind->make(results, section);
}

}  // namespace qapfw::framework
