// A buffer argument on a device, with guards around it.
//
// Guards come in two sorts. On a CPU device the buffer lies in fenced host
// memory (HostMemory.h), so that reads and writes outside it are caught. On
// any other device it is a sub-buffer of a larger one, whose margins of 4 KiB
// hold a pattern; that catches writes close by, after the launch.
#pragma once

#include "Devices.h"
#include "HostMemory.h"
#include "LaunchRequest.h"

namespace clrewrite::device {

/// True where \p G means fenced host memory on \p D.
bool hasFences(const Device &D, Guard G);

class Buffer {
  Device *Where = nullptr;
  size_t Bytes = 0, Margin = 0;
  std::optional<FencedMemory> Fenced; // outlives the cl_mem that uses it
  Memory Whole;                       // with margins; empty without
  Memory Part;
  Memory Pristine; // the contents before a launch, for timed ones
  HostMemory Initial;

  Status allocate(const Argument &A, Guard G);

public:
  /// Allocates \p A on \p D and generates its contents, which are not yet
  /// written: see reset.
  static Result<Buffer> create(Device &D, const Argument &A, Guard G);

  cl_mem object() const { return Part.get(); }
  size_t size() const { return Bytes; }

  /// Writes the initial contents and renews the guards.
  Status reset();
  /// Enqueues a copy of the initial contents, on the device alone. The first
  /// call makes the copy that it is taken from.
  Status restore();
  Status read(uint8_t *Into) const;
  bool differsFromInitial(const uint8_t *Contents) const;
  /// What happened outside the buffer since reset.
  Result<std::vector<Trespass>> trespasses() const;
};

} // namespace clrewrite::device
