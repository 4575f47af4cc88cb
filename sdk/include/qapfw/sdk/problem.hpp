// SPDX-License-Identifier: Apache-2.0
// How to write a problem as a C++ class. Required members:
//
//     static constexpr sdk::ParameterTable kParameters{...};           // see sdk/parameter_table.hpp
//     Problem(const sdk::Host&, const sdk::Parameters&);               // throws qapfw::Error
//     const qapfw_problem_info& info() const;
//     void evaluate(const qapfw_batch&) const;                         // any number of threads at once
//     void write_artefacts(const void* solution, qapfw_cost, const sdk::Emit&) const;
//
// Optional members. Where a line ends in "with", the next members belong to the member of that line.
//
//     void read_solution(std::string_view text, void* solution) const; // warm starts
//     void draw(const void* solution, const sdk::Emit&) const;         // a drawing for the terminal
//     void assignment(const void* solution, const sdk::EmitAssigned&) const; // see abi/assignment.h; thread-safe
//     using Neighbourhood = ...;                                       // see sdk/swap_neighbourhood.hpp; with
//     const char* describe_neighbourhood() const;
//     using Moves = ...;                                               // see sdk/moves_of_segments.hpp
//     std::int64_t delta_insertion(const std::uint16_t* order, std::uint32_t from, std::uint32_t to) const; // or:
//     using Insertions = ...;                                          // see sdk/insertion_neighbourhood.hpp
//     void evaluate_children(const qapfw_batch& parents, const qapfw_batch& children) const; // see abi/child_costs.h
//     using Bounds = ...;                                              // see sdk/bounds.hpp; with
//     qapfw_instance_bound bound_of_instance(const sdk::StopQuestion&) const;
//     using BayBounds = ...;                                           // see sdk/bay_neighbourhood.hpp
//     using SampledWalk = ...;                                         // see sdk/sampled_neighbourhood.hpp
//     const qapfw_slicing* slicing() const;                            // see abi/slicing.h; with
//     double slicing_flow_cost(const double* x, const double* y) const;
//     void features(const sdk::EmitFeature&) const;                    // see sdk/features.hpp
//     const char* preferred_solver() const;                            // an id, or null; see abi/preference.h
//     std::string infeasibility(const void* solution) const;           // empty: feasible; see abi/feasibility.h; with
//     bool feasible_start(void* solution) const;                       // optional; false: no start is known
//     void explain(const void* solution, const sdk::EmitPart&) const;  // see abi/explanation.h; thread-safe
//     const qapfw_device_problem& device() const;                      // device text and view; see abi/problem.h
//     bool has_approximate_device() const;                             // optional beside device()
//     std::uint32_t searches_on(const qapfw_device&) const;            // optional beside device(); see abi/problem.h
//     const qapfw_problem_info* owner_info() const;                    // see abi/owner_costs.h; with
//     double owner_cost(const void* solution) const;
//     void improve_owner_cost(void* solution, const sdk::StopQuestion&) const;
//     std::int64_t owner_resolution() const;
//     double owner_bound(std::int64_t own_bound) const;
//     static void list_instances(const sdk::Host&, const sdk::Emit&);  // with
//     void write_instance(const sdk::Emit&) const;
//     static void recognise(const sdk::Host&, const std::string& reference, const sdk::Emit&);  // see abi/problem.h
#pragma once

#include <concepts>
#include <iterator>
#include <string>
#include <string_view>

#include "qapfw/abi/feasibility.h"
#include "qapfw/abi/plugin.h"
#include "qapfw/abi/preference.h"
#include "qapfw/abi/problem.h"
#include "qapfw/abi/slicing.h"
#include "qapfw/sdk/assignment.hpp"
#include "qapfw/sdk/bay_neighbourhood.hpp"
#include "qapfw/sdk/bounds.hpp"
#include "qapfw/sdk/child_costs.hpp"
#include "qapfw/sdk/explanation.hpp"
#include "qapfw/sdk/features.hpp"
#include "qapfw/sdk/insertion_neighbourhood.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"
#include "qapfw/sdk/near_misses.hpp"
#include "qapfw/sdk/owner_costs.hpp"
#include "qapfw/sdk/parameters.hpp"
#include "qapfw/sdk/sampled_neighbourhood.hpp"
#include "qapfw/sdk/swap_neighbourhood.hpp"

