// SPDX-License-Identifier: Apache-2.0
#include "plugins/cas/device_share.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "embedded/cas_texts.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::cas {
namespace {

constexpr std::uint32_t kBlockThreads = 128;       ///< as in device/cas_colonies.cuh
constexpr std::uint32_t kExchangeWarps = 32;       ///< of a colony's block there, at most
constexpr std::uint32_t kRowChunk = 4096;          ///< values of a trail row summed up at a time: 32 KiB
constexpr std::uint32_t kSharedBytes = 48 * 1024;  ///< of a block, without asking for more
constexpr std::uint32_t kRowBytes = 32 * 1024;     ///< of these, for trail rows that a construction stages
constexpr std::uint64_t kDigestBlocks = 1024;      ///< at most
constexpr std::uint64_t kPieceBytes = 16;          ///< of what a round's end keeps

sdk::KernelRequest request(const char* entry) {
    return {sdk::in_include_order(device::kTexts), entry, {}, true};
}

/// All entries come from one compilation, which begins now, beside the improver's.
const qapfw_device& announce_kernels(const qapfw_device& device) {
    sdk::prepare(device, std::array{request("qapfw_cas_construct")});
    return device;
}

sdk::Kernel make_kernel(const qapfw_device& device, const char* entry) {
    return sdk::Kernel(device, request(entry));
}

std::uint32_t blocks_for_warps(std::uint32_t warps) {
    return (warps * 32 + kBlockThreads - 1) / kBlockThreads;
}

/// What a construction needs beside its ant: two entries per value, three and a random word per free position, and
/// trail rows, as many as shared memory holds. Where it does not hold one, nothing is there.
struct ConstructionScratch {
    std::uint32_t rows, bytes;
    bool in_shared() const { return rows > 0; }
};
ConstructionScratch construction_scratch(const qapfw_device& device, const CasOptions& options) {
    const std::uint64_t shared = std::min(device.shared_bytes_per_block, kSharedBytes);
    const std::uint64_t row = options.values * sizeof(std::uint64_t), free = options.free.size();
    const std::uint64_t entries =
        ((2 * options.values + 3 * free) * sizeof(std::uint16_t) + free * sizeof(std::uint32_t) + 7) / 8 * 8;
    const std::uint64_t room = std::min<std::uint64_t>(shared - std::min(shared, entries), kRowBytes);
    const std::uint64_t rows = std::min(room / row, free);
    return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(rows * row + entries)};
}

/// Bytes of one ant in the device's memory.
std::uint64_t scratch_in_memory(const qapfw_device& device, const CasOptions& options) {
    const ConstructionScratch scratch = construction_scratch(device, options);
    return scratch.in_shared() ? 0 : scratch.bytes;
}

/// The positions that move, then those that are fixed.
std::vector<std::uint16_t> kernel_order(const CasOptions& options) {
    std::vector<std::uint16_t> order = options.free;
    for (std::uint32_t k = 0; k < options.values; ++k) {
        if (!std::binary_search(options.free.begin(), options.free.end(), static_cast<std::uint16_t>(k))) {
            order.push_back(static_cast<std::uint16_t>(k));
        }
    }
    return order;
}

CasOptions share_of(const CasOptions& options, std::uint32_t first, std::uint32_t colonies) {
    CasOptions share = options;
    share.colonies = colonies;
    share.first_colony = options.first_colony + first;
    return share;
}

template <class T>
std::span<T> part(std::vector<T>& all, std::uint64_t first, std::uint64_t count) {
    return {all.data() + first, count};
}
template <class T>
std::span<const T> part(const std::vector<T>& all, std::uint64_t first, std::uint64_t count) {
    return {all.data() + first, count};
}

template <class T>
std::span<unsigned char> bytes_of(std::span<T> values) {
    return {reinterpret_cast<unsigned char*>(values.data()), values.size_bytes()};
}
template <class T>
std::span<const unsigned char> bytes_of(std::span<const T> values) {
    return {reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes()};
}

}  // namespace

DeviceShare::Population::Population(const qapfw_device& device, const CasOptions& share, std::uint64_t bytes)
    : costs_at(0),
      found_at(costs_at + share.all_ants() * sizeof(qapfw_cost)),
      references_at(found_at + share.all_ants() * sizeof(std::uint64_t)),
      trail_at(references_at + share.colonies * sizeof(kernels::DepositReference)),
      solutions_at(trail_at + share.trail_size() * share.colonies * sizeof(std::uint64_t)),
      all(device, (solutions_at + share.all_ants() * bytes + kPieceBytes - 1) / kPieceBytes * kPieceBytes) {}

