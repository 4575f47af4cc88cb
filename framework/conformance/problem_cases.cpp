// SPDX-License-Identifier: Apache-2.0
// Cases for every component, and for problems.
#include <fmt/core.h>

#include <cstring>
#include <optional>

#include "framework/conformance/fixture.hpp"
#include "framework/device/compile_only.hpp"
#include "framework/host/cpu_limits.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/plugin/parameter_text.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kThreads = 3;
constexpr std::uint32_t kProblemBatch = 13;

/// The problem under test with what it needs.
struct Opened {
    Host host;
    Choice choice;
    Problem problem;
    explicit Opened(const Subject& subject)
        : host(kThreads, subject.data_paths), choice(subject_choice(subject, host)), problem(host, choice) {}
};

void unknown_capabilities(const Subject& subject) {
    const auto get = subject.component.descriptor->get_capability;
    if (get == nullptr) throw Skip("it has no capabilities");
    for (const char* id : {"", "no.such.capability/1", "qapfw.problem.swap_neighbourhood/999", "qapfw"}) {
        require(get(id) == nullptr, fmt::format("get_capability(\"{}\") is not null", id));
    }
    require(get(nullptr) == nullptr, "get_capability(null) is not null");
}

void descriptor_texts(const Subject& subject) {
    const qapfw_component& component = *subject.component.descriptor;
    require(component.summary != nullptr && std::strlen(component.summary) >= 10, "the summary says nothing");
    require(component.version != nullptr && *component.version != '\0', "there is no version");
    for (std::uint32_t k = 0; k < component.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(component, k);
        require(parameter.summary != nullptr && *parameter.summary != '\0',
                fmt::format("parameter {} has no summary", parameter.name));
    }
}

void info_sane(const Subject& subject) {
    const Opened opened(subject);  // Problem checks the info itself
    const qapfw_problem_info& info = opened.problem.info();
    require(info.struct_size == sizeof info, fmt::format("struct_size is {}", info.struct_size));
    const auto ask = [&] { return opened.problem.ref()->table->info(opened.problem.ref()->problem); };
    require(ask() == ask(), "info moves between calls");
    if (info.has_best_known == 0 || info.has_lower_bound == 0) return;
    require(!opened.problem.costs().less(info.best_known, info.lower_bound),
            "the best-known cost is below the lower bound");
}

void create_destroy(const Subject& subject) {
    for (int k = 0; k < 3; ++k) const Opened opened(subject);
}

void batch_is_single(const Subject& subject) {
    const Opened opened(subject);
    Batch batch(opened.problem, kProblemBatch, 1);
    const std::vector<qapfw_cost> single = batch.costs;
    qapfw_batch view = batch.view();
    const qapfw_problem_ref& ref = *opened.problem.ref();
    call_plugin(opened.problem.owner(), "evaluate", [&] { return ref.table->evaluate(ref.problem, &view); });
    for (std::uint32_t k = 0; k < kProblemBatch; ++k) {
        require(
            std::memcmp(&single[k], &batch.costs[k], sizeof(qapfw_cost)) == 0,
            fmt::format("solution {} costs {} alone and {} in a batch", k, opened.problem.costs().raw_text(single[k]),
                        opened.problem.costs().raw_text(batch.costs[k])));
    }
}

void evaluate_leaves_solutions(const Subject& subject) {
    const Opened opened(subject);
    Batch batch(opened.problem, 1, 2);
    const SolutionBuffer fresh = random_solution(opened.problem.info().encoding, 2, 0);
    require(std::memcmp(batch.at(0), fresh.data(), batch.stride) == 0, "evaluate changed the solution");
}

void evaluate_many_threads(const Subject& subject) {
    Opened opened(subject);
    Batch batch(opened.problem, kProblemBatch, 3);
    struct Loop {
        const Problem* problem;
        Batch* batch;
    } loop{&opened.problem, &batch};
    const qapfw_status status = opened.host.pool().run(
        200,
        [](void* user, std::uint64_t index, std::uint32_t) -> qapfw_status {
            const Loop& l = *static_cast<Loop*>(user);
            const std::size_t k = index % kProblemBatch;
            qapfw_cost cost{};
            const qapfw_batch one{l.batch->at(k), &cost, 1};
            const qapfw_problem_ref& ref = *l.problem->ref();
            const qapfw_status evaluated = ref.table->evaluate(ref.problem, &one);
            if (evaluated != QAPFW_OK) return evaluated;
            return std::memcmp(&cost, &l.batch->costs[k], sizeof cost) == 0 ? QAPFW_OK : QAPFW_ERROR;
        },
        &loop);
    require(status == QAPFW_OK, "several threads evaluating at once get other costs than one");
}

void invalid_is_refused(const Subject& subject) {
    const Opened opened(subject);
    const qapfw_encoding& encoding = opened.problem.info().encoding;
    if (encoding.segments[0].kind != QAPFW_SEGMENT_PERMUTATION || encoding.segments[0].length < 2) {
        throw Skip("no permutation of at least 2");
    }
    SolutionValues values = solution_values(encoding, random_solution(encoding, 4, 0).data());
    for (const std::uint32_t wrong : {values[0][1], encoding.segments[0].length, 65535u}) {
        values[0][0] = wrong;
        SolutionBuffer solution(encoding.solution_bytes);
        store_values(encoding, values, solution.data());
        qapfw_cost cost{};
        const qapfw_batch one{solution.data(), &cost, 1};
        const qapfw_problem_ref& ref = *opened.problem.ref();
        take_last_error();
        const qapfw_status status = ref.table->evaluate(ref.problem, &one);
        require(status != QAPFW_OK, fmt::format("evaluate accepts a permutation with {} at position 0", wrong));
        require(!take_last_error().empty(), "evaluate refuses an invalid solution without a sentence");
    }
}

