// RUN: brisk-opt %s --set-target=x86-64-v3 --lower-views --split-input-file --verify-diagnostics

func.func @elementwise(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'brisk.neg' op is neither a view nor in a group; run --form-groups first}}
  %0 = brisk.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @strided(%x: tensor<8xf32>) -> tensor<4xf32> {
  %start = brisk.constant dense<0> : tensor<1xi64>
  %end = brisk.constant dense<8> : tensor<1xi64>
  %step = brisk.constant dense<2> : tensor<1xi64>
  // expected-error @below {{'brisk.slice' op is neither a view nor in a group}}
  %0 = brisk.slice %x, %start, %end steps %step : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @crop(%x: tensor<8xf32>) -> tensor<7xf32> {
  %pads = brisk.constant dense<[1, -2]> : tensor<2xi64>
  // expected-error @below {{'brisk.pad' op is neither a view nor in a group}}
  %0 = brisk.pad constant %x, %pads : (tensor<8xf32>, tensor<2xi64>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
