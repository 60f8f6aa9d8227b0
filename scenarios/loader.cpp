// Loader: embedded texts first, then regular files of a bounded size.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/loader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "scenarios/embedded.h"
#include "scenarios/json_reader.h"
#include "scenarios/suggest.h"

namespace locklab {
namespace {

constexpr std::string_view kSuffix = ".json";

bool ends_with_json(std::string_view text) {
  return text.size() > kSuffix.size() && text.substr(text.size() - kSuffix.size()) == kSuffix;
}

/// "trap-5/late-write.json" → "late-write".
std::string_view name_in(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  if (ends_with_json(path)) path.remove_suffix(kSuffix.size());
  return path;
}

LoadResult failed(LoadStatus status, Diagnostic error) {
  LoadResult result;
  result.status = status;
  result.errors.push_back(std::move(error));
  return result;
}

LoadResult decoded(std::string text, std::string source, const Vocabulary* vocabulary) {
  LoadResult result;
  DecodeResult decode = decode_scenario(text, std::move(source), vocabulary);
  result.status = decode.scenario ? LoadStatus::ok : LoadStatus::bad_data;
  result.scenario = std::move(decode.scenario);
  result.errors = std::move(decode.errors);
  result.text = std::move(text);
  return result;
}

/// Closes the descriptor at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

FileText refused(LoadStatus status, std::string error) {
  return {status, {}, std::move(error)};
}

std::string reason(int error) {
  if (error == ENOENT || error == ENOTDIR) return "there is no such file";
  if (error == EACCES) return "cannot be read: permission denied";
  return std::string("cannot be read: ") + ::strerrordesc_np(error);
}

}  // namespace

FileText read_file(const std::string& path, std::size_t limit) {
  // O_NONBLOCK: opening a pipe without a writer would wait for ever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0) return refused(LoadStatus::no_input, reason(errno));
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return refused(LoadStatus::no_input, reason(errno));
  if (S_ISDIR(info.st_mode)) return refused(LoadStatus::no_input, "is a directory");
  if (!S_ISREG(info.st_mode)) return refused(LoadStatus::no_input, "is not a regular file");

  FileText result;
  std::size_t used = 0;
  for (;;) {
    // One byte beyond the limit shows that the file is too long, whatever its size said before.
    result.text.resize(std::min(limit + 1, std::max<std::size_t>(used + 4096, used * 2)));
    const ::ssize_t got = ::read(file.get(), result.text.data() + used, result.text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refused(LoadStatus::no_input, reason(errno));
    used += static_cast<std::size_t>(got);
    if (used > limit) {
      return refused(LoadStatus::bad_data, "is larger than " + std::to_string(limit) + " bytes");
    }
    if (got == 0) break;
  }
  result.text.resize(used);
  return result;
}

std::vector<std::string> embedded_scenario_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_scenarios())
    names.emplace_back(name_in(file.path));
  std::sort(names.begin(), names.end());
  return names;
}

LoadResult load_scenario(std::string_view name_or_path, const Vocabulary* vocabulary) {
  for (const EmbeddedFile& file : embedded_scenarios()) {
    if (name_in(file.path) == name_or_path) {
      return decoded(std::string(file.text), "embedded:" + std::string(file.path), vocabulary);
    }
  }
  const bool is_path =
      ends_with_json(name_or_path) || name_or_path.find('/') != std::string_view::npos;
  if (!is_path) {
    const std::vector<std::string> names = embedded_scenario_names();
    const std::vector<std::string_view> known(names.begin(), names.end());
    std::string hint = suggestion(name_or_path, known);
    if (hint.empty()) hint = "see `locklab list`, or give a path that ends in .json";
    return failed(
        LoadStatus::no_input,
        diagnostic_of(quoted(name_or_path), "no scenario has this name", std::move(hint)));
  }
  std::string path(name_or_path);
  if (path.find('\0') != std::string::npos) {
    return failed(LoadStatus::no_input, diagnostic_of(quoted(path), "is not a path"));
  }
  FileText file = read_file(path, JsonLimits{}.bytes);
  if (!file.error.empty()) return failed(file.status, diagnostic_of(path, file.error));
  return decoded(std::move(file.text), std::move(path), vocabulary);
}

}  // namespace locklab
