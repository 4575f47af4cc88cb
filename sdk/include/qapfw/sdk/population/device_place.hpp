// SPDX-License-Identifier: Apache-2.0
// A shard in a GPU's memory, and the steps of a generation as kernels. Functions enqueue work and return at once,
// unless their comments say that they wait. A place is used by one thread at a time.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/device_report.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/launch_length.hpp"
#include "qapfw/sdk/population/fields.hpp"
#include "qapfw/sdk/population/report.hpp"
#include "qapfw/sdk/population/settings.hpp"

namespace qapfw::sdk {

/// A kernel of a solver's device texts.
struct KernelName {
    const char* entry;  ///< name of an `extern "C" __global__` function; this pointer identifies the kernel
    /// Name of the device text that defines the kernel. Only this text and the texts that it includes are compiled.
    /// Null: all texts of the solver are compiled.
    const char* file = nullptr;
};

/// Makes a solver's request for a kernel on a device, for the groups of a shard.
using KernelSource = std::function<KernelRequest(const KernelName&, const qapfw_device&, const Shard&)>;

/// Arguments of a kernel that makes the next mark, see DevicePlace::mark. The kernel copies the state of a place (its
/// fields without `is_apart`) over the copy that the last mark made. If `marked` is 0, the kernel copies nothing.
struct StateBytes {
    std::uint64_t now, marked, bytes;  ///< device address of the state, device address of the copy, bytes of each
};

/// The arrays of a shard in device memory, with the stream, the kernels and the improver that work on them. Members
/// throw StatusError if the device fails.
template <class View>
class DevicePlace {
  public:
    using Id = typename Fields<View>::Id;    ///< identifies a field
    static constexpr bool kOnDevice = true;  ///< tells templates of a solver whether the steps run on a GPU

    /// `on_gpu`: number of individuals of all places on the same GPU. `kernels`: all kernels of the solver, whose
    /// compilation begins now. `launches`: how many generations may be enqueued before the place waits.
    DevicePlace(const PopulationSettings& settings, const Fields<View>& fields, const qapfw_device& device,
                const Shard& shard, std::uint32_t on_gpu, const Run& run, KernelSource source,
                const std::vector<KernelName>& kernels, const LaunchLength& launches)
        : settings_(settings),
          run_(run),
          fields_(fields),
          shard_(shard),
          on_gpu_(on_gpu),
          source_(std::move(source)),
          stream_(announce(device, kernels)),
          memory_(fields.size()),
          report_(device, settings.bytes()),
          problem_view_(device),
          improver_(settings.improver, device, batch_beside_others(device, shard.individuals(), on_gpu)),
          launches_(launches) {
        allocate();
        fill_fresh();
        mark();
        for (const KernelName& name : kernels) kernel(name);
    }
    DevicePlace(const DevicePlace&) = delete;
    DevicePlace& operator=(const DevicePlace&) = delete;

    View& view() { return view_; }                                         ///< device addresses of the solver's arrays
    const Shard& shard() const { return shard_; }                          ///< the groups of this place
    std::uint32_t groups_on_gpu() const { return on_gpu_ / shard_.size; }  ///< number of all groups on this GPU
    const PopulationSettings& settings() const { return settings_; }       ///< settings of the run
    const Run& run() const { return run_; }                                ///< seed, limits and services of the run
    Stream& stream() { return stream_; }                                   ///< the stream for all work
    const qapfw_device& device() const { return stream_.device(); }        ///< the GPU
    const ProblemView& problem_view() const { return problem_view_; }      ///< the problem's View as a kernel argument
    bool improves() const { return static_cast<bool>(improver_); }         ///< true if there is an improver
    const DeviceImprover& improver() const { return improver_; }           ///< empty if none is configured

