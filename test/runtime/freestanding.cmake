# Compiles the runtime's core for TRIPLE with no system header in reach, and
# fails where an object has writable data or needs a symbol not allowed.
set(allowed memcpy memmove memset __aeabi_uldivmod __aeabi_memcpy
    __aeabi_memmove __aeabi_memset)
file(GLOB sources ${RUNTIME}/src/core/*.c)
execute_process(COMMAND ${CLANG} -print-resource-dir
  OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
set(defined "")
set(undefined "")
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  set(object ${OUT}/${TRIPLE}-${name}.o)
  execute_process(
    COMMAND ${CLANG} --target=${TRIPLE} -std=c11 -O2 -ffreestanding
      -nostdinc -isystem ${resources}/include -Wall -Wextra -Werror -pedantic
      -I ${RUNTIME}/include -c ${source} -o ${object}
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${NM} --format=posix ${object}
    OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" symbols "${symbols}")
  foreach(symbol ${symbols})
    if(symbol MATCHES "^([^ ]+) ([A-Za-z])")
      if(CMAKE_MATCH_2 MATCHES "[DdBbC]")
        message(FATAL_ERROR "${name}: ${CMAKE_MATCH_1} is writable data")
      elseif(CMAKE_MATCH_2 STREQUAL "U")
        list(APPEND undefined ${CMAKE_MATCH_1})
      else()
        list(APPEND defined ${CMAKE_MATCH_1})
      endif()
    endif()
  endforeach()
endforeach()
if(undefined)
  list(REMOVE_ITEM undefined ${allowed} ${defined})
endif()
if(undefined)
  message(FATAL_ERROR "the core needs ${undefined}")
endif()