DeviceShare::DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                         const CasOptions& options, std::uint32_t first, std::uint32_t colonies)
    : stream_(announce_kernels(device)),
      options_(share_of(options, first, colonies)),
      bytes_(problem.solution_bytes()),
      first_colony_(first),
      first_ant_(first * options.ants()),
      ants_(options_.all_ants()),
      now_(device, options_, bytes_),
      marked_(device, options_, bytes_),
      children_(device, ants_ * bytes_),
      child_costs_(device, ants_),
      champions_(device, colonies * bytes_),
      ends_(device, colonies * kEndsBytes),
      free_(device, options.free.size()),
      order_(device, options.values),
      scratch_(device, scratch_in_memory(device, options) * ants_),
      thresholds_(device, options.thresholds.size()),
      report_(device, sizeof(RoundReport) + bytes_),
      problem_view_(device),
      improver_(improver, device, ants_),
      sample_(make_kernel(device, "qapfw_cas_sample")),
      lay_first_trails_(make_kernel(device, "qapfw_cas_lay_first_trails")),
      update_trail_(make_kernel(device, "qapfw_cas_update_trail")),
      construct_(make_kernel(device, "qapfw_cas_construct")),
      select_(make_kernel(device, "qapfw_cas_select")),
      select_and_exchange_(make_kernel(device, "qapfw_cas_select_and_exchange")),
      end_round_(make_kernel(device, "qapfw_cas_end_round")),
      view_(make_view()),
      costs_found_(2 * std::size_t{ants_}),
      reported_(report_.size()) {
    upload_constants();
}

DeviceView DeviceShare::make_view() const {
    const ConstructionScratch scratch = construction_scratch(stream_.device(), options_);
    return {options_.rules,
            free_.address(),
            thresholds_.address(),
            static_cast<std::uint32_t>(options_.free.size()),
            options_.values,
            order_.address(),
            now_.all.address(now_.references_at),
            now_.all.address(now_.trail_at),
            now_.all.address(now_.solutions_at),
            children_.address(),
            now_.all.address(now_.costs_at),
            child_costs_.address(),
            now_.all.address(now_.found_at),
            scratch_.address(),
            options_.seed,
            ants_,
            static_cast<std::uint32_t>(bytes_ / sizeof(std::uint16_t)),
            scratch.bytes,
            scratch.rows,
            options_.first_ant(),
            first_ant_};
}

void DeviceShare::upload_constants() {
    const std::vector<std::uint16_t> order = kernel_order(options_);
    free_.upload(stream_, options_.free);
    order_.upload(stream_, order);
    thresholds_.upload(stream_, options_.thresholds);
    now_.all.fill(stream_, 0);  // a state saved before the first iteration ends is all zeros, as on the CPU
    report_.fill(stream_, 0);
    ends_.fill(stream_, 0);
    stream_.synchronize();
}

void DeviceShare::update_trail() {
    if (options_.free.empty()) return;
    const std::uint32_t chunk = std::min(options_.values, kRowChunk);
    update_trail_.launch(stream_, {view_.free_count, options_.colonies}, kBlockThreads,
                         chunk * static_cast<std::uint32_t>(sizeof(std::uint64_t)), view_, chunk);
}

void DeviceShare::sample(const ColonyState& first, std::uint32_t given) {
    children_.upload(stream_, part(first.solutions, first_ant_ * bytes_, ants_ * bytes_));
    const std::uint32_t given_here = std::min(given - std::min(given, first_ant_), ants_);
    sample_.launch(stream_, ants_, kBlockThreads, construction_bytes(), view_, problem_view_, given_here);
}

void DeviceShare::construct(std::uint64_t iteration) {
    construct_.launch(stream_, ants_, kBlockThreads, construction_bytes(), view_, problem_view_, iteration);
}

void DeviceShare::improve(std::uint64_t iteration, const sdk::Run& run) {
    if (!improver_ || run.should_stop()) return;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(iteration), kImproverStream);
    request.first_individual = options_.first_ant();
    improver_.enqueue(stream_, {children_.address(), child_costs_.address(), ants_}, request);
}

