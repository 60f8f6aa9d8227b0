// Lengths, openings, names, and files that nobody builds.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cctype>
#include <regex>
#include <string_view>

#include "tests/tidy/rules.h"

namespace locklab::tidy {
namespace {

constexpr std::string_view kLicence = "SPDX-License-Identifier: Apache-2.0";

bool is_cmake(const Source& source) {
  return source.path.ends_with("CMakeLists.txt") || source.path.ends_with(".cmake");
}

bool is_script(const Source& source) {
  return source.path.ends_with(".sh") || source.text.starts_with("#!");
}

std::size_t line_at(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

/// What stands before an opening brace, back to the last end of something.
std::string_view head_of(std::string_view code, std::size_t brace) {
  const std::size_t end = brace == 0 ? std::string_view::npos : code.find_last_of(";{}", brace - 1);
  std::string_view head = code.substr(end + 1, brace - end - 1);
  const std::size_t first = std::min(head.find_first_not_of(" \n\t"), head.size());
  return head.substr(first);
}

/// A body follows a parameter list; a table of values follows '=', '(' or ','.
bool opens_function(std::string_view head) {
  const std::size_t last = head.find_last_not_of(" \n\t");
  if (last == std::string_view::npos || head.find(')') == std::string_view::npos) return false;
  if (std::string_view("=(,").find(head[last]) != std::string_view::npos) return false;
  for (const std::string_view other : {"namespace", "class ", "struct ", "enum ", "union "}) {
    if (head.starts_with(other)) return false;
  }
  return true;
}

Complaints complain_where(const Source& source, const std::string& text, const char* pattern,
                          const std::string& what) {
  Complaints complaints;
  const std::regex regex(pattern);
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::regex_search(lines[i], regex)) complaints.push_back({source.path, i + 1, what});
  }
  return complaints;
}

}  // namespace

Complaints check_file_length(const Source& source) {
  if (!is_header(source) && !is_cpp(source) && !is_cmake(source) && !is_script(source)) return {};
  const std::size_t lines = lines_of(source.text).size();
  if (lines <= kFileLinesMax) return {};
  return {{source.path, 0, std::to_string(lines) + " lines"}};
}

Complaints check_function_lengths(const Source& source) {
  if (!is_header(source) && !is_cpp(source)) return {};
  Complaints complaints;
  const std::string code = code_of(source.text);
  std::size_t depth = 0;
  std::size_t function_depth = 0;  // Of the braces around the function that we are in; 0: in none.
  std::size_t begin = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '{') {
      ++depth;
      const std::string_view head = head_of(code, at);
      if (function_depth != 0 || !opens_function(head)) continue;
      function_depth = depth;
      begin = line_at(code, static_cast<std::size_t>(head.data() - code.data()));
    } else if (code[at] == '}' && depth > 0) {
      const std::size_t lines = line_at(code, at) - begin + 1;
      if (function_depth == depth) {
        function_depth = 0;
        if (lines > kFunctionLinesMax) {
          complaints.push_back({source.path, begin, std::to_string(lines) + " lines"});
        }
      }
      --depth;
    }
  }
  return complaints;
}

Complaints check_opening(const Source& source) {
  const bool code = is_header(source) || is_cpp(source);
  if (!code && !is_cmake(source) && !is_script(source)) return {};
  const std::string mark = code ? "// " : "# ";
  std::vector<std::string> lines = lines_of(source.text);
  if (!lines.empty() && lines.front().starts_with("#!")) lines.erase(lines.begin());
  if (lines.empty() || !lines[0].starts_with(mark) || !lines[0].ends_with('.') ||
      lines[0].size() < mark.size() + 8) {
    return {{source.path, 1, "the first line says what the file is, in a sentence"}};
  }
  if (lines.size() < 2 || lines[1] != mark + std::string(kLicence)) {
    return {{source.path, 2, "the second line is " + mark + std::string(kLicence)}};
  }
  return {};
}

// The patterns below avoid matching themselves by a class of one character.
Complaints check_marks(const Source& source) {
  return complain_where(source, source.text, R"(\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b)",
                        "work that is left open belongs to an issue");
}

Complaints check_test_names(const Source& source) {
  if (!is_cpp(source)) return {};
  Complaints complaints;
  const std::string code = code_of(source.text);
  const std::regex test(
      R"(\b(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP|LOCKLAB_TEST|LOCKLAB_PROP)\s*\(\s*(\w+)\s*,\s*(\w+))");
  for (std::sregex_iterator it(code.begin(), code.end(), test), end; it != end; ++it) {
    for (const std::string& name : {it->str(2), it->str(3)}) {
      const bool capital = std::isupper(static_cast<unsigned char>(name.front())) != 0;
      if (capital && name.find('_') == std::string::npos) continue;
      complaints.push_back({source.path, line_at(code, static_cast<std::size_t>(it->position())),
                            name + " is not CamelCase"});
    }
  }
  return complaints;
}

Complaints check_machine_paths(const Source& source) {
  return complain_where(source, source.text, R"((^|[^\w./-])/(hom[e]|roo[t]|wor[k]|User[s])/\w)",
                        "a path of one machine");
}

Complaints check_dead_files(std::span<const Source> sources) {
  Complaints complaints;
  for (const Source& source : sources) {
    if (!is_cpp(source)) continue;
    const bool listed = std::any_of(sources.begin(), sources.end(), [&](const Source& list) {
      if (!list.path.ends_with("CMakeLists.txt")) return false;
      const std::string folder = list.path.substr(0, list.path.size() - 14);
      if (!source.path.starts_with(folder)) return false;
      const std::string name = source.path.substr(folder.size());
      const std::string stem = name.substr(0, name.size() - 4);  // Catalogues list names.
      const std::regex entry("(^|[\\s(])" + stem + "(\\.cpp)?($|[\\s)])");
      const std::vector<std::string> lines = lines_of(list.text);
      return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return std::regex_search(line.substr(0, line.find('#')), entry);
      });
    });
    if (!listed) complaints.push_back({source.path, 0, "no CMakeLists.txt lists it"});
  }
  return complaints;
}

}  // namespace locklab::tidy
