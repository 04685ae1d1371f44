//===- Tool.h - What every tool begins and ends with ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TOOLS_SUPPORT_TOOL_H
#define BRISK_TOOLS_SUPPORT_TOOL_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/InitLLVM.h"

namespace brisk::tools {

/// Comes first in main, before flags register. What signals and streams do is
/// what users of Unix expect: temporary files go before a signal ends the
/// program, and a stream that cannot be written is one line and exit code 1.
class Tool {
public:
  Tool(int &argc, char **&argv);

  /// Parses the command line: errors, and --help with only the flags of the
  /// category, end the program.
  void parseCommandLine(llvm::cl::OptionCategory &category,
                        llvm::StringRef overview);

private:
  int &argc;
  char **&argv;
  llvm::InitLLVM init;
};

/// Prints an error as "TOOL: error: …" and returns the exit code: 0 for none,
/// else 1.
int exitCode(llvm::Error error, llvm::StringRef tool);

/// What to say of a positional argument that is empty, of which LLVM's parser
/// lets no error end the program.
inline constexpr char emptyModel[] = "MODEL: its value is empty";

/// Text that must not be empty, as it is where a build variable is not set.
struct TextParser : llvm::cl::parser<std::string> {
  using parser::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             std::string &value) {
    if (text.empty())
      return option.error("its value is empty");
    value = text.str();
    return false;
  }
};
using TextFlag = llvm::cl::opt<std::string, false, TextParser>;

/// One of some values; what is none of them is answered with their list.
template <typename T> struct ChoiceParser : llvm::cl::parser<T> {
  using llvm::cl::parser<T>::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             T &value) {
    llvm::SmallVector<llvm::StringRef> names;
    for (const auto &choice : this->Values) {
      names.push_back(choice.Name);
      if (choice.Name != text)
        continue;
      value = choice.V.getValue();
      return false;
    }
    return option.error("there is no '" + text + "'; choose from " +
                        llvm::join(names, ", "));
  }
};
template <typename T>
using ChoiceFlag = llvm::cl::opt<T, false, ChoiceParser<T>>;

} // namespace brisk::tools

#endif // BRISK_TOOLS_SUPPORT_TOOL_H
