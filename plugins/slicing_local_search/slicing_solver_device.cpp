// SPDX-License-Identifier: Apache-2.0
// The steps of the searches on GPUs. The GPUs do all the work.
#include "embedded/slicing_local_search_texts.hpp"
#include "plugins/slicing_local_search/slicing_solver.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::slicing_local_search {
namespace {

constexpr sdk::KernelName kBegin{"qapfw_slicing_begin"}, kEvolve{"qapfw_slicing_evolve"},
    kReport{"qapfw_slicing_report"}, kShow{"qapfw_slicing_show"}, kTakeOver{"qapfw_slicing_take_over"};

}  // namespace

sdk::KernelRequest SlicingLocalSearch::kernel_request(const sdk::KernelName& name, const qapfw_device&,
                                                      const sdk::Shard&) const {
    sdk::KernelRequest request;
    request.texts = sdk::in_include_order(device::kTexts);
    request.entry = name.entry;
    return request;
}

std::vector<sdk::KernelName> SlicingLocalSearch::kernels() const {
    return {kBegin, kEvolve, kReport, kShow, kTakeOver};
}

void SlicingLocalSearch::start(Device& place) {
    const std::uint32_t given = place.upload_warm_starts(place.view().solutions);
    place.launch(kBegin, place.shard().groups, 32, 0, place.view(), place.problem_view(), given);
}

void SlicingLocalSearch::generations(Device& place, std::uint64_t first, std::uint64_t last) {
    const bool in_shared = data_.rule_count == 0 && data_.departments <= kMostInShared;
    const std::uint32_t bytes = in_shared ? shared_bytes(kernels::slicing_extent(slicing_)) : 0;
    place.launch(kEvolve, place.shard().groups, 32, bytes, place.view(), place.problem_view(), first, last);
}

void SlicingLocalSearch::show_elites(Device& place) const {
    place.launch(kShow, place.shard().groups, 32, 0, place.view());
}
void SlicingLocalSearch::take_over_elites(Device& place, std::uint64_t t) const {
    place.launch(kTakeOver, place.shard().groups, 32, 0, place.view(), t);
}

void SlicingLocalSearch::report(Device& place, std::uint64_t t, bool complete) {
    place.launch(kReport, 1, 256, 0, place.view(), t, complete ? 1u : 0u, place.report_buffer());
}

}  // namespace qapfw::slicing_local_search
