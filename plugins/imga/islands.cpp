// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/islands.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::imga {
namespace {

constexpr std::uint32_t kImproverStream = 64;  ///< and 65: children

}  // namespace

Islands::Islands(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                 const ImgaOptions& options)
    : host_(host),
      problem_(problem),
      improver_(improver),
      improvers_(host, problem, improver),
      options_(options),
      bytes_(problem.solution_bytes()),
      base_(bytes_),
      children_(bytes_ * options.individuals()),
      child_costs_(options.individuals()),
      survivors_(options.individuals()),
      changed_(options.individuals()),
      ready_(options.individuals()),
      scratch_(host.workers()) {
    now_.resize(options.islands, options.size(), bytes_);
    sdk::base_solution(problem_, base_.data());
    for (std::uint32_t k = 0; k < options_.rules.n; ++k) {
        const std::uint8_t* const mask = problem_.encoding().fixed;
        if (mask != nullptr && mask[k] != 0) fixed_.push_back(static_cast<std::uint16_t>(k));
    }
    options_.rules.fixed_count = static_cast<std::uint32_t>(fixed_.size());
    options_.rules.fixed_positions = fixed_.data();
    options_.rules.fixed_solution = sdk::permutation_of(base_.data());
    for (Scratch& scratch : scratch_) {
        scratch.positions.resize(options_.rules.n);
        scratch.mirror.resize(bytes_);
        scratch.batch.resize(bytes_ * kBatch);
        scratch.batch_costs.resize(kBatch);
    }
}

void Islands::set_run(std::uint64_t seed, std::uint32_t first_island, std::span<const qapfw_device* const> devices) {
    options_.rules.tournament.seed = seed;
    options_.first_island = first_island;
    const std::uint64_t used = std::min<std::uint64_t>(devices.size(), options_.islands);
    for (std::uint64_t d = 0; d < used; ++d) {
        const auto begin_of = [&](std::uint64_t share) {
            return static_cast<std::uint32_t>(options_.islands * share / used);
        };
        shares_.push_back(std::make_unique<DeviceShare>(*devices[d], problem_, improver_, options_, begin_of(d),
                                                        begin_of(d + 1) - begin_of(d)));
    }
}

bool Islands::evolve(std::uint64_t last, const sdk::Run& run) {
    const std::uint32_t workers = host_.workers();  // by island where that leaves few of them idle at the end
    const bool many = !improvers_ && (options_.islands % workers == 0 || options_.islands >= 4 * workers);
    const bool complete = !shares_.empty() ? evolve_on_devices(last, run)
                          : many           ? evolve_by_island(last, run)
                                           : evolve_by_generation(last, run);
    if (!complete) return false;
    now_.generation = last;
    return true;
}

bool Islands::evolve_by_island(std::uint64_t last, const sdk::Run& run) {
    std::atomic<bool> complete{true};
    host_.parallel_for(options_.islands, [&](std::uint64_t index, std::uint32_t worker) {
        const auto island = static_cast<std::uint32_t>(index);
        for (std::uint64_t generation = now_.generation + 1; generation <= last; ++generation) {
            for (std::uint32_t first = 0; first < options_.size(); first += kBatch) {
                if (run.should_stop()) {
                    complete = false;
                    return;
                }
                produce({island, first, std::min(options_.size(), first + kBatch)}, generation, worker, run);
            }
            replace(island, generation);
        }
    });
    return complete;
}

bool Islands::evolve_by_generation(std::uint64_t last, const sdk::Run& run) {
    for (std::uint64_t generation = now_.generation + 1; generation <= last; ++generation) {
        std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
        const bool complete =
            for_all_parts(run, [&](const Part& part, std::uint32_t worker) { produce(part, generation, worker, run); });
        if (!complete) {
            keep_best_of_children(generation);
            return false;
        }
        host_.parallel_for(options_.islands, [&](std::uint64_t island, std::uint32_t) {
            replace(static_cast<std::uint32_t>(island), generation);
        });
    }
    return true;
}

