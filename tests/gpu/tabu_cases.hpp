// SPDX-License-Identifier: Apache-2.0
// Instances, options and expected results for tests of the tabu kernel: plain host code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "plugins/tabu/tabu_reference.hpp"
#include "problems/qap/device/qap_device_plan.hpp"

namespace qapfw::gpu_tests {

/// Copies of the kernel's structures, with pointers as 64-bit integers.
struct View {
    uint64_t a, b, order;
    int64_t cost_offset;
    uint64_t linear = 0;
    int64_t limit = 0;
    uint64_t linear_rows = 0;
};
struct State {
    int64_t cost, best_cost;
    uint64_t iteration, best_iteration, idle, base;
};
struct Launch {
    View view;
    kernels::TabuOptions options;
    uint64_t iterations;
    uint64_t current, best, expiry, states, digests, workspace, costs, numbers, evaluations, evaluated;
    uint32_t searches, first_search, stride, flags;
};
struct LocalSearchLaunch {
    View view;
    uint64_t solutions, costs, scans, evaluations, workspace, limit, pairs;
    uint32_t count, stride, mode;
};
constexpr uint32_t kStartFlag = 1, kResumeFlag = 8;

/// A test case: the settings with which a program is compiled and launched.
struct Case {
    uint32_t n = 40, movable = 0, element_bytes = 1, recompute = 1, together = 1, alone = 0, planes = 1, top = 100;
    /// Largest number of searches on each multiprocessor, an argument of plan_for. 0: as many as fit.
    uint32_t per_multiprocessor = 0;
    /// Number of timed searches for each multiprocessor. 0: `timed` searches on the whole GPU, or as many as fit if
    /// `timed` is 0 too.
    uint32_t each = 0;
    bool symmetric = true, diagonal = false, symmetrised = false, negative = false;
    std::string value = "float", assignment = "tile", search = "tabu";
    std::vector<std::string> defines;  ///< further macros: NAME (defined as 1) or NAME:VALUE
    uint32_t warps = 1, teams = 1, blocks = 1, expiry = 2, searches = 6, iterations = 600, shared = 0, timed = 0;
    kernels::TabuOptions options{1234567890123ull, 0, 150, 2, 0, 0, 5, 1, kernels::kTabuStream};

