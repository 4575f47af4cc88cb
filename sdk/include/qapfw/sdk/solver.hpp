// SPDX-License-Identifier: Apache-2.0
// How to write a solver as a C++ class. Required members:
//
//     static constexpr sdk::ParameterTable kParameters{...};  // see sdk/parameter_table.hpp
//     explicit Solver(const sdk::SolverContext&);      // throws qapfw::Error
//     void run(sdk::Run&);                             // the main loop; written like a paper's pseudocode
//
// Optional, both or none. With them, a run can be resumed exactly:
//
//     void save(sdk::Writer&) const;
//     void load(sdk::Reader&);
//
// Optional. With the next member a run may begin on the CPU while the GPUs are made ready, see QAPFW_SOLVER_MOVES in
// qapfw/abi/solver.h. The member lists the parameters whose "auto" depends on the GPUs, then nullptr:
//
//     static constexpr const char* kAutoByGpus[] = {"searches", nullptr};
#pragma once

#include <cstring>
#include <span>
#include <type_traits>

#include "qapfw/abi/solver.h"
#include "qapfw/sdk/improver.hpp"

namespace qapfw::sdk {

/// The objects that a solver is made from. Host, problem and improver outlive the solver.
struct SolverContext {
    Host host;                           ///< services of the framework
    Parameters parameters;               ///< parameter values; read them only during construction
    ProblemRef problem;                  ///< the problem
    const qapfw_improver_ref* improver;  ///< the configured improver; null: none
};

/// Writes trivially copyable values and arrays of such values to a saved state. Members throw StatusError on failure.
class Writer {
  public:
    explicit Writer(const qapfw_writer* writer) : writer_(writer) {}  ///< `writer` must outlive this object.
    /// Appends `size` bytes. `size` itself is not saved.
    void bytes(const void* data, std::uint64_t size) { check(writer_->write(writer_->context, data, size), "save"); }
    /// Appends the bytes of a value.
    template <class T>
    void value(const T& v) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&v, sizeof v);
    }
    /// Appends the number of elements as 64 bits, then the elements.
    template <class T>
    void array(const std::vector<T>& v) {
        static_assert(std::is_trivially_copyable_v<T>);
        value<std::uint64_t>(v.size());
        bytes(v.data(), v.size() * sizeof(T));
    }

  private:
    const qapfw_writer* writer_;
};

/// Reads what Writer wrote, in the same order. Throws Error(kInput) if the state ends early or an array has another
/// length than expected.
class Reader {
  public:
    explicit Reader(const qapfw_reader* reader) : reader_(reader) {}  ///< `reader` must outlive this object.
    /// Reads the next `size` bytes.
    void bytes(void* data, std::uint64_t size) {
        auto* to = static_cast<unsigned char*>(data);
        while (size > 0) {
            const std::uint64_t got = reader_->read(reader_->context, to, size);
            if (got == 0 || got > size) throw Error(ErrorKind::kInput, "the saved state ends too early");
            to += got;
            size -= got;
        }
    }
    /// Reads the next value.
    template <class T>
    T value() {
        static_assert(std::is_trivially_copyable_v<T>);
        T v;
        bytes(&v, sizeof v);
        return v;
    }
    /// Reads all remaining bytes.
    std::vector<unsigned char> rest() {
        std::vector<unsigned char> all;
        unsigned char block[4096];
        while (const std::uint64_t got = reader_->read(reader_->context, block, sizeof block)) {
            all.insert(all.end(), block, block + got);
        }
        return all;
    }
    /// Reads an array whose length must be `expected`; `v` gets this length.
    template <class T>
    void array(std::vector<T>& v, std::uint64_t expected) {
        const auto size = value<std::uint64_t>();
        if (size != expected) {
            throw Error(ErrorKind::kInput, "the saved state holds " + std::to_string(size) + " elements where " +
                                               std::to_string(expected) + " were expected");
        }
        v.resize(size);
        bytes(v.data(), size * sizeof(T));
    }

  private:
    const qapfw_reader* reader_;
};

