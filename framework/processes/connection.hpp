// SPDX-License-Identifier: Apache-2.0
// Short messages between two processes of a run over TCP, beside MPI. A socket shows at once that a process is gone.
#pragma once

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
        kEnd,      ///< all end now; sent by process 0, or if process 0 is lost. value: exit code
        kBye,      ///< the sender is leaving as planned
    };
    Type type = kBeat;
    std::int32_t value = 0;
    std::string text = {};
};

/// One end of a connection. Its functions do not wait, unless they say so.
class Connection {
  public:
    explicit Connection(int descriptor = -1);
    Connection(Connection&& other) noexcept;
    Connection& operator=(Connection&& other) noexcept;
    ~Connection();

    /// Connects; waits up to `milliseconds`.
    static Connection to(const std::string& address, std::uint16_t port, int milliseconds);

    int descriptor() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }
    void close();
    /// Sends a message; drops it if the other end does not take it.
    void send(const Message& message) const;
    /// Appends the messages that have arrived to `messages`. False: the other end has closed, or has sent bytes that
    /// are no message.
    bool receive(std::vector<Message>& messages);
    /// Waits up to `milliseconds` for the first message.
    std::optional<Message> wait(int milliseconds);

  private:
    int descriptor_;
    std::string arrived_;
};

/// Accepts connections from other processes.
class Listener {
  public:
    Listener();
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    bool is_open() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }
    std::uint16_t port() const { return port_; }
    Connection accept() const;

  private:
    int descriptor_ = -1;
    std::uint16_t port_ = 0;
};

/// The IPv4 addresses of this host; its loopback address comes last.
std::vector<std::string> own_addresses();

}  // namespace qapfw::framework
