// SPDX-License-Identifier: Apache-2.0
// The mistakes of authors that `plugin check` must find. The components `mistaken` are sound, except for the one
// mistake that the parameter `mistake` names. The other components are wrongly declared.
// tests/conformance/check_mistakes.sh has the messages.
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace sdk = qapfw::sdk;
namespace {

constexpr auto kMistake = sdk::text("mistake").optional().summary("Name of the mistake to make; absent: no mistake.");

// The cost is the sum of (k + 1) * ((p(k) + 2 k) mod n).

struct MistakenProblem {
    static constexpr sdk::ParameterTable kParameters{
        kMistake, sdk::integer("size", 9).range(1, 1000).summary("Length of the permutation."),
        sdk::text("file").optional().path().summary("A file whose first character adds to all costs.")};

    MistakenProblem(const sdk::Host&, const sdk::Parameters& parameters)
        : mistake(parameters.text("mistake")),
          n(static_cast<std::uint32_t>(parameters.integer("size"))),
          encoding(sdk::Encoding::permutation(n)) {
        if (is("wrong_type")) parameters.real("size");
        if (is("undeclared_parameter")) parameters.integer("sise");
        info_.struct_size = is("info_size") ? 0 : sizeof info_;
        info_.n = n;
        info_.encoding = encoding.c_encoding();
        if (is("encoding_size")) info_.encoding.struct_size = 0;
        info_.cost_kind = QAPFW_COST_INT64;
        info_.sense = 1;
        info_.display_divisor = 1;
        info_.instance = "mistaken";
        info_.summary = "sums of (k + 1) * ((p(k) + 2 k) mod n)";
        static std::uint64_t objects = 0;
        info_.fingerprint = is("fingerprint") ? ++objects : n;
        if (is("no_fingerprint")) info_.fingerprint = 0;
        if (std::ifstream file(parameters.text("file")); file) added = file.get();
        if (is("shared_state")) shared_size = n;
        info_.has_best_known = is("best_known_sign") || is("best_known_absurd") ? 1 : 0;
        info_.best_known.i = is("best_known_sign") ? -50 : 1000000;
        info_.has_lower_bound = 1;
        info_.lower_bound.i = is("lower_bound") ? 1000000 : 0;
        describe_device();
    }
    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            void* solution = const_cast<void*>(sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k));
            std::uint16_t* p = sdk::permutation_of(solution);
            if (!is("accepts_invalid")) check_order(p);
            if (is("prints")) std::printf("cost of a solution\n");
            if (is("leaks")) std::memset(new char[1 << 12], 1, 1 << 12);
            if (is("exits") && ++evaluations > 20) end_process();
            if (is("crashes") && ++evaluations > 20) *static_cast<volatile int*>(nullptr) = 1;
            batch.costs[k].i = cost(p) + (is("batch") && k > 0 ? 1 : 0);
            if (is("changes_solution") && n > 1) std::swap(p[0], p[1]);
        }
    }
    void write_artefacts(const void* solution, qapfw_cost, const sdk::Emit& emit) const {
        if (is("no_artefact")) return;
        std::string text;
        for (std::uint32_t k = 0; k < n; ++k) text += std::to_string(sdk::permutation_of(solution)[k]) + " ";
        emit("solution.txt", "text/plain", text + "\n");
    }
    void explain(const void* solution, const sdk::EmitPart& emit) const {
        const std::uint16_t* p = sdk::permutation_of(solution);
        emit("first", is("explains_nan") ? std::nan("") : p[0]);
        emit(is("explains_twice") ? "first" : is("explains_otherwise") && p[0] > 4 ? "late" : "last", p[n - 1]);
    }
    void read_solution(std::string_view text, void* solution) const {
        std::uint16_t* p = sdk::permutation_of(solution);
        const std::string copy(text);
        const char* at = copy.c_str();
        for (std::uint32_t k = 0; k < n; ++k) {
            char* end = nullptr;
            const long value = std::strtol(at, &end, 10);
            if (end == at && is("accepts_text")) {
                for (std::uint32_t j = 0; j < n; ++j) p[j] = static_cast<std::uint16_t>(j);
                return;
            }
            if (end == at) throw qapfw::Error(qapfw::ErrorKind::kInput, "an element is missing");
            p[k] = static_cast<std::uint16_t>(value);
            at = end;
        }
        while (*at == ' ' || *at == '\n') ++at;
        if (*at != 0 && !is("trailing_junk")) throw qapfw::Error(qapfw::ErrorKind::kInput, "too much text");
        if (is("read_back")) std::swap(p[0], p[n - 1]);
        check_order(p);
    }
    const qapfw_device_problem& device() const { return device_; }

    /// A lower bound: the cost of the fixed positions. No term of the cost is negative.
    class Bounds {
      public:
        explicit Bounds(const MistakenProblem& problem) : problem_(problem) {}
        qapfw_cost reset(qapfw_cost) {
            path_.clear();
            return sum();
        }
        qapfw_cost fix(std::uint32_t position, std::uint32_t value, qapfw_cost) {
            path_.push_back({position, problem_.term(position, value)});
            return sum();
        }
        void unfix() {
            if (!problem_.is("unfix")) path_.pop_back();
        }
        void children(qapfw_cost* bounds, std::uint16_t* position_class, std::uint16_t* value_class) {
            for (std::uint32_t k = 0; k < problem_.n; ++k) {
                position_class[k] = value_class[k] = static_cast<std::uint16_t>(k);
                for (std::uint32_t v = 0; v < problem_.n; ++v)
                    bounds[k * problem_.n + v].i = sum().i + problem_.term(k, v) * (problem_.is("child_bound") ? 2 : 1);
            }
        }

      private:
        qapfw_cost sum() const {
            qapfw_cost bound{};
            for (const auto& [position, term] : path_) bound.i += term;
            if (problem_.is("path_bound") && path_.size() == problem_.n) ++bound.i;
            return bound;
        }
        const MistakenProblem& problem_;
        std::vector<std::pair<std::uint32_t, std::int64_t>> path_;
    };
    qapfw_instance_bound bound_of_instance(const sdk::StopQuestion&) const {
        qapfw_cost bound{};
        if (is("instance_bound")) bound.i = 1000000;
        return {bound, "bound of nothing"};
    }
    std::int64_t delta_insertion(const std::uint16_t* order, std::uint32_t from, std::uint32_t to) const {
        std::vector<std::uint16_t> changed(order, order + n);
        changed.erase(changed.begin() + from);
        changed.insert(changed.begin() + to, order[from]);
        return cost(changed.data()) - cost(order) + (is("insertion_delta") && to > from ? 1 : 0);
    }

  private:
    bool is(std::string_view name) const { return mistake == name; }
    /// One thread calls exit(), and the others wait for the end: several calls of exit() at once would be undefined.
    [[noreturn]] static void end_process() {
        static std::atomic_flag ends;
        if (!ends.test_and_set()) std::exit(0);
        for (;;) pause();
    }
    std::int64_t cost(const std::uint16_t* p) const {
        static std::int64_t kept = 0;  // all threads write it; this is the mistake unsafe_cache
        std::int64_t sum = added;
        const bool cached = is("unsafe_cache");
        for (std::uint32_t k = 0; k < n; ++k) {
            sum += term(k, p[k]);
            if (cached) *static_cast<volatile std::int64_t*>(&kept) = sum;
        }
        if (cached) std::this_thread::yield();  // lets other threads overwrite `kept`
        if (is("huge_cost")) return sum + (std::int64_t{1} << 62);
        if (is("shared_state")) return sum + shared_size;
        return cached ? *static_cast<volatile std::int64_t*>(&kept) : sum;
    }
    std::int64_t term(std::uint32_t k, std::uint32_t value) const { return (k + 1) * ((value + 2 * k) % n); }
    void check_order(const std::uint16_t* p) const {
        std::vector<bool> seen(n);
        for (std::uint32_t k = 0; k < n; ++k) {
            if (p[k] >= n || seen[p[k]]) throw qapfw::Error(qapfw::ErrorKind::kInput, "no permutation");
            seen[p[k]] = true;
        }
    }
    void describe_device() {
        const std::string positions = std::to_string(is("positions") ? n + 1 : n);
        text_ =
            "#include \"qapfw/kernels/platform.hpp\"\nnamespace qapfw::device {\nstruct Problem {\n"
            "struct View { const int64_t* factors; };\nusing Cost = " +
            std::string(is("cost_type") ? "double" : "int64_t") + ";\nstatic constexpr int kPositions = " + positions +
            ";\ntemplate <class Group, class Solution>\n"
            "static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {\n"
            "int64_t sum = 0;\nfor (int k = group.rank(); k < kPositions; k += group.size())\n"
            "sum += view.factors[k] * ((solution(k) + 2 * k) % kPositions);\nreturn " +
            (is("device_sum")    ? "sum"
             : is("device_cost") ? "group.sum(sum) + 1"
                                 : "group.sum(sum)") +
            ";\n}\n};\n}\n";
        if (is("no_cost")) text_.replace(text_.find(" cost("), 6, " price(");
        for (std::uint32_t k = 0; k < n; ++k) factors_.push_back(k + 1);
        device_text_ = {"mistakes/problem.cuh", text_.c_str(), text_.size()};
        buffer_ = {factors_.data(), factors_.size() * sizeof factors_[0], is("buffer_place") ? 64u : 0u};
        device_ = {is("device_size") ? 0 : static_cast<std::uint32_t>(sizeof device_),
                   1,
                   &device_text_,
                   view_,
                   is("view_size") ? sizeof view_ : sizeof view_[0],
                   1,
                   &buffer_,
                   nullptr};
    }

    static inline std::uint32_t shared_size = 0;
    mutable std::atomic<int> evaluations{0};
    std::int64_t added = 0;
    std::string mistake;
    std::uint32_t n;
    sdk::Encoding encoding;
    qapfw_problem_info info_{};
    std::string text_;
    std::vector<std::int64_t> factors_;
    std::uint64_t view_[2] = {};
    qapfw_text device_text_{};
    qapfw_view_buffer buffer_{};
    qapfw_device_problem device_{};
};

