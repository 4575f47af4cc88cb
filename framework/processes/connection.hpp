// SPDX-License-Identifier: Apache-2.0
// Short messages between two processes of a run over TCP, beside MPI. If a process ends, its socket closes and the
// other process notices at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qapfw::framework {

struct Message {
    enum Type : std::uint32_t {
        kHello,    ///< value: rank; text: token, then the sender's name
        kWelcome,  ///< text: the sender's name
        kBeat,     ///< no content: the sender is alive
        kStop,     ///< value: the signal that asked to stop
        kFailed,   ///< sent to process 0 after an error. value: exit code; text: the message
        /// All processes end now. Process 0 sends this to all others. If process 0 seems lost, another process sends
        /// this to process 0. value: exit code; text: the message.
        kEnd,
        kBye,  ///< the sender ends as planned, so its closed connection is no failure
    };
    Type type = kBeat;
    std::int32_t value = 0;
    std::string text = {};
};

/// One end of a connection. Its functions do not wait, unless their comments say so.
class Connection {
  public:
    explicit Connection(int descriptor = -1);
    Connection(Connection&& other) noexcept;
    Connection& operator=(Connection&& other) noexcept;
    ~Connection();

    /// Connects; waits up to `milliseconds`. After a failure, the result is not open.
    static Connection to(const std::string& address, std::uint16_t port, int milliseconds);

    int descriptor() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }
    void close();
    /// Sends a message, with at most 16 KiB of its text. Drops the message if the other end does not take it.
    void send(const Message& message) const;
    /// Appends the messages that have arrived to `messages`. False: the other end has closed, or has sent bytes that
    /// are no message.
    bool receive(std::vector<Message>& messages);
    /// Waits up to `milliseconds` for a message and returns it; nothing if none came. Later messages stay for
    /// receive().
    std::optional<Message> wait(int milliseconds);

  private:
    bool read(std::vector<Message>& messages, bool only_one);
    std::size_t missing_bytes() const;

    int descriptor_;
    std::string arrived_;
};

/// Accepts connections from other processes, on a free port of all addresses of this host.
class Listener {
  public:
    Listener();
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    bool is_open() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }
    std::uint16_t port() const { return port_; }
    /// Accepts the next waiting connection. If none waits, the result is not open.
    Connection accept() const;

  private:
    int descriptor_ = -1;
    std::uint16_t port_ = 0;
};

/// The IPv4 addresses of this host; 127.0.0.1 comes last.
std::vector<std::string> own_addresses();

}  // namespace qapfw::framework
