// SPDX-License-Identifier: Apache-2.0
// The fields and the steps of the searches, for host and kernels. A search makes one annealing after another. An epoch
// is a sequence of annealings that begins with a random tree, or (a deep epoch) with the champion, see Plan.
#pragma once

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/slicing_annealing.hpp"

namespace qapfw::slicing_local_search {

/// Streams of random draws: first trees, steps, exchanges between searches (meetings).
constexpr uint32_t kTreeStream = 90, kStepStream = 91, kMeetingStream = 92;

/// State of a search, except its trees and its present annealing.
struct Progress {
    uint64_t steps;        ///< number of steps since the run began
    uint64_t annealings;   ///< number of complete annealings of the epoch; a deep epoch starts this counter at 1
    uint64_t epochs;       ///< number of complete epochs; also the number of the present epoch, from 0
    double elite_cost;     ///< cost of the elite: the best tree since the epoch began
    double run_cost;       ///< cost of the search's best tree since the run began
    double champion_cost;  ///< cost of the champion: best elite of the epochs that ended since a deep epoch last began
    uint32_t elite_violations, run_violations, champion_violations;
    uint32_t is_given;   ///< 1: the first tree is a warm start, and no annealing has begun yet
    uint32_t root;       ///< index in root_width and root_height: the rectangle that the search's trees fill
    uint32_t idle;       ///< number of annealings since the elite improved
    uint32_t doublings;  ///< how often a deep epoch has doubled the length of its annealings; 0 in other epochs
    uint32_t reserved;
};

/// The plan of a search. An epoch is one long annealing from a random tree, then shorter and cooler annealings from the
/// epoch's best tree. After every `starts` such epochs, a deep epoch continues from the champion: the best tree of
/// these epochs and of the deep epoch before them.
struct Plan {
    uint64_t first_steps;  ///< steps of the first annealing of the first epoch
    uint64_t most_steps;   ///< largest number of steps of any annealing
    /// hot: start temperature of an epoch's first annealing; warm: highest start temperature of its later annealings.
    double hot, warm;
    double log_hot, log_warm;  ///< ln(hot / cold), ln(warm / cold); all annealings end at `cold`
    uint32_t reheats;          ///< number of annealings of an epoch after its first one
    uint32_t starts;           ///< number of epochs from random trees before each deep epoch
    uint32_t deep;             ///< largest number of annealings of a deep epoch; 0: there are no deep epochs
    uint32_t levels;           ///< number of start temperatures that later annealings use in turn: warm, warm / 2, ...
    uint32_t patience;         ///< after this number of annealings without a better elite (0: never), a deep epoch
                               ///< doubles the annealings' length. After `longer` doublings, the epoch ends instead.
    uint32_t longer;           ///< largest number of times that a deep epoch doubles the annealings' length
    uint32_t shares_deep;      ///< 1: searches exchange trees only in deep epochs
};

/// The cost and violations of a search's elite, which other searches see at a meeting.
struct Shown {
    double cost;
    uint32_t violations;  ///< violations of the elite; kernels::kSlicingNone: there is no elite yet
    uint32_t reserved;
};

template <class Cost>
struct Searches {
    uint16_t* trees;      ///< per search: current tree
    uint16_t* bests;      ///< per search: best tree of this annealing
    uint16_t* elites;     ///< per search: best tree of this epoch
    uint16_t* champions;  ///< per search: best elite of the finished epochs, see Plan
    kernels::SlicingStanding* standings;
    Progress* progress;
    uint16_t* solutions;    ///< per search: the best tree that it has found in the whole run, as a solution
    Cost* costs;            ///< costs of `solutions`
    uint64_t* found;        ///< generation in which each of `solutions` was found
    uint64_t* evaluations;  ///< per search: number of evaluations that kernels made
    uint16_t* shown;        ///< elite of each search of the run at the last meeting of the searches
    Shown* shown_costs;     ///< cost and violations of each elite in `shown`
    double* numbers;        ///< scratch memory of kernels, for doubles
    uint16_t* indices;      ///< scratch memory of kernels, for indices
    kernels::SlicingAnnealing settings;
    Plan plan;
    uint64_t seed;
    uint64_t steps_each;  ///< steps of each search in a generation
    uint32_t departments, stride, tree_words, solution_words, genes_offset, gene_bytes;
    uint32_t first, count;  ///< this place has `count` searches; `first` is the number of its first search in the run
    uint32_t searches;      ///< number of searches of the run
    uint32_t rivals;        ///< number of other searches that a search compares with in a meeting
};

/// Number of epochs after which annealings become twice as long (see annealing_steps): `starts` epochs from random
/// trees, then a deep epoch if the plan has deep epochs.
QAPFW_HD uint64_t epochs_alike(const Plan& plan) {
    return uint64_t{plan.starts} + (plan.deep > 0 ? 1 : 0);
}
/// True if epoch number `epoch` (from 0) is deep; see Plan.
QAPFW_HD bool is_deep(const Plan& plan, uint64_t epoch) {
    return epoch % epochs_alike(plan) == plan.starts;
}

/// Returns the number of steps of the next annealing. The first annealing of an epoch has the full length, later ones
/// have half of it. The full length starts as first_steps. It doubles after every epochs_alike() epochs, and
/// progress.doublings times more, but does not exceed most_steps.
QAPFW_HD uint64_t annealing_steps(const Plan& plan, const Progress& progress) {
    const uint64_t doublings = progress.epochs / epochs_alike(plan) + progress.doublings;
    uint64_t steps = plan.first_steps;
    for (uint64_t k = 0; k < doublings && steps < plan.most_steps; ++k) steps *= 2;
    steps = steps < plan.most_steps ? steps : plan.most_steps;
    return progress.annealings == 0 ? steps : (steps + 1) / 2;
}

/// exp(-x) for 0 <= x <= 1, computed with only + - * /.
QAPFW_HD double small_exp(double x) {
    double sum = 1.0;
    for (uint32_t k = 12; k > 0; --k) sum = 1.0 - kernels::fbs_product(sum, x / k);
    return sum;
}

/// The factor by which the temperature falls in each beat (kSlicingBeat steps), for an annealing of `steps` steps from
/// `hot` to `cold`. ratio_log = ln(hot / cold).
QAPFW_HD double cooling_of(double ratio_log, uint64_t steps) {
    const uint64_t beats = steps / kernels::kSlicingBeat;
    const double x = ratio_log / static_cast<double>(beats > 0 ? beats : 1);
    return small_exp(x < 1.0 ? x : 1.0);
}

/// Number of departments above which a first annealing is too short to improve a random tree enough. Then the first
/// tree is balanced, with rectangles that are not too long.
constexpr uint32_t kManyDepartments = 128;
/// A first annealing with fewer steps per department than this begins at the temperature Plan::warm, not Plan::hot.
constexpr uint64_t kFewSteps = 128;

/// Builds a balanced tree whose leaves are in `order`, from the lowest level up. On each level, neighbouring subtrees
/// are joined in pairs. The direction of the cuts alternates from level to level. Destroys `order`.
QAPFW_HD void balance(const kernels::SlicingTree& tree, uint16_t* order) {
    uint32_t count = tree.n, next = tree.n;
    for (uint32_t level = 0; count > 1; ++level) {
        uint32_t made = 0;
        for (uint32_t k = 0; k < count; k += 2) {
            if (k + 1 < count) {
                tree.hang(next, order[k], order[k + 1]);
                tree.cut(next) = static_cast<uint16_t>(level & 1u);
                order[made++] = static_cast<uint16_t>(next++);
            } else {
                order[made++] = order[k];
            }
        }
        count = made;
    }
    tree.root() = order[0];
    tree.parent(order[0]) = static_cast<uint16_t>(kernels::kSlicingNone);
}

/// Draws the first tree of search `number` in the given epoch. `order` is scratch of n entries.
QAPFW_HD void draw_tree(const kernels::SlicingTree& tree, uint64_t seed, uint64_t epoch, uint32_t number,
                        uint16_t* order) {
    const uint32_t n = tree.n;
    for (uint32_t k = 0; k < n; ++k) order[k] = static_cast<uint16_t>(k);
    for (uint32_t k = n - 1; k > 0; --k) {
        const uint32_t other = kernels::below(kernels::draw(seed, epoch, number, kTreeStream, 2 * k), k + 1);
        const uint16_t kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    if (n > kManyDepartments) return balance(tree, order);
    tree.root() = order[0];
    tree.parent(order[0]) = static_cast<uint16_t>(kernels::kSlicingNone);
    for (uint32_t k = 1; k < n; ++k) {
        const uint32_t gene =
            kernels::below(kernels::draw(seed, epoch, number, kTreeStream, 2 * k + 1), kernels::slicing_gene_values(k));
        const uint32_t c = gene >> 2;
        const uint32_t beside = c % 2 == 0 ? uint32_t{order[c / 2]} : n - 1 + (c + 1) / 2;
        tree.graft(order[k], n - 1 + k, beside, (gene & 2u) != 0, gene & 1u);
    }
}

/// The genes of a solution, of one or two bytes each.
struct Genes {
    uint8_t* bytes;
    uint32_t each;
    QAPFW_HD void set(uint32_t k, uint32_t value) const {
        bytes[k * each] = static_cast<uint8_t>(value);
        if (each > 1) bytes[k * each + 1] = static_cast<uint8_t>(value >> 8);
    }
};

/// Writes a tree as a solution whose permutation is the order of the leaves. `words` is scratch for a copy of the tree;
/// `numbers` is scratch of 3n entries.
QAPFW_HD void write_solution(const kernels::SlicingTree& tree, uint16_t* solution, uint32_t genes_offset,
                             uint32_t gene_bytes, uint16_t* words, uint16_t* numbers) {
    const uint32_t n = tree.n;
    for (uint32_t k = 0; k < kernels::slicing_tree_words(n); ++k) words[k] = tree.words[k];
    const kernels::SlicingTree copy{words, n};
    uint32_t count = 0, node = copy.root();
    for (bool down = true; node != kernels::kSlicingNone;) {  // visits the leaves in their order
        while (down && !copy.is_leaf(node)) node = copy.child(node, 0);
        if (down) solution[count++] = static_cast<uint16_t>(node);
        const uint32_t above = copy.parent(node);
        down = above != kernels::kSlicingNone && copy.child(above, 0) == node;
        node = down ? uint32_t{copy.child(above, 1)} : above;
    }
    uint16_t* const genes = numbers + 2 * n;
    kernels::slicing_encode(copy, solution, genes, numbers);
    const Genes out{reinterpret_cast<uint8_t*>(solution) + genes_offset, gene_bytes};
    for (uint32_t k = 0; k + 1 < n; ++k) out.set(k, genes[k]);
}

/// Builds the tree from a solution.
QAPFW_HD void read_solution(const uint16_t* solution, uint32_t genes_offset, uint32_t gene_bytes,
                            const kernels::SlicingTree& tree) {
    struct Read {
        const uint8_t* bytes;
        uint32_t each;
        QAPFW_HD uint32_t operator[](uint32_t k) const {
            return each == 1 ? uint32_t{bytes[k]} : bytes[2 * k] | uint32_t{bytes[2 * k + 1]} << 8;
        }
    };
    kernels::slicing_decode(solution, Read{reinterpret_cast<const uint8_t*>(solution) + genes_offset, gene_bytes},
                            tree);
}

/// Summand of search `number` in the digest of a round.
QAPFW_HD uint64_t digest_of(const uint16_t* tree, uint32_t words, int64_t cost, int64_t best_cost, uint64_t generation,
                            uint32_t number) {
    const uint64_t elements = kernels::digest_solution(tree, words);
    return kernels::digest_in_round(number, kernels::digest_search(elements, cost, best_cost, generation));
}

/// Copies a tree of a search.
template <class Team>
QAPFW_HD void copy_tree(const Team& team, uint16_t* to, const uint16_t* from, uint32_t words) {
    for (uint32_t word = team.rank(); word < words; word += team.size()) to[word] = from[word];
}

/// A tree of a search, and its violations and cost.
struct Rated {
    uint16_t* tree;
    uint32_t& violations;
    double& cost;
};

/// Replaces the tree `worse` by `tree` if `tree` is better. Returns whether the tree was replaced.
template <class Team>
QAPFW_HD bool replace_worse(const Team& team, const Rated& worse, const uint16_t* tree, uint32_t violations,
                            double cost, uint32_t words) {
    if (!kernels::slicing_is_better(violations, cost, worse.violations, worse.cost)) return false;
    worse.violations = violations;
    worse.cost = cost;
    copy_tree(team, worse.tree, tree, words);
    team.sync();
    return true;
}

/// At the end of an epoch: the elite becomes the champion if it is better.
template <class Team, class Cost>
QAPFW_HD void keep_champion(const Searches<Cost>& all, uint32_t k, const Team& team, Progress& progress) {
    const uint64_t at = uint64_t{k} * all.tree_words;
    replace_worse(team, {all.champions + at, progress.champion_violations, progress.champion_cost}, all.elites + at,
                  progress.elite_violations, progress.elite_cost, all.tree_words);
}

/// Ends an epoch and sets the first tree of the next one. A deep epoch begins with the champion, which is then also the
/// epoch's elite. Any other epoch begins with a random tree.
template <class Team, class Cost>
QAPFW_HD void begin_epoch(const Searches<Cost>& all, uint32_t k, const Team& team, const kernels::SlicingTree& tree,
                          Progress& progress, uint16_t* order) {
    keep_champion(all, k, team, progress);
    ++progress.epochs;
    progress.elite_violations = kernels::kSlicingNone;
    progress.annealings = 0;
    progress.idle = progress.doublings = 0;
    if (!is_deep(all.plan, progress.epochs)) {
        if (team.rank() == 0) draw_tree(tree, all.seed, progress.epochs, all.first + k, order);
        return;
    }
    progress.annealings = 1;
    progress.elite_violations = progress.champion_violations;
    progress.elite_cost = progress.champion_cost;
    progress.champion_violations = kernels::kSlicingNone;
    const uint64_t at = uint64_t{k} * all.tree_words;
    copy_tree(team, all.elites + at, all.champions + at, all.tree_words);
    copy_tree(team, tree.words, all.champions + at, all.tree_words);
}

/// Returns true if an epoch is over. Every epoch is over once it has made all its annealings. Whenever a deep epoch's
/// elite has not improved for `patience` annealings, the epoch's next annealings become twice as long. After `longer`
/// doublings, the epoch is over instead.
QAPFW_HD bool is_epoch_over(const Plan& plan, Progress& progress) {
    if (!is_deep(plan, progress.epochs)) return progress.annealings > plan.reheats;
    if (progress.annealings > plan.deep) return true;
    if (plan.patience == 0 || progress.idle < plan.patience) return false;
    if (progress.doublings == plan.longer) return true;
    ++progress.doublings;
    progress.idle = 0;
    return false;
}

/// Begins the next annealing of a search: from its elite, or from the first tree of a new epoch.
template <class Team, class Cost>
QAPFW_HD void begin_annealing(kernels::SlicingAnnealer<Team>& annealer, const Searches<Cost>& all, uint32_t k,
                              const Team& team, kernels::SlicingStanding& standing, Progress& progress,
                              uint16_t* order) {
    if (is_epoch_over(all.plan, progress)) {
        begin_epoch(all, k, team, annealer.current(), progress, order);
    } else if (progress.annealings > 0) {
        const uint16_t* const from = all.elites + uint64_t{k} * all.tree_words;
        copy_tree(team, annealer.current().words, from, all.tree_words);
    }
    team.sync();
    annealer.enter(standing);
    const uint64_t steps = annealing_steps(all.plan, progress);
    const bool is_hot = progress.annealings == 0 && progress.is_given == 0 && steps >= kFewSteps * all.departments;
    const uint32_t halvings = is_hot ? 0 : static_cast<uint32_t>(progress.annealings % all.plan.levels);
    double first = is_hot ? all.plan.hot : all.plan.warm;
    for (uint32_t half = 0; half < halvings; ++half) first = kernels::fbs_product(first, 0.5);
    const double log_ratio =
        (is_hot ? all.plan.log_hot : all.plan.log_warm) - kernels::fbs_product(0.69314718055994530942, halvings);
    annealer.begin(all.settings, first, cooling_of(log_ratio > 0.0 ? log_ratio : 0.0, steps), steps, standing);
    progress.is_given = 0;
}

/// Relative improvement of the elite's cost below which the improvement counts as rounding.
constexpr double kRounding = 1e-9;

/// The best tree of the annealing becomes the elite if it is better than the elite.
template <class Team, class Cost>
QAPFW_HD void keep_elite(const Searches<Cost>& all, uint32_t k, const Team& team,
                         const kernels::SlicingStanding& standing, Progress& progress) {
    const uint64_t at = uint64_t{k} * all.tree_words;
    const uint32_t violations = progress.elite_violations;
    const double least = kernels::fbs_product(progress.elite_cost, 1.0 - kRounding);
    const bool is_better = replace_worse(team, {all.elites + at, progress.elite_violations, progress.elite_cost},
                                         all.bests + at, standing.best_violations, standing.best_cost, all.tree_words);
    const bool is_rounding = violations == standing.best_violations && standing.best_cost >= least;
    progress.idle = is_better && !is_rounding ? 0 : progress.idle + 1;
}

/// Ends the annealing of a search and begins the next one.
template <class Team, class Cost>
QAPFW_HD void end_annealing(kernels::SlicingAnnealer<Team>& annealer, const Searches<Cost>& all, uint32_t k,
                            const Team& team, kernels::SlicingStanding& standing, Progress& progress, uint16_t* order) {
    keep_elite(all, k, team, standing, progress);
    ++progress.annealings;
    begin_annealing(annealer, all, k, team, standing, progress, order);
}

/// Makes up to `count` steps of a search, at most to the end of its annealing; then the next annealing begins. Call the
/// annealer's `enter` before. Returns the number of steps made.
template <class Team, class Cost>
QAPFW_HD uint64_t advance(kernels::SlicingAnnealer<Team>& annealer, const Searches<Cost>& all, uint32_t k,
                          const Team& team, kernels::SlicingStanding& standing, Progress& progress, uint16_t* order,
                          uint64_t count) {
    const uint64_t left = standing.steps - standing.step;
    const uint64_t steps = count < left ? count : left;
    annealer.advance(all.settings, {all.seed, progress.steps, all.first + k, kStepStream}, steps, standing);
    progress.steps += steps;
    if (standing.step == standing.steps) {
        end_annealing(annealer, all, k, team, standing, progress, order);
    }
    return steps;
}

/// Copies a search's elite to `shown`, from which the other searches read it.
template <class Team, class Cost>
QAPFW_HD void show(const Searches<Cost>& all, uint32_t k, const Team& team) {
    const uint64_t seat = uint64_t{all.first} + k;
    const Progress& progress = all.progress[k];
    copy_tree(team, all.shown + seat * all.tree_words, all.elites + uint64_t{k} * all.tree_words, all.tree_words);
    if (team.rank() == 0) all.shown_costs[seat] = {progress.elite_cost, progress.elite_violations, 0};
}

/// Gives a search a better elite, if it finds one among the elites of some other searches, drawn at random. If the
/// search's annealing has made at most steps_each steps, the annealing continues from the new elite. With shares_deep,
/// the function does nothing in epochs that are not deep.
template <class Team, class Cost>
QAPFW_HD void take_over(const Searches<Cost>& all, uint32_t k, uint64_t generation, const Team& team) {
    Progress& progress = all.progress[k];
    if (progress.elite_violations == kernels::kSlicingNone) return;
    if (all.plan.shares_deep != 0 && !is_deep(all.plan, progress.epochs)) return;
    const uint32_t own = all.first + k;
    uint32_t from = own;
    double cost = progress.elite_cost;
    uint32_t violations = progress.elite_violations;
    for (uint32_t rival = 0; rival < all.rivals; ++rival) {
        const uint32_t word = kernels::draw(all.seed, generation, own, kMeetingStream, rival);
        const uint32_t seat = (own + 1 + kernels::below(word, all.searches - 1)) % all.searches;
        const Shown& shown = all.shown_costs[seat];
        if (!kernels::slicing_is_better(shown.violations, shown.cost, violations, cost)) continue;
        from = seat;
        cost = shown.cost;
        violations = shown.violations;
    }
    if (from == own) return;
    const bool has_begun = all.standings[k].step > all.steps_each;
    const uint64_t at = uint64_t{k} * all.tree_words;
    const uint16_t* const shown = all.shown + uint64_t{from} * all.tree_words;
    copy_tree(team, all.elites + at, shown, all.tree_words);
    if (!has_begun) copy_tree(team, all.trees + at, shown, all.tree_words);
    team.sync();
    if (team.rank() != 0) return;
    progress.elite_cost = cost;
    progress.elite_violations = violations;
    progress.idle = 0;
}

/// True if the elite is at least as good as the annealing's best solution. The elite is then the candidate for the
/// run's best solution.
QAPFW_HD bool is_elite_better(const kernels::SlicingStanding& standing, const Progress& progress) {
    return !kernels::slicing_is_better(standing.best_violations, standing.best_cost, progress.elite_violations,
                                       progress.elite_cost);
}

/// True if a candidate is better than the run's best solution. Then the candidate's violations and cost become those
/// of the run in `progress`. The candidate is the elite if `of_elite`, else the annealing's best solution.
QAPFW_HD bool improves_run(const kernels::SlicingStanding& standing, bool of_elite, Progress& progress) {
    const uint32_t violations = of_elite ? progress.elite_violations : standing.best_violations;
    const double cost = of_elite ? progress.elite_cost : standing.best_cost;
    if (!kernels::slicing_is_better(violations, cost, progress.run_violations, progress.run_cost)) return false;
    progress.run_violations = violations;
    progress.run_cost = cost;
    return true;
}

/// Number of doubles, and of indices, in a kernel's scratch for one search.
QAPFW_HD constexpr uint32_t scratch_numbers(const kernels::SlicingExtent& extent) {
    return kernels::slicing_scratch_numbers(extent) + kernels::slicing_places_numbers(extent) +
           4 * (2 * extent.departments - 1);
}
QAPFW_HD constexpr uint32_t scratch_indices(uint32_t n) {
    return kernels::slicing_scratch_indices(n) + kernels::slicing_tree_words(n) + 3 * n;
}

/// The largest number of departments for which searches on GPUs have their arrays in shared memory. If an instance has
/// rules, the arrays are never there.
constexpr uint32_t kMostInShared = 64;

/// Data of the next steps of a search that works in shared memory.
struct SharedStep {
    static constexpr uint32_t kAhead = 8;  ///< number of steps whose random words are drawn together
    alignas(16) kernels::Philox4 draw[kAhead];
    double minus_log[kAhead];  ///< slicing_minus_log of the last word of each draw
    kernels::SlicingStanding standing;
};

/// Number of words that a tree takes in shared memory: a multiple of 8, since words are copied eight at a time.
QAPFW_HD constexpr uint32_t shared_tree_words(uint32_t n) {
    return (kernels::slicing_tree_words(n) + 7) / 8 * 8;
}
/// Number of doubles in the scratch of a search that works in shared memory, rounded up to an even number.
QAPFW_HD constexpr uint32_t shared_numbers(const kernels::SlicingExtent& extent) {
    return (kernels::slicing_scratch_numbers(extent) + 1) / 2 * 2;
}
/// Bytes of shared memory that a search takes if it has its arrays there: its step, its scratch, its current tree and
/// the candidate.
QAPFW_HD constexpr uint32_t shared_bytes(const kernels::SlicingExtent& extent) {
    return uint32_t{sizeof(SharedStep)} + 8 * shared_numbers(extent) + 4 * shared_tree_words(extent.departments);
}

}  // namespace qapfw::slicing_local_search
