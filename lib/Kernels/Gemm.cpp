//===- Gemm.cpp - Matrix products and direct convolution --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of MR rows by NR columns of the result stays in registers while the
// reduction runs; the right operand's rows are loaded as vectors, the left
// operand's elements are broadcast. A constant right operand is packed into
// panels of NR columns, each panel the reduction's rows one after the other;
// the last panel is as narrow as whole vectors allow.
//
// Schedule: `mr`, rows of a tile; `nv`, vectors of columns of a tile (NR is nv
// times the lanes); `unroll` of the reduction; `panels_outer`, 1 where all rows
// are computed for a panel before the next one.
//
//===----------------------------------------------------------------------===//

#include "GemmProblem.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Families.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
/// How the result is cut into tiles.
struct Tiling {
  Tiling(const GemmProblem &problem, ScheduleAttr schedule, const Isa &isa)
      : Tiling(problem, schedule.getInt("mr"), schedule.getInt("nv"),
               isa.getLanes(Float32Type::get(schedule.getContext()))) {}
  Tiling(const GemmProblem &problem, int64_t mr, int64_t nv, int64_t lanes)
      : lanes(lanes), mr(mr), nr(nv * lanes),
        rowTiles(llvm::divideCeil(problem.inner.size, mr)),
        rowTail(problem.inner.size % mr), fullPanels(problem.columns / nr),
        columnTail(problem.columns % nr),
        tailVectors(llvm::divideCeil(columnTail, lanes)),
        panels(fullPanels + (columnTail != 0)),
        tasks(problem.getOuterSize() * rowTiles * panels) {}

  int64_t lanes, mr, nr;
  int64_t rowTiles, rowTail;
  int64_t fullPanels, columnTail, tailVectors, panels;
  int64_t tasks;
};

class GemmKernel : public Kernel {
public:
  StringRef getName() const override { return "gemm"; }
  void getSchedules(GroupOp group, const Isa &isa,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override;
  double getCost(GroupOp group, ScheduleAttr schedule,
                 const Isa &isa) const override;
  void pack(GroupOp group, const Isa &isa,
            RewriterBase &rewriter) const override;
  int64_t getTasks(GroupOp group, const Isa &isa) const override {
    return Tiling(*matchGemm(group), group.getScheduleAttr(), isa).tasks;
  }
  bool canRunInPlace(GroupOp group, unsigned in, unsigned out) const override;
  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override;
};

/// Emits tiles.
class TileEmitter {
public:
  TileEmitter(KernelBuilder &b, GroupOp group, const GemmProblem &problem,
              const Tiling &tiling, ValueRange ins, ValueRange outs);
  /// The tile of task number `task`.
  void emitTask(Value task, bool panelsOuter, int64_t unroll);

private:
  Value flatten(Value memref);
  void emitTile(Value outer, Value rowTile, Value panel, int64_t rows,
                int64_t vectors, int64_t lastLanes, int64_t unroll);
  SmallVector<Value> initialize(Value column, int64_t rows, int64_t vectors,
                                Value lastMask);
  /// Sums `depth` elements from `lhs` and rows of `rhs` on.
  SmallVector<Value> reduce(Value lhs, Value rhs, ValueRange sums, int64_t rows,
                            int64_t vectors, Value lastMask, int64_t rhsStride,
                            int64_t unroll);

  KernelBuilder &b;
  const GemmProblem &problem;
  const Tiling &tiling;
  Epilogue epilogue;
  Value lhs, rhs, bias;
  VectorType vector;
};
} // namespace

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

void GemmKernel::getSchedules(GroupOp group, const Isa &isa,
                              SmallVectorImpl<ScheduleAttr> &schedules) const {
  std::optional<GemmProblem> problem = matchGemm(group);
  if (!problem)
    return;
  int64_t lanes = isa.getLanes(Float32Type::get(group.getContext()));
  int64_t wanted = llvm::divideCeil(problem->columns, lanes);
  int64_t rhsBytes = problem->getReduction() * problem->columns * 4;
  bool panelsOuter =
      isa.l2Bytes && rhsBytes > static_cast<int64_t>(isa.l2Bytes / 2);
  for (int64_t nv = 1; nv <= std::min<int64_t>(wanted, 8); ++nv) {
    // Sums, a row of the right operand, and an element of the left one.
    int64_t most = (isa.registers - nv - 1) / nv;
    for (int64_t mr = 1; mr <= std::min<int64_t>(most, 14); ++mr) {
      if (mr > problem->inner.size)
        break;
      int64_t unroll = mr * nv >= 16 ? 1 : mr * nv >= 8 ? 2 : 4;
      schedules.push_back(ScheduleAttr::make(group.getContext(), getName(),
                                             {{"mr", mr},
                                              {"nv", nv},
                                              {"unroll", unroll},
                                              {"panels_outer", panelsOuter}}));
    }
  }
}

