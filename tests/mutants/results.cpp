// Results: rows between tabs, reasons by hand, and a page in Markdown.
// SPDX-License-Identifier: Apache-2.0
#include "tests/mutants/results.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace locklab::mutants {
namespace {

constexpr std::size_t kColumns = 8;

std::string without_margin(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  std::string out = text.substr(begin, text.find_last_not_of(' ') - begin + 1);
  const std::size_t comment = out.find("  //");
  return out.substr(0, comment);
}

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string code(const std::string& text) {
  return text.empty() ? "*nothing*" : "`` " + text + " ``";
}

/// A "|" would end the cell, also in code.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string word(const std::string& text, std::size_t number) {
  const std::vector<std::string> words = split(text, ' ');
  return number < words.size() ? words[number] : "";
}

/// The text behind its second word: story and property.
std::string told(const std::string& search) {
  const std::size_t first = search.find(' ');
  const std::size_t second = search.find(' ', first + 1);
  return second == std::string::npos ? "" : search.substr(second + 1);
}

std::string verdict_of_search(const Result& result) {
  const std::string kind = word(result.search, 0);
  if (kind == "promise") return told(result.search);
  if (kind == "trap") return "a trap that no longer bites: " + told(result.search);
  if (kind == "idle") return "nobody is ever let in: " + told(result.search);
  if (kind == "fails") return "a run that fails: " + told(result.search);
  if (kind == "timeout") return "a run that does not end";
  return "";
}

struct Counts {
  std::size_t made = 0;
  std::size_t stillborn = 0;
  std::size_t by_unit = 0;
  std::size_t by_search = 0;
  std::size_t killed = 0;
  std::vector<std::uint64_t> schedules;

  void add(const Result& result) {
    ++made;
    if (result.is_stillborn()) {
      ++stillborn;
      return;
    }
    if (result.unit != "-") ++by_unit;
    if (!verdict_of_search(result).empty()) ++by_search;
    if (result.is_killed()) ++killed;
    if (result.schedules_to_kill() > 0) schedules.push_back(result.schedules_to_kill());
  }
};

std::string row_of(const std::string& name, const Counts& counts) {
  const auto number = [](std::size_t n) { return std::to_string(n); };
  const std::size_t born = counts.made - counts.stillborn;
  std::string row = "| " + name + " | " + number(born) + " | " + number(counts.killed) + " | " +
                    number(born - counts.killed) + " | " + number(counts.by_unit) + " | " +
                    number(counts.by_search) + " | ";
  if (counts.schedules.empty()) return row + "– | – | – |\n";
  row += number(counts.schedules.size()) + " | ";
  row += number(percentile(counts.schedules, 50)) + " | ";
  return row + number(percentile(counts.schedules, 95)) + " |\n";
}

std::string table_of(const std::vector<Result>& results) {
  std::string out =
      "| where | what | before | after | killed by a test | killed by the search | schedules |\n"
      "|---|---|---|---|---|---|--:|\n";
  for (const Result& result : results) {
    const Mutant& mutant = result.mutant;
    if (result.is_stillborn()) continue;
    const std::uint64_t schedules = result.schedules_to_kill();
    out += "| " + mutant.file + " | " + mutant.pattern + " | " + cell(code(mutant.before)) + " | " +
           cell(code(mutant.after)) + " | " + (result.unit == "-" ? "" : result.unit) + " | " +
           verdict_of_search(result) + " | " + (schedules == 0 ? "" : std::to_string(schedules)) +
           " |\n";
  }
  return out;
}

}  // namespace

bool Result::is_killed() const {
  return !is_stillborn() && (unit != "-" || !verdict_of_search(*this).empty());
}

std::uint64_t Result::schedules_to_kill() const {
  if (word(search, 0) != "promise") return 0;
  return std::strtoull(word(search, 1).c_str(), nullptr, 10);
}

std::string row_of(const Mutant& mutant) {
  return mutant.id() + '\t' + mutant.group + '\t' + mutant.file + '\t' + mutant.pattern + '\t' +
         without_margin(mutant.before) + '\t' + without_margin(mutant.after);
}

