// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "plugins/memetic/memetic_parameters.hpp"
#include "plugins/memetic/race.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/solver_services.hpp"

namespace qapfw::memetic {
namespace {

/// Least work of an island in one round, for each child of a brood. If an arm's search is longer, the length of that
/// search counts instead. kLeastScans counts scans of all pairs; 3,000 take some milliseconds on one core.
/// kLeastSlowRound counts evaluations and is for problems without a swap neighbourhood. It is about one descent on a
/// layout of 30 departments.
constexpr std::uint64_t kLeastScans = 3'000, kLeastSlowRound = 8'000;
/// The largest value of the parameter `round`.
constexpr std::uint64_t kLongestRound = 1'000'000'000'000'000;

/// On GPUs, making a child takes less time than 20 scans of all pairs, but counts as 20 scans or more.
/// A leading arm's child counts as 20: an island with short searches works until the end of a round.
/// Any other arm's child counts as 60: an island finishes earlier and waits, so that the leaders get most of the GPU.
/// With many arms, any other arm's child counts as 150: beside long searches, a brood of short searches takes as long
/// as 150 scans. With this value, islands with short searches end no later than islands with long searches.
constexpr std::uint64_t kScansOfChildOnGpus = 60, kScansOfLeaderChildOnGpus = 20, kScansOfChildAmongMany = 150;

/// kLeadOnGpus: the automatic value of `lead` on GPUs, if there are many arms. kLeadFrom: the automatic value of
/// `lead_from`, if `lead` is automatic too.
constexpr std::uint32_t kLeadOnGpus = 4, kLeadFrom = 2;

/// The automatic value of `migrants` on GPUs, if there are many arms. An island with short searches makes tens of
/// broods in a round, so it may take in several elites.
constexpr std::uint32_t kMigrantsOnGpus = 8;

/// All islands together have at most this many elites, and make at most this many children at a time.
constexpr std::uint64_t kMostIndividuals = 100'000'000;

/// If the problem has no swap neighbourhood, an arm's children are one batch. The batch has this many children for each
/// solution that a GPU can improve at the same time. So when short searches end, the GPU has more children to improve
/// beside the longest searches.
constexpr std::uint64_t kChildrenForPlace = 4;

/// The largest automatic `brood` on GPUs.
constexpr std::uint64_t kBroodOnGpus = 32;

/// The automatic `size`, the largest number of elites of an island, is kElites on the CPU and for problems without a
/// swap neighbourhood. Otherwise, the islands on GPUs divide kElitesOnGpus elites among them, or only as many as fit
/// into kBytesOfElites. A run on GPUs makes a thousand times as many children, so a population of 16 elites would
/// converge within a second.
constexpr std::uint32_t kElites = 16;
constexpr std::uint64_t kElitesOnGpus = 1u << 16, kBytesOfElites = std::uint64_t{8} << 20;

/// The least value of an automatic `first_size`, the number of elites that an island starts with.
constexpr std::uint32_t kFirstElites = 4;

/// Least number of children per multiprocessor, even if the arms' improvers have room for fewer solutions.
constexpr std::uint64_t kChildrenOfMultiprocessor = 2;

/// Number of children for which a GPU has memory, counted for an arm whose `broods` is 1. Half of the free memory is
/// for the tables of searches: deltas, row sums and tabu expiries of all pairs of positions. Arms with
/// the same Arm::improver_number share tables. Of these arms, the one with the largest `broods` decides how many
/// tables there are.
std::uint64_t children_in_memory(const sdk::SolverContext& context, const std::vector<Arm>& arms,
                                 const qapfw_device& device) {
    constexpr std::uint64_t kBytesOfPair = 32;
    std::map<std::uint32_t, std::uint64_t> tables;  // for each improver: the largest `broods` of its arms
    for (const Arm& arm : arms) {
        std::uint64_t& most = tables[arm.improver_number];
        most = std::max<std::uint64_t>(most, arm.broods);
    }
    std::uint64_t all = 0;
    for (const auto& [improver, number] : tables) all += number;
    return device.memory_free / 2 / (all * kBytesOfPair * pairs_of(context.problem));
}

/// Number of islands on a CPU; least number of islands on GPUs.
std::uint64_t least_islands(const std::vector<Arm>& arms) {
    return 2 * arms.size() + 2;
}

/// Makes the plan. Takes each value from its parameter, or computes the value if the parameter is "auto". Reports the
/// computed values to the host.
class Planner {
  public:
    Planner(const sdk::SolverContext& context, const std::vector<Arm>& arms)
        : context_(context),
          arms_(arms),
          scans_(has_neighbourhood(context.problem)),
          has_many_arms_(has_many_arms(context, arms)) {
        plan_.gpus = sdk::sum_over_gpus(context.host, context.host.get()->device_count);
    }

