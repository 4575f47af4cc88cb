// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/plugin.hpp"
#include <string_view>

#include "plugins/local_search/annealing.hpp"
#include "plugins/local_search/iterated_greedy.hpp"
#include "plugins/local_search/random_restart.hpp"
#include "plugins/local_search/two_opt.hpp"
#include "qapfw/abi/device_encodings.h"

namespace {

constexpr const char* kEncodings = nullptr;  // null: all encodings. Swaps leave the bays of a layout as they are

constexpr qapfw_component kTwoOptItself = qapfw::sdk::improver_component<qapfw::local_search::TwoOpt>(
    {.id = "two_opt",
     .version = "1.0.0",
     .summary = "Best-improvement 2-opt: the best swap is taken until none improves.",
     .reference = "Tsutsui and Fujimoto, MEDAL Report 2011005, section 6.3",
     .encodings = kEncodings,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

constexpr qapfw_component kGreedyItself = qapfw::sdk::improver_component<qapfw::local_search::GreedyTwoOpt>(
    {.id = "greedy_two_opt",
     .version = "1.0.0",
     .summary = "First-improvement 2-opt: sweeps over all pairs and makes each improving swap when it is found.",
     .reference = "PGAGrid thesis 2018, algorithm 17 (corrected)",
     .encodings = kEncodings,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

constexpr qapfw_device_encodings kAllOnDevices{sizeof(qapfw_device_encodings), nullptr};

/// Returns a copy of `kComponent` that also declares support for all encodings on GPUs.
template <const qapfw_component& kComponent>
constexpr qapfw_component on_all_encodings() {
    qapfw_component component = kComponent;
    component.get_capability = [](const char* id) -> const void* {
        if (id != nullptr && std::string_view(id) == QAPFW_COMPONENT_DEVICE_ENCODINGS) return &kAllOnDevices;
        return kComponent.get_capability(id);
    };
    return component;
}
constexpr qapfw_component kTwoOpt = on_all_encodings<kTwoOptItself>();
constexpr qapfw_component kGreedyTwoOpt = on_all_encodings<kGreedyItself>();

constexpr qapfw_component kAnnealingItself = qapfw::sdk::improver_component<qapfw::local_search::Annealing>(
    {.id = "annealing",
     .version = "1.0.0",
     .summary = "Simulated annealing over the moves of all segments, one random move at a time.",
     .reference = "Kirkpatrick, Gelatt and Vecchi 1983",
     .encodings = kEncodings,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});
constexpr qapfw_component kAnnealing = on_all_encodings<kAnnealingItself>();

constexpr qapfw_component kIteratedGreedy = qapfw::sdk::improver_component<qapfw::local_search::IteratedGreedy>(
    {.id = "iterated_greedy",
     .version = "1.0.0",
     .summary = "Elements are taken out of an order and put back, each at its best position.",
     .reference = "Ruiz and Stuetzle 2007",
     .encodings = "permutation permutation+bays",
     .backends = QAPFW_BACKEND_CPU});

constexpr qapfw_component kRestartItself = qapfw::sdk::solver_component<qapfw::local_search::RandomRestart>(
    {.id = "random_restart",
     .version = "1.0.0",
     .summary = "Random solutions, each improved by the configured improver; the best one stays.",
     .encodings = kEncodings,
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA,
     .uses_improver = 1});
constexpr qapfw_component kRandomRestart = on_all_encodings<kRestartItself>();

}  // namespace

QAPFW_PLUGIN("qapfw.local_search", "1.0.0", "Apache-2.0", &kTwoOpt, &kGreedyTwoOpt, &kAnnealing, &kIteratedGreedy,
             &kRandomRestart)
