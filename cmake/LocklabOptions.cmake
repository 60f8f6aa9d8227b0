# What holds for every target: the language, where the program lands, ccache, coverage.
# SPDX-License-Identifier: Apache-2.0
option(LOCKLAB_WERROR "Warnings are errors" OFF)
option(LOCKLAB_BENCH "Build the benchmarks (bench/README.md)" OFF)
set(LOCKLAB_RC_SEED 20240229 CACHE STRING "Seed of the RapidCheck tests; fixed, so that CI never fails by luck")
set(LOCKLAB_PATIENCE 1 CACHE STRING "How many times as long as usual a test may take; for builds that are slow")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_program(LOCKLAB_CCACHE ccache)
if(LOCKLAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LOCKLAB_CCACHE})
endif()
