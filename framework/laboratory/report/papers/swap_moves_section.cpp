// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/study/fields.hpp"

namespace qapfw::framework::laboratory {

/// Makes Table 3 of MEDAL Report 2011005. After a swap, updating the delta of a move takes O(1) if the move has no
/// position in common with the swap, else O(n).
Section swap_moves_section(const Results&, const StudySection& asked) {
    Section section = titled(asked, "Moves of a neighbourhood",
                             "Moves of the swap neighbourhood: moves whose delta follows from its last value in O(1), "
                             "and moves whose delta takes O(n).");
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
            fail_at(asked.where,
                    fmt::format("[[section]] of kind swap_moves: the key \"sizes\" must be whole numbers from 3 on, "
                                "found {}",
                                text));
        const double moves = n * (n - 1) / 2, linear = 2 * n - 3;
        table.rows.push_back({n, moves, moves - linear, linear, linear / moves});
    }
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
