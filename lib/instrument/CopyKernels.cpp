// The OpenCL C of the copying kernels is written, a kernel per width and
// stride.
#include "instrument/CopyKernels.h"
#include "opencl/DeviceClient.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace clrewrite::instrument {

std::vector<CopyWay> copyWays() {
  std::vector<CopyWay> Out;
  for (unsigned Width : {1, 2, 4, 8, 16})
    Out.push_back({false, Width, 1});
  Out.push_back({true, 0, 0});
  for (unsigned Stride : {2, 4, 8, 16, 32})
    Out.push_back({false, 1, Stride});
  return Out;
}

json::Value wayJson(const CopyWay &Way, uint64_t Bytes, unsigned Group) {
  if (Way.Driver)
    return nullptr;
  std::string Type = "float" + (Way.Width > 1 ? std::to_string(Way.Width) : "");
  uint64_t Items = Bytes / sizeof(float) / Way.Width;
  std::string Index = "i";
  if (Way.Stride > 1) {
    uint64_t Sweep = Items / Way.Stride; // a power of two
    Index = formatv("(i & {0}u) * {1}u + (i >> {2})", Sweep - 1, Way.Stride,
                    Log2_64(Sweep));
  }
  json::Object Out = opencl::programOf(
      formatv("kernel void copy(global const {0} *restrict in,\n"
              "                 global {0} *restrict out) {{\n"
              "  size_t i = get_global_id(0);\n"
              "  size_t at = {1};\n"
              "  out[at] = in[at];\n}\n",
              Type, Index)
          .str(),
      "");
  Out["kernel"] = "copy";
  Out["global"] = json::Array{int64_t(Items)};
  Out["local"] = json::Array{Group};
  return Out;
}

} // namespace clrewrite::instrument
