// The use of lanes is found by a walk over the region.
//
// The walk knows each kind of expression and statement that keeps lanes apart;
// everything else is a problem. An expression is wide where its type is a
// vector of the region's lane count, and uniform otherwise: the same in every
// part. No uniform value is computed from lanes, because the only
// ways from a wide value to a narrower one (components, other casts, built-in
// functions that are not lane-wise, functions of the file, memory) are
// problems. So conditions and indices are uniform as well, and each part takes
// the same path through the region.
#include "LaneWalk.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointerUses.h"
#include "clang/Basic/SourceManager.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_vector {

void LaneWalk::access(const Expr *At, const Expr *Pointer, bool Store,
                      bool Wide, QualType Lane) {
  if (Pointer && !Store && !Wide) {
    QualType To = Pointer->getType()->isPointerType()
                      ? Pointer->getType()->getPointeeType()
                      : Pointer->getType();
    if (To.getAddressSpace() == LangAS::opencl_constant)
      return; // Nobody writes it.
  }
  if (IsHelper)
    problem(LaneProblem::Helper, At);
  LaneAccess A;
  A.Pointer = Pointer;
  A.Store = Store;
  A.Wide = Wide;
  A.LaneBits =
      Lane.isNull() || Lane->isIncompleteType() ? 0 : Context.getTypeSize(Lane);
  A.InLoop = Loops > 0;
  Out.Accesses.push_back(A);
}

/// A type as it is written, which must name the vector outright.
void LaneWalk::type(TypeLoc T) {
  while (true) {
    if (auto Q = T.getAs<QualifiedTypeLoc>())
      T = Q.getUnqualifiedLoc();
    else if (auto Attributed = T.getAs<AttributedTypeLoc>())
      T = Attributed.getModifiedLoc();
    else if (auto Array = T.getAs<ArrayTypeLoc>())
      T = Array.getElementLoc();
    else if (auto P = T.getAs<ParenTypeLoc>())
      T = P.getInnerLoc();
    else
      break;
  }
  // Before Clang 22 a typedef's name stood within another type.
  if (auto Name = T.getAsAdjusted<TypedefTypeLoc>();
      Name && laneCount(Name.getType()) == Lanes)
    Out.Types.push_back(Name);
  else
    problem(LaneProblem::Text);
}

void LaneWalk::declaration(const DeclStmt *D) {
  // `float8 x, *p;` names the type once for both.
  unsigned Vectors = count_if(D->decls(), [&](const Decl *Each) {
    const auto *V = dyn_cast<VarDecl>(Each);
    return V && variableLanes(V->getType()) == Lanes;
  });
  if (Vectors && !D->isSingleDecl() &&
      Vectors != unsigned(std::distance(D->decl_begin(), D->decl_end())))
    problem(LaneProblem::Text);
  for (const Decl *Each : D->decls()) {
    const auto *V = dyn_cast<VarDecl>(Each);
    if (!V)
      continue; // A type's declaration does nothing.
    if (!isPrivate(V) || V->getType().isVolatileQualified())
      problem(LaneProblem::Effects, V->getSourceRange());
    if (variableLanes(V->getType()) == Lanes)
      type(V->getTypeSourceInfo()->getTypeLoc());
    if (V->getInit())
      expression(V->getInit());
  }
}

void LaneWalk::statement(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    return expression(E);
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return declaration(D);
  bool Loop = isa<ForStmt, WhileStmt, DoStmt>(S), Switch = isa<SwitchStmt>(S);
  if (const auto *R = dyn_cast<ReturnStmt>(S); R && IsHelper) {
    if (R->getRetValue())
      expression(R->getRetValue());
    return;
  }
  if (isa<AsmStmt>(S))
    return problem(LaneProblem::Effects, S);
  if ((isa<BreakStmt>(S) && !Loops && !Switches) ||
      (isa<ContinueStmt>(S) && !Loops) || (isa<SwitchCase>(S) && !Switches))
    return problem(LaneProblem::Control, S);
  if (!Loop && !Switch &&
      !isa<CompoundStmt, IfStmt, NullStmt, BreakStmt, ContinueStmt, SwitchCase,
           AttributedStmt>(S))
    return problem(LaneProblem::Control, S); // return, goto, labels, unknown
  Loops += Loop;
  Switches += Switch;
  for (const Stmt *Child : S->children())
    statement(Child);
  Loops -= Loop;
  Switches -= Switch;
}

/// Adds the variables that \p S declares.
static void addDeclared(const Stmt *S, LaneUse &Use) {
  for (const VarDecl *V : allIn<VarDecl>(S))
    Use.Own.insert(V->getCanonicalDecl());
}

/// A function that calls functions that call functions ... is left alone.
static constexpr unsigned MaxDepth = 4;

static LaneUse useOf(const FunctionDecl &Helper, unsigned Lanes, unsigned Depth,
                     const ASTContext &Context);

static void checkHelpers(LaneUse &Use, unsigned Lanes, unsigned Depth,
                         const ASTContext &Context) {
  for (const CallExpr *C : Use.HelperCalls) {
    const FunctionDecl *Body = nullptr;
    LaneUse Inner;
    if (Depth < MaxDepth && C->getDirectCallee()->hasBody(Body))
      Inner = useOf(*Body, Lanes, Depth + 1, Context);
    if (!Body || !Inner.Problems.empty())
      Use.Problems.try_emplace(LaneProblem::Helper, C->getSourceRange());
    Use.RoundByWidth.insert(Inner.RoundByWidth.begin(),
                            Inner.RoundByWidth.end());
  }
}

LaneUse useOf(const LaneRegion &R, const ASTContext &Context) {
  LaneUse Use;
  Use.Lanes = R.Lanes;
  LaneWalk W(R.Lanes, /*IsHelper=*/false, Context, Use);
  for (const Stmt *S : R.Statements)
    addDeclared(S, Use);
  for (const Stmt *S : R.Statements)
    W.statement(S);
  bool After = false;
  // What another build has among the statements is no text to change.
  SourceRange Unseen;
  for (const VarDecl *V : Use.Own)
    if (SourceRange Name = unseenName(V);
        Name.isValid() && R.Statements.back()->getEndLoc() < Name.getBegin() &&
        (Unseen.isInvalid() || Name.getBegin() < Unseen.getBegin()))
      Unseen = Name;
  if (Unseen.isValid())
    Use.Problems.try_emplace(LaneProblem::Escapes, Unseen);
  for (const Stmt *S : R.Block->body()) {
    if (After &&
        mentionsAny(S, [&](const VarDecl *V) { return Use.Own.contains(V); }))
      Use.Problems.try_emplace(LaneProblem::Escapes, S->getSourceRange());
    After |= S == R.Statements.back();
  }
  checkHelpers(Use, R.Lanes, 0, Context);
  return Use;
}

static LaneUse useOf(const FunctionDecl &Helper, unsigned Lanes, unsigned Depth,
                     const ASTContext &Context) {
  LaneUse Use;
  LaneWalk W(Lanes, /*IsHelper=*/true, Context, Use);
  W.signature(Helper);
  addDeclared(Helper.getBody(), Use);
  W.statement(Helper.getBody());
  checkHelpers(Use, Lanes, Depth, Context);
  return Use;
}

LaneUse useOf(const FunctionDecl &Helper, unsigned Lanes,
              const ASTContext &Context) {
  return useOf(Helper, Lanes, 0, Context);
}

} // namespace clrewrite::rewrite::split_vector
