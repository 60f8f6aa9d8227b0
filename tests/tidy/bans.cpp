// What would make two runs of the same choices differ, and other things that a pattern can find.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

#include "tests/tidy/rules.h"

namespace locklab::tidy {
namespace {

enum class Where { anywhere, margin };  // margin: only lines that are not indented.

struct Ban {
  std::string_view name;
  std::string_view hints;  // A line without any of these words is not searched: regex is slow.
  const char* pattern;     // Of code, line by line.
  std::string_view instead;
  bool also_in_tests = true;
  Where where = Where::anywhere;
};

// clang-format off
constexpr std::array<Ban, 16> kBans = {{
    {"wall-clock", "clock time",
     R"(\b(system|steady|high_resolution|utc)_clock\b|\b(gettimeofday|clock_gettime|localtime|gmtime|strftime|timespec_get)\b|\bstd::(time|clock)\s*\(|\btime\s*\(\s*(0|NULL|nullptr)\s*\)|<ctime>|<time\.h>)",
     "sim/clock.h has the only clocks"},
    {"chrono", "chrono count", R"(\bstd::chrono\b|<chrono>|\.count\(\))",
     "sim/time.h has the types of time"},
    {"rand", "rand mt19937",
     R"(\bs?rand\s*\(|\brandom_device\b|\bmt19937|\bminstd_rand|default_random_engine|<random>)",
     "choose() is the only nondeterminism"},
    {"distribution", "_distribution", R"(\b\w+_distribution\b)",
     "distributions differ between libraries"},
    {"shuffle", "shuffle sample", R"(\b(std|ranges)::(shuffle|sample|random_shuffle)\b)",
     "the order of draws differs between libraries"},
    {"std-hash", "hash", R"(\bstd::hash\b|\bhash_value\b)", "its values differ between libraries"},
    {"unordered", "unordered_", R"(\bunordered_\w+)", "its order differs between libraries"},
    {"pointer-order", "map< set< less< uintptr_t",
     R"(\bstd::(multi)?(map|set)<[^,>]*\*|\bstd::less<[^>]*\*|\buintptr_t\b)",
     "addresses differ between runs"},
    {"floating-point", "float double lua_Number", R"(\b(float|double|lua_Number)\b)",
     "rounding differs between compilers"},
    {"thread", "thread mutex async atomic condition_variable future promise barrier latch",
     R"(\bstd::(j?thread|async|(shared_|recursive_|timed_)?mutex|condition_variable|atomic\w*|future|promise|barrier|latch)\b|\bthread_local\b|\bpthread_|<thread>)",
     "one world, one thread"},
    {"environment", "env", R"(\b(secure_)?getenv\b|\bsetenv\b|\benviron\b)",
     "say it in the scenario"},
    {"locale", "locale imbue", R"(\bsetlocale\b|\bstd::locale\b|\bimbue\b|<locale>|<clocale>)",
     "text must not depend on the user's settings"},
    // A function, a constant or a member function may be static; state may not.
    {"mutable-static", "static",
     R"(^\s*(inline\s+)?static\s+(?!const\b|constexpr\b|constinit\s+const\b)[\w:<>,\s*&]*?\w(\s*(=|\{|;)|\[))",
     "state belongs to a world"},
    {"mutable-static", ";",
     R"(^(inline |constinit |thread_local )*(?!using |return |namespace |class |struct |enum |union |template |typedef |extern |friend |const (?![^=;(]*\*\s*(?!const\b)\w)|constexpr |static |inline |constinit |thread_local |public|private|protected|__extension__ )[A-Za-z_][\w:<>, *&]*[\s*&]\w+( = [^()]*|\{\})?;)",
     "state belongs to a world", true, Where::margin},
    {"print", "std::c printf puts exit abort _Exit",
     R"(\bstd::(cout|cerr|clog)\b|\bf?printf\s*\(|\bf?puts\s*\(|\b(std::)?(exit|abort|_Exit|quick_exit)\s*\()",
     "a library neither prints nor exits", false},
    {"catch-all", "catch", R"(\bcatch\s*\(\s*\.\.\.\s*\))",
     "it would swallow the end of a fiber", false},
}};
// clang-format on

// Keep it short: each line is something that a reader has to trust.
const std::array<Exception, 15> kExceptions = {{
    {"search/workers.cpp", "thread", "whole worlds side by side, one to a thread"},
    {"sim/time_test.cpp", "chrono", "it shows that the types do not convert"},
    {"properties/mutate.cpp", "print", "a program that the tests of properties run"},
    {"sim/boost_primitives_test.cpp", "chrono", "it stands for a lock with Boost's own time types"},
    {"sim/fibers.cpp", "wall-clock", "Boost.Fiber's scheduler interface speaks steady_clock"},
    {"sim/fibers.cpp", "chrono", "the same"},
    {"sim/fibers.cpp", "thread", "one pool of stacks per thread, whatever world runs on it"},
    {"sim/fibers.cpp", "mutable-static", "the same"},
    {"sim/process_fibers.cpp", "catch-all",
     "the one place where a fiber ends; the driver rethrows"},
    {"sim/process_calls.cpp", "catch-all", "it tidies up and rethrows at once"},
    {"sim/redis/lua/", "floating-point", "the numbers of Lua 5.1 are doubles"},
    {"sim/steady_clock.cpp", "wall-clock", "it replaces that clock by the virtual one"},
    {"sim/steady_clock.cpp", "chrono", "the same"},
    {"sim/steady_clock.cpp", "thread", "each thread runs a world of its own time"},
    {"sim/steady_clock.cpp", "mutable-static", "the same"},
}};

bool may_match(const Ban& ban, std::string_view line) {
  const bool indented = line.empty() || line.front() == ' ';
  if (ban.where == Where::margin && indented) return false;
  for (std::string_view rest = ban.hints; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (line.find(rest.substr(0, end)) != std::string_view::npos) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool covers(const Exception& exception, std::string_view path, std::string_view ban) {
  const bool here =
      exception.path.ends_with('/') ? path.starts_with(exception.path) : path == exception.path;
  return here && exception.ban == ban;
}

}  // namespace

std::span<const Exception> exceptions() {
  return kExceptions;
}

Complaints check_bans(const Source& source, std::span<const Exception> allowed) {
  if (!is_deterministic_folder(folder_of(source.path))) return {};
  if (!is_header(source) && !is_cpp(source)) return {};
  Complaints complaints;
  const std::vector<std::string> lines = lines_of(code_of(source.text));
  for (const Ban& ban : kBans) {
    if (is_test(source) && !ban.also_in_tests) continue;
    const bool excused = std::any_of(allowed.begin(), allowed.end(), [&](const Exception& e) {
      return covers(e, source.path, ban.name);
    });
    if (excused) continue;
    const std::regex pattern(ban.pattern);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!may_match(ban, lines[i]) || !std::regex_search(lines[i], pattern)) continue;
      complaints.push_back(
          {source.path, i + 1, std::string(ban.name) + ": " + std::string(ban.instead)});
    }
  }
  return complaints;
}

Complaints check_exceptions(std::span<const Source> sources, std::span<const Exception> allowed) {
  Complaints complaints;
  for (const Exception& exception : allowed) {
    const bool needed = std::any_of(sources.begin(), sources.end(), [&](const Source& source) {
      if (!covers(exception, source.path, exception.ban)) return false;
      const Complaints found = check_bans(source, {});
      return std::any_of(found.begin(), found.end(), [&](const Complaint& complaint) {
        return complaint.what.starts_with(exception.ban + ":");
      });
    });
    if (!needed) complaints.push_back({exception.path, 0, "needs no exception " + exception.ban});
  }
  return complaints;
}

}  // namespace locklab::tidy