    std::string name() const {
        std::ostringstream out;
        out << "n=" << n << " m=" << movable << (symmetric ? " sym" : " asym") << (diagonal ? "+diag" : "") << " u"
            << 8 * element_bytes << "/" << planes << " " << value << " " << assignment << " w=" << warps
            << " t=" << teams << " b=" << blocks << " e=" << expiry
            << (assignment == "tile" ? " rc=" + std::to_string(recompute) + " tg=" + std::to_string(together) : "")
            << (alone != 0 ? " alone" : "") << (shared > 0 ? " shared " + std::to_string(shared) : "")
            << (options.long_term > 0 ? " long" : "")
            << (search == "tabu" ? "" : " " + search + " " + std::to_string(iterations));
        for (const std::string& macro : defines) out << " " << macro;
        return out.str();
    }
};

inline std::string program_text(const Case& test) {
    static const char* const kElements[] = {"", "uint8_t", "uint16_t", "", "uint32_t"};
    std::ostringstream out;
    const auto define = [&](const char* name, const auto& value) { out << "#define " << name << " " << value << "\n"; };
    for (const std::string& macro : test.defines) {
        const size_t colon = macro.find(':');
        define(macro.substr(0, colon).c_str(), colon == std::string::npos ? "1" : macro.substr(colon + 1));
    }
    define("QAP_N", test.n);
    define("QAP_MOVABLE", test.movable);
    define("QAP_ELEMENT", kElements[test.element_bytes]);
    define("QAP_PLANES", test.planes);
    define("QAP_SYMMETRIC", test.symmetric ? 1 : 0);
    define("QAP_DIAGONAL", test.diagonal ? 1 : 0);
    define("QAP_DELTA_SCALE", test.symmetric && !test.diagonal ? 2 : 1);
    define("QAP_VALUE", test.value);
    define("QAP_ROW", qap::row_elements(test.n, test.element_bytes));
    define("QAP_SHARED_BYTES", test.shared);
    define("QAP_WARPS", test.warps);
    define("QAP_RECOMPUTE", test.recompute);
    define("QAP_TOGETHER", test.together);
    define("QAP_ALONE", test.alone);
    define("QAP_ASSIGNMENT", "QAP_ASSIGNMENT_" + test.assignment);
    define("TABU_TEAMS", test.teams);
    define("TABU_BLOCKS", test.blocks);
    define("TABU_EXPIRY", test.expiry);
    define("TABU_LONG_TERM", test.options.long_term > 0 ? 1 : 0);
    define("LOCAL_SEARCH_SWEEPS", test.search == "greedy" ? 1 : 0);
    define("LOCAL_SEARCH_TEAMS", test.teams);
    define("LOCAL_SEARCH_BLOCKS", test.blocks);
    out << (test.assignment == "lop" ? "#include \"tests/gpu/linear_ordering.cuh\"\n"
                                     : "#include \"problems/qap/device/qap_device_problem.cuh\"\n")
        << (test.search == "best" || test.search == "greedy"
                ? "#include \"plugins/local_search/device/local_search_kernel.cuh\"\n"
                : "#include \"plugins/tabu/device/tabu_kernel.cuh\"\n");
    return out.str();
}

/// A random instance with `movable` free positions. Every other position i is fixed and holds element i. The positions
/// divisible by 3 are fixed first. If these are too few, further positions are fixed, beginning with the lowest.
class Instance {
  public:
    Instance(const Case& test, uint32_t seed)
        : n(test.n), a(cells()), b(cells()), linear_ordering(test.assignment == "lop") {
        std::mt19937 random(seed);
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t j = 0; j < n; ++j) {
                const bool mirrored = test.symmetric && j < i;
                const bool zero = !test.diagonal && i == j;
                a[i * n + j] = mirrored ? a[j * n + i] : zero ? 0 : static_cast<int64_t>(random() % test.top);
                b[i * n + j] = mirrored ? b[j * n + i] : zero ? 0 : static_cast<int64_t>(random() % test.top);
            }
        std::vector<uint8_t> is_fixed(n, 0);
        uint32_t left = n;
        for (uint32_t i = 0; i < n && left > test.movable; i += 3) is_fixed[i] = 1, --left;
        for (uint32_t i = 0; i < n && left > test.movable; ++i)
            if (is_fixed[i] == 0) is_fixed[i] = 1, --left;
        for (uint32_t i = 0; i < n; ++i)
            if (is_fixed[i] == 0) movable.push_back(static_cast<uint16_t>(i));
        order_ = movable;
        for (uint32_t i = 0; i < n; ++i)
            if (is_fixed[i] != 0) order_.push_back(static_cast<uint16_t>(i));
    }
    bool fixed() const { return movable.size() < n; }
    const std::vector<uint16_t>& order() const { return order_; }
    std::vector<uint16_t> random_solution(std::mt19937& random) const {
        std::vector<uint16_t> solution(n), values = movable;
        std::shuffle(values.begin(), values.end(), random);
        for (uint32_t i = 0; i < n; ++i) solution[i] = static_cast<uint16_t>(i);
        for (size_t k = 0; k < movable.size(); ++k) solution[movable[k]] = values[k];
        return solution;
    }
    std::vector<int64_t> a_for_device() const {
        std::vector<int64_t> ordered(cells());
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t j = 0; j < n; ++j) ordered[i * n + j] = a[order_[i] * n + order_[j]];
        return ordered;
    }
    std::vector<int64_t> b_for_device() const { return b; }
    /// Returns the bytes of the matrix `values` with padded rows, then the bytes of its transpose with padded rows.
    std::vector<uint8_t> bytes(const std::vector<int64_t>& values, uint32_t element_bytes) const {
        const uint32_t row = qap::row_elements(n, element_bytes);
        std::vector<uint8_t> out;
        for (const bool turned : {false, true})
            for (uint32_t i = 0; i < n; ++i)
                for (uint32_t j = 0; j < row; ++j) {
                    const int64_t value = j >= n ? 0 : turned ? values[j * n + i] : values[i * n + j];
                    for (uint32_t k = 0; k < element_bytes; ++k) out.push_back(static_cast<uint8_t>(value >> (8 * k)));
                }
        return out;
    }
    int64_t cost(const std::vector<uint16_t>& p) const {
        int64_t sum = 0;
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t j = 0; j < n; ++j)
                sum += !linear_ordering ? a[i * n + j] * b[p[i] * n + p[j]] : i < j ? a[p[j] * n + p[i]] : 0;
        return sum;
    }

    uint32_t n;
    std::vector<int64_t> a, b;
    std::vector<uint16_t> movable;
    bool linear_ordering;  ///< true: the problem is linear ordering with the weights `a`; false: QAP with `a` and `b`

  private:
    size_t cells() const { return static_cast<size_t>(n) * n; }
    std::vector<uint16_t> order_;
};

