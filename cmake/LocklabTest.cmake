# locklab_test(): the tests of one folder become one executable per label.
# SPDX-License-Identifier: Apache-2.0

if(BUILD_TESTING)
  find_package(GTest 1.12 REQUIRED CONFIG)
  find_package(rapidcheck REQUIRED CONFIG)
  include(GoogleTest)
endif()

# locklab_test(<file>... [LABEL <label>] [NAME <name>] [LINKS <targets>...] [DEFINITIONS <NAME=value>...])
#
# x_test.cpp is labelled unit, x_prop.cpp prop (LABEL overrides both). The executables are
# <name>_<label>; the name defaults to the folder's path, so sim/redis gives sim_redis_unit and
# sim_redis_prop. They link the folder's layer, GoogleTest, GoogleMock and RapidCheck. Each TEST is a
# test of ctest; they are discovered when ctest starts, not at each build.
function(locklab_test)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "LABEL;NAME" "LINKS;DEFINITIONS")
  set(files ${arg_UNPARSED_ARGUMENTS})
  if(NOT arg_NAME)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" "_" arg_NAME ${folder})
    string(REGEX REPLACE "_.*" "" layer ${arg_NAME})
    if(TARGET locklab_${layer})
      list(APPEND arg_LINKS locklab::${layer})
    endif()
  endif()

  if(arg_LABEL)
    locklab_test_executable(${arg_LABEL} ${files})
    return()
  endif()
  set(unit ${files})
  list(FILTER unit INCLUDE REGEX "_test\\.cpp$")
  set(prop ${files})
  list(FILTER prop INCLUDE REGEX "_prop\\.cpp$")
  set(others ${files})
  list(FILTER others EXCLUDE REGEX "_(test|prop)\\.cpp$")
  foreach(label IN ITEMS unit prop)
    if(${label})
      locklab_test_executable(${label} ${${label}} ${others})
    endif()
  endforeach()
endfunction()

# One executable with one label; reads arg_NAME, arg_LINKS and arg_DEFINITIONS of locklab_test().
function(locklab_test_executable label)
  set(target ${arg_NAME}_${label})
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE locklab::warnings ${arg_LINKS} GTest::gmock GTest::gtest_main
                        rapidcheck rapidcheck_gtest)
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  set(timeout 60)
  set(prefix)
  if(NOT label STREQUAL "unit")
    set(timeout 600)
  endif()
  math(EXPR timeout "${timeout} * ${LOCKLAB_PATIENCE}")
  # The same cases, and more of them: CTest tells tests of a folder apart by their names alone.
  if(label STREQUAL "nightly")
    set(prefix "Nightly.")
  endif()
  gtest_discover_tests(${target} TEST_PREFIX "${prefix}" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS ${label} TIMEOUT ${timeout}
                                  ENVIRONMENT "RC_PARAMS=seed=${LOCKLAB_RC_SEED}")
endfunction()
