// Each name of the array is followed outwards: through the subscripts to an
// element, from there to lanes of it, and to what is done with these.
#include "ElementUses.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_array {
namespace {

/// Deeper calls count as unknown.
constexpr unsigned MostCalls = 8;

class Walk {
public:
  explicit Walk(ASTContext &Context) : Context(Context) {}

  ElementUses usesOf(const VarDecl *V, const FunctionDecl &Function,
                     unsigned Depth) {
    ElementUses Out;
    for (const DeclRefExpr *Name : namesOf(V, Function.getBody()))
      if (!isElement(Name, Out) && !isArgument(Name, Depth, Out) && !Out.Other)
        Out.Other = around(Name);
    return Out;
  }

private:
  ASTContext &Context;

  static bool discardsConst(const ImplicitCastExpr &Cast) {
    QualType From = Cast.getSubExpr()->getType();
    return From->isPointerType() && From->getPointeeType().isConstQualified() &&
           !Cast.getType()->getPointeeType().isConstQualified();
  }

  /// As outerExpr(), behind the casts that make a pointer of an array, or a
  /// pointer to a const one. One that makes a pointer to const one to what may
  /// be written is no such cast: Clang only warns of it.
  const Expr *decayed(const Expr *&E) const {
    const Expr *Up = outerExpr(E, Context);
    while (const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Up)) {
      if (!Cast->getType()->isPointerType() || discardsConst(*Cast))
        return Up;
      E = Cast;
      Up = outerExpr(E, Context);
    }
    return Up;
  }

  /// What is done with the array, or with an element of it, but for reading it.
  const Expr *around(const DeclRefExpr *Name) const {
    const Expr *At = Name;
    while (const Expr *Up = outerExpr(At, Context)) {
      const auto *Cast = dyn_cast<ImplicitCastExpr>(Up);
      if (isa<CallExpr>(Up) || (Cast && !Cast->getType()->isPointerType()))
        break;
      At = Up;
      if (!isa<ImplicitCastExpr, ArraySubscriptExpr, ExtVectorElementExpr>(Up))
        break;
    }
    return At;
  }

  bool isElement(const DeclRefExpr *Name, ElementUses &Out) const {
    ElementUse Use;
    if (Name->refersToEnclosingVariableOrCapture())
      return false;
    const Expr *At = Name, *Up = decayed(At);
    while (!laneCount(At->getType())) {
      const auto *Element = dyn_cast_or_null<ArraySubscriptExpr>(Up);
      if (!Element || Element->getBase()->IgnoreParens() != At->IgnoreParens())
        return false;
      Use.Indices.push_back(Element->getIdx());
      At = Element;
      Up = laneCount(At->getType()) ? outerExpr(At, Context) : decayed(At);
    }
    Use.Lanes.resize(laneCount(At->getType()));
    for (unsigned I = 0; I < Use.Lanes.size(); ++I)
      Use.Lanes[I] = I;
    while (Up && laneCount(At->getType()) && chooses(Up, At, Use)) {
      At = Up;
      Up = outerExpr(At, Context);
    }
    Use.Whole = At;
    if (At->getType()->isScalarType()) {
      Out.Elements.push_back(std::move(Use));
      return true;
    }
    const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Up);
    Use.Assignment = dyn_cast_or_null<BinaryOperator>(Up);
    // What names a lane twice is a value, and not read.
    if (At->isPRValue() || (Cast && Cast->getCastKind() == CK_LValueToRValue))
      Use.Kind = ElementUse::Read;
    else if (Use.Assignment && Use.Assignment->isAssignmentOp() &&
             Use.Assignment->getLHS() == At)
      Use.Kind = ElementUse::Store;
    else
      return false;
    Out.Elements.push_back(std::move(Use));
    return true;
  }

  /// \p Up takes lanes of \p At, which are then those of \p Use.
  bool chooses(const Expr *Up, const Expr *At, ElementUse &Use) const {
    SmallVector<uint32_t, 16> Chosen;
    if (const auto *Member = dyn_cast<ExtVectorElementExpr>(Up)) {
      Member->getEncodedElementAccess(Chosen);
    } else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Up);
               Sub && Sub->getBase() == At) {
      std::optional<int64_t> N = numberIn(Sub->getIdx(), /*FromMacros=*/false);
      if (!N)
        return false;
      Chosen.push_back(uint32_t(*N));
    }
    std::vector<unsigned> Lanes;
    for (uint32_t Each : Chosen)
      if (Each < Use.Lanes.size())
        Lanes.push_back(Use.Lanes[Each]);
    if (Lanes.empty() || Lanes.size() != Chosen.size())
      return false;
    Use.Lanes = std::move(Lanes);
    return true;
  }

  bool isArgument(const DeclRefExpr *Name, unsigned Depth, ElementUses &Out) {
    const Expr *At = Name;
    const auto *Call = dyn_cast_or_null<CallExpr>(decayed(At));
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr,
                       *Body = nullptr;
    if (!Callee || !Callee->hasBody(Body) || Depth == MostCalls)
      return false;
    auto Place = find(Call->arguments(), At);
    unsigned Index = unsigned(Place - Call->arg_begin());
    if (Index >= Body->getNumParams())
      return false;
    const ParmVarDecl *P = Body->getParamDecl(Index);
    if (!P->getType()->isPointerType() ||
        !laneCount(P->getType()->getPointeeType()))
      return false;
    if (usesOf(P, *Body, Depth + 1).Other)
      return false;
    Out.Calls.push_back(
        {Call, Name, P->getType()->getPointeeType().isConstQualified()});
    return true;
  }
};

} // namespace

ElementUses elementUsesOf(const VarDecl *V, const FunctionDecl &Function,
                          ASTContext &Context) {
  return Walk(Context).usesOf(V, Function, 0);
}

} // namespace clrewrite::rewrite::split_array
