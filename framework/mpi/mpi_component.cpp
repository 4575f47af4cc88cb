// SPDX-License-Identifier: Apache-2.0
// The library that speaks MPI, see framework/processes/component.h. While the library waits, it alternately checks the
// network and sleeps. So processes do not slow each other down if there are more of them than cores, and a dead process
// blocks nobody.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "framework/processes/component.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kAwake{50};  // a waiting process starts to sleep between checks after this time
constexpr std::chrono::microseconds kShortPause{20};
constexpr std::chrono::microseconds kLongPause{100};
constexpr std::chrono::milliseconds kSoon{2};  // a sleep lasts kShortPause until this time has passed, then kLongPause
// If the parts of all processes together have at most this number of bytes, each part goes in one message, together
// with its size.
constexpr std::uint64_t kSmall = 1024;
constexpr std::uint64_t kPiece = std::uint64_t{1} << 28;  // most bytes in one message: MPI counts bytes in an int

MPI_Comm all_processes = MPI_COMM_NULL;
int own_rank = 0, process_count = 1;
std::string error_text;  // message of the last failure; all_gather clears it first

/// True if a call of MPI succeeded; otherwise sets error_text.
bool succeeded(int result, const char* what) {
    if (result == MPI_SUCCESS) return true;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(result, text, &length);
    error_text = std::string(what) + ": " + text;
    return false;
}

const char* description() {
    static const std::string text = [] {
        char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
        int length = 0;
        MPI_Get_library_version(version, &length);
        std::string first(version, static_cast<std::size_t>(length));
        return first.substr(0, first.find_first_of("\n\0"));
    }();
    return text.c_str();
}

int32_t open_mpi(std::uint32_t* rank, std::uint32_t* count) {
    int provided = 0;
    if (!succeeded(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread")) return 1;
    if (!succeeded(MPI_Comm_dup(MPI_COMM_WORLD, &all_processes), "MPI_Comm_dup")) return 1;
    MPI_Comm_set_errhandler(all_processes, MPI_ERRORS_RETURN);
    MPI_Comm_rank(all_processes, &own_rank);
    MPI_Comm_size(all_processes, &process_count);
    *rank = static_cast<std::uint32_t>(own_rank);
    *count = static_cast<std::uint32_t>(process_count);
    return 0;
}

struct Patience {
    int32_t (*go_on)(void*);
    void* context;
};

/// Waits some cycles and keeps the core. A thread that yields its core may wait milliseconds for a core. (A thread that
/// sleeps gets a core as soon as it wakes.)
void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Waits until the operation is over. False: it failed, or go_on returned 0.
bool wait(MPI_Request request, const Patience& patience, const char* what) {
    const Clock::time_point start = Clock::now();
    while (true) {
        int done = 0;
        if (!succeeded(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what)) return false;
        if (done != 0) return true;
        if (patience.go_on(patience.context) == 0) return false;
        const Clock::duration waited = Clock::now() - start;
        if (waited < kAwake) {
            relax();
        } else {
            std::this_thread::sleep_for(waited < kSoon ? kShortPause : kLongPause);
        }
    }
}

/// Gathers small parts in one operation. All messages have the same size; each begins with the size of its part.
/// Returns false if the operation failed, the sizes do not add up to `all_size`, or go_on returned 0. After go_on
/// returned 0, error_text is empty.
bool gather_small(const void* own, std::uint64_t size, void* all, std::uint64_t all_size, const Patience& patience) {
    const std::size_t each = sizeof size + all_size;
    std::vector<unsigned char> sent(each), received(each * static_cast<std::size_t>(process_count));
    std::memcpy(sent.data(), &size, sizeof size);
    if (size > 0) std::memcpy(sent.data() + sizeof size, own, size);
    MPI_Request request = MPI_REQUEST_NULL;
    const int bytes = static_cast<int>(each);
    if (!succeeded(
            MPI_Iallgather(sent.data(), bytes, MPI_BYTE, received.data(), bytes, MPI_BYTE, all_processes, &request),
            "MPI_Iallgather")) {
        return false;
    }
    if (!wait(request, patience, "MPI_Iallgather")) return false;
    std::uint64_t at = 0;
    for (int p = 0; p < process_count; ++p) {
        const unsigned char* const message = received.data() + each * static_cast<std::size_t>(p);
        std::uint64_t part = 0;
        std::memcpy(&part, message, sizeof part);
        if (part > all_size - at) break;
        if (part > 0) std::memcpy(static_cast<unsigned char*>(all) + at, message + sizeof part, part);
        at += part;
    }
    if (at == all_size) return true;
    error_text = "all_gather: the sizes of the parts do not add up to the whole";
    return false;
}

bool gather_sizes(std::uint64_t size, std::vector<std::uint64_t>& sizes, const Patience& patience) {
    sizes.resize(static_cast<std::size_t>(process_count));
    MPI_Request request = MPI_REQUEST_NULL;
    return succeeded(MPI_Iallgather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, all_processes, &request),
                     "MPI_Iallgather") &&
           wait(request, patience, "MPI_Iallgather");
}

/// Broadcasts every process's part to all others, long parts in pieces. Returns false for the same reasons as
/// gather_small.
bool gather_large(const void* own, std::uint64_t size, void* all, std::uint64_t all_size, const Patience& patience) {
    std::vector<std::uint64_t> sizes;
    if (!gather_sizes(size, sizes, patience)) return false;
    std::uint64_t first = 0, sum = 0;
    for (std::size_t p = 0; p < sizes.size(); ++p) {
        if (p == static_cast<std::size_t>(own_rank)) first = sum;
        sum += sizes[p];
    }
    if (sum != all_size) {
        error_text = "all_gather: the sizes of the parts do not add up to the whole";
        return false;
    }
    auto* const bytes = static_cast<unsigned char*>(all);
    if (size > 0 && own != bytes + first) std::memmove(bytes + first, own, size);
    std::uint64_t at = 0;
    for (int p = 0; p < process_count; ++p) {
        const std::uint64_t end = at + sizes[static_cast<std::size_t>(p)];
        while (at < end) {
            const std::uint64_t piece = std::min(kPiece, end - at);
            MPI_Request request = MPI_REQUEST_NULL;
            const int result = MPI_Ibcast(bytes + at, static_cast<int>(piece), MPI_BYTE, p, all_processes, &request);
            if (!succeeded(result, "MPI_Ibcast") || !wait(request, patience, "MPI_Ibcast")) return false;
            at += piece;
        }
    }
    return true;
}

int32_t all_gather(const void* own, std::uint64_t size, void* all, std::uint64_t all_size, int32_t (*go_on)(void*),
                   void* context) {
    error_text.clear();
    const Patience patience{go_on, context};
    const bool done = all_size <= kSmall ? gather_small(own, size, all, all_size, patience)
                                         : gather_large(own, size, all, all_size, patience);
    if (done) return 0;
    return error_text.empty() ? -1 : 1;
}

int32_t close_mpi() {
    MPI_Comm_free(&all_processes);
    return succeeded(MPI_Finalize(), "MPI_Finalize") ? 0 : 1;
}

const char* error() {
    return error_text.c_str();
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) extern const qapfw_mpi_component qapfw_mpi_component_v1;
const qapfw_mpi_component qapfw_mpi_component_v1 = {
    sizeof(qapfw_mpi_component), description, open_mpi, all_gather, close_mpi, error,
};
}
