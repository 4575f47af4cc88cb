// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "framework/config/parameter_reader.hpp"
#include "framework/config/toml_reader.hpp"
#include "framework/engine/algorithm.hpp"
#include "framework/engine/run_folders.hpp"
#include "framework/engine/stop_conditions.hpp"
#include "framework/host/log.hpp"
#include "framework/host/printable.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/laboratory/statistics/bootstrap.hpp"
#include "framework/laboratory/study/fields.hpp"
#include "framework/laboratory/study/identity.hpp"
#include "framework/problem/problem.hpp"
#include "framework/record/atomic_file.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// Applies a setting to a configuration. If the setting names an instance or an initial solution, its file is looked
/// for in `folder` first.
void lay_over(Node& root, const StudySetting& setting, const std::filesystem::path& folder) {
    if (setting.key == "run.seed" || setting.key == "run.runs")
        fail_at(setting.value.where,
                fmt::format("{} cannot be set here; use the study's keys seeds (number of runs) and first_seed instead",
                            setting.key));
    Node* node = &root;
    std::istringstream parts(setting.key);
    for (std::string part; std::getline(parts, part, '.');) {
        if (node->type != Node::Type::kTable) throw mismatch(*node, "for " + setting.key + " this", "a table");
        node = &node->find_or_add(part, setting.value.where);
    }
    *node = setting.value;
    const bool file = setting.key == "problem.instance" || setting.key == "problem.initial";
    if (file && node->type == Node::Type::kText) node->text = existing_path_or_name(node->text, folder);
}

void take_away(Node& root, const Node& key) {
    Node* table = &root;
    std::string rest = key.text;
    for (std::size_t dot = 0; table != nullptr && (dot = rest.find('.')) != std::string::npos; rest.erase(0, dot + 1))
        table = table->find(rest.substr(0, dot));
    if (table == nullptr || !table->remove(rest))
        fail_at(key.where,
                fmt::format("the key \"unset\" of [[algorithms]]: the configuration has no key \"{}\"", key.text));
}

/// A sweep and its value in one cell.
struct Chosen {
    const StudySweep* sweep = nullptr;
    const Node* value = nullptr;
};

class Planner {
  public:
    Planner(Plan& plan, const PlanOptions& options, const Registry& registry,
            const std::vector<std::filesystem::path>& data_paths)
        : plan_(plan),
          options_(options),
          registry_(registry),
          host_(1, data_paths),
          folder_(absolute_path(plan.study.path).parent_path()) {}

    void make();

  private:
    bool wanted(const StudyAlgorithm& algorithm, const std::string& instance) const;
    void cross(const StudyAlgorithm& algorithm, const StudyInstances& group, const Node& name);
    void sweep_on(const StudyAlgorithm& algorithm, const StudyInstances& group, const Node& name,
                  std::vector<Chosen>& chosen, std::size_t next);
    bool excluded(const std::string& algorithm, const std::string& instance, const std::vector<Chosen>& chosen) const;
    Node configuration(const StudyAlgorithm& algorithm, const StudyInstances& group, const Node& name,
                       const std::vector<Chosen>& chosen) const;
    std::uint64_t first_seed_of(const std::string& variant);
    void add(const StudyAlgorithm& algorithm, const StudyInstances& group, const Node& name,
             const std::vector<Chosen>& chosen);
    bool check(Config& config, Cell& cell, const std::string& where);
    const Problem* problem_of(const Config& config, const std::string& where);

    /// A problem that was made from `choice` and refers to it.
    struct Loaded {
        std::shared_ptr<const Registry> registry;  ///< keeps alive what `choice` points to
        Choice choice;
        std::unique_ptr<Problem> problem;
        bool missing = false;  ///< true: the instance cannot be read, and a warning has said so
    };

    Plan& plan_;
    const PlanOptions& options_;
    const Registry& registry_;
    Host host_;
    std::filesystem::path folder_;
    std::map<std::string, Loaded> problems_;  // text of the [problem] table -> problem
    std::set<std::string> places_;
    std::map<std::uint64_t, std::string> seed_blocks_;  // number of a block of seeds -> the variant that uses it
    bool some_missing_ = false;
};

