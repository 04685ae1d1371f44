//===- BriskInterfaces.td - Interfaces of the dialect's ops -*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BRISKINTERFACES_TD
#define BRISK_DIALECT_BRISKINTERFACES_TD

include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// What every op says of itself
//===----------------------------------------------------------------------===//

def Brisk_ComputeOpInterface : OpInterface<"ComputeOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op that computes tensors from tensors, as opposed to constants, control
    flow and what groups are made of. `Brisk_InferredOp` brings the interface
    and takes most of what it says from fields of the definition.
  }];
  let methods = [
    InterfaceMethod<[{
      True if operand `number` says what the op does rather than being data: a
      shape, axes, pads. The definition marks it as `Brisk_Parameter`.
    }], "bool", "isParameter", (ins "unsigned":$number), "", [{ return false; }]>,
    InterfaceMethod<[{
      True unless what the op does depends on a parameter that is not a constant,
      or a wrong one. Only then may the op be rewritten or run.
    }], "bool", "hasKnownParameters", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
      What the plan stage makes of an op that needs no kernel, since it says
      where tensors lie and not what they hold; none for one that is to be
      computed. During import types may be open: none then where places depend on
      them.
    }], "::std::optional<::brisk::View>", "getView", (ins), "",
      [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
      Floating point operations of one run, for the cost model and the profile;
      a multiply-add is two. The definition gives them as `flops`.
    }], "uint64_t", "countFlops", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
      True if elementwise ops that lead to the first operand join the op's group:
      its kernels read the operand row by row and can compute it in passing.
      Those that follow an op join its group in any case.
    }], "bool", "fusesProducers", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      True if the op reads columns of a larger tensor as well as a tensor of its
      own: in place, and without being part of the group that computes it.
    }], "bool", "readsColumns", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      True if each element of the result is an element of an operand that is data,
      chosen by its place or as the largest of some. The op does the same with
      integers that stand for the elements by one positive scale.
    }], "bool", "choosesElements", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      For each dimension of operand `number`, the dimension of the first result
      that keeps its places apart: what the result holds at a place there depends on
      what the operand holds at that place, and on nothing else of the operand. -1
      for a dimension whose places come together, or end up at other places, as
      those of views may (`getView`). Shapes are static, parameters known.
    }], "::llvm::SmallVector<int64_t>", "getKeptDims", (ins "unsigned":$number), "", [{
      return ::brisk::keepDims($_op, number, [](int64_t) { return true; });
    }]>,
    InterfaceMethod<[{
      What scaling operand `number` does to the first result.
    }], "::brisk::Scaling", "getScaling", (ins "unsigned":$number), "", [{
      return $_op.choosesElements() && !$_op.isParameter(number)
                 ? ::brisk::Scaling::Together
                 : ::brisk::Scaling::None;
    }]>
  ];
  let extraSharedClassDeclaration = [{
    /// The numbers of elements of the first operand and of the first result.
    uint64_t countInputs() {
      return ::brisk::countElements($_op->getOperand(0));
    }
    uint64_t countResults() {
      return ::brisk::countElements($_op->getResult(0));
    }
  }];
}

def Brisk_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op with one result, each element of which depends on the elements of the
    operands at the same place after NumPy broadcasting. Lowering, fusion and
    constant folding all go through `buildElement`.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the computation on element values: scalars, or vectors of one
      shape. Operand `i` has the operand tensor's element type made signless
      (`ui8` comes as `i8`; booleans as `i1`), and the result is to have the
      result's. Signedness is read off the op's own types. The ops built are of
      `arith` and `math` only, and have no undefined behaviour for any input.
    }], "::mlir::Value", "buildElement",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$operands)>,
    InterfaceMethod<[{
      False if constant operands are kept as they are, unless each repeats one
      element: what stands for the result takes less memory than the result.
    }], "bool", "foldsConstants", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
      Instructions that an element takes in a kernel that computes it among
      others, where these are not its floating point operations.
    }], "::std::optional<uint64_t>", "getInstructions", (ins), "",
      [{ return ::std::nullopt; }]>
  ];
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

def Brisk_AxisOpInterface : OpInterface<"AxisOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op with the attribute `axis`, which counts the first operand's dimensions,
    a negative one from the back.
  }];
  let methods = [
    InterfaceMethod<"The attribute as it stands.", "int64_t", "getAxis">,
    InterfaceMethod<"Sets the attribute.", "void", "setAxis",
                    (ins "uint64_t":$axis)>,
    InterfaceMethod<"`axis` counted from the front; the rank is known.",
      "int64_t", "getNormalizedAxis", (ins), "", [{
        return ::brisk::countFromFront($_op.getAxis(), $_op->getOperand(0));
      }]>
  ];
}

