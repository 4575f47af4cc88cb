// SPDX-License-Identifier: Apache-2.0
// Checks a plugin's descriptor and the tables of its components. Each table must be at least as large as in interface
// 2.0, since later minor versions only append fields.
#include "framework/plugin/descriptor.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "framework/plugin/registry.hpp"
#include "qapfw/abi/assignment.h"
#include "qapfw/abi/bay_neighbourhood.h"
#include "qapfw/abi/bounds.h"
#include "qapfw/abi/child_costs.h"
#include "qapfw/abi/explanation.h"
#include "qapfw/abi/feasibility.h"
#include "qapfw/abi/moves.h"
#include "qapfw/abi/owner_costs.h"
#include "qapfw/abi/preference.h"
#include "qapfw/abi/problem.h"
#include "qapfw/abi/sampled_neighbourhood.h"
#include "qapfw/abi/slicing.h"
#include "qapfw/abi/solver.h"
#include "qapfw/abi/swap_neighbourhood.h"

// Size in bytes of a table up to and including `member`, the table's last member in interface 2.0.
#define QAPFW_SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(type::member))

namespace qapfw::framework {

namespace {

constexpr std::uint32_t kMostComponents = 64;
constexpr std::uint32_t kLargestTable = 65536;  // largest struct_size that a plugin's table may have, in bytes
constexpr std::size_t kLongestId = 64;
constexpr std::size_t kLongestPluginText = 4096;

/// A function pointer that a table must have: its name, and its offset in the table in bytes. check_table() checks all
/// slots of a table in one loop.
struct Slot {
    const char* name;
    std::size_t offset;
};

#define QAPFW_SLOT(type, member)        \
    Slot {                              \
#member, offsetof(type, member) \
    }

template <std::size_t Count>
struct TableShape {
    const char* name;
    std::size_t size;
    std::array<Slot, Count> slots;
};

constexpr TableShape<5> kProblemShape{
    "qapfw_problem_table",
    QAPFW_SIZE_UP_TO(qapfw_problem_table, draw),
    {{QAPFW_SLOT(qapfw_problem_table, create), QAPFW_SLOT(qapfw_problem_table, destroy),
      QAPFW_SLOT(qapfw_problem_table, info), QAPFW_SLOT(qapfw_problem_table, evaluate),
      QAPFW_SLOT(qapfw_problem_table, write_artefacts)}}};
constexpr TableShape<3> kSolverShape{"qapfw_solver_table",
                                     QAPFW_SIZE_UP_TO(qapfw_solver_table, load),
                                     {{QAPFW_SLOT(qapfw_solver_table, create), QAPFW_SLOT(qapfw_solver_table, destroy),
                                       QAPFW_SLOT(qapfw_solver_table, run)}}};
constexpr TableShape<5> kImproverShape{
    "qapfw_improver_table",
    QAPFW_SIZE_UP_TO(qapfw_improver_table, improve),
    {{QAPFW_SLOT(qapfw_improver_table, create), QAPFW_SLOT(qapfw_improver_table, destroy),
      QAPFW_SLOT(qapfw_improver_table, create_workspace), QAPFW_SLOT(qapfw_improver_table, destroy_workspace),
      QAPFW_SLOT(qapfw_improver_table, improve)}}};
constexpr TableShape<7> kNeighbourhoodShape{
    QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD,
    QAPFW_SIZE_UP_TO(qapfw_swap_neighbourhood, watch),
    {{QAPFW_SLOT(qapfw_swap_neighbourhood, create), QAPFW_SLOT(qapfw_swap_neighbourhood, destroy),
      QAPFW_SLOT(qapfw_swap_neighbourhood, reset), QAPFW_SLOT(qapfw_swap_neighbourhood, best_admissible),
      QAPFW_SLOT(qapfw_swap_neighbourhood, first_improving), QAPFW_SLOT(qapfw_swap_neighbourhood, apply),
      QAPFW_SLOT(qapfw_swap_neighbourhood, describe)}}};
constexpr TableShape<4> kBayNeighbourhoodShape{
    QAPFW_PROBLEM_BAY_NEIGHBOURHOOD,
    QAPFW_SIZE_UP_TO(qapfw_bay_neighbourhood, first_promising),
    {{QAPFW_SLOT(qapfw_bay_neighbourhood, create), QAPFW_SLOT(qapfw_bay_neighbourhood, destroy),
      QAPFW_SLOT(qapfw_bay_neighbourhood, reset), QAPFW_SLOT(qapfw_bay_neighbourhood, first_promising)}}};
constexpr TableShape<1> kChildCostsShape{QAPFW_PROBLEM_CHILD_COSTS,
                                         QAPFW_SIZE_UP_TO(qapfw_child_costs, evaluate_children),
                                         {{QAPFW_SLOT(qapfw_child_costs, evaluate_children)}}};
constexpr TableShape<2> kInstancesShape{
    QAPFW_PROBLEM_INSTANCES,
    QAPFW_SIZE_UP_TO(qapfw_problem_instances, write_instance),
    {{QAPFW_SLOT(qapfw_problem_instances, list), QAPFW_SLOT(qapfw_problem_instances, write_instance)}}};
constexpr TableShape<1> kRecognitionShape{QAPFW_PROBLEM_RECOGNITION,
                                          QAPFW_SIZE_UP_TO(qapfw_problem_recognition, recognise),
                                          {{QAPFW_SLOT(qapfw_problem_recognition, recognise)}}};
constexpr TableShape<1> kProblemDeviceShape{QAPFW_PROBLEM_DEVICE,
                                            QAPFW_SIZE_UP_TO(qapfw_problem_device, searches),
                                            {{QAPFW_SLOT(qapfw_problem_device, describe)}}};
constexpr TableShape<1> kApproximateDeviceShape{QAPFW_PROBLEM_APPROXIMATE_DEVICE,
                                                QAPFW_SIZE_UP_TO(qapfw_approximate_device, is_approximate),
                                                {{QAPFW_SLOT(qapfw_approximate_device, is_approximate)}}};
constexpr TableShape<2> kSlicingShape{
    QAPFW_PROBLEM_SLICING,
    QAPFW_SIZE_UP_TO(qapfw_problem_slicing, flow_cost),
    {{QAPFW_SLOT(qapfw_problem_slicing, describe), QAPFW_SLOT(qapfw_problem_slicing, flow_cost)}}};
constexpr TableShape<1> kPreferenceShape{QAPFW_PROBLEM_PREFERENCE,
                                         QAPFW_SIZE_UP_TO(qapfw_problem_preference, solver),
                                         {{QAPFW_SLOT(qapfw_problem_preference, solver)}}};
constexpr TableShape<1> kFeasibilityShape{QAPFW_PROBLEM_FEASIBILITY,
                                          QAPFW_SIZE_UP_TO(qapfw_problem_feasibility, start),
                                          {{QAPFW_SLOT(qapfw_problem_feasibility, defect)}}};
constexpr TableShape<1> kExplanationShape{QAPFW_PROBLEM_EXPLANATION,
                                          QAPFW_SIZE_UP_TO(qapfw_problem_explanation, explain),
                                          {{QAPFW_SLOT(qapfw_problem_explanation, explain)}}};
constexpr TableShape<1> kAssignmentShape{QAPFW_PROBLEM_ASSIGNMENT,
                                         QAPFW_SIZE_UP_TO(qapfw_assignment, assignment),
                                         {{QAPFW_SLOT(qapfw_assignment, assignment)}}};
constexpr TableShape<7> kBoundsShape{
    QAPFW_PROBLEM_BOUNDS,
    QAPFW_SIZE_UP_TO(qapfw_problem_bounds, children),
    {{QAPFW_SLOT(qapfw_problem_bounds, of_instance), QAPFW_SLOT(qapfw_problem_bounds, create),
      QAPFW_SLOT(qapfw_problem_bounds, destroy), QAPFW_SLOT(qapfw_problem_bounds, reset),
      QAPFW_SLOT(qapfw_problem_bounds, fix), QAPFW_SLOT(qapfw_problem_bounds, unfix),
      QAPFW_SLOT(qapfw_problem_bounds, children)}}};
constexpr TableShape<3> kOwnerCostsShape{QAPFW_PROBLEM_OWNER_COSTS,
                                         QAPFW_SIZE_UP_TO(qapfw_owner_costs, improve),
                                         {{QAPFW_SLOT(qapfw_owner_costs, info), QAPFW_SLOT(qapfw_owner_costs, cost),
                                           QAPFW_SLOT(qapfw_owner_costs, improve)}}};
constexpr TableShape<10> kSampledShape{
    QAPFW_PROBLEM_SAMPLED_NEIGHBOURHOOD,
    QAPFW_SIZE_UP_TO(qapfw_sampled_neighbourhood, construct),
    {{QAPFW_SLOT(qapfw_sampled_neighbourhood, facts), QAPFW_SLOT(qapfw_sampled_neighbourhood, create),
      QAPFW_SLOT(qapfw_sampled_neighbourhood, destroy), QAPFW_SLOT(qapfw_sampled_neighbourhood, reset),
      QAPFW_SLOT(qapfw_sampled_neighbourhood, solution), QAPFW_SLOT(qapfw_sampled_neighbourhood, cost),
      QAPFW_SLOT(qapfw_sampled_neighbourhood, propose), QAPFW_SLOT(qapfw_sampled_neighbourhood, neighbours),
      QAPFW_SLOT(qapfw_sampled_neighbourhood, exchange), QAPFW_SLOT(qapfw_sampled_neighbourhood, construct)}}};
constexpr TableShape<4> kImproverDeviceShape{
    QAPFW_IMPROVER_DEVICE,
    QAPFW_SIZE_UP_TO(qapfw_improver_device, announce),
    {{QAPFW_SLOT(qapfw_improver_device, create), QAPFW_SLOT(qapfw_improver_device, destroy),
      QAPFW_SLOT(qapfw_improver_device, enqueue), QAPFW_SLOT(qapfw_improver_device, evaluations)}}};

constexpr TableShape<5> kMovesShape{
    QAPFW_PROBLEM_MOVES,
    QAPFW_SIZE_UP_TO(qapfw_moves, apply),
    {{QAPFW_SLOT(qapfw_moves, create), QAPFW_SLOT(qapfw_moves, destroy), QAPFW_SLOT(qapfw_moves, reset),
      QAPFW_SLOT(qapfw_moves, deltas), QAPFW_SLOT(qapfw_moves, apply)}}};
constexpr TableShape<0> kSolverSlicesShape{QAPFW_SOLVER_SLICES, QAPFW_SIZE_UP_TO(qapfw_solver_slices, struct_size), {}};
constexpr TableShape<0> kSolverProcessesShape{
    QAPFW_SOLVER_PROCESSES, QAPFW_SIZE_UP_TO(qapfw_solver_processes, struct_size), {}};

std::string check_size(const char* what, std::uint32_t found, std::size_t expected) {
    if (found >= expected && found <= kLargestTable) return {};
    return fmt::format("{} must have a struct_size of {} to {} bytes, found {}", what, expected, kLargestTable, found);
}

template <std::size_t Count>
std::string check_table(const void* table, const TableShape<Count>& shape) {
    if (table == nullptr) return fmt::format("its {} is missing (null)", shape.name);
    std::uint32_t size = 0;
    std::memcpy(&size, table, sizeof(size));
    if (auto wrong = check_size(shape.name, size, shape.size); !wrong.empty()) return wrong;
    for (const Slot& slot : shape.slots) {
        const void* function = nullptr;
        std::memcpy(&function, static_cast<const std::byte*>(table) + slot.offset, sizeof(function));
        if (function == nullptr)
            return fmt::format("{} must have the function `{}`, found null", shape.name, slot.name);
    }
    return {};
}

std::string check_solver_table(const void* address) {
    if (auto wrong = check_table(address, kSolverShape); !wrong.empty()) return wrong;
    const auto& table = *static_cast<const qapfw_solver_table*>(address);
    if ((table.save == nullptr) == (table.load == nullptr)) return {};
    return fmt::format("qapfw_solver_table must have both or neither of `save` and `load`, found `{}` alone",
                       table.save != nullptr ? "save" : "load");
}

std::string check_own_table(const qapfw_component& component) {
    switch (component.kind) {
        case QAPFW_KIND_PROBLEM:
            return check_table(component.table, kProblemShape);
        case QAPFW_KIND_SOLVER:
            return check_solver_table(component.table);
        default:
            return check_table(component.table, kImproverShape);
    }
}

bool is_segment_kind(std::string_view word) {
    for (const char* kind :
         {"permutation", "permutation32", "values", "counted_values", "bits", "counted_bits", "bays"}) {
        if (word == kind) return true;
    }
    return false;
}

/// True if the text is a list such as "permutation permutation+bays".
bool is_encoding_list(std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= text.size(); ++k) {
        if (k < text.size() && text[k] != ' ' && text[k] != '+') continue;
        if (!is_segment_kind(text.substr(begin, k - begin))) return false;
        begin = k + 1;
    }
    return true;
}

std::string check_solver_or_improver(const qapfw_component& component) {
    if (component.encodings != nullptr &&
        (!is_plain_text(component.encodings) || !is_encoding_list(component.encodings))) {
        return "its encodings must be null or a list such as \"permutation permutation+bays\", found something else";
    }
    if (component.backends == 0) return "its backends must name at least one of QAPFW_BACKEND_..., found 0";
    if (component.kind == QAPFW_KIND_SOLVER && component.uses_improver > 2) {
        return fmt::format("its uses_improver must be 0, 1 or 2, found {}", component.uses_improver);
    }
    return {};
}

std::string check_texts(const qapfw_component& component) {
    if (!is_plain_text(component.version))
        return "its version must be a text such as \"1.2.3\", but it is missing, too long or no plain text";
    if (!is_plain_text(component.summary))
        return "its summary must be a sentence in UTF-8, but it is missing, too long or no plain text";
    if (component.reference != nullptr && *component.reference != '\0' && !is_plain_text(component.reference)) {
        return "its reference must be null or a text in UTF-8, but it is too long or no plain text";
    }
    return {};
}

/// Returns the name of a component for a refusal, such as: problem "qap"
std::string component_name(const qapfw_component& component) {
    return fmt::format("{} \"{}\"", kind_name(component.kind), component.id);
}

std::string check_abi(const qapfw_plugin& plugin) {
    if (plugin.abi_major == QAPFW_ABI_MAJOR) return {};
    const bool old = plugin.abi_major < QAPFW_ABI_MAJOR;
    return fmt::format("it is too {}: expected plugin ABI {}.x, found {}.{}; {}", old ? "old" : "new", QAPFW_ABI_MAJOR,
                       plugin.abi_major, plugin.abi_minor,
                       old ? "build it again with the SDK of this program"
                           : "update this program or build the plugin with this program's SDK");
}

std::string check_head(const qapfw_plugin& plugin) {
    const char magic[sizeof(plugin.magic)] = QAPFW_PLUGIN_MAGIC;
    if (std::memcmp(plugin.magic, magic, sizeof(magic)) != 0) {
        return "qapfw_plugin_entry must begin with \"" QAPFW_PLUGIN_MAGIC "\", found other bytes";
    }
    if (auto wrong = check_abi(plugin); !wrong.empty()) return wrong;
    if (auto wrong = check_size("qapfw_plugin", plugin.struct_size, QAPFW_SIZE_UP_TO(qapfw_plugin, components));
        !wrong.empty()) {
        return wrong;
    }
    if (!is_plain_text(plugin.platform) || std::strcmp(plugin.platform, QAPFW_PLUGIN_PLATFORM) != 0) {
        return fmt::format("it must be built for " QAPFW_PLUGIN_PLATFORM ", found {}",
                           is_plain_text(plugin.platform) ? plugin.platform : "no platform");
    }
    if (!is_plain_text(plugin.id))
        return "its id must be a text such as \"org.example.name\", but it is missing, too long or no plain text";
    if (!is_plain_text(plugin.version))
        return "its version must be a text such as \"1.2.3\", but it is missing, too long or no plain text";
    if (plugin.component_count == 0 || plugin.component_count > kMostComponents || plugin.components == nullptr) {
        return fmt::format("it must offer 1 to {} components, found {}", kMostComponents,
                           plugin.components == nullptr ? 0U : plugin.component_count);
    }
    return {};
}

std::string check_unique(const qapfw_plugin& plugin) {
    for (std::uint32_t k = 0; k < plugin.component_count; ++k) {
        for (std::uint32_t other = 0; other < k; ++other) {
            const qapfw_component& a = *plugin.components[k];
            const qapfw_component& b = *plugin.components[other];
            if (a.kind != b.kind || std::strcmp(a.id, b.id) != 0) continue;
            return fmt::format("it must offer each component once, found {} twice", component_name(a));
        }
    }
    return {};
}

std::size_t sequence_length(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead < 0xE0) return 2;
    if (lead >= 0xE0 && lead < 0xF0) return 3;
    if (lead >= 0xF0 && lead < 0xF5) return 4;
    return 0;
}

}  // namespace

