// SPDX-License-Identifier: Apache-2.0
// The steps of the independent blocks (subpopulations) on GPUs. The host only launches kernels, calls the improver, and
// reads and passes on the found flags.
#include <algorithm>

#include "embedded/ga_independent_texts.hpp"
#include "plugins/ga_independent/ga_independent.hpp"

namespace qapfw::ga_independent {
namespace {

/// Data of each GPU: the sizes for breeding in shared memory, and the host's copies of the GPU's two found flags.
struct OnDevice {
    sdk::BaseGa<GaIndependent::View>::SharedMemory memory;
    sdk::Stream side_stream;  ///< copies the GPU's found flags to and from the host while kernels run
    std::uint64_t flag[2] = {};

    OnDevice(const sdk::BaseGa<GaIndependent::View>& ga, GaIndependent::Device& place)
        : memory(ga.shared_memory(place, kEvolve)), side_stream(place.device()) {}
};

OnDevice& own_of(const sdk::BaseGa<GaIndependent::View>& ga, GaIndependent::Device& place) {
    return place.own<OnDevice>([&] { return OnDevice(ga, place); });
}

void copy_flag(sdk::Stream& stream, GaIndependent::Device& place, std::uint64_t& value, std::size_t which,
               bool to_gpu) {
    const auto at = reinterpret_cast<std::uint64_t>(place.view().end + which);
    const qapfw_device& device = place.device();
    sdk::check(to_gpu ? device.upload(device.context, stream.get(), at, &value, sizeof value)
                      : device.download(device.context, stream.get(), &value, at, sizeof value),
               "found flag");
}

}  // namespace

sdk::KernelRequest GaIndependent::kernel_request(const sdk::KernelName& name, const qapfw_device&,
                                                 const sdk::Shard&) const {
    return ga_.request(device::kTexts, name);
}

std::vector<sdk::KernelName> GaIndependent::kernels() const {
    return {kBegin, kEvolve, kBreed, kEndGeneration, kKeepBest, kReport, kDigest};
}

void GaIndependent::keep_bests(Device& place, std::uint64_t t) {
    place.launch(kKeepBest, place.shard().groups, 32, 0, place.view(), t);
}

void GaIndependent::generations(Device& place, std::uint64_t first, std::uint64_t last) {
    const OnDevice& own = own_of(ga_, place);
    if (own.memory.fitting == 0) {
        for (std::uint64_t t = first + 1; t <= last; ++t) generation(place, t);
        return;
    }
    const View from = place.make_anew();
    place.launch(kEvolve, place.shard().groups, own.memory.threads, own.memory.bytes, from,
                 place.view().population.pools, place.problem_view(), first, last);
}

void GaIndependent::end_generation(Device& place, std::uint64_t t) {
    place.launch(kEndGeneration, place.shard().groups, ga_.kThreads, 0, place.view(), place.problem_view(), t);
    if (place.improves() && restart_at_ > 0 && t % restart_check_ == 0) improve_restarted(place, t);
}

/// Improves the blocks that restarted in this generation, by one call of the improver for each.
void GaIndependent::improve_restarted(Device& place, std::uint64_t t) {
    std::vector<std::uint32_t> drawn_anew(place.shard().groups);
    place.fetch(std::span(drawn_anew), place.view().drawn_anew);
    if (std::count(drawn_anew.begin(), drawn_anew.end(), 0u) == std::ptrdiff_t{place.shard().groups}) return;
    const auto& pools = place.view().population.pools;
    for (std::uint32_t block = 0; block < place.shard().groups; ++block) {
        if (drawn_anew[block] == 0) continue;
        place.improve(pools.parents, pools.costs, block * shape().size, shape().size, t, ga_.kStartImproverStream);
    }
    keep_bests(place, t);
}

/// Makes the generations from first + 1 to `last`, or fewer if a block reaches the target. Returns false if the run was
/// stopped early.
bool GaIndependent::advance(OnDevices& population, std::uint64_t first, std::uint64_t last, bool& ran_ahead) {
    end_ = last;
    const auto each_flag = [&](std::size_t which, bool to_gpu) {
        for (auto& place : population.places()) {
            OnDevice& own = own_of(ga_, *place);
            copy_flag(place->stream(), *place, own.flag[which], which, to_gpu);
        }
    };
    for (auto& place : population.places()) {
        OnDevice& own = own_of(ga_, *place);
        own.flag[0] = last;
        own.flag[1] = kNotFound;
    }
    each_flag(0, true);
    each_flag(1, true);
    const sdk::Run& run = population.places().front()->run();
    ran_ahead = false;
    if (!run.has_target()) return population.evolve(*this, first, last);
    const bool relays = asynchronous_ && population.places().size() > 1;
    population.synchronize();
    sdk::LaunchLength launch = launches();
    for (std::uint64_t at = first; at < end_;) {
        const std::uint64_t to = std::min(last, at + launch.value());
        launch.start();
        population.each([&](Device& place) { generations(place, at, to); });
        if (relays) relay_found_flag(population, last);
        each_flag(0, false);
        population.synchronize();
        launch.finish(to - at);
        at = to;
        for (auto& place : population.places()) {
            end_ = std::min<std::uint64_t>(end_, own_of(ga_, *place).flag[0]);
        }
        if (run.should_stop() && (context_.improver != nullptr || at < end_)) return false;
        ran_ahead = at != end_;
    }
    return true;
}

/// Watches the GPUs' found flags while their kernels run. The first GPU that reaches the target stops the others.
void GaIndependent::relay_found_flag(OnDevices& population, std::uint64_t last) {
    const auto busy = [](const auto& place) { return !place->stream().finished(); };
    for (bool told = false; !told && std::any_of(population.places().begin(), population.places().end(), busy);) {
        std::uint64_t found = last;
        for (auto& place : population.places()) {
            OnDevice& own = own_of(ga_, *place);
            copy_flag(own.side_stream, *place, own.flag[0], 0, false);
            own.side_stream.synchronize();
            found = std::min(found, own.flag[0]);
        }
        told = found < last;
        for (auto& place : population.places()) {
            if (!told) break;
            OnDevice& own = own_of(ga_, *place);
            own.flag[1] = found;
            copy_flag(own.side_stream, *place, own.flag[1], 1, true);
            own.side_stream.synchronize();
        }
    }
}

void GaIndependent::report(Device& place, std::uint64_t t, bool complete) {
    place.launch(kReport, 1, 32, 0, place.view(), place.report_buffer());
    if (!complete) return;
    const std::uint32_t individuals = place.shard().individuals();
    const std::uint32_t of_warp = kernels::ga_digested_by_warp(individuals, place.device().multiprocessors);
    place.launch(kDigest, ga_.blocks_for_warps((individuals + of_warp - 1) / of_warp), ga_.kThreads, 0, place.view(), t,
                 of_warp, place.report_buffer());
}

std::uint64_t GaIndependent::restarts_of(OnDevices& population) const {
    std::uint64_t restarts = 0;
    for (const auto& place : population.places()) restarts += place->report().told[kToldRestarts];
    return restarts;
}

bool GaIndependent::leader_has_reached(OnDevices& population) const {
    const sdk::Run& run = population.places().front()->run();
    return run.has_target() && std::any_of(population.places().begin(), population.places().end(), [&](const auto& p) {
               return !context_.problem.less()(run.target(), qapfw_cost{.i = p->report().cost});
           });
}

}  // namespace qapfw::ga_independent
