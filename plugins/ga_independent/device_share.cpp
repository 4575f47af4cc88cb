// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_independent/device_share.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "embedded/ga_independent_texts.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/ga_kernels.hpp"

namespace qapfw::ga_independent {
namespace {

constexpr std::uint32_t kBlockThreads = kernels::kGaThreads;

sdk::KernelRequest request_of(const BlockOptions& options, const char* entry) {
    return sdk::ga_kernel(device::kTexts, entry, options.free.size(), options.rules.values);
}

/// All entries come from one compilation, which begins now, beside the improver's.
const qapfw_device& announce_kernels(const qapfw_device& device, const BlockOptions& options) {
    sdk::prepare(device, std::array{request_of(options, "qapfw_ga_independent_breed")});
    return device;
}

sdk::Kernel make_kernel(const qapfw_device& device, const BlockOptions& options, const char* entry) {
    return sdk::Kernel(device, request_of(options, entry));
}

BlockOptions share_of(const BlockOptions& options, std::uint32_t first, std::uint32_t blocks) {
    BlockOptions share = options;
    share.blocks = blocks;
    share.rules.first += first * options.rules.size;
    return share;
}

constexpr std::uint32_t kRecords = 4;  ///< arrays of one number for each block

/// for_one(which, member) of the state that the records hold.
template <class ForOne>
void for_all_records(const ForOne& for_one) {
    for_one(0, &BlockBests::best_costs);
    for_one(1, &BlockBests::best_found);
    for_one(2, &BlockBests::restarts);
    for_one(3, &BlockBests::evaluations);
}

std::uint64_t pool_bytes(const BlockOptions& options) {
    return kernels::ga_shared_bytes(options.rules.size, options.rules.values);
}

}  // namespace

DeviceShare::State::State(const qapfw_device& device, const BlockOptions& options, std::uint64_t stride)
    : individuals(device, options.individuals(), stride),
      records(device, kRecords * std::uint64_t{options.blocks}),
      best_solutions(device, options.blocks * stride) {}

void DeviceShare::State::clear(sdk::Stream& stream) {
    individuals.clear(stream);
    records.fill(stream, 0);
    best_solutions.fill(stream, 0);
}

DeviceShare::DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                         const BlockOptions& options, std::uint32_t first, std::uint32_t blocks)
    : stream_(announce_kernels(device, options)),
      side_stream_(device),
      options_(share_of(options, first, blocks)),
      stride_(problem.solution_bytes() / sizeof(std::uint16_t)),
      first_block_(first),
      blocks_(blocks),
      now_(device, options_, stride_),
      marked_(device, options_, stride_),
      children_(device, options_.individuals() * stride_),
      scratch_(device, options_.individuals() * stride_),
      positions_(stream_, problem),
      child_costs_(device, options_.individuals()),
      drawn_anew_(device, blocks),
      end_(device, 2),
      report_(device, problem.solution_bytes()),
      problem_view_(device),
      improver_(improver, device, options_.individuals()),
      begin_(make_kernel(device, options_, "qapfw_ga_independent_begin")),
      evolve_(make_kernel(device, options_, "qapfw_ga_independent_evolve")),
      breed_(make_kernel(device, options_, "qapfw_ga_independent_breed")),
      settle_(make_kernel(device, options_, "qapfw_ga_independent_settle")),
      keep_best_(make_kernel(device, options_, "qapfw_ga_independent_keep_best")),
      report_kernel_(make_kernel(device, options_, "qapfw_ga_independent_report")),
      digest_(make_kernel(device, options_, "qapfw_ga_independent_digest")),
      fitting_(fitting_blocks(device)),
      threads_(kernels::ga_threads_of_block(blocks, device.multiprocessors, fitting_)),
      restarted_(blocks),
      records_(kRecords * std::uint64_t{blocks}) {
    children_.fill(stream_, 0);
    now_.clear(stream_);
    marked_.clear(stream_);
    report_.clear(stream_);
    synchronize();
}

/// Blocks that a multiprocessor holds in shared memory at a time; none where they do not fit or an improver works on
/// them.
std::uint32_t DeviceShare::fitting_blocks(const qapfw_device& device) const {
    if (improver_ || pool_bytes(options_) > device.shared_bytes_per_block) return 0;
    return evolve_.occupancy(kBlockThreads, static_cast<std::uint32_t>(pool_bytes(options_)));
}

