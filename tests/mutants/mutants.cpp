// mutants: lists the sample, writes one of it, or draws the page of what became of all.
// SPDX-License-Identifier: Apache-2.0
//
// mutants ROOT list | mutants ROOT write ID FOLDER | mutants ROOT report RESULTS SURVIVORS
//
// `write` puts the mutated file under FOLDER, where an include path that comes first finds it, and
// prints the sources to compile anew. tests/nightly/mutants.sh does the rest.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/mutants/candidates.h"
#include "tests/mutants/results.h"

namespace {

using namespace locklab::mutants;

struct Sampled {
  Group group;
  Mutant mutant;
};

std::vector<Sampled> sample(const std::string& root) {
  const std::vector<Pattern> patterns = read_patterns(root + "/tests/mutants/patterns.txt");
  std::vector<Sampled> all;
  for (const Group& group : read_groups(root + "/tests/mutants/targets.txt")) {
    for (Mutant& mutant : sample_of(mutants_of(root, group, patterns), group.sampled))
      all.push_back({group, std::move(mutant)});
  }
  return all;
}

void write(const std::string& root, const std::string& id, const std::string& folder) {
  for (const Sampled& sampled : sample(root)) {
    const Mutant& mutant = sampled.mutant;
    if (mutant.id() != id) continue;
    const std::filesystem::path path = std::filesystem::path(folder) / mutant.file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << applied(read_file(root + "/" + mutant.file), mutant);
    for (const std::string& source : sources_of(root, sampled.group, mutant)) {
      // Compiled from FOLDER too, or a quoted include would find the header beside the original.
      const std::filesystem::path copy = std::filesystem::path(folder) / source;
      std::filesystem::create_directories(copy.parent_path());
      if (source != mutant.file)
        std::filesystem::copy_file(std::filesystem::path(root) / source, copy);
      std::cout << source << '\n';
    }
    return;
  }
  throw std::runtime_error("no mutant " + id + " in the sample");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() == 2 && words[1] == "list") {
      for (const Sampled& sampled : sample(words[0]))
        std::cout << row_of(sampled.mutant) << '\n';
    } else if (words.size() == 4 && words[1] == "write") {
      write(words[0], words[2], words[3]);
    } else if (words.size() == 4 && words[1] == "report") {
      std::cout << page_of(read_results(words[2]), read_reasons(words[3]));
    } else {
      std::cerr << "usage: mutants ROOT list | write ID FOLDER | report RESULTS SURVIVORS\n";
      return 64;
    }
  } catch (const std::exception& error) {
    std::cerr << "mutants: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
