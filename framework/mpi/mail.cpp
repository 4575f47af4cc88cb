// SPDX-License-Identifier: Apache-2.0
#include "framework/mpi/mail.hpp"

#include <cstring>
#include <utility>

namespace qapfw::mpi {
namespace {

constexpr int kTag = 1;
constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;  // MPI counts bytes in an int

}  // namespace

bool Mail::open(MPI_Comm processes) {
    int count = 0;
    if (!succeeded(MPI_Comm_dup(processes, &processes_), "MPI_Comm_dup")) return false;
    MPI_Comm_set_errhandler(processes_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(processes_, &own_rank_);
    MPI_Comm_size(processes_, &count);
    peers_.resize(static_cast<std::size_t>(count));
    return true;
}

bool Mail::post(std::uint32_t channel, const void* bytes, std::uint64_t size) {
    if (size > kLargest) {
        error_text = "post: a message has more than 2^30 bytes";
        return false;
    }
    in_use_ = true;
    Bytes message(sizeof channel + size);
    std::memcpy(message.data(), &channel, sizeof channel);
    if (size > 0) std::memcpy(message.data() + sizeof channel, bytes, size);
    const auto shared = std::make_shared<const Bytes>(std::move(message));
    for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
        if (static_cast<int>(rank) != own_rank_) peers_[rank].outgoing[channel].waiting = shared;
    }
    return progress();
}

bool Mail::take(std::uint32_t channel, std::uint32_t rank, Bytes& message) {
    in_use_ = true;
    message.clear();
    if (!progress()) return false;
    const auto found = peers_[rank].arrived.find(channel);
    if (found == peers_[rank].arrived.end()) return true;
    message = std::move(found->second);
    peers_[rank].arrived.erase(found);
    return true;
}

bool Mail::progress() {
    if (!in_use_) return true;
    for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
        Peer& peer = peers_[rank];
        if (static_cast<int>(rank) == own_rank_) continue;
        for (auto& [channel, outgoing] : peer.outgoing) {
            if (!send_waiting(static_cast<int>(rank), outgoing)) return false;
        }
        if (!receive(static_cast<int>(rank), peer)) return false;
    }
    return true;
}

/// Synchronous sends: they are over when the other process has begun to receive, so they cannot pile up there.
bool Mail::send_waiting(int rank, Outgoing& outgoing) {
    if (outgoing.leaving) {
        int done = 0;
        if (!succeeded(MPI_Test(&outgoing.request, &done, MPI_STATUS_IGNORE), "MPI_Issend")) return false;
        if (done == 0) return true;
        outgoing.leaving.reset();
    }
    if (!outgoing.waiting) return true;
    outgoing.leaving = std::exchange(outgoing.waiting, nullptr);
    return succeeded(MPI_Issend(outgoing.leaving->data(), static_cast<int>(outgoing.leaving->size()), MPI_BYTE, rank,
                                kTag, processes_, &outgoing.request),
                     "MPI_Issend");
}

/// All that has arrived from one process, in the order in which it was sent.
bool Mail::receive(int rank, Peer& peer) {
    while (true) {
        int found = 0;
        if (peer.request == MPI_REQUEST_NULL) {
            MPI_Status status;
            if (!succeeded(MPI_Iprobe(rank, kTag, processes_, &found, &status), "MPI_Iprobe")) return false;
            if (found == 0) return true;
            int size = 0;
            MPI_Get_count(&status, MPI_BYTE, &size);
            peer.arriving.resize(static_cast<std::size_t>(size));
            if (!succeeded(MPI_Irecv(peer.arriving.data(), size, MPI_BYTE, rank, kTag, processes_, &peer.request),
                           "MPI_Irecv"))
                return false;
        }
        if (!succeeded(MPI_Test(&peer.request, &found, MPI_STATUS_IGNORE), "MPI_Irecv")) return false;
        if (found == 0) return true;
        std::uint32_t channel = 0;
        if (peer.arriving.size() < sizeof channel) continue;
        std::memcpy(&channel, peer.arriving.data(), sizeof channel);
        peer.arrived[channel].assign(peer.arriving.begin() + sizeof channel, peer.arriving.end());
    }
}

bool Mail::has_sent_all() const {
    for (const Peer& peer : peers_) {
        for (const auto& [channel, outgoing] : peer.outgoing) {
            if (outgoing.leaving) return false;
        }
    }
    return true;
}

bool Mail::close() {
    in_use_ = true;
    for (Peer& peer : peers_) {
        for (auto& [channel, outgoing] : peer.outgoing) outgoing.waiting.reset();
    }
    while (!has_sent_all()) {
        if (!progress()) return false;
    }
    // Who comes here has nothing on its way. When all have, nothing is.
    MPI_Request request = MPI_REQUEST_NULL;
    if (!succeeded(MPI_Ibarrier(processes_, &request), "MPI_Ibarrier")) return false;
    for (int done = 0; done == 0;) {
        if (!progress() || !succeeded(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Ibarrier")) return false;
    }
    for (Peer& peer : peers_) {
        if (!succeeded(MPI_Wait(&peer.request, MPI_STATUS_IGNORE), "MPI_Irecv")) return false;
    }
    in_use_ = false;
    return succeeded(MPI_Comm_free(&processes_), "MPI_Comm_free");
}

}  // namespace qapfw::mpi