/// Cycles for one step of the reduction of a tile.
static double getStepCost(const GemmProblem &problem, int64_t rows,
                          int64_t vectors, double loadBytes, const Isa &isa) {
  double fmas = rows * vectors / isa.fmaPerCycle;
  double loads = (rows + vectors) / isa.loadsPerCycle;
  double latency = isa.fmaLatency;
  double traffic = vectors * isa.vectorBits / 8.0 / loadBytes;
  if (isa.singleIssue) {
    // Rows out of a load's reach take an addition each; a step ends in a jump.
    int64_t rowBytes = std::max<int64_t>(problem.inner.stride * 4, 1);
    int64_t reached = isa.loadOffset ? 1 + isa.loadOffset / rowBytes : rows;
    return fmas + loads + std::max<int64_t>(rows - reached, 0) + 4;
  }
  return std::max({fmas, loads, latency, traffic});
}

double GemmKernel::getCost(GroupOp group, ScheduleAttr schedule,
                           const Isa &isa) const {
  GemmProblem problem = *matchGemm(group);
  Tiling tiling(problem, schedule, isa);
  int64_t nv = schedule.getInt("nv");
  double depth = problem.getReduction();
  // The panel comes from the cache that holds it while the rows go by.
  double panelBytes = depth * tiling.nr * 4;
  double loadBytes = isa.vectorBits ? isa.vectorBits / 8.0 * 2 : 8;
  double reused = schedule.getInt("panels_outer") ? panelBytes
                                                  : depth * problem.columns * 4;
  if (isa.l1Bytes && reused > isa.l1Bytes / 2)
    loadBytes = 32;
  if (isa.l2Bytes && reused > isa.l2Bytes)
    loadBytes = isa.memoryBytesPerCycle;
  auto tileCost = [&](int64_t rows, int64_t vectors) {
    constexpr double perTile = 20, perVector = 2.5;
    return depth * getStepCost(problem, rows, vectors, loadBytes, isa) +
           perTile + rows * vectors * perVector;
  };
  int64_t fullRows = problem.inner.size / tiling.mr;
  double cost = 0;
  for (auto [count, vectors] :
       {std::pair(tiling.fullPanels, nv),
        std::pair<int64_t, int64_t>(tiling.columnTail != 0,
                                    tiling.tailVectors)}) {
    if (!count)
      continue;
    cost += count * fullRows * tileCost(tiling.mr, vectors);
    if (tiling.rowTail)
      cost += count * tileCost(tiling.rowTail, vectors);
  }
  return cost * problem.getOuterSize();
}

bool GemmKernel::canRunInPlace(GroupOp group, unsigned in, unsigned out) const {
  GemmProblem problem = *matchGemm(group);
  return in != problem.lhs && in != problem.rhs && in != problem.bias;
}