/// All generations are enqueued at once, but so few that a stop is seen soon.
bool Islands::evolve_on_devices(std::uint64_t last, const sdk::Run& run) {
    const auto for_all_shares = [&](const auto& body) {
        for (const auto& share : shares_) body(*share);
        for (const auto& share : shares_) share->synchronize();
    };
    std::uint64_t slice = shares_.front()->slice();
    for (const auto& share : shares_) slice = std::min(slice, share->slice());
    bool complete = true;
    for_all_shares([&](DeviceShare& share) { share.upload(now_); });
    for (std::uint64_t at = now_.generation; at < last && complete;) {
        const std::uint64_t to = std::min(last, at + slice);
        for_all_shares([&](DeviceShare& share) { share.evolve(at, to, run); });
        at = to;
        complete = !run.should_stop() || (at == last && !improvers_);
    }
    for_all_shares([&](DeviceShare& share) { share.download(now_); });
    for (const auto& share : shares_) device_evaluations_ += share->evaluations();
    return complete;
}

/// The steps of a generation up to the children's costs.
void Islands::produce(const Part& part, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run) {
    Scratch& scratch = scratch_[worker];
    select(part, generation);
    cross(part, generation, scratch);
    mutate(part, generation, scratch);
    recognise_copies(part);
    evaluate(part, scratch);
    if (improvers_) improve(part, generation, worker, run);
    std::fill_n(ready_.begin() + static_cast<std::ptrdiff_t>(number(part.island, part.first)), part.last - part.first,
                std::uint8_t{1});
}

void Islands::select(const Part& part, std::uint64_t generation) {
    const qapfw_cost* const costs = now_.costs.data() + number(part.island, 0);
    const sdk::CostLess less = problem_.less();
    for (std::uint32_t k = part.first; k < part.last; ++k) {
        survivors_[number(part.island, k)] = kernels::tournament_winner(options_.rules.tournament, costs, less,
                                                                        generation, island_number(part.island), k);
    }
}

/// Survivors k and k + 1, k even, have two children; a last odd one is copied.
void Islands::cross(const Part& part, std::uint64_t generation, Scratch& scratch) {
    with_solutions([&](const auto& view) {
        for (std::uint32_t k = part.first; k < part.last; ++k) {
            const std::uint64_t own = number(part.island, k);
            const std::uint32_t partner = (k ^ 1u) < options_.size() ? k ^ 1u : k;
            const std::uint64_t mother = number(part.island, survivors_[own]);
            const std::uint64_t father = number(part.island, survivors_[number(part.island, partner)]);
            changed_[own] =
                mother != father &&
                kernels::island_cross(options_.rules, view(child(own)), view(parent(mother)), view(parent(father)),
                                      scratch.positions.data(), view(scratch.mirror.data()), generation,
                                      individual(number(part.island, k & ~1u)));
            if (mother == father) std::memcpy(child(own), parent(mother), bytes_);
        }
    });
}

void Islands::mutate(const Part& part, std::uint64_t generation, Scratch& scratch) {
    with_solutions([&](const auto& view) {
        for (std::uint64_t k = number(part.island, part.first); k < number(part.island, part.last); ++k) {
            const bool mutated = kernels::island_mutate(options_.rules, view(child(k)), generation, individual(k));
            if (mutated) changed_[k] = 1;
            if (changed_[k] != 0) {
                kernels::island_restore_fixed(options_.rules, view(child(k)), scratch.positions.data());
            }
        }
    });
}

/// A child equal to one of its parents has that one's cost: the usual case in a population that has converged.
void Islands::recognise_copies(const Part& part) {
    for (std::uint32_t k = part.first; k < part.last; ++k) {
        const std::uint64_t own = number(part.island, k);
        const std::uint32_t partner = (k ^ 1u) < options_.size() ? k ^ 1u : k;
        for (const std::uint32_t of : {k, partner}) {
            const std::uint64_t p = number(part.island, survivors_[number(part.island, of)]);
            if (changed_[own] != 0 && std::memcmp(child(own), parent(p), bytes_) != 0) continue;
            changed_[own] = 0;
            child_costs_[own] = now_.costs[p];
            break;
        }
    }
}

