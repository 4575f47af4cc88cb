// SPDX-License-Identifier: Apache-2.0
// Enough of CUDA to run device texts on the host, for tests without a GPU. The threads of a CUDA block are fibers,
// which run one after the other and switch at barriers and warp exchanges. CUDA blocks run one after the other, in
// order. A launch stays in the thread that calls it, so each thread of a test can have its own emulated GPU. Slow.
#pragma once

// The thread sanitizer understands only swapcontext. In other builds for x86-64, this file has code that switches
// stacks, which is much faster.
#if defined(__x86_64__) && !defined(QAPFW_THREAD_SANITIZER)
#define QAPFW_STACKS_BY_HAND
#else
#include <setjmp.h>
#include <ucontext.h>
#endif
#if defined(QAPFW_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#elif defined(QAPFW_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace qapfw::test {

struct Extent3 {
    std::uint32_t x = 0, y = 0, z = 0;
};

/// The stack of a fiber, and the handle by which the thread sanitizer knows the fiber.
class FiberStack {
  public:
    static constexpr std::size_t kBytes = 64 * 1024;
    char* memory() const { return memory_.get(); }
#if defined(QAPFW_THREAD_SANITIZER)
    void* id() const {
        return id_.get();
    }
    static void* current() {
        return __tsan_get_current_fiber();
    }
    static void switch_to(void* id) {
        __tsan_switch_to_fiber(id, 0);
    }

  private:
    std::unique_ptr<void, void (*)(void*)> id_{__tsan_create_fiber(0), __tsan_destroy_fiber};
#else
    void* id() const {
        return nullptr;
    }
    static void* current() {
        return nullptr;
    }
    static void switch_to(void*) {}

  private:
#endif
    std::unique_ptr<char[]> memory_ = std::make_unique_for_overwrite<char[]>(kBytes);
};

// Sanitizers check the kernels. They do not check the functions that switch between fibers: these functions run so
// often that the checks would make tests slow.
#if defined(QAPFW_ADDRESS_SANITIZER) || defined(QAPFW_THREAD_SANITIZER)
#define QAPFW_NOT_SANITIZED __attribute__((no_sanitize("address", "thread", "undefined")))
#else
#define QAPFW_NOT_SANITIZED
#endif

/// One CUDA block of an emulated launch. current() is the block that the calling thread runs now.
class EmulatedBlock {
  public:
    /// Runs `body` on every thread of every CUDA block of the launch.
    static void run_grid(Extent3 grid, Extent3 block, const std::function<void()>& body);

    QAPFW_NOT_SANITIZED static EmulatedBlock& current() { return *current_; }
    QAPFW_NOT_SANITIZED void sync_block() { wait(block_, live_); }
    QAPFW_NOT_SANITIZED void sync_warp() { wait(warps_[turn_ / 32], 32); }
    QAPFW_NOT_SANITIZED void sync_named(std::uint32_t name, std::uint32_t threads) { wait(named_[name], threads); }
    /// Called by all lanes of a warp. Returns the value that lane `from` passes.
    template <class T>
    QAPFW_NOT_SANITIZED T exchange(T value, std::uint32_t from) {
        const Slot* const slots = share(value);
        std::memcpy(&value, &slots[from], sizeof value);
        return value;
    }

