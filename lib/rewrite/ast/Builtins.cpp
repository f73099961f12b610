// Which calls are of built-in functions, and of which.
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

bool isBuiltinCall(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  if (!F || F->hasBody())
    return false;
  const SourceManager &SM = F->getASTContext().getSourceManager();
  return F->getBuiltinID() != 0 || F->isImplicit() ||
         (F->hasAttr<OverloadableAttr>() &&
          SM.isInSystemHeader(F->getLocation()));
}

bool meansBuiltin(llvm::StringRef Name, const ASTContext &Context) {
  const IdentifierInfo &Id = Context.Idents.get(Name);
  if (Id.hadMacroDefinition())
    return false;
  MacroStability &Macros = MacroStability::of(Context);
  if (!Macros.isOnlyBuild() && Macros.mayBeDeclared(Name))
    return false;
  // No declaration hides it or overloads it. Fields, labels and tags have name
  // spaces of their own.
  return !firstIn<NamedDecl>(
      Context.getTranslationUnitDecl(), [&](const NamedDecl *D) {
        return D->getIdentifier() == &Id && !D->isImplicit() &&
               !isa<FieldDecl, IndirectFieldDecl, LabelDecl, TagDecl>(D);
      });
}

llvm::StringRef calleeName(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() ? F->getName() : "";
}

llvm::StringRef emptinessAsked(const IfStmt &If) {
  const Expr *Condition = If.getCond()->IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition);
      Not && Not->getOpcode() == UO_LNot)
    Condition = Not->getSubExpr();
  llvm::StringRef Name = calleeName(Condition);
  return Name == "get_local_size" || Name == "get_num_groups" ? Name : "";
}

bool isVload(const Expr *E) {
  llvm::StringRef Name = calleeName(E);
  if (!Name.consume_front("vload"))
    return false;
  Name.consume_front("a_half") || Name.consume_front("_half");
  return is_contained({"2", "3", "4", "8", "16"}, Name) ||
         (Name.empty() && calleeName(E) == "vload_half");
}

} // namespace clrewrite::rewrite
