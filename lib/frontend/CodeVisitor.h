// A visitor of code that is evaluated.
#pragma once

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Version.h"

namespace clrewrite::frontend {

/// Leaves out what stands in types, such as the operand of typeof.
class CodeVisitor : public clang::DynamicRecursiveASTVisitor {
public:
#if CLANG_VERSION_MAJOR < 22
  bool TraverseTypeLoc(clang::TypeLoc) override { return true; }
#else
  bool TraverseTypeLoc(clang::TypeLoc, bool) override { return true; }
#endif
};

} // namespace clrewrite::frontend
