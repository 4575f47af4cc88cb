// SPDX-License-Identifier: Apache-2.0
// The islands of the memetic algorithm on a GPU: all islands make a child, the arms' improvers work on the children,
// all islands take theirs in, until none has work left in the round.
#include <algorithm>
#include <cstddef>
#include <numeric>

#include "embedded/memetic_texts.hpp"
#include "plugins/memetic/memetic.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::memetic {
namespace {

constexpr sdk::KernelName kBreed{"qapfw_memetic_breed", "child_kernels.cuh"},
    kTakeIn{"qapfw_memetic_take_in", "child_kernels.cuh"}, kDraw{"qapfw_memetic_draw", "population_kernels.cuh"},
    kShow{"qapfw_memetic_show", "population_kernels.cuh"},
    kTakeImmigrants{"qapfw_memetic_take_immigrants", "population_kernels.cuh"},
    kGiveArms{"qapfw_memetic_give_arms", "population_kernels.cuh"},
    kReport{"qapfw_memetic_report", "report_kernels.cuh"}, kDigest{"qapfw_memetic_digest", "report_kernels.cuh"};

constexpr std::uint32_t kWarp = 32, kReportThreads = 512, kDigestWarps = 8;

/// The arms' improvers on a GPU, each with a queue of its own, so that short searches run beside long ones.
struct Improvers {
    std::vector<sdk::DeviceImprover> of_arms;
    std::vector<sdk::Stream> streams;
    std::vector<std::size_t> order;  ///< shortest searches first: a long one makes its caller wait
};

Improvers make_improvers(const std::vector<Arm>& arms, const qapfw_device& gpu, std::uint32_t islands) {
    Improvers improvers;
    for (const Arm& arm : arms) {
        improvers.of_arms.emplace_back(arm.ref, gpu, islands);
        improvers.streams.emplace_back(gpu);
        if (improvers.of_arms.back().counts_each()) continue;
        throw Error(ErrorKind::kUsage, std::string("improver '") + arm.ref->id +
                                           "' does not tell the evaluations of each solution on GPUs, by which memetic "
                                           "shares out work: choose device.backend = \"cpu\" or another improver");
    }
    improvers.order.resize(arms.size());
    std::iota(improvers.order.begin(), improvers.order.end(), std::size_t{0});
    std::stable_sort(improvers.order.begin(), improvers.order.end(),
                     [&](std::size_t a, std::size_t b) { return arms[a].search < arms[b].search; });
    return improvers;
}

}  // namespace

std::vector<sdk::KernelName> Memetic::kernels() const {
    return {kBreed, kTakeIn, kDraw, kShow, kTakeImmigrants, kGiveArms, kReport, kDigest};
}

sdk::KernelRequest Memetic::kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const {
    return {sdk::with_included(device::kTexts, name.file),
            name.entry,
            {bits_offset_ > 0 ? "MEMETIC_HAS_BITS=1" : "MEMETIC_HAS_BITS=0"},
            true};
}

void Memetic::prepare(Device& place) const {
    set_values(place.view(), place.shard());
    place.view().evaluations = reinterpret_cast<unsigned long long*>(
        place.report_buffer().address(offsetof(sdk::PopulationReport, evaluations)));
    place.own<Improvers>([&] { return make_improvers(arms_, place.device(), place.shard().groups); });
}

void Memetic::start(Device& place) {
    const unsigned char* const warm = place.warm_starts();
    place.launch(kDraw, place.shard().groups, kWarp, 0, place.view(), place.problem_view(), warm,
                 place.settings().warm_count());
}

// [round]
/// One round on a GPU: children of all islands, until none has work left. False: cut short.
bool Memetic::generation(Device& place, std::uint64_t t) const {
    for (;;) {
        const std::vector<std::uint32_t> children = breed(place, t);
        if (std::all_of(children.begin(), children.end(), [](std::uint32_t count) { return count == 0; })) return true;
        improve(place, children, t);
        place.launch(kTakeIn, place.shard().groups, kWarp, 0, place.view(), place.problem_view(), t);
        if (place.run().should_stop()) return false;
    }
}
// [round-end]

/// Every island with work left makes a child. Returns how many children there are of each arm.
std::vector<std::uint32_t> Memetic::breed(Device& place, std::uint64_t t) const {
    std::vector<std::uint32_t> children(arms_.size());
    place.fill(seats_taken_, 0);
    place.launch(kBreed, place.shard().groups, kWarp, 0, place.view(), place.problem_view(), t * round_);
    place.fetch(std::span(children), place.view().seated.taken);
    return children;
}

/// The arms' improvers on their children.
void Memetic::improve(Device& place, const std::vector<std::uint32_t>& children, std::uint64_t t) const {
    auto& improvers = place.own<Improvers>([] { return Improvers{}; });
    const auto& seated = place.view().seated;
    const auto address = [](const auto* at) { return reinterpret_cast<std::uint64_t>(at); };
    for (const std::size_t arm : improvers.order) {
        if (!improvers.of_arms[arm] || children[arm] == 0) continue;
        const std::uint64_t first = arm * place.shard().groups;
        qapfw_improve_request request = place.run().improve_request(static_cast<std::uint32_t>(t), kImproverStream);
        request.individuals = address(seated.numbers + first);
        request.evaluations = address(seated.evaluations + first);
        improvers.of_arms[arm].enqueue(
            improvers.streams[arm],
            {address(seated.solutions + first * place.view().bytes), address(seated.costs + first), children[arm]},
            request);
    }
    for (sdk::Stream& stream : improvers.streams) stream.synchronize();
}

void Memetic::show(Device& place) const {
    place.launch(kShow, place.shard().groups, kWarp, 0, place.view());
}

void Memetic::take_immigrants(Device& place, std::uint64_t t) const {
    place.launch(kTakeImmigrants, place.shard().groups, kWarp, 0, place.view(), t);
}

void Memetic::give_arms(Device& place, const std::vector<NextArm>& arms, std::uint64_t) const {
    const auto* const own = reinterpret_cast<const unsigned char*>(arms.data() + place.shard().first_group);
    place.write(next_arms_, {own, place.shard().groups * sizeof(NextArm)});
    place.launch(kGiveArms, place.shard().groups, kWarp, 0, place.view(), place.problem_view());
    place.synchronize();
}

void Memetic::report(Device& place, std::uint64_t t, bool complete) const {
    place.launch(kReport, 1, kReportThreads, 0, place.view(), place.report_buffer());
    if (!complete) return;
    const std::uint32_t blocks = (place.shard().individuals() + kDigestWarps - 1) / kDigestWarps;
    place.launch(kDigest, blocks, kDigestWarps * kWarp, 0, place.view(), place.report_buffer(), t);
}

}  // namespace qapfw::memetic
