# locklab_catalogue(): the list of sources is also the registry, without static initialisers.
# SPDX-License-Identifier: Apache-2.0

# locklab_catalogue(TARGET <layer> KIND <plural> TYPE <type> HEADER <header> [NAMES <name>...])
#
# Compiles <name>.cpp for each name into the target and generates
#   std::vector<TYPE> all_<plural>();
# which calls `TYPE <name>()` from each file, in the order of the list. The header must declare TYPE
# and all_<plural>() in namespace locklab. A name may lie in a sub-folder ("zookeeper/ephemeral"): its
# last part is the function. A name without its function is a link error.
function(locklab_catalogue)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;KIND;TYPE;HEADER" "NAMES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "locklab_catalogue: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_NAMES)
    return()
  endif()
  get_target_property(type ${arg_TARGET} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    message(FATAL_ERROR "${arg_TARGET}: give its locklab_layer() a first source, then a catalogue")
  endif()
  set(functions "")
  set(sources "")
  foreach(name IN LISTS arg_NAMES)
    cmake_path(GET name FILENAME function)
    list(APPEND functions ${function})
    list(APPEND sources ${name}.cpp)
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/all_${arg_KIND}.cpp)
  locklab_registry(${generated} "${arg_KIND}" "${arg_TYPE}" "${arg_HEADER}" ${functions})
  target_sources(${arg_TARGET} PRIVATE ${sources} ${generated})
  # What cmake/LocklabPackage.cmake hands to other projects, for registries with more locks in them.
  set_property(GLOBAL PROPERTY LOCKLAB_ALL_${arg_KIND} ${functions})
endfunction()

# Writes a source that defines `std::vector<type> all_<kind>()`, which calls the functions in this order.
function(locklab_registry file arg_KIND arg_TYPE arg_HEADER)
  list(LENGTH ARGN count)
  set(declarations "")
  set(calls "")
  foreach(function IN LISTS ARGN)
    string(APPEND declarations "${arg_TYPE} ${function}();\n")
    string(APPEND calls "  all.push_back(${function}());\n")
  endforeach()
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/catalogue.cpp.in ${file} @ONLY)
endfunction()
