// A RecursiveASTVisitor asks the virtual functions what to do at each node; and
// unless they are overridden, they ask it to go on below.
#include "clang/Basic/Version.h"

#if CLANG_VERSION_MAJOR < 20
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace clang {
namespace {

struct Walk : RecursiveASTVisitor<Walk> {
  using Base = RecursiveASTVisitor<Walk>;
  DynamicRecursiveASTVisitor &Asked;

  explicit Walk(DynamicRecursiveASTVisitor &Asked) : Asked(Asked) {}

  bool shouldVisitImplicitCode() const { return Asked.ShouldVisitImplicitCode; }
  bool TraverseDecl(Decl *D) { return Asked.TraverseDecl(D); }
  bool TraverseStmt(Stmt *S) { return Asked.TraverseStmt(S); }
  bool TraverseTypeLoc(TypeLoc T) { return Asked.TraverseTypeLoc(T); }
  bool VisitDecl(Decl *D) { return Asked.VisitDecl(D); }
  bool VisitStmt(Stmt *S) { return Asked.VisitStmt(S); }
  bool VisitTypeLoc(TypeLoc T) { return Asked.VisitTypeLoc(T); }
  bool VisitAttr(Attr *A) { return Asked.VisitAttr(A); }

#define ABSTRACT_DECL(DECL)
#define DECL(CLASS, BASE)                                                      \
  bool Traverse##CLASS##Decl(CLASS##Decl *D) {                                 \
    return Asked.Traverse##CLASS##Decl(D);                                     \
  }
#include "clang/AST/DeclNodes.inc"
#define DECL(CLASS, BASE)                                                      \
  bool Visit##CLASS##Decl(CLASS##Decl *D) {                                    \
    return Asked.Visit##CLASS##Decl(D);                                        \
  }
#include "clang/AST/DeclNodes.inc"

#define ABSTRACT_STMT(STMT)
#define STMT(CLASS, BASE)                                                      \
  bool Traverse##CLASS(CLASS *S) { return Asked.Traverse##CLASS(S); }
#include "clang/AST/StmtNodes.inc"
#define STMT(CLASS, BASE)                                                      \
  bool Visit##CLASS(CLASS *S) { return Asked.Visit##CLASS(S); }
#include "clang/AST/StmtNodes.inc"

#define TYPELOC(CLASS, BASE)                                                   \
  bool Visit##CLASS##TypeLoc(CLASS##TypeLoc T) {                               \
    return Asked.Visit##CLASS##TypeLoc(T);                                     \
  }
#include "clang/AST/TypeLocNodes.def"
};

} // namespace

bool DynamicRecursiveASTVisitor::TraverseAST(ASTContext &Context) {
  return Walk(*this).Base::TraverseAST(Context);
}
bool DynamicRecursiveASTVisitor::TraverseDecl(Decl *D) {
  return Walk(*this).Base::TraverseDecl(D);
}
bool DynamicRecursiveASTVisitor::TraverseStmt(Stmt *S) {
  return Walk(*this).Base::TraverseStmt(S);
}
bool DynamicRecursiveASTVisitor::TraverseTypeLoc(TypeLoc T) {
  return Walk(*this).Base::TraverseTypeLoc(T);
}

#define ABSTRACT_DECL(DECL)
#define DECL(CLASS, BASE)                                                      \
  bool DynamicRecursiveASTVisitor::Traverse##CLASS##Decl(CLASS##Decl *D) {     \
    return Walk(*this).Base::Traverse##CLASS##Decl(D);                         \
  }
#include "clang/AST/DeclNodes.inc"

#define ABSTRACT_STMT(STMT)
#define STMT(CLASS, BASE)                                                      \
  bool DynamicRecursiveASTVisitor::Traverse##CLASS(CLASS *S) {                 \
    return Walk(*this).Base::Traverse##CLASS(S);                               \
  }
#include "clang/AST/StmtNodes.inc"

} // namespace clang

#endif
