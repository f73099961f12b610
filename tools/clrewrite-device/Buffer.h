// A buffer argument on a device, with guards around it.
//
// Guards come in two sorts. On a CPU device the buffer lies in fenced host
// memory (HostMemory.h), so that reads and writes outside it are caught. On
// any other device it is a sub-buffer of a larger one, whose margins of 4 KiB
// hold a pattern, and beyond these up to 4 MiB more on both sides one word.
// Both catch writes, after the launch: what is close by is read back, and for
// the rest a kernel of our own looks. What is in all of them is another in each
// run, so that results which depend on it differ from run to run.
#pragma once

#include "Devices.h"
#include "LaunchRequest.h"
#include "MemoryObject.h"

namespace clrewrite::device {

/// True where \p G means fenced host memory on \p D.
bool hasFences(const Device &D, Guard G);

class Buffer : public MemoryObject {
  Device *Where = nullptr;
  size_t Bytes = 0, Margin = 0, Wide = 0;
  /// One component of what is in it.
  ScalarType Type;
  unsigned Runs = 0;
  std::optional<FencedMemory> Fenced; // outlives the cl_mem that uses it
  Memory Whole;                       // with margins; empty without
  Memory Part;
  Memory Pristine; // the contents before a launch, for timed ones

  Status allocate(const Argument &A, Guard G);
  /// What the bytes beyond the margins hold in this run, eight of them.
  uint64_t wideWord() const;
  /// Where those behind the buffer begin in Whole.
  size_t wideBehind() const { return (Wide + 2 * Margin + Bytes + 7) / 8 * 8; }
  Status fillWide() const;
  void addFarWrites(Programs &Cache, std::vector<Trespass> &To) const;
  /// Where this run's pattern begins.
  size_t firstCanary() const { return Runs * Margin; }

public:
  /// Allocates \p A on \p D and generates its contents, which are not yet
  /// written: see reset.
  static Result<std::unique_ptr<MemoryObject>>
  create(Device &D, const Argument &A, Guard G);

  cl_mem object() const override { return Part.get(); }
  Result<Memory> part(size_t Offset) const override;
  Status renewGuards() override;
  Status reset() override;
  Status restore() override;
  Status read(uint8_t *Into) const override;
  Result<std::vector<Trespass>> trespasses(Programs &Cache) const override;
};

} // namespace clrewrite::device
