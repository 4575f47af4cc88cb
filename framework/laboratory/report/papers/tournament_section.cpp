// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/statistics/papers/paper_measures.hpp"

namespace qapfw::framework::laboratory {

Section tournament_section(const Results&, const StudySection& asked) {
    Section section =
        titled(asked, "Repeated comparisons",
               "All threads read the same sequence of random draws, each from another offset. A comparison is a pair "
               "of draws that one thread makes; it is repeated if another thread makes it too.");
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
    Plot plot{"tournament", "Fraction of comparisons that are repeated", "", "lines", "threads", "repeated [%]", true,
              false};
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

}  // namespace qapfw::framework::laboratory
