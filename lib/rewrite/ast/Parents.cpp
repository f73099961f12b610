// The parents of a node are asked of Clang's parent map.
#include "rewrite/ast/Parents.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ParentMapContext.h"

using namespace clang;

namespace clrewrite::rewrite {

const FunctionDecl *enclosingFunction(DynTypedNode Node, ASTContext &Context) {
  while (true) {
    if (const auto *F = Node.get<FunctionDecl>())
      return F;
    if (const auto *P = Node.get<ParmVarDecl>())
      return llvm::dyn_cast<FunctionDecl>(P->getDeclContext());
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty())
      return nullptr;
    Node = Parents[0];
  }
}

const Expr *parentExpr(const Expr *E, ASTContext &Context) {
  // What a list of values holds stands in it twice: as it is written, and with
  // the casts.
  const Expr *Up = nullptr;
  for (const DynTypedNode &Parent : Context.getParents(*E))
    if (!llvm::isa_and_nonnull<ImplicitCastExpr>(Up))
      Up = Parent.get<Expr>();
  return Up;
}

const Expr *outerExpr(const Expr *&E, ASTContext &Context) {
  const Expr *Up = parentExpr(E, Context);
  for (; Up && llvm::isa<ParenExpr>(Up); Up = parentExpr(E, Context))
    E = Up;
  return Up;
}

const DeclStmt *declarationOf(const VarDecl *V, ASTContext &Context) {
  DynTypedNodeList Parents = Context.getParents(*V);
  return Parents.empty() ? nullptr : Parents[0].get<DeclStmt>();
}

const CompoundStmt *blockOf(const Stmt &S, ASTContext &Context) {
  const AttributedStmt *A = attributed(S, Context);
  DynTypedNodeList Parents = Context.getParents(A ? *A : S);
  return Parents.empty() ? nullptr : Parents[0].get<CompoundStmt>();
}

const Stmt *outermostLoop(const Stmt &S, ASTContext &Context) {
  const Stmt *Loop = nullptr;
  DynTypedNode At = DynTypedNode::create(S);
  while (true) {
    if (const auto *Here = At.get<Stmt>();
        llvm::isa_and_nonnull<ForStmt, WhileStmt, DoStmt>(Here))
      Loop = Here;
    DynTypedNodeList Up = Context.getParents(At);
    if (Up.empty() || Up[0].get<FunctionDecl>())
      return Loop;
    At = Up[0];
  }
}

const AttributedStmt *attributed(const Stmt &S, ASTContext &Context) {
  DynTypedNodeList Parents = Context.getParents(S);
  return Parents.empty() ? nullptr : Parents[0].get<AttributedStmt>();
}

} // namespace clrewrite::rewrite