// Makes random swaps. Keeps a swap if it does not raise the cost. Keeps every seventh swap even if it raises the cost.

struct MistakenSolver {
    static constexpr sdk::ParameterTable kParameters{
        kMistake, sdk::integer("round").or_auto().range(1, 1000).summary("Iterations of a round.")};
    /// Late mistakes happen after this number of iterations. The quick cases of the suite run fewer iterations.
    static constexpr std::uint64_t kLate = 60;

    explicit MistakenSolver(const sdk::SolverContext& context)
        : context(context), mistake(context.parameters.text("mistake")), free(sdk::free_positions(context.problem)) {
        if (is("declines")) throw qapfw::Error(qapfw::ErrorKind::kUnsupported, "it works on no such solutions");
        if (context.parameters.is_auto("round")) context.host.resolve("round", is("resolve") ? 0 : 10);
        current.resize(context.problem.solution_bytes());
        best = current;
    }
    void run(sdk::Run& run) {
        if (!run.resumed()) begin(run);
        while (const std::uint64_t granted = run.begin_round(is("ignores_stop") ? 1000 : 10)) {
            const std::uint64_t before = iteration;
            std::uint64_t evaluations = 0;
            while (iteration < before + granted) {
                if (!is("ignores_stop") && run.should_stop()) break;
                evaluations += step(run.seed());
            }
            const bool complete = iteration == before + granted;
            qapfw_cost told = best_cost;
            if (is("lies")) told.i -= 5;
            run.end_round({is("round_size") ? 0 : static_cast<std::uint32_t>(sizeof(qapfw_round)), complete ? 1u : 0u,
                           is("too_many") ? granted + 1 : iteration - before, is("counts_nothing") ? 0 : evaluations,
                           digest(), best.data(), told, is("found_absurd") ? 1000000u : 0u, 0});
            if (is("solver_prints")) std::fprintf(stderr, "round done\n");
        }
    }
    void save(sdk::Writer& writer) const {
        writer.array(current);
        writer.array(best);
        writer.value(cost);
        writer.value(best_cost);
        writer.value(is("forgets_iteration") ? std::uint64_t{0} : iteration);
        writer.value(is("forgets_late") ? std::uint64_t{0} : restarts);
        if (is("unread")) writer.value(std::uint64_t{1});
    }
    void load(sdk::Reader& reader) {
        reader.array(current, current.size());
        reader.array(best, best.size());
        cost = reader.value<qapfw_cost>();
        best_cost = reader.value<qapfw_cost>();
        iteration = reader.value<std::uint64_t>();
        restarts = reader.value<std::uint64_t>();
    }