    /// Returns a kernel of the solver. The first call for a kernel waits until the kernel is compiled.
    Kernel& kernel(const KernelName& name) {
        for (auto& [entry, kernel] : kernels_) {
            if (entry == name.entry) return kernel;
        }
        return kernels_.emplace_back(name.entry, Kernel(device(), source_(name, device(), shard_))).second;
    }
    /// Enqueues one launch of a kernel: see Kernel::launch.
    template <class... Arguments>
    void launch(const KernelName& name, Extent grid, Extent block, std::uint32_t shared_bytes,
                const Arguments&... arguments) {
        kernel(name).launch(stream_, grid, block, shared_bytes, arguments...);
    }
    /// Calls `work` without measuring its time, unlike HostSteps::timed.
    template <class Work>
    void timed(const char*, const Work& work) {  // `work` only enqueues launches, so the time of the call says nothing
        work();
    }
    /// The object that a solver keeps for this place, made at the first call.
    template <class T, class Make>
    T& own(const Make& make) {
        if (!own_) own_ = std::make_shared<T>(make());
        return *static_cast<T*>(own_.get());
    }

    /// Applies the improver to `count` individuals of the shard from number `first` on. Does nothing if there is no
    /// improver. The call may wait for the GPU: see qapfw_improver_device::enqueue. `stream`: see
    /// qapfw_improve_request.
    void improve(const void* solutions, const void* costs, std::uint32_t first, std::uint32_t count,
                 std::uint64_t generation, std::uint32_t stream) {
        if (!improver_ || count == 0) return;
        qapfw_improve_request request = run_.improve_request(static_cast<std::uint32_t>(generation), stream);
        request.first_individual = shard_.first_individual() + first;
        improver_.enqueue(stream_,
                          {reinterpret_cast<std::uint64_t>(solutions) + first * settings_.bytes(),
                           reinterpret_cast<std::uint64_t>(costs) + first * sizeof(qapfw_cost), count},
                          request);
    }
    /// Improves all individuals of the shard as `improve` does, unless the run must stop.
    void improve_all(const void* solutions, const void* costs, std::uint64_t generation, std::uint32_t stream) {
        if (!run_.should_stop()) improve(solutions, costs, 0, shard_.individuals(), generation, stream);
    }
    /// Improves `count` arbitrary individuals, whose numbers in the run are in device memory. There must be an
    /// improver.
    void improve_numbered(const void* solutions, const void* costs, const std::uint32_t* numbers, std::uint32_t count,
                          std::uint64_t generation, std::uint32_t stream) {
        qapfw_improve_request request = run_.improve_request(static_cast<std::uint32_t>(generation), stream);
        request.individuals = reinterpret_cast<std::uint64_t>(numbers);
        improver_.enqueue(stream_,
                          {reinterpret_cast<std::uint64_t>(solutions), reinterpret_cast<std::uint64_t>(costs), count},
                          request);
    }
    /// Adds to evaluations() the number of candidates that enqueued kernels evaluate. Call this for kernels that do
    /// not count their evaluations themselves.
    void count(std::uint64_t evaluations) { evaluations_ += evaluations; }

    /// Uploads the shard's warm starts over its first solutions and waits for the copy. Warm start k becomes individual
    /// k of the run. `solutions` is the address of the shard's solutions in device memory. Returns the number of warm
    /// starts in this shard.
    std::uint32_t upload_warm_starts(const void* solutions) {
        const std::uint64_t first = shard_.first_individual(), all = settings_.warm_count();
        if (all <= first) return 0;
        const std::uint64_t here = std::min<std::uint64_t>(all - first, shard_.individuals());
        upload(reinterpret_cast<std::uint64_t>(solutions),
               {settings_.warm_start(first), static_cast<std::size_t>(here * settings_.bytes())});
        stream_.synchronize();
        return static_cast<std::uint32_t>(here);
    }
    /// All warm starts in device memory; null if there are none. The first call uploads them, and waits.
    const unsigned char* warm_starts() {
        if (warm_.size() == 0 && !settings_.warm.empty()) {
            warm_ = DeviceBuffer<unsigned char>(stream_, settings_.warm);
            stream_.synchronize();
        }
        return reinterpret_cast<const unsigned char*>(warm_.address());
    }
    /// Downloads values from device memory, and waits until they are there.
    template <class T>
    void fetch(std::span<T> to, const T* from) {
        download(reinterpret_cast<std::uint64_t>(from), {reinterpret_cast<unsigned char*>(to.data()), to.size_bytes()});
        stream_.synchronize();
    }

