// SPDX-License-Identifier: Apache-2.0
#include "plugins/cas/device_share.hpp"

#include <algorithm>
#include <array>

#include "embedded/cas_texts.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::cas {
namespace {

constexpr std::uint32_t kBlockThreads = 128;       ///< as in device/cas_kernels.cuh
constexpr std::uint32_t kRowChunk = 4096;          ///< values of a trail row summed up at a time: 32 KiB
constexpr std::uint32_t kSharedBytes = 48 * 1024;  ///< what every GPU gives a block unasked
constexpr std::uint32_t kDigestBlocks = 64;
constexpr std::array kEntries = {"qapfw_cas_update_trail", "qapfw_cas_construct", "qapfw_cas_select",
                                 "qapfw_cas_digest"};

sdk::KernelRequest request(const char* entry) {
    return {sdk::in_include_order(device::kTexts), entry, {}, true};
}

/// All four entries come from one compilation.
sdk::Kernel make_kernel(const qapfw_device& device, const char* entry) {
    return sdk::Kernel(device, request(entry));
}

std::uint32_t blocks_for_warps(std::uint32_t warps) {
    return (warps * 32 + kBlockThreads - 1) / kBlockThreads;
}

std::uint64_t scratch_elements(const CasOptions& options) {
    return 2 * options.free.size();
}
bool scratch_fits(const CasOptions& options) {
    return scratch_elements(options) * sizeof(std::uint16_t) <= kSharedBytes;
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

/// The same 8 bytes as plain integers.
std::span<std::int64_t> integers(std::span<qapfw_cost> costs) {
    static_assert(sizeof(qapfw_cost) == sizeof(std::int64_t));
    return {&costs.data()->i, costs.size()};
}
std::span<const std::int64_t> integers(std::span<const qapfw_cost> costs) {
    return {&costs.data()->i, costs.size()};
}

}  // namespace

DeviceShare::Population::Population(const qapfw_device& device, std::uint64_t ants, std::uint64_t bytes,
                                    std::uint64_t trail_size)
    : solutions(device, ants * bytes), costs(device, ants), found(device, ants), trail(device, trail_size) {}

void DeviceShare::Population::clear(sdk::Stream& stream) {
    solutions.fill(stream, 0);
    costs.fill(stream, 0);
    found.fill(stream, 0);
    trail.fill(stream, 0);
}

void DeviceShare::Population::copy_from(sdk::Stream& stream, const Population& other) {
    solutions.copy_from(stream, other.solutions, solutions.size());
    costs.copy_from(stream, other.costs, costs.size());
    found.copy_from(stream, other.found, found.size());
    trail.copy_from(stream, other.trail, trail.size());
}

DeviceShare::DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                         const CasOptions& options, std::uint32_t first, std::uint32_t colonies)
    : stream_(device),
      options_(share_of(options, first, colonies)),
      bytes_(problem.solution_bytes()),
      first_colony_(first),
      first_ant_(first * options.ants()),
      ants_(options_.all_ants()),
      now_(device, ants_, bytes_, options_.trail_size() * colonies),
      marked_(device, ants_, bytes_, options_.trail_size() * colonies),
      children_(device, ants_ * bytes_),
      child_costs_(device, ants_),
      references_(device, colonies),
      free_(device, options.free.size()),
      order_(device, options.values),
      scratch_(device, scratch_fits(options) ? 0 : scratch_elements(options) * ants_),
      thresholds_(device, options.thresholds.size()),
      digest_sum_(device, 1),
      problem_view_(device),
      update_trail_(make_kernel(device, kEntries[0])),
      construct_(make_kernel(device, kEntries[1])),
      select_(make_kernel(device, kEntries[2])),
      digest_kernel_(make_kernel(device, kEntries[3])),
      improver_(improver, device, ants_),
      view_(make_view()) {
    upload_constants();
}

