// Reading who calls whom, and where variables get values.
#include "lanes/Program.h"
#include "rewrite/ast/Conditions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <set>

using namespace clang;

namespace clrewrite::lanes {

static constexpr unsigned MostDepth = 4, MostWays = 8;

bool isKernel(const FunctionDecl &F) { return F.hasAttr<DeviceKernelAttr>(); }

/// The variable that \p E names, or a part of which it is.
static const VarDecl *rootOf(const Expr *E, bool &Whole) {
  Whole = true;
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return V ? V->getCanonicalDecl() : nullptr;
    }
    Whole = false;
    if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      E = M->getBase();
    else if (const auto *L = dyn_cast<ExtVectorElementExpr>(E);
             L && !L->isArrow())
      E = L->getBase();
    else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E);
             A &&
             !A->getBase()->IgnoreParenImpCasts()->getType()->isPointerType())
      E = A->getBase();
    else
      return nullptr;
  }
}

class Program::Reader : public DynamicRecursiveASTVisitor {
public:
  explicit Reader(Program &P) : P(P) {}

  bool TraverseFunctionDecl(FunctionDecl *F) override {
    const FunctionDecl *Outer = Within;
    Within = F;
    if (F->doesThisDeclarationHaveABody())
      P.Functions.insert({F->getCanonicalDecl(), F});
    bool Go = DynamicRecursiveASTVisitor::TraverseFunctionDecl(F);
    Within = Outer;
    return Go;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    if (const FunctionDecl *F = Call->getDirectCallee(); F && Within)
      P.Calls[F->getCanonicalDecl()].push_back({Call, Within});
    return true;
  }
  bool VisitVarDecl(VarDecl *V) override {
    if (V->hasInit())
      P.Variables[V->getCanonicalDecl()].Initial = V->getInit();
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (!B->isAssignmentOp())
      return true;
    Values *Of = changed(B->getLHS());
    if (!Of)
      return true;
    if (B->getOpcode() == BO_Assign)
      Of->Assigned.push_back(B->getRHS());
    else if (B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign)
      Of->Steps.push_back(B->getRHS());
    else
      Of->Otherwise = true;
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (U->isIncrementDecrementOp()) {
      if (Values *Of = changed(U->getSubExpr()))
        Of->Steps.push_back(nullptr);
    } else if (U->getOpcode() == UO_AddrOf) {
      bool Whole = false;
      if (const VarDecl *V = rootOf(U->getSubExpr(), Whole))
        P.Variables[V].Otherwise = true;
    }
    return true;
  }

private:
  Program &P;
  const FunctionDecl *Within = nullptr;

  /// Null where \p E is no variable as a whole; a part of one is noted.
  Values *changed(const Expr *E) {
    bool Whole = false;
    const VarDecl *V = rootOf(E, Whole);
    if (!V)
      return nullptr;
    Values &Of = P.Variables[V];
    Of.Otherwise |= !Whole;
    return Whole ? &Of : nullptr;
  }
};

Program::Program(ASTContext &Context) : Context(Context) {
  Reader(*this).TraverseDecl(Context.getTranslationUnitDecl());
}
Program::~Program() = default;

const FunctionDecl *Program::definition(const FunctionDecl *F) const {
  auto It = Functions.find(F->getCanonicalDecl());
  return It == Functions.end() ? nullptr : It->second;
}

std::vector<std::string> Program::kernelsOf(const FunctionDecl &F) const {
  std::set<std::string> Names;
  std::set<const FunctionDecl *> Seen;
  std::vector<const FunctionDecl *> Todo{&F};
  while (!Todo.empty()) {
    const FunctionDecl *At = Todo.back();
    Todo.pop_back();
    if (!Seen.insert(At->getCanonicalDecl()).second)
      continue;
    if (isKernel(*At))
      Names.insert(At->getNameAsString());
    if (auto It = Calls.find(At->getCanonicalDecl()); It != Calls.end())
      for (const CallSite &S : It->second)
        Todo.push_back(S.In);
  }
  return {Names.begin(), Names.end()};
}

const Values &Program::valuesOf(const VarDecl *V) const {
  static const Values None;
  auto It = Variables.find(V->getCanonicalDecl());
  return It == Variables.end() ? None : It->second;
}

const Expr *Program::meaning(const Expr *E) const {
  for (unsigned Step = 0; Step < 16; ++Step) {
    E = E->IgnoreParenCasts();
    const VarDecl *V = rewrite::namedVariable(E);
    if (!V || !valuesOf(V).fixed())
      break;
    E = valuesOf(V).Initial;
  }
  return E->IgnoreParenCasts();
}

bool Program::addWays(const FunctionDecl &F, unsigned Depth,
                      std::vector<const Frame *> &Into) const {
  if (isKernel(F)) {
    Into.push_back(nullptr);
    return true;
  }
  auto It = Calls.find(F.getCanonicalDecl());
  if (It == Calls.end())
    return true; // Nobody comes here.
  if (Depth == MostDepth)
    return false;
  for (const CallSite &S : It->second) {
    std::vector<const Frame *> Outer;
    if (!addWays(*S.In, Depth + 1, Outer))
      return false;
    for (const Frame *O : Outer) {
      Frames.push_back(
          std::make_unique<Frame>(Frame{F.getCanonicalDecl(), S.Call, O}));
      Into.push_back(Frames.back().get());
    }
    if (Into.size() > MostWays)
      return false;
  }
  return true;
}

std::vector<const Frame *> Program::waysTo(const FunctionDecl &F) const {
  std::vector<const Frame *> Out;
  if (!addWays(F, 0, Out))
    return {};
  return Out;
}

} // namespace clrewrite::lanes
