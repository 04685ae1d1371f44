// RUN: brisk-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'brisk.weights' is 3 : i64, not an array of constants}}
module attributes {brisk.weights = 3 : i64} {}

// -----

// expected-error @+1 {{not an array of constants}}
module attributes {brisk.weights = [dense<1> : tensor<4xi128>]} {}

// -----

// expected-error @+1 {{not an array of #brisk.op}}
module attributes {brisk.ops = [{name = "Add_0"}]} {}

// -----

// expected-error @+1 {{'brisk.ops' belongs to a module}}
func.func private @f() attributes {brisk.ops = []}

// -----

// expected-error @+1 {{'brisk.memory' belongs to a function}}
module attributes {brisk.memory = #brisk.memory<bytes = 0, bytes_per_worker = 0, peak = []>} {}

// -----

// expected-error @+1 {{'brisk.memory' is 64 : i64, not #brisk.memory}}
func.func private @f() attributes {brisk.memory = 64 : i64}

// -----

// expected-error @+1 {{expected #brisk.buffer as peak}}
func.func private @f() attributes {brisk.memory = #brisk.memory<bytes = 0, bytes_per_worker = 0, peak = [0]>}

// -----

// expected-error @+1 {{expected #brisk.port as inputs and outputs}}
func.func private @f() attributes {brisk.interface = #brisk.interface<inputs = ["x"], outputs = []>}

// -----

// expected-error @+2 {{failed to parse Brisk_InterfaceAttr parameter 'inputs'}}
// expected-error @+1 {{expected a tensor of static shape with numbers or booleans, found 'tensor<?xf32>'}}
func.func private @f() attributes {brisk.interface = #brisk.interface<inputs = [#brisk.port<name = "x", type = tensor<?xf32>>], outputs = []>}

// -----

// expected-error @+1 {{'brisk.name' is 3 : i64, not a string}}
func.func private @f(tensor<4xf32> {brisk.name = 3 : i64})

// -----

// expected-error @+1 {{'brisk.name' is unit, not a string}}
func.func private @f() -> (tensor<4xf32> {brisk.name})

// -----

// expected-error @+1 {{'brisk.dims' is ["n", 3], not an array of strings}}
func.func private @f(tensor<?x3xf32> {brisk.dims = ["n", 3]})

// -----

// expected-error @+1 {{'brisk.per_worker' is true, not a unit attribute}}
func.func private @f(memref<4xf32> {brisk.per_worker = true})
