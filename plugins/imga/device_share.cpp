// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/device_share.hpp"

#include <algorithm>
#include <utility>

#include "embedded/imga_texts.hpp"
#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::imga {
namespace {

constexpr std::uint32_t kThreads = 128;        ///< as in device/islands.cuh
constexpr std::uint32_t kReportThreads = 512;  ///< as in device/report_kernels.cuh
constexpr std::uint32_t kBlocksAtATime = 16;   ///< of a multiprocessor, at most

/// Dynamic shared memory of a block of qapfw_imga_breed, at most.
constexpr std::uint32_t kMostShared = 64 * 1024;

/// Of shared memory, for one warp: a child, its parents, a mirror image, a number per position. Half of a block's is
/// the cost's. 0: they do not fit.
std::uint32_t work_bytes_of_warp(const qapfw_device& device, const ImgaOptions& options, std::uint64_t solution_bytes) {
    const std::uint64_t wanted = 4 * solution_bytes + (2 * std::uint64_t{options.rules.n} + 15) / 16 * 16;
    const std::uint64_t room = std::min(kMostShared, device.shared_bytes_per_block / 2);
    return kThreads / 32 * wanted <= room ? static_cast<std::uint32_t>(wanted) : 0;
}

struct KernelName {
    const char *file, *entry;
};

sdk::KernelRequest request_of(const KernelName& name, const ImgaOptions& options, std::uint32_t work_bytes) {
    return {sdk::with_included(device::kTexts, name.file),
            name.entry,
            {work_bytes > 0 ? "IMGA_IN_SHARED=1" : "IMGA_IN_SHARED=0",
             options.has_bits ? "IMGA_HAS_BITS=1" : "IMGA_HAS_BITS=0"},
            true};
}

/// Every file of kernels is a compilation of its own: side by side with each other, the improver's and what comes next
/// on the host. Those that take longest first.
const qapfw_device& announce_kernels(const qapfw_device& device, const ImgaOptions& options,
                                     std::uint64_t solution_bytes) {
    std::vector<sdk::KernelRequest> requests;
    for (const KernelName& one : {KernelName{"breeding_kernels.cuh", "qapfw_imga_breed"},
                                  {"population_kernels.cuh", "qapfw_imga_draw"},
                                  {"migration_kernels.cuh", "qapfw_imga_immigrate"},
                                  {"replacement_kernels.cuh", "qapfw_imga_replace"},
                                  {"report_kernels.cuh", "qapfw_imga_report"},
                                  {"improvement_kernels.cuh", "qapfw_imga_choose"}}) {
        requests.push_back(request_of(one, options, work_bytes_of_warp(device, options, solution_bytes)));
    }
    sdk::prepare(device, requests);
    return device;
}

ImgaOptions share_of(const ImgaOptions& options, std::uint32_t first, std::uint32_t islands) {
    ImgaOptions share = options;
    share.islands = islands;
    share.first_island += first;
    return share;
}

std::uint32_t blocks_for(std::uint64_t items, std::uint32_t of_block) {
    return static_cast<std::uint32_t>((items + of_block - 1) / of_block);
}

/// Blocks that make an island's children: of kThreads children, or of fewer as long as multiprocessors are idle.
std::uint32_t blocks_of_island(const ImgaOptions& options, std::uint32_t multiprocessors) {
    std::uint32_t part = kThreads;
    const auto blocks = [&] { return blocks_for(options.size(), part); };
    while (part > kThreads / 32 && options.islands * blocks() < kBlocksAtATime * multiprocessors) part /= 2;
    return blocks();
}

/// At least one element: every buffer has an address.
template <class T>
sdk::DeviceBuffer<T> buffer(const qapfw_device& device, std::uint64_t size) {
    return sdk::DeviceBuffer<T>(device, std::max<std::uint64_t>(1, size));
}

template <class T>
T* at(const sdk::DeviceBuffer<unsigned char>& buffer, std::uint64_t offset) {
    return reinterpret_cast<T*>(buffer.address(offset));
}

template <class T>
std::span<const unsigned char> bytes_of(std::span<const T> values) {
    return {reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes()};
}
template <class T>
std::span<unsigned char> bytes_of(std::span<T> values) {
    return {reinterpret_cast<unsigned char*>(values.data()), values.size_bytes()};
}

/// Seats for emigrants of all islands of the process.
std::uint64_t seats(const ImgaOptions& options) {
    if (options.migrate_every == 0) return 0;
    return std::uint64_t{options.islands} *
           kernels::island_emigrants(options.topology, options.islands, options.migrants);
}

/// Seats that `send` and `receive` need, too.
std::uint64_t rooms(const ImgaOptions& options) {
    return options.migrate_every == 0 ? 0 : std::max<std::uint64_t>(seats(options), options.migrants);
}

}  // namespace