    // A mark is a copy of the state between two rounds. A field with `is_apart` is copied only before a step changes
    // the field in place. A step that rewrites the whole field needs no copy: the step leaves the old elements where
    // they are and writes to other memory.

    /// Stores a copy of the state, to which `revert` goes back. `mark` and `revert` do nothing unless
    /// PopulationSettings::goes_back is true.
    void mark() {
        if (!settings_.goes_back || std::exchange(kernel_marks_, false)) return;
        if (state_.size() > 0) marked_state_.copy_from(stream_, state_, state_.size());
        is_marked_here_ = true;
    }
    /// Goes back to the state at the last call of `mark`. Afterwards report() returns an empty report.
    void revert() {
        if (!settings_.goes_back) return;
        if (state_.size() > 0) state_.copy_from(stream_, marked_state_, state_.size());
        if (!std::exchange(is_marked_here_, false)) swap_marked();
        told_ = {};
        mark();
    }
    /// Call it before a step that changes, in place, any field with `is_apart`.
    void change_in_place() {
        if (!std::exchange(is_marked_here_, false)) return;
        for (const Id id : apart_) {
            memory_[id].marked.copy_from(stream_, memory_[id].now, memory_[id].now.size());
        }
    }
    /// Call it before a step that rewrites all fields with `is_apart`. The step reads from the returned view and writes
    /// to view(). These two views may point to the same memory.
    View make_anew() {
        const View before = view_;
        if (std::exchange(is_marked_here_, false)) swap_marked();
        return before;
    }
    /// Swaps the memory of two fields of the same size. `state` is a field with `is_apart`.
    void swap(Id state, Id other) {
        if (std::exchange(is_marked_here_, false)) swap_marked();
        std::swap(memory_[state].now, memory_[other].now);
        point(state);
        point(other);
    }
    /// Sets every byte of a field of scratch memory to `value`.
    void fill(Id id, std::uint8_t value) { memory_[id].now.fill(stream_, value); }
    /// Copies one field to another of the same size.
    void copy(Id to, Id from) { memory_[to].now.copy_from(stream_, memory_[from].now, memory_[from].now.size()); }
    /// Copies field `from`, a field of individuals or groups, to the shard's part of field `to`. That field must be
    /// a field of the run (FieldOf::kRun).
    void copy_to_run(Id to, Id from) {
        memory_[to].now.copy_from(stream_, memory_[from].now, memory_[from].now.size(), 0, first_byte(to));
    }
    /// Returns the addresses of the state and of its copy, for a kernel that makes the copy. The next call of `mark`
    /// then copies nothing. Only for solvers without fields with `is_apart`.
    StateBytes mark_by_kernel() {
        kernel_marks_ = true;
        return {state_.address(), marked_state_.address(), state_.size()};
    }

    /// Downloads the shard's own part of a field: the data at the last mark if `marked` is true, else the present data.
    /// `to` has the part's size. The data has arrived after synchronize.
    void read(Id id, std::span<unsigned char> to, bool marked) {
        const Memory& memory = memory_[id];
        const bool is_elsewhere = marked && settings_.goes_back && !(fields_[id].options.is_apart && is_marked_here_);
        const std::uint64_t at = is_elsewhere ? memory.marked_address : memory.address;
        download(at + first_byte(id), to);
    }
    /// Sets the shard's own part of a field. `from` has the part's size and must stay alive and unchanged until
    /// synchronize.
    void write(Id id, std::span<const unsigned char> from) { upload(memory_[id].address + first_byte(id), from); }
    /// Sets a field for all groups of the run, not only for those of the shard. `from` has the size of the whole field
    /// and must stay alive and unchanged until synchronize.
    void write_all(Id id, std::span<const unsigned char> from) { upload(memory_[id].address, from); }