/// True if a pattern of --only selects by algorithm; "*" and "*/tai25b" do not.
bool names_algorithms(const std::string& pattern) {
    return pattern.substr(0, pattern.find('/')).find_first_not_of("*?") != std::string::npos;
}

bool Planner::wanted(const StudyAlgorithm& algorithm, const std::string& instance) const {
    if (!fits_any(algorithm.instances, instance)) return false;
    if (options_.paper && !algorithm.in_paper) return false;
    const bool unasked = options_.paper || algorithm.by_default;
    if (options_.only.empty()) {
        if (!unasked) return false;
        if (!options_.quick) return true;
        return fits_any(plan_.study.quick.instances, instance) &&
               fits_any(plan_.study.quick.algorithms, algorithm.name);
    }
    return std::any_of(options_.only.begin(), options_.only.end(), [&](const std::string& pattern) {
        if (!unasked && !names_algorithms(pattern)) return false;
        const bool whole = pattern.find('/') != std::string::npos;
        return fits_pattern(pattern, whole ? algorithm.name + "/" + instance : algorithm.name);
    });
}

void Planner::make() {
    for (const StudyInstances& group : plan_.study.instances) {
        for (const Node& name : group.names) {
            for (const StudyAlgorithm& algorithm : plan_.study.algorithms) {
                if (wanted(algorithm, name.text)) cross(algorithm, group, name);
            }
        }
    }
    if (!plan_.cells.empty()) return;
    if (some_missing_)
        throw Error(ErrorKind::kInput,
                    fmt::format("{}: none of the instances was found; name their folder with --data or QAPFW_DATA",
                                plan_.study.path.string()));
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: nothing is left to run{}", plan_.study.path.string(),
                            options_.only.empty() ? std::string()
                                                  : fmt::format(": nothing fits --only {}; to run an algorithm with "
                                                                "default = false, give at least part of its name, not "
                                                                "only '*'",
                                                                fmt::join(options_.only, " "))));
}

void Planner::cross(const StudyAlgorithm& algorithm, const StudyInstances& group, const Node& name) {
    std::vector<Chosen> chosen;
    sweep_on(algorithm, group, name, chosen, 0);
}

void Planner::sweep_on(const StudyAlgorithm& algorithm, const StudyInstances& group, const Node& name,
                       std::vector<Chosen>& chosen, std::size_t next) {
    if (next == plan_.study.sweeps.size()) {
        if (!excluded(algorithm.name, name.text, chosen)) add(algorithm, group, name, chosen);
        return;
    }
    const StudySweep& sweep = plan_.study.sweeps[next];
    if (!fits_any(sweep.algorithms, algorithm.name)) return sweep_on(algorithm, group, name, chosen, next + 1);
    for (const Node& value : sweep.values) {
        chosen.push_back({&sweep, &value});
        sweep_on(algorithm, group, name, chosen, next + 1);
        chosen.pop_back();
    }
}

bool Planner::excluded(const std::string& algorithm, const std::string& instance,
                       const std::vector<Chosen>& chosen) const {
    return std::any_of(
        plan_.study.exclusions.begin(), plan_.study.exclusions.end(), [&](const StudyExclusion& exclusion) {
            if (!fits_any(exclusion.algorithms, algorithm) || !fits_any(exclusion.instances, instance)) return false;
            return std::all_of(exclusion.set.begin(), exclusion.set.end(), [&](const StudySetting& setting) {
                return std::any_of(chosen.begin(), chosen.end(), [&](const Chosen& choice) {
                    return choice.sweep->key == setting.key && value_text(*choice.value) == value_text(setting.value);
                });
            });
        });
}

