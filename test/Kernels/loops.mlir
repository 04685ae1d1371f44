// RUN: brisk-opt %s --set-target=x86-64-v3 --outline-kernels --split-input-file | FileCheck %s

// One group of every op that has loops, with what is typical of its code.

// CHECK-LABEL: func.func private @gather_kernel_0_loops(
// Within bounds before it is an index, which may have 32 bits.
// CHECK: arith.maxsi {{.*}} : i64
// CHECK: [[PLACE:%.+]] = arith.minsi {{.*}} : i64
// CHECK: arith.index_cast [[PLACE]] : i64 to index
// CHECK: memref.store
func.func @gather(%in0: memref<2x8x4xf32>, %in1: memref<3xi64>, %out0: memref<2x3x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<2x8x4xf32>, memref<3xi64>)
      outs(%out0 : memref<2x3x4xf32>) {
  ^bb0(%a: tensor<2x8x4xf32>, %b: tensor<3xi64>):
    %0 = brisk.gather %a, %b {axis = 1 : i64} : (tensor<2x8x4xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
    brisk.yield %0 : tensor<2x3x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @gather_elements_kernel_0_loops(
// CHECK: arith.minsi
func.func @gather_elements(%in0: memref<2x8xf32>, %in1: memref<2x3xi32>, %out0: memref<2x3xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<2x8xf32>, memref<2x3xi32>)
      outs(%out0 : memref<2x3xf32>) {
  ^bb0(%a: tensor<2x8xf32>, %b: tensor<2x3xi32>):
    %0 = brisk.gather_elements %a, %b {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
    brisk.yield %0 : tensor<2x3xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @gather_nd_kernel_0_loops(
// CHECK: arith.minsi
// CHECK: arith.minsi
func.func @gather_nd(%in0: memref<2x8x4xf32>, %in1: memref<5x2xi64>, %out0: memref<5x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<2x8x4xf32>, memref<5x2xi64>)
      outs(%out0 : memref<5x4xf32>) {
  ^bb0(%a: tensor<2x8x4xf32>, %b: tensor<5x2xi64>):
    %0 = brisk.gather_nd %a, %b : (tensor<2x8x4xf32>, tensor<5x2xi64>) -> tensor<5x4xf32>
    brisk.yield %0 : tensor<5x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @scatter_elements_kernel_0_loops(
// CHECK: arith.maxsi {{.*}} : i64
// CHECK: [[PLACE:%.+]] = arith.minsi {{.*}} : i64
// CHECK: arith.index_cast [[PLACE]] : i64 to index
// CHECK: cmpi ult
// CHECK: scf.if
// CHECK: arith.maximumf
func.func @scatter_elements(%in0: memref<2x8xf32>, %in1: memref<2x3xi64>, %in2: memref<2x3xf32>, %out0: memref<2x8xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1, %in2 : memref<2x8xf32>, memref<2x3xi64>, memref<2x3xf32>)
      outs(%out0 : memref<2x8xf32>) {
  ^bb0(%a: tensor<2x8xf32>, %b: tensor<2x3xi64>, %c: tensor<2x3xf32>):
    %0 = brisk.scatter_elements %a, %b, %c {axis = 1 : i64, reduction = #brisk<scatter_reduction max>} : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
    brisk.yield %0 : tensor<2x8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @scatter_nd_kernel_0_loops(
// CHECK: cmpi ult
// CHECK: scf.if
func.func @scatter_nd(%in0: memref<8x4xf32>, %in1: memref<3x1xi64>, %in2: memref<3x4xf32>, %out0: memref<8x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1, %in2 : memref<8x4xf32>, memref<3x1xi64>, memref<3x4xf32>)
      outs(%out0 : memref<8x4xf32>) {
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<3x1xi64>, %c: tensor<3x4xf32>):
    %0 = brisk.scatter_nd %a, %b, %c : (tensor<8x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<8x4xf32>
    brisk.yield %0 : tensor<8x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @one_hot_kernel_0_loops(
// CHECK: arith.ori
// CHECK: arith.select
func.func @one_hot(%in0: memref<4xi64>, %in1: memref<2xf32>, %out0: memref<4x10xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<4xi64>, memref<2xf32>)
      outs(%out0 : memref<4x10xf32>) {
  ^bb0(%a: tensor<4xi64>, %b: tensor<2xf32>):
    %d = brisk.constant dense<10> : tensor<i64>
    %0 = brisk.one_hot %a, %d, %b : (tensor<4xi64>, tensor<i64>, tensor<2xf32>) -> tensor<4x10xf32>
    brisk.yield %0 : tensor<4x10xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @trilu_kernel_0_loops(
// CHECK: cmpi sge
func.func @trilu(%in0: memref<4x4xf32>, %out0: memref<4x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<4x4xf32>)
      outs(%out0 : memref<4x4xf32>) {
  ^bb0(%a: tensor<4x4xf32>):
    %k = brisk.constant dense<1> : tensor<i64>
    %0 = brisk.trilu %a, %k {upper} : (tensor<4x4xf32>, tensor<i64>) -> tensor<4x4xf32>
    brisk.yield %0 : tensor<4x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @reverse_sequence_kernel_0_loops(
// CHECK: cmpi slt
func.func @reverse_sequence(%in0: memref<4x2xf32>, %in1: memref<2xi64>, %out0: memref<4x2xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<4x2xf32>, memref<2xi64>)
      outs(%out0 : memref<4x2xf32>) {
  ^bb0(%a: tensor<4x2xf32>, %b: tensor<2xi64>):
    %0 = brisk.reverse_sequence %a, %b : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
    brisk.yield %0 : tensor<4x2xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @slice_kernel_0_loops(
// CHECK: constant -2
func.func @slice(%in0: memref<3x8xf32>, %out0: memref<3x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<3x8xf32>)
      outs(%out0 : memref<3x4xf32>) {
  ^bb0(%a: tensor<3x8xf32>):
    %s = brisk.constant dense<[-1]> : tensor<1xi64>
    %e = brisk.constant dense<[-100]> : tensor<1xi64>
    %t = brisk.constant dense<[1]> : tensor<1xi64>
    %p = brisk.constant dense<[-2]> : tensor<1xi64>
    %0 = brisk.slice %a, %s, %e axes %t steps %p : (tensor<3x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3x4xf32>
    brisk.yield %0 : tensor<3x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @pad_kernel_0_loops(
// CHECK: arith.remsi
func.func @pad(%in0: memref<2x4xf32>, %out0: memref<2x9xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<2x4xf32>)
      outs(%out0 : memref<2x9xf32>) {
  ^bb0(%a: tensor<2x4xf32>):
    %p = brisk.constant dense<[0, 2, 0, 3]> : tensor<4xi64>
    %0 = brisk.pad reflect %a, %p : (tensor<2x4xf32>, tensor<4xi64>) -> tensor<2x9xf32>
    brisk.yield %0 : tensor<2x9xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @tile_kernel_0_loops(
// CHECK: arith.remui
func.func @tile(%in0: memref<2x4xi8>, %out0: memref<2x12xi8>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<2x4xi8>)
      outs(%out0 : memref<2x12xi8>) {
  ^bb0(%a: tensor<2x4xi8>):
    %r = brisk.constant dense<[1, 3]> : tensor<2xi64>
    %0 = brisk.tile %a, %r : (tensor<2x4xi8>, tensor<2xi64>) -> tensor<2x12xi8>
    brisk.yield %0 : tensor<2x12xi8>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @resize_kernel_0_loops(
// CHECK: memref.get_global @table_0
// CHECK: memref.get_global @table_1
func.func @resize(%in0: memref<2x8xf32>, %out0: memref<2x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<2x8xf32>)
      outs(%out0 : memref<2x4xf32>) {
  ^bb0(%a: tensor<2x8xf32>):
    %s = brisk.constant dense<[1.0, 0.5]> : tensor<2xf32>
    %0 = brisk.resize %a scales %s {mode = #brisk<resize_mode linear>} : (tensor<2x8xf32>, tensor<2xf32>) -> tensor<2x4xf32>
    brisk.yield %0 : tensor<2x4xf32>
  }
  return
}

// -----

// The size is that of the whole, and places are told apart in single precision:
// 0.3 times 5 is 1.5, and 1.1 is outside.
// CHECK: memref.global "private" constant @table_0 : memref<3xi32> = dense<[1, 3, -1]>
// CHECK-LABEL: func.func private @crop_kernel_0_loops(
func.func @crop(%in0: memref<6xf32>, %out0: memref<3xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<6xf32>)
      outs(%out0 : memref<3xf32>) {
  ^bb0(%a: tensor<6xf32>):
    %roi = brisk.constant dense<[0.3, 1.1]> : tensor<2xf32>
    %s = brisk.constant dense<0.5> : tensor<1xf32>
    %0 = brisk.resize %a roi %roi scales %s {coordinate_transformation_mode = #brisk<coordinate_mode tf_crop_and_resize>} : (tensor<6xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
    brisk.yield %0 : tensor<3xf32>
  }
  return
}

// -----

// The value for places outside becomes an integer as a cast makes it one.
// CHECK-LABEL: func.func private @crop_ints_kernel_0_loops(
// CHECK: arith.constant 2147483647 : i32
func.func @crop_ints(%in0: memref<4xi32>, %out0: memref<4xi32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<4xi32>)
      outs(%out0 : memref<4xi32>) {
  ^bb0(%a: tensor<4xi32>):
    %r = brisk.constant dense<[0.0, 2.0]> : tensor<2xf32>
    %s = brisk.constant dense<4> : tensor<1xi64>
    %0 = brisk.resize %a roi %r sizes %s {coordinate_transformation_mode = #brisk<coordinate_mode tf_crop_and_resize>, extrapolation_value = 1.0e+30 : f32} : (tensor<4xi32>, tensor<2xf32>, tensor<1xi64>) -> tensor<4xi32>
    brisk.yield %0 : tensor<4xi32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @max_pool_with_indices_kernel_0_loops(
// CHECK: arith.maxsi
// CHECK: arith.cmpf olt
func.func @max_pool_with_indices(%in0: memref<1x8x8x4xf32>, %out0: memref<1x8x8x4xf32>, %out1: memref<1x8x8x4xi64>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<1x8x8x4xf32>)
      outs(%out0, %out1 : memref<1x8x8x4xf32>, memref<1x8x8x4xi64>) {
  ^bb0(%a: tensor<1x8x8x4xf32>):
    %0, %1 = brisk.max_pool_with_indices %a {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>} : (tensor<1x8x8x4xf32>) -> (tensor<1x8x8x4xf32>, tensor<1x8x8x4xi64>)
    brisk.yield %0, %1 : tensor<1x8x8x4xf32>, tensor<1x8x8x4xi64>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @lp_pool_kernel_0_loops(
// CHECK: math.sqrt
func.func @lp_pool(%in0: memref<1x8x8x4xf32>, %out0: memref<1x7x7x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<1x8x8x4xf32>)
      outs(%out0 : memref<1x7x7x4xf32>) {
  ^bb0(%a: tensor<1x8x8x4xf32>):
    %0 = brisk.lp_pool %a {kernel_shape = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
    brisk.yield %0 : tensor<1x7x7x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @conv_kernel_0_loops(
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @conv(%in0: memref<1x8x3xf32>, %in1: memref<3x3x4xf32>, %in2: memref<4xf32>, %out0: memref<1x4x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1, %in2 : memref<1x8x3xf32>, memref<3x3x4xf32>, memref<4xf32>)
      outs(%out0 : memref<1x4x4xf32>) {
  ^bb0(%a: tensor<1x8x3xf32>, %b: tensor<3x3x4xf32>, %c: tensor<4xf32>):
    %0 = brisk.conv %a, %b, %c {dilations = array<i64: 2>} : (tensor<1x8x3xf32>, tensor<3x3x4xf32>, tensor<4xf32>) -> tensor<1x4x4xf32>
    brisk.yield %0 : tensor<1x4x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @conv_transpose_kernel_0_loops(
// CHECK: arith.remsi
// CHECK: scf.if
func.func @conv_transpose(%in0: memref<1x8x3xf32>, %in1: memref<2x3x4xf32>, %out0: memref<1x16x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<1x8x3xf32>, memref<2x3x4xf32>)
      outs(%out0 : memref<1x16x4xf32>) {
  ^bb0(%a: tensor<1x8x3xf32>, %b: tensor<2x3x4xf32>):
    %0 = brisk.conv_transpose %a, %b {strides = array<i64: 2>} : (tensor<1x8x3xf32>, tensor<2x3x4xf32>) -> tensor<1x16x4xf32>
    brisk.yield %0 : tensor<1x16x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @matmul_kernel_0_loops(
// CHECK: arith.muli
// CHECK: arith.addi
func.func @matmul(%in0: memref<5x2x3xi32>, %in1: memref<3x4xi32>, %out0: memref<5x2x4xi32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<5x2x3xi32>, memref<3x4xi32>)
      outs(%out0 : memref<5x2x4xi32>) {
  ^bb0(%a: tensor<5x2x3xi32>, %b: tensor<3x4xi32>):
    %0 = brisk.matmul %a, %b : (tensor<5x2x3xi32>, tensor<3x4xi32>) -> tensor<5x2x4xi32>
    brisk.yield %0 : tensor<5x2x4xi32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @einsum_kernel_0_loops(
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @einsum(%in0: memref<2x3xf32>, %in1: memref<2x3xf32>, %out0: memref<2xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<2x3xf32>, memref<2x3xf32>)
      outs(%out0 : memref<2xf32>) {
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>):
    %0 = brisk.einsum %a, %b {equation = "bi,bi->b"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
    brisk.yield %0 : tensor<2xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @reduce_kernel_0_loops(
// CHECK: arith.extf
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK: arith.truncf
func.func @reduce(%in0: memref<2x100xf16>, %out0: memref<2xf16>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<2x100xf16>)
      outs(%out0 : memref<2xf16>) {
  ^bb0(%a: tensor<2x100xf16>):
    %x = brisk.constant dense<1> : tensor<1xi64>
    %0 = brisk.reduce mean %a, %x : (tensor<2x100xf16>, tensor<1xi64>) -> tensor<2xf16>
    brisk.yield %0 : tensor<2xf16>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @arg_reduce_kernel_0_loops(
// CHECK: cmpi ult
func.func @arg_reduce(%in0: memref<2x3xui8>, %out0: memref<2xi64>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<2x3xui8>)
      outs(%out0 : memref<2xi64>) {
  ^bb0(%a: tensor<2x3xui8>):
    %0 = brisk.arg_reduce min %a {axis = 1 : i64} : (tensor<2x3xui8>) -> tensor<2xi64>
    brisk.yield %0 : tensor<2xi64>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @cumsum_kernel_0_loops(
// CHECK: arith.addf
func.func @cumsum(%in0: memref<2x3xf32>, %out0: memref<2x3xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<2x3xf32>)
      outs(%out0 : memref<2x3xf32>) {
  ^bb0(%a: tensor<2x3xf32>):
    %x = brisk.constant dense<1> : tensor<i64>
    %0 = brisk.cumsum %a, %x {reverse} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
    brisk.yield %0 : tensor<2x3xf32>
  }
  return
}

// -----

// What follows an op is computed by each task over what it has written.
// CHECK-LABEL: func.func @matmul_relu(
// CHECK: brisk.launch @matmul_relu_kernel_0_loops({{.*}}) tasks 5 workers 1
// CHECK-LABEL: func.func private @matmul_relu_kernel_0_loops(
// CHECK: arith.maxsi
func.func @matmul_relu(%in0: memref<5x2x3xi32>, %in1: memref<3x4xi32>, %out0: memref<5x2x4xi32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<5x2x3xi32>, memref<3x4xi32>)
      outs(%out0 : memref<5x2x4xi32>) {
  ^bb0(%a: tensor<5x2x3xi32>, %b: tensor<3x4xi32>):
    %zero = brisk.constant dense<0> : tensor<i32>
    %0 = brisk.matmul %a, %b : (tensor<5x2x3xi32>, tensor<3x4xi32>) -> tensor<5x2x4xi32>
    %1 = brisk.max %0, %zero : (tensor<5x2x4xi32>, tensor<i32>) -> tensor<5x2x4xi32>
    brisk.yield %1 : tensor<5x2x4xi32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @lrn_kernel_0_loops(
// CHECK: math.powf
func.func @lrn(%in0: memref<1x7x16xf32>, %out0: memref<1x7x16xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<1x7x16xf32>)
      outs(%out0 : memref<1x7x16xf32>) {
  ^bb0(%a: tensor<1x7x16xf32>):
    %0 = brisk.lrn %a {size = 3 : i64} : (tensor<1x7x16xf32>) -> tensor<1x7x16xf32>
    brisk.yield %0 : tensor<1x7x16xf32>
  }
  return
}

// -----

// NaN is above all numbers.
// CHECK-LABEL: func.func private @top_k_kernel_0_loops(
// CHECK: scf.while
// CHECK: %[[NUMBER:.*]] = arith.cmpf oeq, %[[WORSE:.*]], %[[WORSE]] :
// CHECK: %[[BELOW:.*]] = arith.cmpf ole, %{{.*}}, %[[WORSE]]
// CHECK: arith.select %[[BELOW]], %false{{.*}}, %[[NUMBER]]
func.func @top_k(%in0: memref<2x10xf32>, %out0: memref<2x3xf32>, %out1: memref<2x3xi64>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<2x10xf32>)
      outs(%out0, %out1 : memref<2x3xf32>, memref<2x3xi64>) {
  ^bb0(%a: tensor<2x10xf32>):
    %k = brisk.constant dense<3> : tensor<1xi64>
    %0, %1 = brisk.top_k %a, %k : (tensor<2x10xf32>, tensor<1xi64>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
    brisk.yield %0, %1 : tensor<2x3xf32>, tensor<2x3xi64>
  }
  return
}

// -----

// What follows an op that works element by element is computed in passing.
// CHECK-LABEL: func.func private @epilogue_kernel_0_loops(
// CHECK: %[[X:.*]] = memref.load
// CHECK: arith.addf %[[X]], %[[X]]
// CHECK-NEXT: memref.store
// CHECK-NOT: memref.load
func.func @epilogue(%in: memref<4x3xf32>, %out: memref<3x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in : memref<4x3xf32>) outs(%out : memref<3x4xf32>) {
  ^bb0(%a: tensor<4x3xf32>):
    %0 = brisk.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %1 = brisk.add %0, %0 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    brisk.yield %1 : tensor<3x4xf32>
  }
  return
}

// -----

// Places are in the precision of scales: 6 / 1.2 is 5.
// CHECK: memref.global {{.*}}@table_0 {{.*}}dense<[0, 0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]>
// CHECK-LABEL: func.func private @resize_asymmetric_kernel_0_loops(
func.func @resize_asymmetric(%in0: memref<10xi8>, %out0: memref<12xi8>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<10xi8>)
      outs(%out0 : memref<12xi8>) {
  ^bb0(%a: tensor<10xi8>):
    %s = brisk.constant dense<1.2> : tensor<1xf32>
    %0 = brisk.resize %a scales %s {coordinate_transformation_mode = #brisk<coordinate_mode asymmetric>, nearest_mode = #brisk<nearest_mode floor>} : (tensor<10xi8>, tensor<1xf32>) -> tensor<12xi8>
    brisk.yield %0 : tensor<12xi8>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @expand_kernel_0_loops(
// CHECK: %[[V:.*]] = memref.load %{{.*}}[%{{.*}}, %c0{{.*}}] : memref<3x1xf32>
// CHECK: memref.store %[[V]]
func.func @expand(%in0: memref<3x1xf32>, %out0: memref<2x3x4xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<3x1xf32>)
      outs(%out0 : memref<2x3x4xf32>) {
  ^bb0(%a: tensor<3x1xf32>):
    %s = brisk.constant dense<[2, 3, 4]> : tensor<3xi64>
    %0 = brisk.expand %a, %s : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
    brisk.yield %0 : tensor<2x3x4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @fill_kernel_0_loops(
// CHECK: %[[V:.*]] = arith.constant 1.500000e+00 : f32
// CHECK: memref.store %[[V]]
func.func @fill(%in0: memref<2xi64>, %out0: memref<2x3xf32>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<2xi64>)
      outs(%out0 : memref<2x3xf32>) {
  ^bb0(%a: tensor<2xi64>):
    %0 = brisk.fill %a {value = dense<1.5> : tensor<f32>} : (tensor<2xi64>) -> tensor<2x3xf32>
    brisk.yield %0 : tensor<2x3xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @range_kernel_0_loops(
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: memref.store
func.func @range(%in0: memref<f32>, %in1: memref<f32>, %in2: memref<f32>, %out0: memref<5xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1, %in2 : memref<f32>, memref<f32>, memref<f32>)
      outs(%out0 : memref<5xf32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    %0 = brisk.range %a, %b, %c : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<5xf32>
    brisk.yield %0 : tensor<5xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @concat_kernel_0_loops(
// CHECK: memref.load {{.*}} memref<2x3xf32>
// CHECK: memref.store
// CHECK: memref.load {{.*}} memref<2x5xf32>
// CHECK: memref.store
func.func @concat(%in0: memref<2x3xf32>, %in1: memref<2x5xf32>, %out0: memref<2x8xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<2x3xf32>, memref<2x5xf32>)
      outs(%out0 : memref<2x8xf32>) {
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>):
    %0 = brisk.concat %a, %b {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
    brisk.yield %0 : tensor<2x8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @max_pool_kernel_0_loops(
// CHECK: arith.constant -128 : i8
// CHECK: arith.maxsi {{.*}} : i8
func.func @max_pool(%in0: memref<1x8x8x4xi8>, %out0: memref<1x7x7x4xi8>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<1x8x8x4xi8>)
      outs(%out0 : memref<1x7x7x4xi8>) {
  ^bb0(%a: tensor<1x8x8x4xi8>):
    %0 = brisk.max_pool %a {kernel_shape = array<i64: 2, 2>} : (tensor<1x8x8x4xi8>) -> tensor<1x7x7x4xi8>
    brisk.yield %0 : tensor<1x7x7x4xi8>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @average_pool_kernel_0_loops(
// CHECK: arith.addf {{.*}} : f64
// CHECK: arith.divf {{.*}} : f64
func.func @average_pool(%in0: memref<1x8x8x4xf64>, %out0: memref<1x8x8x4xf64>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<1x8x8x4xf64>)
      outs(%out0 : memref<1x8x8x4xf64>) {
  ^bb0(%a: tensor<1x8x8x4xf64>):
    %0 = brisk.average_pool %a {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>} : (tensor<1x8x8x4xf64>) -> tensor<1x8x8x4xf64>
    brisk.yield %0 : tensor<1x8x8x4xf64>
  }
  return
}

// -----

// The coordinates of the innermost dimension come first. What lies outside is
// not read.
// CHECK-LABEL: func.func private @grid_sample_kernel_0_loops(
// CHECK: [[LEFT:%.+]] = math.floor
// CHECK: [[INSIDE:%.+]] = arith.andi
// CHECK: arith.fptosi {{.*}} : f32 to i32
// CHECK-COUNT-4: memref.load %arg0
// CHECK-NOT: memref.load %arg0
func.func @grid_sample(%in0: memref<1x8x8x3xf32>, %in1: memref<1x4x5x2xf32>, %out0: memref<1x4x5x3xf32>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<1x8x8x3xf32>, memref<1x4x5x2xf32>)
      outs(%out0 : memref<1x4x5x3xf32>) {
  ^bb0(%a: tensor<1x8x8x3xf32>, %b: tensor<1x4x5x2xf32>):
    %0 = brisk.grid_sample %a, %b : (tensor<1x8x8x3xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x3xf32>
    brisk.yield %0 : tensor<1x4x5x3xf32>
  }
  return
}

// -----

// Four pixels of three bytes, each by the weights of its row and its column.
// CHECK-LABEL: func.func private @read_frame_kernel_0_loops(
// CHECK: memref.load %arg0
// CHECK: arith.muli
// CHECK: arith.shrsi
// CHECK: arith.minsi
// CHECK: arith.trunci {{.*}} : i32 to i8
func.func @read_frame(%in0: memref<12x40xui8>, %out0: memref<8x5x3xui8>) {
  brisk.group schedule #brisk.loops ins(%in0 : memref<12x40xui8>)
      outs(%out0 : memref<8x5x3xui8>) {
  ^bb0(%a: tensor<12x40xui8>):
    %0 = brisk.read_frame %a {format = #brisk<frame_format rgb>, width = 12, color = #brisk<frame_format bgr>, size = array<i64: 8, 5>} : (tensor<12x40xui8>) -> tensor<8x5x3xui8>
    brisk.yield %0 : tensor<8x5x3xui8>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @compact_kernel_0_loops(
// CHECK: scf.if {{.*}} -> (index)
// CHECK: memref.store {{.*}} : memref<2x8xi64>
// CHECK: arith.index_cast {{.*}} : index to i64
func.func @compact(%in0: memref<2x8xi64>, %in1: memref<2x8xi1>, %out0: memref<2x8xi64>, %out1: memref<2xi64>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<2x8xi64>, memref<2x8xi1>)
      outs(%out0, %out1 : memref<2x8xi64>, memref<2xi64>) {
  ^bb0(%a: tensor<2x8xi64>, %k: tensor<2x8xi1>):
    %0, %1 = brisk.compact %a, %k : (tensor<2x8xi64>, tensor<2x8xi1>) -> (tensor<2x8xi64>, tensor<2xi64>)
    brisk.yield %0, %1 : tensor<2x8xi64>, tensor<2xi64>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @suppress_kernel_0_loops(
// CHECK: arith.divf
// CHECK: arith.cmpf ogt
// CHECK: memref.store {{.*}} : memref<3xi64>
func.func @suppress(%in0: memref<20x4xf32>, %in1: memref<20xf32>, %out0: memref<3xi64>, %out1: memref<i64>) {
  brisk.group schedule #brisk.loops ins(%in0, %in1 : memref<20x4xf32>, memref<20xf32>)
      outs(%out0, %out1 : memref<3xi64>, memref<i64>) {
  ^bb0(%a: tensor<20x4xf32>, %s: tensor<20xf32>):
    %0, %1 = brisk.non_max_suppression %a, %s {max = 3, iou_threshold = 5.0e-01 : f32, score_threshold = 0.0 : f32}
        : (tensor<20x4xf32>, tensor<20xf32>) -> (tensor<3xi64>, tensor<i64>)
    brisk.yield %0, %1 : tensor<3xi64>, tensor<i64>
  }
  return
}
