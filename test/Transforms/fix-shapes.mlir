// RUN: brisk-opt %s --split-input-file --fix-shapes="shapes=x=2x8 dims=seq=8" | FileCheck %s

// A shape binds the symbolic dimensions that it covers.
// CHECK-LABEL: func.func @names(
// CHECK-SAME: tensor<2x8xf32>
// CHECK-SAME: tensor<2xf32>
// CHECK-SAME: tensor<?x8xf32>
// CHECK-SAME: -> tensor<2xf32>
func.func @names(
    %x: tensor<?x?xf32> {brisk.name = "x", brisk.dims = ["batch", "seq"]},
    %y: tensor<?xf32> {brisk.name = "y", brisk.dims = ["batch"]},
    %z: tensor<?x?xf32> {brisk.name = "z", brisk.dims = ["", "seq"]}) -> tensor<?xf32> {
  return %y : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @unranked(
// CHECK-SAME: tensor<2x8xf32>
// CHECK-SAME: tensor<8xf32>
func.func @unranked(%x: tensor<*xf32> {brisk.name = "x"},
                    %y: tensor<?xf32> {brisk.name = "y", brisk.dims = ["seq"]}) {
  return
}
