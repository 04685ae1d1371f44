//===- BriskSchedules.td - How kernels are emitted ---------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One attribute for each kernel family, with the numbers that its kernels are
// emitted with. Each number's range stands here, and is checked wherever a
// schedule comes from.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BRISKSCHEDULES_TD
#define BRISK_DIALECT_BRISKSCHEDULES_TD

include "brisk/Dialect/BriskBase.td"

def Brisk_ScheduleAttr : AttrInterface<"ScheduleAttr"> {
  let description = [{
    The kernel family that runs a group, and the numbers it is emitted with.
  }];
  let cppNamespace = "::brisk";
  let methods = [InterfaceMethod<
      "The family's name.",
      "::llvm::StringRef", "getKernelName", (ins), "",
      "return $_attr.getMnemonic();">];
}

/// A number of a schedule and what it may be. By default, the most of anything
/// that is a task's.
class Number<string numberName, int from = 1, int to = 65536> {
  string name = numberName;
  string type = "int64_t";
  AttrOrTypeParameter parameter = AttrOrTypeParameter<type, "">;
  int least = from;
  int greatest = to;
}
class Flag<string flagName> : Number<flagName, 0, 1> {
  let type = "bool";
}
/// One that is off, and not printed, as a rule.
class Extra<string flagName> : Flag<flagName> {
  let parameter = DefaultValuedParameter<"bool", "false">;
}

class Brisk_Schedule<string cppName, string kernel, string what,
                     list<Number> numbers = []>
    : AttrDef<Brisk_Dialect, cppName # "Schedule", [Brisk_ScheduleAttr]> {
  let mnemonic = kernel;
  let summary = "schedule of the kernel family `" # kernel # "`";
  let description = what;
  let parameters = !dag(ins, !foreach(n, numbers, n.parameter),
                        !foreach(n, numbers, n.name));
  let assemblyFormat = !if(!empty(numbers), "", "`<` struct(params) `>`");
  let genVerifyDecl = !not(!empty(numbers));
  let extraClassDefinition = !if(!empty(numbers), "",
      "::llvm::LogicalResult $cppClass::verify("
      "::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError" #
      !foldl("", numbers, all, n, all # ", " # n.type # " " # n.name) #
      ") {\n  return verifyNumbers(emitError, getMnemonic(), {" #
      !foldl("", numbers, all, n, all # "{\"" # n.name # "\", " # n.name #
             ", " # n.least # ", " # n.greatest # "}, ") #
      "});\n}\n");
}

def Brisk_BorderSchedule : Brisk_Schedule<"Border", "border",
    "Margins of a padded tensor, by themselves.">;
def Brisk_ConvTransposeSchedule : Brisk_Schedule<"ConvTranspose",
    "conv_transpose",
    "`pixels` of the input at a time; with `all_taps`, a vector holds the "
    "results of all taps of a pixel.",
    [Number<"pixels", 1, 64>, Flag<"all_taps">]>;
def Brisk_DepthwiseSchedule : Brisk_Schedule<"Depthwise", "depthwise",
    "`pixels` neighbouring results in registers.",
    [Number<"pixels", 1, 64>]>;
def Brisk_ElementwiseSchedule : Brisk_Schedule<"Elementwise", "elementwise",
    "`chunk` elements a task.", [Number<"chunk">]>;
def Brisk_GatherSchedule : Brisk_Schedule<"Gather", "gather",
    "`rows` of the result a task.", [Number<"rows">]>;
def Brisk_GemmSchedule : Brisk_Schedule<"Gemm", "gemm",
    "Tiles of `mr` rows by `nv` vectors of columns; `unroll` steps of the "
    "reduction in one iteration; with `panels_outer`, all rows for a panel of "
    "columns before the next one; with `prefetch`, a tile fetches the left "
    "operand's rows of the next one; with `in_tiles`, sums and operands are in "
    "tile registers, the columns of a vector in each.",
    [Number<"mr", 1, 64>, Number<"nv", 1, 16>, Number<"unroll", 1, 64>,
     Flag<"panels_outer">, Flag<"prefetch">, Extra<"in_tiles">]>;
def Brisk_GroupedConvSchedule : Brisk_Schedule<"GroupedConv", "grouped_conv",
    "`pixels` neighbouring results in registers.",
    [Number<"pixels", 1, 64>]>;
def Brisk_LayerNormSchedule : Brisk_Schedule<"LayerNorm", "layer_norm",
    "`rows` a task.", [Number<"rows">]>;
def Brisk_LoopsSchedule : Brisk_Schedule<"Loops", "loops",
    "Plain loops over scalars.">;
def Brisk_LrnSchedule : Brisk_Schedule<"Lrn", "lrn",
    "`rows` a task.", [Number<"rows">]>;
def Brisk_PoolSchedule : Brisk_Schedule<"Pool", "pool",
    "`pixels` neighbouring windows in registers.", [Number<"pixels", 1, 64>]>;
def Brisk_RecurrentSchedule : Brisk_Schedule<"Recurrent", "recurrent",
    "A direction of a sequence a task.">;
def Brisk_ReductionSchedule : Brisk_Schedule<"Reduction", "reduction",
    "`chunk` results a task; columns of one row where the innermost dimension "
    "stays.", [Number<"chunk">]>;
def Brisk_ResizeSchedule : Brisk_Schedule<"Resize", "resize",
    "`rows` of the result a task.", [Number<"rows">]>;
def Brisk_SoftmaxSchedule : Brisk_Schedule<"Softmax", "softmax",
    "`rows` a task.", [Number<"rows">]>;
def Brisk_SpmmSchedule : Brisk_Schedule<"Spmm", "spmm",
    "`rows` of the result at a time, in vectors of them where they fill any; "
    "`columns` a task.", [Number<"rows", 1, 64>, Number<"columns">]>;
def Brisk_TransposeSchedule : Brisk_Schedule<"Transpose", "transpose",
    "`chunk` elements a task.", [Number<"chunk">]>;

#endif // BRISK_DIALECT_BRISKSCHEDULES_TD
