// The command line: from words to Options.
#pragma once

#include "config/ParseOptions.h"
#include "run/Console.h"
#include "run/Meters.h"
#include "llvm/ADT/Twine.h"

namespace clrewrite::cli {

using run::deviceCommand;
using run::rememberName;
using run::shown;
using run::startDevice;

/// Reads the words of \p Argv, which are of \p Command, into \p O; false where
/// that failed and the reason has been printed. Ends the program where they ask
/// for help or the version.
bool parseCommandLine(int Argc, char **Argv, llvm::StringRef Command,
                      config::Options &O);

/// Prints what is wrong; false where something is.
bool tell(const config::Misuse &Wrong);

/// Prints \p Why as an error; returns \p Code.
int fail(const llvm::Twine &Why, int Code = 2);

} // namespace clrewrite::cli
