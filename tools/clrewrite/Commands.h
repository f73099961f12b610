// The commands: what `clrewrite NAME ...` runs instead of a rewrite.
#pragma once

namespace clrewrite {

struct Command {
  const char *Name;
  /// Gets the arguments without the command's name; returns the exit code.
  int (*Run)(int Argc, char **Argv);
};

/// Runs a program and records what it does with OpenCL.
int captureCommand(int Argc, char **Argv);
/// Lists the OpenCL devices, and what can be read from each.
int devicesCommand(int Argc, char **Argv);
/// Reports the figures of files' kernels, without looking for rewrites.
int measureCommand(int Argc, char **Argv);

/// Tells where results are kept from run to run, or removes them.
int cacheCommand(int Argc, char **Argv);
/// Runs two versions of kernels on the same inputs and compares.
int verifyCommand(int Argc, char **Argv);

inline constexpr Command Commands[] = {
    {"cache", cacheCommand},
    {"capture", captureCommand},
    {"devices", devicesCommand},
    {"measure", measureCommand},
    {"verify", verifyCommand},
};

/// The command line without a command; with \p OnlyMeasure no rewrite is tried.
int runTool(int Argc, char **Argv, bool OnlyMeasure);

} // namespace clrewrite
