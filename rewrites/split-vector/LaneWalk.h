// The walk that gathers what a region does; used by LaneUse.cpp alone.
#pragma once

#include "LaneUse.h"
#include "rewrite/ast/Conditions.h"

namespace clrewrite::rewrite::split_vector {

/// Walks over a region, or over a function that it calls.
class LaneWalk {
public:
  LaneWalk(unsigned Lanes, bool IsHelper, const clang::ASTContext &Context,
           LaneUse &Out)
      : Lanes(Lanes), IsHelper(IsHelper), Context(Context), Out(Out),
        Own(Out.Own) {}

  void statement(const clang::Stmt *S);

  /// The types that a function takes and gives back.
  void signature(const clang::FunctionDecl &F) {
    for (const clang::ParmVarDecl *P : F.parameters()) {
      Own.insert(P->getCanonicalDecl());
      if (variableLanes(P->getType()) == Lanes)
        type(P->getTypeSourceInfo()->getTypeLoc());
    }
    clang::FunctionTypeLoc T = F.getFunctionTypeLoc();
    if (laneCount(F.getReturnType()) == Lanes)
      T ? type(T.getReturnLoc()) : problem(LaneProblem::Text);
  }

private:
  unsigned Lanes;
  bool IsHelper;
  const clang::ASTContext &Context;
  LaneUse &Out;
  llvm::SmallPtrSetImpl<const clang::VarDecl *> &Own;
  unsigned Loops = 0, Switches = 0;

  void problem(LaneProblem P, clang::SourceRange At = {}) {
    Out.Problems.try_emplace(P, At);
  }
  void problem(LaneProblem P, const clang::Stmt *At) {
    problem(P, At->getSourceRange());
  }
  bool isWide(const clang::Expr *E) const {
    return laneCount(E->getType()) == Lanes;
  }
  bool isOwn(const clang::Expr *E) const {
    const clang::VarDecl *V = storageOf(E).Variable;
    return V && Own.contains(V);
  }

  void declaration(const clang::DeclStmt *D);
  void type(clang::TypeLoc T);
  void expression(const clang::Expr *E);
  void operands(const clang::Expr *E) {
    for (const clang::Stmt *Child : E->children())
      if (Child)
        expression(llvm::cast<clang::Expr>(Child));
  }
  void name(const clang::DeclRefExpr *Ref);
  void cast_(const clang::CastExpr *C);
  void unary(const clang::UnaryOperator *U);
  void binary(const clang::BinaryOperator *B);
  void address(const clang::Expr *Of);
  void element(const clang::Expr *E, bool Load, bool Store);
  void place(const clang::Expr *E);
  void target(const clang::Expr *LHS, bool AlsoRead);
  void call(const clang::CallExpr *C);
  void laneWise(const clang::CallExpr *C);
  void uniformCall(const clang::CallExpr *C);
  void move(const clang::CallExpr *C, const LaneName &N);
  void access(const clang::Expr *At, const clang::Expr *Pointer, bool Store,
              bool Wide, clang::QualType Lane);
  void arithmetic(const clang::Expr *Result, bool MayOverflow);
  void scalarOperand(const clang::Expr *E);
};

} // namespace clrewrite::rewrite::split_vector
