// SPDX-License-Identifier: Apache-2.0
// The kernels of the island GA: one thread per individual or island; one warp per cost. The problem's device code must
// come before this file.
#include "islands.hpp"
#include "qapfw/kernels/population_steps.hpp"

namespace island_ga {

using qapfw::device::Problem;
using View = Islands<Problem::Cost>;

}  // namespace island_ga

extern "C" __global__ void island_ga_evaluate(const __grid_constant__ island_ga::View view,
                                              const __grid_constant__ island_ga::Problem::View problem,
                                              const uint16_t* solutions, island_ga::Problem::Cost* costs) {
    qapfw::kernels::evaluate_by_warps<island_ga::Problem>(problem, solutions, view.stride, costs, view.individuals);
}
extern "C" __global__ void island_ga_step(const __grid_constant__ island_ga::View view, island_ga::Step step,
                                          uint32_t count, uint64_t generation) {
    const uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count) island_ga::make_step(view, step, k, generation, qapfw::kernels::LowerCost{});
}
extern "C" __global__ void island_ga_report(const __grid_constant__ island_ga::View view, uint64_t generation,
                                            uint32_t digests, qapfw::kernels::PopulationReport* report) {
    qapfw::kernels::report_individuals<island_ga::Problem>(
        report, {view.solutions, view.stride, view.costs, view.found, view.individuals, view.first}, generation,
        digests != 0);
}
