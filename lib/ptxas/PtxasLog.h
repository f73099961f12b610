// Registers, stack and spills from the lines that NVIDIA's ptxas writes.
//
// The same lines stand in the output of ptxas and in the build log of NVIDIA's
// OpenCL driver, so clrewrite and clrewrite-device share this; it needs the
// standard library only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace clrewrite::ptxas {

/// What ptxas says about one kernel; nullopt for what it doesn't say.
struct PtxasFigures {
  std::optional<uint64_t> Registers;       ///< a thread
  std::optional<uint64_t> StackBytes;      ///< a thread, spills included
  std::optional<uint64_t> SpillStoreBytes; ///< a thread
  std::optional<uint64_t> SpillLoadBytes;  ///< a thread
  std::optional<uint64_t> SharedBytes;     ///< a block
  std::string Arch;                        ///< e.g. "sm_90a"
};

/// Reads a build log made with -cl-nv-verbose, or the output of ptxas -v:
///
///   ptxas info    : Compiling entry function 'f' for 'sm_90a'
///   ptxas info    : Function properties for f
///   ptxas         .     16 bytes stack frame, 4 bytes spill stores, 8 bytes
///   spill loads                                   (one line in the log)
///   ptxas info    : Used 32 registers, 1024 bytes smem, 380 bytes cmem[0]
///
/// The result is by kernel; empty for a log without such lines, as where the
/// driver took the program from its cache.
std::map<std::string, PtxasFigures> parsePtxasLog(std::string_view Log);

} // namespace clrewrite::ptxas
