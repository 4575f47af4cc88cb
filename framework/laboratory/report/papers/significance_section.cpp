// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/report/tested_pair.hpp"
#include "framework/laboratory/study/fields.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// A claim "instance: better >> worse".
struct ClaimedPair {
    std::string instance, better, worse;
    auto operator<=>(const ClaimedPair&) const = default;
};

ClaimedPair parse_claimed_pair(const std::string& text, const std::string& where) {
    const std::size_t colon = text.find(": "), sign = text.find(" >> ");
    if (colon == std::string::npos || sign == std::string::npos || sign < colon)
        fail_at(where, fmt::format("[[section]] of kind significance: the key \"published\" must hold texts such as "
                                   "\"nug30: A >> B\", found \"{}\"",
                                   text));
    return {text.substr(0, colon), text.substr(colon + 2, sign - colon - 2), text.substr(sign + 4)};
}

/// True if the test finds a significant difference.
bool is_found(const TestedPair& tested, double alpha) {
    return tested.p <= alpha && tested.direction != 0;
}

std::vector<const ResultCell*> fitting(const Results& results, const std::string& instance,
                                       const std::vector<std::string>& patterns) {
    std::vector<const ResultCell*> cells;
    for (const ResultCell* cell : results.of_instance(instance)) {
        if (!cell->runs.empty() && fits_any(patterns, cell->variant)) cells.push_back(cell);
    }
    return cells;
}

/// Tests each variant in `of` against each variant in `to`, on every instance. In each key and in each test, the
/// variant that is better in our runs comes first.
std::map<ClaimedPair, TestedPair> tested_pairs(const Results& results, const std::vector<std::string>& of,
                                               const std::vector<std::string>& to) {
    std::map<ClaimedPair, TestedPair> tests;
    for (const std::string& instance : results.instances()) {
        for (const ResultCell* a : fitting(results, instance, of)) {
            for (const ResultCell* b : fitting(results, instance, to)) {
                if (a == b || tests.count({instance, b->variant, a->variant}) > 0) continue;
                const auto tested = test_pair(results, *a, *b);
                if (!tested) continue;
                const bool swapped = tested->direction > 0;  // variant a has larger, so worse, values than b
                tests[{instance, swapped ? b->variant : a->variant, swapped ? a->variant : b->variant}] =
                    swapped ? tested->reversed() : *tested;
            }
        }
    }
    return tests;
}

}  // namespace

Section significance_section(const Results& results, const StudySection& asked) {
    std::map<ClaimedPair, bool> theirs;  // key: a published difference; value: true if our test finds it too
    const Node* published = asked.find("published");
    if (published != nullptr && !published->items.empty()) {
        for (const std::string& text : texts_of(asked, "published"))
            theirs[parse_claimed_pair(text, asked.where)] = false;
    }
    const double alpha = results.plan().study.alpha;
    Section section = titled(
        asked, "Significant differences",
        tests_text(results) +
            fmt::format(" A difference counts if p is at most {}, without a correction, as in the thesis; the "
                        "ranks say which algorithm of a pair is better. A12 is the probability that a run of the "
                        "algorithm in column \"better\" is worse than a run of the algorithm in column \"worse\"; "
                        "runs of equal value count half. Rows are the tested pairs for which our test or the thesis "
                        "finds a difference. Undecided does not mean equal.",
                        alpha));
    Table table{"significance-" + section.title,
                section.title,
                "",
                {{"instance", true}, {"better", true}, {"worse", true}, {"ours", true}, {"theirs", true}},
                {}};
    for (Column& column : tested_columns("better", "worse")) table.columns.push_back(std::move(column));
    for (const char* name : {"p", "A12"}) table.columns.push_back({name, false, 3});
    std::size_t both = 0, ours_alone = 0, theirs_alone = 0;
    const auto tests = tested_pairs(results, texts_of(asked, "of"), texts_of(asked, "to"));
    const auto add = [&](const ClaimedPair& pair, const TestedPair& tested, const char* ours, const char* of_others) {
        std::vector<TableValue> row{pair.instance, pair.better, pair.worse, std::string(ours), std::string(of_others)};
        for (TableValue& cell : tested_cells(tested)) row.push_back(std::move(cell));
        for (const double value : {tested.p, tested.a12}) row.emplace_back(value);
        table.rows.push_back(std::move(row));
    };
    for (const auto& [pair, tested] : tests) {
        const bool found = is_found(tested, alpha);
        const auto claimed = theirs.find(pair);
        if (claimed != theirs.end()) claimed->second = found;
        if (!found) continue;
        ++(claimed != theirs.end() ? both : ours_alone);
        add(pair, tested, "yes", claimed != theirs.end() ? "yes" : "no");
    }
    for (const auto& [claim, confirmed] : theirs) {
        const auto same = tests.find(claim), reverse = tests.find({claim.instance, claim.worse, claim.better});
        if (confirmed || (same == tests.end() && reverse == tests.end())) continue;
        ++theirs_alone;
        const TestedPair tested = same != tests.end() ? same->second : reverse->second.reversed();
        const bool found = is_found(tested, alpha);
        add(claim, tested, found ? "the reverse" : tested.enough ? "undecided" : "too few runs", "yes");
    }
    table.note = fmt::format(
        "Significant differences: our runs and the thesis both find {}, only our runs find {}, only the thesis {}.",
        both, ours_alone, theirs_alone);
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
