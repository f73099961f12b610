// occupancy-cap: a kernel is told how many registers it may use.
//
// Each step of a GPU's occupancy has a register count, and the compiler does
// not always aim at it: on RDNA the scheduler fills registers up to a step that
// it thinks it cannot leave. `__attribute__((amdgpu_num_vgpr(64)))` tells it.
// Values that do not fit are spilled, so that only a measurement can say which
// caps are good; the alternatives are the counts at which occupancy has steps.
#include "rewrite/Rewrite.h"
#include "rewrite/text/Macro.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Attr.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::occupancy_cap {
namespace {

constexpr char Limit[] = "amdgpu_num_vgpr";

/// Each compiler that defines __AMDGCN__ knows the attribute. To some others a
/// name that they do not know is an error.
constexpr Hint Definition = {
    "// A limit of registers for AMD's compilers; elsewhere nothing.\n"
    "#ifndef __AMDGCN__\n"
    "#define amdgpu_num_vgpr(count)\n"
    "#endif\n",
    "#define amdgpu_num_vgpr(count)"};

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

std::optional<Macro> capMacro(const Site &S) {
  return macroFor(S.Function, Limit, Definition.Lines, S.Context);
}

bool nameIsFree(const Site &S) {
  return !isOtherMacro(Limit, Definition.Lines, S.Context);
}

/// The macro of the cap is defined for AMD's compilers only, and HIP has the
/// attribute too.
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
  return !Head.contains(Limit) && !Head.contains(EarlierLimit) &&
         !S.Function.hasAttr<AMDGPUNumVGPRAttr>() &&
         !S.Function.hasAttr<AMDGPUWavesPerEUAttr>() &&
         !S.Function.hasAttr<AMDGPUFlatWorkGroupSizeAttr>();
}

bool macroHasAPlace(const Site &S) { return capMacro(S).has_value(); }

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

std::vector<Alternative> alternatives(const Site &S) {
  Macro M = *capMacro(S);
  std::vector<Alternative> Out;
  for (unsigned N : Steps) {
    Alternative A;
    A.Label = "vgprs-" + std::to_string(N);
    A.Remark = "more waves fit with fewer registers";
    A.VgprLimit = N;
    A.Changes = {inHead(
        "__attribute__((" + M.Name + "(" + std::to_string(N) + ")))", S)};
    if (M.Definition)
      A.Changes.push_back(*M.Definition);
    Out.push_back(std::move(A));
  }
  return Out;
}

} // namespace

const Rewrite &rewriteOccupancyCap() {
  static const Rewrite R{
      "occupancy-cap",
      "limit a kernel's registers to an occupancy step on AMD's GPUs",
      Safety::Exact,
      sitesOf<FunctionDecl, isKernelDefinition>,
      {{"the word __kernel comes from a macro that may be something else",
        kernelWordHasAPlace, "write __kernel itself"},
       {"the kernel has an attribute that decides its registers already",
        isNotCapped, "remove it to have others tried"},
       {"the attribute's name amdgpu_num_vgpr is a macro of another meaning "
        "here",
        nameIsFree, RenameOwn},
       {NoPlaceForMacro, macroHasAPlace, MoveDirective}},
      alternatives,
      /*Phase=*/2,
      AmdOnly,
      /*IsSite=*/nullptr,
      {Definition, Earlier}};
  return R;
}

} // namespace clrewrite::rewrite::occupancy_cap
