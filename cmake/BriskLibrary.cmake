# add_brisk_library(NAME SOURCES... [LINK LIBS...])
# A static library of the compiler. MLIR and LLVM come as their shared
# libraries; every library waits for all generated headers.
function(add_brisk_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
    ${PROJECT_SOURCE_DIR}/runtime/include)
  target_include_directories(${name} SYSTEM PUBLIC
    ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${name} PUBLIC ${LLVM_DEFINITIONS_LIST})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  add_dependencies(${name} brisk-generated-headers)
  if(BRISK_PRECOMPILE_HEADERS AND name STREQUAL BriskDialect)
    target_precompile_headers(${name} PRIVATE
      <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h>
      <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/MemRef/IR/MemRef.h>
      <mlir/Dialect/SCF/IR/SCF.h> <mlir/Dialect/Tensor/IR/Tensor.h>
      <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/IR/Matchers.h>
      <mlir/Pass/Pass.h> <mlir/Transforms/GreedyPatternRewriteDriver.h>)
    # So that ccache and several build folders agree on the bytes.
    target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  elseif(BRISK_PRECOMPILE_HEADERS)
    target_precompile_headers(${name} REUSE_FROM BriskDialect)
    target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
endfunction()

# brisk_tablegen(FILE.td OUT GENERATOR-FLAGS...)
# One generated file of this directory.
macro(brisk_tablegen td out)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${out} ${ARGN} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR}/include ${MLIR_INCLUDE_DIRS})
endmacro()

# brisk_generated_headers()
# Ends a directory of generated headers: every library waits for them.
macro(brisk_generated_headers)
  get_filename_component(_generated "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  add_custom_target(generate-${_generated} DEPENDS ${TABLEGEN_OUTPUT})
  add_dependencies(brisk-generated-headers generate-${_generated})
endmacro()

# brisk_doc(FILE.td PAGE.md GENERATOR-FLAGS...)
# A page of the reference, which the target brisk-docs writes to docs/ in the build.
function(brisk_doc td page)
  set(output ${PROJECT_BINARY_DIR}/docs/${page})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
  add_custom_command(OUTPUT ${output}
    COMMAND ${MLIR_TABLEGEN_EXE} ${ARGN} -I ${PROJECT_SOURCE_DIR}/include
            "-I$<JOIN:${MLIR_INCLUDE_DIRS},;-I>" ${CMAKE_CURRENT_SOURCE_DIR}/${td}
            -d ${output}.d -o ${output}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${td} DEPFILE ${output}.d
    COMMENT "Writing docs/${page}" COMMAND_EXPAND_LISTS VERBATIM)
  cmake_path(GET page STEM name)
  add_custom_target(brisk-docs-${name} DEPENDS ${output})
  add_dependencies(brisk-docs brisk-docs-${name})
endfunction()