bool is_snake_case(const char* text) {
    if (text == nullptr || *text < 'a' || *text > 'z') return false;
    std::size_t length = 0;
    for (; text[length] != '\0'; ++length) {
        const char c = text[length];
        if (length == kLongestId) return false;
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
    }
    return true;
}

bool is_plain_text(const char* text) {
    if (text == nullptr) return false;
    const std::size_t size = strnlen(text, kLongestPluginText + 1);
    if (size == 0 || size > kLongestPluginText) return false;
    for (std::size_t k = 0; k < size;) {
        const auto lead = static_cast<unsigned char>(text[k]);
        const std::size_t length = sequence_length(lead);
        if (length == 0 || k + length > size || lead < 0x20 || lead == 0x7F) return false;
        for (std::size_t more = 1; more < length; ++more) {
            if ((static_cast<unsigned char>(text[k + more]) & 0xC0U) != 0x80U) return false;
        }
        k += length;
    }
    return true;
}

std::string check_capabilities(const qapfw_component& component) {
    const auto check = [&component](const auto& shape) {
        const void* table = component.get_capability(shape.name);
        return table == nullptr ? std::string{} : check_table(table, shape);
    };
    std::string wrong;
    if (component.kind == QAPFW_KIND_PROBLEM) {
        wrong = check(kNeighbourhoodShape);
        if (wrong.empty()) wrong = check(kBayNeighbourhoodShape);
        if (wrong.empty()) wrong = check(kChildCostsShape);
        if (wrong.empty()) wrong = check(kInstancesShape);
        if (wrong.empty()) wrong = check(kRecognitionShape);
        if (wrong.empty()) wrong = check(kProblemDeviceShape);
        if (wrong.empty()) wrong = check(kApproximateDeviceShape);
        if (wrong.empty()) wrong = check(kAssignmentShape);
        if (wrong.empty()) wrong = check(kFeasibilityShape);
        if (wrong.empty()) wrong = check(kExplanationShape);
        if (wrong.empty()) wrong = check(kSlicingShape);
        if (wrong.empty()) wrong = check(kPreferenceShape);
        if (wrong.empty()) wrong = check(kBoundsShape);
        if (wrong.empty()) wrong = check(kOwnerCostsShape);
        if (wrong.empty()) wrong = check(kMovesShape);
        if (wrong.empty()) wrong = check(kSampledShape);
    } else if (component.kind == QAPFW_KIND_IMPROVER) {
        wrong = check(kImproverDeviceShape);
    } else {
        wrong = check(kSolverProcessesShape);
        if (wrong.empty()) wrong = check(kSolverSlicesShape);
    }
    return wrong.empty() ? wrong : fmt::format("in its {}, {}", component_name(component), wrong);
}

