// Clang has this visitor since LLVM 20. This one, for LLVM 19, has the
// functions of it that clrewrite overrides or calls, and walks in the same
// order.
#pragma once

#include "clang/Basic/Version.h"
#if CLANG_VERSION_MAJOR >= 20
#include_next "clang/AST/DynamicRecursiveASTVisitor.h"
#else
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclObjC.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/ExprObjC.h"
#include "clang/AST/ExprOpenMP.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtObjC.h"
#include "clang/AST/StmtOpenACC.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/AST/TypeLoc.h"

namespace clang {

class DynamicRecursiveASTVisitor {
public:
  bool ShouldVisitImplicitCode = false;

  virtual ~DynamicRecursiveASTVisitor() = default;

  virtual bool TraverseAST(ASTContext &Context);
  virtual bool TraverseDecl(Decl *D);
  virtual bool TraverseStmt(Stmt *S);
  virtual bool TraverseTypeLoc(TypeLoc T);
  virtual bool VisitDecl(Decl *) { return true; }
  virtual bool VisitStmt(Stmt *) { return true; }
  virtual bool VisitTypeLoc(TypeLoc) { return true; }
  virtual bool VisitAttr(Attr *) { return true; }

#define ABSTRACT_DECL(DECL)
#define DECL(CLASS, BASE) virtual bool Traverse##CLASS##Decl(CLASS##Decl *D);
#include "clang/AST/DeclNodes.inc"
#define DECL(CLASS, BASE)                                                      \
  virtual bool Visit##CLASS##Decl(CLASS##Decl *) { return true; }
#include "clang/AST/DeclNodes.inc"

#define ABSTRACT_STMT(STMT)
#define STMT(CLASS, BASE) virtual bool Traverse##CLASS(CLASS *S);
#include "clang/AST/StmtNodes.inc"
#define STMT(CLASS, BASE)                                                      \
  virtual bool Visit##CLASS(CLASS *) { return true; }
#include "clang/AST/StmtNodes.inc"

#define TYPELOC(CLASS, BASE)                                                   \
  virtual bool Visit##CLASS##TypeLoc(CLASS##TypeLoc) { return true; }
#include "clang/AST/TypeLocNodes.def"
};

} // namespace clang
#endif
