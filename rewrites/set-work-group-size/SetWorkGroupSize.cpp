// set-work-group-size: a kernel is launched in other work-groups, and says so.
//
// `__attribute__((reqd_work_group_size(16, 4, 1)))` lets the compiler know how
// many work-items share a processor's registers, and the host must launch the
// kernel in groups of that size. Which size is best depends on the machine:
// lanes of a wave that lie in one row load whole lines, those in a square share
// what their neighbours load. A kernel that neither asks for its group nor
// shares anything in it computes the same in groups of any size.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/ast/WorkItemUse.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::set_work_group_size {
namespace {

using Sizes = std::vector<uint64_t>;

/// The sizes that are tried, by the dimensions of the launch from 1 on.
const std::vector<Sizes> Tried[] = {
    {{32}, {64}, {128}, {256}},
    {{8, 8}, {16, 4}, {16, 16}, {32, 4}, {32, 8}, {64, 1}, {128, 1}},
    {{8, 8, 1}, {16, 4, 1}, {4, 4, 4}, {32, 4, 1}, {32, 8, 1}, {64, 1, 1}}};

bool isFreeKernel(const FunctionDecl &F, ASTContext &Context) {
  return isKernelDefinition(F, Context) && !F.hasAttr<ReqdWorkGroupSizeAttr>();
}

/// How many dimensions all launches have; 0 where they differ, or none is
/// known.
size_t dimensions(const Site &S) {
  size_t Known = 0;
  for (const KnownLaunch &L : S.Launches) {
    size_t Here = L.Sizes.Global.size();
    if (!Here || (Known && Known != Here))
      return 0;
    Known = Here;
  }
  return Known;
}

bool isLaunched(const Site &S) { return dimensions(S) != 0; }

/// The size that all launches have; empty where they have none, or several.
Sizes asLaunched(const Site &S) {
  const Sizes &First = S.Launches.front().Sizes.Local;
  return all_of(S.Launches,
                [&](const KnownLaunch &L) { return L.Sizes.Local == First; })
             ? First
             : Sizes();
}

std::string joined(const Sizes &Size, StringRef By) {
  return join(map_range(Size, [](uint64_t N) { return utostr(N); }), By);
}

/// Nothing but OpenCL is launched as the note says.
std::optional<SourceLocation> endOfWord(const Site &S) {
  return kernelWordEnd(S.Function, KernelWords::OpenCL, S.Context);
}

Alternative with(const Sizes &Size, std::string Label, const Site &S) {
  Sizes Three = Size;
  Three.resize(3, 1);
  Alternative A;
  A.Label = std::move(Label);
  A.Class = Safety::Contract;
  A.Launch = launch::LaunchChange{{}, Size};
  A.Note = A.Launch->sentence(S.Function.getName());
  A.Changes.push_back(insertion(*S.once<endOfWord>(),
                                " __attribute__((reqd_work_group_size(" +
                                    joined(Three, ", ") + ")))",
                                S.Context));
  return A;
}

std::vector<Alternative> alternatives(const Site &S) {
  Sizes Old = asLaunched(S);
  std::vector<Alternative> Out;
  if (!Old.empty())
    Out.push_back(with(Old, "as-launched", S));
  for (const Sizes &Size : Tried[dimensions(S) - 1])
    if (Size != Old)
      Out.push_back(with(Size, joined(Size, "x"), S));
  return Out;
}

} // namespace

const Rewrite &rewriteSetWorkGroupSize() {
  static const Rewrite R{
      "set-work-group-size",
      "launch a kernel in work-groups of another size",
      Safety::Contract,
      sitesOf<FunctionDecl, isFreeKernel>,
      {{"the word __kernel comes from a macro that may be something else",
        [](const Site &S) { return S.once<endOfWord>().has_value(); },
        "write __kernel itself"},
       AsksForNoGroup,
       WorksAlone,
       UsesNoLocalMemory,
       CallsWhatIsDefined,
       IsOnlyForHost},
      alternatives,
      /*Phase=*/1,
      HoldsElsewhere,
      isLaunched};
  return R;
}

} // namespace clrewrite::rewrite::set_work_group_size
