// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/arms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "plugins/memetic/arm_text.hpp"
#include "plugins/memetic/first_arms.hpp"
#include "qapfw/abi/slicing.h"
#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/sdk/features.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/insertion_neighbourhood.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"
#include "qapfw/sdk/round_length.hpp"
#include "qapfw/sdk/segments.hpp"
#include "qapfw/sdk/solver_services.hpp"

namespace qapfw::memetic {
namespace {

/// Largest numbers of evaluations of a tabu search in an automatic arm. The first is for problems with their own swap
/// neighbourhood; such a search takes 0.02 to 0.05 s on a core. The second is for problems that compute no deltas, and
/// also limits iterated greedy searches. An evaluation without deltas takes about a thousand times as long.
constexpr std::uint64_t kLongestSearch = 1u << 26, kLongestSlowSearch = 1u << 17;
/// The same limit for tabu searches over moves of segments, if the problem computes the moves' deltas. This number of
/// evaluations takes about 0.1 s on a core.
constexpr std::uint64_t kLongestOverMoves = 1u << 22;
/// Proposals of an annealing over moves of segments: a sixth of the square of the number of moves, but at least
/// kLeastAnnealing and at most kLongestAnnealing (about 0.3 s on a core).
constexpr std::uint64_t kAnnealingPart = 6, kLeastAnnealing = 20'000, kLongestAnnealing = 1u << 24;
/// Number of elements that an iterated greedy search takes out at a time.
constexpr std::uint64_t kRemoved = 4;
/// If there are more moves than this and annealing_arm() can be used, its arm is the only automatic arm. Other arms
/// would search by checking all moves.
constexpr std::uint64_t kManyMoves = 4096;

std::vector<std::string> layout_arms() {
    const std::string fbs = " improver=fbs_local_search";
    return {"name=ox crossover=ox crossover_rate=0.5 align=true mutation=0.8 moves=2 replacement=worst elites=16" + fbs,
            "name=ils crossover=none moves=1-6 replacement=parent elites=4" + fbs};
}

/// Arms for layouts by slicing trees. The improver anneals with many kinds of moves: swaps alone seldom improve a tree.
std::vector<std::string> tree_arms() {
    const std::string annealing = " improver=slicing_local_search";
    return {"name=ils crossover=none moves=1-4 replacement=parent elites=4" + annealing,
            "name=ux crossover=uniform replacement=parent elites=8" + annealing};
}

bool has_trees(const sdk::ProblemRef& problem) {
    const auto* const table = problem.capability<qapfw_problem_slicing>(QAPFW_PROBLEM_SLICING);
    return table != nullptr && table->describe(problem.get()->problem) != nullptr;
}

/// Returns arms that have this improver and different crossovers and perturbations.
std::vector<std::string> arms_around(const std::string& improver) {
    return {"name=ux crossover=uniform replacement=parent improver=" + improver,
            "name=pmx crossover=pmx mutation=0.5 moves=1-4 replacement=worst improver=" + improver,
            "name=cycle crossover=cycle mutation=0.5 moves=1-4 replacement=worst improver=" + improver,
            "name=ils crossover=none moves=3-8 replacement=walk improver=" + improver};
}

/// Number of elements of a solution.
std::uint64_t elements_of(const sdk::ProblemRef& problem) {
    return sdk::has_segments(problem) ? sdk::element_count(problem.encoding()) : problem.length();
}

/// Largest number of iterations of an automatic arm's search, if each iteration checks all pairs or moves. 0 if the
/// instance is too large for one iteration.
std::uint64_t most_iterations(const sdk::ProblemRef& problem) {
    const bool has_moves = sdk::has_segments(problem) && problem.capability<void>(QAPFW_PROBLEM_MOVES) != nullptr;
    const std::uint64_t most = has_neighbourhood(problem) ? kLongestSearch
                               : has_moves                ? kLongestOverMoves
                                                          : kLongestSlowSearch;
    return most / pairs_of(problem);
}

/// The text of an arm with robust tabu search. The search makes `times` * n / `over` iterations for n elements, but at
/// most most_iterations() and at least one.
std::string tabu_of(const std::string& name, std::uint64_t times, std::uint64_t over, const std::string& tenure,
                    const sdk::ProblemRef& problem) {
    const std::uint64_t length = std::min(times * elements_of(problem) / over, most_iterations(problem));
    return fmt::format("name={} improver=tabu iterations={} {} ", name, std::max<std::uint64_t>(1, length), tenure);
}

/// Adds three arms: one with short searches and large broods, one whose searches perturb their best solution, and one
/// whose searches perturb their present solution. Adds nothing if the problem has no swap neighbourhood, or if
/// most_iterations is too small for several perturbations in one search.
void add_iterated(std::vector<std::string>& arms, const std::string& usual, const std::string& wide,
                  const sdk::ProblemRef& problem) {
    constexpr std::uint64_t kLeastLength = 32;  // the arms need searches of at least 32 n iterations
    const std::uint64_t n = elements_of(problem);
    if (!has_neighbourhood(problem) || most_iterations(problem) < kLeastLength * n) return;
    const std::uint64_t share = std::max<std::uint64_t>(2, n / 8);
    arms.push_back(tabu_of("ux-8n", 8, 1, usual, problem) + "crossover=uniform replacement=parent broods=4");
    arms.push_back(tabu_of("break", 128, 1, wide, problem) +
                   fmt::format("perturb_after=4n perturb_swaps={0} perturb_from=best crossover=none moves={0} "
                               "replacement=parent elites=2",
                               share));
    arms.push_back(tabu_of("walk", 128, 1, wide, problem) +
                   "perturb_after=10n perturb_swaps=6 perturb_from=current crossover=none moves=6 replacement=walk "
                   "elites=2");
}

/// Arms with short and long tabu searches; with `iterated` also the arms of add_iterated. If the swap neighbourhood is
/// so large that most_iterations() is less than n, returns only the arm with short searches.
std::vector<std::string> tabu_arms(const sdk::ProblemRef& problem, bool iterated) {
    const std::string usual = "tenure=n/2 min_tenure=n/8", little = "tenure=n/4";
    const std::string wide =
        fmt::format("tenure={}", std::min<std::uint64_t>(300, 8 * elements_of(problem)));  // default of `tabu`
    const std::string ux = tabu_of("ux-n/2", 1, 2, little, problem) + "crossover=uniform replacement=parent";
    if (has_neighbourhood(problem) && most_iterations(problem) < problem.length()) return {ux};
    std::vector<std::string> arms = {
        ux, tabu_of("long", 128, 1, usual, problem) + "crossover=pmx mutation=0.5 moves=1-4 replacement=worst elites=4",
        tabu_of("kick", 128, 1, wide, problem) + "crossover=none moves=3-8 replacement=parent elites=2"};
    if (iterated) add_iterated(arms, usual, wide, problem);
    return arms;
}

/// True if solutions have only values, without prescribed counts, and the problem computes the deltas of moves. Long
/// annealings then end at lower costs than searches that check all moves.
bool tells_moves_of_values(const sdk::ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        if (segment.kind != QAPFW_SEGMENT_VALUES || segment.counts != nullptr) return false;
    }
    return problem.capability<void>(QAPFW_PROBLEM_MOVES) != nullptr;
}

std::string annealing_arm(const sdk::ProblemRef& problem) {
    const std::uint64_t moves = std::min<std::uint64_t>(pairs_of(problem), 1u << 16);
    const std::uint64_t length = std::clamp(moves * moves / kAnnealingPart, kLeastAnnealing, kLongestAnnealing);
    return fmt::format("name=anneal improver=annealing iterations={} crossover=uniform replacement=parent", length);
}

/// True if each solution is a single permutation, and the problem computes costs but no deltas.
bool evaluates_orders_alone(const sdk::ProblemRef& problem) {
    return sdk::is_permutation_16(problem.encoding()) && problem.encoding().segment_count == 1 &&
           sdk::evaluates_alone(problem);
}

std::string insertion_arm(const sdk::ProblemRef& problem) {
    const std::uint64_t n = std::max<std::uint64_t>(1, problem.length());
    const std::uint64_t length = std::clamp<std::uint64_t>(kLongestSlowSearch / (kRemoved * n), 1, 8 * n);
    return fmt::format(
        "name=greedy improver=iterated_greedy removed={} rebuild=true iterations={} crossover=none moves=1 "
        "replacement=worst elites=2",
        kRemoved, length);
}

/// True if each solution is a single permutation, and the problem computes the deltas of insertions but has no swap
/// neighbourhood.
bool tells_insertions(const sdk::ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    return encoding.segment_count == 1 && sdk::is_permutation_16(encoding) && !has_neighbourhood(problem) &&
           problem.capability<void>(QAPFW_PROBLEM_INSERTIONS) != nullptr;
}

/// Returns two arms whose improver is a descent by insertions: one improves children of crossovers, and the
/// other improves perturbed solutions. If `anneals` is true, also returns an arm whose improver is annealing.
std::vector<std::string> insertion_arms(const sdk::ProblemRef& problem, bool anneals) {
    constexpr std::uint64_t kProposals = 64, kLongest = 1u << 22;
    const std::string descent = " improver=greedy_two_opt passes=0 neighbourhood=insertion";
    std::vector<std::string> arms = {"name=shift crossover=uniform replacement=parent broods=4" + descent,
                                     "name=ils crossover=none moves=4-8 replacement=parent elites=2" + descent};
    if (!anneals) return arms;
    const std::uint64_t length = std::clamp(kProposals * sdk::insertion_count(problem), kLeastAnnealing, kLongest);
    arms.push_back(
        fmt::format("name=anneal crossover=uniform replacement=parent improver=annealing iterations={} "
                    "neighbourhood=insertion",
                    length));
    return arms;
}

void number_improvers(std::vector<Arm>& arms) {
    std::uint32_t improvers = 0;
    for (auto arm = arms.begin(); arm != arms.end(); ++arm) {
        const auto same = std::find_if(arms.begin(), arm, [&](const Arm& other) {
            return other.improver == arm->improver && other.settings == arm->settings && !other.lengthens &&
                   !arm->lengthens;
        });
        arm->improver_number = same != arm ? same->improver_number : improvers++;
    }
}

}  // namespace

