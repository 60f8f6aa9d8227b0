// Sockets: loopback listeners, and streams of RESP values that never wait for ever.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/real/resp.h"

namespace locklab::real {

/// The machine did not do its part: no comparison, and no verdict either.
class Trouble : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A descriptor that closes itself; programs that are started do not inherit it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = other.release();
    }
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void close();

 private:
  int fd_ = -1;
};

/// A step takes well below a millisecond; a stuck one must end.
constexpr int kPatienceMs = 5000;

/// One end of a connection.
class Stream {
 public:
  Stream() = default;
  explicit Stream(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  bool is_open() const { return descriptor_.is_open(); }
  int fd() const { return descriptor_.get(); }
  void write(std::string_view bytes) const;
  /// The bytes of the next value; throws Trouble after a while (a negative one is for ever), or at
  /// the end of the stream.
  std::string read_value(int patience_ms = kPatienceMs);
  /// Takes what has come, without waiting. false: the other end has closed.
  bool pump();
  /// Waits a little for more; false: nothing came, or the end.
  bool wait(int milliseconds);
  /// Bytes that have come and are not taken.
  std::string& buffer() { return buffer_; }
  void close() { descriptor_.close(); }
  /// Closes so that the other end sees a reset.
  void reset();

 private:
  Descriptor descriptor_;
  std::string buffer_;
  bool ended_ = false;
};

struct Listener {
  Descriptor descriptor;
  std::uint16_t port = 0;
  /// The next connection; throws Trouble if none comes.
  Stream accept() const;
};

/// On 127.0.0.1, at a port that the system chooses.
Listener listen_on_loopback();
/// nullopt: refused.
std::optional<Stream> connect_to_port(std::uint16_t port);
std::optional<Stream> connect_to_path(const std::string& path);
/// Two ends that are connected with each other.
std::pair<Descriptor, Descriptor> connected_pair();

}  // namespace locklab::real
