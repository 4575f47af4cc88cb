/* SPDX-License-Identifier: Apache-2.0 */
/* Has a function for each struct of the interface. abidiff compares two versions of the interface by the debugging
 * information of these functions. */
#include "qapfw/abi/assignment.h"
#include "qapfw/abi/base.h"
#include "qapfw/abi/bay_neighbourhood.h"
#include "qapfw/abi/bounds.h"
#include "qapfw/abi/child_costs.h"
#include "qapfw/abi/defaults.h"
#include "qapfw/abi/device.h"
#include "qapfw/abi/device_encodings.h"
#include "qapfw/abi/explanation.h"
#include "qapfw/abi/feasibility.h"
#include "qapfw/abi/host.h"
#include "qapfw/abi/improver.h"
#include "qapfw/abi/insertions.h"
#include "qapfw/abi/moves.h"
#include "qapfw/abi/owner_costs.h"
#include "qapfw/abi/parameters.h"
#include "qapfw/abi/plugin.h"
#include "qapfw/abi/preference.h"
#include "qapfw/abi/problem.h"
#include "qapfw/abi/sampled_neighbourhood.h"
#include "qapfw/abi/slicing.h"
#include "qapfw/abi/solver.h"
#include "qapfw/abi/swap_neighbourhood.h"

#define SHOW(type)                              \
    QAPFW_EXPORT void show_##type(const type*); \
    void show_##type(const type* shown) {       \
        (void)shown;                            \
    }

SHOW(qapfw_approximate_device)
SHOW(qapfw_assigned)
SHOW(qapfw_assignment)
SHOW(qapfw_batch)
SHOW(qapfw_bay_move)
SHOW(qapfw_bay_neighbourhood)
SHOW(qapfw_child_costs)
SHOW(qapfw_component)
SHOW(qapfw_cost)
SHOW(qapfw_device)
SHOW(qapfw_device_batch)
SHOW(qapfw_device_encodings)
SHOW(qapfw_device_problem)
SHOW(qapfw_encoding)
SHOW(qapfw_exchange)
SHOW(qapfw_array)
SHOW(qapfw_host)
SHOW(qapfw_host_arrays)
SHOW(qapfw_host_all_gpus)
SHOW(qapfw_host_improvers)
SHOW(qapfw_host_progress)
SHOW(qapfw_host_stop)
SHOW(qapfw_improve_request)
SHOW(qapfw_improver_device)
SHOW(qapfw_improver_ref)
SHOW(qapfw_improver_table)
SHOW(qapfw_instance_bound)
SHOW(qapfw_kernel_request)
SHOW(qapfw_launch)
SHOW(qapfw_owner_costs)
SHOW(qapfw_move)
SHOW(qapfw_insertions)
SHOW(qapfw_moves)
SHOW(qapfw_parameter)
SHOW(qapfw_parameters)
SHOW(qapfw_plugin)
SHOW(qapfw_problem_bounds)
SHOW(qapfw_problem_defaults)
SHOW(qapfw_problem_device)
SHOW(qapfw_problem_explanation)
SHOW(qapfw_problem_feasibility)
SHOW(qapfw_problem_info)
SHOW(qapfw_problem_instances)
SHOW(qapfw_problem_preference)
SHOW(qapfw_problem_recognition)
SHOW(qapfw_problem_slicing)
SHOW(qapfw_slicing)
SHOW(qapfw_slicing_rule)
SHOW(qapfw_problem_ref)
SHOW(qapfw_problem_table)
SHOW(qapfw_reader)
SHOW(qapfw_round)
SHOW(qapfw_run)
SHOW(qapfw_sampled_facts)
SHOW(qapfw_sampled_neighbourhood)
SHOW(qapfw_sampled_neighbours)
SHOW(qapfw_segment)
SHOW(qapfw_solver_processes)
SHOW(qapfw_solver_samples)
SHOW(qapfw_solver_slices)
SHOW(qapfw_solver_table)
SHOW(qapfw_swap_filter)
SHOW(qapfw_swap_move)
SHOW(qapfw_swap_neighbourhood)
SHOW(qapfw_text)
SHOW(qapfw_value)
SHOW(qapfw_view_buffer)
SHOW(qapfw_writer)
