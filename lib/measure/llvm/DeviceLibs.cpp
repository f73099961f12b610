// Finding and linking the built-in functions of the AMD targets.
#include "measure/llvm/DeviceLibs.h"
#include "frontend/Invocation.h"
#include "measure/amdgcn/AmdgcnSteps.h"
#include "measure/llvm/Bitcode.h"
#include "source/Installed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace clrewrite::measure {

DeviceLibs::DeviceLibs() = default;
DeviceLibs::~DeviceLibs() = default;

/// Directories that may hold opencl.bc, in order of preference.
static std::vector<std::string> candidates(const std::string &Given) {
  if (!Given.empty())
    return {Given};
  std::vector<std::string> Out;
  if (const char *Dir = ::getenv("CLREWRITE_DEVICE_LIBS"))
    Out.push_back(Dir);
  for (const char *Own : {"amdgcn", "clc"})
    if (std::string Dir = installed(Own); !Dir.empty())
      Out.push_back(Dir);
  if (const char *Rocm = ::getenv("ROCM_PATH"))
    Out.push_back(std::string(Rocm) + "/amdgcn/bitcode");
  Out.push_back("/opt/rocm/amdgcn/bitcode");
  // Debian keeps them under its architecture's library directory.
  std::error_code EC;
  for (sys::fs::directory_iterator It("/usr/lib", EC), End; It != End && !EC;
       It.increment(EC))
    Out.push_back(It->path() + "/amdgcn/bitcode");
  // Since Debian 13 they are among the files of the LLVM that wrote them, which
  // this one reads unless it is older.
  for (int V = LLVM_VERSION_MAJOR; V >= 17; --V)
    Out.push_back(
        formatv("/usr/lib/llvm-{0}/lib/clang/{0}/amdgcn/bitcode", V).str());
  Out.push_back("/usr/lib/clc");
  return Out;
}

Expected<std::unique_ptr<DeviceLibs>>
DeviceLibs::open(const std::string &Given) {
  std::unique_ptr<DeviceLibs> Libs(new DeviceLibs);
  std::vector<std::string> &Names = Libs->Names;
  for (const std::string &Dir : candidates(Given)) {
    if (sys::fs::exists(Dir + "/opencl.bc")) {
      Libs->Amd = true;
      Names = {"opencl.bc", "ocml.bc", "ockl.bc"};
    } else {
      // libclc's; before LLVM 22 the name had no vendor.
      for (const char *Name : {"amdgcn-amd-amdhsa.bc", "amdgcn--amdhsa.bc"})
        if (Names.empty() && sys::fs::exists(Dir + "/" + Name))
          Names = {Name};
    }
    if (Names.empty())
      continue;
    Libs->Directory = Dir;
    break;
  }
  if (Names.empty())
    return createStringError(
        "no built-in library for AMD targets%s: install AMD's device libraries "
        "(Debian: rocm-device-libs or rocm-device-libs-17) or libclc "
        "(libclc-%d), or name their "
        "directory with --device-libs",
        Given.empty() ? "" : (" in " + Given).c_str(), LLVM_VERSION_MAJOR);
  return Libs;
}

std::vector<std::string> DeviceLibs::paths() const {
  std::vector<std::string> Out;
  for (const std::string &Name : Names)
    Out.push_back(Directory + "/" + Name);
  return Out;
}

Error DeviceLibs::load() {
  if (!Read.empty())
    return Error::success();
  for (const std::string &Path : paths())
    if (Error E = Read.open(Path))
      return E;
  Read.eachName([&](StringRef Name) {
    std::string Today = Name.str();
    for (size_t At; (At = Today.find("U3AS0")) != std::string::npos;)
      Today.erase(At, 5);
    if (Today != Name)
      GenericNames[Today] = Name.str();
  });
  return Error::success();
}

/// The constants by which AMD's libraries adapt to a processor and to the
/// options (the oclc_*.bc files hold one each; made here, they serve
/// processors that are newer than the installed libraries).
static std::unique_ptr<Module> control(LLVMContext &Context, StringRef Cpu,
                                       ArrayRef<std::string> Options,
                                       const Module &Like) {
  auto M = std::make_unique<Module>("oclc", Context);
  M->setDataLayout(Like.getDataLayout());
  M->setTargetTriple(Like.getTargetTriple());
  auto define = [&](StringRef Name, unsigned Bits, uint64_t Value) {
    Type *T = IntegerType::get(Context, Bits);
    auto *G = new GlobalVariable(
        *M, T, /*isConstant=*/true, GlobalValue::LinkOnceODRLinkage,
        ConstantInt::get(T, Value), Name, nullptr, GlobalValue::NotThreadLocal,
        /*AddressSpace=*/4);
    G->setVisibility(GlobalValue::HiddenVisibility);
  };
  auto given = [&](StringRef Option) { return is_contained(Options, Option); };
  AMDGPU::IsaVersion Isa = AMDGPU::getIsaVersion(Cpu);
  unsigned Attributes = AMDGPU::getArchAttrAMDGCN(AMDGPU::parseArchAMDGCN(Cpu));
  bool Wave32 =
      frontend::waveSizeAsked(Options, Cpu).value_or(waveSizeOf(Cpu)) == 32;
  bool FastDenormals = (Attributes & AMDGPU::FEATURE_FAST_FMA_F32) &&
                       (Attributes & AMDGPU::FEATURE_FAST_DENORMAL_F32);
  bool Relaxed = given("-cl-fast-relaxed-math");
  define("__oclc_ISA_version", 32,
         Isa.Major * 1000 + Isa.Minor * 100 + Isa.Stepping);
  define("__oclc_ABI_version", 32, 500);
  define("__oclc_wavefrontsize64", 8, !Wave32);
  define("__oclc_daz_opt", 8, given("-cl-denorms-are-zero") || !FastDenormals);
  define("__oclc_finite_only_opt", 8, Relaxed || given("-cl-finite-math-only"));
  define("__oclc_unsafe_math_opt", 8,
         Relaxed || given("-cl-unsafe-math-optimizations"));
  define("__oclc_correctly_rounded_sqrt32", 8,
         given("-cl-fp32-correctly-rounded-divide-sqrt"));
  return M;
}

Error DeviceLibs::link(Module &M, StringRef Cpu,
                       ArrayRef<std::string> Options) {
  FunctionSet Own = definedIn(M);
  if (Own.empty())
    return Error::success();

  for (Function &F : M)
    if (auto It = GenericNames.find(F.getName());
        It != GenericNames.end() && F.isDeclaration())
      F.setName(It->second);

  if (Error E = Read.link(M))
    return E;
  if (Amd && !linkBitcode(M, control(M.getContext(), Cpu, Options, M)))
    return createStringError("the library's control constants do not link");

  adoptTarget(M, Own);
  return Error::success();
}

} // namespace clrewrite::measure
