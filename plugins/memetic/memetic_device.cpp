// SPDX-License-Identifier: Apache-2.0
// The islands of the memetic algorithm on a GPU. Islands are grouped in queues by their arm's improver. All islands of
// a queue make children; the improver works on them; the islands take them in. This repeats until no island has work
// left in the round.
#include <algorithm>
#include <cstddef>
#include <span>
#include <thread>

#include "embedded/memetic_texts.hpp"
#include "plugins/memetic/memetic.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::memetic {
namespace {

constexpr sdk::KernelName kBreed{"qapfw_memetic_breed", "child_kernels.cuh"},
    kBreedAlone{"qapfw_memetic_breed_alone", "alone_kernel.cuh"}, kTakeIn{"qapfw_memetic_take_in", "child_kernels.cuh"},
    kDraw{"qapfw_memetic_draw", "population_kernels.cuh"}, kShow{"qapfw_memetic_show", "population_kernels.cuh"},
    kTakeImmigrants{"qapfw_memetic_take_immigrants", "population_kernels.cuh"},
    kGiveArms{"qapfw_memetic_give_arms", "population_kernels.cuh"},
    kReport{"qapfw_memetic_report", "report_kernels.cuh"}, kDigest{"qapfw_memetic_digest", "report_kernels.cuh"};

constexpr std::uint32_t kWarp = 32, kReportThreads = 512, kDigestWarps = 8;

/// About this number of children per island are made in one launch of the kernel for arms without an improver.
constexpr std::uint32_t kChildrenOfLaunch = 256;

/// If `improves` is true: returns whether some arm has an improver. If it is false: whether some arm has no improver.
bool any_arm(std::span<const Arm> arms, bool improves) {
    return std::ranges::any_of(arms, [improves](const Arm& arm) { return (arm.ref != nullptr) == improves; });
}

}  // namespace

/// Islands, the improver for their children, and the stream in which the children are made, improved and taken in.
/// Queues do not wait for each other: a queue with short searches continues beside a queue with long ones.
struct Memetic::Queue {
    IslandQueue islands;
    sdk::DeviceImprover improver;
    sdk::Stream stream;
    std::uint32_t children = 0;  ///< number of children in seats; without an improver: number of islands with work left
    std::uint32_t pace = 1;      ///< IslandsOf::pace of its islands; see set_paces()
    bool has_ended = false;      ///< true if no island has work left in the round
};

/// Number of places on one GPU: several if the host must wait between the many launches of a search, otherwise 1. While
/// the host waits for one place, the GPU works for the others. Islands wait only for the longest search of their own
/// place.
std::uint32_t Memetic::places_on_gpu() const {
    const auto waits = [](const Arm& arm) { return arm.ref != nullptr && !sdk::counts_enqueued(*arm.ref); };
    const bool several = !has_neighbourhood(context_.problem) && std::ranges::any_of(arms_, waits);
    return several ? kMostParts : 1;
}

/// Number of queues for the islands of an arm's improver, with `islands` islands at a place. With several queues, fewer
/// islands wait for the longest search of a batch. One queue is enough if all searches have equal length. One queue is
/// also used if the host waits for searches, since several queues would then take turns: see places_on_gpu.
std::uint32_t Memetic::parts_of(const Arm& arm, std::uint32_t islands) const {
    const bool alike = arm.ref == nullptr || sdk::counts_enqueued(*arm.ref);
    return has_neighbourhood(context_.problem) && !alike ? std::min(kMostParts, islands) : 1;
}

/// Size of a batch, in children, to announce to the arm's improver. A place has `islands` islands, and its GPU has
/// `on_gpu` islands.
std::uint32_t Memetic::room_in_queue(const Arm& arm, std::uint32_t islands, std::uint32_t on_gpu,
                                     const qapfw_device& gpu) const {
    std::uint32_t each = 1;
    for (const Arm& other : arms_) {
        if (other.improver_number == arm.improver_number) each = std::max(each, other.children(plan_.brood));
    }
    const std::uint32_t part = (islands / parts_of(arm, islands) + 1) * each;
    return sdk::batch_beside_others(gpu, part, on_gpu * each);
}

/// Starts to compile all kernels for GPUs that have `islands` islands each; 0: their number is not known yet.
void Memetic::announce_kernels(std::uint32_t islands) const {
    for (const qapfw_device* gpu : std::span(context_.host.get()->devices, context_.host.get()->device_count)) {
        for (const Arm& arm : arms_) {
            if (arm.ref == nullptr) continue;
            sdk::announce(*arm.ref, *gpu, islands == 0 ? 0 : room_in_queue(arm, islands, islands, *gpu));
        }
        std::vector<sdk::KernelRequest> own = {kernel_request(kDraw, *gpu, {}), kernel_request(kReport, *gpu, {})};
        if (any_arm(arms_, true)) own.push_back(kernel_request(kBreed, *gpu, {}));
        if (any_arm(arms_, false)) own.push_back(kernel_request(kBreedAlone, *gpu, {}));
        sdk::prepare(*gpu, own);
    }
}

