# Everything that locklab's libraries use and do not define. Debian 12 packages only; nothing is fetched.
# SPDX-License-Identifier: Apache-2.0
#
# Projects that find_package(locklab) read this too: what only our tests and benchmarks need is not here.

# Static, so that sim can own what its fibers see of the clock and the program starts anywhere.
set(Boost_USE_STATIC_LIBS ON)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED CONFIG COMPONENTS fiber context)

find_package(nlohmann_json 3.11 REQUIRED CONFIG)
find_package(CLI11 2.1 REQUIRED CONFIG)
find_package(fmt 9.1 REQUIRED CONFIG)

# Lua compiled as C++: its errors are exceptions, which run the destructors of the frames that they
# leave. FindLua knows only the C build, whose longjmp skips them.
find_path(LOCKLAB_LUA_INCLUDE lua.hpp PATH_SUFFIXES lua5.1 REQUIRED)
find_library(LOCKLAB_LUA_LIBRARY liblua5.1-c++.a REQUIRED)
if(NOT TARGET locklab_lua)  # A project may look for us in more than one of its folders.
  add_library(locklab_lua STATIC IMPORTED)
  set_target_properties(locklab_lua PROPERTIES IMPORTED_LOCATION ${LOCKLAB_LUA_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${LOCKLAB_LUA_INCLUDE}
                        INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS};m")
  add_library(locklab::lua ALIAS locklab_lua)
endif()

# Header only: the hash is inlined, so no library of another version can change a digest.
find_path(LOCKLAB_XXHASH_INCLUDE xxhash.h REQUIRED)
if(NOT TARGET locklab_xxhash)
  add_library(locklab_xxhash INTERFACE IMPORTED)
  set_target_properties(locklab_xxhash PROPERTIES
                        INTERFACE_INCLUDE_DIRECTORIES ${LOCKLAB_XXHASH_INCLUDE}
                        INTERFACE_COMPILE_DEFINITIONS XXH_INLINE_ALL)
  add_library(locklab::xxhash ALIAS locklab_xxhash)
endif()