    /// Makes generations first + 1 to `last` in parts. Whenever the place has enqueued as many generations as the
    /// constructor's `launches` allows, evolve waits for these generations and asks whether to stop.
    /// generations(from, to) makes generations from + 1 to `to`. Returns false if a stop cut the work short.
    template <class Generations>
    bool evolve(std::uint64_t first, std::uint64_t last, const Generations& generations) {
        for (std::uint64_t at = first; at < last;) {
            const std::uint64_t to = std::min(last, at + launches_.value() - queued_);
            if (queued_ == 0) launches_.start();
            generations(at, to);
            queued_ += to - at;
            at = to;
            if (queued_ < launches_.value()) continue;
            synchronize();
            if (run_.should_stop() && (improves() || at < last)) return false;
        }
        return true;
    }
    /// Waits until all enqueued work is done.
    void synchronize() {
        stream_.synchronize();
        end_queue();
    }

    /// Memory into which kernels write a PopulationReport and the leader's solution.
    const DeviceBuffer<unsigned char>& report_buffer() const { return report_.buffer(); }
    /// Downloads the report as it is now; take_report returns it later.
    void start_report() {
        report_.download(stream_);
        stream_.mark();
    }
    /// Waits for the report and returns it, without waiting for later work. The report's digest is that of this round
    /// alone; `leader` becomes the reported leader with its solution.
    PopulationReport take_report(Leader& leader) {
        stream_.reach_mark();
        PopulationReport report = report_.header();
        leader = {report_.template solution<unsigned char>(), qapfw_cost{.i = report.cost}, report.found,
                  report.number};
        reported_evaluations_ = report.evaluations;
        report.digest = report.digest - std::exchange(digests_, report.digest);
        told_ = report;
        return report;
    }
    /// The last report; empty if the state was reverted since.
    const PopulationReport& report() const { return told_; }
    /// Number of candidates evaluated since the place was made. Candidates counted by kernels are included up to the
    /// last report.
    std::uint64_t evaluations() const { return evaluations_ + reported_evaluations_ + improver_.evaluations(); }
    /// Downloads bytes from a device address; they have arrived after synchronize.
    void download(std::uint64_t address, std::span<unsigned char> to) {
        if (to.empty()) return;
        check(device().download(device().context, stream_.get(), to.data(), address, to.size()), "download");
    }
    /// Copies bytes to a device address; `from` must stay alive and unchanged until synchronize.
    void upload(std::uint64_t address, std::span<const unsigned char> from) {
        if (from.empty()) return;
        check(device().upload(device().context, stream_.get(), address, from.data(), from.size()), "upload");
    }
    /// Call it when all enqueued work is done. The time that the work took decides how much is enqueued next.
    void end_queue() {
        if (queued_ > 0) launches_.finish(queued_);
        queued_ = 0;
    }

  private:
    struct Memory {
        DeviceBuffer<unsigned char> now, marked;  ///< both empty: the field is a part of state_
        std::uint64_t address = 0, marked_address = 0;
    };
    static constexpr std::uint64_t kAlignment = 256;

