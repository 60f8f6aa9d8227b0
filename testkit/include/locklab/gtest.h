// locklab for tests of your own with GoogleTest: see docs/testing.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testkit/gtest.h"
