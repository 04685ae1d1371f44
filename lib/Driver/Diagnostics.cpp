//===- Diagnostics.cpp - Messages as users read them ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "brisk/Dialect/NodeLocation.h"
#include "brisk/System/Text.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace brisk;

/// A line of a text that a location is; null if it is none.
static FileLineColLoc findLine(Location loc) {
  auto line = dyn_cast<FileLineColLoc>(loc);
  return line && line.getLine() > 0 ? line : FileLineColLoc();
}

DiagnosticPrinter::DiagnosticPrinter(llvm::SourceMgr &sources,
                                     MLIRContext &context,
                                     const std::string &file,
                                     std::function<void()> beforeError)
    : ScopedDiagnosticHandler(&context), sources(sources), file(file),
      beforeError(std::move(beforeError)) {
  // What a model's op looks like in the dialect tells its user nothing.
  context.printOpOnDiagnostic(false);
  setHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      this->beforeError();
    printOne(diagnostic);
    for (Diagnostic &note : diagnostic.getNotes())
      printOne(note);
    return success();
  });
}

/// The message, of whose IR an excerpt will do: constants may be megabytes.
static std::string getMessage(Diagnostic &diagnostic) {
  constexpr size_t most = 240;
  std::string message;
  for (DiagnosticArgument &argument : diagnostic.getArguments()) {
    std::string text;
    llvm::raw_string_ostream(text) << argument;
    bool isIr =
        argument.getKind() ==
            DiagnosticArgument::DiagnosticArgumentKind::Attribute ||
        argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type;
    if (isIr && text.size() > most)
      text.replace(most, std::string::npos, "...");
    message += text;
  }
  return printable(message);
}

/// True if a message names an op of the IR, as those of verifiers and
/// conversions do.
static bool namesOp(StringRef message, MLIRContext *context) {
  SmallVector<StringRef> parts;
  message.split(parts, '\'');
  for (size_t i = 1; i < parts.size(); i += 2)
    if (RegisteredOperationName::lookup(parts[i], context))
      return true;
  return false;
}

void DiagnosticPrinter::printHead(Location loc, StringRef kind) {
  llvm::raw_ostream &os = llvm::errs();
  FileLineColLoc line = findLine(loc);
  os << printable(line ? line.getFilename().getValue() : StringRef(file))
     << ':';
  if (line)
    os << line.getLine() << ':' << line.getColumn() << ':';
  os << ' ' << kind << ": ";
  if (NameLoc node = findNode(loc)) {
    StringRef name = node.getName().getValue();
    StringRef op = cast<NameLoc>(node.getChildLoc()).getName().getValue();
    // A node without a name is known by its op and output.
    bool unnamed = name.consume_front(op) && name.consume_front(":");
    if (!unnamed)
      name = node.getName().getValue();
    os << (unnamed ? "node with output '" : "node '") << printable(name)
       << "' (" << printable(op) << "): ";
  }
}

void DiagnosticPrinter::printOne(Diagnostic &diagnostic) {
  static const char *const kinds[] = {"note", "warning", "error", "remark"};
  llvm::raw_ostream &os = llvm::errs();
  Location loc = diagnostic.getLocation();
  FileLineColLoc line = findLine(loc);
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  std::string message = getMessage(diagnostic);
  StringRef text = message;
  StringRef kind = kinds[static_cast<int>(diagnostic.getSeverity())];
  if (isError && !line && namesOp(text, loc.getContext())) {
    if (isAccepted) {
      printHead(loc, kind);
      os << "briskc cannot compile this, which is a fault of its own; please "
            "report it with the model\n";
      kind = "note";
    } else if (text.starts_with("'")) {
      // The node is named already.
      text = text.split("' op ").second;
    }
  }
  printHead(loc, kind);
  os << text << '\n';
  if (line && line.getFilename() == file)
    printSource(line);
}

/// Prints a line of the source, or what is about the column of a long one.
void DiagnosticPrinter::printSource(FileLineColLoc loc) {
  constexpr size_t before = 60, most = 160;
  if (!sources.getNumBuffers())
    return;
  llvm::SMLoc at = sources.FindLocForLineAndColumn(
      sources.getMainFileID(), loc.getLine(), loc.getColumn());
  if (!at.isValid())
    return;
  llvm::SMDiagnostic found =
      sources.GetMessage(at, llvm::SourceMgr::DK_Note, "");
  StringRef line = found.getLineContents();
  size_t column =
      std::min<size_t>(std::max(loc.getColumn(), 1u) - 1, line.size());
  size_t begin = line.size() > most && column > before ? column - before : 0;
  llvm::errs() << printable(line.substr(begin, most)) << '\n'
               << std::string(column - begin, ' ') << "^\n";
}