namespace qapfw::sdk {

/// Receives named pieces of output, such as files of a solution. An object of this class is valid only during the call
/// to which it is passed.
class Emit {
  public:
    /// Every call of `emit` gets `user`.
    Emit(qapfw_emit emit, void* user) : emit_(emit), user_(user) {}
    /// Emits one piece: its name, such as "layout.svg", its media type, such as "image/svg+xml", and its bytes, which
    /// are copied.
    void operator()(const char* name, const char* media_type, std::string_view bytes) const {
        emit_(user_, name, media_type, bytes.data(), bytes.size());
    }

  private:
    qapfw_emit emit_;
    void* user_;
};

/// Number of parameters that a plugin's class declares; 0 if the class has no member kParameters.
template <class T>
constexpr std::uint32_t parameter_count() {
    if constexpr (requires { T::kParameters[0]; })
        return static_cast<std::uint32_t>(std::size(T::kParameters));
    else
        return 0;
}
/// The declarations of the parameters of a plugin's class; null if the class has no member kParameters.
template <class T>
constexpr const qapfw_parameter* parameter_table() {
    if constexpr (requires { T::kParameters[0]; })
        return std::data(T::kParameters);
    else
        return nullptr;
}

/// True if a problem class computes the changes of the cost by moves: it has its own class Moves or members delta_...
template <class T>
constexpr bool gives_moves() {
    if constexpr (requires { T::gives_moves(); }) {
        return T::gives_moves();
    } else {
        return requires {
            typename T::Moves;
        };
    }
}

/// A problem object behind an opaque pointer, with the host it reports to.
template <class T>
struct ProblemHandle {
    const qapfw_host* host;
    T object;
    ProblemHandle(const qapfw_host* h, const qapfw_parameters* values)
        : host(h), object(Host(h), Parameters(parameter_table<T>(), parameter_count<T>(), values)) {}
};

/// Checks the required members, and the optional members except those for searches and GPUs.
template <class T>
constexpr void check_problem_itself() {
    static_assert(
        requires(const T& o) {
            { o.info() } -> std::same_as<const qapfw_problem_info&>;
        },
        "wanted the public member: const qapfw_problem_info& info() const");
    static_assert(
        requires(const T& o, const qapfw_batch& b) { o.evaluate(b); },
        "wanted the public member: void evaluate(const qapfw_batch&) const");
    static_assert(
        requires(const T& o, const void* s, qapfw_cost c, const Emit& e) { o.write_artefacts(s, c, e); },
        "wanted the public member: void write_artefacts(const void* solution, qapfw_cost, const sdk::Emit&) const");
    static_assert(
        !names_read_solution<T>() || requires(const T& o, std::string_view t, void* s) { o.read_solution(t, s); },
        "read_solution must be public: void read_solution(std::string_view text, void* solution) const");
    static_assert(
        !names_draw<T>() || requires(const T& o, const void* s, const Emit& e) { o.draw(s, e); },
        "draw must be public: void draw(const void* solution, const sdk::Emit&) const");
    static_assert(
        !names_assignment<T>() || requires(const T& o, const void* s, const EmitAssigned& e) { o.assignment(s, e); },
        "assignment must be public: void assignment(const void* solution, const sdk::EmitAssigned&) const");
    static_assert(!names_explain<T>() || Explains<T>,
                  "explain must be public: void explain(const void* solution, const sdk::EmitPart&) const");
    static_assert(
        !names_owner_cost<T>() ||
            requires(const T& o, void* s, const StopQuestion& stop) {
                { o.owner_info() } -> std::same_as<const qapfw_problem_info*>;
                { o.owner_cost(s) } -> std::same_as<double>;
                o.improve_owner_cost(s, stop);
                { o.owner_resolution() } -> std::same_as<std::int64_t>;
                { o.owner_bound(std::int64_t{}) } -> std::same_as<double>;
            },
        "a problem with owner_cost also needs the public members const qapfw_problem_info* owner_info() const, void "
        "improve_owner_cost(void* solution, const sdk::StopQuestion&) const, std::int64_t owner_resolution() const and "
        "double owner_bound(std::int64_t) const");
    static_assert(
        !names_write_instance<T>() || requires(const T& o, const Emit& e) { o.write_instance(e); },
        "write_instance must be public: void write_instance(const sdk::Emit&) const");
    static_assert(
        !names_list_instances<T>() || requires(const Host& h, const Emit& e) { T::list_instances(h, e); },
        "list_instances must be public: static void list_instances(const sdk::Host&, const sdk::Emit&)");
    static_assert(
        !names_recognise<T>() ||
            requires(const Host& h, const std::string& r, const Emit& e) { T::recognise(h, r, e); },
        "recognise must be public: static void recognise(const sdk::Host&, const std::string&, const sdk::Emit&)");
    static_assert(names_write_instance<T>() == names_list_instances<T>(),
                  "write_instance and list_instances belong together: a problem has both or none");
}

/// Checks the optional members that searches and GPUs use.
template <class T>
constexpr void check_problem_searches() {
    static_assert(!names_delta_insertion<T>() || HasDeltaInsertion<T>,
                  "delta_insertion must be public: std::int64_t or double delta_insertion(const std::uint16_t* order, "
                  "std::uint32_t from, std::uint32_t to) const");
    static_assert(
        !names_evaluate_children<T>() || requires(const T& o, const qapfw_batch& b) { o.evaluate_children(b, b); },
        "evaluate_children must be public: void evaluate_children(const qapfw_batch& parents, const qapfw_batch& "
        "children) const");
    static_assert(
        !names_device<T>() ||
            requires(const T& o) {
                { o.device() } -> std::same_as<const qapfw_device_problem&>;
            },
        "device must be public: const qapfw_device_problem& device() const");
    static_assert(
        !names_has_approximate_device<T>() ||
            requires(const T& o) {
                { o.has_approximate_device() } -> std::same_as<bool>;
            },
        "has_approximate_device must be public: bool has_approximate_device() const");
    static_assert(
        !names_searches_on<T>() ||
            requires(const T& o, const qapfw_device& device) {
                { o.searches_on(device) } -> std::same_as<std::uint32_t>;
            },
        "searches_on must be public: std::uint32_t searches_on(const qapfw_device&) const");
    static_assert(
        !requires { typename T::Bounds; } ||
            requires(const T& o, const StopQuestion& stop) {
                { o.bound_of_instance(stop) } -> std::same_as<qapfw_instance_bound>;
            },
        "a class with Bounds must have the public member: qapfw_instance_bound bound_of_instance(const "
        "sdk::StopQuestion&) const");
    static_assert(
        !requires { typename T::Neighbourhood; } ||
            requires(const T& o) {
                { o.describe_neighbourhood() } -> std::convertible_to<const char*>;
            },
        "a class with a Neighbourhood must have the public member: const char* describe_neighbourhood() const");
}

/// Checks a problem class at compile time: required members must exist, and optional members must have the signatures
/// given at the head of this file.
template <class T>
constexpr void check_problem_class() {
    check_problem_itself<T>();
    check_problem_searches<T>();
}

/// The C functions of a problem class.
template <class T>
struct ProblemTrampolines {
    using Handle = ProblemHandle<T>;
    static Handle* cast(qapfw_problem* p) { return reinterpret_cast<Handle*>(p); }