/// Makes the queues of this place. Each improver gets one or several queues. Each queue serves a part of the islands
/// whose arm has this improver.
std::vector<Memetic::Queue> Memetic::make_queues(Device& place) const {
    const std::uint32_t groups = place.shard().groups;
    std::vector<Queue> queues;
    std::uint32_t improvers = 0;
    for (const Arm& arm : arms_) {
        if (arm.improver_number < improvers) continue;
        const std::uint32_t parts = parts_of(arm, groups);
        for (std::uint32_t part = 0; part < parts; ++part) {
            const std::uint32_t before = part * (groups / parts) + std::min(part, groups % parts);
            const IslandQueue islands{static_cast<std::uint32_t>(queues.size()), improvers, part, parts,
                                      (improvers * groups + before) * plan_.seats_each};
            queues.push_back(
                {islands,
                 {arm.ref, place.device(), room_in_queue(arm, groups, place.groups_on_gpu(), place.device())},
                 sdk::Stream(place.device())});
        }
        ++improvers;
        if (queues.back().improver.counts_each()) continue;
        throw Error(ErrorKind::kUnsupported,
                    std::string("improver '") + arm.ref->id +
                        "' does not count the evaluations of each solution on GPUs, which memetic needs to split the "
                        "work: choose device.backend = \"cpu\" or another improver");
    }
    return queues;
}

std::vector<sdk::KernelName> Memetic::kernels() const {
    std::vector<sdk::KernelName> names = {kDraw, kShow, kTakeImmigrants, kGiveArms, kReport, kDigest};
    if (any_arm(arms_, true)) names.insert(names.end(), {kBreed, kTakeIn});
    if (any_arm(arms_, false)) names.push_back(kBreedAlone);
    return names;
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
    place.own<std::vector<Queue>>([&] { return make_queues(place); });
}

void Memetic::start(Device& place) {
    const unsigned char* const warm = place.warm_starts();
    place.launch(kDraw, place.shard().groups, kWarp, 0, place.view(), place.problem_view(), warm,
                 place.settings().warm_count());
}

// [round]
/// Makes one round on a GPU: every island makes children until it has no work left. Returns false if the run was asked
/// to stop before that.
bool Memetic::generation(Device& place, std::uint64_t t) const {
    auto& queues = place.own<std::vector<Queue>>([] { return std::vector<Queue>(); });
    place.fill(seats_taken_, 0);
    set_paces(place, queues);
    place.synchronize();
    for (Queue& queue : queues) breed(place, queue, t);
    bool stops = false;
    for (std::size_t running = queues.size(); running > 0; std::this_thread::yield()) {
        for (Queue& queue : queues) {
            if (queue.has_ended || !queue.stream.finished()) continue;
            stops = stops || place.run().should_stop();
            queue.has_ended = stops || queue.children == 0;
            if (queue.has_ended)
                --running;
            else
                improve(place, queue, t);
        }
    }
    return !stops;
}
// [round-end]

/// Sets Queue::pace. The value matters only for an arm that lengthens its searches. Such an arm has its own improver
/// number, and its islands have equal paces. So all islands of its queue have the same pace.
void Memetic::set_paces(Device& place, std::vector<Queue>& queues) const {
    if (plan_.lead == 1 || std::ranges::none_of(arms_, &Arm::lengthens)) return;
    std::vector<std::uint32_t> arms(place.shard().groups), paces(place.shard().groups);
    place.read(arms_of_islands_, bytes_of(arms), false);
    place.read(paces_, bytes_of(paces), false);
    place.synchronize();
    for (Queue& queue : queues) {
        for (std::size_t island = 0; island < arms.size(); ++island) {
            if (arms_[arms[island]].improver_number == queue.islands.improver) queue.pace = paces[island];
        }
    }
}

/// Each island of the queue that has work left makes a brood, or several broods if the queue has no improver.
/// Queue::children is known when the queue's stream is finished.
void Memetic::breed(Device& place, Queue& queue, std::uint64_t t) const {
    const auto launch = [&](const sdk::KernelName& name, std::uint32_t warps, const auto&... further) {
        place.kernel(name).launch(queue.stream, warps, kWarp, 0, place.view(), place.problem_view(), queue.islands,
                                  place.view().work_by(t), further...);
    };
    const std::uint32_t islands = place.shard().groups;
    if (queue.improver)
        launch(kBreed, islands * plan_.seats_each);
    else
        launch(kBreedAlone, islands, std::max(1u, kChildrenOfLaunch / plan_.seats_each), t);
    const qapfw_device& gpu = place.device();
    const auto taken = reinterpret_cast<std::uint64_t>(place.view().seated.taken + queue.islands.number);
    sdk::check(gpu.download(gpu.context, queue.stream.get(), &queue.children, taken, sizeof queue.children),
               "download");
    sdk::check(gpu.fill(gpu.context, queue.stream.get(), taken, 0, sizeof queue.children), "fill");
    queue.has_ended = false;
}

/// Applies the improver to the queue's children and takes them into their islands. Then starts the next broods.
void Memetic::improve(Device& place, Queue& queue, std::uint64_t t) const {
    const auto& seated = place.view().seated;
    const auto address = [](const auto* at) { return reinterpret_cast<std::uint64_t>(at); };
    if (queue.improver) {
        const std::uint64_t first = queue.islands.first_seat;
        qapfw_improve_request request = place.run().improve_request(static_cast<std::uint32_t>(t), kImproverStream);
        for (const Arm& arm : arms_) {
            if (arm.improver_number == queue.islands.improver) request.iterations = arm.iterations_at(queue.pace);
        }
        request.individuals = address(seated.numbers + first);
        request.evaluations = address(seated.evaluations + first);
        queue.improver.enqueue(
            queue.stream,
            {address(seated.solutions + first * place.view().bytes), address(seated.costs + first), queue.children},
            request);
        place.kernel(kTakeIn).launch(queue.stream, place.shard().groups, kWarp, 0, place.view(), place.problem_view(),
                                     queue.islands, t);
    }
    breed(place, queue, t);
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