/// Computes all deltas of every iteration by the O(n) formula (MEDAL Report 2011005, Eq. 4). It keeps no delta,
/// so none can be outdated.
class TextbookNeighbourhood {
  public:
    explicit TextbookNeighbourhood(const Instance& instance) : instance_(instance) {}
    int64_t reset(const uint16_t* solution) {
        p_.assign(solution, solution + instance_.n);
        return instance_.cost(p_);
    }
    void apply(uint32_t i, uint32_t j) { std::swap(p_[i], p_[j]); }
    bool best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move& best) const {
        bool found = false, found_preferred = false;
        for (size_t x = 0; x < instance_.movable.size(); ++x)
            for (size_t y = x + 1; y < instance_.movable.size(); ++y) {
                const uint32_t i = instance_.movable[x], j = instance_.movable[y];
                const int64_t change = delta(i, j);
                const size_t at = static_cast<size_t>(i) * filter.stride + j;
                const bool aspired = change < filter.aspiration.i;
                const bool free = filter.pair_expiry[at] <= filter.iteration;
                const bool preferred =
                    filter.pair_latest != nullptr && (aspired || filter.pair_latest[at] < filter.forced_before);
                if (!free && !aspired && !preferred) continue;
                if (found_preferred && !preferred) continue;
                const bool better = !found || (preferred && !found_preferred) || change < best.delta.i;
                if (!better) continue;
                found = true;
                found_preferred = preferred;
                best.i = i;
                best.j = j;
                best.delta.i = change;
            }
        return found;
    }

    int64_t delta(uint32_t r, uint32_t s) const {
        if (instance_.linear_ordering) {
            std::vector<uint16_t> exchanged = p_;
            std::swap(exchanged[r], exchanged[s]);
            return instance_.cost(exchanged) - instance_.cost(p_);
        }
        const uint32_t n = instance_.n;
        const int64_t* const a = instance_.a.data();
        const int64_t* const b = instance_.b.data();
        const size_t pr = p_[r], ps = p_[s];
        int64_t sum =
            a[r * n + r] * (b[ps * n + ps] - b[pr * n + pr]) + a[r * n + s] * (b[ps * n + pr] - b[pr * n + ps]) +
            a[s * n + r] * (b[pr * n + ps] - b[ps * n + pr]) + a[s * n + s] * (b[pr * n + pr] - b[ps * n + ps]);
        for (uint32_t k = 0; k < n; ++k) {
            if (k == r || k == s) continue;
            const size_t pk = p_[k];
            sum += (a[k * n + r] - a[k * n + s]) * (b[pk * n + ps] - b[pk * n + pr]) +
                   (a[r * n + k] - a[s * n + k]) * (b[ps * n + pk] - b[pr * n + pk]);
        }
        return sum;
    }
    const std::vector<uint16_t>& solution() const { return p_; }

  private:
    const Instance& instance_;
    std::vector<uint16_t> p_;
};

struct HostResult {
    tabu::SearchState<int64_t> state;
    uint64_t digest = 0;
    int64_t recomputed = 0, recomputed_best = 0;
};

