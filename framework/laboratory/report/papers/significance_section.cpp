// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/statistics/rank_tests.hpp"
#include "framework/laboratory/study/fields.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// "instance: better >> worse".
struct ClaimedPair {
    std::string instance, better, worse;
    auto operator<=>(const ClaimedPair&) const = default;
};

ClaimedPair parse_claimed_pair(const std::string& text, const std::string& where) {
    const std::size_t colon = text.find(": "), sign = text.find(" >> ");
    if (colon == std::string::npos || sign == std::string::npos || sign < colon)
        fail_at(where, fmt::format("[[section]] of kind significance: published must hold texts such as \"nug30: A >> "
                                   "B\", found \"{}\"",
                                   text));
    return {text.substr(0, colon), text.substr(colon + 2, sign - colon - 2), text.substr(sign + 4)};
}

struct Tested {
    double p = 1, a12 = 0.5;  ///< a12: of the better one and the worse one
    std::size_t pairs = 0, differing = 0;
    bool found = false;  ///< p is at most alpha
};

std::vector<const ResultCell*> fitting(const Results& results, const std::string& instance,
                                       const std::vector<std::string>& patterns) {
    std::vector<const ResultCell*> cells;
    for (const ResultCell* cell : results.of_instance(instance)) {
        if (!cell->runs.empty() && fits_any(patterns, cell->variant)) cells.push_back(cell);
    }
    return cells;
}

/// Every pair of the two lists, in the order in which the first is the better one.
std::map<ClaimedPair, Tested> tested_pairs(const Results& results, const std::vector<std::string>& of,
                                           const std::vector<std::string>& to) {
    const double alpha = results.plan().study.alpha;
    std::map<ClaimedPair, Tested> tests;
    for (const std::string& instance : results.instances()) {
        for (const ResultCell* a : fitting(results, instance, of)) {
            for (const ResultCell* b : fitting(results, instance, to)) {
                if (a == b || tests.count({instance, b->variant, a->variant}) > 0) continue;
                const auto [first, second] = results.paired(*a, *b);
                if (first.empty()) continue;
                const double effect = statistics::a12(first, second);
                const auto test = statistics::wilcoxon_signed_rank(first, second);
                const bool swapped = test.direction() > 0;  // the first is the larger one, that is the worse one
                const Tested tested{test.p, swapped ? 1 - effect : effect, first.size(), test.used,
                                    test.p <= alpha && test.direction() != 0};
                tests[{instance, swapped ? b->variant : a->variant, swapped ? a->variant : b->variant}] = tested;
            }
        }
    }
    return tests;
}

}  // namespace

Section significance_section(const Results& results, const StudySection& asked) {
    std::map<ClaimedPair, bool> theirs;  // and whether ours find it too
    const Node* published = asked.find("published");
    if (published != nullptr && !published->items.empty()) {
        for (const std::string& text : texts_of(asked, "published"))
            theirs[parse_claimed_pair(text, asked.where)] = false;
    }
    const double alpha = results.plan().study.alpha;
    Section section = titled(
        asked, "Significant differences",
        fmt::format(
            "Wilcoxon's signed rank test, two-sided, of pairs with the same seed, of which it uses those that differ; "
            "p at most {} without a correction, as in the thesis. The signed ranks say which is better. A12 is the "
            "chance that a value of the better one is the larger, equal values counting half. Rows are the differences "
            "that ours or theirs find, where both were run. Undecided does not say that the two are the same; fewer "
            "than {} pairs can decide nothing.",
            alpha, statistics::fewest_pairs(alpha)));
    Table table{"significance-" + section.title,
                section.title,
                "",
                {{"instance", true},
                 {"better", true},
                 {"worse", true},
                 {"ours", true},
                 {"theirs", true},
                 {"pairs", false},
                 {"that differ", false},
                 {"p", false, 3},
                 {"A12", false, 3}},
                {}};
    std::size_t both = 0, ours_alone = 0, theirs_alone = 0;
    const auto tests = tested_pairs(results, texts_of(asked, "of"), texts_of(asked, "to"));
    const auto add = [&](const ClaimedPair& pair, const Tested& tested, const char* ours, const char* of_others) {
        table.rows.push_back({pair.instance, pair.better, pair.worse, std::string(ours), std::string(of_others),
                              static_cast<double>(tested.pairs), static_cast<double>(tested.differing), tested.p,
                              tested.a12});
    };
    for (const auto& [pair, tested] : tests) {
        const auto claimed = theirs.find(pair);
        if (claimed != theirs.end()) claimed->second = tested.found;
        if (!tested.found) continue;
        ++(claimed != theirs.end() ? both : ours_alone);
        add(pair, tested, "yes", claimed != theirs.end() ? "yes" : "no");
    }
    for (const auto& [claim, confirmed] : theirs) {
        const auto same = tests.find(claim), reverse = tests.find({claim.instance, claim.worse, claim.better});
        if (confirmed || (same == tests.end() && reverse == tests.end())) continue;
        ++theirs_alone;
        Tested tested = same != tests.end() ? same->second : reverse->second;
        if (same == tests.end()) tested.a12 = 1 - tested.a12;
        const bool too_few = tested.pairs < statistics::fewest_pairs(alpha);
        add(claim, tested, tested.found ? "the reverse" : too_few ? "too few runs" : "undecided", "yes");
    }
    table.note = fmt::format("{} found by both, {} by ours alone, {} by theirs alone.", both, ours_alone, theirs_alone);
    section.tables.push_back(std::move(table));
    return section;
}

}  // namespace qapfw::framework::laboratory
