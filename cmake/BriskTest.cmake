# add_brisk_unittest(NAME SOURCES... [LINK LIBS...])
# A GoogleTest program, built with everything else and run by ctest.
add_custom_target(brisk-unit-tests)
function(add_brisk_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/bin)
  add_test(NAME unit.${name} COMMAND ${name})
  set_tests_properties(unit.${name} PROPERTIES LABELS unit TIMEOUT 300)
  add_dependencies(brisk-unit-tests ${name})
endfunction()

# add_brisk_python_test(NAME LABEL SCRIPT ARGS... [FIXTURES NAMES...] [TIMEOUT S]
#                       [PROCESSORS N])
# A test script, relative to the current folder, run with the tests' Python.
function(add_brisk_python_test name label script)
  cmake_parse_arguments(ARG "" "TIMEOUT;PROCESSORS" "FIXTURES" ${ARGN})
  add_test(NAME ${name}
    COMMAND ${BRISK_TEST_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/${script}
            ${ARG_UNPARSED_ARGUMENTS})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(NOT ARG_PROCESSORS)
    set(ARG_PROCESSORS 1)
  endif()
  # NumPy's BLAS may hang where one thread starts a program while another one
  # multiplies, unless it has no threads of its own.
  set_tests_properties(${name} PROPERTIES LABELS ${label}
    TIMEOUT ${ARG_TIMEOUT} PROCESSORS ${ARG_PROCESSORS}
    FIXTURES_REQUIRED "${ARG_FIXTURES}"
    ENVIRONMENT OPENBLAS_NUM_THREADS=1)
endfunction()
