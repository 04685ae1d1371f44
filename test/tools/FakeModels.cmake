# add_fake_model(NAME DEFINITIONS...)
# A shared library of fake_model.c, at ${BRISK_FAKE_MODELS}/NAME.so.
set(BRISK_FAKE_MODELS ${PROJECT_BINARY_DIR}/test/fake-models)
set(BRISK_FAKE_MODEL_SOURCE ${CMAKE_CURRENT_LIST_DIR}/fake_model.c)
function(add_fake_model name)
  add_library(fake-model-${name} MODULE ${BRISK_FAKE_MODEL_SOURCE})
  target_include_directories(fake-model-${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/runtime/include)
  target_compile_definitions(fake-model-${name} PRIVATE ${ARGN})
  set_target_properties(fake-model-${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${BRISK_FAKE_MODELS})
endfunction()

add_fake_model(fake)
add_fake_model(tenfold FAKE_FACTOR=10)
add_fake_model(needing "FAKE_FEATURES=\"sse2000,avx9\"")
add_fake_model(profiled FAKE_PROFILED=1)
add_fake_model(joined FAKE_PROFILED=1 FAKE_PHASE=BRISK_PHASE_PRE)
add_fake_model(old FAKE_ABI=2)
add_fake_model(symbolic FAKE_SYMBOLS=1)
add_fake_model(short FAKE_BYTES=20)
add_fake_model(refusing FAKE_STATUS=BRISK_ERROR_INDEX)
add_fake_model(foreign FAKE_NO_GETTER)
add_fake_model(other-type FAKE_COUNTS=BRISK_I32 FAKE_COUNT_BITS=32)
