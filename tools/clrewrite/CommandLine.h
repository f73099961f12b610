// The command line: from words to Options, and what several commands start by
// them.
#pragma once

#include "config/ParseOptions.h"
#include "opencl/DeviceClient.h"
#include "llvm/ADT/Twine.h"

namespace clrewrite::cli {

/// Reads the words of \p Argv, which are of \p Command, into \p O; false where
/// that failed and the reason has been printed. Ends the program where they ask
/// for help or the version.
bool parseCommandLine(int Argc, char **Argv, llvm::StringRef Command,
                      config::Options &O);

/// Prints what is wrong; false where something is.
bool tell(const config::Misuse &Wrong);

/// Prints \p Why as an error; returns \p Code.
int fail(const llvm::Twine &Why, int Code = 2);

/// How the device program is started: by the shell command \p Line, or where
/// that is empty the one beside this program; \p Seconds limit a job.
opencl::DeviceCommand deviceCommand(const config::Options &O,
                                    const std::string &Line, unsigned Seconds,
                                    const char *Argv0 = "");

/// Starts the device program that --device-command names, or the one beside
/// this program.
llvm::Expected<std::unique_ptr<opencl::DeviceClient>>
startDevice(const config::Options &O, const char *Argv0);

} // namespace clrewrite::cli