    /// Called by all lanes of a warp. Calls take(lane, value) for the value of each lane.
    template <class T, class Take>
    QAPFW_NOT_SANITIZED void collect(T value, const Take& take) {
        const Slot* const slots = share(value);
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            std::memcpy(&value, &slots[lane], sizeof value);
            take(lane, value);
        }
    }

    /// Called by all lanes of a warp. Combines the values of all lanes, in any order, and returns the result.
    template <class Combine>
    QAPFW_NOT_SANITIZED std::uint32_t reduce(std::uint32_t value, const Combine& combine) {
        Barrier& warp = warps_[turn_ / 32];
        std::uint32_t& result = warp.results[warp.generation % 2];
        result = warp.arrived == 0 ? value : combine(result, value);
        wait(warp, 32);
        return result;
    }

  private:
    struct Barrier {
        std::uint32_t arrived = 0;
        std::uint64_t generation = 0;
        std::uint32_t results[2] = {};  ///< results of reduce(), for even and for odd values of `generation`
        QAPFW_NOT_SANITIZED void open() {
            arrived = 0;
            ++generation;
        }
    };
    struct Slot {
        unsigned char bytes[32];
    };
    struct Fiber {
        const Barrier* waits_for = nullptr;
        std::uint64_t generation = 0;  ///< generation of the barrier `waits_for` when the fiber arrived there
        bool done = false;
        void* id = nullptr;
#if defined(QAPFW_STACKS_BY_HAND)
        void* stack_pointer = nullptr;
        // The address sanitizer wants these data about the fiber.
        [[maybe_unused]] void* fake_stack = nullptr;
        [[maybe_unused]] const void* stack = nullptr;
        [[maybe_unused]] std::size_t stack_bytes = 0;
#else
        bool started = false;
        jmp_buf place{};
        ucontext_t context{};
#endif
        QAPFW_NOT_SANITIZED bool can_run() const {
            return !done && (waits_for == nullptr || waits_for->generation != generation);
        }
    };

    EmulatedBlock(std::uint32_t threads, const std::function<void()>& body);
    void prepare(Fiber& fiber, const FiberStack& stack);
    void run();
    static void enter();
    void wait(Barrier& barrier, std::uint32_t members);
    bool choose_next();
    static void change(Fiber& from, Fiber& to);

    /// Returns the values that the lanes of the warp pass. The next call of the warp uses the other set of slots. The
    /// call after that overwrites these values; no lane can still be reading them then.
    template <class T>
    QAPFW_NOT_SANITIZED const Slot* share(const T& value) {
        static_assert(sizeof(T) <= sizeof(Slot));
        Barrier& warp = warps_[turn_ / 32];
        Slot* const set = slots_.data() + warp.generation % 2 * fibers_.size();
        std::memcpy(&set[turn_], &value, sizeof value);
        const std::uint32_t first = turn_ / 32 * 32;
        wait(warp, 32);
        return set + first;
    }

    inline static constinit thread_local EmulatedBlock* current_ = nullptr;
    inline static thread_local std::vector<FiberStack> stacks_;  ///< stacks are reused by the next block
    const std::function<void()>& body_;
    std::vector<Fiber> fibers_;
    std::vector<Barrier> warps_;
    std::vector<Slot> slots_;
    Barrier block_;
    Barrier named_[16];
    Fiber scheduler_;
    std::uint32_t turn_, live_;
};

}  // namespace qapfw::test

/// Indices and sizes of threads and CUDA blocks, with the names that kernels use.
inline constinit thread_local qapfw::test::Extent3 threadIdx, blockIdx, blockDim, gridDim;