def Brisk_PermutableOpInterface : OpInterface<"PermutableOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op with one result that computes the same with its dimensions in another
    order, if those of its operands and of its result follow. It works in a space
    of dimensions of its own, along each of which lie some consecutive dimensions
    of each tensor: as linalg's indexing maps, but that a reshape, too, can say
    which of its dimensions move together.

    By default the space is the result's and the operands that are data broadcast
    to it; an attribute `axis` follows the dimension that it names. The op has
    static shapes.
  }];
  let methods = [
    InterfaceMethod<[{
      The space of dimensions; none if their order is fixed.
    }], "::std::optional<::brisk::DimSpace>", "getDimSpace", (ins), "", [{
      return ::brisk::getBroadcastSpace($_op);
    }]>,
    InterfaceMethod<[{
      True if the op can run with its dimensions in the order `permutation`, in
      which dimension `permutation[i]` comes to place `i`.
    }], "bool", "canPermute", (ins "::llvm::ArrayRef<int64_t>":$permutation), "",
      [{ return true; }]>,
    InterfaceMethod<[{
      Builds the op with its dimensions in the order `permutation`, on `operands`,
      whose shapes are permuted accordingly (parameters are what they were), and
      with a result of `type`.
    }], "::mlir::Value", "permute",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::RankedTensorType":$type,
           "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<int64_t>":$permutation), "", [{
      return ::brisk::permuteClone(builder, $_op, type, operands, permutation);
    }]>,
    InterfaceMethod<[{
      The dimension along which the op works, if there is one that is best the
      innermost for that.
    }], "::std::optional<int64_t>", "getInnermostDim", (ins), "",
      [{ return ::std::nullopt; }]>
  ];
}

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

def Brisk_WindowOpInterface : OpInterface<"WindowOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op of windows that slide over the spatial dimensions of its first operand,
    N x spatial x C.
  }];
  let methods = [
    InterfaceMethod<[{
      The windows; fails while the input's shape, or the filter's, is unknown.
    }], "::mlir::FailureOr<::brisk::Window>", "getWindow">,
    InterfaceMethod<[{
      Adds to what the attributes list a spatial dimension in front, in which
      windows have one place and there is one window.
    }], "void", "addSpatialDim">
  ];
}

def Brisk_WeightedOpInterface : OpInterface<"WeightedOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op whose result is linear in its second operand, the weights. Input
    channels are the first operand's last dimension, output channels the
    result's.
  }];
  let methods = [
    InterfaceMethod<[{
      True if a third operand may hold a bias, an element for each channel.
    }], "bool", "takesBias", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
      The output channel that element `i` of the weights belongs to.
    }], "int64_t", "getChannelOf", (ins "uint64_t":$i), "", [{
      return i % ::llvm::cast<::mlir::ShapedType>(
          $_op->getOperand(1).getType()).getShape().back();
    }]>,
    InterfaceMethod<[{
      The groups that both kinds of channels are split into: an output channel is
      a sum of products with the input channels of its group. 0 where channels
      are not multiplied by one matrix.
    }], "int64_t", "countGroups", (ins), "", [{ return $_op.getGroup(); }]>,
    InterfaceMethod<[{
      The input channel that element `i` of the weights is multiplied by, where
      there are groups.
    }], "int64_t", "getInputChannelOf", (ins "uint64_t":$i)>
  ];
}

def Brisk_RecurrentOpInterface : OpInterface<"RecurrentOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    A recurrent layer: `lstm` describes operands and attributes that all have.
  }];
  let methods = [
    InterfaceMethod<"The sequences.", "::mlir::OpOperand &", "getXMutable">,
    InterfaceMethod<[{
      The weights of the input; none if `x` holds the products already.
    }], "::mlir::MutableOperandRange", "getWMutable">,
    InterfaceMethod<"The weights of the states.", "::mlir::OpOperand &", "getRMutable">,
    InterfaceMethod<"The scales of `r`, if it is integers.",
      "::mlir::MutableOperandRange", "getRScaleMutable">,
    InterfaceMethod<"The zero points of `r`, if it has any.",
      "::mlir::MutableOperandRange", "getRZeroMutable">,
    InterfaceMethod<"The sums of the columns of `r`, if states are quantized.",
      "::mlir::MutableOperandRange", "getRSumsMutable">,
    InterfaceMethod<"Says of how many bits `r` is, if it is integers.", "void", "setRBits",
      (ins "::std::optional<uint64_t>":$bits)>,
    InterfaceMethod<"Says how many rows of `r` share a scale.", "void", "setRBlock",
      (ins "::std::optional<uint64_t>":$block)>,
    InterfaceMethod<"Whether states are quantized where `r` allows it.", "bool",
      "getQuantizesStates">,
    InterfaceMethod<"Says whether they are.", "void", "setQuantizesStates",
      (ins "bool":$value)>
  ];
}

def Brisk_CompositeOpInterface : OpInterface<"CompositeOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op that other ops can take the place of. It stands in the IR until the
    pass `decompose`, so that stages before may treat it as a whole.
  }];
  let methods = [
    InterfaceMethod<[{
      Makes the ops that compute the same, and gives their values for the op's
      results. Shapes are static.
    }], "::llvm::SmallVector<::mlir::Value>", "decompose",
      (ins "::mlir::OpBuilder &":$builder)>
  ];
}

#endif // BRISK_DIALECT_BRISKINTERFACES_TD
