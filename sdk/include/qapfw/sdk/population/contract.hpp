// SPDX-License-Identifier: Apache-2.0
// What the class of a solver on the population engine must have, and what it may have.
//
// Always:
//
//     static constexpr auto& kParameters = ...;
//     struct View { ... };                                // the fields, as steps and kernels get them
//     explicit Algorithm(const sdk::SolverContext&);
//     sdk::PopulationShape shape() const;
//     void declare(sdk::Fields<View>&, const sdk::Run&);  // the fields of this run
//     std::uint64_t round_wanted(std::uint64_t t) const;  // generations of the round that begins after generation t
//     void start(Steps&);                                 // generation 0
//     void generation(Steps&, std::uint64_t t);           // one iteration of the paper's loop
//     sdk::Leader leader(sdk::HostSteps<View>&);          // the best of all groups of a place
//     std::uint64_t digest(sdk::HostSteps<View>&, std::uint64_t t);
//
// `Steps` is HostSteps<View> or DevicePlace<View>. A member with the same code for both is a template over it.
//
// To run on GPUs too (HasDeviceCode):
//
//     void prepare(Steps&) const;               // sets plain values of the view; optional without device code
//     sdk::KernelRequest kernel_request(const sdk::KernelName&, const qapfw_device&, const sdk::Shard&) const;
//     std::vector<sdk::KernelName> kernels() const;                           // all of them
//     sdk::LaunchLength launches() const;
//     void report(sdk::DevicePlace<View>&, std::uint64_t t, bool complete);   // kernels that write the report
//
// The rest is optional. Most members have a concept below, which says what a solver without the member does.
//
//     bool meet(Population&, std::uint64_t t);      // HasMeetings: groups exchange data; false: stopped
//     std::uint64_t next_meeting(std::uint64_t t, std::uint64_t last) const;  // the next generation that ends
//                                                                             // with a meeting, at most `last`
//     std::optional<std::uint64_t> evolve(Population&, std::uint64_t first, std::uint64_t last);
//                                               // EvolvesItself: the generation reached; empty: stopped
//     void generations(sdk::DevicePlace<View>&, std::uint64_t first, std::uint64_t last);    // HasGenerations
//     std::uint32_t places_on_gpu() const;                                                   // HasPlacesOnGpu
//     void tell(sdk::Run&, Population&);                                                     // TellsStatistics
//     sdk::RoundReport look(Steps&, std::uint64_t t, bool complete);                         // Looks
//     void keep_to(std::uint64_t evaluations);                                               // KeepsToBudget
//     void put_state(Steps&); void take_state(Steps&);                                       // KeepsState
//     void save(sdk::Writer&) const; void load(sdk::Reader&);                                // KeepsValues
//     static constexpr sdk::SolverTraits kTraits = {...};                                    // see SolverTraits
//     static constexpr const char* kAutoByGpus[] = {..., nullptr};                           // see qapfw/abi/solver.h
//     static constexpr const char* kDeviceEncodings;                             // see qapfw/abi/device_encodings.h
#pragma once

#include <cstdint>

#include "qapfw/sdk/solver.hpp"

namespace qapfw::sdk {

/// Ways in which a solver may differ from most others. The defaults fit most solvers.
struct SolverTraits {
    bool goes_ahead = false;  ///< on a GPU a round may begin before the last round's report has arrived
    /// True: if a round was cut short, each group continues from its present state. False: each group goes back to its
    /// state before the round.
    bool goes_on_from_cuts = false;
    bool has_own_improvers = false;    ///< the algorithm calls all improvers itself, also the configured one
    bool leader_is_group = false;      ///< Leader::number is the number of a group, not of an individual
    bool digests_need_leader = false;  ///< the digest needs the cost of the run's leader
};
/// The traits of a solver: its own, or the defaults.
template <class Algorithm>
constexpr SolverTraits traits_of() {
    if constexpr (requires { Algorithm::kTraits; }) {
        return Algorithm::kTraits;
    } else {
        return {};
    }
}

/// The solver also runs on GPUs. Without the members that the head of this file lists for GPUs, it runs only on CPU
/// threads.
template <class Algorithm>
concept HasDeviceCode = requires(const Algorithm& algorithm) {
    algorithm.kernels();
};
/// The solver's groups exchange data at the ends of some generations. Without these members they never exchange data.
template <class Algorithm, class Population>
concept HasMeetings = requires(Algorithm& algorithm, Population& population, std::uint64_t t) {
    algorithm.next_meeting(t, t);
    algorithm.meet(population, t);
};
/// The solver has its own loop over generations. Without this member the engine calls `generation` for each generation.
template <class Algorithm, class Population>
concept EvolvesItself = requires(Algorithm& algorithm, Population& population, std::uint64_t t) {
    algorithm.evolve(population, t, t);
};
/// The solver makes several generations in one launch on a GPU. Without this member it makes one generation at a time.
template <class Algorithm, class Place>
concept HasGenerations = requires(Algorithm& algorithm, Place& place, std::uint64_t t) {
    algorithm.generations(place, t, t);
};
/// The solver splits the groups of a GPU among several places, each with a CUDA stream and a host thread. While one
/// place waits for its slowest group, the GPU works for the other places. Without this member each GPU has one place.
template <class Algorithm>
concept HasPlacesOnGpu = requires(const Algorithm& algorithm) {
    algorithm.places_on_gpu();
};
/// The solver reports statistics at the end of every round. Without this member it reports none.
template <class Algorithm, class Population>
concept TellsStatistics = requires(Algorithm& algorithm, Run& run, Population& population) {
    algorithm.tell(run, population);
};
/// At the end of a round the solver itself makes the report of each place. Without this member the engine makes the
/// report: on the host by `leader` and `digest`, on GPUs by `report`.
template <class Algorithm, class Steps>
concept Looks = requires(Algorithm& algorithm, Steps& steps) {
    algorithm.look(steps, std::uint64_t{}, true);
};
/// The solver uses fewer groups if the limit on evaluations was small when the run began. The engine calls `keep_to`
/// before `declare`. Without this member the number of groups does not change.
template <class Algorithm>
concept KeepsToBudget = requires(Algorithm& algorithm, std::uint64_t evaluations) {
    algorithm.keep_to(evaluations);
};
/// The solver has state outside its fields. put_state copies that state into the fields before saving, and take_state
/// copies it back after loading. Without these members the fields are the whole state.
template <class Algorithm, class Steps>
concept KeepsState = requires(Algorithm& algorithm, Steps& steps) {
    algorithm.put_state(steps);
    algorithm.take_state(steps);
};
/// The solver has values outside its fields that are the same in all processes. The values are saved with the fields.
/// Without these members only the fields are saved.
template <class Algorithm>
concept KeepsValues = requires(Algorithm& algorithm, Writer& writer, Reader& reader) {
    algorithm.save(writer);
    algorithm.load(reader);
};

}  // namespace qapfw::sdk
