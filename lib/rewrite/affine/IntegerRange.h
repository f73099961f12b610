// Bounds of integers, and the types that they are computed in.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// An integer type of 8 to 64 bits, after typedefs and enumerations.
struct IntType {
  unsigned Bits = 32;
  bool Signed = true;

  bool operator==(const IntType &O) const {
    return Bits == O.Bits && Signed == O.Signed;
  }
};
std::optional<IntType> intType(clang::QualType T,
                               const clang::ASTContext &Context);

/// It is written as size_t, ptrdiff_t, intptr_t or uintptr_t, whose width
/// depends on the device.
bool hasDevicesWidth(clang::QualType T);
/// The type of \p E may be computed from one of these, from a size, or from the
/// difference of two pointers.
bool mayHaveDevicesWidth(const clang::Expr *E);

/// It is int, or an enumeration like it.
bool isInt(clang::QualType T, const clang::ASTContext &Context);

/// It is int, or 64 bits wide: sums and products of defined programs are the
/// same in it as modulo 2^64.
bool isWide(clang::QualType T, const clang::ASTContext &Context);

/// The type that an operand narrower than int is computed in.
IntType promoted(IntType T);

/// The type in which an operator combines operands of the types \p A and \p B.
IntType commonType(IntType A, IntType B);

/// Lo to Hi, both included; INT64_MIN and INT64_MAX stand for no bound, so that
/// they may be no value that is known.
struct Range {
  int64_t Lo = INT64_MIN, Hi = INT64_MAX;

  static Range of(IntType T);
  bool within(Range Other) const { return Lo >= Other.Lo && Hi <= Other.Hi; }
  /// What both hold, and the least that holds both.
  Range meet(Range Other) const;
  Range join(Range Other) const;
};

/// The bounds of `a Op b` in integers without limits; comparisons give 0 or 1.
Range combined(clang::BinaryOperatorKind Op, Range A, Range B);

} // namespace clrewrite::rewrite
