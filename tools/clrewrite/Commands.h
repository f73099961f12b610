// The commands: what `clrewrite NAME ...` runs instead of a rewrite.
#pragma once

#include "config/Options.h"
#include "pipeline/SwappedRuns.h"

namespace clrewrite::cli {

/// Exit codes. They mean what they do in Ruff and clang-format, so that hooks
/// and CI jobs need no wrapper script; and in diff, for commands that compare.
enum Exit {
  Clean = 0,
  Same = 0,
  FindingsLeft = 1,
  Different = 1,
  GotWorse = 1,
  Failed = 2,
  CouldNotTell = 2,
  /// Of commands that run a program, as env and timeout have them.
  OwnFailure = 125,
  NotFound = 127,
};

struct Command {
  const char *Name;
  /// Gets the arguments without the command's name; returns the exit code.
  int (*Run)(int Argc, char **Argv);
  /// A few words, at most 15 letters: three stand beside each other in --help.
  const char *Summary;
  /// The words after its name, one line per form.
  const char *Usage;
  const char *Description;
};

/// Writes a configuration for the kernels of a folder.
int initCommand(int Argc, char **Argv);
/// Runs a program and records what it does with OpenCL.
int captureCommand(int Argc, char **Argv);
/// Lists the OpenCL devices, and what can be read from each.
int devicesCommand(int Argc, char **Argv);
/// Reports the figures of files' kernels, without looking for rewrites.
int measureCommand(int Argc, char **Argv);

/// Reports what kernels' work-items do, and the rate that peaks allow them.
int rooflineCommand(int Argc, char **Argv);

/// Serves an editor on stdin and stdout.
int lspCommand(int Argc, char **Argv);
/// Tells where results are kept from run to run, or removes them.
int cacheCommand(int Argc, char **Argv);
/// Runs a command in shards, on this machine or by Slurm.
int fleetCommand(int Argc, char **Argv);
/// Keeps the figures of each night, and tells what got worse.
int historyCommand(int Argc, char **Argv);
/// Puts the documents of a run's shards together.
int mergeCommand(int Argc, char **Argv);
/// Measures how fast a device copies and computes.
int peakCommand(int Argc, char **Argv);
/// Measures how many registers a work-item has.
int probeCommand(int Argc, char **Argv);
/// Runs the launches of a capture without the program.
int replayCommand(int Argc, char **Argv);
/// Runs a program with the kernels of a plan.
int runCommand(int Argc, char **Argv);
/// Runs a program with and without the rewritten kernels of its capture.
int tryCommand(int Argc, char **Argv);
/// Runs the program of \p O so, as its options for `try` say, and prints what
/// came of it.
llvm::Expected<pipeline::SwappedResult> tried(const config::Options &O,
                                              const char *Argv0);
/// That of `try`, where contents were \p Compared or need not be.
int exitCodeOf(const pipeline::SwappedResult &R, bool Compared);
/// Captures a program, searches, and tries the plan of what was found.
int tuneCommand(int Argc, char **Argv);
/// Runs two versions of kernels on the same inputs and compares.
int verifyCommand(int Argc, char **Argv);
/// The command line without a command.
int rewriteCommand(int Argc, char **Argv);

inline constexpr Command Commands[] = {
    {"", rewriteCommand, "", "[options] FILE|FOLDER|-... [-- build options]",
     "Rewrites OpenCL C kernels so that they need fewer registers and more of "
     "them run at once, and keeps only edits that it has measured and "
     "checked.\n"
     "Exit codes: 0 nothing to do or all fixed, 1 edits that pay are left, 2 "
     "some file could not be worked on, 128 + N where signal N ended it."},
    {"init", initCommand, "first settings", "[options] [FOLDER]",
     "Looks at the kernels below the folder (default: here), at the macros and "
     "headers that they lack, and at the devices here, and writes a commented "
     ".clrewrite.yaml. It asks nothing, and overwrites none.\n"
     "Exit codes: 0, or 2 where there is such a file, or no kernel."},
    {"measure", measureCommand, "figures only",
     "[options] FILE|FOLDER|-... [-- build options]",
     "Reports what the kernels need on each target, and changes nothing.\n"
     "Exit codes: 0, 1 where --fail-on-regression found a kernel that got "
     "worse, 2 where some file could not be worked on, 128 + N where signal N "
     "ended the run early."},
    {"roofline", rooflineCommand, "bounds of speed",
     "[options] FILE|FOLDER|-... [-- build options]",
     "Counts the loads, stores, bytes and operations of a work-item in the "
     "optimised code, and reports the rate that a device's peaks allow.\n"
     "Exit codes: 0, or 2 where some file could not be worked on."},
    {"verify", verifyCommand, "compare results",
     "[options] BEFORE.cl AFTER.cl [-- build options]",
     "Runs the kernels of two files on the same inputs and compares every "
     "byte that they leave.\n"
     "Exit codes: 0 the same, 1 different, 2 could not tell or could not "
     "work."},
    {"capture", captureCommand, "watch a program",
     "[options] -- PROGRAM [ARGUMENT...]\n[options] --show=FOLDER",
     "Runs a program, and records what it does with OpenCL.\n"
     "The exit code is the program's (128 + N where signal N ended it); 125 "
     "where clrewrite itself failed, 127 where there is no such program."},
    {"try", tryCommand, "time edits", "[options] -- PROGRAM [ARGUMENT...]",
     "Runs a program with and without the rewritten kernels of its capture.\n"
     "Exit codes: 0 the kernels and the program write the same, 1 they do "
     "not, 2 that could not be told."},
    {"run", runCommand, "with a plan", "--plan=FILE -- PROGRAM [ARGUMENT...]",
     "Runs a program whose launches take the kernels of a plan where these "
     "stand for its own (docs/plans.md). The plan's kernels run as the "
     "program's do, in no sandbox.\n"
     "The exit code is the program's (128 + N where signal N ended it); 125 "
     "where clrewrite itself failed, 127 where there is no such program."},
    {"tune", tuneCommand, "all of that", "[options] -- PROGRAM [ARGUMENT...]",
     "Runs a program to watch it, searches for edits that make its kernels "
     "faster, writes them as a plan, and runs the program with and without the "
     "plan (docs/plans.md). No file of the program's is changed.\n"
     "Exit codes: 0 it went well, with or without a gain, 1 the program or its "
     "kernels write something else with the plan, 2 something failed."},
    {"replay", replayCommand, "repeat launches", "[options] FOLDER",
     "Runs the launches of a capture without its program, with the rewritten "
     "kernels beside its own where there are some.\n"
     "Exit codes: 0 all is the same, 1 something differs, 2 that could not be "
     "told."},
    {"fleet", fleetCommand, "many machines",
     "--local|--parallel|--slurm --output=FILE -- COMMAND...",
     "Runs a command of clrewrite's, such as measure --format=json src, in "
     "shards, and merges their documents "
     "(docs/fleet.md). A shard that was killed is run again alone; after an "
     "error the same command goes on with what is missing.\n"
     "Exit codes: those of the command, and 2 where a shard did not come to an "
     "end."},
    {"merge", mergeCommand, "shards", "OUT IN...",
     "Puts the documents of a run's shards together to the one of the whole "
     "run: JSON, SARIF, baselines. Plans are joined too (docs/fleet.md).\n"
     "Exit codes: 0, or 2 where a shard is missing or there twice, or anything "
     "else is wrong; nothing is written then."},
    {"history", historyCommand, "of each night", "[options] DATABASE",
     "Adds a report to a database, and tells which kernels are worse than they "
     "were, and since which night, commit, compiler or driver "
     "(docs/fleet.md).\n"
     "Exit codes: 0, 1 where --fail-on-regression found a kernel that got "
     "worse in the last night, 2 where something failed."},
    {"lsp", lspCommand, "for editors", "[options] [-- build options]",
     "A language server on stdin and stdout: figures over each kernel, fixes "
     "under the cursor and on save.\n"
     "Exit codes: 0 where the editor said goodbye, 1 where it went without, 2 "
     "where the command line is wrong."},
    {"devices", devicesCommand, "OpenCL devices", "[options]",
     "Lists the OpenCL devices, and what can be read from each.\n"
     "Exit codes: 0, or 2 where the device program failed."},
    {"probe", probeCommand, "GPU registers", "[options]",
     "Measures how many registers a work-item of a device has, and whether "
     "kernels with more live variables lose occupancy or spill "
     "(docs/device-tools.md).\n"
     "Exit codes: 0, or 2 where the device could not be measured."},
    {"peak", peakCommand, "GPU speed", "[options]",
     "Measures how fast a device copies and computes "
     "(docs/device-tools.md).\n"
     "Exit codes: 0, or 2 where the device could not be measured."},
    {"cache", cacheCommand, "kept results", "[options]",
     "Tells where results are kept from run to run, or removes them."},
};

} // namespace clrewrite::cli
