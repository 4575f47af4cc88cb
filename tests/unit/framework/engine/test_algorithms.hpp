// SPDX-License-Identifier: Apache-2.0
// A problem, solvers and an improver for the engine's own tests. The solver Walk draws random permutations in rounds of
// a few iterations. Its state can be saved, and parameters make it misbehave.
#pragma once

#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "framework/config/config.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace qapfw::framework::testing {

constexpr sdk::ParameterDeclaration integer_parameter(const char* name, std::int64_t value) {
    return sdk::integer(name, value).range(0, 1e9).summary("For tests.");
}

/// A random number that depends only on the four arguments (Splitmix64).
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    std::uint64_t z = ((a * 0x9E3779B97F4A7C15u + b) * 0x9E3779B97F4A7C15u + c) * 0x9E3779B97F4A7C15u + d;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// A small problem for tests: linear ordering of nine elements, with weights from -100 to 100. The text form of a
/// solution is "0 1 2 ...".
class Toy {
  public:
    static constexpr std::uint32_t kSize = 9;
    inline static std::atomic<std::uint64_t> evaluated{0};    ///< number of solutions that all toys have evaluated
    inline static std::atomic<std::int64_t> written_cost{0};  ///< cost in the last call of write_artefacts
    Toy(const sdk::Host&, const sdk::Parameters&) : encoding_(sdk::Encoding::permutation(kSize)) {
        info_.struct_size = sizeof info_;
        info_.n = kSize;
        info_.encoding = encoding_.c_encoding();
        info_.cost_kind = QAPFW_COST_INT64;
        info_.sense = 1;
        info_.display_divisor = 1;
        info_.instance = "toy";
        info_.summary = "toy ordering";
    }
    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const {
        evaluated += batch.count;
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            const std::uint16_t* p =
                sdk::permutation_of(sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k));
            batch.costs[k].i = 0;
            for (std::uint32_t i = 0; i < kSize; ++i) {
                for (std::uint32_t j = i + 1; j < kSize; ++j) {
                    batch.costs[k].i += static_cast<std::int64_t>(mix(1, 2, p[i], p[j]) % 201) - 100;
                }
            }
        }
    }
    void write_artefacts(const void* solution, qapfw_cost cost, const sdk::Emit& emit) const {
        written_cost = cost.i;
        std::string text;
        for (std::uint32_t k = 0; k < kSize; ++k) text += std::to_string(sdk::permutation_of(solution)[k]) + " ";
        emit("solution.txt", "text/plain", text);
    }

  private:
    sdk::Encoding encoding_;
    qapfw_problem_info info_{};
};

/// A solver that draws one permutation per search and iteration. Every `round` iterations it reports the best solution.
class Walk {
  public:
    static constexpr sdk::ParameterTable kParameters{
        integer_parameter("searches", 3), integer_parameter("round", 5),
        integer_parameter("lie_after", 0),      // from this iteration on, the reported cost is one too low; 0: never
        integer_parameter("throw_after", 0),    // throws at this iteration; 0: never
        integer_parameter("invalid_after", 0),  // from this iteration on, the reported solution is not a
                                                // permutation; 0: never
        integer_parameter("gives_up", 0)        // throws Stopped; 0: never, 1: if the run must end, 2: in round 1
    };
    explicit Walk(const sdk::SolverContext& context)
        : host_(context.host),
          problem_(context.problem),
          searches_(static_cast<std::uint64_t>(context.parameters.integer("searches"))),
          round_(static_cast<std::uint64_t>(context.parameters.integer("round"))),
          lie_after_(static_cast<std::uint64_t>(context.parameters.integer("lie_after"))),
          throw_after_(static_cast<std::uint64_t>(context.parameters.integer("throw_after"))),
          invalid_after_(static_cast<std::uint64_t>(context.parameters.integer("invalid_after"))),
          gives_up_(context.parameters.integer("gives_up")),
          best_(problem_.solution_bytes() / 2) {}

    void run(sdk::Run& run) {
        if (!run.resumed()) take_initial(run);
        while (const std::uint64_t granted = run.begin_round(round_)) {
            std::uint64_t done = 0;
            for (; done < granted && !run.should_stop(); ++done) step(run.seed());
            if (gives_up_ == 2 || (gives_up_ == 1 && run.should_stop())) throw sdk::Stopped();
            qapfw_round round{};
            round.struct_size = sizeof round;
            round.complete = done == granted ? 1 : 0;
            round.iterations = done;
            round.evaluations = done * searches_;
            round.digest = digest_;
            round.best_solution = best_.data();
            round.best_cost = reported();
            round.best_iteration = best_iteration_;
            round.best_search = best_search_;
            run.statistic("steps", static_cast<double>(iteration_));
            if (has_best_) run.end_round(round);
        }
    }
    void save(sdk::Writer& writer) const {
        writer.value(iteration_);
        writer.value(digest_);
        writer.value(best_cost_);
        writer.value(has_best_);
        writer.value(best_iteration_);
        writer.value(best_search_);
        writer.array(best_);
    }
    void load(sdk::Reader& reader) {
        iteration_ = reader.value<std::uint64_t>();
        digest_ = reader.value<std::uint64_t>();
        best_cost_ = reader.value<qapfw_cost>();
        has_best_ = reader.value<bool>();
        best_iteration_ = reader.value<std::uint64_t>();
        best_search_ = reader.value<std::uint64_t>();
        reader.array(best_, problem_.solution_bytes() / 2);
    }

