// Building a program on the device, and reading the answer.
#include "verify/Build.h"
#include "source/RealPaths.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace clrewrite::verify {

opencl::DeviceAnswer build(const Source &S, const ChosenDevice &D,
                           Arithmetic How) {
  json::Object Job = deviceProgram(S, How);
  Job["job"] = "build";
  Job["device"] = D.Index;
  return D.Channel->call(std::move(Job));
}

/// \p Message with the file's name for the one that PoCL, NVIDIA's or AMD's
/// driver has made for the text. Lines are the file's already (withArithmetic).
static std::string naming(const Source &S, StringRef Message) {
  static const Regex Place("[^ :]*(tempfile_[A-Za-z0-9]*\\.cl|<[a-z]+>|"
                           "/input/CompileSource):[0-9]+:[0-9]+:");
  SmallVector<StringRef> Found;
  if (!Place.match(Message, &Found))
    return Message.str();
  auto At = size_t(Found[0].data() - Message.data());
  StringRef Behind = Message.substr(At);
  size_t Name = size_t(Found[1].end() - Behind.data());
  return (Message.take_front(At) + shortPath(S.Path) + Behind.substr(Name))
      .str();
}

std::string whyNotBuilt(const opencl::DeviceAnswer &A, const Source &S) {
  StringRef Log = A.Body.getString("log").value_or("");
  while (!Log.empty()) {
    auto [Line, Rest] = Log.split('\n');
    if (Line.contains("error"))
      return naming(S, Line.trim());
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
