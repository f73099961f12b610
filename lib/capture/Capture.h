// A captured run of an OpenCL program, as docs/capture.md describes the folder.
//
// The folder numbers things process by process. Here everything lies in one
// list a sort, and what refers to something holds its index there.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::capture {

/// A blob's name: 32 hex digits. Empty for none.
using BlobHash = std::string;

/// Whether \p Text is such a name and nothing else: it becomes a file's.
bool isBlobHash(llvm::StringRef Text);

struct CapturedProcess {
  std::vector<std::string> Command;
  std::string Directory;
  /// Wall time from the layer's start to the process's end; none where it was
  /// killed.
  std::optional<uint64_t> Nanoseconds;
};

struct CapturedDevice {
  size_t Process = 0;
  std::string Name, Driver, PlatformName;
};

struct CapturedProgram {
  enum Sort { Source, Binary, Il, Builtin, Linked } Kind = Source;
  size_t Process = 0;
  std::vector<size_t> Devices;
  /// Of a Source: one a string, in order.
  std::vector<BlobHash> Strings;
  /// Of the strings joined; of the bytes of a Binary or Il.
  BlobHash Hash;
  /// What the driver got instead.
  BlobHash Swapped;
};

struct CapturedBuild {
  enum Sort { Build, Compile, Link } Step = Build;
  struct Header {
    /// As the source includes it.
    std::string Name;
    size_t Program;
  };
  struct Input {
    size_t Program;
    /// The step that compiled it.
    std::optional<size_t> Build;
  };
  struct Result {
    size_t Device;
    std::string Status;
  };
  /// None for a link that failed.
  std::optional<size_t> Program;
  std::string Options;
  std::vector<Header> Headers; // of a Compile
  std::vector<Input> Inputs;   // of a Link
  std::vector<size_t> Devices;
  std::vector<Result> Results;
  /// OpenCL's error code; 0 is success.
  int64_t Code = 0;
};

struct CapturedKernel {
  std::string Name;
  size_t Program = 0;
  std::optional<size_t> Build;
};

/// One argument of a launch. Which members count depends on Kind, as in
/// docs/capture.md.
struct CapturedArgument {
  enum Sort {
    Buffer,
    SubBuffer,
    Image,
    Sampler,
    Svm,
    Local,
    Bytes,
    Null,
    Other,
    Unset
  } Kind = Unset;
  /// The memory object's number, in its process; arguments of one launch with
  /// the same number are the same object. 0 for none.
  uint64_t Mem = 0, Parent = 0;
  uint64_t Offset = 0;
  /// Of buffers, images (without gaps), SVM allocations, local memory and
  /// Value; none for SVM memory of unknown size.
  std::optional<uint64_t> Size;
  std::vector<std::string> Flags;
  /// Bytes: the value in memory order.
  std::string Value;
  /// Image: names as in the device protocol.
  std::string ImageType, ChannelOrder, ChannelType;
  std::optional<uint64_t> Width, Height, Depth, Layers;
  uint64_t ElementBytes = 0;
  /// Sampler: as in the device protocol.
  bool Normalized = false;
  std::string Address, Filter;

  bool hasFlag(llvm::StringRef Flag) const;
  /// It has memory that can have data.
  bool isMemory() const {
    return Kind == Buffer || Kind == SubBuffer || Kind == Image || Kind == Svm;
  }
};

/// The bytes of one argument in one recorded launch.
struct CapturedData {
  /// Which of the shape's recorded launches, from 0.
  unsigned Sample = 0;
  /// Which argument has the bytes; none where they belong to the entry of
  /// SvmPointers that has the same Mem.
  std::optional<unsigned> Argument;
  uint64_t Mem = 0, Size = 0;
  /// The hashes of the bytes before and after the launch; empty where these
  /// were not read.
  BlobHash Before, After;
  /// Why they could not be read; else empty.
  std::string Unreadable;
};

