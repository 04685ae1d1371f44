// RUN: brisk-opt %s --set-target=x86-64-v3 --expand-math | FileCheck %s --check-prefixes=CHECK,V3
// RUN: brisk-opt %s --set-target=x86-64-v2 --expand-math | FileCheck %s --check-prefixes=CHECK,V2
// RUN: brisk-opt %s --set-target=cortex-m4 --expand-math | FileCheck %s --check-prefixes=CHECK,M4

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
// sign. Large angles are reduced apart.
// CHECK-LABEL: func.func @cos(
// CHECK-SAME: %[[X:.*]]: f32
// V3: %[[SHIFTED:.*]] = math.fma %[[X]], %{{.*}}, %[[SHIFT:.*]] : f32
// V3: %[[K:.*]] = arith.addf %[[SHIFTED]],
// V3-COUNT-3: math.fma %[[K]],
// CHECK: %[[LARGE:.*]] = arith.cmpf ogt
// CHECK: scf.if %[[LARGE]]
// CHECK: memref.get_global @two_by_pi
// CHECK: } else {
// CHECK: arith.xori
// CHECK-NOT: math.cos
func.func @cos(%x: f32) -> f32 {
  %0 = math.cos %x : f32
  return %0 : f32
}

// One large angle among them, and each lane is looked at.
// CHECK-LABEL: func.func @sin(
// CHECK: %[[ANY:.*]] = vector.reduction <or>
// CHECK: scf.if %[[ANY]]
// CHECK: scf.for
// CHECK-NOT: math.sin
func.func @sin(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.sin %x : vector<4xf64>
  return %0 : vector<4xf64>
}

// A root of -inf and of -0 is no power.
// CHECK-LABEL: func.func @root(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %{{.*}}
// CHECK: %[[ROOT:.*]] = math.sqrt %[[SUM]]
// CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[X]],
// CHECK: arith.select %[[IS]], %{{.*}}, %[[ROOT]]
func.func @root(%x: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %0 = math.powf %x, %half : f32
  return %0 : f32
}

// Long division; without instructions for doubles, always.
// CHECK-LABEL: func.func @remainder(
// V3: arith.divf
// V3: scf.if
// M4-NOT: arith.divf
// CHECK: scf.for
// CHECK: arith.remui
func.func @remainder(%x: f32, %y: f32) -> f32 {
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}

// What is an instruction for f32 alone.
// CHECK-LABEL: func.func @sqrt(
// V3: math.sqrt
// M4: scf.for
// M4-NOT: math.sqrt
func.func @sqrt(%x: f64) -> f64 {
  %0 = math.sqrt %x : f64
  return %0 : f64
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

// The taps of dilated and padded windows begin at a quotient that is rounded up.
// CHECK-LABEL: func.func @rounded_up(
// CHECK-NOT: arith.ceildivsi
// CHECK: arith.divsi
// CHECK-NOT: arith.ceildivsi
func.func @rounded_up(%a: index) -> index {
  %c2 = arith.constant 2 : index
  %0 = arith.ceildivsi %a, %c2 : index
  return %0 : index
}

// A byte is rounded by an instruction where there is one, and bounded as an
// integer. NaN is 0, whatever the zero point.
// CHECK-LABEL: func.func @to_byte(
// M4-SAME: %[[X:.*]]: f32
// M4: %[[ROUNDED:.*]] = llvm.call_intrinsic "llvm.arm.vcvtr.f32"(%[[X]]) : (f32) -> f32
// M4: %[[BITS:.*]] = arith.bitcast %[[ROUNDED]] : f32 to i32
// M4: %[[NUMBER:.*]] = arith.cmpf ord, %[[X]], %[[X]]
// M4: %[[SAFE:.*]] = arith.select %[[NUMBER]], %[[BITS]], %{{.*}} : i32
// M4: %[[SUM:.*]] = llvm.call_intrinsic "llvm.sadd.sat"(%[[SAFE]], %{{.*}}) : (i32, i32) -> i32
// M4: %[[LOW:.*]] = arith.maxsi %[[SUM]]
// M4: %[[HIGH:.*]] = arith.minsi %[[LOW]]
// M4: arith.trunci %[[HIGH]] : i32 to i8
// M4-NOT: arith.addf
// V3-NOT: llvm.call_intrinsic
// V3: arith.addf
func.func @to_byte(%x: f32) -> i8 {
  %low = arith.constant -7.0 : f32
  %high = arith.constant 248.0 : f32
  %shift = arith.constant 12582912.0 : f32
  %zero = arith.constant 7 : i32
  %0 = arith.cmpf ogt, %x, %low : f32
  %1 = arith.select %0, %x, %low : f32
  %2 = arith.cmpf olt, %1, %high : f32
  %3 = arith.select %2, %1, %high : f32
  %4 = arith.addf %3, %shift : f32
  %5 = arith.bitcast %4 : f32 to i32
  %6 = arith.addi %5, %zero : i32
  %7 = arith.trunci %6 : i32 to i8
  return %7 : i8
}

// Other bounds than those of bytes stay.
// CHECK-LABEL: func.func @to_less(
// CHECK-NOT: llvm.call_intrinsic
// CHECK: arith.addf
func.func @to_less(%x: f32) -> i8 {
  %low = arith.constant 0.0 : f32
  %high = arith.constant 100.0 : f32
  %shift = arith.constant 12582912.0 : f32
  %0 = arith.cmpf ogt, %x, %low : f32
  %1 = arith.select %0, %x, %low : f32
  %2 = arith.cmpf olt, %1, %high : f32
  %3 = arith.select %2, %1, %high : f32
  %4 = arith.addf %3, %shift : f32
  %5 = arith.bitcast %4 : f32 to i32
  %6 = arith.trunci %5 : i32 to i8
  return %6 : i8
}
