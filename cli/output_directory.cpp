// Output directory: by descriptor, so that nobody can exchange the directory under us.
// SPDX-License-Identifier: Apache-2.0
#include "cli/output_directory.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/failure.h"
#include "scenarios/diagnostic.h"

namespace locklab::cli {
namespace {

std::string reason(int error) {
  return ::strerrordesc_np(error);
}

[[noreturn]] void cannot(ExitCode code, const std::string& what, const std::string& path,
                         const std::string& why) {
  throw Failure(code, what + " " + locklab::quoted(path) + ": " + why);
}

/// Everything, or -1 with errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ::ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return -1;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

OutputDirectory::OutputDirectory(const std::string& path) : path_(path) {
  while (path_.size() > 1 && path_.back() == '/')
    path_.pop_back();  // "link/" would follow the link.
  if (::mkdir(path_.c_str(), 0777) != 0 && errno != EEXIST) {
    cannot(kCannotCreate, "cannot create the directory", path_, reason(errno));
  }
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ >= 0) return;
  const int error = errno;
  struct stat info = {};
  const bool is_link = ::lstat(path_.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
  const std::string why = is_link ? "is a symbolic link; give the directory itself" : reason(error);
  cannot(kCannotCreate, "cannot write into", path_, why);
}

OutputDirectory::~OutputDirectory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputDirectory::write(const std::string& name, std::string_view text) const {
  const std::string draft = "." + name + ".draft";
  ::unlinkat(descriptor_, draft.c_str(), 0);  // Of a run that was killed.
  const int file = ::openat(descriptor_, draft.c_str(),
                            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) cannot(kCannotCreate, "cannot create", path_of(name), reason(errno));
  const int written = write_all(file, text);
  const int write_error = errno;
  const int closed = ::close(file);
  const int error = written != 0 ? write_error : errno;
  if (written == 0 && closed == 0 &&
      ::renameat(descriptor_, draft.c_str(), descriptor_, name.c_str()) == 0) {
    return;
  }
  const int last = written == 0 && closed == 0 ? errno : error;
  ::unlinkat(descriptor_, draft.c_str(), 0);
  cannot(kWriteError, "cannot write", path_of(name), reason(last));
}

}  // namespace locklab::cli