void GemmKernel::pack(GroupOp group, const Isa &isa,
                      RewriterBase &rewriter) const {
  GemmProblem problem = *matchGemm(group);
  if (!problem.packed)
    return;
  Tiling tiling(problem, group.getScheduleAttr(), isa);
  BlockArgument argument = group.getBlock()->getArgument(problem.rhs);
  auto constant = group.getIns()[problem.rhs].getDefiningOp<ConstantOp>();
  auto type = cast<RankedTensorType>(argument.getType());
  int64_t depth = problem.getReduction(), columns = problem.columns;
  int64_t padded =
      tiling.fullPanels * tiling.nr + tiling.tailVectors * tiling.lanes;
  AsmResourceBlob blob = allocateBlob(depth * padded * sizeof(float));
  auto *to = reinterpret_cast<float *>(blob.getMutableData().data());
  ElementBytes bytes(constant.getValue());
  const float *from = bytes.as<float>().data();
  for (int64_t panel = 0; panel < tiling.panels; ++panel) {
    bool tail = panel == tiling.fullPanels;
    int64_t width = tail ? tiling.tailVectors * tiling.lanes : tiling.nr;
    int64_t used = tail ? tiling.columnTail : tiling.nr;
    for (int64_t k = 0; k < depth; ++k, to += width) {
      std::copy_n(from + k * columns + panel * tiling.nr, used, to);
      std::fill(to + used, to + width, 0.0f);
    }
  }
  auto packedType = makeTensor({depth * padded}, type.getElementType());
  rewriter.setInsertionPoint(group);
  Value packed =
      ConstantOp::create(rewriter, constant.getLoc(), packedType,
                         makeResource(packedType, "packed", std::move(blob)));
  group.getInsMutable()[problem.rhs].set(packed);
  argument.setType(packedType);
  rewriter.setInsertionPointToStart(group.getBlock());
  auto unpack = UnpackOp::create(rewriter, group.getLoc(), type, argument);
  rewriter.replaceAllUsesExcept(argument, unpack.getResult(), unpack);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

TileEmitter::TileEmitter(KernelBuilder &b, GroupOp group,
                         const GemmProblem &problem, const Tiling &tiling,
                         ValueRange ins, ValueRange outs)
    : b(b), problem(problem), tiling(tiling),
      epilogue(group, problem.anchor, ins, outs),
      vector(VectorType::get(tiling.lanes, b.getF32Type())) {
  lhs = flatten(ins[problem.lhs]);
  rhs = problem.packed ? ins[problem.rhs] : flatten(ins[problem.rhs]);
  if (problem.bias >= 0)
    bias = ins[problem.bias];
}

/// All elements that `memref` spans, as one dimension.
Value TileEmitter::flatten(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] LogicalResult known =
      type.getStridesAndOffset(strides, offset);
  assert(succeeded(known) && "buffers have static strides");
  int64_t span = 1;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    span += (size - 1) * stride;
  auto flat = MemRefType::get({span}, type.getElementType());
  return memref::ReinterpretCastOp::create(
      b, flat, memref, offset, ArrayRef<int64_t>{span}, ArrayRef<int64_t>{1});
}

SmallVector<Value> TileEmitter::initialize(Value column, int64_t rows,
                                           int64_t vectors, Value lastMask) {
  SmallVector<Value> first;
  for (int64_t v = 0; v < vectors; ++v) {
    if (!bias) {
      first.push_back(b.constant(vector, 0));
      continue;
    }
    Value mask = v + 1 == vectors ? lastMask : Value();
    first.push_back(b.load(b.getF32Type(), bias,
                           b.add(column, v * tiling.lanes), tiling.lanes,
                           mask));
  }
  SmallVector<Value> sums;
  for (int64_t r = 0; r < rows; ++r)
    llvm::append_range(sums, first);
  return sums;
}

SmallVector<Value> TileEmitter::reduce(Value lhsBase, Value rhsBase,
                                       ValueRange sums, int64_t rows,
                                       int64_t vectors, Value lastMask,
                                       int64_t rhsStride, int64_t unroll) {
  auto step = [&](Value k, ValueRange carried) {
    SmallVector<Value> next(carried);
    Value rhsRow = b.add(rhsBase, b.mul(k, rhsStride));
    SmallVector<Value> row;
    for (int64_t v = 0; v < vectors; ++v) {
      Value mask = v + 1 == vectors && !problem.packed ? lastMask : Value();
      row.push_back(b.load(b.getF32Type(), rhs, b.add(rhsRow, v * tiling.lanes),
                           tiling.lanes, mask));
    }
    Value lhsRow = b.add(lhsBase, k);
    for (int64_t r = 0; r < rows; ++r) {
      Value element = memref::LoadOp::create(
          b, lhs, ValueRange(b.add(lhsRow, r * problem.inner.stride)));
      Value splat = b.broadcast(element, vector);
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = next[r * vectors + v];
        sum = b.fma(splat, row[v], sum);
      }
    }
    return next;
  };
  int64_t full = problem.depth / unroll * unroll;
  SmallVector<Value> result(sums);
  if (full)
    result = b.loop(b.index(0), b.index(full), unroll, sums,
                    [&](Value k, ValueRange carried) {
                      SmallVector<Value> next(carried);
                      for (int64_t u = 0; u < unroll; ++u)
                        next = step(b.add(k, u), next);
                      return next;
                    });
  for (int64_t k = full; k < problem.depth; ++k)
    result = step(b.index(k), result);
  return result;
}

