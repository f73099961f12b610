// What the user asks for: every value that a command line can give, as plain
// data, with the defaults of what is not given.
//
// A command line, a configuration file and an editor's settings fill it by way
// of one table (OptionTable.h), which has the options' names. Nothing here is
// global, so a program can have several of them: the language server has one
// for each document that it works on.
#pragma once

#include "config/Config.h"

namespace clrewrite::config {

/// In the order in which help lists them.
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

/// What `verify` alone takes. Its two files are Options::Files.
struct CompareOptions {
  std::string Kernel, Device, DeviceCommand;
  unsigned DeviceTimeout = 60; ///< seconds
  double Seconds = 30;         ///< for one kernel
  unsigned Rounds = 32, Seed = 1;
  bool NoOverlap = false, Time = false, Verbose = false;
  bool AllowVarying = false;
  std::vector<int64_t> Global = {}, Local = {};
  Words Set = {}; ///< NAME=NUMBER each
  std::string Tolerance = {}, Witness = {};
  std::string Prove = "on";
  unsigned ProofSeconds = 10;
  Words LaunchChanges = {}; ///< KERNEL:FACTORS[:LOCAL][:round-up] each
};

/// What `capture` alone takes.
struct CaptureOptions {
  std::string Folder = "clrewrite-capture", Show = {};
  std::optional<std::string> Data =
      {}; ///< "" where it is given without a value
  std::string MaxSize = "1G";
  Words Targets = {};
  bool NoMeasure = false, Quiet = false;
  Format Form = Format::Text;
};

/// What `try` alone takes.
struct TryOptions {
  std::string Folder = "clrewrite-capture";
  unsigned Rounds = 7;
  bool NoCompare = false;
  std::string MaxSize = "1G";
};

/// What `tune` alone takes, beside parts of those of `capture` and `try`.
struct TuneOptions {
  std::string Budget = "60s", Only = {};
};

/// What `fleet` alone takes. The command that it runs is Options::AfterDashes.
struct FleetOptions {
  bool Local = false, Parallel = false, Slurm = false, Print = false;
  unsigned Shards = 0, AtOnce = 0; ///< 0: by the processors
  std::string Folder = {};
  unsigned Timeout = 0; ///< seconds, for one shard; 0 is no limit
};

/// What `history` alone takes. Its database is the one of Options::Files.
struct HistoryOptions {
  std::string Add = {}, Date = {}, Commit = {}, Compiler = {}, Driver = {};
  std::string Page = {}, Bisect = {};
};

/// What `replay` alone takes. Its folder is the one of Options::Files.
struct RepeatOptions {
  std::string Kernel = {}, Device = {}, DeviceCommand = {};
  unsigned Repeat = 20, DeviceTimeout = 60;
};

/// What `peak` and `probe` share.
struct InstrumentOptions {
  std::string Device = {}, DeviceCommand = {}, Output = {}, Save = {};
  unsigned Budget = 60; ///< seconds
  unsigned Repeat = 7;
  Format Form = Format::Text;
};

struct Options {
  /// Files, folders, "-" for stdin.
  Words Files = {};
  /// The words after "--": build options, or a program and its arguments.
  Words AfterDashes = {};

  // What to do.
  bool Fix = false, Diff = false, Check = false, AddSuppressions = false;
  bool ShowConfig = false, ConfigSchema = false, ListRewrites = false,
       ListAdvice = false;
  std::string Explain = {};
  bool ExitZero = false, ExitNonZeroOnFix = false;
  /// The command is `measure` or like it: no rewrite is tried.
  bool OnlyMeasure = false;
  /// The command is `roofline`.
  bool Roofline = false;

  // Which edits, and how. Set has what a configuration file can say as well;
  // what is given here takes the place of what the file says.
  Config Set = {};
  std::string ConfigFile = {};
  bool NoConfig = false;
  std::string OnlyAlternative = {};
  bool Unsafe = false, NoMeasure = false, FixHeaders = false;
  Words Lines = {}; ///< FIRST:LAST each

  // How kernels are built and measured.
  std::string AssumedName = "<stdin>";
  bool EndOfOptions = false, Hook = false; ///< see FileNames.h
  std::string FilesFrom = {};
  bool Null = false, OneProgram = false;
  std::string Shard = {}, Costs = {}; ///< see Shard.h
  std::string CaptureFolder = {}, Root = ".";
  /// `run` and `try` read this file; what works on a capture writes it.
  std::string PlanFile = {};
  unsigned MaxMemory = 4096; ///< MiB
  bool NoCache = false;
  std::string LibraryDir = {}, DeviceCommand = {}, Farm = {};
  unsigned DeviceTimeout = 60; ///< seconds
  /// Processes that build for a device; unset, by the number of processors.
  std::optional<unsigned> Drivers = {};

  // What a device can do.
  std::optional<double> PeakBandwidth = {}; ///< GB/s
  std::optional<double> PeakRate = {};      ///< GFLOP/s
  std::string PeaksFile = {};

  // Whether results stay the same.
  bool AllowNative = false, RequireVerified = false;
  std::string Witness = {};

  // Output.
  Format Form = Format::Text;
  std::string Output = {};
  bool Verbose = false, ExplainSearch = false, ExplainOccupancy = false;
  bool Timing = false, Pressure = false;
  int Width = -1; ///< columns; below 0 for those of the terminal
  std::string Baseline = {};
  bool UpdateBaseline = false, FailOnRegression = false, BaselineDiff = false;

  // What no command line says but a program that embeds a run.
  std::string Kernel = {}; ///< work on this one only; empty: on all
  bool Curves = false;     ///< find out the occupancy curves, too

  // Of one command each.
  CompareOptions Compare = {};
  CaptureOptions Capture = {};
  TryOptions Try = {};
  TuneOptions Tune = {};
  RepeatOptions Repeat = {};
  FleetOptions Fleet = {};
  HistoryOptions History = {};
  InstrumentOptions Instrument = {};
  std::string PeakBuffer = {};
  unsigned ProbeMost = 512, ProbeBuildLimit = 20;
  double ProbeSlower = 1.15;
  bool ClearCache = false;

  /// Figures are reported, and nothing is rewritten.
  bool onlyMeasures() const { return OnlyMeasure || Pressure; }
};

} // namespace clrewrite::config
