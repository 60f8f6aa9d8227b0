// real_resource: the protected resource, and the counter that issues fences, as small TCP servers.
// SPDX-License-Identifier: Apache-2.0
//
// Usage: real_resource counter|MODE, with a listening socket as descriptor 3. The resource answers
// READ and APPEND (object, fence, sequence, version read, hold) with four integers: accepted,
// version after, version before, and whether ge_rw would have refused. The rules are written here a
// second time, from their definition (sim/world_config.h), not shared with sim/.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

#include "tests/real/parent.h"
#include "tests/real/sockets.h"

namespace locklab::real {
namespace {

std::string integer_reply(std::int64_t value) {
  return ":" + std::to_string(value) + "\r\n";
}

class Server {
 public:
  explicit Server(std::string_view mode) : mode_(mode) {}

  std::string answer(const Words& request) {
    if (mode_ == "counter") return integer_reply(++counted_);
    const bool append = request.at(0) == "append";
    std::int64_t& version = versions_[request.at(1)];
    const std::int64_t fence = number_of(request.at(2));
    const std::int64_t before = version;
    const std::int64_t sequence = number_of(request.at(3));
    const bool unchanged = !append || number_of(request.at(4)) == version;
    const std::string& token = request.at(5);
    std::string& last_reader = last_readers_[request.at(1)];
    const bool accepted = mode_ == "cas_token" ? !append || last_reader == token
                                               : accepts(append, fence, sequence, unchanged);
    if (accepted && !append) last_reader = token;
    const bool would_reject = fence != 0 && fence < shadow_fence_;
    shadow_fence_ = std::max(shadow_fence_, fence);
    if (accepted && append) ++version;
    // Reads do not raise the fence that only writes must pass.
    if (accepted && (append || !only_writes())) raise(fence, sequence);
    return "*4\r\n" + integer_reply(accepted ? 1 : 0) + integer_reply(version) +
           integer_reply(before) + integer_reply(would_reject ? 1 : 0);
  }

 private:
  bool only_writes() const { return mode_ == "ge_w" || mode_ == "gt_w"; }

  bool accepts(bool append, std::int64_t fence, std::int64_t sequence, bool unchanged) const {
    if (only_writes() && !append) return true;
    const bool is_newer = fence > highest_fence_;
    const bool is_of_newest = fence == highest_fence_;
    const bool is_next = is_newer || (is_of_newest && sequence > sequence_);
    if (mode_ == "ge_w" || mode_ == "ge_rw") return is_newer || is_of_newest;
    if (mode_ == "gt_w") return is_newer;
    if (mode_ == "lex_rw") return is_next;
    if (mode_ == "eq") return is_of_newest || highest_fence_ == 0;
    if (mode_ == "cas") return unchanged;
    if (mode_ == "ge_rw+cas+id") return is_next && unchanged;
    return true;
  }

  void raise(std::int64_t fence, std::int64_t sequence) {
    if (fence < highest_fence_) return;
    sequence_ = fence == highest_fence_ ? std::max(sequence_, sequence) : sequence;
    highest_fence_ = fence;
  }

  std::string_view mode_;
  std::int64_t counted_ = 0;
  std::int64_t highest_fence_ = 0;                // Of those that had to be looked at.
  std::int64_t sequence_ = 0;                     // The highest under that fence.
  std::int64_t shadow_fence_ = 0;                 // Of all.
  std::map<std::string, std::int64_t> versions_;  // By object.
  std::map<std::string, std::string> last_readers_;
};

/// Answers whole requests of one connection. false: it has ended.
bool serve(Server& server, Stream& stream) {
  const bool open = stream.pump();
  while (const std::size_t length = value_length(stream.buffer())) {
    const Words request = words_of(decode(stream.buffer()));
    stream.buffer().erase(0, length);
    stream.write(server.answer(request));
  }
  return open;
}

void serve_all(std::string_view mode) {
  constexpr int kListening = 3;
  Server server(mode);
  std::vector<Stream> streams;
  for (;;) {
    std::vector<pollfd> waiting = {{kListening, POLLIN, 0}};
    for (const Stream& stream : streams)
      waiting.push_back({stream.fd(), POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    std::erase_if(streams, [&server](Stream& stream) { return !serve(server, stream); });
    if (waiting.front().revents == 0) continue;
    Descriptor accepted(accept4(kListening, nullptr, nullptr, SOCK_CLOEXEC));
    if (accepted.is_open()) streams.emplace_back(std::move(accepted));
  }
}

}  // namespace
}  // namespace locklab::real

int main(int argc, char** argv) {
  locklab::real::end_with_parent();
  try {
    if (argc == 2) locklab::real::serve_all(argv[1]);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "real_resource: %s\n", failure.what());
  }
  return 1;
}
