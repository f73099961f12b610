// divergent-branch: lanes of one wave take both sides of a branch, and both are
// long.
//
// A wave whose lanes disagree runs both sides, one after the other. That costs
// where both have much to do; an `if` without `else`, or one whose other side
// is short, costs about what its long side does anyway.
#include "advice/AdviceSort.h"
#include "lanes/Varying.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Nodes.h"

using namespace clang;

namespace clrewrite::advice::divergent_branch {
namespace {

/// Operations from which a side is heavy. An operation is an arithmetic
/// operator or an access on one component; a division or remainder counts as 8,
/// a math built-in as 16, and a loop as often as it runs, by constant bounds,
/// else 8 times.
constexpr double Heavy = 64;
constexpr double Division = 8, MathCall = 16, UnknownRuns = 8;

double lanesOf(QualType T) { return std::max(1u, rewrite::laneCount(T)); }

class Counter {
public:
  explicit Counter(const Program &P) : P(P) {}

  double of(const Stmt *S, unsigned Depth = 0) {
    if (!S || Depth > 64)
      return 0;
    double Sum = 0;
    for (const Stmt *Child : S->children())
      Sum += of(Child, Depth + 1);
    if (const auto *For = dyn_cast<ForStmt>(S))
      return Sum * runsOf(*For);
    if (isa<WhileStmt, DoStmt>(S))
      return Sum * UnknownRuns;
    if (const auto *B = dyn_cast<BinaryOperator>(S))
      return Sum + cost(*B);
    if (isa<ArraySubscriptExpr>(S))
      return Sum + 1;
    if (const auto *C = dyn_cast<CallExpr>(S))
      return Sum + cost(*C, Depth);
    return Sum;
  }

private:
  const Program &P;

  double cost(const BinaryOperator &B) const {
    double Lanes = lanesOf(B.getType());
    switch (B.getOpcode()) {
    case BO_Div:
    case BO_DivAssign:
    case BO_Rem:
    case BO_RemAssign:
      return Division * Lanes;
    case BO_Assign:
    case BO_Comma:
    case BO_LAnd:
    case BO_LOr:
      return 0;
    default:
      return Lanes;
    }
  }

  double cost(const CallExpr &C, unsigned Depth) {
    const FunctionDecl *F = C.getDirectCallee();
    if (const FunctionDecl *Body = F ? P.definition(F) : nullptr)
      return of(Body->getBody(), Depth + 8);
    bool Math = rewrite::isBuiltinCall(&C) &&
                C.getType()->hasFloatingRepresentation() &&
                !rewrite::calleeName(&C).contains("load");
    return (Math ? MathCall : 1) * lanesOf(C.getType());
  }

  /// By `i = a; i < b; ++i` with constants.
  double runsOf(const ForStmt &For) const {
    std::optional<rewrite::CountedLoop> L = rewrite::countedLoop(For);
    if (!L || !L->Declares || !L->Start || !L->Until || L->By ||
        L->Direction != 1)
      return UnknownRuns;
    std::optional<int64_t> From = constantOf(L->Start, P.Context),
                           To = constantOf(P.meaning(L->Until->getRHS()),
                                           P.Context);
    BinaryOperatorKind Op = L->Until->getOpcode();
    if (!From || !To || (Op != BO_LT && Op != BO_LE))
      return UnknownRuns;
    return double(std::max<int64_t>(0, *To - *From + (Op == BO_LE ? 1 : 0)));
  }
};

void inFunction(const FunctionDecl &F, const Adviser &To) {
  std::vector<const Frame *> Ways = To.Code.waysTo(F);
  unsigned Wave = 64;
  for (const AdviceFacts::Wave &W : To.Facts.Waves)
    Wave = std::min(Wave, W.Lanes);
  Counter Count(To.Code);
  for (const IfStmt *If : rewrite::allIn<IfStmt>(
           F.getBody(), [](const IfStmt *Each) { return Each->getElse(); })) {
    double Then = Count.of(If->getThen()), Else = Count.of(If->getElse());
    if (std::min(Then, Else) < Heavy)
      continue;
    Divergence Why = Divergence::None;
    for (const Frame *In : Ways)
      Why = std::max(Why, divergenceOf(If->getCond(), To.Code, In, Wave));
    if (Why == Divergence::None)
      continue;
    To.Tell(If->getIfLoc(), F,
            std::string("a wave whose lanes disagree runs both sides of this "
                        "branch, of about ") +
                std::to_string(long(Then)) + " and " +
                std::to_string(long(Else)) + " operations; its condition " +
                (Why == Divergence::Ids
                     ? "alternates between neighbouring work-items: give each "
                       "side work-items that lie together"
                     : "depends on what each work-item has loaded: where "
                       "neighbours differ, sort them or share what both sides "
                       "compute"));
  }
}

void find(const Adviser &To) {
  for (const auto &Each : To.Code.Functions)
    inFunction(*Each.second, To);
}

} // namespace

const AdviceSort &adviceDivergentBranch() {
  static const AdviceSort S{
      "divergent-branch",
      "branches with two heavy sides that the lanes of a wave part at", find};
  return S;
}

} // namespace clrewrite::advice::divergent_branch
