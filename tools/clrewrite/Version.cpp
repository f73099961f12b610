// The version, and what this program works with on this machine.
#include "Version.h"
#include "capture/RunCaptured.h"
#include "frontend/Invocation.h"
#include "measure/Backend.h"
#include "measure/OtherLlvm.h"
#include "measure/amdgcn/Amdgcn.h"
#include "measure/nvptx/Nvptx.h"
#include "opencl/DeviceClient.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace clrewrite::cli {

/// Debian's packages are named by it.
static const std::string MajorVersion = std::to_string(LLVM_VERSION_MAJOR);

static std::string backEnds() {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeNVPTXTargetInfo();
  std::vector<std::string> Names;
  for (const llvm::Target &T : TargetRegistry::targets())
    Names.push_back(T.getName());
  llvm::sort(Names);
  return join(Names, ", ");
}

std::string missingHeaders() {
  std::string Folder = frontend::resourceDir() + "/include";
  if (sys::fs::exists(Folder + "/opencl-c-base.h"))
    return "";
  return "opencl-c-base.h is not in " + Folder + " (Debian: libclang-common-" +
         MajorVersion + "-dev)";
}

static std::string headers() {
  std::string Missing = missingHeaders();
  return Missing.empty() ? frontend::resourceDir() + "/include" : Missing;
}

/// The files that \p Family compiles with, a line each, but for programs;
/// \p None where there are none.
static std::string libraries(const measure::TargetFamily &Family,
                             const std::string &None) {
  auto Backend = Family.open({});
  if (!Backend) {
    consumeError(Backend.takeError());
    return None;
  }
  std::vector<std::string> Files = (*Backend)->files("");
  llvm::erase_if(Files, [](StringRef File) { return !File.ends_with(".bc"); });
  return join(Files, "\n");
}

static std::string ptxas() {
  ErrorOr<std::string> Found = sys::findProgramByName("ptxas");
  return Found ? *Found : "not on PATH (targets sm_NN need it: CUDA toolkit)";
}

/// What compiles with another LLVM, a line each.
static std::string otherLlvms() {
  std::vector<std::string> Found;
  for (unsigned Major = measure::OldestLlvm; Major <= measure::NewestLlvm;
       ++Major)
    if (std::string Path = measure::programWithLlvm(Major);
        Major != LLVM_VERSION_MAJOR && !Path.empty())
      Found.push_back(Path);
  return Found.empty() ? "none (targets such as gfx906@19 need "
                         "clrewrite-compile-19)"
                       : join(Found, "\n");
}

static std::string deviceProgram() {
  std::string Path = opencl::DeviceCommand::beside("").Words.front();
  return sys::fs::can_execute(Path) ? Path : "not beside clrewrite: " + Path;
}

static std::string layer() {
  Expected<std::string> Found = capture::findLayer("");
  return Found ? *Found : toString(Found.takeError());
}

void printVersion(raw_ostream &OS) {
  OS << "clrewrite " CLREWRITE_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  const std::pair<StringRef, std::string> Rows[] = {
      {"back ends", backEnds()},
      {"OpenCL C headers", headers()},
      {"built-ins for AMD",
       libraries(measure::amdgcnFamily(),
                 "none (Debian: rocm-device-libs, rocm-device-libs-17 or "
                 "libclc-" +
                     MajorVersion + ")")},
      {"for NVIDIA", libraries(measure::nvptxFamily(),
                               "none (Debian: libclc-" + MajorVersion + ")")},
      {"ptxas", ptxas()},
      {"other LLVMs", otherLlvms()},
      {"device program", deviceProgram()},
      {"OpenCL layer", layer()},
  };
  for (const auto &[Name, Text] : Rows) {
    SmallVector<StringRef> Lines;
    StringRef(Text).split(Lines, '\n');
    StringRef Lead = Name;
    for (StringRef Line : Lines) {
      OS << formatv("  {0,-18} {1}\n", Lead, Line);
      Lead = "";
    }
  }
}

} // namespace clrewrite::cli
