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
include "brisk/Dialect/BriskSchedules.td"
include "brisk/Dialect/ModelAttrs.td"

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

def Brisk_PackedAxisAttr : AttrDef<Brisk_Dialect, "PackedAxis"> {
  let mnemonic = "packed_axis";
  let summary = "dimensions that a packed tensor holds as one";
  let description = [{
    `dims` are walked like one dimension, the last of them fastest. With
    `tiles`, that one is cut into tiles of the first size as long as whole ones
    fit. What is left makes tiles of the sizes that follow or, without any, one
    more of the first size; the last tile may be wider than what is left.

    Example: 20 columns as tiles of 8, 8 and 4: `[1] by [8, 4]`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$dims,
                        OptionalArrayRefParameter<"int64_t">:$tiles);
  let assemblyFormat = "`[` $dims `]` (`by` ` ` `[` $tiles^ `]`)?";
}

def Brisk_PackedAttr : AttrDef<Brisk_Dialect, "Packed"> {
  let mnemonic = "packed";
  let summary = "where a packed tensor holds the elements of another";
  let description = [{
    The other tensor's elements, in row-major order, are seen in dimensions of
    sizes `shape`, each of which is in one of the `axes`. The packed tensor has
    one dimension. In it the tiles follow each other in the order of the axes,
    the last axis fastest; within a tile, so do the elements. Where a tile is
    wider than what is left for it, there are zeros. It is what `linalg.pack`
    does with `outer_dims_perm`, `inner_dims_pos` and `inner_tiles`, but for
    narrower last tiles and for axes of several dimensions.

    Example: panels of 32 columns of a 64 x 48 matrix, the last one of 16, each
    panel's rows one after the other:
    `#brisk.packed<shape = [64, 48], axes = [[1] by [32, 16], [0]]>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        ArrayRefParameter<"PackedAxisAttr">:$axes);
  let assemblyFormat =
      "`<` `shape` `=` `[` $shape `]` `,` `axes` `=` `[` $axes `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// A layout from its parts: dims and tiles of each axis.
    static PackedAttr make(::mlir::MLIRContext *context,
        ::llvm::ArrayRef<int64_t> shape,
        ::llvm::ArrayRef<std::pair<::llvm::SmallVector<int64_t>,
                                   ::llvm::SmallVector<int64_t>>> axes);
    /// Elements of the packed tensor.
    int64_t getPackedElements() const;
    /// Copies elements of `bytes` each from the other tensor to the packed one.
    void pack(::llvm::ArrayRef<char> from, ::llvm::MutableArrayRef<char> to,
              unsigned bytes) const;
    /// The inverse.
    void unpack(::llvm::ArrayRef<char> from, ::llvm::MutableArrayRef<char> to,
                unsigned bytes) const;
  }];
}

#endif // BRISK_DIALECT_BRISKATTRS_TD
