// What code needs of a CPU stands in the descriptor.
// RUN: briskc %s -o - --emit=llvm --target=x86-64-v2 | FileCheck %s --check-prefix=V2
// V2: c"sse3,ssse3,sse4.1,sse4.2,popcnt\00"
// RUN: briskc %s -o - --emit=llvm --target=x86-64-v3 | FileCheck %s --check-prefix=V3
// V3: c"sse3,ssse3,sse4.1,sse4.2,popcnt,lzcnt,movbe,bmi,bmi2,avx,f16c,fma,avx2\00"
// RUN: briskc %s -o - --emit=llvm --target=x86-64-v4 | FileCheck %s --check-prefix=V4
// V4: c"sse3,ssse3,sse4.1,sse4.2,popcnt,lzcnt,movbe,bmi,bmi2,avx,f16c,fma,avx2,avx512f,avx512dq,avx512cd,avx512bw,avx512vl\00"
// RUN: briskc %s -o - --emit=llvm --target=alderlake | FileCheck %s --check-prefix=VNNI
// VNNI: c"{{.*}},avx2,avxvnni\00"
// RUN: briskc %s -o - --emit=llvm --target=sapphirerapids | FileCheck %s --check-prefix=TILES
// TILES: c"{{.*}},avx512bf16,amx-tile,amx-int8,amx-bf16\00"
// RUN: briskc %s -o - --emit=llvm --target=graniterapids | FileCheck %s --check-prefix=FLOATS
// FLOATS: c"{{.*}},avx512bf16,amx-tile,amx-int8,amx-bf16,amx-fp16\00"
// RUN: briskc %s -o - --emit=llvm --target=cortex-a76 | FileCheck %s --check-prefix=DOT
// DOT: c"fullfp16,rdm,dotprod\00"
// RUN: briskc %s -o - --emit=llvm --target=neoverse-v1 | FileCheck %s --check-prefix=I8MM
// I8MM: c"{{.*}},dotprod,{{.*}},i8mm,bf16\00"
// RUN: briskc %s -o - --emit=llvm --target=riscv64gcv | FileCheck %s --check-prefix=RVV
// RVV: c"v\00"

// Every CPU of the kind has what these use.
// RUN: briskc %s -o - --emit=llvm --target=aarch64 | FileCheck %s --check-prefix=NONE
// RUN: briskc %s -o - --emit=llvm --target=cortex-m4 | FileCheck %s --check-prefix=NONE
// RUN: briskc %s -o - --emit=llvm --target=riscv64 | FileCheck %s --check-prefix=NONE
// NONE: [[EMPTY:@[0-9]+]] = private {{.*}}zeroinitializer
// NONE: @relu_model = {{.*}} ptr @relu_call, ptr [[EMPTY]],

func.func @relu(%x: tensor<4xf32> {brisk.name = "x"}) -> (tensor<4xf32> {brisk.name = "y"}) {
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %0 = brisk.max %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
