// SPDX-License-Identifier: Apache-2.0
#include "island_ga.hpp"

#include "embedded/linear_ordering_texts.hpp"
#include "qapfw/sdk/texts.hpp"

namespace island_ga {
namespace {

constexpr sdk::KernelName kEvaluate{"island_ga_evaluate"}, kStep{"island_ga_step"}, kReport{"island_ga_report"};
constexpr std::uint32_t kThreads = 128;  ///< threads of a CUDA block
constexpr std::uint32_t kBatch = 8;      ///< children evaluated between two calls of should_stop

std::uint32_t blocks(std::uint32_t threads) {
    return (threads + kThreads - 1) / kThreads;
}

}  // namespace

IslandGa::IslandGa(const sdk::SolverContext& context)
    : context_(context), migrate_every_(static_cast<std::uint64_t>(context.parameters.integer("migrate_every"))) {
    numbers_.islands = static_cast<std::uint32_t>(context.parameters.integer("islands"));
    numbers_.size = static_cast<std::uint32_t>(context.parameters.integer("size"));
    numbers_.mutation = static_cast<std::uint32_t>(context.parameters.real("mutation_rate") * 4294967295.0);
    numbers_.length = context.problem.length();
    numbers_.stride = context.problem.solution_bytes() / sizeof(std::uint16_t);
    if (context.problem.encoding().segment_count < 2) return;
    numbers_.bits = context.problem.encoding().segments[1].length;
    numbers_.bits_offset = context.problem.encoding().segments[1].offset;
}

void IslandGa::declare(sdk::Fields<View>& fields, const sdk::Run& run) {
    const sdk::FieldOptions row{.count = numbers_.stride}, state{.is_state = true};
    fields.add<&View::solutions>({.count = numbers_.stride, .is_state = true, .is_solution = true});
    fields.add<&View::costs>(state);
    fields.add<&View::found>(state);
    fields.add<&View::children>(row);
    fields.add<&View::child_costs>({});
    fields.add<&View::marks>({.count = numbers_.length});
    guests_ = {fields.add<&View::guests>({.of = sdk::FieldOf::kRun, .count = numbers_.stride}),
               fields.add<&View::guest_costs>({.of = sdk::FieldOf::kRun})};
    const std::vector<std::uint16_t> free = sdk::free_positions(context_.problem);
    std::vector<std::uint16_t> base(numbers_.stride);
    sdk::base_solution(context_.problem, base.data());
    fields.constant<&View::free>(free);
    fields.constant<&View::base>(base);
    numbers_.free_count = static_cast<std::uint32_t>(free.size());
    numbers_.seed = run.seed();
}

void IslandGa::start(Host& steps) {
    steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
        const View& v = steps.view();
        make_step(v, kDraw, k, 0, context_.problem.less());
        if (v.first + k < steps.settings().warm_count())
            std::memcpy(v.solutions + k * v.stride, steps.settings().warm_start(v.first + k), steps.settings().bytes());
        steps.evaluate(worker, {v.solutions + k * v.stride, v.costs + k, 1}, k, 0);
    });
}
void IslandGa::make(Host& steps, Step step, std::uint64_t t) {
    const std::uint32_t each = step < kFirstOfIslands ? numbers_.size : 1;
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        for (std::uint32_t k = island * each; k < (island + 1) * each; ++k)
            make_step(steps.view(), step, k, t, context_.problem.less());
    });
}
void IslandGa::evaluate_children(Host& steps, std::uint64_t t) {
    steps.individuals(kBatch, [&](std::uint32_t first, std::uint32_t last, std::uint32_t worker) {
        const View& v = steps.view();
        steps.evaluate(worker, {v.children + first * v.stride, v.child_costs + first, last - first}, first, t);
    });
}
sdk::Leader IslandGa::leader(Host& steps) const {
    const View& v = steps.view();
    return steps.leader(v.solutions, v.costs, v.found, v.individuals, v.first);
}
std::uint64_t IslandGa::digest(Host& steps, std::uint64_t t) const {
    const View& v = steps.view();
    return steps.digest(v.solutions, v.costs, t, [&](std::uint32_t k) { return v.costs[k]; });
}
void IslandGa::start(Device& place) {
    make(place, kDraw, 0);
    place.upload_warm_starts(place.view().solutions);
    evaluate(place, place.view().solutions, place.view().costs);
}
void IslandGa::make(Device& place, Step step, std::uint64_t t) {
    const std::uint32_t count = step < kFirstOfIslands ? place.shard().individuals() : place.shard().groups;
    place.launch(kStep, blocks(count), kThreads, 0, place.view(), step, count, t);
}
void IslandGa::evaluate(Device& place, const std::uint16_t* solutions, const qapfw_cost* costs) {
    const std::uint32_t count = place.shard().individuals();
    place.launch(kEvaluate, blocks(32 * count), kThreads, 0, place.view(), place.problem_view(), solutions, costs);
    place.count(count);
}
void IslandGa::report(Device& place, std::uint64_t t, bool complete) {
    place.launch(kReport, 1, kThreads, 0, place.view(), t, complete ? 1u : 0u, place.report_buffer());
}

sdk::KernelRequest IslandGa::kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const {
    return {sdk::with_included(linear_ordering::device_texts::kTexts, "islands.cuh"), name.entry, {}, true};
}
std::vector<sdk::KernelName> IslandGa::kernels() const {
    return {kEvaluate, kStep, kReport};
}

}  // namespace island_ga