std::vector<Result> read_results(const std::string& path) {
  std::vector<Result> results;
  for (const std::string& line : lines_of(read_file(path))) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> parts = split(line, '\t');
    if (parts.size() != kColumns)
      throw std::runtime_error(std::string(path).append(": eight columns, not: ").append(line));
    Result result;
    result.id = parts[0];
    result.mutant.group = parts[1];
    result.mutant.file = parts[2];
    result.row = line.substr(0, line.rfind('\t', line.rfind('\t') - 1));
    result.mutant.pattern = parts[3];
    result.mutant.before = parts[4];
    result.mutant.after = parts[5];
    result.unit = parts[6];
    result.search = parts[7];
    results.push_back(std::move(result));
  }
  return results;
}

std::map<std::string, std::string> read_reasons(const std::string& path) {
  std::map<std::string, std::string> reasons;
  std::string id;
  for (const std::string& line : lines_of(read_file(path))) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      id = word(line, 0);
      reasons[id] = line.size() > id.size() ? line.substr(id.size() + 1) : "";
    } else {
      reasons[id] += " " + without_margin(line);
    }
  }
  return reasons;
}

std::uint64_t percentile(std::vector<std::uint64_t> values, std::uint64_t hundredth) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[(values.size() * hundredth + 99) / 100 - 1];
}

std::string page_of(const std::vector<Result>& results,
                    const std::map<std::string, std::string>& reasons) {
  std::map<std::string, Counts> groups;
  Counts all;
  for (const Result& result : results) {
    groups[result.mutant.group].add(result);
    all.add(result);
  }
  std::string out =
      "# Mutants\n\n"
      "What the tests would notice: one line of a correct lock, of a server or of a property is "
      "changed at a time, by\n[a list of patterns](../tests/mutants/patterns.txt) and not by hand; "
      "a sample by hash, the same on each machine. Each mutant faces\n\n"
      "- tests: of a lock those of `models/` and `tests/labels`; of a server those of `sim/redis/` "
      "and `sim/faults/`, and the\n  conformance tests against redis-server; of a property those "
      "of `properties/`;\n  of what judges histories from files, those of "
      "`properties/linearizability/`, and no search: it judges no run;\n"
      "- a search: seed 1 of every story, seed 2 of every story, and so on, until a promise is "
      "broken. That number is its *schedules\n  to kill*. Beside the stories of `scenarios/` there "
      "is one for each correct lock and each kind of fault that it does not\n  declare "
      "([claims](claims.md)), with up to two faults of that kind alone. A lock's mutant faces "
      "only\n  the stories of those locks that its line is compiled into.\n\n"
      "`tests/nightly/mutants.sh` does it all again each night, compares whether tests and the "
      "search still kill each of them, and\nwrites this page (`--write`).\n\n"
      "| of | mutants | killed | survive | killed by tests | killed by the search | by a broken "
      "promise | median schedules | 95 % |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const auto& [name, counts] : groups)
    out += row_of(name, counts);
  out += row_of("**all**", all);
  out +=
      "\nThe search also kills by what it no longer finds (a trap that does not bite, a lock that "
      "lets nobody in); that needs its\nwhole budget and counts in no median; nor does a run that "
      "fails or does not end. " +
      std::to_string(all.stillborn) +
      " more of the sample do not compile and are left out.\n\n## Survivors\n\n";
  for (const Result& result : results) {
    if (result.is_stillborn() || result.is_killed()) continue;
    const auto reason = reasons.find(result.id);
    out += "- `" + result.mutant.file + "`, " + result.mutant.pattern + ": " +
           code(result.mutant.before) + " became " + code(result.mutant.after) + ".\n  " +
           (reason == reasons.end() ? "**No reason is given.**" : reason->second) + "\n";
  }
  for (const auto& [name, counts] : groups) {
    std::vector<Result> some;
    std::copy_if(results.begin(), results.end(), std::back_inserter(some),
                 [&name = name](const Result& r) { return r.mutant.group == name; });
    out += "\n## " + name + "\n\n" + table_of(some);
  }
  return out;
}

}  // namespace locklab::mutants
