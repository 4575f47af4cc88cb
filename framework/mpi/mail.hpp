// SPDX-License-Identifier: Apache-2.0
// Messages that nobody waits for: each goes to all other processes, and who is slow to look finds the newest.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "framework/mpi/mpi_error.hpp"

namespace qapfw::mpi {

class Mail {
  public:
    using Bytes = std::vector<unsigned char>;

    /// All processes call it. `processes` is not used afterwards.
    bool open(MPI_Comm processes);
    /// A message that has not left gives way to a newer one of its channel, so memory stays bounded however slow
    /// another process is.
    bool post(std::uint32_t channel, const void* bytes, std::uint64_t size);
    /// The newest message that has arrived since the last call, or an empty one.
    bool take(std::uint32_t channel, std::uint32_t rank, Bytes& message);
    /// Moves messages on. To be called now and then while waiting for something else.
    bool progress();
    /// All processes call it. Waits until every message has arrived somewhere, and throws them away.
    bool close();

  private:
    using Shared = std::shared_ptr<const Bytes>;
    /// Of one channel to one process. `leaving` stays until the other process has begun to take it.
    struct Outgoing {
        MPI_Request request = MPI_REQUEST_NULL;
        Shared leaving, waiting;
    };
    struct Peer {
        std::map<std::uint32_t, Outgoing> outgoing;
        std::map<std::uint32_t, Bytes> arrived;
        MPI_Request request = MPI_REQUEST_NULL;  ///< of what arrives now
        Bytes arriving;
    };

    bool send_waiting(int rank, Outgoing& outgoing);
    bool receive(int rank, Peer& peer);
    bool has_sent_all() const;

    MPI_Comm processes_ = MPI_COMM_NULL;
    int own_rank_ = 0;
    std::vector<Peer> peers_;  ///< by rank
    bool in_use_ = false;      ///< else there is nothing to move on
};

}  // namespace qapfw::mpi
