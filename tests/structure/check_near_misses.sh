#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_near_misses.sh <C++ compiler> <source folder>
# Checks that a class does not compile if a member differs slightly from an optional member of the SDK. The compiler
# must say what was wanted.
set -euo pipefail
cxx=$1 source=$2
. "$(dirname "$0")/compile_cases.sh"
cases_begin

required='  P(const sdk::Host&, const sdk::Parameters&);
  const qapfw_problem_info& info() const;
  void evaluate(const qapfw_batch&) const;
  void write_artefacts(const void*, qapfw_cost, const sdk::Emit&) const;
'
about='{.id = "p", .version = "1", .summary = "P."}'
cuda='{.id = "p", .version = "1", .summary = "P.", .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA}'

# Each of these functions prints the text of a case.
problem() {  # problem <members> [about]: a problem with the required members and <members>
    printf '%s' "namespace n@n@ { struct P {
$required$1
};
constexpr qapfw_component kP = sdk::problem_component<P>(${2:-$about}); }
"
}
bare_problem() {  # bare_problem <members>: a problem with only the constructor and <members>
    printf '%s' "namespace n@n@ { struct P {
  P(const sdk::Host&, const sdk::Parameters&);
$1
};
constexpr qapfw_component kP = sdk::problem_component<P>($about); }
"
}
solver() {
    printf '%s' "namespace n@n@ { struct S {
  explicit S(const sdk::SolverContext&);
$1
};
constexpr qapfw_component kS = sdk::solver_component<S>($about); }
"
}
improver() {
    printf '%s' "namespace n@n@ { struct I {
  I(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef&);
$1
};
constexpr qapfw_component kI = sdk::improver_component<I>($about); }
"
}

right() { case_right "$*" "$("$@")"; }
wrong() {  # wrong <words that the compiler's message must contain> <command that prints the code...>
    case_wrong "${*:2}" "$1" "$("${@:2}")"
}

device='const qapfw_device_problem& device() const;'
right problem ''
right problem 'void read_solution(std::string_view, void*) const; void draw(const void*, const sdk::Emit&) const;'
right problem 'void assignment(const void*, const sdk::EmitAssigned&) const;'
right problem 'void explain(const void*, const sdk::EmitPart&) const;'
right problem "$device bool has_approximate_device() const;" "$cuda"
right problem 'static void recognise(const sdk::Host&, const std::string&, const sdk::Emit&);'
right problem 'static void list_instances(const sdk::Host&, const sdk::Emit&); void write_instance(const sdk::Emit&) const;'
right solver 'void run(sdk::Run&);'
right solver 'void run(sdk::Run&); void save(sdk::Writer&) const; void load(sdk::Reader&);'

wrong "const qapfw_problem_info& info() const" bare_problem 'qapfw_problem_info info() const;'
wrong "void evaluate(const qapfw_batch&) const" bare_problem 'void evaluate(const qapfw_batch&);'
wrong "void write_artefacts(" bare_problem 'void write_artefacts(const void*, const sdk::Emit&) const;'
wrong "read_solution must be public" problem 'void read_solution(const std::string_view*, void*) const;'
wrong "read_solution must be public" problem 'void read_solution(std::string_view, void*);'
wrong "read_solution must be public" problem 'private: void read_solution(std::string_view, void*) const;'
wrong "draw must be public" problem 'void draw(const void*) const;'
wrong "assignment must be public" problem 'void assignment(const void*, const sdk::Emit&) const;'
wrong "explain must be public" problem 'void explain(const void*, const sdk::Emit&) const;'
wrong "delta_insertion must be public" problem 'std::int64_t delta_insertion(const void*, int) const;'
wrong "evaluate_children must be public" problem 'void evaluate_children(const qapfw_batch&) const;'
wrong "device must be public" problem 'qapfw_device_problem device() const;' "$cuda"
wrong "device must be public" problem 'const qapfw_device_problem& device();' "$cuda"
wrong "has_approximate_device must be public" problem "$device int has_approximate_device() const;" "$cuda"
wrong "list_instances must be public" problem \
    'void list_instances(const sdk::Host&, const sdk::Emit&); void write_instance(const sdk::Emit&) const;'
wrong "recognise must be public" problem 'void recognise(const sdk::Host&, const std::string&, const sdk::Emit&) const;'
wrong "write_instance must be public" problem \
    'static void list_instances(const sdk::Host&, const sdk::Emit&); void write_instance(sdk::Emit&) const;'
wrong "write_instance and list_instances belong together" problem 'void write_instance(const sdk::Emit&) const;'
wrong "must have the public member: const char* describe_neighbourhood() const" problem 'struct Neighbourhood {};'
wrong "qapfw_instance_bound bound_of_instance(const sdk::StopQuestion&) const" problem 'struct Bounds {};'
wrong cuda_is_declared_and_there_is_no_device problem '' "$cuda"
wrong device_is_there_and_cuda_is_not_declared problem "$device"
wrong "void run(sdk::Run&)" solver 'void run(sdk::Host&);'
wrong "a solver must have both save and load" solver 'void run(sdk::Run&); void save(sdk::Writer&) const;'
wrong "a solver must have both save and load" solver 'void run(sdk::Run&); void load(sdk::Reader&);'
wrong "save must be public" solver 'void run(sdk::Run&); void save(sdk::Writer&); void load(sdk::Reader&);'
wrong "load must be public" solver 'void run(sdk::Run&); void save(sdk::Writer&) const; void load(sdk::Writer&);'
one='std::uint64_t improve(void*, qapfw_cost&, const sdk::ImproveCall&) const;'
workspace='struct Workspace { explicit Workspace(const I&); std::uint64_t improve(const qapfw_batch&, const qapfw_improve_request&); };'
right improver "$one"
right improver "$workspace"
wrong "uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall&) const" improver ''
wrong "uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall&) const" improver "${one/ const;/;}"
wrong "uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall&) const" improver "${one/std::uint64_t/void}"
wrong "not both" improver "$one $workspace"
wrong "a Workspace must have the public member" improver "${workspace/const qapfw_batch/int}"
cases_end '#include "qapfw/sdk/plugin.hpp"
namespace sdk = qapfw::sdk;' "$cxx" -std=c++20 -I"$source/sdk/include" -I"$source/kernels/include"
