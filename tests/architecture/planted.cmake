# Runs PROGRAM over TREE and compares what it finds with TREE/expected.txt, line by line, and its exit code with 1.
execute_process(COMMAND ${PROGRAM} ${TREE}/architecture.txt ${TREE}
                OUTPUT_VARIABLE found RESULT_VARIABLE exit_code)
file(READ ${TREE}/expected.txt expected)
if(NOT exit_code EQUAL 1)
  message(FATAL_ERROR "exit code ${exit_code}, expected 1; output:\n${found}")
endif()
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "found:\n${found}\nexpected:\n${expected}")
endif()
