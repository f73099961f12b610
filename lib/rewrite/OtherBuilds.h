// Whether edits hold with other build options than those that were looked at.
#pragma once

#include "rewrite/ast/FixedText.h"
#include "source/Edit.h"

namespace clrewrite::rewrite {

class OtherBuilds {
public:
  explicit OtherBuilds(const clang::ASTContext &Context)
      : Context(Context), Fixed(Context) {}

  /// Why the edits \p List, at a site in \p F, could be wrong where macros and
  /// types are others: they take one apart, or write one out. A sentence as of
  /// a Condition; null where they hold.
  const char *whyOther(llvm::ArrayRef<Edit> List, const clang::FunctionDecl &F);

private:
  const clang::ASTContext &Context;
  FixedText Fixed;
  std::map<const clang::FunctionDecl *, bool> TypesAreFixed;

  bool typesAreFixed(const clang::FunctionDecl &F);
};

} // namespace clrewrite::rewrite
