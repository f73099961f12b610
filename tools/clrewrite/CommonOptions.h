// The options that several commands have, and what they start.
#pragma once

#include "opencl/DeviceClient.h"
#include "llvm/Support/CommandLine.h"

namespace clrewrite::cli {

enum class Format {
  Text,
  Json,
  Sarif,
  GitHub,
  JUnit,
  Csv,
  Markdown,
  Html,
  Svg
};

extern llvm::cl::OptionCategory Modes, Choice, Building, Roofline, Verifying,
    Output;
extern llvm::cl::opt<Format> OutputFormat;
extern llvm::cl::opt<std::string> DeviceCommandLine;
extern llvm::cl::opt<unsigned> DeviceTimeout;
extern llvm::cl::opt<bool> AllowNative;

/// LLVM's libraries register hundreds of options of their own; only ours, help
/// and version stay.
void keepOwnOptions();

/// Removes the options that LLVM's libraries register, and parses \p Words,
/// which are of \p Command; false where that failed and the reason has been
/// printed. Ends the program where they ask for help or the version.
bool parseCommandLine(llvm::ArrayRef<const char *> Words,
                      llvm::StringRef Command);

/// How the device program is started: by the shell command \p Line, or where
/// that is empty the one beside this program; \p Seconds limit a job.
opencl::DeviceCommand deviceCommand(const std::string &Line, unsigned Seconds,
                                    const char *Argv0 = "");

/// Starts the device program that --device-command names, or the one beside
/// this program.
llvm::Expected<std::unique_ptr<opencl::DeviceClient>>
startDevice(const char *Argv0);

} // namespace clrewrite::cli