namespace qapfw::test {

inline EmulatedBlock::EmulatedBlock(std::uint32_t threads, const std::function<void()>& body)
    : body_(body),
      fibers_(threads),
      warps_((threads + 31) / 32),
      slots_(2 * threads),
      turn_(threads - 1),
      live_(threads) {
    while (stacks_.size() < threads) stacks_.emplace_back();
    for (std::size_t k = 0; k < threads; ++k) prepare(fibers_[k], stacks_[k]);
    scheduler_.id = FiberStack::current();
#if !defined(QAPFW_STACKS_BY_HAND)
    scheduler_.started = true;
#endif
}

#if defined(QAPFW_STACKS_BY_HAND)
/// Stores the current stack in *save and continues on stack `to`. An earlier call stored stack `to`, or prepare() made
/// it. Returns when another call switches back.
__attribute__((naked, noinline)) inline void switch_stacks(void** /*save*/, void* /*to*/) {
    asm volatile(
        "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15;"
        "mov %rsp, (%rdi); mov %rsi, %rsp;"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp; ret");
}

/// Makes the fiber ready to begin. Its stack holds what the first switch pops: six registers and `enter`'s address.
QAPFW_NOT_SANITIZED inline void EmulatedBlock::prepare(Fiber& fiber, const FiberStack& stack) {
    const auto end = reinterpret_cast<std::uintptr_t>(stack.memory() + FiberStack::kBytes) & ~std::uintptr_t{15};
    auto* const top = reinterpret_cast<void**>(end) - 8;
    for (int k = 0; k < 8; ++k) top[k] = nullptr;
    top[6] = reinterpret_cast<void*>(&EmulatedBlock::enter);
    fiber.stack_pointer = top;
    fiber.stack = stack.memory();
    fiber.stack_bytes = FiberStack::kBytes;
}
#else
inline void EmulatedBlock::prepare(Fiber& fiber, const FiberStack& stack) {
    fiber.id = stack.id();
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = stack.memory();
    fiber.context.uc_stack.ss_size = FiberStack::kBytes;
    fiber.context.uc_link = &scheduler_.context;
    makecontext(&fiber.context, &EmulatedBlock::enter, 0);
}
#endif

QAPFW_NOT_SANITIZED inline void EmulatedBlock::enter() {
    EmulatedBlock& self = current();
#if defined(QAPFW_STACKS_BY_HAND) && defined(QAPFW_ADDRESS_SANITIZER)
    const void* stack = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &stack, &bytes);
    if (self.scheduler_.stack == nullptr) {  // the first fiber: the scheduler switched to it from this stack
        self.scheduler_.stack = stack;
        self.scheduler_.stack_bytes = bytes;
    }
#endif
    self.body_();
    Fiber& own = self.fibers_[self.turn_];
    own.done = true;
    --self.live_;
    // If all threads that have not ended wait at the barrier, no other thread will arrive, so the barrier opens.
    if (self.block_.arrived > 0 && self.block_.arrived == self.live_) self.block_.open();
    change(own, self.choose_next() ? self.fibers_[self.turn_] : self.scheduler_);
}

/// Leaves fiber `from` and continues with fiber `to`. Returns when another call continues with `from`.
#if defined(QAPFW_STACKS_BY_HAND) && defined(QAPFW_ADDRESS_SANITIZER)
// This version avoids longjmp. At a longjmp, the address sanitizer clears what it knows of a whole stack. This version
// tells the sanitizer about each switch instead.
QAPFW_NOT_SANITIZED inline void EmulatedBlock::change(Fiber& from, Fiber& to) {
    __sanitizer_start_switch_fiber(from.done ? nullptr : &from.fake_stack, to.stack, to.stack_bytes);
    switch_stacks(&from.stack_pointer, to.stack_pointer);
    __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
}
#elif defined(QAPFW_STACKS_BY_HAND)
inline void EmulatedBlock::change(Fiber& from, Fiber& to) {
    switch_stacks(&from.stack_pointer, to.stack_pointer);
}
#elif defined(QAPFW_ADDRESS_SANITIZER) || defined(QAPFW_THREAD_SANITIZER)
inline void EmulatedBlock::change(Fiber& from, Fiber& to) {
    FiberStack::switch_to(to.id);
    swapcontext(&from.context, &to.context);
}
#else
// This version jumps within a thread, which needs no system call. A call of swapcontext would need one.
inline void EmulatedBlock::change(Fiber& from, Fiber& to) {
    if (_setjmp(from.place) != 0) return;
    if (to.started) _longjmp(to.place, 1);
    to.started = true;
    setcontext(&to.context);
}
#endif

/// Gives the turn to the next thread that can run; the order is that of the threads' numbers. Returns false if no
/// thread can run.
QAPFW_NOT_SANITIZED inline bool EmulatedBlock::choose_next() {
    const auto threads = static_cast<std::uint32_t>(fibers_.size());
    const Fiber* const fibers = fibers_.data();
    std::uint32_t next = turn_;
    for (std::uint32_t tried = 0; tried < threads; ++tried) {
        next = next + 1 < threads ? next + 1 : 0;
        if (!fibers[next].can_run()) continue;
        turn_ = next;
        threadIdx.x = next;
        return true;
    }
    return false;
}

inline void EmulatedBlock::run() {
    current_ = this;
    // Starts the first thread. change() returns when no thread of the CUDA block can run any more.
    if (choose_next()) change(scheduler_, fibers_[turn_]);
    if (live_ == 0) return;
    stacks_.clear();  // so that the address sanitizer forgets the functions that these threads did not finish
    throw std::runtime_error("the threads of a CUDA block wait at different barriers");
}

QAPFW_NOT_SANITIZED inline void EmulatedBlock::wait(Barrier& barrier, std::uint32_t members) {
    const std::uint64_t generation = barrier.generation;
    if (++barrier.arrived == members) {
        barrier.open();
        return;
    }
    Fiber& own = fibers_[turn_];
    own.waits_for = &barrier;
    own.generation = generation;
    change(own, choose_next() ? fibers_[turn_] : scheduler_);
    own.waits_for = nullptr;
}

inline void EmulatedBlock::run_grid(Extent3 grid, Extent3 block, const std::function<void()>& body) {
    gridDim = grid;
    blockDim = block;
    for (std::uint32_t y = 0; y < grid.y; ++y) {
        for (std::uint32_t x = 0; x < grid.x; ++x) {
            blockIdx = {x, y, 0};
            EmulatedBlock(block.x, body).run();
        }
    }
}

}  // namespace qapfw::test

