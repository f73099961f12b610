// scalarise-uniform: ids that a wavefront shares are made provably so.
//
// AMD's GPUs have scalar registers and scalar loads, one for a whole wavefront.
// Where a work-group's rows are as wide as a wavefront, all its work-items have
// the same get_global_id(1), and what they read by it could be read once. The
// compiler can't know. `__builtin_amdgcn_readfirstlane` of the id says so:
//   int y = get_global_id(1);   becomes   int y =
//   WAVE_UNIFORM(get_global_id(1));
// A work-group's shape is the host's choice, so this is an assumption, except
// where the source contradicts it (a launch comment), or the compiler is told
// by the source (reqd_work_group_size).
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Macro.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Attr.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::scalarise_uniform {
namespace {

constexpr llvm::StringLiteral Definition =
    "// An id that a wavefront shares, for AMD's compilers; elsewhere as it "
    "is.\n"
    "#if defined(__AMDGCN__) && defined(__has_builtin)\n"
    "#if __has_builtin(__builtin_amdgcn_readfirstlane)\n"
    "#define @(id) ((size_t)(uint)__builtin_amdgcn_readfirstlane((int)(id)))\n"
    "#endif\n"
    "#endif\n"
    "#ifndef @\n"
    "#define @(id) (id)\n"
    "#endif\n";

/// No wavefront of AMD's is wider.
constexpr unsigned Widest = 64;

/// A call such as get_global_id(1).
struct IdCall {
  const CallExpr *Call = nullptr;
  unsigned Dimension = 0; ///< 1 or 2
};

std::vector<IdCall> idCalls(const FunctionDecl &F, const ASTContext &Context) {
  std::vector<IdCall> Out;
  for (const CallExpr *Call : allIn<CallExpr>(F.getBody())) {
    StringRef Name = calleeName(Call);
    if ((Name != "get_global_id" && Name != "get_local_id") ||
        !isBuiltinCall(Call) || Call->getNumArgs() != 1)
      continue;
    auto Value = Call->getArg(0)->getIntegerConstantExpr(Context);
    if (Value && (*Value == 1 || *Value == 2))
      Out.push_back({Call, unsigned(Value->getZExtValue())});
  }
  return Out;
}

bool asksForOuterIds(const FunctionDecl &Node, ASTContext &Context) {
  return Node.hasAttr<DeviceKernelAttr>() &&
         Node.doesThisDeclarationHaveABody() && !idCalls(Node, Context).empty();
}

/// The work-group sizes that the launch comments before a kernel give.
std::vector<std::vector<unsigned>> launchedSizes(const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  StringRef Text = fileText(S.Context);
  SourceLocation Body = S.Function.getBody()->getBeginLoc();
  std::optional<unsigned> Head = headOf(S.Function, S.Context);
  std::vector<std::vector<unsigned>> Out;
  if (!Head || Body.isMacroID())
    return Out;
  SmallVector<StringRef> Lines;
  Text.slice(*Head, SM.getFileOffset(Body)).split(Lines, '\n');
  for (StringRef Line : Lines) {
    StringRef Words = Line.split("clrewrite: launch ").second;
    StringRef Local = Words.split("local=").second;
    std::vector<unsigned> Sizes;
    unsigned Size = 0;
    while (!Local.consumeInteger(10, Size)) {
      Sizes.push_back(Size);
      Local.consume_front("x");
    }
    if (!Sizes.empty())
      Out.push_back(std::move(Sizes));
  }
  return Out;
}

/// No launch comment gives a work-group in which wavefronts, which take
/// work-items by dimension 0 first, hold several ids of \p Dimension.
bool mayBeShared(unsigned Dimension, const Site &S) {
  return all_of(launchedSizes(S), [&](ArrayRef<unsigned> Sizes) {
    unsigned Inner = 1;
    for (unsigned Each : Sizes.take_front(Dimension))
      Inner *= Each;
    return Inner % Widest == 0;
  });
}

/// The calls of the dimensions from \p First on that may be shared.
std::vector<IdCall> sharedFrom(unsigned First, const Site &S) {
  std::vector<IdCall> Calls = idCalls(S.Function, S.Context);
  erase_if(Calls, [&](const IdCall &C) {
    return C.Dimension < First || !mayBeShared(C.Dimension, S);
  });
  return Calls;
}

std::optional<Macro> uniformMacro(const Site &S) {
  return macroFor(S.Function, "WAVE_UNIFORM", Definition, S.Context);
}

bool sizeIsOpen(const Site &S) {
  return !S.Function.hasAttr<ReqdWorkGroupSizeAttr>();
}

bool someAreShared(const Site &S) { return !sharedFrom(1, S).empty(); }

bool areNotUniformYet(const Site &S) {
  StringRef Body =
      text(S.Function.getBody()->getSourceRange(), S.Context).value_or("");
  return !Body.contains("WAVE_UNIFORM") && !Body.contains("readfirstlane");
}

bool callsAreWritten(const Site &S) {
  return all_of(sharedFrom(1, S), [&](const IdCall &C) {
    // Another build may give a macro the dimension that lanes differ in.
    return isPlainText(C.Call->getSourceRange(), S) &&
           (macrosAreStable(C.Call->getArg(0), S.Context) ||
            S.brokenBy(C.Call->getArg(0)));
  });
}

bool macroHasAPlace(const Site &S) { return uniformMacro(S).has_value(); }

Alternative alternative(StringRef Label, unsigned First, StringRef Note,
                        const Site &S) {
  Macro M = *uniformMacro(S);
  Alternative A;
  A.Label = Label.str();
  A.Class = Safety::Assumes;
  A.Note = Note.str();
  for (const IdCall &C : sharedFrom(First, S))
    A.Changes.push_back(replacement(
        C.Call->getSourceRange(),
        M.Name + "(" + spelled(C.Call, S.Context) + ")", S.Context));
  if (M.Definition)
    A.Changes.push_back(*M.Definition);
  return A;
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<IdCall> Calls = sharedFrom(1, S);
  std::vector<Alternative> Out;
  auto is = [](unsigned D) {
    return [D](const IdCall &C) { return C.Dimension == D; };
  };
  if (any_of(Calls, is(1)))
    Out.push_back(alternative(
        "rows", 1,
        "a work-group's rows (dimension 0) are whole wavefronts, of 32 or 64 "
        "work-items, and ids stay below 2^32",
        S));
  if (any_of(Calls, is(2)))
    Out.push_back(alternative(
        "planes", 2,
        "a work-group's planes (dimensions 0 and 1) are whole wavefronts, of "
        "32 or 64 work-items, and ids stay below 2^32",
        S));
  return Out;
}

} // namespace

const Rewrite &rewriteScalariseUniform() {
  static const Rewrite R{
      "scalarise-uniform",
      "keep the ids that a wavefront shares in scalar registers on AMD's GPUs",
      Safety::Assumes,
      sitesOf<FunctionDecl, asksForOuterIds>,
      {{"the kernel's required work-group size tells the compiler what a "
        "wavefront shares",
        sizeIsOpen},
       {"a launch comment gives a work-group in which a wavefront does not "
        "share the ids",
        someAreShared},
       {"the kernel holds ids that are made uniform already", areNotUniformYet},
       {"a call for an id comes from a macro, or a directive stands in it",
        callsAreWritten, WriteItOut},
       {NoPlaceForMacro, macroHasAPlace, MoveDirective}},
      alternatives,
      /*Phase=*/1,
      HoldsElsewhere};
  return R;
}

} // namespace clrewrite::rewrite::scalarise_uniform
