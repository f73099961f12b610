// What the commands that measure a device share.
#pragma once

#include "CommandLine.h"
#include "instrument/Session.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite::cli {

/// Prints why a count can't be 0; false where one is.
bool valid(const config::InstrumentOptions &O);

/// Starts the device program and does \p Work on the device, with progress on a
/// terminal. Then \p Write writes to stdout or the file of --output, in the
/// form of --format, and the JSON document to the file of --save. Returns the
/// exit code: 2 where something failed, with the reason printed.
int measureOnDevice(
    const char *Argv0, const config::Options &O, llvm::StringRef What,
    llvm::function_ref<llvm::Error(instrument::Session &)> Work,
    llvm::function_ref<void(const instrument::DeviceFacts &, config::Format,
                            llvm::raw_ostream &)>
        Write);

/// The same for work that gives a value, which has a writer a form.
template <typename Result>
int reportOnDevice(
    const char *Argv0, const config::Options &O, llvm::StringRef What,
    llvm::function_ref<llvm::Expected<Result>(instrument::Session &)> Work,
    void (*Text)(const Result &, const instrument::DeviceFacts &,
                 llvm::raw_ostream &),
    void (*Json)(const Result &, const instrument::DeviceFacts &,
                 llvm::raw_ostream &)) {
  Result Found;
  return measureOnDevice(
      Argv0, O, What,
      [&](instrument::Session &S) -> llvm::Error {
        llvm::Expected<Result> R = Work(S);
        if (!R)
          return R.takeError();
        Found = std::move(*R);
        return llvm::Error::success();
      },
      [&](const instrument::DeviceFacts &D, config::Format F,
          llvm::raw_ostream &OS) {
        (F == config::Format::Json ? Json : Text)(Found, D, OS);
      });
}

} // namespace clrewrite::cli
