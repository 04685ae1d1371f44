# What find_package(brisk) reads, for the installed tree and for this build
# tree (brisk_DIR=BUILD/cmake).
include(CMakePackageConfigHelpers)

set(BRISK_INSTALL_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/brisk)
set(paths BRISK_HEADERS BRISK_COMPILER BRISK_RUNTIME_TARGETS BRISK_RUNTIME BRISK_CMAKE)

set(BRISK_HEADERS ${CMAKE_INSTALL_INCLUDEDIR})
set(BRISK_COMPILER ${CMAKE_INSTALL_BINDIR}/briskc)
set(BRISK_RUNTIME_TARGETS ${BRISK_INSTALL_CMAKE}/brisk-runtime-targets.cmake)
set(BRISK_RUNTIME ${CMAKE_INSTALL_DATADIR}/brisk/runtime)
set(BRISK_CMAKE ${BRISK_INSTALL_CMAKE})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/brisk-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/install/brisk-config.cmake
  INSTALL_DESTINATION ${BRISK_INSTALL_CMAKE} PATH_VARS ${paths})

set(BRISK_HEADERS ${PROJECT_SOURCE_DIR}/runtime/include)
set(BRISK_COMPILER ${PROJECT_BINARY_DIR}/bin/briskc)
set(BRISK_RUNTIME_TARGETS ${PROJECT_BINARY_DIR}/cmake/brisk-runtime-targets.cmake)
set(BRISK_RUNTIME ${PROJECT_SOURCE_DIR}/runtime)
set(BRISK_CMAKE ${PROJECT_SOURCE_DIR}/cmake)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/brisk-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/brisk-config.cmake
  INSTALL_DESTINATION ${PROJECT_BINARY_DIR}/cmake
  INSTALL_PREFIX ${PROJECT_BINARY_DIR} PATH_VARS ${paths})
export(EXPORT brisk-runtime NAMESPACE brisk::
  FILE ${PROJECT_BINARY_DIR}/cmake/brisk-runtime-targets.cmake)

write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/brisk-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/install/brisk-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/brisk-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/BriskAddModel.cmake
  DESTINATION ${BRISK_INSTALL_CMAKE})

# The runtime's sources, for devices; what a user reads, and examples to copy.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime
  DESTINATION ${CMAKE_INSTALL_DATADIR}/brisk)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/brisk/runtime)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/test/models/mnist_mobilenet.onnx
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/firmware)
