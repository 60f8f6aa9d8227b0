// locklab for properties of your own with RapidCheck: see docs/testing.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testkit/rapidcheck.h"
