// Building a program on the device, and reading the answer.
#include "verify/Build.h"

using namespace llvm;

namespace clrewrite::verify {

opencl::DeviceAnswer build(const Source &S, const ChosenDevice &D,
                           Arithmetic How) {
  json::Object Job = deviceProgram(S, How);
  Job["job"] = "build";
  Job["device"] = D.Index;
  return D.Channel->call(std::move(Job));
}

std::string whyNotBuilt(const opencl::DeviceAnswer &A) {
  StringRef Log = A.Body.getString("log").value_or("");
  while (!Log.empty()) {
    auto [Line, Rest] = Log.split('\n');
    if (Line.contains("error"))
      return Line.trim().str();
    Log = Rest;
  }
  return A.Problem;
}

const json::Object *kernelNamed(const opencl::DeviceAnswer &Built,
                                StringRef Name) {
  if (const json::Array *List = Built.Body.getArray("kernels"))
    for (const json::Value &V : *List)
      if (const json::Object *O = V.getAsObject())
        if (O->getString("name") == Name)
          return O;
  return nullptr;
}

} // namespace clrewrite::verify
