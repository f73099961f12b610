// Alignment: by how many elements an address may differ from a multiple of a
// vector, as far as the source tells.
#pragma once

#include "rewrite/ast/Invariance.h"

namespace clrewrite::rewrite {

/// Knows one function's variables. What is no guess errs on the side of
/// "unaligned".
class Alignment {
public:
  Alignment(const clang::FunctionDecl &Function,
            const clang::ASTContext &Context);

  /// The argument that the host passes, to which \p Pointer adds a multiple of
  /// \p Count elements (a power of two, at most 16); null where that is not
  /// sure. So a kernel that other code calls has none.
  const clang::ParmVarDecl *buffer(const clang::Expr *Pointer,
                                   unsigned Count) const;

  /// How many elements \p Pointer stands above a multiple of \p Count (a power
  /// of two), if what the source does not tell is one: a guess.
  unsigned likelyRest(const clang::Expr *Pointer, unsigned Count) const;

private:
  const clang::ASTContext &Context;
  bool HostCalls = false; ///< and nobody else
  Invariance InFunction;

  const clang::VarDecl *fixedVariable(const clang::Expr *E) const;
  const clang::ParmVarDecl *base(const clang::Expr *Pointer,
                                 clang::QualType Element, unsigned Twos) const;
  unsigned twosIn(const clang::Expr *E) const;
  uint64_t likely(const clang::Expr *E) const;
};

} // namespace clrewrite::rewrite