DeviceShare::State::State(const qapfw_device& device, std::uint64_t islands, std::uint64_t size, std::uint64_t bytes)
    : parents(device, islands * size * bytes),
      costs(device, islands * size),
      best_solutions(0),
      best_costs(islands * bytes),
      best_found(best_costs + 8 * islands),
      present_best(best_found + 8 * islands),
      improved(present_best + 8 * islands),
      end(improved + 8 * islands),
      records(device, end) {}

void DeviceShare::State::copy_individuals(sdk::Stream& stream, const State& other) {
    parents.copy_from(stream, other.parents, parents.size());
    costs.copy_from(stream, other.costs, costs.size());
}

void DeviceShare::State::swap_individuals(State& other) {
    std::swap(parents, other.parents);
    std::swap(costs, other.costs);
}

DeviceShare::Kernels::Kernels(const qapfw_device& device, const ImgaOptions& options, std::uint32_t work_bytes)
    : Kernels([&](const char* file, const char* entry) {
          return sdk::Kernel(device, request_of({file, entry}, options, work_bytes));
      }) {}

template <class Make>
DeviceShare::Kernels::Kernels(const Make& make)
    : draw(make("population_kernels.cuh", "qapfw_imga_draw")),
      begin(make("population_kernels.cuh", "qapfw_imga_begin")),
      breed(make("breeding_kernels.cuh", "qapfw_imga_breed")),
      choose(make("improvement_kernels.cuh", "qapfw_imga_choose")),
      take_improved(make("improvement_kernels.cuh", "qapfw_imga_take_improved")),
      replace(make("replacement_kernels.cuh", "qapfw_imga_replace")),
      emigrate(make("migration_kernels.cuh", "qapfw_imga_emigrate")),
      immigrate(make("migration_kernels.cuh", "qapfw_imga_immigrate")),
      send(make("migration_kernels.cuh", "qapfw_imga_send")),
      receive(make("migration_kernels.cuh", "qapfw_imga_receive")),
      report(make("report_kernels.cuh", "qapfw_imga_report")),
      digest(make("report_kernels.cuh", "qapfw_imga_digest")) {}

DeviceShare::Chosen::Chosen(const qapfw_device& device, std::uint64_t children, std::uint64_t bytes)
    : solutions(buffer<unsigned char>(device, children * bytes)),
      costs(buffer<qapfw_cost>(device, children)),
      numbers(buffer<std::uint32_t>(device, children)),
      count(device, 1) {}

DeviceShare::DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                         const ImgaOptions& options, std::uint32_t first, std::uint32_t islands)
    : stream_(announce_kernels(device, options, problem.solution_bytes())),
      options_(share_of(options, first, islands)),
      first_(first),
      together_(options.islands),
      bytes_(problem.solution_bytes()),
      now_(device, islands, options_.size(), bytes_),
      marked_(device, islands, options_.size(), bytes_),
      children_(device, options_.individuals() * bytes_),
      mirrors_(device, options_.individuals() * bytes_),
      emigrants_(buffer<unsigned char>(device, rooms(options) * bytes_)),
      report_(device, bytes_),
      positions_(device, std::uint64_t{options_.individuals()} * options.rules.n),
      child_costs_(device, options_.individuals()),
      emigrant_costs_(buffer<qapfw_cost>(device, rooms(options))),
      sorted_(device, 2 * std::uint64_t{options_.individuals()}),
      changed_(device, options_.individuals()),
      order_(stream_, problem),
      problem_view_(device),
      improver_(improver, device, options_.individuals()),
      chosen_(device, improver == nullptr ? 0 : options_.individuals(), bytes_),
      work_bytes_(work_bytes_of_warp(device, options_, bytes_)),
      blocks_(blocks_of_island(options_, device.multiprocessors)),
      kernels_(device, options_, work_bytes_) {
    const FixedElements fixed(problem);
    options_.rules.fixed_count = static_cast<std::uint32_t>(fixed.positions.size());
    fixed_ = buffer<std::uint16_t>(device, fixed.positions.size());
    fixed_.upload(stream_, fixed.positions);
    arrays_ = make_arrays();
    now_.parents.fill(stream_, 0);
    now_.costs.fill(stream_, 0);
    now_.records.fill(stream_, 0);
    children_.fill(stream_, 0);
    report_.clear(stream_);
    synchronize();
}

