// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_distributed/device_share.hpp"

#include <array>
#include <utility>

#include "embedded/ga_distributed_texts.hpp"
#include "qapfw/kernels/ga_exchange.hpp"
#include "qapfw/sdk/ga_kernels.hpp"

namespace qapfw::ga_distributed {
namespace {

constexpr std::uint32_t kBlockThreads = kernels::kGaThreads;

/// Of each subpopulation, as kernels get it; device/islands_kernels.cuh has the same struct.
struct Bests {
    std::uint64_t costs, found, individuals;
};

sdk::KernelRequest request_of(const IslandOptions& options, const char* entry) {
    return sdk::ga_kernel(device::kTexts, entry, options.free.size(), options.rules.values);
}

/// All entries come from one compilation, which begins now, beside the improver's.
const qapfw_device& announce_kernels(const qapfw_device& device, const IslandOptions& options) {
    sdk::prepare(device, std::array{request_of(options, "qapfw_ga_distributed_breed")});
    return device;
}

sdk::Kernel make_kernel(const qapfw_device& device, const IslandOptions& options, const char* entry) {
    return sdk::Kernel(device, request_of(options, entry));
}

IslandOptions share_of(const IslandOptions& options, std::uint32_t first, std::uint32_t islands) {
    IslandOptions share = options;
    share.islands = islands;
    share.rules.first += first * options.rules.size;
    return share;
}

std::uint64_t pool_bytes(const IslandOptions& options) {
    return kernels::ga_shared_bytes(options.rules.size, options.rules.values);
}

std::uint32_t blocks_for_warps(std::uint32_t warps) {
    return (warps + kernels::kGaThreads / 32 - 1) / (kernels::kGaThreads / 32);
}

}  // namespace

DeviceShare::DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                         const IslandOptions& options, std::uint32_t first, std::uint32_t islands)
    : stream_(announce_kernels(device, options)),
      options_(share_of(options, first, islands)),
      stride_(problem.solution_bytes() / sizeof(std::uint16_t)),
      first_here_(first * options.rules.size),
      now_(device, options_.individuals(), stride_),
      marked_(device, options_.individuals(), stride_),
      next_(device, options_.individuals(), stride_),
      children_(device, options_.individuals() * stride_),
      scratch_(device, options_.individuals() * stride_),
      positions_(stream_, problem),
      child_costs_(device, options_.individuals()),
      best_costs_(device, islands),
      best_found_(device, islands),
      best_individuals_(device, islands),
      report_(device, problem.solution_bytes()),
      problem_view_(device),
      improver_(improver, device, options_.individuals()),
      begin_(make_kernel(device, options_, "qapfw_ga_distributed_begin")),
      evolve_(make_kernel(device, options_, "qapfw_ga_distributed_evolve")),
      breed_(make_kernel(device, options_, "qapfw_ga_distributed_breed")),
      select_(make_kernel(device, options_, "qapfw_ga_distributed_select")),
      move_(make_kernel(device, options_, "qapfw_ga_distributed_move")),
      bests_(make_kernel(device, options_, "qapfw_ga_distributed_bests")),
      report_kernel_(make_kernel(device, options_, "qapfw_ga_distributed_report")),
      digest_(make_kernel(device, options_, "qapfw_ga_distributed_digest")),
      fitting_(fitting_blocks(device)),
      threads_(kernels::ga_threads_of_block(islands, device.multiprocessors, fitting_)) {
    for (sdk::DevicePopulation* population : {&now_, &marked_, &next_}) population->clear(stream_);
    children_.fill(stream_, 0);
    report_.clear(stream_);
    synchronize();
}

/// Subpopulations that a multiprocessor holds in shared memory at a time; none where they do not fit or an improver
/// works on them.
std::uint32_t DeviceShare::fitting_blocks(const qapfw_device& device) const {
    if (improver_ || pool_bytes(options_) > device.shared_bytes_per_block) return 0;
    return evolve_.occupancy(kBlockThreads, static_cast<std::uint32_t>(pool_bytes(options_)));
}

kernels::GaPools<qapfw_cost> DeviceShare::pools() const {
    using sdk::pointer_to;
    return {pointer_to(now_.solutions), pointer_to(children_),  pointer_to(now_.costs),
            pointer_to(child_costs_),   pointer_to(now_.found), stride_};
}

