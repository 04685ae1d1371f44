//===- BriskAttrs.td - Attributes and enums ----------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BRISKATTRS_TD
#define BRISK_DIALECT_BRISKATTRS_TD

include "brisk/Dialect/BriskBase.td"
include "brisk/Dialect/BriskEnums.td"

def Brisk_ScheduleAttr : AttrDef<Brisk_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "the kernel that runs a group and the numbers it is emitted with";
  let description = [{
    Which numbers there are is the kernel's own affair (`mr`, `nr`, … as its
    file documents them).

    Example: `#brisk.schedule<"gemm", {mr = 14 : i64, nr = 32 : i64}>`
  }];
  let parameters = (ins "::mlir::StringAttr":$kernel,
                        "::mlir::DictionaryAttr":$parameters);
  let assemblyFormat = "`<` $kernel `,` $parameters `>`";
  let extraClassDeclaration = [{
    /// The schedule's number of that name; asserts that there is one.
    int64_t getInt(::llvm::StringRef name) const;
    /// A schedule from names and numbers.
    static ScheduleAttr make(::mlir::MLIRContext *context,
        ::llvm::StringRef kernel,
        ::llvm::ArrayRef<std::pair<::llvm::StringRef, int64_t>> parameters = {});
  }];
}

def Brisk_TargetAttr : AttrDef<Brisk_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "the machine that a module is compiled for";
  let description = [{
    A module carries it as `brisk.target`, and everything that depends on the
    machine reads it there. The name is one of `briskc --help`'s list of targets.
    The others say which machine was meant where the name alone does not, as
    `host`: half a model for one machine and half for another is right on
    neither.

    Examples:
    ```mlir
    module attributes {brisk.target = #brisk.target<"x86-64-v4">} {}
    module attributes {brisk.target = #brisk.target<"host",
        triple = "x86_64-pc-linux-gnu", cpu = "znver4", features = "-pku">} {}
    ```
  }];
  let parameters = (ins
      StringRefParameter<"name of the target">:$name,
      OptionalParameter<"::mlir::StringAttr", "LLVM's name of the platform">:$triple,
      OptionalParameter<"::mlir::StringAttr", "LLVM's name of the CPU">:$cpu,
      OptionalParameter<"::mlir::StringAttr",
                        "how it differs from others of that name">:$features);
  let assemblyFormat = [{
    `<` $name (`,` `triple` `=` $triple^ `,` `cpu` `=` $cpu `,` `features` `=` $features)? `>`
  }];
}

#endif // BRISK_DIALECT_BRISKATTRS_TD