std::string check_component(const qapfw_component& component) {
    if (auto wrong =
            check_size("qapfw_component", component.struct_size, QAPFW_SIZE_UP_TO(qapfw_component, get_capability));
        !wrong.empty()) {
        return wrong;
    }
    if (component.kind < QAPFW_KIND_PROBLEM || component.kind > QAPFW_KIND_IMPROVER) {
        return fmt::format("a component's kind must be 1, 2 or 3, found {}", component.kind);
    }
    if (!is_snake_case(component.id)) {
        return fmt::format("the id of the {} must be in snake_case with at most {} characters, found {}",
                           kind_name(component.kind), kLongestId,
                           is_plain_text(component.id) ? fmt::format("\"{:.80}\"", component.id) : "none");
    }
    std::string wrong = check_texts(component);
    if (wrong.empty()) wrong = check_own_table(component);
    if (wrong.empty() && component.get_capability == nullptr) {
        wrong = "qapfw_component must have the function `get_capability`, found null";
    }
    if (wrong.empty() && component.kind != QAPFW_KIND_PROBLEM) wrong = check_solver_or_improver(component);
    if (wrong.empty()) wrong = check_parameters(component);
    return wrong.empty() ? wrong : fmt::format("in its {}, {}", component_name(component), wrong);
}

std::string check_plugin(const qapfw_plugin& plugin) {
    if (auto wrong = check_head(plugin); !wrong.empty()) return wrong;
    for (std::uint32_t k = 0; k < plugin.component_count; ++k) {
        const qapfw_component* component = plugin.components[k];
        if (component == nullptr) return fmt::format("its component {} is missing (null)", k);
        if (auto wrong = check_component(*component); !wrong.empty()) return wrong;
    }
    return check_unique(plugin);
}

}  // namespace qapfw::framework