  private:
    void take_initial(const sdk::Run& run) {
        if (run.initial().count == 0) return;
        std::memcpy(best_.data(), run.initial().solutions, problem_.solution_bytes());
        best_cost_ = run.initial().costs[0];
        has_best_ = true;
    }
    qapfw_cost reported() {
        qapfw_cost cost = best_cost_;
        if (lie_after_ > 0 && iteration_ >= lie_after_) cost.i -= 1;
        if (invalid_after_ > 0 && iteration_ >= invalid_after_) {
            best_[0] = best_[1];
            cost.i -= 1;
        }
        return cost;
    }
    void step(std::uint64_t seed) {
        ++iteration_;
        if (throw_after_ > 0 && iteration_ >= throw_after_) throw Error(ErrorKind::kMemory, "thrown on purpose");
        const std::uint32_t n = problem_.length();
        const std::uint64_t stride = problem_.solution_bytes() / 2;
        std::vector<std::uint16_t> drawn(stride * searches_);
        std::vector<qapfw_cost> costs(searches_);
        host_.parallel_for(searches_, [&](std::uint64_t search, std::uint32_t) {
            std::uint16_t* p = drawn.data() + stride * search;
            for (std::uint32_t k = 0; k < n; ++k) p[k] = static_cast<std::uint16_t>(k);
            for (std::uint32_t k = n; k > 1; --k) {
                std::swap(p[k - 1], p[mix(seed, iteration_, search, k) % k]);
            }
            costs[search] = problem_.evaluate_one(p);
        });
        for (std::uint64_t search = 0; search < searches_; ++search) {
            digest_ = digest_ * 6364136223846793005u + static_cast<std::uint64_t>(costs[search].i) + 1;
            if (has_best_ && costs[search].i >= best_cost_.i) continue;
            has_best_ = true;
            best_cost_ = costs[search];
            best_iteration_ = iteration_;
            best_search_ = search;
            std::memcpy(best_.data(), drawn.data() + stride * search, problem_.solution_bytes());
        }
    }

    sdk::Host host_;
    sdk::ProblemRef problem_;
    std::uint64_t searches_, round_, lie_after_, throw_after_, invalid_after_;
    std::int64_t gives_up_;
    std::uint64_t iteration_ = 0, digest_ = 0, best_iteration_ = 0, best_search_ = 0;
    qapfw_cost best_cost_{};
    bool has_best_ = false;
    std::vector<std::uint16_t> best_;
};

/// An improver that does nothing.
class Idle {
  public:
    Idle(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef&) {}
    class Workspace {
      public:
        explicit Workspace(const Idle&) {}
        std::uint64_t improve(const qapfw_batch&, const qapfw_improve_request&) { return 0; }
    };
};

inline constexpr qapfw_component kToy =
    sdk::problem_component<Toy>({.id = "toy", .version = "1", .summary = "A toy problem."});
inline constexpr qapfw_component kWalk =
    sdk::solver_component<Walk>({.id = "walk", .version = "1", .summary = "Random walks.", .uses_improver = 1});
inline constexpr qapfw_component kBits = sdk::solver_component<Walk>(
    {.id = "bits", .version = "1", .summary = "For bits.", .encodings = "permutation+bays"});
inline constexpr qapfw_component kIdle =
    sdk::improver_component<Idle>({.id = "idle", .version = "1", .summary = "Does nothing."});
inline constexpr const qapfw_component* kTestComponents[] = {&kToy, &kWalk, &kBits, &kIdle};
inline constexpr qapfw_plugin kTestPlugin = {QAPFW_PLUGIN_MAGIC,
                                             sizeof(qapfw_plugin),
                                             QAPFW_ABI_MAJOR,
                                             QAPFW_ABI_MINOR,
                                             4,
                                             QAPFW_PLUGIN_PLATFORM,
                                             "qapfw.tests.engine",
                                             "1",
                                             "",
                                             nullptr,
                                             kTestComponents};

inline const Registry& test_registry() {
    static const Registry registry = [] {
        std::vector<Component> components;
        for (const qapfw_component* c : kTestComponents) components.push_back({c, &kTestPlugin, "/test.so", "00ff"});
        return Registry::of(std::move(components));
    }();
    return registry;
}

/// A configuration of the toy problem and `walk` with further keys, such as "run.iterations" = "40".
inline Config test_config(const std::vector<std::pair<std::string, std::string>>& set) {
    Overrides overrides{{{"problem.plugin", "toy"}, {"algorithm.plugin", "walk"}, {"run.threads", "2"}}};
    overrides.set.insert(overrides.set.end(), set.begin(), set.end());
    return ConfigDocument::parse_text("", "test.toml", overrides).check(test_registry());
}

/// The toy problem. Its configuration lives until the program ends.
inline Choice test_problem() {
    static const Config config = test_config({});
    return config.problem;
}

}  // namespace qapfw::framework::testing