    /// Begins to compile the kernels. Each device text is compiled once, for all its kernels. The improver's kernels
    /// are compiled at the same time.
    const qapfw_device& announce(const qapfw_device& device, const std::vector<KernelName>& kernels) {
        std::vector<KernelRequest> requests;
        std::vector<const char*> files;
        for (const KernelName& name : kernels) {
            if (std::find(files.begin(), files.end(), name.file) != files.end()) continue;
            files.push_back(name.file);
            requests.push_back(source_(name, device, shard_));
        }
        prepare(device, requests);
        return device;
    }
    std::uint64_t bytes_of(Id id) const {
        return units_of(fields_[id], shard_, settings_.shape) * fields_[id].bytes_of_each();
    }
    static std::uint64_t padded(std::uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
    bool is_in_piece(Id id) const { return fields_[id].options.is_state && !fields_[id].options.is_apart; }

    void allocate() {
        std::uint64_t size = 0;
        for (Id id = 0; id < fields_.size(); ++id) size += is_in_piece(id) ? padded(bytes_of(id)) : 0;
        state_ = DeviceBuffer<unsigned char>(device(), size);
        marked_state_ = DeviceBuffer<unsigned char>(device(), settings_.goes_back ? size : 0);
        std::uint64_t at = 0;
        for (Id id = 0; id < fields_.size(); ++id) {
            if (is_in_piece(id)) {
                memory_[id].address = state_.address(at);
                memory_[id].marked_address = marked_state_.address(at);
                at += padded(bytes_of(id));
            } else {
                memory_[id].now = DeviceBuffer<unsigned char>(device(), std::max<std::uint64_t>(bytes_of(id), 1));
                if (fields_[id].options.is_state) {
                    memory_[id].marked = DeviceBuffer<unsigned char>(device(), bytes_of(id));
                    apart_.push_back(id);
                }
            }
            point(id);
        }
    }
    void fill_fresh() {
        if (state_.size() > 0) state_.fill(stream_, 0);
        for (Id id = 0; id < fields_.size(); ++id) {
            const auto& field = fields_[id];
            if (!is_in_piece(id)) memory_[id].now.fill(stream_, field.options.fresh);
            if (!field.content.empty()) upload(memory_[id].address, field.content);
            if (!is_in_piece(id) || field.options.fresh == 0 || bytes_of(id) == 0) continue;
            const std::uint64_t at = memory_[id].address - state_.address();
            state_.fill(stream_, field.options.fresh, bytes_of(id), at);
        }
        for (const Id id : apart_) memory_[id].marked.fill(stream_, 0);
        report_.clear(stream_);
        stream_.synchronize();
    }
    void point(Id id) {
        if (!is_in_piece(id)) {
            memory_[id].address = memory_[id].now.address();
            memory_[id].marked_address = memory_[id].marked.address();
        }
        fields_[id].point(view_, reinterpret_cast<void*>(memory_[id].address));
    }
    void swap_marked() {
        for (const Id id : apart_) {
            std::swap(memory_[id].now, memory_[id].marked);
            point(id);
        }
    }
    std::uint64_t first_byte(Id id) const {
        const auto& field = fields_[id];
        return field.options.of == FieldOf::kRun ? shard_.first_group * field.bytes_of_each() : 0;
    }

    const PopulationSettings& settings_;
    const Run& run_;
    const Fields<View>& fields_;
    Shard shard_;
    std::uint32_t on_gpu_;  ///< number of individuals of all places on this GPU
    KernelSource source_;
    Stream stream_;
    std::vector<Memory> memory_;
    std::vector<Id> apart_;
    DeviceBuffer<unsigned char> state_, marked_state_, warm_;
    bool kernel_marks_ = false;  ///< the next call of `mark` copies nothing, because a kernel copies the state
    /// True while the fields with is_apart are unchanged since the mark, and therefore not yet copied.
    bool is_marked_here_ = false;
    View view_{};
    DeviceReport<PopulationReport> report_;
    ProblemView problem_view_;
    DeviceImprover improver_;
    std::vector<std::pair<const char*, Kernel>> kernels_;
    std::shared_ptr<void> own_;
    LaunchLength launches_;
    std::uint64_t queued_ = 0;  ///< generations enqueued on the GPU
    std::uint64_t evaluations_ = 0, reported_evaluations_ = 0, digests_ = 0;
    PopulationReport told_{};
};

}  // namespace qapfw::sdk
