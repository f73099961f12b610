// Expressions of doubles are looked at from where they end: what makes a float
// of one, an integer or the answer of a comparison.
#include "rewrite/ast/PromotedFloats.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

bool isKind(QualType T, clang::BuiltinType::Kind Kind) {
  return T->isSpecificBuiltinType(Kind);
}
bool isDouble(const Expr *E) {
  return isKind(E->getType(), clang::BuiltinType::Double);
}
bool isFloat(const Expr *E) {
  return isKind(E->getType(), clang::BuiltinType::Float);
}

/// A float or a half that becomes a double.
bool isWidened(const CastExpr &C) {
  const Expr *From = C.getSubExpr();
  return C.getCastKind() == CK_FloatingCast &&
         (isFloat(From) || isKind(From->getType(), clang::BuiltinType::Half));
}

/// What opencl-c-base.h defines for doubles, and for floats with _F behind it.
constexpr llvm::StringLiteral Constants[] = {
    "M_1_PI", "M_2_PI",    "M_2_SQRTPI", "M_E",  "M_LN10",
    "M_LN2",  "M_LOG10E",  "M_LOG2E",    "M_PI", "M_PI_2",
    "M_PI_4", "M_SQRT1_2", "M_SQRT2"};

/// A float has 24 binary digits.
constexpr double Digits = 1 << 24;
/// What is compared with less is asked for more digits than a float has.
constexpr double Tolerance = 1e-6;

double sizeOf(const FloatingLiteral *L) {
  return std::abs(L->getValueAsApproximateDouble());
}

/// The number that \p E is, a literal perhaps behind a sign.
std::optional<double> literalIn(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Minus) {
    std::optional<double> Value = literalIn(U->getSubExpr());
    return Value ? std::optional(-*Value) : std::nullopt;
  }
  const auto *L = dyn_cast<FloatingLiteral>(E);
  return L ? std::optional(L->getValueAsApproximateDouble()) : std::nullopt;
}

/// \p B adds two literals of which one is lost in the other in float.
bool losesLiteral(const BinaryOperator &B) {
  std::optional<double> L = literalIn(B.getLHS()), R = literalIn(B.getRHS());
  if (!B.isAdditiveOp() || !L || !R || *L == 0 || *R == 0)
    return false;
  auto Least = float(std::min(std::abs(*L), std::abs(*R))),
       Most = float(std::max(std::abs(*L), std::abs(*R)));
  return Most + Least == Most || Most - Least == Most;
}

class Search : public DynamicRecursiveASTVisitor {
public:
  explicit Search(const ASTContext &Context) : Context(Context) {}
  std::vector<PromotedFloats> Found;

  bool VisitCastExpr(CastExpr *C) override {
    const CastKind Kind = C->getCastKind();
    if (isDouble(C->getSubExpr()) &&
        ((Kind == CK_FloatingCast && isFloat(C)) ||
         Kind == CK_FloatingToIntegral || Kind == CK_FloatingToBoolean))
      add({C, {}}, {C->getSubExpr()});
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->isRelationalOp() && isDouble(B->getLHS()) && isDouble(B->getRHS()))
      add({B, {}}, {B->getLHS(), B->getRHS()});
    return true;
  }

  bool VisitCompoundAssignOperator(CompoundAssignOperator *B) override {
    if (isFloat(B->getLHS()) && isDouble(B->getRHS()))
      add({B, {}, /*Others=*/1, /*Operations=*/1}, {B->getRHS()});
    return true;
  }

private:
  const ASTContext &Context;
  bool ScalesIntegers = false;

  void add(PromotedFloats P, ArrayRef<const Expr *> Parts) {
    ScalesIntegers = false;
    if (all_of(Parts, [&](const Expr *E) { return collect(E, P); }) &&
        !P.Literals.empty() && P.Others && !isMeant(P) &&
        (isa<CompoundAssignOperator>(P.Whole) ||
         !P.Whole->isEvaluatable(Context)))
      Found.push_back(std::move(P));
  }

  /// A float has too few digits for \p P.
  bool isMeant(const PromotedFloats &P) const {
    const bool Counts =
        P.Whole->getType()->isIntegerType() && isa<CastExpr>(P.Whole);
    const auto *B = dyn_cast<BinaryOperator>(P.Whole);
    const bool Compares = B && B->isRelationalOp() && P.Operations;
    return any_of(P.Literals, [&](const FloatingLiteral *L) {
      const double Size = sizeOf(L);
      const bool IsLarge = Size >= Digits - 1,
                 IsSmall = Size > 0 && Size <= 2 / Digits;
      return (Counts && IsLarge) || (ScalesIntegers && (IsLarge || IsSmall)) ||
             (Compares && Size > 0 && Size < Tolerance);
    });
  }

  /// \p E, of type double, has a literal or a conversion at each end.
  bool collect(const Expr *E, PromotedFloats &P) {
    E = E->IgnoreParens();
    if (const auto *L = dyn_cast<FloatingLiteral>(E)) {
      P.Literals.push_back(L);
      return true;
    }
    if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
      ++P.Others;
      const bool Counts = C->getCastKind() == CK_IntegralToFloating;
      const Expr *From = C->getSubExpr()->IgnoreParenImpCasts();
      P.CallsOrCounts |= Counts;
      ScalesIntegers |= Counts && !isa<IntegerLiteral>(From) &&
                        Context.getTypeSize(From->getType()) >= 32;
      return Counts || isWidened(*C);
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Plus) &&
             collect(U->getSubExpr(), P);
    if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
      return collect(Choice->getTrueExpr(), P) &&
             collect(Choice->getFalseExpr(), P);
    ++P.Operations;
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return (B->isAdditiveOp() || B->getOpcode() == BO_Mul ||
              B->getOpcode() == BO_Div) &&
             !losesLiteral(*B) && collect(B->getLHS(), P) &&
             collect(B->getRHS(), P);
    const auto *Call = dyn_cast<CallExpr>(E);
    P.CallsOrCounts |= Call != nullptr;
    // The number next to a float is another one than that next to a double.
    return Call && isBuiltinCall(Call) && isLaneWise(calleeName(Call)) &&
           calleeName(Call) != "nextafter" &&
           all_of(Call->arguments(), [&](const Expr *Argument) {
             return isDouble(Argument) && collect(Argument, P);
           });
  }
};

