//===- Diagnostics.cpp - Messages as users read them --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace brisk;

/// The node that a location names, with its op as the child location; null if
/// it names none. Of several nodes in one op, the first.
static NameLoc findNode(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return isa<NameLoc>(name.getChildLoc()) ? name : NameLoc();
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findNode(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location inner : fused.getLocations())
      if (NameLoc name = findNode(inner))
        return name;
  return {};
}

/// True for a line of a text.
static bool hasLine(Location loc) {
  auto line = dyn_cast<FileLineColLoc>(loc);
  return line && line.getLine() > 0;
}

/// Names are the model's, which may hold anything.
static void printName(StringRef name, llvm::raw_ostream &os) {
  for (char c : name)
    os << (llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80 ? c : '?');
}

DiagnosticPrinter::DiagnosticPrinter(llvm::SourceMgr &sources,
                                     MLIRContext &context,
                                     const std::string &file,
                                     std::function<void()> beforeError)
    : SourceMgrDiagnosticHandler(sources, &context, llvm::errs()), file(file),
      beforeError(std::move(beforeError)) {
  // What a model's op looks like in the dialect tells its user nothing.
  context.printOpOnDiagnostic(false);
  setHandler([this](Diagnostic &diagnostic) {
    print(diagnostic);
    return success();
  });
}

void DiagnosticPrinter::print(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    beforeError();
  if (hasLine(diagnostic.getLocation())) {
    emitDiagnostic(diagnostic);
    return;
  }
  printOne(diagnostic);
  for (Diagnostic &note : diagnostic.getNotes())
    printOne(note);
}

void DiagnosticPrinter::printOne(Diagnostic &diagnostic) {
  static const char *const kinds[] = {"note", "warning", "error", "remark"};
  llvm::raw_ostream &os = llvm::errs();
  os << file << ": " << kinds[static_cast<int>(diagnostic.getSeverity())]
     << ": ";
  if (NameLoc node = findNode(diagnostic.getLocation())) {
    StringRef name = node.getName().getValue();
    StringRef op = cast<NameLoc>(node.getChildLoc()).getName().getValue();
    // A node without a name is known by its op and output.
    bool unnamed = name.consume_front(op) && name.consume_front(":");
    if (!unnamed)
      name = node.getName().getValue();
    os << (unnamed ? "node with output '" : "node '");
    printName(name, os);
    os << "' (";
    printName(op, os);
    os << "): ";
  }
  os << diagnostic << '\n';
}
