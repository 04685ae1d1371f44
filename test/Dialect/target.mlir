// RUN: brisk-opt %s -split-input-file | FileCheck %s

// CHECK: module attributes {brisk.target = #brisk.target<"x86-64-v4">}
module attributes {brisk.target = #brisk.target<"x86-64-v4">} {}

// -----

// CHECK: module attributes {brisk.target = #brisk.target<"host", triple = "x86_64-pc-linux-gnu", cpu = "\22", features = "">}
module attributes {brisk.target = #brisk.target<"host", triple = "x86_64-pc-linux-gnu", cpu = "\22", features = "">} {}
