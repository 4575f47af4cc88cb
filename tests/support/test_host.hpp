// SPDX-License-Identifier: Apache-2.0
// A small framework for unit tests of plugins: loops are serial, log lines are kept, and tests set parameter values.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "qapfw/sdk/solver.hpp"

namespace qapfw::test {

using Given = std::map<std::string, std::string>;  ///< parameter values by name, as texts

class TestHost {
  public:
    explicit TestHost(std::vector<std::string> data_folders = {}) : folders_(std::move(data_folders)) {
        for (const std::string& folder : folders_) paths_.push_back(folder.c_str());
        host_.struct_size = sizeof host_;
        host_.context = this;
        host_.worker_count = 2;
        host_.data_paths = paths_.data();
        host_.data_path_count = static_cast<std::uint32_t>(paths_.size());
        host_.log = [](void* c, std::int32_t, const char* text, std::uint64_t size) {
            const std::lock_guard lock(static_cast<TestHost*>(c)->mutex_);
            static_cast<TestHost*>(c)->log.emplace_back(text, size);
        };
        host_.set_error = [](void* c, const char* text, std::uint64_t size) {
            const std::lock_guard lock(static_cast<TestHost*>(c)->mutex_);
            static_cast<TestHost*>(c)->error.assign(text, size);
        };
        host_.parallel_for = [](void*, std::uint64_t count, qapfw_loop_body body, void* user) -> qapfw_status {
            for (std::uint64_t k = 0; k < count; ++k) {
                const qapfw_status status = body(user, k, static_cast<std::uint32_t>(k % 2));
                if (status != QAPFW_OK) return status;
            }
            return QAPFW_OK;
        };
        host_.resolve = [](void* c, const char* name, const qapfw_value* value) {
            static_cast<TestHost*>(c)->resolved[name] = value->integer;
        };
        host_.get_capability = [](void*, const char*) -> const void* { return nullptr; };
    }
    TestHost(const TestHost&) = delete;
    TestHost& operator=(const TestHost&) = delete;
    const qapfw_host* get() const { return &host_; }

    std::vector<std::string> log;
    std::string error;
    std::map<std::string, std::int64_t> resolved;

  protected:
    qapfw_host host_{};

  private:
    std::vector<std::string> folders_;
    std::vector<const char*> paths_;
    std::mutex mutex_;
};

/// Parameter values of class T: those in `given` ("auto" means auto), and defaults for other parameters. Values like
/// "16n" are computed with n.
class Values {
  public:
    template <class T>
    static Values of(const Given& given, std::uint32_t n = 1) {
        Values values;
        const qapfw_parameter* declared = sdk::parameter_table<T>();
        values.texts_.resize(sdk::parameter_count<T>());
        for (std::uint32_t k = 0; k < sdk::parameter_count<T>(); ++k) {
            const auto at = given.find(declared[k].name);
            if (at != given.end())
                values.texts_[k] = at->second;
            else if (declared[k].default_text != nullptr)
                values.texts_[k] = declared[k].default_text;
            values.values_.push_back(value_of(declared[k], values.texts_[k], n));
        }
        values.c_ = {sizeof(qapfw_parameters), static_cast<std::uint32_t>(values.values_.size()), nullptr};
        return values;
    }
    const qapfw_parameters* get() {
        for (std::size_t k = 0; k < values_.size(); ++k) values_[k].text = texts_[k].c_str();
        point_to_lists();
        c_.values = values_.data();
        return &c_;
    }

  private:
    /// Splits the texts of list parameters at '|' and points the values to the pieces.
    void point_to_lists() {
        lists_.assign(values_.size(), {});
        pointers_.assign(values_.size(), {});
        for (std::size_t k = 0; k < values_.size(); ++k) {
            if (values_[k].type != QAPFW_PARAMETER_LIST || values_[k].is_auto != 0) continue;
            std::istringstream texts(texts_[k]);
            for (std::string text; std::getline(texts, text, '|');) lists_[k].push_back(text);
            for (const std::string& text : lists_[k]) pointers_[k].push_back(text.c_str());
            values_[k].list_count = static_cast<std::uint32_t>(pointers_[k].size());
            values_[k].list = pointers_[k].data();
        }
    }
    static qapfw_value value_of(const qapfw_parameter& declared, const std::string& text, std::uint32_t n) {
        qapfw_value value{};
        value.type = declared.type;
        value.present = text.empty() ? 0 : 1;
        value.is_auto = text == "auto" ? 1 : 0;
        if (value.is_auto != 0 || text.empty()) return value;
        if (declared.type == QAPFW_PARAMETER_CHOICE) {
            const std::string choices = std::string("|") + declared.choices + "|";
            const std::size_t at = choices.find("|" + text + "|");
            REQUIRE(at != std::string::npos);
            value.integer = std::count(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(at), '|');
        } else if (declared.type == QAPFW_PARAMETER_BOOLEAN) {
            value.integer = text == "true" ? 1 : 0;
        } else if (declared.type == QAPFW_PARAMETER_REAL) {
            value.real = std::stod(text);
        } else if (declared.type == QAPFW_PARAMETER_SIZE && text.find('n') != std::string::npos) {
            const std::size_t at = text.find('n');
            const std::int64_t factor = at == 0 ? 1 : std::stoll(text.substr(0, at));
            const std::int64_t divisor = at + 1 == text.size() ? 1 : std::stoll(text.substr(at + 2));
            value.integer = std::max<std::int64_t>(1, factor * n / divisor);
        } else if (declared.type != QAPFW_PARAMETER_TEXT && declared.type != QAPFW_PARAMETER_LIST) {
            value.integer = std::stoll(text);
        }
        return value;
    }
    std::vector<std::string> texts_;
    std::vector<std::vector<std::string>> lists_;
    std::vector<std::vector<const char*>> pointers_;
    std::vector<qapfw_value> values_;
    qapfw_parameters c_{};
};

/// Gives tests an object of the problem class T behind the C interface, as solvers and improvers see it.
template <class T>
class TestProblem {
  public:
    TestProblem(const TestHost& host, const Given& given)
        : values_(Values::of<T>(given)), handle_(host.get(), values_.get()) {
        ref_ = {sizeof ref_, reinterpret_cast<qapfw_problem*>(&handle_), &sdk::ProblemTrampolines<T>::table,
                sdk::ProblemTrampolines<T>::get_capability, "test"};
    }
    /// The same problem without its capabilities. Solvers then use only `evaluate`.
    qapfw_problem_ref plain() const {
        qapfw_problem_ref ref = ref_;
        ref.get_capability = [](const char*) -> const void* { return nullptr; };
        return ref;
    }
    const qapfw_problem_ref* get() const { return &ref_; }
    sdk::ProblemRef ref() const { return sdk::ProblemRef(&ref_); }
    T& object() { return handle_.object; }

