//===- QuantizedMatrix.cpp - Constant weights as few bits -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizedMatrix.h"
#include "MovedElements.h"
#include "brisk/Dialect/AvailableMemory.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <vector>

using namespace mlir;
using namespace brisk;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A constant with a margin behind it in some dimensions.
static ElementsAttr padBehind(PadOp op, ElementsAttr from) {
  auto padding = op.getPadding();
  ElementsAttr margin = getConstant(op.getValue());
  if (!padding || op.getMode() != PadMode::Constant ||
      (op.getValue() && !margin))
    return {};
  for (auto [before, after] : *padding)
    if (before != 0 || after < 0)
      return {};
  char fill = margin ? ElementBytes(margin).bytes().front() : 0;
  ElementBytes bytes(from);
  ArrayRef<int64_t> have = from.getShapedType().getShape(),
                    want = getShape(op.getResult());
  return makeElements(
      cast<RankedTensorType>(op.getType()), [&](MutableArrayRef<char> to) {
        llvm::fill(to, fill);
        // Row by row of the innermost dimension.
        int64_t row = have.back();
        int64_t rows = row ? from.getNumElements() / row : 0;
        for (int64_t i = 0; i < rows; ++i) {
          int64_t place = 0, stride = want.back(), rest = i;
          for (int64_t d = static_cast<int64_t>(have.size()) - 2; d >= 0; --d) {
            place += rest % have[d] * stride;
            rest /= have[d];
            stride *= want[d];
          }
          llvm::copy(bytes.bytes().slice(i * row, row), to.begin() + place);
        }
      });
}

/// The constant bytes that `value` is: as they are, unpacked or moved. Null if
/// they are no constant.
static ElementsAttr evaluateBytes(Value value) {
  if (ElementsAttr constant = getConstant(value))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op || !isa<UnpackBitsOp, ReshapeOp, SliceOp, TransposeOp, PadOp>(op))
    return {};
  ElementsAttr input = evaluateBytes(op->getOperand(0));
  if (!input)
    return {};
  if (auto unpack = dyn_cast<UnpackBitsOp>(op))
    return unpack.unpack(input);
  if (auto pad = dyn_cast<PadOp>(op))
    return input.getShapedType().getRank() ? padBehind(pad, input) : input;
  SmallVector<Attribute> operands = {input};
  for (Value operand : op->getOperands().drop_front())
    operands.push_back(getConstant(operand));
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  return dyn_cast_if_present<ElementsAttr>(
      dyn_cast_if_present<Attribute>(results.front()));
}

/// Bits of the integers that `value` is made of.
static int64_t countBits(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto unpack = dyn_cast_or_null<UnpackBitsOp>(op))
    return static_cast<int64_t>(unpack.getBits());
  constexpr int64_t byte = 8;
  return op && op->getNumOperands() ? countBits(op->getOperand(0)) : byte;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The places in a row-major tensor of `shape` that the first `count` elements
/// of `parts` have. Dimensions that the tensor lacks in front, or has only one
/// element of, do not count.
static std::vector<int64_t> getPlaces(ArrayRef<MovedElements::Part> parts,
                                      ArrayRef<int64_t> shape, int64_t rank,
                                      int64_t count) {
  std::vector<int64_t> places(count, 0);
  int64_t lead = rank - static_cast<int64_t>(shape.size());
  int64_t below = 1; // elements of the parts that are faster
  for (MovedElements::Part part : llvm::reverse(parts)) {
    int64_t dim = part.dim - lead;
    if (dim >= 0 && shape[dim] != 1) {
      int64_t stride = ShapedType::getNumElements(shape.drop_front(dim + 1));
      for (int64_t i = 0; i < count; ++i)
        places[i] += i / below % part.size * part.stride * stride;
    }
    below *= part.size;
  }
  return places;
}

/// How many elements of a column in a row have one scale; none if others have
/// it, too.
static std::optional<int64_t> findBlock(ArrayRef<MovedElements::Part> rows,
                                        ArrayRef<int64_t> scale, int64_t rank) {
  int64_t block = 1;
  bool varies = false; // what is faster than this
  int64_t lead = rank - static_cast<int64_t>(scale.size());
  for (MovedElements::Part part : llvm::reverse(rows)) {
    bool isShared = part.dim < lead || scale[part.dim - lead] == 1;
    if (isShared && varies)
      return std::nullopt;
    varies |= !isShared;
    if (isShared)
      block *= part.size;
  }
  return block;
}

//===----------------------------------------------------------------------===//
// QuantizedMatrix
//===----------------------------------------------------------------------===//

namespace {
/// The places of a matrix of blocks by columns, or of rows by columns.
struct Grid {
  std::vector<int64_t> rows, columns;

  size_t size() const { return rows.size() * columns.size(); }
  /// What `from` has there, row by row.
  template <typename T> std::vector<T> read(ArrayRef<T> from) const {
    std::vector<T> result;
    result.reserve(size());
    for (int64_t row : rows)
      for (int64_t column : columns)
        result.push_back(from[row + column]);
    return result;
  }
};
} // namespace