DeviceView DeviceShare::make_view() const {
    return {options_.rules,
            free_.address(),
            thresholds_.address(),
            static_cast<std::uint32_t>(options_.free.size()),
            options_.values,
            order_.address(),
            references_.address(),
            now_.trail.address(),
            now_.solutions.address(),
            children_.address(),
            now_.costs.address(),
            child_costs_.address(),
            now_.found.address(),
            scratch_.address(),
            options_.seed,
            ants_,
            static_cast<std::uint32_t>(bytes_ / sizeof(std::uint16_t)),
            scratch_fits(options_) ? 1u : 0u,
            options_.first_ant(),
            first_ant_,
            0};
}

void DeviceShare::upload_constants() {
    const std::vector<std::uint16_t> order = kernel_order(options_);
    free_.upload(stream_, options_.free);
    order_.upload(stream_, order);
    thresholds_.upload(stream_, options_.thresholds);
    now_.clear(stream_);  // a state saved before the first iteration ends is all zeros, as on the CPU
    stream_.synchronize();
}

void DeviceShare::update_trail() {
    if (options_.free.empty()) return;
    const std::uint32_t chunk = std::min(options_.values, kRowChunk);
    update_trail_.launch(stream_, {view_.free_count, options_.colonies}, kBlockThreads,
                         chunk * static_cast<std::uint32_t>(sizeof(std::uint64_t)), view_, chunk);
}

void DeviceShare::construct(std::uint64_t iteration) {
    const std::uint64_t shared = scratch_fits(options_) ? scratch_elements(options_) * sizeof(std::uint16_t) : 0;
    construct_.launch(stream_, ants_, kBlockThreads, static_cast<std::uint32_t>(shared), view_, problem_view_,
                      iteration);
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

void DeviceShare::mark() {
    marked_.copy_from(stream_, now_);
}

void DeviceShare::revert() {
    now_.copy_from(stream_, marked_);
}

void DeviceShare::start_digest(std::uint64_t iterations) {
    digest_sum_.fill(stream_, 0);
    digest_kernel_.launch(stream_, std::min(kDigestBlocks, blocks_for_warps(ants_)), kBlockThreads, 0, view_,
                          iterations, digest_sum_);
    digest_sum_.download(stream_, {&digest_, 1});
}

void DeviceShare::download_ant(std::uint32_t ant, void* solution) {
    now_.solutions.download(stream_, {static_cast<unsigned char*>(solution), bytes_}, (ant - first_ant_) * bytes_);
    stream_.synchronize();
}

void DeviceShare::download_costs(ColonyState& state) {
    now_.costs.download(stream_, integers(part(state.costs, first_ant_, ants_)));
    now_.found.download(stream_, part(state.found, first_ant_, ants_));
}

void DeviceShare::download(ColonyState& state) {
    download_costs(state);
    now_.solutions.download(stream_, part(state.solutions, first_ant_ * bytes_, ants_ * bytes_));
    now_.trail.download(stream_, part(state.trail, first_colony_ * options_.trail_size(), now_.trail.size()));
}

void DeviceShare::download_children(ColonyState& state) {
    child_costs_.download(stream_, integers(part(state.costs, first_ant_, ants_)));
    children_.download(stream_, part(state.solutions, first_ant_ * bytes_, ants_ * bytes_));
}

void DeviceShare::upload_children(const ColonyState& state) {
    child_costs_.upload(stream_, integers(part(state.costs, first_ant_, ants_)));
    children_.upload(stream_, part(state.solutions, first_ant_ * bytes_, ants_ * bytes_));
}

void DeviceShare::upload_ants(const ColonyState& state) {
    now_.costs.upload(stream_, integers(part(state.costs, first_ant_, ants_)));
    now_.found.upload(stream_, part(state.found, first_ant_, ants_));
    now_.solutions.upload(stream_, part(state.solutions, first_ant_ * bytes_, ants_ * bytes_));
}

void DeviceShare::upload_trails(const ColonyState& state) {
    now_.trail.upload(stream_, part(state.trail, first_colony_ * options_.trail_size(), now_.trail.size()));
    references_.upload(stream_, part(state.references, first_colony_, options_.colonies));
}

}  // namespace qapfw::cas