void TileEmitter::emitTile(Value outer, Value rowTile, Value panel,
                           int64_t rows, int64_t vectors, int64_t lastLanes,
                           int64_t unroll) {
  int64_t lanes = tiling.lanes;
  Value lastMask = lastLanes < lanes ? b.mask(lanes, lastLanes) : Value();
  Value column = b.mul(panel, tiling.nr);
  Value firstRow = b.mul(rowTile, tiling.mr);
  // Where the tile's operands begin.
  SmallVector<int64_t> outerShape;
  for (StridedDim dim : problem.outer)
    outerShape.push_back(dim.size);
  SmallVector<Value> at = delinearize(b, outer, outerShape);
  Value lhsBase = b.mul(firstRow, problem.inner.stride);
  for (auto [index, dim] : llvm::zip_equal(at, problem.outer))
    lhsBase = b.add(lhsBase, b.mul(index, dim.stride));
  Value rhsBase;
  int64_t rhsStride;
  if (problem.packed) {
    rhsBase = b.mul(panel, problem.getReduction() * tiling.nr);
    rhsStride = vectors * lanes;
  } else {
    rhsBase = column;
    for (auto [index, stride] : llvm::zip_equal(at, problem.outerRhs))
      if (stride)
        rhsBase = b.add(rhsBase, b.mul(index, stride));
    rhsStride = problem.rhsStride;
  }

  SmallVector<Value> sums = initialize(column, rows, vectors, lastMask);
  // Loops over taps, each with its own place in both operands.
  std::function<SmallVector<Value>(size_t, Value, Value, ValueRange)> walk =
      [&](size_t d, Value lhsAt, Value rhsAt, ValueRange carried) {
        if (d == problem.taps.size())
          return reduce(lhsAt, rhsAt, carried, rows, vectors, lastMask,
                        rhsStride, unroll);
        StridedDim tap = problem.taps[d];
        int64_t below = problem.depth;
        for (StridedDim inner : ArrayRef(problem.taps).drop_front(d + 1))
          below *= inner.size;
        return b.loop(b.index(0), b.index(tap.size), 1, carried,
                      [&](Value t, ValueRange inner) {
                        return walk(d + 1, b.add(lhsAt, b.mul(t, tap.stride)),
                                    b.add(rhsAt, b.mul(t, below * rhsStride)),
                                    inner);
                      });
      };
  sums = walk(0, lhsBase, rhsBase, sums);

  Value row = b.add(b.mul(outer, problem.inner.size), firstRow);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t v = 0; v < vectors; ++v)
      epilogue.emit(b, sums[r * vectors + v], b.add(row, r),
                    b.add(column, v * lanes), lanes,
                    v + 1 == vectors ? lastMask : Value());
}

void TileEmitter::emitTask(Value task, bool panelsOuter, int64_t unroll) {
  int64_t outerSize = problem.getOuterSize();
  SmallVector<Value> at =
      panelsOuter
          ? delinearize(b, task, {tiling.panels, outerSize, tiling.rowTiles})
          : delinearize(b, task, {outerSize, tiling.rowTiles, tiling.panels});
  Value panel = at[panelsOuter ? 0 : 2];
  Value outer = at[panelsOuter ? 1 : 0];
  Value rowTile = at[panelsOuter ? 2 : 1];

  // `first` where `index` is below `full` of `count`, else `second`; only what
  // can happen is emitted.
  auto branch = [&](Value index, int64_t full, int64_t count,
                    function_ref<void()> first, function_ref<void()> second) {
    if (full == count)
      return first();
    if (full == 0)
      return second();
    Value below = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                                        b.index(full));
    auto op = scf::IfOp::create(b, below, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(op.thenBlock());
    first();
    b.setInsertionPointToStart(op.elseBlock());
    second();
  };
  int64_t vectors = tiling.nr / tiling.lanes;
  int64_t tailLanes =
      tiling.columnTail - (tiling.tailVectors - 1) * tiling.lanes;
  auto emitRows = [&](int64_t rows) {
    branch(
        panel, tiling.fullPanels, tiling.panels,
        [&] {
          emitTile(outer, rowTile, panel, rows, vectors, tiling.lanes, unroll);
        },
        [&] {
          emitTile(outer, rowTile, panel, rows, tiling.tailVectors, tailLanes,
                   unroll);
        });
  };
  branch(
      rowTile, tiling.rowTiles - (tiling.rowTail != 0), tiling.rowTiles,
      [&] { emitRows(tiling.mr); }, [&] { emitRows(tiling.rowTail); });
}

LogicalResult GemmKernel::emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                               ValueRange outs, Value begin, Value end) const {
  std::optional<GemmProblem> problem = matchGemm(group);
  if (!problem)
    return group.emitOpError("is not a matrix product");
  ScheduleAttr schedule = group.getScheduleAttr();
  Tiling tiling(*problem, schedule, b.isa);
  TileEmitter emitter(b, group, *problem, tiling, ins, outs);
  b.loop(begin, end, 1, [&](Value task) {
    emitter.emitTask(task, schedule.getInt("panels_outer"),
                     schedule.getInt("unroll"));
  });
  return success();
}

const Kernel &brisk::getGemmKernel() {
  static const GemmKernel kernel;
  return kernel;
}
