// The loads of vectors in a function, with their addresses as sums.
#pragma once

#include "OverlappingLoads.h"

namespace clrewrite::rewrite::share_window {

/// An address in elements, as an affine sum of terms and a constant.
class ElementAddress {
public:
  /// With \p FromMacros, numbers may come from macros too, and terms are equal
  /// whatever text they come from.
  ElementAddress(const VectorAccess &A, bool FromMacros,
                 const clang::ASTContext &Context);

  /// By how many elements the address is above \p Other; none where that
  /// varies.
  std::optional<int64_t> above(const ElementAddress &Other) const;

  /// The stride: by how many elements the address moves when \p V grows by one;
  /// none where that varies.
  std::optional<int64_t> stepOf(const clang::VarDecl *V) const;

  struct Part {
    const clang::Expr *Term;
    std::string Words; ///< its text without white space
    int64_t Factor;
  };
  llvm::SmallVector<Part, 4> Parts;

private:
  int64_t Constant = 0;
  bool FromMacros;
  const clang::ASTContext *Context;

  void add(Part P);
  void addTerm(const clang::Expr *E, int64_t Factor);
  void addPointer(const clang::Expr *E, clang::QualType Element);
  void addInteger(const clang::Expr *E, int64_t Factor);
};

/// A vloadN, its address, and the first obstacle to replacing it.
struct VectorLoad {
  VectorAccess Access;
  ElementAddress At, Loosely; ///< without and with numbers from macros
  LoadObstacle Obstacle = LoadObstacle::None;
};

/// The numbers that \p Loop runs through; none where its bounds are not
/// constant, or it runs less than twice.
std::optional<LoopNumbers> loopNumbers(const clang::ForStmt &Loop,
                                       const clang::ASTContext &Context);

/// \p A and \p B access vectors of one type in one address space.
bool sameKind(const VectorAccess &A, const VectorAccess &B);

/// The loads of \p Function in the order of the text.
std::vector<VectorLoad> vectorLoads(const clang::FunctionDecl &Function,
                                    const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::share_window