/// The float next to \p L; \p Exact where it is the same number.
APFloat rounded(const FloatingLiteral &L, bool &Exact) {
  APFloat Value = L.getValue();
  bool Loses = false;
  Value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Loses);
  Exact = !Loses;
  return Value;
}

} // namespace

bool fitsFloat(const FloatingLiteral &Literal) {
  bool Exact = false;
  const APFloat Value = rounded(Literal, Exact);
  return Value.isFinite() && (Literal.getValue().isZero() || Value.isNormal());
}

bool PromotedFloats::isNarrowedByCompilers() const {
  auto isHeld = [](const FloatingLiteral *L) {
    bool Exact = false;
    rounded(*L, Exact);
    return Exact;
  };
  const bool Compares =
      isa<BinaryOperator>(Whole) && !isa<CompoundAssignOperator>(Whole);
  const bool Converts = Compares || isFloat(Whole);
  return Converts && !CallsOrCounts && Operations <= !Compares &&
         all_of(Literals, isHeld);
}

std::vector<PromotedFloats> promotedFloats(const FunctionDecl &Function) {
  return searched(Search(Function.getASTContext()), Function.getBody()).Found;
}

bool isFloatInEachBuild(const PromotedFloats &P, const FunctionDecl &Function,
                        ASTContext &Context) {
  MacroStability &Macros = MacroStability::of(Context);
  const Stmt *Code = P.Whole;
  DynTypedNode Node = DynTypedNode::create(*Code);
  while (true) {
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty())
      return false;
    Node = Parents[0];
    if (Node.get<VarDecl>())
      continue;
    const Stmt *Around = Node.get<Stmt>();
    if (!Around)
      return false;
    if (!isa<Expr, DeclStmt, ReturnStmt>(Around))
      break;
    // What takes the value is declared elsewhere.
    const auto *Call = dyn_cast<CallExpr>(Around);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    if (Call && !isBuiltinCall(Call) &&
        !(F && all_of(F->parameters(), [&](const ParmVarDecl *Parameter) {
            return hasStableType(*Parameter, Context);
          })))
      return false;
    if (isa<ReturnStmt>(Around))
      if (FunctionTypeLoc T = Function.getFunctionTypeLoc();
          !T || !Macros.isStable(T.getReturnLoc()))
        return false;
    Code = Around;
  }
  const SourceRange Range = Code->getSourceRange();
  return text(Range, Context) && !holdsDirective(Range, Context) &&
         variationOf(Code, Range, Function, Context).isInvalid();
}

LiteralText textOf(const FloatingLiteral &Literal, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Loc = Literal.getLocation();
  if (Loc.isFileID()) {
    const std::string Own = text(Loc, Context).value_or("").str();
    // A suffix stands there already, or the file is another one.
    if (Own.empty() || !(isDigit(Own.back()) || Own.back() == '.'))
      return {Own, "", {}};
    return {Own, Own + "f", Loc};
  }
  const SourceRange Whole = SM.getExpansionRange(Loc).getAsRange();
  const std::string Name = text(Whole.getBegin(), Context).value_or("").str();
  MacroStability &Macros = MacroStability::of(Context);
  // It has no arguments.
  if (Whole.getBegin() != Whole.getEnd() || Name.empty() ||
      !all_of(Name, isInWord))
    return {Name, "", {}};
  if (Macros.isLiteral(Name))
    return {Name, "(float)" + Name, Whole};
  const bool IsOpenCL =
      is_contained(Constants, Name) &&
      none_of(Macros.definitions(), [&](StringRef Definition) {
        return wordsIn(Definition).front() == Name;
      });
  return {Name, IsOpenCL ? Name + "_F" : "", IsOpenCL ? Whole : SourceRange()};
}

} // namespace clrewrite::rewrite
