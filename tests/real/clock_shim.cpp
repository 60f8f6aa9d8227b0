// Clock shim: preloaded into redis-server, it sets the wall clock and tells what reached the disk.
// SPDX-License-Identifier: Apache-2.0
//
// Redis takes the wall time from these three calls alone; its event loop and its script timeout run
// on CLOCK_MONOTONIC (redis/src/ae.c, monotonic.c), which is left as it is. The file named by
// LOCKLAB_CLOCK is mapped (clock_shim.h).
#include "tests/real/clock_shim.h"

#include <array>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/real/parent.h"

namespace {

using locklab::real::kClock;
using locklab::real::kShared;
using locklab::real::kSynced;

volatile std::int64_t* shared = nullptr;

/// Before main(): nothing here may be asked earlier than it is ready.
__attribute__((constructor)) void map_clock() {
  locklab::real::end_with_parent();
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before main() there is one thread.
  const char* const path = std::getenv("LOCKLAB_CLOCK");
  if (path == nullptr) return;
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void* const mapped =
      mmap(nullptr, kShared * sizeof(std::int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) shared = static_cast<volatile std::int64_t*>(mapped);
  close(fd);
}

constexpr std::int64_t kMicroseconds = 1'000'000;

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* out) noexcept {
  const std::int64_t now = shared == nullptr ? 0 : shared[kClock];
  if (now != 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    out->tv_sec = now / kMicroseconds;
    out->tv_nsec = now % kMicroseconds * 1000;
    return 0;
  }
  return static_cast<int>(syscall(SYS_clock_gettime, clock, out));
}

__attribute__((visibility("default"))) int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  const int failed = clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return failed;
}

__attribute__((visibility("default"))) time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}

/// As the server's own, and then it is told how much of its append-only file is on disk.
__attribute__((visibility("default"))) int fdatasync(int fd) {
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = readlink(link.c_str(), path.data(), path.size());
  const bool is_file =
      length > 0 &&
      std::string_view(path.data(), static_cast<std::size_t>(length)).ends_with(".incr.aof");
  struct stat state {};
  const bool known = shared != nullptr && is_file && fstat(fd, &state) == 0;
  const int failed = static_cast<int>(syscall(SYS_fdatasync, fd));
  if (known && failed == 0) shared[kSynced] = state.st_size;
  return failed;
}

}  // extern "C"