  private:
    bool is(std::string_view name) const { return mistake == name; }
    std::uint32_t draw(std::uint64_t seed, std::uint32_t slot, std::uint32_t range) const {
        const std::uint32_t stream = is("stream") ? 70000 : 1;
        return qapfw::kernels::below(qapfw::kernels::draw(is("seed") ? 1 : seed, iteration, 0, stream, slot), range);
    }
    void begin(sdk::Run& run) {
        for (std::uint32_t k = 0; k < context.problem.length(); ++k)
            sdk::permutation_of(current.data())[k] = static_cast<std::uint16_t>(k);
        if (context.problem.encoding().fixed_solution != nullptr)
            std::memcpy(current.data(), context.problem.encoding().fixed_solution, current.size());
        if (run.initial().count > 0) std::memcpy(current.data(), run.initial().solutions, current.size());
        cost = best_cost = context.problem.evaluate_one(current.data());
        best = current;
    }
    std::uint64_t step(std::uint64_t seed) {
        ++iteration;
        if (iteration > kLate && is("throws_late"))
            throw qapfw::Error(qapfw::ErrorKind::kInternal, "a rare thing happened");
        if (iteration % 50 == 0) ++restarts;
        const auto count = is("moves_fixed") ? context.problem.length() : static_cast<std::uint32_t>(free.size());
        const bool strays = is("threads") || (is("threads_late") && iteration > kLate);
        const std::uint32_t shift = strays               ? context.host.get()->worker_count
                                    : is("forgets_late") ? static_cast<std::uint32_t>(restarts) % count
                                                         : 0;
        const auto place = [&](std::uint32_t slot) {
            const std::uint32_t k = (draw(seed, slot, count) + shift * slot) % count;
            return is("moves_fixed") ? k : free[k];
        };
        std::uint16_t* p = sdk::permutation_of(current.data());
        const std::uint32_t i = place(0), j = place(1);
        std::swap(p[i], p[j]);
        const qapfw_cost next = context.problem.evaluate_one(current.data());
        if (next.i <= cost.i || iteration % 7 == 0) {
            cost = next;
        } else {
            std::swap(p[i], p[j]);
        }
        if (cost.i < best_cost.i) best_cost = cost, best = current;
        return 1;
    }
    std::uint64_t digest() const {
        std::uint64_t hash = static_cast<std::uint64_t>(cost.i);
        for (const unsigned char byte : current) hash = (hash ^ byte) * 1099511628211u;
        return hash;
    }