void artefacts_read_back(const Subject& subject) {
    const Opened opened(subject);
    const Problem& problem = opened.problem;
    const SolutionBuffer solution = random_solution(problem.info().encoding, 5, 0);
    const qapfw_cost cost = problem.evaluate(solution.data());
    const auto artefacts = problem.artefacts(solution.data(), cost);
    require(!artefacts.empty(), "write_artefacts gives no file");
    problem.drawing(solution.data());
    if (slot(problem.ref()->table, &qapfw_problem_table::read_solution) == nullptr) throw Skip("it reads no solutions");
    const SolutionBuffer read = problem.read_solution(artefacts.front().bytes);
    require(std::memcmp(read.data(), solution.data(), problem.info().encoding.solution_bytes) == 0,
            fmt::format("{} reads back as another solution", artefacts.front().name));
}

void bad_solution_text(const Subject& subject) {
    const Opened opened(subject);
    if (slot(opened.problem.ref()->table, &qapfw_problem_table::read_solution) == nullptr) {
        throw Skip("it reads no solutions");
    }
    for (const char* text : {"", "blah blah", "1 2", "-1 -1 -1", "\xff\xfe"}) {
        bool refused = false;
        try {
            opened.problem.read_solution(text);
        } catch (const Error&) {
            refused = true;
        }
        require(refused, fmt::format("read_solution accepts \"{}\"", text));
    }
}

void two_at_once(const Subject& subject) {
    const Opened first(subject), second(subject);
    require(first.problem.info().fingerprint == second.problem.info().fingerprint, "the fingerprint changes");
    for (std::uint32_t k = 0; k < kProblemBatch; ++k) {
        const SolutionBuffer solution = random_solution(first.problem.info().encoding, 6, k);
        const qapfw_cost a = first.problem.evaluate(solution.data()), b = second.problem.evaluate(solution.data());
        require(std::memcmp(&a, &b, sizeof a) == 0, "two objects of one instance give different costs");
    }
}

void device_text(const Subject& subject) {
    const Opened opened(subject);
    const auto* device = static_cast<const qapfw_problem_device*>(opened.problem.capability(QAPFW_PROBLEM_DEVICE));
    if (device == nullptr) throw Skip("it has no device code");
    const qapfw_device_problem* described = device->describe(opened.problem.ref()->problem);
    require(described != nullptr, "describe gives nothing");
    require(described->text_count > 0 && described->view_size > 0, "there are no texts or no view");
    std::string all;
    for (std::uint32_t k = 0; k < described->text_count; ++k) {
        all.append(described->texts[k].text, described->texts[k].size);
    }
    require(all.find("namespace qapfw::device") != std::string::npos && all.find("struct Problem") != std::string::npos,
            "the texts do not define qapfw::device::Problem");
    for (std::uint64_t k = 0; k < described->buffer_count; ++k) {
        const qapfw_view_buffer& buffer = described->buffers[k];
        require(buffer.view_offset + 8 <= described->view_size, fmt::format("buffer {} lies outside the view", k));
        require(buffer.bytes != nullptr || buffer.size == 0, fmt::format("buffer {} has no bytes", k));
    }
}

/// Compiled together with the problem's texts.
constexpr std::string_view kRequirements =
    "#include \"qapfw/kernels/problem_concept.hpp\"\n"
    "static_assert(qapfw::kernels::check_device_text<qapfw::device::Problem>());\n"
    "extern \"C\" __global__ void check_requirements() {}\n";

void device_requirements(const Subject& subject) {
    const Opened opened(subject);
    try {
        const std::optional<DeviceProblem> device = describe_device_problem(opened.problem.ref());
        if (!device) throw Skip("it has no device code");
        const qapfw_text text{"conformance/requirements.cuh", kRequirements.data(), kRequirements.size()};
        qapfw_kernel_request request{};
        request.struct_size = sizeof request;
        request.text_count = 1;
        request.texts = &text;
        request.entry = "check_requirements";
        request.with_problem = 1;
        compile_only(device, {&request, 1}, {90});
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::kDevice) throw Skip(error.what());
        throw;
    }
}

constexpr Case kComponentCases[] = {
    {"unknown-capabilities", "Unknown, empty and null capability ids give null.", unknown_capabilities},
    {"descriptor-texts", "The component and its parameters say what they are.", descriptor_texts},
};

constexpr Case kProblemCases[] = {
    {"create-destroy", "Objects can be created and destroyed without being used.", create_destroy},
    {"info-sane", "Size, encoding, costs and bounds of the info fit together.", info_sane},
    {"batch-is-single", "A batch costs what its solutions cost one by one.", batch_is_single},
    {"evaluate-leaves-solutions", "Evaluating does not change solutions.", evaluate_leaves_solutions},
    {"evaluate-many-threads", "Several threads at once get the same costs.", evaluate_many_threads},
    {"invalid-is-refused", "Invalid permutations are refused with a sentence.", invalid_is_refused},
    {"artefacts-read-back", "A written solution reads back as itself.", artefacts_read_back},
    {"bad-solution-text", "Texts that are no solution are refused.", bad_solution_text},
    {"two-at-once", "Two objects live side by side and agree.", two_at_once},
    {"device-text", "Device texts, view and buffers fit together.", device_text},
    {"device-requirements", "The device texts have all parts that searches ask for.", device_requirements},
};

}  // namespace

std::span<const Case> component_cases() {
    return kComponentCases;
}
std::span<const Case> problem_cases() {
    return kProblemCases;
}

}  // namespace qapfw::framework::conformance