/// Integers of `bits` bits, row by row of a matrix, as brisk.matmul_nbits has
/// them.
static ElementsAttr pack(ArrayRef<char> integers, int64_t columns, int64_t bits,
                         Type element) {
  int64_t perByte = 8 / bits, rows = integers.size() / columns;
  auto type = RankedTensorType::get(
      {llvm::divideCeilSigned(rows, perByte), columns}, element);
  unsigned most = (1U << bits) - 1;
  return makeElements(type, [&](MutableArrayRef<char> to) {
    llvm::fill(to, 0);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column) {
        char &byte = to[row / perByte * columns + column];
        unsigned field = integers[row * columns + column] & most;
        byte = static_cast<char>(static_cast<uint8_t>(byte) |
                                 field << (row % perByte * bits));
      }
  });
}

/// Makes integers around the middle of what has no sign such around zero.
static bool centre(MutableArrayRef<char> weights, ArrayRef<char> zeros,
                   int64_t bits) {
  auto middle = static_cast<char>(1 << (bits - 1));
  if (!llvm::all_of(zeros, [&](char zero) { return zero == middle; }))
    return false;
  for (char &weight : weights)
    weight = static_cast<char>(weight ^ middle);
  return true;
}

std::optional<QuantizedMatrix> QuantizedMatrix::get(Value value) {
  unsigned rank = getShape(value).size();
  return rank ? get(value, /*firstRow=*/0, /*numRows=*/rank - 1) : std::nullopt;
}

std::optional<QuantizedMatrix>
QuantizedMatrix::get(Value value, unsigned firstRow, unsigned numRows) {
  auto moved = MovedElements::get(value);
  if (!moved || !moved->source.getTo().isF32())
    return std::nullopt;
  DequantizeOp source = moved->source;
  auto element =
      dyn_cast<IntegerType>(getElementTypeOrSelf(source.getInput().getType()));
  constexpr unsigned byte = 8;
  ElementsAttr scales = getConstant(source.getScale());
  if (!element || element.getWidth() != byte || !scales ||
      moved->dims.size() < 2)
    return std::nullopt;
  ArrayRef<MovedElements::Dim> dims = moved->dims;
  SmallVector<MovedElements::Dim, 4> others(dims.take_front(firstRow));
  llvm::append_range(others, dims.drop_front(firstRow + numRows));
  auto joinedRows = MovedElements::join(dims.slice(firstRow, numRows)),
       joinedColumns = MovedElements::join(others);
  if (!joinedRows || !joinedColumns)
    return std::nullopt;
  const MovedElements::Dim &rows = *joinedRows, &columns = *joinedColumns;
  if (rows.size == 0 || columns.size == 0 || !columns.isWhole())
    return std::nullopt;
  // What repeats one element may stand for more than memory holds.
  constexpr uint64_t copies = 4;
  if (copies * source.getType().getNumElements() > getAvailableMemory())
    return std::nullopt;
  QuantizedMatrix result;
  result.bits = countBits(source.getInput());
  int64_t rank = getShape(source).size(), perByte = byte / result.bits;
  ArrayRef<int64_t> shape = getShape(source),
                    perBlock = getShape(source.getScale());
  auto block = findBlock(rows.parts, perBlock, rank);
  if (!block || (*block % perByte && *block < rows.size))
    return std::nullopt;
  result.rows = rows.size;
  result.block = std::min(*block, rows.size);
  ElementsAttr integers = evaluateBytes(source.getInput()), zeros;
  if (source.getZeroPoint() && !(zeros = evaluateBytes(source.getZeroPoint())))
    return std::nullopt;
  if (!integers)
    return std::nullopt;
  auto getGrid = [&](ArrayRef<int64_t> of) {
    return Grid{getPlaces(rows.parts, of, rank, rows.size),
                getPlaces(columns.parts, of, rank, columns.size)};
  };
  std::vector<char> weights =
      getGrid(shape).read(ElementBytes(integers).bytes());
  Grid blocks = getGrid(perBlock);
  for (int64_t i = 0; i * result.block < rows.size; ++i)
    blocks.rows[i] = blocks.rows[i * result.block];
  blocks.rows.resize(llvm::divideCeilSigned(rows.size, result.block));
  auto count = static_cast<int64_t>(blocks.rows.size());
  std::vector<double> factors = blocks.read(ArrayRef(getAsDoubles(scales)));
  std::vector<float> narrow(factors.begin(), factors.end());
  result.scales =
      makeElements(RankedTensorType::get({count, columns.size},
                                         Float32Type::get(value.getContext())),
                   ArrayRef(narrow));
  if (zeros) {
    std::vector<char> perBlockZeros = blocks.read(ElementBytes(zeros).bytes());
    if (element.isUnsigned() && centre(weights, perBlockZeros, result.bits))
      element = IntegerType::get(value.getContext(), byte);
    else
      result.zeros =
          makeElements(RankedTensorType::get({count, columns.size}, element),
                       ArrayRef<char>(perBlockZeros));
  }
  result.weights = pack(weights, columns.size, result.bits, element);
  return result;
}
