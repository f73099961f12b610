// An image argument on a device.
//
// Images have no guards: devices drop writes outside them and give reads some
// value, so nothing is left to see after the launch. A 1d_buffer image is a
// view of a buffer, which is where its contents are written and read.
#pragma once

#include "Devices.h"
#include "LaunchRequest.h"
#include "MemoryObject.h"

namespace clrewrite::device {

class Image : public MemoryObject {
  Device *Where = nullptr;
  ImageShape Shape;
  Memory Backing; // of a 1d_buffer image; outlives the view
  Memory Whole;
  Memory Pristine; // a buffer with the initial contents, for timed launches

  Status allocate(const Argument &A);

public:
  /// Allocates \p A on \p D and generates its contents, which are not yet
  /// written: see reset.
  static Result<std::unique_ptr<MemoryObject>> create(Device &D,
                                                      const Argument &A);

  cl_mem object() const override { return Whole.get(); }
  Result<Memory> part(size_t) const override {
    return refused("UNSUPPORTED", "an image has no parts");
  }
  Status renewGuards() override { return std::nullopt; }
  Status reset() override;
  Status restore() override;
  Status read(uint8_t *Into) const override;
  Result<std::vector<Trespass>> trespasses(Programs &) const override;
};

/// Refuses what \p D can't do: images at all, the format, the size.
Status checkImage(Device &D, const Argument &A);

Result<Sampler> createSampler(Device &D, const SamplerShape &S);

} // namespace clrewrite::device
