// SPDX-License-Identifier: Apache-2.0
// A plugin library needs, in addition to its classes, their components and one use of QAPFW_PLUGIN:
//
//     constexpr qapfw_component kMine = qapfw::sdk::problem_component<Mine>({.id = "mine", ...});
//     QAPFW_PLUGIN("org.example.mine", "1.0.0", "Apache-2.0", &kMine)
#pragma once

#include "qapfw/abi/plugin.h"
#include "qapfw/sdk/solver.hpp"

/// The compiler and its version, for messages.
#if defined(__clang__)
#define QAPFW_COMPILER "clang " __clang_version__
#else
#define QAPFW_COMPILER "gcc " __VERSION__
#endif

/// Defines qapfw_plugin_entry. Use the macro once in a library. Arguments: the plugin's id, its version, its licence as
/// an SPDX expression, and the addresses of its components. There must be at least one component. All must be
/// constexpr.
#define QAPFW_PLUGIN(ID, VERSION, LICENCE, ...)                                        \
    static constexpr const qapfw_component* qapfw_plugin_components[] = {__VA_ARGS__}; \
    extern "C" QAPFW_EXPORT const qapfw_plugin qapfw_plugin_entry = {                  \
        QAPFW_PLUGIN_MAGIC,                                                            \
        sizeof(qapfw_plugin),                                                          \
        QAPFW_ABI_MAJOR,                                                               \
        QAPFW_ABI_MINOR,                                                               \
        sizeof(qapfw_plugin_components) / sizeof(qapfw_plugin_components[0]),          \
        QAPFW_PLUGIN_PLATFORM,                                                         \
        ID,                                                                            \
        VERSION,                                                                       \
        QAPFW_COMPILER,                                                                \
        LICENCE,                                                                       \
        qapfw_plugin_components};
