# Sanitizers and fuzzing apply to every object file, or a finding in one room is lost in the next.

set(instruments ${DBSIM_SANITIZE})
if(DBSIM_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "DBSIM_FUZZ needs clang (libFuzzer); this is ${CMAKE_CXX_COMPILER_ID}. Use: cmake --preset fuzz")
  endif()
  set(instruments fuzzer-no-link,address,undefined)
endif()
if(instruments)
  # Not recoverable: a finding ends the program, so a test cannot pass over it.
  add_compile_options(-fsanitize=${instruments} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${instruments})
endif()
