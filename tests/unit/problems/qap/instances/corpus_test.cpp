// SPDX-License-Identifier: Apache-2.0
// Small files as users write them (tests/corpus/qap). Each must be read as it was meant, or be refused with a message
// that says where the mistake is and what to do. The optimum of each is found by trying all assignments.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/instance.hpp"
#include "problems/qap/reductions/recognition.hpp"
#include "problems/qap/reductions/reduced_instance.hpp"
#include "qapfw/error.hpp"

using namespace qapfw::qap;

namespace {

const std::filesystem::path kCorpus = std::filesystem::path(QAPFW_SOURCE_DIR) / "tests/corpus/qap";

struct Wanted {
    std::string what, arguments, outcome;
};

std::vector<Wanted> read_table() {
    std::ifstream in(kCorpus / "wanted.txt");
    std::vector<Wanted> out;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#')) continue;
        const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
        REQUIRE(second != line.npos);
        out.push_back({line.substr(0, first), line.substr(first + 3, second - first - 3), line.substr(second + 3)});
    }
    return out;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

/// Finds and reads the instance as `qapfw solve` does.
QapInstance load(const std::string& arguments) {
    InstanceSearch search;
    std::vector<std::string> words = words_of(arguments);
    if (words.front() == "--metric") {
        const std::vector<std::string> names{"auto", "euclidean", "manhattan", "chebyshev", "haversine"};
        search.metric = static_cast<Metric>(std::find(names.begin(), names.end(), words[1]) - names.begin());
        words.erase(words.begin(), words.begin() + 2);
    }
    const std::string reference = (kCorpus / words.at(0)).string();
    if (words.size() > 1) search.matrix_b = kCorpus / words[1];
    const auto ways = recognise_instance(reference, search);
    REQUIRE(ways.size() <= 1);
    ReductionOptions options;
    if (!ways.empty() && ways.front().parameters == "reduction=tsp\n") options.kind = ReductionKind::kTsp;
    auto reduced = load_reduced_instance(reference, search, options);
    return reduced ? *std::move(reduced) : load_instance(reference, search);
}

double optimum(const QapInstance& instance) {
    std::vector<std::uint16_t> p(instance.matrices.n);
    std::iota(p.begin(), p.end(), std::uint16_t{0});
    const double divisor = instance.reduction ? static_cast<double>(instance.reduction->divisor())
                                              : static_cast<double>(instance.resolution.divisor);
    double best = std::numeric_limits<double>::infinity();
    do {
        best = std::min(best, instance.owner ? instance.owner->cost(p.data())
                                             : static_cast<double>(evaluate(instance.matrices, p.data())) / divisor);
    } while (std::next_permutation(p.begin(), p.end()));
    return best;
}

std::string names_text(const char* what, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += " " + name;
    return names.empty() ? text : std::string(" ") + what + text;
}

void check_refused(const Wanted& wanted) {
    try {
        const QapInstance instance = load(wanted.arguments);
        FAIL_CHECK(fmt::format("{} was read: {}", wanted.arguments, instance.source));
    } catch (const qapfw::Error& error) {
        const std::string sentence = error.what();
        std::string parts = wanted.outcome.substr(2) + " && ";
        for (std::size_t at = parts.find(" && "); at != parts.npos; at = parts.find(" && ")) {
            CHECK_MESSAGE(sentence.find(parts.substr(0, at)) != sentence.npos, sentence);
            parts.erase(0, at + 4);
        }
        CHECK_MESSAGE(std::count(sentence.begin(), sentence.end(), '\n') == 0, sentence);
    }
}

void check_read(const Wanted& wanted) {
    const QapInstance instance = load(wanted.arguments);
    const double best = optimum(instance);
    const std::string cost =
        wanted.outcome.starts_with('~') ? fmt::format("~{}", std::lround(best)) : fmt::format("{:.10g}", best);
    const bool names = wanted.outcome.find(' ') != std::string::npos;
    CHECK(cost + (names ? names_text("facilities", instance.facility_names) +
                              names_text("locations", instance.location_names)
                        : std::string{}) ==
          wanted.outcome);
}

}  // namespace

TEST_CASE("small files as users write them are read as meant, or refused with a message that says what to do") {
    const std::vector<Wanted> table = read_table();
    CHECK(table.size() >= 100);
    for (const Wanted& wanted : table) {
        CAPTURE(wanted.what);
        CAPTURE(wanted.arguments);
        if (wanted.outcome.starts_with("! ")) {
            check_refused(wanted);
        } else {
            CHECK_NOTHROW(check_read(wanted));
        }
    }
}

TEST_CASE("every file of the corpus is used") {
    std::string used;
    for (const Wanted& wanted : read_table()) used += " " + wanted.arguments + " ";
    for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
        const std::string name = entry.path().filename().string();
        if (name != "wanted.txt") CHECK_MESSAGE(used.find(" " + name + " ") != used.npos, name);
    }
}
