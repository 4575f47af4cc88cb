// SPDX-License-Identifier: Apache-2.0
// As much of MPI as framework/mpi/mail.cpp asks for, within one process: every rank is a communicator of one World, and
// nothing arrives before a test lets it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace qapfw::fake_mpi {

struct Message {
    int from = 0;
    const unsigned char* bytes = nullptr;  ///< of the sender, until it was received
    int size = 0;
    std::vector<unsigned char> own;  ///< of one that a test made
    bool is_received = false;
};

struct Request {
    std::shared_ptr<Message> message;  ///< null: of a barrier
    bool is_receive = false;
};

struct World;
struct Rank {
    World* world = nullptr;
    int number = 0;
    std::deque<std::shared_ptr<Message>> box;  ///< has arrived and was not received
    bool in_barrier = false;
};

struct World {
    explicit World(int count) : ranks(static_cast<std::size_t>(count)) {
        for (int k = 0; k < count; ++k) ranks[static_cast<std::size_t>(k)] = {this, k, {}, false};
    }
    Rank* rank(int number) { return &ranks[static_cast<std::size_t>(number)]; }
    /// A message that no Mail has written.
    void deliver(int from, int to, const std::string& bytes) {
        auto message = std::make_shared<Message>();
        message->own.assign(bytes.begin(), bytes.end());
        message->from = from;
        message->bytes = message->own.data();
        message->size = static_cast<int>(bytes.size());
        rank(to)->box.push_back(std::move(message));
    }

    Request* request(std::shared_ptr<Message> message, bool is_receive) {
        requests.push_back(std::make_unique<Request>(Request{std::move(message), is_receive}));
        return requests.back().get();
    }

    std::mutex mutex;
    std::vector<Rank> ranks;
    std::vector<std::unique_ptr<Request>> requests;  ///< all that ever were
    bool receives_last = false;                      ///< a receive that has begun is not over yet
    std::set<std::string> failing;                   ///< functions that fail
    int receives = 0;                                ///< begun ones
};

inline int result_of(World& world, const char* function) {
    return world.failing.count(function) > 0 ? 1 : 0;
}

}  // namespace qapfw::fake_mpi

using MPI_Comm = qapfw::fake_mpi::Rank*;
using MPI_Request = qapfw::fake_mpi::Request*;
struct MPI_Status {
    int size = 0;
};
enum { MPI_SUCCESS = 0, MPI_BYTE = 1, MPI_ERRORS_RETURN = 1, MPI_MAX_ERROR_STRING = 64 };
constexpr MPI_Comm MPI_COMM_NULL = nullptr;
constexpr MPI_Request MPI_REQUEST_NULL = nullptr;
constexpr MPI_Status* MPI_STATUS_IGNORE = nullptr;

inline int MPI_Error_string(int, char* text, int* length) {
    std::strcpy(text, "as the test wants");
    *length = 17;
    return MPI_SUCCESS;
}
inline int MPI_Comm_dup(MPI_Comm from, MPI_Comm* to) {
    *to = from;
    return qapfw::fake_mpi::result_of(*from->world, "MPI_Comm_dup");
}
inline int MPI_Comm_set_errhandler(MPI_Comm, int) {
    return MPI_SUCCESS;
}
inline int MPI_Comm_rank(MPI_Comm comm, int* rank) {
    *rank = comm->number;
    return MPI_SUCCESS;
}
inline int MPI_Comm_size(MPI_Comm comm, int* size) {
    *size = static_cast<int>(comm->world->ranks.size());
    return MPI_SUCCESS;
}
inline int MPI_Comm_free(MPI_Comm* comm) {
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}
inline int MPI_Get_count(const MPI_Status* status, int, int* count) {
    *count = status->size;
    return MPI_SUCCESS;
}
inline int MPI_Issend(const void* bytes, int size, int, int to, int, MPI_Comm comm, MPI_Request* request) {
    const std::lock_guard lock(comm->world->mutex);
    auto message = std::make_shared<qapfw::fake_mpi::Message>();
    message->from = comm->number;
    message->bytes = static_cast<const unsigned char*>(bytes);
    message->size = size;
    comm->world->rank(to)->box.push_back(message);
    *request = comm->world->request(message, false);
    return qapfw::fake_mpi::result_of(*comm->world, "MPI_Issend");
}
inline int MPI_Iprobe(int from, int, MPI_Comm comm, int* found, MPI_Status* status) {
    const std::lock_guard lock(comm->world->mutex);
    *found = 0;
    for (const auto& message : comm->box) {
        if (message->from != from) continue;
        *found = 1;
        status->size = message->size;
        break;
    }
    return qapfw::fake_mpi::result_of(*comm->world, "MPI_Iprobe");
}
inline int MPI_Irecv(void* bytes, int size, int, int from, int, MPI_Comm comm, MPI_Request* request) {
    const std::lock_guard lock(comm->world->mutex);
    const auto found =
        std::find_if(comm->box.begin(), comm->box.end(), [&](const auto& message) { return message->from == from; });
    if (found == comm->box.end() || (*found)->size != size) return 1;
    if (size > 0) std::memcpy(bytes, (*found)->bytes, static_cast<std::size_t>(size));
    (*found)->is_received = true;
    *request = comm->world->request(*found, true);
    comm->box.erase(found);
    ++comm->world->receives;
    return qapfw::fake_mpi::result_of(*comm->world, "MPI_Irecv");
}
inline int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    const std::lock_guard lock(comm->world->mutex);
    comm->in_barrier = true;
    *request = comm->world->request(nullptr, false);
    return MPI_SUCCESS;
}
inline qapfw::fake_mpi::World* qapfw_fake_world = nullptr;  ///< of the present test: requests do not know theirs

inline int MPI_Test(MPI_Request* request, int* done, MPI_Status*) {
    qapfw::fake_mpi::World& world = *qapfw_fake_world;
    const std::lock_guard lock(world.mutex);
    if (*request != MPI_REQUEST_NULL && (*request)->message == nullptr) {
        *done = std::all_of(world.ranks.begin(), world.ranks.end(), [](const auto& rank) { return rank.in_barrier; });
    } else if (*request != MPI_REQUEST_NULL) {
        *done = (*request)->is_receive ? !world.receives_last : (*request)->message->is_received;
    } else {
        *done = 1;
    }
    if (*done != 0) *request = MPI_REQUEST_NULL;
    return qapfw::fake_mpi::result_of(world, "MPI_Test");
}
inline int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    for (int done = 0; done == 0;) {
        if (const int result = MPI_Test(request, &done, status); result != MPI_SUCCESS) return result;
    }
    return MPI_SUCCESS;
}
