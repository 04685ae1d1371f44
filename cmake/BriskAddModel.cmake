# add_brisk_model(NAME MODEL FILE [TARGET T] [SHAPE NAME=DIMS...] [DIM NAME=N...]
#                 [PROFILE] [RAM_BUDGET BYTES] [FLASH_BUDGET BYTES])
# Compiles an ONNX file. NAME becomes a library to link with, whose header is
# NAME.h, and the prefix of the model's symbols; it must be a C identifier.
# FILE is relative to the current source folder; T is what `briskc --help` lists,
# the machine at hand by default.
cmake_policy(PUSH)
cmake_policy(SET CMP0116 NEW)
function(add_brisk_model name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "PROFILE"
    "MODEL;TARGET;RAM_BUDGET;FLASH_BUDGET" "SHAPE;DIM")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_brisk_model(${name}): does not take ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_MODEL)
    message(FATAL_ERROR "add_brisk_model(${name}): MODEL is missing")
  endif()
  get_filename_component(model "${ARG_MODEL}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.brisk)
  set(flags --quiet --name ${name})
  foreach(flag TARGET RAM_BUDGET FLASH_BUDGET)
    if(ARG_${flag})
      string(TOLOWER ${flag} text)
      string(REPLACE _ - text ${text})
      list(APPEND flags --${text}=${ARG_${flag}})
    endif()
  endforeach()
  if(ARG_PROFILE)
    list(APPEND flags --profile)
  endif()
  foreach(shape IN LISTS ARG_SHAPE)
    list(APPEND flags --shape ${shape})
  endforeach()
  foreach(dim IN LISTS ARG_DIM)
    list(APPEND flags --dim ${dim})
  endforeach()

  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${folder}/lib${name}.a ${folder}/${name}.h
    COMMAND brisk::briskc ${model} -o ${folder}/lib${name}.a
            --depfile ${folder}/${name}.d ${flags}
    DEPENDS ${model} brisk::briskc
    DEPFILE ${folder}/${name}.d # which names the files of external data
    COMMENT "Compiling ${ARG_MODEL}"
    VERBATIM)
  add_custom_target(${name}-compile DEPENDS ${folder}/lib${name}.a ${folder}/${name}.h)
  add_library(${name} STATIC IMPORTED GLOBAL)
  add_dependencies(${name} ${name}-compile)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${folder}/lib${name}.a)
  target_include_directories(${name} INTERFACE ${folder})
  target_link_libraries(${name} INTERFACE brisk::headers)
endfunction()
cmake_policy(POP)