std::uint64_t pairs_of(const sdk::ProblemRef& problem) {
    if (sdk::has_segments(problem)) return std::max<std::uint64_t>(1, sdk::MoveList(problem).count());
    return std::max<std::uint64_t>(1, sdk::free_pairs(problem));
}

bool on_gpus(const sdk::SolverContext& context) {
    return sdk::sum_over_gpus(context.host, context.host.get()->device_count) > 0;
}

bool has_neighbourhood(const sdk::ProblemRef& problem) {
    return !sdk::has_segments(problem) &&
           problem.capability<qapfw_swap_neighbourhood>(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) != nullptr;
}

bool has_bays(const sdk::ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    return encoding.segment_count == 2 && encoding.segments[1].kind == QAPFW_SEGMENT_BAYS;
}

std::vector<std::string> automatic_arms(const sdk::SolverContext& context, const sdk::HostImprovers& improvers,
                                        bool iterated) {
    if (context.improver != nullptr) return arms_around("given");
    const bool has_bits = has_bays(context.problem);
    // On GPUs, fbs_local_search refuses fixed positions.
    const bool refuses = context.problem.encoding().fixed != nullptr && on_gpus(context);
    if (has_bits && improvers.has("fbs_local_search") && !refuses) return layout_arms();
    if (has_trees(context.problem) && improvers.has("slicing_local_search") && !on_gpus(context)) return tree_arms();
    if (tells_insertions(context.problem) && improvers.has("greedy_two_opt"))
        return insertion_arms(context.problem, improvers.has("annealing") && !on_gpus(context));
    std::vector<std::string> arms;
    const bool anneals = tells_moves_of_values(context.problem) && improvers.has("annealing") && !on_gpus(context);
    if (anneals) arms.push_back(annealing_arm(context.problem));
    if (anneals && pairs_of(context.problem) > kManyMoves) return arms;
    const bool inserts =
        evaluates_orders_alone(context.problem) && improvers.has("iterated_greedy") && !on_gpus(context);
    if (inserts) arms.push_back(insertion_arm(context.problem));
    if (improvers.has("two_opt")) {
        arms.emplace_back("name=2opt improver=two_opt crossover=pmx mutation=0.1 moves=1 replacement=parent broods=4");
    }
    if (improvers.has("tabu")) {
        std::vector<std::string> more = tabu_arms(context.problem, iterated);
        if (anneals) more.resize(1);  // annealing replaces the other tabu arms, which search longer than the first
        for (std::string& arm : more) arms.push_back(std::move(arm));
    }
    if (!arms.empty()) return arms;
    return arms_around("none");
}

