//===- LowerToLlvm.cpp - To the LLVM dialect ------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace brisk {
#define GEN_PASS_DEF_LOWERTOLLVM
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// Where an operand's first element lies.
static Value getPointer(ConversionPatternRewriter &rewriter, Location loc,
                        const LLVMTypeConverter &converter, Value descriptor,
                        MemRefType type) {
  MemRefDescriptor view(descriptor);
  Value base = view.alignedPtr(rewriter, loc);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (succeeded(type.getStridesAndOffset(strides, offset)) && offset == 0)
    return base;
  Type element = converter.convertType(type.getElementType());
  // Booleans take a byte, which is also what an i1 takes in memory.
  return LLVM::GEPOp::create(rewriter, loc, base.getType(), element, base,
                             view.offset(rewriter, loc));
}

namespace {
/// Hands the operands' pointers and the kernel's tasks to the dispatcher.
struct LowerLaunch : ConvertOpToLLVMPattern<LaunchOp> {
  LowerLaunch(const LLVMTypeConverter &converter, const ModelSymbols &symbols,
              bool profile)
      : ConvertOpToLLVMPattern(converter), symbols(symbols), profile(profile) {}

  LogicalResult
  matchAndRewrite(LaunchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CBuilder b(op.getLoc(), rewriter);
    auto function = op->getParentOfType<FunctionOpInterface>();
    Value hooks = getModelArgument(function, ModelArgument::Hooks);
    Value arguments =
        getModelArgument(function, ModelArgument::KernelArguments);
    for (auto [i, operand, descriptor] :
         llvm::enumerate(op.getOperands(), adaptor.getOperands())) {
      Value value = getPointer(rewriter, op.getLoc(), *getTypeConverter(),
                               descriptor, cast<MemRefType>(operand.getType()));
      LLVM::StoreOp::create(
          b, value, b.at(b.pointer, arguments, static_cast<int32_t>(i)));
    }
    Value start = profile ? b.call(symbols.clock(), hooks, b.i64) : Value();
    Value task = LLVM::AddressOfOp::create(b, b.pointer,
                                           ModelSymbols::task(op.getKernel()));
    b.call(symbols.dispatch(),
           {hooks, task, arguments, b.number(b.i64, op.getTasks()),
            b.number(b.i32, op.getWorkers())});
    if (profile)
      b.call(symbols.record(), {hooks, b.number(b.i32, op.getOp()), start});
    rewriter.eraseOp(op);
    return success();
  }

private:
  const ModelSymbols &symbols;
  bool profile;
};

/// Sets the run's status where the condition is false.
struct LowerRequire : ConvertOpToLLVMPattern<RequireOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(RequireOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CBuilder b(op.getLoc(), rewriter);
    Value status = getModelArgument(op->getParentOfType<FunctionOpInterface>(),
                                    ModelArgument::Status);
    Value after =
        LLVM::SelectOp::create(b, adaptor.getCondition(), b.load(b.i32, status),
                               b.number(b.i32, BRISK_ERROR_BRANCH));
    LLVM::StoreOp::create(b, after, status);
    rewriter.eraseOp(op);
    return success();
  }
};

/// A constant of floats that are integers to LLVM, by its bits.
struct LowerNarrowConstant : ConvertOpToLLVMPattern<arith::ConstantOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type bits = rewriter.getI16Type();
    Type element = getElementTypeOrSelf(op.getType());
    if (!isa<FloatType>(element) ||
        getTypeConverter()->convertType(element) != bits)
      return rewriter.notifyMatchFailure(op, "holds no narrow floats");
    TypedAttr value;
    if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      value = rewriter.getIntegerAttr(bits, number.getValue().bitcastToAPInt());
    else
      value = cast<DenseElementsAttr>(op.getValue()).bitcast(bits);
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
        op, getTypeConverter()->convertType(op.getType()), value);
    return success();
  }
};
} // namespace

/// Floats that the target cannot even convert are only stored, which integers
/// do as well: LLVM would compute with them, and call functions for that, even
/// where it finds nothing but integer arithmetic on their bits.
static void addNarrowFloats(LLVMTypeConverter &converter,
                            RewritePatternSet &patterns, const Isa &isa) {
  auto toBits = [&isa](Type type) -> Type {
    bool isStored =
        type.isBF16() ||
        (type.isF16() && !isa.has(Isa::Operation::Conversion, type));
    return isStored ? IntegerType::get(type.getContext(), 16) : Type();
  };
  converter.addConversion([=](FloatType type) -> std::optional<Type> {
    Type bits = toBits(type);
    return bits ? std::optional(bits) : std::nullopt;
  });
  converter.addConversion(
      [=, &converter](VectorType type) -> std::optional<Type> {
        Type bits = toBits(type.getElementType());
        return bits ? std::optional(converter.convertType(type.clone(bits)))
                    : std::nullopt;
      });
  patterns.add<LowerNarrowConstant>(converter, /*benefit=*/2);
}

/// Vector ops of higher rank and the like become what converts directly.
static LogicalResult lowerVectors(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::OuterProduct);
  vector::populateVectorOuterProductLoweringPatterns(patterns);
  vector::populateVectorMultiReductionLoweringPatterns(
      patterns, vector::VectorMultiReductionLowering::InnerParallel);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::Shuffle1D);
  vector::populateVectorTransferLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

namespace {
struct LowerToLlvm : brisk::impl::LowerToLlvmBase<LowerToLlvm> {
  using LowerToLlvmBase::LowerToLlvmBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *target = getTarget(module);
    if (!target)
      return signalPassFailure();
    const Platform &platform = target->platform;

    SmallVector<func::FuncOp> models;
    SmallVector<std::string> kernels;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isPublic())
        models.push_back(function);
      else
        kernels.push_back(function.getName().str());
    }
    if (models.size() != 1) {
      module.emitError("has ") << models.size() << " public functions, not one";
      return signalPassFailure();
    }
    ModelEntry entry(models.front(), *target);
    if (failed(lowerVectors(module)) || failed(entry.prepare()))
      return signalPassFailure();

    MLIRContext &context = getContext();
    LowerToLLVMOptions options(&context);
    options.useBarePtrCallConv = true;
    options.overrideIndexBitwidth(platform.indexBits);
    LLVMTypeConverter converter(&context, options);
    RewritePatternSet patterns(&context);
    addNarrowFloats(converter, patterns, target->isa);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns,
                                           /*reassociateFPReductions=*/true);
    patterns.add<LowerLaunch>(converter, entry.getSymbols(), profile);
    patterns.add<LowerRequire>(converter);
    LLVMConversionTarget legal(context);
    legal.addLegalOp<ModuleOp>();
    if (failed(applyFullConversion(module, legal, std::move(patterns))))
      return signalPassFailure();
    entry.finish(module, kernels, profile);
  }
};
} // namespace