kernels::GaPopulation<qapfw_cost> DeviceShare::view() const {
    using sdk::pointer_to;
    return {options_.rules,
            pools(),
            pointer_to(scratch_),
            pointer_to(positions_.free),
            pointer_to(positions_.order),
            pointer_to(positions_.base),
            options_.individuals(),
            first_here_};
}

void DeviceShare::evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    if (fitting_ > 0) return evolve_in_shared(first, last);
    if (std::exchange(marked_here_, false)) marked_.copy_from(stream_, now_);
    for (std::uint64_t generation = first + 1; generation <= last; ++generation) step(generation, run);
}

/// What is marked stays where it is: the individuals that come of it go elsewhere.
void DeviceShare::evolve_in_shared(std::uint64_t first, std::uint64_t last) {
    const kernels::GaPopulation<qapfw_cost> from = view();
    if (std::exchange(marked_here_, false)) std::swap(now_, marked_);
    evolve_.launch(stream_, options_.islands, threads_, static_cast<std::uint32_t>(pool_bytes(options_)), from, pools(),
                   problem_view_, first, last);
}

void DeviceShare::step(std::uint64_t generation, const sdk::Run& run) {
    const std::uint32_t individuals = options_.individuals();
    breed_.launch(stream_, blocks_of_tiles(), kBlockThreads, 0, view(), problem_view_, generation);
    if (improver_) {
        qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
        request.first_individual = options_.rules.first;
        improver_.enqueue(stream_, {children_.address(), child_costs_.address(), individuals}, request);
    }
    select_.launch(stream_, blocks_for_warps(individuals), kBlockThreads, 0, view(), generation);
}

void DeviceShare::revert() {
    if (!std::exchange(marked_here_, false)) std::swap(now_, marked_);
}

std::uint32_t DeviceShare::blocks_of_tiles() const {
    return kernels::ga_blocks_for(options_.individuals(), stream_.device().multiprocessors);
}

void DeviceShare::begin(const std::vector<unsigned char>& warm, const sdk::Run& run) {
    const std::uint32_t individuals = options_.individuals();
    const std::uint32_t given = sdk::upload_warm_starts(stream_, now_.solutions, stride_, warm, first_here_);
    begin_.launch(stream_, blocks_of_tiles(), kBlockThreads, 0, view(), problem_view_, given);
    if (!improver_) return;
    qapfw_improve_request request = run.improve_request(0, kStartImproverStream);
    request.first_individual = options_.rules.first;
    improver_.enqueue(stream_, {now_.solutions.address(), now_.costs.address(), individuals}, request);
}

void DeviceShare::exchange(std::uint64_t generation, std::uint32_t moved) {
    if (moved == 0) return;
    const kernels::RandomBijection places =
        kernels::random_bijection(options_.rules.seed, generation, kernels::kGaExchangeStream, options_.individuals());
    const kernels::GaPopulation<qapfw_cost> from = view();
    if (moved < options_.individuals()) next_.copy_from(stream_, now_);
    std::swap(now_, next_);
    move_.launch(stream_, blocks_for_warps(moved), kBlockThreads, 0, from, places, pools(), moved);
}

void DeviceShare::start_report(std::uint64_t generation, bool with_digest) {
    const Bests bests{best_costs_.address(), best_found_.address(), best_individuals_.address()};
    bests_.launch(stream_, options_.islands, 32, 0, view(), bests);
    report_kernel_.launch(stream_, 1, 32, 0, view(), bests, report_.buffer());
    if (with_digest) {
        const std::uint32_t of_warp =
            kernels::ga_digested_by_warp(options_.individuals(), stream_.device().multiprocessors);
        digest_.launch(stream_, blocks_for_warps((options_.individuals() + of_warp - 1) / of_warp), kBlockThreads, 0,
                       view(), generation, of_warp, report_.buffer());
    }
    report_.download(stream_);
}

void DeviceShare::upload(const Individuals& state) {
    now_.upload(stream_, state.solutions.data() + first_here_ * stride_, state.costs.data() + first_here_,
                state.found.data() + first_here_);
}

void DeviceShare::download(Individuals& state) {
    now_.download(stream_, state.solutions.data() + first_here_ * stride_, state.costs.data() + first_here_,
                  state.found.data() + first_here_);
}

}  // namespace qapfw::ga_distributed
