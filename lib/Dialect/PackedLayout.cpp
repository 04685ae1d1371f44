//===- PackedLayout.cpp - Where packed tensors hold their elements --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/BriskDialect.h"
#include "brisk/Dialect/TypeInference.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include <cstring>

using namespace mlir;
using namespace brisk;

namespace {
/// Places [start, start + used) of an axis, which take up `width` places.
struct Tile {
  int64_t start, used, width;
  bool dense; // the used ones lie side by side in the unpacked tensor
};

/// An axis as it is walked.
struct Axis {
  SmallVector<Tile> tiles;
  /// The place in the unpacked tensor that each step along the axis adds.
  std::vector<int64_t> offsets;
};

/// `width` packed elements, the first of which are those at `base` plus each of
/// `offsets` in the unpacked tensor, and the others zeros.
struct Run {
  int64_t base;
  ArrayRef<int64_t> offsets;
  bool dense;
  int64_t width;
};
} // namespace

static int64_t getExtent(PackedAxisAttr axis, ArrayRef<int64_t> shape) {
  int64_t extent = 1;
  for (int64_t dim : axis.getDims())
    extent *= shape[dim];
  return extent;
}

/// Sizes of the tiles behind the whole ones of the first size.
static SmallVector<int64_t> getLastTiles(PackedAxisAttr axis, int64_t extent) {
  ArrayRef<int64_t> tiles = axis.getTiles();
  if (tiles.size() > 1 || extent % tiles.front() == 0)
    return llvm::to_vector(tiles.drop_front());
  return {tiles.front()};
}

/// Places that an axis takes up in the packed tensor.
static int64_t getPackedExtent(PackedAxisAttr axis, int64_t extent) {
  if (axis.getTiles().empty())
    return extent;
  int64_t first = axis.getTiles().front();
  return extent / first * first + llvm::sum_of(getLastTiles(axis, extent));
}

static Axis getAxis(PackedAttr layout, PackedAxisAttr attr) {
  ArrayRef<int64_t> shape = layout.getShape();
  Axis axis;
  axis.offsets = {0};
  for (int64_t dim : attr.getDims()) {
    int64_t stride = ShapedType::getNumElements(shape.drop_front(dim + 1));
    std::vector<int64_t> next;
    next.reserve(axis.offsets.size() * shape[dim]);
    for (int64_t offset : axis.offsets)
      for (int64_t i = 0; i < shape[dim]; ++i)
        next.push_back(offset + i * stride);
    axis.offsets = std::move(next);
  }
  int64_t extent = axis.offsets.size(), start = 0;
  int64_t first = attr.getTiles().empty() ? 1 : attr.getTiles().front();
  auto add = [&](int64_t width) {
    int64_t used = std::min(width, extent - start);
    auto offsets = ArrayRef(axis.offsets).slice(start, used);
    bool dense = llvm::adjacent_find(offsets, [](int64_t a, int64_t b) {
                   return b != a + 1;
                 }) == offsets.end();
    axis.tiles.push_back({start, used, width, dense});
    start += width;
  };
  while (start + first <= extent)
    add(first);
  if (!attr.getTiles().empty())
    for (int64_t width : getLastTiles(attr, extent))
      add(width);
  return axis;
}

/// Calls `visit` for the packed elements in order, run by run.
static void forRuns(PackedAttr layout, function_ref<void(const Run &)> visit) {
  SmallVector<Axis> axes;
  size_t fastest = 0; // of those with tiles
  for (auto [i, axis] : llvm::enumerate(layout.getAxes())) {
    axes.push_back(getAxis(layout, axis));
    if (!axis.getTiles().empty())
      fastest = i;
  }
  size_t count = axes.size();
  SmallVector<Tile> tile(count);
  // The tiles of each axis, then the places in them.
  auto walk = [&](auto &self, size_t depth, int64_t base, bool zeros) -> void {
    size_t a = depth % count;
    if (depth == 2 * count) {
      const Tile &run = tile[fastest];
      auto offsets = ArrayRef(axes[fastest].offsets)
                         .slice(run.start, zeros ? 0 : run.used);
      visit({base, offsets, run.dense, run.width});
    } else if (depth < count) {
      for (const Tile &next : axes[a].tiles) {
        tile[a] = next;
        self(self, depth + 1, base, zeros);
      }
    } else if (a == fastest) {
      self(self, depth + 1, base, zeros);
    } else {
      for (int64_t i = 0; i < tile[a].width; ++i) {
        bool unused = i >= tile[a].used;
        int64_t step = unused ? 0 : axes[a].offsets[tile[a].start + i];
        self(self, depth + 1, base + step, zeros || unused);
      }
    }
  };
  walk(walk, 0, 0, false);
}