namespace {

/// True if there will be at least 21 islands: three for each of seven arms. If `islands` is auto, an island is assumed
/// to take four multiprocessors of a GPU. All processes must call this function.
bool are_islands_many(const sdk::SolverContext& context) {
    constexpr std::uint64_t kMany = 21, kMultiprocessorsOfIsland = 4;
    if (!context.parameters.is_auto("islands")) {
        return static_cast<std::uint64_t>(context.parameters.integer("islands")) >= kMany;
    }
    const std::span devices(context.host.get()->devices, context.host.get()->device_count);
    std::uint64_t own = 0;
    for (const qapfw_device* device : devices) own += device->multiprocessors;
    return sdk::sum_over_gpus(context.host, own) >= kMany * kMultiprocessorsOfIsland;
}

/// The name of an automatic arm. `text`: the arm's settings, beginning with "name=" and the name.
std::string name_of(const std::string& text) {
    return text.substr(5, text.find(' ') - 5);  // after "name="
}

/// Returns the names of the arms that start with more islands than the others: those that the configuration lists. If
/// `first_arms` is auto, returns the arms that suit the features of the instance. In this case, returns none if `arms`
/// is not auto, if islands will be many, if an improver is configured, or if the problem has no neighbourhood of its
/// own.
std::vector<std::string> first_arms(const sdk::SolverContext& context) {
    if (!context.parameters.is_auto("first_arms")) return context.parameters.list("first_arms");
    std::vector<std::string> names;
    const bool knows = context.improver == nullptr && has_neighbourhood(context.problem);
    if (knows && context.parameters.is_auto("arms") && !are_islands_many(context)) {
        names = arms_by_features(sdk::features_of(context.problem));
    }
    context.host.resolve("first_arms", names);
    return names;
}

/// Returns the texts of the arms for `arms` = auto: those of the arms that suit the problem, then those of the other
/// automatic arms whose names are in `first`.
std::vector<std::string> chosen_arms(const sdk::SolverContext& context, const sdk::HostImprovers& improvers,
                                     const std::vector<std::string>& first) {
    std::vector<std::string> texts = automatic_arms(context, improvers, are_islands_many(context));
    for (const std::string& text : automatic_arms(context, improvers, true)) {
        const bool is_wanted = std::ranges::find(first, name_of(text)) != first.end();
        if (is_wanted && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    }
    return texts;
}

/// Returns the texts of the arms: those of the configuration, or those that `arms` = auto chooses. If a text of the
/// configuration is a single word, the word names an arm that auto can choose, and that arm's text replaces it.
std::vector<std::string> arm_texts(const sdk::SolverContext& context, const sdk::HostImprovers& improvers,
                                   const std::vector<std::string>& first) {
    const bool is_auto = context.parameters.is_auto("arms");
    std::vector<std::string> texts = is_auto ? chosen_arms(context, improvers, first) : context.parameters.list("arms");
    if (is_auto) context.host.resolve("arms", texts);
    for (std::size_t k = 0; k < texts.size(); ++k) {
        if (texts[k].empty() || texts[k].find_first_of("= ") != std::string::npos) continue;
        const std::vector<std::string> own = automatic_arms(context, improvers, true);
        std::vector<std::string> names;
        for (const std::string& arm : own) names.push_back(name_of(arm));
        const auto found = std::find(names.begin(), names.end(), texts[k]);
        if (found == names.end()) {
            refuse(fmt::format("algorithm.arms, text {}", k + 1), "a text of one word",
                   fmt::format("the name of an arm that auto can choose ({})", fmt::join(names, ", ")), texts[k]);
        }
        texts[k] = own[static_cast<std::size_t>(found - names.begin())];
    }
    return texts;
}

/// Approximate number of evaluations in one iteration of the arm's search. It is 1 for annealing. Iterated greedy
/// search needs about n for each element that it puts back. Other searches evaluate all insertions or all pairs.
std::uint64_t looks_of(const Arm& arm, const sdk::ProblemRef& problem) {
    if (arm.improver == "annealing") return 1;
    const std::uint64_t n = std::max<std::uint64_t>(kRemoved, problem.length());
    if (arm.improver == "iterated_greedy") return kRemoved * n - kRemoved * (kRemoved - 1) / 2;
    if (arm.settings.find("neighbourhood=insertion") != std::string::npos)
        return std::max<std::uint64_t>(1, sdk::insertion_count(problem));
    return pairs_of(problem);
}

/// Marks the arms that `lengthen` names. auto names `kick` on GPUs with many arms if `lead` is auto too.
/// All processes must call this function. Throws Error(kUsage) for a name that is no arm of this run.
void mark_lengthened(const sdk::SolverContext& context, std::vector<Arm>& arms) {
    std::vector<std::string> names;
    if (!context.parameters.is_auto("lengthen")) {
        names = context.parameters.list("lengthen");
    } else {
        const bool leads = on_gpus(context) && has_many_arms(context, arms) && context.parameters.is_auto("lead");
        if (leads && std::ranges::find(arms, "kick", &Arm::name) != arms.end()) names = {"kick"};
        context.host.resolve("lengthen", names);
    }
    for (const std::string& name : names) arm_named(name, "lengthen", arms).lengthens = true;
}

}  // namespace

Arm& arm_named(const std::string& name, const char* parameter, std::vector<Arm>& arms) {
    const auto found = std::ranges::find(arms, name, &Arm::name);
    if (found != arms.end()) return *found;
    std::vector<std::string> names;
    for (const Arm& arm : arms) names.push_back(arm.name);
    throw Error(ErrorKind::kUsage, fmt::format("algorithm: {} must be names of arms of this run ({}), found \"{:.80}\"",
                                               parameter, fmt::join(names, ", "), name));
}

bool has_many_arms(const sdk::SolverContext& context, const std::vector<Arm>& arms) {
    constexpr std::ptrdiff_t kFewArms = 4;
    return context.parameters.is_auto("arms") && std::ranges::count(arms, false, &Arm::is_added) > kFewArms;
}

std::vector<Arm> read_arms(const sdk::SolverContext& context) {
    const sdk::HostImprovers improvers(context.host);
    const std::vector<std::string> first = first_arms(context);
    const std::vector<std::string> texts = arm_texts(context, improvers, first);
    if (texts.empty() || texts.size() > kMostArms) {
        throw Error(ErrorKind::kUsage, fmt::format("algorithm.arms must be \"auto\" or a list of 1 to {} texts, found "
                                                   "{}",
                                                   kMostArms, texts.size()));
    }
    std::vector<Arm> arms;
    for (std::size_t k = 0; k < texts.size(); ++k) {
        const std::string place = fmt::format("algorithm.arms, text {}", k + 1);
        Arm arm = read_arm(texts[k], place);
        if (arm.name.empty()) arm.name = std::to_string(k + 1);
        if (std::any_of(arms.begin(), arms.end(), [&](const Arm& other) { return other.name == arm.name; })) {
            throw Error(
                ErrorKind::kUsage,
                fmt::format("{}: two arms are called \"{:.80}\"; every arm needs a name of its own", place, arm.name));
        }
        if (arm.improver == "given") {
            if (context.improver == nullptr) {
                refuse(place, "improver", "an improver's id, since there is no [algorithm.improver]", "given");
            }
            if (!arm.settings.empty()) {
                refuse(place, "with improver=given, every key",
                       "a key of the arm itself (the improver's settings belong in [algorithm.improver])",
                       arm.settings);
            }
            arm.ref = context.improver;
        } else if (!arm.improver.empty()) {
            arm.ref = improvers.make(arm.improver, arm.settings, place);
        }
        arm.is_long = arm.improver == "annealing" || arm.improver == "iterated_greedy";
        arm.looks = looks_of(arm, context.problem);
        const std::uint64_t iterations = iterations_of(arm.settings, context.problem.length());
        arm.search = std::min(iterations, (std::uint64_t{1} << 62) / arm.looks) * arm.looks;
        arms.push_back(std::move(arm));
    }
    const auto is_given = [](const Arm& arm) { return arm.improver == "given"; };
    if (context.improver != nullptr && std::none_of(arms.begin(), arms.end(), is_given)) {
        throw Error(ErrorKind::kUsage,
                    "algorithm.improver would not be used, since no arm of algorithm.arms has improver=given; remove "
                    "algorithm.improver, or add improver=given to an arm");
    }
    std::vector<std::string> usual;
    if (context.parameters.is_auto("arms")) {
        for (const std::string& text : automatic_arms(context, improvers, are_islands_many(context)))
            usual.push_back(name_of(text));
    }
    mark_first(first, !context.parameters.is_auto("first_arms"), usual, arms);
    mark_lengthened(context, arms);
    number_improvers(arms);
    return arms;
}

}  // namespace qapfw::memetic
