// SPDX-License-Identifier: Apache-2.0
// Objects that a capability of a problem makes, such as the neighbourhood of a search. For problems: the C functions of
// these objects. For searches: the owner of an object, and a solution whose changes the object evaluates.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// C functions of the objects that a capability makes. `Opaque`: the C type of these objects. `Object`: their C++
/// class. `Handle`: the class behind qapfw_problem. An Object is constructed from the handle's member `object`. The
/// handle's member `host` gets error messages.
template <class Opaque, class Handle, class Object>
struct ProblemObjects {
    /// An object and the host that gets its error messages.
    struct Bound {
        const qapfw_host* host;  ///< the problem's host
        Object object;           ///< the object that the capability made
    };
    /// Returns the object to which a pointer of the C interface points.
    static Object& object(Opaque* opaque) { return reinterpret_cast<Bound*>(opaque)->object; }
    /// Makes an object of the problem.
    static qapfw_status create(qapfw_problem* problem, Opaque** out) {
        auto* const handle = reinterpret_cast<Handle*>(problem);
        return guarded(handle->host, [&] {
            *out = reinterpret_cast<Opaque*>(new Bound{handle->host, Object(handle->object)});
        });
    }
    /// Destroys an object.
    static void destroy(Opaque* opaque) { delete reinterpret_cast<Bound*>(opaque); }
    /// Calls act(object). An exception becomes a status.
    template <class Act>
    static qapfw_status call(Opaque* opaque, const Act& act) {
        return guarded(reinterpret_cast<Bound*>(opaque)->host, [&] { act(object(opaque)); });
    }
    /// Starts from a solution and writes its cost.
    static qapfw_status reset(Opaque* opaque, const void* solution, qapfw_cost* cost) {
        return call(opaque, [&](Object& o) { *cost = o.reset(solution); });
    }
};

/// Owner of an object made by a problem's capability; empty if the problem lacks the capability.
template <class Table, class Opaque>
class ProblemObject {
  public:
    /// Makes the object if the problem has the capability `id`; throws StatusError if that fails. `create` names the
    /// call in messages. The problem must outlive this object.
    ProblemObject(const ProblemRef& problem, const char* id, const char* create)
        : table_(problem.capability<Table>(id)) {
        if (table_ != nullptr) check(table_->create(problem.get()->problem, &object_), create);
    }
    /// Takes over the object; `other` is empty afterwards.
    ProblemObject(ProblemObject&& other) noexcept
        : table_(other.table_), object_(std::exchange(other.object_, nullptr)) {}
    ProblemObject& operator=(ProblemObject&&) = delete;
    ~ProblemObject() {
        if (object_ != nullptr) table_->destroy(object_);
    }

    /// True if there is an object.
    explicit operator bool() const { return object_ != nullptr; }
    const Table* operator->() const { return table_; }  ///< the C functions of the object
    Opaque* get() const { return object_; }             ///< the C form of the object

  private:
    const Table* table_;
    Opaque* object_ = nullptr;
};

/// A solution and its cost, for searches that need the costs of changed solutions. If the problem has the capability of
/// `Table`, the problem computes the changes of the cost; otherwise the changed solutions are evaluated. One object per
/// search; not thread-safe.
template <class Table, class Opaque>
class SearchedSolution {
  public:
    /// From now on, long calls throw Stopped soon after `stop` becomes true.
    void watch(const StopQuestion& stop) { stop_ = stop; }
    /// Starts from `solution`, which is copied, and returns its cost. Throws StatusError if the problem fails.
    qapfw_cost reset(const void* solution) {
        std::memcpy(current_.data(), solution, current_.size());
        if (object_) {
            check(object_->reset(object_.get(), solution, &cost_), reset_);
        } else {
            cost_ = problem_.evaluate_one(current_.data());
        }
        return cost_;
    }
    const void* solution() const { return current_.data(); }     ///< the present solution
    qapfw_cost cost() const { return cost_; }                    ///< cost of the present solution
    bool is_fast() const { return static_cast<bool>(object_); }  ///< true if the problem computes deltas itself

  protected:
    /// The largest number of changed solutions evaluated in one call.
    static constexpr std::uint32_t kMostTogether = 256;

    /// `create` and `reset`: string literals that name these two C functions in messages, such as "moves: create".
    SearchedSolution(const ProblemRef& problem, const char* id, const char* create, const char* reset)
        : problem_(problem), object_(problem, id, create), current_(problem.solution_bytes()), reset_(reset) {}

    /// Writes the changes of the cost for `count` changed solutions. change(k, solution) gets a copy of the present
    /// solution and makes the k-th change in it. Adapts `together_`, so that searches ask every few milliseconds
    /// whether to stop, unless one evaluation takes longer.
    template <class Change>
    void evaluate_changed(std::uint32_t count, qapfw_cost* deltas, const Change& change) {
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t bytes = problem_.solution_bytes();
        if (changed_.size() < bytes * count) changed_.resize(bytes * count);
        for (std::uint32_t k = 0; k < count; ++k) {
            void* const changed = changed_.data() + bytes * k;
            std::memcpy(changed, current_.data(), bytes);
            change(k, changed);
        }
        problem_.evaluate({changed_.data(), deltas, count});
        for (std::uint32_t k = 0; k < count; ++k) deltas[k] = problem_.difference(deltas[k], cost_);
        const auto time = std::chrono::steady_clock::now() - start;
        if (time < std::chrono::milliseconds(1) && count >= together_)
            together_ = std::min(2 * together_, kMostTogether);
        if (time > std::chrono::milliseconds(4)) together_ = std::max(together_ / 2, 1u);
    }

    ProblemRef problem_;                   ///< the problem
    ProblemObject<Table, Opaque> object_;  ///< computes deltas; may be empty
    std::vector<unsigned char> current_;   ///< the present solution
    std::vector<unsigned char> changed_;   ///< changed solutions
    qapfw_cost cost_{};                    ///< cost of the present solution
    StopQuestion stop_;                    ///< tells whether to stop; called between evaluations
    std::uint32_t together_ = 16;          ///< number of changed solutions evaluated between two calls of stop_

  private:
    const char* reset_;
};

}  // namespace qapfw::sdk
