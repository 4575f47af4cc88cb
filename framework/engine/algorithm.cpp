// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/algorithm.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "framework/host/last_error.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/host/printable.hpp"
#include "qapfw/abi/device_encodings.h"
#include "qapfw/abi/sampled_neighbourhood.h"
#include "qapfw/abi/solver.h"
#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

HostTable::Resolve resolve_into(Choice& choice) {
    return [&choice](const std::string& name, const qapfw_value& value) { choice.parameters.resolve(name, value); };
}

/// The source of a qapfw_reader: bytes in memory.
struct StateReader {
    const std::vector<std::byte>& state;
    std::size_t position = 0;
};

qapfw_status sum_over_gpus(void* context, std::uint64_t own, std::uint64_t* all) {
    try {
        *all = static_cast<const Host*>(context)->sum_over_gpus(own);
        return QAPFW_OK;
    } catch (const std::exception& error) {
        set_last_error(error.what());
        return QAPFW_ERROR;
    }
}

/// Says why the instance is too large for a solver; empty: it is not. A solver that scans all pairs of positions takes
/// too long on a large sparse instance.
std::string too_large_for(const qapfw_component& solver, const Problem& problem) {
    constexpr std::uint32_t kMostPositions = 512;
    const std::uint32_t length = problem.info().encoding.segments[0].length;
    const bool sparse = problem.capability(QAPFW_PROBLEM_SAMPLED_NEIGHBOURHOOD) != nullptr &&
                        problem.capability(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) == nullptr;
    const auto get = solver.get_capability;
    if (!sparse || length <= kMostPositions || (get != nullptr && get(QAPFW_SOLVER_SAMPLES) != nullptr)) return {};
    return fmt::format(
        "solver {} scans all pairs of positions, which takes too long for the {} positions of {}; name no solver, "
        "or choose the solver mapping",
        solver.id, length, problem.owner());
}

/// The encodings that a solver or improver supports on GPUs; null: the same as on the CPU. A component that does not
/// state them (QAPFW_COMPONENT_DEVICE_ENCODINGS) supports permutations, alone or with bays.
const char* device_encodings(const qapfw_component& component) {
    const void* const table =
        component.get_capability == nullptr ? nullptr : component.get_capability(QAPFW_COMPONENT_DEVICE_ENCODINGS);
    if (table == nullptr) return "permutation permutation+bays";
    return static_cast<const qapfw_device_encodings*>(table)->encodings;
}

}  // namespace

std::string mismatch_of(const Component& component, const Problem& problem, const std::string& backend) {
    const qapfw_component& descriptor = *component.descriptor;
    const std::string pattern = encoding_pattern(problem.info().encoding);
    if (!accepts_encoding(descriptor.encodings, pattern)) {
        return fmt::format("{} {} takes solutions of these forms: {}; the solutions of {} have the form {}",
                           kind_name(descriptor.kind), descriptor.id, descriptor.encodings, problem.owner(), pattern);
    }
    if (backend == "cuda" && !accepts_encoding(device_encodings(descriptor), pattern)) {
        return fmt::format(
            "on GPUs {} {} takes only solutions of these forms: {}; the solutions of {} have the form {}",
            kind_name(descriptor.kind), descriptor.id, device_encodings(descriptor), problem.owner(), pattern);
    }
    const std::uint32_t wanted = backend == "cuda" ? QAPFW_BACKEND_CUDA : QAPFW_BACKEND_CPU;
    if ((descriptor.backends & wanted) != 0) return {};
    return fmt::format("{} {} does not run on backend {}; it offers {}", kind_name(descriptor.kind), descriptor.id,
                       backend, wanted == QAPFW_BACKEND_CUDA ? "cpu" : "cuda");
}

void check_combination(const Config& config, const Problem& problem, const std::string& backend) {
    for (const Choice* choice : {&config.algorithm, config.improver ? &*config.improver : nullptr}) {
        const std::string wrong = choice == nullptr ? "" : mismatch_of(*choice->component, problem, backend);
        if (!wrong.empty()) throw Error(ErrorKind::kUnsupported, wrong);
    }
    const std::string too_large = too_large_for(*config.algorithm.component->descriptor, problem);
    if (!too_large.empty()) throw Error(ErrorKind::kUnsupported, too_large);
}