PackedAttr PackedAttr::make(
    MLIRContext *context, ArrayRef<int64_t> shape,
    ArrayRef<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>> axes) {
  SmallVector<PackedAxisAttr> attrs;
  for (const auto &[dims, tiles] : axes)
    attrs.push_back(PackedAxisAttr::get(context, dims, tiles));
  return get(context, shape, attrs);
}

LogicalResult PackedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<PackedAxisAttr> axes) {
  auto isSize = [](int64_t size) { return size >= 1; };
  if (!llvm::all_of(shape, isSize) || !isAddressable(shape))
    return emitError() << "layout of a tensor of shape [" << shape
                       << "], expected sizes from 1 that memory can hold";
  llvm::SmallBitVector seen(shape.size());
  SmallVector<int64_t> extents;
  for (PackedAxisAttr axis : axes) {
    for (int64_t dim : axis.getDims()) {
      if (dim < 0 || dim >= static_cast<int64_t>(shape.size()) || seen[dim])
        return emitError() << "layout names dimension " << dim << " of "
                           << shape.size() << ", expected each once";
      seen.set(dim);
    }
    ArrayRef<int64_t> tiles = axis.getTiles();
    int64_t extent = getExtent(axis, shape);
    constexpr int64_t widest = 1 << 16;
    if (llvm::any_of(tiles,
                     [](int64_t tile) { return tile < 1 || tile > widest; }))
      return emitError() << "layout has tiles of [" << tiles
                         << "], expected sizes from 1 to " << widest;
    if (tiles.size() > 1) {
      int64_t rest = extent % tiles.front();
      int64_t before = llvm::sum_of(tiles.drop_front().drop_back());
      if (before >= rest || before + tiles.back() < rest)
        return emitError() << "layout leaves " << rest << " of " << extent
                           << " places behind tiles of " << tiles.front()
                           << ", which tiles of [" << tiles.drop_front()
                           << "] do not hold";
    }
    extents.push_back(getPackedExtent(axis, extent));
  }
  if (!seen.all())
    return emitError() << "layout has no axis for dimension "
                       << seen.find_first_unset() << " of " << shape.size();
  if (!isAddressable(extents))
    return emitError() << "layout is larger than an address space";
  return success();
}

int64_t PackedAttr::getPackedElements() const {
  int64_t elements = 1;
  for (PackedAxisAttr axis : getAxes())
    elements *= getPackedExtent(axis, getExtent(axis, getShape()));
  return elements;
}

/// Copies elements to or from where they lie in the unpacked tensor.
template <typename Copy>
static void copyRun(const Run &run, unsigned bytes, Copy copy) {
  if (run.dense && !run.offsets.empty())
    return copy(0, run.base + run.offsets.front(), run.offsets.size() * bytes);
  for (auto [i, offset] : llvm::enumerate(run.offsets))
    if (bytes == 4) // most weights
      copy(i, run.base + offset, 4);
    else
      copy(i, run.base + offset, bytes);
}

void PackedAttr::pack(ArrayRef<char> from, MutableArrayRef<char> to,
                      unsigned bytes) const {
  char *next = to.data();
  forRuns(*this, [&](const Run &run) {
    copyRun(run, bytes, [&](size_t i, size_t place, size_t size) {
      std::memcpy(next + i * bytes, from.data() + place * bytes, size);
    });
    size_t used = run.offsets.size() * bytes;
    std::memset(next + used, 0, run.width * bytes - used);
    next += run.width * bytes;
  });
}

void PackedAttr::unpack(ArrayRef<char> from, MutableArrayRef<char> to,
                        unsigned bytes) const {
  const char *next = from.data();
  forRuns(*this, [&](const Run &run) {
    copyRun(run, bytes, [&](size_t i, size_t place, size_t size) {
      std::memcpy(to.data() + place * bytes, next + i * bytes, size);
    });
    next += run.width * bytes;
  });
}
