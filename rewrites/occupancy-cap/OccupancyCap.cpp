// occupancy-cap: a kernel is told how many waves there is to be room for, or
// how many registers it may use.
//
// Each step of a GPU's occupancy has a register count, and the compiler does
// not always aim at it. `__attribute__((amdgpu_waves_per_eu(8)))` has it
// schedule for eight waves on a SIMD, and look for values that it can compute
// again. `__attribute__((amdgpu_num_vgpr(64)))` takes registers away from the
// allocator and leaves the aim as it was. Values that do not fit are spilled,
// so that only a measurement can say which of these are good.
#include "rewrite/Rewrite.h"
#include "rewrite/text/Macro.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Attr.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::occupancy_cap {
namespace {

/// An attribute with one number, and the lines that leave it out where the
/// compiler may not know it. Each compiler that defines __AMDGCN__ knows both
/// attributes. To some others a name that they do not know is an error.
struct AmdAttribute {
  const char *Name;
  Hint Definition;
};

constexpr AmdAttribute Waves = {
    "amdgpu_waves_per_eu",
    {"// A number of waves for AMD's compilers; elsewhere nothing.\n"
     "#ifndef __AMDGCN__\n"
     "#define amdgpu_waves_per_eu(count)\n"
     "#endif\n",
     "#define amdgpu_waves_per_eu(count)"}};

constexpr AmdAttribute Limit = {
    "amdgpu_num_vgpr",
    {"// A limit of registers for AMD's compilers; elsewhere nothing.\n"
     "#ifndef __AMDGCN__\n"
     "#define amdgpu_num_vgpr(count)\n"
     "#endif\n",
     "#define amdgpu_num_vgpr(count)"}};

/// What earlier versions defined, and put behind the word __kernel.
constexpr Hint Earlier = {
    "#if defined(__AMDGCN__) && defined(__has_attribute)\n"
    "#if __has_attribute(amdgpu_num_vgpr)\n"
    "#define @(count) __attribute__((amdgpu_num_vgpr(count)))\n"
    "#endif\n"
    "#endif\n"
    "#ifndef @\n"
    "#define @(count)\n"
    "#endif\n",
    "#define @(count)"};
constexpr char EarlierLimit[] = "VGPR_CAP";

/// Steps of GCN (64 lanes, 256 registers per lane), of RDNA, and of both.
constexpr unsigned Steps[] = {144, 128, 120, 112, 96, 84, 80,
                              64,  48,  40,  36,  32, 28, 24};

/// The most waves that a SIMD has: RDNA's of the first generation.
constexpr unsigned MostWaves = 20;

std::optional<Macro> macroOf(const AmdAttribute &A, const Site &S) {
  return macroFor(S.Function, A.Name, A.Definition.Lines, S.Context);
}

bool namesAreFree(const Site &S) {
  return none_of(std::initializer_list<AmdAttribute>{Waves, Limit},
                 [&](const AmdAttribute &A) {
                   return isOtherMacro(A.Name, A.Definition.Lines, S.Context);
                 });
}

/// The macros are defined for other compilers than AMD's only, and HIP has the
/// attributes too.
std::optional<SourceLocation> endOfWord(const Site &S) {
  return kernelWordEnd(S.Function, KernelWords::AlsoCuda, S.Context);
}

bool kernelWordHasAPlace(const Site &S) {
  return S.once<endOfWord>().has_value();
}

bool isNotCapped(const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  // Parsed for another target, a macro of that name is no attribute.
  unsigned Word = SM.getFileOffset(*S.once<endOfWord>());
  unsigned Body =
      SM.getFileOffset(SM.getExpansionLoc(S.Function.getBody()->getBeginLoc()));
  StringRef Head = fileText(S.Context).slice(Word, Body);
  return !Head.contains(Limit.Name) && !Head.contains(Waves.Name) &&
         !Head.contains(EarlierLimit) &&
         !S.Function.hasAttr<AMDGPUNumVGPRAttr>() &&
         !S.Function.hasAttr<AMDGPUWavesPerEUAttr>() &&
         !S.Function.hasAttr<AMDGPUFlatWorkGroupSizeAttr>();
}

bool macroHasAPlace(const Site &S) { return macroOf(Waves, S).has_value(); }

/// \p Text behind the word __kernel, which it ends the line of.
Edit inHead(StringRef Text, const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  Edit E = insertion(*S.once<endOfWord>(), (" " + Text).str(), S.Context);
  StringRef Line = fileText(S.Context).drop_front(E.Offset).take_until(
      [](char C) { return C == '\n'; });
  if (!Line.trim().empty()) {
    E.Length = unsigned(Line.size() - Line.ltrim().size());
    E.Text += "\n" + indentation(SM.getLocForStartOfFile(SM.getMainFileID())
                                     .getLocWithOffset(int(E.Offset)),
                                 S.Context);
  }
  return E;
}

Alternative withAttribute(const AmdAttribute &A, unsigned N, StringRef Label,
                          const Site &S) {
  Macro M = *macroOf(A, S);
  Alternative Out;
  Out.Label = (Label + "-" + Twine(N)).str();
  Out.Changes = {
      inHead(("__attribute__((" + M.Name + "(" + Twine(N) + ")))").str(), S)};
  if (M.Definition)
    Out.Changes.push_back(*M.Definition);
  return Out;
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Alternative> Out;
  for (unsigned N = 2; N <= MostWaves; ++N) {
    Out.push_back(withAttribute(Waves, N, "waves", S));
    Out.back().Remark = "more waves fit where the compiler aims at them";
    Out.back().WaveGoal = N;
  }
  for (unsigned N : Steps) {
    Out.push_back(withAttribute(Limit, N, "vgprs", S));
    Out.back().Remark = "more waves fit with fewer registers";
    Out.back().VgprLimit = N;
  }
  return Out;
}

} // namespace

const Rewrite &rewriteOccupancyCap() {
  static const Rewrite R{
      "occupancy-cap",
      "have the compiler make room for more waves on AMD's GPUs",
      Safety::Exact,
      sitesOf<FunctionDecl, isKernelDefinition>,
      {{"the word __kernel comes from a macro that may be something else",
        kernelWordHasAPlace, "write __kernel itself"},
       {"the kernel has an attribute that decides its registers already",
        isNotCapped, "remove it to have others tried"},
       {"an attribute's name, amdgpu_waves_per_eu or amdgpu_num_vgpr, is a "
        "macro of another meaning here",
        namesAreFree, RenameOwn},
       {NoPlaceForMacro, macroHasAPlace, MoveDirective}},
      alternatives,
      /*Phase=*/1,
      AmdOnly,
      /*IsSite=*/nullptr,
      {Waves.Definition, Limit.Definition, Earlier}};
  return R;
}

} // namespace clrewrite::rewrite::occupancy_cap
