// RUN: brisk-opt %s --expand-math=target=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: brisk-opt %s --expand-math=target=x86-64-v2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: brisk-opt %s --expand-math=target=cortex-m4 | FileCheck %s --check-prefixes=CHECK,M4

// From the last operand on, the result is 1: that one depends on rounding.
// CHECK-LABEL: func.func @polynomial(
// CHECK-NOT: math.tanh
// V2: arith.constant dense<7.90531111>
// V3: math.fma
// V2-NOT: math.fma
// V2: arith.mulf
func.func @polynomial(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.tanh %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// What fits an integer is converted there and back.
// CHECK-LABEL: func.func @floor(
// CHECK-SAME: %[[X:.*]]: f32
// V3: math.floor
// M4-DAG: %[[I:.*]] = arith.fptosi %[[X]] : f32 to i32
// M4-DAG: %[[A:.*]] = math.absf %[[X]]
// M4: %[[F:.*]] = arith.sitofp %[[I]]
// M4: arith.cmpf ogt, %[[F]], %[[X]]
// M4: %[[R:.*]] = math.copysign
// M4: %[[SMALL:.*]] = arith.cmpf olt, %[[A]]
// M4: arith.select %[[SMALL]], %[[R]], %[[X]]
func.func @floor(%x: f32) -> f32 {
  %0 = math.floor %x : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @roundeven(
// V3: math.roundeven
// M4: arith.addf
// M4: arith.subf
func.func @roundeven(%x: vector<1xf32>) -> vector<1xf32> {
  %0 = math.roundeven %x : vector<1xf32>
  return %0 : vector<1xf32>
}

// One comparison does where one side is known to be a number.
// CHECK-LABEL: func.func @relu(
// CHECK-SAME: %[[X:.*]]: f32
// V3: arith.maximumf
// M4: %[[ZERO:.*]] = arith.constant 0.0
// M4: %[[C:.*]] = arith.cmpf oge, %[[ZERO]], %[[X]]
// M4: %[[R:.*]] = arith.select %[[C]], %[[ZERO]], %[[X]]
// M4: return %[[R]]
func.func @relu(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = arith.maximumf %x, %zero fastmath<nsz> : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @minimum(
// M4: arith.cmpf uno
func.func @minimum(%x: f32, %y: f32) -> f32 {
  %0 = arith.minimumf %x, %y fastmath<nsz> : f32
  return %0 : f32
}

// The operand and the result are kept within bounds, a NaN is not.
// CHECK-LABEL: func.func @erf(
// CHECK-SAME: %[[X:.*]]: vector<4xf32>
// CHECK-DAG: %[[LAST:.*]] = arith.constant dense<3.920000e+00>
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// CHECK: %[[ABOVE:.*]] = arith.cmpf olt, %[[LAST]], %[[X]]
// CHECK: arith.select %[[ABOVE]], %[[LAST]], %[[X]]
// CHECK-COUNT-1: arith.divf
// CHECK: %[[Y:.*]] = arith.mulf
// CHECK: %[[PAST:.*]] = arith.cmpf olt, %[[ONE]], %[[Y]]
// CHECK: arith.select %[[PAST]], %[[ONE]], %[[Y]]
func.func @erf(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.erf %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// One addition rounds to the exponent, whose bits a shift puts in place.
// CHECK-LABEL: func.func @exp(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant 0x4B40007F : f32
// CHECK-DAG: %[[BITS:.*]] = arith.constant 23 : i32
// V3: %[[SHIFTED:.*]] = math.fma {{.*}}, %[[SHIFT]]
// CHECK: %[[K:.*]] = arith.subf %{{.*}}, %[[SHIFT]]
// CHECK: arith.shli %{{.*}}, %[[BITS]] : i32
// CHECK-NOT: math.exp
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// The quotient's last bits tell the quarter of the turn: sine or cosine, and the
// sign.
// CHECK-LABEL: func.func @cos(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant 0x4B400000 : f32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// V3: %[[SHIFTED:.*]] = math.fma %[[X]], %{{.*}}, %[[SHIFT]]
// V3: %[[K:.*]] = arith.subf %[[SHIFTED]], %[[SHIFT]]
// V3-COUNT-3: math.fma %[[K]],
// V3: %[[BITS:.*]] = arith.bitcast %[[SHIFTED]] : f32 to i32
// V3: %[[QUARTERS:.*]] = arith.addi %[[BITS]], %[[ONE]]
// V3: %[[LAST:.*]] = arith.andi %[[QUARTERS]], %[[ONE]]
// CHECK: arith.xori
// CHECK-NOT: math.cos
func.func @cos(%x: f32) -> f32 {
  %0 = math.cos %x : f32
  return %0 : f32
}

// Numbers below the least normal one are made larger before.
// CHECK-LABEL: func.func @log(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: %[[SMALL:.*]] = arith.cmpf olt, %[[X]]
// CHECK: %[[LARGE:.*]] = arith.mulf %[[X]]
// CHECK: arith.select %[[SMALL]], %[[LARGE]], %[[X]]
// CHECK-NOT: math.log
func.func @log(%x: f32) -> f32 {
  %0 = math.log %x : f32
  return %0 : f32
}
