# Compares the options in `PROGRAM COMMAND --help` with those of the man page and of both completions.
cmake_policy(SET CMP0057 NEW) # IN_LIST

execute_process(COMMAND ${PROGRAM} ${COMMAND} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "--[a-z][a-z-]*" in_help "${help}")
list(REMOVE_DUPLICATES in_help)
if(NOT in_help)
  message(FATAL_ERROR "dbsim ${COMMAND} --help names no option")
endif()

file(READ ${ROOT}/docs/man/dbsim-${COMMAND}.1 page)
string(REGEX MATCHALL "\n[.]It Fl Fl [a-z-]+" in_page "${page}")
list(TRANSFORM in_page REPLACE "\n[.]It Fl Fl " "--")

file(READ ${ROOT}/tools/completion/dbsim.bash bash)
string(REGEX MATCH "\n    ${COMMAND}\\) words='([^']*)'" matched "${bash}")
string(REPLACE " " ";" in_bash "${CMAKE_MATCH_1}")

file(READ ${ROOT}/tools/completion/_dbsim zsh)
string(REGEX REPLACE "[][]" " " zsh "${zsh}") # they would confuse CMake's lists; so would ;
string(REPLACE ";" " " zsh "${zsh}")
string(REGEX REPLACE ".*\n    ${COMMAND}\\)\n" "" zsh "${zsh}")
string(REGEX REPLACE "\n    [a-z]+\\)\n.*" "" zsh "${zsh}")
string(REGEX MATCHALL "'[*]?--[a-z-]+" in_zsh "${zsh}")
list(TRANSFORM in_zsh REPLACE "'[*]?" "")

set(wrong "")
foreach(place page bash zsh)
  foreach(option IN LISTS in_help)
    if(NOT option IN_LIST in_${place})
      string(APPEND wrong "${option} is in --help but not in the ${place}\n")
    endif()
  endforeach()
  foreach(option IN LISTS in_${place})
    if(NOT option IN_LIST in_help)
      string(APPEND wrong "${option} is in the ${place} but not in --help\n")
    endif()
  endforeach()
endforeach()
if(wrong)
  message(FATAL_ERROR "dbsim ${COMMAND}:\n${wrong}")
endif()