Node Planner::configuration(const StudyAlgorithm& algorithm, const StudyInstances& group, const Node& name,
                            const std::vector<Chosen>& chosen) const {
    Node root;
    if (!algorithm.config.empty()) {
        root = parse_toml(read_file(algorithm.config), algorithm.config);
        const std::filesystem::path beside = std::filesystem::path(algorithm.config).parent_path();
        Node* problem = root.find("problem");
        for (const char* key : {"instance", "initial"}) {
            Node* file = problem == nullptr ? nullptr : problem->find(key);
            if (file != nullptr && file->type == Node::Type::kText)
                file->text = existing_path_or_name(file->text, beside);
        }
        if (Node* run = root.find("run")) {
            run->remove("seed");
            run->remove("runs");
        }
    }
    for (const Node& key : algorithm.unset) take_away(root, key);
    const auto lay = [&](const std::vector<StudySetting>& settings) {
        for (const StudySetting& setting : settings) lay_over(root, setting, folder_);
    };
    lay(plan_.study.base);
    lay_over(root, {"problem.instance", name}, folder_);
    lay(algorithm.set);
    lay(group.set);
    for (const Chosen& choice : chosen) lay_over(root, {choice.sweep->key, *choice.value}, folder_);
    if (options_.quick) lay(plan_.study.quick.set);
    for (const auto& [key, text] : options_.set) {
        Node value;
        const std::string where = "--set " + key;
        if (auto parsed = parse_toml_value(text, where); parsed && parsed->type != Node::Type::kOther) {
            value = *std::move(parsed);
        } else {
            value.type = Node::Type::kText;
            value.text = text;
            value.where = where;
        }
        lay_over(root, {key, value}, working_folder());
    }
    return root;
}

/// The first seed of a variant. If each variant has its own seeds, these seeds depend on the variant's name and the
/// study's first_seed, and only rarely on other variants. A hash of the name chooses one of many blocks of kMostSeeds
/// seeds. If another variant already has this block, the variant gets the next free block.
std::uint64_t Planner::first_seed_of(const std::string& variant) {
    if (!plan_.study.own_seeds) return plan_.study.first_seed;
    constexpr std::uint64_t kBlocks = std::uint64_t{1} << 24U;
    std::uint64_t block = statistics::seed_of(variant) % kBlocks;
    while (true) {
        const std::string& holder = seed_blocks_.try_emplace(block, variant).first->second;
        if (holder == variant) return plan_.study.first_seed + (block + 1) * kMostSeeds;
        block = (block + 1) % kBlocks;
    }
}

void Planner::add(const StudyAlgorithm& algorithm, const StudyInstances& group, const Node& name,
                  const std::vector<Chosen>& chosen) {
    Node root = configuration(algorithm, group, name, chosen);
    Node* device = root.find("device");
    if (!options_.backend.empty() && (device == nullptr || device->find("backend") == nullptr)) {
        Node value;
        value.type = Node::Type::kText;
        value.text = options_.backend;
        value.where = "--backend";
        lay_over(root, {"device.backend", value}, folder_);
    }
    Config config = ConfigDocument::of(std::move(root), algorithm.where.substr(0, algorithm.where.rfind(':')), folder_)
                        .check(registry_);
    Cell cell;
    // The part of the name after the last '/'. Without a '/', rfind gives npos, npos + 1 is 0, and no part is cut off.
    cell.instance = printable(name.text.substr(name.text.rfind('/') + 1));
    cell.group = group.group;
    cell.algorithm = algorithm.name;
    for (const Chosen& choice : chosen)
        cell.factors.push_back({choice.sweep->key, choice.sweep->label, value_text(*choice.value)});
    cell.first_seed = first_seed_of(cell.variant());
    if (!check(config, cell, name.where)) return;
    if (!places_.insert(cell.place()).second)
        fail_at(algorithm.where,
                fmt::format("{} is planned twice: the algorithm \"{}\", this instance or a value of a sweep is given "
                            "twice; instances of the same file name in different folders count as the same",
                            cell.place(), algorithm.name));
    plan_.cells.push_back(std::move(cell));
}

