# What tests of other projects need: the names of properties, and their discovery by ctest.
# SPDX-License-Identifier: Apache-2.0

# locklab_property_header(<folder>)
#
# Writes <folder>/locklab/properties.h, in which each property of the catalogue is declared: tests
# name a property by its function, so that a wrong name does not compile.
function(locklab_property_header folder)
  get_property(names GLOBAL PROPERTY LOCKLAB_ALL_properties)
  set(declarations "")
  foreach(name IN LISTS names)
    string(APPEND declarations "Property ${name}();\n")
  endforeach()
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/properties.h.in ${folder}/locklab/properties.h @ONLY)
endfunction()

# locklab_discover_tests(<target> [LABELS <label>...] [TIMEOUT <seconds>])
#
# Each TEST, LOCKLAB_TEST and LOCKLAB_PROP of the target becomes a test of ctest: "Suite.Name", with
# the label locklab unless others are given, and ten minutes unless told otherwise.
function(locklab_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "locklab_discover_tests(${target}): LABELS or TIMEOUT, not ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS locklab)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  include(GoogleTest)
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