  private:
    Values values_;
    sdk::ProblemHandle<T> handle_;
    qapfw_problem_ref ref_{};
};

/// A run of a fixed number of iterations. It keeps the solver's reports.
class TestRun {
  public:
    explicit TestRun(std::uint64_t seed, std::uint64_t iterations, std::uint64_t solution_bytes, bool resumed = false)
        : left_(iterations), solution_bytes_(solution_bytes) {
        run_.struct_size = sizeof run_;
        run_.context = this;
        run_.seed = seed;
        run_.resumed = resumed ? 1 : 0;
        run_.begin_round = [](void* c, std::uint64_t wanted) {
            auto* self = static_cast<TestRun*>(c);
            self->granted_ = std::min(wanted, self->left_);
            return self->granted_;
        };
        run_.end_round = [](void* c, const qapfw_round* round) -> qapfw_status {
            auto* self = static_cast<TestRun*>(c);
            self->left_ -= round->iterations;
            self->evaluations += round->evaluations;
            if (round->complete != 0) self->digests.push_back(round->digest);
            if (round->best_solution == nullptr) return QAPFW_OK;  // keeps the earlier solution, as the engine does
            self->best_cost = round->best_cost;
            const auto* bytes = static_cast<const unsigned char*>(round->best_solution);
            self->best.assign(bytes, bytes + self->solution_bytes_);
            return QAPFW_OK;
        };
        run_.should_stop = [](void*) -> std::int32_t { return 0; };
        run_.statistic = [](void*, const char*, double) {};
    }
    TestRun(const TestRun&) = delete;
    TestRun& operator=(const TestRun&) = delete;
    const qapfw_run* get() const { return &run_; }

    std::vector<std::uint64_t> digests;
    std::uint64_t evaluations = 0;
    std::vector<unsigned char> best;
    qapfw_cost best_cost{};

  private:
    qapfw_run run_{};
    std::uint64_t left_, granted_ = 0, solution_bytes_;
};

/// Saved state in memory.
class StateBytes {
  public:
    qapfw_writer writer() {
        return {this, [](void* c, const void* data, std::uint64_t size) -> qapfw_status {
                    auto* self = static_cast<StateBytes*>(c);
                    const auto* bytes = static_cast<const unsigned char*>(data);
                    self->bytes_.insert(self->bytes_.end(), bytes, bytes + size);
                    return QAPFW_OK;
                }};
    }
    /// A reader that gives at most 17 bytes per call, because short reads are allowed.
    qapfw_reader reader() {
        position_ = 0;
        return {
            this, [](void* c, void* data, std::uint64_t size) -> std::uint64_t {
                auto* self = static_cast<StateBytes*>(c);
                const std::uint64_t count = std::min<std::uint64_t>({size, 17, self->bytes_.size() - self->position_});
                std::copy_n(self->bytes_.begin() + static_cast<std::ptrdiff_t>(self->position_), count,
                            static_cast<unsigned char*>(data));
                self->position_ += count;
                return count;
            }};
    }

    /// Overwrites the number of complete generations, with which the state of a population begins.
    void set_generation(std::uint64_t generation) { std::memcpy(bytes_.data(), &generation, sizeof generation); }
    bool differs_beyond_generation(const StateBytes& other) const {
        const auto behind = [](const StateBytes& state) {
            return std::span(state.bytes_).subspan(sizeof(std::uint64_t));
        };
        return !std::ranges::equal(behind(*this), behind(other));
    }

  private:
    std::vector<unsigned char> bytes_;
    std::uint64_t position_ = 0;
};

}  // namespace qapfw::test