kernels::GaPools<qapfw_cost> DeviceShare::pools() const {
    const sdk::DevicePopulation& all = now_.individuals;
    return {sdk::pointer_to(all.solutions), sdk::pointer_to(children_), sdk::pointer_to(all.costs),
            sdk::pointer_to(child_costs_),  sdk::pointer_to(all.found), stride_};
}

DeviceView DeviceShare::view() const {
    DeviceView view{};
    view.population = {options_.rules,
                       pools(),
                       sdk::pointer_to(scratch_),
                       sdk::pointer_to(positions_.free),
                       sdk::pointer_to(positions_.order),
                       sdk::pointer_to(positions_.base),
                       options_.individuals(),
                       first_block_ * options_.rules.size};
    view.best_solutions = now_.best_solutions.address();
    view.best_costs = now_.records.address();
    view.best_found = now_.records.address(blocks_);
    view.restarts = now_.records.address(2 * std::uint64_t{blocks_});
    view.evaluations = now_.records.address(3 * std::uint64_t{blocks_});
    view.drawn_anew = drawn_anew_.address();
    view.end = end_.address();
    view.restart_check = options_.restart_check;
    view.restart_at = options_.restart_at;
    view.improves = improver_ ? 1 : 0;
    view.has_target = has_target_ ? 1 : 0;
    view.target = target_;
    return view;
}

void DeviceShare::evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    if (fitting_ > 0) return evolve_in_shared(first, last);
    if (std::exchange(marked_here_, false)) marked_.individuals.copy_from(stream_, now_.individuals);
    for (std::uint64_t generation = first + 1; generation <= last; ++generation) step(generation, run);
}

/// Individuals that are marked stay where they are: those that come of them go elsewhere.
void DeviceShare::evolve_in_shared(std::uint64_t first, std::uint64_t last) {
    const DeviceView from = view();
    if (std::exchange(marked_here_, false)) std::swap(now_.individuals, marked_.individuals);
    evolve_.launch(stream_, blocks_, threads_, static_cast<std::uint32_t>(pool_bytes(options_)), from, pools(),
                   problem_view_, first, last);
}

void DeviceShare::step(std::uint64_t generation, const sdk::Run& run) {
    breed_.launch(stream_, blocks_of_tiles(), kBlockThreads, 0, view(), problem_view_, generation);
    if (improver_) {
        qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
        request.first_individual = options_.rules.first;
        improver_.enqueue(stream_, {children_.address(), child_costs_.address(), options_.individuals()}, request);
    }
    settle_.launch(stream_, blocks_, kBlockThreads, 0, view(), problem_view_, generation);
    const bool may_restart = options_.restart_at > 0 && generation % options_.restart_check == 0;
    if (improver_ && may_restart) improve_restarted(generation, run);
}

/// The blocks that were drawn anew in this generation, one call of the improver for each.
void DeviceShare::improve_restarted(std::uint64_t generation, const sdk::Run& run) {
    drawn_anew_.download(stream_, restarted_);
    stream_.synchronize();
    if (std::count(restarted_.begin(), restarted_.end(), 0u) == std::ptrdiff_t{blocks_}) return;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kStartImproverStream);
    for (std::uint32_t block = 0; block < blocks_; ++block) {
        if (restarted_[block] == 0) continue;
        const std::uint64_t first = std::uint64_t{block} * options_.rules.size;
        request.first_individual = options_.rules.first + block * options_.rules.size;
        improver_.enqueue(stream_,
                          {now_.individuals.solutions.address(first * stride_), now_.individuals.costs.address(first),
                           options_.rules.size},
                          request);
    }
    keep_best_.launch(stream_, blocks_, 32, 0, view(), generation);
}

std::uint32_t DeviceShare::blocks_of_tiles() const {
    return kernels::ga_blocks_for(options_.individuals(), stream_.device().multiprocessors);
}