/// The problem of a run. Null if its instance cannot be read and the options allow a study to skip it.
const Problem* Planner::problem_of(const Config& config, const std::string& where) {
    const std::string text = to_toml(config);
    const std::string key = text.substr(0, text.find("[algorithm]"));
    Loaded& loaded = problems_[key];
    if (loaded.problem || loaded.missing) return loaded.problem.get();
    loaded.registry = config.registry;
    loaded.choice = config.problem;
    try {
        loaded.problem = std::make_unique<Problem>(host_, loaded.choice);
    } catch (const Error& error) {
        if (!options_.skip_missing || error.kind() != ErrorKind::kInput)
            throw Error(error.kind(), fmt::format("{}: {}", where, error.what()));
        log_warning("left out: {}", error.what());
        loaded.missing = some_missing_ = true;
    }
    return loaded.problem.get();
}

/// Fills in `cell` from the configuration. Returns false if the study leaves out the cell's instance.
bool Planner::check(Config& config, Cell& cell, const std::string& where) {
    config.run.seed = 1;
    config.output = OutputSettings{};
    if (config.device.starts_on_cpu() && !config.device.start_on_cpu) {
        // A study compares times. They must not include the time on the CPU before the GPUs are ready.
        config.device.start_on_cpu = false;
    }
    cell.config = to_toml(config);
    cell.backend = config.device.backend;
    cell.fixed_threads = config.run.threads != 0;
    cell.fixed_devices = !config.device.devices.empty();
    cell.time_limit = config.run.time_limit;
    const Problem* const problem = problem_of(config, where);
    if (problem == nullptr) return false;
    try {
        config.resolve_sizes(problem->info().n);
        const StopConditions ends = StopConditions::of(config.run, problem->info());
        cell.may_end_early =
            ends.target || ends.iterations || ends.evaluations || ends.stagnation || ends.stagnation_iterations;
        const bool cpu = (config.algorithm.component->descriptor->backends & QAPFW_BACKEND_CPU) != 0;
        check_combination(config, *problem,
                          config.device.backend != "auto" ? config.device.backend
                          : cpu                           ? "cpu"
                                                          : "cuda");
        std::optional<Improver> improver;
        if (config.improver) improver.emplace(host_, *config.improver, *problem);
        if (config.device.backend != "cuda")
            Solver(host_, config.algorithm, *problem, improver ? &*improver : nullptr, *config.registry);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}: {}", where, cell.place(), error.what()));
    }
    cell.iterations = config.run.iterations.value_or(0);
    const std::string name = cell.variant() + "-" + cell.instance;
    std::string stem = name.substr(0, 80);
    for (char& c : stem)
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' ? c : '_';
    cell.fingerprint = problem->info().fingerprint;
    cell.build = build_of(identity_of(config, problem->info(), config.device.backend));
    std::string content = fmt::format("{}\n{:016x}", cell.config, *cell.fingerprint);
    if (stem != name) content += "\n" + name;  // "T+1" and "T 1" have the same stem, but are two cells
    cell.id = fmt::format("{}-{:010x}", stem, statistics::seed_of(content) & 0xffffffffffU);
    return true;
}

std::vector<std::string> text_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Returns the lines that only `before` has, each marked with "-", then the lines that only `now` has, marked with "+".
std::string line_difference(const std::string& before, const std::string& now) {
    const auto old_lines = text_lines(before), new_lines = text_lines(now);
    const std::multiset<std::string> old_set(old_lines.begin(), old_lines.end()),
        new_set(new_lines.begin(), new_lines.end());
    std::string text;
    for (const auto& line : old_lines) text += new_set.count(line) == 0 ? "\n    - " + line : "";
    for (const auto& line : new_lines) text += old_set.count(line) == 0 ? "\n    + " + line : "";
    return text;
}

