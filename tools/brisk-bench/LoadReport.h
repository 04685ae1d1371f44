//===- LoadReport.h - What brisk-bench tells of load ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_BRISK_BENCH_LOADREPORT_H
#define BRISK_TOOLS_BRISK_BENCH_LOADREPORT_H

#include "Load.h"
#include "llvm/Support/JSON.h"

namespace brisk::tools {

struct LoadRequest {
  LoadOptions options;
  std::vector<double> percentiles = {50, 90, 95, 99};
  std::string times; ///< file to write; empty: none
};

void printLoad(llvm::raw_ostream &out, const LoadRequest &request,
               const LoadResult &result);
/// The attributes of an object that has been begun.
void writeLoad(llvm::json::OStream &j, const LoadRequest &request,
               const LoadResult &result);
/// A line for each request.
void writeTimes(llvm::raw_ostream &out, const LoadResult &result);

} // namespace brisk::tools

#endif // BRISK_TOOLS_BRISK_BENCH_LOADREPORT_H
