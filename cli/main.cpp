// locklab: parses the command line, runs one verb, and turns what went wrong into an exit code.
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <new>
#include <string>

#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/verbs.h"
#include "cli/version.h"

namespace locklab::cli {
namespace {

int run_verb(const CommandLine& line, Console& console) {
  if (line.help) {
    console.print(*line.help);
    return kOk;
  }
  for (const Verb& verb : verbs()) {
    if (verb.name == line.arguments.verb) return verb.run(line.arguments, console);
  }
  return kInternal;
}

int guarded(int argc, const char* const* argv) {
  try {
    const CommandLine line = parse_command_line(argc, argv);
    Console console(line.arguments.paper);
    return run_verb(line, console);
  } catch (const Failure& failure) {
    complain(failure.what());
    return failure.code();
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return kInternal;
  } catch (const std::exception& failure) {
    complain(std::string("internal error: ") + failure.what() + "; please report it with " +
             version_line() + " and this command line");
    return kInternal;
  }
}

}  // namespace
}  // namespace locklab::cli

int main(int argc, char** argv) {
  locklab::cli::catch_interrupts();
  return locklab::cli::guarded(argc, argv);
}