void DeviceShare::begin(const std::vector<unsigned char>& warm, const sdk::Run& run) {
    sdk::DevicePopulation& all = now_.individuals;
    const std::uint32_t individuals = options_.individuals();
    const std::uint32_t given =
        sdk::upload_warm_starts(stream_, all.solutions, stride_, warm, first_block_ * options_.rules.size);
    begin_.launch(stream_, blocks_of_tiles(), kBlockThreads, 0, view(), problem_view_, given);
    if (improver_) {
        qapfw_improve_request request = run.improve_request(0, kStartImproverStream);
        request.first_individual = options_.rules.first;
        improver_.enqueue(stream_, {all.solutions.address(), all.costs.address(), individuals}, request);
    }
    keep_best_.launch(stream_, blocks_, 32, 0, view(), std::uint64_t{0});
}

void DeviceShare::mark() {
    marked_here_ = true;
    marked_.records.copy_from(stream_, now_.records, now_.records.size());
    marked_.best_solutions.copy_from(stream_, now_.best_solutions, now_.best_solutions.size());
}

/// What is marked may be come back to again.
void DeviceShare::revert() {
    if (!std::exchange(marked_here_, true)) std::swap(now_.individuals, marked_.individuals);
    now_.records.copy_from(stream_, marked_.records, now_.records.size());
    now_.best_solutions.copy_from(stream_, marked_.best_solutions, now_.best_solutions.size());
}

void DeviceShare::start_round(std::uint64_t end, const sdk::Run& run) {
    found_at_[0] = end;
    found_at_[1] = kNotFound;
    end_.upload(stream_, found_at_);
    has_target_ = run.has_target();
    target_ = run.target();
}

std::uint64_t DeviceShare::look_at_end() {
    end_.download(side_stream_, {found_at_, 1});
    side_stream_.synchronize();
    return found_at_[0];
}

void DeviceShare::send_end(std::uint64_t end) {
    sent_ = end;
    end_.upload(side_stream_, {&sent_, 1}, 1);
    side_stream_.synchronize();
}

void DeviceShare::start_report(std::uint64_t generation) {
    const std::uint32_t individuals = options_.individuals();
    const std::uint32_t of_warp = kernels::ga_digested_by_warp(individuals, stream_.device().multiprocessors);
    const std::uint32_t of_block = kBlockThreads / 32 * of_warp;
    report_kernel_.launch(stream_, 1, 32, 0, view(), report_.buffer());
    digest_.launch(stream_, (individuals + of_block - 1) / of_block, kBlockThreads, 0, view(), generation, of_warp,
                   report_.buffer());
    report_.download(stream_);
    now_.records.download(stream_, records_);
}

void DeviceShare::take_bests(BlockBests& bests) const {
    for_all_records([&](std::uint64_t which, auto member) {
        std::memcpy((bests.*member).data() + first_block_, records_.data() + which * blocks_,
                    blocks_ * sizeof(std::uint64_t));
    });
    const std::vector<std::uint16_t> best = report_.solution<std::uint16_t>();
    std::ranges::copy(best, bests.best_solutions.begin() +
                                static_cast<std::ptrdiff_t>((first_block_ + report_.header().best) * stride_));
}

void DeviceShare::upload(const BlockState& state) {
    const std::uint64_t first = std::uint64_t{first_block_} * options_.rules.size;
    now_.individuals.upload(stream_, state.solutions.data() + first * stride_, state.costs.data() + first,
                            state.found.data() + first);
    for_all_records([&](std::uint64_t which, auto member) {
        std::memcpy(records_.data() + which * blocks_, (state.*member).data() + first_block_,
                    blocks_ * sizeof(std::uint64_t));
    });
    now_.records.upload(stream_, records_);
    now_.best_solutions.upload(stream_,
                               sdk::part_of(state.best_solutions, first_block_ * stride_, now_.best_solutions.size()));
}

void DeviceShare::download(BlockState& state) {
    const std::uint64_t first = std::uint64_t{first_block_} * options_.rules.size;
    now_.individuals.download(stream_, state.solutions.data() + first * stride_, state.costs.data() + first,
                              state.found.data() + first);
    now_.best_solutions.download(
        stream_, sdk::part_of(state.best_solutions, first_block_ * stride_, now_.best_solutions.size()));
}

}  // namespace qapfw::ga_independent