    static qapfw_status create(const qapfw_host* host, const qapfw_parameters* values, qapfw_problem** out) {
        return guarded(host, [&] { *out = reinterpret_cast<qapfw_problem*>(new Handle(host, values)); });
    }
    static void destroy(qapfw_problem* p) { delete cast(p); }
    static const qapfw_problem_info* info(qapfw_problem* p) { return &cast(p)->object.info(); }
    static qapfw_status evaluate(qapfw_problem* p, const qapfw_batch* batch) {
        return guarded(cast(p)->host, [&] { cast(p)->object.evaluate(*batch); });
    }
    static qapfw_status read_solution(qapfw_problem* p, const char* text, std::uint64_t size, void* solution) {
        return guarded(cast(p)->host, [&] { cast(p)->object.read_solution(std::string_view(text, size), solution); });
    }
    static qapfw_status write_artefacts(qapfw_problem* p, const void* solution, qapfw_cost cost, qapfw_emit emit,
                                        void* user) {
        return guarded(cast(p)->host, [&] { cast(p)->object.write_artefacts(solution, cost, Emit(emit, user)); });
    }
    static qapfw_status draw(qapfw_problem* p, const void* solution, qapfw_emit emit, void* user) {
        return guarded(cast(p)->host, [&] { cast(p)->object.draw(solution, Emit(emit, user)); });
    }
    static qapfw_status defect(qapfw_problem* p, const void* solution, qapfw_emit emit, void* user) {
        return guarded(cast(p)->host, [&] {
            const std::string broken = cast(p)->object.infeasibility(solution);
            if (!broken.empty()) Emit(emit, user)("infeasibility", "text/plain", broken);
        });
    }
    /// Calls the member feasible_start; returns 1 if it wrote a solution. Without the member, or if it fails, returns
    /// 0.
    static std::int32_t feasible_start(qapfw_problem* p, void* solution) {
        bool known = false;
        if constexpr (requires(const T& o) { o.feasible_start(solution); }) {
            const qapfw_status status =
                guarded(cast(p)->host, [&] { known = cast(p)->object.feasible_start(solution); });
            if (status != QAPFW_OK) return 0;
        }
        return known ? 1 : 0;
    }
    static qapfw_status list_instances(const qapfw_host* host, qapfw_emit emit, void* user) {
        return guarded(host, [&] { T::list_instances(Host(host), Emit(emit, user)); });
    }
    static qapfw_status write_instance(qapfw_problem* p, qapfw_emit emit, void* user) {
        return guarded(cast(p)->host, [&] { cast(p)->object.write_instance(Emit(emit, user)); });
    }
    static qapfw_status recognise(const qapfw_host* host, const char* reference, qapfw_emit emit, void* user) {
        return guarded(host, [&] { T::recognise(Host(host), reference, Emit(emit, user)); });
    }

