//===- StructuralOps.td - Constants, groups and control flow -*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_STRUCTURALOPS_TD
#define BRISK_DIALECT_STRUCTURALOPS_TD

include "brisk/Dialect/BriskAttrs.td"
include "brisk/Dialect/BriskBase.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def Brisk_ConstantOp : Brisk_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor known at compile time";
  let description = [{
    Large values are resources, which refer to the model's memory-mapped file.

    ```mlir
    %0 = brisk.constant dense<[1, 2]> : tensor<2xi64>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Brisk_Tensor:$result);
  let hasFolder = 1;
  let hasVerifier = 1;
  let assemblyFormat = "attr-dict $value";
}

def Brisk_GroupOp : Brisk_Op<"group", [
    IsolatedFromAbove, AttrSizedOperandSegments, DestinationStyleOpInterface,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite",
      "bufferizesToElementwiseAccess", "getAliasingValues", "bufferize",
      "hasTensorSemantics"]>]> {
  let summary = "ops that run as one kernel";
  let description = [{
    One anchor op with the elementwise ops fused around it. The region computes
    on tensors; its arguments stand for `ins` in order, and what it yields are
    the results, one for each of `outs` (destination style: `outs` give the
    place, never a value). The region says what is computed also after
    bufferization, when `ins` and `outs` are memrefs and there are no results.
    `scratch` is memory that each worker has for itself while it runs the group;
    the planner gives it to kernels that want some.

    ```mlir
    %r = brisk.group ins(%x, %y : tensor<4xf32>, tensor<4xf32>)
                     outs(%e : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %0 = brisk.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      brisk.yield %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$ins, Variadic<AnyType>:$outs,
                       Optional<StaticShapeMemRefOf<[I8]>>:$scratch,
                       OptionalAttr<Brisk_ScheduleAttr>:$schedule);
  let results = (outs Variadic<Brisk_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`schedule` $schedule^)? (`ins` `(` $ins^ `:` type($ins) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    attr-dict-with-keyword (`->` type($results)^)? $body
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    ::mlir::Block *getBlock() { return &getBody().front(); }
    /// The op that gives the group its kernel: the one that is not elementwise,
    /// or, in a group of elementwise ops and constants only, the last one.
    ::mlir::Operation *getAnchor();
    /// What the region yields, result by result.
    ::mlir::OperandRange getYielded();
  }];
}

def Brisk_YieldOp : Brisk_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "ends a region with its results";
  let description = [{
    ```mlir
    brisk.yield %0 : tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def Brisk_IfOp : Brisk_Op<"if", [SingleBlock, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "one of two regions, by a boolean";
  let description = [{
    ONNX `If`. Both regions yield the results' types.

    ```mlir
    %r = brisk.if %c : tensor<i1> -> tensor<4xf32> {
      brisk.yield %a : tensor<4xf32>
    } else {
      brisk.yield %b : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Brisk_BoolTensor:$condition);
  let results = (outs Variadic<Brisk_Tensor>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition `:` type($condition) (`->` type($results)^)? attr-dict-with-keyword
    $thenRegion `else` $elseRegion
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The region that a condition known at compile time takes; null if it is
    /// not known.
    ::mlir::Region *getTakenRegion();
    /// Replaces the op by the content of `taken`, one of its regions.
    void inlineRegion(::mlir::Region &taken, ::mlir::RewriterBase &rewriter);
  }];
  let hasCanonicalizeMethod = 1;
}

def Brisk_RequireOp : Brisk_Op<"require", []> {
  let summary = "fails the run unless a condition holds";
  let description = [{
    Guards code that is right only under a condition that the data decides: where
    one branch of a model cannot work at the shapes it is compiled for, the
    other one is compiled alone, behind this op. If `condition` is false, the
    run returns `BRISK_ERROR_BRANCH` and its outputs are unspecified.

    ```mlir
    brisk.require %c : tensor<i1>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Brisk_BoolTensor, I1]>:$condition);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
  let hasCanonicalizeMethod = 1;
}

def Brisk_UnpackOp : Brisk_Op<"unpack", [Pure]> {
  let summary = "the tensor that a packed one holds";
  let description = [{
    The inverse of packing by `layout`, whose zeros it leaves out. Stands in a
    group's region for the weights that the group's kernel reads packed.

    ```mlir
    %w = brisk.unpack %packed <shape = [16, 24], axes = [[1] by [16, 8], [0]]> : tensor<384xf32> -> tensor<1x1x16x24xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$packed, Brisk_PackedAttr:$layout);
  let results = (outs Brisk_Tensor:$result);
  let assemblyFormat = "$packed $layout attr-dict `:` type($packed) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Brisk_AssembleOp : Brisk_Op<"assemble", [Pure]> {
  let summary = "the tensor that has the given elements and is zero elsewhere";
  let description = [{
    The tensor's innermost dimension is its columns, all others together are its
    rows. Column `c` has `values[i]` in row `rows[i]` for each `i` of
    [`starts[c]`, `starts[c + 1]`); values in one place add up. Stands in a
    group's region for the weights of which the group's kernel reads those alone
    that are not zero. It is what `sparse_tensor.assemble` makes of compressed
    columns.

    ```mlir
    %w = brisk.assemble %values, %rows, %starts : tensor<40xf32>, tensor<40xui16>, tensor<25xi32> -> tensor<1x1x16x24xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$values, Brisk_Tensor:$rows,
                       Brisk_Tensor:$starts);
  let results = (outs Brisk_Tensor:$result);
  let assemblyFormat = [{
    $values `,` $rows `,` $starts attr-dict `:` type($values) `,` type($rows)
    `,` type($starts) `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Brisk_BorderOp : Brisk_Op<"border", [Pure]> {
  let summary = "a tensor of which only the border matters";
  let description = [{
    Holds `value` in the outer `low[i]` first and `high[i]` last places of each
    dimension `i`; what is inside is unspecified, and to be inserted.

    ```mlir
    %0 = brisk.border 0.0 : f32 low [0, 1, 1, 0] high [0, 1, 1, 0] -> tensor<1x10x10x8xf32>
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high);
  let results = (outs Brisk_Tensor:$result);
  let assemblyFormat = "$value `low` $low `high` $high attr-dict `->` type($result)";
  let hasVerifier = 1;
}

def Brisk_LaunchOp : Brisk_Op<"launch", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "runs the tasks of a kernel function";
  let description = [{
    Calls `kernel` with the operands and task ranges that together cover
    `0` to `tasks`, on any number of workers; it is not worth handing to more
    than `workers`. `op` is the number of the group in the plan.

    ```mlir
    brisk.launch @kernel_0(%a, %b) tasks 8 workers 2 op 3 : memref<4xf32>, memref<4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyMemRef>:$operands,
                       I64Attr:$tasks,
                       ConfinedAttr<I32Attr, [IntPositive]>:$workers,
                       I64Attr:$op);
  let assemblyFormat = [{
    $kernel `(` $operands `)` `tasks` $tasks `workers` $workers `op` $op attr-dict (`:` type($operands)^)?
  }];
}

#endif // BRISK_DIALECT_STRUCTURALOPS_TD
