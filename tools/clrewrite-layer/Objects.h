// The OpenCL objects of the program, with what the layer keeps about each.
#pragma once

#include "Folder.h"
#include <CL/cl_icd.h>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

namespace clrewrite::layer {

struct Device {
  uint64_t Id;
};

struct Program {
  uint64_t Id;
  std::vector<cl_device_id> Devices;
  /// The source that the program gave, where another was swapped in.
  std::optional<std::string> OwnText;
  /// The last step that was done with it; 0 for none.
  std::atomic<uint64_t> Build{0};
};

/// An argument of a kernel, as far as the driver tells.
struct Parameter {
  enum Sort { Unknown, Memory, Local, Sampler, Value } Kind = Unknown;
};

struct Launch {
  uint64_t Id;
  /// Null where there are too many shapes to count.
  Counts *Count;
  /// How many samples of data are still wanted, of all launches that differ
  /// only in scalars; null for none.
  std::shared_ptr<std::atomic<int>> SamplesLeft;
  /// Which sample the next is.
  std::atomic<unsigned> NextSample{0};
};

/// A key of shapes: equal for equal shapes.
using ShapeKey = std::vector<uint64_t>;

/// The hash of a shape's key.
struct ShapeHash {
  size_t operator()(const ShapeKey &Key) const;
};

/// All kernel objects of one name and one build. One is never destroyed, and
/// so its launches are not.
struct KernelRecord {
  uint64_t Id;
  std::vector<Parameter> Parameters;

  std::mutex Lock; // of what follows
  std::unordered_map<ShapeKey, std::unique_ptr<Launch>, ShapeHash> Launches;
  /// Launch::SamplesLeft by the launch's key without scalars.
  std::unordered_map<ShapeKey, std::shared_ptr<std::atomic<int>>, ShapeHash>
      Samples;
  /// By device: how many shapes are kept, and what stands for the others.
  std::map<uint64_t, unsigned> Kept;
  std::map<uint64_t, std::unique_ptr<Launch>> Others;
};

/// A buffer, sub-buffer or image.
struct Memory {
  uint64_t Id = 0;
  cl_mem_object_type Type = CL_MEM_OBJECT_BUFFER;
  cl_mem_flags Flags = 0;
  uint64_t Bytes = 0;
  /// A sub-buffer's parent, or what an image was made of; 0 for none.
  uint64_t Parent = 0, ParentBytes = 0, Offset = 0;
  cl_image_format Format = {};
  /// An image's; 0 where its type has none.
  uint64_t ElementBytes = 0, Width = 0, Height = 0, Depth = 0, Layers = 0;
  /// Equal for objects with which a launch has the same shape.
  uint64_t Shape = 0;

  bool isImage() const;
  bool isBuffer() const { return Type == CL_MEM_OBJECT_BUFFER; }
};

struct Sampler {
  bool Normalized = false;
  cl_addressing_mode Address = 0;
  cl_filter_mode Filter = 0;
};

/// The SVM allocations.
class SvmTable {
public:
  struct Allocation {
    uint64_t Id, Bytes;
    cl_mem_flags Flags;
  };
  struct Found {
    const char *Base;
    Allocation What;
  };

  void put(void *Base, Allocation A) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    Allocations[static_cast<char *>(Base)] = A;
  }
  void remove(void *Base) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    Allocations.erase(static_cast<char *>(Base));
  }
  /// The allocation that holds the address.
  std::optional<Found> find(const void *Address) const;

private:
  mutable std::shared_mutex Lock;
  std::map<const char *, Allocation> Allocations;
};

/// An argument as it was set last.
struct Argument {
  enum Sort { Unset, Memory, Sampler, Svm, Local, Bytes, Null, Other };
  Sort Kind = Unset;
  std::shared_ptr<layer::Memory> Mem;
  cl_mem Handle = nullptr;
  std::shared_ptr<layer::Sampler> Sam;
  const void *Pointer = nullptr;
  /// Of Local, Bytes and Other.
  uint64_t Size = 0;
  std::string Value;
};

/// What a launch's shape has beside the kernel's arguments, as numbers: device,
/// flags, then global size, local size and offset.
using CallShape = std::array<uint64_t, 11>;

struct Kernel {
  std::shared_ptr<KernelRecord> Of;

  std::mutex Lock; // of what follows
  std::vector<Argument> Arguments;
  std::vector<const void *> SvmPointers;
  /// The launch before, its shape and its key.
  Launch *Last = nullptr;
  CallShape LastShape;
  ShapeKey LastKey;
  /// An argument has changed since, or what stands behind one may have.
  bool Changed = true;
  /// Room for the key of the next.
  ShapeKey Key;
  std::vector<uint64_t> Met;
};

struct Queue {
  std::shared_ptr<layer::Device> On;
  bool OutOfOrder = false;
  /// Its launches can be timed.
  bool Profiled = false;
  /// The layer, not the program, asked for that.
  bool ProfilingIsOurs = false;
  /// What the program asked for, as CL_QUEUE_PROPERTIES_ARRAY has it.
  std::vector<cl_queue_properties> Asked;
  bool HasArray = false;

  struct Pending {
    cl_event Event;
    Launch *Of;
    /// How many launches this one stands for.
    unsigned Weight;
  };
  /// How many are in Untimed, for those who need no lock to see that none is.
  std::atomic<size_t> UntimedCount{0};
  std::mutex Lock; // of what follows
  std::deque<Pending> Untimed;
  bool Harvesting = false;
};

} // namespace clrewrite::layer