    RunPlan make(const std::function<void()>& announce) {
        plan_.first_islands = value("first_islands", [&] { return given("islands", least_islands(arms_)); });
        if (needs_kernels()) announce();
        plan_.brood = value("brood", [&] { return brood(); });
        for (const Arm& arm : arms_) plan_.seats_each = std::max(plan_.seats_each, arm.children(plan_.brood));
        plan_race();
        plan_.shape.groups = value("islands", [&] { return islands(); });
        plan_.shape.size = value("size", [&] { return size(); });
        check_sizes();
        plan_.first_size = value("first_size", [&] { return first_size(); });
        plan_.round = value<std::uint64_t>("round", [&] { return round(); });
        plan_.rung = value<std::uint64_t>("rung", [&] { return rung(); });
        plan_.child_work = value<std::uint64_t>("child_work", [&] { return child_work(); });
        plan_.leader_child_work = value<std::uint64_t>("leader_child_work", [&] { return leader_child_work(); });
        plan_.restart_after = value<std::uint64_t>("restart_after", [&] { return restart_after(); });
        plan_.chain_restart_after = value<std::uint64_t>("chain_restart_after", [&] { return chain_restart_after(); });
        plan_.migrants = value("migrants", [&] { return has_many_arms_on_gpus() ? kMigrantsOnGpus : 1; });
        return plan_;
    }

  private:
    void plan_race() {
        // With many arms, the first rung compares them less reliably. So arms that do not lead get more islands.
        plan_.explore_one_in = value("explore_one_in", [&] { return has_many_arms_ ? 4 : 12; });
        // With many arms the value is 0, and every arm keeps an island. With 1, an arm that does not lead would get an
        // island for one rung, restart its population there, and then wait for many rungs. So an arm that needs many
        // generations could not win.
        plan_.explore_rungs = value<std::uint64_t>("explore_rungs", [&] { return has_many_arms_ ? 0 : 1; });
        plan_.lead = value("lead", [&] { return has_many_arms_on_gpus() ? kLeadOnGpus : 1; });
        plan_.lead_from = value<std::uint64_t>(
            "lead_from", [&] { return context_.parameters.is_auto("lead") ? kLeadFrom : kLeadOfShortFrom; });
    }