/// One batch of all children whose cost is not known.
void Islands::evaluate(const Part& part, Scratch& scratch) {
    scratch.batch_members.clear();
    for (std::uint64_t k = number(part.island, part.first); k < number(part.island, part.last); ++k) {
        if (changed_[k] == 0) continue;
        std::memcpy(scratch.batch.data() + scratch.batch_members.size() * bytes_, child(k), bytes_);
        scratch.batch_members.push_back(k);
    }
    if (scratch.batch_members.empty()) return;
    problem_.evaluate({scratch.batch.data(), scratch.batch_costs.data(), scratch.batch_members.size()});
    for (std::size_t b = 0; b < scratch.batch_members.size(); ++b) {
        child_costs_[scratch.batch_members[b]] = scratch.batch_costs[b];
    }
    scratch.evaluations += scratch.batch_members.size();
}

/// The improver on new children, each with probability improve_rate.
void Islands::improve(const Part& part, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run) {
    if (generation % options_.improve_every != 0) return;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
    for (std::uint64_t k = number(part.island, part.first); k < number(part.island, part.last); ++k) {
        request.first_individual = individual(k);
        const std::uint32_t word =
            kernels::draw(run.seed(), generation, individual(k), kernels::kIslandImproveStream, 0);
        if (changed_[k] == 0 || word >= options_.improve) continue;
        scratch_[worker].evaluations += improvers_.improve_one(worker, child(k), &child_costs_[k], request);
    }
}

void Islands::replace(std::uint32_t island, std::uint64_t generation) {
    if (options_.distinct)
        take_best_distinct(island);
    else
        let_elites_live(island);
    keep_best(island, generation);
}

std::vector<std::uint32_t> Islands::ranked(const std::vector<qapfw_cost>& costs, std::uint32_t island,
                                           std::uint32_t count, bool worst) const {
    const qapfw_cost* const own = costs.data() + number(island, 0);
    const sdk::CostLess less = problem_.less();
    std::vector<std::uint32_t> members(options_.size());
    std::iota(members.begin(), members.end(), 0u);
    std::partial_sort(members.begin(), members.begin() + count, members.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (less(own[a], own[b]) || less(own[b], own[a])) return worst ? less(own[b], own[a]) : less(own[a], own[b]);
        return worst ? b < a : a < b;
    });
    members.resize(count);
    return members;
}

/// The children become the population, but the worst of them give way to the best parents.
void Islands::let_elites_live(std::uint32_t island) {
    const std::vector<std::uint32_t> elites = ranked(now_.costs, island, options_.elites, false);
    const std::vector<std::uint32_t> places = ranked(child_costs_, island, options_.elites, true);
    for (std::uint32_t e = 0; e < options_.elites; ++e) {
        std::memcpy(child(number(island, places[e])), parent(number(island, elites[e])), bytes_);
        child_costs_[number(island, places[e])] = now_.costs[number(island, elites[e])];
    }
    std::memcpy(parent(number(island, 0)), child(number(island, 0)), bytes_ * options_.size());
    std::copy_n(child_costs_.data() + number(island, 0), options_.size(), now_.costs.data() + number(island, 0));
}

bool Islands::equal(qapfw_cost a, qapfw_cost b) const {
    return problem_.has_integer_costs() ? kernels::island_equal_costs(a.i, b.i) : kernels::island_equal_costs(a.f, b.f);
}