/// Returns the study's title, followed by what --quick changes. So nobody mistakes a quick table for the paper's table.
std::string quick_title(const StudyFile& study, std::uint32_t seeds, bool chosen) {
    std::vector<std::string> changes;
    if (study.quick.seeds) changes.push_back(fmt::format("{} seeds of {}", *study.quick.seeds, seeds));
    for (const StudySetting& setting : study.quick.set)
        changes.push_back(fmt::format("{} = {}", setting.key, value_text(setting.value)));
    for (const StudySweep& sweep : study.quick.sweeps) {
        std::vector<std::string> values;
        for (const Node& value : sweep.values) values.push_back(value_text(value));
        changes.push_back(fmt::format("{} {}", sweep.label, fmt::join(values, ", ")));
    }
    if (!chosen && !study.quick.instances.empty())
        changes.push_back(fmt::format("instances {} alone", fmt::join(study.quick.instances, ", ")));
    if (!chosen && !study.quick.algorithms.empty())
        changes.push_back(fmt::format("algorithms {} alone", fmt::join(study.quick.algorithms, ", ")));
    return fmt::format("{} (quick: {})", study.title,
                       changes.empty() ? "nothing is changed" : fmt::format("{}", fmt::join(changes, "; ")));
}

}  // namespace

std::string Cell::variant() const {
    std::string name = algorithm;
    for (const Factor& factor : factors) name += fmt::format(" {}={}", factor.label, factor.value);
    return name;
}

Plan make_plan(StudyFile study, const PlanOptions& options, const Registry& registry,
               const std::vector<std::filesystem::path>& data_paths) {
    Plan plan;
    plan.study = std::move(study);
    plan.quick = options.quick;
    plan.pool_builds = options.pool_builds;
    if (options.quick) {
        plan.study.title = quick_title(plan.study, plan.study.seeds, !options.only.empty());
        plan.study.seeds = plan.study.quick.seeds.value_or(plan.study.seeds);
        for (StudySweep& sweep : plan.study.sweeps) {
            for (const StudySweep& other : plan.study.quick.sweeps) {
                if (other.key == sweep.key) sweep.values = other.values;
            }
        }
        plan.remarks.emplace_back(
            "quick: small budgets and few runs only show that everything works; their figures say little");
    }
    if (options.seeds) plan.study.seeds = *options.seeds;
    for (const auto& [key, value] : options.set)
        plan.remarks.push_back(fmt::format("{} = {} replaces the study's value", key, value));
    for (const StudyReference& reference : plan.study.references) read_reference(reference, plan.references);
    Planner(plan, options, registry, data_paths).make();
    return plan;
}

PlanEstimate estimate(const Plan& plan) {
    PlanEstimate sum;
    for (const Cell& cell : plan.cells) {
        if (cell.time_limit) sum.seconds += *cell.time_limit * plan.study.seeds;
        if (!cell.time_limit) sum.unlimited += plan.study.seeds;
        if (cell.time_limit && cell.may_end_early) sum.early += plan.study.seeds;
    }
    return sum;
}

std::string plan_difference(const std::vector<Cell>& before, const std::vector<Cell>& now) {
    std::map<std::string, const Cell*> old_cells;
    for (const Cell& cell : before) old_cells[cell.place()] = &cell;
    std::string text;
    for (const Cell& cell : now) {
        const auto found = old_cells.find(cell.place());
        if (found == old_cells.end()) {
            text += fmt::format("\n  + {}", cell.place());
            continue;
        }
        const Cell& old = *found->second;
        if (old.config != cell.config)
            text += fmt::format("\n  {}:{}", cell.place(), line_difference(old.config, cell.config));
        if (old.fingerprint && old.fingerprint != cell.fingerprint) {
            text += fmt::format(
                "\n  {}: the instance's data have changed: fingerprint {:016x} before, {:016x} now; the "
                "runs on the old data stay in runs/{}",
                cell.place(), *old.fingerprint, cell.fingerprint.value_or(0), old.id);
        }
        old_cells.erase(found);
    }
    for (const auto& [place, cell] : old_cells) text += fmt::format("\n  - {} (its runs are kept)", place);
    return text;
}

}  // namespace qapfw::framework::laboratory