void check_shares_work(const Component& solver, std::uint32_t processes) {
    const qapfw_component& descriptor = *solver.descriptor;
    if (processes == 1 || descriptor.get_capability(QAPFW_SOLVER_PROCESSES) != nullptr) return;
    throw Error(ErrorKind::kUsage,
                fmt::format("solver {} does not share its work among processes, so all {} processes would do the same: "
                            "start one process, or separate runs with --processes none",
                            descriptor.id, processes));
}

Improver::Improver(Host& host, Choice& choice, const Problem& problem)
    : host_(host, std::string("improver ") + choice.component->descriptor->id, resolve_into(choice)),
      component_(choice.component->descriptor),
      table_(static_cast<const qapfw_improver_table*>(component_->table)) {
    call_plugin(host_.owner(), "create",
                [&] { return table_->create(host_.table(), choice.parameters.c_values(), problem.ref(), &improver_); });
    if (improver_ == nullptr) throw Error(ErrorKind::kPlugin, host_.owner() + ": create gave no object");
    ref_ = {sizeof ref_, improver_, table_, component_->get_capability, component_->id};
}

Improver::~Improver() {
    table_->destroy(improver_);
}

Solver::Solver(Host& host, Choice& choice, const Problem& problem, const Improver* improver, const Registry& registry)
    : improvers_(host, problem, registry),
      host_(host, std::string("solver ") + choice.component->descriptor->id, resolve_into(choice)),
      component_(choice.component->descriptor),
      table_(static_cast<const qapfw_solver_table*>(component_->table)) {
    progress_ = {sizeof progress_, this, [](void* context, const char* text, std::uint64_t size) {
                     static_cast<Solver*>(context)->words_ = printable({text, size});
                 }};
    host_.offer(QAPFW_HOST_IMPROVERS, improvers_.table());
    all_gpus_ = {sizeof all_gpus_, &host, sum_over_gpus};
    host_.offer(QAPFW_HOST_PROGRESS, &progress_);
    host_.offer(QAPFW_HOST_ALL_GPUS, &all_gpus_);
    call_plugin(owner(), "create", [&] {
        return table_->create(host_.table(), choice.parameters.c_values(), problem.ref(),
                              improver == nullptr ? nullptr : improver->ref(), &solver_);
    });
    if (solver_ == nullptr) throw Error(ErrorKind::kPlugin, owner() + ": create gave no object");
}

Solver::~Solver() {
    table_->destroy(solver_);
}

void Solver::run(const qapfw_run& services) {
    call_plugin(owner(), "run", [&] {
        const qapfw_status status = table_->run(solver_, &services);
        // A long call of the problem or of an improver returns QAPFW_STOPPED when the run must stop. If the solver
        // returns this status too, the solver has not failed.
        return status == QAPFW_STOPPED && services.should_stop(services.context) != 0 ? QAPFW_OK : status;
    });
}

bool Solver::takes_slices() const {
    return component_->get_capability != nullptr && component_->get_capability(QAPFW_SOLVER_SLICES) != nullptr;
}

bool Solver::resumable() const {
    return table_->save != nullptr && table_->load != nullptr;
}

void Solver::save(std::vector<std::byte>& state) const {
    state.clear();
    const qapfw_writer writer{&state, [](void* context, const void* bytes, std::uint64_t size) -> qapfw_status {
                                  auto& out = *static_cast<std::vector<std::byte>*>(context);
                                  const auto* first = static_cast<const std::byte*>(bytes);
                                  try {
                                      out.insert(out.end(), first, first + size);
                                  } catch (const std::exception&) {
                                      set_last_error("no memory for the saved state");
                                      return QAPFW_ERROR_MEMORY;
                                  }
                                  return QAPFW_OK;
                              }};
    call_plugin(owner(), "save", [&] { return table_->save(solver_, &writer); });
}

void Solver::load(const std::vector<std::byte>& state) {
    StateReader source{state};
    const qapfw_reader reader{&source, [](void* context, void* bytes, std::uint64_t size) -> std::uint64_t {
                                  auto& from = *static_cast<StateReader*>(context);
                                  const std::uint64_t count =
                                      std::min<std::uint64_t>(size, from.state.size() - from.position);
                                  if (count > 0) std::memcpy(bytes, from.state.data() + from.position, count);
                                  from.position += count;
                                  return count;
                              }};
    call_plugin(owner(), "load", [&] { return table_->load(solver_, &reader); });
    if (source.position != state.size()) {
        throw Error(ErrorKind::kInput,
                    fmt::format("{}: load did not read all of the saved state: {} of {} bytes are left", owner(),
                                state.size() - source.position, state.size()));
    }
}

}  // namespace qapfw::framework
