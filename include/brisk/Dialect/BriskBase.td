//===- BriskBase.td - Dialect, types and base classes ------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BRISKBASE_TD
#define BRISK_DIALECT_BRISKBASE_TD

include "brisk/Dialect/BriskInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Brisk_Dialect : Dialect {
  let name = "brisk";
  let cppNamespace = "::brisk";
  let summary = "Neural network operations, one meaning each.";
  let description = [{
    Every op has one meaning, whatever the ONNX opset its model was written
    for. Tensors with spatial dimensions are channels-last: `N x spatial x C`;
    other layouts are spelled with explicit `brisk.transpose` ops.

    Element types: `f16`, `bf16`, `f32`, `f64`, `i1` (booleans), signless `i8`
    to `i64` for signed integers and `ui8` to `ui64` for unsigned ones.

    Parameters that ONNX passes as tensors (shapes, axes that may be computed,
    pads) are operands; after the `shapes` stage they are constants.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// On a module: the machine that it is compiled for, a TargetAttr.
    static constexpr ::llvm::StringLiteral targetAttrName = "brisk.target";
    // On a module: the constants that make up the weights, in order, each of
    // which begins at the next multiple of the target's alignment; and, in run
    // order, an OpInfoAttr for each group.
    static constexpr ::llvm::StringLiteral weightsAttrName = "brisk.weights";
    static constexpr ::llvm::StringLiteral opsAttrName = "brisk.ops";
    // On a model's function: an InterfaceAttr and a MemoryAttr.
    static constexpr ::llvm::StringLiteral interfaceAttrName = "brisk.interface";
    static constexpr ::llvm::StringLiteral memoryAttrName = "brisk.memory";
    // On a model's inputs and results: their ONNX names; on inputs, the symbolic
    // names of their dimensions, "" where there is none.
    static constexpr ::llvm::StringLiteral nameAttrName = "brisk.name";
    static constexpr ::llvm::StringLiteral dimsAttrName = "brisk.dims";
    // On an argument of a kernel that points to a worker's own memory: launches
    // pass that of worker 0.
    static constexpr ::llvm::StringLiteral perWorkerAttrName = "brisk.per_worker";
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Brisk_Bool : AnyTypeOf<[I1], "boolean">;
def Brisk_Float : AnyTypeOf<[F16, BF16, F32, F64], "floating point">;
def Brisk_SInt : AnyTypeOf<[I8, I16, I32, I64], "signed integer">;
def Brisk_UInt : AnyTypeOf<[UI8, UI16, UI32, UI64], "unsigned integer">;
def Brisk_Int : AnyTypeOf<[Brisk_SInt, Brisk_UInt], "integer">;
def Brisk_Number : AnyTypeOf<[Brisk_Float, Brisk_Int], "number">;
def Brisk_Element : AnyTypeOf<[Brisk_Number, Brisk_Bool], "element">;

// Only tensors that memory could hold are valid, so no arithmetic on sizes
// overflows.
class Brisk_TensorOf<list<Type> elements>
    : TensorOf<elements,
               [Or<[Neg<HasRankPred>,
                    CPred<"::brisk::isAddressable("
                          "::llvm::cast<::mlir::ShapedType>($_self).getShape())">]>]>;
def Brisk_Tensor : Brisk_TensorOf<[Brisk_Element]>;
def Brisk_NumberTensor : Brisk_TensorOf<[Brisk_Number]>;
def Brisk_FloatTensor : Brisk_TensorOf<[Brisk_Float]>;
def Brisk_IntTensor : Brisk_TensorOf<[Brisk_Int]>;
def Brisk_BoolTensor : Brisk_TensorOf<[Brisk_Bool]>;
// Axes, shapes, pads, indices.
def Brisk_IndexTensor : Brisk_TensorOf<[I32, I64]>;
// A value as an op's parameter: shapes and the like, one-dimensional.
def Brisk_ShapeTensor : Brisk_TensorOf<[I64]>;

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

class Brisk_Op<string mnemonic, list<Trait> traits = []>
    : Op<Brisk_Dialect, mnemonic, traits>;

// Result types follow from operands and attributes; a result's own type may be
// more precise.
def Brisk_InferTypes : InferTypeOpAdaptorBase<[{
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                        ::mlir::TypeRange actual) {
      return ::brisk::areCompatible(inferred, actual);
    }
  }]>;

// The same of products, where sums of 16-bit floats may be kept as f32.
def Brisk_InferProductTypes : InferTypeOpAdaptorBase<[{
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                        ::mlir::TypeRange actual) {
      return ::brisk::areCompatibleSums(inferred, actual);
    }
  }]>;

// An operand that says what the op does rather than being data: a shape, axes.
class Brisk_Parameter<TypeConstraint type> : Arg<type>;

// A pure op that computes tensors, by default one, whose types are inferred. What
// it says of itself by `ComputeOpInterface` stands in the fields below. `methods` are
// declarations to add to the C++ class, and may be those of the interface where a
// field does not do; the definitions stand in the family's .cpp.
class Brisk_InferredOp<string mnemonic, list<Trait> traits = [], string methods = "",
                       Trait inferTypes = Brisk_InferTypes>
    : Brisk_Op<mnemonic, !listconcat([Pure, inferTypes, Brisk_ComputeOpInterface], traits)> {
  // `countFlops` as a C++ expression; without it 0: of ops that move
  // elements only, or that are taken apart before kernels are chosen.
  string flops = "";
  // C++ expressions of the interface's methods of these names.
  string hasKnownParameters = "";
  string choosesElements = "";
  string keptDims = "";
  string scaling = "";
  bit fusesProducers = 0;
  bit readsColumns = 0;
  // Of elementwise ops.
  bit foldsConstants = 1;
  string instructions = "";

  // The places in `arguments` of those that are a Brisk_Parameter.
  list<int> parameters = !filter(i, !range(!size(arguments)),
      !initialized(!getdagarg<Brisk_Parameter>(arguments, i)));
  let extraClassDeclaration = methods
      # !if(!empty(flops), "", "uint64_t countFlops() { return " # flops # "; }\n")
      # !if(!empty(hasKnownParameters), "",
            "bool hasKnownParameters() { return " # hasKnownParameters # "; }\n")
      # !if(!empty(choosesElements), "",
            "bool choosesElements() { return " # choosesElements # "; }\n")
      # !if(!empty(keptDims), "",
            "::llvm::SmallVector<int64_t> getKeptDims(unsigned number) { return "
            # keptDims # "; }\n")
      # !if(!empty(scaling), "",
            "::brisk::Scaling getScaling(unsigned number) { return " # scaling # "; }\n")
      # !if(!empty(instructions), "",
            "::std::optional<uint64_t> getInstructions() { return " # instructions # "; }\n")
      # !if(fusesProducers, "bool fusesProducers() { return true; }\n", "")
      # !if(readsColumns, "bool readsColumns() { return true; }\n", "")
      # !if(foldsConstants, "", "bool foldsConstants() { return false; }\n")
      # !if(!empty(parameters), "", [{
    bool isParameter(unsigned number) {
      for (unsigned i : {}] # !interleave(parameters, ", ") # [{}) {
        auto [first, count] = getODSOperandIndexAndLength(i);
        if (number >= first && number < first + count)
          return true;
      }
      return false;
    }
  }]);
  let results = (outs Brisk_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif // BRISK_DIALECT_BRISKBASE_TD
