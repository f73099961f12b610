// The text of an index that is written as another one and a step, a part of
// SharedIndex.h.
//
// In size_t, ulong and uint sums wrap, so that `at + step` is the index for all
// values, whatever its parts are. In int and long they must not overflow.
// There, one number or one int is added in the type itself: both sides and the
// sum are values of the program. All else is computed in long, which holds the
// product of two ints beside a few more.
#include "SharedIndex.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// \p M is a number, or one value, as it is or negated.
static bool isSimple(const Monomial &M) {
  return M.Leaves.empty() || (M.Leaves.size() == 1 && std::abs(M.Factor) == 1);
}

bool cannotOverflow(const Polynomial &Step, IntType Type,
                    const ASTContext &Context) {
  if (!Type.Signed || Step.empty() || (Step.size() == 1 && isSimple(Step[0])))
    return true;
  // Only a first index that is an int leaves room for a second sum.
  if (Type.Bits == 64 && Step.size() > 1)
    return false;
  double Most = 0x1p31;
  for (const Monomial &M : Step) {
    for (const Expr *Leaf : M.Leaves) {
      std::optional<IntType> I = intType(Leaf->getType(), Context);
      if (!I || !Range::of(*I).within(Range::of(IntType())))
        return false;
    }
    Most += std::ldexp(std::abs(double(M.Factor)), 31 * int(M.Leaves.size()));
  }
  return Most < 0x1p63;
}

/// The name, or the text as an operand; none where it belongs to a macro's
/// body. A name in the body of a macro means the same outside of it.
static std::optional<std::string> leafText(const Expr *Leaf,
                                           const ASTContext &Context) {
  Leaf = Leaf->IgnoreParenImpCasts();
  if (const auto *D = dyn_cast<DeclRefExpr>(Leaf)) {
    const IdentifierInfo *Name = D->getDecl()->getIdentifier();
    if (Name && !Name->hadMacroDefinition())
      return Name->getName().str();
  }
  if (!isCopyable(Leaf->getSourceRange(), Context))
    return std::nullopt;
  return spelledOperand(Leaf, Context);
}

bool isWritable(const Polynomial &Step, const ASTContext &Context) {
  return all_of(Step, [&](const Monomial &M) {
    return all_of(M.Leaves, [&](const Expr *L) {
      return leafText(L, Context).has_value();
    });
  });
}

bool isReplaceable(const BlockIndex &Index, const ASTContext &Context) {
  SourceRange Range = Index.Index->getSourceRange();
  const auto *Operator = dyn_cast<BinaryOperator>(Index.Index);
  if ((Operator && Operator->isCommaOp()) ||
      Index.Subscript->getRBracketLoc().isMacroID() ||
      !isCopyable(Range, Context) ||
      !commentsIn(Range, {}, "", Context).empty())
    return false;
  std::string Type = indexType(Index.Index, Context);
  auto Known = Context.Idents.find(Type);
  if (Known != Context.Idents.end() && Known->second->hadMacroDefinition())
    return false;
  return macrosAreStable(Index.Index, Context) &&
         !mentionsAny(Index.Index, [&](const VarDecl *V) {
           return !hasStableType(*V, Context);
         });
}

std::string indexType(const Expr *Base, const ASTContext &Context) {
  IntType Type = *intType(Base->getType(), Context);
  QualType T = Base->getType();
  while (const auto *Typedef = T->getAs<TypedefType>()) {
    if (Typedef->getDecl()->getName() == "size_t")
      return "size_t"; // which has 32 bits on some GPUs
    T = Typedef->desugar();
  }
  return Type.Bits == 64 ? Type.Signed ? "long" : "ulong"
         : Type.Signed   ? "int"
                         : "uint";
}

/// \p M without its sign. Its product is computed in \p Type.
static std::string productText(const Monomial &M, IntType Type,
                               StringRef TypeName, const ASTContext &Context) {
  if (M.Leaves.empty())
    return std::to_string(std::abs(M.Factor));
  auto hasType = [&](const Expr *L) {
    return intType(L->IgnoreParenImpCasts()->getType(), Context) == Type;
  };
  SmallVector<const Expr *, 4> Leaves(M.Leaves);
  // One that has the type makes it the product's.
  if (auto *First = find_if(Leaves, hasType); First != Leaves.end())
    std::rotate(Leaves.begin(), First, First + 1);
  std::string Out;
  for (const Expr *L : Leaves)
    Out += (Out.empty() ? "" : " * ") + *leafText(L, Context);
  if (!isSimple(M) && !hasType(Leaves[0]))
    Out = ("(" + TypeName + ")" + Out).str();
  return std::abs(M.Factor) == 1
             ? Out
             : std::to_string(std::abs(M.Factor)) + " * " + Out;
}

std::string steppedText(StringRef At, const Polynomial &Step, const Expr *Base,
                        const ASTContext &Context) {
  IntType Type = *intType(Base->getType(), Context);
  std::string TypeName = indexType(Base, Context), Out = At.str();
  if (Type.Signed && !(Step.size() == 1 && isSimple(Step[0]))) {
    if (Step.size() > 1 && Type.Bits < 64)
      Out = "(long)" + Out;
    Type.Bits = 64;
    TypeName = "long";
  }
  auto longer = [](const Monomial &A, const Monomial &B) {
    return A.Leaves.size() > B.Leaves.size();
  };
  // Constants last, where loads add them.
  std::multiset<Monomial, decltype(longer)> Sorted(Step.begin(), Step.end(),
                                                   longer);
  for (const Monomial &M : Sorted)
    Out += (M.Factor < 0 ? " - " : " + ") +
           productText(M, Type, TypeName, Context);
  return Out;
}

} // namespace clrewrite::rewrite
