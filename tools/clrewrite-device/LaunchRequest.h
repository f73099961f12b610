// The job `run` as values: versions of a kernel, arguments, and a launch.
#pragma once

#include "Fill.h"
#include "HostMemory.h"
#include "ImageRequest.h"
#include "Request.h"

namespace clrewrite::device {

/// The sizes of a launch; Local and Offset may be empty.
struct LaunchSizes {
  std::vector<size_t> Global, Local, Offset;
};

struct Version {
  std::string Source, Options, Kernel;
  LaunchSizes Sizes;
};

struct Argument {
  enum Kind {
    Buffer,
    NullBuffer,
    Alias,
    Local,
    Value,
    Image,
    Sampler
  } What = Value;
  size_t Of = 0;     ///< Alias: the argument whose buffer this one is too
  size_t Offset = 0; ///< Alias: the byte of that buffer at which it begins
  size_t Bytes = 0;  ///< Buffer, Local and Image
  Fill Contents;     ///< Buffer and Image
  uint64_t Seed = 0;
  /// Buffer and Image: "rw", "r" or "w"; decides the cl_mem_flags, and what
  /// must be restored between timed launches.
  std::string Access = "rw";
  size_t Align = 0;              ///< 0: the device's own alignment
  bool Return = false;           ///< send the contents back after each version
  std::vector<uint8_t> Constant; ///< Value
  ImageShape Shape;              ///< Image
  SamplerShape Sampling;         ///< Sampler

  /// Has contents of its own.
  bool isMemory() const { return What == Buffer || What == Image; }
};

/// Start and End say which end of a buffer lies at a fence, where the device
/// can have fences; Margins asks for margins everywhere.
enum class Guard { Off, Start, End, Margins };

struct LaunchRequest {
  std::vector<Version> Versions;
  std::vector<Argument> Arguments;
  unsigned Repeat = 20, Warmup = 3;
  bool Compare = true, Time = false;
  bool AnyNan = false; ///< all NaNs are equal
  /// Nothing more is run once a version has left its buffers.
  bool InsideOnly = false;
  bool HashTimed = false;    ///< tell what the last timed launches left, too
  bool Reuse = false;        ///< the memory of the job before may be used
  bool LeavesMemory = false; ///< the memory that is kept stays for a later job
  /// From the eighth on, timed rounds end once they have taken so long; 0: all
  /// are made.
  unsigned EnoughSeconds = 0;
  /// After Repeat, rounds are timed until all have taken so many milliseconds,
  /// or MostMore times Repeat are made. 0: none.
  unsigned MoreMilliseconds = 0;
  /// Each version runs so often, to tell how far its results vary; 0: nobody
  /// asks.
  unsigned SpreadRuns = 0;
  Guard TheGuard = Guard::Off;
};

/// At most this many bytes of a buffer are sent back.
constexpr size_t MostReturned = size_t(1) << 20;

/// How many times LaunchRequest::Repeat rounds are timed at most, where
/// MoreMilliseconds asks for more.
constexpr unsigned MostMore = 5;

/// \p Kept as for parseFill.
Result<LaunchRequest> parseLaunch(Request &Job, KeptContents *Kept = nullptr);

} // namespace clrewrite::device