/// Reads a saved state from memory, for solvers that build their searches only when the run begins.
class MemoryReader {
  public:
    /// `bytes`: the saved state, from Reader::rest.
    explicit MemoryReader(std::vector<unsigned char> bytes)
        : bytes_(std::move(bytes)), source_{this, read}, reader_(&source_) {}
    MemoryReader(const MemoryReader&) = delete;
    MemoryReader& operator=(const MemoryReader&) = delete;
    Reader& reader() { return reader_; }  ///< reads the bytes in order, from the first; valid as long as this object

  private:
    static std::uint64_t read(void* context, void* to, std::uint64_t size) {
        auto* self = static_cast<MemoryReader*>(context);
        const std::uint64_t count = std::min<std::uint64_t>(size, self->bytes_.size() - self->position_);
        if (count > 0) std::memcpy(to, self->bytes_.data() + self->position_, count);
        self->position_ += count;
        return count;
    }
    std::vector<unsigned char> bytes_;
    std::uint64_t position_ = 0;
    qapfw_reader source_;
    Reader reader_;
};

/// The framework's services for a running solver; valid until the solver's run ends. begin_round, end_round, is_slice
/// and statistic are for the main thread; any thread may call the other members.
class Run {
  public:
    explicit Run(const qapfw_run* run) : run_(run) {}  ///< `run` must outlive this object.
    const qapfw_run* get() const { return run_; }      ///< the C form

    std::uint64_t seed() const { return run_->seed; }    ///< seed of all random draws
    bool resumed() const { return run_->resumed != 0; }  ///< true if load was called before run
    /// Warm starts given by the user, in any order; may be empty. The run must not end worse than the best of them.
    const qapfw_batch& initial() const { return run_->initial; }
    /// The GPUs to work on; empty: work on the CPU.
    std::span<const qapfw_device* const> devices() const { return {run_->devices, run_->device_count}; }
    /// Exchanges data between the processes that split the run; null if this process is alone.
    const qapfw_exchange* exchange() const { return run_->exchange; }
    bool has_target() const { return run_->has_target != 0; }  ///< true if there is a target
    /// A search that reaches this cost may stop early. Valid only if has_target.
    qapfw_cost target() const { return run_->target; }

    /// Seconds of search that were left when the solver's run began; 0: no limit, or unknown.
    double seconds_left() const { return tells_limits() ? run_->seconds_left : 0; }
    /// Iterations that were left when the solver's run began; 0: no limit, or unknown.
    std::uint64_t iterations_left() const { return tells_limits() ? run_->iterations_left : 0; }
    /// Evaluations that were left when the solver's run began; 0: no limit, or unknown.
    std::uint64_t evaluations_left() const { return tells_limits() ? run_->evaluations_left : 0; }

    /// Returns the number of iterations granted for the next round, at most `wanted`; 0: the run is over.
    std::uint64_t begin_round(std::uint64_t wanted) { return run_->begin_round(run_->context, wanted); }
    /// Reports what happened since the last report. The framework may call `save` before this function returns. Throws
    /// StatusError.
    void end_round(const qapfw_round& round) { check(run_->end_round(run_->context, &round), "end_round"); }
    /// True if the solver must leave the round within 0.1 s. Any thread may ask at any time. A call costs as much as
    /// reading a clock.
    bool should_stop() const { return run_->should_stop(run_->context) != 0; }
    /// should_stop() as an object to hand to functions that take long.
    StopQuestion stop() const { return {run_->should_stop, run_->context}; }
    /// True if the framework wants to see better solutions before the round ends.
    bool takes_offers() const { return run_->offer != nullptr; }
    /// Shows the framework a solution of the present round that is better than all earlier solutions. Call this
    /// function only if takes_offers() is true. Thread-safe; the solution is copied. See qapfw_run.offer.
    void offer(const void* solution, qapfw_cost cost) const { run_->offer(run_->context, solution, cost); }
    /// Limit on the evaluations of the whole run; 0: no limit. See qapfw_run.most_evaluations.
    std::uint64_t most_evaluations() const { return run_->most_evaluations; }
    /// True if the last grant was a slice of a round. Only solvers with QAPFW_SOLVER_SLICES get slices.
    bool is_slice() const { return run_->is_slice != nullptr && run_->is_slice(run_->context) != 0; }
    /// Sets a named number in the record's statistics; the last value of a name is kept.
    void statistic(const char* name, double value) { run_->statistic(run_->context, name, value); }