inline HostResult run_on_host(const Case& test, const Instance& instance, const uint16_t* solution, uint32_t search,
                              uint64_t iterations) {
    TextbookNeighbourhood neighbourhood(instance);
    tabu::TabuSearch<TextbookNeighbourhood> tabu(neighbourhood, test.options, search, instance.movable, instance.n);
    tabu.start(solution);
    tabu.run(iterations);
    return {tabu.state(), tabu.digest(), instance.cost(tabu.state().current), instance.cost(tabu.state().best)};
}

/// The solution at which 2-opt (test.search "best") or greedy 2-opt ("greedy") ends. `scans` becomes the number of
/// passes over all pairs, at most test.iterations. 0 iterations: the search goes on to a local optimum.
inline std::vector<uint16_t> local_search_on_host(const Case& test, const Instance& instance, const uint16_t* solution,
                                                  uint64_t& scans) {
    TextbookNeighbourhood neighbourhood(instance);
    neighbourhood.reset(solution);
    const std::vector<uint16_t>& movable = instance.movable;
    scans = 0;
    if (movable.size() < 2) return neighbourhood.solution();
    qapfw_swap_filter filter{};
    std::vector<int32_t> nothing_tabu(static_cast<size_t>(instance.n) * instance.n, 0);
    filter.pair_expiry = nothing_tabu.data();
    filter.stride = instance.n;
    qapfw_swap_move move{};
    const uint64_t limit = test.iterations;
    if (test.search == "best")
        while (limit == 0 || scans < limit) {
            ++scans;
            if (!neighbourhood.best_admissible(filter, move) || move.delta.i >= 0) break;
            neighbourhood.apply(move.i, move.j);
        }
    for (bool changed = true; test.search == "greedy" && changed && (limit == 0 || scans < limit); ++scans) {
        changed = false;
        for (size_t x = 0; x < movable.size(); ++x)
            for (size_t y = x + 1; y < movable.size(); ++y)
                if (neighbourhood.delta(movable[x], movable[y]) < 0)
                    neighbourhood.apply(movable[x], movable[y]), changed = true;
    }
    return neighbourhood.solution();
}

/// Returns a text that lists the differences between host and device; it is empty if there are none.
inline std::string compare(const HostResult& host, const State& state, uint64_t digest, const uint16_t* current,
                           const uint16_t* best, uint32_t n) {
    std::ostringstream out;
    const auto expect = [&](const char* what, auto expected, auto found) {
        if (expected != found) out << what << " is " << found << ", should be " << expected << "; ";
    };
    expect("host cost", host.recomputed, host.state.cost);
    expect("host best", host.recomputed_best, host.state.best_cost);
    expect("cost", host.state.cost, state.cost);
    expect("best cost", host.state.best_cost, state.best_cost);
    expect("iteration", host.state.iteration, state.iteration);
    expect("best iteration", host.state.best_iteration, state.best_iteration);
    expect("idle", host.state.idle, state.idle);
    expect("digest", host.digest, digest);
    if (!std::equal(current, current + n, host.state.current.begin())) out << "current solution differs; ";
    if (!std::equal(best, best + n, host.state.best.begin())) out << "best solution differs; ";
    return out.str();
}

/// Sets the case's settings to those that plan_for chooses. `shared_bytes`: shared memory that a CUDA block may use.
inline void follow_plan(Case& test, uint64_t shared_bytes) {
    const qap::DevicePlan plan =
        qap::plan_for({test.n, test.movable, test.top - 1, test.top - 1, test.symmetric, test.diagonal}, shared_bytes,
                      test.per_multiprocessor);
    static const char* const kTypes[] = {"float", "int32_t", "int64_t"};
    test.element_bytes = plan.element_bytes;
    test.planes = plan.planes;
    test.value = kTypes[static_cast<int>(plan.value)];
    test.assignment = plan.tile ? "tile" : "table";
    test.warps = plan.warps;
    test.recompute = plan.recompute ? 1 : 0;
    test.together = plan.together ? 1 : 0;
    test.alone = plan.alone ? 1 : 0;
    test.teams = plan.teams;
    test.blocks = plan.blocks;
    test.expiry = plan.tile ? 2 : 0;
    test.shared = static_cast<uint32_t>(plan.shared_bytes);
}

