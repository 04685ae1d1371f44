// RUN: brisk-opt %s --set-target=x86-64-v3 --expand-math -verify-diagnostics

func.func @cbrt(%x: f64) -> f64 {
  // expected-error @below {{no code for math.cbrt on 'f64' on target 'x86-64-v3'}}
  %0 = math.cbrt %x : f64
  return %0 : f64
}
