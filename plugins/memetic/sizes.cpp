// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "plugins/memetic/memetic_parameters.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/solver_services.hpp"

namespace qapfw::memetic {
namespace {

/// Of an island in a round, where no arm's search is longer: scans of all pairs, some milliseconds of a core;
/// candidates where the problem has no neighbourhood of swaps, as many as a descent on a layout of 30 departments
/// takes.
constexpr std::uint64_t kLeastScans = 3'000, kLeastSlowRound = 8'000;
/// The greatest value of the parameter.
constexpr std::uint64_t kLongestRound = 1'000'000'000'000'000;

constexpr std::uint64_t kScansOfChildOnGpus = 200;

/// Children for each solution that a GPU works on at a time, where an arm's children are one batch: the GPU has work
/// while the longest searches of the batch go on.
constexpr std::uint64_t kChildrenForPlace = 4;

/// On GPUs an island makes so many children at a time at most.
constexpr std::uint64_t kBroodOnGpus = 32;

/// Elites of an island at most. On GPUs a run makes a thousand times as many children, so that a population of so few
/// has converged after a second; there all islands together have so many, and they take so many bytes at most.
constexpr std::uint32_t kElites = 16;
constexpr std::uint64_t kElitesOnGpus = 1u << 16, kBytesOfElites = std::uint64_t{8} << 20;

/// That an island begins with.
constexpr std::uint32_t kFirstElites = 4;

/// On a GPU at least, where an arm's improver has room for fewer solutions or says nothing.
constexpr std::uint64_t kChildrenOfMultiprocessor = 2;

/// Half of a GPU's memory is for the tables of its searches, of which every improver has one for each child of any arm
/// with it: deltas and tabu expiries of all pairs of positions.
std::uint64_t children_in_memory(const sdk::SolverContext& context, const std::vector<Arm>& arms,
                                 const qapfw_device& device) {
    constexpr std::uint64_t kBytesOfPair = 32;
    std::map<std::uint32_t, std::uint64_t> tables;  // of each improver, for a child of a brood
    for (const Arm& arm : arms) {
        std::uint64_t& most = tables[arm.improver_number];
        most = std::max<std::uint64_t>(most, arm.broods);
    }
    std::uint64_t all = 0;
    for (const auto& [improver, number] : tables) all += number;
    return device.memory_free / 2 / (all * kBytesOfPair * pairs_of(context.problem));
}

/// Islands of a run that works on a CPU alone; on GPUs at least so many.
std::uint64_t least_islands(const std::vector<Arm>& arms) {
    return 2 * arms.size() + 2;
}

/// As many as the GPUs of all processes can work on at a time: children of the arm that has room for most. Each GPU has
/// as many whole broods.
std::uint64_t children_on_devices(const sdk::SolverContext& context, const std::vector<Arm>& arms,
                                  std::uint32_t brood) {
    const std::span devices(context.host.get()->devices, context.host.get()->device_count);
    std::uint64_t all = 0;
    for (const qapfw_device* device : devices) {
        std::uint64_t most = kChildrenOfMultiprocessor * device->multiprocessors;
        for (const Arm& arm : arms) {
            if (arm.ref != nullptr) most = std::max(most, sdk::device_capacity(*arm.ref, *device));
        }
        if (!has_neighbourhood(context.problem)) most *= kChildrenForPlace;
        const std::uint64_t children = std::min(children_in_memory(context, arms, *device), most);
        all += std::max<std::uint64_t>(1, children / brood) * brood;
    }
    return sdk::sum_over_gpus(context.host, all);
}

bool are_many(const sdk::SolverContext& context, const std::vector<Arm>& arms) {
    constexpr std::size_t kFew = 4;
    return context.parameters.is_auto("arms") && arms.size() > kFew;
}

}  // namespace

/// Every arm makes a brood in a round at least, so that few islands have nothing to do while the last ones end it.
std::uint64_t resolve_round(const sdk::SolverContext& context, const std::vector<Arm>& arms, std::uint32_t brood) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    std::uint64_t child =
        has_neighbourhood(context.problem) ? kLeastScans * pairs_of(context.problem) : kLeastSlowRound;
    for (const Arm& arm : arms) child = std::max(child, arm.search);
    const std::uint64_t round = brood * std::min(child, kLongestRound / brood);
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

/// A search begins with a table of all deltas. On a core with AVX-512 that and the child take as long as so many looks
/// at all pairs: 14 to 19 for n = 60, 59 to 68 for n = 150. On a GPU islands wait for the longest search of a batch
/// too.
std::uint64_t resolve_child_work(const sdk::SolverContext& context) {
    if (!context.parameters.is_auto("child_work")) {
        return static_cast<std::uint64_t>(context.parameters.integer("child_work"));
    }
    std::uint64_t scans = 0;
    if (has_neighbourhood(context.problem)) {
        scans = on_gpus(context) ? kScansOfChildOnGpus : context.problem.length() / 3;
    }
    const std::uint64_t work = scans * pairs_of(context.problem);
    context.host.resolve("child_work", static_cast<std::int64_t>(work));
    return work;
}

/// The first rungs decide less where arms that do not lead keep islands, so they may be shorter.
std::uint64_t resolve_rung(const sdk::SolverContext& context, const std::vector<Arm>& arms, std::uint64_t round,
                           std::uint32_t brood) {
    if (!context.parameters.is_auto("rung")) return static_cast<std::uint64_t>(context.parameters.integer("rung"));
    const std::uint64_t work = has_neighbourhood(context.problem) ? brood * (std::uint64_t{1} << 28) : 1u << 17;
    const std::uint64_t part = are_many(context, arms) ? 2 : 1, least = are_many(context, arms) ? 6 : 8;
    const std::uint64_t rung = std::clamp<std::uint64_t>(work / part / round, least, kMostRounds);
    context.host.resolve("rung", static_cast<std::int64_t>(rung));
    return rung;
}

/// On GPUs an island's children are searched from side by side, so that few islands keep them busy: populations of
/// hundreds of islands mix too slowly.
std::uint32_t resolve_brood(const sdk::SolverContext& context, const std::vector<Arm>& arms) {
    if (!context.parameters.is_auto("brood")) return static_cast<std::uint32_t>(context.parameters.integer("brood"));
    std::uint64_t brood = 1;
    if (on_gpus(context)) {
        const std::uint64_t islands = context.parameters.is_auto("islands")
                                          ? least_islands(arms)
                                          : static_cast<std::uint64_t>(context.parameters.integer("islands"));
        const std::uint64_t children =
            has_neighbourhood(context.problem) ? children_on_devices(context, arms, 1) : kBroodOnGpus * islands;
        brood = std::clamp<std::uint64_t>(children / islands, 1, kBroodOnGpus);
    }
    context.host.resolve("brood", static_cast<std::int64_t>(brood));
    return static_cast<std::uint32_t>(brood);
}

std::uint32_t resolve_islands(const sdk::SolverContext& context, const std::vector<Arm>& arms, std::uint32_t brood) {
    if (!context.parameters.is_auto("islands")) {
        return static_cast<std::uint32_t>(context.parameters.integer("islands"));
    }
    const std::uint64_t on_devices = children_on_devices(context, arms, brood) / brood;
    const std::uint64_t islands = std::max(least_islands(arms), on_devices);
    if (on_devices > 0) {
        context.host.info(fmt::format("{} islands on GPUs; each of {} arms begins with about {}", islands, arms.size(),
                                      islands / arms.size()));
    }
    context.host.resolve("islands", static_cast<std::int64_t>(islands));
    return static_cast<std::uint32_t>(islands);
}

/// Before `islands` is resolved.
std::uint32_t resolve_first_islands(const sdk::SolverContext& context, const std::vector<Arm>& arms) {
    if (!context.parameters.is_auto("first_islands")) {
        return static_cast<std::uint32_t>(context.parameters.integer("first_islands"));
    }
    const std::int64_t first = context.parameters.is_auto("islands") ? static_cast<std::int64_t>(least_islands(arms))
                                                                     : context.parameters.integer("islands");
    context.host.resolve("first_islands", first);
    return static_cast<std::uint32_t>(first);
}

std::uint32_t resolve_size(const sdk::SolverContext& context, std::uint32_t islands) {
    if (!context.parameters.is_auto("size")) return static_cast<std::uint32_t>(context.parameters.integer("size"));
    std::uint32_t size = kElites;
    if (on_gpus(context) && has_neighbourhood(context.problem)) {
        const std::uint64_t elites = std::min(kElitesOnGpus, kBytesOfElites / context.problem.solution_bytes());
        size = static_cast<std::uint32_t>(std::max(elites / islands, kBroodOnGpus));
    }
    context.host.resolve("size", static_cast<std::int64_t>(size));
    return size;
}

/// A converged population of few elites may still gain; one of many hardly does. Layouts of 30 departments gain by
/// twice the patience that permutations have, those of 12 lose nothing.
std::uint64_t resolve_restart_after(const sdk::SolverContext& context, std::uint32_t brood) {
    if (!context.parameters.is_auto("restart_after")) {
        return static_cast<std::uint64_t>(context.parameters.integer("restart_after"));
    }
    const bool has_bits = has_bays(context.problem);
    const std::int64_t after = has_bits ? 40 : has_neighbourhood(context.problem) && brood > 1 ? 8 : 20;
    context.host.resolve("restart_after", after);
    return static_cast<std::uint64_t>(after);
}

/// Elites that an island begins with. Where it makes many children at a time, few elites would have them all.
std::uint32_t resolve_first_size(const sdk::SolverContext& context, std::uint32_t brood) {
    if (!context.parameters.is_auto("first_size")) {
        return static_cast<std::uint32_t>(context.parameters.integer("first_size"));
    }
    const std::uint32_t size = has_neighbourhood(context.problem) ? std::max(kFirstElites, brood) : kFirstElites;
    context.host.resolve("first_size", static_cast<std::int64_t>(size));
    return size;
}

/// The first rung decides less, the more arms there are. So more islands are for those that do not lead then.
std::uint32_t resolve_explore_one_in(const sdk::SolverContext& context, const std::vector<Arm>& arms) {
    if (!context.parameters.is_auto("explore_one_in")) {
        return static_cast<std::uint32_t>(context.parameters.integer("explore_one_in"));
    }
    const std::int64_t one_in = are_many(context, arms) ? 4 : 12;
    context.host.resolve("explore_one_in", one_in);
    return static_cast<std::uint32_t>(one_in);
}

/// Arms are compared by their best children of an era. One that has an island for a rung of it alone can hardly win;
/// nor can one whose population begins with each turn, where it takes many generations.
std::uint64_t resolve_explore_rungs(const sdk::SolverContext& context, const std::vector<Arm>& arms) {
    if (!context.parameters.is_auto("explore_rungs")) {
        return static_cast<std::uint64_t>(context.parameters.integer("explore_rungs"));
    }
    const std::int64_t rungs = are_many(context, arms) ? 0 : 1;
    context.host.resolve("explore_rungs", rungs);
    return static_cast<std::uint64_t>(rungs);
}

}  // namespace qapfw::memetic
