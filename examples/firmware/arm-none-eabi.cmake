# Toolchain file: GCC for a Cortex-M4 with its FPU.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT
  "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -ffreestanding")
# Programs of the compiler's tests would want a C library.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
