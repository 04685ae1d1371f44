// RUN: brisk-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{'brisk.target' is "x86-64-v4", not a target, as #brisk.target<"x86-64-v4">}}
module attributes {brisk.target = "x86-64-v4"} {}

// -----

// expected-error @below {{'brisk.target' belongs to a module}}
func.func private @function() attributes {brisk.target = #brisk.target<"x86-64-v4">}

// -----

// expected-error @below {{expected 'triple'}}
module attributes {brisk.target = #brisk.target<"host", cpu = "znver4">} {}