/// The members of Case that a single number sets. The keys are their short names.
inline const std::map<std::string, uint32_t Case::*>& number_settings() {
    static const std::map<std::string, uint32_t Case::*> settings = {{"n", &Case::n},
                                                                     {"m", &Case::movable},
                                                                     {"el", &Case::element_bytes},
                                                                     {"rc", &Case::recompute},
                                                                     {"tg", &Case::together},
                                                                     {"al", &Case::alone},
                                                                     {"pm", &Case::per_multiprocessor},
                                                                     {"each", &Case::each},
                                                                     {"pl", &Case::planes},
                                                                     {"top", &Case::top},
                                                                     {"w", &Case::warps},
                                                                     {"t", &Case::teams},
                                                                     {"b", &Case::blocks},
                                                                     {"e", &Case::expiry},
                                                                     {"k", &Case::searches},
                                                                     {"sh", &Case::shared},
                                                                     {"tk", &Case::timed},
                                                                     {"it", &Case::iterations}};
    return settings;
}
inline bool read_option(kernels::TabuOptions& options, const std::string& key, uint32_t number) {
    if (key == "long")
        options.long_term = static_cast<int32_t>(number);
    else if (key == "pa")
        options.perturb_after = number;
    else if (key == "ps")
        options.perturb_swaps = number;
    else if (key == "rb")
        options.restart_at_best = number;
    else if (key == "mt")
        options.min_tenure = static_cast<int32_t>(number);
    else if (key == "T")
        options.tenure_range = static_cast<int32_t>(number);
    else
        return false;
    return true;
}
inline bool read_text(Case& test, const std::string& key, const std::string& text) {
    if (key == "v")
        test.value = text;
    else if (key == "s")
        test.search = text;
    else if (key == "as")
        test.assignment = text;
    else if (key != "define")
        return false;
    else if (std::find(test.defines.begin(), test.defines.end(), text) == test.defines.end())
        test.defines.push_back(text);
    return true;
}

/// Reads settings such as "n=40,w=1,t=4"; later settings override earlier ones. Returns true if the setting `auto` asks
/// for the plan of plan_for.
inline bool read_settings(Case& test, const std::string& word) {
    std::stringstream settings(word);
    std::string setting;
    bool has_movable = false, planned = false;
    while (std::getline(settings, setting, ',')) {
        const size_t equal = setting.find('=');
        const std::string key = setting.substr(0, equal);
        const std::string text = equal == std::string::npos ? "1" : setting.substr(equal + 1);
        if (read_text(test, key, text)) continue;
        const auto number = static_cast<uint32_t>(std::stoul(text));
        const auto member = number_settings().find(key);
        if (member != number_settings().end())
            test.*(member->second) = number;
        else if (key == "auto")
            planned = number != 0;
        else if (key == "asym")
            test.symmetric = number == 0;
        else if (key == "diag")
            test.diagonal = number != 0;
        else if (!read_option(test.options, key, number))
            throw std::invalid_argument("unknown setting " + key);
        has_movable = has_movable || key == "m";
    }
    if (!has_movable) test.movable = test.n;
    return planned;
}

/// Reads one case from a word of the command line. With `auto` the case follows the plan of plan_for; the other
/// settings of the word override the plan.
inline Case parse_case(const std::string& word, uint64_t shared_bytes) {
    Case test;
    if (read_settings(test, word)) {
        follow_plan(test, shared_bytes);
        read_settings(test, word);
    }
    if (test.options.tenure_range == 0) test.options.tenure_range = static_cast<int32_t>(8 * test.n);
    return test;
}

inline std::vector<Case> parse_cases(const std::vector<std::string>& words, const std::string& mode,
                                     uint64_t shared_bytes) {
    std::vector<Case> cases;
    for (const std::string& word : words) {
        cases.push_back(parse_case(word, shared_bytes));
        Case& test = cases.back();
        if (mode != "check" && word.find("pa=") == std::string::npos) test.options.perturb_after = 20ull * test.n;
    }
    return cases;
}

}  // namespace qapfw::gpu_tests
