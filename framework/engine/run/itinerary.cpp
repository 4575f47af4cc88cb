// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run/itinerary.hpp"

#include "framework/host/failure.hpp"
#include "framework/host/log.hpp"

namespace qapfw::framework {

Itinerary::Itinerary(Config& config, Host& host, const Problem& problem, const Processes& processes,
                     StartingPlace& place)
    : config_(config),
      host_(host),
      problem_(problem),
      place_(place),
      preparation_(place.preparation()),
      cpu_(preparation_, processes.alone(), &host.pool()),
      leg_(std::make_unique<Leg>(host, config, problem)) {}

Leg* Itinerary::next(const LegEnd& end, RunBook& book) {
    if (end.failure) {
        const bool stays = has_moved_ && !end.has_met && !book.has_failed() && !preparation_->is_required();
        if (!stays) std::rethrow_exception(end.failure);
        // The solver failed on the GPUs before its first round. The run continues on the CPU.
        const std::string why = failure_of(end.failure).text;
        log_warning("the run stays on the CPU: {}", why);
        has_moved_ = false;
        leg_.reset();
        place_.stay_on_cpu(why);
        return go_on(book);
    }
    if (!end.moves) return nullptr;
    state_ = cpu_.take_state(leg_->solver());
    const bool has_gpus = cpu_.is_ready();  // false: the run moves because another process has GPUs
    cpu_.close();
    leg_.reset();
    has_moved_ = true;
    if (has_gpus)
        place_.move_to_gpus();
    else
        place_.stay_on_cpu(book.backend_reason());
    return go_on(book);
}

Leg* Itinerary::go_on(RunBook& book) {
    leg_ = std::make_unique<Leg>(host_, config_, problem_);
    if (state_) leg_->load(*state_);
    book.go_on_with(place_.devices());
    return leg_.get();
}

}  // namespace qapfw::framework
