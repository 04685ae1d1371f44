// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @attention(
// CHECK: brisk.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} {causal} : {{.*}} -> tensor<1x8x16x64xf32>
// CHECK: %{{.*}}, %{{.*}} = brisk.attention %{{.*}}, %{{.*}}, %{{.*}} start %{{.*}} lens %{{.*}} {left_window = 3 : i64, scale = 2.500000e-01 : f32, scores = #brisk<attention_scores weights>, softcap = 5.000000e+00 : f32, softmax_precision = f32}
// CHECK-SAME: -> (tensor<1x8x16x32xf16>, tensor<1x8x16x20xf16>)
func.func @attention(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x16x64xf32>, %m: tensor<16x16xi1>,
                     %h: tensor<1x8x16x64xf16>, %kh: tensor<1x4x20x64xf16>, %vh: tensor<1x4x20x32xf16>,
                     %start: tensor<i64>, %lens: tensor<1xi64>) {
  %0 = brisk.attention %q, %k, %k mask %m {causal}
      : (tensor<1x8x16x64xf32>, tensor<1x2x16x64xf32>, tensor<1x2x16x64xf32>, tensor<16x16xi1>)
      -> tensor<1x8x16x64xf32>
  %1:2 = brisk.attention %h, %kh, %vh start %start lens %lens
      {scale = 0.25 : f32, softcap = 5.0 : f32, left_window = 3, softmax_precision = f32, scores = #brisk<attention_scores weights>}
      : (tensor<1x8x16x64xf16>, tensor<1x4x20x64xf16>, tensor<1x4x20x32xf16>, tensor<i64>, tensor<1xi64>)
      -> (tensor<1x8x16x32xf16>, tensor<1x8x16x20xf16>)
  return
}

// Dimensions that are not known, and a mask that ends before the last key.
// CHECK-LABEL: func.func @dynamic(
// CHECK: brisk.attention {{.*}} -> tensor<?x8x?x64xf32>
// CHECK: brisk.attention {{.*}} -> tensor<*xf32>
func.func @dynamic(%q: tensor<?x8x?x64xf32>, %k: tensor<?x8x12x64xf32>, %m: tensor<9xf32>, %u: tensor<*xf32>) {
  %0 = brisk.attention %q, %k, %k mask %m
      : (tensor<?x8x?x64xf32>, tensor<?x8x12x64xf32>, tensor<?x8x12x64xf32>, tensor<9xf32>) -> tensor<?x8x?x64xf32>
  %1 = brisk.attention %u, %k, %k : (tensor<*xf32>, tensor<?x8x12x64xf32>, tensor<?x8x12x64xf32>) -> tensor<*xf32>
  return
}
