# Runs SCRIPT with the first python3 that has PyTorch; says so where there is none, which counts as skipped.
foreach(python IN ITEMS python3 /usr/bin/python3)
  execute_process(COMMAND ${python} -c "import torch" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed EQUAL 0)
    execute_process(COMMAND ${python} -B ${SCRIPT} ${ARGUMENTS} COMMAND_ERROR_IS_FATAL ANY)
    return()
  endif()
endforeach()
message("Skipped: no python3 with PyTorch here")
