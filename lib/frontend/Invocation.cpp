// How Clang is set up: the arguments that `clang -x cl -O3 -target T -mcpu=C`
// passes to its front end, without the driver.
#include "frontend/Invocation.h"
#include "frontend/ClangVersions.h"
#include "frontend/GuardedFiles.h"
#include "source/Installed.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace clrewrite::frontend {

std::string resourceDir() {
  if (const char *Dir = ::getenv("CLREWRITE_RESOURCE_DIR"))
    return Dir;
  if (std::string Dir = installed("clang"); !Dir.empty())
    return Dir;
  return CLREWRITE_RESOURCE_DIR;
}

/// Clang's driver translates one option of clBuildProgram; its front end does
/// not know the name.
static const char *frontEndSpelling(const std::string &Option) {
  if (Option == "-cl-denorms-are-zero")
    return "-fdenormal-fp-math-f32=preserve-sign,preserve-sign";
  return Option.c_str();
}

bool hasBothWaveSizes(StringRef Cpu) {
  // gfx1250 and its line have waves of 32 alone.
  return AMDGPU::getIsaVersion(Cpu).Major >= 10 && !Cpu.starts_with("gfx125");
}

/// Clang's driver, and with it AMD's, takes these; its front end a feature.
static bool isWaveSize(StringRef Option) {
  return Option == "-mwavefrontsize64" || Option == "-mno-wavefrontsize64";
}

std::optional<unsigned> waveSizeAsked(ArrayRef<std::string> Options,
                                      StringRef Cpu) {
  std::optional<unsigned> Lanes;
  for (StringRef O : Options)
    if (isWaveSize(O))
      Lanes = O.starts_with("-mno") ? 32 : 64;
  return Cpu.starts_with("gfx") && hasBothWaveSizes(Cpu) ? Lanes : std::nullopt;
}

/// The macros that OpenCL C demands and that not Clang but a runtime defines,
/// by the version of OpenCL that it offers there. The user's own come later.
static void addRuntimeMacros(std::vector<const char *> &Args, const Source &S,
                             const Arch &A) {
  // A second definition would be a warning, which -Werror makes an error.
  auto isGiven = [&](StringRef Macro) {
    return any_of(S.Options, [&](StringRef O) { return O.contains(Macro); });
  };
  StringRef Cpu = A.Cpu;
  StringRef Triple = A.Triple;
  if (!isGiven("__OPENCL_VERSION__"))
    Args.push_back(Triple.starts_with("amdgcn") ? "-D__OPENCL_VERSION__=200"
                   : Triple.starts_with("r600") ? "-D__OPENCL_VERSION__=120"
                                                : "-D__OPENCL_VERSION__=300");
  // MI300's line has no image instructions.
  bool HasImages = !Cpu.starts_with("gfx94") && !Cpu.starts_with("gfx95");
  if (HasImages && !isGiven("__IMAGE_SUPPORT__"))
    Args.push_back("-D__IMAGE_SUPPORT__=1");
}

std::unique_ptr<clang::CompilerInstance>
makeCompiler(const Source &S, const Arch &A, ArrayRef<const char *> Extra,
             clang::DiagnosticConsumer *Consumer) {
  std::string Resources = resourceDir();
  std::vector<const char *> Args{
      "-triple", A.Triple.c_str(), "-target-cpu", A.Cpu.c_str(), "-O3",
      "-disable-llvm-passes", "-discard-value-names", "-mrelocation-model",
      "pic", "-pic-level", "2", "-mframe-pointer=none", "-ffp-contract=on",
      "-fvisibility=hidden", "-fapply-global-visibility-to-externs",
      "-resource-dir", Resources.c_str(), "-finclude-default-header",
      // Drivers know asm, and hosts rely on it.
      "-fgnu-keywords", "-fdeclare-opencl-builtins", "-fgnuc-version=4.2.1",
      "-vectorize-loops", "-vectorize-slp",
      // Which names are missing is to be known of all of a text.
      "-ferror-limit", "1000"};
  if (A.FlushDenormals)
    Args.push_back("-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
  // Only a warning in the Clang that drivers are made of.
  Args.push_back("-Wno-error=incompatible-pointer-types");
  // NVIDIA's driver has these (docs/targets.md), Clang's list for its GPUs not.
  if (StringRef(A.Triple).starts_with("nvptx"))
    Args.push_back("-cl-ext=+cl_khr_3d_image_writes,+__opencl_c_images,"
                   "+__opencl_c_3d_image_writes,"
                   "+__opencl_c_read_write_images");
  addRuntimeMacros(Args, S, A);
  for (const std::string &O : S.Options)
    if (!isWaveSize(O))
      Args.push_back(frontEndSpelling(O));
  if (auto Lanes = waveSizeAsked(S.Options, A.Cpu))
    Args.insert(Args.end(),
                {"-target-feature",
                 *Lanes == 64 ? "+wavefrontsize64" : "+wavefrontsize32"});
  // Behind the user's, which may turn warnings off: this one is a guard.
  Args.push_back("-Wuninitialized");
  Args.insert(Args.end(), Extra.begin(), Extra.end());
  Args.insert(Args.end(), {"-x", "cl"});

  auto Invocation = std::make_shared<clang::CompilerInvocation>();
  auto Files = makeIntrusiveRefCnt<GuardedFiles>(S.Path, S.Options, Resources);
  std::unique_ptr<clang::CompilerInstance> Compiler =
      newCompiler(Invocation, Files, Consumer);
  if (!clang::CompilerInvocation::CreateFromArgs(*Invocation, Args,
                                                 Compiler->getDiagnostics()))
    return nullptr;
  // Not among the arguments, where a name such as -DX=1.cl would be an option.
  for (clang::FrontendInputFile &Input : Invocation->getFrontendOpts().Inputs)
    Input = clang::FrontendInputFile(S.Path, Input.getKind());
  applyArguments(*Compiler, Files);
  Compiler->getDiagnostics().setIgnoreAllWarnings(false); // -w was for others
  Invocation->getPreprocessorOpts().addRemappedFile(
      S.Path, MemoryBuffer::getMemBufferCopy(S.Text, S.Path).release());
  return Compiler;
}

} // namespace clrewrite::frontend