void DeviceShare::select(std::uint64_t iteration) {
    select_.launch(stream_, blocks_for_warps(ants_), kBlockThreads, 0, view_, iteration);
}

void DeviceShare::select_and_exchange(std::uint64_t iteration) {
    const std::uint32_t warps = std::min(options_.ants(), kExchangeWarps);
    select_and_exchange_.launch(stream_, options_.colonies, 32 * warps, 0, view_, iteration,
                                ExchangeView{champions_.address(), ends_.address()});
}

void DeviceShare::lay_first_trails(const qapfw_problem_info& problem) {
    lay_first_trails_.launch(stream_, {std::max(view_.free_count, 1u), options_.colonies}, kBlockThreads, 0, view_,
                             cost_bound(problem));
}

void DeviceShare::mark() {
    marked_.all.copy_from(stream_, now_.all, now_.all.size());
}

void DeviceShare::revert() {
    now_.all.copy_from(stream_, marked_.all, now_.all.size());
}

void DeviceShare::start_round_end(std::uint64_t iterations, bool marks) {
    const std::uint64_t threads = std::max<std::uint64_t>(32 * ants_, options_.trail_size() * options_.colonies);
    const auto blocks =
        static_cast<std::uint32_t>(std::min(kDigestBlocks, (threads + kBlockThreads - 1) / kBlockThreads));
    const MarkingView marking{now_.all.address(), marks ? marked_.all.address() : 0, now_.all.size() / kPieceBytes};
    end_round_.launch(stream_, 1 + blocks, kBlockThreads, 0, view_, iterations, report_, marking);
    report_.download(stream_, reported_);
    stream_.mark();
}

RoundEnd DeviceShare::take_round_end() {
    stream_.reach_mark();
    RoundReport report{};
    std::memcpy(&report, reported_.data(), sizeof report);
    return {{{reported_.begin() + sizeof report, reported_.end()},
             report.cost,
             report.found,
             static_cast<std::uint32_t>(report.ant)},
            report.digests - std::exchange(digests_, report.digests)};
}

void DeviceShare::download_ants_of(const Population& population, ColonyState& state) {
    population.all.download(stream_, bytes_of(std::span(costs_found_)), population.costs_at);
    population.all.download(stream_, part(state.solutions, first_ant_ * bytes_, ants_ * bytes_),
                            population.solutions_at);
}

void DeviceShare::download_ants(ColonyState& state) {
    download_ants_of(now_, state);
}

void DeviceShare::download_marked(ColonyState& state) {
    download_ants_of(marked_, state);
    const std::uint64_t size = options_.trail_size();
    marked_.all.download(stream_, bytes_of(part(state.references, first_colony_, options_.colonies)),
                         marked_.references_at);
    marked_.all.download(stream_, bytes_of(part(state.trail, first_colony_ * size, options_.colonies * size)),
                         marked_.trail_at);
}

void DeviceShare::take_costs(ColonyState& state) const {
    for (std::uint32_t k = 0; k < ants_; ++k) {
        state.costs[first_ant_ + k].i = static_cast<std::int64_t>(costs_found_[k]);
        state.found[first_ant_ + k] = costs_found_[ants_ + k];
    }
}

void DeviceShare::download_children(ColonyState& state) {
    child_costs_.download(stream_, part(state.costs, first_ant_, ants_));
    children_.download(stream_, part(state.solutions, first_ant_ * bytes_, ants_ * bytes_));
}

void DeviceShare::upload_ants(const ColonyState& state) {
    now_.all.upload(stream_, bytes_of(part(state.costs, first_ant_, ants_)), now_.costs_at);
    now_.all.upload(stream_, bytes_of(part(state.found, first_ant_, ants_)), now_.found_at);
    now_.all.upload(stream_, part(state.solutions, first_ant_ * bytes_, ants_ * bytes_), now_.solutions_at);
}

void DeviceShare::upload_trails(const ColonyState& state) {
    const std::uint64_t size = options_.trail_size();
    now_.all.upload(stream_, bytes_of(part(state.references, first_colony_, options_.colonies)), now_.references_at);
    now_.all.upload(stream_, bytes_of(part(state.trail, first_colony_ * size, options_.colonies * size)),
                    now_.trail_at);
}

}  // namespace qapfw::cas
