// The memory objects of a launch, which a later launch may use again.
//
// A search times hundreds of versions of one kernel on the same launch. To
// allocate, fill, write, read and hash its buffers for each of them takes
// seconds where they have a hundred megabytes, and the launches milliseconds.
// So a job may ask that the memory of the job before it be used (`reuse`): the
// contents come from a copy on the device, version 0 is not run again to be
// compared with, and what a GPU left is compared there.
#pragma once

#include "HostMemory.h"
#include "LaunchRequest.h"
#include "MemoryObject.h"
#include "Programs.h"
#include <memory>

namespace clrewrite::device {

/// A buffer or image argument and what the first version left in it.
struct BoundMemory {
  size_t Index; // of the argument
  std::unique_ptr<MemoryObject> Object;
  HostMemory Expected;
  Memory ExpectedThere; // the same on the device, once it was needed
  size_t Changed = 0;   // elements that version 0 left otherwise than it found
  // No version that was compared writes to it, whatever its "access" says: a
  // host may call a buffer read-only that its kernels write, and be lucky.
  bool Untouched = false;
  std::vector<std::string> Hashes = {};      // by version
  std::vector<std::string> TimedHashes = {}; // of the last timed launches
  Json Contents = Json::array();
};

struct LaunchMemory {
  /// The device, arguments and guard that the objects are for; empty where
  /// no later job may use them.
  std::string Key;
  /// The version that Expected, Changed and the first hash are of.
  std::string First;
  std::vector<BoundMemory> Objects = {};
  HostMemory Staging = {}; // as large as the largest object
};

/// What two jobs have in common that may use the same memory; empty where \p
/// Job does not ask for it, or wants contents sent back.
std::string memoryKey(Request &Job, const LaunchRequest &L);

/// What two versions have in common that leave the same results.
std::string versionKey(const Version &V);

/// Whether \p B, of \p Bytes, holds what version 0 left there, found out by a
/// kernel of our own. None where that can't be told on the device.
std::optional<bool> isAsExpected(Device &D, Programs &Cache, BoundMemory &B,
                                 size_t Bytes);

} // namespace clrewrite::device
