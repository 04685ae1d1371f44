// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @add(
func.func @add(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.add {{.*}} -> tensor<2x3xf32>
  %0 = brisk.add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sub(
func.func @sub(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.sub {{.*}} -> tensor<2x3xf32>
  %0 = brisk.sub %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @mul(
func.func @mul(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.mul {{.*}} -> tensor<2x3xf32>
  %0 = brisk.mul %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @div(
func.func @div(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.div {{.*}} -> tensor<2x3xf32>
  %0 = brisk.div %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @min(
func.func @min(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.min {{.*}} -> tensor<2x3xf32>
  %0 = brisk.min %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @max(
func.func @max(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.max {{.*}} -> tensor<2x3xf32>
  %0 = brisk.max %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @mod(
func.func @mod(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.mod {{.*}} -> tensor<2x3xf32>
  %0 = brisk.mod %a, %b {fmod} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @pow(
func.func @pow(%a: tensor<2x3xf32>, %b: tensor<3xi64>) -> tensor<2x3xf32> {
  // CHECK: brisk.pow {{.*}} -> tensor<2x3xf32>
  %0 = brisk.pow %a, %b : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @neg(
func.func @neg(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.neg {{.*}} -> tensor<2x3xf32>
  %0 = brisk.neg %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @abs(
func.func @abs(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.abs {{.*}} -> tensor<2x3xf32>
  %0 = brisk.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sign(
func.func @sign(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.sign {{.*}} -> tensor<2x3xf32>
  %0 = brisk.sign %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @reciprocal(
func.func @reciprocal(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.reciprocal {{.*}} -> tensor<2x3xf32>
  %0 = brisk.reciprocal %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sqrt(
func.func @sqrt(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.sqrt {{.*}} -> tensor<2x3xf32>
  %0 = brisk.sqrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @broadcast_of_dynamic(
func.func @broadcast_of_dynamic(%a: tensor<?x1xui8>, %b: tensor<4xui8>) -> tensor<?x4xui8> {
  // CHECK: brisk.add {{.*}} -> tensor<?x4xui8>
  %0 = brisk.add %a, %b : (tensor<?x1xui8>, tensor<4xui8>) -> tensor<?x4xui8>
  return %0 : tensor<?x4xui8>
}

// CHECK-LABEL: func.func @unranked(
func.func @unranked(%a: tensor<*xbf16>, %b: tensor<4xbf16>) -> tensor<*xbf16> {
  // CHECK: brisk.add {{.*}} -> tensor<*xbf16>
  %0 = brisk.add %a, %b : (tensor<*xbf16>, tensor<4xbf16>) -> tensor<*xbf16>
  return %0 : tensor<*xbf16>
}
