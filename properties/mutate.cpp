// mutate: writes the wrong variants of one property's checker, as mutants.txt lists them.
// SPDX-License-Identifier: Apache-2.0
//
// mutate <folder of properties> <property> <output>. A mutant is the checker's source with all that
// it includes from this folder, in a namespace of its own, with one piece of text replaced. A
// mutant whose text is not found exactly once, and a property without mutants, fail the build. The
// source with nothing replaced is written too: it must agree with every case, or being killed means
// nothing.
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Change {
  std::string file;
  std::string reason;
  std::string from;
  std::string to;
};

std::string read(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + " cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Blocks of mutants.txt: "<property> <file> <reason>", then lines of "- old" and "+ new".
std::vector<Change> changes_of(const std::string& folder, const std::string& property) {
  std::istringstream in(read(folder + "/mutants.txt"));
  std::vector<Change> all;
  bool mine = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != '-' && line[0] != '+') {
      std::istringstream head(line);
      std::string name;
      Change change;
      head >> name >> change.file >> std::ws;
      std::getline(head, change.reason);
      mine = name == property;
      if (mine) all.push_back(change);
    } else if (mine) {
      std::string& side = line[0] == '-' ? all.back().from : all.back().to;
      if (!side.empty()) side += '\n';
      if (line.size() > 2) side += line.substr(2);
    }
  }
  if (all.empty()) throw std::runtime_error(property + " has no mutants in mutants.txt");
  return all;
}

void replace_once(std::string& text, const Change& change) {
  const std::size_t at = text.find(change.from);
  if (change.from.empty() || at == std::string::npos ||
      text.find(change.from, at + 1) != std::string::npos) {
    throw std::runtime_error(change.file + " must contain this exactly once: " + change.from);
  }
  text.replace(at, change.from.size(), change.to);
}

/// One checker with all that it needs, in the order in which a compiler wants it.
class Amalgam {
 public:
  explicit Amalgam(std::string folder) : folder_(std::move(folder)) {}

  std::string of(const std::string& property, const Change* change) {
    add(property + ".cpp", change);
    while (!sources_.empty()) {
      const std::string source = sources_.back();
      sources_.pop_back();
      add(source, change);
    }
    if (change != nullptr && seen_.count(change->file) == 0) {
      throw std::runtime_error(property + " does not use " + change->file);
    }
    return text_;
  }
  /// Includes from elsewhere, which must stand outside the namespace.
  const std::set<std::string>& includes() const { return includes_; }

 private:
  void add(const std::string& file, const Change* change) {
    if (!seen_.insert(file).second) return;
    std::string source = read(folder_ + "/" + file);
    if (change != nullptr && change->file == file) replace_once(source, *change);
    std::istringstream in(source);
    std::string body;
    for (std::string line; std::getline(in, line);) {
      const std::string ours = "#include \"properties/";
      if (line.rfind(ours, 0) == 0) {
        const std::string header = line.substr(ours.size(), line.size() - ours.size() - 1);
        add(header, change);
        const std::string stem = header.substr(0, header.size() - 2);
        if (std::ifstream(folder_ + "/" + stem + ".cpp")) sources_.push_back(stem + ".cpp");
      } else if (line.rfind("#include", 0) == 0) {
        includes_.insert(line);
      } else if (line != "#pragma once") {
        body += line + '\n';
      }
    }
    text_ += body;
  }

  std::string folder_;
  std::string text_;
  std::set<std::string> seen_;
  std::set<std::string> includes_;
  std::vector<std::string> sources_;
};

std::string in_namespace(std::string text, const std::string& name) {
  const std::string from = "namespace locklab {";
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at) {
    text.replace(at, from.size(), "namespace locklab::" + name + " {");
  }
  return text;
}

std::string literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + '"';
}

std::string judge_of(const std::string& name, const std::string& property) {
  return "namespace locklab::" + name + " {\ntesting::Opinion judge(const History& history) {\n" +
         "  Lanes lanes;\n  lanes.read(history);\n" + "  Finding finding = " + property +
         "().check(history, lanes);\n" +
         "  return {finding.verdict, finding.witness, finding.exercised};\n}\n}\n";
}

std::string generate(const std::string& folder, const std::string& property) {
  std::set<std::string> includes;
  std::string bodies;
  std::string rows;
  int number = 0;
  const auto add = [&](const std::string& name, const Change* change) {
    Amalgam amalgam(folder);
    bodies += in_namespace(amalgam.of(property, change), name) + judge_of(name, property);
    includes.insert(amalgam.includes().begin(), amalgam.includes().end());
  };
  const std::string original = property + "_original";
  add(original, nullptr);
  for (const Change& change : changes_of(folder, property)) {
    const std::string name = property + "_mutant_" + std::to_string(++number);
    add(name, &change);
    rows +=
        "    {" +
        literal(change.file + ", " + change.reason + "\n- " + change.from + "\n+ " + change.to) +
        ", &" + name + "::judge},\n";
  }
  std::string out;
  for (const std::string& include : includes)
    out += include + '\n';
  out += "#include \"properties/testing.h\"\n" + bodies;
  out += "namespace locklab::testing {\nnamespace {\nconstexpr Mutant kMutants[] = {\n" + rows +
         "};\nconstexpr Mutant kOriginal = {\"nothing\", &" + original + "::judge};\n}\n" +
         "std::span<const Mutant> " + property + "_mutants() { return kMutants; }\n" +
         "const Mutant& " + original + "() { return kOriginal; }\n}\n";
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: mutate <folder of properties> <property> <output>\n";
    return 64;
  }
  try {
    std::ofstream(argv[3]) << generate(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "mutate: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