/// The best of parents and children by cost, a parent before a child and no two of equal cost; where there are not
/// enough different costs, the best of the others. Parents that stay keep their places.
void Islands::take_best_distinct(std::uint32_t island) {
    const std::uint32_t size = options_.size();
    const std::uint64_t first = number(island, 0);
    const auto cost = [&](std::uint32_t c) {
        return c < size ? now_.costs[first + c] : child_costs_[first + c - size];
    };
    std::vector<std::uint32_t> candidates(2 * std::size_t{size});
    std::iota(candidates.begin(), candidates.end(), 0u);
    const sdk::CostLess less = problem_.less();
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return less(cost(a), cost(b)); });
    std::vector<std::uint8_t> lives(candidates.size());
    std::uint32_t living = 0;
    for (std::size_t c = 0; c < candidates.size() && living < size; ++c) {
        if (c > 0 && equal(cost(candidates[c - 1]), cost(candidates[c]))) continue;
        lives[candidates[c]] = 1;
        ++living;
    }
    for (std::size_t c = 0; living < size; ++c) {
        if (lives[candidates[c]] != 0) continue;
        lives[candidates[c]] = 1;
        ++living;
    }
    std::uint32_t next = size;
    for (std::uint32_t place = 0; place < size; ++place) {
        if (lives[place] != 0) continue;
        while (lives[next] == 0) ++next;
        std::memcpy(parent(first + place), child(first + next - size), bytes_);
        now_.costs[first + place] = child_costs_[first + next - size];
        ++next;
    }
}

void Islands::take_best(std::uint32_t island, const void* solution, qapfw_cost cost, std::uint64_t generation) {
    std::memcpy(now_.best_solutions.data() + island * bytes_, solution, bytes_);
    now_.best_costs[island] = cost;
    now_.best_found[island] = generation;
}

void Islands::keep_best(std::uint32_t island, std::uint64_t generation) {
    const sdk::CostLess less = problem_.less();
    const std::uint64_t best = number(island, ranked(now_.costs, island, 1, false)[0]);
    if (less(now_.costs[best], now_.present_best[island])) {
        now_.present_best[island] = now_.costs[best];
        now_.improved[island] = generation;
    }
    if (less(now_.costs[best], now_.best_costs[island])) take_best(island, parent(best), now_.costs[best], generation);
}

/// Of a generation cut short: what is there already may be better than anything before.
void Islands::keep_best_of_children(std::uint64_t generation) {
    for (std::uint64_t k = 0; k < options_.individuals(); ++k) {
        const auto island = static_cast<std::uint32_t>(k / options_.size());
        if (ready_[k] == 0 || !problem_.less()(child_costs_[k], now_.best_costs[island])) continue;
        take_best(island, child(k), child_costs_[k], generation);
    }
}

std::uint32_t Islands::leader() const {
    const sdk::CostLess less = problem_.less();
    std::uint32_t best = 0;
    for (std::uint32_t island = 1; island < options_.islands; ++island) {
        const qapfw_cost a = now_.best_costs[island], b = now_.best_costs[best];
        if (less(b, a) || (!less(a, b) && now_.best_found[island] >= now_.best_found[best])) continue;
        best = island;
    }
    return best;
}

const void* Islands::best_solution(std::uint32_t island) const {
    return now_.best_solutions.data() + island * bytes_;
}

std::uint64_t Islands::digest() const {
    std::vector<std::uint64_t> sums(options_.islands);
    const std::uint32_t n = options_.rules.n;
    const std::uint32_t offset = options_.bits_offset;
    host_.parallel_for(options_.islands, [&](std::uint64_t index, std::uint32_t) {
        const auto island = static_cast<std::uint32_t>(index);
        for (std::uint64_t k = number(island, 0); k < number(island, options_.size()); ++k) {
            const unsigned char* const at = now_.solutions.data() + k * bytes_;
            std::uint64_t solution = kernels::digest_solution(sdk::permutation_of(static_cast<const void*>(at)), n);
            for (std::uint32_t b = 0; offset > 0 && b + 1 < n; ++b) {
                solution += kernels::digest_element(n + b, at[offset + b]);
            }
            sums[island] += kernels::digest_in_round(
                individual(k),
                kernels::digest_search(solution, now_.costs[k].i, now_.best_costs[island].i, now_.generation));
        }
    });
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

std::uint64_t Islands::evaluations() const {
    std::uint64_t sum = device_evaluations_;
    for (const auto& share : shares_) sum += share->improver_evaluations();
    for (const Scratch& scratch : scratch_) sum += scratch.evaluations;
    return sum;
}

}  // namespace qapfw::imga
