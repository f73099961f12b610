// What the commands that measure a device share.
#pragma once

#include "CommonOptions.h"
#include "instrument/Session.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite::cli {

/// The options that each of them has, for its own \p Sub.
struct InstrumentOptions {
  llvm::cl::opt<std::string> Device, CommandLine, Output, Save;
  llvm::cl::opt<unsigned> Budget, Repeat;
  llvm::cl::opt<Format> Form;

  explicit InstrumentOptions(llvm::cl::SubCommand &Sub);

  /// Prints why a count can't be 0; false where one is.
  bool valid() const;
};

/// Starts the device program and does \p Work on the device, with progress on a
/// terminal. Then \p Write writes to stdout or the file of --output, in the
/// form of --format, and the JSON document to the file of --save. Returns the
/// exit code: 2 where something failed, with the reason printed.
int measureOnDevice(const char *Argv0, const InstrumentOptions &Options,
                    llvm::StringRef What,
                    llvm::function_ref<llvm::Error(instrument::Session &)> Work,
                    llvm::function_ref<void(const instrument::DeviceFacts &,
                                            Format, llvm::raw_ostream &)>
                        Write);

/// The same for work that gives a value, which has a writer a form.
template <typename Result>
int reportOnDevice(
    const char *Argv0, const InstrumentOptions &Options, llvm::StringRef What,
    llvm::function_ref<llvm::Expected<Result>(instrument::Session &)> Work,
    void (*Text)(const Result &, const instrument::DeviceFacts &,
                 llvm::raw_ostream &),
    void (*Json)(const Result &, const instrument::DeviceFacts &,
                 llvm::raw_ostream &)) {
  Result Found;
  return measureOnDevice(
      Argv0, Options, What,
      [&](instrument::Session &S) -> llvm::Error {
        llvm::Expected<Result> R = Work(S);
        if (!R)
          return R.takeError();
        Found = std::move(*R);
        return llvm::Error::success();
      },
      [&](const instrument::DeviceFacts &D, Format F, llvm::raw_ostream &OS) {
        (F == Format::Json ? Json : Text)(Found, D, OS);
      });
}

/// Prints \p Why as an error; returns the exit code 2.
int failWith(const llvm::Twine &Why);

} // namespace clrewrite::cli
