// Sockets: thin wrappers that turn what goes wrong into Trouble.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/sockets.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace locklab::real {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Trouble(what + ": errno " + std::to_string(errno));
}

bool readable(int fd, int milliseconds) {
  pollfd poll_fd{fd, POLLIN, 0};
  return poll(&poll_fd, 1, milliseconds) > 0;
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

template <class Address>
std::optional<Stream> connect_to(int family, const Address& address) {
  Descriptor descriptor(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!descriptor.is_open()) fail("socket");
  const auto* const raw = reinterpret_cast<const sockaddr*>(&address);
  if (connect(descriptor.get(), raw, sizeof address) != 0) return std::nullopt;
  if (family == AF_INET) {
    const int yes = 1;
    setsockopt(descriptor.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  return Stream(std::move(descriptor));
}

}  // namespace

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void Stream::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t size = send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) fail("a peer takes no bytes");
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
}

std::string Stream::read_value(int patience_ms) {
  for (;;) {
    if (const std::size_t length = value_length(buffer_)) {
      std::string bytes = buffer_.substr(0, length);
      buffer_.erase(0, length);
      return bytes;
    }
    if (ended_) throw Trouble("a stream has ended where a value was awaited");
    if (!wait(patience_ms) && !ended_) throw Trouble("no value has come in time");
  }
}

bool Stream::pump() {
  std::array<char, 16384> chunk;
  while (!ended_ && readable(fd(), 0)) {
    const ssize_t size = recv(fd(), chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (size <= 0) {
      ended_ = true;
    } else {
      buffer_.append(chunk.data(), static_cast<std::size_t>(size));
    }
  }
  return !ended_;
}

bool Stream::wait(int milliseconds) {
  if (ended_ || !readable(fd(), milliseconds)) return false;
  return pump();
}

void Stream::reset() {
  const linger at_once{1, 0};
  if (is_open()) setsockopt(fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

Stream Listener::accept() const {
  if (!readable(descriptor.get(), kPatienceMs)) throw Trouble("nobody connects");
  Descriptor accepted(accept4(descriptor.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!accepted.is_open()) fail("accept");
  const int yes = 1;
  setsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return Stream(std::move(accepted));
}

Listener listen_on_loopback() {
  Listener listener;
  listener.descriptor = Descriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  const int fd = listener.descriptor.get();
  if (fd < 0 || bind(fd, raw, size) != 0 || listen(fd, 16) != 0) fail("listen");
  if (getsockname(fd, raw, &size) != 0) fail("getsockname");
  listener.port = ntohs(address.sin_port);
  return listener;
}

std::optional<Stream> connect_to_port(std::uint16_t port) {
  return connect_to(AF_INET, loopback(port));
}

std::optional<Stream> connect_to_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw Trouble("the path is too long: " + path);
  std::memcpy(address.sun_path, path.data(), path.size());
  return connect_to(AF_UNIX, address);
}

std::pair<Descriptor, Descriptor> connected_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace locklab::real
