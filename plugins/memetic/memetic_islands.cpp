// SPDX-License-Identifier: Apache-2.0
// The islands of the memetic algorithm on CPU threads, one island at a time per thread.
#include <algorithm>
#include <cstring>

#include "plugins/memetic/memetic.hpp"

namespace qapfw::memetic {
namespace {

constexpr std::uint32_t kBatch = 64;  ///< random elites made between two calls of should_stop

}  // namespace

void Memetic::prepare(Host& steps) const {
    set_values(steps.view(), steps.shard());
}

Memetic::OnHost Memetic::at(Host& steps, std::uint32_t island) const {
    return {steps.view(), island, HostCosts{context_.problem.less()}};
}

void Memetic::start(Host& steps) {
    steps.individuals(kBatch, [&](std::uint32_t from, std::uint32_t last, std::uint32_t worker) {
        const View& all = steps.view();
        const std::uint32_t island = from / all.size, to = std::min(last, island * all.size + all.drawn);
        for (std::uint32_t k = from; k < to; ++k) {
            const std::uint64_t warm = all.warm_start(k);
            if (warm < steps.settings().warm_count())
                std::memcpy(all.elite(k), steps.settings().warm_start(warm), all.bytes);
            else
                at(steps, island).draw(k, 0);
        }
        if (from < to) steps.evaluate(worker, {all.elite(from), all.costs + from, to - from}, from, 0);
    });
    steps.groups([&](std::uint32_t island, std::uint32_t) { at(steps, island).begin(); });
}

void Memetic::generation(Host& steps, std::uint64_t t) {
    steps.groups([&](std::uint32_t island, std::uint32_t worker) {
        while (steps.view().work[island] < steps.view().work_by(t)) {
            if (make_brood(steps, island, worker, t)) continue;
            steps.cut();
            return;
        }
    });
}

// [child]
/// Makes a brood and improves it. Each child is bred from elites, or is a copy of an elite that no search has improved
/// yet. Returns false after an early stop.
bool Memetic::make_brood(Host& steps, std::uint32_t island, std::uint32_t worker, std::uint64_t t) const {
    const OnHost own = at(steps, island);
    const std::uint32_t brood = own.brood();
    for (std::uint32_t c = 0; c < brood; ++c) {
        if (own.make_child(c, island * plan_.seats_each + c)) {
            steps.evaluate(worker, {own.child(c), own.child_cost(c), 1}, own.parent(c), t);
        }
        if (!improve(steps, island, c, worker, t)) return false;
    }
    for (std::uint32_t c = 0; c < brood; ++c) own.take_in(c, t);
    own.end_brood(brood);
    return evaluate_from(own.renew_if_idle(), steps, island, worker, t);
}
// [child-end]

/// Computes the costs of the island's elites from number `first` on. Returns false after an early stop.
bool Memetic::evaluate_from(std::uint32_t first, Host& steps, std::uint32_t island, std::uint32_t worker,
                            std::uint64_t t) const {
    const View& all = steps.view();
    const std::uint32_t end = at(steps, island).end();
    return first >= end || steps.evaluate(worker, {all.elite(first), all.costs + first, end - first}, first, t);
}

/// Applies the arm's improver to child c. Returns false after an early stop.
bool Memetic::improve(Host& steps, std::uint32_t island, std::uint32_t c, std::uint32_t worker, std::uint64_t t) const {
    const View& all = steps.view();
    const OnHost own = at(steps, island);
    sdk::ImproverPool& improver = *improvers_[all.arms[island]];
    if (improver) {
        qapfw_improve_request request = steps.run().improve_request(static_cast<std::uint32_t>(t), kImproverStream);
        request.first_individual = own.number(c);
        request.iterations = arms_[all.arms[island]].iterations_at(all.pace[island]);
        const std::uint64_t evaluations = improver.improve_one(worker, own.child(c), own.child_cost(c), request);
        all.seated.evaluations[own.seat(c)] = evaluations;
        steps.count(worker, evaluations);
        steps.place().see(worker, own.child(c), *own.child_cost(c), t, all.individual(own.parent(c)));
    }
    return !steps.run().should_stop();
}

void Memetic::show(Host& steps) const {
    steps.groups([&](std::uint32_t island, std::uint32_t) { at(steps, island).show(); });
}

void Memetic::take_immigrants(Host& steps, std::uint64_t t) const {
    steps.groups([&](std::uint32_t island, std::uint32_t) { at(steps, island).take_immigrants(t); });
}

void Memetic::give_arms(Host& steps, const std::vector<NextArm>& arms, std::uint64_t t) const {
    steps.groups([&](std::uint32_t island, std::uint32_t worker) {
        const OnHost own = at(steps, island);
        evaluate_from(own.give_arm(arms[own.in_run()]), steps, island, worker, t);
    });
}

}  // namespace qapfw::memetic
