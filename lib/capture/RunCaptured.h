// Running a program with the layer in it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::capture {

struct CapturedRun {
  /// The program and its arguments.
  std::vector<std::string> Command;
  /// The capture's folder; it is made. Empty: nothing is captured.
  std::string Folder;
  /// A folder of sources to swap in; empty for none.
  std::string SwapFolder = {};
  /// A plan whose kernels are taken where they stand for the program's own;
  /// empty for none.
  std::string Plan = {};
  /// Record the data of so many launches of each shape.
  unsigned DataSamples = 0;
  uint64_t MaxBytes = uint64_t(1) << 30;
  /// The layer, as findLayer gives it.
  std::string Layer;
  /// Files that its output and errors go to; empty for this process's own.
  std::string Output = "", Errors = "";
};

struct RunEnd {
  std::optional<int> ExitCode, Signal;
  /// As a shell says it: the exit code, or 128 and the signal.
  int shellCode() const { return Signal ? 128 + *Signal : *ExitCode; }
};

/// The layer's file: beside the program \p Argv0 or in ../lib.
llvm::Expected<std::string> findLayer(const char *Argv0);

/// Runs the program with this process's input, output and error, passes signals
/// on to it, and writes capture.json. Fails where it can't be started.
llvm::Expected<RunEnd> runCaptured(const CapturedRun &Run);

} // namespace clrewrite::capture