    /// The value of an integer parameter; `otherwise` if the parameter is "auto".
    std::uint64_t given(const char* name, std::uint64_t otherwise) const {
        const bool is_auto = context_.parameters.is_auto(name);
        return is_auto ? otherwise : static_cast<std::uint64_t>(context_.parameters.integer(name));
    }
    template <class Number = std::uint32_t, class Automatic>
    Number value(const char* name, const Automatic& automatic) const {
        if (!context_.parameters.is_auto(name)) return static_cast<Number>(context_.parameters.integer(name));
        const auto number = static_cast<std::uint64_t>(automatic());
        context_.host.resolve(name, static_cast<std::int64_t>(number));
        return static_cast<Number>(number);
    }
    std::span<const qapfw_device* const> devices() const {
        return {context_.host.get()->devices, context_.host.get()->device_count};
    }
    /// True if the number of islands depends on the compiled kernels: parameter `islands` is auto, and for at least one
    /// GPU the problem gives no hint of the number of searches (see sdk::hinted_searches).
    bool needs_kernels() const {
        return context_.parameters.is_auto("islands") && !std::ranges::all_of(devices(), [&](const qapfw_device* gpu) {
                   return sdk::hinted_searches(context_.problem, *gpu) > 0;
               });
    }
    /// Number of children that the GPUs of all processes can work on at the same time, with the arm of greatest
    /// capacity. Each GPU counts with whole broods: its number of children is rounded down, but is at least one brood.
    std::uint64_t children_on_devices(std::uint32_t brood) const {
        std::uint64_t all = 0;
        for (const qapfw_device* device : devices()) {
            std::uint64_t most = kChildrenOfMultiprocessor * device->multiprocessors;
            for (const Arm& arm : arms_) {
                if (arm.ref != nullptr) most = std::max(most, sdk::device_capacity(*arm.ref, *device));
            }
            if (!scans_) most *= kChildrenForPlace;
            const std::uint64_t children = std::min(children_in_memory(context_, arms_, *device), most);
            all += std::max<std::uint64_t>(1, children / brood) * brood;
        }
        return sdk::sum_over_gpus(context_.host, all);
    }
    /// Number of children that an island makes at a time. On GPUs these children are improved in parallel, so that few
    /// islands keep the GPUs busy. Hundreds of islands would exchange good solutions too slowly.
    std::uint64_t brood() const {
        if (plan_.gpus == 0) return 1;
        const std::uint64_t islands = given("islands", least_islands(arms_));
        const std::uint64_t children = scans_ ? children_on_devices(1) : kBroodOnGpus * islands;
        return std::clamp<std::uint64_t>(children / islands, 1, kBroodOnGpus);
    }
    /// Number of islands if `islands` is auto. They suffice for all arms and keep the GPUs busy. With a lead above 1
    /// and explore_rungs = 0, islands of arms that do not lead do less work and then wait. So the plan gets one more
    /// island for each arm except one.
    std::uint64_t islands() const {
        const std::uint64_t on_devices = children_on_devices(plan_.brood) / plan_.brood;
        const std::uint64_t others = plan_.lead > 1 && plan_.explore_rungs == 0 ? arms_.size() - 1 : 0;
        const std::uint64_t islands = std::max(least_islands(arms_), on_devices) + others;
        if (on_devices > 0) {
            context_.host.info(fmt::format("{} islands on GPUs; each of {} arms starts with about {} islands", islands,
                                           arms_.size(), islands / arms_.size()));
        }
        return islands;
    }
    std::uint64_t size() const {
        if (plan_.gpus == 0 || !scans_) return kElites;
        const std::uint64_t elites = std::min(kElitesOnGpus, kBytesOfElites / context_.problem.solution_bytes());
        return std::max(elites / plan_.shape.groups, kBroodOnGpus);
    }
    void check_sizes() const {
        const std::uint64_t islands = plan_.shape.groups;
        if (islands * plan_.shape.size > kMostIndividuals) {
            throw Error(ErrorKind::kUsage, fmt::format("memetic: islands * size must be at most {}, found {} * {}",
                                                       kMostIndividuals, islands, plan_.shape.size));
        }
        if (islands * plan_.seats_each > kMostIndividuals) {
            throw Error(
                ErrorKind::kUsage,
                fmt::format(
                    "memetic: islands * brood * (largest `broods` of the arms) must be at most {}, found {} * {} * {}",
                    kMostIndividuals, islands, plan_.brood, plan_.seats_each / plan_.brood));
        }
    }
    /// Number of elites that an island starts with. If the problem has a neighbourhood, the number is at least the size
    /// of a brood, since a larger brood would replace all elites in one step.
    std::uint64_t first_size() const { return scans_ ? std::max(kFirstElites, plan_.brood) : kFirstElites; }
    /// Number of evaluations of an island in a round: enough for `brood` searches of any arm, but at most
    /// kLongestRound. In shorter rounds, more islands would be idle while the last islands finish.
    std::uint64_t round() const {
        std::uint64_t child = scans_ ? kLeastScans * pairs_of(context_.problem) : kLeastSlowRound;
        for (const Arm& arm : arms_) child = std::max(child, arm.search);
        return plan_.brood * std::min(child, kLongestRound / plan_.brood);
    }
    /// Number of rounds of the first rung. With many arms, an arm keeps some islands even if it does not lead. So the
    /// first rungs decide less, and may be shorter.
    std::uint64_t rung() const {
        const std::uint64_t work = scans_ ? plan_.brood * (std::uint64_t{1} << 28) : 1u << 17;
        const std::uint64_t part = has_many_arms_ ? 2 : 1, least = has_many_arms_ ? 6 : 8;
        return std::clamp<std::uint64_t>(work / part / plan_.round, least, kMostRounds);
    }
    /// Work charged to an island for making a child, in evaluations. A search begins with a table of all deltas. On a
    /// core with AVX-512, that table and the child take as long as n / 3 scans of all pairs. (Measured: 14 to 19 scans
    /// for n = 60, 59 to 68 scans for n = 150.)
    std::uint64_t child_work() const {
        if (!scans_) return 0;
        const std::uint64_t on_gpus = has_many_arms_ ? kScansOfChildAmongMany : kScansOfChildOnGpus;
        return (plan_.gpus > 0 ? on_gpus : context_.problem.length() / 3) * pairs_of(context_.problem);
    }
    std::uint64_t leader_child_work() const {
        const bool differs = scans_ && plan_.gpus > 0 && context_.parameters.is_auto("child_work");
        return differs ? kScansOfLeaderChildOnGpus * pairs_of(context_.problem) : plan_.child_work;
    }
    /// Number of children per elite after which an island without a gain grows or restarts. A converged population of
    /// many elites hardly improves. So islands with broods of several children, which have many elites, get 8 instead
    /// of 20. Layouts in bays get 40. Measured: 40 helps layouts of 30 departments, and does not harm those of 12.
    std::uint64_t restart_after() const {
        if (has_bays(context_.problem)) return 40;
        return scans_ && plan_.brood > 1 ? 8 : 20;
    }
    /// The value of `chain_restart_after` if it is auto. On GPUs with many arms it is 0 (never) if `lead` and
    /// `restart_after` are auto too; see docs/decisions/0055-patient-chains.md.
    std::uint64_t chain_restart_after() const {
        const auto& given = context_.parameters;
        const bool never = has_many_arms_on_gpus() && given.is_auto("restart_after") && given.is_auto("lead");
        return never ? 0 : plan_.restart_after;
    }

    bool has_many_arms_on_gpus() const { return plan_.gpus > 0 && has_many_arms_; }

    const sdk::SolverContext& context_;
    const std::vector<Arm>& arms_;
    const bool scans_;  ///< true if the problem has its own swap neighbourhood
    const bool has_many_arms_;
    RunPlan plan_;
};

}  // namespace

RunPlan make_plan(const sdk::SolverContext& context, const std::vector<Arm>& arms,
                  const std::function<void()>& announce) {
    return Planner(context, arms).make(announce);
}

}  // namespace qapfw::memetic
