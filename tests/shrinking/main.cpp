// shrinking: prints the figures of docs/shrinking.md.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "tests/shrinking/figures.h"

int main() {
  std::fputs(locklab::testing::shrinking_figures().c_str(), stdout);
  return 0;
}