    static const qapfw_device_problem* describe_device(qapfw_problem* p) {
        const qapfw_device_problem* described = nullptr;
        guarded(cast(p)->host, [&] { described = &cast(p)->object.device(); });
        return described;
    }
    /// Calls the member searches_on. Without the member, or if it fails, returns 0 (unknown).
    static std::uint32_t searches_on(qapfw_problem* p, const qapfw_device* device) {
        std::uint32_t searches = 0;
        if constexpr (requires(const T& o) { o.searches_on(*device); }) {
            guarded(cast(p)->host, [&] { searches = cast(p)->object.searches_on(*device); });
        }
        return searches;
    }

    static constexpr qapfw_problem_table make_table() {
        check_problem_class<T>();
        qapfw_problem_table t{
            sizeof(qapfw_problem_table), create, destroy, info, evaluate, nullptr, write_artefacts, nullptr};
        if constexpr (requires(const T& o, void* s) { o.read_solution(std::string_view{}, s); }) {
            t.read_solution = read_solution;
        }
        if constexpr (requires(const T& o, const void* s, const Emit& e) { o.draw(s, e); }) t.draw = draw;
        return t;
    }
    static constexpr qapfw_problem_table table = make_table();

    /// Returns the table of a capability for searches (costs of moves and children, bounds), or null.
    static const void* search_capability(std::string_view wanted) {
        if constexpr (requires { typename T::Neighbourhood; }) {
            if (wanted == QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) {
                return &SwapNeighbourhoodTable<Handle, typename T::Neighbourhood>::table;
            }
        }
        if constexpr (gives_moves<T>()) {
            if (wanted == QAPFW_PROBLEM_MOVES) return &MovesTable<Handle, typename T::Moves>::table;
        }
        if constexpr (gives_insertions<T>()) {
            if (wanted == QAPFW_PROBLEM_INSERTIONS) {
                return &InsertionsTable<Handle, typename InsertionsOf<T>::Type>::table;
            }
        }
        if constexpr (requires(const T& o, const qapfw_batch& b) { o.evaluate_children(b, b); }) {
            if (wanted == QAPFW_PROBLEM_CHILD_COSTS) return &ChildCostsTable<Handle>::table;
        }
        if constexpr (requires { typename T::Bounds; }) {
            if (wanted == QAPFW_PROBLEM_BOUNDS) return &BoundsTable<Handle, typename T::Bounds>::table;
        }
        if constexpr (requires { typename T::BayBounds; }) {
            if (wanted == QAPFW_PROBLEM_BAY_NEIGHBOURHOOD) {
                return &BayNeighbourhoodTable<Handle, typename T::BayBounds>::table;
            }
        }
        if constexpr (requires { typename T::SampledWalk; }) {
            if (wanted == QAPFW_PROBLEM_SAMPLED_NEIGHBOURHOOD) {
                return &SampledNeighbourhoodTable<Handle, typename T::SampledWalk>::table;
            }
        }
        if constexpr (requires(const T& o) { o.slicing(); }) {
            static constexpr qapfw_problem_slicing slicing = {
                sizeof(qapfw_problem_slicing), [](qapfw_problem* p) { return cast(p)->object.slicing(); },
                [](qapfw_problem* p, const double* x, const double* y) {
                    return cast(p)->object.slicing_flow_cost(x, y);
                }};
            if (wanted == QAPFW_PROBLEM_SLICING) return &slicing;
        }
        if constexpr (requires(const T& o, const EmitFeature& e) { o.features(e); }) {
            if (wanted == QAPFW_PROBLEM_FEATURES) return &FeaturesTable<Handle>::table;
        }
        return nullptr;
    }
    /// Returns the table of a capability for devices, or null.
    static const void* device_capability(std::string_view wanted) {
        if constexpr (requires(const T& o) { o.device(); }) {
            static constexpr qapfw_problem_device device = {sizeof(qapfw_problem_device), describe_device, searches_on};
            if (wanted == QAPFW_PROBLEM_DEVICE) return &device;
        }
        if constexpr (requires(const T& o) { o.has_approximate_device(); }) {
            static constexpr qapfw_approximate_device approximate = {
                sizeof(qapfw_approximate_device),
                [](qapfw_problem* p) -> std::int32_t { return cast(p)->object.has_approximate_device() ? 1 : 0; }};
            if (wanted == QAPFW_PROBLEM_APPROXIMATE_DEVICE) return &approximate;
        }
        return nullptr;
    }
    /// Returns the table of any other capability (assignments, preferred solver, feasibility, explanations, owner's
    /// costs, instances, recognition of instances), or null.
    static const void* owner_capability(std::string_view wanted) {
        if constexpr (requires(const T& o, const void* s, const EmitAssigned& e) { o.assignment(s, e); }) {
            if (wanted == QAPFW_PROBLEM_ASSIGNMENT) return &AssignmentTable<Handle>::table;
        }
        if constexpr (requires(const T& o) { o.preferred_solver(); }) {
            static constexpr qapfw_problem_preference preference = {
                sizeof(qapfw_problem_preference), [](qapfw_problem* p) { return cast(p)->object.preferred_solver(); }};
            if (wanted == QAPFW_PROBLEM_PREFERENCE) return &preference;
        }
        if constexpr (requires(const T& o, const void* s) { o.infeasibility(s); }) {
            static constexpr qapfw_problem_feasibility feasibility = {sizeof(qapfw_problem_feasibility), defect,
                                                                      feasible_start};
            if (wanted == QAPFW_PROBLEM_FEASIBILITY) return &feasibility;
        }
        if constexpr (Explains<T>) {
            if (wanted == QAPFW_PROBLEM_EXPLANATION) return &ExplanationTable<Handle, T>::table;
        }
        if constexpr (names_owner_cost<T>()) {
            if (wanted == QAPFW_PROBLEM_OWNER_COSTS) return &OwnerCostsTable<Handle>::table;
        }
        if constexpr (requires(const T& o, const Emit& e) { o.write_instance(e); }) {
            static constexpr qapfw_problem_instances instances = {sizeof(qapfw_problem_instances), list_instances,
                                                                  write_instance};
            if (wanted == QAPFW_PROBLEM_INSTANCES) return &instances;
        }
        if constexpr (requires(const Host& h, const std::string& r, const Emit& e) { T::recognise(h, r, e); }) {
            static constexpr qapfw_problem_recognition recognition = {sizeof(qapfw_problem_recognition), recognise};
            if (wanted == QAPFW_PROBLEM_RECOGNITION) return &recognition;
        }
        return nullptr;
    }
    static const void* get_capability(const char* id) {
        const std::string_view wanted(id == nullptr ? "" : id);
        if (const void* const found = search_capability(wanted)) return found;
        if (const void* const found = device_capability(wanted)) return found;
        return owner_capability(wanted);
    }
};

/// Description of a component, except its parameters and functions. Texts must live as long as the library: write them
/// as string literals.
struct About {
    const char* id;                              ///< name in configurations, in snake_case
    const char* version;                         ///< version of the component, "1.2.3"
    const char* summary;                         ///< one sentence
    const char* reference = nullptr;             ///< publication (paper, section), or null
    const char* encodings = "permutation";       ///< what a solver or improver supports, see qapfw_component; null: all
    std::uint32_t backends = QAPFW_BACKEND_CPU;  ///< QAPFW_BACKEND_... or-ed
    std::uint32_t uses_improver = 0;             ///< for solvers: 0 never uses an improver, 1 may, 2 needs one
};

/// Returns the component of a problem class T. T must have the members listed at the head of this file. If a member is
/// missing or wrong, the call does not compile.
template <class T>
constexpr qapfw_component problem_component(const About& about) {
    const bool declared = (about.backends & QAPFW_BACKEND_CUDA) != 0;
    if (declared && !names_device<T>()) ComponentMistake::cuda_is_declared_and_there_is_no_device();
    if (!declared && names_device<T>()) ComponentMistake::device_is_there_and_cuda_is_not_declared();
    return {sizeof(qapfw_component),
            QAPFW_KIND_PROBLEM,
            about.id,
            about.version,
            about.summary,
            about.reference,
            parameter_count<T>(),
            sizeof(qapfw_parameter),
            parameter_table<T>(),
            &ProblemTrampolines<T>::table,
            nullptr,
            about.backends,
            0,
            ProblemTrampolines<T>::get_capability};
}

}  // namespace qapfw::sdk
