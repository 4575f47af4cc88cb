// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/device_share.hpp"

#include <algorithm>

#include "embedded/imga_texts.hpp"
#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::imga {
namespace {

constexpr std::uint32_t kThreads = 128;  ///< as in device/islands_kernels.cuh
constexpr std::uint32_t kImproverStream = 64;

/// All entries come from one compilation.
sdk::Kernel make_kernel(const qapfw_device& device, const char* entry) {
    return sdk::Kernel(device, {sdk::in_include_order(device::kTexts), entry, {}, true});
}

ImgaOptions share_of(const ImgaOptions& options, std::uint32_t first, std::uint32_t islands) {
    ImgaOptions share = options;
    share.islands = islands;
    share.first_island += first;
    return share;
}

std::uint32_t tiles_of_island(const ImgaOptions& options) {
    return (options.size() + kThreads - 1) / kThreads;
}

/// A child costs the products of its cost, and comparisons with all parents and children where it is ranked.
std::uint64_t generations_of_launch(const ImgaOptions& options, std::uint32_t multiprocessors) {
    const std::uint64_t n = options.rules.n, products = n * n + 4 * std::uint64_t{options.size()};
    return kernels::ga_generations_of_launch(options.islands * tiles_of_island(options), multiprocessors,
                                             std::min(options.size(), kThreads), products);
}

/// At least one element: every buffer has an address.
template <class T>
sdk::DeviceBuffer<T> buffer(const qapfw_device& device, std::uint64_t size) {
    return sdk::DeviceBuffer<T>(device, std::max<std::uint64_t>(1, size));
}

}  // namespace

DeviceShare::DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                         const ImgaOptions& options, std::uint32_t first, std::uint32_t islands)
    : stream_(device),
      options_(share_of(options, first, islands)),
      first_(first),
      bytes_(problem.solution_bytes()),
      parents_(device, options_.individuals() * bytes_),
      children_(device, options_.individuals() * bytes_),
      mirrors_(device, options_.individuals() * bytes_),
      improved_children_(buffer<unsigned char>(device, improver == nullptr ? 0 : options_.individuals() * bytes_)),
      best_solutions_(device, islands * bytes_),
      positions_(device, std::uint64_t{options_.individuals()} * options.rules.n),
      fixed_(buffer<std::uint16_t>(device, options.rules.fixed_count)),
      costs_(device, options_.individuals()),
      child_costs_(device, options_.individuals()),
      improved_costs_(buffer<qapfw_cost>(device, improver == nullptr ? 0 : options_.individuals())),
      best_costs_(device, islands),
      present_best_(device, islands),
      survivors_(device, options_.individuals()),
      sorted_(device, 2 * std::uint64_t{options_.individuals()}),
      changed_(device, options_.individuals()),
      best_found_(device, islands),
      improved_(device, islands),
      count_(device, 1),
      order_(stream_, problem),
      problem_view_(device),
      improver_(improver, device, options_.individuals()),
      breed_(make_kernel(device, "qapfw_imga_breed")),
      take_improved_(make_kernel(device, "qapfw_imga_take_improved")),
      replace_(make_kernel(device, "qapfw_imga_replace")),
      arrays_(make_arrays()),
      slice_(improver_ ? 1 : generations_of_launch(options_, device.multiprocessors)) {
    fixed_.upload(stream_, {options.rules.fixed_positions, options.rules.fixed_count});
    children_.fill(stream_, 0);
    synchronize();
}

kernels::IslandArrays<qapfw_cost> DeviceShare::make_arrays() const {
    using sdk::pointer_to;
    kernels::IslandArrays<qapfw_cost> arrays{options_.rules,
                                             pointer_to(parents_),
                                             pointer_to(children_),
                                             pointer_to(mirrors_),
                                             pointer_to(positions_),
                                             pointer_to(costs_),
                                             pointer_to(child_costs_),
                                             pointer_to(survivors_),
                                             pointer_to(changed_),
                                             pointer_to(sorted_),
                                             pointer_to(best_solutions_),
                                             pointer_to(best_costs_),
                                             pointer_to(best_found_),
                                             pointer_to(present_best_),
                                             pointer_to(improved_),
                                             reinterpret_cast<unsigned long long*>(count_.address()),
                                             pointer_to(order_.order),
                                             bytes_,
                                             options_.bits_offset,
                                             options_.islands,
                                             options_.first_island,
                                             options_.elites,
                                             options_.distinct ? 1u : 0u,
                                             options_.improve};
    arrays.rules.fixed_positions = pointer_to(fixed_);
    arrays.rules.fixed_solution = pointer_to(order_.base);
    return arrays;
}

/// move(buffer, member of the state, elements of an island).
template <class Move>
void DeviceShare::for_all_arrays(const Move& move) {
    move(parents_, &IslandState::solutions, options_.size() * bytes_);
    move(costs_, &IslandState::costs, options_.size());
    move(best_solutions_, &IslandState::best_solutions, bytes_);
    move(best_costs_, &IslandState::best_costs, 1);
    move(best_found_, &IslandState::best_found, 1);
    move(present_best_, &IslandState::present_best, 1);
    move(improved_, &IslandState::improved, 1);
}

void DeviceShare::upload(const IslandState& state) {
    for_all_arrays([&](auto& to, auto member, std::uint64_t per_island) {
        to.upload(stream_, sdk::part_of(state.*member, first_ * per_island, options_.islands * per_island));
    });
    count_.fill(stream_, 0);
}

void DeviceShare::download(IslandState& state) {
    for_all_arrays([&](auto& from, auto member, std::uint64_t per_island) {
        from.download(stream_, sdk::part_of(state.*member, first_ * per_island, options_.islands * per_island));
    });
    count_.download(stream_, {&evaluations_, 1});
}

void DeviceShare::evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    const std::uint32_t tiles = tiles_of_island(options_);
    for (std::uint64_t generation = first + 1; generation <= last; ++generation) {
        breed_.launch(stream_, options_.islands * tiles, kThreads, 0, arrays_, problem_view_, generation);
        if (improver_ && generation % options_.improve_every == 0) improve(generation, run);
        replace_.launch(stream_, options_.islands, kThreads, 0, arrays_, generation);
    }
}

/// The improver works on copies of all children, since a batch's individuals have consecutive numbers; those that it
/// was to work on take over what it made of theirs.
void DeviceShare::improve(std::uint64_t generation, const sdk::Run& run) {
    const std::uint32_t children = options_.individuals();
    improved_children_.copy_from(stream_, children_, children * bytes_);
    improved_costs_.copy_from(stream_, child_costs_, children);
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
    request.first_individual = options_.first_individual();
    improver_.enqueue(stream_, {improved_children_.address(), improved_costs_.address(), children}, request);
    take_improved_.launch(stream_, (children + kThreads / 32 - 1) / (kThreads / 32), kThreads, 0, arrays_,
                          improved_children_, improved_costs_, generation);
}

}  // namespace qapfw::imga
