// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: func @channels_last
// CHECK: brisk.group schedule #brisk.depthwise<pixels = 8>
// A row of results is a task. Six pixels of 16 channels are carried over the rows of the filter that lie in the image;
// the other 8 channels are computed under a mask.
// CODE-LABEL: func.func private @channels_last_kernel_0_depthwise
// CODE: scf.for
// CODE: arith.maxsi
// CODE: arith.minsi
// CODE: scf.for {{.*}} iter_args(
// CODE-COUNT-17: math.fma {{.*}} : vector<16xf32>
// CODE-NOT: math.fma
// CODE: scf.yield
// CODE-COUNT-6: vector.store {{.*}} vector<16xf32>
// CODE-NOT: vector.store
// CODE: vector.constant_mask [8] : vector<16xi1>
// CODE: vector.maskedload
// CODE: math.fma
// CODE: vector.maskedstore
// SCALAR-LABEL: func.func private @channels_last_kernel_0_depthwise
// SCALAR-NOT: vector.
// SCALAR: math.fma {{.*}} : f32
func.func @channels_last(%x: tensor<1x12x12x24xf32>, %w: tensor<3x3x1x24xf32>, %o: tensor<1x12x12x24xf32>) -> tensor<1x12x12x24xf32> {
  %r = brisk.group ins(%x, %w : tensor<1x12x12x24xf32>, tensor<3x3x1x24xf32>) outs(%o : tensor<1x12x12x24xf32>) -> tensor<1x12x12x24xf32> {
  ^bb0(%a: tensor<1x12x12x24xf32>, %f: tensor<3x3x1x24xf32>):
    %0 = brisk.conv %a, %f {pads = array<i64: 1, 1, 1, 1>, group = 24 : i64} : (tensor<1x12x12x24xf32>, tensor<3x3x1x24xf32>) -> tensor<1x12x12x24xf32>
    brisk.yield %0 : tensor<1x12x12x24xf32>
  }
  return %r : tensor<1x12x12x24xf32>
}

// Two results a channel are not this family's.
// CHECK-LABEL: func @multiplier
// CHECK-NOT: "depthwise"
func.func @multiplier(%x: tensor<1x12x12x4xf32>, %w: tensor<3x3x1x8xf32>, %o: tensor<1x10x10x8xf32>) -> tensor<1x10x10x8xf32> {
  %r = brisk.group ins(%x, %w : tensor<1x12x12x4xf32>, tensor<3x3x1x8xf32>) outs(%o : tensor<1x10x10x8xf32>) -> tensor<1x10x10x8xf32> {
  ^bb0(%a: tensor<1x12x12x4xf32>, %f: tensor<3x3x1x8xf32>):
    %0 = brisk.conv %a, %f {group = 4 : i64} : (tensor<1x12x12x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x10x10x8xf32>
    brisk.yield %0 : tensor<1x10x10x8xf32>
  }
  return %r : tensor<1x10x10x8xf32>
}

// -----

// Seven rows would keep two workers unevenly busy. Each is cut into three parts
// of its 12 vectors of channels, the last with the 8 channels that are left.
// CODE: brisk.launch @few_rows_kernel_0_depthwise({{.*}}) tasks 21 workers 2
// CODE-LABEL: func.func private @few_rows_kernel_0_depthwise
// CODE: %[[PARTS:.*]] = arith.constant 3 : index
// CODE: %[[PART:.*]] = arith.remui %{{.*}}, %[[PARTS]]
// CODE: %[[SIZE:.*]] = arith.constant 64 : index
// CODE: %[[FROM:.*]] = arith.muli %[[PART]], %[[SIZE]]
// CODE: %[[ALL:.*]] = arith.constant 200 : index
// CODE: %[[TO:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ALL]]
// CODE: %[[END:.*]] = arith.minui %[[TO]], %c192
// CODE: scf.for %{{.*}} = %[[FROM]] to %[[END]]
// CODE: arith.cmpi ugt, %[[TO]], %c192
// CODE: vector.constant_mask [8] : vector<16xi1>
// A core that is alone has nobody to leave a part to.
// SCALAR-LABEL: func.func private @few_rows_kernel_0_depthwise
// SCALAR-NOT: arith.remui
// SCALAR: math.fma {{.*}} : f32
func.func @few_rows(%x: tensor<1x9x9x200xf32>, %w: tensor<3x3x1x200xf32>, %o: tensor<1x7x7x200xf32>) -> tensor<1x7x7x200xf32> {
  %r = brisk.group ins(%x, %w : tensor<1x9x9x200xf32>, tensor<3x3x1x200xf32>) outs(%o : tensor<1x7x7x200xf32>) -> tensor<1x7x7x200xf32> {
  ^bb0(%a: tensor<1x9x9x200xf32>, %f: tensor<3x3x1x200xf32>):
    %0 = brisk.conv %a, %f {pads = array<i64: 0, 0, 0, 0>, group = 200 : i64} : (tensor<1x9x9x200xf32>, tensor<3x3x1x200xf32>) -> tensor<1x7x7x200xf32>
    brisk.yield %0 : tensor<1x7x7x200xf32>
  }
  return %r : tensor<1x7x7x200xf32>
}
