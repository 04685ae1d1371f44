//===- TilePlan.cpp - Which tile registers hold what --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>

using namespace brisk;

static constexpr int64_t groupBytes = 4;

TileSteps::TileSteps(const Isa::Product &product, int64_t depth)
    : group(product.getGroup()), padded(llvm::alignTo(depth, group)) {
  count = llvm::divideCeil(padded, product.k);
  elements = product.sum == Scalar::I32
                 ? llvm::alignTo(llvm::divideCeil(padded, count), group)
                 : product.getEvenStep(padded);
  count = llvm::divideCeil(padded, elements);
  repeated = count * elements - padded;
  rest = depth - getLastStart() - repeated;
}

TilePlan::TilePlan(const Isa &isa, const Isa::Product &product, int64_t rows,
                   int64_t columnTiles, int64_t depth)
    : product(product), steps(product, depth), rows(rows),
      columnTiles(columnTiles), rowTiles(llvm::divideCeil(rows, product.m)),
      tileRows(llvm::divideCeil(rows, rowTiles)) {
  int64_t left = isa.tiles.count - rowTiles * columnTiles;
  int64_t kept = std::min(rowTiles, columnTiles);
  int64_t others = std::min(left - kept, std::max(rowTiles, columnTiles));
  lhsRegisters = keepsLhs() ? kept : others;
  rhsRegisters = keepsLhs() ? others : kept;
}

int64_t TilePlan::getFirstRow(int64_t rowTile) const {
  return std::min(rowTile * tileRows, rows - tileRows);
}

llvm::SmallVector<int32_t> TilePlan::getConfiguration() const {
  constexpr size_t columnsAt = 16, rowsAt = 48;
  std::array<uint8_t, 64> bytes = {1}; // the palette
  auto configure = [&](int64_t number, int64_t rows, int64_t columnBytes) {
    bytes[columnsAt + 2 * number] = columnBytes;
    bytes[rowsAt + number] = rows;
  };
  int64_t stepBytes = steps.elements / steps.group * groupBytes;
  for (int64_t r = 0; r < rowTiles; ++r) {
    configure(getLhsRegister(r), tileRows, stepBytes);
    for (int64_t c = 0; c < columnTiles; ++c)
      configure(getSumRegister(r, c), tileRows, product.n * groupBytes);
  }
  for (int64_t c = 0; c < columnTiles; ++c)
    configure(getRhsRegister(c), steps.elements / steps.group,
              product.n * groupBytes);
  llvm::SmallVector<int32_t> words;
  for (size_t i = 0; i < bytes.size(); i += groupBytes)
    words.push_back(llvm::support::endian::read32le(&bytes[i]));
  return words;
}

int64_t TilePlan::getSumBytes() const { return rows * columnTiles * rowBytes; }

int64_t TilePlan::getScratch() const {
  return getSumBytes() + (steps.copiesLast() ? rows * rowBytes : 0);
}

double TilePlan::getStepCycles(const Isa &isa, double loadBytes) const {
  auto tiles = static_cast<double>(rowTiles * columnTiles);
  auto rhsRows =
      static_cast<double>(columnTiles * steps.elements / steps.group);
  double loads =
      (static_cast<double>(rowTiles * tileRows) + rhsRows) / isa.loadsPerCycle;
  // Of loads that products hide, some come too late.
  constexpr double late = 0.125;
  return std::max({tiles / product.perCycle,
                   static_cast<double>(product.latency), loads,
                   rhsRows * rowBytes / loadBytes}) +
         late * loads;
}

double TilePlan::getCopyCycles(const Isa &isa) const {
  // A load and a store for each row, which tile loads wait for.
  constexpr double wait = 20;
  return steps.copiesLast()
             ? 2.0 * static_cast<double>(rows) / isa.loadsPerCycle + wait
             : 0;
}

double TilePlan::getDrainCycles() const {
  constexpr double perVector = 2;
  return product.latency +
         perVector * static_cast<double>(rowTiles * tileRows * columnTiles);
}
