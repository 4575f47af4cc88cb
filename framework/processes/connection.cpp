// SPDX-License-Identifier: Apache-2.0
#include "framework/processes/connection.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace qapfw::framework {
namespace {

struct Header {
    std::uint32_t type = 0;
    std::int32_t value = 0;
    std::uint32_t size = 0;
};

constexpr std::uint32_t kLongestText = 16384;

void set_quick(int descriptor) {
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool is_ready(int descriptor, short events, int milliseconds) {
    pollfd event{descriptor, events, 0};
    return poll(&event, 1, milliseconds) == 1;
}

}  // namespace

Connection::Connection(int descriptor) : descriptor_(descriptor) {}

Connection::Connection(Connection&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), arrived_(std::move(other.arrived_)) {}

Connection& Connection::operator=(Connection&& other) noexcept {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    arrived_ = std::move(other.arrived_);
    return *this;
}

Connection::~Connection() {
    close();
}

void Connection::close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}

Connection Connection::to(const std::string& address, std::uint16_t port, int milliseconds) {
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(port);
    if (inet_pton(AF_INET, address.c_str(), &there.sin_addr) != 1) return Connection();
    Connection connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!connection.is_open()) return connection;
    if (connect(connection.descriptor_, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) {
        int error = errno;
        socklen_t size = sizeof error;
        if (error == EINPROGRESS && is_ready(connection.descriptor_, POLLOUT, milliseconds)) {
            getsockopt(connection.descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
        }
        if (error != 0) return Connection();
    }
    set_quick(connection.descriptor_);
    return connection;
}

void Connection::send(const Message& message) const {
    if (!is_open()) return;
    const std::string text = message.text.substr(0, kLongestText);
    const Header header{message.type, message.value, static_cast<std::uint32_t>(text.size())};
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    bytes += text;
    // The message is far smaller than a socket's buffer. So it is sent whole, or the other end has stopped reading.
    if (::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
}

bool Connection::receive(std::vector<Message>& messages) {
    return read(messages, false);
}

/// Number of bytes that the arriving message still lacks. As long as its header is incomplete, only the bytes that the
/// header lacks are counted.
std::size_t Connection::missing_bytes() const {
    if (arrived_.size() < sizeof(Header)) return sizeof(Header) - arrived_.size();
    Header header;
    std::memcpy(&header, arrived_.data(), sizeof header);
    return sizeof header + header.size - arrived_.size();
}

/// Reads what has arrived, as receive() does. `only_one`: leaves the bytes after the first message in the socket, so
/// that poll() reports them.
bool Connection::read(std::vector<Message>& messages, bool only_one) {
    char block[4096];
    while (!only_one || messages.empty()) {
        const std::size_t most = only_one ? std::min(sizeof block, missing_bytes()) : sizeof block;
        const ssize_t count = recv(descriptor_, block, most, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
        if (count <= 0) return false;
        arrived_.append(block, static_cast<std::size_t>(count));
        while (arrived_.size() >= sizeof(Header)) {
            Header header;
            std::memcpy(&header, arrived_.data(), sizeof header);
            if (header.type > Message::kBye || header.size > kLongestText) return false;
            if (arrived_.size() < sizeof header + header.size) break;
            messages.push_back(
                {static_cast<Message::Type>(header.type), header.value, arrived_.substr(sizeof header, header.size)});
            arrived_.erase(0, sizeof header + header.size);
        }
    }
    return true;
}

std::optional<Message> Connection::wait(int milliseconds) {
    std::vector<Message> messages;
    if (!is_open() || !is_ready(descriptor_, POLLIN, milliseconds)) return std::nullopt;
    read(messages, true);
    if (messages.empty()) return std::nullopt;
    return messages.front();
}

Listener::Listener() {
    descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor_ < 0) return;
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_ANY);
    socklen_t size = sizeof here;
    auto* const address = reinterpret_cast<sockaddr*>(&here);
    if (bind(descriptor_, address, size) != 0 || listen(descriptor_, SOMAXCONN) != 0 ||
        getsockname(descriptor_, address, &size) != 0) {
        ::close(std::exchange(descriptor_, -1));
        return;
    }
    port_ = ntohs(here.sin_port);
}

Listener::~Listener() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Connection Listener::accept() const {
    const int descriptor = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor >= 0) set_quick(descriptor);
    return Connection(descriptor);
}

std::vector<std::string> own_addresses() {
    std::vector<std::string> addresses;
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) == 0) {
        for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
            const bool here = one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET;
            if (!here || (one->ifa_flags & IFF_LOOPBACK) != 0 || (one->ifa_flags & IFF_UP) == 0) continue;
            char text[INET_ADDRSTRLEN] = {};
            const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
            if (inet_ntop(AF_INET, &address->sin_addr, text, sizeof text) != nullptr) addresses.emplace_back(text);
        }
        freeifaddrs(all);
    }
    addresses.emplace_back("127.0.0.1");
    return addresses;
}

}  // namespace qapfw::framework