#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ thread_local  // the fibers of a CUDA block run in one thread, so they share its variables
#define QAPFW_DEVICE inline

inline void __syncthreads() {
    qapfw::test::EmulatedBlock::current().sync_block();
}
inline void __syncwarp() {
    qapfw::test::EmulatedBlock::current().sync_warp();
}
/// Does the work of the PTX instruction bar.sync.
inline void named_barrier(int name, int threads) {
    qapfw::test::EmulatedBlock::current().sync_named(static_cast<std::uint32_t>(name),
                                                     static_cast<std::uint32_t>(threads));
}
template <class T>
T __shfl_sync(std::uint32_t, T value, int from) {
    return qapfw::test::EmulatedBlock::current().exchange(value, static_cast<std::uint32_t>(from) & 31u);
}
template <class T>
T __shfl_xor_sync(std::uint32_t, T value, int distance) {
    return qapfw::test::EmulatedBlock::current().exchange(value,
                                                          (threadIdx.x & 31u) ^ static_cast<std::uint32_t>(distance));
}
template <class T>
T __shfl_up_sync(std::uint32_t, T value, int distance) {
    const std::uint32_t lane = threadIdx.x & 31u, up = static_cast<std::uint32_t>(distance);
    return qapfw::test::EmulatedBlock::current().exchange(value, lane >= up ? lane - up : lane);
}
inline std::uint32_t __ballot_sync(std::uint32_t, bool own) {
    return qapfw::test::EmulatedBlock::current().reduce(static_cast<std::uint32_t>(own) << (threadIdx.x & 31u),
                                                        [](std::uint32_t a, std::uint32_t b) { return a | b; });
}
inline int __popc(std::uint32_t bits) {
    return __builtin_popcount(bits);
}
inline std::uint32_t __reduce_min_sync(std::uint32_t, std::uint32_t value) {
    return qapfw::test::EmulatedBlock::current().reduce(value,
                                                        [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; });
}
inline std::uint32_t __reduce_max_sync(std::uint32_t, std::uint32_t value) {
    return qapfw::test::EmulatedBlock::current().reduce(value,
                                                        [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; });
}
inline std::uint32_t __reduce_add_sync(std::uint32_t, std::uint32_t value) {
    return qapfw::test::EmulatedBlock::current().reduce(value, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}
inline unsigned long long atomicAdd(unsigned long long* to, unsigned long long value) {
    const unsigned long long before = *to;
    *to += value;
    return before;
}
inline unsigned int atomicInc(unsigned int* to, unsigned int last) {
    const unsigned int before = *to;
    *to = before >= last ? 0 : before + 1;
    return before;
}
inline void __threadfence() {}
inline std::int32_t __float_as_int(float value) {
    return std::bit_cast<std::int32_t>(value);
}
inline float __int_as_float(std::int32_t bits) {
    return std::bit_cast<float>(bits);
}
inline std::int64_t __double_as_longlong(double value) {
    return std::bit_cast<std::int64_t>(value);
}
inline double __longlong_as_double(std::int64_t bits) {
    return std::bit_cast<double>(bits);
}