    /// Returns a request to an improver, for generation `generation` of this run. In random draws, the first solution
    /// of the batch is individual 0. The improver's own parameter decides the number of iterations. The caller may
    /// change the request. `stream`: below 2^16 - 1, see qapfw_improve_request.
    qapfw_improve_request improve_request(std::uint32_t generation, std::uint32_t stream) const {
        return {sizeof(qapfw_improve_request),
                generation,
                run_->seed,
                0,
                stream,
                0,
                run_->should_stop,
                run_->context,
                0,
                0};
    }

  private:
    bool tells_limits() const { return run_->struct_size >= sizeof(qapfw_run); }
    const qapfw_run* run_;
};

template <class T>
struct SolverTrampolines {
    struct Handle {
        const qapfw_host* host;
        T object;
    };
    static Handle* cast(qapfw_solver* s) { return reinterpret_cast<Handle*>(s); }

    static qapfw_status create(const qapfw_host* host, const qapfw_parameters* values, const qapfw_problem_ref* problem,
                               const qapfw_improver_ref* improver, qapfw_solver** out) {
        return guarded(host, [&] {
            const SolverContext context{Host(host), Parameters(parameter_table<T>(), parameter_count<T>(), values),
                                        ProblemRef(problem), improver};
            *out = reinterpret_cast<qapfw_solver*>(new Handle{host, T(context)});
        });
    }
    static void destroy(qapfw_solver* s) { delete cast(s); }
    static qapfw_status run(qapfw_solver* s, const qapfw_run* run) {
        return guarded(cast(s)->host, [&] {
            Run services(run);
            cast(s)->object.run(services);
        });
    }
    static qapfw_status save(qapfw_solver* s, const qapfw_writer* writer) {
        return guarded(cast(s)->host, [&] {
            Writer w(writer);
            cast(s)->object.save(w);
        });
    }
    static qapfw_status load(qapfw_solver* s, const qapfw_reader* reader) {
        return guarded(cast(s)->host, [&] {
            Reader r(reader);
            cast(s)->object.load(r);
        });
    }
    static constexpr qapfw_solver_table make_table() {
        static_assert(
            requires(T & o, Run & r) { o.run(r); }, "wanted the public member: void run(sdk::Run&)");
        static_assert(names_save<T>() == names_load<T>(),
                      "a solver must have both save and load, so that runs can be resumed, or neither");
        static_assert(
            !names_save<T>() || requires(const T& o, Writer& w) { o.save(w); },
            "save must be public: void save(sdk::Writer&) const");
        static_assert(
            !names_load<T>() || requires(T & o, Reader & r) { o.load(r); },
            "load must be public: void load(sdk::Reader&)");
        qapfw_solver_table t{sizeof(qapfw_solver_table), create, destroy, run, nullptr, nullptr};
        if constexpr (requires(T & o, Writer & w, Reader & r) { o.save(w), o.load(r); }) {
            t.save = save;
            t.load = load;
        }
        return t;
    }
    static constexpr qapfw_solver_table table = make_table();

    static const void* get_capability(const char* id) {
        if constexpr (requires { T::kAutoByGpus[0]; }) {
            if (id != nullptr && std::strcmp(id, QAPFW_SOLVER_MOVES) == 0) return T::kAutoByGpus;
        }
        if constexpr (requires { T::get_capability(id); })
            return T::get_capability(id);
        else
            return nullptr;
    }
};

/// Returns the component of a solver class T. T must have the members listed at the head of this file. If a member is
/// missing or wrong, the call does not compile.
template <class T>
constexpr qapfw_component solver_component(const About& about) {
    return {sizeof(qapfw_component),
            QAPFW_KIND_SOLVER,
            about.id,
            about.version,
            about.summary,
            about.reference,
            parameter_count<T>(),
            sizeof(qapfw_parameter),
            parameter_table<T>(),
            &SolverTrampolines<T>::table,
            about.encodings,
            about.backends,
            about.uses_improver,
            SolverTrampolines<T>::get_capability};
}

}  // namespace qapfw::sdk