struct LaunchCounts {
  uint64_t Launches = 0, Refused = 0;
  /// By event profiling; of those launches that were timed.
  uint64_t Timed = 0, Nanoseconds = 0, MinNs = 0, MaxNs = 0;
  /// The same as Timed and Nanoseconds, each as often as it stands for launches
  /// that were not timed; 0 in captures of earlier layers.
  uint64_t Weights = 0, WeightedNs = 0;
};

/// All launches of one shape.
struct CapturedLaunch {
  size_t Kernel = 0, Device = 0;
  /// Stands for the shapes beyond the number that is kept: only Kernel, Device
  /// and Counts are known.
  bool Other = false;
  std::vector<uint64_t> Global, Local, Offset;
  std::vector<CapturedArgument> Arguments, SvmPointers;
  LaunchCounts Counts;
  /// Sorted by Sample, then Argument.
  std::vector<CapturedData> Data;

  /// The time of all launches, those that were not timed taken at the mean of
  /// the others; none where none was timed.
  std::optional<double> totalNs() const;
  bool hasData(unsigned Sample = 0) const;
};

/// What became of the launches of one kernel of a plan.
struct PlannedKernel {
  std::string Name;
  uint64_t Took = 0, Others = 0;
  /// Why those others did not take the plan.
  std::string Why;
};

/// The bytes of a blob of the capture in \p Folder; fails where it was dropped.
llvm::Expected<std::string> blobIn(const std::string &Folder,
                                   llvm::StringRef Hash);

struct Capture {
  std::string Folder;
  std::vector<std::string> Command;
  std::string Directory;
  /// Both none: it was not started by clrewrite capture, or that was killed.
  std::optional<int> ExitCode, Signal;
  std::vector<CapturedProcess> Processes;
  std::vector<CapturedDevice> Devices;
  std::vector<CapturedProgram> Programs;
  std::vector<CapturedBuild> Builds;
  std::vector<CapturedKernel> Kernels;
  std::vector<CapturedLaunch> Launches;
  /// Where it ran with a plan: all of its kernels, for each process.
  std::vector<PlannedKernel> Planned;
  /// How long the plan's programs took to build beside the program's own.
  uint64_t PlanBuildNs = 0;
  /// Notes and what was dropped, for the user.
  std::vector<std::string> Notes;
  /// Those of Notes that are about data which was not recorded.
  std::vector<std::string> DataNotes;
  /// Lines that could not be read: cut, or no JSON.
  unsigned BadLines = 0;

  /// The bytes of a blob; fails where it was dropped.
  llvm::Expected<std::string> blob(llvm::StringRef Hash) const {
    return blobIn(Folder, Hash);
  }
  /// A Source's strings joined, as the compiler sees them.
  llvm::Expected<std::string> text(const CapturedProgram &P) const;
  /// The path of what is called \p Name in the folder.
  std::string pathOf(const llvm::Twine &Name) const;
  /// Puts a file \p Name into the folder; never through a link.
  llvm::Error put(const llvm::Twine &Name, llvm::StringRef Text) const;
  /// Removes \p Name with all in it; a link is removed, not entered.
  llvm::Error remove(llvm::StringRef Name) const;
  /// What clrewrite made of the program whose text is called \p Hash; none
  /// where it made nothing.
  std::optional<std::string> rewritten(llvm::StringRef Hash) const;
  /// Lays the headers that the host gave for \p B in \p Into, where their names
  /// lead to them. Fails for a name that leads elsewhere.
  llvm::Error layHeaders(const CapturedBuild &B, llvm::StringRef Into) const;
};

/// Reads the capture in \p Folder. Fails where there is none, or where it is of
/// another version.
llvm::Expected<Capture> readCapture(llvm::StringRef Folder);

/// The name that \p Bytes have as a blob.
BlobHash blobHash(llvm::StringRef Bytes);

} // namespace clrewrite::capture
