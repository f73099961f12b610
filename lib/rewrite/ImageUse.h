// How kernels use their images and samplers: what running them needs to know.
#pragma once

#include "rewrite/Candidate.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <map>

namespace clrewrite::rewrite {

/// Gathers what the calls of a unit do with parameters that are images or
/// samplers, and follows them into the functions that they are handed to.
class ImageUses {
  /// What a function's own calls of built-in functions do with a parameter.
  struct Use {
    bool Float = false, Int = false, Uint = false;
    bool Direct = false;   ///< read without a sampler, or written
    bool IntCoord = false; ///< a sampler with integer coordinates
    bool Any = false;
  };
  struct Handed {
    const clang::FunctionDecl *To;
    unsigned Index;
  };
  std::map<const clang::ParmVarDecl *, Use> Uses;
  std::map<const clang::ParmVarDecl *, std::vector<Handed>> Flow;
  std::map<const clang::FunctionDecl *, const clang::FunctionDecl *> Bodies;

public:
  void noteBody(const clang::FunctionDecl *F) {
    Bodies[F->getCanonicalDecl()] = F;
  }
  void noteCall(const clang::CallExpr &Call);

  /// Fills in what \p A says of images and samplers for parameter \p P.
  void describe(const clang::ParmVarDecl *P, KernelArg &A) const;
};

} // namespace clrewrite::rewrite
