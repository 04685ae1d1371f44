//===- Signals.h - Signals that end the program -----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_SYSTEM_SIGNALS_H
#define BRISK_SYSTEM_SIGNALS_H

namespace brisk {

/// From here on, a signal that ends the program first ends the linker that it
/// runs and removes temporary files and folders. Signals that are ignored (by
/// nohup, say) stay ignored, if this is called before LLVM sets its handlers.
/// Called by all that makes such files; more calls do nothing.
void cleanUpOnSignals();

} // namespace brisk

#endif // BRISK_SYSTEM_SIGNALS_H
