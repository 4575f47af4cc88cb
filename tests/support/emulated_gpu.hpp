// SPDX-License-Identifier: Apache-2.0
// Enough of CUDA to run kernel texts on the host, for tests without a GPU. The threads of a block are fibers, which run
// one after the other and switch at barriers and warp exchanges. Blocks run one after the other, in order. A launch
// stays in the thread that calls it, so several threads may use an emulated GPU each. Slow.
#pragma once

// The thread sanitizer knows only swapcontext. Elsewhere stacks are switched by hand, which is much faster.
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

/// The block that is running.
class EmulatedBlock {
  public:
    /// Runs `body` on every thread of every block of the grid.
    static void run_grid(Extent3 grid, Extent3 block, const std::function<void()>& body);

    static EmulatedBlock& current() { return *current_; }
    void sync_block() { wait(block_, live_); }
    void sync_warp() { wait(warps_[turn_ / 32], 32); }
    void sync_named(std::uint32_t name, std::uint32_t threads) { wait(named_[name], threads); }
    /// The value that lane `from` of the warp passes.
    template <class T>
    T exchange(T value, std::uint32_t from) {
        static_assert(sizeof(T) <= sizeof(Slot));
        std::memcpy(&slots_[turn_], &value, sizeof value);
        sync_warp();
        std::memcpy(&value, &slots_[turn_ / 32 * 32 + from], sizeof value);
        sync_warp();
        return value;
    }

    /// Calls take(lane, value) for the values that all lanes of the warp pass.
    template <class T, class Take>
    void collect(T value, const Take& take) {
        static_assert(sizeof(T) <= sizeof(Slot));
        std::memcpy(&slots_[turn_], &value, sizeof value);
        sync_warp();
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            std::memcpy(&value, &slots_[turn_ / 32 * 32 + lane], sizeof value);
            take(lane, value);
        }
        sync_warp();
    }

  private:
    struct Barrier {
        std::uint32_t arrived = 0;
        std::uint64_t generation = 0;
        void open() {
            arrived = 0;
            ++generation;
        }
    };
    struct Slot {
        unsigned char bytes[32];
    };
    struct Fiber {
        const Barrier* waits_for = nullptr;
        std::uint64_t generation = 0;  ///< generation of that barrier when the fiber arrived
        bool done = false;
#if defined(QAPFW_STACKS_BY_HAND)
        void* stack_pointer = nullptr;
        void* fake_stack = nullptr;  ///< the address sanitizer's "fake stack"
#else
        bool started = false;
        jmp_buf place{};
        ucontext_t context{};
#endif
        bool can_run() const {
            return !done && (waits_for == nullptr || waits_for->generation != generation);
        }
    };

    EmulatedBlock(std::uint32_t threads, const std::function<void()>& body);
    void prepare(Fiber& fiber, const FiberStack& stack);
    void run();
    static void enter();
    void wait(Barrier& barrier, std::uint32_t members);
    void resume(Fiber& fiber);
    void yield(Fiber& fiber);

    inline static thread_local EmulatedBlock* current_ = nullptr;
    inline static thread_local std::vector<FiberStack> stacks_;  ///< stacks are reused by the next block
    const std::function<void()>& body_;
    std::vector<Fiber> fibers_;
    std::vector<Barrier> warps_;
    std::vector<Slot> slots_;
    Barrier block_;
    Barrier named_[16];
#if defined(QAPFW_STACKS_BY_HAND)
    void* scheduler_pointer_ = nullptr;  ///< stack pointer of the scheduler
    /// The scheduler's fake stack, for the address sanitizer.
    [[maybe_unused]] void* scheduler_fake_stack_ = nullptr;
    [[maybe_unused]] const void* scheduler_stack_ = nullptr;
    [[maybe_unused]] std::size_t scheduler_bytes_ = 0;
#else
    ucontext_t scheduler_{};
    [[maybe_unused]] jmp_buf scheduler_place_{};
#endif
    void* scheduler_id_ = FiberStack::current();
    std::uint32_t turn_ = 0, live_;
};

}  // namespace qapfw::test

/// The names of these extents in kernels.
inline thread_local qapfw::test::Extent3 threadIdx, blockIdx, blockDim, gridDim;

