# What goes where on a user's machine, and the .deb that carries it there.

# The programs look for the shipped scenarios beside themselves; the build tree has the same shape as an installed one.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/dbsim)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/scenarios ${PROJECT_BINARY_DIR}/share/dbsim/scenarios SYMBOLIC)

set(programs "")
foreach(program IN ITEMS dbsim dbsim-calibrate dbsim-bench)
  if(TARGET ${program})
    list(APPEND programs ${program})
  endif()
endforeach()
foreach(target IN ITEMS dbsim_sim_program ${programs})
  if(TARGET ${target})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:dbsim_build_info>)
  endif()
endforeach()

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# A program is nobody's library: the rooms that make programs stay home; so does calibration, whose product is a file.
get_property(rooms GLOBAL PROPERTY DBSIM_ROOMS)
list(FILTER rooms EXCLUDE REGEX "_(app|program)$|^dbsim_calib_")

# dbsim::sim is the whole simulator in one word; dbsim::policies comes with its room.
add_library(dbsim_sim INTERFACE)
add_library(dbsim::sim ALIAS dbsim_sim)
set_target_properties(dbsim_sim PROPERTIES EXPORT_NAME sim)
set(sim_rooms ${rooms})
list(FILTER sim_rooms INCLUDE REGEX "^dbsim_sim_")
target_link_libraries(dbsim_sim INTERFACE ${sim_rooms})

set(DBSIM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/dbsim)
install(TARGETS ${rooms} dbsim_sim EXPORT dbsimTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dbsim)
install(EXPORT dbsimTargets NAMESPACE dbsim:: DESTINATION ${DBSIM_CMAKE_DIR})
if(programs)
  install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

include(CMakePackageConfigHelpers)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/dbsimConfig.cmake.in ${PROJECT_BINARY_DIR}/dbsimConfig.cmake
                              INSTALL_DESTINATION ${DBSIM_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change anything.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dbsimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dbsimConfig.cmake ${PROJECT_BINARY_DIR}/dbsimConfigVersion.cmake
        DESTINATION ${DBSIM_CMAKE_DIR})

install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/dbsim/scenarios)
install(PROGRAMS calib/pytorch_profile.py DESTINATION ${CMAKE_INSTALL_DATADIR}/dbsim)
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES tools/completion/dbsim.bash RENAME dbsim
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/completion/dbsim-calibrate.bash RENAME dbsim-calibrate
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/completion/_dbsim tools/completion/_dbsim-calibrate DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "dbsim developers")
set(CPACK_PACKAGE_CONTACT "dbsim developers <dbsim@users.noreply.github.com>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${CPACK_PACKAGE_CONTACT}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Simulates synchronous data-parallel training on workers of different and
 changing speed, and compares policies that adapt local batch sizes to them.
 Contains the programs, the scenarios they come with, and the libraries.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# For those who link the libraries into programs of their own; the commands do not need them.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, libfmt-dev, libtomlplusplus-dev, nlohmann-json3-dev, libboost-dev")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
include(CPack)