    sdk::SolverContext context;
    std::string mistake;
    std::vector<std::uint16_t> free;
    std::vector<unsigned char> current, best;
    qapfw_cost cost{}, best_cost{};
    std::uint64_t iteration = 0, restarts = 0;
};

// The improver `mistaken` makes one sweep over neighbouring free positions and keeps the swaps that lower the cost.

struct MistakenImprover {
    static constexpr sdk::ParameterTable kParameters{kMistake};
    MistakenImprover(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& of)
        : mistake(parameters.text("mistake")), problem(of), free(sdk::free_positions(of)) {}
    bool is(std::string_view name) const { return mistake == name; }

    struct Workspace {
        const MistakenImprover& improver;
        explicit Workspace(const MistakenImprover& of) : improver(of) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
            static std::uint64_t calls = 0;
            ++calls;
            std::uint64_t evaluations = 0;
            for (std::uint64_t k = 0; k < batch.count; ++k) {
                const std::uint64_t first = improver.is("remembers")     ? calls % 3
                                            : improver.is("batch_place") ? k % 3
                                                                         : 0;
                evaluations += sweep(sdk::solution_at(batch.solutions, improver.problem.solution_bytes(), k),
                                     batch.costs[k], first, request);
            }
            return improver.is("counts_no_evaluations") ? 0 : evaluations;
        }
        std::uint64_t sweep(void* solution, qapfw_cost& cost, std::uint64_t first,
                            const qapfw_improve_request& request) {
            std::uint16_t* p = sdk::permutation_of(solution);
            std::uint64_t evaluations = 0;
            const auto& free = improver.free;
            const auto stops = [&] {
                return request.should_stop != nullptr && request.should_stop(request.stop_context);
            };
            for (std::size_t k = first; k + 1 < free.size(); ++k, ++evaluations) {
                if (!improver.is("improver_ignores_stop") && stops()) break;
                const std::size_t i = improver.is("improver_moves_fixed") ? 0 : free[k];
                std::swap(p[i], p[free[k + 1]]);
                const qapfw_cost next = improver.problem.evaluate_one(solution);
                if (next.i < cost.i || improver.is("worse")) {
                    cost = next;
                } else {
                    std::swap(p[i], p[free[k + 1]]);
                }
            }
            if (improver.is("wrong_cost")) --cost.i;
            return evaluations;
        }
    };
    std::string mistake;
    sdk::ProblemRef problem;
    std::vector<std::uint16_t> free;
};

constexpr std::uint32_t kBoth = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA;
constexpr qapfw_component kProblem = sdk::problem_component<MistakenProblem>(
    {.id = "mistaken", .version = "1.0.0", .summary = "A problem that may be wrong.", .backends = kBoth});
constexpr qapfw_component kSolver = sdk::solver_component<MistakenSolver>(
    {.id = "mistaken", .version = "1.0.0", .summary = "A solver that may be wrong."});
constexpr qapfw_component kImprover = sdk::improver_component<MistakenImprover>(
    {.id = "mistaken", .version = "1.0.0", .summary = "An improver that may be wrong."});

constexpr qapfw_component changed(qapfw_component component, const char* id, std::uint32_t backends) {
    component.id = id;
    component.backends = backends;
    return component;
}
constexpr qapfw_component kHidden = changed(kProblem, "hidden_device", QAPFW_BACKEND_CPU);
constexpr qapfw_component kBoasting = changed(kImprover, "boasting", kBoth);
constexpr qapfw_component kTabu = changed(kSolver, "tabu", QAPFW_BACKEND_CPU);

}  // namespace

QAPFW_PLUGIN("org.example.mistakes", "1.0.0", "Apache-2.0", &kProblem, &kSolver, &kImprover, &kHidden, &kBoasting,
             &kTabu)