namespace qapfw::test {

inline EmulatedBlock::EmulatedBlock(std::uint32_t threads, const std::function<void()>& body)
    : body_(body), fibers_(threads), warps_((threads + 31) / 32), slots_(threads), live_(threads) {
    while (stacks_.size() < threads) stacks_.emplace_back();
    for (std::size_t k = 0; k < threads; ++k) prepare(fibers_[k], stacks_[k]);
}

#if defined(QAPFW_STACKS_BY_HAND)
/// Stores the present stack in *save and continues on stack `to`, which an earlier call has stored. Returns when
/// another call switches back.
__attribute__((naked, noinline)) inline void switch_stacks(void** /*save*/, void* /*to*/) {
    asm volatile(
        "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15;"
        "mov %rsp, (%rdi); mov %rsi, %rsp;"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp; ret");
}

/// Makes the fiber ready to begin. Its stack is empty: the first switch pops six registers and returns to `enter`.
inline void EmulatedBlock::prepare(Fiber& fiber, const FiberStack& stack) {
#if defined(QAPFW_ADDRESS_SANITIZER)
    ASAN_UNPOISON_MEMORY_REGION(stack.memory(), FiberStack::kBytes);
#endif
    const auto end = reinterpret_cast<std::uintptr_t>(stack.memory() + FiberStack::kBytes) & ~std::uintptr_t{15};
    auto* const top = reinterpret_cast<void**>(end) - 8;
    for (int k = 0; k < 8; ++k) top[k] = nullptr;
    top[6] = reinterpret_cast<void*>(&EmulatedBlock::enter);
    fiber.stack_pointer = top;
}
#else
inline void EmulatedBlock::prepare(Fiber& fiber, const FiberStack& stack) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = stack.memory();
    fiber.context.uc_stack.ss_size = FiberStack::kBytes;
    fiber.context.uc_link = &scheduler_;
    makecontext(&fiber.context, &EmulatedBlock::enter, 0);
}
#endif

inline void EmulatedBlock::enter() {
    EmulatedBlock& self = current();
#if defined(QAPFW_STACKS_BY_HAND) && defined(QAPFW_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(nullptr, &self.scheduler_stack_, &self.scheduler_bytes_);
#endif
    self.body_();
    self.fibers_[self.turn_].done = true;
    --self.live_;
    // All threads that have not ended wait at the barrier, so no other thread will arrive.
    if (self.block_.arrived > 0 && self.block_.arrived == self.live_) self.block_.open();
    self.yield(self.fibers_[self.turn_]);
}

// At each longjmp the address sanitizer forgets a whole stack. If stacks are switched by hand, it can be informed of
// that.
#if defined(QAPFW_STACKS_BY_HAND) && defined(QAPFW_ADDRESS_SANITIZER)
inline void EmulatedBlock::resume(Fiber& fiber) {
    __sanitizer_start_switch_fiber(&scheduler_fake_stack_, stacks_[turn_].memory(), FiberStack::kBytes);
    switch_stacks(&scheduler_pointer_, fiber.stack_pointer);
    __sanitizer_finish_switch_fiber(scheduler_fake_stack_, nullptr, nullptr);
}
inline void EmulatedBlock::yield(Fiber& fiber) {
    __sanitizer_start_switch_fiber(fiber.done ? nullptr : &fiber.fake_stack, scheduler_stack_, scheduler_bytes_);
    switch_stacks(&fiber.stack_pointer, scheduler_pointer_);
    __sanitizer_finish_switch_fiber(fiber.fake_stack, nullptr, nullptr);
}
#elif defined(QAPFW_STACKS_BY_HAND)
inline void EmulatedBlock::resume(Fiber& fiber) {
    switch_stacks(&scheduler_pointer_, fiber.stack_pointer);
}
inline void EmulatedBlock::yield(Fiber& fiber) {
    switch_stacks(&fiber.stack_pointer, scheduler_pointer_);
}
#elif defined(QAPFW_ADDRESS_SANITIZER) || defined(QAPFW_THREAD_SANITIZER)
inline void EmulatedBlock::resume(Fiber& fiber) {
    FiberStack::switch_to(stacks_[turn_].id());
    swapcontext(&scheduler_, &fiber.context);
}
inline void EmulatedBlock::yield(Fiber& fiber) {
    FiberStack::switch_to(scheduler_id_);
    swapcontext(&fiber.context, &scheduler_);
}
#else
// Jumps within a thread make no system call; swapcontext makes one.
inline void EmulatedBlock::resume(Fiber& fiber) {
    if (_setjmp(scheduler_place_) != 0) return;
    if (fiber.started) _longjmp(fiber.place, 1);
    fiber.started = true;
    setcontext(&fiber.context);
}
inline void EmulatedBlock::yield(Fiber& fiber) {
    if (_setjmp(fiber.place) == 0) _longjmp(scheduler_place_, 1);
}
#endif

inline void EmulatedBlock::run() {
    current_ = this;
    while (live_ > 0) {
        bool none = true;
        for (turn_ = 0; turn_ < fibers_.size(); ++turn_) {
            if (!fibers_[turn_].can_run()) continue;
            none = false;
            threadIdx.x = turn_;
            resume(fibers_[turn_]);
        }
        if (none) throw std::runtime_error("the threads of a block wait at different barriers");
    }
}

inline void EmulatedBlock::wait(Barrier& barrier, std::uint32_t members) {
    const std::uint64_t generation = barrier.generation;
    if (++barrier.arrived == members) {
        barrier.open();
        return;
    }
    Fiber& own = fibers_[turn_];
    own.waits_for = &barrier;
    own.generation = generation;
    yield(own);
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
#define __shared__ thread_local  // all fibers of a block run in one thread
#define QAPFW_DEVICE inline

inline void __syncthreads() {
    qapfw::test::EmulatedBlock::current().sync_block();
}
inline void __syncwarp() {
    qapfw::test::EmulatedBlock::current().sync_warp();
}
/// The PTX instruction bar.sync.
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
    std::uint32_t bits = 0;
    qapfw::test::EmulatedBlock::current().collect(
        own, [&](std::uint32_t lane, bool its) { bits |= static_cast<std::uint32_t>(its) << lane; });
    return bits;
}
inline int __popc(std::uint32_t bits) {
    return __builtin_popcount(bits);
}
inline std::uint32_t __reduce_min_sync(std::uint32_t, std::uint32_t value) {
    std::uint32_t least = value;
    qapfw::test::EmulatedBlock::current().collect(
        value, [&](std::uint32_t, std::uint32_t its) { least = its < least ? its : least; });
    return least;
}
inline std::uint32_t __reduce_max_sync(std::uint32_t, std::uint32_t value) {
    std::uint32_t most = value;
    qapfw::test::EmulatedBlock::current().collect(
        value, [&](std::uint32_t, std::uint32_t its) { most = its > most ? its : most; });
    return most;
}
inline std::uint32_t __reduce_add_sync(std::uint32_t, std::uint32_t value) {
    std::uint32_t sum = 0;
    qapfw::test::EmulatedBlock::current().collect(value, [&](std::uint32_t, std::uint32_t its) { sum += its; });
    return sum;
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
