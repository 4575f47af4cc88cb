// SPDX-License-Identifier: Apache-2.0
// The two legs of a run that begins on the CPU: see cpu_leg.hpp.
#include <utility>

#include "framework/engine/run_context.hpp"
#include "framework/host/log.hpp"

namespace qapfw::framework {

bool RunContext::leaves_cpu() const {
    if (!leg_.is_open() || reason_ != StopReason::kNone) return false;
    if (!parts_.processes.alone()) return moving_;  // in all of them, or in none
    return (moving_ || leg_.has_cut()) && !should_end();
}

void RunContext::move_to_gpus() {
    const auto state = leg_.take_state(*parts_.solver);
    const bool has_gpus = leg_.is_ready();  // else another process has some
    const DeviceChoice none{{}, "cpu", parts_.known.backend_reason};
    const DeviceChoice& gpus = has_gpus ? parts_.preparation->devices() : none;
    const std::uint64_t met = parts_.processes.exchanges();
    moving_ = false;
    leg_.close();
    try {
        go_on_with(gpus, state);
        parts_.solver->run(make_services());
    } catch (const std::exception& error) {
        const bool has_met = parts_.processes.exchanges() != met;
        if (has_begun_ || has_met || failure_ || parts_.preparation->is_required()) throw;
        log_warning("the run goes on on the CPU: {}", error.what());
        go_on_with({{}, "cpu", error.what()}, state);
        parts_.solver->run(make_services());
    }
}

void RunContext::go_on_with(const DeviceChoice& devices, const std::optional<std::vector<std::byte>>& state) {
    Solver* const solver = parts_.change_devices(devices);
    if (state) solver->load(*state);
    const std::lock_guard lock(mutex_);
    checkpointer_.change_solver(solver);
    parts_.solver = solver;
    parts_.devices.clear();
    parts_.known.devices.clear();
    for (const auto& device : devices.devices) {
        parts_.devices.push_back(device->table());
        parts_.known.devices.push_back(device->description());
    }
    parts_.known.backend = parts_.known.identity.backend = devices.backend;
    parts_.known.backend_reason = devices.reason;
    parts_.known.moved.reset();
    if (!devices.devices.empty()) parts_.known.moved = Moved{counters_.rounds, counters_.iterations, seconds()};
    resumed_ = state.has_value();
    has_begun_ = round_open_ = false;
}

void RunContext::tell_move() const {
    if (!parts_.known.moved) return;
    const Moved& moved = *parts_.known.moved;
    log_info("moved to {} after {} rounds, {} iterations and {:.2f} s on the CPU: {}", parts_.known.backend,
             moved.rounds, moved.iterations, moved.seconds, parts_.known.backend_reason);
}

/// Tells why the run stays on the CPU, where it does.
void RunContext::settle_leg() {
    const std::string why = leg_.why_it_stays();
    if (why.empty() || leg_.failure() != nullptr || parts_.known.backend_reason == why) return;
    log_warning("the run stays on the CPU: {}", why);
    parts_.known.backend_reason = why;
    if (parts_.processes.alone()) leg_.close();  // else another process may have GPUs
}

/// The round will be repeated elsewhere, where it finds this again; but the run may end before.
void RunContext::keep_seen(const qapfw_round& round) {
    round_resumable_ = false;  // by its solver; the leg has the state before it
    if (round.best_solution == nullptr) return;
    const qapfw_cost cost = parts_.problem.evaluate(round.best_solution);
    const CostSpace& costs = parts_.problem.costs();
    if (earlier_ && !costs.less(cost, earlier_->cost)) return;
    earlier_ = CostedSolution{cost, solution_values(parts_.problem.info().encoding, round.best_solution)};
    earlier_found_ = {round.best_iteration, round.best_search, counters_.evaluations, seconds(), true};
    unsaved_ = dirty_ = true;
}

}  // namespace qapfw::framework
