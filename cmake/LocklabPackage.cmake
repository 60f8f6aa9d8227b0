# What other projects find with find_package(locklab): the libraries of this build, and a function.
# SPDX-License-Identifier: Apache-2.0

# locklab_package(<layer>...)
#
# Writes locklabConfig.cmake and what it needs into the build folder, which is then a value for
# locklab_DIR. Nothing is installed: a lock is linked with the libraries that it was tried with.
function(locklab_package)
  set(targets locklab_warnings)
  foreach(layer IN ITEMS ${ARGN})
    set_target_properties(locklab_${layer} PROPERTIES EXPORT_NAME ${layer})
    list(APPEND targets locklab_${layer})
  endforeach()
  set_target_properties(locklab_warnings PROPERTIES EXPORT_NAME warnings)
  export(TARGETS ${targets} NAMESPACE locklab:: FILE ${PROJECT_BINARY_DIR}/locklabTargets.cmake)
  get_property(locks GLOBAL PROPERTY LOCKLAB_ALL_locks)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/locklabConfig.cmake.in
                 ${PROJECT_BINARY_DIR}/locklabConfig.cmake @ONLY)
endfunction()

# locklab_program_with(<name> LOCKS <file>...)
#
# For other projects. Adds the program <name>: locklab itself, with more locks. my_lock.cpp must define
# `LockInfo my_lock()` in namespace locklab, as the files of models/ do. docs/tutorial.md shows it.
function(locklab_program_with name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LOCKS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_LOCKS)
    message(FATAL_ERROR "locklab_program_with(${name}): LOCKS and their files, not ${ARGN}")
  endif()
  get_property(functions GLOBAL PROPERTY LOCKLAB_ALL_locks)
  foreach(file IN LISTS arg_LOCKS)
    cmake_path(GET file STEM function)
    list(APPEND functions ${function})
  endforeach()
  # Linked before the libraries, so that theirs, without the new locks, is never looked at.
  set(registry ${CMAKE_CURRENT_BINARY_DIR}/${name}_locks.cpp)
  locklab_registry(${registry} locks LockInfo "models/lock.h" ${functions})
  add_executable(${name} ${arg_LOCKS} ${registry} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../cli/main.cpp)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE locklab::cli)
endfunction()
