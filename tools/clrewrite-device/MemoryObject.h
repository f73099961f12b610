// The interface of the memory objects of a launch: buffers and images.
#pragma once

#include "Cl.h"
#include "HostMemory.h"
#include "Programs.h"
#include <algorithm>
#include <cstring>

namespace clrewrite::device {

/// The flags of the driver for the "access" of an argument.
inline cl_mem_flags flagsOf(const std::string &Access) {
  return Access == "r"   ? CL_MEM_READ_ONLY
         : Access == "w" ? CL_MEM_WRITE_ONLY
                         : CL_MEM_READ_WRITE;
}

/// Has contents that are given before a launch and looked at after it.
class MemoryObject {
protected:
  HostMemory Initial; ///< the contents before a launch

public:
  virtual ~MemoryObject() = default;

  virtual cl_mem object() const = 0;
  /// What lies behind its first \p Offset bytes, of which there are more, as an
  /// object of its own in the same memory.
  virtual Result<Memory> part(size_t Offset) const = 0;
  /// Forgets accesses outside, and makes the surroundings tell new ones.
  virtual Status renewGuards() = 0;
  /// Writes the initial contents and renews the guards.
  virtual Status reset() = 0;
  /// Enqueues a copy of the initial contents, on the device alone. The first
  /// call makes the copy that it is taken from.
  virtual Status restore() = 0;
  /// Reads all bytes, rows and slices without gaps.
  virtual Status read(uint8_t *Into) const = 0;
  /// The accesses outside the object since its guards were renewed. \p Cache
  /// keeps the program that looks for them on the device.
  virtual Result<std::vector<Trespass>> trespasses(Programs &Cache) const = 0;

  /// How many elements of \p Size bytes (1, 2, 4 or 8) \p Contents has
  /// otherwise than they were before the launch. The last may be cut off.
  size_t changedElements(const uint8_t *Contents, size_t Size) const {
    size_t Whole = Initial.size() / Size, End = Whole * Size;
    bool Rest =
        std::memcmp(Initial.data() + End, Contents + End, Initial.size() - End);
    switch (Size) {
    case 1:
      return Rest + unequal<uint8_t>(Contents, Whole);
    case 2:
      return Rest + unequal<uint16_t>(Contents, Whole);
    case 4:
      return Rest + unequal<uint32_t>(Contents, Whole);
    default:
      return Rest + unequal<uint64_t>(Contents, Whole);
    }
  }

private:
  /// How many of the first \p Count elements, which are as large as T, \p
  /// Contents has otherwise. A loop over loads of a known size is one that the
  /// compiler vectorises.
  template <typename T>
  size_t unequal(const uint8_t *Contents, size_t Count) const {
    size_t Sum = 0;
    for (size_t I = 0; I < Count; ++I) {
      T Old, New;
      std::memcpy(&Old, Initial.data() + I * sizeof(T), sizeof(T));
      std::memcpy(&New, Contents + I * sizeof(T), sizeof(T));
      Sum += Old != New;
    }
    return Sum;
  }
};

} // namespace clrewrite::device
