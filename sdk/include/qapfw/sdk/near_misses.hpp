// SPDX-License-Identifier: Apache-2.0
// Finds members of a plugin's class that have the name of an optional member but another signature. Such a class does
// not compile, since the member would otherwise be ignored silently.
#pragma once

#include <concepts>
#include <type_traits>

#include "qapfw/error.hpp"

namespace qapfw::sdk {

/// QAPFW_DEFINE_NAMES(save) defines names_save<T>: whether class T has a member named `save`. If it has, the
/// name is ambiguous in a class with the two bases T and With_save.
#define QAPFW_DEFINE_NAMES(NAME)                            \
    struct With_##NAME {                                    \
        int NAME;                                           \
    };                                                      \
    template <class T>                                      \
    struct Both_##NAME : T, With_##NAME {};                 \
    template <class T>                                      \
    constexpr bool names_##NAME() {                         \
        if constexpr (std::is_final_v<T>) return requires { \
                &T::NAME;                                   \
            };                                              \
        else                                                \
            return !requires {                              \
                &Both_##NAME<T>::NAME;                      \
            };                                              \
    }

QAPFW_DEFINE_NAMES(read_solution)
QAPFW_DEFINE_NAMES(draw)
QAPFW_DEFINE_NAMES(assignment)
QAPFW_DEFINE_NAMES(explain)
QAPFW_DEFINE_NAMES(evaluate_children)
QAPFW_DEFINE_NAMES(delta_insertion)
QAPFW_DEFINE_NAMES(device)
QAPFW_DEFINE_NAMES(has_approximate_device)
QAPFW_DEFINE_NAMES(owner_cost)
QAPFW_DEFINE_NAMES(searches_on)
QAPFW_DEFINE_NAMES(list_instances)
QAPFW_DEFINE_NAMES(write_instance)
QAPFW_DEFINE_NAMES(recognise)
QAPFW_DEFINE_NAMES(describe_neighbourhood)
QAPFW_DEFINE_NAMES(save)
QAPFW_DEFINE_NAMES(load)
#undef QAPFW_DEFINE_NAMES

/// Contradictions between a class and its component; a function stands for each. The functions are not constexpr, so a
/// component that is made at compile time does not compile if it has a contradiction.
struct ComponentMistake {
    /// @{
    /// Throws Error(kInternal) with a text like the function's name.
    [[noreturn]] static void cuda_is_declared_and_there_is_no_device() {
        throw Error(ErrorKind::kInternal, "QAPFW_BACKEND_CUDA is declared, but the class has no member device()");
    }
    [[noreturn]] static void device_is_there_and_cuda_is_not_declared() {
        throw Error(ErrorKind::kInternal, "the class has a member device(), but QAPFW_BACKEND_CUDA is not declared");
    }
    /// @}
};

}  // namespace qapfw::sdk
