// Launching the reference kernel.
#include "measure/device/Reference.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::measure {

static constexpr const char *ReferenceText =
    "kernel void reference(global float *p) {\n"
    "  float x = p[get_global_id(0)];\n"
    "  for (int i = 0; i < 20000; ++i)\n"
    "    x = fma(x, 0.999f, 0.001f);\n"
    "  p[get_global_id(0)] = x;\n"
    "}\n";
static constexpr int64_t ReferenceItems = 16384;

Expected<double> referenceTime(opencl::DeviceChannel &Channel,
                               unsigned Device) {
  json::Object Version = opencl::programOf(ReferenceText, "");
  Version["kernel"] = "reference";
  opencl::DeviceAnswer A = Channel.call(json::Object{
      {"job", "run"},
      {"device", Device},
      {"versions", json::Array{std::move(Version)}},
      {"global", json::Array{ReferenceItems}},
      {"local", json::Array{64}},
      {"args", json::Array{json::Object{
                   {"buffer", json::Object{{"bytes", ReferenceItems * 4},
                                           {"fill", "floats:0:1"}}},
                   {"access", "rw"}}}},
      {"compare", false},
      // The next version is timed with the buffers of the one before.
      {"leaves_memory", true},
      {"time", true},
      {"repeat", 10}});
  if (!A.ok())
    return createStringError(opencl::reasonOf(A));
  const json::Object *Time = A.Body.getObject("time");
  const json::Array *List = Time ? Time->getArray("versions") : nullptr;
  const json::Object *One =
      List && !List->empty() ? List->front().getAsObject() : nullptr;
  auto Shortest = One ? One->getNumber("min_ns") : std::nullopt;
  if (!Shortest || *Shortest <= 0)
    return createStringError("the device gave no times");
  return *Shortest;
}

bool hasReference(const Target &T) {
  return !T.IsCpu && !StringRef(T.Sandbox).contains("interpreter");
}

std::string Reference::check(opencl::DeviceChannel &Channel, const Target &On) {
  if (!hasReference(On))
    return "";
  Expected<double> Took = referenceTime(Channel, On.Device);
  if (!Took)
    return "the reference kernel can't be timed: " + toString(Took.takeError());
  if (!Best || *Took < *Best)
    Best = *Took;
  if (*Took <= *Best * Slowed)
    return "";
  return formatv("the device is throttled, or somebody else uses it: the "
                 "reference kernel takes {0:f2} times as long as before",
                 *Took / *Best);
}

} // namespace clrewrite::measure
