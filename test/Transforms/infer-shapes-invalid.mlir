// RUN: brisk-opt %s --split-input-file --infer-shapes --verify-diagnostics

func.func @inputs(
    // expected-error @below {{input 'x' has dynamic dimensions: 0 ('batch') 2; fix them with --shape x=DIMS or --dim batch=N}}
    %x: tensor<?x3x?xf32> {brisk.name = "x", brisk.dims = ["batch", "", ""]},
    // expected-error @below {{input 'y' has no declared rank; fix it with --shape y=DIMS}}
    %y: tensor<*xf32> {brisk.name = "y"}) -> tensor<?x3x?xf32> {
  return %x : tensor<?x3x?xf32>
}

// -----

func.func @contradiction(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {
  %0 = brisk.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<?xf32>
  // expected-error @below {{operands do not broadcast: dimension 0 is 2 and 3}}
  %1 = brisk.add %0, %y : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<?xf32> {
  // expected-error @below {{shape of the result is not known at compile time: 'tensor<?xf32>'}}
  %0 = brisk.if %c : tensor<i1> -> tensor<?xf32> {
    brisk.yield %x : tensor<4xf32>
  } else {
    brisk.yield %y : tensor<5xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

func.func @computed(%x: tensor<5xf32>, %k: tensor<1xi64>) -> tensor<?xf32> {
  // expected-note @below {{the value is computed here}}
  %0 = brisk.add %k, %k : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  // expected-error @below {{shape of the result is not known at compile time: 'tensor<?xf32>'; a value must be constant}}
  %1, %2 = brisk.top_k %x, %0 : (tensor<5xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %1 : tensor<?xf32>
}

// -----

func.func @larger_than_memory(%x: tensor<4294967296x1xf32>, %y: tensor<1x?xf32>) -> tensor<?x4294967296xf32> {
  %0 = brisk.neg %x : (tensor<4294967296x1xf32>) -> tensor<?x1xf32>
  // expected-error @below {{the result has too many elements}}
  %1 = brisk.matmul %0, %y : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x4294967296xf32>
  return %1 : tensor<?x4294967296xf32>
}