kernels::IslandArrays<qapfw_cost> DeviceShare::make_arrays() const {
    using sdk::pointer_to;
    kernels::IslandArrays<qapfw_cost> arrays{options_.rules,
                                             pointer_to(now_.parents),
                                             pointer_to(children_),
                                             pointer_to(mirrors_),
                                             pointer_to(positions_),
                                             pointer_to(now_.costs),
                                             pointer_to(child_costs_),
                                             pointer_to(changed_),
                                             pointer_to(sorted_),
                                             at<std::uint8_t>(now_.records, now_.best_solutions),
                                             at<qapfw_cost>(now_.records, now_.best_costs),
                                             at<std::uint64_t>(now_.records, now_.best_found),
                                             at<qapfw_cost>(now_.records, now_.present_best),
                                             at<std::uint64_t>(now_.records, now_.improved),
                                             at<unsigned long long>(report_.buffer(), 0),
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

/// move(place among the records, member of the host's state, elements of an island).
template <class Move>
void DeviceShare::for_all_records(const Move& move) const {
    move(now_.best_solutions, &IslandState::best_solutions, bytes_);
    move(now_.best_costs, &IslandState::best_costs, 1);
    move(now_.best_found, &IslandState::best_found, 1);
    move(now_.present_best, &IslandState::present_best, 1);
    move(now_.improved, &IslandState::improved, 1);
}

void DeviceShare::mark() {
    marked_.records.copy_from(stream_, now_.records, now_.records.size());
    marked_here_ = !options_.distinct;
    if (!marked_here_) marked_.copy_individuals(stream_, now_);
}

void DeviceShare::revert() {
    now_.records.copy_from(stream_, marked_.records, now_.records.size());
    if (!std::exchange(marked_here_, false)) now_.swap_individuals(marked_);
    arrays_ = make_arrays();
}

void DeviceShare::upload(const IslandState& state) {
    const std::uint64_t first = std::uint64_t{first_} * options_.size(), count = options_.individuals();
    now_.parents.upload(stream_, sdk::part_of(state.solutions, first * bytes_, count * bytes_));
    now_.costs.upload(stream_, sdk::part_of(state.costs, first, count));
    for_all_records([&](std::uint64_t to, auto member, std::uint64_t per_island) {
        const auto part = sdk::part_of(state.*member, first_ * per_island, options_.islands * per_island);
        now_.records.upload(stream_, bytes_of(part), to);
    });
}

void DeviceShare::download(IslandState& state) {
    const std::uint64_t first = std::uint64_t{first_} * options_.size(), count = options_.individuals();
    now_.parents.download(stream_, sdk::part_of(state.solutions, first * bytes_, count * bytes_));
    now_.costs.download(stream_, sdk::part_of(state.costs, first, count));
    for_all_records([&](std::uint64_t from, auto member, std::uint64_t per_island) {
        const auto part = sdk::part_of(state.*member, first_ * per_island, options_.islands * per_island);
        now_.records.download(stream_, bytes_of(part), from);
    });
}

void DeviceShare::fill(const std::vector<unsigned char>& warm, std::uint64_t generation, const sdk::Run& run) {
    if (!warm.empty()) warm_ = sdk::DeviceBuffer<unsigned char>(stream_, warm);
    const kernels::IslandWarmStarts starts{sdk::pointer_to(warm_), warm.size() / bytes_, together_, first_};
    kernels_.draw.launch(stream_, options_.islands * blocks_for(options_.size(), kThreads), kThreads, 0, arrays_,
                         problem_view_, starts, generation);
    if (improver_) {
        qapfw_improve_request request =
            run.improve_request(static_cast<std::uint32_t>(generation), kStartImproverStream);
        request.first_individual = options_.first_individual();
        improver_.enqueue(stream_, {now_.parents.address(), now_.costs.address(), options_.individuals()}, request);
    }
    kernels_.begin.launch(stream_, options_.islands, 32, 0, arrays_, generation);
    if (!warm.empty()) synchronize();
}

void DeviceShare::evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    for (std::uint64_t generation = first + 1; generation <= last; ++generation) {
        kernels_.breed.launch(stream_, options_.islands * blocks_, kThreads, kThreads / 32 * work_bytes_, arrays_,
                              problem_view_, generation, work_bytes_);
        if (improver_ && generation % options_.improve_every == 0) improve(generation, run);
        kernels_.replace.launch(stream_, options_.islands, kThreads, 0, arrays_, generation);
        if (!options_.distinct) children_become_parents();
    }
}

/// Parents that are marked stay where they are, and the next children go where those marked before were.
void DeviceShare::children_become_parents() {
    if (std::exchange(marked_here_, false)) now_.swap_individuals(marked_);
    std::swap(now_.parents, children_);
    std::swap(now_.costs, child_costs_);
    arrays_ = make_arrays();
}

/// On new children, each with probability improve_rate.
void DeviceShare::improve(std::uint64_t generation, const sdk::Run& run) {
    std::uint32_t count = 0;
    chosen_.count.fill(stream_, 0);
    kernels_.choose.launch(stream_, blocks_for(options_.individuals(), kThreads / 32), kThreads, 0, arrays_,
                           chosen_.solutions, chosen_.costs, chosen_.numbers, chosen_.count, generation);
    chosen_.count.download(stream_, {&count, 1});
    synchronize();
    if (count == 0) return;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
    request.individuals = chosen_.numbers.address();
    improver_.enqueue(stream_, {chosen_.solutions.address(), chosen_.costs.address(), count}, request);
    kernels_.take_improved.launch(stream_, blocks_for(count, kThreads / 32), kThreads, 0, arrays_, chosen_.solutions,
                                  chosen_.costs, chosen_.numbers, count);
}

kernels::IslandTravel<qapfw_cost> DeviceShare::travel(std::uint64_t generation) const {
    return {sdk::pointer_to(emigrants_),
            sdk::pointer_to(emigrant_costs_),
            generation,
            generation / options_.migrate_every,
            options_.topology,
            together_,
            first_,
            kernels::island_emigrants(options_.topology, together_, options_.migrants),
            options_.migrants};
}

void DeviceShare::emigrate(std::uint64_t generation) {
    kernels_.emigrate.launch(stream_, options_.islands, 32, 0, arrays_, travel(generation));
}

void DeviceShare::immigrate(std::uint64_t generation) {
    kernels_.immigrate.launch(stream_, options_.islands, 32, 0, arrays_, travel(generation));
}

void DeviceShare::download_emigrants(Travellers& all) {
    const std::uint64_t of_each = all.costs.size() / together_, first = first_ * of_each;
    const std::uint64_t count = options_.islands * of_each;
    emigrants_.download(stream_, sdk::part_of(all.solutions, first * bytes_, count * bytes_), first * bytes_);
    emigrant_costs_.download(stream_, sdk::part_of(all.costs, first, count), first);
}

void DeviceShare::upload_emigrants(const Travellers& all) {
    const std::uint64_t of_each = all.costs.size() / together_, first = first_ * of_each;
    const std::uint64_t end = first + options_.islands * of_each, count = all.costs.size();
    for (const auto& [begin, behind] : {std::pair{std::uint64_t{0}, first}, std::pair{end, count}}) {
        emigrants_.upload(stream_, sdk::part_of(all.solutions, begin * bytes_, (behind - begin) * bytes_),
                          begin * bytes_);
        emigrant_costs_.upload(stream_, sdk::part_of(all.costs, begin, behind - begin), begin);
    }
}

void DeviceShare::send(Travellers& leaving) {
    kernels_.send.launch(stream_, 1, 32, 0, arrays_, options_.islands - 1, options_.migrants, emigrants_,
                         emigrant_costs_);
    emigrants_.download(stream_, leaving.solutions);
    emigrant_costs_.download(stream_, leaving.costs);
}

void DeviceShare::receive(const Travellers& arriving, std::uint64_t generation) {
    emigrants_.upload(stream_, arriving.solutions);
    emigrant_costs_.upload(stream_, arriving.costs);
    kernels_.receive.launch(stream_, 1, 32, 0, arrays_, std::uint32_t{0}, options_.migrants, emigrants_,
                            emigrant_costs_, generation);
}

void DeviceShare::start_report(std::uint64_t generation, bool with_digest) {
    kernels_.report.launch(stream_, 1, kReportThreads, 0, arrays_, report_.buffer());
    if (with_digest) {
        const std::uint32_t of_warp =
            kernels::ga_digested_by_warp(options_.individuals(), stream_.device().multiprocessors);
        kernels_.digest.launch(stream_, blocks_for(options_.individuals(), kThreads / 32 * of_warp), kThreads, 0,
                               arrays_, report_.buffer(), generation, of_warp);
    }
    report_.download(stream_);
}

}  // namespace qapfw::imga
