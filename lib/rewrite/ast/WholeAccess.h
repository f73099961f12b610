// vloadN and vstoreN, and functions that access the same vector whole.
#pragma once

#include "rewrite/ast/Conditions.h"

namespace clrewrite::rewrite {

/// A call of a built-in vloadN or vstoreN.
struct VectorAccess {
  const clang::CallExpr *Call = nullptr;
  bool Store = false;
  unsigned Lanes = 0;
  clang::QualType Vector;
  const clang::Expr *Pointer = nullptr;
  /// The program's own words for the element's and the vector's type, where the
  /// language's hold in this build alone; else empty. With DeclaresVector the
  /// program has none for the vector, and a function's text declares it.
  std::string Element = {}, VectorName = {};
  bool DeclaresVector = false;

  clang::QualType element() const;
  /// What the pointer leads to, before it becomes what the built-in function
  /// takes: from OpenCL C 2.0 on that is a pointer to the generic space.
  clang::QualType pointee() const;
  clang::LangAS space() const { return pointee().getAddressSpace(); }
};
std::optional<VectorAccess> vectorAccessOf(const clang::CallExpr *Call);

/// Of 2, 4, 8 or 16 elements, not volatile, in global, local or constant
/// memory: a pointer to the vector can access it.
bool hasPlainTwin(const VectorAccess &A);

/// The names that WholeAccess writes for \p A are the language's.
bool namesAreOpenCL(const VectorAccess &A, const clang::ASTContext &Context);

/// "__global", "__constant" or "__local"; empty for any other space.
llvm::StringRef spelledSpace(clang::LangAS Space);

/// How the text that is written for \p A spells its types.
std::string spelledElement(const VectorAccess &A,
                           const clang::ASTContext &Context);
std::string spelledVector(const VectorAccess &A,
                          const clang::ASTContext &Context);

/// A pointer to its elements: "const __global uchar *" for a load.
std::string spelledPointer(const VectorAccess &A,
                           const clang::ASTContext &Context);

/// The functions that take the place of vloadN and vstoreN in one function,
/// with the same arguments.
class WholeAccess {
public:
  enum class Form {
    Tested, ///< whole where the address says that it is aligned, else in parts
    Plain,  ///< whole: the address must be aligned
  };

  WholeAccess(const clang::FunctionDecl &Function,
              const clang::ASTContext &Context);

  std::string name(const VectorAccess &A, Form F) const;
  std::string function(const VectorAccess &A, Form F) const;
  /// Declares the vector of \p A, which DeclaresVector is true of: a typedef as
  /// Clang's OpenCL headers have them.
  std::string declaration(const VectorAccess &A) const;

private:
  const clang::FunctionDecl &Function;
  const clang::ASTContext &Context;
  std::string Value, Index, Pointer; ///< parameters of the new functions

  std::string parameter(llvm::StringRef Name) const;
  std::string halves(const VectorAccess &A) const;
};

} // namespace clrewrite::rewrite
