// RUN: brisk-opt %s --brisk-shapes="dims=n=2" | FileCheck %s --check-prefix=SHAPES
// RUN: brisk-opt %s --brisk-shapes="dims=n=2" --brisk-graph --brisk-layout --brisk-fuse | FileCheck %s --check-prefix=FUSE
// RUN: brisk-opt %s --brisk-shapes="dims=n=2" --brisk-graph --brisk-layout --brisk-fuse --set-target=x86-64-v3 --brisk-select | FileCheck %s --check-prefix=SELECT
// RUN: brisk-opt %s --brisk-shapes="dims=n=2" --brisk-graph --brisk-layout --brisk-fuse --set-target=x86-64-v3 --brisk-select --brisk-plan | FileCheck %s --check-prefix=PLAN
// RUN: brisk-opt %s --brisk-shapes="dims=n=2" --brisk-graph --brisk-layout --brisk-fuse --set-target=x86-64-v3 --brisk-select --brisk-plan --brisk-kernels | FileCheck %s --check-prefix=KERNELS
// RUN: brisk-opt %s --brisk-shapes="dims=n=2" --brisk-graph --brisk-layout --brisk-fuse --set-target=x86-64-v3 --brisk-select --brisk-plan --brisk-kernels --brisk-codegen | FileCheck %s --check-prefix=CODEGEN

// Every stage takes what the one before it gives.
// SHAPES: brisk.matmul {{.*}} -> tensor<2x16xf32>
// FUSE: brisk.group ins
// SELECT: brisk.group schedule #brisk.gemm
// PLAN: func.func @model(%{{.*}}: memref<2x8xf32>, %{{.*}}: memref<2x16xf32>, %{{.*}}: memref<512xi8>, %{{.*}}: memref<{{.*}}xi8>)
// KERNELS: brisk.launch @model_kernel_0_gemm
// CODEGEN: llvm.func @model_call(
// CODEGEN-NOT: unrealized_conversion_cast
func.func @model(%x: tensor<?x8xf32> {brisk.name = "x", brisk.dims = ["n", ""]}) -> (tensor<?x16xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<1.0> : tensor<8x16xf32>
  %0 = brisk.matmul %x, %w : (tensor<?x8xf32>, tensor<8x16xf32>) -> tensor<?x16xf32>
  %1 = brisk.tanh %0 : (tensor<?x16xf32>) -> tensor<?x16xf32>
  return %1 : tensor<?x16xf32>
}
