// The function that tests of texts and names are about.
#pragma once

#include "frontend/Parse.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clrewrite::rewrite {

/// Parses \p Text as k.cl, and calls \p Use with each declaration of function
/// k.
inline void
eachK(const std::string &Text,
      llvm::function_ref<void(const clang::FunctionDecl &, clang::ASTContext &)>
          Use) {
  frontend::parse({"k.cl", Text, {}}, {"amdgcn-amd-amdhsa", "gfx906"}, false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    for (clang::Decl *D :
                         Context.getTranslationUnitDecl()->decls())
                      if (auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
                          F && F->getIdentifier() && F->getName() == "k")
                        Use(*F, Context);
                  });
}

} // namespace clrewrite::rewrite
