# Writes down what CMake knows of the tree, for the architecture test to compare with what is on disk: the arrows of
# every room, every source that some target compiles, and where third-party headers live.

function(dbsim_sources_of_folder folder out)
  set(found "")
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    foreach(property IN ITEMS SOURCES HEADER_SET)
      get_target_property(files ${target} ${property})
      foreach(file IN LISTS files)
        if(file MATCHES "-NOTFOUND$|[$]<")
          continue()
        endif()
        cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${folder} NORMALIZE)
        cmake_path(IS_PREFIX PROJECT_SOURCE_DIR ${file} inside)
        cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${file} generated)
        if(inside AND NOT generated)
          cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
          list(APPEND found ${file})
        endif()
      endforeach()
    endforeach()
  endforeach()
  get_property(children DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(child IN LISTS children)
    dbsim_sources_of_folder(${child} more)
    list(APPEND found ${more})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

function(dbsim_write_architecture path)
  get_property(rooms GLOBAL PROPERTY DBSIM_ARROWS)
  list(TRANSFORM rooms PREPEND "room ")
  dbsim_sources_of_folder(${PROJECT_SOURCE_DIR} sources)
  get_property(others GLOBAL PROPERTY DBSIM_OTHER_SOURCES)
  list(APPEND sources ${others})
  list(REMOVE_DUPLICATES sources)
  list(SORT sources)
  list(TRANSFORM sources PREPEND "source ")
  # Where a third-party library may be included, * for all rooms; everywhere else knows it by our own headers only.
  set(homes
      "home toml++ sim/io"
      "home nlohmann sim/io"
      "home boost/math sim/base"
      "home boost/graph sim/topology"
      "home boost/program_options sim/program"
      "home Eigen calib/backend"
      "home dnnl calib/backend"
      "home omp calib/backend"
      "home cublas_v2 calib/cuda"
      "home cudnn calib/cuda"
      "home mpi calib/network"
      "home nccl calib/network"
      "home zlib calib/data"
      "home cuda_runtime *" # calib/cuda and calib/network
      "home fmt *")
  # Folders that may include everything. Those that this build leaves out are left alone.
  set(open "open tests")
  if(DBSIM_BENCH)
    list(APPEND open "open bench")
  endif()
  # Written by hand to be wrong.
  set(skipped "skip tests/architecture/planted" "skip tests/package")
  set(lines "most-lines 400" ${rooms} ${homes} ${open} ${skipped} ${sources})
  list(JOIN lines "\n" text)
  file(WRITE ${path} "${text}\n")
endfunction()

if(DBSIM_TESTS)
  dbsim_write_architecture(${PROJECT_BINARY_DIR}/architecture.txt)
endif()
