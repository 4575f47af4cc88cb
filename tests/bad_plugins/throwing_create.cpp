// SPDX-License-Identifier: Apache-2.0
// Loads, but breaks the contract: an exception leaves its problem's create.
#define MINIMAL_ID "throwing_create"
#define MINIMAL_PROBLEM_CREATE throwing_create
#include <stdexcept>

#include "qapfw/abi/plugin.h"
static qapfw_status throwing_create(const qapfw_host*, const qapfw_parameters*, qapfw_problem**) {
    throw std::runtime_error("thrown by create");
}
extern "C" {
#include "minimal_plugin.h"
}
