// The functions of a program: who calls whom, and where variables get their
// values.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace clrewrite::lanes {

/// Where a local variable gets values. A parameter's argument is none of them.
struct Values {
  const clang::Expr *Initial = nullptr;
  /// Of plain assignments.
  std::vector<const clang::Expr *> Assigned = {};
  /// Of += and -=, with null for ++ and --.
  std::vector<const clang::Expr *> Steps = {};
  /// It changes in other ways: *=, a part of it, through its address.
  bool Otherwise = false;

  /// It has its initial value only.
  bool fixed() const {
    return Initial && Assigned.empty() && Steps.empty() && !Otherwise;
  }
};

/// A call of a function on the way from a kernel; parameters of \p Callee have
/// the arguments of \p Call, which stands in the function of Outer (null: in a
/// kernel).
struct Frame {
  const clang::FunctionDecl *Callee;
  const clang::CallExpr *Call;
  const Frame *Outer;
};

class Program {
public:
  explicit Program(clang::ASTContext &Context);
  ~Program();

  clang::ASTContext &Context;
  /// Those with a body, in order, by their canonical declaration.
  llvm::MapVector<const clang::FunctionDecl *, const clang::FunctionDecl *>
      Functions;

  /// The body's function that \p F declares; null where there is none.
  const clang::FunctionDecl *definition(const clang::FunctionDecl *F) const;
  /// The kernels that reach \p F, itself if it is one, by name.
  std::vector<std::string> kernelsOf(const clang::FunctionDecl &F) const;
  const Values &valuesOf(const clang::VarDecl *V) const;
  /// What \p E stands for: without parentheses and implicit casts, and for a
  /// variable that never changes its initial value.
  const clang::Expr *meaning(const clang::Expr *E) const;
  /// How kernels come to \p F: null for a kernel itself. At most a few; none
  /// where no kernel does, or in too many ways to look at all.
  std::vector<const Frame *> waysTo(const clang::FunctionDecl &F) const;

private:
  struct CallSite {
    const clang::CallExpr *Call;
    const clang::FunctionDecl *In;
  };
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<CallSite>> Calls;
  llvm::DenseMap<const clang::VarDecl *, Values> Variables;
  mutable std::vector<std::unique_ptr<Frame>> Frames;

  class Reader;
  bool addWays(const clang::FunctionDecl &F, unsigned Depth,
               std::vector<const Frame *> &Into) const;
};

/// \p F is a kernel.
bool isKernel(const clang::FunctionDecl &F);

} // namespace clrewrite::lanes
