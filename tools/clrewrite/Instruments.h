// What the commands that measure a device share.
#pragma once

#include "CommonOptions.h"
#include "instrument/Session.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite {

/// The options that each of them has, for its own \p Sub.
struct InstrumentOptions {
  llvm::cl::opt<std::string> Device, CommandLine, Output;
  llvm::cl::opt<unsigned> Budget, Repeat;
  llvm::cl::opt<Format> Form;

  explicit InstrumentOptions(llvm::cl::SubCommand &Sub);

  /// Prints why a count can't be 0; false where one is.
  bool valid() const;
};

/// Starts the device program and does \p Work on the device, with progress on a
/// terminal. Then \p Write gets stdout or the file of --output. Returns the
/// exit code: 2 where something failed, with the reason printed.
int measureOnDevice(
    const char *Argv0, const InstrumentOptions &Options, llvm::StringRef What,
    llvm::function_ref<llvm::Error(Session &)> Work,
    llvm::function_ref<void(const DeviceFacts &, llvm::raw_ostream &)> Write);

/// Prints \p Why as an error; returns the exit code 2.
int failWith(const llvm::Twine &Why);

} // namespace clrewrite
