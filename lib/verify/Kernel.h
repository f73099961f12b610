// What is known about a kernel's arguments: from the device program's `build`
// answer, and from the front end where it has parsed the source.
#pragma once

#include "rewrite/Candidate.h"
#include "llvm/Support/JSON.h"

namespace clrewrite::verify {

struct KernelArgument {
  enum Kind {
    Buffer,    ///< a pointer to global or constant memory
    Local,     ///< a pointer to local memory
    Value,     ///< a scalar or a vector
    Structure, ///< anything else by value; Size bytes
    Image,     ///< of ImageType
    Sampler,
  } What = Value;
  std::string Name;
  /// The component of the value, or of what the pointer points to: "uchar",
  /// "float", ...; empty for a structure.
  std::string Component;
  unsigned Lanes = 1;
  /// Bytes of the value, or of one element behind the pointer.
  unsigned Size = 1;
  /// May be the same buffer as another argument.
  bool MayAlias = false;
  /// Image: "2d", "1d_array", ... as the device protocol has them.
  std::string ImageType;
  /// Image: "r", "w" or "rw".
  std::string Access;
  /// As in KernelArg; where the front end knows nothing, nothing is assumed.
  std::string Channels;
  bool Sampled = false, FloatCoords = false, OnlyCounts = false;

  bool isByValue() const { return What == Value || What == Structure; }
  bool isFloat() const;
  bool isSigned() const;
};

struct KernelShape {
  std::string Name;
  std::vector<KernelArgument> Arguments;
  /// How many dimensions of the NDRange it looks at, 1 to 3.
  unsigned Dimensions = 1;
  /// It may depend on how the NDRange is cut into work-groups; and the original
  /// itself may.
  bool UsesGroups = true, OriginalUsesGroups = true;
  /// It may ask for what a launch of some of the work-items, with a global
  /// offset, changes.
  bool AsksForWhole = true;
  /// Numbers of its text, as in rewrite::KernelInfo.
  std::vector<int64_t> Integers;
  std::vector<double> Reals;
  /// Its reqd_work_group_size; empty where it has none.
  std::vector<uint64_t> RequiredLocal;
  /// The largest work-group that the device can launch it with.
  uint64_t MaxLocal = 256;
  /// Bytes at whose multiples the device lets a part of a buffer begin; 0:
  /// nowhere.
  uint64_t PartAlign = 0;
  /// Why no inputs can be made for it: "argument 2 is an image"; else empty.
  std::string Problem;
};

/// Reads one entry of "kernels" of a `build` answer. \p Known is what the
/// front end says of the same kernel; null where it has not parsed it.
KernelShape describeKernel(const llvm::json::Object &Built,
                           const rewrite::KernelInfo *Known);

/// True where both take the same arguments.
bool sameArguments(const KernelShape &A, const KernelShape &B);

} // namespace clrewrite::verify
