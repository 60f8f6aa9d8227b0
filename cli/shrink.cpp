// shrink: more time for making a failing run smaller.
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/record.h"
#include "cli/subject.h"
#include "cli/telling.h"
#include "cli/verbs.h"
#include "reports/json.h"

namespace locklab::cli {

ExitCode shrink(const Arguments& arguments, Console& console) {
  std::optional<OutputDirectory> directory;
  if (!arguments.out.empty()) directory.emplace(arguments.out);  // Before any work is done.
  const Subject subject = subject_of({.word = arguments.words[0],
                                      .file = arguments.words.size() > 1 ? arguments.words[1] : "",
                                      .set = arguments.set,
                                      .property = arguments.property,
                                      .must_fail = true,
                                      .shrinks = true},
                                     arguments, console);
  const LoadedScenario& loaded = subject.loaded;
  Bench bench(loaded.scenario);
  RunView view = bench.replay(subject.choices);
  view.token = choice_token(loaded.scenario, view.choices, view.digest).value_or("");
  if (!view.token.empty()) view.replay = replay_command(view.token, loaded.scenario, loaded.set);
  const std::string result = run_json(view, {loaded.set, {}, {}, {}});
  console.print(arguments.json ? result : told(view, subject.told, arguments, console.paper()));
  if (directory) console.say(keep(*directory, view, loaded, result, arguments.report));
  return is_interrupted() ? kInterrupted : kOk;
}

}  // namespace locklab::cli
