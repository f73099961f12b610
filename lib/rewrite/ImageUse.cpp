// Images and samplers are followed from a kernel's parameters through the calls
// of functions.
#include "rewrite/ImageUse.h"
#include "rewrite/ast/Lanes.h"
#include <set>

using namespace llvm;
using clang::FunctionDecl;
using clang::ParmVarDecl;

namespace clrewrite::rewrite {

static bool isHandle(clang::QualType T) {
  T = T.getCanonicalType();
  return T->isImageType() || T->isSamplerT();
}

/// The image or sampler parameter that \p E names; null for all else.
static const ParmVarDecl *parameter(const clang::Expr *E) {
  const auto *Ref = dyn_cast<clang::DeclRefExpr>(E->IgnoreParenCasts());
  const auto *P = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
  return P && isHandle(P->getType()) ? P : nullptr;
}

void ImageUses::noteCall(const clang::CallExpr &Call) {
  const FunctionDecl *F = Call.getDirectCallee();
  if (!F || !F->getIdentifier())
    return;
  StringRef Name = F->getName();
  bool Reads = Name.consume_front("read_image");
  bool Writes = !Reads && Name.consume_front("write_image");
  bool Sampled = Reads && Call.getNumArgs() > 1 &&
                 Call.getArg(1)->getType().getCanonicalType()->isSamplerT();
  for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
    const ParmVarDecl *P = parameter(Call.getArg(I));
    if (!P)
      continue;
    if (!Reads && !Writes) {
      Flow[P].push_back({F->getCanonicalDecl(), I});
      continue;
    }
    Use &U = Uses[P];
    U.Any = true;
    U.Float |= Name == "f" || Name == "h";
    U.Int |= Name == "i";
    U.Uint |= Name == "ui";
    U.Direct |= !Sampled;
    U.IntCoord |= Sampled && Call.getNumArgs() > 2 &&
                  !laneOf(Call.getArg(2)->getType())->isRealFloatingType();
  }
}

void ImageUses::describe(const ParmVarDecl *P, KernelArg &A) const {
  if (!isHandle(P->getType()))
    return;
  Use Sum;
  std::set<const ParmVarDecl *> Seen;
  std::vector<const ParmVarDecl *> Todo{P};
  while (!Todo.empty()) {
    const ParmVarDecl *Next = Todo.back();
    Todo.pop_back();
    if (!Seen.insert(Next).second)
      continue;
    if (auto It = Uses.find(Next); It != Uses.end()) {
      const Use &U = It->second;
      Sum.Any = true;
      Sum.Float |= U.Float;
      Sum.Int |= U.Int;
      Sum.Uint |= U.Uint;
      Sum.Direct |= U.Direct;
      Sum.IntCoord |= U.IntCoord;
    }
    if (auto It = Flow.find(Next); It != Flow.end())
      for (const Handed &H : It->second)
        if (auto Body = Bodies.find(H.To);
            Body != Bodies.end() && H.Index < Body->second->getNumParams())
          Todo.push_back(Body->second->getParamDecl(H.Index));
  }
  if (!Sum.Any)
    return;
  // No format suits two of them.
  if (Sum.Float + Sum.Int + Sum.Uint == 1)
    A.Channels = Sum.Float ? "f" : Sum.Int ? "i" : "ui";
  A.Sampled = !Sum.Direct;
  A.FloatCoords = !Sum.Direct && !Sum.IntCoord;
}

} // namespace clrewrite::rewrite
