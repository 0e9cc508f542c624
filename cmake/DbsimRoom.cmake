# A room is one folder, one library, and the list of rooms it may see.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set_property(GLOBAL PROPERTY DBSIM_ROOMS "")

# Same seed, same bytes: a fused multiply-add would round differently from one compiler to the next.
add_library(dbsim_warnings INTERFACE)
set(cxx $<COMPILE_LANGUAGE:CXX>)
target_compile_options(dbsim_warnings INTERFACE
                       $<${cxx}:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-ffp-contract=off>
                       $<$<AND:${cxx},$<BOOL:${DBSIM_WERROR}>>:-Werror>)
# g++ 12 sees ghosts inside std::string when it optimises (GCC bugs 105562 and 105651); the real ones are found by clang
# and by the sanitizers.
target_compile_options(dbsim_warnings INTERFACE
                       $<$<AND:${cxx},$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized;-Wno-restrict>)
# What nvcc writes for the host compiler is not pedantic.
set(cuda $<COMPILE_LANGUAGE:CUDA>)
target_compile_options(dbsim_warnings INTERFACE
                       "$<${cuda}:SHELL:-Xcompiler=-Wall,-Wextra,-Wno-maybe-uninitialized -Xcudafe=--display_error_number>"
                       "$<$<AND:${cuda},$<BOOL:${DBSIM_WERROR}>>:SHELL:--Werror all-warnings -Xcompiler=-Werror>")

# What a program may say about itself. DBSIM_SCENARIO_DIR is relative to the folder of the executable and holds in
# the build tree as well as where dbsim is installed.
file(RELATIVE_PATH DBSIM_SCENARIO_DIR
     /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_DATADIR}/dbsim/scenarios)
add_library(dbsim_build_info INTERFACE)
target_compile_definitions(dbsim_build_info INTERFACE DBSIM_VERSION="${PROJECT_VERSION}"
                           DBSIM_SCENARIO_DIR="${DBSIM_SCENARIO_DIR}")

function(dbsim_target_name room out)
  string(REPLACE "/" "_" name "${room}")
  set(${out} "dbsim_${name}" PARENT_SCOPE)
endfunction()

function(dbsim_link_rooms target scope)
  foreach(used IN LISTS ARGN)
    dbsim_target_name(${used} used_target)
    target_link_libraries(${target} ${scope} ${used_target})
  endforeach()
endfunction()

# dbsim_room(sim/engine SOURCES a.cpp HEADERS a.hpp USES sim/base sim/model LINKS fmt::fmt)
# USES are the arrows: rooms whose headers this room may include; the architecture test reads them.
# LINKS are third-party libraries that only the room's own .cpp files see. OTHERS are files of the room that this build
# does not compile by name: headers for nvcc alone, and the twins of sources where an optional library is absent.
function(dbsim_room room)
  cmake_parse_arguments(ROOM "" "" "SOURCES;HEADERS;USES;LINKS;OTHERS" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dbsim_room(${room}): unknown arguments ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  dbsim_target_name(${room} target)
  if(ROOM_SOURCES)
    add_library(${target} STATIC ${ROOM_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:dbsim_warnings> ${ROOM_LINKS})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  string(REPLACE "dbsim_" "" public_name ${target})
  add_library(dbsim::${public_name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${public_name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ROOM_HEADERS})
  dbsim_link_rooms(${target} ${scope} ${ROOM_USES})
  set_property(GLOBAL APPEND PROPERTY DBSIM_ROOMS ${target})
  list(JOIN ROOM_USES " " arrows)
  set_property(GLOBAL APPEND PROPERTY DBSIM_ARROWS "${room} ${arrows}")
  list(TRANSFORM ROOM_OTHERS PREPEND "${room}/")
  set_property(GLOBAL APPEND PROPERTY DBSIM_OTHER_SOURCES ${ROOM_OTHERS})
endfunction()

# dbsim_program(dbsim SOURCES main.cpp USES sim/app): an executable that is installed.
function(dbsim_program name)
  cmake_parse_arguments(PROGRAM "" "" "SOURCES;USES;LINKS" ${ARGN})
  add_executable(${name} ${PROGRAM_SOURCES})
  target_link_libraries(${name} PRIVATE dbsim_warnings ${PROGRAM_LINKS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  dbsim_link_rooms(${name} PRIVATE ${PROGRAM_USES})
endfunction()

# dbsim_test(io SOURCES a_test.cpp USES sim/io): one test program per room, one ctest row per case.
function(dbsim_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;USES;LINKS" ${ARGN})
  set(target dbsim_test_${name})
  add_executable(${target} ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE dbsim_test_main dbsim_warnings ${TEST_LINKS})
  target_compile_definitions(${target} PRIVATE DBSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  dbsim_link_rooms(${target} PRIVATE ${TEST_USES})
  dbsim_has_tag("${DBSIM_TEST_TAG}" wanted ${TEST_SOURCES})
  if(DBSIM_FUZZ OR NOT wanted)
    # Declared, so that the folder may say more about it, but neither built nor run.
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  # Threads that wait do not spin: tests share the cores.
  catch_discover_tests(${target} TEST_PREFIX "${name}: " TEST_SPEC ${DBSIM_TEST_TAG}
                       PROPERTIES TIMEOUT 300 ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()

# Whether some of the sources has a test case with the tag (without a tag: always): a long build under the thread
# sanitizer for tests that have no threads is not worth it.
function(dbsim_has_tag tag out)
  if(NOT tag)
    set(${out} ON PARENT_SCOPE)
    return()
  endif()
  set(${out} OFF PARENT_SCOPE)
  foreach(source IN LISTS ARGN)
    # One name a file, however it is spelt: Ninja stops at two.
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} text)
    string(FIND "${text}" "${tag}" at)
    if(at GREATER_EQUAL 0)
      set(${out} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# dbsim_fuzz(document SOURCES document_fuzz.cpp USES sim/io SEEDS scenarios): a libFuzzer target under DBSIM_FUZZ; in
# every other build a program that feeds it the seeds, as a ctest row, so that it cannot rot.
function(dbsim_fuzz name)
  cmake_parse_arguments(FUZZ "" "" "SOURCES;USES;LINKS;SEEDS" ${ARGN})
  set(target dbsim_fuzz_${name})
  add_executable(${target} ${FUZZ_SOURCES})
  target_link_libraries(${target} PRIVATE dbsim_warnings ${FUZZ_LINKS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  dbsim_link_rooms(${target} PRIVATE ${FUZZ_USES})
  list(TRANSFORM FUZZ_SEEDS PREPEND ${PROJECT_SOURCE_DIR}/)
  if(DBSIM_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    list(JOIN FUZZ_SEEDS "\n" seeds)
    file(WRITE ${PROJECT_BINARY_DIR}/fuzz/${name}.seeds "${seeds}\n")
  elseif(DBSIM_TEST_TAG)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  else()
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.cpp)
    add_test(NAME "fuzz: ${name} survives its seeds" COMMAND ${target} ${FUZZ_SEEDS})
  endif()
endfunction()
