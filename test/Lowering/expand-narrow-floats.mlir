// RUN: brisk-opt %s --set-target=x86-64-v3 --expand-narrow-floats | FileCheck %s --check-prefixes=CHECK,F16C
// RUN: brisk-opt %s --set-target=x86-64-v2 --expand-narrow-floats | FileCheck %s --check-prefixes=CHECK,SSE

// Operands are extended, the result is rounded; what only chooses stays.
// CHECK-LABEL: @compute
// F16C: %[[X:.*]] = arith.extf %arg0 : f16 to f32
// F16C: %[[Y:.*]] = arith.extf %arg1 : f16 to f32
// F16C: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : f32
// F16C: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f32 to f16
// F16C: arith.cmpf olt
// F16C-SAME: f32
// F16C: arith.select %{{.*}}, %[[ROUNDED]], %arg0 : f16
// SSE-NOT: {{extf|truncf}}
// SSE: arith.addf {{.*}} : f32
// SSE-NOT: {{extf|truncf}}
// CHECK: return
func.func @compute(%x: f16, %y: f16) -> f16 {
  %0 = arith.addf %x, %y : f16
  %1 = arith.cmpf olt, %x, %y : f16
  %2 = arith.select %1, %0, %x : f16
  return %2 : f16
}

// No target converts bf16: its bits are the upper half of those of f32.
// CHECK-LABEL: @vector_of_bf16
// CHECK: arith.shli {{.*}} : vector<4xi32>
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK: arith.shrui {{.*}} : vector<4xi32>
// CHECK-NOT: {{extf|truncf}}
// CHECK: return
func.func @vector_of_bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %0 = arith.mulf %x, %x : vector<4xbf16>
  return %0 : vector<4xbf16>
}

// The reduction, too, runs in f32.
// CHECK-LABEL: @reduce
// CHECK: vector.reduction <add>, {{.*}} : vector<4xf32> into f32
func.func @reduce(%x: vector<4xbf16>) -> bf16 {
  %0 = vector.reduction <add>, %x : vector<4xbf16> into bf16
  return %0 : bf16
}

// From f64, f32 is rounded to odd, so that the second rounding is the only one.
// CHECK-LABEL: @round_once
// CHECK: %[[NEAREST:.*]] = arith.truncf %arg0 : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAREST]] : f32 to f64
// CHECK: arith.cmpf one, %[[BACK]], %arg0 : f64
// CHECK: arith.ori
// F16C: arith.truncf {{.*}} : f32 to f16
// SSE-NOT: truncf
// CHECK: return
func.func @round_once(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}

// CHECK-LABEL: @extend_in_steps
// F16C: %[[SINGLE:.*]] = arith.extf %arg0 : f16 to f32
// F16C: arith.extf %[[SINGLE]] : f32 to f64
// SSE: arith.bitcast %arg0 : f16 to i16
// SSE: arith.extf {{.*}} : f32 to f64
func.func @extend_in_steps(%x: f16) -> f64 {
  %0 = arith.extf %x : f16 to f64
  return %0 : f64
}
